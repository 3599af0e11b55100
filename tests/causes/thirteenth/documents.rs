//! Causes in usual formats.

use std::collections::BTreeSet;

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// The opening tags of a text, each without its brackets.
fn tags(input: &str) -> Vec<&str> {
    let starts = input.split('<').skip(1).filter(|rest| !rest.starts_with(['/', '!', '?']));
    starts.filter_map(|rest| rest.split('>').next()).collect()
}

/// The names of the attributes of a tag, of which each is `name="value"` with no blank in its value.
fn attributes(tag: &str) -> Vec<&str> {
    tag.split_whitespace().skip(1).filter_map(|one| one.split('=').next()).collect()
}

/// The number after a word, if the word and the number stand alone.
fn number_after(input: &str, word: &str) -> Option<u64> {
    let mut words = input.split_whitespace().skip_while(|one| *one != word);
    words.nth(1)?.parse().ok()
}

/// Whether no quoted text of a document has a blank, because the program finds attributes by the blanks around them.
fn has_short_values(input: &str) -> bool {
    input.split('"').skip(1).step_by(2).all(|value| !value.contains(char::is_whitespace))
}

/// The causes.
pub const DOCUMENTS: &[TwoSided] = &[
    TwoSided {
        name: "thirteenth: xml: two attributes of one name",
        grammar: "@xml",
        input: "<r><a x=\"1\" y=\"2\"/><b k=\"3\" x=\"4\" k=\"5\">t</b></r>",
        valid: |input| !input.contains(['\'', '!', '?']) && has_short_values(input),
        fails: |input| {
            tags(input).iter().any(|tag| {
                let names = attributes(tag);
                names.iter().collect::<BTreeSet<_>>().len() < names.len()
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let inner = joined(dice, count, "", |dice| {
                let count = dice.below(4);
                let attributes = joined(dice, count, "", |dice| {
                    let name = one(dice, &["x", "y", "k", "id"]);
                    format!(" {name}=\"{}\"", dice.below(5))
                });
                format!("<{}{attributes}/>", one(dice, &["a", "b", "x"]))
            });
            format!("<r>{inner}</r>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: xml: an image without a text for it",
        grammar: "@xml",
        input: "<page><img src=\"a\" alt=\"b\"/><p>see <img src=\"c\"/></p></page>",
        valid: |input| !input.contains(['\'', '!', '?']),
        fails: |input| {
            tags(input).iter().any(|tag| {
                let tag = tag.trim_end_matches('/');
                tag.split_whitespace().next() == Some("img") && !attributes(tag).contains(&"alt")
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let inner = joined(dice, count, "", |dice| {
                let name = one(dice, &["img", "img", "p"]);
                let mut all = vec![format!(" src=\"{}\"", word(dice, 2))];
                if dice.below(3) > 0 {
                    all.push(format!(" alt=\"{}\"", word(dice, 2)));
                }
                format!("<{name}{}/>", shuffled(dice, all).concat())
            });
            format!("<page>{inner}</page>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: toml: a low value that is above the high one",
        grammar: "@toml",
        input: "title = \"x\"\nlow = 30\nhigh = 20\nstep = 2\n",
        valid: any,
        fails: |input| {
            let of = |key: &str| {
                let line = input
                    .lines()
                    .find(|line| line.split_once('=').is_some_and(|(name, _)| name.trim() == key));
                line.and_then(|line| line.split_once('=')?.1.trim().parse::<i64>().ok())
            };
            of("low").zip(of("high")).is_some_and(|(low, high)| low > high)
        },
        draw: |dice| {
            let low = dice.below(30);
            let high = [low, low + 1, low.saturating_sub(1), dice.below(30)][dice.below(4)];
            let lines = vec![
                format!("low = {low}"),
                format!("high = {high}"),
                format!("step = {}", dice.below(30)),
                format!("title = \"{}\"", word(dice, 3)),
            ];
            format!("{}\n", shuffled(dice, lines).join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: sql: an offset that is greater than the limit",
        grammar: "@sql",
        input: "SELECT a, b FROM t WHERE a = 3 LIMIT 5 OFFSET 40",
        valid: |input| !input.contains(['\'', '"', '-', '/', '`', '[']),
        fails: |input| {
            let input = input.to_ascii_uppercase();
            let [limit, offset] = ["LIMIT", "OFFSET"].map(|word| number_after(&input, word));
            limit.zip(offset).is_some_and(|(limit, offset)| offset > limit)
        },
        draw: |dice| {
            let limit = dice.below(40);
            let offset = [limit, limit + 1, limit.saturating_sub(1), dice.below(40)][dice.below(4)];
            let filter = one(dice, &["", " WHERE a = 3", " WHERE b = 50"]);
            format!("SELECT {} FROM t{filter} LIMIT {limit} OFFSET {offset}", word(dice, 2))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: css: a color or a border in red",
        grammar: "@css",
        input: "a { margin: 0; color: red; } p { color: blue; width: 3px }",
        valid: |input| !input.contains(['/', '"', '\'', '\\', '@', '!']),
        fails: |input| {
            let all = input.split(['{', '}', ';']).filter_map(|one| one.split_once(':'));
            all.into_iter().any(|(name, value)| {
                ["color", "border"].contains(&name.trim()) && value.trim() == "red"
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let count = 1 + dice.below(2);
                let all = joined(dice, count, "; ", |dice| {
                    let name = one(dice, &["color", "border", "margin", "fill"]);
                    format!("{name}: {}", one(dice, &["red", "blue", "none", "0"]))
                });
                format!("{} {{ {all} }}", one(dice, &["a", "p", "red"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: ini: a user in a section without a host",
        grammar: "@ini",
        input: "[web]\nhost=a\nuser=b\n[mail]\nuser=c\nport=3\n",
        valid: |input| !input.contains([';', '#', '"', '\r', ' ', '\t']),
        fails: |input| {
            let has = |section: &&str, key: &str| section.lines().any(|line| line.starts_with(key));
            input.split('[').any(|section| has(&section, "user=") && !has(&section, "host="))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let mut lines = vec![format!("port={}", dice.below(9))];
                for key in ["host", "user", "user"] {
                    if dice.below(2) == 0 {
                        lines.push(format!("{key}={}", word(dice, 2)));
                    }
                }
                format!("[{}]\n{}", word(dice, 2), shuffled(dice, lines).join("\n"))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: http: two lengths in one request",
        grammar: "@http",
        input: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nAccept: b\r\nContent-Length: 4\r\n\r\nabc",
        valid: any,
        fails: |input| {
            let head = input.split("\r\n\r\n").next().unwrap_or_default();
            let lines = head.split("\r\n");
            lines.filter(|line| line.starts_with("Content-Length:")).count() >= 2
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let lines = joined(dice, count, "", |dice| {
                let name = one(dice, &["Content-Length", "Content-Length", "Host", "Age"]);
                format!("{name}: {}\r\n", dice.below(9))
            });
            format!("POST / HTTP/1.1\r\n{lines}\r\n{}", word(dice, 3))
        },
        patterns: &[],
    },
];
