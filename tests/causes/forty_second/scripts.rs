//! Causes in scripts without a grammar: G-code, commands for a disc, rules of a firewall and steps of a build.

use seedsmith_grammar::Random;

use super::{are_negative_and_exact, is_identifier};
use crate::draws::{chance, extras, figure, has_twins, picked, statements, steps};
use crate::readers::are_in_order;
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The numbers of each linear move (G1) of G-code, as they are written.
fn moves(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut found = Vec::new();
    for line in input.lines() {
        let text = line.split(';').next()?;
        let mut words = text.split_whitespace().peekable();
        if let Some(number) = words.peek().and_then(|word| word.strip_prefix('N')) {
            number.parse::<u32>().ok()?;
            words.next();
        }
        let Some(command) = words.next() else { continue };
        let number: u32 = command.strip_prefix(['G', 'M'])?.parse().ok()?;
        let values = words.map(|word| word.strip_prefix(['X', 'Y', 'Z', 'E', 'F', 'S']));
        let values = values.collect::<Option<Vec<&str>>>()?;
        values.iter().all(|value| is_decimal(value)).then_some(())?;
        if command.starts_with('G') && number == 1 {
            found.push(values);
        }
    }
    Some(found)
}

/// Whether a text is a number with digits, maybe a sign before them and a point inside.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    digits.splitn(2, '.').all(is_digits)
}

/// The commands for a disc.
fn commands(input: &str) -> Option<Vec<&str>> {
    let read = |line| {
        let words: Vec<&str> = str::split_whitespace(line).collect();
        let is_right = match &words[..] {
            ["attach", name] => is_identifier(name),
            ["seek", place] => place.parse::<u32>().is_ok(),
            ["write", _, ..] => words.len() > 1,
            ["read", count] => count.parse::<u32>().is_ok(),
            ["detach" | "flush" | "status"] => true,
            _ => false,
        };
        is_right.then(|| words[0])
    };
    statements(input, "#").map(read).collect()
}

/// The ports of each rule of a firewall.
fn ports(input: &str) -> Option<Vec<Vec<u16>>> {
    let read = |line| {
        let words: Vec<&str> = str::split_whitespace(line).collect();
        let ["allow" | "deny", "tcp" | "udp", ports, "from", zones, end @ ..] = &words[..] else {
            return None;
        };
        let is_right = zones.split(',').all(is_identifier) && [&[][..], &["log"]].contains(&end);
        ports.split(',').map(|port| port.parse().ok().filter(|_| is_right)).collect()
    };
    statements(input, "#").map(read).collect()
}

/// The commands of a build and their numbers, if they have one.
fn build(input: &str) -> Option<Vec<(&str, Option<u32>)>> {
    let read = |line| {
        let (command, rest) = str::split_once(line, ' ')?;
        match command {
            "step" => is_identifier(rest).then_some((command, None)),
            "run" => Some((command, None)),
            "env" => rest.split_once('=').map(|_| (command, None)),
            "retry" | "repeat" | "wait" => Some((command, Some(rest.trim().parse().ok()?))),
            _ => None,
        }
    };
    statements(input, "#").map(read).collect()
}

