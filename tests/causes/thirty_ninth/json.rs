//! Causes in JSON: beds, lifts, routes, services, eyes, devices, meetings and tables.

use serde_json::Value;

use crate::draws::{
    above, are_negative_and_fine, are_uneven, around, chance, extras, figure, has_twins, lengths,
    picked, steps,
};
use crate::readers::{are_in_order, numbers, signed_decimals};
use crate::thirty_third::values::{all, each, each_named, object, text, texts};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// How moist each bed of a greenhouse is, in percent.
fn moistures(input: &str) -> Option<Vec<u64>> {
    each_named(input, "beds", |bed| {
        bed["crop"].as_str()?;
        bed["moisture"].as_u64().filter(|moisture| *moisture <= 100)
    })
}

/// What each lift carries, and the most that it may carry.
fn loads(input: &str) -> Option<Vec<(u64, u64)>> {
    each(input, "lifts", |lift| {
        lift["id"].as_str()?;
        Some((lift["load"].as_u64()?, lift["limit"].as_u64()?))
    })
}

/// Whether each route of a proxy has a timeout.
fn have_timeouts(input: &str) -> Option<Vec<bool>> {
    each_named(input, "routes", |route| {
        route["to"].as_str()?;
        let timeout = route.get("timeout");
        timeout.is_none_or(Value::is_u64).then_some(timeout.is_some())
    })
}

/// The names of the methods of each service.
fn methods(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "services", |service| {
        service["service"].as_str()?;
        all(&service["methods"], |method| text(&method["name"]))
    })
}

/// The sphere, the cylinder and the add of each eye, of those that it has: whether each is negative, and
/// how many decimals it has. The last decimal of a number has to say something.
fn lenses(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each(input, "eyes", |eye| {
        eye["side"].as_str()?;
        let values = ["sphere", "cylinder", "add"].into_iter().filter_map(|key| eye.get(key));
        values.map(|value| signed_decimals(&value.as_number()?.to_string())).collect()
    })
}

/// What happens to each device, in order.
fn devices(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "devices", |device| {
        device["mac"].as_str()?;
        all(&device["log"], |entry| {
            entry["at"].as_u64()?;
            text(&entry["event"])
        })
    })
}

/// The people whom each meeting invites.
fn invited(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "meetings", |meeting| {
        meeting["title"].as_str()?;
        all(&meeting["invited"], text)
    })
}

