//! Causes in JSON.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::readers::{are_in_order, has_short_numbers, is_json, is_name, is_word};
use crate::two_sided::{TwoSided, joined, one, read_json as read, shuffled, word};

/// The years of the coins of a collection that have one; nothing if one is no year from 1 to 2100.
fn years(input: &str) -> Option<Vec<u64>> {
    let (all, mut found) = (read(input), Vec::new());
    for coin in all["coins"].as_array()? {
        if let Some(year) = coin.as_object()?.get("year") {
            found.push(year.as_u64().filter(|year| (1..=2100).contains(year))?);
        }
    }
    Some(found)
}

/// How wide each picture is that is cropped, and how wide its crop is; nothing if a picture or a crop lacks a width or a
/// height, or one of them is zero.
fn crops(input: &str) -> Option<Vec<(u64, u64)>> {
    let width = |frame: &Value| {
        let (width, height) = (frame["width"].as_u64()?, frame["height"].as_u64()?);
        (width > 0 && height > 0).then_some(width)
    };
    let (all, mut found) = (read(input), Vec::new());
    for picture in all["pictures"].as_array()? {
        let whole = width(picture)?;
        if let Some(crop) = picture.get("crop") {
            found.push((whole, width(crop)?));
        }
    }
    Some(found)
}

/// How deep the quotes and the lists of some blocks are in each other; nothing if a block is neither a text nor a quote
/// or a list of blocks.
fn block_depth(blocks: &Value) -> Option<usize> {
    let depths = blocks.as_array()?.iter().map(|block| {
        let pairs = block.as_object().filter(|pairs| pairs.len() == 1)?;
        match pairs.iter().next()? {
            (name, text) if name == "text" => text.is_string().then_some(0),
            (name, inner) if name == "quote" || name == "list" => Some(1 + block_depth(inner)?),
            _ => None,
        }
    });
    let depths: Vec<usize> = depths.collect::<Option<_>>()?;
    Some(depths.into_iter().max().unwrap_or(0))
}

/// The names of the files that are attached to a message; nothing if one has none, or one with a slash.
fn attachments(input: &str) -> Option<Vec<String>> {
    let all = read(input);
    let names = all["attachments"].as_array()?.iter().map(|file| {
        let name = file["name"].as_str()?;
        (!name.is_empty() && !name.contains('/')).then(|| name.to_owned())
    });
    names.collect()
}

/// How many answers have to be right in each quiz, and how many questions it has; nothing if one does not say it, or
/// a question is no text.
fn quizzes(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = read(input);
    let quizzes = all["quizzes"].as_array()?.iter().map(|quiz| {
        let questions = quiz["questions"].as_array()?;
        questions.iter().all(Value::is_string).then_some(())?;
        Some((quiz["pass"].as_u64()?, questions.len() as u64))
    });
    quizzes.collect()
}

/// What can be done in an editor.
const ACTIONS: [&str; 6] = ["type", "cut", "copy", "paste", "undo", "save"];

/// What was done in each session of an editor, in order; nothing if it is something that is not known.
fn sessions(input: &str) -> Option<Vec<Vec<&'static str>>> {
    let all = read(input);
    let sessions = all["sessions"].as_array()?.iter().map(|session| {
        let actions = session["actions"].as_array()?.iter();
        actions.map(|action| ACTIONS.into_iter().find(|known| action == known)).collect()
    });
    sessions.collect()
}

/// The currency of each payment; nothing if one has no whole amount, or its currency is not three capital letters.
fn currencies(input: &str) -> Option<Vec<String>> {
    let all = read(input);
    let currencies = all["payments"].as_array()?.iter().map(|payment| {
        let currency = payment["currency"].as_str()?;
        let is_code = currency.len() == 3 && currency.chars().all(|c| c.is_ascii_uppercase());
        payment["amount"].as_u64().filter(|_| is_code)?;
        Some(currency.to_owned())
    });
    currencies.collect()
}

/// How many stitches each row of each chart has; nothing if a chart has no name or no rows, or a row is not letters.
fn charts(input: &str) -> Option<Vec<Vec<usize>>> {
    let all = read(input);
    let charts = all["charts"].as_array()?.iter().map(|chart| {
        chart["name"].as_str().filter(|name| is_name(name))?;
        let rows = chart["rows"].as_array()?.iter();
        rows.map(|row| Some(row.as_str().filter(|row| is_word(row))?.len())).collect()
    });
    charts.collect()
}

