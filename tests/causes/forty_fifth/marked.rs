//! Causes without a grammar: three in Markdown, and one in templates.

use seedsmith_grammar::Random;

use super::{mixed, name};
use crate::draws::{are_uneven, chance, foreign, lengths};
use crate::two_sided::{TwoSided, any, joined, one, shuffled};

/// What comes after the mark of a quote or of an item of a list, if a line starts with one.
fn inner(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(' ');
    let item = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.strip_prefix(". ").filter(|_| rest.len() < line.len());
    line.strip_prefix('>').or(item).or(numbered)
}

/// How many quotes and items of lists a line opens.
fn marks(line: &str) -> usize {
    inner(line).map_or(0, |rest| 1 + marks(rest))
}

/// Where the links of a text lead to.
fn places(input: &str) -> Vec<&str> {
    let lines = input.lines().flat_map(|line| line.split("](").skip(1));
    let inner = lines.filter_map(|rest| rest.split_once(')'));
    inner.map(|(inner, _)| inner.split(' ').next().unwrap_or_default()).collect()
}

/// How many cells a line of a table has; nothing if it is none.
fn cells(line: &str) -> Option<usize> {
    let inner = line.trim().strip_prefix('|')?;
    Some(inner.strip_suffix('|').unwrap_or(inner).split('|').count())
}

/// Whether a line is the one below the head of a table.
fn is_rule(line: &str) -> bool {
    line.contains('-') && line.trim().chars().all(|c| "|-: ".contains(c))
}

/// How many cells the rows of each table have, with its head.
fn tables(input: &str) -> Vec<Vec<usize>> {
    let lines: Vec<&str> = input.lines().collect();
    let parts = lines.split(|line| cells(line).is_none());
    let is_table = |part: &&[&str]| part.len() > 1 && is_rule(part[1]);
    let counts = parts.filter(is_table).map(|part| part.iter().filter_map(|line| cells(line)));
    counts.map(Iterator::collect).filter(|rows: &Vec<usize>| rows[0] == rows[1]).collect()
}

/// Whether a template has a tag whose value is not escaped: one with three braces, or with an ampersand.
fn is_raw(input: &str) -> bool {
    let Some((_, rest)) = input.split_once("{{") else { return false };
    let (end, size) = if rest.starts_with('{') { ("}}}", 1) } else { ("}}", 0) };
    let Some((tag, after)) = rest[size..].split_once(end) else { return is_raw(rest) };
    let name = tag.trim().strip_prefix('&').or((size == 1).then_some(tag));
    let is_name = |name: &str| {
        !name.trim().is_empty()
            && name.trim().chars().all(|c| c.is_alphanumeric() || "._".contains(c))
    };
    name.is_some_and(is_name) || is_raw(after)
}

/// A few words.
fn words(dice: &mut Random) -> String {
    let count = 1 + dice.below(3);
    joined(dice, count, " ", |dice| {
        one(dice, &["see", "the", "first", "file", "4", "it", "works"]).to_owned()
    })
}

/// One of some pairs.
fn one_of<'t>(dice: &mut Random, pairs: &[(&'t str, &'t str)]) -> (&'t str, &'t str) {
    pairs[dice.below(pairs.len())]
}

