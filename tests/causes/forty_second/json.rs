//! Causes in JSON: a queue of jobs, a library, a route and buffers.

use seedsmith_grammar::Random;
use serde_json::Value;

use super::are_negative_and_exact;
use crate::draws::{around, chance, counted, extras, figure, foreign};
use crate::two_sided::{TwoSided, joined, one, read_json, shuffled};

/// What is read of each item of a list in an object; nothing if the list or what is read is not there.
fn each<T>(input: &str, list: &str, read: fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    read_json(input).get(list)?.as_array()?.iter().map(read).collect()
}

/// The priority of each job of a queue.
fn priorities(input: &str) -> Option<Vec<u64>> {
    each(input, "jobs", |job| {
        job["name"].as_str()?;
        job["priority"].as_u64()
    })
}

/// The title of each book.
fn titles(input: &str) -> Option<Vec<String>> {
    each(input, "books", |book| {
        book["author"].as_str()?;
        book["title"].as_str().map(str::to_owned)
    })
}

/// The numbers of a JSON text as they are written.
fn written_numbers(input: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), input);
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        rest = &rest[at..];
        let size = match rest.strip_prefix('"') {
            Some(inner) => 1 + quoted_size(inner),
            None => rest.find(|c: char| !"+-.eE0123456789".contains(c)).unwrap_or(rest.len()),
        };
        if !rest.starts_with('"') {
            found.push(&rest[..size]);
        }
        rest = &rest[size..];
    }
    found
}

/// How long a string of JSON is after its first quote.
fn quoted_size(inner: &str) -> usize {
    let mut is_escaped = false;
    let end = inner.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(inner.len(), |at| at + 1)
}

/// Whether a text is a route: an object with points, each of which has a latitude and a longitude.
fn is_route(input: &str) -> bool {
    let point = |point: &Value| point["lat"].as_f64().and(point["lon"].as_f64());
    each(input, "points", point).is_some()
}

/// The capacity of each buffer, and how many items are in it.
fn fillings(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "buffers", |buffer| {
        Some((buffer["capacity"].as_u64()?, buffer["items"].as_array()?.len()))
    })
}

