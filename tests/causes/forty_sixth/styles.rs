//! Causes in CSS and XML: what changes slowly, and the texts of a program.

use crate::draws::{chance, extras, foreign, has_twins, picked};
use crate::readers::is_name;
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// A text without remarks and without what is in quotes.
fn bare(input: &str) -> String {
    let mut text = String::new();
    let mut rest = input;
    while let Some((before, after)) = rest.split_once("/*") {
        text += before;
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text += rest;
    text.split('"').step_by(2).collect()
}

/// The properties that each transition-property of some styles lists.
fn transitions(input: &str) -> Vec<Vec<String>> {
    let text = bare(input);
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices().filter(|(_, c)| "{};".contains(*c)) {
        let pair = text[start..at].split_once(':').filter(|_| depth > 0 && c != '{');
        if let Some((key, value)) = pair
            && key.trim().eq_ignore_ascii_case("transition-property")
        {
            found.push(value.split(',').map(|name| name.trim().to_owned()).collect());
        }
        depth += i32::from(c == '{') - i32::from(c == '}');
        start = at + 1;
    }
    found
}

/// The attributes at the start of a text, and what comes after them.
fn attributes(input: &str) -> Option<(Vec<(&str, &str)>, &str)> {
    let (mut found, mut rest) = (Vec::new(), input);
    loop {
        let trimmed = rest.trim_start();
        if trimmed.starts_with(['>', '/']) {
            return Some((found, trimmed));
        }
        (trimmed.len() < rest.len()).then_some(())?;
        let (key, after) = trimmed.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        let is_new = found.iter().all(|(other, _)| *other != key);
        (is_new && is_name(key) && !value.contains('<')).then(|| found.push((key, value)))?;
        rest = after;
    }
}

/// The values of the attributes with the name "name".
fn resource_names(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut open, mut rest) = (Vec::new(), Vec::new(), input);
    while let Some((before, after)) = rest.split_once('<') {
        (!open.is_empty() || before.trim().is_empty()).then_some(())?;
        if let Some(remark) = after.strip_prefix("!--") {
            rest = remark.split_once("-->")?.1;
            continue;
        }
        if let Some(head) = after.strip_prefix('?') {
            rest = head.split_once("?>")?.1;
            continue;
        }
        if let Some(end) = after.strip_prefix('/') {
            let (tag, after) = end.split_once('>')?;
            (open.pop()? == tag).then_some(())?;
            rest = after;
            continue;
        }
        let (tag, after) = after.split_at(after.find([' ', '\n', '>', '/'])?);
        let (pairs, after) = attributes(after)?;
        open.push(Some(tag).filter(|tag| is_name(tag))?);
        if let Some(after) = after.strip_prefix('/') {
            open.pop();
            rest = after.strip_prefix('>')?;
        } else {
            rest = after.strip_prefix('>')?;
        }
        found.extend(pairs.iter().filter(|(key, _)| *key == "name").map(|(_, value)| *value));
    }
    (open.is_empty() && rest.trim().is_empty()).then_some(found)
}

/// The causes.
pub const STYLES: &[TwoSided] = &[
    TwoSided {
        name: "forty-sixth: css: transitions: a transition-property with the same property twice",
        grammar: "@css",
        input: r#"/* transition-property: color, color; */
body { margin: 0 auto; font-family: serif, serif }
.card {
  transition-property: opacity, transform;
  transition-duration: 1s, 1s;
  will-change: top, top;
}
.card .title { color: red; transition-property: none; }
#menu a {
  padding: 4px;
  transition-property: color, margin-left, background-color, margin, color;
  transition-delay: 0s;
}
.note { content: "transition-property: top, top"; transition-property: all }
.left { transition-property: left, margin-left }
"#,
        valid: any,
        fails: |input| transitions(input).iter().any(|names| has_twins(names)),
        draw: |dice| {
            let others = [
                "/* transition-property: color, color; */",
                "body { margin: 0 auto; font-family: serif, serif }",
                ".title { transition-property: none; }",
                ".note { content: \"transition-property: top, top\" }",
            ];
            let mut rules = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["opacity", "color", "margin", "margin-left", "left", "transform"];
                let names = picked(dice, &known, 5, 28);
                let names = names.join(one(dice, &[", ", ", ", ","]));
                let others = ["transition-duration: 1s, 1s", "color: red", "will-change: top, top"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("transition-property: {names}"));
                let by = one(dice, &["; ", ";\n  "]);
                let end = one(dice, &["", ";"]);
                let selector = one(dice, &[".card", "#menu a", ".left", "body"]);
                rules.push(format!("{selector} {{ {}{end} }}", shuffled(dice, pairs).join(by)));
            }
            shuffled(dice, rules).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: xml: resources: a name with a character that is not ASCII",
        grammar: "@xml",
        input: r#"<?xml version="1.0"?>
<resources locale="fr">
  <!-- <string name="été">Été</string> -->
  <string name="app_title">Météo de la forêt</string>
  <string name="summer" label="été">Été</string>
  <color name="sky">blue</color>
  <group name="menu">
    <item title="Paramètres" name="settings"/>
    <item name="réglages" title="Settings"/>
  </group>
  <string name="name">naïve</string>
</resources>
"#,
        valid: |input| resource_names(input).is_some(),
        fails: |input| {
            resource_names(input).is_some_and(|all| !all.iter().all(|name| name.is_ascii()))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let items = joined(dice, count, "", |dice| {
                let name = match chance(dice, 22) {
                    true => foreign(dice),
                    false => one(dice, &["sky", "app_title", "name", "menu-2"]).to_owned(),
                };
                let text = if chance(dice, 40) { foreign(dice) } else { word(dice, 8) };
                let label = foreign(dice);
                let mut pairs = vec![format!(" name=\"{name}\"")];
                if chance(dice, 30) {
                    pairs.push(format!(" label=\"{label}\""));
                }
                let pairs = shuffled(dice, pairs).concat();
                match dice.below(4) {
                    0 => format!("  <item{pairs}/>\n"),
                    1 => format!("  <group><color{pairs}>{text}</color></group>\n"),
                    _ => format!("  <string{pairs}>{text}</string>\n"),
                }
            });
            let others = [
                "  <!-- <string name=\"été\">Été</string> -->\n",
                "  <color title=\"naïve\">blue</color>\n",
            ];
            let mut parts = extras(dice, &others);
            parts.push(items);
            let start = one(dice, &["", "<?xml version=\"1.0\"?>\n"]);
            let locale = one(dice, &["", " locale=\"fr\"", " title=\"été\""]);
            let parts = shuffled(dice, parts).concat();
            format!("{start}<resources{locale}>\n{parts}</resources>\n")
        },
        patterns: &[],
    },
];
