//! Causes in CSV, INI and SQL.

use super::{is_identifier, lexemes};
use crate::draws::{above, are_uneven, chance, extras, lengths, statements, steps};
use crate::readers::are_in_order;
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The first cell of a CSV text and what comes after it; nothing if its quotes are odd.
fn cell(input: &str) -> Option<(String, &str)> {
    let Some(mut rest) = input.strip_prefix('"') else {
        let size = input.find([',', '\n', '\r']).unwrap_or(input.len());
        let (cell, after) = input.split_at(size);
        return (!cell.contains('"')).then(|| (cell.to_owned(), after));
    };
    let mut cell = String::new();
    loop {
        let (inner, after) = rest.split_once('"')?;
        cell += inner;
        let Some(next) = after.strip_prefix('"') else { return Some((cell, after)) };
        cell.push('"');
        rest = next;
    }
}

/// The rows of a CSV text without its blank lines; nothing if its quotes are odd.
fn rows(input: &str) -> Option<Vec<Vec<String>>> {
    let (mut all, mut row, mut rest) = (Vec::new(), Vec::new(), input);
    while !rest.is_empty() || !row.is_empty() {
        let (cell, after) = cell(rest)?;
        row.push(cell);
        if let Some(next) = after.strip_prefix(',') {
            rest = next;
            continue;
        }
        rest = match after.strip_prefix("\r\n").or(after.strip_prefix('\n')) {
            Some(next) => next,
            None => Some(after).filter(|after| after.is_empty())?,
        };
        all.push(std::mem::take(&mut row));
    }
    all.retain(|row| row.len() > 1 || !row[0].is_empty());
    Some(all)
}

/// The lowest and the highest temperature of each day.
fn temperatures(input: &str) -> Option<Vec<(i32, i32)>> {
    let all = rows(input)?;
    let (head, days) = all.split_first()?;
    (*head == ["station", "day", "low", "high", "note"]).then_some(())?;
    let read = |day: &Vec<String>| match &day[..] {
        [_, _, low, high, _] => Some((low.parse().ok()?, high.parse().ok()?)),
        _ => None,
    };
    days.iter().map(read).collect()
}

/// How many cells each row of a table has; nothing if there are none.
fn widths(input: &str) -> Option<Vec<usize>> {
    let all = rows(input)?;
    (!all.is_empty()).then(|| all.iter().map(Vec::len).collect())
}

/// What levels a logger knows.
const LEVELS: [&str; 7] = ["all", "trace", "debug", "info", "warn", "error", "off"];

/// The level of the section for logging, or the usual one; nothing if the settings are odd.
fn level(input: &str) -> Option<&str> {
    let (mut section, mut names, mut level) = ("", Vec::new(), "info");
    for line in statements(input, ";").filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.strip_suffix(']').filter(|name| is_identifier(name))?;
            continue;
        }
        let (key, value) = line.split_once('=')?;
        let name = (section, Some(key.trim()).filter(|key| is_identifier(key))?);
        (!names.contains(&name)).then(|| names.push(name))?;
        if name == ("logging", "level") {
            level = Some(value.trim()).filter(|value| LEVELS.contains(value))?;
        }
    }
    Some(level)
}

/// Whether some words are the end of a statement: nothing, or which rows it is about.
fn is_filter(words: &[&str]) -> bool {
    match words {
        [] => true,
        ["where", column, "=" | "<" | ">", value] => is_identifier(column) && is_value(value),
        _ => false,
    }
}

/// Whether a word of SQL is a number or a text.
fn is_value(word: &str) -> bool {
    word.starts_with('\'') || word.parse::<u32>().is_ok()
}

/// Whether some words are divided by commas into ones that are right.
fn are_listed(words: &[&str], is_right: fn(&str) -> bool) -> bool {
    words.split(|word| *word == ",").all(|part| matches!(part, [word] if is_right(word)))
}

/// Which verb a statement of SQL has; nothing if it is none.
fn verb(words: &[&str]) -> Option<&'static str> {
    match words {
        ["insert", "into", table, "values", "(", values @ .., ")"] => {
            (is_identifier(table) && are_listed(values, is_value)).then_some("insert")
        }
        ["delete", "from", table, filter @ ..] => {
            (is_identifier(table) && is_filter(filter)).then_some("delete")
        }
        ["update", table, "set", column, "=", value, filter @ ..] => {
            let is_right = is_identifier(table) && is_identifier(column) && is_value(value);
            (is_right && is_filter(filter)).then_some("update")
        }
        ["select", rest @ ..] => {
            let size = rest.iter().position(|word| *word == "from")?;
            let (columns, after) = (&rest[..size], &rest[size + 1..]);
            let is_right = *columns == ["*"] || are_listed(columns, is_identifier);
            let (table, filter) = after.split_first()?;
            (is_right && is_identifier(table) && is_filter(filter)).then_some("select")
        }
        _ => None,
    }
}

/// The verbs of a script of SQL.
fn verbs(input: &str) -> Option<Vec<&'static str>> {
    let lines = input.lines().map(|line| line.split("--").next().unwrap_or(""));
    let text = lines.collect::<Vec<&str>>().join("\n");
    let is_text = |word: &str| word.starts_with('\'');
    let lowered = lexemes(&text, '\'')?.into_iter().map(|word| match is_text(word) {
        true => word.to_owned(),
        false => word.to_ascii_lowercase(),
    });
    let lowered: Vec<String> = lowered.collect();
    let words: Vec<&str> = lowered.iter().map(String::as_str).collect();
    let parts = words.split(|word| *word == ";").filter(|part| !part.is_empty());
    parts.map(verb).collect()
}

