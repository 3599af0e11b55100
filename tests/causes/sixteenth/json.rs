//! Causes in JSON.

use serde_json::Value;

use crate::readers::{has_short_numbers, is_json, items};
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// Whether an object anywhere in a value has two keys that differ only in case.
fn has_similar_keys(value: &Value) -> bool {
    let Value::Object(pairs) = value else { return items(value).iter().any(has_similar_keys) };
    let all: Vec<&String> = pairs.keys().collect();
    let mut after = all.iter().enumerate().map(|(at, key)| (key, &all[at + 1..]));
    after.any(|(key, others)| others.iter().any(|other| other.eq_ignore_ascii_case(key)))
        || pairs.values().any(has_similar_keys)
}

/// The quantity, the price and the amount of each line of an invoice; nothing if a line has not all of them.
fn invoice_lines(input: &str) -> Option<Vec<[u64; 3]>> {
    let all = read(input);
    let lines = all["lines"].as_array()?.iter().map(|line| {
        let of = |key: &str| line[key].as_u64().filter(|number| *number < 1_000_000);
        Some([of("qty")?, of("price")?, of("amount")?])
    });
    lines.collect()
}

/// The names that a schema requires, and those of its properties; nothing if it has not both.
fn schema(input: &str) -> Option<[Vec<String>; 2]> {
    let all = read(input);
    let required = all["required"].as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
    Some([
        required.collect::<Option<_>>()?,
        all["properties"].as_object()?.keys().cloned().collect(),
    ])
}

/// The quantiles of a metric; nothing if one of these is no number.
fn quantiles(input: &str) -> Option<Vec<f64>> {
    read(input)["quantiles"].as_array()?.iter().map(Value::as_f64).collect()
}

/// The countries of the addresses; nothing if one of these is no text of letters.
fn countries(input: &str) -> Option<Vec<String>> {
    let all = read(input);
    let values = all["addresses"].as_array()?.iter().filter_map(|one| one.get("country"));
    let is_code = |code: &String| code.chars().all(|c| c.is_ascii_alphabetic());
    values.map(|country| country.as_str().map(str::to_owned).filter(is_code)).collect()
}

/// How many options each of the polls has; nothing if one has no list of them.
fn options(input: &str) -> Option<Vec<usize>> {
    let all = read(input);
    let polls = all["polls"].as_array()?.iter();
    polls.map(|poll| poll["options"].as_array().map(Vec::len)).collect()
}

