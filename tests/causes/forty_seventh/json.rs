//! Causes in JSON: containers of a pod, places on a map, and queues of jobs.

use serde_json::Value;

use super::{measure, named, object};
use crate::draws::{above, are_negative_and_fine, chance, counted, extras};
use crate::readers::{has_short_numbers, is_json, items, numbers, signed_decimals};
use crate::two_sided::{TwoSided, any, joined, one, read_json};

/// How much memory a container asks for, and how much it may have, if it says both.
fn memory(container: &Value) -> Option<(u64, u64)> {
    let resources = &container["resources"];
    resources["requests"]["memory"].as_u64().zip(resources["limits"]["memory"].as_u64())
}

/// The positions in some coordinates: whether each number is negative, and how many decimals it has.
fn positions(value: &Value, found: &mut Vec<Vec<(bool, usize)>>) -> Option<()> {
    let all = value.as_array().filter(|all| !all.is_empty())?;
    if !all.iter().all(Value::is_number) {
        return all.iter().try_for_each(|inner| positions(inner, found));
    }
    let position = all.iter().map(|number| signed_decimals(&number.to_string()));
    let position = position.collect::<Option<Vec<(bool, usize)>>>()?;
    found.push(Some(position).filter(|position| [2, 3].contains(&position.len()))?);
    Some(())
}

/// The positions of a map. The last decimal of a number has to say something.
fn map(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    let are_short = has_short_numbers(input) && numbers(input).iter().all(is_short);
    (is_json(input) && are_short).then_some(())?;
    let (value, mut found) = (read_json(input), Vec::new());
    value["features"].as_array()?;
    for feature in items(&value["features"]) {
        feature["geometry"]["type"].as_str()?;
        positions(&feature["geometry"]["coordinates"], &mut found)?;
    }
    Some(found)
}

