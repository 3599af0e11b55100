//! Causes in JSON: the services of a host, a filter of a search, places on a map, and queues.

use serde_json::Value;

use super::{document, each, object};
use crate::draws::{around, chance, counted, extras, foreign, picked};
use crate::two_sided::{TwoSided, joined, one, word};

/// The ports of the services of a host.
fn ports(input: &str) -> Option<Vec<u64>> {
    let settings = document(input)?;
    let services = settings.get("services")?.as_object()?;
    let ports = services.values().map(|service| {
        service.get("host")?.as_str()?;
        service.get("port")?.as_u64().filter(|port| *port < 65536)
    });
    ports.collect()
}

/// How deep the groups of a filter, `all` and `any`, are in each other.
fn depth(filter: &Value) -> Option<usize> {
    let pairs = filter.as_object()?;
    let Some(group) = pairs.get("all").or(pairs.get("any")) else {
        pairs.get("field")?.as_str()?;
        return pairs.get("is").or(pairs.get("in")).map(|_| 0);
    };
    let depths = each(group, depth).filter(|_| pairs.len() == 1)?;
    depths.into_iter().max().map(|most| most + 1)
}

/// How deep the groups of the filter of a search are in each other.
fn search_depth(input: &str) -> Option<usize> {
    let search = document(input)?;
    search.get("index")?.as_str()?;
    depth(search.get("filter")?)
}

/// The names of the places on a map.
fn place_names(input: &str) -> Option<Vec<String>> {
    let map = document(input)?;
    (map.get("type")? == "FeatureCollection").then_some(())?;
    each(map.get("features")?, |feature| {
        (feature.get("type")? == "Feature").then_some(())?;
        let place = each(&feature["geometry"]["coordinates"], Value::as_f64)?;
        let name = feature["properties"]["name"].as_str().map(str::to_owned);
        name.filter(|_| place.len() == 2)
    })
}

