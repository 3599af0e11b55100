//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use super::{
    accented, among, are_doubled, asides, chosen, differ, happens, in_turn, ranged, sizes, stated,
};
use crate::readers::{are_in_order, has_short_numbers, is_json};
use crate::two_sided::{TwoSided, joined, one, read_json, shuffled};

/// The keys of a path of an API that are operations.
const METHODS: [&str; 4] = ["get", "post", "put", "delete"];

/// An input that is not odd.
fn file(input: &str) -> Option<Value> {
    (is_json(input) && has_short_numbers(input)).then(|| read_json(input))
}

/// What is read of each thing in a list of an input; nothing if the input is odd.
fn each<T>(input: &str, list: &str, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    file(input)?.pointer(list)?.as_array()?.iter().map(read).collect()
}

/// How wide the panels of a dashboard are.
fn widths(input: &str) -> Option<Vec<u64>> {
    each(input, "/panels", |panel| panel["grid"]["w"].as_u64())
}

/// How deep objects and arrays are in each other in what a schema takes.
fn depth(schema: &Value) -> Option<usize> {
    let inner = match schema["type"].as_str()? {
        "object" => {
            let Some(properties) = schema.get("properties") else { return Some(1) };
            let depths: Option<Vec<usize>> = properties.as_object()?.values().map(depth).collect();
            depths?.into_iter().max().unwrap_or(0)
        }
        "array" => schema.get("items").map_or(Some(0), depth)?,
        "string" | "number" | "boolean" => return Some(0),
        _ => return None,
    };
    Some(1 + inner)
}

/// How deep they are in a file.
fn file_depth(input: &str) -> Option<usize> {
    depth(&file(input)?)
}

/// The names of the operations of an API that have one.
fn operations(input: &str) -> Option<Vec<String>> {
    let (file, mut found) = (file(input)?, Vec::new());
    for path in file["paths"].as_object()?.values() {
        for (method, operation) in path.as_object()? {
            if METHODS.contains(&&method[..]) {
                let id = operation.as_object()?.get("operationId");
                found.extend(id.map(|id| id.as_str().map(str::to_owned)));
            }
        }
    }
    found.into_iter().collect()
}

/// The names of the places on a map.
fn places(input: &str) -> Option<Vec<String>> {
    each(input, "/features", |place| Some(place["properties"]["name"].as_str()?.to_owned()))
}

/// How many hits each search may find, and how many it has found.
fn searches(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "", |search| Some((search["limit"].as_u64()?, search["hits"].as_array()?.len())))
}

/// The types of the events of a recording.
fn events(input: &str) -> Option<Vec<String>> {
    each(input, "/events", |event| Some(event["type"].as_str()?.to_owned()))
}

/// The types of the scales of a chart that have one.
fn scales(input: &str) -> Option<Vec<String>> {
    let (file, mut found) = (file(input)?, Vec::new());
    for channel in file["encoding"].as_object()?.values() {
        channel["field"].as_str()?;
        let Some(scale) = channel.get("scale") else { continue };
        let kind = scale.as_object()?.get("type");
        found.extend(kind.map(|kind| kind.as_str().map(str::to_owned)));
    }
    found.into_iter().collect()
}

/// How many values the columns of each table have.
fn columns(input: &str) -> Option<Vec<Vec<usize>>> {
    let file = file(input)?;
    let tables = file["tables"].as_object()?.values().map(|table| {
        let columns = table.as_object()?.values();
        columns.map(|column| column.as_array().map(Vec::len)).collect()
    });
    tables.collect()
}

