//! Causes in four formats with a grammar: tables of a database, styles, a script, and footprints of parts.

use super::{is_identifier, lexed, named, quoted};
use crate::draws::{chance, extras, foreign, has_twins, picked, steps};
use crate::readers::are_in_order;
use crate::two_sided::{TwoSided, any, one, shuffled};

/// The parts of some tokens between the commas that are in no brackets; nothing if the brackets do not fit.
fn parts<'a, 't>(all: &'a [&'t str]) -> Option<Vec<&'a [&'t str]>> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, token) in all.iter().enumerate() {
        match *token {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            "," if depth == 0 => {
                found.push(&all[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&all[start..]);
    (depth == 0 && found.iter().all(|part| !part.is_empty())).then_some(found)
}

/// The columns of each table that some statements make.
fn columns(input: &str) -> Option<Vec<Vec<&str>>> {
    let (all, mut found) = (lexed(input, "--", '\'')?, Vec::new());
    for statement in all.split(|token| *token == ";").filter(|statement| !statement.is_empty()) {
        let words: Vec<String> = statement.iter().map(|word| word.to_ascii_uppercase()).collect();
        let [first, second] = [0, 1].map(|at| words.get(at).map_or("", |word| word.as_str()));
        match (first, second) {
            ("CREATE", "TABLE") => {
                let [_, _, name, "(", inner @ .., ")"] = statement else { return None };
                let mut names = Vec::new();
                for part in parts(inner).filter(|_| is_identifier(name))? {
                    let first = part[0].to_ascii_uppercase();
                    if ["PRIMARY", "UNIQUE", "FOREIGN", "CHECK"].contains(&&first[..]) {
                        continue;
                    }
                    let is_column = part.len() > 1 && part[..2].iter().all(|it| is_identifier(it));
                    names.push(Some(part[0]).filter(|_| is_column)?);
                }
                found.push(names);
            }
            ("INSERT", "INTO") | ("CREATE", "INDEX") => parts(statement).map(|_| ())?,
            _ => return None,
        }
    }
    Some(found)
}

/// The selectors of some styles, without remarks and without texts in quotes.
fn selectors(input: &str) -> Vec<String> {
    let (mut rest, mut part, mut found) = (input, String::new(), Vec::new());
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '/' if rest.starts_with('*') => {
                rest = rest.split_once("*/").map_or("", |(_, after)| after);
            }
            '"' => rest = quoted(rest).map_or("", |(_, after)| after),
            '{' => found.push(std::mem::take(&mut part)),
            '}' | ';' => part.clear(),
            _ => part.push(c),
        }
    }
    found.retain(|part| !part.trim_start().starts_with('@'));
    found
}

/// Whether a class in a selector has a character that is not ASCII.
fn has_foreign_class(selector: &str) -> bool {
    selector.split('.').skip(1).any(|rest| {
        let is_inside = |c: char| c.is_alphanumeric() || "-_".contains(c) || !c.is_ascii();
        let size = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        !rest[..size].is_ascii()
    })
}

/// The functions that a script calls by their names alone, in the order of the text.
fn calls(input: &str) -> Vec<&str> {
    let all = lexed(input, "--", '"').unwrap_or_default();
    let called = all.windows(2).enumerate().filter(|(at, pair)| {
        let before = if *at == 0 { "" } else { all[at - 1] };
        is_identifier(pair[0]) && pair[1] == "(" && !["function", ":"].contains(&before)
    });
    called.map(|(_, pair)| pair[0]).collect()
}

/// A node of a tree: an atom, or a list.
enum Node<'t> {
    Atom(&'t str),
    List(Vec<Node<'t>>),
}

/// The lists of a text.
fn nodes(input: &str) -> Option<Vec<Node<'_>>> {
    let (mut rest, mut open) = (input.trim_start(), vec![Vec::new()]);
    while let Some(first) = rest.chars().next() {
        let size = match first {
            '(' => {
                open.push(Vec::new());
                1
            }
            ')' => {
                let list = Node::List(open.pop()?);
                open.last_mut()?.push(list);
                1
            }
            '"' => {
                let (text, _) = quoted(&rest[1..])?;
                open.last_mut()?.push(Node::Atom(text));
                text.len() + 2
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || "()\"".contains(c);
                let size = rest.find(is_end).unwrap_or(rest.len());
                open.last_mut()?.push(Node::Atom(&rest[..size]));
                size
            }
        };
        rest = rest[size..].trim_start();
    }
    open.pop().filter(|_| open.is_empty())
}

/// The shapes of the pads in a node.
fn pads<'t>(node: &Node<'t>, found: &mut Vec<&'t str>) -> Option<()> {
    let Node::List(all) = node else { return Some(()) };
    if let [Node::Atom("pad"), rest @ ..] = &all[..] {
        let [Node::Atom(_), Node::Atom(kind), Node::Atom(shape), ..] = rest else { return None };
        ["smd", "thru_hole", "np_thru_hole", "connect"].contains(kind).then_some(())?;
        found.push(Some(*shape).filter(|shape| is_identifier(shape))?);
    }
    all.iter().try_for_each(|inner| pads(inner, found))
}

