//! Causes in four formats: CSS, XML, JavaScript and TOML.

use crate::draws::{are_uneven, chance, extras, foreign, has_twins, lengths};
use crate::readers::{is_name, is_shown, number, toml_statements};
use crate::thirty_fourth::formats::is_style;
use crate::thirty_fourth::markup::comma_parts;
use crate::thirty_fourth::{is_variable, without_ends, without_remarks};
use crate::thirty_third::markup::{Schema, elements};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The position of each rule that has one.
fn positions(input: &str) -> Option<Vec<String>> {
    let text = without_remarks(input, ["/*", "*/"])?;
    let all = tokens(&text, "-.#%")?;
    let is_selected = |token: &&str| is_name(token.trim_start_matches(['.', '#']));
    let mut found = Vec::new();
    let mut rules: Vec<&[&str]> = all.split(|token| *token == "}").collect();
    rules.pop()?.is_empty().then_some(())?;
    for rule in rules {
        let size = rule.iter().position(|token| *token == "{")?;
        let mut selectors = rule[..size].split(|token| *token == ",");
        selectors.all(|part| !part.is_empty() && part.iter().all(is_selected)).then_some(())?;
        for pair in rule[size + 1..].split(|token| *token == ";").filter(|pair| !pair.is_empty()) {
            let [key, ":", values @ ..] = pair else { return None };
            (is_name(key) && is_style(values)).then_some(())?;
            if *key == "position" {
                let [value] = values else { return None };
                found.push(Some(value.to_string()).filter(|value| is_name(value))?);
            }
        }
    }
    Some(found)
}

/// How deep details and blockquotes are in each other in an article.
fn quote_depth(input: &str) -> Option<usize> {
    let schema = Schema {
        root: "article",
        may_have: |outer, kind| match outer {
            "article" | "div" | "details" | "blockquote" => {
                let known = ["h2", "p", "hr", "div", "details", "blockquote"];
                known.contains(&kind) || (outer == "details" && kind == "summary")
            }
            _ => false,
        },
        with_text: &["h2", "p", "summary"],
        is_text: |text| is_shown(text.trim()),
        has_remarks: true,
    };
    elements(input, &schema)?;
    let (mut depth, mut deepest) = (0, 0);
    for tag in input.split('<').filter_map(|piece| piece.split_once('>')).map(|(tag, _)| tag) {
        let is_end = tag.starts_with('/');
        let kind = tag.trim_matches('/').split_whitespace().next();
        if kind.is_some_and(|kind| ["details", "blockquote"].contains(&kind)) {
            depth = if is_end { depth - 1 } else { depth + 1 };
            deepest = deepest.max(depth);
            depth -= usize::from(tag.ends_with('/'));
        }
    }
    Some(deepest)
}

/// The words that are no names in a script.
const KEYWORDS: [&str; 5] = ["const", "function", "new", "return", "throw"];

/// The text of each error that a script throws.
fn thrown(input: &str) -> Option<Vec<String>> {
    let text = without_ends(input, "//");
    let (all, mut found) = (tokens(&text, "_")?, Vec::new());
    let is_free = |token: &str| is_variable(token) && !KEYWORDS.contains(&token);
    let is_value = |token: &str| is_text(token) || number(token).is_some() || is_free(token);
    let (mut rest, mut is_inside) = (&all[..], false);
    while !rest.is_empty() {
        rest = match rest {
            ["function", name, "(", after @ ..] if is_free(name) && !is_inside => {
                let size = after.iter().position(|token| *token == ")")?;
                let is_name = |part: &&[&str]| matches!(part, [name] if is_free(name));
                is_inside = size == 0 || comma_parts(&after[..size]).iter().all(is_name);
                Some(&after[size + 1..]).filter(|_| is_inside)?.strip_prefix(&["{"])?
            }
            ["}", after @ ..] if is_inside => {
                is_inside = false;
                after
            }
            ["const", name, "=", value, ";", after @ ..] if is_free(name) => {
                is_value(value).then_some(after)?
            }
            ["return", value, ";", after @ ..] if is_inside && is_value(value) => after,
            ["throw", "new", kind, "(", text, ")", ";", after @ ..] if is_free(kind) => {
                found.push(Some(text.to_string()).filter(|text| is_text(text))?);
                after
            }
            [name, "(", after @ ..] if is_free(name) => {
                let size = after.iter().position(|token| *token == ")")?;
                let is_one = |part: &&[&str]| matches!(part, [value] if is_value(value));
                let are_right = size == 0 || comma_parts(&after[..size]).iter().all(is_one);
                Some(&after[size + 1..]).filter(|_| are_right)?.strip_prefix(&[";"])?
            }
            _ => return None,
        };
    }
    (!is_inside).then_some(found)
}

