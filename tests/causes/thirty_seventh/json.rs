//! Causes in JSON.

use serde_json::Value;

use crate::draws::{
    are_negative_and_fine, are_uneven, around, chance, extras, figure, foreign, has_twins, lengths,
    picked, steps,
};
use crate::readers::{are_in_order, numbers, signed_decimals};
use crate::thirty_third::values::{all, each, object, text};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// How salty each tank is, in grams in a liter.
fn salinities(input: &str) -> Option<Vec<u64>> {
    each(input, "tanks", |tank| {
        tank["name"].as_str()?;
        tank["salinity"].as_u64()
    })
}

/// How deep selectors and sequences are in each other in a behavior. One that is inverted has another
/// one in it, too.
fn behavior_depth(behavior: &Value) -> Option<usize> {
    let known = ["select", "sequence", "invert", "do"];
    let kinds: Vec<&str> = known.into_iter().filter(|kind| behavior.get(kind).is_some()).collect();
    let [kind] = kinds[..] else { return None };
    match kind {
        "select" | "sequence" => {
            let inner = all(&behavior[kind], behavior_depth)?;
            Some(1 + inner.into_iter().max().unwrap_or(0))
        }
        "invert" => behavior_depth(&behavior[kind]),
        _ => behavior[kind].as_str().map(|_| 0),
    }
}

/// How deep selectors and sequences are in each other in the behavior of each enemy.
fn enemies(input: &str) -> Option<Vec<usize>> {
    each(input, "enemies", |enemy| {
        enemy["name"].as_str()?;
        behavior_depth(&enemy["behavior"])
    })
}

/// The names of the knobs of each patch.
fn knobs(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "patches", |patch| {
        patch["title"].as_str()?;
        all(&patch["knobs"], |knob| {
            knob["value"].as_u64()?;
            text(&knob["name"])
        })
    })
}

/// Who has given each exhibit.
fn donors(input: &str) -> Option<Vec<String>> {
    each(input, "exhibits", |exhibit| {
        exhibit["title"].as_str()?;
        text(&exhibit["donor"])
    })
}

/// The numbers of the shift of each station: whether each is negative, and how many decimals it has. The
/// last decimal of a number has to say something.
fn shifts(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_short = |number: &&str| !number.contains('.') || !number.ends_with('0');
    numbers(input).iter().all(is_short).then_some(())?;
    each(input, "stations", |station| {
        station["code"].as_str()?;
        let shift = station["shift"].as_object()?.values();
        shift.map(|number| signed_decimals(&number.as_number()?.to_string())).collect()
    })
}

/// The states that each job has had.
fn jobs(input: &str) -> Option<Vec<Vec<String>>> {
    each(input, "jobs", |job| {
        job["id"].as_u64()?;
        all(&job["log"], |entry| {
            entry["at"].as_u64()?;
            text(&entry["state"])
        })
    })
}

/// The brokers that have each partition.
fn replicas(input: &str) -> Option<Vec<Vec<u64>>> {
    each(input, "partitions", |partition| {
        partition["topic"].as_str()?;
        partition["partition"].as_u64()?;
        all(&partition["replicas"], Value::as_u64)
    })
}

