//! Causes in JSON.

use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "seventh: json: a lowest temperature above the highest",
        grammar: "@json",
        input: r#"{"site":"roof","min":7,"max":-3,"log":[false,4]}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let least = all["min"].as_i64();
            all["max"].as_i64().is_some_and(|most| least.is_some_and(|least| least > most))
        },
        draw: |dice| {
            let least = dice.below(30) as i64 - 15;
            let mut pairs =
                vec![format!("\"min\":{least}"), format!("\"max\":{}", dice.below(30) as i64 - 15)];
            if dice.below(3) == 0 {
                pairs[1] = format!("\"max\":{}", least - dice.below(2) as i64);
            }
            pairs.push(format!("\"log\":[{},false]", dice.below(9)));
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventh: json: a length that is not that of the items",
        grammar: "@json",
        input: r#"{"len":3,"items":["a","b"],"tag":"t"}"#,
        valid: |input| {
            let all = read(input);
            all["len"].is_u64() && all["items"].is_array()
        },
        fails: |input| {
            let all = read(input);
            all["items"].as_array().map(|items| items.len() as u64) != all["len"].as_u64()
        },
        draw: |dice| {
            let count = dice.below(5);
            let items = joined(dice, count, ",", |dice| format!("\"{}\"", word(dice, 3)));
            let len = if dice.below(2) == 0 { count } else { dice.below(6) };
            let pairs = vec![format!("\"len\":{len}"), format!("\"items\":[{items}]")];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventh: json: two of three outputs at once",
        grammar: "@json",
        input: r#"{"file":true,"screen":false,"mail":true,"level":3}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            ["file", "screen", "mail"].iter().filter(|key| all[**key] == true).count() >= 2
        },
        draw: |dice| {
            let mut pairs = vec![format!("\"level\":{}", dice.below(9))];
            for key in ["file", "screen", "mail"] {
                let value = one(dice, &["true", "false", "true", "1"]);
                if dice.below(5) > 0 {
                    pairs.push(format!("\"{key}\":{value}"));
                }
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
