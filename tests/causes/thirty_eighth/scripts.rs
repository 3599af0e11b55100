//! Causes in texts without a grammar: a plan of the tables of a wedding, a record of a transfer of files, a
//! script that builds programs, and tables in a manual.

use seedsmith_grammar::Random;

use crate::draws::{are_uneven, chance, counted, extras, has_twins, lengths, picked, steps};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, number};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// How many seats each table of a wedding has, and how many guests.
fn tables(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut found: Vec<(u32, usize)> = Vec::new();
    for line in input.lines().filter(|line| !line.is_empty()) {
        is_shown(line).then_some(())?;
        if let Some(rest) = line.strip_prefix("Table ") {
            let (table, rest) = rest.split_once(" (seats: ")?;
            let (seats, note) = rest.split_once(')')?;
            let is_right = number(table).is_some() && (note.is_empty() || note.starts_with(": "));
            found.push((number(seats).filter(|seats| *seats > 0 && is_right)?, 0));
        } else if let Some(guest) = line.strip_prefix("- ") {
            let is_right = guest.starts_with(|c: char| c.is_ascii_alphabetic());
            is_right.then(|| found.last_mut().map(|table| table.1 += 1))??;
        } else {
            // A waiter, or a line above all tables.
            (line.starts_with("* ") || found.is_empty()).then_some(())?;
        }
    }
    Some(found)
}

/// The commands that a client sends to a server of files.
fn commands(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut is_greeted) = (Vec::new(), false);
    for line in input.lines() {
        is_shown(line).then_some(())?;
        if let Some(command) = line.strip_prefix("C: ") {
            let (verb, _) = command.split_once(' ').unwrap_or((command, ""));
            let is_verb = verb.chars().all(|c| c.is_ascii_uppercase());
            let is_right = is_greeted && is_verb && (3..5).contains(&verb.len());
            found.push(Some(verb).filter(|_| is_right)?);
        } else {
            let (code, _) = line.strip_prefix("S: ")?.split_once(' ')?;
            (code.len() == 3 && is_digits(code)).then_some(())?;
            is_greeted = (is_greeted || code == "220").then_some(true)?;
        }
    }
    Some(found)
}

/// The sources of each program (add_executable) of a script that builds them.
fn sources(input: &str) -> Option<Vec<Vec<String>>> {
    let text = without_ends(input, "#");
    let (all, mut found) = (tokens(&text, "_-.+/")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        let [command, "(", after @ ..] = rest else { return None };
        let size = after.iter().position(|token| *token == ")")?;
        let is_word = |token: &str| token.starts_with(|c: char| c.is_ascii_alphanumeric());
        let are_right = after[..size].iter().all(|token| is_text(token) || is_word(token));
        (are_right && is_variable(command)).then_some(())?;
        if *command == "add_executable" {
            let [name, sources @ ..] = &after[..size] else { return None };
            (is_name(name) && !sources.is_empty()).then_some(())?;
            found.push(sources.iter().map(|source| source.to_string()).collect());
        }
        rest = &after[size + 1..];
    }
    Some(found)
}

