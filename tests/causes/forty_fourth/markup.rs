//! Causes in XML, TOML and INI: lists of a page, texts of an app, steps of a pipeline and radio stations.

use seedsmith_grammar::Random;

use super::{is_label, tokens, without_remarks};
use crate::draws::{chance, extras, foreign, has_twins, picked, statements};
use crate::readers::{is_name, number};
use crate::two_sided::{TwoSided, one, shuffled, word};

/// An element of XML: its name, its attributes, and the place of the one around it in the list of all.
struct Element<'t> {
    name: &'t str,
    attributes: Vec<(&'t str, &'t str)>,
    around: Option<usize>,
}

/// Whether a text has no odd signs of XML.
fn is_text(text: &str) -> bool {
    let known = ["amp", "lt", "gt", "quot", "apos"];
    let mut ends = text.split('&').skip(1).map(|rest| rest.split_once(';'));
    let are_known = ends.all(|end| end.is_some_and(|(name, _)| known.contains(&name)));
    are_known && !text.contains('<')
}

/// The name and the attributes of a tag, without its signs.
fn tag(text: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let (name, mut rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    while !rest.trim().is_empty() {
        let (key, after) = rest.split_once('=')?;
        let quote = after.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
        let (value, after) = after[1..].split_once(quote)?;
        let key = key.trim();
        let is_new = attributes.iter().all(|(other, _)| *other != key);
        attributes.push(Some((key, value)).filter(|_| is_new && is_name(key) && is_text(value))?);
        (after.is_empty() || after.starts_with([' ', '\n'])).then_some(())?;
        rest = after;
    }
    is_name(name).then_some((name, attributes))
}

/// The elements of XML with one root, remarks left out.
fn elements(input: &str) -> Option<Vec<Element<'_>>> {
    let mut rest = input.trim();
    if let Some(after) = rest.strip_prefix("<?xml ") {
        rest = after.split_once("?>")?.1;
    }
    let (mut found, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    while let Some((text, inner)) = rest.split_once('<') {
        (is_text(text) && (!open.is_empty() || text.trim().is_empty())).then_some(())?;
        if let Some(remark) = inner.strip_prefix("!--") {
            rest = remark.split_once("-->")?.1;
            continue;
        }
        let (inner, after) = inner.split_once('>')?;
        rest = after;
        if let Some(name) = inner.strip_prefix('/') {
            (found[open.pop()?].name == name.trim_end()).then_some(())?;
            continue;
        }
        (found.is_empty() || !open.is_empty()).then_some(())?;
        let (name, attributes) = tag(inner.strip_suffix('/').unwrap_or(inner).trim_end())?;
        found.push(Element { name, attributes, around: open.last().copied() });
        if !inner.ends_with('/') {
            open.push(found.len() - 1);
        }
    }
    (open.is_empty() && !found.is_empty() && rest.trim().is_empty()).then_some(found)
}

/// How deep the lists of a page are in each other.
fn list_depth(input: &str) -> Option<usize> {
    let all = elements(input).filter(|all| all[0].name == "page")?;
    let mut depths: Vec<usize> = Vec::new();
    for element in &all {
        let around = element.around.map_or(0, |at| depths[at]);
        depths.push(around + usize::from(["ul", "ol"].contains(&element.name)));
    }
    depths.into_iter().max()
}

/// Lists in each other that many deep, maybe with other elements between them.
fn nested_lists(dice: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return one(dice, &["tea", "<b>milk</b>", "ul ol ul ol ul"]).to_owned();
    }
    let inner = nested_lists(dice, depth - 1);
    let inner = match dice.below(6) {
        0 => format!("<div>{inner}</div>"),
        1 => format!("<p>see</p>{inner}"),
        _ => inner,
    };
    let kind = one(dice, &["ul", "ol"]);
    let before = one(dice, &["", "", "<li>salt</li>", "<li><ul><li>oil</li></ul></li>"]);
    format!("<{kind}>{before}<li>{inner}</li></{kind}>")
}

/// A page with lists and boxes.
fn draw_page(dice: &mut Random) -> String {
    let others = [
        "<p>five lists</p>",
        "<!-- <ul><ol><ul><ol><ul> -->",
        "<div><div><div><ol><li><div>4</div></li></ol></div></div></div>",
        "<ul><li>1</li></ul><ol><li>2</li></ol><ul><li>3</li></ul>",
    ];
    let mut parts = extras(dice, &others);
    for _ in 0..1 + dice.below(2) {
        let depth = if chance(dice, 34) { 5 + dice.below(2) } else { 1 + dice.below(4) };
        parts.push(nested_lists(dice, depth));
    }
    format!("<page>\n{}\n</page>\n", shuffled(dice, parts).join("\n"))
}

