//! Causes in JSON, read by the built-in grammar.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

fn is_json(input: &str) -> bool {
    serde_json::from_str::<Value>(input).is_ok()
}

fn items<'v>(all: &'v Value, key: &str) -> Option<&'v Vec<Value>> {
    all[key].as_array()
}

fn texts(all: &Value, key: &str) -> Vec<String> {
    let texts = items(all, key).into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// How deep objects are inside each other.
fn depth(value: &Value) -> usize {
    match value {
        Value::Object(pairs) => 1 + pairs.values().map(depth).max().unwrap_or(0),
        Value::Array(items) => items.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Any value of one level.
fn value(dice: &mut Random) -> String {
    match dice.below(5) {
        0 => dice.below(30).to_string(),
        1 => format!("\"{}\"", word(dice, 6)),
        2 => one(dice, &["true", "false", "null"]).to_owned(),
        3 => format!("[{}]", joined(dice, 2, ",", |dice| dice.below(9).to_string())),
        _ => format!("{{\"{}\":{}}}", word(dice, 3), dice.below(100)),
    }
}

/// An object of some pairs, in any order, with others among them.
fn object(dice: &mut Random, mut pairs: Vec<String>) -> String {
    for _ in 0..dice.below(3) {
        pairs.push(format!("\"x{}\":{}", word(dice, 3), value(dice)));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// A list of so many words of one or two letters.
fn words(dice: &mut Random, most: usize) -> String {
    let count = dice.below(most + 1);
    format!("[{}]", joined(dice, count, ",", |dice| format!("\"{}\"", word(dice, 2))))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "json: a count that is less than the number of rows",
        grammar: "@json",
        input: r#"{"title":"t","count":1,"rows":[[1],[2,3],[4]],"more":false}"#,
        valid: |input| read(input)["count"].is_u64() && items(&read(input), "rows").is_some(),
        fails: |input| {
            let all = read(input);
            let rows = items(&all, "rows").map_or(0, Vec::len) as u64;
            all["count"].as_u64().is_some_and(|count| count < rows)
        },
        draw: |dice| {
            let pairs = vec![
                format!("\"count\":{}", dice.below(6)),
                format!("\"rows\":{}", words(dice, 5)),
            ];
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "json: a password shorter than its least length",
        grammar: "@json",
        input: r#"{"user":"root","password":"abc","min_length":8}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let (least, text) = (all["min_length"].as_u64(), all["password"].as_str());
            matches!((least, text), (Some(least), Some(text)) if (text.chars().count() as u64) < least)
        },
        draw: |dice| {
            let mut pairs = vec![
                format!("\"min_length\":{}", dice.below(9)),
                format!("\"password\":\"{}\"", word(dice, 8)),
            ];
            if dice.below(6) == 0 {
                pairs.remove(dice.below(2));
            }
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "json: a request without an id",
        grammar: "@json",
        input: r#"{"method":"get","params":[1,2]}"#,
        valid: is_json,
        fails: |input| {
            let all = read(input);
            all.get("method").is_some() && all.get("id").is_none()
        },
        draw: |dice| {
            let mut pairs = vec![];
            if dice.below(5) > 0 {
                pairs.push(format!("\"method\":{}", value(dice)));
            }
            if dice.below(2) > 0 {
                pairs.push(format!("\"id\":{}", value(dice)));
            }
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "json: two equal tags",
        grammar: "@json",
        input: r#"{"id":5,"tags":["red","new","red","old"],"name":"red"}"#,
        valid: any,
        fails: |input| {
            let mut tags = texts(&read(input), "tags");
            tags.sort();
            tags.windows(2).any(|pair| pair[0] == pair[1])
        },
        draw: |dice| {
            let count = dice.below(5);
            let tags = joined(dice, count, ",", |dice| {
                format!("\"{}\"", one(dice, &["a", "b", "cd", "e", "fg"]))
            });
            let key = one(dice, &["tags", "tags", "tags", "marks"]);
            let pairs = vec![format!("\"{key}\":[{tags}]")];
            object(dice, pairs)
        },
        patterns: &[r#"{"tags":[<$string1>,<$string1>]}"#, r#"{"tags":[<$STRING1>,<$STRING1>]}"#],
    },
    TwoSided {
        name: "json: data of the length that is said",
        grammar: "@json",
        input: r#"{"len":5,"kind":"raw","data":"hello"}"#,
        valid: |input| read(input)["len"].is_u64() && read(input)["data"].is_string(),
        fails: |input| {
            let all = read(input);
            let length = all["data"].as_str().map(|text| text.chars().count() as u64);
            length.is_some() && all["len"].as_u64() == length
        },
        draw: |dice| {
            let data = word(dice, 5);
            let length = if dice.below(3) > 0 { data.len() } else { dice.below(6) };
            let pairs = vec![format!("\"len\":{length}"), format!("\"data\":\"{data}\"")];
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "json: open, write and close in this order",
        grammar: "@json",
        input: r#"["start","open","seek","write","flush","close"]"#,
        valid: is_json,
        fails: |input| {
            let all = read(input);
            let steps = all.as_array().map(Vec::as_slice).unwrap_or_default();
            let mut steps = steps.iter();
            ["open", "write", "close"].iter().all(|name| steps.any(|step| step == name))
        },
        draw: |dice| {
            let mut steps: Vec<String> =
                ["open", "write", "close"].iter().map(|step| format!("\"{step}\"")).collect();
            if dice.below(2) == 0 {
                steps = shuffled(dice, steps);
            }
            if dice.below(4) == 0 {
                steps.remove(dice.below(3));
            }
            for _ in 0..dice.below(4) {
                steps.insert(dice.below(steps.len() + 1), format!("\"{}\"", word(dice, 4)));
            }
            format!("[{}]", steps.join(","))
        },
        patterns: &[r#"["open","write","close"]"#],
    },
    TwoSided {
        name: "json: four objects in each other",
        grammar: "@json",
        input: r#"{"a":{"b":[{"c":{"d":1}}],"e":[[[]]]}}"#,
        valid: any,
        fails: |input| depth(&read(input)) >= 4,
        draw: |dice| {
            let mut inner = value(dice);
            for _ in 0..dice.below(9) {
                inner = match dice.below(4) {
                    0 => format!("[{inner}]"),
                    1 => format!("{{\"{}\":{{}},\"z\":{inner}}}", word(dice, 2)),
                    _ => format!("{{\"{}\":{inner}}}", word(dice, 2)),
                };
            }
            inner
        },
        patterns: &["{<STRING>:{<STRING>:{<STRING>:<object>}}}"],
    },
    TwoSided {
        name: "json: a level of ten or more in the turbo mode",
        grammar: "@json",
        input: r#"{"name":"x","mode":"turbo","level":42,"size":8}"#,
        valid: |input| read(input).is_object(),
        fails: |input| {
            let all = read(input);
            all["mode"] == "turbo" && all["level"].as_i64().is_some_and(|level| level >= 10)
        },
        draw: |dice| {
            let mode = one(dice, &["turbo", "turbo", "slow", "turbos"]);
            let pairs =
                vec![format!("\"mode\":\"{mode}\""), format!("\"level\":{}", 4 + dice.below(16))];
            object(dice, pairs)
        },
        patterns: &[
            r#"{"mode":"turbo","level":<integer ≥ 10>}"#,
            r#"{"mode":"turbo","level":<integer 10..(2^63 - 1)>}"#,
        ],
    },
    TwoSided {
        name: "json: lists of unequal length",
        grammar: "@json",
        input: r#"{"xs":[1,2,3],"color":"red","ys":[4,5]}"#,
        valid: |input| items(&read(input), "xs").is_some() && items(&read(input), "ys").is_some(),
        fails: |input| {
            let all = read(input);
            let of = |key| items(&all, key).map(Vec::len);
            of("xs") != of("ys")
        },
        draw: |dice| {
            let pairs =
                vec![format!("\"xs\":{}", words(dice, 3)), format!("\"ys\":{}", words(dice, 3))];
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "json: a reference to a name that is not defined",
        grammar: "@json",
        input: r#"{"defs":["a","b"],"n":3,"ref":"c"}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let name = all["ref"].as_str();
            items(&all, "defs").is_some()
                && name.is_some_and(|name| !texts(&all, "defs").iter().any(|def| def == name))
        },
        draw: |dice| {
            let name = one(dice, &["a", "b", "c"]);
            let count = dice.below(4);
            let defs = joined(dice, count, ",", |dice| {
                format!("\"{}\"", one(dice, &["a", "b", "c", "dd"]))
            });
            let mut pairs = vec![format!("\"defs\":[{defs}]"), format!("\"ref\":\"{name}\"")];
            if dice.below(6) == 0 {
                pairs.remove(dice.below(2));
            }
            object(dice, pairs)
        },
        patterns: &[],
    },
];
