//! Causes in JSON.

use serde_json::Value;

use crate::readers::{is_json, items};
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// The texts of one key of some objects; nothing if one of these is no text.
fn texts(input: &str, list: &str, key: &str) -> Option<Vec<String>> {
    let all = read(input);
    let values = items(&all[list]).iter().filter_map(|one| one.get(key));
    values.map(|value| value.as_str().map(str::to_owned)).collect()
}

/// The humidity of each hive that has one; nothing if one of these is no whole number.
fn humidities(input: &str) -> Option<Vec<u64>> {
    let all = read(input);
    let values = items(&all["hives"]).iter().filter_map(|one| one.get("humidity"));
    values.map(Value::as_u64).collect()
}

/// Whether each runner has a lane; nothing if one is no object.
fn lanes(input: &str) -> Option<Vec<bool>> {
    let all = read(input);
    let runners = all["runners"].as_array()?.iter();
    runners.map(|runner| runner.as_object().map(|pairs| pairs.contains_key("lane"))).collect()
}

/// Whether each mount of a telescope has a tilt; nothing if one is no object.
fn mounts(input: &str) -> Option<Vec<bool>> {
    let all = read(input);
    let values = items(&all["telescopes"]).iter().filter_map(|one| one.get("mount"));
    values.map(|mount| mount.as_object().map(|pairs| pairs.contains_key("tilt"))).collect()
}

/// Whether each pallet is frozen, and how cold it is; nothing if this is no whole number.
fn pallets(input: &str) -> Option<Vec<(bool, i64)>> {
    let all = read(input);
    let pallets = items(&all["pallets"]).iter();
    pallets.map(|one| Some((one["state"] == "frozen", one["celsius"].as_i64()?))).collect()
}

/// How many choices each question has, and which is correct, counted from 1; nothing if a question has not both.
fn questions(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let questions = all["questions"].as_array()?.iter().map(|one| {
        let correct = one["correct"].as_u64().filter(|correct| *correct > 0)?;
        Some((one["choices"].as_array()?.len() as u64, correct))
    });
    questions.collect()
}

