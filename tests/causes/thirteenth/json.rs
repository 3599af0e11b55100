//! Causes in JSON.

use serde_json::Value;

use crate::readers::items;
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

/// Whether some object of a text is such.
fn some_object(value: &Value, is_such: &dyn Fn(&serde_json::Map<String, Value>) -> bool) -> bool {
    match value {
        Value::Object(all) => is_such(all) || all.values().any(|one| some_object(one, is_such)),
        Value::Array(all) => all.iter().any(|one| some_object(one, is_such)),
        _ => false,
    }
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirteenth: json: a timeout from 30 to 60",
        grammar: "@json",
        input: r#"{"net":{"host":"a","timeout":45,"retries":3},"log":{"timeout":5}}"#,
        valid: any,
        fails: |input| {
            let timeout = read(input)["net"]["timeout"].as_i64();
            timeout.is_some_and(|timeout| (30..=60).contains(&timeout))
        },
        draw: |dice| {
            let near = [29, 30, 31, 45, 59, 60, 61, 5, 90];
            let timeout = near[dice.below(near.len())];
            let pairs = vec![
                format!("\"host\":\"{}\"", word(dice, 3)),
                format!("\"timeout\":{timeout}"),
                format!("\"retries\":{}", dice.below(70)),
            ];
            let pairs = shuffled(dice, pairs).join(",");
            format!("{{\"net\":{{{pairs}}},\"log\":{{\"timeout\":{}}}}}", dice.below(70))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: json: a least value that is above the greatest",
        grammar: "@json",
        input: r#"{"axes":[{"min":0,"max":9},{"name":"y","max":3,"min":8}]}"#,
        valid: any,
        fails: |input| {
            let of = |one: &serde_json::Map<String, Value>, key: &str| {
                one.get(key).and_then(Value::as_i64)
            };
            some_object(&read(input), &|one| {
                of(one, "min").zip(of(one, "max")).is_some_and(|(min, max)| min > max)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let axes = joined(dice, count, ",", |dice| {
                let min = dice.below(20);
                let max = [min, min + 1, min + 5, min.saturating_sub(1)][dice.below(4)];
                let pairs = vec![format!("\"min\":{min}"), format!("\"max\":{max}")];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"axes\":[{axes}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: json: a user without an id",
        grammar: "@json",
        input: r#"{"users":[{"id":1,"name":"a"},{"name":"b","mail":"c"}],"groups":[{"name":"d"}]}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            items(&all["users"]).iter().any(|one| one.is_object() && one.get("id").is_none())
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let users = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"name\":\"{}\"", word(dice, 2))];
                if dice.below(3) > 0 {
                    pairs.push(format!("\"id\":{}", dice.below(9)));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"mail\":\"{}\"", word(dice, 2)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"users\":[{users}],\"groups\":[{{\"name\":\"d\"}}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: json: a key that is not ASCII",
        grammar: "@json",
        input: r#"{"a":"é","b":{"größe":3},"c":["ü"]}"#,
        valid: any,
        fails: |input| some_object(&read(input), &|one| one.keys().any(|key| !key.is_ascii())),
        draw: |dice| {
            let keys = ["a", "b", "größe", "size", "naïve", "c"].map(str::to_owned).to_vec();
            let mut pairs = shuffled(dice, keys);
            pairs.truncate(1 + dice.below(3));
            for pair in &mut pairs {
                let values = ["\"é\"", "\"e\"", "3", "[\"ü\"]", "{\"x\":1}", "{\"ñ\":1}"];
                *pair = format!("\"{pair}\":{}", one(dice, &values));
            }
            format!("{{{}}}", pairs.join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: json: a count that is not the number of rows",
        grammar: "@json",
        input: r#"{"count":2,"rows":[[1],[2,3],[4]],"page":1}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let rows = all["rows"].as_array().map(|rows| rows.len() as i64);
            rows.zip(all["count"].as_i64()).is_some_and(|(rows, count)| rows != count)
        },
        draw: |dice| {
            let count = dice.below(4);
            let rows = joined(dice, count, ",", |dice| {
                let count = dice.below(3);
                format!("[{}]", joined(dice, count, ",", |dice| dice.below(9).to_string()))
            });
            let told = [count, count, count + 1, dice.below(5)][dice.below(4)];
            let pairs = vec![
                format!("\"count\":{told}"),
                format!("\"rows\":[{rows}]"),
                format!("\"page\":{}", dice.below(4)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
