//! Causes in texts without a grammar: a log, games of chess, a program for an assembler and a calendar.

use super::{is_variable, without_ends, without_remarks};
use crate::draws::{above, around, chance, extras, picked};
use crate::readers::{is_digits, is_name, is_shown, is_word, number};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The months as a log says them.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The priority of each message of a log.
fn priorities(input: &str) -> Option<Vec<u32>> {
    let messages = input.lines().filter(|line| !line.is_empty()).map(|line| {
        let (priority, rest) = line.strip_prefix('<')?.split_once('>')?;
        let (stamp, rest) = rest.split_at_checked(16)?;
        let [month, day, time] = stamp.split_whitespace().collect::<Vec<&str>>()[..] else {
            return None;
        };
        let (host, rest) = rest.split_once(' ')?;
        let (tag, text) = rest.split_once(": ")?;
        let (tag, process) = tag.split_once('[').unwrap_or((tag, "1]"));
        let are_right = is_name(host) && is_name(tag) && is_shown(text);
        let is_process = process.strip_suffix(']').is_some_and(is_digits);
        let is_part = |part: &str| part.len() == 2 && is_digits(part);
        let is_time = time.split(':').all(is_part) && time.len() == 8;
        let is_day = number(day).is_some_and(|day| (1..32).contains(&day));
        (are_right && is_process && is_time && is_day && MONTHS.contains(&month)).then_some(())?;
        number(priority).filter(|priority| *priority < 192)
    });
    messages.collect()
}

/// The ratings of White and of Black in each game.
fn ratings(input: &str) -> Option<Vec<(u32, u32)>> {
    // The tags of each game, and its moves.
    let mut all: Vec<(Vec<(&str, &str)>, String)> = Vec::new();
    for line in input.lines().filter(|line| !line.trim().is_empty()) {
        let Some(tag) = line.strip_prefix('[') else {
            let moves = without_remarks(line, ["{", "}"])?;
            let is_inside = |c: char| c.is_ascii_alphanumeric() || " +#=-./!?*".contains(c);
            moves.chars().all(is_inside).then_some(())?;
            all.last_mut()?.1 += &format!("{moves}\n");
            continue;
        };
        let (key, value) = tag.trim_end().strip_suffix(']')?.split_once(' ')?;
        let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
        if all.last().is_none_or(|(_, moves)| !moves.is_empty()) {
            all.push((Vec::new(), String::new()));
        }
        let tags = &mut all.last_mut()?.0;
        let is_new = tags.iter().all(|(other, _)| *other != key);
        let is_right = is_variable(key) && is_shown(value) && !value.contains('"');
        tags.push(Some((key, value)).filter(|_| is_new && is_right)?);
    }
    let games = all.iter().map(|(tags, moves)| {
        let result = moves.split_whitespace().last()?;
        ["*", "1-0", "0-1", "1/2-1/2"].contains(&result).then_some(())?;
        let [white, black] = ["WhiteElo", "BlackElo"].map(|wanted| {
            let (_, value) = tags.iter().find(|(key, _)| *key == wanted)?;
            number(value)
        });
        Some((white?, black?))
    });
    games.collect()
}

/// How deep repetitions (.rept) and conditions (.if) of a program are in each other.
fn block_depth(input: &str) -> Option<usize> {
    let text = without_ends(input, ";");
    let (mut open, mut deepest) = (Vec::new(), 0);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let is_operand = |part: &str| {
            let part = part.trim().trim_start_matches('#');
            is_variable(part) || number(part).is_some() || is_text(part)
        };
        let are_operands = rest.is_empty() || rest.split(',').all(is_operand);
        match word {
            ".if" | ".macro" if is_variable(rest) => open.push(word),
            ".rept" if number(rest).is_some() => open.push(word),
            ".endif" | ".endr" | ".endm" if rest.is_empty() => {
                let begin = [(".endif", ".if"), (".endr", ".rept"), (".endm", ".macro")];
                begin.contains(&(word, open.pop()?)).then_some(())?;
            }
            ".byte" | ".word" | ".ascii" => (are_operands && !rest.is_empty()).then_some(())?,
            _ => match word.strip_suffix(':') {
                Some(label) => (is_variable(label) && rest.is_empty()).then_some(())?,
                None => (is_word(word) && are_operands).then_some(())?,
            },
        }
        deepest = deepest.max(open.iter().filter(|kind| **kind != ".macro").count());
    }
    open.is_empty().then_some(deepest)
}

