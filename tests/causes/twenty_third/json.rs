//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::readers::{has_short_numbers, is_digits, is_json, is_name, numbers, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// How deep the parts of a filter are in each other; nothing if a part is neither a test of a field nor one of `all`,
/// `any` and `not` with filters in it.
fn filter_depth(filter: &Value) -> Option<usize> {
    let pairs = filter.as_object()?;
    if pairs.len() == 2 {
        return (filter["field"].is_string() && filter["is"].is_string()).then_some(0);
    }
    let (name, inner) = pairs.iter().next().filter(|_| pairs.len() == 1)?;
    let depths: Option<Vec<usize>> = match &name[..] {
        "all" | "any" => inner.as_array()?.iter().map(filter_depth).collect(),
        "not" => Some(vec![filter_depth(inner)?]),
        _ => None,
    };
    Some(1 + depths?.into_iter().max().unwrap_or(0))
}

/// The coordinates of each point of a track, as they are written: whether each is negative, and how many decimals it
/// has. Nothing if a point does not have two or three numbers, or a number ends in a zero after its point.
fn track(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let is_odd = |number: &&str| number.contains('.') && number.ends_with('0');
    (!numbers(input).iter().any(is_odd)).then_some(())?;
    let all = read(input);
    let points = all["coordinates"].as_array()?.iter().map(|point| {
        let point = point.as_array().filter(|point| [2, 3].contains(&point.len()))?;
        let written = point.iter().map(|one| signed_decimals(&one.as_number()?.to_string()));
        written.collect::<Option<Vec<(bool, usize)>>>()
    });
    points.collect()
}

/// The names of the layers of a drawing; nothing if one has none.
fn layers(input: &str) -> Option<Vec<String>> {
    let all = read(input);
    let names = all["layers"].as_array()?.iter().map(|layer| {
        let name = layer["name"].as_str().filter(|name| is_name(name))?;
        Some(name.to_owned())
    });
    names.collect()
}

/// The number of each comment, and of the one that it answers; nothing if one has no number, or two have the same.
fn comments(input: &str) -> Option<Vec<(u64, Option<u64>)>> {
    let (all, mut found) = (read(input), Vec::<(u64, Option<u64>)>::new());
    for comment in all["comments"].as_array()? {
        let id = comment["id"].as_u64()?;
        let answered = match comment.get("answers") {
            Some(answered) => Some(answered.as_u64()?),
            None => None,
        };
        found.iter().all(|(other, _)| *other != id).then_some(())?;
        found.push((id, answered));
    }
    Some(found)
}

/// The keys of the labels of hosts; nothing if a host has no labels, or a label is no text or has an odd key.
fn labels(input: &str) -> Option<Vec<String>> {
    let (all, mut keys) = (read(input), Vec::new());
    for host in all["hosts"].as_array()? {
        for (key, value) in host["labels"].as_object()? {
            let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            let is_right = !key.is_empty() && key.chars().all(is_letter);
            (is_right && value.is_string()).then_some(())?;
            keys.push(key.clone());
        }
    }
    Some(keys)
}

/// Whether a series has both a number and a text among its values; nothing if a value is something else and not null.
fn has_mixed_series(input: &str) -> Option<bool> {
    let (all, mut found) = (read(input), false);
    for series in all["series"].as_array()? {
        let values = series["values"].as_array()?;
        let is_known = |value: &Value| value.is_number() || value.is_string() || value.is_null();
        values.iter().all(is_known).then_some(())?;
        found |= values.iter().any(Value::is_number) && values.iter().any(Value::is_string);
    }
    Some(found)
}

/// Whether an event is not all day and has no end; nothing if one does not say when it starts, or if it is all day.
fn has_endless_event(input: &str) -> Option<bool> {
    let (all, mut found) = (read(input), false);
    for event in all["events"].as_array()? {
        event["start"].as_str()?;
        let end = event.get("end");
        end.is_none_or(Value::is_string).then_some(())?;
        found |= !event["all_day"].as_bool()? && end.is_none();
    }
    Some(found)
}

/// Whether a text is a path into a document.
fn is_pointer(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    text.strip_prefix('/').is_some_and(|rest| rest.split('/').all(is_part))
}