/// How many cells the rows of each table of a notebook have.
fn rows(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "tables", |table| {
        table["caption"].as_str()?;
        all(&table["rows"], |row| {
            let is_cell = |cell: &Value| cell.is_string() || cell.is_number() || cell.is_null();
            row.as_array().filter(|cells| cells.iter().all(is_cell)).map(Vec::len)
        })
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirty-ninth: json: greenhouse: a bed with a moisture from 25 to 39",
        grammar: "@json",
        input: concat!(
            r#"{"house":"25 to 39","moisture":30,"beds":{"a-1":{"crop":"kale","moisture":40,"ph":6},"#,
            r#""b-30":{"moisture":24,"crop":"leek"},"a-2":{"crop":"cress","wanted":{"moisture":35},"#,
            r#""moisture":31},"moisture":{"rows":28,"moisture":72,"crop":"rice"}},"fans":[27,38]}"#
        ),
        valid: |input| moistures(input).is_some(),
        fails: |input| {
            let all = moistures(input).unwrap_or_default();
            all.iter().any(|moisture| (25..40).contains(moisture))
        },
        draw: |dice| {
            let mut beds = picked(dice, &["a-1", "b-30", "a-2", "moisture", "c-4"], 4, 0);
            for bed in &mut beds {
                let moisture = around(dice, [25, 39], 26).min(100);
                let crop = one(dice, &["kale", "leek", "cress", "30"]);
                let pairs = [format!("\"crop\":\"{crop}\""), format!("\"moisture\":{moisture}")];
                let others = ["\"ph\":6", "\"wanted\":{\"moisture\":35}", "\"rows\":28"];
                *bed = format!("\"{bed}\":{}", object(dice, &pairs, &others));
            }
            let others = ["\"house\":\"25 to 39\"", "\"moisture\":30", "\"fans\":[27,38]"];
            object(dice, &[format!("\"beds\":{{{}}}", beds.join(","))], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: json: lifts: a lift with a load above its limit",
        grammar: "@json",
        input: concat!(
            r#"{"house":"load 9, limit 4","load":900,"limit":400,"lifts":[{"id":"north","load":420,"#,
            r#""limit":630},{"limit":1000,"floors":[12,4],"id":"goods","load":1000},{"load":655,"#,
            r#""doors":2,"id":"limit","limit":630},{"id":"south","limit":320,"load":0,"unload":450}]}"#
        ),
        valid: |input| loads(input).is_some(),
        fails: |input| loads(input).is_some_and(|all| all.iter().any(|(load, limit)| load > limit)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let lifts = joined(dice, count, ",", |dice| {
                let limit = [630, 1000, 80 * (1 + dice.below(20))][dice.below(3)];
                let load = above(dice, limit, 24);
                let id = one(dice, &["north", "goods", "limit", "south"]);
                let pairs = [
                    format!("\"id\":\"{id}\""),
                    format!("\"load\":{load}"),
                    format!("\"limit\":{limit}"),
                ];
                object(dice, &pairs, &["\"floors\":[12,4]", "\"doors\":2", "\"unload\":450"])
            });
            let others = ["\"house\":\"load 9, limit 4\"", "\"load\":900", "\"limit\":400"];
            object(dice, &[format!("\"lifts\":[{lifts}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: json: proxy: a route without a timeout",
        grammar: "@json",
        input: concat!(
            r#"{"name":"timeout","timeout":60,"routes":{"/":{"to":"web-4","timeout":30},"/timeout":"#,
            r#"{"timeout":0,"to":"web-2","retries":4},"/api/owl":{"to":"timeout","idle-timeout":5,"#,
            r#""headers":{"timeout":9}},"/files":{"cached":true,"to":"disk","timeout":120}},"ports":"#,
            r#"[80,443]}"#
        ),
        valid: |input| have_timeouts(input).is_some(),
        fails: |input| have_timeouts(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let mut routes = picked(dice, &["/", "/timeout", "/api/owl", "/files", "/a"], 4, 0);
            for route in &mut routes {
                let to = one(dice, &["web-4", "web-2", "timeout", "disk"]);
                let mut pairs = vec![format!("\"to\":\"{to}\"")];
                if chance(dice, 76) {
                    pairs.push(format!("\"timeout\":{}", 30 * dice.below(5)));
                }
                let others = [
                    "\"retries\":4",
                    "\"idle-timeout\":5",
                    "\"headers\":{\"timeout\":9}",
                    "\"cached\":true",
                ];
                *route = format!("\"{route}\":{}", object(dice, &pairs, &others));
            }
            let others = ["\"name\":\"timeout\"", "\"timeout\":60", "\"ports\":[80,443]"];
            object(dice, &[format!("\"routes\":{{{}}}", routes.join(","))], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: json: rpc: a service with two methods of the same name",
        grammar: "@json",
        input: concat!(
            r#"{"api":"get get","methods":[{"name":"put"},{"name":"put"}],"services":[{"service":"nest","#,
            r#""methods":[{"name":"get"},{"name":"list","old":"get"}]},{"methods":[{"in":"owl","name":"get"},"#,
            r#"{"name":"put","out":"owl"},{"name":"get-all"},{"out":"egg","name":"get"}],"service":"get"},"#,
            r#"{"service":"egg","methods":[],"name":"nest"}]}"#
        ),
        valid: |input| methods(input).is_some(),
        fails: |input| methods(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let services = joined(dice, count, ",", |dice| {
                let known = ["get", "put", "list", "get-all", "Get", "drop"];
                let mut methods = picked(dice, &known, 4, 28);
                for method in &mut methods {
                    let others = ["\"in\":\"owl\"", "\"out\":\"egg\"", "\"old\":\"get\""];
                    *method = object(dice, &[format!("\"name\":\"{method}\"")], &others);
                }
                let service = one(dice, &["nest", "get", "egg"]);
                let pairs = [
                    format!("\"service\":\"{service}\""),
                    format!("\"methods\":[{}]", methods.join(",")),
                ];
                object(dice, &pairs, &["\"name\":\"nest\"", "\"port\":4"])
            });
            let others =
                ["\"api\":\"get get\"", "\"methods\":[{\"name\":\"put\"},{\"name\":\"put\"}]"];
            object(dice, &[format!("\"services\":[{services}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-ninth: json: optician: an eye whose sphere, cylinder and add have a negative ",
            "number and one of exactly three decimals"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"patient":"-2.125","fee":-0.125,"eyes":[{"side":"left","sphere":-2.25,"cylinder":0.5,"#,
            r#""axis":90.125},{"axis":-4,"add":1.375,"side":"right","sphere":2},{"side":"left","prism":4,"#,
            r#""cylinder":-0.75,"sphere":1.125,"add":2},{"side":"spare"}],"frames":[-12,47.625]}"#
        ),
        valid: |input| lenses(input).is_some(),
        fails: |input| {
            lenses(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let eyes = joined(dice, count, ",", |dice| {
                let side = one(dice, &["left", "right", "spare"]);
                let mut pairs = vec![format!("\"side\":\"{side}\"")];
                for key in ["sphere", "cylinder", "add"] {
                    if chance(dice, 80) {
                        pairs.push(format!("\"{key}\":{}", figure(dice)));
                    }
                }
                object(dice, &pairs, &["\"axis\":90.125", "\"base\":-4", "\"prism\":4"])
            });
            let others = ["\"patient\":\"-2.125\"", "\"fee\":-0.125", "\"frames\":[-12,47.625]"];
            object(dice, &[format!("\"eyes\":[{eyes}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: json: pairing: a device that is found, then lost, and then paired",
        grammar: "@json",
        input: concat!(
            r#"{"hub":"lost","devices":[{"mac":"a4-7f","log":[{"at":2,"event":"lost"},{"at":4,"event":"found"},"#,
            r#"{"event":"paired","at":9}]},{"log":[{"at":1,"event":"found"},{"event":"named","at":3,"by":"#,
            r#""paired"},{"at":5,"event":"lost"},{"event":"found","at":6},{"at":8,"event":"paired"}],"mac":"#,
            r#""c0-4e"}],"states":["found","lost","paired"]}"#
        ),
        valid: |input| devices(input).is_some(),
        fails: |input| {
            devices(input).is_some_and(|all| {
                all.iter().any(|log| {
                    let log: Vec<&str> = log.iter().map(String::as_str).collect();
                    are_in_order(&log, &["found", "lost", "paired"])
                })
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let devices = joined(dice, count, ",", |dice| {
                let others = ["named", "charged", "moved", "found", "lost", "paired"];
                let mut log = steps(dice, ["found", "lost", "paired"], &others);
                if chance(dice, 50) {
                    log.remove(dice.below(log.len()));
                }
                let mut entries = Vec::new();
                for (at, event) in log.iter().enumerate() {
                    let pairs = [format!("\"at\":{}", at + 1), format!("\"event\":\"{event}\"")];
                    entries.push(object(dice, &pairs, &["\"by\":\"paired\""]));
                }
                let mac = one(dice, &["a4-7f", "c0-4e", "lost"]);
                let log = format!("\"log\":[{}]", entries.join(","));
                object(dice, &[format!("\"mac\":\"{mac}\""), log], &["\"last\":\"lost\""])
            });
            let others = ["\"hub\":\"lost\"", "\"states\":[\"found\",\"lost\",\"paired\"]"];
            object(dice, &[format!("\"devices\":[{devices}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-ninth: json: calendar: a meeting that invites the same person twice",
        grammar: "@json",
        input: concat!(
            r#"{"owner":"ada","invited":["bo","bo"],"meetings":[{"title":"ada, ada","invited":["ada","bo"],"#,
            r#""rooms":["4","4"]},{"invited":["cy"],"title":"Plans","host":"cy"},{"minutes":40,"invited":"#,
            r#"["eve","bo","ada","bo-2","eve"],"title":"bo"},{"title":"Free","invited":[]}],"days":[1,1]}"#
        ),
        valid: |input| invited(input).is_some(),
        fails: |input| invited(input).is_some_and(|all| all.iter().any(|people| has_twins(people))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let meetings = joined(dice, count, ",", |dice| {
                let mut invited = picked(dice, &["ada", "bo", "cy", "eve", "bo-2", "Ada"], 5, 28);
                if chance(dice, 8) {
                    invited.clear();
                }
                let title = one(dice, &["ada, ada", "Plans", "bo", "Free"]);
                let invited = format!("\"invited\":{}", texts(&invited));
                let others = ["\"rooms\":[\"4\",\"4\"]", "\"host\":\"cy\"", "\"minutes\":40"];
                object(dice, &[format!("\"title\":\"{title}\""), invited], &others)
            });
            let others = ["\"owner\":\"ada\"", "\"invited\":[\"bo\",\"bo\"]", "\"days\":[1,1]"];
            object(dice, &[format!("\"meetings\":[{meetings}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-ninth: json: notebook: a table whose rows do not all have the same number of ",
            "cells"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"title":"[[1],[2,3]]","rows":[[1],[2,3]],"tables":[{"caption":"eggs","rows":[["owl",4],"#,
            r#"["wren",null]]},{"rows":[["day","mm","note"],[1,12,""],[2,40],[3,7,"wet"]],"caption":"rain","#,
            r#""widths":[4,2]},{"caption":"empty","rows":[]}],"cells":[["a"],[]]}"#
        ),
        valid: |input| rows(input).is_some(),
        fails: |input| rows(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let tables = joined(dice, count, ",", |dice| {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    let cells = joined(dice, length, ",", |dice| {
                        one(dice, &["\"owl\"", "4", "null", "\"\"", "12", "\"[1,2]\""]).to_owned()
                    });
                    rows.push(format!("[{cells}]"));
                }
                let caption = one(dice, &["eggs", "rain", "[1],[2,3]"]);
                let rows = format!("\"rows\":[{}]", rows.join(","));
                let others = ["\"widths\":[4,2]", "\"page\":12"];
                object(dice, &[format!("\"caption\":\"{caption}\""), rows], &others)
            });
            let others = extras(dice, &["\"rows\":[[1],[2,3]]", "\"cells\":[[\"a\"],[]]"]);
            let parts = [others, vec![format!("\"tables\":[{tables}]")]].concat();
            format!("{{{}}}", shuffled(dice, parts).join(","))
        },
        patterns: &[],
    },
];