/// How many cells the rows of each table of a manual have.
fn manual_tables(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut found, mut is_inside) = (Vec::<Vec<usize>>::new(), false);
    for line in input.lines().filter(|line| !line.is_empty()) {
        is_shown(line).then_some(())?;
        if line == "|===" {
            is_inside = !is_inside;
            if is_inside {
                found.push(Vec::new());
            }
        } else if is_inside {
            let is_right = line.starts_with('|') && !line.contains('\\');
            let cells = line.matches('|').count();
            is_right.then(|| found.last_mut().map(|rows| rows.push(cells)))??;
        }
    }
    (!is_inside).then_some(found)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-eighth: plain: wedding: a table with exactly as many guests as seats",
        grammar: "",
        input: concat!(
            "Wedding of Ada & Bo (seats: 2)\n\nTable 1 (seats: 4): near the window\n- Eve Lane\n",
            "- Max Hill (seats: 3)\n* Cy, waiter\n- Fay\n\nTable 2 (seats: 3)\n- Ivy\n- Dan Moss, vegan\n",
            "- Table Hill\n* Kim, waiter\n\nTable 3 (seats: 8): 1 guest\n- Sue\nTable 4 (seats: 2)\n",
            "* Jo, waiter\n* Al, waiter\n"
        ),
        valid: |input| tables(input).is_some(),
        fails: |input| {
            let all = tables(input).unwrap_or_default();
            all.iter().any(|(seats, count)| *seats as usize == *count)
        },
        draw: |dice| {
            let mut text = extras(dice, &["Wedding of Ada & Bo (seats: 2)\n\n"]).concat();
            for table in 1..2 + dice.below(4) {
                let known =
                    ["Eve Lane", "Max Hill (seats: 3)", "Ivy", "Dan Moss, vegan", "Table Hill"];
                let mut guests = picked(dice, &known, 5, 0);
                if chance(dice, 12) {
                    guests.clear();
                }
                let seats = counted(dice, guests.len(), 26).max(1);
                let note = one(dice, &["", "", ": near the window", ": 1 guest"]);
                let mut lines = extras(dice, &["* Cy, waiter\n", "* Jo, waiter\n"]);
                lines.extend(guests.iter().map(|guest| format!("- {guest}\n")));
                let lines = shuffled(dice, lines).concat();
                let end = one(dice, &["", "\n"]);
                text += &format!("Table {table} (seats: {seats}){note}\n{lines}{end}");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: plain: ftp: a client that sends a PASV, then an ABOR, and then a ",
            "STOR"
        ),
        grammar: "",
        input: concat!(
            "S: 220 owl.example PASV ABOR STOR\nC: USER ada\nS: 331 STOR later\nC: ABOR\nS: 226 ok\n",
            "C: CWD PASV\nS: 250 ok\nC: PASV\nS: 227 ok (10,0,0,4,12,7)\nC: RETR STOR\nC: NOOP\n",
            "C: ABOR\nS: 426 no more\nC: SIZE kiwi.zip\nS: 213 4096\nC: STOR ABOR.txt\nS: 150 go on\n",
            "C: QUIT\n"
        ),
        valid: |input| commands(input).is_some(),
        fails: |input| {
            commands(input).is_some_and(|all| are_in_order(&all, &["PASV", "ABOR", "STOR"]))
        },
        draw: |dice| {
            let others = ["NOOP", "CWD", "RETR", "SIZE", "PASV", "ABOR", "STOR"];
            let mut verbs = steps(dice, ["PASV", "ABOR", "STOR"], &others);
            if chance(dice, 25) {
                verbs.remove(dice.below(verbs.len()));
            }
            let mut text = one(dice, &["S: 220 PASV ABOR STOR\n", "S: 220 owl\n"]).to_owned();
            text += one(dice, &["", "C: USER ada\nS: 331 STOR later\n"]);
            for verb in verbs {
                let place = one(dice, &["kiwi.zip", "PASV", "ABOR.txt", "STOR"]);
                text += &match verb {
                    "CWD" | "RETR" | "SIZE" | "STOR" => format!("C: {verb} {place}\n"),
                    _ => format!("C: {verb}\n"),
                };
                let known = ["", "S: 200 ok\n", "S: 426 ABOR\n", "S: 227 ok (10,0,0,4,12,7)\n"];
                text += one(dice, &known);
            }
            text + one(dice, &["", "C: QUIT\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-eighth: plain: cmake: an add_executable that lists the same source twice",
        grammar: "",
        input: concat!(
            "# add_executable(old a.c a.c)\ncmake_minimum_required(VERSION 3.20)\nproject(owl C)\n",
            "set(SOURCES main.c main.c)\nadd_library(nest util.c list.c util.c)\n",
            "add_executable(kiwi kiwi.c util.c)\nadd_executable(owl main.c src/util.c # main.c\n",
            "  list.c main.cc\n  src/util.c)\ntarget_link_libraries(owl nest m m)\n",
            "message(\"util.c util.c\")\n"
        ),
        valid: |input| sources(input).is_some(),
        fails: |input| sources(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let others = [
                "# add_executable(old a.c a.c)\n",
                "project(owl C)\n",
                "set(SOURCES main.c main.c)\n",
                "add_library(nest util.c list.c util.c)\n",
                "target_link_libraries(owl nest m m)\n",
                "message(\"util.c util.c\")\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["main.c", "util.c", "src/util.c", "list.c", "main.cc", "owl"];
                let by = one(dice, &[" ", " ", "\n  ", " # main.c\n  "]);
                let sources = picked(dice, &known, 5, 28).join(by);
                let name = one(dice, &["owl", "kiwi", "main-2"]);
                parts.push(format!("add_executable({name} {sources})\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-eighth: plain: asciidoc: a table whose rows do not all have the same number ",
            "of cells"
        ),
        grammar: "",
        input: concat!(
            "= Birds |of |the wood\n\n[cols=\"1,1\"]\n|===\n|bird |eggs\n\n|owl |4\n|wren |\n|===\n\n",
            "|a |b |c\n|d |e\n\n.Nests\n|===\n|tree |height |note\n|oak |12 |old, dry\n|ash |7\n",
            "|elm |9 |[wet]\n|===\n* a list | of things\n|===\n|1\n|===\n"
        ),
        valid: |input| manual_tables(input).is_some(),
        fails: |input| {
            manual_tables(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows)))
        },
        draw: |dice| {
            let cell = |dice: &mut Random| {
                let known = ["|owl", "|4", "|", "|old, dry", "|[wet]", "|12"];
                one(dice, &known).to_owned()
            };
            let others = [
                "= Birds |of |the wood\n",
                "|a |b |c\n|d |e\n",
                "* a list | of things\n",
                ".Nests\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    rows.push(joined(dice, length, " ", cell) + "\n");
                }
                if chance(dice, 33) {
                    rows.insert(1, "\n".to_owned());
                }
                let start = one(dice, &["", "", "[cols=\"1,1\"]\n"]);
                parts.push(format!("{start}|===\n{}|===\n", rows.concat()));
            }
            shuffled(dice, parts).join("\n")
        },
        patterns: &[],
    },
];