/// The shapes of the pads of some footprints.
fn shapes(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for node in &nodes(input)? {
        let Node::List(all) = node else { return None };
        matches!(all[..], [Node::Atom("footprint"), Node::Atom(_), ..]).then_some(())?;
        pads(node, &mut found)?;
    }
    Some(found)
}

/// The causes.
pub const PROGRAMS: &[TwoSided] = &[
    TwoSided {
        name: "forty-seventh: sql: schema: a CREATE TABLE with two columns of the same name",
        grammar: "@sql",
        input: concat!(
            "-- Schema of the library, version 12.\nCREATE TABLE members (\n  id INTEGER PRIMARY KEY,\n",
            "  name TEXT NOT NULL,\n  email VARCHAR(120),\n  joined DATE\n);\n\n",
            "CREATE TABLE books (\n  id INTEGER PRIMARY KEY,\n  title TEXT NOT NULL,\n  author TEXT,\n",
            "  shelf VARCHAR(8),\n  pages INTEGER DEFAULT 0,\n  author TEXT NOT NULL\n);\n\n",
            "CREATE TABLE loans (\n  member INTEGER NOT NULL,\n  book INTEGER NOT NULL,\n  due DATE,\n",
            "  PRIMARY KEY (member, book)\n);\n\nINSERT INTO members VALUES (1, 'Ines', 'ines@mail.example', NULL);\n",
            "INSERT INTO books VALUES (7, 'Tides', 'Tides', 'B4', 312, 'Okafor');\n"
        ),
        valid: |input| columns(input).is_some(),
        fails: |input| columns(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let others = [
                "-- id, id\n",
                "INSERT INTO members VALUES (1, 'Ines', 'Ines', NULL);\n",
                "INSERT INTO books (id, title) VALUES (7, 'id');\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let own = named(dice, &["country", "phone"]);
                let known = ["id", "name", "title", "email", "author", "due", "id2", "names", &own];
                let names = picked(dice, &known, 6, 30);
                let mut lines = Vec::new();
                for name in &names {
                    let kind = one(dice, &["INTEGER", "TEXT", "VARCHAR(8)", "DATE"]);
                    let end = one(dice, &["", "", " NOT NULL", " DEFAULT 0", " DEFAULT NULL"]);
                    lines.push(format!("{name} {kind}{end}"));
                }
                if chance(dice, 25) {
                    lines.push(format!("PRIMARY KEY ({})", names[0]));
                }
                let table = named(dice, &["members", "books", "loans", "name"]);
                let (start, by) = [("", ", "), ("\n  ", ",\n  ")][dice.below(2)];
                let end = if start.is_empty() { "" } else { "\n" };
                let lines = lines.join(by);
                parts.push(format!("CREATE TABLE {table} ({start}{lines}{end});\n"));
            }
            shuffled(dice, parts).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: css: classes: a class selector with a character that is not ASCII",
        grammar: "@css",
        input: concat!(
            "/* Theme of the café, März 2024 */\nbody { margin: 0; font-family: \"Söhne\", sans-serif; }\n",
            "h1 { color: #333; padding: 4px 8px; }\n#menü { width: 100%; }\n.price { float: right; color: red; }\n",
            ".menu .item { border: 1px solid #ccc; }\n.menu .item-getränk { background: #eef; margin: 2px; }\n",
            ".note { content: \"– für Zoë –\"; }\n.note a { color: blue; text-decoration: none; }\n",
            "/* .größe { width: 4px } */\n.footer { font-size: 12px; }\n"
        ),
        valid: any,
        fails: |input| selectors(input).iter().any(|selector| has_foreign_class(selector)),
        draw: |dice| {
            let others = [
                "/* .größe { width: 4px } */\n",
                "#menü { width: 100%; }\n",
                "body { font-family: \"Söhne\", sans-serif; }\n",
                ".note { content: \"– .für { –\"; }\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..2 + dice.below(4) {
                let class = match chance(dice, 17) {
                    true => format!("{}{}", one(dice, &["", "", "item-", "x"]), foreign(dice)),
                    false => named(dice, &["menu", "item", "item-cafe", "price", "footer"]),
                };
                let (before, after) = (
                    one(dice, &["", "", ".menu ", "h1 ", "div", "#menü "]),
                    one(dice, &["", "", "", " a", " .item"]),
                );
                let others = [
                    "color: red",
                    "margin: 0 4px",
                    "content: \"é\"",
                    "width: 100%",
                    "background: #eef",
                ];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("padding: {}px", dice.below(20)));
                let pairs = pairs.join("; ");
                parts.push(format!("{before}.{class}{after} {{ {pairs}; }}\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: lua: tasks: a script that calls lock, then wait, and then unlock",
        grammar: "@lua",
        input: concat!(
            "-- Night task: lock(), wait(), unlock()\nlocal name = \"lock\"\nlocal tries = 3\n",
            "log(\"start of \" .. name)\n\nfunction unlock_all(list)\n  log(\"unlock\")\n  return list\nend\n\n",
            "open(\"inbox\")\nlock(\"inbox\")\nlocal mails = read(\"inbox\", 20)\n",
            "if tries > 0 then\n  wait(5)\n  log(\"waited\")\nend\nstore(mails)\nunlock(\"inbox\")\n",
            "send(\"report\")\nclose(\"inbox\")\nlog(\"wait for the next\")\n"
        ),
        valid: any,
        fails: |input| are_in_order(&calls(input), &["lock", "wait", "unlock"]),
        draw: |dice| {
            let others = [
                "-- lock(), wait(), unlock()\n",
                "local name = \"lock\"\n",
                "log(\"wait\")\n",
                "local tries = 3\n",
                "function unlock_all(list)\n  return list\nend\n",
            ];
            let mut lines = extras(dice, &others);
            let known = ["log", "open", "read", "close", "send", "wait_all", "lock", "unlock"];
            let mut names = steps(dice, ["lock", "wait", "unlock"], &known);
            if chance(dice, 12) && names.len() > 1 {
                names.remove(dice.below(names.len()));
            }
            for name in names {
                let value = match name {
                    "wait" => one(dice, &["5", "1", ""]),
                    _ => one(dice, &["\"inbox\"", "\"mail\", 2", "name"]),
                };
                let call = format!("{name}({value})");
                lines.push(match dice.below(8) {
                    0 => format!("local done = {call}\n"),
                    1 => format!("if tries > 0 then\n  {call}\nend\n"),
                    _ => format!("{call}\n"),
                });
            }
            lines.concat() + one(dice, &["", "", "log(\"unlock\")\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: sexp: footprints: a pad whose shape is oval, trapezoid or custom",
        grammar: "@sexp",
        input: concat!(
            "(footprint \"Header_1x04\"\n  (version 20240108)\n  (layer F.Cu)\n  (descr \"Header, oval pads\")\n",
            "  (fp_text reference REF (at 0 4) (layer F.SilkS))\n  (fp_text value custom (at 0 6) (layer F.Fab))\n",
            "  (fp_line (start 0 0) (end 8 0) (width 2))\n  (fp_line (start 8 0) (end 8 4) (width 2))\n",
            "  (pad 1 thru_hole rect (at 0 0) (size 2 2) (drill 1) (layers F.Cu B.Cu))\n",
            "  (pad 2 thru_hole circle (at 3 0) (size 2 2) (drill 1) (layers F.Cu B.Cu))\n",
            "  (pad 3 thru_hole oval (at 5 0) (size 2 3) (drill 1) (layers F.Cu B.Cu))\n",
            "  (pad 4 smd roundrect (at 8 0) (size 2 2) (layers F.Cu))\n  (model \"Header.wrl\" (scale 1 1 1))\n)\n"
        ),
        valid: |input| shapes(input).is_some(),
        fails: |input| {
            let all = shapes(input).unwrap_or_default();
            all.iter().any(|shape| ["oval", "trapezoid", "custom"].contains(shape))
        },
        draw: |dice| {
            let others = [
                "(layer F.Cu)",
                "(version 20240108)",
                "(descr \"Header, oval pads\")",
                "(fp_text value custom (at 0 6) (layer F.Fab))",
                "(fp_line (start 0 0) (end 8 0) (width 2))",
                "(attr oval)",
            ];
            let mut parts = extras(dice, &others);
            for number in 1..2 + dice.below(6) {
                let kind = one(dice, &["smd", "thru_hole", "np_thru_hole", "connect"]);
                let shape = match chance(dice, 17) {
                    true => one(dice, &["oval", "trapezoid", "custom"]),
                    false => one(dice, &["rect", "circle", "roundrect", "chamfered_rect"]),
                };
                let [x, y] = [dice.below(20), dice.below(9)];
                let end = one(dice, &["", " (drill 1)", " (drill oval 1 2)", " (layers F.Cu)"]);
                parts.push(format!("(pad {number} {kind} {shape} (at {x} {y}) (size 2 2){end})"));
            }
            let name = named(dice, &["Header_1x04", "R_0805", "oval"]);
            let by = one(dice, &["\n  ", " "]);
            let parts = shuffled(dice, parts).join(by);
            format!("(footprint \"{name}\"{by}{parts})\n")
        },
        patterns: &[],
    },
];
