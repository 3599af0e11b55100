//! Causes without a grammar in three lists of commands: rules of a firewall, moves of a machine, and steps that
//! build an image.

use super::{mixed, name};
use crate::draws::{above, are_negative_and_fine, chance, extras, figure, statements, steps};
use crate::readers::{are_in_order, signed_decimals};
use crate::two_sided::{TwoSided, any, joined, one};

/// The first and the last port of each range of ports of some rules.
fn ranges(input: &str) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    for line in statements(input, "#") {
        let words: Vec<&str> = line.split_whitespace().collect();
        let values = words.windows(2).filter(|pair| ["--dport", "--sport"].contains(&pair[0]));
        found.extend(values.filter_map(|pair| {
            let (first, last) = pair[1].split_once(':')?;
            first.parse().ok().zip(last.parse().ok())
        }));
    }
    found
}

/// Whether a line of moves has a negative number and one with three decimals.
fn has_such_move(input: &str) -> bool {
    super::without_remarks(input, ";").lines().any(|line| {
        let words = line.split_whitespace();
        let values = words.filter_map(|word| word.strip_prefix(|c: char| c.is_ascii_uppercase()));
        let numbers: Vec<(bool, usize)> = values.filter_map(signed_decimals).collect();
        are_negative_and_fine(&numbers)
    })
}