/// The names of the texts of an app.
fn text_names(input: &str) -> Option<Vec<&str>> {
    let all = elements(input).filter(|all| all[0].name == "resources")?;
    let mut names = Vec::new();
    for element in all.iter().filter(|element| element.around == Some(0)) {
        let (_, name) = element.attributes.iter().find(|(key, _)| *key == "name")?;
        ["string", "color", "bool", "dimen"].contains(&element.name).then_some(())?;
        if element.name == "string" {
            names.push(*name);
        }
    }
    Some(names)
}

/// Some texts of an app, and other resources of maybe the same names.
fn draw_resources(dice: &mut Random) -> String {
    let others = [
        "<color name=\"title\">#fff</color>",
        "<color name=\"title\">#000</color>",
        "<bool name=\"greeting\">true</bool>",
        "<!-- <string name=\"title\">x</string> -->",
        "<dimen name=\"save\" type=\"title\">4</dimen>",
    ];
    let mut parts = extras(dice, &others);
    let known = ["title", "greeting", "save", "save_all", "sub_title", "exit"];
    for name in picked(dice, &known, 5, 50) {
        let text = one(dice, &["Hello", "Save &amp; exit", "title", "<b>Hello</b> all"]);
        let before = one(dice, &["", "", "", " id=\"title\""]);
        let after = one(dice, &["", "", "", " translatable=\"false\""]);
        parts.push(format!("<string{before} name=\"{name}\"{after}>{text}</string>"));
    }
    let parts = shuffled(dice, parts).join("\n  ");
    let start = one(dice, &["", "<?xml version=\"1.0\"?>\n"]);
    format!("{start}<resources>\n  {parts}\n</resources>\n")
}

/// Whether some tokens are a value of TOML: a text, a number, true, false, or a list of these on one line.
fn is_value(all: &[&str]) -> bool {
    let is_single = |one: &str| {
        one.starts_with('"') || number(one).is_some() || ["true", "false"].contains(&one)
    };
    match all {
        ["[", "]"] => true,
        ["[", inner @ .., "]"] => {
            inner.split(|one| *one == ",").all(|item| matches!(item, [one] if is_single(one)))
        }
        [one] => is_single(one),
        _ => false,
    }
}

/// The keys of each step of a pipeline.
fn step_keys(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_remarks(input, "#");
    let mut tables: Vec<(String, Vec<String>)> = vec![(String::new(), Vec::new())];
    for line in text.lines() {
        match &tokens(line, "_-", '"')?[..] {
            [] => {}
            ["[", "[", "step", "]", "]"] => tables.push(("step".to_owned(), Vec::new())),
            ["[", name, "]"] if is_name(name) => {
                let is_new = *name != "step" && tables.iter().all(|(other, _)| other != name);
                tables.push(Some((name.to_string(), Vec::new())).filter(|_| is_new)?);
            }
            [key, "=", value @ ..] if is_name(key) && is_value(value) => {
                let keys = &mut tables.last_mut()?.1;
                let is_new = keys.iter().all(|other| other != key);
                keys.push(Some(key.to_string()).filter(|_| is_new)?);
            }
            _ => return None,
        }
    }
    let steps = tables.into_iter().filter(|(name, _)| name == "step");
    Some(steps.map(|(_, keys)| keys).collect())
}

/// A pipeline of some steps.
fn draw_pipeline(dice: &mut Random) -> String {
    let start = extras(dice, &["title = \"nightly\"\n", "image = \"base\"\n", "# image = 4\n"]);
    let others = ["[cache]\nimage = \"disk\"\nsize = 4\n", "[notify]\nmail = [\"ops\", \"dev\"]\n"];
    let mut tables = extras(dice, &others);
    for _ in 0..1 + dice.below(4) {
        let others = [
            "env = [\"image\", \"CI\"]\n",
            "image-tag = \"v4\"\n",
            "retry = 2 # image = 3\n",
            "when = \"image = x\"\n",
        ];
        let mut pairs = extras(dice, &others);
        pairs.push(format!("run = \"{}\"\n", one(dice, &["make", "make test", "image"])));
        if chance(dice, 75) {
            pairs.push(format!("image = \"{}\"\n", one(dice, &["alpine", "rust", "node-20"])));
        }
        tables.push(format!("[[step]]\n{}", shuffled(dice, pairs).concat()));
    }
    format!("{}{}", start.concat(), shuffled(dice, tables).join(one(dice, &["", "\n"])))
}

