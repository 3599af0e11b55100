//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::readers::{is_json, items};
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// The delay of each tram that has one; nothing if one of these is no whole number.
fn delays(input: &str) -> Option<Vec<u64>> {
    let all = read(input);
    let values = items(&all["trams"]).iter().filter_map(|one| one.get("delay"));
    values.map(Value::as_u64).collect()
}

/// The first and the last night of each booking; nothing if a booking has not both.
fn nights(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let bookings = all["bookings"].as_array()?.iter();
    bookings.map(|one| Some((one["from"].as_u64()?, one["to"].as_u64()?))).collect()
}

/// How deep lists of replies are in each other; nothing if the replies of something are no list.
fn depth_of_replies(value: &Value) -> Option<usize> {
    let mut most = 0;
    for item in items(value) {
        most = most.max(depth_of_replies(item)?);
    }
    for (key, inner) in value.as_object().into_iter().flatten() {
        let is_list = key == "replies";
        (!is_list || inner.is_array()).then_some(())?;
        most = most.max(usize::from(is_list) + depth_of_replies(inner)?);
    }
    Some(most)
}

/// Whether each passenger has a passport; nothing if one is no object.
fn passports(input: &str) -> Option<Vec<bool>> {
    let all = read(input);
    let passengers = all["passengers"].as_array()?.iter();
    passengers.map(|one| one.as_object().map(|pairs| pairs.contains_key("passport"))).collect()
}

/// The allergens of each dish that says them; nothing if one of these is no text.
fn allergens(input: &str) -> Option<Vec<Vec<String>>> {
    let all = read(input);
    let lists = items(&all["dishes"]).iter().filter_map(|one| one.get("allergens"));
    let texts = lists.map(|list| {
        let texts = list.as_array()?.iter().map(|one| one.as_str().map(str::to_owned));
        texts.collect()
    });
    texts.collect()
}

/// For how many books each shelf has room, and how many it has; nothing if a shelf does not say both.
fn shelves(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let shelves = all["shelves"].as_array()?.iter();
    let room = |one: &Value| Some((one["room"].as_u64()?, one["books"].as_array()?.len() as u64));
    shelves.map(room).collect()
}

/// The kind of each pet; nothing if one of these is no text.
fn pets(input: &str) -> Option<Vec<String>> {
    let all = read(input);
    let pets = all["pets"].as_array()?.iter();
    pets.map(|pet| pet["kind"].as_str().map(str::to_owned)).collect()
}

/// Whether the length of each song that has one is null; nothing if one of these is neither that nor a whole number.
fn songs(input: &str) -> Option<Vec<bool>> {
    let all = read(input);
    let lengths = items(&all["songs"]).iter().filter_map(|one| one.get("seconds"));
    lengths.map(|one| (one.is_null() || one.is_u64()).then_some(one.is_null())).collect()
}

