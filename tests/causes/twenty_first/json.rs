//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::readers::{has_short_numbers, is_json, numbers};
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// How warm each freezer is; nothing if one does not say it as a whole number.
fn freezers(input: &str) -> Option<Vec<i64>> {
    let all = read(input);
    let freezers = all["freezers"].as_array()?.iter();
    freezers.map(|one| one["celsius"].as_i64()).collect()
}

/// The width and the height of each photo; nothing if a photo does not say both.
fn photos(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let photos = all["photos"].as_array()?.iter();
    photos.map(|one| Some((one["width"].as_u64()?, one["height"].as_u64()?))).collect()
}

/// How deep groups of conditions are in each other; nothing if one is neither a group nor negated nor about a field.
fn depth(condition: &Value) -> Option<usize> {
    let pairs = condition.as_object()?;
    if pairs.get("field").is_some_and(Value::is_string) {
        let is_flat = pairs.values().all(|value| !value.is_object() && !value.is_array());
        return is_flat.then_some(0);
    }
    let (name, inner) = pairs.iter().next().filter(|_| pairs.len() == 1)?;
    match &name[..] {
        "not" => depth(inner),
        "all" | "any" => {
            let depths = inner.as_array()?.iter().map(depth).collect::<Option<Vec<usize>>>()?;
            Some(1 + depths.into_iter().max().unwrap_or(0))
        }
        _ => None,
    }
}

/// Whether each contact has a mail or a phone; nothing if one is no object, or has one that is no text.
fn contacts(input: &str) -> Option<Vec<bool>> {
    let all = read(input);
    let contacts = all["contacts"].as_array()?.iter().map(|one| {
        let pairs = one.as_object()?;
        let ways: Vec<&Value> =
            ["mail", "phone"].iter().filter_map(|key| pairs.get(*key)).collect();
        ways.iter().all(|way| way.is_string()).then_some(!ways.is_empty())
    });
    contacts.collect()
}

/// How many lines each order says that it has, and how many it has; nothing if an order does not have both.
fn orders(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let orders = all["orders"].as_array()?.iter();
    orders
        .map(|one| Some((one["count"].as_u64()?, one["lines"].as_array()?.len() as u64)))
        .collect()
}

/// Whether a machine starts in a state that it does not have; nothing if one has no text as start, or no list of texts
/// as states.
fn lacks_start(input: &str) -> Option<bool> {
    let (all, mut found) = (read(input), false);
    for machine in all["machines"].as_array()? {
        let start = machine["start"].as_str()?;
        let states = machine["states"].as_array()?.iter().map(Value::as_str);
        let states = states.collect::<Option<Vec<&str>>>()?;
        found |= !states.contains(&start);
    }
    Some(found)
}

/// From where and to where each transfer goes; nothing if one does not say both.
fn transfers(input: &str) -> Option<Vec<(String, String)>> {
    let all = read(input);
    let transfers = all["transfers"].as_array()?.iter();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    transfers.map(|one| Some((text(&one["from"])?, text(&one["to"])?))).collect()
}

