//! Causes in lines without a grammar: messages of a log, features of genes, moves of a printer, and a session
//! by SMTP.

use super::{measure, named};
use crate::draws::{above, are_negative_and_fine, chance, extras, steps};
use crate::readers::{are_in_order, is_shown, number};
use crate::two_sided::{TwoSided, any, joined, one, word};

/// The priorities of some messages.
fn priorities(input: &str) -> Option<Vec<u32>> {
    let all = input.lines().map(|line| {
        let (priority, rest) = line.strip_prefix('<')?.split_once('>')?;
        let words: Vec<&str> = rest.split(' ').collect();
        let ["1", time, host, program, process, kind, data, ..] = words[..] else { return None };
        let are_words = [host, program, process, kind].iter().all(|word| !word.is_empty());
        let is_time = time.ends_with('Z') && time.contains('T');
        let is_right = are_words && is_time && (data == "-" || data.starts_with('['));
        number(priority).filter(|_| is_right && is_shown(line) && priority.len() < 4)
    });
    all.collect()
}

/// The start and the end of each feature. Lines with too few columns are skipped.
fn features(input: &str) -> Vec<(u64, u64)> {
    let is_head = |line: &&str| ["#", "track", "browser"].iter().any(|head| line.starts_with(head));
    let lines = input.lines().filter(|line| !is_head(line));
    let all = lines.filter_map(|line| {
        let mut columns = line.split_whitespace().skip(1);
        columns.next()?.parse().ok().zip(columns.next()?.parse().ok())
    });
    all.collect()
}

/// The numbers of each G1: whether each is negative, and how many decimals it has.
fn moves(input: &str) -> Vec<Vec<(bool, usize)>> {
    let lines = input.lines().map(|line| line.split_once(';').map_or(line, |(code, _)| code));
    let moves = lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        let is_move = words.next()? == "G1";
        let numbers = words.filter_map(|word| {
            let text = word.strip_prefix(['X', 'Y', 'Z', 'E', 'F'])?;
            text.parse::<f64>().ok()?;
            let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            Some((text.starts_with('-'), decimals))
        });
        is_move.then(|| numbers.collect())
    });
    moves.collect()
}

/// The commands of a session, in capitals, without the lines of a mail.
fn commands(input: &str) -> Vec<String> {
    let (mut found, mut is_mail) = (Vec::new(), false);
    for line in input.lines() {
        if is_mail {
            is_mail = line != ".";
            continue;
        }
        let command = line.split([' ', ':']).next().unwrap_or("").to_ascii_uppercase();
        is_mail = command == "DATA";
        found.push(command);
    }
    found
}

