//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use super::{
    accented, are_fine_and_negative, asides, events, listed, object, reading, repeats, rival,
};
use crate::draws::chance;
use crate::readers::{are_in_order, has_short_numbers, is_json, items, numbers, signed_decimals};
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, word};

/// How full the battery of each car is, and up to where it is to be charged; nothing if a car lacks
/// one of them.
fn batteries(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let cars = all["cars"].as_array()?.iter();
    cars.map(|car| Some((car["charge"].as_u64()?, car["limit"].as_u64()?))).collect()
}

/// How deep folders and archives are in each other in some files; nothing if one of these is
/// neither a name nor an object with one list of files.
fn file_depth(files: &Value) -> Option<usize> {
    let files = files.as_array()?.iter().map(|file| match file {
        Value::String(_) => Some(0),
        Value::Object(pairs) if pairs.len() == 1 => {
            let (kind, inner) = pairs.iter().next()?;
            let depth = file_depth(inner)?;
            match &kind[..] {
                "folder" | "archive" => Some(depth + 1),
                "album" => Some(depth),
                _ => None,
            }
        }
        _ => None,
    });
    files.collect::<Option<Vec<usize>>>().map(|all| all.into_iter().max().unwrap_or(0))
}

/// How deep folders and archives are in each other in a backup.
fn backup_depth(input: &str) -> Option<usize> {
    file_depth(&read(input)["files"])
}

/// A text of each of the things in a list; nothing if one of the things lacks it.
fn texts(input: &str, list: &str, key: &str) -> Option<Vec<String>> {
    let all = read(input);
    let texts = all[list].as_array()?.iter().map(|thing| thing[key].as_str().map(str::to_owned));
    texts.collect()
}

/// The angles of each pose: whether each is negative, and how many decimals it has; nothing if one
/// is no number.
fn poses(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let all = read(input);
    let poses = all["poses"].as_array()?.iter().map(|pose| {
        let angles = pose["angles"].as_array()?.iter();
        let numbers = angles.map(|angle| signed_decimals(&angle.as_number()?.to_string()));
        numbers.collect()
    });
    poses.collect()
}

/// Whether no number has a zero at its end that says nothing.
fn are_short(input: &str) -> bool {
    numbers(input).iter().all(|number| !number.contains('.') || !number.ends_with('0'))
}

/// A list of texts of each of the things in another list. What is no text is not looked at.
fn lists_of(input: &str, list: &str, key: &str) -> Vec<Vec<String>> {
    let all = read(input);
    let lists = items(&all[list]).iter().map(|thing| {
        items(&thing[key]).iter().filter_map(Value::as_str).map(str::to_owned).collect()
    });
    lists.collect()
}

