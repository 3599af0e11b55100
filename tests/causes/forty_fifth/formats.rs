//! Causes in six formats with a grammar: HTTP, INI, CSV, SQL, TOML and CSS.

use super::{mixed, name};
use crate::draws::{
    are_negative_and_fine, chance, extras, figure, has_twins, picked, statements, steps,
};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, signed_decimals};
use crate::two_sided::{TwoSided, any, joined, one, shuffled};

/// The names of the fields of an answer, in small letters.
fn fields(input: &str) -> Option<Vec<String>> {
    let (head, _) = input.split_once("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let (status, reason) = lines.next()?.strip_prefix("HTTP/1.1 ")?.split_once(' ')?;
    (status.len() == 3 && is_digits(status) && is_shown(reason)).then_some(())?;
    let names = lines.map(|line| {
        let (name, value) = line.split_once(':')?;
        let name = name.to_ascii_lowercase();
        (is_name(&name) && is_shown(value)).then_some(name)
    });
    names.collect()
}

/// The parts of a text between these signs, none of which is in quotes.
fn parts(input: &str, sign: char, quote: char) -> Vec<String> {
    let (mut all, mut is_quoted) = (vec![String::new()], false);
    for c in input.chars() {
        is_quoted ^= c == quote;
        match all.last_mut() {
            Some(last) if is_quoted || c != sign => last.push(c),
            _ => all.push(String::new()),
        }
    }
    all
}

/// Whether a row of a table has a negative number and one with three decimals.
fn has_such_row(input: &str) -> bool {
    input.lines().any(|row| {
        let cells = parts(row, ',', '"');
        let numbers: Vec<(bool, usize)> =
            cells.iter().filter_map(|cell| signed_decimals(cell)).collect();
        are_negative_and_fine(&numbers)
    })
}

/// The first word of each statement of a script, in capitals.
fn verbs(input: &str) -> Vec<String> {
    let text = super::without_remarks(input, "--");
    let all = parts(&text, ';', '\'');
    let words = all.iter().filter_map(|one| one.split_whitespace().next());
    words.map(str::to_ascii_uppercase).collect()
}

/// The lists of some settings.
fn lists(input: &str) -> Vec<Vec<String>> {
    let (mut found, mut open): (Vec<Vec<String>>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
    let (mut item, mut quote, mut last, mut is_remark) = (String::new(), None, ' ', false);
    for c in input.chars() {
        let is_end = c == '\n';
        if is_remark {
            is_remark = !is_end;
        } else if quote.is_some() {
            item.push(c);
            quote = quote.filter(|sign| *sign != c);
            last = c;
        } else if c == '#' {
            is_remark = true;
        } else if c == '[' && (last == '=' || !open.is_empty()) {
            open.push(Vec::new());
            (item, last) = (String::new(), c);
        } else if let (',' | ']', Some(list)) = (c, open.last_mut()) {
            let item = std::mem::take(&mut item);
            list.extend(Some(item).filter(|item| !item.is_empty()));
            found.extend((c == ']').then(|| open.pop()).flatten());
            last = c;
        } else if !c.is_whitespace() {
            quote = Some(c).filter(|c| "\"'".contains(*c));
            item.push(c);
            last = c;
        }
        if open.is_empty() && is_end {
            item.clear();
        }
    }
    found
}

/// The values that some styles have for a key.
fn styles(input: &str, wanted: &str) -> Vec<String> {
    let (mut text, mut rest) = (String::new(), input);
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let pairs = text.split(['{', '}', ';']).filter_map(|pair| pair.split_once(':'));
    let values = pairs.filter(|(key, _)| key.trim() == wanted);
    values.map(|(_, value)| value.trim().to_owned()).collect()
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "forty-fifth: http: answer: an answer without a Content-Length",
        grammar: "@http",
        input: concat!(
            "HTTP/1.1 200 OK\r\nServer: nginx/1.25.3\r\nDate: Mon, 04 Mar 2024 10:00:00 GMT\r\n",
            "Content-Type: text/html; charset=utf-8\r\nX-Content-Length: 41\r\nConnection: keep-alive\r\n",
            "Cache-Control: max-age=600\r\n\r\n<p>The Content-Length: 12 is missing.</p>\r\n"
        ),
        valid: |input| fields(input).is_some(),
        fails: |input| {
            fields(input).is_some_and(|all| all.iter().all(|name| name != "content-length"))
        },
        draw: |dice| {
            let mut all = vec![format!("X-Request-Id: {}\r\n", name(dice))];
            if chance(dice, 50) {
                let name = one(dice, &["Content-Length", "Content-Length", "content-length"]);
                all.push(format!("{name}: {}\r\n", dice.below(900)));
            }
            let others = [
                "Server: nginx/1.25.3\r\n",
                "Content-Type: text/html\r\n",
                "X-Content-Length: 41\r\n",
                "Connection: keep-alive\r\n",
                "Content-Encoding: gzip\r\n",
            ];
            let all = mixed(dice, all, &others).concat();
            let status = one(dice, &["200 OK", "404 Not Found", "500 Internal Error"]);
            let body = one(dice, &["", "<p>Hello</p>\r\n", "Content-Length: 12\n", "ok"]);
            format!("HTTP/1.1 {status}\r\n{all}\r\n{body}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: ini: sections: two sections of the same name",
        grammar: "@ini",
        input: concat!(
            "; settings of the editor\n[editor]\ntab = 4\nwrap = true\n\n[colors]\ntheme = dark\n",
            "back = 1e1e1e\n\n[keys]\nsave = ctrl-s\nopen = [colors]\n\n[window]\nwidth = 1200\nheight = 800\n\n",
            "[colors]\ntheme = light\n\n# [editor]\n[recent]\nfile = notes.txt\n"
        ),
        valid: any,
        fails: |input| {
            let all: Vec<&str> = statements(input, "#")
                .filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'))
                .collect();
            has_twins(&all)
        },
        draw: |dice| {
            let known =
                ["editor", "colors", "color", "keys", "window", "Window", "recent", "files"];
            let mut text = one(dice, &["", "; settings\n", "# [editor]\n"]).to_owned();
            for section in picked(dice, &known, 5, 50) {
                let known =
                    ["theme = dark\n", "tab = 4\n", "open = [colors]\n", "back = [keys]\n", "\n"];
                let pairs = extras(dice, &known).concat();
                text += &format!("[{section}]\n{} = {}\n{pairs}", name(dice), dice.below(900));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-fifth: csv: readings: a row with a negative number and a number of exactly three ",
            "decimals"
        ),
        grammar: "@csv",
        input: concat!(
            "station,time,temp,wind,rain\nA1,0600,4.5,12,0\nA2,0600,-3.25,7.5,1.25\nB7,0615,11.125,3,0.5\n",
            "B8,0615,-2,18.375,0\nA1,0630,5,11.5,0.25\nC3,0630,-0.5,2,0\n"
        ),
        valid: any,
        fails: has_such_row,
        draw: |dice| {
            let mut text = "station,temp,wind,rain\n".to_owned();
            for _ in 0..1 + dice.below(5) {
                let count = 2 + dice.below(3);
                let numbers = joined(dice, count, ",", |dice| match dice.below(5) {
                    0 | 1 => dice.below(40).to_string(),
                    2 => format!("-{}.{}", dice.below(30), 1 + dice.below(9)),
                    _ => figure(dice),
                });
                text += &format!("{},{numbers}\n", name(dice));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: sql: script: an UPDATE, then a DELETE, and then an INSERT",
        grammar: "@sql",
        input: concat!(
            "-- nightly job\nSELECT id, name FROM users WHERE id = 4;\n",
            "INSERT INTO log VALUES (1, 'delete');\nUPDATE users SET name = 'ada' WHERE id = 7;\n",
            "SELECT name FROM updates;\nDELETE FROM sessions WHERE user_id = 7;\n",
            "SELECT id FROM users;\nINSERT INTO log VALUES (2, 'done');\nUPDATE log SET id = 3 WHERE id = 2;\n"
        ),
        valid: any,
        fails: |input| {
            let all = verbs(input);
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            are_in_order(&all, &["UPDATE", "DELETE", "INSERT"])
        },
        draw: |dice| {
            let others = ["SELECT", "SELECT", "INSERT", "UPDATE", "DELETE"];
            let mut text = one(dice, &["", "-- update, delete, insert\n"]).to_owned();
            for verb in steps(dice, ["UPDATE", "DELETE", "INSERT"], &others) {
                let (table, id) = (name(dice), dice.below(90));
                text += &match verb {
                    "SELECT" => format!("SELECT id, name FROM {table} WHERE id = {id};\n"),
                    "INSERT" => format!("INSERT INTO {table} VALUES ({id}, 'delete');\n"),
                    "UPDATE" => format!("UPDATE {table} SET name = 'insert' WHERE id = {id};\n"),
                    _ => format!("DELETE FROM {table} WHERE id = {id};\n"),
                };
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: toml: manifest: a list with the same item twice",
        grammar: "@toml",
        input: concat!(
            "[package]\nname = \"parser\"\nversion = \"0.4.1\"\nauthors = [\"Ada\", \"Bo\"]\n",
            "keywords = [\"parser\", \"json\"] # \"json\"\n\n[features]\ndefault = [\"std\", \"serde\"]\n",
            "full = [\"std\", \"serde\", \"unicode\", \"std\", \"async\"]\n\n[dependencies]\n",
            "serde = \"1.0\"\nlog = \"0.4\"\n\n[profile]\nlevels = [1, 2, 3]\n"
        ),
        valid: any,
        fails: |input| lists(input).iter().any(|list| has_twins(list)),
        draw: |dice| {
            let mut parts = Vec::new();
            for at in 0..1 + dice.below(3) {
                let known =
                    ["\"std\"", "\"serde\"", "\"unicode\"", "\"async\"", "\"Std\"", "\"log\""];
                let numbers = ["1", "2", "3", "12", "21", "400"];
                let known = if chance(dice, 70) { known } else { numbers };
                let by = one(dice, &[", ", ", ", ",\n  "]);
                let items = picked(dice, &known, 5, 28).join(by);
                parts.push(format!("{}_{at} = [{items}]\n", name(dice)));
            }
            let others = ["std = \"std\"\n", "# [\"std\", \"std\"]\n", "version = \"1.1\"\n"];
            let parts = mixed(dice, parts, &others).concat();
            format!("[{}]\n{parts}", one(dice, &["features", "package", "std"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-fifth: css: layout: a position that is fixed or sticky",
        grammar: "@css",
        input: concat!(
            "/* position: fixed */\nbody { margin: 0; font: 16px sans-serif }\n",
            ".fixed { color: #333; background-attachment: fixed; }\n",
            "#menu a { position: relative; top: 4px; }\nheader {\n  position: sticky;\n  top: 0;\n",
            "  width: 100%;\n}\n.note { position: absolute; left: 12px }\n.sticky { padding: 8px; }\n"
        ),
        valid: any,
        fails: |input| {
            styles(input, "position").iter().any(|value| ["fixed", "sticky"].contains(&&value[..]))
        },
        draw: |dice| {
            let mut rules = Vec::new();
            for _ in 0..1 + dice.below(3) {
                let others = [
                    "color: #333",
                    "background-attachment: fixed",
                    "width: 100%",
                    "top: 4px",
                    "/* position: sticky */ left: 0",
                ];
                let mut pairs = vec!["margin: 0".to_owned()];
                if chance(dice, 85) {
                    let known = [
                        "fixed", "sticky", "static", "relative", "absolute", "inherit", "relative",
                    ];
                    pairs.push(format!("position: {}", one(dice, &known)));
                }
                let pairs = mixed(dice, pairs, &others).join(one(dice, &["; ", ";\n  "]));
                let name = one(dice, &[".fixed", "header", "#menu a", ".sticky", "body"]);
                rules.push(format!("{name} {{ {pairs}{} }}\n", one(dice, &["", ";"])));
            }
            shuffled(dice, rules).concat()
        },
        patterns: &[],
    },
];
