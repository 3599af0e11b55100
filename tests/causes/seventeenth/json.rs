//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::readers::{has_short_numbers, is_json, items, numbers};
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// The levels that a logger may have.
const LEVELS: [&str; 4] = ["debug", "info", "warn", "error"];

/// The ports of the services; nothing if one of these is no whole number.
fn ports(input: &str) -> Option<Vec<u64>> {
    let all = read(input);
    let values = items(&all["services"]).iter().filter_map(|one| one.get("port"));
    values.map(Value::as_u64).collect()
}

/// The greatest number of retries, and the retries of each step; nothing if one of these is no whole number.
fn retries(input: &str) -> Option<(u64, Vec<u64>)> {
    let all = read(input);
    let values = items(&all["steps"]).iter().filter_map(|one| one.get("retries"));
    Some((all["max_retries"].as_u64()?, values.map(Value::as_u64).collect::<Option<_>>()?))
}

/// The kind of each shape, and whether it has a radius; nothing if one has no kind.
fn shapes(input: &str) -> Option<Vec<(String, bool)>> {
    let all = read(input);
    let shapes = items(&all["shapes"]).iter();
    shapes
        .map(|shape| Some((shape["kind"].as_str()?.to_owned(), shape.get("radius").is_some())))
        .collect()
}

/// The levels of the loggers; nothing if one of these is no text.
fn levels(input: &str) -> Option<Vec<String>> {
    let all = read(input);
    let values = items(&all["loggers"]).iter().filter_map(|one| one.get("level"));
    values.map(|level| level.as_str().map(str::to_owned)).collect()
}

/// The tags of each post; nothing if one of these is no text.
fn tags(input: &str) -> Option<Vec<Vec<String>>> {
    let all = read(input);
    let posts = items(&all["posts"]).iter().map(|post| {
        let tags = items(&post["tags"]).iter();
        tags.map(|tag| tag.as_str().map(str::to_owned)).collect()
    });
    posts.collect()
}

