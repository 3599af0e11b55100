//! Causes in texts without a grammar: the log of a server, the results of matches, a model of a circuit
//! and an index of packages.

use crate::draws::{around, chance, extras, has_twins};
use crate::readers::{is_digits, is_name, is_shown, number};
use crate::thirty_fourth::{is_variable, without_ends, without_remarks};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled};

/// The status of each answer in the log of a server.
fn statuses(input: &str) -> Option<Vec<u32>> {
    let answers = input.lines().filter(|line| !line.is_empty()).map(|line| {
        let (start, rest) = line.split_once(" [")?;
        let [host, _, user] = start.split(' ').collect::<Vec<&str>>()[..] else { return None };
        let (stamp, rest) = rest.split_once("] \"")?;
        let [day, month, year, hour, minute, second, zone] =
            stamp.split(['/', ':', ' ']).collect::<Vec<&str>>()[..]
        else {
            return None;
        };
        let are_pairs =
            [day, hour, minute, second].iter().all(|part| part.len() == 2 && is_digits(part));
        let is_zone = zone.strip_prefix(['+', '-']).is_some_and(is_digits) && zone.len() == 5;
        let is_month = month.len() == 3 && is_name(&month.to_ascii_lowercase());
        (are_pairs && is_zone && is_month && is_digits(year)).then_some(())?;
        let (request, rest) = rest.split_once("\" ")?;
        let [method, path, version] = request.split(' ').collect::<Vec<&str>>()[..] else {
            return None;
        };
        let is_known = ["GET", "HEAD", "POST", "PUT", "DELETE"].contains(&method);
        let is_request = is_known && path.starts_with('/') && version.starts_with("HTTP/");
        let are_shown = [host, user, line].iter().all(|part| !part.is_empty() && is_shown(part));
        (is_request && are_shown).then_some(())?;
        let mut rest = rest.splitn(3, ' ');
        let (status, size) = (rest.next()?, rest.next()?);
        if let Some(end) = rest.next() {
            let parts: Vec<&str> = end.split('"').collect();
            let ["", _, " ", _, ""] = parts[..] else { return None };
        }
        let is_size = size == "-" || is_digits(size);
        number(status).filter(|status| is_size && (100..600).contains(status))
    });
    answers.collect()
}

/// Whether the words of a text are the name of a team.
fn is_team(words: &[&str]) -> bool {
    let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric());
    !words.is_empty() && words.iter().all(is_word)
}

/// Two numbers of goals with a sign between them.
fn score(text: &str) -> Option<(u32, u32)> {
    let (home, away) = text.split_once('-')?;
    Some((number(home)?, number(away)?))
}

/// How many goals the teams at home and away had in each match. A match may say how it stood at half
/// time, too.
fn matches(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    for line in input.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(rest) = line.strip_prefix("Round ") {
            let (round, note) = rest.split_once(':')?;
            number(round).filter(|_| is_shown(note))?;
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [day, time, rest @ ..] = &words[..] else { return None };
        let (hour, minute) = time.split_once(':')?;
        let is_day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].contains(day);
        let is_time = [hour, minute].iter().all(|part| part.len() == 2 && is_digits(part));
        (is_day && is_time).then_some(())?;
        let rest = match rest {
            [rest @ .., "(HT", half] => {
                score(half.strip_suffix(')')?)?;
                rest
            }
            _ => rest,
        };
        let at = rest.iter().position(|word| score(word).is_some())?;
        (is_team(&rest[..at]) && is_team(&rest[at + 1..])).then_some(())?;
        found.push(score(rest[at])?);
    }
    Some(found)
}

/// The words that are no names in a model.
const MODEL_KEYWORDS: [&str; 10] =
    ["module", "endmodule", "begin", "end", "fork", "join", "if", "initial", "reg", "wait"];

/// Whether a token is a name in a model.
fn is_signal(token: &str) -> bool {
    is_variable(token) && !MODEL_KEYWORDS.contains(&token)
}

/// How deep blocks (begin and fork) of the statement at the start of some tokens are in each other, and
/// what comes after it.
fn statement<'a, 't>(all: &'a [&'t str]) -> Option<(usize, &'a [&'t str])> {
    let is_value = |token: &str| is_signal(token) || is_digits(token);
    match all {
        [open @ ("begin" | "fork"), rest @ ..] => {
            let end = if *open == "begin" { "end" } else { "join" };
            let (mut rest, mut deepest) = match rest {
                [":", label, rest @ ..] if is_signal(label) => (rest, 0),
                _ => (rest, 0),
            };
            while rest.first()? != &end {
                let (depth, after) = statement(rest)?;
                (rest, deepest) = (after, deepest.max(depth));
            }
            Some((1 + deepest, &rest[1..]))
        }
        ["if" | "wait", "(", signal, ")", rest @ ..] if is_signal(signal) => statement(rest),
        [delay, rest @ ..] if delay.strip_prefix('#').is_some_and(is_digits) => statement(rest),
        [";", rest @ ..] => Some((0, rest)),
        [call, "(", text, ")", ";", rest @ ..] if call.starts_with('$') => {
            (is_signal(&call[1..]) && is_text(text)).then_some((0, rest))
        }
        [name, "=", value, ";", rest @ ..] | [name, "<", "=", value, ";", rest @ ..] => {
            (is_signal(name) && is_value(value)).then_some((0, rest))
        }
        _ => None,
    }
}

