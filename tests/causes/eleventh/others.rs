//! Causes in XML and small languages, in texts without a grammar, and in binary records.

use crate::readers::{records, text_of};
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

const BLOCKS: &str =
    "grammar Blocks; program: item* EOF; item: block | call; block: 'loop' '{' item* '}';
    call: ('break' | 'print' | 'next') ';'; WS: [ \\n]+ -> skip;";

const TASKS: &str = "grammar Tasks; plan: task* EOF; task: NAME 'needs' NAME ';';
    NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// Whether a `break` is outside of all loops.
fn breaks_outside(input: &str) -> bool {
    let spaced = ["{", "}", ";"]
        .iter()
        .fold(input.to_owned(), |text, mark| text.replace(mark, &format!(" {mark} ")));
    let mut depth = 0;
    for word in spaced.split_whitespace() {
        match word {
            "{" => depth += 1,
            "}" => depth -= 1,
            "break" if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// The number after a mark in a line, if all of the rest are digits.
fn after(line: &str, mark: &str) -> Option<u64> {
    line.split_once(mark)?.1.parse().ok()
}

/// The causes.
pub const OTHERS: &[TwoSided] = &[
    TwoSided {
        name: "eleventh: own: a break outside of all loops",
        grammar: BLOCKS,
        input: "print; loop { break; loop { next; } } break; loop { }",
        valid: any,
        fails: breaks_outside,
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let call = one(dice, &["break;", "break;", "print;", "next;"]);
                match dice.below(4) {
                    0 => call.to_owned(),
                    1 => format!("loop {{ {call} }}"),
                    2 => format!("loop {{ loop {{ }} {call} }}"),
                    _ => "loop { } print;".to_owned(),
                }
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: own: a task that needs itself",
        grammar: TASKS,
        input: "build needs fetch; test needs build; pack needs pack; pack needs test;",
        valid: any,
        fails: |input| {
            input.split(';').any(|task| {
                let words: Vec<&str> = task.split_whitespace().collect();
                words.len() == 3 && words[0] == words[2]
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let names = ["build", "test", "pack"];
                format!("{} needs {};", one(dice, &names), one(dice, &names))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: own: xml: a link inside a link",
        grammar: "@xml",
        input: "<p><a><b>x</b><i><a>y</a></i></a><a>z</a></p>",
        valid: |input| {
            let (open, close) = (input.matches("<a>").count(), input.matches("</a>").count());
            open == close && !input.contains(['!', '?', '&', '=', ' '])
        },
        fails: |input| {
            let mut depth = 0i32;
            input.split('<').any(|tag| {
                depth += i32::from(tag.starts_with("a>")) - i32::from(tag.starts_with("/a>"));
                depth >= 2
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let parts = joined(dice, count, "", |dice| {
                let inner = one(dice, &["x", "<a>y</a>", "<i><a>y</a></i>", "<b>x</b>", ""]);
                let outer = one(dice, &["a", "a", "b"]);
                format!("<{outer}>{inner}</{outer}>")
            });
            format!("<p>{parts}</p>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: plain: an address with a part above 255",
        grammar: "",
        input: "allow 10.0.0.1\ndeny 192.168.300.7\n",
        valid: any,
        fails: |input| {
            input.split([' ', '\n']).any(|word| {
                let parts: Vec<Option<u64>> =
                    word.split('.').map(|part| part.parse().ok()).collect();
                parts.len() == 4
                    && parts.iter().all(Option::is_some)
                    && parts.iter().flatten().any(|part| *part > 255)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, "\n", |dice| {
                let parts: Vec<String> = (0..4)
                    .map(|_| {
                        [dice.below(256), dice.below(256), 240 + dice.below(32)][dice.below(3)]
                            .to_string()
                    })
                    .collect();
                format!("{} {}", one(dice, &["allow", "deny"]), parts.join("."))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: plain: a section that is there twice",
        grammar: "",
        input: "[main]\na=1\n[net]\nport=2\n[main]\nb=3\n",
        valid: any,
        fails: |input| {
            let titles: Vec<&str> = input
                .lines()
                .filter(|line| line.len() > 2 && line.starts_with('[') && line.ends_with(']'))
                .collect();
            titles.iter().enumerate().any(|(at, title)| titles[at + 1..].contains(title))
        },
        draw: |dice| {
            let count = 2 + dice.below(2);
            joined(dice, count, "\n", |dice| {
                let title = one(dice, &["main", "net", "log", "db", "ui"]);
                format!("[{title}]\n{}={}", word(dice, 1), dice.below(9))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: plain: a line of more than 24 characters",
        grammar: "",
        input: "short line\nthis line is much longer than the others\nend\n",
        valid: any,
        fails: |input| input.lines().any(|line| line.chars().count() > 24),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let words = 1 + dice.below(4);
                joined(dice, words, " ", |dice| word(dice, 12))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: plain: a range that ends before it starts",
        grammar: "",
        input: "name=x\nfirst=40\nlast=12\nstep=3\n",
        valid: any,
        fails: |input| {
            let value = |key: &str| {
                input.lines().find(|line| line.starts_with(key)).and_then(|line| after(line, "="))
            };
            value("first=").zip(value("last=")).is_some_and(|(first, last)| last < first)
        },
        draw: |dice| {
            let lines = vec![
                format!("first={}", dice.below(50)),
                format!("last={}", dice.below(50)),
                format!("step={}", dice.below(5)),
            ];
            shuffled(dice, lines).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eleventh: binary: a record of type 2 before the first one of type 1",
        grammar: "",
        input: "\u{3}\u{2}ab\u{2}\u{1}c\u{1}\u{3}def\u{2}\u{0}",
        valid: |input| records(input).is_some(),
        fails: |input| {
            let kinds: Vec<u8> =
                records(input).into_iter().flatten().map(|(kind, _)| kind).collect();
            let of = |wanted: u8| kinds.iter().position(|kind| *kind == wanted);
            of(2).zip(of(1)).is_some_and(|(two, one)| two < one)
        },
        draw: |dice| {
            let mut all = Vec::new();
            for _ in 0..2 + dice.below(3) {
                let body = word(dice, 4);
                all.extend([[1, 2, 3][dice.below(3)], body.len() as u8]);
                all.extend(body.as_bytes());
            }
            text_of(&all)
        },
        patterns: &[],
    },
];