/// An object with these pairs in any order.
fn object(dice: &mut Random, pairs: Vec<String>) -> String {
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// An object with a pair and some of other ones.
fn with_asides(dice: &mut Random, name: &str, value: &str, others: &[&str]) -> String {
    let mut pairs = asides(dice, others);
    pairs.push(format!("\"{name}\":{value}"));
    object(dice, pairs)
}

/// A schema of a type, with something in it.
fn schema(dice: &mut Random, kind: &str, inner: Vec<String>) -> String {
    let mut pairs = asides(dice, &["\"title\":\"array\"", "\"default\":[[[{}]]]"]);
    pairs.push(format!("\"type\":\"{kind}\""));
    pairs.extend(inner);
    object(dice, pairs)
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twenty-ninth: json: a panel of a dashboard that is 13 to 23 columns wide",
        grammar: "@json",
        input: concat!(
            r#"{"title":"mill 14","w":15,"panels":[{"title":"flow","grid":{"x":0,"y":0,"w":12,"h":16"#,
            r#"}},{"grid":{"h":4,"w":18,"x":6,"y":16},"kind":"stat","limits":[14,20]},{"kind":"w 16","#,
            r#""grid":{"x":0,"y":20,"w":24,"h":8}}],"refresh":15}"#
        ),
        valid: |input| widths(input).is_some(),
        fails: |input| widths(input).is_some_and(|all| all.iter().any(|w| (13..24).contains(w))),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let panels = joined(dice, count, ",", |dice| {
                let mut grid = asides(dice, &["\"h\":16", "\"x\":18", "\"y\":14", "\"h2\":20"]);
                grid.push(format!("\"w\":{}", ranged(dice, [13, 23], 27)));
                let grid = object(dice, grid);
                let others = ["\"kind\":\"w 16\"", "\"limits\":[14,20]", "\"w\":17"];
                with_asides(dice, "grid", &grid, &others)
            });
            let others = ["\"title\":\"mill 14\"", "\"w\":15", "\"grid\":{\"w\":20}"];
            with_asides(dice, "panels", &format!("[{panels}]"), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: json: objects and arrays of a schema in each other, five deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"title":"order","type":"object","properties":{"id":{"type":"number"},"tags":{"type":"#,
            r#""array","default":[[[[["array"]]]]],"items":{"type":"string"}},"lines":{"items":{"#,
            r#""type":"object","required":["sku"],"properties":{"sku":{"type":"string"},"parts":{"#,
            r#""type":"array","items":{"properties":{},"type":"object"}}}},"type":"array"}}}"#
        ),
        valid: |input| file_depth(input).is_some(),
        fails: |input| file_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let kind = one(dice, &["array", "object", "string", "number"]);
            let mut all = schema(dice, kind, Vec::new());
            for _ in 0..dice.below(7) {
                all = if happens(dice, 50) {
                    schema(dice, "array", vec![format!("\"items\":{all}")])
                } else {
                    let others = ["\"items\":{\"type\":\"array\"}", "\"id\":{\"type\":\"number\"}"];
                    let name = one(dice, &["lines", "object", "type"]);
                    let properties = with_asides(dice, name, &all, &others);
                    schema(dice, "object", vec![format!("\"properties\":{properties}")])
                };
            }
            all
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: json: two operations of an API with the same operationId",
        grammar: "@json",
        input: concat!(
            r#"{"api":"garden","operationId":"show","paths":{"/beds":{"get":{"operationId":"list","#,
            r#""tags":["show","show"]},"post":{"operationId":"addBed","deprecated":true}},"/beds/{id}":"#,
            r#"{"about":{"operationId":"addBed"},"get":{"operationId":"show"},"delete":{"tags":[]}},"#,
            r#""/seeds":{"put":{"tags":["list"],"operationId":"list"}}},"servers":["list"]}"#
        ),
        valid: |input| operations(input).is_some(),
        fails: |input| operations(input).is_some_and(|ids| are_doubled(&ids)),
        draw: |dice| {
            let known = ["list", "show", "addBed", "list2", "drop", "get"];
            let (mut ids, mut paths) = (chosen(dice, &known, 4, 65), Vec::new());
            for path in ["/beds", "/beds/{id}", "/seeds", "/list"] {
                let mut pairs = asides(dice, &["\"about\":{\"operationId\":\"list\"}"]);
                for method in METHODS {
                    let mut operation = asides(dice, &["\"tags\":[\"list\",\"list\"]"]);
                    let id = ids.pop_if(|_| happens(dice, 50));
                    let is_there = id.is_some() || happens(dice, 10);
                    operation.extend(id.map(|id| format!("\"operationId\":\"{id}\"")));
                    let operation = object(dice, operation);
                    pairs.extend(is_there.then(|| format!("\"{method}\":{operation}")));
                }
                paths.push(format!("\"{path}\":{}", object(dice, pairs)));
            }
            let paths = object(dice, paths);
            with_asides(dice, "paths", &paths, &["\"api\":\"list\"", "\"servers\":[\"list\"]"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: json: a place on a map whose name has a character that is not ASCII",
        grammar: "@json",
        input: concat!(
            r#"{"type":"FeatureCollection","name":"Bjørnevåg","features":[{"type":"Feature","geometry":"#,
            r#"{"type":"Point","coordinates":[5.25,60.5]},"properties":{"name":"Old mill","street":"#,
            r#""Mølleveien"}},{"properties":{"open":true,"name":"Kafé Ute"},"type":"Feature","geometry":"#,
            r#"{"type":"Point","coordinates":[5.5,60]}},{"name":"Nøst","properties":{"name":"Pier 4"}}]}"#
        ),
        valid: |input| places(input).is_some(),
        fails: |input| places(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let features = joined(dice, count, ",", |dice| {
                let name = match happens(dice, 27) {
                    true => accented(dice),
                    false => one(dice, &["Old mill", "Pier 4", "", "Cafe Ute"]).to_owned(),
                };
                let others = ["\"street\":\"Mølleveien\"", "\"open\":true", "\"né\":[\"Fjøs\"]"];
                let properties = with_asides(dice, "name", &format!("\"{name}\""), &others);
                let point = "\"geometry\":{\"type\":\"Point\",\"coordinates\":[5.25,60.5]}";
                let others = [point, "\"type\":\"Feature\"", "\"name\":\"Nøst\""];
                with_asides(dice, "properties", &properties, &others)
            });
            let others = ["\"type\":\"FeatureCollection\"", "\"name\":\"Bjørnevåg\""];
            with_asides(dice, "features", &format!("[{features}]"), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: json: a search with exactly as many hits as its limit",
        grammar: "@json",
        input: concat!(
            r#"[{"query":"owl","limit":5,"hits":[{"id":5,"score":0.75},{"id":9}]},{"offset":3,"hits":"#,
            r#"[{"id":2,"tags":["a","b","c"]},{"id":8},{"score":0.5,"id":31}],"limit":3,"query":"elm 2"},"#,
            r#"{"limit":1,"words":["ash"],"hits":[]},{"hits":[4,7],"limit":1}]"#
        ),
        valid: |input| searches(input).is_some(),
        fails: |input| {
            let all = searches(input).unwrap_or_default();
            all.iter().any(|(limit, hits)| *limit == *hits as u64)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let searches = joined(dice, count, ",", |dice| {
                let count = dice.below(6);
                let hits = joined(dice, count, ",", |dice| match dice.below(4) {
                    0 => dice.below(9).to_string(),
                    1 => "{\"id\":2,\"tags\":[\"a\",\"b\"]}".to_owned(),
                    _ => format!("{{\"id\":{}}}", dice.below(40)),
                });
                let others = ["\"query\":\"elm 2\"", "\"offset\":3", "\"words\":[\"ash\"]"];
                let mut pairs = asides(dice, &others);
                pairs.push(format!("\"limit\":{}", stated(dice, count, 27)));
                pairs.push(format!("\"hits\":[{hits}]"));
                object(dice, pairs)
            });
            format!("[{searches}]")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: json: a recording with a press, then a blur, and then a release",
        grammar: "@json",
        input: concat!(
            r#"{"page":"release","keys":["press","blur","release"],"events":[{"type":"focus","at":0},"#,
            r#"{"at":40,"type":"press","x":12},{"type":"move","at":52,"target":"release"},{"type":"blur","#,
            r#""at":55},{"at":61,"type":"move","x":30},{"type":"release","at":70},{"type":"press","at":95}]}"#
        ),
        valid: |input| events(input).is_some(),
        fails: |input| {
            let all = events(input).unwrap_or_default();
            let all: Vec<&str> = all.iter().map(|kind| &kind[..]).collect();
            are_in_order(&all, &["press", "blur", "release"])
        },
        draw: |dice| {
            let mut all = Vec::new();
            let others = ["move", "focus", "scroll", "press", "release", "press2"];
            for kind in in_turn(dice, ["press", "blur", "release"], &others) {
                let others = ["\"at\":40", "\"x\":12", "\"target\":\"blur\""];
                all.push(with_asides(dice, "type", &format!("\"{kind}\""), &others));
            }
            let others = ["\"page\":\"release\"", "\"keys\":[\"press\",\"blur\",\"release\"]"];
            with_asides(dice, "events", &format!("[{}]", all.join(",")), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: json: a chart with a scale of the type log, pow or symlog",
        grammar: "@json",
        input: concat!(
            r#"{"mark":"line","scale":{"type":"log"},"title":"log","encoding":{"x":{"field":"pow","type":"#,
            r#""time"},"y":{"axis":{"type":"log"},"scale":{"zero":false,"type":"symlog"},"field":"mass"},"#,
            r#""size":{"field":"log","scale":{"type":"linear"}},"color":{"field":"a","scale":{"scheme":"#,
            r#"["pow"]}}}}"#
        ),
        valid: |input| scales(input).is_some(),
        fails: |input| {
            let all = scales(input).unwrap_or_default();
            all.iter().any(|kind| ["log", "pow", "symlog"].contains(&&kind[..]))
        },
        draw: |dice| {
            let mut channels = chosen(dice, &["x", "y", "size", "color"], 4, 0);
            for channel in &mut channels {
                let others = ["\"type\":\"log\"", "\"axis\":{\"type\":\"log\"}"];
                let mut pairs = asides(dice, &others);
                pairs.push(format!("\"field\":\"{}\"", one(dice, &["mass", "log", "pow"])));
                if happens(dice, 80) {
                    let others = ["linear", "sqrt", "time", "logit", "powers", "sym"];
                    let kind = among(dice, ["log", "pow", "symlog"], &others, 30);
                    let others = ["\"zero\":false", "\"scheme\":[\"pow\"]"];
                    let scale = with_asides(dice, "type", &format!("\"{kind}\""), &others);
                    pairs.push(format!("\"scale\":{scale}"));
                }
                *channel = format!("\"{channel}\":{}", object(dice, pairs));
            }
            let others = ["\"mark\":\"line\"", "\"scale\":{\"type\":\"log\"}", "\"title\":\"log\""];
            with_asides(dice, "encoding", &format!("{{{}}}", channels.join(",")), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-ninth: json: a table whose columns are not all equally long",
        grammar: "@json",
        input: concat!(
            r#"{"pier":"north","notes":[["low"],["a","b"]],"tables":{"tides":{"hour":[0,6,12],"level":"#,
            r#"[0.5,2,1.25],"wind":["w","sw",""]},"moons":{"day":[4,11,19,26],"part":[0.5,1,0.5]},"#,
            r#""storms":{},"boats":{"name":["ada"]}}}"#
        ),
        valid: |input| columns(input).is_some(),
        fails: |input| columns(input).is_some_and(|all| all.iter().any(|table| differ(table))),
        draw: |dice| {
            let mut tables = chosen(dice, &["tides", "moons", "boats"], 3, 0);
            for table in &mut tables {
                let mut columns = Vec::new();
                for (name, size) in ["hour", "level", "wind", "part"].iter().zip(sizes(dice, 38)) {
                    let values = joined(dice, size, ",", |dice| match dice.below(4) {
                        0 => one(dice, &["\"sw\"", "0.5", "null", "\"\""]).to_owned(),
                        _ => dice.below(30).to_string(),
                    });
                    columns.push(format!("\"{name}\":[{values}]"));
                }
                *table = format!("\"{table}\":{}", object(dice, columns));
            }
            let others = ["\"pier\":\"north\"", "\"notes\":[[\"low\"],[\"a\",\"b\"]]"];
            with_asides(dice, "tables", &format!("{{{}}}", tables.join(",")), &others)
        },
        patterns: &[],
    },
];