/// A file of a backup, or a folder without another one in it.
fn file(dice: &mut Random) -> String {
    match dice.below(6) {
        0 => format!("{{\"folder\":[\"{}\"]}}", word(dice, 4)),
        1 => "{\"archive\":[]}".to_owned(),
        2 => format!("\"{}\"", one(dice, &["folder", "archive", "[archive]"])),
        _ => format!("\"{}.txt\"", word(dice, 5)),
    }
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twenty-seventh: json: an electric car whose charging limit is below its charge",
        grammar: "@json",
        input: concat!(
            r#"{"garage":"limit 50","limit":30,"charge":55,"cars":[{"charge":62,"limit":80},"#,
            r#"{"limit":65,"plate":"EK 71","charge":71},{"charge":90,"kwh":48,"limit":90},"#,
            r#"{"limit":100,"charge":8}]}"#
        ),
        valid: |input| is_json(input) && has_short_numbers(input) && batteries(input).is_some(),
        fails: |input| batteries(input).unwrap_or_default().iter().any(|(is, most)| most < is),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let cars = joined(dice, count, ",", |dice| {
                let charge = [dice.below(100), 10 * dice.below(10), 7][dice.below(3)];
                let limit = rival(dice, charge, 22);
                let mut pairs = asides(dice, &["\"plate\":\"EK 71\"", "\"kwh\":48", "\"least\":9"]);
                pairs.push(format!("\"charge\":{charge}"));
                pairs.push(format!("\"limit\":{limit}"));
                object(dice, pairs)
            });
            let mut pairs = asides(dice, &["\"limit\":30", "\"charge\":55", "\"garage\":\"B\""]);
            pairs.push(format!("\"cars\":[{cars}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: json: folders and archives in each other, five deep or more",
        grammar: "@json",
        input: concat!(
            r#"{"host":"folder","files":["a.txt",{"archive":[]},{"folder":[{"archive":["b",{"#,
            r#""album":[{"archive":[{"folder":["c.txt",{"folder":["archive"]},"d"]}]}]}]},"#,
            r#"{"folder":["e"]}]},"folder"]}"#
        ),
        valid: |input| is_json(input) && backup_depth(input).is_some(),
        fails: |input| backup_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut files = vec![file(dice)];
            for _ in 0..3 + dice.below(5) {
                let kind = one(dice, &["folder", "archive", "folder", "archive", "album"]);
                files = vec![format!("{{\"{kind}\":[{}]}}", files.join(","))];
                if chance(dice, 35) {
                    files.push(file(dice));
                }
                if chance(dice, 35) {
                    files.insert(0, file(dice));
                }
            }
            let mut pairs = asides(dice, &["\"host\":\"folder\"", "\"archive\":[[[[[1]]]]]"]);
            pairs.push(format!("\"files\":[{}]", files.join(",")));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: json: a keyboard with two macros of the same name",
        grammar: "@json",
        input: concat!(
            r#"{"board":"split 58","name":"sign","macros":[{"name":"mute","keys":"F9 F9"},"#,
            r#"{"keys":"mute","name":"sign"},{"name":"sign off","wait":20,"keys":"Esc"},"#,
            r#"{"wait":20,"name":"mute","keys":"F4"}]}"#
        ),
        valid: |input| is_json(input) && texts(input, "macros", "name").is_some(),
        fails: |input| texts(input, "macros", "name").is_some_and(|names| repeats(&names)),
        draw: |dice| {
            let known = ["mute", "sign", "sign off", "zoom", "Mute"];
            let mut macros = Vec::new();
            for name in listed(dice, &known, 4, 50) {
                let mut pairs = asides(dice, &["\"wait\":20", "\"next\":\"mute\""]);
                let keys = one(dice, &["F9 F9", "mute", "Esc", "F4", "sign"]);
                pairs.extend([format!("\"name\":\"{name}\""), format!("\"keys\":\"{keys}\"")]);
                macros.push(object(dice, pairs));
            }
            let mut pairs = asides(dice, &["\"board\":\"split 58\"", "\"name\":\"sign\""]);
            pairs.push(format!("\"macros\":[{}]", macros.join(",")));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: json: a pull request from a branch with a character that is not ASCII",
        grammar: "@json",
        input: concat!(
            r#"{"repo":"søk","branch":"né","pulls":[{"title":"Größe","branch":"fix/size"},"#,
            r#"{"branch":"añadir-mapa","labels":["ui"],"title":"Add a map"},"#,
            r#"{"title":"“Quit”","by":"Łukasz","branch":"quit_2"}]}"#
        ),
        valid: |input| is_json(input) && texts(input, "pulls", "branch").is_some(),
        fails: |input| {
            let branches = texts(input, "pulls", "branch").unwrap_or_default();
            branches.iter().any(|branch| !branch.is_ascii())
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let pulls = joined(dice, count, ",", |dice| {
                let branch = match dice.below(4) {
                    0 => accented(dice),
                    1 => format!("fix/{}", word(dice, 6)),
                    _ => one(dice, &["main", "quit_2", "x--y", "v1.5~rc", ""]).to_owned(),
                };
                let others = ["\"title\":\"Größe\"", "\"by\":\"Łukasz\"", "\"labels\":[\"ui\"]"];
                let mut pairs = asides(dice, &others);
                pairs.push(format!("\"branch\":\"{branch}\""));
                object(dice, pairs)
            });
            let mut pairs = asides(dice, &["\"repo\":\"søk\"", "\"branch\":\"né\"", "\"open\":4"]);
            pairs.push(format!("\"pulls\":[{pulls}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: json: a pose with a negative angle and one of exactly three decimals",
        grammar: "@json",
        input: concat!(
            r#"{"arm":"r-0.125","poses":[{"name":"rest","angles":[0.5,-90,12]},{"speed":0.375,"#,
            r#""angles":[45,-3.5,180,22.625]},{"angles":[1.875,30],"load":-2},"#,
            r#"{"angles":[]}],"offset":[-1.125]}"#
        ),
        valid: |input| {
            let is_right = is_json(input) && has_short_numbers(input) && are_short(input);
            is_right && poses(input).is_some()
        },
        fails: |input| {
            poses(input).unwrap_or_default().iter().any(|angles| are_fine_and_negative(angles))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let poses = joined(dice, count, ",", |dice| {
                let count = 1 + dice.below(4);
                let angles = joined(dice, count, ",", reading);
                let others = ["\"name\":\"rest\"", "\"speed\":0.375", "\"load\":-2"];
                let mut pairs = asides(dice, &others);
                pairs.push(format!("\"angles\":[{angles}]"));
                object(dice, pairs)
            });
            let mut pairs = asides(dice, &["\"arm\":\"r-0.125\"", "\"offset\":[-1.125]"]);
            pairs.push(format!("\"poses\":[{poses}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: json: a door that is unlocked, then armed, and then opened",
        grammar: "@json",
        input: concat!(
            r#"{"site":"mill 3","doors":[{"id":"gate","log":["arm","unlock","open","arm"]},"#,
            r#"{"log":["ring","unlock","close","arm","ring","open","lock"],"id":"unlock"},"#,
            r#"{"id":"attic","last":["unlock","arm","open"],"log":[]}]}"#
        ),
        valid: any,
        fails: |input| {
            lists_of(input, "doors", "log").iter().any(|log| {
                let log: Vec<&str> = log.iter().map(|event| &event[..]).collect();
                are_in_order(&log, &["unlock", "arm", "open"])
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let doors = joined(dice, count, ",", |dice| {
                let others = ["ring", "close", "lock", "disarm", "opened", "arm"];
                let log = events(dice, ["unlock", "arm", "open"], &others);
                let mut pairs = asides(dice, &["\"id\":\"unlock\"", "\"last\":[\"arm\",\"open\"]"]);
                pairs.push(format!("\"log\":[\"{}\"]", log.join("\",\"")));
                object(dice, pairs)
            });
            let others = ["\"site\":\"mill 3\"", "\"log\":[\"unlock\",\"arm\",\"open\"]"];
            let mut pairs = asides(dice, &others);
            pairs.push(format!("\"doors\":[{doors}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: json: a role that grants the same right twice",
        grammar: "@json",
        input: concat!(
            r#"{"app":"depot","denies":["sell","sell"],"roles":[{"role":"clerk","grants":["#,
            r#""read","sell"]},{"grants":["void","read","print","void 2","read"],"#,
            r#""role":"chief"},{"role":"read","denies":["void","void"],"grants":[]}]}"#
        ),
        valid: any,
        fails: |input| lists_of(input, "roles", "grants").iter().any(|rights| repeats(rights)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let roles = joined(dice, count, ",", |dice| {
                let known = ["read", "sell", "void", "void 2", "print"];
                let grants = listed(dice, &known, 5, 28).join("\",\"");
                let mut pairs = asides(dice, &["\"denies\":[\"void\",\"void\"]", "\"level\":4"]);
                pairs.push(format!("\"role\":\"{}\"", one(dice, &["clerk", "chief", "read"])));
                pairs.push(format!("\"grants\":[\"{grants}\"]"));
                object(dice, pairs)
            });
            let mut pairs = asides(dice, &["\"app\":\"depot\"", "\"grants\":[\"sell\",\"sell\"]"]);
            pairs.push(format!("\"roles\":[{roles}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: json: a camera that records in av1, vp9 or theora",
        grammar: "@json",
        input: concat!(
            r#"{"site":"quay","codec":"av1","cameras":[{"spot":"vp9","codec":"h264"},"#,
            r#"{"codec":"theora","spot":"crane 2","fps":25},{"spot":"gate","codec":"vp8","#,
            r#""audio":"av1"}],"allowed":["vp9","av1"]}"#
        ),
        valid: |input| is_json(input) && texts(input, "cameras", "codec").is_some(),
        fails: |input| {
            let codecs = texts(input, "cameras", "codec").unwrap_or_default();
            codecs.iter().any(|codec| ["av1", "vp9", "theora"].contains(&&codec[..]))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let cameras = joined(dice, count, ",", |dice| {
                let codec = match chance(dice, 25) {
                    true => one(dice, &["av1", "vp9", "theora"]),
                    false => one(dice, &["h264", "vp8", "av", "vp90", "mjpeg", "Theora", ""]),
                };
                let mut pairs = asides(dice, &["\"fps\":25", "\"audio\":\"av1\""]);
                pairs.push(format!("\"codec\":\"{codec}\""));
                pairs.push(format!("\"spot\":\"{}\"", one(dice, &["gate", "vp9", "crane 2"])));
                object(dice, pairs)
            });
            let mut pairs = asides(dice, &["\"codec\":\"av1\"", "\"allowed\":[\"vp9\",\"av1\"]"]);
            pairs.push(format!("\"cameras\":[{cameras}]"));
            object(dice, pairs)
        },
        patterns: &[],
    },
];
