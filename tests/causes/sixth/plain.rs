//! Causes in texts without a grammar.

use crate::two_sided::{TwoSided, any, joined, one, word};

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "sixth: plain: a port that is too large",
        grammar: "",
        input: "web:8080\ndb:70000\nlog:514",
        valid: any,
        fails: |input| {
            input.lines().any(|line| {
                let port = line.split_once(':').map_or("", |(_, port)| port);
                let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
                is_number && port.parse::<u128>().map_or(true, |port| port > 65535)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let ports = [dice.below(9999), 65535, 65536, 60000 + dice.below(20000)];
                format!("{}:{}", word(dice, 3), ports[dice.below(4)])
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixth: plain: a comment with a semicolon",
        grammar: "",
        input: "a = 1; b\n# one; two\nc = 3 # x",
        valid: any,
        fails: |input| input.lines().any(|line| line.starts_with('#') && line.contains(';')),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let start = one(dice, &["# ", "# ", "a ", ""]);
                let end = one(dice, &["", "; b", " # c", ";"]);
                format!("{start}{}{end}", word(dice, 3))
            })
        },
        patterns: &["#<character>*;", "#<character except newline>*;"],
    },
    TwoSided {
        name: "sixth: plain: an export of nothing",
        grammar: "",
        input: "set a=1\nexport b=\nexport c=2\nset d=",
        valid: any,
        fails: |input| input.lines().any(|line| line.starts_with("export ") && line.ends_with('=')),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let verb = one(dice, &["set", "export", "export"]);
                let value = one(dice, &["", "1", "x"]);
                format!("{verb} {}={value}", word(dice, 3))
            })
        },
        patterns: &[],
    },
];