/// The operation, the origin and the path of each step of a patch, with no origin if it needs none; nothing if a
/// step lacks something, or a path is odd.
fn patch(input: &str) -> Option<Vec<(String, String, String)>> {
    let all = read(input);
    let steps = all["patch"].as_array()?.iter().map(|step| {
        let op = step["op"].as_str()?;
        let path = step["path"].as_str().filter(|path| is_pointer(path))?;
        let from = step.get("from");
        let from = match op {
            "move" | "copy" => from?.as_str().filter(|path| is_pointer(path))?,
            "add" if from.is_none() && step.get("value").is_some() => "",
            "remove" if from.is_none() => "",
            _ => return None,
        };
        Some((op.to_owned(), from.to_owned(), path.to_owned()))
    });
    steps.collect()
}

/// A test of a field, or a filter that is not deep.
fn small_filter(dice: &mut Random) -> String {
    let field = one(dice, &["flag", "draft", "all"]);
    let test = format!("{{\"field\":\"{field}\",\"is\":\"{}\"}}", one(dice, &["no", "new", "any"]));
    match dice.below(6) {
        0 => format!("{{\"not\":{test}}}"),
        1 => format!("{{\"any\":[{test}]}}"),
        2 => "{\"all\":[]}".to_owned(),
        _ => test,
    }
}

/// A point, which may have a negative coordinate and one of many decimals.
fn point(dice: &mut Random) -> String {
    let count = 2 + dice.below(2);
    let all = joined(dice, count, ",", |dice| {
        let number = match dice.below(8) {
            0..3 => one(dice, &["10", "0", "59.91", "4.5", "120"]),
            3..5 => one(dice, &["-4", "-0.5", "-12.25", "-125"]),
            5..7 => one(dice, &["0.125", "10.757", "59.9139", "7.001"]),
            _ => one(dice, &["-0.125", "-3.375", "-1.0005", "-70.01"]),
        };
        number.to_owned()
    });
    format!("[{all}]")
}

