//! Causes in three formats: XML, CSS and CSV.

use super::is_identifier;
use crate::draws::{above, are_uneven, chance, extras, has_twins, lengths, picked};
use crate::readers::{is_name, number};
use crate::two_sided::{TwoSided, one, shuffled, word};

/// An element of XML: its name, and its attributes with their values.
type Element<'t> = (&'t str, Vec<(&'t str, &'t str)>);

/// Whether a text of XML has no other references than those to its five signs.
fn has_known_references(text: &str) -> bool {
    let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
    text.split('&').skip(1).all(|rest| known.iter().any(|name| rest.starts_with(name)))
}

/// The attributes at the start of a text, and the rest, which starts with the end of a tag.
fn attributes(mut rest: &str) -> Option<(Vec<(&str, &str)>, &str)> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    loop {
        let inner = rest.trim_ascii_start();
        if inner.starts_with(['>', '/']) {
            return Some((found, inner));
        }
        let (name, after) = inner.split_once('=').filter(|_| inner.len() < rest.len())?;
        let (name, after) = (name.trim_ascii_end(), after.trim_ascii_start());
        let quote = after.chars().next().filter(|c| "\"'".contains(*c))?;
        let (value, after) = after[1..].split_once(quote)?;
        let is_new = found.iter().all(|(other, _)| *other != name);
        let is_value = !value.contains('<') && has_known_references(value);
        (is_new && is_value && is_identifier(name)).then_some(())?;
        found.push((name, value));
        rest = after;
    }
}

/// The elements of some XML with one root; nothing if it is not well-formed.
fn elements(input: &str) -> Option<Vec<Element<'_>>> {
    let (mut found, mut open): (Vec<Element>, Vec<&str>) = (Vec::new(), Vec::new());
    let start = input.strip_prefix("<?xml ").map(|rest| rest.split_once("?>"));
    let mut rest = start.map_or(Some(input), |parts| parts.map(|(_, rest)| rest))?;
    while let Some((text, tag)) = rest.split_once('<') {
        let is_outside = open.is_empty() && !text.trim_ascii().is_empty();
        (!is_outside && has_known_references(text)).then_some(())?;
        if let Some(comment) = tag.strip_prefix("!--") {
            let (inside, after) = comment.split_once("--")?;
            rest = after.strip_prefix('>').filter(|_| !inside.ends_with('-'))?;
        } else if let Some(end) = tag.strip_prefix('/') {
            let (name, after) = end.split_once('>')?;
            (open.pop()? == name.trim_ascii_end()).then_some(())?;
            rest = after;
        } else {
            (found.is_empty() || !open.is_empty()).then_some(())?;
            let size = tag.find(|c: char| c.is_ascii_whitespace() || ">/".contains(c))?;
            let (name, after) = tag.split_at(size);
            let (pairs, after) = attributes(after).filter(|_| is_identifier(name))?;
            found.push((name, pairs));
            let empty = after.strip_prefix("/>");
            if empty.is_none() {
                open.push(name);
            }
            rest = empty.or(after.strip_prefix('>'))?;
        }
    }
    let is_over = open.is_empty() && rest.trim_ascii().is_empty();
    (is_over && !found.is_empty()).then_some(found)
}

/// The value of an attribute of an element.
fn attribute<'t>(element: &Element<'t>, key: &str) -> Option<&'t str> {
    element.1.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
}

/// The least and the most of each range of a station.
fn ranges(input: &str) -> Option<Vec<(u32, u32)>> {
    let all = elements(input).filter(|all| all[0].0 == "station")?;
    let ranges = all.iter().filter(|element| element.0 == "range").map(|range| {
        let [least, most] = ["min", "max"].map(|key| attribute(range, key).and_then(number));
        least.zip(most)
    });
    ranges.collect()
}

/// The names of the strings of an app.
fn string_names(input: &str) -> Option<Vec<&str>> {
    let all = elements(input).filter(|all| all[0].0 == "resources")?;
    let strings = all.iter().filter(|element| element.0 == "string");
    strings.map(|string| attribute(string, "name").filter(|name| is_identifier(name))).collect()
}

/// A style sheet without its comments.
fn without_css_comments(input: &str) -> Option<String> {
    let (mut text, mut rest) = (String::new(), input);
    while let Some((before, after)) = rest.split_once("/*") {
        text += before;
        text.push(' ');
        rest = after.split_once("*/")?.1;
    }
    Some(text + rest)
}

