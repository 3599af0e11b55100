//! Causes in four formats: XML, DOT, Lua and JavaScript.

use seedsmith_grammar::Random;

use super::{is_text, tokens};
use crate::draws::{chance, extras, foreign, has_twins, picked};
use crate::readers::{is_digits, is_free, is_name, is_shown, number};
use crate::two_sided::{TwoSided, one, shuffled, word};

/// The attributes of a tag, each after a blank.
fn attributes(text: &str) -> Option<Vec<(&str, &str)>> {
    let (mut rest, mut found) = (text, Vec::new());
    while !rest.trim_end().is_empty() {
        let (key, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        let name = key.trim_start();
        let is_right = name.len() < key.len() && is_name(name) && !value.contains(['&', '\n']);
        let is_new = found.iter().all(|(other, _)| *other != name);
        found.push(Some((name, value)).filter(|_| is_right && is_new)?);
        rest = after;
    }
    Some(found)
}

/// The elements and texts that a document of XML may have.
pub struct Schema {
    /// The element that all others are in.
    pub root: &'static str,
    /// Whether an element may be in another one, whose kind comes first.
    pub may_have: fn(&str, &str) -> bool,
    /// The elements that may have a text.
    pub with_text: &'static [&'static str],
    /// Whether a text may be in them, besides its marks.
    pub is_text: fn(&str) -> bool,
    /// Whether there may be remarks.
    pub has_remarks: bool,
}

/// An element: its kind, and its attributes.
type Element<'t> = (&'t str, Vec<(&'t str, &'t str)>);

/// The elements of a document, in order.
pub fn elements<'t>(input: &'t str, schema: &Schema) -> Option<Vec<Element<'t>>> {
    let (mut open, mut found): (Vec<&str>, Vec<Element<'_>>) = Default::default();
    let mut pieces = input.split('<');
    pieces.next()?.trim().is_empty().then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once('>')?;
        let remark = tag.strip_prefix("!--").and_then(|rest| rest.strip_suffix("--"));
        if let Some(remark) = remark.filter(|_| schema.has_remarks) {
            (!remark.contains("--")).then_some(())?;
        } else if let Some(name) = tag.strip_prefix('/') {
            (open.pop()? == name.trim_end()).then_some(())?;
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let size = inner.find(char::is_whitespace).unwrap_or(inner.len());
            let (kind, rest) = inner.split_at(size);
            let is_right = match open.last() {
                None => kind == schema.root && found.is_empty(),
                Some(outer) => (schema.may_have)(outer, kind),
            };
            found.push((kind, attributes(rest).filter(|_| is_right)?));
            if !tag.ends_with('/') {
                open.push(kind);
            }
        }
        let is_inside = open.last().is_some_and(|kind| schema.with_text.contains(kind));
        let has_text = is_inside && (schema.is_text)(text) && !text.contains(['&', '>']);
        (text.trim().is_empty() || has_text).then_some(())?;
    }
    (!found.is_empty() && open.is_empty()).then_some(found)
}

/// The locks of the doors of a house.
fn locks(input: &str) -> Option<Vec<&str>> {
    let schema = Schema {
        root: "house",
        may_have: |outer, kind| match outer {
            "house" => ["room", "door"].contains(&kind),
            "room" => ["door", "window", "note"].contains(&kind),
            _ => false,
        },
        with_text: &["note"],
        is_text: is_shown,
        has_remarks: false,
    };
    let all = elements(input, &schema)?;
    let doors = all.iter().filter(|(kind, _)| *kind == "door").flat_map(|(_, pairs)| pairs);
    Some(doors.filter(|(key, _)| *key == "lock").map(|(_, lock)| *lock).collect())
}

/// The words that are no names in a graph.
const DOT_KEYWORDS: [&str; 6] = ["digraph", "graph", "node", "edge", "subgraph", "strict"];