/// A move with two to four numbers.
fn linear_move(dice: &mut Random) -> String {
    let axes = picked(dice, &["X", "Y", "Z", "E", "F"], 4, 0);
    let words: Vec<String> = axes.iter().map(|axis| format!(" {axis}{}", figure(dice))).collect();
    let start = one(dice, &["G1", "G1", "G1", "G1", "G0", "G92"]);
    format!("{start}{}", words.concat())
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "forty-second: plain: gcode: a G1 with a negative number and one with three decimals",
        grammar: "",
        input: concat!(
            "; box, 0.2 mm layers\nG28\nM104 S210\nG92 E-1.125\nG1 Z0.2 F1200\nG0 X-10.5 Y4.125\n",
            "N12 G1 X20.05 Y30 E0.375\nG1 X-20 Y30.125 E0.75 ; side\nG1 X-20.5 Y-4.25\nM107\nG1 X0 Y0\n"
        ),
        valid: |input| moves(input).is_some(),
        fails: |input| {
            moves(input)
                .is_some_and(|all| all.iter().any(|numbers| are_negative_and_exact(numbers)))
        },
        draw: |dice| {
            let others = ["; box -1 0.125\n", "G28\n", "M104 S210\n", "M107\n"];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(5) {
                let start = one(dice, &["", "", "", "N12 "]);
                let end = one(dice, &["", "", "", " ; side -2"]);
                lines.push(format!("{start}{}{end}\n", linear_move(dice)));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: disc: an attach, then a detach, and then a flush",
        grammar: "",
        input: concat!(
            "# copy a block\nstatus\nflush\nattach disk0\nseek 512\nread 64\nwrite hello flush\n",
            "detach\nstatus\nwrite more text\nflush\nseek 0\n"
        ),
        valid: |input| commands(input).is_some(),
        fails: |input| {
            let wanted = ["attach", "detach", "flush"];
            commands(input).is_some_and(|all| are_in_order(&all, &wanted))
        },
        draw: |dice| {
            let others = ["attach", "detach", "flush", "seek", "write", "read", "status", "#"];
            let all = steps(dice, ["attach", "detach", "flush"], &others);
            let lines = all.into_iter().map(|command| match command {
                "attach" => format!("attach {}\n", one(dice, &["disk0", "disk1", "flush"])),
                "seek" | "read" => format!("{command} {}\n", dice.below(600)),
                "write" => format!("write {}\n", one(dice, &["hello flush", "detach", "a b c"])),
                "#" => "# attach, detach, flush\n".to_owned(),
                _ => format!("{command}\n"),
            });
            lines.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: firewall: a rule with the same port twice",
        grammar: "",
        input: concat!(
            "# rules, first match wins\nallow tcp 22 from lan\nallow tcp 80,443,8080 from lan,wan\n",
            "deny udp 53 from wan,wan log\nallow udp 53,123,5353,123 from lan\n\ndeny tcp 22,80 from wan log\n"
        ),
        valid: |input| ports(input).is_some(),
        fails: |input| ports(input).is_some_and(|all| all.iter().any(|ports| has_twins(ports))),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let rules = joined(dice, count, "", |dice| {
                let known = ["22", "80", "443", "8080", "53", "123", "2", "808"];
                let ports = picked(dice, &known, 4, 24).join(",");
                let action = one(dice, &["allow", "deny"]);
                let protocol = one(dice, &["tcp", "udp"]);
                let zones = one(dice, &["lan", "wan", "lan,wan", "wan,wan", "dmz,lan,dmz"]);
                let end = one(dice, &["", " log"]);
                let remark = one(dice, &["", "", "", "# 22,22\n", "\n"]);
                format!("{action} {protocol} {ports} from {zones}{end}\n{remark}")
            });
            format!("{}{rules}", one(dice, &["", "# rules\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: plain: build: a retry or a repeat with the number 0",
        grammar: "",
        input: concat!(
            "# nightly build\nenv CI=0\nstep fetch\n  run git pull\n  retry 3\nstep compile\n  repeat 2\n",
            "  run make -j 0\n  wait 0\nstep test\n  run make test\n  retry 0\n  env REPEAT=0\nstep publish\n  wait 10\n"
        ),
        valid: |input| build(input).is_some(),
        fails: |input| {
            let all = build(input).unwrap_or_default();
            all.contains(&("retry", Some(0))) || all.contains(&("repeat", Some(0)))
        },
        draw: |dice| {
            let mut text = one(dice, &["", "# retry 0\n", "env CI=0\n"]).to_owned();
            for _ in 0..1 + dice.below(3) {
                let others = ["  run make -j 0\n", "  run repeat 0\n", "  env REPEAT=0\n"];
                let mut lines = extras(dice, &others);
                for _ in 0..dice.below(3) {
                    let command = one(dice, &["retry", "repeat", "wait"]);
                    let number = if chance(dice, 36) { 0 } else { 1 + dice.below(30) };
                    lines.push(format!("  {command} {number}\n"));
                }
                let name = one(dice, &["fetch", "compile", "test", "retry"]);
                text += &format!("step {name}\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
];
