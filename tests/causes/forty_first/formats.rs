//! Causes in four formats: TOML, sexp, CSS and CSV.

use crate::draws::{around, chance, extras, has_twins, picked, steps};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, number, toml_statements};
use crate::thirty_fourth::formats::is_style;
use crate::thirty_fourth::without_remarks;
use crate::thirty_third::formats::{Node, nodes};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// How much each channel of a mixer is raised.
fn gains(input: &str) -> Option<Vec<u32>> {
    let (mut tables, mut found) = (vec![("", Vec::new())], Vec::new());
    for statement in &toml_statements(input)? {
        match &tokens(statement, "_-")?[..] {
            [] => {}
            ["[", "[", "channel", "]", "]"] => tables.push(("channel", Vec::new())),
            ["[", table, "]"] if is_name(table) && *table != "channel" => {
                let name = format!("[{table}]");
                let is_new = tables.iter().all(|(_, keys)| keys.first() != Some(&name));
                tables.push(Some(("", vec![name])).filter(|_| is_new)?);
            }
            [key, "=", value] if is_name(key) => {
                let (kind, keys) = tables.last_mut()?;
                let is_value = is_text(value) || number(value).is_some() || *value == "true";
                let is_new = !keys.contains(&key.to_string());
                keys.push(Some(key.to_string()).filter(|_| is_value && is_new)?);
                if *kind == "channel" && *key == "gain" {
                    found.push(number(value)?);
                }
            }
            _ => return None,
        }
    }
    let channels = tables.iter().filter(|(kind, _)| *kind == "channel").count();
    (channels == found.len()).then_some(found)
}

/// The names that each let in a node binds.
fn bindings<'t>(node: &Node<'t>, found: &mut Vec<Vec<&'t str>>) -> Option<()> {
    let Node::List(all) = node else { return Some(()) };
    let [Node::Atom("let"), rest @ ..] = &all[..] else {
        return all.iter().try_for_each(|inner| bindings(inner, found));
    };
    let [Node::List(pairs), body @ ..] = rest else { return None };
    let mut names = Vec::new();
    for pair in pairs {
        let Node::List(pair) = pair else { return None };
        let [Node::Atom(name), value] = &pair[..] else { return None };
        names.push(Some(*name).filter(|name| is_name(name))?);
        bindings(value, found)?;
    }
    found.push(names);
    (!body.is_empty()).then_some(())?;
    body.iter().try_for_each(|inner| bindings(inner, found))
}

/// The names that each let of a program binds.
fn lets(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut found = Vec::new();
    for node in &nodes(input)? {
        matches!(node, Node::List(_)).then_some(())?;
        bindings(node, &mut found)?;
    }
    Some(found)
}

/// The calls of a transform.
fn calls<'t>(values: &[&'t str]) -> Option<Vec<&'t str>> {
    let (mut rest, mut found) = (values, Vec::new());
    while let Some((name, after)) = rest.split_first() {
        let inner = after.strip_prefix(&["("])?;
        let size = inner.iter().position(|token| *token == ")")?;
        let are_right = inner[..size]
            .split(|token| *token == ",")
            .all(|one| matches!(one, [value] if is_style(&[value]) && !is_text(value)));
        found
            .push(Some(*name).filter(|name| are_right && name.chars().all(char::is_alphanumeric))?);
        rest = &inner[size + 1..];
    }
    Some(found)
}

/// The calls of each transform in some styles.
fn transforms(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_remarks(input, ["/*", "*/"])?;
    let (all, mut found) = (tokens(&text, "-.#%")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        let size = rest.iter().position(|token| *token == "{")?;
        let is_selected = |token: &&str| is_name(token.trim_start_matches(['.', '#']));
        (size > 0 && rest[..size].iter().all(is_selected)).then_some(())?;
        let inner = &rest[size + 1..];
        let size = inner.iter().position(|token| *token == "}")?;
        for pair in inner[..size].split(|token| *token == ";").filter(|pair| !pair.is_empty()) {
            let [key, ":", values @ ..] = pair else { return None };
            if *key == "transform" && *values != ["none"] {
                let calls = calls(values).filter(|calls| !calls.is_empty())?;
                found.push(calls.into_iter().map(str::to_owned).collect());
            } else {
                (is_name(key) && is_style(values)).then_some(())?;
            }
        }
        rest = &inner[size + 1..];
    }
    Some(found)
}

