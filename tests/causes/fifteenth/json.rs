//! Causes in JSON.

use serde_json::Value;

use crate::readers::items;
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// Whether a text is JSON without escapes. The programs take no other.
fn is_json(input: &str) -> bool {
    !input.contains('\\') && serde_json::from_str::<Value>(input).is_ok()
}

/// Whether each number of a text is short and has no exponent, and none is a negative zero.
fn has_usual_numbers(input: &str) -> bool {
    let outside = input.split('"').step_by(2);
    let mut words =
        outside.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !"+-.".contains(c)));
    words.all(|word| {
        let is_number = word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let is_zero = word.starts_with('-') && word.parse() == Ok(0.0);
        !is_number || (word.len() < 16 && !word.contains(['e', 'E']) && !is_zero)
    })
}

/// The ids of the tickets, and those of their parents; nothing if one of these is no whole number.
fn tickets(input: &str) -> Option<[Vec<u64>; 2]> {
    let all = read(input);
    let of = |key: &str| -> Option<Vec<u64>> {
        let values = items(&all["tickets"]).iter().filter_map(|one| one.get(key));
        values.map(Value::as_u64).collect()
    };
    Some([of("id")?, of("parent")?])
}

/// The seats of the passengers; nothing if one of these is no text.
fn seats(input: &str) -> Option<Vec<String>> {
    let all = read(input);
    let values = items(&all["passengers"]).iter().filter_map(|one| one.get("seat"));
    values.map(|seat| seat.as_str().map(str::to_owned)).collect()
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "fifteenth: json: a dose from 400 to 800 milligrams",
        grammar: "@json",
        input: r#"{"patient":"ann","drugs":[{"name":"x","mg":20},{"days":3,"mg":600,"name":"y"}]}"#,
        valid: is_json,
        fails: |input| {
            let all = read(input);
            items(&all["drugs"])
                .iter()
                .any(|drug| drug["mg"].as_f64().is_some_and(|mg| (400.0..=800.0).contains(&mg)))
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let drugs = joined(dice, count, ",", |dice| {
                let near = [20, 150, 398, 399, 400, 401, 600, 799, 800, 801, 802, 1200];
                let pairs = vec![
                    format!("\"name\":\"{}\"", word(dice, 3)),
                    format!("\"mg\":{}", near[dice.below(near.len())]),
                    format!("\"days\":{}", [3, 10, 500][dice.below(3)]),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"patient\":\"{}\",\"drugs\":[{drugs}]}}", word(dice, 3))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: json: a flight that lands before it departs",
        grammar: "@json",
        input: r#"{"legs":[{"departs":6,"lands":8},{"gate":4,"lands":11,"departs":15}]}"#,
        valid: is_json,
        fails: |input| {
            let all = read(input);
            items(&all["legs"]).iter().any(|leg| {
                let [departs, lands] = ["departs", "lands"].map(|key| leg[key].as_f64());
                departs.zip(lands).is_some_and(|(departs, lands)| lands < departs)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let legs = joined(dice, count, ",", |dice| {
                let departs = 1 + dice.below(20);
                let lands = [departs, departs + 1, departs + 3, departs - 1][dice.below(4)];
                let lands = if dice.below(5) == 0 { dice.below(24) } else { lands };
                let pairs = vec![
                    format!("\"departs\":{departs}"),
                    format!("\"lands\":{lands}"),
                    format!("\"gate\":{}", dice.below(24)),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"legs\":[{legs}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: json: a fragile parcel without an insurance",
        grammar: "@json",
        input: r#"{"parcels":[{"fragile":true,"insurance":90},{"kg":2,"fragile":true}],"to":"rome"}"#,
        valid: is_json,
        fails: |input| {
            let all = read(input);
            items(&all["parcels"]).iter().any(|parcel| {
                parcel["fragile"] == Value::Bool(true) && parcel.get("insurance").is_none()
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let parcels = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"kg\":{}", dice.below(9))];
                if dice.below(4) > 0 {
                    pairs.push(format!("\"fragile\":{}", one(dice, &["true", "true", "false"])));
                }
                if dice.below(5) > 1 {
                    pairs.push(format!("\"insurance\":{}", dice.below(90)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"parcels\":[{parcels}],\"to\":\"{}\"}}", word(dice, 4))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: json: two passengers in one seat",
        grammar: "@json",
        input: r#"{"bus":7,"passengers":[{"name":"ann","seat":"4a"},{"name":"bo","seat":"2c"},{"seat":"4a","name":"cy"}]}"#,
        valid: |input| is_json(input) && seats(input).is_some(),
        fails: |input| {
            let all = seats(input).unwrap_or_default();
            all.iter().enumerate().any(|(at, seat)| all[at + 1..].contains(seat))
        },
        draw: |dice| {
            let count = 2 + dice.below(3);
            let passengers = joined(dice, count, ",", |dice| {
                let pairs = vec![
                    format!("\"name\":\"{}\"", one(dice, &["ann", "bo", "cy", "1a"])),
                    format!("\"seat\":\"{}\"", one(dice, &["1a", "1b", "2a", "2b", "3a", "10c"])),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"bus\":{},\"passengers\":[{passengers}]}}", dice.below(9))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: json: a team of more than five players",
        grammar: "@json",
        input: r#"{"teams":[{"name":"red","players":["a","b"]},{"players":["c","d","e","f","g","h"],"name":"blue"}]}"#,
        valid: is_json,
        fails: |input| {
            let all = read(input);
            items(&all["teams"]).iter().any(|team| items(&team["players"]).len() > 5)
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let teams = joined(dice, count, ",", |dice| {
                let count = [2, 4, 5, 5, 6, 7][dice.below(6)];
                let players = joined(dice, count, ",", |dice| format!("\"{}\"", word(dice, 2)));
                let pairs = vec![
                    format!("\"name\":\"{}\"", word(dice, 7)),
                    format!("\"players\":[{players}]"),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"teams\":[{teams}]}}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: json: a ticket whose parent is not among the tickets",
        grammar: "@json",
        input: r#"{"tickets":[{"id":1},{"id":2,"parent":1},{"parent":5,"id":3}]}"#,
        valid: |input| is_json(input) && tickets(input).is_some(),
        fails: |input| {
            let Some([ids, parents]) = tickets(input) else { return false };
            parents.iter().any(|parent| !ids.contains(parent))
        },
        draw: |dice| {
            let mut ids = shuffled(dice, (1..6).map(|id: u32| id.to_string()).collect());
            ids.truncate(2 + dice.below(3));
            let all: Vec<String> = (0..ids.len())
                .map(|at| {
                    let mut pairs = vec![format!("\"id\":{}", ids[at])];
                    let other = ids[dice.below(ids.len())].clone();
                    match dice.below(5) {
                        0 => pairs.push(format!("\"parent\":{}", 1 + dice.below(6))),
                        1..4 => pairs.push(format!("\"parent\":{other}")),
                        _ => pairs.push(format!("\"points\":{}", 1 + dice.below(6))),
                    }
                    format!("{{{}}}", shuffled(dice, pairs).join(","))
                })
                .collect();
            format!("{{\"tickets\":[{}]}}", all.join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: json: a city with a character that is not ASCII",
        grammar: "@json",
        input: r#"{"name":"zoë","address":{"zip":"80331","city":"münchen"}}"#,
        valid: is_json,
        fails: |input| read(input)["address"]["city"].as_str().is_some_and(|city| !city.is_ascii()),
        draw: |dice| {
            let city = one(dice, &["münchen", "kraków", "東京", "rome", "oslo", "é", ""]);
            let pairs = vec![
                format!("\"city\":\"{city}\""),
                format!("\"zip\":\"{}\"", one(dice, &["80331", "1é", "n7"])),
            ];
            let address = format!("\"address\":{{{}}}", shuffled(dice, pairs).join(","));
            let name = format!("\"name\":\"{}\"", one(dice, &["zoë", "bob", "łukasz", "al"]));
            format!("{{{}}}", shuffled(dice, vec![name, address]).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: json: a negative balance with a rate that has decimals",
        grammar: "@json",
        input: r#"{"accounts":[{"balance":12,"rate":1.5},{"id":3,"rate":0.25,"balance":-40}]}"#,
        valid: |input| is_json(input) && has_usual_numbers(input),
        fails: |input| {
            let all = read(input);
            items(&all["accounts"]).iter().any(|account| {
                account["balance"].as_f64().is_some_and(|balance| balance < 0.0)
                    && account["rate"].is_f64()
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let accounts = joined(dice, count, ",", |dice| {
                let numbers = ["-40", "-1", "-2.5", "-7", "0", "3", "12.75"];
                let rates = ["0.25", "1.5", "3.125", "2", "0", "-4"];
                let pairs = vec![
                    format!("\"balance\":{}", one(dice, &numbers)),
                    format!("\"rate\":{}", one(dice, &rates)),
                    format!("\"id\":{}", dice.below(9)),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            format!("{{\"accounts\":[{accounts}]}}")
        },
        patterns: &[],
    },
];
