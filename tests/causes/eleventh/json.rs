//! Causes in JSON.

use serde_json::Value;

use crate::readers::items;
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "eleventh: json: a contact whose mail address has no at sign",
        grammar: "@json",
        input: r#"{"contacts":[{"name":"a@b","mail":"ann@x"},{"mail":"bob","age":4}],"mail":"x"}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let mail = |one: &Value| one["mail"].as_str().is_some_and(|text| !text.contains('@'));
            items(&all["contacts"]).iter().any(mail)
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let all = joined(dice, count, ",", |dice| {
                let mail = one(dice, &["ann@x", "bob@y", "a@b@c", "bob", ""]);
                let name = one(dice, &["ann", "a@b"]);
                let pairs = vec![format!("\"name\":\"{name}\""), format!("\"mail\":\"{mail}\"")];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"contacts\":[{all}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: json: a title that is longer than the limit says",
        grammar: "@json",
        input: r#"{"limit":8,"page":{"title":"a long title","size":3}}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let title = all["page"]["title"].as_str().map_or(0, |title| title.chars().count());
            all["limit"].as_u64().is_some_and(|limit| title as u64 > limit)
        },
        draw: |dice| {
            let title = word(dice, 12);
            let pairs = vec![
                format!("\"limit\":{}", dice.below(12)),
                format!("\"page\":{{\"title\":\"{title}\",\"size\":{}}}", dice.below(20)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: json: an empty list inside a list",
        grammar: "@json",
        input: r#"{"rows":[[1,2],[],[3]],"empty":[]}"#,
        valid: any,
        fails: |input| {
            fn has(value: &Value) -> bool {
                match value {
                    Value::Array(all) => {
                        all.iter().any(|one| one.as_array().is_some_and(Vec::is_empty) || has(one))
                    }
                    Value::Object(all) => all.values().any(has),
                    _ => false,
                }
            }
            has(&read(input))
        },
        draw: |dice| {
            let count = dice.below(4);
            let rows =
                joined(dice, count, ",", |dice| one(dice, &["[1]", "[2,3]", "[]", "4"]).to_owned());
            format!("{{\"rows\":[{rows}],\"other\":{}}}", one(dice, &["[]", "{}", "[5]"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: json: a refund of more than 500 without a reason",
        grammar: "@json",
        input: r#"{"orders":[{"kind":"sale","total":900},{"kind":"refund","total":612,"by":"x"}]}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            items(&all["orders"]).iter().any(|one| {
                let total = one["total"].as_f64().unwrap_or(0.0);
                one["kind"] == "refund" && total > 500.0 && one.get("reason").is_none()
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let all = joined(dice, count, ",", |dice| {
                let kind = one(dice, &["refund", "refund", "refund", "sale"]);
                let total = [dice.below(1000), 480 + dice.below(40), 900][dice.below(3)];
                let mut pairs = vec![format!("\"kind\":\"{kind}\""), format!("\"total\":{total}")];
                if dice.below(3) == 0 {
                    pairs.push(format!("\"reason\":\"{}\"", word(dice, 3)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"orders\":[{all}]}}")
        },
        patterns: &[],
    },
];
