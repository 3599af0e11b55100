//! Values in a range, two numbers compared, lengths that equal a field, and two conditions at once.

use serde_json::Value;

use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

const SLICES: &str = "grammar Slices; all: (slice ';')* EOF; slice: NAME '[' NUMBER ':' NUMBER ']';
    NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

const POINTS: &str = "grammar Points; path: 'path' point+ EOF; point: '(' NUMBER NUMBER ')';
    NUMBER: '-'? [0-9]+ ('.' [0-9]+)?; WS: [ \\n]+ -> skip;";

/// The numbers of each slice.
fn slices(input: &str) -> Vec<(u64, u64)> {
    let inner = input.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    let pairs = inner.filter_map(|text| text.split_once(':'));
    pairs.filter_map(|(from, to)| from.trim().parse().ok().zip(to.trim().parse().ok())).collect()
}

/// The causes.
pub const COMPARED: &[TwoSided] = &[
    TwoSided {
        name: "fourteenth: json: a port below 1024 for the listener",
        grammar: "@json",
        input: r#"{"name":"web","listen":{"host":"::","port":80},"admin":{"port":9000}}"#,
        valid: any,
        fails: |input| {
            let port = read(input)["listen"]["port"].as_i64();
            port.is_some_and(|port| port < 1024)
        },
        draw: |dice| {
            let near = [80, 443, 1000, 1023, 1024, 1025, 2000, 8080];
            let port = near[dice.below(near.len())];
            let inner = vec![format!("\"host\":\"{}\"", word(dice, 3)), format!("\"port\":{port}")];
            let inner = shuffled(dice, inner).join(",");
            let all = vec![
                format!("\"name\":\"{}\"", word(dice, 3)),
                format!("\"listen\":{{{inner}}}"),
                format!("\"admin\":{{\"port\":{}}}", near[dice.below(near.len())]),
            ];
            format!("{{{}}}", shuffled(dice, all).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: plain: a temperature below minus 40",
        grammar: "",
        input: "station 7\ntemp -55\nwind 12\n",
        valid: any,
        fails: |input| {
            let values = input.lines().filter_map(|line| line.strip_prefix("temp "));
            values.into_iter().any(|value| value.parse::<i64>().is_ok_and(|value| value < -40))
        },
        draw: |dice| {
            let temp = [-60, -41, -40, -39, -5, 0, 12, 50][dice.below(8)];
            let lines = vec![
                format!("temp {temp}"),
                format!("wind {}", dice.below(90)),
                format!("station {}", dice.below(90)),
            ];
            format!("{}\n", shuffled(dice, lines).join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: own: a slice that ends before it begins",
        grammar: SLICES,
        input: "a[0:4]; text[9:5]; b[2:2];",
        valid: any,
        fails: |input| slices(input).iter().any(|(from, to)| from > to),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let from = dice.below(12);
                let to = [from, from + 1, from + 3, from.saturating_sub(1)][dice.below(4)];
                format!("{}[{from}:{to}];", word(dice, 2))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: plain: used memory that is more than the total",
        grammar: "",
        input: "host a\ntotal=100\nused=140\nfree=3\n",
        valid: any,
        fails: |input| {
            let of = |key: &str| {
                let mut values = input.lines().filter_map(|line| line.strip_prefix(key));
                values.next().and_then(|value| value.parse::<u64>().ok())
            };
            of("total=").zip(of("used=")).is_some_and(|(total, used)| used > total)
        },
        draw: |dice| {
            let total = 10 + dice.below(90);
            let used = [total, total + 1, total - 1, dice.below(120)][dice.below(4)];
            let lines = vec![
                format!("total={total}"),
                format!("used={used}"),
                format!("free={}", dice.below(120)),
                format!("host {}", word(dice, 3)),
            ];
            format!("{}\n", shuffled(dice, lines).join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: json: a size that is the length of its name",
        grammar: "@json",
        input: r#"{"id":9,"size":4,"name":"root"}"#,
        valid: any,
        fails: |input| {
            let value = read(input);
            let name = value["name"].as_str().map(|name| name.chars().count() as u64);
            name.is_some() && name == value["size"].as_u64()
        },
        draw: |dice| {
            let name = word(dice, 6);
            let length = name.len();
            let size = [length, length, length + 1, length - 1, dice.below(9)][dice.below(5)];
            let all = vec![
                format!("\"id\":{}", dice.below(9)),
                format!("\"size\":{size}"),
                format!("\"name\":\"{name}\""),
            ];
            format!("{{{}}}", shuffled(dice, all).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: plain: as many words as the number before them",
        grammar: "",
        input: "3: red green blue\n",
        valid: any,
        fails: |input| {
            input.lines().any(|line| {
                let read = line.split_once(": ");
                read.is_some_and(|(number, words)| {
                    let count = words.split(' ').filter(|word| !word.is_empty()).count();
                    count > 0 && number.parse() == Ok(count)
                })
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let number = [count, count, count + 1, count - 1, dice.below(6)][dice.below(5)];
            format!("{number}: {}\n", joined(dice, count, " ", |dice| word(dice, 4)))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: json: debugging with a level of 3 or more",
        grammar: "@json",
        input: r#"{"log":{"debug":true,"level":5,"file":"x"}}"#,
        valid: any,
        fails: |input| {
            let log = &read(input)["log"];
            log["debug"] == Value::Bool(true) && log["level"].as_i64().is_some_and(|one| one >= 3)
        },
        draw: |dice| {
            let level = [0, 1, 2, 2, 3, 3, 4, 7][dice.below(8)];
            let debug = one(dice, &["true", "true", "true", "false", "null"]);
            let all = vec![
                format!("\"debug\":{debug}"),
                format!("\"level\":{level}"),
                format!("\"file\":\"{}\"", word(dice, 3)),
            ];
            format!("{{\"log\":{{{}}}}}", shuffled(dice, all).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: own: a point of three decimals and a negative number",
        grammar: POINTS,
        input: "path (1 2.5) (-4 3.125) (0 7)",
        valid: any,
        fails: |input| {
            let numbers = input.split(|c: char| c == '(' || c == ')' || c.is_whitespace());
            let numbers: Vec<&str> = numbers.filter(|text| text.parse::<f64>().is_ok()).collect();
            let decimals = |text: &&str| text.split_once('.').map_or(0, |(_, after)| after.len());
            numbers.iter().any(|text| decimals(text) == 3)
                && numbers.iter().any(|text| text.starts_with('-'))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let points = joined(dice, count, " ", |dice| {
                let mut number = || {
                    let text = one(dice, &["1.250", "-3", "4.75", "12", "0.001", "-0.5", "8", "2"]);
                    text.to_owned()
                };
                format!("({} {})", number(), number())
            });
            format!("path {points}")
        },
        patterns: &[],
    },
];
