//! Causes in texts without a grammar: a schema and translations.

use seedsmith_grammar::Random;

use super::{is_label, tokens, unquoted, without_remarks};
use crate::draws::{chance, extras, foreign, has_twins, picked, statements};
use crate::readers::number;
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// What comes after a type of a schema.
fn after_type<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let rest = match all {
        ["[", inner @ ..] => after_type(inner)?.strip_prefix(&["]"])?,
        [name, rest @ ..] if is_label(name) => rest,
        _ => return None,
    };
    Some(rest.strip_prefix(&["!"]).unwrap_or(rest))
}

/// The names of the fields of a type, or of the arguments of a field. Fields may have arguments, and
/// arguments values.
fn field_names<'t>(all: &[&'t str]) -> Option<Vec<&'t str>> {
    let (mut rest, mut found) = (all, Vec::new());
    while let Some((name, mut after)) = rest.split_first() {
        if name.starts_with('"') {
            rest = after;
            continue;
        }
        if after.first() == Some(&"(") {
            let size = after.iter().position(|token| *token == ")")?;
            field_names(&after[1..size]).filter(|names| !names.is_empty())?;
            after = &after[size + 1..];
        }
        found.push(Some(*name).filter(|name| is_label(name))?);
        rest = after_type(after.strip_prefix(&[":"])?)?;
        if let ["=", value, after @ ..] = rest {
            rest = Some(after).filter(|_| is_label(value) || number(value).is_some())?;
        }
    }
    Some(found)
}

/// The names of the fields of each type of a schema.
fn type_fields(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_remarks(input, "#");
    let all: Vec<&str> = tokens(&text, "_", '"')?.into_iter().filter(|one| *one != ",").collect();
    let (mut rest, mut found) = (&all[..], Vec::new());
    while let Some((kind, after)) = rest.split_first() {
        if kind.starts_with('"') {
            rest = after;
            continue;
        }
        let (name, after) = after.split_first().filter(|(name, _)| is_label(name))?;
        if *kind == "scalar" {
            rest = after;
            continue;
        }
        let inner = after.strip_prefix(&["{"]).filter(|_| !name.is_empty())?;
        let size = inner.iter().position(|token| *token == "}").filter(|size| *size > 0)?;
        match *kind {
            "enum" => inner[..size].iter().all(|name| is_label(name)).then_some(())?,
            "type" => {
                let names = field_names(&inner[..size])?;
                found.push(names.into_iter().map(str::to_owned).collect());
            }
            kind => {
                ["input", "interface"].contains(&kind).then(|| field_names(&inner[..size]))??;
            }
        }
        rest = &inner[size + 1..];
    }
    Some(found)
}

/// A schema with some types.
fn draw_schema(dice: &mut Random) -> String {
    let others = [
        "scalar Date",
        "enum Color { RED GREEN RED }",
        "# type A { id: ID id: ID }",
        "input Filter { name: String, name: String }",
        "\"name name\"\ninterface Node { id: ID! }",
    ];
    let mut parts = extras(dice, &others);
    for _ in 0..1 + dice.below(3) {
        let mut fields = picked(dice, &["id", "name", "email", "name2", "posts", "Name"], 5, 28);
        for field in &mut fields {
            let arguments = one(dice, &["", "", "", "(first: Int = 4)", "(id: ID!, name: String)"]);
            let kind = one(dice, &["String", "ID!", "[User!]!", "Int", "name"]);
            *field += &format!("{arguments}: {kind}");
        }
        let name = one(dice, &["User", "Post", "Query", "name"]);
        let fields = fields.join(one(dice, &["\n  ", "\n  ", ", "]));
        parts.push(format!("type {name} {{\n  {fields}\n}}"));
    }
    shuffled(dice, parts).join("\n") + "\n"
}

/// The texts to translate.
fn message_ids(input: &str) -> Option<Vec<String>> {
    let (mut found, mut key): (Vec<String>, &str) = (Vec::new(), "msgstr");
    for line in statements(input, "#") {
        let is_more = line.starts_with('"');
        let (word, text) = if is_more { ("", line) } else { line.split_once(' ')? };
        let text = unquoted(text.trim())?;
        match (word, key) {
            ("msgctxt", "msgstr") | ("msgstr", "msgid") => {}
            ("msgid", "msgstr" | "msgctxt") => found.push(text.to_owned()),
            ("", "msgid") => found.last_mut()?.push_str(text),
            ("", _) if !found.is_empty() => {}
            _ => return None,
        }
        key = if is_more { key } else { word };
    }
    (key == "msgstr").then_some(found)
}

/// A line of a text, which often has a character that is not ASCII.
fn phrase(dice: &mut Random, percent: usize) -> String {
    match chance(dice, percent) {
        true => format!("{} {}", one(dice, &["Open", "no", "a"]), foreign(dice)),
        false => format!("{} {}", one(dice, &["Open", "Save", "msgid"]), word(dice, 6)),
    }
}

/// Some texts and their translations.
fn draw_messages(dice: &mut Random) -> String {
    let count = 1 + dice.below(4);
    joined(dice, count, "\n", |dice| {
        let notes = extras(dice, &["# für später\n", "#: src/main.c:40\n", "msgctxt \"menü\"\n"]);
        let text = phrase(dice, 24);
        let more = one(dice, &["", "", "", "\n\" in the menu\\n\""]);
        let other = phrase(dice, 60);
        format!("{}msgid \"{text}\"{more}\nmsgstr \"{other}\"\n", notes.concat())
    })
}

/// The causes.
pub const TEXTS: &[TwoSided] = &[
    TwoSided {
        name: "forty-fourth: plain: schema: a type with two fields of the same name",
        grammar: "",
        input: concat!(
            "scalar Date\n\n# users\ntype User {\n  id: ID!\n  name: String\n  name2(name: String): String\n}\n\n",
            "enum Color { RED GREEN RED }\n\"a post\"\ntype Post {\n  id: ID!\n  title: String\n  date: Date\n",
            "  by(first: Int = 4): [User!]!\n  title(id: ID!): String!\n}\n\ninput Filter { name: String, name: String }\n"
        ),
        valid: |input| type_fields(input).is_some(),
        fails: |input| {
            type_fields(input).is_some_and(|all| all.iter().any(|names| has_twins(names)))
        },
        draw: draw_schema,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: plain: gettext: a msgid with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "# für später\nmsgid \"Open file\"\nmsgstr \"Datei öffnen\"\n\n#: src/main.c:40\nmsgctxt \"menü\"\n",
            "msgid \"Save\"\n\" in the menu\\n\"\nmsgstr \"Sichern\"\n\nmsgid \"Visit the café\"\nmsgstr \"Besuchen\"\n\n",
            "msgid \"Quit\"\nmsgstr \"\"\n"
        ),
        valid: |input| message_ids(input).is_some(),
        fails: |input| {
            message_ids(input).is_some_and(|all| all.iter().any(|text| !text.is_ascii()))
        },
        draw: draw_messages,
        patterns: &[],
    },
];
