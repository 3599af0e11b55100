//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::draws::{
    are_negative_and_fine, are_uneven, around, chance, counted, extras, figure, has_twins, lengths,
    picked, steps,
};
use crate::readers::{are_in_order, numbers, signed_decimals};
use crate::thirty_third::values::{all, each, each_named, object, text};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The channel of each access point.
fn channels(input: &str) -> Option<Vec<u64>> {
    each(input, "points", |point| {
        point["name"].as_str()?;
        point["channel"].as_u64()
    })
}

/// The types of Avro that have no others in them.
const LEAVES: [&str; 6] = ["null", "boolean", "int", "long", "bytes", "string"];

/// How deep arrays and maps are in each other in a type. A list of types is a choice.
fn type_depth(kind: &Value) -> Option<usize> {
    if kind.is_array() {
        let choices = all(kind, |one| type_depth(one).filter(|_| !one.is_array()));
        return choices?.into_iter().max();
    }
    let name = kind.as_str().or(kind["type"].as_str())?;
    match name {
        "array" => Some(1 + type_depth(kind.get("items")?)?),
        "map" => Some(1 + type_depth(kind.get("values")?)?),
        _ => LEAVES.contains(&name).then_some(0),
    }
}

/// How deep the type of each field of a record is.
fn field_depths(input: &str) -> Option<Vec<usize>> {
    each(input, "fields", |field| {
        field["name"].as_str()?;
        type_depth(field.get("type")?)
    })
}

/// The names of the environment variables of each container.
fn variables(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "containers", |container| {
        container["image"].as_str()?;
        let Some(env) = container.get("env") else { return Some(Vec::new()) };
        all(env, |variable| {
            variable["value"].as_str().or(variable["from"].as_str())?;
            text(&variable["name"])
        })
    })
}

/// The numbers of the translation of each node of a scene: whether each is negative, and how many
/// decimals it has. The last decimal of a number has to say something.
fn translations(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each(input, "nodes", |node| {
        node["name"].as_str()?;
        let Some(place) = node.get("translation") else { return Some(Vec::new()) };
        let place = all(place, |number| signed_decimals(&number.as_number()?.to_string()))?;
        Some(place).filter(|place| place.len() == 3)
    })
}

/// How many seats each course has, and how many students.
fn courses(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "courses", |course| {
        let students = all(&course["students"], |student| text(&student["name"]))?;
        Some((course["seats"].as_u64()?, students.len()))
    })
}

/// What happened to each mail.
fn mail_events(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "mails", |mail| {
        mail["to"].as_str()?;
        all(&mail["events"], |event| {
            event["at"].as_u64()?;
            text(&event["type"])
        })
    })
}

/// The names of the scripts of each package of a workspace.
fn script_names(input: &str) -> Option<Vec<Vec<String>>> {
    each_named(input, "packages", |package| {
        package["version"].as_str()?;
        let Some(scripts) = package.get("scripts") else { return Some(Vec::new()) };
        let scripts = scripts.as_object()?;
        let are_texts = scripts.values().all(Value::is_string);
        are_texts.then(|| scripts.keys().cloned().collect())
    })
}

