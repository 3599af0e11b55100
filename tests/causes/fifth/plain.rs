//! Causes in texts that no grammar reads.

use std::collections::BTreeSet;

use crate::two_sided::{TwoSided, any, joined, one, word};

fn numbers(input: &str) -> impl Iterator<Item = u128> {
    let words = input.split(|c: char| !c.is_ascii_digit()).map(str::to_owned);
    words.filter_map(|word| word.parse().ok())
}

/// The causes.
pub const PLAIN: &[TwoSided] = &[
    TwoSided {
        name: "fifth: plain: lines of unequal numbers of words",
        grammar: "",
        input: "a b c\nd e f\ng h\n",
        valid: |input| {
            input.bytes().all(|byte| b" \n".contains(&byte) || byte.is_ascii_lowercase())
        },
        fails: |input| {
            let counts: BTreeSet<usize> =
                input.lines().map(|line| line.split_whitespace().count()).collect();
            counts.len() > 1
        },
        draw: |dice| {
            let most = 1 + dice.below(3);
            let lines = 1 + dice.below(4);
            let all: Vec<String> = (0..lines)
                .map(|_| {
                    let words = if dice.below(5) == 0 { 1 + dice.below(3) } else { most };
                    joined(dice, words, " ", |dice| word(dice, 3))
                })
                .collect();
            all.join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: plain: more than a hundred percent",
        grammar: "",
        input: "load: 40% of 300\npeak: 130%\n",
        valid: any,
        fails: |input| {
            input.split('%').rev().skip(1).any(|before| {
                let digits = before.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
                digits.parse::<u64>().is_ok_and(|percent| percent > 100)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                format!(
                    "{}: {}{}",
                    word(dice, 4),
                    80 + dice.below(40),
                    one(dice, &["%", "%", "", "s"])
                )
            })
        },
        patterns: &[
            "<character>*<integer ≥ 101>%<character>*",
            "<any byte>*<integer ≥ 101>%<any byte>*",
            "<character>*<integer 101..(2^64 - 1)>%<character>*",
        ],
    },
    TwoSided {
        name: "fifth: plain: a key that is set twice",
        grammar: "",
        input: "host=a\nport=8\nuser=b\nport=9\n",
        valid: |input| input.lines().all(|line| line.find('=').is_some_and(|at| at > 0)),
        fails: |input| {
            let keys: Vec<&str> = input.lines().filter_map(|line| line.split('=').next()).collect();
            (1..keys.len()).any(|at| keys[..at].contains(&keys[at]))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "\n", |dice| {
                let key = one(dice, &["a", "bb", "c", "dd", "e", "f", "gg"]);
                format!("{key}={}", one(dice, &["1", "2", "x", "y"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: plain: a tab in the margin of a line",
        grammar: "",
        input: "a:\n  b: c\td\n \te: f\n",
        valid: any,
        fails: |input| {
            input.lines().any(|line| {
                let margin = line.len() - line.trim_start_matches([' ', '\t']).len();
                line[..margin].contains('\t')
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let margin = one(dice, &["", "  ", "", "\t", " \t"]);
                format!("{margin}{}{}", word(dice, 3), one(dice, &["", "", "\tx", " y"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: plain: a month that is none",
        grammar: "",
        input: "2024-13-05",
        valid: |input| {
            let parts: Vec<&str> = input.split('-').collect();
            let is_number = |part: &&str, digits: usize| {
                part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())
            };
            matches!(&parts[..], [y, m, d] if is_number(y, 4) && is_number(m, 2) && is_number(d, 2))
        },
        fails: |input| numbers(input).nth(1).is_some_and(|month| !(1..=12).contains(&month)),
        draw: |dice| {
            let (year, month) = (1990 + dice.below(40), dice.below(22));
            let month = if dice.below(4) == 0 { 0 } else { month };
            format!("{year}-{month:02}-{:02}", 1 + dice.below(28))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: plain: another number of words than is said",
        grammar: "",
        input: "3: ab cd ef gh",
        valid: |input| {
            let Some((count, words)) = input.split_once(':') else { return false };
            let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
            count.parse::<u32>().is_ok() && words.split(' ').all(is_word)
        },
        fails: |input| {
            let (count, words) = input.split_once(':').unwrap_or(("0", ""));
            count.parse().ok() != Some(words.split_whitespace().count())
        },
        draw: |dice| {
            let words = dice.below(6);
            let said = if dice.below(2) == 0 { words } else { dice.below(7) };
            let text = joined(dice, words, "", |dice| format!(" {}", word(dice, 3)));
            format!("{said}:{text}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: plain: an else before any if",
        grammar: "",
        input: "print\nelse\nif\nend\nelse\n",
        valid: |input| input.lines().all(|line| line.bytes().all(|byte| byte.is_ascii_lowercase())),
        fails: |input| {
            let of = |word: &str| input.lines().position(|line| line == word);
            of("else").is_some_and(|at| of("if").is_none_or(|first| first > at))
        },
        draw: |dice| {
            let count = 1 + dice.below(5);
            joined(dice, count, "\n", |dice| {
                one(dice, &["if", "else", "print", "end", "els"]).to_owned()
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: plain: a quote that is not closed in its line",
        grammar: "",
        input: "say \"hi\"\nsay \"ho\nsay \"a\" \"b\"\n",
        valid: any,
        fails: |input| input.lines().any(|line| line.matches('"').count() % 2 == 1),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let count = 1 + dice.below(3);
                joined(dice, count, " ", |dice| {
                    one(dice, &["say", "\"a\"", "\"b c\"", "d", "e", "\"f"]).to_owned()
                })
            })
        },
        patterns: &[],
    },
];
