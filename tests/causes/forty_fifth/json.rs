//! Causes in JSON: settings of servers, schemas, translations and ring buffers.

use seedsmith_grammar::Random;
use serde_json::Value;

use super::{mixed, name};
use crate::draws::{above, around, chance, counted, foreign};
use crate::readers::is_json;
use crate::two_sided::{TwoSided, joined, one, read_json};

/// Whether an object of a value, or of what is in it, is such.
fn has_object(value: &Value, is_such: fn(&Value) -> bool) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| has_object(item, is_such)),
        Value::Object(pairs) => {
            is_such(value) || pairs.values().any(|inner| has_object(inner, is_such))
        }
        _ => false,
    }
}

/// The number that an object has for a key.
fn number(object: &Value, key: &str) -> Option<f64> {
    object[key].as_f64()
}

/// The size of each buffer, and how many entries it has.
fn buffers(input: &str) -> Option<Vec<(u64, usize)>> {
    let all = Some(read_json(input)).filter(|_| is_json(input))?;
    let read = |one: &Value| one["capacity"].as_u64().zip(one["entries"].as_array().map(Vec::len));
    all["buffers"].as_array()?.iter().map(read).collect()
}

/// An object with these pairs and about a third of the others.
fn object(dice: &mut Random, pairs: &[String], others: &[&str]) -> String {
    let by = one(dice, &[", ", ", ", ",\n    "]);
    format!("{{{}}}", mixed(dice, pairs.to_vec(), others).join(by))
}

/// Words in quotes.
fn quoted(dice: &mut Random) -> String {
    format!("\"{}\"", name(dice))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "forty-fifth: json: servers: a port greater than 65535",
        grammar: "@json",
        input: r#"{
  "name": "gateway",
  "workers": 70000,
  "listen": {"host": "0.0.0.0", "port": 8080, "tls": false},
  "upstreams": [
    {"host": "10.0.0.7", "port": 9000, "weight": 3},
    {"host": "10.0.0.8", "weight": 1, "port": 90010},
    {"host": "backup", "port": 443}
  ],
  "ports": [66000, 8],
  "timeout": 30.5,
  "note": "port 99999"
}"#,
        valid: is_json,
        fails: |input| {
            has_object(&read_json(input), |one| {
                number(one, "port").is_some_and(|port| port > 65535.0)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let all = joined(dice, count, ",\n    ", |dice| {
                let port = match chance(dice, 40) {
                    true => around(dice, [65_536, 99_999], 45),
                    false => [80, 443, dice.below(9000), dice.below(65_536)][dice.below(4)],
                };
                let host = quoted(dice);
                let pairs = [format!("\"host\": {host}"), format!("\"port\": {port}")];
                object(dice, &pairs, &["\"weight\": 70000", "\"tls\": true", "\"ports\": [66000]"])
            });
            let pairs = [format!("\"upstreams\": [\n    {all}\n  ]")];
            let others = [
                "\"workers\": 70000",
                "\"timeout\": 30.5",
                "\"note\": \"port 99999\"",
                "\"on\": null",
            ];
            object(dice, &pairs, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: json: schema: a schema whose minLength is greater than its maxLength",
        grammar: "@json",
        input: r#"{
  "$id": "user",
  "type": "object",
  "required": ["login", "mail"],
  "properties": {
    "login": {"type": "string", "minLength": 3, "maxLength": 20},
    "mail": {"maxLength": 64, "type": "string", "format": "email", "minLength": 100},
    "age": {"type": "integer", "minimum": 18, "maximum": 9},
    "nick": {"type": "string", "minLength": 5}
  },
  "maxProperties": 2,
  "minProperties": 1
}"#,
        valid: is_json,
        fails: |input| {
            has_object(&read_json(input), |one| {
                let (least, most) = (number(one, "minLength"), number(one, "maxLength"));
                least.zip(most).is_some_and(|(least, most)| least > most)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let mut at = 0;
            let mut all = Vec::new();
            while at < count {
                let most = [8, dice.below(30), dice.below(400)][dice.below(3)];
                let least = above(dice, most, 28);
                let mut pairs = vec![format!("\"maxLength\": {most}")];
                if chance(dice, 88) {
                    pairs.push(format!("\"minLength\": {least}"));
                }
                let others = ["\"type\": \"string\"", "\"minimum\": 18", "\"maximum\": 9"];
                let schema = object(dice, &pairs, &others);
                all.push(format!("\"{}_{at}\": {schema}", name(dice)));
                at += 1;
            }
            let pairs = [format!("\"properties\": {{\n    {}\n  }}", all.join(",\n    "))];
            let others = ["\"$id\": \"user\"", "\"minProperties\": 9", "\"maxProperties\": 2"];
            object(dice, &pairs, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: json: translations: a key with a character that is not ASCII",
        grammar: "@json",
        input: r#"{
  "locale": "de-AT",
  "author": "Jörg Müller",
  "messages": {
    "title": "Übersicht",
    "open": "Öffnen",
    "close": "Schließen",
    "größe": "Size",
    "count": 12
  },
  "plural": [{"one": "Datei", "many": "Dateien"}],
  "draft": true
}"#,
        valid: is_json,
        fails: |input| {
            has_object(&read_json(input), |one| {
                one.as_object().is_some_and(|pairs| pairs.keys().any(|key| !key.is_ascii()))
            })
        },
        draw: |dice| {
            let mut pairs = Vec::new();
            for at in 0..1 + dice.below(5) {
                let key = if chance(dice, 17) { foreign(dice) } else { name(dice) };
                let value = match dice.below(4) {
                    0 => dice.below(500).to_string(),
                    1 => quoted(dice),
                    _ => format!("\"{}\"", foreign(dice)),
                };
                pairs.push(format!("\"{key}_{at}\": {value}"));
            }
            let inner = object(dice, &pairs, &["\"title\": \"Übersicht\"", "\"open\": [\"é\", 4]"]);
            let others =
                ["\"author\": \"Jörg\"", "\"draft\": true", "\"list\": [{\"one\": \"ñ\"}]"];
            object(dice, &[format!("\"messages\": {inner}")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: json: rings: a buffer with exactly as many entries as its capacity",
        grammar: "@json",
        input: r#"{
  "version": 3,
  "capacity": 2,
  "buffers": [
    {"name": "log", "capacity": 8, "entries": ["start", "open", "read"]},
    {"capacity": 4, "entries": [17, 0, 3, 250], "name": "samples", "dropped": 12},
    {"name": "idle", "capacity": 16, "entries": []}
  ],
  "entries": ["a", "b"],
  "host": "db-1"
}"#,
        valid: |input| buffers(input).is_some(),
        fails: |input| {
            let all = buffers(input).unwrap_or_default();
            all.iter().any(|(size, entries)| *size == *entries as u64)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let all = joined(dice, count, ",\n    ", |dice| {
                let count = dice.below(7);
                let size = counted(dice, count, 30);
                let entries = joined(dice, count, ", ", |dice| match dice.below(2) {
                    0 => dice.below(300).to_string(),
                    _ => quoted(dice),
                });
                let pairs = [format!("\"capacity\": {size}"), format!("\"entries\": [{entries}]")];
                object(dice, &pairs, &["\"name\": \"log\"", "\"dropped\": 12", "\"tags\": [1, 2]"])
            });
            let pairs = [format!("\"buffers\": [\n    {all}\n  ]")];
            let others = ["\"version\": 3", "\"capacity\": 2", "\"entries\": [\"a\", \"b\"]"];
            object(dice, &pairs, &others)
        },
        patterns: &[],
    },
];
