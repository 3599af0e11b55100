//! Causes in JSON.

use serde_json::Value;

use crate::readers::items;
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

/// How many arrays and objects are in each other at most.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(pairs) => 1 + pairs.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "tenth: json: more than four arrays and objects in each other",
        grammar: "@json",
        input: r#"{"a":[1,{"b":[[{"c":2}],3]}],"d":[4]}"#,
        valid: any,
        fails: |input| depth(&read(input)) > 4,
        draw: |dice| {
            let mut inner = String::from("1");
            for _ in 0..2 + dice.below(6) {
                inner = match dice.below(4) {
                    0 => format!("[{inner}]"),
                    1 => format!("[2,{inner}]"),
                    2 => format!("{{\"{}\":{inner}}}", word(dice, 2)),
                    _ => format!("{{\"x\":[],\"y\":{inner}}}"),
                };
            }
            inner
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: json: a shape with a radius and a width",
        grammar: "@json",
        input: r#"{"shapes":[{"kind":"box","width":4},{"radius":2,"kind":"dot","width":9}],"v":1}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let both =
                |shape: &Value| shape.get("radius").is_some() && shape.get("width").is_some();
            items(&all["shapes"]).iter().any(both)
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let shapes = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"kind\":\"{}\"", one(dice, &["dot", "box"]))];
                for key in ["radius", "width", "height"] {
                    if dice.below(5) < 3 {
                        pairs.push(format!("\"{key}\":{}", dice.below(20)));
                    }
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"v\":{},\"shapes\":[{shapes}]}}", dice.below(3))
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: json: a count that is not that of the entries",
        grammar: "@json",
        input: r#"{"page":1,"count":3,"entries":[{"id":4},{"id":5}],"next":null}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let entries = all["entries"].as_array().map(|entries| entries.len() as u64);
            all["count"].as_u64().is_some_and(|count| entries.is_some_and(|all| all != count))
        },
        draw: |dice| {
            let count = dice.below(5);
            let entries = joined(dice, count, ",", |dice| format!("{{\"id\":{}}}", dice.below(99)));
            let said = [count, count, count + 1, dice.below(6)][dice.below(4)];
            let pairs = vec![
                format!("\"count\":{said}"),
                format!("\"entries\":[{entries}]"),
                format!("\"page\":{}", dice.below(9)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: json: a route that another one begins with",
        grammar: "@json",
        input: r#"{"host":"x","routes":["img","api","apiv","user"]}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let routes: Vec<&str> =
                items(&all["routes"]).iter().filter_map(Value::as_str).collect();
            let begins =
                |one: &&str| routes.iter().any(|other| other != one && other.starts_with(*one));
            routes.iter().any(begins)
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let routes = joined(dice, count, ",", |dice| {
                let start = one(dice, &["img", "api", "user"]);
                format!("\"{start}{}\"", one(dice, &["", "a", "b", "c"]))
            });
            format!("{{\"host\":\"{}\",\"routes\":[{routes}]}}", word(dice, 3))
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: json: fast or turbo mode without retries",
        grammar: "@json",
        input: r#"{"job":"a","mode":"turbo","retries":0,"wait":3}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let is_quick = all["mode"] == "fast" || all["mode"] == "turbo";
            is_quick && all["retries"].as_i64() == Some(0)
        },
        draw: |dice| {
            let mode = one(dice, &["fast", "turbo", "turbo", "safe", "slow"]);
            let retries = [0, 0, dice.below(3), dice.below(20)][dice.below(4)];
            let pairs = vec![
                format!("\"mode\":\"{mode}\""),
                format!("\"retries\":{retries}"),
                format!("\"wait\":{}", dice.below(3)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