/// The values of each `position` of a style sheet.
fn positions(input: &str) -> Option<Vec<String>> {
    let text = without_css_comments(input)?;
    let are = |text: &str, signs: &str| {
        let is_known =
            |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || signs.contains(c);
        !text.trim_ascii().is_empty() && text.chars().all(is_known)
    };
    let (mut found, mut rest) = (Vec::new(), text.trim_ascii());
    while !rest.is_empty() {
        let (selector, after) = rest.split_once('{')?;
        let (inner, after) = after.split_once('}')?;
        are(selector, ".#-_:,>*").then_some(())?;
        for pair in inner.split(';').map(str::trim_ascii).filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once(':')?;
            let (key, value) = (key.trim_ascii_end(), value.trim_ascii());
            (is_name(key) && are(value, ".#-,%()/!")).then_some(())?;
            if key == "position" {
                found.push(Some(value).filter(|value| is_name(value))?.to_owned());
            }
        }
        rest = after.trim_ascii_start();
    }
    Some(found)
}

/// How many cells a row has; nothing if a quote is odd.
fn cell_count(row: &str) -> Option<usize> {
    // Two quotes are one quote in quotes, or an empty cell.
    let row = row.replace("\"\"", "");
    let (mut count, mut rest) = (1, &row[..]);
    loop {
        let after = match rest.strip_prefix('"') {
            Some(inner) => inner.split_once('"')?.1,
            None => rest.trim_start_matches(|c| c != ',' && c != '"'),
        };
        if after.is_empty() {
            return Some(count);
        }
        rest = after.strip_prefix(',')?;
        count += 1;
    }
}