/// The causes.
pub const MARKED: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "forty-fifth: plain: markdown: a line that opens quotes and items of lists in each ",
            "other, five deep or more"
        ),
        grammar: "",
        input: concat!(
            "# Minutes\n\nWe met at 10 > 9.\n\n> Ada: hello\n> > Bo: hello - hello\n> > - first\n\n",
            "* one\n* two\n  * three\n    1. four\n\n> - Ada: the plan\n> - > 1. > + again: the parser\n",
            "> - > done\n\n1. write\n2. read\n   - > check - > twice\n\nThe end.\n"
        ),
        valid: any,
        fails: |input| input.lines().any(|line| marks(line) >= 5),
        draw: |dice| {
            let mut lines = Vec::new();
            for _ in 0..1 + dice.below(5) {
                let count = if chance(dice, 20) { 5 + dice.below(3) } else { dice.below(5) };
                let mut line = joined(dice, count, "", |dice| {
                    one(dice, &["> ", "> ", ">", "- ", "* ", "+ ", "1. ", "12. "]).to_owned()
                });
                line += &words(dice);
                lines.push(line + one(dice, &["", "", " > - > 1.", " - x"]) + "\n");
            }
            let others = ["# Minutes\n", "\n", "  * three\n    - four\n", "10 > 9\n", "\n"];
            mixed(dice, lines, &others).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: plain: links: a link whose address has a character that is not ASCII",
        grammar: "",
        input: concat!(
            "# Über uns\n\nWir sind ein [Verein](https://example.org/verein) in Köln.\n\n",
            "- [Satzung](docs/satzung.pdf \"Größe: 2 MB\")\n- [Anfahrt für Gäste](anfahrt.html)\n",
            "- [Bilder](fotos/münster/index.html)\n- ![Logo](logo.png)\n\n",
            "Fragen (Übrigens: gern) an [Zoë](mailto:zoe@example.org).\n"
        ),
        valid: any,
        fails: |input| places(input).iter().any(|place| !place.is_ascii()),
        draw: |dice| {
            let mut lines = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let text = if chance(dice, 40) { foreign(dice) } else { words(dice) };
                let place = if chance(dice, 25) { foreign(dice) } else { name(dice) };
                let start = one(dice, &["", "docs/", "https://example.org/", "../"]);
                let end = one(dice, &["", ".html", "/index.html", "#top"]);
                let title = one(dice, &["", "", " \"Größe\"", " \"size\""]);
                let before = one(dice, &["- ", "", "Siehe ", "für ", "- !"]);
                let after = one(dice, &["", ".", " (Übrigens)", " in Köln"]);
                lines.push(format!("{before}[{text}]({start}{place}{end}{title}){after}\n"));
            }
            mixed(dice, lines, &["# Über uns\n\n", "Text.\n", "\n", "[Köln] (groß)\n"]).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: plain: tables: a Markdown table whose rows do not all have the same number of cells",
        grammar: "",
        input: concat!(
            "## Results\n\nAll | figures | are in ms.\n\n| name | first | second |\n|------|-------|--------|\n",
            "| json | 12 | 14 |\n| toml | 8 | 9 | 11 |\n| csv | 3 | 2 |\n\nOthers:\n\n",
            "| key | value |\n| --- | ---: |\n| os | linux |\n| cpu | |\n\n- a | b\n"
        ),
        valid: any,
        fails: |input| tables(input).iter().any(|rows| are_uneven(rows)),
        draw: |dice| {
            let mut parts = Vec::new();
            for _ in 0..1 + dice.below(2) {
                let mut text = String::new();
                let mut rows = lengths(dice, 2, 40);
                let rule = one(dice, &["---", ":--", "---:", "------"]);
                let others = rows.split_off(1);
                for (at, length) in std::iter::once(rows[0]).chain(others).enumerate() {
                    let row = joined(dice, length, " | ", |dice| match dice.below(3) {
                        0 => dice.below(900).to_string(),
                        1 => one(dice, &["", "-", "yes", "a b"]).to_owned(),
                        _ => name(dice),
                    });
                    text += &format!("| {row} |\n");
                    if at == 0 {
                        text += &format!("|{}\n", format!("{rule}|").repeat(length));
                    }
                }
                parts.push(text);
            }
            let others = ["All | figures | in ms.\n", "## Results\n", "- a | b\n- c\n"];
            mixed(dice, parts, &others).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: plain: mustache: a value that is not escaped, {{{name}}} or {{&name}}",
        grammar: "",
        input: concat!(
            "<html>\n<head><title>{{title}}</title></head>\n{{! the {raw} parts & the others }}\n<body>\n",
            "{{#user}}\n  <p class=\"name\">Hello, {{name}} & friends!</p>\n{{/user}}\n{{^user}}\n",
            "  <a href=\"/login?a=1&b={2}\">Log in</a>\n{{/user}}\n<ul>\n{{#items}}\n",
            "  <li>{{ label }}: {{{body}}}</li>\n{{/items}}\n</ul>\n{{> footer}}\n</body>\n</html>\n"
        ),
        valid: any,
        fails: is_raw,
        draw: |dice| {
            let mut lines = Vec::new();
            for _ in 0..1 + dice.below(5) {
                let name = name(dice);
                let tag = match dice.below(16) {
                    0 => format!("{{{{{{{name}}}}}}}"),
                    1 => format!("{{{{&{name}}}}}"),
                    2 => format!("{{{{& {name} }}}}"),
                    3 => format!("{{{{#{name}}}}}x & y{{{{/{name}}}}}"),
                    4 => format!("{{{{^{name}}}}}{{}}{{{{/{name}}}}}"),
                    5 => format!("{{{{! {name} & {name} }}}}"),
                    6 => format!("{{{{> {name}}}}}"),
                    7 => format!("{{{name}}} &{name}"),
                    8 => format!("{{{{ {name} }}}}"),
                    _ => format!("{{{{{name}}}}}"),
                };
                let (before, after) =
                    one_of(dice, &[("<p>", "</p>"), ("", ""), ("a & b: ", "."), ("<i>", "")]);
                lines.push(format!("{before}{tag}{after}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
];
