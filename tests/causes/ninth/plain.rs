//! Causes in texts without a grammar.

use crate::two_sided::{TwoSided, any, one, shuffled, word};

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "ninth: plain: a port above 65535",
        grammar: "",
        input: "host=a\nport=70000\nuser=b\n",
        valid: any,
        fails: |input| {
            let ports = input.lines().filter_map(|line| line.strip_prefix("port="));
            ports.filter_map(|port| port.parse::<u64>().ok()).any(|port| port > 65535)
        },
        draw: |dice| {
            let near = [65530 + dice.below(12), dice.below(65536), 65536 + dice.below(90000)];
            let port = near[dice.below(3)];
            let key = one(dice, &["port", "port", "port", "size"]);
            let lines = vec![format!("{key}={port}"), format!("host={}", word(dice, 4))];
            shuffled(dice, lines).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "ninth: plain: a period that ends on a day before its first",
        grammar: "",
        input: "name: x\nfrom: 2023-08-20\nto: 2023-08-04\n",
        valid: |input| {
            let day = |key: &str| {
                let line = input.lines().find_map(|line| line.strip_prefix(key));
                line.is_some_and(|day| {
                    let parts: Vec<&str> = day.split('-').collect();
                    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
                    lengths == [4, 2, 2] && day.bytes().all(|b| b.is_ascii_digit() || b == b'-')
                })
            };
            day("from: ") && day("to: ")
        },
        fails: |input| {
            let day = |key: &str| input.lines().find_map(|line| line.strip_prefix(key));
            day("to: ") < day("from: ")
        },
        draw: |dice| {
            let day = |dice: &mut seedsmith_grammar::Random| {
                let (month, day) = (1 + dice.below(3), 1 + dice.below(28));
                format!("202{}-{month:02}-{day:02}", dice.below(2))
            };
            let (from, to) = (day(dice), day(dice));
            let lines = vec![
                format!("from: {from}"),
                format!("to: {to}"),
                format!("name: {}", word(dice, 3)),
            ];
            shuffled(dice, lines).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "ninth: plain: a debug level of 3 together with tracing",
        grammar: "",
        input: "color on\ndebug 3\ntrace on\n",
        valid: any,
        fails: |input| {
            let has = |wanted: &str| input.lines().any(|line| line == wanted);
            has("debug 3") && has("trace on")
        },
        draw: |dice| {
            let level = [3, 3, dice.below(6)][dice.below(3)];
            let trace = one(dice, &["on", "on", "off"]);
            let key = one(dice, &["debug", "debug", "debug", "color"]);
            let lines = vec![format!("{key} {level}"), format!("trace {trace}"), "x y".to_owned()];
            shuffled(dice, lines).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "ninth: plain: rows of unequal length",
        grammar: "",
        input: "1;2;3\n4;5\n6;7;8\n",
        valid: |input| !input.is_empty() && input.lines().all(|line| !line.is_empty()),
        fails: |input| {
            let counts: Vec<usize> = input.lines().map(|line| line.split(';').count()).collect();
            counts.windows(2).any(|pair| pair[0] != pair[1])
        },
        draw: |dice| {
            let wide = 1 + dice.below(3);
            let mut rows = Vec::new();
            for _ in 0..1 + dice.below(3) {
                let cells = wide + usize::from(dice.below(4) == 0);
                rows.push(vec![one(dice, &["1", "x", "20"]); cells].join(";"));
            }
            format!("{}\n", rows.join("\n"))
        },
        patterns: &[],
    },
];
