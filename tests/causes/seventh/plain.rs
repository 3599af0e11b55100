//! Causes in texts without a grammar.

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// The value of a setting in a text of lines.
fn setting<'i>(input: &'i str, key: &str) -> Option<&'i str> {
    input
        .lines()
        .filter_map(|line| line.split_once('='))
        .find(|pair| pair.0 == key)
        .map(|pair| pair.1)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "seventh: plain: a put or a patch without a length",
        grammar: "",
        input: "PATCH /a/b HTTP/1.1\nHost: x.org\nAccept: all\n",
        valid: |input| {
            let first = input.lines().next().unwrap_or("");
            ["GET ", "PUT ", "POST ", "PATCH ", "HEAD "].iter().any(|verb| first.starts_with(verb))
        },
        fails: |input| {
            let verb = input.split(' ').next().unwrap_or("");
            let has_length = input.lines().skip(1).any(|line| line.starts_with("Length:"));
            ["PUT", "PATCH"].contains(&verb) && !has_length
        },
        draw: |dice| {
            let verb = one(dice, &["GET", "PUT", "PATCH", "PUT", "PATCH", "POST"]);
            let mut lines = vec!["Host: x.org".to_owned()];
            if dice.below(4) == 0 {
                lines.push(format!("Length: {}", dice.below(90)));
            }
            if dice.below(2) == 0 {
                lines.push(format!("X-{}: Length", word(dice, 3)));
            }
            format!("{verb} /{} HTTP/1.1\n{}\n", word(dice, 4), shuffled(dice, lines).join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventh: plain: a section without a host",
        grammar: "",
        input: "[db]\nhost=a\nport=1\n[web]\nport=80\n",
        valid: any,
        fails: |input| {
            let mut sections: Vec<bool> = Vec::new();
            for line in input.lines() {
                match sections.last_mut() {
                    _ if line.starts_with('[') && line.ends_with(']') => sections.push(false),
                    Some(has_host) => *has_host |= line.starts_with("host="),
                    None => (),
                }
            }
            sections.contains(&false)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let host = one(dice, &["host=a\n", "host=bc\n", "host=\n", "ghost=a\n", ""]);
                let port = one(dice, &["", "port=1\n", "port=80\n"]);
                format!("[{}]\n{host}{port}", word(dice, 3))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventh: plain: a count that is not that of the lines",
        grammar: "",
        input: "rows 2\na b\nc d\ne f\n",
        valid: |input| {
            let first = input.lines().next().and_then(|line| line.strip_prefix("rows "));
            first.is_some_and(|count| count.parse::<u16>().is_ok()) && !input.contains("\n\n")
        },
        fails: |input| {
            let first = input.lines().next().and_then(|line| line.strip_prefix("rows "));
            let count = first.and_then(|count| count.parse::<usize>().ok());
            count != Some(input.lines().count().saturating_sub(1))
        },
        draw: |dice| {
            let count = dice.below(5);
            let rows: Vec<String> =
                (0..count).map(|_| format!("{} {}\n", word(dice, 2), word(dice, 2))).collect();
            let said = if dice.below(2) == 0 { count } else { dice.below(6) };
            format!("rows {said}\n{}", rows.concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventh: plain: a fast or turbo mode above level 5",
        grammar: "",
        input: "name=x\nmode=turbo\nlevel=8\n",
        valid: any,
        fails: |input| {
            let is_fast =
                setting(input, "mode").is_some_and(|mode| ["fast", "turbo"].contains(&mode));
            let level = setting(input, "level").and_then(|level| level.parse::<u64>().ok());
            is_fast && level.is_some_and(|level| level > 5)
        },
        draw: |dice| {
            let mode = one(dice, &["fast", "turbo", "slow", "eco", "turbo", "fast"]);
            let mut lines = vec![format!("mode={mode}"), format!("level={}", 3 + dice.below(12))];
            if dice.below(2) == 0 {
                lines.push(format!("name={}", word(dice, 4)));
            }
            format!("{}\n", shuffled(dice, lines).join("\n"))
        },
        patterns: &[],
    },
];