/// The causes.
pub const RECORDS: &[TwoSided] = &[
    TwoSided {
        name: "forty-seventh: plain: syslog: a message with a priority above 191",
        grammar: "",
        input: concat!(
            "<34>1 2024-10-11T22:14:15Z gate su - ID47 - failed for root on pts 8\n",
            "<165>1 2024-10-11T22:14:16Z gate app 1201 START [meta id=\"12\"] 200 files read\n",
            "<13>1 2024-10-11T22:14:18Z db-2 backup 880 - - done in 193 s\n",
            "<86>1 2024-10-11T22:15:01Z gate sshd 4410 LOGIN - session opened for ines\n",
            "<191>1 2024-10-11T22:15:02Z db-2 probe 77 - - trace of 4 queries\n",
            "<6>1 2024-10-11T22:15:09Z gate kernel - - - eth0 up <199>\n",
            "<196>1 2024-10-11T22:15:20Z switch-4 agent 12 PORT [if name=\"ge2\"] link down\n",
            "<30>1 2024-10-11T22:15:21Z gate timer 1 - - next run in 300 s\n",
            "<134>1 2024-10-11T22:15:40Z proxy haproxy 915 - - 10.0.4.12 GET / 200\n",
            "<22>1 2024-10-11T22:16:00Z mail postfix 3001 QUEUE - removed\n"
        ),
        valid: |input| priorities(input).is_some(),
        fails: |input| priorities(input).is_some_and(|all| all.iter().any(|one| *one > 191)),
        draw: |dice| {
            let mut text = String::new();
            for _ in 0..1 + dice.below(8) {
                let priority = match chance(dice, 14) {
                    true => [192, 193, 192 + dice.below(60), 192 + dice.below(808)][dice.below(4)],
                    false => [190, 191, dice.below(192), dice.below(192)][dice.below(4)],
                };
                let time = joined(dice, 3, ":", |dice| (10 + dice.below(14)).to_string());
                let day = 10 + dice.below(20);
                let host = named(dice, &["gate", "db-2", "switch-4", "proxy", "10.0.4.12"]);
                let program = named(dice, &["su", "sshd", "kernel", "postfix", "haproxy"]);
                let process = [dice.below(9000).to_string(), "-".to_owned()][dice.below(2)].clone();
                let kind = one(dice, &["-", "-", "ID47", "LOGIN", "QUEUE"]);
                let data = one(dice, &["-", "-", "[meta id=\"192\"]", "[if name=\"ge2\"]"]);
                let count = dice.below(5);
                let words = joined(dice, count, " ", |dice| match dice.below(5) {
                    0 => dice.below(400).to_string(),
                    _ => named(dice, &["failed", "session", "<199>", "done", "link"]),
                });
                let start = format!("<{priority}>1 2024-10-{day}T{time}Z {host}");
                text += &format!("{start} {program} {process} {kind} {data} {words}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: plain: bed: a feature whose start is greater than its end",
        grammar: "",
        input: concat!(
            "# Exons, made on 2024-03-02\nbrowser position chr7:127471196-127495720\n",
            "track name=exons description=\"Exons 900 to 400\" visibility=2\n",
            "chr7\t127471196\t127472363\tPos1\t0\t+\t127471196\t127472363\n",
            "chr7\t127472363\t127473530\tPos2\t960\t+\t127473530\t127472363\n",
            "chr7\t127473530\t127474697\tPos3\t0\t-\nchr7\t127475864\t127474697\tNeg1\t12\t-\n",
            "chr7\t127475864\t127477031\tNeg2\t0\t-\nchr12\t500\t500\tins\t0\t+\n",
            "chrX\t0\t1200\ntrack name=peaks\nchrX\t4400\t4600\tpeak_9\t700\t+\nchrX\t5100\t5350\n"
        ),
        valid: any,
        fails: |input| features(input).iter().any(|(start, end)| start > end),
        draw: |dice| {
            let others = [
                "# Exons, 900 400\n",
                "browser position chr7:900-400\n",
                "track name=exons description=\"Exons 900 to 400\"\n",
            ];
            let mut text = extras(dice, &others).concat();
            for _ in 0..1 + dice.below(7) {
                let end = [dice.below(20), dice.below(9000), 127_000_000 + dice.below(90_000)];
                let end = end[dice.below(3)];
                let start = above(dice, end, 14);
                let place = one(dice, &["chr1", "chr7", "chr12", "chrX", "scaffold_4"]);
                let gap = one(dice, &["\t", "\t", "\t", " "]);
                let name = named(dice, &["Pos1", "Neg2", "peak_9", "."]);
                let score = [dice.below(1000), 0][dice.below(2)];
                let sign = one(dice, &["+", "-"]);
                let mut columns = vec![place.to_owned(), start.to_string(), end.to_string()];
                if chance(dice, 70) {
                    columns.extend([name, score.to_string(), sign.to_owned()]);
                }
                if columns.len() > 3 && chance(dice, 40) {
                    let thick = [dice.below(9000), dice.below(9000)];
                    columns.extend(thick.map(|at| at.to_string()));
                }
                text += &format!("{}\n", columns.join(gap));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-seventh: plain: gcode: a G1 with a negative number and a number of exactly ",
            "three decimals"
        ),
        grammar: "",
        input: concat!(
            "; Bracket, 0.2 mm, made by slicer 2.7\nM140 S60\nM104 S215 ; nozzle\nG21\nG90\nM82\nG28\n",
            "G0 X-10.125 Y0.5 F6000 ; park\nG1 Z0.25 F1200\nG1 X10.5 Y12.125 E0.42\nG1 X22.75 Y12.125 E1.375\n",
            "G1 X22.75 Y40 E2.9 ; -1 or 0.125\nG1 E-0.8 F2400\nG0 X4 Y4.5\nG1 E0 F2400\n",
            "G1 X4.333 Y-2.5 E3.1\nG1 X-4 Y-2.5 E3.75\nG1 X-4.5 Y8.1234 E4.2\nM106 S255\nG92 E0\n",
            "M104 S0\nM140 S0\nG28 X0\nM84\n"
        ),
        valid: any,
        fails: |input| moves(input).iter().any(|numbers| are_negative_and_fine(numbers)),
        draw: |dice| {
            let others =
                ["; Bracket, -1 or 0.125\n", "M140 S60\n", "G90\n", "M104 S215 ; -0.125\n"];
            let mut text = extras(dice, &others).concat();
            for _ in 0..1 + dice.below(7) {
                let mut words = vec![one(dice, &["G1", "G1", "G1", "G1", "G0", "G92"]).to_owned()];
                let axes = [&["X", "Y"][..], &["X", "Y", "E"], &["Z"], &["E", "F"], &["X"]];
                for axis in axes[dice.below(5)] {
                    words.push(format!("{axis}{}", measure(dice)));
                }
                let end = one(dice, &["", "", "", " ; wall", " F1200", " ; -1.125"]);
                text += &format!("{}{end}\n", words.join(" "));
                text += one(dice, &["", "", "", "M106 S255\n", "G28 X-0.125\n"]);
            }
            text + one(dice, &["", "M104 S0\nM84\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: plain: smtp: a session with MAIL, then RSET, and then DATA",
        grammar: "",
        input: concat!(
            "EHLO desk.office.example\r\nNOOP\r\nMAIL FROM:<ines@office.example> SIZE=1200\r\n",
            "RCPT TO:<tom@mail.example>\r\nRCPT TO:<data@mail.example>\r\nRSET\r\n",
            "VRFY postmaster\r\nMAIL FROM:<ines@office.example>\r\nRCPT TO:<zoe@mail.example>\r\nDATA\r\n",
            "From: Ines <ines@office.example>\r\nTo: Zoe <zoe@mail.example>\r\nSubject: Reset of the door code\r\n",
            "\r\nHello Zoe,\r\n\r\nthe code is 4411 from Monday on.\r\nMAIL me if it fails.\r\n\r\nInes\r\n.\r\n",
            "NOOP\r\nQUIT\r\n"
        ),
        valid: any,
        fails: |input| {
            let all = commands(input);
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            are_in_order(&all, &["MAIL", "RSET", "DATA"])
        },
        draw: |dice| {
            let known = ["NOOP", "VRFY", "RCPT", "RCPT", "RCPT", "MAIL", "RSET", "HELP"];
            let mut names = steps(dice, ["MAIL", "RSET", "DATA"], &known);
            if chance(dice, 12) && names.len() > 1 {
                names.remove(dice.below(names.len()));
            }
            let host = named(dice, &["desk", "mx", "data"]);
            let mut text = format!("{} {host}.example\r\n", one(dice, &["EHLO", "HELO"]));
            for name in names {
                let who = named(dice, &["ines", "tom", "zoe", "data", "postmaster"]);
                text += &match name {
                    "MAIL" => format!("MAIL FROM:<{who}@office.example>\r\n"),
                    "RCPT" => format!("RCPT TO:<{who}@mail.example>\r\n"),
                    "VRFY" => format!("VRFY {who}\r\n"),
                    "DATA" => {
                        let count = 1 + dice.below(3);
                        let lines = joined(dice, count, "\r\n", |dice| {
                            let count = 1 + dice.below(4);
                            let words = joined(dice, count, " ", |dice| word(dice, 7));
                            named(dice, &["RSET", "DATA", "MAIL me", "Hello,", "", &words])
                        });
                        format!("DATA\r\nSubject: {who}\r\n\r\n{lines}\r\n.\r\n")
                    }
                    name => format!("{name}\r\n"),
                };
            }
            text + one(dice, &["QUIT\r\n", "QUIT\r\n", ""])
        },
        patterns: &[],
    },
];
