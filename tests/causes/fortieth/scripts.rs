//! Causes in texts without a grammar: the data of an old program, a session with a store of keys, settings of
//! a server, and a manual page.

use seedsmith_grammar::Random;

use crate::draws::{
    are_uneven, chance, counted, extras, has_twins, lengths, picked, statements, steps,
};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, number};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// Whether a text is a name in capitals.
fn is_big(text: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(is_inside)
}

/// The size of each field of the kind X that has a value, and the length of the value.
fn fields(input: &str) -> Option<Vec<(u32, usize)>> {
    let (mut found, mut part) = (Vec::new(), "");
    for line in statements(input, "*>") {
        let all = tokens(line.strip_suffix('.').filter(|_| is_shown(line))?, "-")?;
        match (part, &all[..]) {
            ("", ["PROGRAM-ID", ".", name]) if is_big(name) => {}
            ("", ["DATA", "DIVISION"]) => part = "data",
            ("data", ["WORKING-STORAGE" | "LINKAGE", "SECTION"]) => part = "fields",
            ("fields", ["LINKAGE", "SECTION"]) => {}
            ("data" | "fields", ["PROCEDURE", "DIVISION"]) => part = "code",
            ("fields", [level, name, rest @ ..]) if is_digits(level) && is_big(name) => {
                match rest {
                    [] => {}
                    ["PIC", "X", "(", size, ")"] => number(size).map(|_| ())?,
                    ["PIC", "X", "(", size, ")", "VALUE", value] if is_text(value) => {
                        found.push((number(size)?, value.len() - 2));
                    }
                    ["PIC", "9", "(", size, ")", "VALUE", value] => {
                        number(size).and(number(value)).map(|_| ())?
                    }
                    _ => return None,
                }
            }
            ("code", ["DISPLAY", value]) if is_text(value) || is_big(value) => {}
            ("code", ["MOVE", value, "TO", name]) if is_big(name) => {
                (is_text(value) || is_big(value) || number(value).is_some()).then_some(())?;
            }
            ("code", ["STOP", "RUN"]) => {}
            _ => return None,
        }
    }
    (part == "code").then_some(found)
}

/// Whether a line is what a store of keys answers.
fn is_answer(line: &str) -> bool {
    let ends = |end: &str| line.ends_with(end) && line.matches('"').count() == 2;
    let (item, rest) = line.split_once(") ").unwrap_or(("", ""));
    match line.chars().next() {
        Some('"') => line.len() > 1 && ends("\""),
        Some('(') => {
            let count = line.strip_prefix("(integer) ");
            line == "(nil)" || line.starts_with("(error) ") || count.and_then(number).is_some()
        }
        _ => ["OK", "QUEUED"].contains(&line) || (is_digits(item) && is_answer(rest)),
    }
}

