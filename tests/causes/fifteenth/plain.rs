//! Causes in texts without a grammar, and one in binary records.

use crate::readers::{records, text_of};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The pairs of lines that are each a key, a sign and a value; nothing if one is not.
fn pairs<'t>(input: &'t str, by: &str) -> Option<Vec<(&'t str, &'t str)>> {
    input.lines().map(|line| line.split_once(by)).collect()
}

/// The value of a key, if the key is there once.
fn value_of<'t>(all: &[(&'t str, &'t str)], key: &str) -> Option<&'t str> {
    let mut values = all.iter().filter(|(one, _)| *one == key).map(|(_, value)| *value);
    values.next().filter(|_| values.next().is_none())
}

/// A number of a few digits.
fn number(text: &str) -> Option<usize> {
    let is_number = text.len() < 10 && text.chars().all(|c| c.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// The notes that a text uses, and those that it defines at the start of a line; nothing if one has an odd name.
fn notes(input: &str) -> Option<[Vec<&str>; 2]> {
    let (mut used, mut defined) = (Vec::new(), Vec::new());
    for line in input.lines() {
        for (at, rest) in line.split("[^").skip(1).enumerate() {
            let (name, rest) = rest.split_once(']')?;
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
            let is_definition = at == 0 && line.starts_with("[^") && rest.starts_with(':');
            let into = if is_definition { &mut defined } else { &mut used };
            into.push(Some(name).filter(|_| is_name)?);
        }
    }
    Some([used, defined])
}

/// The method and the body of a request.
fn request(input: &str) -> Option<(&str, &str)> {
    let (head, body) = input.split_once("\r\n\r\n")?;
    let first: Vec<&str> = head.split("\r\n").next()?.split(' ').collect();
    let headers = head.split("\r\n").skip(1);
    let is_request = first.len() == 3
        && first[2] == "HTTP/1.1"
        && !head.replace("\r\n", "").contains(['\r', '\n']);
    (is_request && headers.into_iter().all(|line| line.contains(": "))).then(|| (first[0], body))
}

/// The events of a log, each of which is a line of a time and a word.
fn events(input: &str) -> Option<Vec<&str>> {
    let lines = input.lines().map(|line| line.split_once(' '));
    lines.map(|line| line.map(|(_, event)| event).filter(|event| !event.contains(' '))).collect()
}

/// What a template puts out, each without its braces.
fn outputs(input: &str) -> Option<Vec<&str>> {
    let inner = input.split("{{").skip(1).map(|rest| rest.split_once("}}").map(|(inner, _)| inner));
    inner.map(|inner| inner.filter(|inner| !inner.contains(['{', '}', '"', '\'']))).collect()
}

/// For how many days each line `keep=` says, with its section; nothing if a line is odd.
fn kept_days(input: &str) -> Option<Vec<(&str, usize)>> {
    let (mut section, mut all) = ("", Vec::new());
    for line in input.lines() {
        let header = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match header {
            Some(name) => section = name,
            None => {
                let (key, value) = line.split_once('=')?;
                if key == "keep" {
                    all.push((section, number(value)?));
                }
            }
        }
    }
    Some(all)
}

/// How many songs a playlist says that it has, and how many it has.
fn songs(input: &str) -> Option<(usize, usize)> {
    let all = pairs(input, ": ")?;
    let count = all.iter().filter(|(key, _)| *key == "song").count();
    Some((number(value_of(&all, "songs")?)?, count))
}

/// The width of a label and its code.
fn label(input: &str) -> Option<(usize, &str)> {
    let all = pairs(input, "=")?;
    Some((number(value_of(&all, "width")?)?, value_of(&all, "code")?))
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "fifteenth: plain: markdown: a note that is not defined",
        grammar: "",
        input: "tea[^a] is hot[^b] or not[^c]\n\n[^a]: green\n[^c]: see [b]\n",
        valid: |input| !input.contains(['\\', '`']) && notes(input).is_some(),
        fails: |input| {
            let Some([used, defined]) = notes(input) else { return false };
            used.iter().any(|name| !defined.contains(name))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let text = joined(dice, count, " ", |dice| {
                format!("{}{}", word(dice, 4), one(dice, &["[^a]", "[^b]", "[^c]", "[b]", ""]))
            });
            let names = ["a", "b", "c", "x1"].into_iter().filter(|_| dice.below(3) > 0);
            let names: Vec<&str> = names.collect();
            let notes: Vec<String> =
                names.iter().map(|name| format!("[^{name}]: {}\n", word(dice, 3))).collect();
            match dice.below(4) {
                0 => format!("{}\n{text}\n", notes.concat()),
                _ => format!("{text}\n\n{}", shuffled(dice, notes).concat()),
            }
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: plain: http: a GET or a HEAD with a body",
        grammar: "",
        input: "GET /tea HTTP/1.1\r\nHost: shop\r\nAge: 3\r\n\r\nmilk",
        valid: |input| request(input).is_some(),
        fails: |input| {
            request(input)
                .is_some_and(|(method, body)| ["GET", "HEAD"].contains(&method) && !body.is_empty())
        },
        draw: |dice| {
            let count = dice.below(3);
            let headers = joined(dice, count, "", |dice| {
                format!("{}: {}\r\n", one(dice, &["Host", "Age", "GET"]), word(dice, 3))
            });
            let method = one(dice, &["GET", "HEAD", "GET", "POST", "PUT", "GETS"]);
            let body = one(dice, &["milk", "", "\r\n", "x=1", "GET"]);
            format!("{method} /{} HTTP/1.1\r\n{headers}\r\n{body}", word(dice, 3))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: plain: log: a jam after an opening and before a closing",
        grammar: "",
        input: "07:10 turn\n07:15 open\n07:16 turn\n07:20 jam\n07:31 close\n",
        valid: |input| events(input).is_some(),
        fails: |input| {
            let Some(all) = events(input) else { return false };
            let mut all = all.into_iter();
            ["open", "jam", "close"].iter().all(|event| all.any(|one| one == *event))
        },
        draw: |dice| {
            let count = 4 + dice.below(5);
            let lines = (0..count).map(|at| {
                let event = one(dice, &["open", "open", "jam", "jam", "close", "close", "turn"]);
                format!("07:{}{} {event}\n", at, dice.below(10))
            });
            lines.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: plain: template: a raw output",
        grammar: "",
        input: "dear {{ name }},\nyour {{ item | upper | raw }} is here\n",
        valid: |input| outputs(input).is_some(),
        fails: |input| {
            let all = outputs(input).unwrap_or_default();
            all.iter().any(|output| output.split('|').skip(1).any(|filter| filter.trim() == "raw"))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let output = match dice.below(8) {
                    0 => "{{ raw }}".to_owned(),
                    1 => format!("{} | raw", word(dice, 3)),
                    2 => format!("{{{{ {} }}}}", word(dice, 3)),
                    3 => format!("{{{{ {} | draw }}}}", word(dice, 3)),
                    4 => format!("{{{{ {}|raw }}}}", word(dice, 3)),
                    5 => format!("{{{{ {} | raw | upper }}}}", word(dice, 3)),
                    6 => format!("{{{{ {} | upper }}}}", word(dice, 3)),
                    _ => format!("{{{{ {} | trim | raw }}}}", word(dice, 3)),
                };
                format!("{} {output}", word(dice, 3))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: plain: a code as long as the width of its label",
        grammar: "",
        input: "copies=3\nwidth=7\ncode=AB12XYZ\nink=black\n",
        valid: |input| label(input).is_some(),
        fails: |input| label(input).is_some_and(|(width, code)| code.chars().count() == width),
        draw: |dice| {
            let code = word(dice, 9);
            let length = code.len();
            let width = [length, length, length + 1, length - 1, dice.below(12)][dice.below(5)];
            let lines = vec![
                format!("width={width}\n"),
                format!("code={code}\n"),
                format!("copies={}\n", dice.below(9)),
                format!("ink={}\n", word(dice, 6)),
            ];
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: plain: ini: backups that are kept for more than 30 days",
        grammar: "",
        input: "[logs]\nkeep=90\n[backup]\npath=/b\nkeep=45\n",
        valid: |input| kept_days(input).is_some(),
        fails: |input| {
            let all = kept_days(input).unwrap_or_default();
            all.iter().any(|(section, days)| *section == "backup" && *days > 30)
        },
        draw: |dice| {
            let names = ["backup", "logs", "mail"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(2 + dice.below(2));
            let sections = names.iter().map(|name| {
                let days = [7, 29, 30, 31, 31, 32, 45, 90, 100, 3][dice.below(10)];
                let mut lines = vec![format!("keep={days}\n")];
                if dice.below(2) == 0 {
                    lines.push(format!("path=/{}\n", word(dice, 3)));
                }
                if dice.below(3) == 0 {
                    lines.push(format!("size={}\n", dice.below(90)));
                }
                format!("[{name}]\n{}", shuffled(dice, lines).concat())
            });
            sections.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: plain: a playlist with another number of songs than it says",
        grammar: "",
        input: "title: rain\nsongs: 2\nsong: drop\nsong: pour\nsong: puddle\n",
        valid: |input| songs(input).is_some(),
        fails: |input| songs(input).is_some_and(|(said, count)| said != count),
        draw: |dice| {
            let count = dice.below(5);
            let said = [count, count, count, count + 1, dice.below(6)][dice.below(5)];
            let mut lines = vec![format!("songs: {said}\n"), format!("title: {}\n", word(dice, 4))];
            lines.extend((0..count).map(|_| format!("song: {}\n", word(dice, 4))));
            match dice.below(2) {
                0 => lines.concat(),
                _ => shuffled(dice, lines).concat(),
            }
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: binary: two records of type 1",
        grammar: "",
        input: "\u{2}\u{1}a\u{1}\u{2}bc\u{4}\u{0}\u{1}\u{3}def",
        valid: |input| records(input).is_some(),
        fails: |input| {
            records(input).into_iter().flatten().filter(|(kind, _)| *kind == 1).count() >= 2
        },
        draw: |dice| {
            let mut all = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let body = word(dice, 4);
                let body = if dice.below(4) == 0 { "\u{1}" } else { &body };
                all.extend([[1, 1, 2, 4][dice.below(4)], body.len() as u8]);
                all.extend(body.as_bytes());
            }
            text_of(&all)
        },
        patterns: &[],
    },
];