/// Whether a token is a text in quotation marks.
fn is_text(token: &str) -> bool {
    let inner = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| is_shown(inner) && !inner.contains(['"', '\\']))
}

/// Whether each event of a calendar has a UID.
fn have_ids(input: &str) -> Option<Vec<bool>> {
    let (mut open, mut found) = (Vec::<(&str, Vec<&str>)>::new(), Vec::new());
    let mut is_begun = false;
    for line in input.lines().filter(|line| !line.is_empty()) {
        let (start, value) = line.split_once(':')?;
        let mut parts = start.split(';');
        let key = parts.next()?;
        let is_key =
            |key: &str| is_name(&key.to_ascii_lowercase()) && key == key.to_ascii_uppercase();
        let are_right = parts.all(|part| part.split_once('=').is_some_and(|(key, _)| is_key(key)));
        (is_key(key) && are_right && is_shown(line)).then_some(())?;
        match key {
            "BEGIN" => {
                let is_right = match (open.last().map(|(kind, _)| *kind), value) {
                    (None, "VCALENDAR") => !is_begun,
                    (Some("VCALENDAR"), "VEVENT" | "VTODO") => true,
                    (Some("VEVENT" | "VTODO"), "VALARM") => true,
                    _ => false,
                };
                is_begun = true;
                is_right.then(|| open.push((value, Vec::new())))?;
            }
            "END" => {
                let (kind, keys) = open.pop()?;
                (kind == value).then_some(())?;
                if kind == "VEVENT" {
                    found.push(keys.contains(&"UID"));
                }
            }
            _ => {
                let keys = &mut open.last_mut()?.1;
                (key != "UID" || !keys.contains(&key)).then(|| keys.push(key))?;
            }
        }
    }
    (is_begun && open.is_empty()).then_some(found)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fourth: plain: syslog: a message with a priority from 128 to 135",
        grammar: "",
        input: concat!(
            "<38>Oct  4 09:12:01 gate sshd[131]: Accepted key for ada from port 130\n",
            "<136>Oct  4 09:12:44 mill-2 backup: <130> 128 files, 135 skipped\n",
            "<127>Oct  4 09:13:00 gate kernel: eth1 up\n\n",
            "<131>Oct 12 10:31:28 mill-2 pump[4]: too hot\n",
            "<13>Oct 12 10:35:31 gate su[129]: session closed\n"
        ),
        valid: |input| priorities(input).is_some(),
        fails: |input| {
            let all = priorities(input).unwrap_or_default();
            all.iter().any(|priority| (128..136).contains(priority))
        },
        draw: |dice| {
            let mut text = String::new();
            for _ in 0..1 + dice.below(5) {
                let priority = around(dice, [128, 135], 22).min(191);
                let day = one(dice, &[" 4", "12", "30"]);
                let [hour, minute, second] = [24, 60, 60].map(|most| dice.below(most));
                let host = one(dice, &["gate", "mill-2", "p130"]);
                let tag = one(dice, &["sshd[131]", "backup", "kernel", "pump[4]", "su[129]"]);
                let note = one(
                    dice,
                    &["too hot", "<130> 128 files, 135 skipped", "eth1 up", "from port 130"],
                );
                text += &format!("<{priority}>Oct {day} {hour:02}:{minute:02}:{second:02} ");
                text += &format!("{host} {tag}: {note}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: plain: chess: a game in which Black has a higher Elo than White",
        grammar: "",
        input: concat!(
            "[Event \"Elo 2400 Cup\"]\n[WhiteElo \"1840\"]\n[BlackElo \"1790\"]\n[Round \"1900\"]\n\n",
            "1. e4 e5 2. Nf3 { BlackElo 2000 } Nc6 3. Bb5 a6 1-0\n\n",
            "[White \"Finch\"]\n[BlackElo \"2105\"]\n[Black \"Elo 12\"]\n[WhiteElo \"2098\"]\n\n",
            "1. d4 d5 2. c4 *\n\n[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n\n",
            "1. f3 e5 2. g4 Qh4# 0-1\n"
        ),
        valid: |input| ratings(input).is_some(),
        fails: |input| {
            ratings(input).is_some_and(|all| all.iter().any(|(white, black)| black > white))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let white = 1000 + [dice.below(30), dice.below(900), 500][dice.below(3)];
                let others = [
                    "[Event \"Elo 2400 Cup\"]\n",
                    "[White \"Finch\"]\n",
                    "[Black \"Elo 12\"]\n",
                    "[Round \"1900\"]\n",
                    "[EventDate \"2024\"]\n",
                ];
                let mut tags = extras(dice, &others);
                tags.push(format!("[WhiteElo \"{white}\"]\n"));
                tags.push(format!("[BlackElo \"{}\"]\n", above(dice, white, 30)));
                let moves = one(
                    dice,
                    &["1. e4 e5 2. Nf3", "1. d4 { BlackElo 9000 } d5", "1. f3 e5 2. g4 Qh4#"],
                );
                let result = one(dice, &["*", "1-0", "0-1", "1/2-1/2"]);
                format!("{}\n{moves} {result}\n", shuffled(dice, tags).concat())
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: plain: assembler: .rept and .if in each other, five deep or more",
        grammar: "",
        input: concat!(
            "; .if .rept .if .rept .if\nstart:\n  mov r1, #4\n.rept 2\n  nop\n  .if debug\n    .macro rept\n",
            "      .rept 12 ; .endr\n        add r1, r2\n        .if fast\n          .rept 3\n",
            "            nop\n          .endr\n        .endif\n      .endr\n    .endm\n  .endif\n.endr\n",
            "text:\n.ascii \".if .rept\"\n.if slow\n  .byte 1, 2\n.endif\n  jmp start\n"
        ),
        valid: |input| block_depth(input).is_some(),
        fails: |input| block_depth(input) >= Some(5),
        draw: |dice| {
            let others = [
                "; .if .rept .if .rept .if\n",
                "start:\n  mov r1, #4\n",
                "text:\n.ascii \".if .rept\"\n",
                ".if slow\n  .byte 1, 2\n.endif\n",
                "  jmp start\n",
            ];
            let mut parts = extras(dice, &others);
            let mut lines = vec!["nop".to_owned()];
            for _ in 0..2 + dice.below(7) {
                let (start, end) = match dice.below(9) {
                    0 => (".macro rept", ".endm"),
                    1..5 => (one(dice, &[".if debug", ".if fast"]), ".endif"),
                    _ => (one(dice, &[".rept 2", ".rept 12 ; .endr"]), ".endr"),
                };
                let before = extras(dice, &["  add r1, r2", "  .if slow\n  nop\n  .endif"]);
                let after = extras(dice, &["  nop"]);
                let inner = lines.iter().map(|line| format!("  {line}"));
                let start = [start.to_owned()].into_iter().chain(before);
                lines = start.chain(inner).chain(after).chain([end.to_owned()]).collect();
            }
            parts.push(lines.join("\n") + "\n");
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: plain: calendar: an event without a UID",
        grammar: "",
        input: concat!(
            "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:4@owl.example\nSUMMARY:Choir\nEND:VEVENT\n",
            "BEGIN:VTODO\nSUMMARY:Pay\nEND:VTODO\nBEGIN:VEVENT\nDTSTART;TZID=UTC:20240504\n",
            "SUMMARY:UID:9\nBEGIN:VALARM\nUID:alarm-7\nTRIGGER:-PT15M\nEND:VALARM\nX-UID:12\n",
            "END:VEVENT\nBEGIN:VEVENT\nSUMMARY:Market\nUID:5@owl.example\nEND:VEVENT\nEND:VCALENDAR\n"
        ),
        valid: |input| have_ids(input).is_some(),
        fails: |input| have_ids(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = [
                "VERSION:2.0\n",
                "BEGIN:VTODO\nSUMMARY:Pay\nEND:VTODO\n",
                "BEGIN:VTODO\nUID:8\nSUMMARY:Call\nEND:VTODO\n",
            ];
            let mut parts = extras(dice, &others);
            for name in picked(dice, &["4", "5", "6", "7"], 4, 0) {
                let others = [
                    "DTSTART;TZID=UTC:20240504\n",
                    "BEGIN:VALARM\nUID:alarm-7\nTRIGGER:-PT15M\nEND:VALARM\n",
                    "BEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM\n",
                    "X-UID:12\n",
                ];
                let mut lines = extras(dice, &others);
                let summary = one(dice, &["Choir", "Market", "UID:9"]);
                lines.push(format!("SUMMARY:{summary}\n"));
                if chance(dice, 76) {
                    lines.push(format!("UID:{name}@owl.example\n"));
                }
                parts.push(format!("BEGIN:VEVENT\n{}END:VEVENT\n", shuffled(dice, lines).concat()));
            }
            format!("BEGIN:VCALENDAR\n{}END:VCALENDAR\n", shuffled(dice, parts).concat())
        },
        patterns: &[],
    },
];
