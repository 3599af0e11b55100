//! Causes in JSON: records of a program, pools of memory, what a linter says, ways to start a program, curves,
//! streams, rules of a server and what models mix up.

use serde_json::Value;

use super::{amount, are_negative_and_exact};
use crate::draws::{above, are_uneven, around, chance, has_twins, lengths, picked, steps};
use crate::readers::{are_in_order, numbers, signed_decimals};
use crate::thirty_third::values::{all, each, object, text, texts};
use crate::two_sided::{TwoSided, joined, one};

/// The severity of each record of a program.
fn severities(input: &str) -> Option<Vec<u64>> {
    each(input, "records", |record| {
        record["body"].as_str()?;
        record["severityNumber"].as_u64()
    })
}

/// How many bytes of each pool of memory are used, and how many are committed.
fn pools(input: &str) -> Option<Vec<(u64, u64)>> {
    each(input, "pools", |pool| {
        pool["name"].as_str()?;
        pool["used"].as_u64().zip(pool["committed"].as_u64())
    })
}

/// Whether each diagnostic of a linter has a range.
fn have_ranges(input: &str) -> Option<Vec<bool>> {
    each(input, "diagnostics", |diagnostic| {
        diagnostic["message"].as_str()?;
        let Some(range) = diagnostic.get("range") else { return Some(false) };
        range["start"].as_u64().and(range["end"].as_u64()).map(|_| true)
    })
}

/// The names of the configurations of a debugger.
fn configurations(input: &str) -> Option<Vec<String>> {
    each(input, "configurations", |configuration| {
        configuration["type"].as_str()?;
        text(&configuration["name"])
    })
}

/// The points of each curve: whether each of its four numbers is negative, and how many decimals it has.
/// The last decimal of a number has to say something.
fn curves(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each(input, "curves", |curve| {
        curve["name"].as_str()?;
        let points =
            all(&curve["points"], |value| signed_decimals(&value.as_number()?.to_string()));
        points.filter(|points| points.len() == 4)
    })
}

/// What happened to each stream.
fn streams(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "streams", |stream| {
        stream["id"].as_u64()?;
        all(&stream["events"], text)
    })
}

/// The methods that each rule allows.
fn methods(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "rules", |rule| {
        rule["path"].as_str()?;
        all(&rule["methods"], text)
    })
}

