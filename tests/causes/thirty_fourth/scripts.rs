//! Causes in texts without a grammar: a patch, a packing list, a script in Python and the dump of a
//! database.

use super::{is_variable, without_ends};
use crate::draws::{are_uneven, chance, counted, extras, foreign, has_twins, lengths, picked};
use crate::readers::{is_digits, is_shown, number};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The lines that a patch adds. What is before its first file is a letter.
fn added_lines(input: &str) -> Option<Vec<&str>> {
    let is_range = |text: &str, sign| {
        let numbers = text.strip_prefix(sign).map(|text| text.split(',').collect::<Vec<&str>>());
        numbers.is_some_and(|all| all.len() < 3 && all.into_iter().all(is_digits))
    };
    let (mut is_letter, mut is_hunk, mut found) = (true, false, Vec::new());
    let mut lines = input.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("--- ") {
            lines.next().filter(|next| next.starts_with("+++ "))?;
            (is_letter, is_hunk) = (false, false);
        } else if let Some(head) = line.strip_prefix("@@ ").filter(|_| !is_letter) {
            let (ranges, _) = head.split_once(" @@")?;
            let (old, new) = ranges.split_once(' ')?;
            (is_range(old, '-') && is_range(new, '+')).then_some(())?;
            is_hunk = true;
        } else if is_hunk {
            line.is_empty().then_some("").or(line.strip_prefix([' ', '-', '+']))?;
            found.extend(line.strip_prefix('+'));
        } else {
            is_letter.then_some(())?;
        }
    }
    (!is_letter).then_some(found)
}

/// How many things each box holds, and how many are in it.
fn boxes(input: &str) -> Option<Vec<(u32, usize)>> {
    // What kind of thing each is, besides.
    let mut all: Vec<(&str, u32, usize)> = Vec::new();
    for line in input.lines().map(str::trim_end) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(part) = line.strip_prefix("    - ") {
            let is_inside = all.last().is_some_and(|(_, _, count)| *count > 0);
            (is_inside && is_shown(part)).then_some(())?;
        } else if let Some(thing) = line.strip_prefix("  - ") {
            all.last_mut().filter(|_| is_shown(thing))?.2 += 1;
        } else {
            let (start, most) = line.strip_suffix(':')?.split_once(", holds ")?;
            let (kind, name) = start.split_once(' ')?;
            (["box", "bag"].contains(&kind) && is_shown(name)).then_some(())?;
            all.push((kind, number(most)?, 0));
        }
    }
    let boxes = all.iter().filter(|(kind, ..)| *kind == "box");
    Some(boxes.map(|(_, most, count)| (*most, *count)).collect())
}

/// The names that each line of a script imports from a module.
fn imports(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, "#");
    let is_module = |text: &str| text.split('.').all(is_variable);
    let mut found = Vec::new();
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        if let Some(rest) = line.strip_prefix("from ") {
            let (module, names) = rest.split_once(" import ")?;
            let inner = names.trim().strip_prefix('(').map(|names| names.strip_suffix(')'));
            let names = inner.unwrap_or(Some(names))?.split(',').map(str::trim);
            let names: Vec<String> = names.map(str::to_owned).collect();
            let are_right = is_module(module.trim()) && names.iter().all(|name| is_variable(name));
            found.push(Some(names).filter(|_| are_right)?);
            continue;
        }
        if let Some(module) = line.strip_prefix("import ") {
            is_module(module.trim()).then_some(())?;
            continue;
        }
        let call = line.strip_suffix(')').and_then(|line| line.split_once('('));
        let (name, value) = call.or(line.split_once(" = "))?;
        (is_module(name) && is_shown(value)).then_some(())?;
    }
    Some(found)
}

