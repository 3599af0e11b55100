//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

fn is_json(input: &str) -> bool {
    serde_json::from_str::<Value>(input).is_ok()
}

/// The objects of a list under a key.
fn objects(input: &str, key: &str) -> Vec<Value> {
    let all = read(input);
    all[key].as_array().into_iter().flatten().filter(|one| one.is_object()).cloned().collect()
}

/// The texts of the numbers that are values of a key, as they are written.
fn written<'i>(input: &'i str, key: &str) -> Vec<&'i str> {
    let key = format!("\"{key}\":");
    let values = input.split(&*key).skip(1).map(str::trim_start);
    values.map(|rest| rest.split([',', '}', ']', ' ', '\n']).next().unwrap_or("")).collect()
}

/// A list of objects under a key.
fn list(dice: &mut Random, key: &str, make: fn(&mut Random) -> Vec<String>) -> String {
    let count = 1 + dice.below(3);
    let objects: Vec<String> = (0..count)
        .map(|_| {
            let pairs = make(dice);
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        })
        .collect();
    format!("{{\"{key}\":[{}]}}", objects.join(","))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "sixth: json: a negative price with three decimals",
        grammar: "@json",
        input: r#"{"items":[{"price":-1.250,"count":2},{"price":3.5,"count":1}]}"#,
        valid: is_json,
        fails: |input| {
            written(input, "price").iter().any(|price| {
                let decimals = price.split('.').nth(1).map_or(0, str::len);
                price.starts_with('-') && decimals >= 3 && !price.contains(['e', 'E'])
            })
        },
        draw: |dice| {
            list(dice, "items", |dice| {
                let whole = one(dice, &["1", "-1", "-20", "7", "-3", "0"]);
                let decimals = one(dice, &["", ".5", ".25", ".125", ".1255", ".375"]);
                let count = dice.below(9);
                vec![format!("\"price\":{whole}{decimals}"), format!("\"count\":-{count}.125")]
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixth: json: an order that is paid and has no items",
        grammar: "@json",
        input: r#"{"orders":[{"id":1,"paid":true,"items":["a"]},{"id":2,"paid":true,"items":[]}]}"#,
        valid: |input| read(input)["orders"].is_array(),
        fails: |input| {
            objects(input, "orders").iter().any(|order| {
                order["paid"] == true && order["items"].as_array().is_some_and(Vec::is_empty)
            })
        },
        draw: |dice| {
            list(dice, "orders", |dice| {
                let count = dice.below(3);
                let items = joined(dice, count, ",", |dice| format!("\"{}\"", word(dice, 2)));
                let paid = one(dice, &["true", "false"]);
                let id = dice.below(100);
                vec![
                    format!("\"id\":{id}"),
                    format!("\"paid\":{paid}"),
                    format!("\"items\":[{items}]"),
                ]
            })
        },
        patterns: &[r#"{"orders":[{"paid":true,"items":[]}]}"#],
    },
    TwoSided {
        name: "sixth: json: two of three checks switched off",
        grammar: "@json",
        input: r#"{"tls":false,"auth":true,"sandbox":false,"port":80}"#,
        valid: |input| read(input).is_object(),
        fails: |input| {
            let all = read(input);
            ["tls", "auth", "sandbox"].iter().filter(|key| all[**key] == false).count() >= 2
        },
        draw: |dice| {
            let mut pairs: Vec<String> = ["tls", "auth", "sandbox"]
                .iter()
                .map(|key| format!("\"{key}\":{}", one(dice, &["true", "false"])))
                .collect();
            if dice.below(4) == 0 {
                pairs.pop();
            }
            pairs.push(format!("\"port\":{}", dice.below(1000)));
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixth: json: a user who is notified and has no mail",
        grammar: "@json",
        input: r#"{"users":[{"name":"a","notify":true,"mail":"x"},{"name":"b","notify":true}]}"#,
        valid: |input| read(input)["users"].is_array(),
        fails: |input| {
            let users = objects(input, "users");
            users.iter().any(|user| user["notify"] == true && user.get("mail").is_none())
        },
        draw: |dice| {
            list(dice, "users", |dice| {
                let mut pairs = vec![format!("\"name\":\"{}\"", word(dice, 4))];
                pairs.push(format!("\"notify\":{}", one(dice, &["true", "false"])));
                if dice.below(3) > 0 {
                    pairs.push(format!("\"mail\":\"{}\"", word(dice, 5)));
                }
                pairs
            })
        },
        patterns: &[],
    },
];