/// A step of a patch, of which the path may begin with the origin.
fn patch_step(dice: &mut Random) -> String {
    let from = one(dice, &["/ships/3", "/a", "/crew/names", "/ships"]);
    let path = match dice.below(4) {
        0 => from.to_owned(),
        1 => format!("{from}{}", one(dice, &["/name", "4", "s", "/0/move"])),
        2 => from[..from.rfind('/').unwrap() + 2].to_owned(),
        _ => one(dice, &["/crew", "/ships/3/a", "/ports/0", "/b/a", "/old/ships/3"]).to_owned(),
    };
    let mut pairs = vec![format!("\"path\":\"{path}\"")];
    let op = one(dice, &["move", "move", "move", "copy", "add", "remove"]);
    pairs.push(format!("\"op\":\"{op}\""));
    if ["move", "copy"].contains(&op) {
        pairs.push(format!("\"from\":\"{from}\""));
    } else if op == "add" || dice.below(2) == 0 {
        pairs.push(format!("\"value\":\"{}\"", one(dice, &["/a", "move", "x"])));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twenty-third: json: a filter of all, any and not in each other, five deep or more",
        grammar: "@json",
        input: r#"{"list":"ships","limit":20,"not":"used","filter":{"all":[{"field":"type","is":"ferry"},{"any":[{"field":"flag","is":"no"},{"not":{"all":[{"field":"draft","is":"any"},{"not":{"field":"age","is":"new"}}]}}]},{"any":[{"is":"all","field":"port"},{"not":{"any":[]}}]}]},"sort":[[["age"]]]}"#,
        valid: |input| is_json(input) && filter_depth(&read(input)["filter"]).is_some(),
        fails: |input| filter_depth(&read(input)["filter"]).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut filter = small_filter(dice);
            for _ in 0..3 + dice.below(3) {
                let mut all = vec![filter];
                while dice.below(3) == 0 {
                    all.push(small_filter(dice));
                }
                filter = match dice.below(3) {
                    0 => format!("{{\"not\":{}}}", all[0]),
                    1 => format!("{{\"any\":[{}]}}", shuffled(dice, all).join(",")),
                    _ => format!("{{\"all\":[{}]}}", shuffled(dice, all).join(",")),
                };
            }
            let mut pairs = vec![format!("\"filter\":{filter}")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"sort\":{}", one(dice, &["[[[\"age\"]]]", "[]", "\"not\""])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: json: a point with a negative coordinate and one of three decimals or more",
        grammar: "@json",
        input: r#"{"type":"track","bbox":[-3.125,48,11.25,60],"coordinates":[[10.757,59.91,4],[-2.5,48.25],[4,-0.5],[-3.125,51.5,12],[7.0625,53]],"scale":-1,"note":"at -0.125"}"#,
        valid: |input| is_json(input) && has_short_numbers(input) && track(input).is_some(),
        fails: |input| {
            track(input).unwrap_or_default().iter().any(|point| {
                let is_long = point.iter().any(|(_, decimals)| *decimals >= 3);
                is_long && point.iter().any(|(is_negative, _)| *is_negative)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let mut pairs = vec![format!("\"coordinates\":[{}]", joined(dice, count, ",", point))];
            if dice.below(2) == 0 {
                pairs
                    .push(format!("\"bbox\":{}", one(dice, &["[-3.125,4]", "[-1,0.125,9]", "[]"])));
            }
            if dice.below(3) == 0 {
                pairs.push(format!("\"scale\":{}", one(dice, &["-1", "0.001", "-0.125", "2"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: json: two layers of a drawing with the same name",
        grammar: "@json",
        input: r#"{"name":"sea","size":[40,30],"layers":[{"name":"sea","shapes":[{"name":"buoy"},{"name":"buoy"}]},{"name":"coast","hidden":true},{"opacity":50,"name":"names","shapes":[]},{"name":"coast","shapes":[{"name":"names"}]}]}"#,
        valid: |input| is_json(input) && layers(input).is_some(),
        fails: |input| {
            let all = layers(input).unwrap_or_default();
            (1..all.len()).any(|at| all[..at].contains(&all[at]))
        },
        draw: |dice| {
            let names = ["sea", "coast", "names", "sea2", "s"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(4));
            if dice.below(2) == 0 {
                let again = names[dice.below(names.len())].clone();
                names.insert(dice.below(names.len() + 1), again);
            }
            let mut layers = Vec::new();
            for name in &names {
                let mut pairs = vec![format!("\"name\":\"{name}\"")];
                let shapes = ["", "{\"name\":\"sea\"}", "{\"name\":\"s\"},{\"name\":\"s\"}"];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"shapes\":[{}]", one(dice, &shapes)));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"title\":\"{}\"", one(dice, &["sea", "coast"])));
                }
                layers.push(format!("{{{}}}", shuffled(dice, pairs).join(",")));
            }
            let name = one(dice, &["sea", "coast", "map"]);
            format!("{{\"name\":\"{name}\",\"layers\":[{}]}}", layers.join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: json: a comment that answers one that is not there",
        grammar: "@json",
        input: r#"{"post":{"id":12,"title":"Tides"},"comments":[{"id":3,"text":"When?"},{"answers":3,"id":4,"text":"At 12"},{"id":9,"answers":12,"likes":3},{"id":15,"text":"Ok","answers":4}],"pinned":3}"#,
        valid: |input| is_json(input) && has_short_numbers(input) && comments(input).is_some(),
        fails: |input| {
            let all = comments(input).unwrap_or_default();
            let is_there = |wanted: u64| all.iter().any(|(id, _)| *id == wanted);
            all.iter().any(|(_, answered)| answered.is_some_and(|wanted| !is_there(wanted)))
        },
        draw: |dice| {
            let ids = ["3", "4", "9", "12", "40"].map(str::to_owned).to_vec();
            let ids = shuffled(dice, ids);
            let (there, is_odd) = (1 + dice.below(4), dice.below(3) > 0);
            let mut comments = Vec::new();
            for id in &ids[..there] {
                let mut pairs = vec![format!("\"id\":{id}")];
                if dice.below(3) > 0 {
                    let is_there = !is_odd || dice.below(2) == 0;
                    let known = if is_there { &ids[..there] } else { &ids[there..] };
                    pairs.push(format!("\"answers\":{}", known[dice.below(known.len())]));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"likes\":{}", dice.below(13)));
                }
                comments.push(format!("{{{}}}", shuffled(dice, pairs).join(",")));
            }
            let mut pairs = vec![format!("\"comments\":[{}]", comments.join(","))];
            if dice.below(2) == 0 {
                pairs.push(format!("\"post\":{{\"id\":{}}}", one(dice, &["3", "12", "40"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: json: a label of a host whose key is only digits",
        grammar: "@json",
        input: r#"{"site":"attic","ports":{"80":"web","443":"web"},"hosts":[{"name":"mx1","labels":{"role":"mail","rack":"12"}},{"labels":{"role":"web","2026":"leased","row-4":"7"},"name":"44"},{"labels":{}}]}"#,
        valid: |input| is_json(input) && labels(input).is_some(),
        fails: |input| labels(input).is_some_and(|keys| keys.iter().any(|key| is_digits(key))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let hosts = joined(dice, count, ",", |dice| {
                let keys = ["role", "rack", "row-4", "2-1", "r2", "4th", "7", "2026", "0"];
                let mut keys = shuffled(dice, keys.map(str::to_owned).to_vec());
                keys.truncate(dice.below(3));
                let pairs: Vec<String> = keys
                    .iter()
                    .map(|key| format!("\"{key}\":\"{}\"", one(dice, &["12", "web", "", "2026"])))
                    .collect();
                let mut pairs = vec![format!("\"labels\":{{{}}}", pairs.join(","))];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"name\":\"{}\"", one(dice, &["mx1", "44", "labels"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"hosts\":[{hosts}]")];
            if dice.below(2) == 0 {
                let ports = ["{}", "{\"80\":\"web\"}", "{\"web\":\"80\"}"];
                pairs.push(format!("\"ports\":{}", one(dice, &ports)));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: json: a series with both a number and a text among its values",
        grammar: "@json",
        input: r#"{"chart":"tides","axes":[1,"m"],"series":[{"name":"low","values":[4,7,null,12]},{"name":"note","values":["a","12"]},{"unit":"cm","values":[110,104.5,"n/a",98],"name":"high"},{"values":[]}]}"#,
        valid: |input| is_json(input) && has_mixed_series(input).is_some(),
        fails: |input| has_mixed_series(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let series = joined(dice, count, ",", |dice| {
                let (count, kinds) = (dice.below(5), dice.below(5));
                let mut values = Vec::new();
                for _ in 0..count {
                    let text = one(dice, &["\"n/a\"", "\"12\"", "\"\"", "\"a\""]);
                    let number = one(dice, &["4", "104.5", "0", "-7"]);
                    let is_text = kinds == 0 || (kinds < 4 && dice.below(3) == 0);
                    let value = if is_text { text } else { number };
                    values.push(if dice.below(5) == 0 { "null" } else { value });
                }
                let mut pairs = vec![format!("\"values\":[{}]", values.join(","))];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"name\":\"{}\"", one(dice, &["low", "12", "values"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"marks\":{}", one(dice, &["[1,\"m\"]", "4", "[\"a\"]"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let axes = one(dice, &["", ",\"axes\":[1,\"m\"]", ",\"axes\":[]"]);
            format!("{{\"series\":[{series}]{axes}}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: json: an event that is not all day and has no end",
        grammar: "@json",
        input: r#"{"calendar":"club","all_day":false,"events":[{"title":"regatta","start":"2026-05-02","all_day":true},{"start":"2026-05-03 10:00","all_day":false,"end":"2026-05-03 12:00"},{"all_day":false,"title":"the end","start":"2026-05-09 18:30","room":"attic"},{"start":"2026-06-01","end":"2026-06-02","all_day":true}]}"#,
        valid: |input| is_json(input) && has_endless_event(input).is_some(),
        fails: |input| has_endless_event(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let events = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"all_day\":{}", one(dice, &["true", "false"]))];
                pairs.push(format!("\"start\":\"{}\"", one(dice, &["2026-05-02", "10:00", "end"])));
                if dice.below(3) > 0 {
                    pairs.push(format!("\"end\":\"{}\"", one(dice, &["2026-05-03", "", "12:00"])));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"title\":\"{}\"", one(dice, &["the end", "end", "x"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"ends\":{}", one(dice, &["false", "\"12:00\"", "null"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"events\":[{events}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"all_day\":{}", one(dice, &["true", "false"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: json: a move in a patch whose path begins with its origin",
        grammar: "@json",
        input: r#"{"of":"ships.json","patch":[{"op":"add","path":"/ships/7","value":"/ships"},{"op":"copy","from":"/ships/3","path":"/ships/3/old"},{"op":"move","path":"/crew/0","from":"/crew/4"},{"from":"/ports","op":"move","path":"/ports/old/2"},{"op":"remove","path":"/ships/3"}],"by":"/ports"}"#,
        valid: |input| is_json(input) && patch(input).is_some(),
        fails: |input| {
            let all = patch(input).unwrap_or_default();
            all.iter().any(|(op, from, path)| op == "move" && path.starts_with(&from[..]))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let mut pairs = vec![format!("\"patch\":[{}]", joined(dice, count, ",", patch_step))];
            if dice.below(2) == 0 {
                pairs.push(format!("\"by\":\"{}\"", word(dice, 4)));
                pairs.push("\"path\":\"/ships/3\"".to_owned());
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