/// How many counts the rows of the matrix of each model have.
fn matrices(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "models", |model| {
        model["name"].as_str()?;
        all(&model["confusion"], |row| {
            row.as_array().filter(|row| row.iter().all(Value::is_u64)).map(Vec::len)
        })
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "forty-first: json: telemetry: a record with a severityNumber from 17 to 20",
        grammar: "@json",
        input: concat!(
            r#"{"resource":"severityNumber 17","severityNumber":18,"records":[{"severityNumber":9,"body":"20 "#,
            r#"owls"},{"body":"17","spanId":19,"severityNumber":21},{"traceFlags":20,"severityNumber":19,"#,
            r#""attributes":{"severityNumber":1},"body":"nest is full"},{"body":"","severityNumber":5,"#,
            r#""severityText":"19"},{"severityNumber":16,"body":"eggs"}],"dropped":[17,18]}"#
        ),
        valid: |input| severities(input).is_some(),
        fails: |input| {
            severities(input).is_some_and(|all| all.iter().any(|one| (17..=20).contains(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let records = joined(dice, count, ",", |dice| {
                let severity = around(dice, [17, 20], 24);
                let body = one(dice, &["20 owls", "17", "nest is full", ""]);
                let pairs =
                    [format!("\"body\":\"{body}\""), format!("\"severityNumber\":{severity}")];
                let others = [
                    "\"spanId\":19",
                    "\"severityText\":\"19\"",
                    "\"attributes\":{\"severityNumber\":18}",
                ];
                object(dice, &pairs, &others)
            });
            let others = [
                "\"resource\":\"severityNumber 17\"",
                "\"severityNumber\":18",
                "\"dropped\":[17,18]",
            ];
            object(dice, &[format!("\"records\":[{records}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: json: memory: a pool with more bytes used than committed",
        grammar: "@json",
        input: concat!(
            r#"{"vm":"used 9 committed 4","used":900,"committed":412,"pools":[{"name":"eden","used":120,"max":"#,
            r#"60,"committed":412},{"committed":64,"name":"old","peak":{"used":90,"committed":12},"used":64},"#,
            r#"{"used":732,"type":"heap","name":"metaspace","committed":700,"max":1200},{"name":"used","#,
            r#""committed":12,"used":0}],"pause":[7,4]}"#
        ),
        valid: |input| pools(input).is_some(),
        fails: |input| {
            pools(input).is_some_and(|all| all.iter().any(|(used, committed)| used > committed))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let pools = joined(dice, count, ",", |dice| {
                let committed = [64, dice.below(20), 1 + dice.below(900)][dice.below(3)];
                let used = above(dice, committed, 24);
                let name = one(dice, &["eden", "old", "metaspace", "used"]);
                let pairs = [
                    format!("\"name\":\"{name}\""),
                    format!("\"used\":{used}"),
                    format!("\"committed\":{committed}"),
                ];
                let others =
                    ["\"max\":60", "\"peak\":{\"used\":90,\"committed\":12}", "\"type\":\"heap\""];
                object(dice, &pairs, &others)
            });
            let others = ["\"vm\":\"used 9 committed 4\"", "\"used\":900", "\"committed\":412"];
            object(dice, &[format!("\"pools\":[{pools}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: json: linter: a diagnostic without a range",
        grammar: "@json",
        input: concat!(
            r#"{"uri":"file:///range.c","range":{"start":0,"end":412},"diagnostics":[{"message":"unused","range":"#,
            r#"{"start":12,"end":40},"code":7},{"severity":1,"range":{"end":4,"start":4},"message":"range"},{"#,
            r#""message":"owl is not set","source":"range","related":[{"range":{"start":1,"end":2}}],"ranges":"#,
            r#"[]},{"range":{"start":0,"end":9,"line":3},"message":""}],"version":4}"#
        ),
        valid: |input| have_ranges(input).is_some(),
        fails: |input| have_ranges(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let diagnostics = joined(dice, count, ",", |dice| {
                let message = one(dice, &["unused", "range", "owl is not set", ""]);
                let mut pairs = vec![format!("\"message\":\"{message}\"")];
                if chance(dice, 77) {
                    let (start, end) = (dice.below(90), dice.below(900));
                    let ends = [format!("\"start\":{start}"), format!("\"end\":{end}")];
                    let range = object(dice, &ends, &["\"line\":3"]);
                    pairs.push(format!("\"range\":{range}"));
                }
                let others = [
                    "\"severity\":1",
                    "\"source\":\"range\"",
                    "\"ranges\":[]",
                    "\"related\":[{\"range\":{\"start\":1,\"end\":2}}]",
                ];
                object(dice, &pairs, &others)
            });
            let others = [
                "\"uri\":\"file:///range.c\"",
                "\"range\":{\"start\":0,\"end\":412}",
                "\"version\":4",
            ];
            object(dice, &[format!("\"diagnostics\":[{diagnostics}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: json: debugger: two configurations of the same name",
        grammar: "@json",
        input: concat!(
            r#"{"version":"4.12","name":"Run owl","configurations":[{"name":"Run owl","type":"node","port":9229},"#,
            r#"{"type":"lldb","env":{"name":"Run owl"},"name":"Attach"},{"type":"node","name":"run owl"},"#,
            r#"{"args":["name","Attach"],"type":"Attach","name":"Test"},{"port":412,"name":"Attach","type":"#,
            r#""python"}],"compounds":[{"name":"All"},{"name":"All"}]}"#
        ),
        valid: |input| configurations(input).is_some(),
        fails: |input| configurations(input).is_some_and(|all| has_twins(&all)),
        draw: |dice| {
            let known = ["Run owl", "run owl", "Attach", "Test", "Run", "Run owl 2"];
            let mut all = picked(dice, &known, 4, 52);
            for configuration in &mut all {
                let kind = one(dice, &["node", "lldb", "python", "Attach"]);
                let pairs =
                    [format!("\"name\":\"{configuration}\""), format!("\"type\":\"{kind}\"")];
                let others = [
                    "\"port\":9229",
                    "\"env\":{\"name\":\"Run owl\"}",
                    "\"args\":[\"name\",\"Attach\"]",
                ];
                *configuration = object(dice, &pairs, &others);
            }
            let others = [
                "\"version\":\"4.12\"",
                "\"name\":\"Run owl\"",
                "\"compounds\":[{\"name\":\"All\"},{\"name\":\"All\"}]",
            ];
            object(dice, &[format!("\"configurations\":[{}]", all.join(","))], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-first: json: easing: a curve with a negative number and one of exactly one ",
            "decimal"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"theme":"-0.5","speed":-1.5,"curves":[{"name":"out","points":[0.25,0.4,0.75,1]},{"points":"#,
            r#"[0.68,-0.55,0.27,1.55],"name":"back"},{"delay":-0.3,"name":"in-back","points":"#,
            r#"[0.6,-0.28,0.735,0.045]},{"name":"0.4","points":[1,0.125,2,0.5],"ends":[-1,0.5]},{"points":"#,
            r#"[0.5,1,0.89,4],"name":"late"}],"steps":[-4,0.5]}"#
        ),
        valid: |input| curves(input).is_some(),
        fails: |input| {
            let all = curves(input).unwrap_or_default();
            all.iter().any(|points| are_negative_and_exact(points, 1))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let curves = joined(dice, count, ",", |dice| {
                let name = one(dice, &["out", "back", "in-back", "0.4"]);
                let points = joined(dice, 4, ",", |dice| amount(dice, 1));
                let pairs = [format!("\"name\":\"{name}\""), format!("\"points\":[{points}]")];
                object(dice, &pairs, &["\"delay\":-0.3", "\"ends\":[-1,0.5]", "\"frames\":-4"])
            });
            let others = ["\"theme\":\"-0.5\"", "\"speed\":-1.5", "\"steps\":[-4,0.5]"];
            object(dice, &[format!("\"curves\":[{curves}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: json: streams: one that is opened, then stalled, and then resumed",
        grammar: "@json",
        input: concat!(
            r#"{"trace":"open stall resume","events":["open","stall","resume"],"streams":[{"id":4,"events":["#,
            r#""open","data","stall","close"]},{"events":["stall","open","resume"],"id":12,"host":"open"},"#,
            r#"{"window":64,"events":["open","data","stall","ping","data","resume","close"],"id":7},{"id":9,"#,
            r#""events":["resume","open","stall"],"next":["resume"]},{"events":[],"id":1}],"goaway":412}"#
        ),
        valid: |input| streams(input).is_some(),
        fails: |input| {
            let all = streams(input).unwrap_or_default();
            all.iter().any(|events| {
                let events: Vec<&str> = events.iter().map(String::as_str).collect();
                are_in_order(&events, &["open", "stall", "resume"])
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let streams = joined(dice, count, ",", |dice| {
                let others = ["data", "ping", "close", "open", "stall", "resume"];
                let mut events = steps(dice, ["open", "stall", "resume"], &others);
                if chance(dice, 40) {
                    events.remove(dice.below(events.len()));
                }
                let id = dice.below(20);
                let pairs = [format!("\"id\":{id}"), format!("\"events\":{}", texts(&events))];
                object(
                    dice,
                    &pairs,
                    &["\"host\":\"open\"", "\"window\":64", "\"next\":[\"resume\"]"],
                )
            });
            let others = [
                "\"trace\":\"open stall resume\"",
                "\"events\":[\"open\",\"stall\",\"resume\"]",
                "\"goaway\":412",
            ];
            object(dice, &[format!("\"streams\":[{streams}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: json: cors: a rule that allows the same method twice",
        grammar: "@json",
        input: concat!(
            r#"{"methods":["GET","GET"],"rules":[{"path":"/owls","methods":["GET","PUT"],"headers":["etag","etag"]},"#,
            r#"{"methods":["POST","get","GET"],"path":"/GET/GET","age":60},{"path":"/nests","deny":["PUT"],"#,
            r#""methods":["PUT","PATCH","GET","DELETE","PATCH"]},{"age":600,"methods":[],"path":""}],"#,
            r#""origins":["owl.example","owl.example"]}"#
        ),
        valid: |input| methods(input).is_some(),
        fails: |input| methods(input).is_some_and(|all| all.iter().any(|list| has_twins(list))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rules = joined(dice, count, ",", |dice| {
                let known = ["GET", "get", "PUT", "POST", "PATCH", "DELETE"];
                let mut list = picked(dice, &known, 5, 28);
                if chance(dice, 6) {
                    list.clear();
                }
                let path = one(dice, &["/owls", "/GET/GET", "/nests", ""]);
                let pairs =
                    [format!("\"path\":\"{path}\""), format!("\"methods\":{}", texts(&list))];
                let others =
                    ["\"headers\":[\"etag\",\"etag\"]", "\"age\":60", "\"deny\":[\"PUT\"]"];
                object(dice, &pairs, &others)
            });
            let others =
                ["\"methods\":[\"GET\",\"GET\"]", "\"origins\":[\"owl.example\",\"owl.example\"]"];
            object(dice, &[format!("\"rules\":[{rules}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-first: json: models: a confusion matrix whose rows do not all have the same ",
            "number of counts"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"run":"[[4],[1,2]]","confusion":[[4],[1,2]],"models":[{"name":"owl-7","confusion":[[40,2],[3,41]],"#,
            r#""epochs":12},{"labels":["owl","wren","egg"],"name":"forest","confusion":[[9,0,1],[2,7],[0,0,8]]},"#,
            r#"{"confusion":[[412]],"name":"[[1],[]]","curve":[[0,1],[2]]},{"name":"none","confusion":[]}],"#,
            r#""split":[[80],[10,10]]}"#
        ),
        valid: |input| matrices(input).is_some(),
        fails: |input| matrices(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let models = joined(dice, count, ",", |dice| {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    let cell = |dice: &mut _| one(dice, &["0", "7", "12", "412"]).to_owned();
                    rows.push(format!("[{}]", joined(dice, length, ",", cell)));
                }
                let name = one(dice, &["owl-7", "forest", "[[1],[]]"]);
                let rows = format!("\"confusion\":[{}]", rows.join(","));
                let others =
                    ["\"epochs\":12", "\"labels\":[\"owl\",\"egg\"]", "\"curve\":[[0,1],[2]]"];
                object(dice, &[format!("\"name\":\"{name}\""), rows], &others)
            });
            let others = [
                "\"run\":\"[[4],[1,2]]\"",
                "\"confusion\":[[4],[1,2]]",
                "\"split\":[[80],[10,10]]",
            ];
            object(dice, &[format!("\"models\":[{models}]")], &others)
        },
        patterns: &[],
    },
];