/// A machine with states, which may start in another.
fn machine(dice: &mut Random) -> String {
    let names = ["idle", "run", "stop", "wait", "id"].map(str::to_owned).to_vec();
    let mut states = shuffled(dice, names);
    states.truncate(1 + dice.below(3));
    let start = match dice.below(7) {
        0 => one(dice, &["Idle", "ru", "waits", ""]).to_owned(),
        1 => one(dice, &["idle", "run", "stop", "wait"]).to_owned(),
        _ => states[dice.below(states.len())].clone(),
    };
    let states: Vec<String> = states.iter().map(|state| format!("\"{state}\"")).collect();
    let states = format!("\"states\":[{}]", states.join(","));
    let mut pairs = vec![format!("\"start\":\"{start}\""), states];
    if dice.below(2) == 0 {
        pairs.push(format!("\"id\":\"{}\"", one(dice, &["door", "idle", "wait"])));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twenty-first: json: a freezer whose temperature is from -17 to -10",
        grammar: "@json",
        input: r#"{"lab":"north","freezers":[{"id":"f-12","celsius":-25},{"celsius":-14,"id":"f-3","alarm":-16},{"id":"","celsius":-9},{"celsius":13,"id":"-15"}],"celsius":-12}"#,
        valid: |input| is_json(input) && freezers(input).is_some(),
        fails: |input| {
            freezers(input).is_some_and(|all| all.iter().any(|one| (-17..=-10).contains(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let freezers = joined(dice, count, ",", |dice| {
                let celsius = match dice.below(4) {
                    0 => one(dice, &["-17", "-16", "-14", "-12", "-11", "-10"]),
                    1 => one(dice, &["-18", "-19", "-9", "-8"]),
                    _ => one(dice, &["-40", "-25", "-1", "0", "10", "13", "17", "-100", "-170"]),
                };
                let mut pairs = vec![format!("\"celsius\":{celsius}")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"id\":\"{}\"", one(dice, &["f-12", "-15", "celsius"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"alarm\":-{}", 5 + dice.below(20)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"freezers\":[{freezers}]")];
            if dice.below(2) == 0 {
                let key = one(dice, &["celsius", "limit"]);
                pairs.push(format!("\"{key}\":-{}", 5 + dice.below(20)));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: json: a photo that is higher than wide",
        grammar: "@json",
        input: r#"{"album":"lofoten","photos":[{"file":"a1","width":640,"height":480},{"height":900,"file":"b 2","width":675,"depth":8},{"width":512,"height":512}],"width":20,"height":30}"#,
        valid: |input| is_json(input) && photos(input).is_some(),
        fails: |input| {
            photos(input).is_some_and(|all| all.iter().any(|(width, height)| height > width))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let photos = joined(dice, count, ",", |dice| {
                let width = [1 + dice.below(20), 95 + dice.below(10), 640][dice.below(3)];
                let height =
                    [width, width, width + 1, width - 1, width / 2, 90 + dice.below(20), 9];
                let height = height[dice.below(7)];
                let mut pairs = vec![format!("\"width\":{width}"), format!("\"height\":{height}")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"file\":\"{}\"", one(dice, &["a1", "width", "b 900"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"depth\":{}", one(dice, &["8", "16", "1000"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"photos\":[{photos}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"width\":{}", dice.below(40)));
                pairs.push(format!("\"height\":{}", dice.below(40)));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: json: groups of all and any nested four deep or more",
        grammar: "@json",
        input: r#"{"list":"guests","where":{"all":[{"field":"age","above":40},{"not":{"any":[{"field":"all","is":"any"},{"all":[{"any":[]},{"not":{"not":{"any":[{"field":"city","is":"bern"}]}}}]}]}},{"any":[{"field":"paid"}]}]}}"#,
        valid: |input| is_json(input) && depth(&read(input)["where"]).is_some(),
        fails: |input| depth(&read(input)["where"]).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let age = r#"{"field":"age","above":40}"#;
            let is = r#"{"field":"all","is":"any"}"#;
            let all = r#"{"all":[]}"#;
            let mut text = one(dice, &[age, is, all, r#"{"not":{"field":"any"}}"#]).to_owned();
            for _ in 0..2 + dice.below(3) {
                let mut parts = vec![text];
                if dice.below(2) == 0 {
                    let any = r#"{"any":[{"field":"paid"}]}"#;
                    parts.push(one(dice, &[age, is, r#"{"not":{"field":"x"}}"#, any]).to_owned());
                }
                let name = one(dice, &["all", "any"]);
                text = format!("{{\"{name}\":[{}]}}", shuffled(dice, parts).join(","));
                if dice.below(4) == 0 {
                    text = format!("{{\"not\":{text}}}");
                }
            }
            let pairs = vec![
                format!("\"where\":{text}"),
                format!("\"list\":\"{}\"", one(dice, &["guests", "all", "any"])),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: json: a contact with neither a mail nor a phone",
        grammar: "@json",
        input: r#"{"book":"club","contacts":[{"name":"Ada","phone":"555 12","mail":"ada@example.org"},{"name":"phone","mail":""},{"fax":"555 17","name":"mail","mails":"none"},{"phone":"17"}],"phone":"555 10"}"#,
        valid: |input| is_json(input) && contacts(input).is_some(),
        fails: |input| contacts(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let contacts = joined(dice, count, ",", |dice| {
                let mut pairs = Vec::new();
                if dice.below(2) == 0 {
                    pairs.push(format!("\"mail\":\"{}\"", one(dice, &["", "ada@x.org", "phone"])));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"phone\":\"{}\"", one(dice, &["555 12", "17", "mail"])));
                }
                if dice.below(3) > 0 {
                    pairs.push(format!("\"name\":\"{}\"", one(dice, &["Ada", "mail", "phone"])));
                }
                if dice.below(3) == 0 {
                    let key = one(dice, &["fax", "mails", "phone2"]);
                    pairs.push(format!("\"{key}\":\"{}\"", one(dice, &["555 17", "none"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"contacts\":[{contacts}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"{}\":\"555 10\"", one(dice, &["phone", "mail", "book"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: json: an order whose count is not the number of its lines",
        grammar: "@json",
        input: r#"{"shop":"oak","count":5,"orders":[{"lines":["nail",4],"count":2},{"count":4,"to":"rue 3","lines":["saw","glue, 2","tape"]},{"lines":[],"count":0,"gift":true}],"lines":[1]}"#,
        valid: |input| is_json(input) && orders(input).is_some(),
        fails: |input| {
            orders(input).is_some_and(|all| all.iter().any(|(count, lines)| count != lines))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let orders = joined(dice, count, ",", |dice| {
                let length = dice.below(5);
                let lines = joined(dice, length, ",", |dice| {
                    one(dice, &["\"saw\"", "\"glue, 2\"", "4", "[1,2]", "\"\"", "null"]).to_owned()
                });
                let count = match dice.below(4) {
                    0 => [length + 1, length.max(1) - 1, length + 4, dice.below(5)][dice.below(4)],
                    _ => length,
                };
                let mut pairs = vec![format!("\"lines\":[{lines}]"), format!("\"count\":{count}")];
                if dice.below(3) == 0 {
                    pairs.push(format!("\"to\":\"{}\"", one(dice, &["rue 3", "count", ""])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"gift\":{}", one(dice, &["true", "[1,2]", "3"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"orders\":[{orders}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"count\":{}", dice.below(5)));
                pairs.push(format!("\"lines\":[{}]", one(dice, &["", "1", "1,2"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: json: a machine whose start is none of its states",
        grammar: "@json",
        input: r#"{"plant":"mill","machines":[{"start":"idle","states":["run","idle"]},{"id":"door","states":["open","shut"],"start":"idle"},{"states":["wait"],"start":"wait","id":"idle"}],"start":"now"}"#,
        valid: |input| is_json(input) && lacks_start(input).is_some(),
        fails: |input| lacks_start(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let machines = joined(dice, count, ",", machine);
            let mut pairs = vec![format!("\"machines\":[{machines}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"start\":\"{}\"", one(dice, &["now", "idle", "run"])));
            }
            if dice.below(3) == 0 {
                pairs.push(format!("\"states\":[{}]", one(dice, &["", "\"idle\"", "\"run\",1"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: json: a transfer from an account to the same account",
        grammar: "@json",
        input: r#"{"bank":"b-1","transfers":[{"from":"k-20","to":"k-31","sum":12},{"to":"b-1","sum":40,"from":"b-1"},{"from":"k-31","via":"k-20","to":"k-20"}],"from":"may","to":"may"}"#,
        valid: |input| is_json(input) && transfers(input).is_some(),
        fails: |input| transfers(input).is_some_and(|all| all.iter().any(|(from, to)| from == to)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let transfers = joined(dice, count, ",", |dice| {
                let from = match dice.below(3) {
                    0 => word(dice, 3),
                    _ => one(dice, &["k-20", "k-31", "b-1", "", "from"]).to_owned(),
                };
                let to = match dice.below(5) {
                    0 => from.clone(),
                    1 => format!("{from}{}", one(dice, &["0", " ", "k"])),
                    _ => one(dice, &["k-20", "k-31", "b-1", "K-20", "b-10", "to"]).to_owned(),
                };
                let mut pairs = vec![format!("\"from\":\"{from}\""), format!("\"to\":\"{to}\"")];
                if dice.below(3) == 0 {
                    let via = if dice.below(2) == 0 { &from } else { &to };
                    pairs.push(format!("\"via\":\"{via}\""));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"sum\":{}", dice.below(50)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"transfers\":[{transfers}]")];
            if dice.below(2) == 0 {
                pairs.push("\"from\":\"may\"".to_owned());
                pairs.push(format!("\"to\":\"{}\"", one(dice, &["may", "june"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: json: a negative number with exactly two decimals",
        grammar: "@json",
        input: r#"{"ledger":"7-44","entries":[{"sum":-12.5,"note":"-3.25"},{"sum":40.25},{"note":"fee","sum":-0.75,"tax":[0.125,-0.125]},{"sum":-8}],"balance":19.65}"#,
        valid: |input| is_json(input) && has_short_numbers(input),
        fails: |input| {
            let decimals =
                |number: &str| number.split_once('.').map_or(0, |(_, after)| after.len());
            numbers(input).iter().any(|number| number.starts_with('-') && decimals(number) == 2)
        },
        draw: |dice| {
            let number = |dice: &mut Random| match dice.below(12) {
                0 => one(dice, &["-0.75", "-12.50", "-3.25", "-100.01", "-7.00"]),
                1..=3 => one(dice, &["-12.5", "-0.5", "-7.0", "-0.125", "-3.250", "-1.0005"]),
                4..=6 => one(dice, &["40.25", "0.75", "0.00", "12.50", "3.2"]),
                7..=8 => one(dice, &["-8", "-75", "-100"]),
                _ => one(dice, &["19", "0", "0.125", "250"]),
            };
            let mut entries = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let mut pairs = vec![format!("\"sum\":{}", number(dice))];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"note\":\"{}\"", one(dice, &["fee", "-3.25", "-1.5"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"tax\":[{},{}]", number(dice), number(dice)));
                }
                entries.push(format!("{{{}}}", shuffled(dice, pairs).join(",")));
            }
            let entries = format!("\"entries\":[{}]", entries.join(","));
            let pairs = vec![entries, format!("\"balance\":{}", number(dice))];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