/// How deep blocks are in each other in each statement that a model starts with.
fn block_depths(input: &str) -> Option<Vec<usize>> {
    let text = without_ends(&without_remarks(input, ["/*", "*/"])?, "//");
    let (all, mut found) = (tokens(&text, "_#$")?, Vec::new());
    let ["module", name, ";", inner @ .., "endmodule"] = &all[..] else { return None };
    is_signal(name).then_some(())?;
    let mut rest = inner;
    while !rest.is_empty() {
        rest = match rest {
            ["reg", name, ";", after @ ..] if is_signal(name) => after,
            ["initial", after @ ..] => {
                let (depth, after) = statement(after)?;
                found.push(depth);
                after
            }
            _ => return None,
        };
    }
    Some(found)
}

/// Whether each package of an index has a maintainer.
fn have_maintainers(input: &str) -> Option<Vec<bool>> {
    // The names of the fields of each.
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for line in input.lines().filter(|line| !line.starts_with('#')) {
        let fields = all.last_mut()?;
        if line.trim().is_empty() {
            all.push(Vec::new());
        } else if line.starts_with([' ', '\t']) {
            (is_shown(line.trim()) && !fields.is_empty()).then_some(())?;
        } else {
            let (name, value) = line.split_once(':')?;
            let name = name.to_ascii_lowercase();
            fields.push(Some(name).filter(|name| is_name(name) && is_shown(value.trim()))?);
        }
    }
    let packages = all.iter().filter(|fields| !fields.is_empty()).map(|fields| {
        let has = |wanted| fields.iter().any(|name| name == wanted);
        (has("package") && has("version") && !has_twins(fields)).then(|| has("maintainer"))
    });
    packages.collect()
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fifth: plain: access log: an answer with a status from 500 to 504",
        grammar: "",
        input: concat!(
            "10.0.0.7 - - [04/Oct/2024:09:12:44 +0500] \"GET /orders/502 HTTP/1.1\" 200 503\n",
            "10.0.0.12 - ada [04/Oct/2024:09:12:51 +0500] \"POST /orders HTTP/1.1\" 505 - \"-\" \"owl/500\"\n",
            "10.0.0.7 - bo [04/Oct/2024:09:13:02 +0500] \"GET /menu?max=501 HTTP/2.0\" 502 1310\n",
            "10.0.0.50 - - [04/Oct/2024:09:15:00 +0500] \"HEAD / HTTP/1.1\" 499 0\n"
        ),
        valid: |input| statuses(input).is_some(),
        fails: |input| {
            statuses(input).is_some_and(|all| all.iter().any(|one| (500..505).contains(one)))
        },
        draw: |dice| {
            let mut text = String::new();
            for _ in 0..1 + dice.below(4) {
                let known = [200, 304, 404, 99 + dice.below(100)];
                let status = match chance(dice, 30) {
                    true => known[dice.below(4)],
                    false => around(dice, [500, 504], 40),
                };
                let status = status.clamp(100, 599);
                let host = one(dice, &["10.0.0.7", "10.0.0.50", "owl.example"]);
                let user = one(dice, &["-", "ada", "bo"]);
                let [hour, minute, second] = [24, 60, 60].map(|most| dice.below(most));
                let request = one(
                    dice,
                    &["GET /orders/502", "POST /orders", "GET /menu?max=501", "HEAD /500"],
                );
                let size = one(dice, &["-", "0", "503", "1310", "501"]);
                let end = one(dice, &["", "", " \"-\" \"owl/500\"", " \"/a 502 4\" \"wren\""]);
                text += &format!("{host} - {user} [04/Oct/2024:{hour:02}:{minute:02}:{second:02} ");
                text += &format!("+0500] \"{request} HTTP/1.1\" {status} {size}{end}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: plain: matches: one with more goals of the team away than at home",
        grammar: "",
        input: concat!(
            "# away 2-3 home\nRound 4: 1-2 October\n  Sat 13:30  Owls 2-2 North Wrens (HT 0-1)\n",
            "  Sat 15:45  Finches 04 3-1 Emus\n\nRound 5: all at 15:00\n",
            "  Sun 15:00  Kiwis 2-3 Finches 04 (HT 2-0)\n  Mon 19:15  North Wrens 11-9 Owls\n",
            "  Fri 20:00  Emus 0-0 Kiwis\n"
        ),
        valid: |input| matches(input).is_some(),
        fails: |input| matches(input).is_some_and(|all| all.iter().any(|(home, away)| away > home)),
        draw: |dice| {
            let mut text = one(dice, &["", "# away 2-3 home\n", "# 4 teams\n"]).to_owned();
            for round in 0..1 + dice.below(2) {
                let note = one(dice, &["1-2 October", "all at 15:00", "3-9 May"]);
                text += &format!("Round {}: {note}\n", 4 + round);
                for _ in 0..1 + dice.below(3) {
                    let home = [dice.below(4), dice.below(7), 9][dice.below(3)];
                    let away = match chance(dice, 20) {
                        true => home + 1 + dice.below(3),
                        false => {
                            [home, dice.below(home + 1), home.saturating_sub(1)][dice.below(3)]
                        }
                    };
                    let day = one(dice, &["Sat", "Sun", "Mon"]);
                    let time = one(dice, &["13:30", "15:45", "20:00"]);
                    let first = one(dice, &["Owls", "Finches 04", "Kiwis"]);
                    let second = one(dice, &["North Wrens", "Emus", "Bo 12 City"]);
                    let end = one(dice, &["", "", " (HT 0-1)", " (HT 2-0)"]);
                    text += &format!("  {day} {time}  {first} {home}-{away} {second}{end}\n");
                }
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: plain: circuit: begin and fork in each other, five deep or more",
        grammar: "",
        input: concat!(
            "// begin fork begin fork begin\nmodule test;\n  reg fork_2;\n  initial begin : main\n",
            "    #5 a = 1;\n    fork\n      begin a <= 2; end\n      if (go) begin\n",
            "        fork : wide\n          wait (ready) begin b = a; end\n          #12 ;\n        join\n",
            "      end\n      $display(\"begin fork begin\");\n    join\n  end\n",
            "  initial begin begin fork join end end /* fork */\nendmodule\n"
        ),
        valid: |input| block_depths(input).is_some(),
        fails: |input| block_depths(input).is_some_and(|all| all.iter().any(|depth| *depth >= 5)),
        draw: |dice| {
            let leaves = [
                "a = 1;",
                "#5 b <= a;",
                "$display(\"begin fork begin\");",
                "if (go) a = 2;",
                "begin a = 4; end",
            ];
            let mut block = one(dice, &leaves[..4]).to_owned();
            for _ in 0..2 + dice.below(6) {
                let mut inner = extras(dice, &leaves);
                inner.truncate(2);
                inner.push(block);
                let inner = shuffled(dice, inner).join(one(dice, &[" ", "\n  "]));
                let label = one(dice, &["", "", "", " : wide", " : fork_2"]);
                let [open, end] = [["begin", "end"], ["fork", "join"]][dice.below(2)];
                let start = one(dice, &["", "", "", "if (go) ", "#12 ", "wait (ready) "]);
                block = format!("{start}{open}{label} {inner} {end}");
            }
            let others = [
                "reg fork_2;",
                "reg a;",
                "// begin fork begin fork begin",
                "initial begin begin fork join end end /* fork */",
                "initial a = 0;",
            ];
            let mut parts = extras(dice, &others);
            parts.push(format!("initial {block}"));
            format!("module test;\n{}\nendmodule\n", shuffled(dice, parts).join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fifth: plain: packages: one without a Maintainer",
        grammar: "",
        input: concat!(
            "# Maintainer: nobody\nPackage: owl\nVersion: 2.1-4\nMaintainer: Ada Finch <ada@owl.example>\n",
            "Depends: libc6 (>= 2.31), wren\n\nPackage: maintainer-tools\n",
            "Original-Maintainer: Bo <bo@owl.example>\nVersion: 0.9\nDescription: tools\n",
            " Maintainer: see below\n .\n\nVersion: 12\nMaintainer: Raj\nPackage: wren\n"
        ),
        valid: |input| have_maintainers(input).is_some(),
        fails: |input| have_maintainers(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let mut packages = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "Original-Maintainer: Bo <bo@owl.example>\n",
                    "Depends: libc6 (>= 2.31), wren\n",
                    "Description: tools\n Maintainer: see below\n .\n",
                    "Section: Maintainer\n",
                ];
                let mut lines = extras(dice, &others);
                let name = one(dice, &["owl", "maintainer-tools", "wren"]);
                lines.push(format!("Package: {name}\n"));
                lines.push(format!("Version: {}\n", one(dice, &["2.1-4", "0.9", "12"])));
                if chance(dice, 76) {
                    let maintainer = one(dice, &["Ada Finch <ada@owl.example>", "Raj", "Bo"]);
                    lines.push(format!("Maintainer: {maintainer}\n"));
                }
                packages.push(shuffled(dice, lines).concat());
            }
            one(dice, &["", "# Maintainer: nobody\n"]).to_owned() + &packages.join("\n")
        },
        patterns: &[],
    },
];
