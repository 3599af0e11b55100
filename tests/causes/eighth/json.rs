//! Causes in JSON.

use serde_json::Value;

use crate::readers::items;
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "eighth: json: a brightness from 200 to 255",
        grammar: "@json",
        input: r#"{"lamp":"a","on":true,"brightness":231,"hue":40}"#,
        valid: any,
        fails: |input| {
            read(input)["brightness"].as_i64().is_some_and(|value| (200..256).contains(&value))
        },
        draw: |dice| {
            let near =
                [190 + dice.below(20), 246 + dice.below(20), dice.below(400), 200 + dice.below(56)];
            let value = near[dice.below(4)];
            let mut pairs = vec![format!("\"hue\":{}", dice.below(360)), "\"on\":false".to_owned()];
            let key = one(dice, &["brightness", "brightness", "brightness", "level"]);
            pairs.push(format!("\"{key}\":{value}"));
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: json: an article of which more is reserved than there is",
        grammar: "@json",
        input: r#"{"shop":1,"items":[{"sku":"a","stock":9,"reserved":2},{"reserved":5,"stock":3}]}"#,
        valid: any,
        fails: |input| {
            items(&read(input)["items"]).iter().any(|item| {
                let stock = item["stock"].as_i64();
                item["reserved"].as_i64().is_some_and(|kept| stock.is_some_and(|all| kept > all))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let items = joined(dice, count, ",", |dice| {
                let stock = dice.below(20);
                let reserved =
                    [stock + dice.below(3), dice.below(20), dice.below(5)][dice.below(3)];
                let pairs = vec![format!("\"stock\":{stock}"), format!("\"reserved\":{reserved}")];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"shop\":{},\"items\":[{items}]}}", dice.below(9))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: json: a payment by card without a cvc",
        grammar: "@json",
        input: r#"{"payments":[{"type":"cash","sum":3},{"type":"card","number":"41","sum":7}]}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            items(&all["payments"])
                .iter()
                .any(|one| one["type"] == "card" && one.get("cvc").is_none())
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let all = joined(dice, count, ",", |dice| {
                let kind = one(dice, &["card", "card", "cash", "sepa"]);
                let mut pairs =
                    vec![format!("\"type\":\"{kind}\""), format!("\"sum\":{}", dice.below(9))];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"cvc\":\"{}\"", dice.below(999)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"payments\":[{all}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: json: two of three roles of one user",
        grammar: "@json",
        input: r#"{"user":"x","roles":["guest","admin","owner","audit"],"age":4}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let has = |role: &&&str| items(&all["roles"]).iter().any(|one| one == **role);
            ["admin", "owner", "audit"].iter().filter(has).count() >= 2
        },
        draw: |dice| {
            let mut roles = Vec::new();
            for role in ["admin", "owner", "audit", "guest", "staff"] {
                if dice.below(2) == 0 {
                    roles.push(format!("\"{role}\""));
                }
            }
            let roles = shuffled(dice, roles).join(",");
            format!("{{\"user\":\"{}\",\"roles\":[{roles}]}}", word(dice, 4))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: json: two steps of one name",
        grammar: "@json",
        input: r#"{"steps":[{"name":"build","run":"a"},{"name":"test"},{"name":"build","run":"b"}]}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let mut names: Vec<&str> =
                items(&all["steps"]).iter().filter_map(|step| step["name"].as_str()).collect();
            names.sort_unstable();
            names.windows(2).any(|pair| pair[0] == pair[1])
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let steps = joined(dice, count, ",", |dice| {
                let name = one(dice, &["build", "test", "lint", "ship"]);
                let pairs = vec![
                    format!("\"name\":\"{name}\""),
                    format!("\"run\":\"{}\"", one(dice, &["a", "build", "test", "b"])),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"steps\":[{steps}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: json: a list with a number of three decimals and a negative number",
        grammar: "@json",
        input: r#"{"a":[1,-2],"b":[0.125,3,-4.5],"c":-1}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let Some(all) = all.as_object() else { return false };
            all.values().any(|list| {
                let texts: Vec<String> = items(list).iter().map(Value::to_string).collect();
                let is_fine =
                    |text: &String| text.split_once('.').is_some_and(|(_, rest)| rest.len() == 3);
                texts.iter().any(is_fine) && texts.iter().any(|text| text.starts_with('-'))
            })
        },
        draw: |dice| {
            let list = |dice: &mut seedsmith_grammar::Random| {
                let count = 1 + dice.below(3);
                joined(dice, count, ",", |dice| {
                    let sign = one(dice, &["", "", "-"]);
                    let rest = one(dice, &["", ".125", ".371", ".5", ".25"]);
                    format!("{sign}{}{rest}", 1 + dice.below(9))
                })
            };
            let (first, second) = (list(dice), list(dice));
            format!("{{\"a\":[{first}],\"b\":[{second}]}}")
        },
        patterns: &[],
    },
];
