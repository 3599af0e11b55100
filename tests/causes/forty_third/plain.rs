//! Causes in four formats without a grammar: schemas, translations, compose files and Markdown.

use super::{bare_lines, is_identifier, tokens, without_comment};
use crate::draws::{chance, extras, foreign, has_twins, picked, statements};
use crate::readers::{is_name, is_shown};
use crate::two_sided::{TwoSided, one, shuffled, word};

/// What comes after the type at the start of some tokens.
fn after_type<'a, 't>(rest: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let after = match rest {
        ["[", inner @ ..] => after_type(inner)?.strip_prefix(&["]"])?,
        [name, after @ ..] if is_identifier(name) => after,
        _ => return None,
    };
    Some(after.strip_prefix(&["!"]).unwrap_or(after))
}

/// The names of some fields, which may have arguments.
fn field_names(mut rest: &[&str]) -> Option<Vec<String>> {
    let mut found = Vec::new();
    while let [name, after @ ..] = rest {
        found.push(Some(*name).filter(|name| is_identifier(name))?.to_owned());
        let after = match after {
            ["(", inner @ ..] => {
                let size = inner.iter().position(|token| *token == ")")?;
                field_names(&inner[..size])?;
                &inner[size + 1..]
            }
            _ => after,
        };
        rest = after_type(after.strip_prefix(&[":"])?)?;
    }
    (!found.is_empty()).then_some(found)
}

/// The names of the fields of each type of a schema. Commas say nothing.
fn types(input: &str) -> Option<Vec<Vec<String>>> {
    let text = bare_lines(input, "#").collect::<Vec<&str>>().join("\n");
    let all: Vec<&str> = tokens(&text, "_")?.into_iter().filter(|token| *token != ",").collect();
    let (mut found, mut rest) = (Vec::new(), &all[..]);
    while let [kind, name, after @ ..] = rest {
        is_identifier(name).then_some(())?;
        if *kind == "scalar" {
            rest = after;
            continue;
        }
        let inner = after.strip_prefix(&["{"])?;
        let size = inner.iter().position(|token| *token == "}")?;
        match *kind {
            "type" => found.push(field_names(&inner[..size])?),
            "enum" => inner[..size].iter().all(|one| is_identifier(one)).then_some(())?,
            _ => return None,
        }
        rest = &inner[size + 1..];
    }
    rest.is_empty().then_some(found)
}

/// What is in the quotes of a text, which may say that a line ends.
fn in_quotes(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let is_plain = !inner.contains('"') && !inner.replace("\\n", "").contains('\\');
    is_plain.then_some(inner)
}

/// The messages that a file translates.
fn messages(input: &str) -> Option<Vec<String>> {
    let (mut found, mut last): (Vec<String>, &str) = (Vec::new(), "");
    for line in statements(input, "#") {
        let is_more = line.starts_with('"');
        let (keyword, text) = if is_more { ("", line) } else { line.split_once(' ')? };
        let text = in_quotes(text)?;
        match (last, keyword) {
            ("msgid", "") => found.last_mut()?.push_str(text),
            ("msgstr", "") => {}
            ("" | "msgstr", "msgid") => {
                found.push(text.to_owned());
                last = "msgid";
            }
            ("msgid", "msgstr") => last = "msgstr",
            _ => return None,
        }
    }
    (last != "msgid").then_some(found)
}

/// The services of a compose file: the name of each, and its keys.
fn services(input: &str) -> Option<Vec<(&str, Vec<&str>)>> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let (mut tops, mut most): (Vec<&str>, usize) = (Vec::new(), 0);
    for line in input.lines().map(|line| without_comment(line, "#").trim_ascii_end()) {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if text.is_empty() {
            continue;
        }
        (indent % 2 == 0 && indent <= most && is_shown(text)).then_some(())?;
        if text.starts_with("- ") {
            most = Some(indent).filter(|indent| *indent > 2)?;
            continue;
        }
        let (key, value) = text.split_once(':')?;
        (is_name(key) && (value.is_empty() || value.starts_with(' '))).then_some(())?;
        most = if value.is_empty() { indent + 2 } else { indent };
        match (indent, tops.last()) {
            (0, _) => tops.push(Some(key).filter(|key| !tops.contains(key))?),
            (2, Some(&"services")) => {
                let is_new = found.iter().all(|(other, _)| *other != key);
                (is_new && value.is_empty()).then(|| found.push((key, Vec::new())))?;
            }
            (4, Some(&"services")) => {
                let keys = &mut found.last_mut()?.1;
                keys.push(Some(key).filter(|key| !keys.contains(key))?);
            }
            _ => {}
        }
    }
    tops.contains(&"services").then_some(found)
}

