//! Causes in texts of which no grammar is known.

use seedsmith_grammar::Random;

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// A number, a mark, and what follows it.
fn prefixed<'t>(input: &'t str, mark: &str) -> Option<(u64, &'t str)> {
    let (number, rest) = input.split_once(mark)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| is_number).map(|number| (number, rest))
}

fn is_words(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// How deep parentheses are nested.
fn depth(input: &str) -> i32 {
    let (mut depth, mut most) = (0, 0);
    for c in input.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        most = most.max(depth);
    }
    most
}

fn lines(dice: &mut Random, most: usize, make: fn(&mut Random) -> String) -> String {
    let count = dice.below(most + 1);
    joined(dice, count, "\n", make)
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "plain: fewer lines than the first one says",
        grammar: "",
        input: "5\nred\ngreen\nblue",
        valid: |input| prefixed(input, "\n").is_some_and(|(_, rest)| rest.lines().all(is_words)),
        fails: |input| {
            prefixed(input, "\n").is_some_and(|(count, rest)| count > rest.lines().count() as u64)
        },
        draw: |dice| format!("{}\n{}", dice.below(6), lines(dice, 5, |dice| word(dice, 4))),
        patterns: &[],
    },
    TwoSided {
        name: "plain: a text shorter than the number before it",
        grammar: "",
        input: "12:hello",
        valid: |input| prefixed(input, ":").is_some_and(|(_, text)| is_words(text)),
        fails: |input| prefixed(input, ":").is_some_and(|(count, text)| count > text.len() as u64),
        draw: |dice| format!("{}:{}", dice.below(8), word(dice, 7)),
        patterns: &[],
    },
    TwoSided {
        name: "plain: a brace that is not closed",
        grammar: "",
        input: "a { b { c } d",
        valid: any,
        fails: |input| input.matches('{').count() > input.matches('}').count(),
        draw: |dice| {
            let count = dice.below(7);
            joined(dice, count, " ", |dice| one(dice, &["{", "}", "{", "}", "a", "b1"]).to_owned())
        },
        patterns: &[],
    },
    TwoSided {
        name: "plain: a label that is used and not set",
        grammar: "",
        input: "label top\ngoto top\ngoto end\nlabel mid",
        valid: any,
        fails: |input| {
            let of = |keyword: &str| -> Vec<&str> {
                input.lines().filter_map(|line| line.strip_prefix(keyword)).collect()
            };
            let labels = of("label ");
            of("goto ").iter().any(|name| !labels.contains(name))
        },
        draw: |dice| {
            lines(dice, 5, |dice| {
                let name = one(dice, &["a", "b", "cc"]);
                format!("{} {name}", one(dice, &["label", "label", "goto"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "plain: a list with a word twice",
        grammar: "",
        input: "red,green,blue,green",
        valid: |input| input.split(',').all(|one| !one.is_empty() && is_words(one)),
        fails: |input| {
            let mut all: Vec<&str> = input.split(',').collect();
            all.sort_unstable();
            all.windows(2).any(|pair| pair[0] == pair[1])
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, ",", |dice| one(dice, &["a", "b", "cc", "d", "ee"]).to_owned())
        },
        patterns: &["<$word1>,<$word1>", "<$lower1>,<$lower1>"],
    },
    TwoSided {
        name: "plain: a read after a free after an alloc",
        grammar: "",
        input: "init\nalloc p\nwrite p\nfree p\nread p\n",
        valid: any,
        fails: |input| {
            let mut lines = input.lines().map(|line| line.split(' ').next().unwrap_or(""));
            ["alloc", "free", "read"].iter().all(|name| lines.any(|line| line == *name))
        },
        draw: |dice| {
            let mut steps: Vec<String> =
                ["alloc p", "free p", "read p"].iter().map(|step| (*step).to_owned()).collect();
            if dice.below(2) == 0 {
                steps = shuffled(dice, steps);
            }
            if dice.below(4) == 0 {
                steps.remove(dice.below(3));
            }
            for _ in 0..dice.below(3) {
                steps.insert(dice.below(steps.len() + 1), format!("{} q", word(dice, 4)));
            }
            steps.join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "plain: a text as long as the number before it",
        grammar: "",
        input: "5 hello",
        valid: |input| {
            prefixed(input, " ").is_some_and(|(_, text)| is_words(text) && !text.is_empty())
        },
        fails: |input| prefixed(input, " ").is_some_and(|(count, text)| count == text.len() as u64),
        draw: |dice| {
            let text = word(dice, 6);
            let number = if dice.below(2) == 0 { text.len() } else { dice.below(7) };
            format!("{number} {text}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "plain: a sender and no date",
        grammar: "",
        input: "From: me\nSubject: hi\nTo: you\n",
        valid: |input| input.lines().all(|line| line.contains(": ")),
        fails: |input| {
            let has = |name: &str| input.lines().any(|line| line.starts_with(name));
            has("From: ") && !has("Date: ")
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "\n", |dice| {
                let name = one(dice, &["From", "From", "Date", "Subject", "To"]);
                format!("{name}: {}", word(dice, 4))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "plain: a sum or an average of nothing",
        grammar: "",
        input: "x = max(1) + sum() - avg() * abs()",
        valid: any,
        fails: |input| input.contains("sum()") || input.contains("avg()"),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " + ", |dice| {
                let name = one(dice, &["sum", "avg", "max", "abs"]);
                format!("{name}({})", one(dice, &["", "", "1", "x"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "plain: calls in calls in calls",
        grammar: "",
        input: "print(f(a, g(h(1))), 2)",
        valid: |input| input.matches('(').count() == input.matches(')').count(),
        fails: |input| depth(input) >= 4,
        draw: |dice| {
            let mut inner = word(dice, 3);
            for _ in 0..dice.below(8) {
                inner = match dice.below(3) {
                    0 => format!("({inner})+(x)"),
                    1 => format!("{inner},()"),
                    _ => format!("f({inner})"),
                };
            }
            inner
        },
        patterns: &[
            "<character>*(<character>*(<character>*(<character>*(<character>*)<character>*)<character>*)<character>*)<character>*",
        ],
    },
];