/// Who saw each bird.
fn observers(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "day,species,observers,count,note").then_some(())?;
    let sightings = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [day, species, observers, count, note] = cells[..] else { return None };
        let are_right = is_digits(day) && number(count).is_some() && is_shown(note);
        let observers: Vec<&str> = observers.split(';').collect();
        let are_names = is_name(species) && observers.iter().all(|name| is_name(name));
        (are_right && are_names && !note.contains('"')).then_some(observers)
    });
    sightings.collect()
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "forty-first: toml: mixer: a channel with a gain from 18 to 23",
        grammar: "@toml",
        input: concat!(
            "# gain = 20\nname = \"gain 18 to 23\"\ngain = 19\n\n[[channel]]\nname = \"owl\"\ngain = 12\npan = 20\n\n",
            "[master]\ngain = 22\nlimit = true\n\n[[channel]]\ngain = 24 # 23\nname = \"gain\"\n\n[[channel]]\n",
            "mute = true\ngain = 21\nname = \"wren\"\nlow = 18\n\n[[channel]]\ngain = 0\n\n[scene]\n",
            "gain-2 = 20\nname = \"nest\"\n"
        ),
        valid: |input| gains(input).is_some(),
        fails: |input| gains(input).is_some_and(|all| all.iter().any(|one| (18..24).contains(one))),
        draw: |dice| {
            let others = ["# gain = 20\n", "name = \"gain 18 to 23\"\n", "gain = 19\n"];
            let start = extras(dice, &others).concat();
            let others = ["[master]\ngain = 22\nlimit = true\n", "[scene]\ngain-2 = 20\n"];
            let mut tables = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let gain = around(dice, [18, 23], 26);
                let others =
                    ["name = \"gain\"\n", "pan = 20\n", "low = 18 # 19\n", "mute = true\n"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("gain = {gain}\n"));
                tables.push(format!("[[channel]]\n{}", shuffled(dice, pairs).concat()));
            }
            let tables = shuffled(dice, tables).join(one(dice, &["", "\n"]));
            format!("{start}{tables}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: sexp: lisp: a let that binds the same name twice",
        grammar: "@sexp",
        input: concat!(
            "(defun hoot (owl owl)\n  (let ((owl 4) (nest 12))\n    (add owl nest nest)\n",
            "    (let ((owl 7)) (list owl owl))))\n(setq let (quote ((egg 1) (egg 2))))\n",
            "(defun brood (egg)\n  (when (less egg 4)\n    (let ((wing (mul egg 2)) (egg-2 12)\n",
            "          (tree (let ((wing 1)) wing)) (wing 9))\n      (print wing egg-2))))\n",
            "(letrec ((a 1) (a 2)) a)\n(let () (hoot 4))\n"
        ),
        valid: |input| lets(input).is_some(),
        fails: |input| lets(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let others = [
                "(defun hoot (owl owl) (add owl 4))",
                "(setq let (quote ((egg 1) (egg 2))))",
                "(letrec ((wing 1) (wing 2)) wing)",
                "(let ((nest 1)) nest)",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["owl", "nest", "egg", "egg-2", "wing", "tree"];
                let mut pairs = picked(dice, &known, 4, 28);
                for pair in &mut pairs {
                    let values = ["4", "12", "(mul egg 2)", "(let ((wing 1)) wing)", "nest"];
                    *pair = format!("({pair} {})", one(dice, &values));
                }
                let pairs = pairs.join(one(dice, &[" ", " ", "\n        "]));
                let bodies = ["(print wing egg)", "owl", "(let ((owl 7)) (list owl owl))"];
                let bound = format!("(let ({pairs}) {})", one(dice, &bodies));
                parts.push(match dice.below(3) {
                    0 => bound,
                    1 => format!("(defun brood (egg)\n  {bound})"),
                    _ => format!("(when (less egg 4) {bound})"),
                });
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: css: spin: a transform with a scale, then a rotate, and then a translate",
        grammar: "@css",
        input: concat!(
            "/* transform: scale(2) rotate(4deg) translate(1px) */\n.scale { transform: rotate(4deg) scale(2); }\n",
            ".owl .wing { scale: 2; rotate: 4deg; translate: 1px; transition: scale, rotate, translate }\n",
            "#nest { transform: translate(4px, 12px) scale(0.5); color: red }\n",
            ".egg {\n  margin: 0 4px;\n  transform: skew(12deg) scale(1.5, 2) rotate(90deg)\n",
            "    perspective(400px) translate(50%);\n  top: 0;\n}\n.tree { transform: none; }\n",
            ".rotate { content: \"scale(2) rotate(1deg) translate(0)\" }\n"
        ),
        valid: |input| transforms(input).is_some(),
        fails: |input| {
            let all = transforms(input).unwrap_or_default();
            all.iter().any(|calls| {
                let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
                are_in_order(&calls, &["scale", "rotate", "translate"])
            })
        },
        draw: |dice| {
            let others = [
                "/* transform: scale(2) rotate(4deg) translate(1px) */",
                ".rotate { content: \"scale(2) rotate(1deg) translate(0)\" }",
                ".tree { transform: none; }",
                ".wing { scale: 2; rotate: 4deg; translate: 1px; }",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(2) {
                let others = ["skew", "perspective", "scale", "rotate", "translate"];
                let mut names = steps(dice, ["scale", "rotate", "translate"], &others);
                if chance(dice, 50) && names.len() > 1 {
                    names.remove(dice.below(names.len()));
                }
                let mut calls = Vec::new();
                for name in names {
                    let inner = match name {
                        "scale" => one(dice, &["2", "0.5", "1.5, 2"]),
                        "rotate" | "skew" => one(dice, &["4deg", "90deg"]),
                        _ => one(dice, &["4px", "50%", "400px"]),
                    };
                    calls.push(format!("{name}({inner})"));
                }
                let others =
                    ["color: red", "margin: 0 4px", "transition: scale, rotate, translate"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("transform: {}", calls.join(one(dice, &[" ", "\n    "]))));
                let pairs = shuffled(dice, pairs).join("; ");
                let name = one(dice, &[".owl .egg", "#nest", ".scale"]);
                parts.push(format!("{name} {{ {pairs}{} }}", one(dice, &["", ";"])));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: csv: birds: a sighting that lists the same observer twice",
        grammar: "@csv",
        input: concat!(
            "day,species,observers,count,note\n1204,owl,ada;bo,4,ada;ada\n1205,wren,eve,12,\n",
            "1205,owl,ada;ada-2;cy,4,bo;bo\n1207,bo,cy;ada;bo;ada,1,in the oak\n1207,owl,bo;eve,12,12\n",
            "1210,emu,ad;ada;da,2,eve saw it\n"
        ),
        valid: |input| observers(input).is_some(),
        fails: |input| observers(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let mut text = "day,species,observers,count,note\n".to_owned();
            let count = 1 + dice.below(4);
            text += &joined(dice, count, "", |dice| {
                let list =
                    picked(dice, &["ada", "bo", "cy", "eve", "ada-2", "ad"], 4, 24).join(";");
                let (day, count) = (1200 + dice.below(30), 1 + dice.below(12));
                let species = one(dice, &["owl", "wren", "bo", "emu"]);
                let note = one(dice, &["", "ada;ada", "in the oak", "bo;bo", "12"]);
                format!("{day},{species},{list},{count},{note}\n")
            });
            text
        },
        patterns: &[],
    },
];
