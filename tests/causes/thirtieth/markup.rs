//! Causes in four formats: XML, dot, CSS and JavaScript.

use seedsmith_grammar::Random;

use super::tokens;
use crate::draws::{are_uneven, chance, counted, extras, lengths, steps};
use crate::readers::{are_in_order, is_name, is_shown, number};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The attributes of a tag.
fn attributes(text: &str) -> Option<Vec<(&str, &str)>> {
    let (mut rest, mut found) = (text.trim_start(), Vec::new());
    while !rest.is_empty() {
        let (key, after) = rest.split_once('=')?;
        let (value, after) = after.trim_start().strip_prefix('"')?.split_once('"')?;
        let is_new = found.iter().all(|(other, _)| *other != key.trim_end());
        let is_right = is_new && is_name(key.trim_end()) && is_shown(value);
        found.push(Some((key.trim_end(), value)).filter(|_| is_right)?);
        // There is a blank between two attributes.
        (after.is_empty() || after.starts_with(char::is_whitespace)).then_some(())?;
        rest = after.trim_start();
    }
    Some(found)
}

/// The size of each team of a league, and how many players it has.
fn teams(input: &str) -> Option<Vec<(u32, usize)>> {
    let (mut open, mut found, mut is_begun) = (Vec::new(), Vec::new(), false);
    let mut pieces = input.split('<');
    pieces.next()?.trim().is_empty().then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once('>')?;
        if let Some(name) = tag.strip_prefix('/') {
            (open.pop()? == name.trim_end()).then_some(())?;
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let (kind, rest) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
            let pairs = attributes(rest)?;
            let is_right = match (open.last().copied(), kind) {
                (None, "league") => !is_begun,
                (Some("league"), "team") => {
                    let (_, size) = pairs.iter().find(|(key, _)| *key == "size")?;
                    found.push((number(size)?, 0));
                    true
                }
                (Some("league" | "team"), "trainer") => true,
                (Some("team"), "bench") => true,
                (Some("team" | "bench"), "player") => {
                    let is_first = open.last() == Some(&"team");
                    found.last_mut()?.1 += usize::from(is_first);
                    true
                }
                _ => false,
            };
            is_right.then_some(())?;
            is_begun = true;
            if !tag.ends_with('/') {
                open.push(kind);
            }
        }
        let has_text = ["player", "trainer"].contains(open.last().unwrap_or(&""));
        let is_plain = is_shown(text) && !text.contains('&');
        (text.trim().is_empty() || (has_text && is_plain)).then_some(())?;
    }
    (is_begun && open.is_empty()).then_some(found)
}

/// What comes after the attributes of a part of a drawing, if it has some.
fn after_attributes<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let ["[", rest @ ..] = all else { return Some(all) };
    let size = rest.iter().position(|token| *token == "]")?;
    let mut pairs = rest[..size].split(|token| *token == ",");
    let are_right = pairs.all(|pair| match pair {
        [key, "=", value] => is_name(key) && (is_name(value) || value.starts_with('"')),
        _ => false,
    });
    (size == 0 || are_right).then_some(&rest[size + 1..])
}

/// The nodes of each path of a drawing.
fn paths(input: &str) -> Option<Vec<Vec<&str>>> {
    let all = tokens(input, "_")?;
    let ["digraph", name, "{", inner @ .., "}"] = &all[..] else { return None };
    is_name(name).then_some(())?;
    let (mut rest, mut found) = (inner, Vec::new());
    while !rest.is_empty() {
        rest = match rest {
            [key, "=", value, after @ ..] if is_name(key) && is_name(value) => after,
            [first, after @ ..] if is_name(first) => {
                let (mut path, mut after) = (vec![*first], after);
                while let ["->", next, more @ ..] = after {
                    path.push(Some(*next).filter(|next| is_name(next))?);
                    after = more;
                }
                found.push(path);
                after_attributes(after)?
            }
            _ => return None,
        };
        rest = rest.strip_prefix(&[";"])?;
    }
    Some(found)
}

/// The properties that a sheet sets.
fn properties(input: &str) -> Option<Vec<&str>> {
    let (all, mut found) = (tokens(input, "-.#%")?, Vec::new());
    let is_value = |token: &&str| {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || "-.#%".contains(c);
        token.chars().all(is_inside) || token.starts_with('"')
    };
    let mut rest = &all[..];
    while !rest.is_empty() {
        let start = rest.iter().position(|token| *token == "{")?;
        let size = rest[start..].iter().position(|token| *token == "}")?;
        let mut selectors = rest[..start].split(|token| *token == ",");
        let is_selector = |all: &[&str]| {
            !all.is_empty() && all.iter().all(|token| is_value(token) && !token.starts_with('"'))
        };
        selectors.all(is_selector).then_some(())?;
        for pair in rest[start + 1..start + size].split(|token| *token == ";") {
            match pair {
                [] => {}
                [name, ":", value @ ..] if is_name(name) && !value.is_empty() => {
                    value.iter().all(|token| *token == "," || is_value(token)).then_some(())?;
                    found.push(*name);
                }
                _ => return None,
            }
        }
        rest = &rest[start + size + 1..];
    }
    Some(found)
}