/// How many cells the rows of each map have.
fn heatmaps(input: &str) -> Option<Vec<Vec<usize>>> {
    each(input, "maps", |map| {
        map["page"].as_str()?;
        all(&map["rows"], |row| all(row, Value::as_u64).map(|cells| cells.len()))
    })
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "thirty-seventh: json: aquarium: a tank with a salinity from 31 to 35",
        grammar: "@json",
        input: concat!(
            r#"{"hall":"33 to 35","salinity":34,"tanks":[{"name":"reef","liters":2400,"salinity":36},"#,
            r#"{"salinity":12,"fish":["carp","eel"],"name":"pond 31"},{"name":"kelp","lamps":35,"#,
            r#""salinity":33,"old":{"salinity":30}},{"refill":{"salinity":32},"name":"lagoon","#,
            r#""salinity":0},{"liters":31,"salinity":41,"name":"shark"}],"keepers":31}"#
        ),
        valid: |input| salinities(input).is_some(),
        fails: |input| {
            salinities(input).is_some_and(|all| all.iter().any(|one| (31..36).contains(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let tanks = joined(dice, count, ",", |dice| {
                let salinity = around(dice, [31, 35], 24);
                let name = one(dice, &["reef", "pond 31", "kelp", "lagoon", "shark"]);
                let pairs = [format!("\"name\":\"{name}\""), format!("\"salinity\":{salinity}")];
                let others = [
                    "\"liters\":2400",
                    "\"fish\":[\"carp\",\"eel\"]",
                    "\"lamps\":35",
                    "\"old\":{\"salinity\":30}",
                    "\"refill\":{\"salinity\":32}",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"hall\":\"33 to 35\"", "\"salinity\":34", "\"keepers\":31"];
            object(dice, &[format!("\"tanks\":[{tanks}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-seventh: json: behavior: selectors and sequences of an enemy in each other, five ",
            "deep or more"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"level":"select","enemies":[{"name":"bat","behavior":{"sequence":[{"do":"wait"},{"select":"#,
            r#"[]}]}},{"speed":4,"behavior":{"select":[{"do":"flee"},{"label":"hunt","sequence":[{"do":"#,
            r#""look"},{"invert":{"select":[{"sequence":[{"sequence":[{"do":"bite"}]},{"do":"rest"}]},"#,
            r#"{"do":"sequence"}]}}]}]},"name":"ogre"}],"map":[[[[[["select"]]]]]],"lives":3}"#
        ),
        valid: |input| enemies(input).is_some(),
        fails: |input| enemies(input).is_some_and(|all| all.iter().any(|depth| *depth >= 5)),
        draw: |dice| {
            let leaves =
                ["{\"do\":\"flee\"}", "{\"do\":\"sequence\"}", "{\"invert\":{\"do\":\"look\"}}"];
            let mut behavior = one(dice, &leaves).to_owned();
            for _ in 0..3 + dice.below(6) {
                let pair = match dice.below(5) {
                    0 => format!("\"invert\":{behavior}"),
                    kind => {
                        let mut inner = extras(dice, &[&leaves[..], &["{\"select\":[]}"]].concat());
                        inner.truncate(2);
                        inner.push(behavior);
                        let inner = shuffled(dice, inner).join(",");
                        format!("\"{}\":[{inner}]", ["select", "sequence"][kind % 2])
                    }
                };
                behavior = object(dice, &[pair], &["\"label\":\"hunt\""]);
            }
            let name = one(dice, &["ogre", "select", "wolf"]);
            let pairs = [format!("\"name\":\"{name}\""), format!("\"behavior\":{behavior}")];
            let bat = "{\"name\":\"bat\",\"behavior\":{\"sequence\":[{\"select\":[]}]}}";
            let mut enemies =
                extras(dice, &[bat, "{\"name\":\"rat\",\"behavior\":{\"do\":\"run\"}}"]);
            enemies.push(object(dice, &pairs, &["\"speed\":4"]));
            let enemies = shuffled(dice, enemies).join(",");
            let others = ["\"level\":\"select\"", "\"map\":[[[[[[\"select\"]]]]]]", "\"lives\":3"];
            object(dice, &[format!("\"enemies\":[{enemies}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: json: synth: a patch with two knobs of the same name",
        grammar: "@json",
        input: concat!(
            r#"{"bank":"cutoff cutoff","patches":[{"title":"bass","knobs":[{"name":"cutoff","value":40},"#,
            r#"{"name":"drive","value":40}]},{"knobs":[{"name":"attack","value":2},{"value":90,"unit":"#,
            r#""ms","name":"decay"},{"name":"cutoff","value":64},{"value":12,"name":"decay"}],"#,
            r#""title":"pad"},{"title":"bass","pads":["kick","kick"],"knobs":[]}],"voices":8}"#
        ),
        valid: |input| knobs(input).is_some(),
        fails: |input| knobs(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let patches = joined(dice, count, ",", |dice| {
                let known = ["attack", "decay", "cutoff", "drive", "cutoff 2", "mix"];
                let mut knobs = picked(dice, &known, 5, 28);
                for knob in &mut knobs {
                    let value = [0, 40, dice.below(128)][dice.below(3)];
                    let pairs = [format!("\"name\":\"{knob}\""), format!("\"value\":{value}")];
                    *knob = object(dice, &pairs, &["\"unit\":\"ms\"", "\"label\":\"decay\""]);
                }
                let title = one(dice, &["bass", "pad", "cutoff"]);
                let pairs =
                    [format!("\"title\":\"{title}\""), format!("\"knobs\":[{}]", knobs.join(","))];
                object(dice, &pairs, &["\"pads\":[\"kick\",\"kick\"]", "\"tempo\":90"])
            });
            let others = ["\"bank\":\"cutoff cutoff\"", "\"voices\":8", "\"name\":\"decay\""];
            object(dice, &[format!("\"patches\":[{patches}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-seventh: json: museum: an exhibit whose donor has a character that is not ",
            "ASCII"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"museum":"Château d'Owl","donor":"Zoë","exhibits":[{"title":"Vase","donor":"Ada Lane","#,
            r#""year":1890},{"room":4,"donor":"Bo Sørensen","title":"Clock"},{"title":"Épée","donor":"","#,
            r#""labels":["né","old"]},{"donor":"R. Hill (1904)","title":"Coin","from":{"donor":"Müller"#,
            r#""}}],"größe":12}"#
        ),
        valid: |input| donors(input).is_some(),
        fails: |input| donors(input).is_some_and(|all| all.iter().any(|donor| !donor.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let exhibits = joined(dice, count, ",", |dice| {
                let donor = match dice.below(12) {
                    0 => foreign(dice),
                    1 => format!("{} {}", word(dice, 6), foreign(dice)),
                    2 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    3..6 => one(dice, &["Ada Lane", "", "R. Hill (1904)"]).to_owned(),
                    count => joined(dice, count / 4, " ", |dice| word(dice, 8)),
                };
                let title = one(dice, &["Vase", "Clock", "Épée", "Coin", "Tête-à-tête"]);
                let pairs = [format!("\"title\":\"{title}\""), format!("\"donor\":\"{donor}\"")];
                let others = [
                    "\"year\":1890",
                    "\"room\":4",
                    "\"labels\":[\"né\",\"old\"]",
                    "\"from\":{\"donor\":\"Müller\"}",
                ];
                object(dice, &pairs, &others)
            });
            let others = ["\"museum\":\"Château d'Owl\"", "\"donor\":\"Zoë\"", "\"größe\":12"];
            object(dice, &[format!("\"exhibits\":[{exhibits}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-seventh: json: quakes: a station whose shift has a negative number and one of ",
            "exactly three decimals"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"quake":"M 4.125 -2","depth":-8.125,"stations":[{"code":"OWL-4","shift":{"east":4.375,"#,
            r#""north":12,"up":0.5}},{"gain":0.125,"shift":{"north":-3,"up":-1.25,"east":0.0625},"code":"#,
            r#""WRN"},{"code":"FIN","shift":{"up":-7,"east":2.5,"north":0.625},"place":[-12.5,47.375]},"#,
            r#"{"shift":{"up":-0.5},"code":"KIW"}]}"#
        ),
        valid: |input| shifts(input).is_some(),
        fails: |input| {
            shifts(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let stations = joined(dice, count, ",", |dice| {
                let mut shift = picked(dice, &["east", "north", "up"], 3, 0);
                if chance(dice, 60) {
                    shift = ["east", "north", "up"].map(str::to_owned).to_vec();
                }
                for direction in &mut shift {
                    *direction = format!("\"{direction}\":{}", figure(dice));
                }
                let code = one(dice, &["OWL-4", "WRN", "FIN", "KIW"]);
                let pairs =
                    [format!("\"code\":\"{code}\""), format!("\"shift\":{{{}}}", shift.join(","))];
                let others = ["\"gain\":0.125", "\"place\":[-12.5,47.375]", "\"delay\":-3"];
                object(dice, &pairs, &others)
            });
            let others = ["\"quake\":\"M 4.125 -2\"", "\"depth\":-8.125", "\"felt\":12"];
            object(dice, &[format!("\"stations\":[{stations}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-seventh: json: spooler: a job that is held, then printed, and then purged",
        grammar: "@json",
        input: concat!(
            r#"{"printer":"held","jobs":[{"id":4,"log":[{"at":2,"state":"printed"},{"at":9,"state":"held"},"#,
            r#"{"at":12,"state":"purged"}]},{"log":[{"at":1,"state":"queued"},{"state":"held","at":4},"#,
            r#"{"at":7,"by":"purged","state":"printed"},{"at":8,"state":"jammed"},{"at":9,"state":"purged"#,
            r#""}],"id":7}],"states":["held","printed","purged"],"pages":12}"#
        ),
        valid: |input| jobs(input).is_some(),
        fails: |input| {
            jobs(input).is_some_and(|all| {
                all.iter().any(|states| {
                    let states: Vec<&str> = states.iter().map(|state| &state[..]).collect();
                    are_in_order(&states, &["held", "printed", "purged"])
                })
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let jobs = joined(dice, count, ",", |dice| {
                let others = ["queued", "jammed", "held", "printed", "purged", "copied"];
                let mut states = steps(dice, ["held", "printed", "purged"], &others);
                if chance(dice, 30) {
                    states.remove(dice.below(states.len()));
                }
                let (mut log, mut at) = (Vec::new(), 0);
                for state in states {
                    at += 1 + dice.below(4);
                    let pairs = [format!("\"at\":{at}"), format!("\"state\":\"{state}\"")];
                    log.push(object(dice, &pairs, &["\"by\":\"purged\""]));
                }
                let id = 1 + dice.below(20);
                let pairs = [format!("\"id\":{id}"), format!("\"log\":[{}]", log.join(","))];
                object(dice, &pairs, &["\"pages\":12", "\"next\":\"printed\""])
            });
            let others = ["\"printer\":\"held\"", "\"states\":[\"held\",\"printed\",\"purged\"]"];
            object(dice, &[format!("\"jobs\":[{jobs}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-seventh: json: kafka: a partition with the same broker twice among its ",
            "replicas"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"version":1,"replicas":[4,4],"partitions":[{"topic":"orders","partition":0,"replicas":"#,
            r#"[1,2,3]},{"log_dirs":["any","any"],"replicas":[12,2,4,2],"topic":"orders","partition":2},"#,
            r#"{"partition":3,"offline":[3,3],"topic":"mail 3,3","replicas":[3]},{"topic":"audit","#,
            r#""replicas":[4,1],"partition":4}]}"#
        ),
        valid: |input| replicas(input).is_some(),
        fails: |input| replicas(input).is_some_and(|all| all.iter().any(|one| has_twins(one))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let partitions = joined(dice, count, ",", |dice| {
                let brokers = picked(dice, &["1", "2", "3", "4", "12", "31"], 5, 28).join(",");
                let topic = one(dice, &["orders", "mail 3,3", "audit"]);
                let partition = dice.below(13);
                let pairs = [
                    format!("\"topic\":\"{topic}\""),
                    format!("\"partition\":{partition}"),
                    format!("\"replicas\":[{brokers}]"),
                ];
                let others = ["\"log_dirs\":[\"any\",\"any\"]", "\"offline\":[3,3]", "\"lag\":4"];
                object(dice, &pairs, &others)
            });
            let others = ["\"version\":1", "\"replicas\":[4,4]", "\"controller\":12"];
            object(dice, &[format!("\"partitions\":[{partitions}]")], &others)
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-seventh: json: heatmap: a map whose rows do not all have the same number ",
            "of cells"
        ),
        grammar: "@json",
        input: concat!(
            r#"{"site":"[1,2],[3]","rows":[[4],[4,4]],"maps":[{"page":"/","rows":[[0,4,12],[7,0,1]]},"#,
            r#"{"scale":[1,10,100],"rows":[[3,3,0,1],[0,12,9,0],[5,0,2]],"page":"/shop"},{"page":"/help","#,
            r#""days":["mon","tue"],"rows":[[8]]},{"page":"/old","rows":[]}],"clicks":412}"#
        ),
        valid: |input| heatmaps(input).is_some(),
        fails: |input| heatmaps(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let maps = joined(dice, count, ",", |dice| {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    let cells = joined(dice, length, ",", |dice| {
                        [0, dice.below(10), dice.below(200)][dice.below(3)].to_string()
                    });
                    rows.push(format!("[{cells}]"));
                }
                let page = one(dice, &["/", "/shop", "/help", "/old"]);
                let pairs =
                    [format!("\"page\":\"{page}\""), format!("\"rows\":[{}]", rows.join(","))];
                let others =
                    ["\"scale\":[1,10,100]", "\"days\":[\"mon\",\"tue\"]", "\"marks\":[[1],[2,3]]"];
                object(dice, &pairs, &others)
            });
            let others = ["\"site\":\"[1,2],[3]\"", "\"rows\":[[4],[4,4]]", "\"clicks\":412"];
            object(dice, &[format!("\"maps\":[{maps}]")], &others)
        },
        patterns: &[],
    },
];