/// A text of some length.
fn text(dice: &mut Random, length: usize) -> String {
    let letters = (0..length).map(|at| if at % 6 == 4 { " ".to_owned() } else { word(dice, 1) });
    letters.collect()
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "seventeenth: json: a service with a port from 1 to 1023",
        grammar: "@json",
        input: r#"{"cluster":"north","services":[{"name":"web","port":8080,"replicas":3},{"replicas":1,"port":443,"name":"proxy"},{"name":"db","port":5432,"volume":"/data"}],"ttl":600}"#,
        valid: |input| is_json(input) && ports(input).is_some(),
        fails: |input| {
            ports(input).is_some_and(|all| all.iter().any(|port| (1..=1023).contains(port)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let services = joined(dice, count, ",", |dice| {
                let low = ["1", "22", "80", "443", "1022", "1023"];
                let high = ["0", "1024", "1025", "8080", "5432", "65535"];
                let port = if dice.below(3) == 0 { one(dice, &low) } else { one(dice, &high) };
                let mut pairs = vec![
                    format!("\"name\":\"{}\"", one(dice, &["web", "db", "port", "443"])),
                    format!("\"replicas\":{}", dice.below(9)),
                ];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"port\":{port}"));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"cluster\":\"{}\"", word(dice, 5)),
                format!("\"services\":[{services}]"),
                format!("\"{}\":{}", one(dice, &["ttl", "port"]), one(dice, &["60", "600", "0"])),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: json: a step with more retries than the pipeline allows",
        grammar: "@json",
        input: r#"{"pipeline":"nightly","max_retries":3,"steps":[{"name":"fetch","retries":3,"minutes":2},{"minutes":12,"name":"build","retries":5},{"name":"publish","needs":["build"]}]}"#,
        valid: |input| is_json(input) && retries(input).is_some(),
        fails: |input| {
            retries(input).is_some_and(|(most, all)| all.iter().any(|count| *count > most))
        },
        draw: |dice| {
            let most = dice.below(12);
            let steps: Vec<String> = (0..1 + dice.below(3))
                .map(|_| {
                    let mut pairs = vec![
                        format!("\"name\":\"{}\"", word(dice, 5)),
                        format!("\"minutes\":{}", dice.below(40)),
                    ];
                    let count = [most, most, most / 2, most + 1, dice.below(12)][dice.below(5)];
                    if dice.below(6) > 0 {
                        pairs.push(format!("\"retries\":{count}"));
                    }
                    format!("{{{}}}", shuffled(dice, pairs).join(","))
                })
                .collect();
            let pairs = vec![
                format!("\"pipeline\":\"{}\"", word(dice, 5)),
                format!("\"max_retries\":{most}"),
                format!("\"steps\":[{}]", steps.join(",")),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: json: a shape with a radius that is no circle",
        grammar: "@json",
        input: r#"{"canvas":{"w":640,"h":480,"radius":2},"shapes":[{"kind":"circle","x":10,"y":20,"radius":5},{"kind":"rect","x":1,"radius":4,"w":30},{"to":[3,4],"kind":"line"}]}"#,
        valid: |input| is_json(input) && shapes(input).is_some(),
        fails: |input| {
            let all = shapes(input).unwrap_or_default();
            all.iter().any(|(kind, has_radius)| *has_radius && kind != "circle")
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let shapes = joined(dice, count, ",", |dice| {
                let kind = one(dice, &["circle", "circle", "rect", "line", "radius", "circles"]);
                let key = match (kind, dice.below(3)) {
                    ("circle", 0 | 1) | (_, 0) => "radius",
                    _ => one(dice, &["w", "corner", "circle"]),
                };
                let pairs = vec![
                    format!("\"kind\":\"{kind}\""),
                    format!("\"{key}\":{}", dice.below(30)),
                    format!("\"x\":{}", one(dice, &["1", "20", "\"circle\"", "null"])),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let canvas = one(dice, &["{\"w\":640}", "{\"kind\":\"rect\",\"radius\":3}", "null"]);
            let pairs = vec![format!("\"canvas\":{canvas}"), format!("\"shapes\":[{shapes}]")];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: json: a manifest without a version at its top",
        grammar: "@json",
        input: r#"{"name":"teapot","license":"MIT","author":{"name":"ann","version":"2"},"dependencies":{"cup":"1.2.0","version":"0.3.1"},"main":"pot.js","files":["version","lib"]}"#,
        valid: |input| is_json(input) && read(input).is_object(),
        fails: |input| read(input).get("version").is_none(),
        draw: |dice| {
            let mut pairs = vec![format!("\"name\":\"{}\"", one(dice, &["tea", "version"]))];
            if dice.below(2) == 0 {
                let version = one(dice, &["\"1.2.0\"", "\"\"", "null", "3", "{}"]);
                pairs.push(format!("\"version\":{version}"));
            }
            let inner = ["{\"version\":\"2\"}", "{}", "{\"cup\":\"1.2\",\"version\":\"0.3\"}"];
            let keys = ["author", "dependencies", "engines", "versions", "Version"];
            let mut keys = shuffled(dice, keys.map(str::to_owned).to_vec());
            keys.truncate(1 + dice.below(3));
            pairs.extend(keys.iter().map(|key| format!("\"{key}\":{}", one(dice, &inner))));
            if dice.below(3) == 0 {
                pairs.push(format!("\"files\":[{}]", one(dice, &["\"version\"", "\"lib\"", ""])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: json: a logger whose level is none of debug, info, warn and error",
        grammar: "@json",
        input: r#"{"service":"shop","level":"all","loggers":[{"name":"db","level":"info"},{"level":"trace","name":"http","colors":true},{"name":"mail","level":"error"}],"file":"/var/log/shop.log"}"#,
        valid: |input| is_json(input) && levels(input).is_some(),
        fails: |input| {
            let all = levels(input).unwrap_or_default();
            all.iter().any(|level| !LEVELS.contains(&level.as_str()))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let loggers = joined(dice, count, ",", |dice| {
                let others = ["trace", "", "INFO", "warning", "fatal", "debu", "info "];
                let level =
                    if dice.below(3) == 0 { one(dice, &others) } else { one(dice, &LEVELS) };
                let mut pairs =
                    vec![format!("\"name\":\"{}\"", one(dice, &["db", "http", "info", "trace"]))];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"level\":\"{level}\""));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"colors\":{}", one(dice, &["true", "\"error\""])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"level\":\"{}\"", one(dice, &["all", "info", "trace"])),
                format!("\"loggers\":[{loggers}]"),
                format!("\"file\":\"/{}.log\"", word(dice, 4)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: json: a number with three decimals and a negative number in one file",
        grammar: "@json",
        input: r#"{"trip":"alps","points":[{"lat":46.5,"lon":8.1,"m":1204},{"lat":46.512,"lon":8.25,"m":-3},{"lat":46.75,"lon":9,"m":70}],"km":12.5,"note":"up -1.125 and down"}"#,
        valid: |input| is_json(input) && has_short_numbers(input),
        fails: |input| {
            let all = numbers(input);
            let decimals = |number: &str| number.split_once('.').map_or(0, |(_, part)| part.len());
            all.iter().any(|number| decimals(number) == 3)
                && all.iter().any(|number| number.starts_with('-'))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let points = joined(dice, count, ",", |dice| {
                let places = ["46.5", "8.25", "7", "46.512", "0.125", "9.0625", "8.1000", "120"];
                let heights = ["1204", "70", "0", "-3", "-40", "-2.5", "-1.75"];
                let mut pairs = vec![
                    format!("\"lat\":{}", one(dice, &places)),
                    format!("\"lon\":{}", one(dice, &places)),
                ];
                if dice.below(3) > 0 {
                    pairs.push(format!("\"m\":{}", one(dice, &heights)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"points\":[{points}]"),
                format!("\"km\":{}", one(dice, &["12.75", "3", "4.5", "-1", "-0.375"])),
                format!("\"note\":\"{}\"", one(dice, &["", "-1", "0.125", "a-b"])),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: json: a post with a tag twice",
        grammar: "@json",
        input: r#"{"blog":"tea","posts":[{"title":"pots","tags":["hot","green"]},{"tags":["cold","milk","ice","cold"],"title":"iced tea","draft":true},{"title":"cups","tags":[]}],"links":["hot","hot"]}"#,
        valid: |input| is_json(input) && tags(input).is_some(),
        fails: |input| {
            let posts = tags(input).unwrap_or_default();
            posts.iter().any(|all| (1..all.len()).any(|at| all[..at].contains(&all[at])))
        },
        draw: |dice| {
            let list = |dice: &mut Random| {
                let count = [0, 1, 2, 2, 3, 4][dice.below(6)];
                joined(dice, count, ",", |dice| {
                    let names = ["hot", "cold", "milk", "ice", "hot tea", "", "Hot", "lemon"];
                    format!("\"{}\"", one(dice, &names))
                })
            };
            let posts: Vec<String> = (0..1 + dice.below(3))
                .map(|_| {
                    let mut pairs = vec![
                        format!("\"title\":\"{}\"", one(dice, &["hot", "cups", "tea"])),
                        format!("\"tags\":[{}]", list(dice)),
                    ];
                    if dice.below(3) == 0 {
                        pairs.push(format!("\"links\":[{}]", list(dice)));
                    }
                    format!("{{{}}}", shuffled(dice, pairs).join(","))
                })
                .collect();
            let pairs = vec![
                format!("\"posts\":[{}]", posts.join(",")),
                format!("\"tags\":[{}]", list(dice)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: json: an alert with a title longer than 24 characters",
        grammar: "@json",
        input: r#"{"host":"n7","alerts":[{"id":4,"title":"Disk is full","body":"The disk of n7 is full since monday morning"},{"title":"Backup of last night failed","id":5,"body":"no space"}],"contact":"ann lee from the night shift"}"#,
        valid: |input| input.is_ascii() && is_json(input),
        fails: |input| {
            let all = read(input);
            let mut titles = items(&all["alerts"]).iter().map(|alert| &alert["title"]);
            titles.any(|title| title.as_str().is_some_and(|title| title.len() > 24))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let alerts = joined(dice, count, ",", |dice| {
                let length = [3, 12, 22, 23, 24, 24, 25, 26, 31][dice.below(9)];
                let mut pairs = vec![
                    format!("\"id\":{}", dice.below(90)),
                    format!("\"title\":\"{}\"", text(dice, length)),
                ];
                if dice.below(2) == 0 {
                    let length = [0, 8, 24, 25, 40][dice.below(5)];
                    pairs.push(format!("\"body\":\"{}\"", text(dice, length)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let length = [4, 24, 26, 30][dice.below(4)];
            let pairs = vec![
                format!("\"alerts\":[{alerts}]"),
                format!("\"contact\":\"{}\"", text(dice, length)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
