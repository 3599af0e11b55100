//! Causes in logs and settings of lines.

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// The causes.
pub const LINES: &[TwoSided] = &[
    TwoSided {
        name: "tenth: plain: log: an error after the shutdown",
        grammar: "",
        input: "INFO start\nERROR disk\nINFO shutdown\nERROR late\nINFO end\n",
        valid: any,
        fails: |input| {
            let mut lines = input.lines().skip_while(|line| *line != "INFO shutdown");
            lines.any(|line| line.starts_with("ERROR "))
        },
        draw: |dice| {
            let count = 2 + dice.below(4);
            joined(dice, count, "\n", |dice| {
                let level = one(dice, &["ERROR", "ERROR", "INFO", "INFO", "INFO"]);
                format!("{level} {}", one(dice, &["shutdown", "shutdown", "start", "disk"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: plain: a key that is set twice",
        grammar: "",
        input: "user = ann\nmode = x\nuser = bob\nhost = x\n",
        valid: any,
        fails: |input| {
            let mut keys: Vec<&str> = input
                .lines()
                .filter_map(|line| line.split_once(" = "))
                .map(|pair| pair.0)
                .collect();
            keys.sort_unstable();
            keys.windows(2).any(|pair| pair[0] == pair[1])
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let key = one(dice, &["user", "mode", "host", "port", "size"]);
                format!("{key} = {}", one(dice, &["user", "mode", "ann", "4"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: plain: fewer items than it says",
        grammar: "",
        input: "items 3\n* pen\n* book\nend\n",
        valid: |input| {
            let rest = input.strip_prefix("items ").and_then(|rest| rest.split_once('\n'));
            rest.is_some_and(|(said, _)| said.len() < 4 && said.parse::<u16>().is_ok())
        },
        fails: |input| {
            let said = input["items ".len()..].lines().next().and_then(|said| said.parse().ok());
            let there = input.lines().filter(|line| line.starts_with("* ")).count();
            said.is_some_and(|said: usize| there < said)
        },
        draw: |dice| {
            let count = dice.below(4);
            let mut lines: Vec<String> =
                (0..count).map(|_| format!("* {}", word(dice, 4))).collect();
            lines.push(one(dice, &["end", "x", "note 4"]).to_owned());
            let said = [count, count + 1, dice.below(6), count.saturating_sub(1)][dice.below(4)];
            format!("items {said}\n{}", shuffled(dice, lines).join("\n"))
        },
        patterns: &[],
    },
];
