//! Causes in three little languages: missions of a probe, styles of a page, and levels of a game.

use seedsmith_grammar::Random;

use super::{is_label, tokens, without_remarks};
use crate::draws::{are_uneven, chance, extras, has_twins, lengths, picked, steps};
use crate::readers::{are_in_order, is_name, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// An atom of a mission, or a list of these.
enum Node<'t> {
    Atom(&'t str),
    List(Vec<Node<'t>>),
}

/// The nodes at the start of some tokens, and the tokens after them.
fn nodes<'a, 't>(all: &'a [&'t str]) -> Option<(Vec<Node<'t>>, &'a [&'t str])> {
    let (mut rest, mut found) = (all, Vec::new());
    loop {
        match rest {
            [] | [")", ..] => return Some((found, rest)),
            ["(", inner @ ..] => {
                let (inner, after) = nodes(inner)?;
                found.push(Node::List(inner));
                rest = after.strip_prefix(&[")"])?;
            }
            [atom, after @ ..] => {
                let is_atom =
                    is_name(atom) || atom.starts_with('"') || signed_decimals(atom).is_some();
                found.push(Some(Node::Atom(atom)).filter(|_| is_atom)?);
                rest = after;
            }
        }
    }
}

/// The names of the steps of each mission.
fn missions(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_remarks(input, ";");
    let all = tokens(&text, "-_.", '"')?;
    let (forms, rest) = nodes(&all)?;
    rest.is_empty().then_some(())?;
    let mut found = Vec::new();
    for form in &forms {
        let Node::List(parts) = form else { return None };
        let [Node::Atom(kind), Node::Atom(_), inner @ ..] = &parts[..] else { return None };
        if *kind != "mission" {
            ["camera", "note"].contains(kind).then_some(())?;
            continue;
        }
        let name = |step: &Node| match step {
            Node::List(parts) => match parts.first()? {
                Node::Atom(name) if is_name(name) => Some(name.to_string()),
                _ => None,
            },
            Node::Atom(_) => None,
        };
        found.push(inner.iter().map(name).collect::<Option<Vec<String>>>()?);
    }
    Some(found)
}

/// A step of a mission with what it needs.
fn draw_step(dice: &mut Random, name: &str) -> String {
    let after = match name {
        "turn" => format!(" {}", one(dice, &["90", "-45", "12.5"])),
        "fire" => one(dice, &["", " 2", " (after 3)"]).to_owned(),
        "wait" => one(dice, &[" 4", " (until (fire))"]).to_owned(),
        "note" => " \"load turn fire\"".to_owned(),
        _ => one(dice, &[" film", " \"b w\"", ""]).to_owned(),
    };
    format!("({name}{after})")
}

/// Some missions of a probe.
fn draw_missions(dice: &mut Random) -> String {
    let others = ["(camera wide (load 1) (turn 2) (fire))", "; load turn fire", "(note \"fire\")"];
    let mut parts = extras(dice, &others);
    for _ in 0..1 + dice.below(2) {
        let others = ["wait", "note", "scan", "load", "turn", "fire"];
        let mut names = steps(dice, ["load", "turn", "fire"], &others);
        if chance(dice, 50) && names.len() > 1 {
            names.remove(dice.below(names.len()));
        }
        let written: Vec<String> = names.iter().map(|name| draw_step(dice, name)).collect();
        let title = one(dice, &["dawn", "\"turn\"", "north-2", "load"]);
        let steps = written.join(one(dice, &[" ", "\n  "]));
        parts.push(format!("(mission {title} {steps})"));
    }
    shuffled(dice, parts).join("\n") + "\n"
}

/// Whether some tokens are a value of a style.
fn is_style(values: &[&str]) -> bool {
    let is_part = |one: &&str| {
        let inside = one.trim_start_matches('#');
        one.starts_with('"')
            || inside.chars().all(|c| c.is_ascii_alphanumeric() || "-.%".contains(c))
    };
    let items = values.split(|one| *one == ",");
    items.into_iter().all(|item| !item.is_empty() && item.iter().all(is_part))
}

/// The families of each font-family in some styles.
fn families(input: &str) -> Option<Vec<Vec<String>>> {
    let parts: Vec<&str> = input.split("/*").collect();
    let kept = parts[1..].iter().map(|part| part.split_once("*/").map(|(_, after)| after));
    let text = parts[0].to_owned() + " " + &kept.collect::<Option<Vec<&str>>>()?.join(" ");
    let (all, mut found) = (tokens(&text, "-_.#%", '"')?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        let size = rest.iter().position(|token| *token == "{")?;
        let selectors = &rest[..size];
        let is_selector = |one: &&str| is_name(one.trim_start_matches(['.', '#']));
        let are_right = selectors
            .split(|one| *one == ",")
            .all(|all| !all.is_empty() && all.iter().all(is_selector));
        let size =
            rest.iter().position(|token| *token == "}").filter(|end| *end > size && are_right)?;
        let inner = &rest[selectors.len() + 1..size];
        for pair in inner.split(|token| *token == ";").filter(|pair| !pair.is_empty()) {
            let [key, ":", values @ ..] = pair else { return None };
            (is_name(key) && is_style(values)).then_some(())?;
            if *key == "font-family" {
                let items = values.split(|one| *one == ",");
                found.push(items.map(|item| item.join(" ")).collect());
            }
        }
        rest = &rest[size + 1..];
    }
    Some(found)
}

/// Some styles with fonts.
fn draw_styles(dice: &mut Random) -> String {
    let others = [
        "/* font-family: arial, arial; */",
        "p { transition: top 1s, top 1s }",
        ".serif, .serif { color: #333; }",
        "h2 { content: \"arial, arial\"; }",
    ];
    let mut parts = extras(dice, &others);
    for _ in 0..1 + dice.below(3) {
        let known = ["arial", "helvetica", "\"Open Sans\"", "serif", "sans-serif", "arial black"];
        let fonts = picked(dice, &known, 5, 28).join(one(dice, &[", ", ", ", ","]));
        let mut pairs = extras(dice, &["color: red", "margin: 0 4px 0 4px", "font-size: 12px"]);
        pairs.push(format!("font-family: {fonts}"));
        let pairs = shuffled(dice, pairs).join(one(dice, &["; ", ";\n  "]));
        let name = one(dice, &["body", ".note", "#top h1", "p, li"]);
        parts.push(format!("{name} {{ {pairs}{} }}", one(dice, &["", ";"])));
    }
    shuffled(dice, parts).join("\n") + "\n"
}

/// A value of Lua: a plain one, or the items of a table with their keys.
enum Lua<'t> {
    Plain,
    Table(Vec<(Option<&'t str>, Lua<'t>)>),
}

/// The value at the start of some tokens, and the tokens after it.
fn lua_value<'a, 't>(all: &'a [&'t str]) -> Option<(Lua<'t>, &'a [&'t str])> {
    let Some(mut rest) = all.strip_prefix(&["{"]) else {
        let (first, after) = all.split_first()?;
        let is_plain = first.starts_with('"')
            || signed_decimals(first).is_some()
            || ["true", "false", "nil"].contains(first);
        return is_plain.then_some((Lua::Plain, after));
    };
    let mut items = Vec::new();
    while rest.first() != Some(&"}") {
        let (key, start) = match rest {
            [key, "=", after @ ..] if is_label(key) => (Some(*key), after),
            _ => (None, rest),
        };
        let (value, after) = lua_value(start)?;
        items.push((key, value));
        let is_last = after.first() == Some(&"}");
        rest = if is_last { after } else { after.strip_prefix(&[","])? };
    }
    Some((Lua::Table(items), &rest[1..]))
}

/// How many items the rows of each `tiles` in a value have.
fn tiles(value: &Lua, found: &mut Vec<Vec<usize>>) -> Option<()> {
    let Lua::Table(items) = value else { return Some(()) };
    for (key, inner) in items {
        if *key != Some("tiles") {
            tiles(inner, found)?;
            continue;
        }
        let Lua::Table(rows) = inner else { return None };
        let length = |row: &(Option<&str>, Lua)| match row {
            (None, Lua::Table(cells)) => Some(cells.len()),
            _ => None,
        };
        found.push(rows.iter().map(length).collect::<Option<Vec<usize>>>()?);
    }
    Some(())
}

/// How many tiles the rows of each level of a game have.
fn levels(input: &str) -> Option<Vec<Vec<usize>>> {
    let text = without_remarks(input, "--");
    let all = tokens(&text, "_.-", '"')?;
    let (mut rest, mut found) = (&all[..], Vec::new());
    while !rest.is_empty() {
        let [name, "=", value @ ..] = rest.strip_prefix(&["local"]).unwrap_or(rest) else {
            return None;
        };
        let (value, after) = lua_value(value).filter(|_| is_label(name))?;
        tiles(&value, &mut found)?;
        rest = after;
    }
    Some(found)
}

/// Some levels of a game.
fn draw_levels(dice: &mut Random) -> String {
    let start = extras(
        dice,
        &["local size = 3\n", "-- tiles = {{1}, {1, 2}}\n", "doors = {{1, 2}, {3}}\n"],
    );
    let count = 1 + dice.below(3);
    let levels = joined(dice, count, ",\n  ", |dice| {
        let by = one(dice, &[", ", ",\n    "]);
        let rows: Vec<String> = lengths(dice, 1, 38)
            .into_iter()
            .map(|length| joined(dice, length, ", ", |dice| dice.below(4).to_string()))
            .collect();
        let rows: Vec<String> = rows.into_iter().map(|row| format!("{{{row}}}")).collect();
        let others = ["exits = {{1}, {2, 3}}", "name = \"tiles\"", "par = 12", "dark = true"];
        let mut pairs = extras(dice, &others);
        pairs.push(format!("tiles = {{{}}}", rows.join(by)));
        format!("{{{}}}", shuffled(dice, pairs).join(", "))
    });
    format!("{}levels = {{\n  {levels}\n}}\n", start.concat())
}

/// The causes.
pub const CODE: &[TwoSided] = &[
    TwoSided {
        name: "forty-fourth: sexp: probe: a mission with a load, then a turn, and then a fire",
        grammar: "@sexp",
        input: concat!(
            "; load turn fire\n(camera wide (load 1) (turn 2) (fire))\n(mission dawn\n  (fire 2)\n  (load film)\n",
            "  (wait (until (fire)))\n  (turn -45)\n  (note \"turn load\"))\n(mission north-2\n  (scan)\n  (load \"b w\")\n",
            "  (wait 4)\n  (turn 90)\n  (turn 12.5)\n  (scan)\n  (fire 2))\n(mission \"turn\" (fire) (turn 90))\n"
        ),
        valid: |input| missions(input).is_some(),
        fails: |input| {
            let all = missions(input).unwrap_or_default();
            all.iter().any(|names| {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                are_in_order(&names, &["load", "turn", "fire"])
            })
        },
        draw: draw_missions,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: css: fonts: a font-family that lists the same family twice",
        grammar: "@css",
        input: concat!(
            "/* font-family: arial, arial; */\nbody {\n  font-family: arial, helvetica, sans-serif;\n",
            "  margin: 0 4px 0 4px;\n}\np, li { transition: top 1s, top 1s }\n",
            "#top h1 {\n  color: red;\n  font-family: \"Open Sans\", arial, serif, \"Open Sans\", sans-serif;\n}\n",
            "h2 { content: \"serif, serif\"; font-family: arial black, arial; }\n"
        ),
        valid: |input| families(input).is_some(),
        fails: |input| families(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: draw_styles,
        patterns: &[],
    },
    TwoSided {
        name: "forty-fourth: lua: game: a level with tiles whose rows do not all have the same length",
        grammar: "@lua",
        input: concat!(
            "-- the levels\nlocal size = 3\ndoors = {{1, 2}, {3}}\nlevels = {\n",
            "  {name = \"cave\", tiles = {{1, 0, 1}, {2, 2, 0}}, exits = {{1}, {2, 3}}},\n",
            "  {tiles = {{0, 0, 3, 1},\n    {1, 2, 0},\n    {1, 1, 1, 0}}, name = \"tiles\", par = 12},\n",
            "  {dark = true, tiles = {{3}}}\n}\n"
        ),
        valid: |input| levels(input).is_some(),
        fails: |input| levels(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: draw_levels,
        patterns: &[],
    },
];