/// The labels of the nodes of a graph.
fn node_labels(input: &str) -> Option<Vec<&str>> {
    let all = tokens(input, "_")?;
    let is_id = |token: &str| is_name(token) && !DOT_KEYWORDS.contains(&token);
    let ["digraph", name, "{", inner @ .., "}"] = &all[..] else { return None };
    (is_id(name) && inner.last().is_none_or(|last| *last == ";")).then_some(())?;
    let (mut nodes, mut found) = (Vec::new(), Vec::new());
    for statement in inner.split(|token| *token == ";").filter(|part| !part.is_empty()) {
        if let [key, "=", value] = statement {
            (is_id(key) && (is_text(value) || is_id(value))).then_some(())?;
            continue;
        }
        let size = statement.iter().position(|token| *token == "[").unwrap_or(statement.len());
        let (ids, pairs) = statement.split_at(size);
        let mut label = None;
        if let ["[", pairs @ .., "]"] = pairs {
            let mut keys = Vec::new();
            for pair in pairs.split(|token| *token == ",") {
                let [key, "=", value] = pair else { return None };
                let is_right = if *key == "label" { is_text(value) } else { is_id(value) };
                keys.push(Some(*key).filter(|key| is_right && is_id(key))?);
                label = label.or(Some(*value).filter(|_| *key == "label"));
            }
            (!has_twins(&keys)).then_some(())?;
        } else if !pairs.is_empty() {
            return None;
        }
        match ids {
            ["node" | "edge"] => {}
            [id] if is_id(id) => {
                nodes.push(*id);
                found.extend(label);
            }
            [first, rest @ ..] => {
                let mut steps = rest.chunks(3);
                let are_edges = steps.all(|step| matches!(step, ["-", ">", id] if is_id(id)));
                (is_id(first) && are_edges).then_some(())?;
            }
            [] => return None,
        }
    }
    (!has_twins(&nodes) && !input.contains("- ")).then_some(found)
}

/// The words that are no names in Lua.
const LUA_KEYWORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "while",
];

/// The titles of the rooms of a game.
fn room_titles(input: &str) -> Option<Vec<&str>> {
    let is_variable = |token: &str| is_free(token, &[&LUA_KEYWORDS[..], &["until"]].concat());
    let is_value = |token: &str| is_text(token) || number(token).is_some() || token == "true";
    let (all, mut found) = (tokens(input, "_")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        let (name, open, after) = match rest {
            [name, "=", value, after @ ..] if is_variable(name) && is_value(value) => {
                rest = after;
                continue;
            }
            [name, open @ ("(" | "{"), after @ ..] if is_variable(name) => (*name, *open, after),
            _ => return None,
        };
        let end = if open == "(" { ")" } else { "}" };
        let size = after.iter().position(|token| *token == end)?;
        let mut keys = Vec::new();
        for field in after[..size].split(|token| *token == ",").filter(|_| size > 0) {
            match (open, field) {
                ("(", [value]) if is_value(value) => {}
                ("{", [key, "=", value]) if is_variable(key) && is_value(value) => {
                    if name == "room" && *key == "title" {
                        found.push(Some(*value).filter(|title| is_text(title))?);
                    }
                    keys.push(*key);
                }
                _ => return None,
            }
        }
        (!has_twins(&keys)).then_some(())?;
        rest = &after[size + 1..];
    }
    Some(found)
}

/// How deep repeat and when are in each other in the call at the start of some tokens, and what comes
/// after it.
fn call<'a, 't>(all: &'a [&'t str]) -> Option<(usize, &'a [&'t str])> {
    let [name, "(", rest @ ..] = all else { return None };
    let own = usize::from(["repeat", "when"].contains(name));
    let is_variable = is_name(name) && !name.contains('-') && *name != "const";
    is_variable.then_some(())?;
    let (mut rest, mut deepest) = (rest, 0);
    if let [")", after @ ..] = rest {
        return Some((own, after));
    }
    loop {
        let (depth, after) = match rest {
            [value, after @ ..] if is_text(value) || number(value).is_some() => (0, after),
            _ => call(rest)?,
        };
        deepest = deepest.max(depth);
        match after {
            [",", after @ ..] => rest = after,
            [")", after @ ..] => return Some((own + deepest, after)),
            _ => return None,
        }
    }
}

