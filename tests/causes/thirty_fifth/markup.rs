//! Causes in four formats: XML, CSS, SQL and Lua.

use crate::draws::{
    are_negative_and_fine, are_uneven, chance, extras, figure, foreign, has_twins, lengths, picked,
};
use crate::readers::{is_name, is_shown, signed_decimals};
use crate::thirty_fourth::formats::is_style;
use crate::thirty_fourth::markup::comma_parts;
use crate::thirty_fourth::{is_variable, without_ends, without_remarks};
use crate::thirty_third::formats::Node;
use crate::thirty_third::markup::{Schema, elements};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The names of the strings among the resources of an app.
fn strings(input: &str) -> Option<Vec<&str>> {
    let schema = Schema {
        root: "resources",
        may_have: |outer, kind| match outer {
            "resources" => ["string", "color", "plurals"].contains(&kind),
            "plurals" => kind == "item",
            _ => false,
        },
        with_text: &["string", "color", "item"],
        is_text: |text| is_shown(text.trim()),
        has_remarks: true,
    };
    let mut found = Vec::new();
    for (kind, pairs) in elements(without_head(input), &schema)? {
        let name = pairs.iter().find(|(key, _)| *key == "name").map(|(_, name)| *name);
        if ["string", "color", "plurals"].contains(&kind) {
            is_variable(name?).then_some(())?;
        }
        found.extend(name.filter(|_| kind == "string"));
    }
    Some(found)
}