/// The instructions of the steps that build an image; nothing if one is not known.
fn instructions(input: &str) -> Option<Vec<&str>> {
    let known = [
        "FROM",
        "RUN",
        "COPY",
        "USER",
        "WORKDIR",
        "ENV",
        "EXPOSE",
        "CMD",
        "ENTRYPOINT",
        "LABEL",
        "ARG",
    ];
    let all = statements(input, "#").map(|line| {
        let (instruction, rest) = line.split_once(' ')?;
        let is_right = known.contains(&instruction) && !rest.trim().is_empty();
        let is_copy = instruction != "COPY" || rest.split_whitespace().count() > 1;
        let is_env = instruction != "ENV" || rest.contains('=');
        (is_right && is_copy && is_env).then_some(instruction)
    });
    let all = all.collect::<Option<Vec<&str>>>()?;
    (all.first() == Some(&"FROM")).then_some(all)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "forty-fifth: plain: firewall: a range of ports whose first is greater than its last",
        grammar: "",
        input: concat!(
            "*filter\n:INPUT DROP [120:7]\n:OUTPUT ACCEPT [0:0]\n# --dport 9:4\n-A INPUT -i lo -j ACCEPT\n",
            "-A INPUT -p tcp --dport 22 -j ACCEPT\n-A INPUT -p tcp --dport 8000:8080 -j ACCEPT\n",
            "-A INPUT -s 10.0.0.0/8 -p udp --dport 6100:6000 -j ACCEPT\n",
            "-A INPUT -p udp --sport 67:68 --dport 68 -j ACCEPT\n-A INPUT -m limit --limit 5/min -j LOG\n",
            "COMMIT\n"
        ),
        valid: any,
        fails: |input| ranges(input).iter().any(|(first, last)| first > last),
        draw: |dice| {
            let mut rules = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let last = [80, 1024, 1 + dice.below(900), dice.below(60_000)][dice.below(4)];
                let first = above(dice, last, 26);
                let option = one(dice, &["--dport", "--dport", "--sport"]);
                let ports = match dice.below(7) {
                    0 => format!("{option} {first}"),
                    1 => format!("--sport {last} --dport {first}"),
                    _ => format!("{option} {first}:{last}"),
                };
                let chain = one(dice, &["INPUT", "OUTPUT", "FORWARD"]);
                let from = one(dice, &["", "", " -s 10.0.0.0/8", " -i eth0"]);
                let to = one(dice, &["ACCEPT", "DROP", "LOG"]);
                let kind = one(dice, &["tcp", "udp"]);
                rules.push(format!("-A {chain}{from} -p {kind} {ports} -j {to}\n"));
            }
            let others = [
                "-A INPUT -i lo -j ACCEPT\n",
                "# --dport 9:4\n",
                "-A INPUT --limit 5/min -j LOG\n",
            ];
            let rules = mixed(dice, rules, &others).concat();
            let start = extras(dice, &[":INPUT DROP [120:7]\n", ":OUTPUT ACCEPT [0:0]\n"]).concat();
            format!("*filter\n{start}{rules}COMMIT\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-fifth: plain: gcode: a line with a negative number and a number of exactly three ",
            "decimals"
        ),
        grammar: "",
        input: concat!(
            "; part 7 -1.125\nG21 ; mm\nG90\nM104 S200\nG28 X0 Y0\nG92 E0\nG1 Z0.25 F1200\n",
            "G1 X-12.5 Y40 E0.5 F1800 ; 0.125\nG1 X12.125 Y40.75 E1.25\nG1 X14.375 Y-3.5 E1.75\n",
            "G0 X0 Y0 Z10\nG1 E-2 F2400\nM107\nM84 ; -4.500\n"
        ),
        valid: any,
        fails: has_such_move,
        draw: |dice| {
            let mut lines = Vec::new();
            for _ in 0..1 + dice.below(5) {
                let mut line = one(dice, &["G1", "G1", "G0", "G2"]).to_owned();
                for axis in extras(dice, &["X", "Y", "Z", "E", "I", "J", "K", "R"]) {
                    let number = match dice.below(5) {
                        0 | 1 => dice.below(200).to_string(),
                        _ => figure(dice),
                    };
                    line += &format!(" {axis}{number}");
                }
                line += one(dice, &["", " F1800", "", " ; -0.125", " ; top"]);
                lines.push(line + "\n");
            }
            let others = ["; part 7 -1.125\n", "G21\n", "M104 S200\n", "G28 X0 Y0\n", "M107\n"];
            mixed(dice, lines, &others).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: plain: dockerfile: a USER, then a WORKDIR, and then a COPY",
        grammar: "",
        input: concat!(
            "# USER, WORKDIR, COPY\nFROM rust:1.75 AS build\nARG MODE=release\nWORKDIR /src\nCOPY . /src\n",
            "RUN cargo build --release\n\nFROM debian:stable\nLABEL name=\"WORKDIR\"\nENV PATH=/app:$PATH\n",
            "COPY --from=build /src/out /app\nRUN useradd -m app\nUSER app\nEXPOSE 8080\nWORKDIR /app\n",
            "RUN mkdir data\nCOPY settings.toml /app/data\nENTRYPOINT [\"/app/run\"]\nCMD [\"serve\"]\n"
        ),
        valid: |input| instructions(input).is_some(),
        fails: |input| {
            let all = instructions(input).unwrap_or_default();
            are_in_order(&all, &["USER", "WORKDIR", "COPY"])
        },
        draw: |dice| {
            let others = ["RUN", "ENV", "EXPOSE", "COPY", "WORKDIR", "USER", "LABEL", "FROM"];
            let count = 1 + dice.below(20);
            let mut text = format!("FROM {}:{count}\n", one(dice, &["alpine", "debian", "rust"]));
            for step in steps(dice, ["USER", "WORKDIR", "COPY"], &others) {
                let name = name(dice);
                let rest = match step {
                    "COPY" => format!("{name} /app/{name}"),
                    "WORKDIR" => format!("/{name}"),
                    "ENV" => format!("{}=USER", name.to_ascii_uppercase()),
                    "EXPOSE" => dice.below(9000).to_string(),
                    "RUN" => format!("echo COPY {name}"),
                    "LABEL" => format!("name=\"WORKDIR {name}\""),
                    _ => name,
                };
                text += &format!("{step} {rest}\n");
                text += one(dice, &["", "", "\n", "# USER, WORKDIR, COPY\n"]);
            }
            let end = joined(dice, 1, "", |dice| one(dice, &["serve", "run"]).to_owned());
            if chance(dice, 50) {
                text += &format!("CMD [\"{end}\"]\n");
            }
            text
        },
        patterns: &[],
    },
];
