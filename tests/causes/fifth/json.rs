//! Causes in JSON, read by the built-in grammar.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

fn is_json(input: &str) -> bool {
    serde_json::from_str::<Value>(input).is_ok()
}

/// An object of some pairs, in any order, with others among them.
fn object(dice: &mut Random, mut pairs: Vec<String>) -> String {
    for _ in 0..dice.below(3) {
        let value = match dice.below(4) {
            0 => format!("\"{}\"", word(dice, 5)),
            1 => one(dice, &["true", "null", "[]"]).to_owned(),
            _ => dice.below(40).to_string(),
        };
        pairs.push(format!("\"o{}\":{value}", word(dice, 3)));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "fifth: json: four to nine retries",
        grammar: "@json",
        input: r#"{"url":"http","retries":6,"wait":20}"#,
        valid: |input| read(input)["retries"].is_u64(),
        fails: |input| (4..=9).contains(&read(input)["retries"].as_u64().unwrap_or(0)),
        draw: |dice| {
            let retries = dice.below(16);
            object(dice, vec![format!("\"retries\":{retries}")])
        },
        patterns: &[r#"{"retries":<integer 4..9>}"#],
    },
    TwoSided {
        name: "fifth: json: a window that ends before it starts",
        grammar: "@json",
        input: r#"{"name":"w","window":{"from":9,"to":4},"zone":2}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let of = |key: &str| all["window"][key].as_u64();
            matches!((of("from"), of("to")), (Some(from), Some(to)) if to < from)
        },
        draw: |dice| {
            let pairs =
                vec![format!("\"from\":{}", dice.below(20)), format!("\"to\":{}", dice.below(20))];
            let window = object(dice, pairs);
            object(dice, vec![format!("\"window\":{window}")])
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: json: a server without a port",
        grammar: "@json",
        input: r#"{"server":{"host":"h","tls":true},"log":["a"]}"#,
        valid: |input| read(input)["server"].is_object(),
        fails: |input| read(input)["server"].get("port").is_none(),
        draw: |dice| {
            let mut pairs = vec![format!("\"host\":\"{}\"", word(dice, 4))];
            if dice.below(2) == 0 {
                pairs.push(format!("\"port\":{}", dice.below(9000)));
            }
            let server = object(dice, pairs);
            object(dice, vec![format!("\"server\":{server}")])
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: json: two columns of one name",
        grammar: "@json",
        input: r#"{"columns":[{"name":"a","type":"int"},{"name":"b","type":"int"},{"name":"a"}]}"#,
        valid: |input| read(input)["columns"].is_array(),
        fails: |input| {
            let all = read(input);
            let names = all["columns"].as_array().into_iter().flatten();
            let names: Vec<&str> = names.filter_map(|one| one["name"].as_str()).collect();
            (1..names.len()).any(|at| names[..at].contains(&names[at]))
        },
        draw: |dice| {
            let count = dice.below(4);
            let all = joined(dice, count, ",", |dice| {
                let name = one(dice, &["a", "b", "cc", "d", "e1"]);
                let mut pairs = vec![format!("\"name\":\"{name}\"")];
                pairs.push(format!("\"type\":\"{}\"", one(dice, &["int", "text"])));
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            object(dice, vec![format!("\"columns\":[{all}]")])
        },
        patterns: &[
            r#"{"columns":[{"name":<$string1>},{"name":<$string1>}]}"#,
            r#"{"columns":[{"name":<$STRING1>},{"name":<$STRING1>}]}"#,
        ],
    },
    TwoSided {
        name: "fifth: json: a title with a character that is not ASCII",
        grammar: "@json",
        input: "{\"id\":7,\"title\":\"caf\u{e9}\",\"by\":\"x\"}",
        valid: is_json,
        fails: |input| read(input)["title"].as_str().is_some_and(|title| !title.is_ascii()),
        draw: |dice| {
            let text = |dice: &mut Random| {
                let count = 1 + dice.below(3);
                joined(dice, count, "", |dice| one(dice, &["a", "bc", "d", "\u{e9}"]).to_owned())
            };
            let pairs =
                vec![format!("\"title\":\"{}\"", text(dice)), format!("\"by\":\"{}\"", text(dice))];
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: json: a size that is not the number of entries",
        grammar: "@json",
        input: r#"{"size":2,"map":{"a":1,"b":2,"c":3}}"#,
        valid: |input| {
            let all = read(input);
            all["size"].is_u64() && all["map"].is_object()
        },
        fails: |input| {
            let all = read(input);
            let entries = all["map"].as_object().map_or(0, |map| map.len());
            all["size"].as_u64() != Some(entries as u64)
        },
        draw: |dice| {
            let count = dice.below(5);
            let size = if dice.below(2) == 0 { count } else { dice.below(6) };
            let entries: Vec<String> = (0..count)
                .map(|at| format!("\"{}{at}\":{}", word(dice, 2), dice.below(9)))
                .collect();
            let pairs =
                vec![format!("\"size\":{size}"), format!("\"map\":{{{}}}", entries.join(","))];
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: json: a list with a negative and a broken number",
        grammar: "@json",
        input: "[[1,2.5],[-3,4],[0.5,7,-1]]",
        valid: is_json,
        fails: |input| {
            let all = read(input);
            all.as_array().into_iter().flatten().any(|list| {
                let texts = list.as_array().into_iter().flatten().filter(|one| one.is_number());
                let texts: Vec<String> = texts.map(ToString::to_string).collect();
                texts.iter().any(|text| text.starts_with('-'))
                    && texts.iter().any(|text| text.contains('.'))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let lists = joined(dice, count, ",", |dice| {
                let count = dice.below(4);
                let items = joined(dice, count, ",", |dice| {
                    one(dice, &["1", "-2", "3.5", "17", "-4", "0.25"]).to_owned()
                });
                format!("[{items}]")
            });
            format!("[{lists}]")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: json: a use after a drop",
        grammar: "@json",
        input: r#"{"ops":["make","use","drop","log","use"],"n":1}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            let mut ops = all["ops"].as_array().into_iter().flatten();
            ops.any(|op| op == "drop") && ops.any(|op| op == "use")
        },
        draw: |dice| {
            let count = 2 + dice.below(5);
            let ops = joined(dice, count, ",", |dice| {
                format!("\"{}\"", one(dice, &["make", "use", "drop", "log", "use"]))
            });
            object(dice, vec![format!("\"ops\":[{ops}]")])
        },
        patterns: &[r#"{"ops":["drop","use"]}"#],
    },
    TwoSided {
        name: "fifth: json: two of three flags that are on",
        grammar: "@json",
        input: r#"{"fast":true,"safe":false,"small":true,"level":3}"#,
        valid: is_json,
        fails: |input| {
            let all = read(input);
            ["fast", "safe", "small"].iter().filter(|key| all[**key] == true).count() >= 2
        },
        draw: |dice| {
            let mut pairs: Vec<String> = ["fast", "safe", "small"]
                .iter()
                .map(|key| format!("\"{key}\":{}", one(dice, &["true", "false"])))
                .collect();
            if dice.below(3) == 0 {
                pairs.pop();
            }
            object(dice, pairs)
        },
        patterns: &[],
    },
];