/// The capacity of each queue, and how many jobs it has.
fn queues(input: &str) -> Option<Vec<(u64, usize)>> {
    let value = Some(read_json(input)).filter(|_| is_json(input))?;
    value["queues"].as_array()?;
    let all = items(&value["queues"]).iter().map(|queue| {
        queue["name"].as_str()?;
        Some((queue["capacity"].as_u64()?, queue["jobs"].as_array()?.len()))
    });
    all.collect()
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "forty-seventh: json: pod: a container that requests more memory than its limit",
        grammar: "@json",
        input: r#"{
  "apiVersion": "v1",
  "kind": "Pod",
  "metadata": {"name": "billing", "labels": {"app": "billing", "tier": "back"}},
  "spec": {
    "restartPolicy": "Always",
    "containers": [
      {
        "name": "web",
        "image": "registry.example/billing:2.4.1",
        "ports": [{"containerPort": 8080}],
        "resources": {
          "requests": {"memory": 256, "cpu": 500},
          "limits": {"memory": 512, "cpu": 1000}
        }
      },
      {
        "name": "worker",
        "image": "registry.example/billing-worker:2.4.1",
        "env": [{"name": "QUEUE", "value": "invoices"}],
        "resources": {
          "limits": {"cpu": 1000, "memory": 768},
          "requests": {"cpu": 250, "memory": 1024}
        }
      },
      {"name": "proxy", "image": "envoy:1.29", "resources": {"requests": {"memory": 64}}}
    ]
  }
}
"#,
        valid: any,
        fails: |input| {
            let value = read_json(input);
            let all = items(&value["spec"]["containers"]).iter().filter_map(memory);
            all.into_iter().any(|(request, limit)| request > limit)
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let containers = joined(dice, count, ",\n    ", |dice| {
                let limit = [64, 128, 512, 1024, 1 + dice.below(3000)][dice.below(5)];
                let request = above(dice, limit, 23);
                let cpus = [100 * (1 + dice.below(10)), 100 * (1 + dice.below(30))];
                let [mut requests, mut limits] =
                    cpus.map(|cpu| extras(dice, &[&format!("\"cpu\": {cpu}")]));
                if chance(dice, 94) {
                    requests.push(format!("\"memory\": {request}"));
                }
                if chance(dice, 94) {
                    limits.push(format!("\"memory\": {limit}"));
                }
                let [requests, limits] = [requests, limits].map(|pairs| object(dice, pairs));
                let pairs =
                    vec![format!("\"requests\": {requests}"), format!("\"limits\": {limits}")];
                let resources = object(dice, pairs);
                let name = named(dice, &["web", "worker", "proxy", "cache", "init-db"]);
                let image = named(dice, &["nginx:1.25", "redis:7", "envoy", "billing:2.4.1"]);
                let others = [
                    "\"ports\": [{\"containerPort\": 8080}]",
                    "\"env\": [{\"name\": \"QUEUE\", \"value\": \"invoices\"}]",
                    "\"imagePullPolicy\": \"Always\"",
                ];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"name\": \"{name}\""));
                pairs.push(format!("\"image\": \"{image}\""));
                if chance(dice, 94) {
                    pairs.push(format!("\"resources\": {resources}"));
                }
                object(dice, pairs)
            });
            let others = ["\"restartPolicy\": \"Always\"", "\"hostNetwork\": true"];
            let mut spec = extras(dice, &others);
            spec.push(format!("\"containers\": [\n    {containers}\n  ]"));
            let spec = object(dice, spec);
            let name = named(dice, &["billing", "search", "mail"]);
            let others = ["\"apiVersion\": \"v1\"", "\"status\": {\"phase\": \"Pending\"}"];
            let mut pairs = extras(dice, &others);
            pairs.push("\"kind\": \"Pod\"".to_owned());
            pairs.push(format!("\"metadata\": {{\"name\": \"{name}\"}}"));
            pairs.push(format!("\"spec\": {spec}"));
            object(dice, pairs) + one(dice, &["", "\n"])
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-seventh: json: geojson: a position with a negative number and a number of ",
            "exactly three decimals"
        ),
        grammar: "@json",
        input: r#"{
  "type": "FeatureCollection",
  "name": "stations",
  "bbox": [-9.125, 36.2, 4.9, 52.4],
  "features": [
    {
      "type": "Feature",
      "properties": {"city": "Amsterdam", "platforms": 15, "height": -1.125},
      "geometry": {"type": "Point", "coordinates": [4.9003, 52.3791]}
    },
    {
      "type": "Feature",
      "properties": {"city": "Lisbon", "platforms": 7},
      "geometry": {"type": "Point", "coordinates": [-9.1222, 38.714]}
    },
    {
      "type": "Feature",
      "properties": {"line": "south", "opened": 1906},
      "geometry": {
        "type": "LineString",
        "coordinates": [[2.3522, 48.8566], [-0.58, 44.84], [3.125, 50.637]]
      }
    },
    {
      "type": "Feature",
      "properties": {"city": "Faro"},
      "geometry": {"type": "Point", "coordinates": [-7.94, 37.02, 4]}
    }
  ]
}
"#,
        valid: |input| map(input).is_some(),
        fails: |input| {
            let all = map(input).unwrap_or_default();
            all.iter().any(|position| are_negative_and_fine(position))
        },
        draw: |dice| {
            let position = |dice: &mut _| {
                let all = joined(dice, 2, ", ", measure);
                format!("[{all}{}]", one(dice, &["", "", "", ", 4", ", 120"]))
            };
            let mut features = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let count = 2 + dice.below(2);
                let (kind, coordinates) = match dice.below(6) {
                    0 => ("LineString", format!("[{}]", joined(dice, count, ", ", position))),
                    1 => ("Polygon", format!("[[{}]]", joined(dice, count, ", ", position))),
                    _ => ("Point", position(dice)),
                };
                let pairs = vec![
                    format!("\"type\": \"{kind}\""),
                    format!("\"coordinates\": {coordinates}"),
                ];
                let geometry = object(dice, pairs);
                let city = named(dice, &["Amsterdam", "Lisbon", "Faro", "Oslo"]);
                let mut properties =
                    extras(dice, &["\"platforms\": 7", "\"height\": -1.125", "\"slope\": -0.5"]);
                properties.push(format!("\"city\": \"{city}\""));
                let properties = object(dice, properties);
                let pairs = vec![
                    "\"type\": \"Feature\"".to_owned(),
                    format!("\"properties\": {properties}"),
                    format!("\"geometry\": {geometry}"),
                ];
                features.push(object(dice, pairs));
            }
            let others = ["\"name\": \"stations\"", "\"bbox\": [-9.125, 36.2, 4.9, 52.4]"];
            let mut pairs = extras(dice, &others);
            pairs.push("\"type\": \"FeatureCollection\"".to_owned());
            pairs.push(format!("\"features\": [\n  {}\n]", features.join(",\n  ")));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-seventh: json: queues: a queue with exactly as many jobs as its capacity",
        grammar: "@json",
        input: r#"{
  "server": "jobs-1.example",
  "saved": "2024-11-28T04:12:09Z",
  "workers": 3,
  "queues": [
    {
      "name": "mail",
      "capacity": 50,
      "jobs": [{"id": 9101, "tries": 1}, {"id": 9107, "tries": 0}]
    },
    {
      "name": "thumbnails",
      "paused": false,
      "capacity": 3,
      "jobs": [
        {"id": 9044, "tries": 2, "file": "cat.png"},
        {"id": 9045, "tries": 0, "file": "dog.png"},
        {"id": 9110, "tries": 0, "file": "emu.png"}
      ]
    },
    {"name": "reports", "capacity": 2, "jobs": [{"id": 8810, "tries": 5}]},
    {"name": "cleanup", "capacity": 1, "jobs": []}
  ],
  "failed": [{"id": 7002, "error": "timeout"}]
}
"#,
        valid: |input| queues(input).is_some(),
        fails: |input| {
            let all = queues(input).unwrap_or_default();
            all.iter().any(|(capacity, count)| *capacity == *count as u64)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let queues = joined(dice, count, ",\n    ", |dice| {
                let count = [0, 1, 2, 3, 4, 5, 6, 8][dice.below(8)];
                let capacity = counted(dice, count, 32);
                let by = one(dice, &[", ", ",\n  "]);
                let jobs = joined(dice, count, by, |dice| {
                    let mut pairs = extras(dice, &["\"file\": \"cat.png\"", "\"urgent\": true"]);
                    pairs.push(format!("\"id\": {}", 1000 + dice.below(9000)));
                    pairs.push(format!("\"tries\": {}", dice.below(5)));
                    object(dice, pairs)
                });
                let name = named(dice, &["mail", "thumbnails", "reports", "cleanup"]);
                let mut pairs = extras(dice, &["\"paused\": false", "\"weight\": 2"]);
                pairs.push(format!("\"name\": \"{name}\""));
                pairs.push(format!("\"capacity\": {capacity}"));
                pairs.push(format!("\"jobs\": [{jobs}]"));
                object(dice, pairs)
            });
            let others = [
                "\"server\": \"jobs-1.example\"",
                "\"workers\": 3",
                "\"failed\": [{\"id\": 7002, \"error\": \"timeout\"}]",
            ];
            let mut pairs = extras(dice, &others);
            pairs.push(format!("\"queues\": [{queues}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
];