/// A value of a script.
enum Thing {
    Text,
    Number,
    List(Vec<Thing>),
}

/// The value at the start of some tokens, and what comes after it.
fn thing<'a, 't>(all: &'a [&'t str]) -> Option<(Thing, &'a [&'t str])> {
    match all {
        [text, rest @ ..] if text.starts_with('"') => Some((Thing::Text, rest)),
        ["-", digits, rest @ ..] | [digits, rest @ ..] if number(digits).is_some() => {
            Some((Thing::Number, rest))
        }
        ["[", rest @ ..] => {
            let (found, rest) = things(rest, "]")?;
            Some((Thing::List(found), rest))
        }
        _ => None,
    }
}

/// Values with commas between them up to a bracket, and what comes after that.
fn things<'a, 't>(all: &'a [&'t str], end: &str) -> Option<(Vec<Thing>, &'a [&'t str])> {
    let (mut rest, mut found) = (all, Vec::new());
    if rest.first().is_some_and(|token| *token == end) {
        return Some((found, &rest[1..]));
    }
    loop {
        let (next, after) = thing(rest)?;
        found.push(next);
        match after {
            [",", more @ ..] => rest = more,
            [token, more @ ..] if *token == end => return Some((found, more)),
            _ => return None,
        }
    }
}

/// How long the rows of each board are that a script adds. It has only constants and calls.
fn boards(input: &str) -> Option<Vec<Vec<usize>>> {
    let (all, mut found) = (tokens(input, "_")?, Vec::new());
    let is_variable = |token: &str| is_name(&token.to_ascii_lowercase()) && token != "const";
    let mut rest = &all[..];
    while !rest.is_empty() {
        let after = match rest {
            ["const", name, "=", value @ ..] if is_variable(name) => thing(value)?.1,
            ["addBoard", "(", values @ ..] => {
                let (values, after) = things(values, ")")?;
                let [Thing::Text, Thing::List(rows)] = &values[..] else { return None };
                let rows = rows.iter().map(|row| match row {
                    Thing::List(row) => {
                        row.iter().all(|one| matches!(one, Thing::Number)).then_some(row.len())
                    }
                    _ => None,
                });
                found.push(rows.collect::<Option<Vec<usize>>>()?);
                after
            }
            [name, "(", values @ ..] if is_variable(name) => things(values, ")")?.1,
            _ => return None,
        };
        rest = after.strip_prefix(&[";"])?;
    }
    Some(found)
}

