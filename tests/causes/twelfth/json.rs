//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::readers::items;
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

/// All numbers of a text, as they are written.
fn numbers(value: &Value) -> Vec<String> {
    match value {
        Value::Number(number) => vec![number.to_string()],
        Value::Array(all) => all.iter().flat_map(numbers).collect(),
        Value::Object(all) => all.values().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

/// How many digits are after the point of a number.
fn decimals(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, after)| after.len())
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twelfth: json: a price below the cost",
        grammar: "@json",
        input: r#"{"items":[{"cost":3,"price":9,"name":"nut"},{"price":4,"cost":7}],"cost":1}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let of = |one: &Value, key: &str| one[key].as_f64();
            items(&all["items"]).iter().any(|one| {
                of(one, "price").zip(of(one, "cost")).is_some_and(|(price, cost)| price < cost)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let all = joined(dice, count, ",", |dice| {
                let cost = dice.below(12);
                let price = [cost, cost + 1, dice.below(cost + 1)][dice.below(3)];
                let pairs = vec![format!("\"cost\":{cost}"), format!("\"price\":{price}")];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"items\":[{all}],\"cost\":{}}}", dice.below(40))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twelfth: json: a negative number and one of three decimals",
        grammar: "@json",
        input: r#"{"at":[1.125,8],"by":{"dx":-4,"dy":0.5}}"#,
        valid: any,
        fails: |input| {
            let numbers = numbers(&read(input));
            numbers.iter().any(|one| one.starts_with('-'))
                && numbers.iter().any(|one| decimals(one) >= 3)
        },
        draw: |dice| {
            let of = |dice: &mut Random| {
                one(dice, &["1.125", "0.5", "-4", "7", "0.0625", "-2.5", "12", "1.25"]).to_owned()
            };
            let count = 1 + dice.below(2);
            let at = joined(dice, count, ",", of);
            format!("{{\"at\":[{at}],\"by\":{{\"dx\":{},\"dy\":{}}}}}", of(dice), of(dice))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twelfth: json: a text as long as the size says",
        grammar: "@json",
        input: r#"{"kind":"blob","size":6,"data":"abcdef"}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let data = all["data"].as_str().map(|text| text.chars().count() as u64);
            data.is_some() && data == all["size"].as_u64()
        },
        draw: |dice| {
            let data = word(dice, 9);
            let size = [data.len(), data.len() + 1, dice.below(12)][dice.below(3)];
            let pairs = vec![format!("\"size\":{size}"), format!("\"data\":\"{data}\"")];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twelfth: json: a tag that is there twice",
        grammar: "@json",
        input: r#"{"title":"red","tags":["red","blue","green","blue"],"more":["x","x"]}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let tags = items(&all["tags"]);
            let twice = |at: usize| tags[at].is_string() && tags[..at].contains(&tags[at]);
            (1..tags.len()).any(twice)
        },
        draw: |dice| {
            let of = |dice: &mut Random| {
                let count = 1 + dice.below(4);
                joined(dice, count, ",", |dice| {
                    format!("\"{}\"", one(dice, &["red", "blue", "green", "x", "grey"]))
                })
            };
            format!("{{\"tags\":[{}],\"more\":[{}]}}", of(dice), of(dice))
        },
        patterns: &[],
    },
];