/// How many fields the rows of each table in the dump of a database have.
fn copies(input: &str) -> Option<Vec<Vec<usize>>> {
    let mut found = Vec::new();
    let mut lines = input.lines();
    while let Some(line) = lines.next() {
        if line.is_empty() || line.starts_with("--") {
            continue;
        }
        let Some(table) = line.strip_prefix("COPY ") else {
            let is_known = line.starts_with("SET ") || line.starts_with("SELECT ");
            (is_known && line.ends_with(';') && is_shown(line)).then_some(())?;
            continue;
        };
        is_variable(table.strip_suffix(" FROM stdin;")?).then_some(())?;
        let mut rows = Vec::new();
        loop {
            let row = lines.next()?;
            if row == "\\." {
                break;
            }
            let fields: Vec<&str> = row.split('\t').collect();
            let is_field =
                |field: &&str| *field == "\\N" || (is_shown(field) && !field.contains('\\'));
            fields.iter().all(is_field).then(|| rows.push(fields.len()))?;
        }
        found.push(rows);
    }
    Some(found)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fourth: plain: patch: an added line with a character that is not ASCII",
        grammar: "",
        input: concat!(
            "From: Zoë Löwe <zoe@owl.example>\n\n+ über\n--- a/menu.txt\n+++ b/menü.txt\n",
            "@@ -4,3 +4,4 @@ Getränke\n tea\n-café 2\n+cafe 2\n+juice\n \n",
            "@@ -31 +32,2 @@\n crêpe\n+a crème cake\n--- a/prices\n+++ b/prices\n",
            "@@ -1,2 +1 @@ é\n-1 €\n-2 €\n+1 EUR\n"
        ),
        valid: |input| added_lines(input).is_some(),
        fails: |input| added_lines(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let mut text = one(dice, &["", "From: Zoë Löwe\n\n+ über\n"]).to_owned();
            for _ in 0..1 + dice.below(2) {
                text += one(
                    dice,
                    &["--- a/menu.txt\n+++ b/menü.txt\n", "--- a/prices\n+++ b/prices\n"],
                );
                for _ in 0..1 + dice.below(2) {
                    let end = one(dice, &["", " Getränke", " main"]);
                    let [old, new] = [1 + dice.below(40), 1 + dice.below(40)];
                    text += &format!("@@ -{old},3 +{new},4 @@{end}\n");
                    let mut lines = extras(dice, &[" tea\n", "-café 2\n", " crêpe\n", "-1 €\n"]);
                    for _ in 0..1 + dice.below(2) {
                        let name = match chance(dice, 20) {
                            true => foreign(dice),
                            false => word(dice, 7),
                        };
                        let [start, end] = [["", "a "], ["", " cake"]].map(|all| one(dice, &all));
                        lines.push(format!("+{start}{name}{end}\n"));
                    }
                    text += &shuffled(dice, lines).concat();
                }
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: plain: packing: a box with exactly as many things as it holds",
        grammar: "",
        input: concat!(
            "# box hall, holds 1:\n#   - 1 lamp\n\nbox kitchen, holds 4:\n  - pan x 4\n",
            "    - lids\n    - handles\n  - 12 cups\n\nbag red, holds 2:\n  - rope\n  - tent\n",
            "box office 2, holds 3:\n  - lamp\n    - holds 1\n  - maps, old\n  - box of pens\n",
            "box 3, holds 2:\n"
        ),
        valid: |input| boxes(input).is_some(),
        fails: |input| {
            boxes(input).is_some_and(|all| all.iter().any(|(most, count)| *most as usize == *count))
        },
        draw: |dice| {
            let others =
                ["# box hall, holds 1:\n#   - 1 lamp\n", "bag red, holds 2:\n  - rope\n  - tent\n"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let count = dice.below(5);
                let things = joined(dice, count, "", |dice| {
                    let thing =
                        one(dice, &["pan x 4", "12 cups", "lamp", "maps, old", "box of pens"]);
                    let inner = one(dice, &["", "", "    - lids\n", "    - lids\n    - holds 1\n"]);
                    format!("  - {thing}\n{inner}")
                });
                let name = one(dice, &["kitchen", "office 2", "3", "bag"]);
                let most = counted(dice, count, 30);
                parts.push(format!("box {name}, holds {most}:\n{things}"));
            }
            shuffled(dice, parts).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: plain: python: a line that imports the same name twice",
        grammar: "",
        input: concat!(
            "# from shapes import Box, Box\nimport os.path\nfrom shapes import Box, Line, Arc\n",
            "from math import (sin, cos, pi, Box)\nsizes = [4, 4, 4]  # from sin import sin, sin\n",
            "from owl.text import wrap, trim, trims, wrap, Trim\nprint(sin, sin)\n",
            "text = \"from math import pi, pi\"\n\nfrom wrap import wrap\n"
        ),
        valid: |input| imports(input).is_some(),
        fails: |input| imports(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let others = [
                "# from shapes import Box, Box\n",
                "import os.path\n",
                "sizes = [4, 4, 4]  # from sin import sin, sin\n",
                "print(sin, sin)\n",
                "text = \"from math import pi, pi\"\n",
                "\n",
            ];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["wrap", "trim", "trims", "Trim", "sin", "Box", "math"];
                let by = one(dice, &[", ", ", ", ","]);
                let names = picked(dice, &known, 5, 34).join(by);
                let names = if chance(dice, 25) { format!("({names})") } else { names };
                let module = one(dice, &["math", "shapes", "owl.text", "wrap"]);
                lines.push(format!("from {module} import {names}\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: plain: dump: a COPY whose rows do not all have the same number of fields",
        grammar: "",
        input: concat!(
            "-- COPY birds FROM stdin;\nSET client_encoding = 'UTF8';\n\nCOPY birds FROM stdin;\n",
            "owl\t2\nemu\t\\N\n\\.\n\nCOPY nests FROM stdin;\n1\toak, elm\t3\n2\tash\t\\N\n",
            "4\tfir tree\n5\t\t0\n\\.\nCOPY eggs FROM stdin;\n\\.\n-- 1\t2\t3\n",
            "SELECT setval('nests', 5, true);\nCOPY trees FROM stdin;\nash\n\\.\n"
        ),
        valid: |input| copies(input).is_some(),
        fails: |input| copies(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = [
                "-- COPY birds FROM stdin;\n",
                "SET client_encoding = 'UTF8';\n",
                "COPY eggs FROM stdin;\n\\.\n",
                "SELECT setval('nests', 5, true);\n",
                "\n",
            ];
            let mut parts = extras(dice, &others);
            for name in picked(dice, &["birds", "nests", "trees"], 3, 0) {
                let mut rows = String::new();
                for length in lengths(dice, 1, 42) {
                    let row = joined(dice, length, "\t", |dice| {
                        one(dice, &["owl", "2", "12", "\\N", "oak, elm", "fir tree", "f"])
                            .to_owned()
                    });
                    rows += &format!("{row}\n");
                }
                parts.push(format!("COPY {name} FROM stdin;\n{rows}\\.\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
];
