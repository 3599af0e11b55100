//! Causes in JSON.

use serde_json::Value;

use crate::readers::items;
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "ninth: json: a booking that ends before it starts",
        grammar: "@json",
        input: r#"{"room":"b","booking":{"start":14,"end":9,"who":"x"},"seats":20}"#,
        valid: any,
        fails: |input| {
            let booking = &read(input)["booking"];
            let end = booking["end"].as_i64();
            booking["start"].as_i64().is_some_and(|start| end.is_some_and(|end| end < start))
        },
        draw: |dice| {
            let start = dice.below(24);
            let end = [(start + dice.below(3)).saturating_sub(1), dice.below(24)][dice.below(2)];
            let pairs = vec![
                format!("\"start\":{start}"),
                format!("\"end\":{end}"),
                format!("\"who\":\"{}\"", word(dice, 3)),
            ];
            let booking = shuffled(dice, pairs).join(",");
            format!("{{\"room\":\"a\",\"seats\":{},\"booking\":{{{booking}}}}}", dice.below(30))
        },
        patterns: &[],
    },
    TwoSided {
        name: "ninth: json: a user without an email",
        grammar: "@json",
        input: r#"{"users":[{"name":"ann","email":"a"},{"name":"bob","phone":"7"}],"page":1}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let users = items(&all["users"]);
            users.iter().any(|user| user.is_object() && user.get("email").is_none())
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let users = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"name\":\"{}\"", word(dice, 4))];
                if dice.below(4) > 0 {
                    pairs.push(format!("\"email\":\"{}\"", word(dice, 3)));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"phone\":\"{}\"", dice.below(99)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"users\":[{users}],\"page\":{}}}", dice.below(5))
        },
        patterns: &[],
    },
    TwoSided {
        name: "ninth: json: an order with a tag twice",
        grammar: "@json",
        input: r#"{"order":5,"tags":["new","gift","new"],"notes":["a","b"]}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let tags = items(&all["tags"]);
            let mut tags: Vec<&str> = tags.iter().filter_map(Value::as_str).collect();
            tags.sort_unstable();
            tags.windows(2).any(|pair| pair[0] == pair[1])
        },
        draw: |dice| {
            let list = |dice: &mut seedsmith_grammar::Random| {
                let count = 1 + dice.below(3);
                joined(dice, count, ",", |dice| {
                    format!("\"{}\"", one(dice, &["new", "gift", "late", "big"]))
                })
            };
            let (tags, notes) = (list(dice), list(dice));
            let pairs = vec![format!("\"tags\":[{tags}]"), format!("\"notes\":[{notes}]")];
            format!("{{\"order\":{},{}}}", dice.below(9), shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