/// A picture, which may have a crop that is wider than it.
fn picture(dice: &mut Random) -> String {
    let width = [640, 100, 99, 1024, 60 + dice.below(50)][dice.below(5)];
    let height = [480, 100, 1200, 64][dice.below(4)];
    let mut pairs = vec![format!("\"width\":{width}"), format!("\"height\":{height}")];
    if dice.below(4) > 0 {
        let near = [width, width - 1, width + 1, width + 1];
        let far = [width / 2, 50, 9, width + 300];
        let crop = [near, far][dice.below(2)][dice.below(4)];
        let high = [height, height + 20, height / 2][dice.below(3)];
        let mut crops = vec![format!("\"width\":{crop}"), format!("\"height\":{high}")];
        if dice.below(3) == 0 {
            crops.push(format!("\"x\":{}", one(dice, &["0", "4", "900"])));
        }
        pairs.push(format!("\"crop\":{{{}}}", shuffled(dice, crops).join(",")));
    }
    if dice.below(3) == 0 {
        pairs.push(format!("\"thumb\":{{\"width\":{}}}", one(dice, &["80", "2000"])));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// A block of a document that is not deep.
fn small_block(dice: &mut Random) -> String {
    let text = format!("{{\"text\":\"{}\"}}", one(dice, &["Tides", "quote", "", "list"]));
    match dice.below(6) {
        0 => format!("{{\"quote\":[{text}]}}"),
        1 => format!("{{\"list\":[{text},{text}]}}"),
        2 => format!("{{\"{}\":[]}}", one(dice, &["list", "quote"])),
        _ => text,
    }
}

/// What was done in a session, in which it may be cut, then undone, and then pasted.
fn session(dice: &mut Random) -> String {
    let orders = [
        ["cut", "undo", "paste"],
        ["cut", "undo", "paste"],
        ["cut", "paste", "undo"],
        ["undo", "cut", "paste"],
        ["paste", "undo", "cut"],
        ["copy", "undo", "paste"],
        ["cut", "type", "paste"],
    ];
    let mut all = orders[dice.below(7)].to_vec();
    for _ in 0..dice.below(4) {
        let action = one(dice, &["type", "copy", "save", "type", "cut", "paste", "undo"]);
        all.insert(dice.below(all.len() + 1), action);
    }
    all.truncate(4 + dice.below(4));
    let all: Vec<String> = all.iter().map(|action| format!("\"{action}\"")).collect();
    let mut pairs = vec![format!("\"actions\":[{}]", all.join(","))];
    if dice.below(2) == 0 {
        pairs.push(format!("\"file\":\"{}\"", one(dice, &["tides", "undo", "cut"])));
    }
    if dice.below(3) == 0 {
        pairs.push(format!("\"menu\":{}", one(dice, &["[\"cut\",\"undo\",\"paste\"]", "[]"])));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// A chart, which may have a row that is longer or shorter than the others.
fn chart(dice: &mut Random) -> String {
    let (usual, rows) = (2 + dice.below(4), dice.below(5));
    let mut lengths = vec![usual; rows];
    if rows > 0 && dice.below(2) == 0 {
        lengths[dice.below(rows)] = [usual + 1, usual - 1, usual + 3, 1][dice.below(4)];
    }
    let rows = lengths.into_iter().map(|length| {
        let row: String = (0..length).map(|_| one(dice, &["k", "k", "p", "o"])).collect();
        format!("\"{row}\"")
    });
    let mut pairs = vec![format!("\"rows\":[{}]", rows.collect::<Vec<String>>().join(","))];
    pairs.push(format!("\"name\":\"{}\"", one(dice, &["cable", "rib", "kp", "lace-2"])));
    if dice.below(3) == 0 {
        pairs.push(format!("\"keys\":{}", one(dice, &["[\"k\",\"yo\"]", "[\"k\"]", "4"])));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// The causes.
pub const JSON: &[TwoSided] = &[
    TwoSided {
        name: "twenty-fourth: json: a coin of a year below 1000",
        grammar: "@json",
        input: r#"{"museum":"Bergen","year":950,"coins":[{"mint":"Oslo","year":1624,"found":997},{"weight":12,"metal":"silver","year":1000},{"metal":"gold","found":1911,"year":987,"mint":"Kyiv"},{"mint":"of 812"}],"rooms":[812,4]}"#,
        valid: |input| is_json(input) && has_short_numbers(input) && years(input).is_some(),
        fails: |input| years(input).is_some_and(|all| all.iter().any(|year| *year < 1000)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let coins = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"mint\":\"{}\"", one(dice, &["Oslo", "987", "x"]))];
                let year = match dice.below(7) {
                    0 | 1 => one(dice, &["999", "987", "87", "998", "5", "500"]),
                    2 | 3 => one(dice, &["1000", "1001", "1002", "1099"]),
                    4 | 5 => one(dice, &["1624", "1999", "2001", "1911", "1500"]),
                    _ => "",
                };
                if !year.is_empty() {
                    pairs.push(format!("\"year\":{year}"));
                }
                if dice.below(2) == 0 {
                    pairs.push(format!("\"found\":{}", one(dice, &["997", "1911", "60"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"weight\":{}", one(dice, &["12", "4.25", "1200"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"coins\":[{coins}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"year\":{}", one(dice, &["950", "2026"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: json: a picture whose crop is wider than itself",
        grammar: "@json",
        input: r#"{"width":1200,"pictures":[{"width":640,"height":480,"crop":{"x":20,"width":600,"height":500}},{"height":900,"width":300,"thumb":{"width":700}},{"crop":{"height":80,"width":412},"name":"pier","height":100,"width":400},{"height":64,"width":64}]}"#,
        valid: |input| is_json(input) && has_short_numbers(input) && crops(input).is_some(),
        fails: |input| crops(input).is_some_and(|all| all.iter().any(|(whole, crop)| crop > whole)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let pictures = joined(dice, count, ",", picture);
            let mut pairs = vec![format!("\"pictures\":[{pictures}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"width\":{}", one(dice, &["1200", "40"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: json: quotes and lists in each other, four deep or more",
        grammar: "@json",
        input: r#"{"title":"list","tags":[[[["quote"]]]],"blocks":[{"text":"Tides"},{"list":[{"text":"low"},{"quote":[{"list":[]},{"list":[{"text":"at 12"},{"quote":[{"text":"and 4"}]}]}]}]},{"quote":[{"quote":[{"list":[]}]}]}]}"#,
        valid: |input| is_json(input) && block_depth(&read(input)["blocks"]).is_some(),
        fails: |input| block_depth(&read(input)["blocks"]).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let mut blocks = vec![small_block(dice)];
            for _ in 0..2 + dice.below(3) {
                let name = one(dice, &["quote", "list"]);
                let inner = shuffled(dice, blocks).join(",");
                blocks = vec![format!("{{\"{name}\":[{inner}]}}")];
                while dice.below(3) == 0 {
                    blocks.push(small_block(dice));
                }
            }
            let mut pairs = vec![format!("\"blocks\":[{}]", shuffled(dice, blocks).join(","))];
            if dice.below(2) == 0 {
                let tags = ["[[[[\"quote\"]]]]", "[]", "{\"list\":[]}"];
                pairs.push(format!("\"tags\":{}", one(dice, &tags)));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: json: an attachment whose file name is not ASCII",
        grammar: "@json",
        input: r#"{"subject":"Fähre","name":"Jörg","attachments":[{"name":"plan.pdf","alt":"Übersicht"},{"size":12,"name":"Gebühren 2026.ods"},{"name":"e-mail.txt","size":4}],"to":["zoë@example.org"]}"#,
        valid: |input| is_json(input) && attachments(input).is_some(),
        fails: |input| {
            attachments(input).is_some_and(|names| names.iter().any(|name| !name.is_ascii()))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let files = joined(dice, count, ",", |dice| {
                let name = match dice.below(3) {
                    0 => one(dice, &["é.txt", "Gebühren.ods", "日", "10 €.pdf", "naïve"]),
                    _ => one(dice, &["plan.pdf", "e.txt", "10 EUR.pdf", "x", "a~b (2).c"]),
                };
                let mut pairs = vec![format!("\"name\":\"{name}\"")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"alt\":\"{}\"", one(dice, &["Übersicht", "é", "plan"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"size\":{}", dice.below(200)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"attachments\":[{files}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"name\":\"{}\"", one(dice, &["Jörg", "Ada"])));
            }
            if dice.below(2) == 0 {
                pairs.push(format!("\"subject\":\"{}\"", one(dice, &["Fähre", "é.txt", "Re: x"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: json: a quiz whose pass mark is the number of its questions",
        grammar: "@json",
        input: r#"{"school":"pier","pass":2,"quizzes":[{"title":"knots","questions":["bowline?","hitch?"],"pass":1},{"pass":3,"minutes":4,"questions":["ebb?","flood?","when is 3?"]},{"questions":[],"pass":5,"hints":["a","b"]}]}"#,
        valid: |input| is_json(input) && has_short_numbers(input) && quizzes(input).is_some(),
        fails: |input| {
            quizzes(input).is_some_and(|all| all.iter().any(|(pass, count)| pass == count))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let quizzes = joined(dice, count, ",", |dice| {
                let count = dice.below(5);
                let questions = joined(dice, count, ",", |dice| format!("\"{}?\"", word(dice, 4)));
                let near = [count, count, count + 1, count.max(1) - 1];
                let pass = [near[dice.below(4)], count + 2, 1 + count / 2, 7][dice.below(4)];
                let mut pairs =
                    vec![format!("\"pass\":{pass}"), format!("\"questions\":[{questions}]")];
                if dice.below(2) == 0 {
                    pairs.push(format!("\"minutes\":{}", [count, 10][dice.below(2)]));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"hints\":{}", one(dice, &["[\"a\",\"b\"]", "[]"])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"quizzes\":[{quizzes}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"pass\":{}", 1 + dice.below(3)));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: json: a session of an editor with a cut, then an undo, and then a paste",
        grammar: "@json",
        input: r#"{"sessions":[{"file":"undo","actions":["paste","cut","save","paste","undo"]},{"actions":["type","cut","copy","undo","type","paste","save"],"user":4},{"actions":["undo","paste"]}],"menu":["cut","copy","paste"]}"#,
        valid: |input| is_json(input) && sessions(input).is_some(),
        fails: |input| {
            let all = sessions(input).unwrap_or_default();
            all.iter().any(|actions| are_in_order(actions, &["cut", "undo", "paste"]))
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let mut pairs = vec![format!("\"sessions\":[{}]", joined(dice, count, ",", session))];
            if dice.below(3) == 0 {
                let menu = ["[\"cut\",\"undo\",\"paste\"]", "[\"paste\",\"cut\"]", "\"undo\""];
                pairs.push(format!("\"menu\":{}", one(dice, &menu)));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: json: a payment in yen, won or dong (JPY, KRW or VND)",
        grammar: "@json",
        input: r#"{"shop":"JPY","currency":"KRW","payments":[{"amount":1200,"currency":"EUR"},{"currency":"NOK","amount":40,"note":"VND"},{"note":"rope","currency":"KRW","amount":52000},{"amount":7,"currency":"JOD","change":"JPY"}]}"#,
        valid: |input| is_json(input) && has_short_numbers(input) && currencies(input).is_some(),
        fails: |input| {
            let all = currencies(input).unwrap_or_default();
            all.iter().any(|one| ["JPY", "KRW", "VND"].contains(&&one[..]))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let payments = joined(dice, count, ",", |dice| {
                let currency = match dice.below(3) {
                    0 => one(dice, &["JPY", "KRW", "VND"]),
                    _ => one(dice, &["EUR", "NOK", "USD", "JOD", "KWD", "VNX", "JPN"]),
                };
                let mut pairs = vec![format!("\"currency\":\"{currency}\"")];
                pairs.push(format!("\"amount\":{}", one(dice, &["1200", "40", "0", "52000"])));
                if dice.below(3) == 0 {
                    pairs.push(format!("\"change\":\"{}\"", one(dice, &["JPY", "VND", "EUR"])));
                }
                if dice.below(3) == 0 {
                    pairs.push(format!("\"note\":\"{}\"", one(dice, &["rope", "KRW", ""])));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let mut pairs = vec![format!("\"payments\":[{payments}]")];
            if dice.below(2) == 0 {
                pairs.push(format!("\"currency\":\"{}\"", one(dice, &["KRW", "EUR", "VND"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: json: a knitting chart whose rows are not all equally long",
        grammar: "@json",
        input: r#"{"title":"Scarf","charts":[{"name":"rib","rows":["kkpp","kkpp","ppkk"]},{"rows":["kpokp","kkkkk","kpkp","ppppp"],"name":"lace"},{"name":"edge","keys":["k","yo"],"rows":["kk","po"]}],"needles":["4","4.5"]}"#,
        valid: |input| is_json(input) && charts(input).is_some(),
        fails: |input| {
            let all = charts(input).unwrap_or_default();
            all.iter().any(|rows| rows.iter().any(|length| *length != rows[0]))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let mut pairs = vec![format!("\"charts\":[{}]", joined(dice, count, ",", chart))];
            if dice.below(2) == 0 {
                pairs.push(format!("\"needles\":{}", one(dice, &["[\"4\",\"4.5\"]", "[]"])));
            }
            format!("{{{}}}", shuffled(dice, pairs).join(","))
        },
        patterns: &[],
    },
];