/// The names of some radio stations.
fn station_names(input: &str) -> Option<Vec<&str>> {
    let mut sections: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
    for line in statements(input, ";") {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let is_new = is_name(name) && sections.iter().all(|(other, _)| *other != name);
            sections.push(Some((name, Vec::new())).filter(|_| is_new)?);
            continue;
        }
        let (key, value) = line.split_once('=')?;
        let (key, keys) = (key.trim(), &mut sections.last_mut()?.1);
        let is_new = is_label(key) && keys.iter().all(|(other, _)| *other != key);
        keys.push(Some((key, value.trim())).filter(|_| is_new)?);
    }
    let pairs = sections.into_iter().flat_map(|(_, keys)| keys);
    Some(pairs.filter(|(key, _)| *key == "name").map(|(_, value)| value).collect())
}

/// A word, which often has a character that is not ASCII.
fn title(dice: &mut Random, percent: usize) -> String {
    let other = word(dice, 7);
    match (chance(dice, percent), dice.below(3)) {
        (true, 0) => foreign(dice),
        (true, 1) => format!("{} {other}", foreign(dice)),
        (true, _) => format!("radio {}", foreign(dice)),
        (false, 0) => other,
        (false, _) => format!("radio {other}"),
    }
}

/// Some radio stations.
fn draw_stations(dice: &mut Random) -> String {
    let mut parts = extras(dice, &["[player]\nvolume = 40\ntheme = größer\n"]);
    for at in 0..1 + dice.below(3) {
        let name = title(dice, 27);
        let mut pairs = extras(dice, &["rate = 128\n", "; name = señal\n", "name2 = Å\n"]);
        pairs.push(format!("name{}{name}\n", one(dice, &["=", " = ", "= "])));
        if chance(dice, 50) {
            pairs.push(format!("city = {}\n", title(dice, 50)));
        }
        parts.push(format!("[station-{at}]\n{}", shuffled(dice, pairs).concat()));
    }
    shuffled(dice, parts).join(one(dice, &["", "\n"]))
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "forty-fourth: xml: page: lists (ul or ol) in each other, five deep or more",
        grammar: "@xml",
        input: concat!(
            "<page>\n<p>five lists</p>\n<!-- <ul><ol><ul> -->\n<ul>\n  <li>tea</li>\n",
            "  <li><ol><li>green<ul><li>sencha</li><li><div><ul>\n    <li>first<ol><li>may</li></ol></li>\n",
            "  </ul></div></li></ul></li></ol></li>\n</ul>\n<div><div><ol><li>cups</li></ol></div></div>\n",
            "<ol><li><ul><li>end</li></ul></li></ol>\n</page>\n"
        ),
        valid: |input| list_depth(input).is_some(),
        fails: |input| list_depth(input).is_some_and(|depth| depth >= 5),
        draw: draw_page,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: xml: app: two strings of the same name",
        grammar: "@xml",
        input: concat!(
            "<?xml version=\"1.0\"?>\n<resources>\n  <color name=\"title\">#fff</color>\n",
            "  <string name=\"title\">Notes</string>\n  <string name=\"save\">Save &amp; exit</string>\n",
            "  <bool name=\"greeting\">true</bool>\n  <string name=\"greeting\">Hello</string>\n",
            "  <!-- <string name=\"exit\">x</string> -->\n",
            "  <string name=\"save\" translatable=\"false\">Save</string>\n",
            "  <string name=\"exit\">Hello</string>\n</resources>\n"
        ),
        valid: |input| text_names(input).is_some(),
        fails: |input| text_names(input).is_some_and(|names| has_twins(&names)),
        draw: draw_resources,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: toml: pipeline: a step without an image",
        grammar: "@toml",
        input: concat!(
            "title = \"nightly\"\nimage = \"base\"\n\n[cache]\nimage = \"disk\"\nsize = 4\n\n",
            "[[step]]\nimage = \"rust\"\nrun = \"make\"\n\n[[step]]\nrun = \"make test\" # image = 3\n",
            "env = [\"image\", \"CI\"]\nimage-tag = \"v4\"\n\n[[step]]\nrun = \"image\"\nimage = \"alpine\"\nretry = 2\n"
        ),
        valid: |input| step_keys(input).is_some(),
        fails: |input| {
            let steps = step_keys(input).unwrap_or_default();
            steps.iter().any(|keys| keys.iter().all(|key| key != "image"))
        },
        draw: draw_pipeline,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: ini: radio: a name with a character that is not ASCII",
        grammar: "@ini",
        input: concat!(
            "; name = señal\n[player]\nvolume = 40\ntheme = größer\n\n[station-0]\nname = radio north\n",
            "city = Malmö\nrate = 128\n\n[station-1]\nrate = 96\nname = radio côte west\ncity = Brest\n\n",
            "[station-2]\nname = jazz\nname2 = Å\n"
        ),
        valid: |input| station_names(input).is_some(),
        fails: |input| {
            station_names(input).is_some_and(|names| names.iter().any(|name| !name.is_ascii()))
        },
        draw: draw_stations,
        patterns: &[],
    },
];
