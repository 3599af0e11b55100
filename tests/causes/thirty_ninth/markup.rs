//! Causes in four formats: XML, SQL, Lua and sexp.

use crate::draws::{
    are_negative_and_fine, chance, counted, extras, figure, foreign, has_twins, picked,
};
use crate::readers::{is_name, is_shown, number, signed_decimals};
use crate::thirty_fourth::markup::{comma_parts, sql_tokens};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::formats::{Node, nodes};
use crate::thirty_third::markup::{Schema, elements};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// Where the origin (xyz) of each joint of a robot is: whether each number is negative, and how many decimals it has.
fn origins(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let schema = Schema {
        root: "robot",
        may_have: |outer, kind| match outer {
            "robot" => ["link", "joint"].contains(&kind),
            "link" => ["visual", "inertial"].contains(&kind),
            "visual" | "inertial" => ["origin", "mass", "box"].contains(&kind),
            "joint" => ["origin", "parent", "child", "axis", "limit"].contains(&kind),
            _ => false,
        },
        with_text: &[],
        is_text: is_shown,
        has_remarks: true,
    };
    let (mut found, mut is_joint) = (Vec::new(), false);
    for (kind, pairs) in elements(input, &schema)? {
        is_joint = if ["link", "joint"].contains(&kind) { kind == "joint" } else { is_joint };
        if kind == "origin" {
            let (_, xyz) = pairs.iter().find(|(key, _)| *key == "xyz")?;
            let numbers: Option<Vec<(bool, usize)>> = xyz.split(' ').map(signed_decimals).collect();
            let numbers = numbers.filter(|numbers| numbers.len() == 3)?;
            if is_joint {
                found.push(numbers);
            }
        }
    }
    Some(found)
}

/// The keywords of SQL that the statements have.
const SQL_KEYWORDS: [&str; 8] =
    ["update", "set", "where", "and", "insert", "into", "values", "null"];

/// The texts that updates set a title to. Keywords may be in capitals.
fn titles(input: &str) -> Option<Vec<String>> {
    let lowered = sql_tokens(input, &SQL_KEYWORDS)?;
    let all: Vec<&str> = lowered.iter().map(String::as_str).collect();
    let is_free = |token: &str| is_variable(token) && !SQL_KEYWORDS.contains(&token);
    let is_value = |token: &str| is_text(token) || number(token).is_some() || token == "null";
    let is_pair =
        |pair: &&[&str]| matches!(pair, [key, "=", value] if is_free(key) && is_value(value));
    let mut found = Vec::new();
    for statement in all.split(|token| *token == ";").filter(|statement| !statement.is_empty()) {
        match statement {
            ["insert", "into", table, "values", "(", inner @ .., ")"] if is_free(table) => {
                let is_one = |part: &&[&str]| matches!(part, [value] if is_value(value));
                comma_parts(inner).iter().all(is_one).then_some(())?;
            }
            ["update", table, "set", rest @ ..] if is_free(table) => {
                let size = rest.iter().position(|token| *token == "where").unwrap_or(rest.len());
                let pairs = comma_parts(&rest[..size]);
                let mut wheres = rest[size..].get(1..).unwrap_or(&[]).split(|one| *one == "and");
                let are_right = pairs.iter().all(is_pair);
                (are_right && (size == rest.len() || wheres.all(|pair| is_pair(&pair))))
                    .then_some(())?;
                let titles = pairs.iter().filter(|pair| pair[0] == "title" && is_text(pair[2]));
                found.extend(titles.map(|pair| pair[2].to_owned()));
            }
            _ => return None,
        }
    }
    Some(found)
}

/// What comes after the value at the start of some tokens: a text, a number or a list.
fn value<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let (first, mut rest) = all.split_first()?;
    if *first != "{" {
        return (is_text(first) || number(first).is_some()).then_some(rest);
    }
    loop {
        rest = match rest {
            ["}", after @ ..] => return Some(after),
            _ => match value(rest)? {
                [",", after @ ..] => after,
                after => after.first().filter(|token| **token == "}").map(|_| after)?,
            },
        };
    }
}

/// How deep seqs and pars are in each other in the step at the start of some tokens, and what comes
/// after it. A loop has other steps in it, too.
fn step<'a, 't>(all: &'a [&'t str]) -> Option<(usize, &'a [&'t str])> {
    let (kind, mut rest) = match all {
        ["say", text, after @ ..] if is_text(text) => return Some((0, after)),
        ["wait", "(", time, ")", after @ ..] => return number(time).map(|_| (0, after)),
        [kind @ ("seq" | "par" | "loop"), "{", after @ ..] => (*kind, after),
        _ => return None,
    };
    let mut deepest = 0;
    while rest.first() != Some(&"}") {
        let (depth, after) = step(rest)?;
        deepest = deepest.max(depth);
        let is_last = after.first() == Some(&"}");
        rest = if is_last { after } else { after.strip_prefix(&[","])? };
    }
    Some((deepest + usize::from(kind != "loop"), &rest[1..]))
}