/// The name of a player.
fn player(dice: &mut Random) -> String {
    let name = one(dice, &["Ida", "Jo", "Max", "size 3", "Lee"]);
    match dice.below(5) {
        0 => "<player/>".to_owned(),
        1 => format!("<player no=\"{}\">{name}</player>", 1 + dice.below(9)),
        _ => format!("<player>{name}</player>"),
    }
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "thirtieth: xml: a team with exactly as many players as its size",
        grammar: "@xml",
        input: concat!(
            "<league season=\"2024\" size=\"4\">\n  <team size=\"4\" name=\"owls\">\n",
            "    <trainer>Ann</trainer>\n    <player no=\"3\">Ida</player>\n    <player>Jo</player>\n",
            "  </team>\n  <team name=\"size 2\" size=\"3\"><player no=\"5\">Max</player><bench>",
            "<player>Lee</player></bench>\n    <player>Kim</player><player no=\"7\"/></team>\n",
            "  <trainer/>\n  <team name=\"jays\" size=\"1\"><player>Una</player>",
            "<player>Bo</player></team>\n</league>\n"
        ),
        valid: |input| teams(input).is_some(),
        fails: |input| {
            teams(input).is_some_and(|all| all.iter().any(|(size, count)| *size as usize == *count))
        },
        draw: |dice| {
            let mut parts = extras(dice, &["<trainer/>", "<trainer>size</trainer>"]);
            for _ in 0..1 + dice.below(3) {
                let count = dice.below(6);
                let mut inner = extras(dice, &["<trainer>Ann</trainer>"]);
                for _ in 0..count {
                    inner.push(player(dice));
                }
                if chance(dice, 30) {
                    let reserve = dice.below(3);
                    let bench = joined(dice, reserve, "", player);
                    inner.push(format!("<bench>{bench}</bench>"));
                }
                let name = one(dice, &["owls", "jays", "size 2"]);
                let size = format!("size=\"{}\"", counted(dice, count, 31));
                let pairs = shuffled(dice, vec![size, format!("name=\"{name}\"")]).join(" ");
                parts.push(format!("<team {pairs}>{}</team>", shuffled(dice, inner).concat()));
            }
            let size = one(dice, &["", " size=\"4\"", " season=\"2024\" size=\"2\""]);
            let by = one(dice, &["", "\n"]);
            format!("<league{size}>{}</league>", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: dot: a path with a pump, then a valve, and then a tank",
        grammar: "@dot",
        input: concat!(
            "digraph plant {\n  rankdir=lr;\n  node [shape=box, label=\"pump\"];\n",
            "  well -> valve -> pump -> tank;\n",
            "  well -> pump -> filter -> valve -> mixer -> tank -> pump [color=blue, style=bold];\n",
            "  tank -> valve -> pump_b;\n  pump -> valve;\n",
            "  valve [label=\"pump -> valve -> tank\"];\n  valve -> drain -> tank [color=red];\n}\n"
        ),
        valid: |input| paths(input).is_some(),
        fails: |input| {
            let all = paths(input).unwrap_or_default();
            all.iter().any(|path| are_in_order(path, &["pump", "valve", "tank"]))
        },
        draw: |dice| {
            let others = [
                "rank=same",
                "valve [label=\"pump -> valve -> tank\"]",
                "node [shape=box]",
                "pump -> valve",
                "well -> valve -> pump -> tank",
                "valve -> tank",
                "tank",
            ];
            let mut parts = extras(dice, &others);
            let others = ["well", "mixer", "filter", "pump_b", "drain", "tank", "pump"];
            let path = steps(dice, ["pump", "valve", "tank"], &others).join(" -> ");
            let end = one(dice, &["", "", " [color=blue]", " [color=red, style=bold]"]);
            parts.push(format!("{path}{end}"));
            let by = one(dice, &["; ", ";\n  "]);
            format!("digraph plant {{ {}; }}", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: css: a float, a zoom or a clip",
        grammar: "@css",
        input: concat!(
            "body { margin: 0 auto; font-size: 14px; }\n.float, #zoom { color: #333; width: 40%; }\n",
            "nav a { clear: both; content: \"float: left\"; }\n",
            "img.zoom { transition: zoom 2s, clip 1s; clip-path: none; }\n",
            "aside { width: 12em; float: left; border: none; }\n.clip { overflow: clip; }\n"
        ),
        valid: |input| properties(input).is_some(),
        fails: |input| {
            let all = properties(input).unwrap_or_default();
            all.iter().any(|name| ["float", "zoom", "clip"].contains(name))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let others = [
                    "color: #333;",
                    "margin: 0 auto;",
                    "transition: zoom 2s, clip 1s;",
                    "content: \"float: left\";",
                    "overflow: clip;",
                ];
                let mut pairs = extras(dice, &others);
                let name = match chance(dice, 31) {
                    true => one(dice, &["float", "zoom", "clip"]),
                    false => one(dice, &["clip-path", "clear", "width", "floats", "flo", "top"]),
                };
                let value = one(dice, &["left", "none", "2", "40%", "clip"]);
                pairs.push(format!("{name}: {value};"));
                let selector = one(dice, &["nav a", ".float, #zoom", "aside", ".clip", "body"]);
                format!("{selector} {{ {} }}", shuffled(dice, pairs).join(" "))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirtieth: javascript: a board whose rows are not all equally long",
        grammar: "@javascript",
        input: concat!(
            "const speed = 40;\nconst colors = [[1, 2], [3], []];\nsetTitle(\"Boards [1], [2, 3]\");\n",
            "addPath([[3, 4], [5], [6, 7]]);\naddBoard(\"cross\", [[0, 1, 0], [1, -1, 1], [0, 1, 0]]);\n",
            "addBoard(\"stairs\", [[1, 0, 0], [1, 1, 0], [1, 1], [1, 1, 1]]);\n",
            "addBoard(\"dot\", [[1]]);\nstart(2, \"dot\");\naddBoard(\"none\", []);\n"
        ),
        valid: |input| boards(input).is_some(),
        fails: |input| boards(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = [
                "const speed = 40;",
                "addPath([[3, 4], [5], [6, 7]]);",
                "setTitle(\"Boards [1], [2, 3]\");",
                "const colors = [[1, 2], [3], []];",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 42) {
                    let number = |dice: &mut Random| format!("{}", dice.below(4) as i32 - 1);
                    rows.push(format!("[{}]", joined(dice, length, ", ", number)));
                }
                let name = one(dice, &["cross", "stairs", "dot", "[1, 2]"]);
                parts.push(format!("addBoard(\"{name}\", [{}]);", rows.join(", ")));
            }
            let by = one(dice, &[" ", "\n"]);
            shuffled(dice, parts).join(by)
        },
        patterns: &[],
    },
];