/// How many items fit in each queue, and how many are in it.
fn queues(input: &str) -> Option<Vec<(u64, usize)>> {
    each(document(input)?.get("queues")?, |queue| {
        queue.get("name")?.as_str()?;
        let items = each(queue.get("items")?, |item| item.as_str().map(str::len))?;
        Some((queue.get("capacity")?.as_u64()?, items.len()))
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "forty-third: json: services: a service with a port from 6665 to 6669",
        grammar: "@json",
        input: concat!(
            "{\n  \"host\": \"edge-4\",\n  \"port\": 6667,\n  \"services\": {\n",
            "    \"web\": {\"host\": \"0.0.0.0\", \"port\": 8080, \"tls\": true},\n",
            "    \"chat\": {\"host\": \"chat.example\", \"adminPort\": 6660, \"port\": 6668},\n",
            "    \"mail\": {\"port\": 25, \"host\": \"mx.example\", \"note\": \"was 6666\"},\n",
            "    \"cache\": {\"host\": \"::1\", \"port\": 6670}\n  },\n  \"retries\": [1, 6665]\n}\n"
        ),
        valid: |input| ports(input).is_some(),
        fails: |input| {
            ports(input).is_some_and(|all| all.iter().any(|port| (6665..=6669).contains(port)))
        },
        draw: |dice| {
            let names = picked(dice, &["web", "chat", "mail", "cache", "metrics"], 4, 0);
            let mut services = Vec::new();
            for name in names {
                let port = around(dice, [6665, 6669], 26);
                let host = one(dice, &["0.0.0.0", "chat.example", "::1"]);
                let others =
                    ["\"tls\":true", "\"adminPort\":6667", "\"note\":\"was 6666\"", "\"weight\":3"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"host\":\"{host}\""));
                pairs.push(format!("\"port\":{port}"));
                services.push(format!("\"{name}\":{}", object(dice, pairs)));
            }
            let mut pairs =
                extras(dice, &["\"host\":\"edge-4\"", "\"port\":6667", "\"retries\":[1,6665]"]);
            pairs.push(format!("\"services\":{}", object(dice, services)));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: json: search: a filter whose groups (all, any) are five deep or more",
        grammar: "@json",
        input: concat!(
            "{\"index\":\"birds\",\"limit\":20,\"filter\":{\"all\":[{\"field\":\"kind\",\"is\":\"owl\"},\n",
            " {\"any\":[{\"field\":\"town\",\"in\":[\"Oslo\",\"Rome\"]},{\"all\":[{\"any\":[\n",
            "  {\"field\":\"eggs\",\"is\":4},{\"any\":[{\"field\":\"age\",\"is\":2},{\"field\":\"age\",\"is\":3}]}]},\n",
            "  {\"field\":\"rare\",\"is\":true}]}]},{\"all\":[{\"field\":\"wing\",\"in\":[12,14]}]}]},\n",
            " \"sort\":[\"name\",\"any\"],\"shards\":[[[[[[1,2]]]]]]}"
        ),
        valid: |input| search_depth(input).is_some(),
        fails: |input| search_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let leaves = [
                "{\"field\":\"kind\",\"is\":\"owl\"}",
                "{\"field\":\"town\",\"in\":[\"Oslo\",\"Rome\"]}",
                "{\"is\":4,\"field\":\"eggs\"}",
                "{\"field\":\"any\",\"is\":true}",
                "{\"all\":[{\"field\":\"wing\",\"in\":[12,14]}]}",
            ];
            let mut filter = leaves[dice.below(4)].to_owned();
            for _ in 0..[1, 2, 3, 4, 4, 4, 5, 5, 5, 6, 7][dice.below(11)] {
                let mut parts = vec![filter];
                for _ in 0..dice.below(3) {
                    let at = dice.below(parts.len() + 1);
                    let known = if parts.len() > 1 { 4 } else { 5 };
                    parts.insert(at, leaves[dice.below(known)].to_owned());
                }
                let group = one(dice, &["all", "any"]);
                filter = format!("{{\"{group}\":[{}]}}", parts.join(","));
            }
            let others =
                ["\"limit\":20", "\"sort\":[\"name\",\"any\"]", "\"shards\":[[[[[[1,2]]]]]]"];
            let mut pairs = extras(dice, &others);
            pairs.push("\"index\":\"birds\"".to_owned());
            pairs.push(format!("\"filter\":{filter}"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: json: map: a feature whose name has a character that is not ASCII",
        grammar: "@json",
        input: concat!(
            "{\"type\":\"FeatureCollection\",\"author\":\"Jürgen\",\"features\":[\n",
            "{\"type\":\"Feature\",\"properties\":{\"name\":\"Old mill\",\"country\":\"España\"},\n",
            " \"geometry\":{\"type\":\"Point\",\"coordinates\":[12.5,-3]}},\n",
            "{\"type\":\"Feature\",\"id\":7,\"geometry\":{\"type\":\"Point\",\"coordinates\":[0.25,48]},\n",
            " \"properties\":{\"rank\":2,\"name\":\"Rue de l'Église\"}},\n",
            "{\"type\":\"Feature\",\"properties\":{\"name\":\"\",\"ref\":\"A 4\"},\n",
            " \"geometry\":{\"type\":\"Point\",\"coordinates\":[7,7]}}]}\n"
        ),
        valid: |input| place_names(input).is_some(),
        fails: |input| {
            place_names(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii()))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let features = joined(dice, count, ",", |dice| {
                let name = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("Old {}", foreign(dice)),
                    2 => format!("{} {}", foreign(dice), word(dice, 5)),
                    3 => String::new(),
                    4 => "Rue de l'Eglise".to_owned(),
                    _ => word(dice, 8),
                };
                let others = ["\"country\":\"España\"", "\"rank\":2", "\"ref\":\"Ä 4\""];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"name\":\"{name}\""));
                let (x, y) = (one(dice, &["7", "0.25", "-3"]), dice.below(90));
                let point = format!("{{\"type\":\"Point\",\"coordinates\":[{x},{y}]}}");
                let mut parts = extras(dice, &["\"id\":7", "\"label\":\"Øst\""]);
                parts.push("\"type\":\"Feature\"".to_owned());
                parts.push(format!("\"properties\":{}", object(dice, pairs)));
                parts.push(format!("\"geometry\":{point}"));
                object(dice, parts)
            });
            let mut pairs = extras(dice, &["\"author\":\"Jürgen\"", "\"bbox\":[0,0,9,9]"]);
            pairs.push("\"type\":\"FeatureCollection\"".to_owned());
            pairs.push(format!("\"features\":[{features}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-third: json: queues: a queue with exactly as many items as its capacity",
        grammar: "@json",
        input: concat!(
            "{\"broker\":\"b-2\",\"capacity\":3,\"queues\":[\n",
            "{\"name\":\"mails\",\"capacity\":10,\"items\":[\"m1\",\"m2\"],\"durable\":true},\n",
            "{\"name\":\"jobs\",\"consumers\":3,\"items\":[\"build\",\"test\",\"ship\"],\"capacity\":3},\n",
            "{\"name\":\"dead\",\"capacity\":1,\"items\":[],\"tags\":[\"x\"]},\n",
            "{\"capacity\":2,\"items\":[\"a\",\"b\",\"c\"],\"name\":\"events\"}],\"items\":[1,2,4]}"
        ),
        valid: |input| queues(input).is_some(),
        fails: |input| {
            let all = queues(input).unwrap_or_default();
            all.iter().any(|(capacity, items)| *capacity == *items as u64)
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let queues = joined(dice, count, ",", |dice| {
                let items = if chance(dice, 12) { 0 } else { 1 + dice.below(5) };
                let capacity = counted(dice, items, 24);
                let items = joined(dice, items, ",", |dice| format!("\"{}\"", word(dice, 5)));
                let name = one(dice, &["mails", "jobs", "dead", "events"]);
                let others = ["\"durable\":true", "\"consumers\":3", "\"tags\":[\"x\",\"y\"]"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"name\":\"{name}\""));
                pairs.push(format!("\"capacity\":{capacity}"));
                pairs.push(format!("\"items\":[{items}]"));
                object(dice, pairs)
            });
            let others = ["\"broker\":\"b-2\"", "\"capacity\":3", "\"items\":[1,2,4]"];
            let mut pairs = extras(dice, &others);
            pairs.push(format!("\"queues\":[{queues}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
];