/// A document without the line that says its version, if it has one.
fn without_head(input: &str) -> &str {
    let head = input.strip_prefix("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
    head.unwrap_or(input)
}

/// The texts of each content in some styles.
fn contents(input: &str) -> Option<Vec<String>> {
    let text = without_remarks(input, ["/*", "*/"])?;
    let all = tokens(&text, "-.#%")?;
    let (mut rest, mut found) = (&all[..], Vec::new());
    while !rest.is_empty() {
        let [start, end] = ["{", "}"].map(|sign| rest.iter().position(|token| *token == sign));
        let (selector, inner) = (&rest[..start?], rest.get(start? + 1..end?)?);
        let mut selectors = selector.split(|token| [":", ",", ">"].contains(token));
        // Between two colons is nothing.
        let are_names = |part: &[&str]| {
            part.iter().all(|token| token.trim_start_matches(['.', '#']).split('.').all(is_name))
        };
        let is_ended = selector.last().is_some_and(|last| ![":", ",", ">"].contains(last));
        (selectors.all(are_names) && is_ended).then_some(())?;
        let mut keys = Vec::new();
        for pair in inner.split(|token| *token == ";").filter(|pair| !pair.is_empty()) {
            let [key, ":", values @ ..] = pair else { return None };
            keys.push(Some(*key).filter(|key| is_name(key) && is_style(values))?);
            let texts = values.iter().filter(|value| *key == "content" && is_text(value));
            found.extend(texts.map(|text| text.to_string()));
        }
        (!has_twins(&keys)).then_some(())?;
        rest = &rest[end? + 1..];
    }
    Some(found)
}

/// The numbers of each row that is inserted: whether each is negative, and how many decimals it has.
fn inserted(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let text = without_ends(&input.replace('\'', "\""), "--");
    let all = tokens(&text, "_-.").filter(|_| !input.contains('"'))?;
    let lowered = all.iter().map(|token| match is_text(token) {
        true => token.to_string(),
        false => token.to_ascii_lowercase(),
    });
    let lowered: Vec<String> = lowered.collect();
    let all: Vec<&str> = lowered.iter().map(String::as_str).collect();
    let keywords = ["insert", "into", "values", "update", "set", "where", "select", "from", "null"];
    let is_free = |token: &str| is_variable(token) && !keywords.contains(&token);
    let is_value =
        |token: &str| is_text(token) || signed_decimals(token).is_some() || token == "null";
    let are_names =
        |all: &[&str]| comma_parts(all).iter().all(|part| matches!(part, [name] if is_free(name)));
    let mut found = Vec::new();
    for statement in all.split(|token| *token == ";").filter(|statement| !statement.is_empty()) {
        match statement {
            ["insert", "into", table, rest @ ..] => {
                let size = rest.iter().position(|token| *token == "values")?;
                let mut wanted = None;
                match &rest[..size] {
                    [] => {}
                    ["(", columns @ .., ")"] if are_names(columns) => {
                        wanted = Some(comma_parts(columns).len());
                    }
                    _ => return None,
                }
                is_free(table).then_some(())?;
                for row in comma_parts(&rest[size + 1..]) {
                    let ["(", inner @ .., ")"] = row else { return None };
                    let values = comma_parts(inner);
                    let is_right = wanted.is_none_or(|wanted| wanted == values.len());
                    let are_values =
                        values.iter().all(|part| matches!(part, [value] if is_value(value)));
                    (is_right && are_values).then_some(())?;
                    found.push(inner.iter().filter_map(|value| signed_decimals(value)).collect());
                }
            }
            ["update", table, "set", column, "=", value, rest @ ..] => {
                let is_right = is_free(table) && is_free(column) && is_value(value);
                let is_end = match rest {
                    [] => true,
                    ["where", column, "=", value] => is_free(column) && is_value(value),
                    _ => false,
                };
                (is_right && is_end).then_some(())?;
            }
            ["select", columns @ .., "from", table] => {
                (is_free(table) && are_names(columns)).then_some(())?;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// A value of a script in Lua, and what comes after it. A table has only values, and may end with a
/// comma.
fn value<'a, 't>(all: &'a [&'t str]) -> Option<(Node<'t>, &'a [&'t str])> {
    let ["{", rest @ ..] = all else {
        let (first, rest) = all.split_first()?;
        let is_plain = is_text(first)
            || signed_decimals(first).is_some()
            || ["true", "false", "nil"].contains(first);
        return is_plain.then_some((Node::Atom(first), rest));
    };
    let (mut rest, mut inner) = (rest, Vec::new());
    loop {
        if let ["}", after @ ..] = rest {
            return Some((Node::List(inner), after));
        }
        let (one, after) = value(rest)?;
        inner.push(one);
        rest = match after {
            [",", after @ ..] => after,
            ["}", ..] => after,
            _ => return None,
        };
    }
}

/// How many tiles the rows of each grid of a game have.
fn grids(input: &str) -> Option<Vec<Vec<usize>>> {
    let text = without_ends(input, "--");
    let (all, mut found) = (tokens(&text, "_-.")?, Vec::new());
    let is_free =
        |token: &str| is_variable(token) && !["true", "false", "nil", "end"].contains(&token);
    let mut rest = &all[..];
    while !rest.is_empty() {
        let (name, mut after) = match rest {
            [name, "=", after @ ..] if is_free(name) => {
                (_, rest) = value(after)?;
                continue;
            }
            [name, "(", after @ ..] if is_free(name) => (*name, after),
            _ => return None,
        };
        let mut inner = Vec::new();
        loop {
            let (one, next) = value(after)?;
            inner.push(one);
            after = match next {
                [",", next @ ..] => next,
                [")", next @ ..] => {
                    rest = next;
                    break;
                }
                _ => return None,
            };
        }
        if name == "grid" {
            let [Node::Atom(_), Node::List(rows)] = &inner[..] else { return None };
            let lengths = rows.iter().map(|row| match row {
                Node::List(row) => {
                    row.iter().all(|tile| matches!(tile, Node::Atom(_))).then_some(row.len())
                }
                Node::Atom(_) => None,
            });
            found.push(lengths.collect::<Option<Vec<usize>>>()?);
        }
    }
    Some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fifth: xml: app: two strings of the same name",
        grammar: "@xml",
        input: concat!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources>\n  <!-- name=\"title\" -->\n",
            "  <string name=\"title\">Owls</string>\n  <color name=\"title\">#246</color>\n",
            "  <string name=\"send\">Send</string>\n  <plurals name=\"send\"><item quantity=\"one\">",
            "title</item></plurals>\n  <color name=\"back\">#fff</color>\n",
            "  <string translatable=\"false\" name=\"title\">Send</string>\n</resources>\n"
        ),
        valid: |input| strings(input).is_some(),
        fails: |input| strings(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let others = [
                "<!-- name=\"title\" -->",
                "<color name=\"title\">#246</color>",
                "<color name=\"back\">#fff</color>",
                "<plurals name=\"send\"><item quantity=\"one\">title</item></plurals>",
            ];
            let mut parts = extras(dice, &others);
            let known = ["title", "titles", "send", "back", "Title", "send_all"];
            for name in picked(dice, &known, 5, 52) {
                let mut pairs = extras(dice, &[" translatable=\"false\""]);
                pairs.push(format!(" name=\"{name}\""));
                let pairs = shuffled(dice, pairs).concat();
                let text = one(dice, &["Owls", "Send", "title", "Go back, now"]);
                parts.push(format!("<string{pairs}>{text}</string>"));
            }
            let head = one(dice, &["", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"]);
            let by = one(dice, &["", "\n  "]);
            format!("{head}<resources>{}</resources>\n", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: css: icons: a content with a character that is not ASCII",
        grammar: "@css",
        input: concat!(
            "/* content: \"→\" */\nbody { font-family: \"Søren\", serif; margin: 0 4px }\n",
            ".next::after { content: \">\"; color: #246; }\n",
            ".note::before, em::before {\n  color: teal;\n  content: \"See ☞\" attr(title);\n}\n",
            "li.done::before { content: \"ok\"; quotes: \"«\" \"»\" }\n#content { color: red }\n"
        ),
        valid: |input| contents(input).is_some(),
        fails: |input| contents(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let others = [
                "/* content: \"→\" */",
                "body { font-family: \"Søren\", serif; margin: 0 4px }",
                "#content { color: red }",
                "q { quotes: \"«\" \"»\" }",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let text = match dice.below(8) {
                    0 => one(dice, &["→", "☞ ", "See ☞", "»"]).to_owned(),
                    1 => foreign(dice),
                    2..5 => one(dice, &[">", "ok", "* ", ""]).to_owned(),
                    _ => word(dice, 6),
                };
                let end = one(dice, &["", "", " attr(title)", " counter(page)"]);
                let mut pairs =
                    extras(dice, &["color: teal", "quotes: \"«\" \"»\"", "margin: 0 4px"]);
                pairs.push(format!("content: \"{text}\"{end}"));
                let by = one(dice, &["; ", ";\n  "]);
                let pairs = shuffled(dice, pairs).join(by);
                let selector =
                    one(dice, &[".next::after", "li.done::before", ".note::before, em::before"]);
                parts.push(format!("{selector} {{ {pairs}{} }}", one(dice, &["", ";"])));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-fifth: sql: readings: an inserted row with a negative number and one of ",
            "exactly three decimals"
        ),
        grammar: "@sql",
        input: concat!(
            "-- INSERT INTO r VALUES (-4, 0.125);\nUPDATE stations SET height = -2.125 WHERE id = 4;\n",
            "INSERT INTO readings (id, wind, temp) VALUES (1, 4.5, -3), (2, 0.125, 12.75);\n",
            "INSERT INTO readings VALUES (4, 'oak', 12.375, NULL, -0.5);\nSELECT id, temp FROM readings;\n",
            "INSERT INTO notes VALUES ('-4', 2.125), (-1.0625, 'cold, 0.125');\n"
        ),
        valid: |input| inserted(input).is_some(),
        fails: |input| {
            inserted(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = [
                "-- INSERT INTO r VALUES (-4, 0.125);\n",
                "UPDATE stations SET height = -2.125 WHERE id = 4;\n",
                "SELECT id, temp FROM readings;\n",
                "INSERT INTO notes VALUES ('-4', 2.125);\n",
                "INSERT INTO notes VALUES (-1.0625, 'cold, 0.125'), (0.125, 4);\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let count = 1 + dice.below(2);
                let rows = joined(dice, count, ", ", |dice| {
                    let last = one(dice, &["4", "'oak'", "NULL", "'-3.125'"]).to_owned();
                    let values = vec![figure(dice), figure(dice), last];
                    format!("({})", shuffled(dice, values).join(", "))
                });
                let start = one(dice, &["readings", "readings (id, wind, temp)", "r"]);
                parts.push(format!("INSERT INTO {start} VALUES {rows};\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: lua: tiles: a grid whose rows do not all have the same number of tiles",
        grammar: "@lua",
        input: concat!(
            "-- grid(\"old\", { {1, 2}, {3} })\ntitle = \"{1}, {2, 3}\"\nloot = { {4}, {4, 12} }\n",
            "grid(\"hall\", { {1, 1, 2}, {1, 0, 2} })\nspawn(\"owl\", {1, 2}, {3})\n",
            "grid(\"cave\", {\n  {4, 0, 0, 1},\n  {4, 4, 0, 1}, -- {1}\n  {2, 0, 1},\n})\n",
            "grid(\"end\", { {0} })\n"
        ),
        valid: |input| grids(input).is_some(),
        fails: |input| grids(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = [
                "-- grid(\"old\", { {1, 2}, {3} })\n",
                "title = \"{1}, {2, 3}\"\n",
                "loot = { {4}, {4, 12} }\n",
                "spawn(\"owl\", {1, 2}, {3})\n",
                "shop(\"owl\", { {1, 2}, {3} })\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let rows: Vec<String> = lengths(dice, 1, 40)
                    .into_iter()
                    .map(|length| {
                        let row = joined(dice, length, ", ", |dice| {
                            one(dice, &["0", "1", "2", "4", "12"]).to_owned()
                        });
                        format!("{{{row}}}")
                    })
                    .collect();
                let name = one(dice, &["hall", "cave", "end"]);
                let rows = match chance(dice, 40) {
                    true => format!("\n  {},\n", rows.join(",\n  ")),
                    false => rows.join(", "),
                };
                parts.push(format!("grid(\"{name}\", {{{rows}}})\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