/// An object with these pairs and some of others, in any order.
fn object(dice: &mut Random, pairs: &[String], others: &[&str]) -> String {
    let mut all = extras(dice, others);
    all.extend_from_slice(pairs);
    format!("{{{}}}", shuffled(dice, all).join(one(dice, &[",", ", ", ",\n  "])))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "forty-second: json: queue: a job with a priority from 64 to 127",
        grammar: "@json",
        input: concat!(
            "{\n  \"queue\": \"nightly\",\n  \"workers\": 4,\n  \"jobs\": [\n",
            "    {\"id\": 100, \"name\": \"backup\", \"priority\": 10, \"args\": [\"--full\"]},\n",
            "    {\"id\": 101, \"name\": \"reindex\", \"priority\": 80, \"retries\": 3},\n",
            "    {\"id\": 102, \"name\": \"mail\", \"priority\": 200, \"enabled\": false}\n",
            "  ],\n  \"limit\": 96\n}\n"
        ),
        valid: |input| priorities(input).is_some(),
        fails: |input| {
            let all = priorities(input).unwrap_or_default();
            all.iter().any(|priority| (64..=127).contains(priority))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let jobs = joined(dice, count, ", ", |dice| {
                let priority = around(dice, [64, 127], 26);
                let name = one(dice, &["backup", "reindex", "mail", "gc"]);
                let id = format!("\"id\": {}", dice.below(200));
                let pairs = [format!("\"name\": \"{name}\""), format!("\"priority\": {priority}")];
                let others =
                    [&id[..], "\"retries\": 3", "\"enabled\": false", "\"args\": [\"--full\", 80]"];
                object(dice, &pairs, &others)
            });
            let others = ["\"queue\": \"nightly\"", "\"workers\": 4", "\"limit\": 96"];
            object(dice, &[format!("\"jobs\": [{jobs}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: json: library: a book with a title that is not ASCII",
        grammar: "@json",
        input: concat!(
            "{\"library\": \"Bibliothèque\", \"books\": [\n",
            "  {\"title\": \"Emma\", \"author\": \"Jane Austen\", \"year\": 1815},\n",
            "  {\"title\": \"Les Misérables\", \"author\": \"Victor Hugo\", \"tags\": [\"novel\"]},\n",
            "  {\"author\": \"Stanisław Lem\", \"title\": \"Solaris\", \"pages\": 204}\n],\n",
            "\"open\": true}\n"
        ),
        valid: |input| titles(input).is_some(),
        fails: |input| titles(input).is_some_and(|all| all.iter().any(|title| !title.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let books = joined(dice, count, ",", |dice| {
                let mut title = one(dice, &["Emma", "Solaris", "The Trial", ""]).to_owned();
                if chance(dice, 26) {
                    let (before, after) = (one(dice, &["", "The "]), one(dice, &["", " 2"]));
                    title = format!("{before}{}{after}", foreign(dice));
                }
                let author = foreign(dice);
                let author = one(dice, &["Jane Austen", "Stanisław Lem", "Hugo", &author]);
                let pairs =
                    [format!("\"title\": \"{title}\""), format!("\"author\": \"{author}\"")];
                let others = ["\"year\": 1815", "\"tags\": [\"novel\", \"été\"]", "\"pages\": 204"];
                object(dice, &pairs, &others)
            });
            let others = ["\"library\": \"Bibliothèque\"", "\"open\": true"];
            object(dice, &[format!("\"books\": [{books}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: json: route: a number with three decimals and a negative number",
        grammar: "@json",
        input: concat!(
            "{\n  \"name\": \"coast walk -1.5\",\n  \"points\": [\n",
            "    {\"lat\": 36.12, \"lon\": -5.3, \"label\": \"start\"},\n",
            "    {\"lat\": 36.125, \"lon\": 5.3471},\n",
            "    {\"lat\": 37, \"lon\": 4.9, \"height\": 12.5}\n  ],\n",
            "  \"closed\": false,\n  \"length\": 18.2\n}\n"
        ),
        valid: is_route,
        fails: |input| are_negative_and_exact(&written_numbers(input)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let points = joined(dice, count, ", ", |dice| {
                let [lat, lon] = [figure(dice), figure(dice)];
                let pairs = [format!("\"lat\": {lat}"), format!("\"lon\": {lon}")];
                object(dice, &pairs, &["\"label\": \"start\"", "\"height\": 12.5"])
            });
            let length = format!("\"length\": {}", figure(dice));
            let others = [&length[..], "\"name\": \"coast walk -1.125\"", "\"closed\": false"];
            object(dice, &[format!("\"points\": [{points}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: json: buffers: one with exactly as many items as its capacity",
        grammar: "@json",
        input: concat!(
            "{\"version\": 2, \"buffers\": [\n",
            "  {\"name\": \"rx\", \"capacity\": 8, \"items\": [17, 4, 99]},\n",
            "  {\"name\": \"tx\", \"capacity\": 4, \"items\": [1, \"a\", null, 7], \"head\": 2},\n",
            "  {\"name\": \"log\", \"capacity\": 16, \"items\": []}\n],\n",
            "\"dropped\": [3, 5]}\n"
        ),
        valid: |input| fillings(input).is_some(),
        fails: |input| {
            let all = fillings(input).unwrap_or_default();
            all.iter().any(|(capacity, items)| *capacity == *items as u64)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let buffers = joined(dice, count, ", ", |dice| {
                let size = dice.below(7);
                let items = joined(dice, size, ", ", |dice| {
                    one(dice, &["17", "4", "\"a\"", "null", "[1, 2]", "0"]).to_owned()
                });
                let capacity = counted(dice, size, 32);
                let pairs = [format!("\"capacity\": {capacity}"), format!("\"items\": [{items}]")];
                object(dice, &pairs, &["\"name\": \"rx\"", "\"head\": 2", "\"free\": [1, 2]"])
            });
            let others = ["\"version\": 2", "\"dropped\": [3, 5]", "\"capacity\": 3"];
            object(dice, &[format!("\"buffers\": [{buffers}]")], &others)
        },
        patterns: &[],
    },
];