/// How deep seqs and pars are in each other in each scene of a game.
fn scenes(input: &str) -> Option<Vec<usize>> {
    let text = without_ends(input, "--");
    let (all, mut found) = (tokens(&text, "_")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            [key, "=", after @ ..] if is_variable(key) => value(after)?,
            ["scene", "{", after @ ..] => {
                let (mut inner, mut keys) = (after, Vec::new());
                while inner.first() != Some(&"}") {
                    let [key, "=", after @ ..] = inner else { return None };
                    keys.push(Some(*key).filter(|key| is_variable(key))?);
                    let after = if *key == "play" {
                        let (depth, after) = step(after)?;
                        found.push(depth);
                        after
                    } else {
                        value(after)?
                    };
                    let is_last = after.first() == Some(&"}");
                    inner = if is_last { after } else { after.strip_prefix(&[","])? };
                }
                (!has_twins(&keys)).then_some(&inner[1..])?
            }
            _ => return None,
        };
    }
    Some(found)
}

/// The capacity of each truck of a depot, and how many crates it has.
fn trucks(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut found = Vec::new();
    for node in nodes(input)? {
        let Node::List(list) = node else { return None };
        let [Node::Atom(kind), rest @ ..] = &list[..] else { return None };
        if *kind != "truck" {
            continue;
        }
        let [Node::Atom(name), parts @ ..] = rest else { return None };
        let (mut capacity, mut crates) = (None, None);
        for part in parts {
            let Node::List(part) = part else { return None };
            match &part[..] {
                [Node::Atom("capacity"), Node::Atom(most)] if capacity.is_none() => {
                    capacity = Some(number(most)?);
                }
                [Node::Atom("crates"), all @ ..] if crates.is_none() => {
                    let are_names =
                        all.iter().all(|one| matches!(one, Node::Atom(one) if is_name(one)));
                    crates = Some(all.len()).filter(|_| are_names);
                }
                [Node::Atom(kind), ..] if !["capacity", "crates"].contains(kind) => {}
                _ => return None,
            }
        }
        found.push((capacity?, crates.filter(|_| is_name(name))?));
    }
    Some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "thirty-ninth: xml: robot: a joint whose origin (xyz) has a negative number and one of ",
            "exactly three decimals"
        ),
        grammar: "@xml",
        input: concat!(
            "<robot name=\"arm -4 0.125\">\n  <link name=\"base\">\n    <visual><origin xyz=\"-1 0.125 0\"/>",
            "</visual>\n  </link>\n  <joint name=\"waist\" type=\"fixed\">\n",
            "    <origin xyz=\"0 -0.5 2.25\" rpy=\"0.125 0 -1\"/>\n  </joint>\n  <!-- xyz=\"-4 0.125 1\" -->\n",
            "  <joint name=\"elbow\">\n    <limit lower=\"-1.5\" upper=\"4\"/>\n",
            "    <origin xyz=\"12 0.375 -7.5\"/>\n    <axis xyz=\"0 0 1\"/>\n  </joint>\n</robot>\n"
        ),
        valid: |input| origins(input).is_some(),
        fails: |input| {
            origins(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = [
                "<link name=\"base\"><visual><origin xyz=\"-1 0.125 0\"/></visual></link>",
                "<!-- xyz=\"-4 0.125 1\" -->",
                "<link name=\"hand\"/>",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let others = [
                    "<limit lower=\"-1.5\" upper=\"0.125\"/>",
                    "<axis xyz=\"0 0.125 -1\"/>",
                    "<parent link=\"base\"/>",
                ];
                let mut inner = extras(dice, &others);
                let xyz = joined(dice, 3, " ", figure);
                let pair = one(dice, &["", "", " rpy=\"0.125 0 -1\""]);
                inner.push(format!("<origin xyz=\"{xyz}\"{pair}/>"));
                let inner = shuffled(dice, inner).join(one(dice, &["", "\n    "]));
                let name = one(dice, &["waist", "elbow", "wrist-2"]);
                parts.push(format!("<joint name=\"{name}\">{inner}</joint>"));
            }
            let name = one(dice, &["arm", "arm -4 0.125"]);
            let parts = shuffled(dice, parts).join("\n  ");
            format!("<robot name=\"{name}\">\n  {parts}\n</robot>\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-ninth: sql: library: an UPDATE that sets the title to a text with a character ",
            "that is not ASCII"
        ),
        grammar: "@sql",
        input: concat!(
            "-- UPDATE books SET title = 'Größe';\nINSERT INTO books VALUES (4, 'Malmö', NULL);\n",
            "UPDATE books SET title = 'Owls', author = 'Zoë' WHERE id = 4;\n",
            "update books set pages = 120, title = 'The señor' where city = 'Oslo' and id = 7;\n",
            "UPDATE books SET subtitle = 'é' WHERE title = 'Tür';\nUPDATE shelves SET title = '';\n"
        ),
        valid: |input| titles(input).is_some(),
        fails: |input| titles(input).is_some_and(|all| all.iter().any(|title| !title.is_ascii())),
        draw: |dice| {
            let others = [
                "-- UPDATE books SET title = 'Größe';",
                "INSERT INTO books VALUES (4, 'Malmö', NULL);",
                "UPDATE books SET subtitle = 'é' WHERE title = 'Tür';",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let title = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("The {}", foreign(dice)),
                    2 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    3..6 => one(dice, &["Owls", "", "Owl 4, 2nd"]).to_owned(),
                    count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                };
                let mut pairs = extras(dice, &["author = 'Zoë'", "pages = 120", "note = NULL"]);
                pairs.push(format!("title = '{title}'"));
                let pairs = shuffled(dice, pairs).join(", ");
                let known = ["", " WHERE id = 4", " where city = 'Malmö' and id = 7"];
                let end = one(dice, &known);
                let table = one(dice, &["books", "shelves"]);
                let [update, set] =
                    [["UPDATE", "SET"], ["UPDATE", "SET"], ["update", "set"]][dice.below(3)];
                parts.push(format!("{update} {table} {set} {pairs}{end};"));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: lua: scenes: seqs and pars of a scene in each other, five deep or more",
        grammar: "@lua",
        input: concat!(
            "-- seq { par { seq { par { seq { } } } } }\nrooms = { { { { { { 4 } } } } } }\nscene {\n",
            "  name = \"seq\",\n  play = par { say \"hi\", seq { loop { wait(4) } }, par {} },\n}\n",
            "scene {\n  play = seq {\n    wait(2), par { loop { seq { say \"par {\", par {\n",
            "      loop { par { wait(12) } },\n      say \"bye\", -- seq {\n    } } } }, seq { },\n  },\n",
            "  name = \"owls\"\n}\n"
        ),
        valid: |input| scenes(input).is_some(),
        fails: |input| scenes(input).is_some_and(|all| all.iter().any(|depth| *depth >= 5)),
        draw: |dice| {
            let leaves = ["say \"par {\"", "wait(4)", "seq { }", "loop { par { wait(2) } }"];
            let mut part = one(dice, &["say \"hi\"", "wait(4)", "seq {}"]).to_owned();
            for _ in 0..3 + dice.below(5) {
                let mut inner = extras(dice, &leaves);
                inner.truncate(2);
                inner.push(part);
                let inner = shuffled(dice, inner).join(one(dice, &[", ", ", ", ",\n    "]));
                let kind = one(dice, &["seq", "seq", "par", "par", "loop"]);
                part = format!("{kind} {{ {inner}{} }}", one(dice, &["", "", ","]));
            }
            let others = [
                "-- seq { par { seq { par { seq { } } } } }",
                "rooms = { { { { { { 4 } } } } } }",
                "scene { name = \"seq\", play = par { say \"hi\", seq { loop { wait(4) } } } }",
            ];
            let mut parts = extras(dice, &others);
            let mut fields = extras(dice, &["name = \"owls\"", "size = 12", "tags = { \"par\" }"]);
            fields.push(format!("play = {part}"));
            let fields = shuffled(dice, fields).join(",\n  ");
            parts.push(format!("scene {{\n  {fields}\n}}"));
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: sexp: depot: a truck with exactly as many crates as its capacity",
        grammar: "@sexp",
        input: concat!(
            "(depot north (capacity 2) (crates a b))\n(truck owl (capacity 4) (crates a-1 b-2 c-1))\n",
            "(truck wren\n  (crates d-4 capacity e-1)\n  (stops oak elm)\n  (capacity 3))\n",
            "(truck crates (capacity 2) (crates) (crew ada bo))\n(van finch (capacity 1) (crates f-7))\n",
            "(truck kiwi (crates g-1 h-2) (capacity 12))\n"
        ),
        valid: |input| trucks(input).is_some(),
        fails: |input| {
            let all = trucks(input).unwrap_or_default();
            all.iter().any(|(most, count)| *most as usize == *count)
        },
        draw: |dice| {
            let others = [
                "(depot north (capacity 2) (crates a b))",
                "(van finch (capacity 1) (crates f-7))",
                "(road 3 a b c)",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["a-1", "b-2", "capacity", "c-1", "d-4", "e-1"];
                let mut crates = picked(dice, &known, 6, 0);
                if chance(dice, 10) {
                    crates.clear();
                }
                let most = counted(dice, crates.len(), 26);
                let mut inner = extras(dice, &["(stops oak elm)", "(crew ada bo)", "(age 3)"]);
                inner.push(format!("(capacity {most})"));
                crates.insert(0, "crates".to_owned());
                inner.push(format!("({})", crates.join(" ")));
                let inner = shuffled(dice, inner).join(one(dice, &[" ", "\n  "]));
                let name = one(dice, &["owl", "wren", "crates", "kiwi"]);
                parts.push(format!("(truck {name} {inner})"));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
];