/// How deep repeat and when are in each other in each statement of a script, which has only constants
/// and calls.
fn call_depths(input: &str) -> Option<Vec<usize>> {
    let (all, mut found) = (tokens(input, "_")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        let after = match rest {
            ["const", name, "=", value, after @ ..] => {
                let is_value = is_text(value) || is_digits(value) && number(value).is_some();
                Some(after).filter(|_| is_value && is_name(name) && *name != "const")?
            }
            _ => {
                let (depth, after) = call(rest)?;
                found.push(depth);
                after
            }
        };
        rest = after.strip_prefix(&[";"])?;
    }
    Some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "thirty-third: xml: a door whose lock is keypad, badge or iris",
        grammar: "@xml",
        input: concat!(
            "<house name=\"iris\">\n  <door id=\"front\" lock=\"key\" spare=\"badge\"/>\n",
            "  <room name=\"hall\"><window lock=\"badge\"/><door lock=\"badges\" id=\"d2\"/></room>\n",
            "  <room>\n    <note lock=\"keypad\">lock=\"iris\"</note>\n",
            "    <door id=\"keypad\"></door>\n    <door wide=\"yes\" lock=\"keypad\" id=\"d4\"/>\n  </room>\n",
            "  <door lock=\"chain\"/>\n</house>\n"
        ),
        valid: |input| locks(input).is_some(),
        fails: |input| {
            let all = locks(input).unwrap_or_default();
            all.iter().any(|lock| ["keypad", "badge", "iris"].contains(lock))
        },
        draw: |dice| {
            let mut parts = extras(dice, &["<room name=\"iris\"><window lock=\"badge\"/></room>"]);
            for _ in 0..1 + dice.below(4) {
                let mut pairs = extras(dice, &[" spare=\"badge\"", " wide=\"yes\""]);
                let id = one(dice, &["front", "d2", "keypad"]);
                pairs.push(format!(" id=\"{id}\""));
                if chance(dice, 85) {
                    let lock = match chance(dice, 28) {
                        true => one(dice, &["keypad", "badge", "iris"]),
                        false => one(dice, &["key", "chain", "badges", "Iris", "pad", "none"]),
                    };
                    pairs.push(format!(" lock=\"{lock}\""));
                }
                let door = format!("<door{}/>", shuffled(dice, pairs).concat());
                let others = ["<window lock=\"badge\"/>", "<note lock=\"keypad\">iris</note>"];
                parts.push(match chance(dice, 50) {
                    true => format!("<room>{}{door}</room>", extras(dice, &others).concat()),
                    false => door,
                });
            }
            let by = one(dice, &["", "\n  "]);
            let name = one(dice, &["", " name=\"iris\"", " lock=\"badge\""]);
            format!("<house{name}>{}</house>\n", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: dot: two nodes with the same label",
        grammar: "@dot",
        input: concat!(
            "digraph garden {\n  label=\"Pond\";\n  node [shape=box];\n  pond [label=\"Pond\"];\n",
            "  shed [label=\"Shed\", color=red];\n  pond -> shed [label=\"path\"];\n",
            "  barn [color=blue, label=\"Shed 2\"];\n  shed -> barn -> well [label=\"path\"];\n",
            "  hut [color=red, label=\"Shed\"];\n  well [shape=oval];\n  pier;\n}\n"
        ),
        valid: |input| node_labels(input).is_some(),
        fails: |input| node_labels(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let others = [
                "label=\"Pond\";",
                "edge [label=\"Shed\"];",
                "pond -> shed [label=\"path\"];",
                "shed -> barn -> well [label=\"path\"];",
                "well [shape=oval];",
            ];
            let mut parts = extras(dice, &others);
            let known = ["Pond", "Shed", "shed", "Shed 2", "Barn", "path"];
            let labels = picked(dice, &known, 4, 52);
            for (name, label) in ["pond", "shed", "barn", "hut", "gate"].iter().zip(labels) {
                let mut pairs = extras(dice, &["color=red", "shape=box", "xlabel=pond"]);
                pairs.push(format!("label=\"{label}\""));
                parts.push(format!("{name} [{}];", shuffled(dice, pairs).join(", ")));
            }
            let by = one(dice, &[" ", "\n  "]);
            format!("digraph garden {{ {} }}\n", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: lua: a room whose title has a character that is not ASCII",
        grammar: "@lua",
        input: concat!(
            "author = \"Zoë\"\nlives = 3\nroom { id = \"hall\", title = \"Great hall\", exits = 2 }\n",
            "item { id = \"key\", title = \"Clé\" }\nroom { title = \"Cellar\", smell = \"brûlé\" }\n",
            "say(\"où?\", 4)\nroom { dark = true, title = \"Château gate\", id = \"gate\" }\n",
            "room { id = \"café\" }\ntitle = \"Schloß\"\nstart(\"hall\")\n"
        ),
        valid: |input| room_titles(input).is_some(),
        fails: |input| room_titles(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let others = [
                "author = \"Zoë\"",
                "title = \"Schloß\"",
                "item { id = \"key\", title = \"Clé\" }",
                "say(\"où?\", 4)",
                "start(\"hall\")",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let mut fields = extras(dice, &["smell = \"brûlé\"", "exits = 2", "dark = true"]);
                let id = one(dice, &["hall", "gate", "café"]);
                fields.push(format!("id = \"{id}\""));
                if chance(dice, 88) {
                    let name = if chance(dice, 30) { foreign(dice) } else { word(dice, 7) };
                    let end = one(dice, &["", "", " gate", " 2"]);
                    fields.push(format!("title = \"{name}{end}\""));
                }
                parts.push(format!("room {{ {} }}", shuffled(dice, fields).join(", ")));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-third: javascript: calls of repeat and when in each other, four deep or more",
        grammar: "@javascript",
        input: concat!(
            "const steps = 4;\nconst plan = \"repeat(when(repeat(when(1))))\";\npen(\"when\", 2);\n",
            "repeat(4, go(10), when(\"wall\", turn(90)));\n",
            "when(\"line\", both(repeat(2, beep(), repeat(3, when(\"bump\", back(5), turn(45)))), stop()));\n",
            "log(\"repeat\", max(max(max(max(1, 2)))));\nwhen(\"dark\", light());\n"
        ),
        valid: |input| call_depths(input).is_some(),
        fails: |input| call_depths(input).is_some_and(|all| all.iter().any(|depth| *depth >= 4)),
        draw: |dice| {
            let leaf = |dice: &mut Random| {
                one(dice, &["go(10)", "turn(90)", "beep()", "stop()", "say(\"when\")"])
            };
            let others = [
                "const steps = 4;",
                "const plan = \"repeat(when(repeat(when(1))))\";",
                "log(\"repeat\", max(max(max(max(1, 2)))));",
                "when(\"dark\", repeat(2, beep()));",
                "pen(\"when\", 2);",
            ];
            let mut parts = extras(dice, &others);
            let mut text = leaf(dice).to_owned();
            for _ in 0..1 + dice.below(6) {
                let start = match dice.below(7) {
                    0 => "both(",
                    1..4 => one(dice, &["repeat(2, ", "repeat(4, "]),
                    _ => one(dice, &["when(\"wall\", ", "when(\"line\", "]),
                };
                text = match dice.below(4) {
                    0 => format!("{start}{}, {text})", leaf(dice)),
                    1 => format!("{start}{text}, {})", leaf(dice)),
                    _ => format!("{start}{text})"),
                };
            }
            parts.push(text + ";");
            let by = one(dice, &[" ", "\n"]);
            let text = shuffled(dice, parts).join(by);
            if chance(dice, 50) { text + "\n" } else { text }
        },
        patterns: &[],
    },
];