/// The causes.
pub const TABLES: &[TwoSided] = &[
    TwoSided {
        name: "forty-second: csv: weather: a day with a low above its high",
        grammar: "@csv",
        input: concat!(
            "station,day,low,high,note\noslo,2024-01-03,-12,-4,\noslo,2024-01-04,-9,1,\"snow, wind\"\n",
            "bergen,2024-01-03,7,3,checked 2 times\nbergen,2024-01-04,2,6,\nvardo,2024-01-03,-3,-3,ice\n"
        ),
        valid: |input| temperatures(input).is_some(),
        fails: |input| {
            temperatures(input).is_some_and(|all| all.iter().any(|(low, high)| low > high))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let days = joined(dice, count, "", |dice| {
                let high = dice.below(40);
                let low = above(dice, high, 24) as i64;
                let shift = [0, 0, 15, 50][dice.below(4)];
                let (low, high) = (low - shift, high as i64 - shift);
                let station = one(dice, &["oslo", "bergen", "vardo", "\"mo, rana\""]);
                let note = one(dice, &["", "ice", "9 to 3", "\"snow, wind\""]);
                let day = 1 + dice.below(28);
                format!("{station},2024-01-{day},{low},{high},{note}\n")
            });
            format!("station,day,low,high,note\n{days}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: csv: rows that do not all have the same number of cells",
        grammar: "@csv",
        input: concat!(
            "id,name,city,age\n1,Ana Sousa,Porto,34\n2,\"Berg, Nils\",Bergen,51\n3,Chen Wei,Xi'an\n",
            "4,Dora,\"Split\",29\n5,,,\n"
        ),
        valid: |input| widths(input).is_some(),
        fails: |input| widths(input).is_some_and(|all| are_uneven(&all)),
        draw: |dice| {
            let mut text = String::new();
            for length in lengths(dice, 2, 52) {
                let row = joined(dice, length, ",", |dice| {
                    let known =
                        ["1", "Ana Sousa", "\"Berg, Nils\"", "Porto", "34", "\"a \"\"b\"\"\""];
                    one(dice, &known).to_owned()
                });
                let end = if chance(dice, 8) { "\n\n" } else { "\n" };
                text += &format!("{row}{end}");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: ini: logging: a level that is trace, debug or all",
        grammar: "@ini",
        input: concat!(
            "; settings of the server\n[server]\nhost = localhost\nport = 8080\nlevel = debug\n\n",
            "[logging]\nfile = /var/log/app.log\nlevel = trace\nrotate = all\nkeep = 7\n\n",
            "[client]\nmode = all\nlevel = info\ntimeout = 30\n"
        ),
        valid: |input| level(input).is_some(),
        fails: |input| level(input).is_some_and(|level| ["trace", "debug", "all"].contains(&level)),
        draw: |dice| {
            let others =
                ["host = localhost\n", "port = 8080\n", "level = debug\n", "level2 = all\n"];
            let mut sections = vec![format!("[server]\n{}", extras(dice, &others).concat())];
            let others = ["file = /var/log/app.log\n", "rotate = all\n", "keep = 7\n", "# debug\n"];
            let mut pairs = extras(dice, &others);
            if chance(dice, 95) {
                let failing = chance(dice, 50);
                let known: &[&str] = if failing { &LEVELS[..3] } else { &LEVELS[3..] };
                let sign = one(dice, &[" = ", "=", " = "]);
                pairs.push(format!("level{sign}{}\n", one(dice, known)));
            }
            sections.push(format!("[logging]\n{}", shuffled(dice, pairs).concat()));
            sections.extend(extras(dice, &["[client]\nmode = all\nlevel = trace\n", "[paths]\n"]));
            shuffled(dice, sections).join(one(dice, &["", "\n"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-second: sql: an INSERT, then a DELETE, and then an UPDATE",
        grammar: "@sql",
        input: concat!(
            "SELECT name, age FROM users WHERE age > 30;\nUPDATE users SET age = 31 WHERE id = 4;\n",
            "INSERT INTO users VALUES (7, 'Ana', 34);\nSELECT * FROM orders;\n",
            "DELETE FROM orders WHERE user_id = 4;\nINSERT INTO log VALUES ('update', 12);\n",
            "UPDATE orders SET state = 'sent' WHERE id = 90;\nSELECT id FROM log;\n"
        ),
        valid: |input| verbs(input).is_some(),
        fails: |input| {
            let wanted = ["insert", "delete", "update"];
            verbs(input).is_some_and(|all| are_in_order(&all, &wanted))
        },
        draw: |dice| {
            let others = ["insert", "delete", "update", "select", "select", "select"];
            let all = steps(dice, ["insert", "delete", "update"], &others);
            let lines = all.into_iter().map(|verb| {
                let table = one(dice, &["users", "orders", "log"]);
                let value = one(dice, &["7", "'Ana'", "'update'", "90"]);
                let filter = one(dice, &["", " WHERE id = 4", " WHERE age > 30"]);
                match verb {
                    "insert" => format!("INSERT INTO {table} VALUES ({value}, 34);\n"),
                    "delete" => format!("DELETE FROM {table}{filter};\n"),
                    "update" => format!("UPDATE {table} SET state = {value}{filter};\n"),
                    _ => format!("SELECT {} FROM {table}{filter};\n", one(dice, &["*", "id, age"])),
                }
            });
            lines.collect()
        },
        patterns: &[],
    },
];