/// How deep the replies to a comment go: 0 if there are none.
fn replies(comment: &Value) -> usize {
    items(&comment["replies"]).iter().map(|reply| 1 + replies(reply)).max().unwrap_or(0)
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "sixteenth: json: two keys of an object that differ only in case",
        grammar: "@json",
        input: r#"{"get":"/tea","headers":{"Accept":"text","Host":"shop","accept":"json"},"tries":2}"#,
        valid: |input| input.is_ascii() && is_json(input),
        fails: |input| has_similar_keys(&read(input)),
        draw: |dice| {
            let object = |dice: &mut _| {
                let names = ["Accept", "accept", "Host", "host", "Age", "HOST", "Ages", "Via"];
                let mut names = shuffled(dice, names.map(str::to_owned).to_vec());
                names.truncate(1 + dice.below(3));
                let values = ["\"host\"", "\"Accept\"", "3", "\"x\""];
                let pairs: Vec<String> =
                    names.iter().map(|name| format!("\"{name}\":{}", one(dice, &values))).collect();
                format!("{{{}}}", pairs.join(","))
            };
            let mut pairs = vec![
                format!("\"headers\":{}", object(dice)),
                format!("\"{}\":\"/{}\"", one(dice, &["get", "put"]), word(dice, 3)),
            ];
            match dice.below(6) {
                0 => pairs.push(format!("\"Headers\":{}", object(dice))),
                1 | 2 => pairs.push(format!("\"trailers\":[{}]", object(dice))),
                _ => pairs.push(format!("\"tries\":{}", dice.below(9))),
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: json: an amount that is not the quantity times the price",
        grammar: "@json",
        input: r#"{"invoice":71,"lines":[{"qty":2,"price":9,"amount":18},{"price":5,"qty":3,"amount":16}]}"#,
        valid: |input| is_json(input) && invoice_lines(input).is_some(),
        fails: |input| {
            let lines = invoice_lines(input).unwrap_or_default();
            lines.iter().any(|[qty, price, amount]| qty * price != *amount)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let lines = joined(dice, count, ",", |dice| {
                let (qty, price) = (dice.below(9), dice.below(30));
                let amount = match dice.below(8) {
                    0 => qty * price + 1,
                    1 => qty + price,
                    2 => dice.below(60),
                    _ => qty * price,
                };
                let pairs = vec![
                    format!("\"qty\":{qty}"),
                    format!("\"price\":{price}"),
                    format!("\"amount\":{amount}"),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"invoice\":{},\"lines\":[{lines}]}}", dice.below(90))
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: json: a required name that is none of the properties",
        grammar: "@json",
        input: r#"{"type":"object","properties":{"id":{"type":"number"},"name":{}},"required":["id","mail"]}"#,
        valid: |input| is_json(input) && schema(input).is_some(),
        fails: |input| {
            let Some([required, properties]) = schema(input) else { return false };
            required.iter().any(|name| !properties.contains(name))
        },
        draw: |dice| {
            let names = ["id", "name", "mail", "type"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(4));
            let properties: Vec<String> = names
                .iter()
                .map(|name| {
                    let schemas = ["{}", "{\"type\":\"number\"}", "{\"type\":\"mail\"}"];
                    format!("\"{name}\":{}", one(dice, &schemas))
                })
                .collect();
            let required: Vec<String> = (0..dice.below(4))
                .map(|_| match dice.below(2) {
                    0 => format!("\"{}\"", one(dice, &["id", "name", "mail", "number"])),
                    _ => format!("\"{}\"", names[dice.below(names.len())]),
                })
                .collect();
            let pairs = vec![
                format!("\"properties\":{{{}}}", properties.join(",")),
                format!("\"required\":[{}]", required.join(",")),
                "\"type\":\"object\"".to_owned(),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: json: a quantile below 0 or above 1",
        grammar: "@json",
        input: r#"{"metric":"latency","quantiles":[0.5,0.95,1.2],"window":60}"#,
        valid: |input| is_json(input) && has_short_numbers(input) && quantiles(input).is_some(),
        fails: |input| {
            quantiles(input).is_some_and(|all| all.iter().any(|one| !(0.0..=1.0).contains(one)))
        },
        draw: |dice| {
            let count = dice.below(4);
            let all = joined(dice, count, ",", |dice| {
                let inside = ["0", "0.01", "0.5", "0.95", "0.999", "1", "1.0", "0.0"];
                let outside = ["-0.01", "-1", "1.01", "1.2", "2", "95", "-0.5"];
                match dice.below(3) {
                    0 => one(dice, &outside).to_owned(),
                    _ => one(dice, &inside).to_owned(),
                }
            });
            let pairs = vec![
                format!("\"metric\":\"{}\"", word(dice, 5)),
                format!("\"quantiles\":[{all}]"),
                format!("\"window\":{}", one(dice, &["60", "1", "0.5", "-1", "0"])),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: json: an enabled job that has neither a time nor another job to follow",
        grammar: "@json",
        input: r#"{"jobs":[{"name":"sync","enabled":true,"cron":"5 0"},{"enabled":true,"name":"mail"},{"after":"sync","enabled":false}]}"#,
        valid: is_json,
        fails: |input| {
            let all = read(input);
            items(&all["jobs"]).iter().any(|job| {
                let has = |key| job.get(key).is_some();
                job["enabled"] == Value::Bool(true) && !has("cron") && !has("after")
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let jobs = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"name\":\"{}\"", one(dice, &["a", "cron", "sync"]))];
                if dice.below(5) > 0 {
                    pairs.push(format!("\"enabled\":{}", one(dice, &["true", "true", "false"])));
                }
                match dice.below(6) {
                    0 | 1 => pairs.push("\"cron\":\"5 0 * *\"".to_owned()),
                    2 => pairs.push(format!("\"after\":\"{}\"", word(dice, 3))),
                    4 => pairs.extend(["\"cron\":null", "\"after\":\"a\""].map(str::to_owned)),
                    _ => pairs.push(format!("\"before\":\"{}\"", word(dice, 3))),
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"jobs\":[{jobs}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: json: a country whose code has not two letters",
        grammar: "@json",
        input: r#"{"name":"ann","addresses":[{"country":"de","zip":"80331"},{"city":"oslo","country":"nor"}]}"#,
        valid: |input| is_json(input) && countries(input).is_some(),
        fails: |input| countries(input).is_some_and(|all| all.iter().any(|code| code.len() != 2)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let addresses = joined(dice, count, ",", |dice| {
                let code = match dice.below(4) {
                    0 => one(dice, &["nor", "d", "", "deut", "usa"]),
                    _ => one(dice, &["de", "no", "us", "fr"]),
                };
                let mut pairs = vec![
                    format!("\"city\":\"{}\"", word(dice, 4)),
                    format!("\"zip\":\"{}\"", one(dice, &["80331", "12", "n7", ""])),
                ];
                if dice.below(5) > 0 {
                    pairs.push(format!("\"country\":\"{code}\""));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"name\":\"{}\",\"addresses\":[{addresses}]}}", word(dice, 4))
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: json: a poll with fewer than two options",
        grammar: "@json",
        input: r#"{"polls":[{"question":"tea?","options":["yes","no"]},{"options":["now"],"question":"when?"}]}"#,
        valid: |input| is_json(input) && options(input).is_some(),
        fails: |input| options(input).is_some_and(|all| all.iter().any(|count| *count < 2)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let polls = joined(dice, count, ",", |dice| {
                let count = [0, 1, 2, 2, 2, 3, 4][dice.below(7)];
                let options = joined(dice, count, ",", |dice| format!("\"{}\"", word(dice, 3)));
                let voters = one(dice, &["[]", "[\"ann\"]", "[\"ann\",\"bo\"]"]);
                let pairs = vec![
                    format!("\"question\":\"{}?\"", word(dice, 4)),
                    format!("\"options\":[{options}]"),
                    format!("\"voters\":{voters}"),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"polls\":[{polls}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: json: a comment with replies four deep or more",
        grammar: "@json",
        input: r#"{"by":"a","replies":[{"by":"b"},{"replies":[{"by":"d","replies":[{"replies":[{"by":"f"}]}]}],"by":"c"}]}"#,
        valid: is_json,
        fails: |input| replies(&read(input)) >= 4,
        draw: |dice| {
            let mut text = format!("{{\"by\":\"{}\"}}", word(dice, 2));
            for _ in 0..2 + dice.below(4) {
                let beside = ["", "", "{\"by\":\"x\"},", "{\"likes\":[{\"by\":\"y\"}]},"];
                let key = if dice.below(9) == 0 { "edits" } else { "replies" };
                let pairs = vec![
                    format!("\"by\":\"{}\"", word(dice, 2)),
                    format!("\"{key}\":[{}{text}]", one(dice, &beside)),
                ];
                text = format!("{{{}}}", shuffled(dice, pairs).join(","));
            }
            text
        },
        patterns: &[],
    },
];