/// In how many quotes and items of lists the text of a line is.
fn nesting(line: &str) -> usize {
    let (mut count, mut rest) = (0, line.trim_start_matches(' '));
    while let Some(after) = rest.strip_prefix('>').or(rest.strip_prefix("- ")) {
        rest = after.trim_start_matches(' ');
        count += 1;
    }
    if rest.contains(char::is_alphanumeric) { count } else { 0 }
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "forty-third: plain: graphql: a type with two fields of the same name",
        grammar: "",
        input: concat!(
            "# type Bird { name: Int name: Int }\nscalar Date\n\nenum Kind { OWL WREN OWL }\n\ntype Bird {\n",
            "  id: ID!\n  name(lang: String, short: Bool): String!\n  eggs: [Egg!]!\n}\n\ntype Egg {\n",
            "  laid: Date\n  size: Int!\n  bird: Bird # the mother\n  size: Float\n  Bird: ID\n}\n\n",
            "type Query { bird(id: ID!): Bird, birds(kind: Kind, kinds: [Kind]): [Bird] }\n"
        ),
        valid: |input| types(input).is_some(),
        fails: |input| types(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let others =
                ["scalar Date", "enum Kind { OWL WREN OWL }", "# type A { a: Int a: Int }"];
            let mut parts = extras(dice, &others);
            for name in picked(dice, &["Bird", "Egg", "Query", "Nest"], 3, 0) {
                let mut fields =
                    picked(dice, &["id", "name", "eggs", "size", "Size", "ids"], 5, 32);
                for field in &mut fields {
                    let inner = one(dice, &["", "", "", "(id: ID!)", "(size: Int, name: ID)"]);
                    let kind = one(dice, &["ID!", "String", "[Egg!]!", "Date", "[Int]"]);
                    *field += &format!("{inner}: {kind}");
                }
                parts.push(match chance(dice, 70) {
                    true => format!("type {name} {{\n  {}\n}}", fields.join("\n  ")),
                    false => format!("type {name} {{ {} }}", fields.join(", ")),
                });
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: plain: po: a msgid with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "# Übersetzung: Jörg\nmsgid \"\"\nmsgstr \"Language: de\\n\"\n\n#: menu.c:40\nmsgid \"Open\"\n",
            "msgstr \"Öffnen\"\n\nmsgid \"Loading\"\n\" the café menu\\n\"\nmsgstr \"\"\n\"Karte wird geladen\\n\"\n\n",
            "#, fuzzy\nmsgid \"Close\"\nmsgstr \"Schließen\"\n\nmsgid \"msgstr\"\nmsgstr \"msgid\"\n"
        ),
        valid: |input| messages(input).is_some(),
        fails: |input| messages(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let mut text = one(dice, &["", "# Übersetzung: Jörg\n"]).to_owned();
            for _ in 0..1 + dice.below(4) {
                text += one(dice, &["", "", "#: menu.c:40\n", "#, fuzzy\n", "# früher: Öffnen\n"]);
                let (known, other) = (word(dice, 7), foreign(dice));
                text += &match dice.below(14) {
                    0 => format!("msgid \"{other}\"\n"),
                    1 => format!("msgid \"{known} {other}\"\n"),
                    2 => format!("msgid \"{known}\"\n\"{other}\\n\"\n"),
                    3 | 4 => format!("msgid \"{known} \"\n\"menu\\n\"\n"),
                    5 => "msgid \"\"\n".to_owned(),
                    _ => format!("msgid \"{known}\"\n"),
                };
                let (known, other) = (word(dice, 7), foreign(dice));
                text += &match dice.below(4) {
                    0 => format!("msgstr \"{known}\"\n"),
                    1 => format!("msgstr \"\"\n\"{other} {known}\\n\"\n"),
                    _ => format!("msgstr \"{other}\"\n"),
                };
                text += one(dice, &["", "\n"]);
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: plain: compose: a service without an image",
        grammar: "",
        input: concat!(
            "# image: none\nversion: \"3.8\"\n\nservices:\n  web:\n    image: nginx:1.25\n    ports:\n",
            "      - \"80:80\"\n    depends-on:\n      - api\n  api:\n    build: ./api\n    labels:\n",
            "      image: api\n    restart: always\n  db:\n    environment:\n      user: owl\n",
            "    image: postgres # 16\n\nvolumes:\n  data:\n    driver: local\n"
        ),
        valid: |input| services(input).is_some(),
        fails: |input| {
            let all = services(input).unwrap_or_default();
            all.iter().any(|(_, keys)| !keys.contains(&"image"))
        },
        draw: |dice| {
            let mut list = String::new();
            for name in picked(dice, &["web", "api", "db", "image", "cache"], 4, 0) {
                let others = [
                    "    ports:\n      - \"80:80\"\n",
                    "    build: ./api\n",
                    "    labels:\n      image: api\n",
                    "    restart: always\n",
                    "    # image: old\n",
                    "    depends-on:\n      - image\n",
                ];
                let mut parts = extras(dice, &others);
                if chance(dice, 76) {
                    let image = one(dice, &["nginx:1.25", "postgres # 16", "owl/api"]);
                    parts.push(format!("    image: {image}\n"));
                }
                list += &format!("  {name}:\n{}", shuffled(dice, parts).concat());
            }
            let others = [
                "version: \"3.8\"\n",
                "volumes:\n  data:\n    driver: local\n",
                "networks:\n  image:\n    driver: bridge\n",
            ];
            let mut parts = extras(dice, &others);
            parts.push(format!("services:\n{list}"));
            shuffled(dice, parts).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-third: plain: markdown: text in quotes and items of lists in each other, five deep ",
            "or more"
        ),
        grammar: "",
        input: concat!(
            "# Minutes > of - the > club - 4\n\n- Ada: 4 > 3\n- Bo\n\n> Who - feeds > the - owls?\n\n",
            "> - > see below\n> - > - > ask Bo - or > Ada\n\n- > - - > nests are *dry*\n\n---\n\n",
            "> > > the end\n"
        ),
        valid: |input| input.lines().all(|line| !line.contains(char::is_control)),
        fails: |input| input.lines().any(|line| nesting(line) >= 5),
        draw: |dice| {
            let texts =
                ["see below", "ask Bo - or > Ada", "*dry* > - > - wood", "4 > 3", "the end"];
            let mut lines = Vec::new();
            for _ in 0..2 + dice.below(5) {
                let mut line = String::new();
                for _ in 0..[0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 6][dice.below(12)] {
                    line += one(dice, &["> ", "- "]);
                }
                lines.push(line + one(dice, &texts));
            }
            let others = ["# Minutes > of - the > club - 4", "---", ""];
            for other in extras(dice, &others) {
                lines.insert(dice.below(lines.len() + 1), other);
            }
            lines.join("\n") + "\n"
        },
        patterns: &[],
    },
];