/// The things of the list that some tokens are. The last one may have a comma after it.
fn listed<'a, 't>(all: &'a [&'t str]) -> Option<Vec<&'a [&'t str]>> {
    let ["[", inner @ .., "]"] = all else { return None };
    let mut depth = 0;
    let parts = inner.split(|token| {
        depth += i32::from(*token == "[") - i32::from(*token == "]");
        depth == 0 && *token == ","
    });
    let mut parts: Vec<&[&str]> = parts.collect();
    if parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
}

/// Whether some tokens are a value of a setting: a text, a number, true or false, or a list.
fn is_setting(value: &[&str]) -> bool {
    match value {
        [one] => is_text(one) || number(one).is_some() || ["true", "false"].contains(one),
        _ => listed(value).is_some_and(|parts| parts.iter().all(|part| is_setting(part))),
    }
}

/// How many keys the rows of each layer of a keyboard have.
fn layers(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut found, mut keys, mut header) = (Vec::new(), Vec::new(), String::new());
    for statement in toml_statements(input)? {
        let all = tokens(&statement, "_-")?;
        match &all[..] {
            [] => {}
            ["[", "[", name, "]", "]"] | ["[", name, "]"] if is_name(name) => {
                header = all.concat();
                keys.clear();
            }
            [key, "=", value @ ..] if is_name(key) && is_setting(value) => {
                if header == "[[layer]]" && *key == "rows" {
                    let rows = listed(value)?.into_iter().map(|row| {
                        let row = listed(row)?;
                        let are_texts = row.iter().all(|key| key.len() == 1 && is_text(key[0]));
                        are_texts.then_some(row.len())
                    });
                    found.push(rows.collect::<Option<Vec<usize>>>()?);
                }
                keys.push(key.to_string());
                (!has_twins(&keys)).then_some(())?;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "thirty-eighth: css: header: a rule with the position fixed or sticky",
        grammar: "@css",
        input: concat!(
            "/* position: fixed */\n.fixed, #sticky { position: relative; top: 4px; }\n",
            "header {\n  background-attachment: fixed;\n  color: red;\n  position: sticky;\n",
            "  table-layout: fixed;\n}\nnav a { content: \"position: fixed\"; margin: 0 12px; }\n",
            ".menu { position: absolute; background-position: sticky; }\nfooter { }\n"
        ),
        valid: |input| positions(input).is_some(),
        fails: |input| {
            let all = positions(input).unwrap_or_default();
            all.iter().any(|position| ["fixed", "sticky"].contains(&&position[..]))
        },
        draw: |dice| {
            let mut parts = extras(dice, &["/* position: fixed */"]);
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "top: 4px;",
                    "table-layout: fixed;",
                    "background-attachment: fixed;",
                    "content: \"position: fixed\";",
                    "color: red;",
                    "position-area: sticky;",
                ];
                let mut pairs = extras(dice, &others);
                if chance(dice, 70) {
                    let position = match chance(dice, 34) {
                        true => one(dice, &["fixed", "sticky"]),
                        false => one(dice, &["relative", "absolute", "static", "inherit"]),
                    };
                    pairs.push(format!("position: {position};"));
                }
                let pairs = shuffled(dice, pairs).join(one(dice, &[" ", "\n  "]));
                let known = [".fixed, #sticky", "header", "nav a", ".menu", "footer"];
                parts.push(format!("{} {{ {pairs} }}", one(dice, &known)));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: xml: article: details and blockquotes in each other, five deep or ",
            "more"
        ),
        grammar: "@xml",
        input: concat!(
            "<article class=\"details\">\n  <h2>blockquote</h2>\n  <!-- details -->\n",
            "  <details><summary>Owls</summary><blockquote/></details>\n",
            "  <blockquote>\n    <p>Once</p>\n    <details open=\"yes\"><div><blockquote><hr/>\n",
            "      <details><summary>More</summary><div><details/></div><p>details</p></details>\n",
            "    </blockquote></div></details>\n  </blockquote>\n",
            "  <div><div><div><div><div><p>End</p></div></div></div></div></div>\n</article>\n"
        ),
        valid: |input| quote_depth(input).is_some(),
        fails: |input| quote_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let leaves = [
                "<p>details</p>",
                "<hr/>",
                "<div><blockquote/></div>",
                "<details><summary>Owls</summary></details>",
            ];
            let mut part = one(dice, &["<p>Once</p>", "<hr/>", "<details/>"]).to_owned();
            for _ in 0..3 + dice.below(5) {
                let mut inner = extras(dice, &leaves);
                inner.truncate(2);
                inner.push(part);
                let inner = shuffled(dice, inner).join(one(dice, &["", "", "\n    "]));
                let kind = one(dice, &["details", "details", "blockquote", "blockquote", "div"]);
                let pair = one(dice, &["", "", " class=\"details\""]);
                part = format!("<{kind}{pair}>{inner}</{kind}>");
            }
            let others = [
                "<h2>blockquote</h2>",
                "<!-- details -->",
                "<details><summary>Owls</summary><blockquote/></details>",
                "<div><div><div><div><div><p>End</p></div></div></div></div></div>",
            ];
            let mut parts = extras(dice, &others);
            parts.push(part);
            let pair = one(dice, &["", " class=\"details\""]);
            format!("<article{pair}>\n  {}\n</article>\n", shuffled(dice, parts).join("\n  "))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: javascript: errors: a thrown error whose text has a character that is ",
            "not ASCII"
        ),
        grammar: "@javascript",
        input: concat!(
            "// throw new Error(\"Größe\");\nconst city = \"Malmö\";\nfunction open(key, city) {\n",
            "  log(\"Tür\", 4);\n  throw new Error(\"no key\");\n}\nfunction shut() {\n",
            "  warn(city, \"é\");\n  throw new RangeError(\"Door 4 in Malmö\"); // déjà\n}\n",
            "open(\"\", city);\nthrow new TypeError(\"\");\n"
        ),
        valid: |input| thrown(input).is_some(),
        fails: |input| thrown(input).is_some_and(|all| all.iter().any(|text| !text.is_ascii())),
        draw: |dice| {
            let others = [
                "// throw new Error(\"Größe\");",
                "const city = \"Malmö\";",
                "log(\"Tür\", 4);",
                "warn(city, \"é\"); // déjà",
                "open(\"\", city);",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let text = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("Door 4 in {}", foreign(dice)),
                    2 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    3..6 => one(dice, &["no key", "", "Door 4"]).to_owned(),
                    count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                };
                let kind = one(dice, &["Error", "RangeError", "TypeError"]);
                let error = format!("throw new {kind}(\"{text}\");");
                parts.push(match chance(dice, 50) {
                    true => {
                        let mut inner = extras(dice, &["log(\"Tür\", 4);", "const no = 4;"]);
                        inner.push(error);
                        let head = one(dice, &["open(key, city)", "shut()"]);
                        format!("function {head} {{\n  {}\n}}", inner.join("\n  "))
                    }
                    false => error,
                });
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: toml: keyboard: a layer whose rows do not all have the same number ",
            "of keys"
        ),
        grammar: "@toml",
        input: concat!(
            "# rows = [[\"a\"], [\"b\", \"c\"]]\nname = \"[[a], [b, c]]\"\nrows = [[\"a\"], [\"b\", \"c\"]]\n\n",
            "[leds]\nrows = [[1, 2], [3]]\n\n[[layer]]\nname = \"base\"\nrows = [[\"q\", \"w\"], [\"a\", \"s\"]]\n\n",
            "[[layer]]\nrows = [\n  [\"1\", \"2\", \"up\"],\n  [\"4\", \"5\"], # \"6\"\n",
            "  [\"7\", \"[\", \"down\"],\n]\nhold = [\"a\", 120]\n\n[[layer]]\nrows = [[\"esc\"]]\n"
        ),
        valid: |input| layers(input).is_some(),
        fails: |input| layers(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = ["# rows = [[\"a\"], [\"b\", \"c\"]]\n", "name = \"[[a], [b, c]]\"\n"];
            let mut start = extras(dice, &others);
            start.extend(extras(dice, &["rows = [[\"a\"], [\"b\", \"c\"]]\n"]));
            let mut tables = extras(dice, &["[leds]\nrows = [[1, 2], [3]]\n"]);
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    let keys = joined(dice, length, ", ", |dice| {
                        format!("\"{}\"", one(dice, &["q", "w", "1", "up", "[", "esc", "#", ","]))
                    });
                    rows.push(format!("[{keys}]"));
                }
                let rows = match chance(dice, 50) {
                    true => format!("[{}]", rows.join(", ")),
                    false => format!("[\n  {},\n]", rows.join(",\n  ")),
                };
                let others = ["name = \"base\"\n", "hold = [\"a\", 120]\n", "# rows = [[]]\n"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("rows = {rows}\n"));
                tables.push(format!("[[layer]]\n{}", shuffled(dice, pairs).concat()));
            }
            let tables = shuffled(dice, tables).join(one(dice, &["", "\n"]));
            format!("{}{tables}", shuffled(dice, start).concat())
        },
        patterns: &[],
    },
];