/// The commands of a session with a store of keys.
fn commands(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in statements(input, "#") {
        is_shown(line).then_some(())?;
        if let Some(rest) = line.strip_prefix("localhost:6379> ") {
            let (command, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            let is_key = |text: &str| text.split(':').all(|part| is_name(part) || is_digits(part));
            let are_right = tokens(rest, "-_:")?.iter().all(|one| is_text(one) || is_key(one));
            found.push(Some(command).filter(|name| is_big(name) && are_right)?);
        } else {
            (is_answer(line) && !found.is_empty()).then_some(())?;
        }
    }
    Some(found)
}

/// The keys of the settings of a server besides Ciphers.
const SETTINGS: [&str; 8] =
    ["Port", "HostKey", "MACs", "KexAlgorithms", "AllowUsers", "Match", "Banner", "LogLevel"];

/// What each Ciphers of a server lists.
fn ciphers(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut found = Vec::new();
    for line in statements(input, "#") {
        let (key, value) = line.split_once(' ').filter(|_| is_shown(line))?;
        if key == "Ciphers" {
            let all: Vec<&str> = value.split(',').collect();
            found.push(Some(all).filter(|all| all.iter().all(|cipher| is_name(cipher)))?);
        } else {
            SETTINGS.contains(&key).then_some(())?;
        }
    }
    Some(found)
}

/// How many cells the rows of each table of a manual page have.
fn tables(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut found, mut lines) = (Vec::new(), input.lines().filter(|line| !line.is_empty()));
    while let Some(line) = lines.next() {
        is_shown(line).then_some(())?;
        if line != ".TS" {
            let request = line.strip_prefix('.').map(|rest| rest.split(' ').next().unwrap_or(rest));
            let is_known = |name: &str| ["TH", "SH", "PP", "B", "\\\""].contains(&name);
            request.is_none_or(is_known).then_some(())?;
            continue;
        }
        (lines.next()?.strip_suffix(';')?.ends_with("tab(;)")).then_some(())?;
        let format = lines.next()?.strip_suffix('.')?;
        format.split(' ').all(|one| ["l", "c", "r", "lb"].contains(&one)).then_some(())?;
        let mut rows = Vec::new();
        loop {
            match lines.next().filter(|line| is_shown(line))? {
                ".TE" => break,
                "_" | "=" => {}
                row if row.starts_with(".\\\"") => {}
                row if row.starts_with('.') => return None,
                row => rows.push(row.split(';').count()),
            }
        }
        found.push(rows);
    }
    Some(found)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "fortieth: plain: cobol: a PIC X(n) with a VALUE of exactly n characters",
        grammar: "",
        input: concat!(
            "*> 05 CITY PIC X(4) VALUE \"oslo\".\nPROGRAM-ID. OWLS.\nDATA DIVISION.\n",
            "WORKING-STORAGE SECTION.\n01 STATION.\n    05 CITY PIC X(8) VALUE \"oslo\".\n",
            "    05 ROOMS PIC 9(3) VALUE 412.\n    05 FILLER PIC X(4).\n    05 PLACE PIC X(6) VALUE \"X(6).\".\n",
            "    05 CODE PIC X(5) VALUE \"a nest\".\n    05 BIRD PIC X(4) VALUE \"wren\".\n",
            "    05 NOTE PIC X(1) VALUE \"\".\nPROCEDURE DIVISION.\n    MOVE \"oak\" TO CODE.\n",
            "    DISPLAY \"PIC X(4)\".\n    STOP RUN.\n"
        ),
        valid: |input| fields(input).is_some(),
        fails: |input| {
            let all = fields(input).unwrap_or_default();
            all.iter().any(|(size, length)| *size as usize == *length)
        },
        draw: |dice| {
            let others = [
                "    05 ROOMS PIC 9(3) VALUE 412.\n",
                "    05 FILLER PIC X(4).\n",
                "01 STATION.\n",
                "*> 05 CITY PIC X(4) VALUE \"oslo\".\n",
            ];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let known = ["oslo", "X(6).", "a nest", "wren", "", "York, 4th", "q"];
                let value = one(dice, &known);
                let size = counted(dice, value.len(), 24);
                let name = one(dice, &["CITY", "PLACE", "CODE", "BIRD-2"]);
                let level = one(dice, &["01", "    05"]);
                lines.push(format!("{level} {name} PIC X({size}) VALUE \"{value}\".\n"));
            }
            let lines = shuffled(dice, lines).concat();
            let start = one(dice, &["", "PROGRAM-ID. OWLS.\n", "PROGRAM-ID. X-4.\n"]);
            let others = ["    DISPLAY \"PIC X(4)\".\n", "    MOVE \"oak\" TO CODE.\n"];
            let end = extras(dice, &others).concat();
            format!(
                "{start}DATA DIVISION.\nWORKING-STORAGE SECTION.\n{lines}PROCEDURE DIVISION.\n{end}"
            )
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: plain: redis: a session with a MULTI, then a WATCH, and then an EXEC",
        grammar: "",
        input: concat!(
            "# MULTI WATCH EXEC\nlocalhost:6379> WATCH owl\nOK\nlocalhost:6379> MULTI\nOK\n",
            "localhost:6379> SET owl \"EXEC\"\nQUEUED\nlocalhost:6379> WATCH nest:4\n",
            "(error) ERR WATCH inside MULTI is not allowed\nlocalhost:6379> GET owl\nQUEUED\n",
            "localhost:6379> EXEC\n1) OK\n2) \"MULTI\"\nlocalhost:6379> DEL owl nest:4\n(integer) 2\n",
            "localhost:6379> MULTI\n"
        ),
        valid: |input| commands(input).is_some(),
        fails: |input| {
            let all = commands(input).unwrap_or_default();
            are_in_order(&all, &["MULTI", "WATCH", "EXEC"])
        },
        draw: |dice| {
            let others = ["GET", "SET", "DEL", "INCR", "UNWATCH", "MULTI", "WATCH", "EXEC"];
            let all = steps(dice, ["MULTI", "WATCH", "EXEC"], &others);
            let mut text = one(dice, &["", "# MULTI WATCH EXEC\n", "# owls\n"]).to_owned();
            for command in all {
                let rest = match command {
                    "MULTI" | "EXEC" | "UNWATCH" => "",
                    "SET" => one(dice, &[" owl \"EXEC\"", " nest:4 \"WATCH MULTI\"", " owl egg"]),
                    _ => one(dice, &[" owl", " nest:4", " watch"]),
                };
                let answer = match command {
                    "EXEC" => one(dice, &["1) OK\n2) \"MULTI\"\n", "(nil)\n", ""]),
                    "GET" => one(dice, &["\"EXEC\"\n", "(nil)\n", "QUEUED\n"]),
                    "DEL" | "INCR" => one(dice, &["(integer) 2\n", "QUEUED\n", ""]),
                    _ => one(dice, &["OK\n", "QUEUED\n", "(error) ERR no WATCH\n", ""]),
                };
                text += &format!("localhost:6379> {command}{rest}\n{answer}");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "fortieth: plain: sshd: a Ciphers that lists the same cipher twice",
        grammar: "",
        input: concat!(
            "# Ciphers aes128-ctr,aes128-ctr\nPort 22\nPort 22\nHostKey /etc/ssh/aes128-ctr\n",
            "Ciphers aes256-ctr,aes128-ctr\nMACs hmac-sha2,umac-64,hmac-sha2\nKexAlgorithms ecdh,dh-14\n",
            "Banner Ciphers ecdh,ecdh\n\nMatch User ada\n  AllowUsers ada bo ada\n",
            "  Ciphers aes128-cbc,chacha20,aes128-ctr,aes128,chacha20\nMatch Host oak\n  Ciphers chacha20\n",
            "LogLevel INFO\n"
        ),
        valid: |input| ciphers(input).is_some(),
        fails: |input| ciphers(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let others = [
                "# Ciphers aes128-ctr,aes128-ctr\n",
                "Port 22\nPort 22\n",
                "MACs hmac-sha2,umac-64,hmac-sha2\n",
                "KexAlgorithms ecdh,dh-14\n",
                "Banner Ciphers ecdh,ecdh\n",
                "  AllowUsers ada bo ada\n",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["aes128-ctr", "aes256-ctr", "aes128-cbc", "aes128", "chacha20", "ctr"];
                let list = picked(dice, &known, 5, 28).join(",");
                let before = one(dice, &["", "", "Match User ada\n  ", "Match Host oak\n  "]);
                parts.push(format!("{before}Ciphers {list}\n"));
            }
            shuffled(dice, parts).join(one(dice, &["", "", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "fortieth: plain: manual: a table (.TS) whose rows do not all have the same number of ",
            "cells"
        ),
        grammar: "",
        input: concat!(
            ".TH OWL 1\n.\\\" a;b\n.\\\" c\n.SH TABLES\nOwls; and nests;\nare here.\n.TS\ntab(;);\nl l.\nowl;4\n_\n",
            "wren;\n.TE\n.PP\n.TS\nallbox tab(;);\nlb c r.\nday;mm;note\n_\n1;12;\n.\\\" 2;7\n2;;wet; late\n",
            "3;40;dry\n.TE\n.B owl\n.TS\ntab(;);\nl.\n.TE\n"
        ),
        valid: |input| tables(input).is_some(),
        fails: |input| tables(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let cell = |dice: &mut Random| {
                let known = ["owl", "4", "12", "", "wet, late", "day"];
                one(dice, &known).to_owned()
            };
            let others =
                [".\\\" a;b\n.\\\" c\n", ".SH TABLES\n", "Owls; and nests;\nare here.\n", ".PP\n"];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    let row = joined(dice, length, ";", cell);
                    let row = if row.is_empty() { "owl".to_owned() } else { row };
                    rows.push(row + "\n");
                }
                if chance(dice, 40) {
                    rows.insert(1, one(dice, &["_\n", ".\\\" 2;7\n", "=\n"]).to_owned());
                }
                let options = one(dice, &["tab(;);", "allbox tab(;);"]);
                let format = one(dice, &["l.", "l l.", "lb c r."]);
                parts.push(format!(".TS\n{options}\n{format}\n{}.TE\n", rows.concat()));
            }
            let start = one(dice, &["", ".TH OWL 1\n"]);
            format!("{start}{}", shuffled(dice, parts).concat())
        },
        patterns: &[],
    },
];