/// How many cells the rows of a table have.
fn row_lengths(input: &str) -> Option<Vec<usize>> {
    let rows = input.lines().map(|row| cell_count(row).filter(|_| !row.is_empty()));
    rows.collect::<Option<Vec<usize>>>().filter(|rows| !rows.is_empty())
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "forty-third: xml: station: a range with a min above its max",
        grammar: "@xml",
        input: concat!(
            "<?xml version=\"1.0\"?>\n<station id=\"4\" name=\"North pier\">\n",
            "  <!-- the axis of the tide goes down -->\n  <axis min=\"90\" max=\"10\"/>\n",
            "  <sensor kind=\"wind\">\n    <range min=\"0\" max=\"120\"/>\n    <unit>km/h</unit>\n  </sensor>\n",
            "  <sensor kind=\"tide\" depth=\"7\">\n    <range unit=\"cm\" max=\"45\" min=\"310\"/>\n  </sensor>\n",
            "  <sensor kind=\"rain\"><range min=\"5\" max=\"5\"/></sensor>\n</station>\n"
        ),
        valid: |input| ranges(input).is_some(),
        fails: |input| {
            ranges(input).is_some_and(|all| all.iter().any(|(least, most)| least > most))
        },
        draw: |dice| {
            let mut parts = extras(
                dice,
                &["<axis min=\"90\" max=\"10\"/>", "<!-- min 9 max 1 -->", "<owner>Bo</owner>"],
            );
            for _ in 0..1 + dice.below(3) {
                let most = [dice.below(10), dice.below(100), dice.below(400)][dice.below(3)];
                let least = above(dice, most, 28);
                let mut pairs = extras(dice, &["unit=\"cm\"", "step=\"500\""]);
                pairs.push(format!("min=\"{least}\""));
                pairs.push(format!("max=\"{most}\""));
                let pairs = shuffled(dice, pairs).join(" ");
                let kind = one(dice, &["wind", "tide", "rain"]);
                let unit = one(dice, &["", "", "<unit>km/h</unit>"]);
                parts.push(format!("<sensor kind=\"{kind}\"><range {pairs}/>{unit}</sensor>"));
            }
            let start = one(dice, &["", "<?xml version=\"1.0\"?>\n"]);
            let inner = shuffled(dice, parts).join(one(dice, &["", "\n  "]));
            format!("{start}<station id=\"4\">{inner}</station>\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: xml: strings: two strings of the same name",
        grammar: "@xml",
        input: concat!(
            "<resources>\n  <!-- string name=\"title\" -->\n  <color name=\"title\">white</color>\n",
            "  <string name=\"app_name\">Owls</string>\n  <string name=\"ok\">OK</string>\n",
            "  <plurals name=\"eggs\"><item quantity=\"one\">egg</item></plurals>\n",
            "  <string name=\"cancel\" translatable=\"false\">Cancel</string>\n",
            "  <string name=\"eggs\">Eggs &amp; nests</string>\n  <string name=\"ok\">Fine</string>\n",
            "  <string name=\"fine\">OK</string>\n</resources>\n"
        ),
        valid: |input| string_names(input).is_some(),
        fails: |input| string_names(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let known = ["app_name", "ok", "cancel", "eggs", "title", "Ok"];
            let mut parts = Vec::new();
            for name in picked(dice, &known, 5, 50) {
                let text = one(dice, &["Owls", "OK", "Cancel", "Eggs &amp; nests", ""]);
                let end = one(dice, &["", "", " translatable=\"false\""]);
                parts.push(format!("<string name=\"{name}\"{end}>{text}</string>"));
            }
            for name in picked(dice, &known, 2, 20) {
                parts.push(match dice.below(3) {
                    0 => format!("<color name=\"{name}\">white</color>"),
                    1 => format!("<dimen name=\"{name}\">4dp</dimen>"),
                    _ => format!("<!-- string name=\"{name}\" -->"),
                });
            }
            let inner = shuffled(dice, parts).join("\n  ");
            format!("<resources>\n  {inner}\n</resources>\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: css: layout: a position that is absolute, fixed or sticky",
        grammar: "@css",
        input: concat!(
            "/* position: fixed */\nbody { margin: 0; font: 12px sans-serif; }\n",
            ".sticky, #fixed > a {\n  position: relative;\n  background-attachment: fixed;\n}\n",
            "nav a:hover { color: #0af; text-decoration: none }\n",
            ".bar {\n  top: 0;\n  position: sticky; /* absolute */\n  z-index: 4;\n}\n",
            "table { position: static; table-layout: fixed; width: 100% }\n"
        ),
        valid: |input| positions(input).is_some(),
        fails: |input| {
            let all = positions(input).unwrap_or_default();
            all.iter().any(|value| ["absolute", "fixed", "sticky"].contains(&&value[..]))
        },
        draw: |dice| {
            let mut rules = extras(dice, &["/* position: fixed */", "body { margin: 0; }"]);
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "top: 0",
                    "background-attachment: fixed",
                    "table-layout: fixed",
                    "color: #0af",
                    "transition: position 1s",
                ];
                let mut pairs = extras(dice, &others);
                if chance(dice, 75) {
                    let value = match chance(dice, 33) {
                        true => one(dice, &["absolute", "fixed", "sticky"]),
                        false => one(dice, &["static", "relative", "inherit", "initial"]),
                    };
                    pairs.push(format!("position: {value}"));
                }
                let pairs = shuffled(dice, pairs).join("; ");
                let name = one(dice, &[".sticky", "#fixed > a", "nav a:hover", ".bar", "table"]);
                rules.push(format!("{name} {{ {pairs}{} }}", one(dice, &["", ";"])));
            }
            shuffled(dice, rules).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: csv: orders: rows that do not all have the same number of cells",
        grammar: "@csv",
        input: concat!(
            "order,customer,item,total\n1001,Ada,\"nest, small\",12.50\n1002,Bo,egg cup,4\n",
            "1003,\"Cy, Dr\",\"seed, 2 kg\",19.90,gift\n1004,Eve,,0\n1005,Ada,\"the \"\"big\"\" box\",75\n"
        ),
        valid: |input| row_lengths(input).is_some(),
        fails: |input| row_lengths(input).is_some_and(|rows| are_uneven(&rows)),
        draw: |dice| {
            let mut text = String::new();
            for length in lengths(dice, 2, 60) {
                // Each row starts with a number, so that none is empty.
                text += &(1000 + dice.below(90)).to_string();
                for _ in 0..length {
                    let other = word(dice, 7);
                    let known =
                        [&other, "", "4", "12.50", "\"nest, small\"", "\"the \"\"big\"\" box\""];
                    text += &format!(",{}", one(dice, &known));
                }
                text.push('\n');
            }
            text
        },
        patterns: &[],
    },
];