/// A thread of replies in replies.
fn thread(dice: &mut Random) -> String {
    let beside = ["{\"by\":\"lu\"}", "{\"replies\":[]}", "{\"by\":\"replies\",\"likes\":[[[4]]]}"];
    let mut list = one(dice, &["[]", "[]", "[{\"by\":\"ana\"}]"]).to_owned();
    for _ in 0..2 + dice.below(4) {
        let mut pairs =
            vec![format!("\"by\":\"{}\"", word(dice, 4)), format!("\"replies\":{list}")];
        if dice.below(9) == 0 {
            pairs[1] = format!("\"quotes\":{list}");
        }
        let mut all = vec![format!("{{{}}}", shuffled(dice, pairs).join(","))];
        if dice.below(3) == 0 {
            all.push(one(dice, &beside).to_owned());
        }
        list = format!("[{}]", shuffled(dice, all).join(","));
    }
    list
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "nineteenth: json: a tram with a delay from 10 to 20 minutes",
        grammar: "@json",
        input: r#"{"stop":"old mill","trams":[{"line":15,"delay":2,"to":"harbor"},{"to":"zoo","delay":13,"line":7},{"line":12,"to":"depot"},{"delay":45,"line":3,"to":"park"}],"minutes":18}"#,
        valid: |input| is_json(input) && delays(input).is_some(),
        fails: |input| {
            delays(input).is_some_and(|all| all.iter().any(|one| (10..=20).contains(one)))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let trams = joined(dice, count, ",", |dice| {
                let inside = ["10", "11", "13", "15", "19", "20"];
                let outside = ["0", "1", "8", "9", "21", "22", "45", "100", "150"];
                let delay =
                    if dice.below(3) == 0 { one(dice, &inside) } else { one(dice, &outside) };
                let mut pairs = vec![
                    format!("\"line\":{}", 1 + dice.below(25)),
                    format!("\"to\":\"{}\"", one(dice, &["zoo", "harbor", "delay"])),
                ];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"delay\":{delay}"));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"stop\":\"{}\"", word(dice, 5)),
                format!("\"trams\":[{trams}]"),
                format!("\"minutes\":{}", dice.below(40)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: json: a booking that ends before it begins",
        grammar: "@json",
        input: r#"{"hotel":"seaside","bookings":[{"room":12,"from":3,"to":9},{"to":14,"from":17,"room":5,"guest":"okafor"},{"room":8,"from":21,"to":21}],"open":{"from":30,"to":4}}"#,
        valid: |input| is_json(input) && nights(input).is_some(),
        fails: |input| nights(input).is_some_and(|all| all.iter().any(|(from, to)| to < from)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let bookings = joined(dice, count, ",", |dice| {
                let from = 1 + dice.below(28);
                let ends = [from, from, from + 1, from + 7, from - 1, from / 2, 1 + dice.below(28)];
                let to = ends[dice.below(7)];
                let mut pairs = vec![format!("\"from\":{from}"), format!("\"to\":{to}")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"room\":{}", dice.below(30)));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"guest\":\"{}\"", one(dice, &["okafor", "from", "to"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"bookings\":[{bookings}]")];
            if dice.below(2) == 0 {
                let (from, to) = (dice.below(30), dice.below(30));
                pairs.push(format!("\"open\":{{\"from\":{from},\"to\":{to}}}"));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: json: replies nested five deep or more",
        grammar: "@json",
        input: r#"{"topic":"tents","replies":[{"by":"ana","replies":[]},{"by":"lu","replies":[{"replies":[{"by":"mo","replies":[{"by":"ana","replies":[{"by":"lu"}]}]}],"by":"kit"}]}],"closed":false}"#,
        valid: |input| is_json(input) && depth_of_replies(&read(input)).is_some(),
        fails: |input| depth_of_replies(&read(input)).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let pairs = vec![
                format!("\"topic\":\"{}\"", one(dice, &["tents", "replies"])),
                format!("\"replies\":{}", thread(dice)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: json: a passenger without a passport",
        grammar: "@json",
        input: r#"{"flight":"qx204","passengers":[{"seat":"12c","passport":"L83021"},{"seat":"passport","meal":"vegan"},{"passport":"A7","bags":2,"seat":"1a"}],"crew":[{"seat":"j1"}],"passport":true}"#,
        valid: |input| is_json(input) && passports(input).is_some(),
        fails: |input| passports(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let passengers = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"seat\":\"{}\"", one(dice, &["12c", "passport"]))];
                if dice.below(3) > 0 {
                    let passport = one(dice, &["\"L83021\"", "\"\"", "null", "77"]);
                    pairs.push(format!("\"passport\":{passport}"));
                }
                if dice.below(3) == 0 {
                    let meal = one(dice, &["\"vegan\"", "{\"passport\":1}", "[2]"]);
                    pairs.push(format!("\"meal\":{meal}"));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let crew = one(dice, &["{\"seat\":\"j1\"}", "{\"passport\":\"C1\"}", ""]);
            let mut pairs =
                vec![format!("\"passengers\":[{passengers}]"), format!("\"crew\":[{crew}]")];
            if dice.below(3) == 0 {
                pairs.push("\"passport\":true".to_owned());
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: json: a dish with an allergen that is there twice",
        grammar: "@json",
        input: r#"{"menu":"lunch","dishes":[{"dish":"satay","allergens":["nuts","soy"]},{"allergens":["milk","egg","wheat","milk"],"dish":"crepe","tags":["sweet"]},{"dish":"rice"}],"soups":["soy","soy"]}"#,
        valid: |input| is_json(input) && allergens(input).is_some(),
        fails: |input| {
            let all = allergens(input).unwrap_or_default();
            all.iter().any(|list| (1..list.len()).any(|at| list[..at].contains(&list[at])))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let dishes = joined(dice, count, ",", |dice| {
                let names = ["nuts", "nut", "soy", "milk", "egg", "wheat"];
                let mut names = shuffled(dice, names.map(str::to_owned).to_vec());
                names.truncate(1 + dice.below(4));
                if dice.below(3) == 0 {
                    let again = names[dice.below(names.len())].clone();
                    names.insert(dice.below(names.len() + 1), again);
                }
                let mut pairs =
                    vec![format!("\"dish\":\"{}\"", one(dice, &["satay", "egg", "crepe"]))];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"allergens\":[\"{}\"]", names.join("\",\"")));
                }
                if dice.below(3) == 0 {
                    let tags = one(dice, &["\"hot\",\"hot\"", "\"sweet\"", "\"milk\""]);
                    pairs.push(format!("\"tags\":[{tags}]"));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let soups = one(dice, &["\"soy\",\"soy\"", "\"egg\"", ""]);
            let pairs = vec![format!("\"dishes\":[{dishes}]"), format!("\"soups\":[{soups}]")];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: json: a shelf with exactly as many books as it has room for",
        grammar: "@json",
        input: r#"{"branch":"north","shelves":[{"room":5,"books":["dune","emma"]},{"books":["ulysses","it","heidi"],"level":2,"room":3},{"room":0,"books":["momo"]}],"room":4}"#,
        valid: |input| is_json(input) && shelves(input).is_some(),
        fails: |input| {
            shelves(input).is_some_and(|all| all.iter().any(|(room, books)| room == books))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let shelves = joined(dice, count, ",", |dice| {
                let count = dice.below(5);
                let books = joined(dice, count, ",", |dice| {
                    one(dice, &["\"dune\"", "\"it\"", "\"emma, vol. 2\"", "1984"]).to_owned()
                });
                let rooms = [count, count + 1, count + 2, count.max(1) - 1, dice.below(7)];
                let room = rooms[dice.below(5)];
                let mut pairs = vec![format!("\"room\":{room}"), format!("\"books\":[{books}]")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"level\":{}", [count, room, 2][dice.below(3)]));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"branch\":\"{}\"", word(dice, 5)),
                format!("\"shelves\":[{shelves}]"),
                format!("\"room\":{}", dice.below(5)),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: json: a pet that is a snake or a spider",
        grammar: "@json",
        input: r#"{"clinic":"paws","pets":[{"name":"spider","kind":"cat","age":4},{"age":2,"kind":"snake","name":"monty"},{"kind":"dog","name":"rex"}],"kind":"snake","vet":"dr. cobb"}"#,
        valid: |input| is_json(input) && pets(input).is_some(),
        fails: |input| {
            let all = pets(input).unwrap_or_default();
            all.iter().any(|kind| kind == "snake" || kind == "spider")
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let pets = joined(dice, count, ",", |dice| {
                let kind = match dice.below(3) {
                    0 => one(dice, &["snake", "spider"]),
                    _ => one(dice, &["cat", "dog", "snail", "spiders", "Snake", "newt", ""]),
                };
                let mut pairs = vec![
                    format!("\"kind\":\"{kind}\""),
                    format!("\"name\":\"{}\"", one(dice, &["rex", "snake", "spider", "monty"])),
                ];
                if dice.below(3) == 0 {
                    pairs.push(format!("\"age\":{}", dice.below(15)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"pets\":[{pets}]")];
            if dice.below(2) == 0 {
                let kind = one(dice, &["snake", "spider", "large"]);
                pairs.push(format!("\"kind\":\"{kind}\""));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "nineteenth: json: a song whose length is null",
        grammar: "@json",
        input: r#"{"playlist":"roadtrip","songs":[{"title":"blue","seconds":214,"genre":null},{"seconds":null,"title":"null","genre":"folk"},{"title":"gold"}],"seconds":null,"public":true}"#,
        valid: |input| is_json(input) && songs(input).is_some(),
        fails: |input| songs(input).is_some_and(|all| all.contains(&true)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let songs = joined(dice, count, ",", |dice| {
                let seconds = match dice.below(3) {
                    0 => "null",
                    _ => one(dice, &["214", "0", "7", "3600"]),
                };
                let mut pairs =
                    vec![format!("\"title\":\"{}\"", one(dice, &["blue", "null", "seconds", ""]))];
                if dice.below(6) > 0 {
                    pairs.push(format!("\"seconds\":{seconds}"));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"genre\":{}", one(dice, &["null", "\"folk\"", "[null]"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![
                format!("\"songs\":[{songs}]"),
                format!("\"{}\":{}", one(dice, &["seconds", "cover"]), one(dice, &["null", "9"])),
            ];
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