/// How many values the rows of each result have.
fn result_rows(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "results", |result| {
        result["query"].as_str()?;
        all(&result["rows"], |row| {
            let is_plain = |value: &Value| !value.is_array() && !value.is_object();
            row.as_array().filter(|row| row.iter().all(is_plain)).map(Vec::len)
        })
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fourth: json: wifi: an access point on a channel from 52 to 64",
        grammar: "@json",
        input: concat!(
            r#"{"site":"channel 56","channel":60,"points":[{"name":"hall","channel":48,"width":60},"#,
            r#"{"width":40,"mesh":{"channel":52},"name":"52 to 64","channel":149},{"name":"attic","#,
            r#""power":17,"channel":65},{"channel":56,"power":20,"name":"yard"},{"channel":6,"name":"#,
            r#""shed"}],"banned":[52,56,60,64]}"#
        ),
        valid: |input| channels(input).is_some(),
        fails: |input| {
            channels(input).is_some_and(|all| all.iter().any(|one| (52..65).contains(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let points = joined(dice, count, ",", |dice| {
                let name = one(dice, &["hall", "attic", "yard", "52 to 64"]);
                let channel = around(dice, [52, 64], 26);
                let pairs = [format!("\"name\":\"{name}\""), format!("\"channel\":{channel}")];
                let others =
                    ["\"width\":60", "\"power\":20", "\"mesh\":{\"channel\":52}", "\"clients\":57"];
                object(dice, &pairs, &others)
            });
            let others = ["\"site\":\"channel 56\"", "\"channel\":60", "\"banned\":[52,56,60,64]"];
            object(dice, &[format!("\"points\":[{points}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: json: avro: arrays and maps of a field in each other, five deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"type":"record","name":"map","fields":[{"name":"array","type":"int"},{"name":"tags","#,
            r#""type":{"type":"array","items":"string"}},{"doc":"a map","name":"tree","type":["null","#,
            r#"{"type":"map","values":{"type":"array","items":{"doc":"map","type":"map","values":["int","#,
            r#"{"items":{"type":"map","values":"long"},"type":"array"}]}}}]}],"old":[[[[[["array"]]]]]]}"#
        ),
        valid: |input| field_depths(input).is_some(),
        fails: |input| field_depths(input).is_some_and(|all| all.iter().any(|depth| *depth >= 5)),
        draw: |dice| {
            let leaf = |dice: &mut Random| {
                one(dice, &["\"int\"", "\"string\"", "{\"type\":\"long\",\"doc\":\"a map\"}"])
            };
            let mut kind = leaf(dice).to_owned();
            let depth = 1 + dice.below(8);
            for _ in 0..depth {
                kind = match dice.below(7) {
                    0 if !kind.starts_with('[') => format!("[\"null\",{kind}]"),
                    0..4 => object(
                        dice,
                        &["\"type\":\"array\"".to_owned(), format!("\"items\":{kind}")],
                        &["\"doc\":\"map\""],
                    ),
                    _ => object(
                        dice,
                        &["\"type\":\"map\"".to_owned(), format!("\"values\":{kind}")],
                        &["\"doc\":\"array\""],
                    ),
                };
            }
            let others = [
                "{\"name\":\"array\",\"type\":\"int\"}",
                "{\"type\":{\"type\":\"array\",\"items\":\"string\"},\"name\":\"tags\"}",
            ];
            let mut fields = extras(dice, &others);
            fields.push(object(
                dice,
                &["\"name\":\"tree\"".to_owned(), format!("\"type\":{kind}")],
                &["\"doc\":\"a map\""],
            ));
            let fields = shuffled(dice, fields).join(",");
            let pairs = ["\"type\":\"record\"".to_owned(), format!("\"fields\":[{fields}]")];
            object(dice, &pairs, &["\"name\":\"map\"", "\"old\":[[[[[[\"array\"]]]]]]"])
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: json: pod: a container with two environment variables of the same name",
        grammar: "@json",
        input: concat!(
            r#"{"kind":"Pod","labels":[{"name":"PORT"},{"name":"PORT"}],"containers":[{"image":"web:4","#,
            r#""env":[{"name":"PORT","value":"80"},{"name":"HOST","value":"PORT"}]},{"image":"db:12","#,
            r#""ports":[{"name":"db"},{"name":"db"}],"env":[{"name":"USER","value":"owl"},{"from":"#,
            r#""keys","name":"TOKEN"},{"value":"raj","name":"USER"}]},{"image":"PORT"}]}"#
        ),
        valid: |input| variables(input).is_some(),
        fails: |input| variables(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let mut containers = Vec::new();
            for _ in 0..count {
                let mut env = Vec::new();
                let known = ["PORT", "HOST", "USER", "USERS", "TOKEN", "user"];
                for name in picked(dice, &known, 4, 36) {
                    let value =
                        one(dice, &["\"value\":\"80\"", "\"value\":\"PORT\"", "\"from\":\"keys\""]);
                    env.push(object(
                        dice,
                        &[format!("\"name\":\"{name}\""), value.to_owned()],
                        &[],
                    ));
                }
                let image = one(dice, &["web:4", "db:12", "PORT"]);
                let mut pairs = vec![format!("\"image\":\"{image}\"")];
                if chance(dice, 85) {
                    pairs.push(format!("\"env\":[{}]", env.join(",")));
                }
                let others = ["\"ports\":[{\"name\":\"db\"},{\"name\":\"db\"}]", "\"tty\":true"];
                containers.push(object(dice, &pairs, &others));
            }
            let others =
                ["\"kind\":\"Pod\"", "\"labels\":[{\"name\":\"PORT\"},{\"name\":\"PORT\"}]"];
            object(dice, &[format!("\"containers\":[{}]", containers.join(","))], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-fourth: json: scene: a node whose translation has a negative number and one of ",
            "exactly three decimals"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"asset":"gltf -1.125","origin":[-4,0.125,2],"nodes":[{"name":"base","translation":[0,"#,
            r#"-2.5,0.25],"scale":[1,1.125,-1]},{"name":"arm","mesh":3,"translation":[12.375,-4,1.0625]},"#,
            r#"{"translation":[0.125,5.5,3],"name":"hand -4","rotation":[-0.5,0.5,0.5,0.5]},{"name":"#,
            r#""lamp"}],"fog":-0.375}"#
        ),
        valid: |input| translations(input).is_some(),
        fails: |input| {
            translations(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let nodes = joined(dice, count, ",", |dice| {
                let name = one(dice, &["base", "arm", "hand -4", "lamp"]);
                let mut pairs = vec![format!("\"name\":\"{name}\"")];
                if chance(dice, 90) {
                    pairs.push(format!("\"translation\":[{}]", joined(dice, 3, ",", figure)));
                }
                let others = [
                    "\"scale\":[1,1.125,-1]",
                    "\"mesh\":3",
                    "\"rotation\":[-0.5,0.5,0.5,0.5]",
                    "\"weight\":-0.125",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"asset\":\"gltf -1.125\"", "\"origin\":[-4,0.125,2]", "\"fog\":-0.375"];
            object(dice, &[format!("\"nodes\":[{nodes}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: json: school: a course with exactly as many students as seats",
        grammar: "@json",
        input: concat!(
            r#"{"term":"seats 2","seats":3,"courses":[{"title":"pottery","seats":5,"students":[{"name":"#,
            r#""Ada","marks":[1,2,1,2,4]},{"name":"Raj"}]},{"students":[{"name":"Bo"},{"marks":[],"name":"#,
            r#""Kim"},{"name":"Lee"}],"title":"choir","waiting":["Uma","Zoe"],"seats":3},{"seats":1,"#,
            r#""title":"3 students","students":[]}]}"#
        ),
        valid: |input| courses(input).is_some(),
        fails: |input| {
            let all = courses(input).unwrap_or_default();
            all.iter().any(|(seats, count)| *seats as usize == *count)
        },
        draw: |dice| {
            let courses = 1 + dice.below(3);
            let courses = joined(dice, courses, ",", |dice| {
                let count = dice.below(5);
                let students = joined(dice, count, ",", |dice| {
                    let name = one(dice, &["Ada", "Raj", "Bo", "Kim"]);
                    let others = ["\"marks\":[1,2,1,2,4]", "\"year\":2"];
                    object(dice, &[format!("\"name\":\"{name}\"")], &others)
                });
                let seats = counted(dice, count, 30);
                let pairs = [format!("\"seats\":{seats}"), format!("\"students\":[{students}]")];
                let others =
                    ["\"title\":\"3 students\"", "\"waiting\":[\"Uma\",\"Zoe\"]", "\"hours\":2"];
                object(dice, &pairs, &others)
            });
            let others = ["\"term\":\"seats 2\"", "\"seats\":3", "\"students\":[\"Ada\",\"Bo\"]"];
            let others = if chance(dice, 60) { &others[..2] } else { &others[1..] };
            object(dice, &[format!("\"courses\":[{courses}]")], others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: json: mails: one that is delivered, then opened, and then reported",
        grammar: "@json",
        input: concat!(
            r#"{"subject":"delivered, opened, reported","mails":[{"to":"ada","events":[{"at":2,"type":"#,
            r#""opened"},{"at":5,"type":"reported"},{"type":"clicked","at":9}]},{"events":[{"at":4,"type":"#,
            r#""opened"},{"at":4,"type":"delivered"},{"at":6,"type":"clicked"},{"type":"opened","at":7},"#,
            r#"{"by":"opened","type":"reported","at":31}],"to":"bo"}],"type":"reported"}"#
        ),
        valid: |input| mail_events(input).is_some(),
        fails: |input| {
            let is_told = |events: &Vec<String>| {
                let events: Vec<&str> = events.iter().map(String::as_str).collect();
                are_in_order(&events, &["delivered", "opened", "reported"])
            };
            mail_events(input).is_some_and(|all| all.iter().any(is_told))
        },
        draw: |dice| {
            let mut mails = Vec::new();
            let others = ["sent", "clicked", "delivered", "reported", "opens"];
            for at in 0..1 + dice.below(2) {
                let kinds = match at {
                    0 => steps(dice, ["delivered", "opened", "reported"], &others),
                    _ => (0..1 + dice.below(3)).map(|_| one(dice, &others)).collect(),
                };
                let (mut events, mut time) = (Vec::new(), 0);
                for kind in kinds {
                    time += dice.below(9);
                    let pairs = [format!("\"at\":{time}"), format!("\"type\":\"{kind}\"")];
                    events.push(object(dice, &pairs, &["\"by\":\"opened\""]));
                }
                let to = one(dice, &["ada", "bo", "opened"]);
                let pairs =
                    [format!("\"to\":\"{to}\""), format!("\"events\":[{}]", events.join(","))];
                mails.push(object(dice, &pairs, &["\"size\":4"]));
            }
            let mails = shuffled(dice, mails).join(",");
            let others = ["\"subject\":\"delivered, opened, reported\"", "\"type\":\"reported\""];
            object(dice, &[format!("\"mails\":[{mails}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-fourth: json: workspace: a package whose scripts have a preinstall or a ",
            "postinstall"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"name":"postinstall","scripts":{"preinstall":"true"},"packages":{"core":{"version":"1.4.0","#,
            r#""scripts":{"build":"tsc","test":"preinstall"}},"preinstall":{"version":"0.2.1","files":["#,
            r#""postinstall"]},"cli":{"scripts":{"lint":"eslint","postinstall":"node fix.js","pack":"tar"},"#,
            r#""version":"2.0.0"},"docs":{"version":"1.0.3","config":{"postinstall":"no"}}}}"#
        ),
        valid: |input| script_names(input).is_some(),
        fails: |input| {
            let all = script_names(input).unwrap_or_default().concat();
            all.iter().any(|name| ["preinstall", "postinstall"].contains(&&name[..]))
        },
        draw: |dice| {
            let mut packages = Vec::new();
            for name in picked(dice, &["core", "cli", "docs", "preinstall"], 4, 0) {
                let known = ["build", "test", "lint", "install", "postpack", "prepare"];
                let mut names = picked(dice, &known, 3, 0);
                if chance(dice, 25) {
                    names.push(one(dice, &["preinstall", "postinstall"]).to_owned());
                }
                let scripts = shuffled(dice, names).into_iter().map(|name| {
                    let command = one(dice, &["tsc", "node fix.js", "preinstall", "eslint"]);
                    format!("\"{name}\":\"{command}\"")
                });
                let scripts = scripts.collect::<Vec<String>>().join(",");
                let mut pairs = vec!["\"version\":\"1.4.0\"".to_owned()];
                if chance(dice, 85) {
                    pairs.push(format!("\"scripts\":{{{scripts}}}"));
                }
                let others = ["\"files\":[\"postinstall\"]", "\"config\":{\"postinstall\":\"no\"}"];
                packages.push(format!("\"{name}\":{}", object(dice, &pairs, &others)));
            }
            let others = ["\"name\":\"postinstall\"", "\"scripts\":{\"preinstall\":\"true\"}"];
            object(dice, &[format!("\"packages\":{{{}}}", packages.join(","))], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-fourth: json: queries: a result whose rows do not all have the same number of ",
            "values"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"took":12,"rows":[[1],[2,3]],"results":[{"query":"select 1","rows":[[4,"owl"],[7,null]]},"#,
            r#"{"warnings":[["a"],["b","c"]],"rows":[[3,"elm",true],[8,"oak",false],[9,"ash"],[1,"fir","#,
            r#"true]],"query":"rows"},{"query":"select 2","rows":[]},{"rows":[[]],"ms":2,"query":"x"}]}"#
        ),
        valid: |input| result_rows(input).is_some(),
        fails: |input| {
            result_rows(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let results = joined(dice, count, ",", |dice| {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 42) {
                    let row = joined(dice, length, ",", |dice| {
                        one(dice, &["4", "12", "\"owl\"", "\"elm, oak\"", "null", "true"])
                            .to_owned()
                    });
                    rows.push(format!("[{row}]"));
                }
                let query = one(dice, &["select 1", "select 2", "rows"]);
                let pairs =
                    [format!("\"query\":\"{query}\""), format!("\"rows\":[{}]", rows.join(","))];
                object(dice, &pairs, &["\"warnings\":[[\"a\"],[\"b\",\"c\"]]", "\"ms\":2"])
            });
            let mut parts = vec![results];
            parts.extend(extras(dice, &["{\"query\":\"select 2\",\"rows\":[]}"]));
            let parts = shuffled(dice, parts).join(",");
            let others = ["\"took\":12", "\"rows\":[[1],[2,3]]"];
            object(dice, &[format!("\"results\":[{parts}]")], &others)
        },
        patterns: &[],
    },
];
