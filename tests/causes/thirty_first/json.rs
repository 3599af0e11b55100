//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::draws::{
    are_negative_and_fine, are_uneven, around, chance, counted, extras, figure, has_twins, lengths,
    picked, steps,
};
use crate::readers::{are_in_order, has_short_numbers, is_json, numbers, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, read_json, shuffled};

/// What is read of each thing in a list; nothing if one is odd.
fn all<T>(list: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    list.as_array()?.iter().map(read).collect()
}

/// What is read of each thing in a list of an input; nothing if the input is odd.
fn each<T>(input: &str, list: &str, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    let is_right = is_json(input) && has_short_numbers(input);
    let value = Some(read_json(input)).filter(|_| is_right)?;
    all(&value[list], read)
}

/// How heavy each hive of a yard is.
fn weights(input: &str) -> Option<Vec<u64>> {
    each(input, "hives", |hive| {
        hive["queen"].as_str()?;
        hive["weight"].as_u64()
    })
}

/// How deep sequences and parallels are in each other in a step of a workflow.
fn step_depth(step: &Value) -> Option<usize> {
    let pairs = step.as_object()?.iter();
    let mut kinds = pairs.filter(|(key, _)| ["run", "retry", "seq", "par"].contains(&&key[..]));
    let (kind, inner) = kinds.next()?;
    kinds.next().is_none().then_some(())?;
    match &kind[..] {
        "run" => inner.is_string().then_some(0),
        "retry" => step_depth(inner),
        _ => Some(1 + all(inner, step_depth)?.into_iter().max().unwrap_or(0)),
    }
}

/// The names of some wells.
fn wells(input: &str) -> Option<Vec<String>> {
    each(input, "wells", |well| {
        well["depth"].as_u64()?;
        well["name"].as_str().map(str::to_owned)
    })
}

/// The numbers of each surface of a lens: whether each is negative, and how many decimals it has. The
/// last decimal has to say something.
fn surfaces(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each(input, "surfaces", |surface| {
        surface["glass"].as_str()?;
        let values = surface.as_object()?.values().filter_map(Value::as_number);
        values.map(|number| signed_decimals(&number.to_string())).collect()
    })
}

/// How many slots each batch has, and how many jobs.
fn batches(input: &str) -> Option<Vec<(u64, usize)>> {
    each(input, "batches", |batch| {
        let jobs = all(&batch["jobs"], |job| job.as_str().map(str::to_owned))?;
        Some((batch["slots"].as_u64()?, jobs.len()))
    })
}

/// The commands of each flight of a drone.
fn flights(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "flights", |flight| {
        flight["pilot"].as_str()?;
        all(&flight["commands"], |command| command.as_str().map(str::to_owned))
    })
}

/// The protocol of each probe.
fn protocols(input: &str) -> Option<Vec<String>> {
    each(input, "probes", |probe| {
        probe["host"].as_str()?;
        probe["protocol"].as_str().map(str::to_owned)
    })
}

/// How many seats the rows of each block of a theater have.
fn blocks(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "blocks", |block| {
        block["name"].as_str()?;
        all(&block["seats"], |row| all(row, Value::as_u64).map(|row| row.len()))
    })
}