/// What both sides have scored in each game; nothing if one of these is no whole number.
fn scores(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let games = all["games"].as_array()?.iter();
    games.map(|game| Some((game["ours"].as_u64()?, game["theirs"].as_u64()?))).collect()
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "eighteenth: json: a hive with a humidity from 60 to 75",
        grammar: "@json",
        input: r#"{"apiary":"south hill","hives":[{"queen":2021,"humidity":54,"frames":10},{"humidity":68,"queen":60,"frames":8},{"frames":12,"humidity":81}],"visits":62}"#,
        valid: |input| is_json(input) && humidities(input).is_some(),
        fails: |input| {
            humidities(input).is_some_and(|all| all.iter().any(|one| (60..=75).contains(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let hives = joined(dice, count, ",", |dice| {
                let inside = ["60", "61", "66", "70", "74", "75"];
                let outside = ["0", "7", "59", "58", "76", "77", "100", "600"];
                let humidity =
                    if dice.below(3) == 0 { one(dice, &inside) } else { one(dice, &outside) };
                let mut pairs = vec![
                    format!("\"queen\":{}", one(dice, &["2021", "60", "70", "\"humidity\""])),
                    format!("\"frames\":{}", 2 + dice.below(80)),
                ];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"humidity\":{humidity}"));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"apiary\":\"{}\"", word(dice, 5)),
                format!("\"hives\":[{hives}]"),
                format!("\"{}\":{}", one(dice, &["visits", "humidity"]), 50 + dice.below(30)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: json: a heat in which one runner has a lane and another has none",
        grammar: "@json",
        input: r#"{"heat":3,"runners":[{"bib":14,"lane":2,"club":"harriers"},{"club":"lane","bib":7},{"lane":5,"bib":31}],"judges":[{"desk":"finish"}],"wind":1.5}"#,
        valid: |input| is_json(input) && lanes(input).is_some(),
        fails: |input| lanes(input).is_some_and(|all| all.contains(&true) && all.contains(&false)),
        draw: |dice| {
            let usual = dice.below(3);
            let runners: Vec<String> = (0..1 + dice.below(4))
                .map(|_| {
                    let mut pairs = vec![
                        format!("\"bib\":{}", dice.below(40)),
                        format!("\"club\":\"{}\"", one(dice, &["lane", "harriers", "bib"])),
                    ];
                    let has_lane = match usual {
                        0 => dice.below(2) == 0,
                        1 => dice.below(9) > 0,
                        _ => dice.below(9) == 0,
                    };
                    let lane = one(dice, &["1", "2", "8", "null"]);
                    match (has_lane, dice.below(4)) {
                        (true, _) => pairs.push(format!("\"lane\":{lane}")),
                        (_, 0) => pairs.push(format!("\"lanes\":[{{\"lane\":{lane}}}]")),
                        _ => {}
                    }
                    format!("{{{}}}", shuffled(dice, pairs).join(","))
                })
                .collect();
            let judge = one(dice, &["{\"desk\":\"finish\"}", "{\"lane\":4}", ""]);
            let pairs = vec![
                format!("\"{}\":{}", one(dice, &["heat", "lane"]), dice.below(9)),
                format!("\"runners\":[{}]", runners.join(",")),
                format!("\"judges\":[{judge}]"),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: json: a telescope whose mount has no tilt",
        grammar: "@json",
        input: r#"{"peak":"roque","telescopes":[{"mirror":2.5,"mount":{"form":"fork","tilt":12}},{"mount":{"form":"tilt","motor":true},"mirror":1,"tilt":9},{"mirror":4}],"tilt":0}"#,
        valid: |input| is_json(input) && mounts(input).is_some(),
        fails: |input| mounts(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let telescopes = joined(dice, count, ",", |dice| {
                let mut parts = vec![format!("\"form\":\"{}\"", one(dice, &["fork", "tilt"]))];
                if dice.below(3) > 0 {
                    parts.push(format!("\"tilt\":{}", one(dice, &["12", "0", "null", "\"\""])));
                }
                if dice.below(3) == 0 {
                    parts.push(format!("\"motor\":{}", one(dice, &["true", "{\"tilt\":1}"])));
                }
                let mut pairs = vec![format!("\"mirror\":{}", dice.below(9))];
                if dice.below(5) > 0 {
                    pairs.push(format!("\"mount\":{{{}}}", shuffled(dice, parts).join(",")));
                }
                if dice.below(4) == 0 {
                    pairs.push("\"tilt\":9".to_owned());
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let spare = one(dice, &["{\"mount\":{\"form\":\"fork\"}}", "{\"tilt\":2}", "null"]);
            let pairs =
                vec![format!("\"telescopes\":[{telescopes}]"), format!("\"spare\":{spare}")];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: json: a frozen pallet that is warmer than -18 degrees",
        grammar: "@json",
        input: r#"{"truck":"k9","pallets":[{"goods":"peas","state":"frozen","celsius":-21},{"goods":"milk","celsius":4,"state":"chilled"},{"celsius":-15,"goods":"fish","state":"frozen"}],"celsius":-3}"#,
        valid: |input| is_json(input) && pallets(input).is_some(),
        fails: |input| {
            pallets(input).is_some_and(|all| {
                all.iter().any(|(is_frozen, celsius)| *is_frozen && *celsius > -18)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let pallets = joined(dice, count, ",", |dice| {
                let cold = ["-18", "-19", "-21", "-30", "-180"];
                let warm = ["-17", "-16", "-1", "0", "4", "18", "21"];
                let state = one(dice, &["frozen", "frozen", "frozen", "chilled", "Frozen"]);
                let is_warm = dice.below(2) == 0;
                let celsius = if is_warm { one(dice, &warm) } else { one(dice, &cold) };
                let mut pairs = vec![
                    format!("\"goods\":\"{}\"", one(dice, &["peas", "fish", "frozen", "ice"])),
                    format!("\"celsius\":{celsius}"),
                ];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"state\":\"{state}\""));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"{}\":\"frozen\"", one(dice, &["truck", "state"])),
                format!("\"pallets\":[{pallets}]"),
                format!("\"celsius\":{}", one(dice, &["-3", "-18", "-20", "7"])),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: json: a question whose correct choice has a greater number than it has choices",
        grammar: "@json",
        input: r#"{"quiz":"lakes","questions":[{"ask":"deepest?","choices":["baikal","como"],"correct":1},{"correct":4,"choices":["tahoe","geneva","garda"],"ask":"clearest?"}],"correct":9}"#,
        valid: |input| is_json(input) && questions(input).is_some(),
        fails: |input| {
            questions(input).is_some_and(|all| all.iter().any(|(count, correct)| correct > count))
        },
        draw: |dice| {
            let questions: Vec<String> = (0..1 + dice.below(3))
                .map(|_| {
                    let count = dice.below(5);
                    let choices = joined(dice, count, ",", |dice| {
                        one(dice, &["\"como\"", "\"garda\"", "7", "[1,2]", "\"\""]).to_owned()
                    });
                    let correct = [count, count, count.max(2) - 1, count + 1, dice.below(6)];
                    let correct = correct[dice.below(5)].max(1);
                    let mut pairs = vec![
                        format!("\"ask\":\"{}?\"", word(dice, 5)),
                        format!("\"choices\":[{choices}]"),
                        format!("\"correct\":{correct}"),
                    ];
                    if dice.below(3) == 0 {
                        pairs.push(format!("\"hints\":[{}]", one(dice, &["1", "1,2,3", ""])));
                    }
                    format!("{{{}}}", shuffled(dice, pairs).join(","))
                })
                .collect();
            let pairs = vec![
                format!("\"quiz\":\"{}\"", word(dice, 5)),
                format!("\"questions\":[{}]", questions.join(",")),
                format!("\"correct\":{}", dice.below(9)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: json: a gamer whose handle has fewer than three characters",
        grammar: "@json",
        input: r#"{"arena":"mo","gamers":[{"handle":"zephyr","rank":3,"guild":"ox"},{"rank":12,"handle":"qi","guild":"moonlight"},{"handle":"ada","rank":1}],"map":"h2"}"#,
        valid: |input| {
            input.is_ascii() && is_json(input) && texts(input, "gamers", "handle").is_some()
        },
        fails: |input| {
            let all = texts(input, "gamers", "handle").unwrap_or_default();
            all.iter().any(|handle| handle.len() < 3)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let gamers = joined(dice, count, ",", |dice| {
                let short = ["", "q", "qi", "7", "a-"];
                let long = ["ada", "zed", "a b", "rook", "zephyr", "handle"];
                let handle = if dice.below(3) == 0 { one(dice, &short) } else { one(dice, &long) };
                let mut pairs = vec![format!("\"rank\":{}", dice.below(90))];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"handle\":\"{handle}\""));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"guild\":\"{}\"", one(dice, &["ox", "", "moonlight"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"gamers\":[{gamers}]"),
                format!("\"{}\":\"{}\"", one(dice, &["arena", "handle"]), word(dice, 4)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: json: an upload that ends with .exe or .bat",
        grammar: "@json",
        input: r#"{"inbox":"support","uploads":[{"called":"screen.png","bytes":20480},{"bytes":512,"called":"exe.notes.txt"},{"called":"invoice.pdf.exe","bytes":99}],"reply":"run setup.bat"}"#,
        valid: |input| is_json(input) && texts(input, "uploads", "called").is_some(),
        fails: |input| {
            let all = texts(input, "uploads", "called").unwrap_or_default();
            all.iter().any(|called| called.ends_with(".exe") || called.ends_with(".bat"))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let uploads = joined(dice, count, ",", |dice| {
                let ending = match dice.below(4) {
                    0 => one(dice, &[".exe", ".bat"]),
                    _ => one(dice, &[".png", ".exe.txt", "exe", "bat", ".bats", ".batch.c", ".ex"]),
                };
                let start = one(dice, &["setup", "invoice.pdf", "", "wom", "a.exe.b"]);
                let mut pairs = vec![format!("\"bytes\":{}", dice.below(900))];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"called\":\"{start}{ending}\""));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"was\":\"{}\"", one(dice, &["setup.exe", "run.bat"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"uploads\":[{uploads}]"),
                format!("\"reply\":\"{}\"", one(dice, &["run setup.bat", "thanks", ".exe"])),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: json: a game in which both sides have scored the same",
        grammar: "@json",
        input: r#"{"bracket":"spring","games":[{"ours":3,"theirs":1,"pitch":3},{"pitch":"b","theirs":0,"ours":2},{"theirs":4,"ours":4}],"ours":9,"theirs":9}"#,
        valid: |input| is_json(input) && scores(input).is_some(),
        fails: |input| {
            scores(input).is_some_and(|all| all.iter().any(|(ours, theirs)| ours == theirs))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let games = joined(dice, count, ",", |dice| {
                let ours = dice.below(12);
                let others = [ours, ours + 1, ours.max(1) - 1, 10 * ours + 1, dice.below(12)];
                let theirs = others[dice.below(5)];
                let mut pairs = vec![format!("\"ours\":{ours}"), format!("\"theirs\":{theirs}")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"pitch\":{}", [ours, theirs, 7][dice.below(3)]));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs =
                vec![format!("\"bracket\":\"{}\"", word(dice, 5)), format!("\"games\":[{games}]")];
            if dice.below(3) == 0 {
                pairs.extend(["ours", "theirs"].map(|key| format!("\"{key}\":{}", dice.below(3))));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