/// An object with these pairs in any order.
fn object(dice: &mut Random, pairs: Vec<String>) -> String {
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// An input with a list and some other pairs.
fn around_list(dice: &mut Random, name: &str, list: String, others: &[&str]) -> String {
    let mut pairs = extras(dice, others);
    pairs.push(format!("\"{name}\":[{list}]"));
    object(dice, pairs)
}

/// Some things as texts with commas between them.
fn texts<T: std::fmt::Display>(all: &[T]) -> String {
    all.iter().map(|one| format!("\"{one}\"")).collect::<Vec<String>>().join(",")
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirty-first: json: a hive that weighs from 35 to 44",
        grammar: "@json",
        input: concat!(
            r#"{"yard":"heath","weight":40,"hives":[{"queen":"Ada","weight":51,"frames":[38,36]},"#,
            r#"{"weight":34,"queen":"weight 41","swarm":true},{"queen":"Ruth","stand":{"weight":"#,
            r#"39},"weight":42,"mites":3},{"weight":45,"queen":"","frames":[]}],"visits":[37,12],"#,
            r#""sugar":{"from":35,"to":44}}"#
        ),
        valid: |input| weights(input).is_some(),
        fails: |input| weights(input).is_some_and(|all| all.iter().any(|kg| (35..45).contains(kg))),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let hives = joined(dice, count, ",", |dice| {
                let others = [
                    "\"frames\":[38,36]",
                    "\"swarm\":true",
                    "\"stand\":{\"weight\":39}",
                    "\"mites\":3",
                ];
                let mut pairs = extras(dice, &others);
                let queen = one(dice, &["Ada", "Ruth", "weight 41", ""]);
                pairs.push(format!("\"queen\":\"{queen}\""));
                pairs.push(format!("\"weight\":{}", around(dice, [35, 44], 27)));
                object(dice, pairs)
            });
            let others = ["\"yard\":\"heath\"", "\"weight\":40", "\"visits\":[37,12]"];
            around_list(dice, "hives", hives, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: json: seq and par of a workflow in each other, five deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"flow":"seq","limits":{"par":8,"seq":[[[[[2]]]]]},"steps":[{"run":"lint"},{"name":"#,
            r#""par","seq":[{"run":"build"},{"par":[{"run":"docs"},{"seq":[{"run":"unit"},{"retry":"#,
            r#"{"par":[{"run":"seq"},{"seq":[],"name":"web"}]}}]}]}]},{"par":[{"seq":[{"run":"#,
            r#""push","env":{"seq":1}}]}]},{"retry":{"retry":{"run":"par"}}}]}"#
        ),
        valid: |input| each(input, "steps", step_depth).is_some(),
        fails: |input| {
            each(input, "steps", step_depth).is_some_and(|all| all.iter().any(|deep| *deep >= 5))
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let steps = joined(dice, count, ",", |dice| {
                let run = |dice: &mut Random| {
                    let name = one(dice, &["lint", "build", "seq", "unit"]);
                    format!("{{\"run\":\"{name}\"}}")
                };
                let mut step = run(dice);
                for _ in 0..1 + dice.below(8) {
                    let kind = one(dice, &["seq", "par"]);
                    let name =
                        one(dice, &["", "", "", ",\"name\":\"par\"", ",\"env\":{\"seq\":1}"]);
                    step = match dice.below(6) {
                        0 => format!("{{\"retry\":{step}{name}}}"),
                        1 => format!("{{\"{kind}\":[{step},{}]{name}}}", run(dice)),
                        2 => format!("{{\"{kind}\":[{},{step}]{name}}}", run(dice)),
                        _ => format!("{{\"{kind}\":[{step}]{name}}}"),
                    };
                }
                step
            });
            let others = ["\"flow\":\"seq\"", "\"limits\":{\"par\":8,\"seq\":[[[[[2]]]]]}"];
            around_list(dice, "steps", steps, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: json: two wells of the same name",
        grammar: "@json",
        input: concat!(
            r#"{"field":"north","name":"w-3","wells":[{"name":"w-3","depth":210,"pump":{"name":"#,
            r#""w-3"}},{"depth":184,"name":"ridge","dry":true},{"name":"w-31","depth":210,"logs":"#,
            r#"["ridge","ridge"]},{"depth":97,"owner":"w-3","name":"ridge"},{"name":"Ridge","#,
            r#""depth":184}],"roads":[{"name":"ford"},{"name":"ford"}]}"#
        ),
        valid: |input| wells(input).is_some(),
        fails: |input| wells(input).is_some_and(|names| has_twins(&names)),
        draw: |dice| {
            let mut wells = Vec::new();
            for name in picked(dice, &["w-3", "w-31", "ridge", "Ridge", "ford"], 4, 50) {
                let others = [
                    "\"pump\":{\"name\":\"w-3\"}",
                    "\"dry\":true",
                    "\"logs\":[\"ridge\",\"ridge\"]",
                    "\"owner\":\"w-3\"",
                ];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"name\":\"{name}\""));
                pairs.push(format!("\"depth\":{}", [97, 184, 210][dice.below(3)]));
                wells.push(object(dice, pairs));
            }
            let others = [
                "\"field\":\"north\"",
                "\"name\":\"w-3\"",
                "\"roads\":[{\"name\":\"ford\"},{\"name\":\"ford\"}]",
            ];
            around_list(dice, "wells", wells.join(","), &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-first: json: a surface of a lens with a negative number and one of exactly three ",
            "decimals"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"lens":"tele -4","shift":-0.125,"surfaces":[{"glass":"air","radius":-40.5,"gap":2,"#,
            r#""tilt":0.75},{"radius":31.125,"glass":"bk7","index":1.5168,"gap":4.5},{"glass":"#,
            r#""sf5 0.125","gap":0.625,"radius":-22,"coat":{"index":1.25}},{"radius":18.5,"glass":"#,
            r#""air","coat":{"stress":-1.5,"depth":0.375}}],"focus":[-3.5,80.125]}"#
        ),
        valid: |input| surfaces(input).is_some(),
        fails: |input| {
            surfaces(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let surfaces = joined(dice, count, ",", |dice| {
                let mut pairs = extras(dice, &["\"coat\":{\"stress\":-1.5,\"depth\":0.375}"]);
                pairs.push(format!("\"glass\":\"{}\"", one(dice, &["air", "bk7", "sf5 0.125"])));
                for key in ["radius", "gap", "tilt", "index"] {
                    if chance(dice, 66) {
                        pairs.push(format!("\"{key}\":{}", figure(dice)));
                    }
                }
                object(dice, pairs)
            });
            let others = ["\"lens\":\"tele -4\"", "\"shift\":-0.125", "\"focus\":[-3.5,80.125]"];
            around_list(dice, "surfaces", surfaces, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: json: a batch with exactly as many jobs as slots",
        grammar: "@json",
        input: concat!(
            r#"{"cluster":"gpu-2","slots":6,"jobs":["a","b"],"batches":[{"slots":4,"jobs":["fit","#,
            r#""fit","plot"],"tags":["4","slots","x","y"]},{"jobs":["render","bake","mix"],"slots":"#,
            r#"3,"after":[1,2]},{"owner":"slots 1","jobs":[],"slots":8},{"slots":1,"retry":2,"jobs":"#,
            r#"["sum","min"]}]}"#
        ),
        valid: |input| batches(input).is_some(),
        fails: |input| {
            batches(input)
                .is_some_and(|all| all.iter().any(|(slots, count)| *slots == *count as u64))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let batches = joined(dice, count, ",", |dice| {
                let count = dice.below(7);
                let jobs = joined(dice, count, ",", |dice| {
                    texts(&[one(dice, &["fit", "plot", "render", "sum", "slots 1"])])
                });
                let others = ["\"tags\":[\"4\",\"x\"]", "\"after\":[1,2]", "\"retry\":2"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("\"jobs\":[{jobs}]"));
                pairs.push(format!("\"slots\":{}", counted(dice, count, 26)));
                object(dice, pairs)
            });
            let others = ["\"cluster\":\"gpu-2\"", "\"slots\":6", "\"jobs\":[\"a\",\"b\"]"];
            around_list(dice, "batches", batches, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: json: a flight with an arm, then a hover, and then a land",
        grammar: "@json",
        input: concat!(
            r#"{"drone":"hover-2","commands":["arm","hover","land"],"flights":[{"pilot":"land","#,
            r#""commands":["hover","arm","climb","land"]},{"commands":["arm","climb","arm","hover","#,
            r#""photo","turn","land","climb"],"wind":4,"pilot":"Uma"},{"pilot":"arm","commands":"#,
            r#"["turn"],"log":["arm","hover","land"]},{"pilot":"Bo","commands":[]}]}"#
        ),
        valid: |input| flights(input).is_some(),
        fails: |input| {
            flights(input).is_some_and(|all| {
                all.iter().any(|commands| {
                    let commands: Vec<&str> = commands.iter().map(|one| &one[..]).collect();
                    are_in_order(&commands, &["arm", "hover", "land"])
                })
            })
        },
        draw: |dice| {
            let mut flights = Vec::new();
            for at in 0..1 + dice.below(3) {
                let others = ["climb", "photo", "turn", "arm", "land", "landed"];
                let commands = match at {
                    0 => steps(dice, ["arm", "hover", "land"], &others),
                    _ => (0..dice.below(4)).map(|_| one(dice, &others)).collect(),
                };
                let mut pairs = extras(dice, &["\"wind\":4", "\"log\":[\"hover\",\"land\"]"]);
                pairs.push(format!("\"pilot\":\"{}\"", one(dice, &["Uma", "Bo", "land", "arm"])));
                pairs.push(format!("\"commands\":[{}]", texts(&commands)));
                flights.push(object(dice, pairs));
            }
            let flights = shuffled(dice, flights).join(",");
            let others = ["\"drone\":\"hover-2\"", "\"commands\":[\"arm\",\"hover\",\"land\"]"];
            around_list(dice, "flights", flights, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: json: a probe whose protocol is icmp, udp or sctp",
        grammar: "@json",
        input: concat!(
            r#"{"agent":"udp-7","protocol":"icmp","probes":[{"host":"web.owl.example","protocol":"#,
            r#""tcp","port":443},{"protocol":"icmpv6","host":"icmp"},{"every":30,"host":"udp","#,
            r#""fallback":{"protocol":"udp"},"protocol":"http","port":8080},{"host":"10.0.0.4","#,
            r#""protocol":"sctp","tags":["tcp","udp"]}],"outputs":["sctp"]}"#
        ),
        valid: |input| protocols(input).is_some(),
        fails: |input| {
            protocols(input).is_some_and(|all| {
                all.iter().any(|protocol| ["icmp", "udp", "sctp"].contains(&&protocol[..]))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let probes = joined(dice, count, ",", |dice| {
                let protocol = match chance(dice, 26) {
                    true => one(dice, &["icmp", "udp", "sctp"]),
                    false => one(dice, &["tcp", "http", "icmpv6", "UDP", "udplite", "dns", "sct"]),
                };
                let others =
                    ["\"every\":30", "\"fallback\":{\"protocol\":\"udp\"}", "\"port\":443"];
                let mut pairs = extras(dice, &others);
                let host = one(dice, &["web.owl.example", "10.0.0.4", "udp", "icmp"]);
                pairs.push(format!("\"host\":\"{host}\""));
                pairs.push(format!("\"protocol\":\"{protocol}\""));
                object(dice, pairs)
            });
            let others = ["\"agent\":\"udp-7\"", "\"protocol\":\"icmp\"", "\"outputs\":[\"sctp\"]"];
            around_list(dice, "probes", probes, &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: json: a block of seats whose rows are not all equally long",
        grammar: "@json",
        input: concat!(
            r#"{"hall":"Globe","prices":[[12,9],[7]],"blocks":[{"name":"stalls","seats":[[1,1,0,1],"#,
            r#"[1,0,1,1],[1,1,1,1]]},{"seats":[[2,2,1],[2,0,2],[2,2],[1,2,2]],"name":"left [1]","#,
            r#""view":3},{"name":"box","seats":[[5]],"stairs":[[1],[],[2,3]]},{"name":"roof","#,
            r#""seats":[]}],"seats":[[0],[0,0]]}"#
        ),
        valid: |input| blocks(input).is_some(),
        fails: |input| blocks(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let blocks = joined(dice, count, ",", |dice| {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 40) {
                    let row = joined(dice, length, ",", |dice| dice.below(3).to_string());
                    rows.push(format!("[{row}]"));
                }
                if chance(dice, 8) {
                    rows.clear();
                }
                let mut pairs = extras(dice, &["\"view\":3", "\"stairs\":[[1],[],[2,3]]"]);
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["stalls", "box", "left [1]"])));
                pairs.push(format!("\"seats\":[{}]", rows.join(",")));
                object(dice, pairs)
            });
            let others = ["\"hall\":\"Globe\"", "\"prices\":[[12,9],[7]]", "\"seats\":[[0],[0,0]]"];
            around_list(dice, "blocks", blocks, &others)
        },
        patterns: &[],
    },
];
