//! Causes in languages of their own.

use crate::two_sided::{TwoSided, any, joined, one, word};

const SUMS: &str = "grammar Sums; sum: value EOF; value: '(' value OP value ')' | NUMBER | NAME;
    OP: [+*/-]; NUMBER: [0-9]+; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const CALLS: &str =
    "grammar Calls; script: call* EOF; call: NAME '(' (argument (',' argument)*)? ')' ';';
    argument: NAME | NUMBER; NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

const FILES: &str =
    "grammar Files; script: step* EOF; step: ('open' | 'close' | 'write' | 'seek') FILE ';';
    FILE: [A-Z]; WS: [ \\n]+ -> skip;";

const MATRIX: &str =
    "grammar Matrix; matrix: '[' row (';' row)* ']' EOF; row: NUMBER (',' NUMBER)*;
    NUMBER: '-'? [0-9]+ ('.' [0-9]+)?; WS: [ \\n]+ -> skip;";

const SHAPES: &str = "grammar Shapes; drawing: shape* EOF; shape: box | circle | group;
    box: 'box' NUMBER NUMBER ';'; circle: 'circle' NUMBER ';'; group: 'group' '{' shape* '}';
    NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

const TYPES: &str = "grammar Types; file: field* EOF; field: NAME ':' type ';';
    type: 'list' '<' type '>' | 'option' '<' type '>' | NAME; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const VARIABLES: &str =
    "grammar Variables; script: (let | print)* EOF; let: 'let' NAME '=' NUMBER ';';
    print: 'print' NAME ';'; NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

/// The words and marks of a text.
fn tokens(input: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in input.chars() {
        let is_word = c.is_ascii_alphanumeric();
        match found.last_mut().filter(|_| is_open && is_word) {
            Some(last) => last.push(c),
            None if c.is_whitespace() => {}
            None => found.push(c.to_string()),
        }
        is_open = is_word;
    }
    found
}

/// How deep lists and options are nested.
fn type_depth(field: &str) -> usize {
    field.matches('<').count()
}

/// The causes.
pub const OWN: &[TwoSided] = &[
    TwoSided {
        name: "thirteenth: own: a division by zero",
        grammar: SUMS,
        input: "((a + 3) * ((7 / 0) - b))",
        valid: any,
        fails: |input| {
            let all = tokens(input);
            let is_zero = |text: &str| text.bytes().all(|byte| byte == b'0');
            all.windows(2).any(|two| two[0] == "/" && is_zero(&two[1]))
        },
        draw: |dice| {
            let value = |dice: &mut seedsmith_grammar::Random| {
                one(dice, &["0", "0", "3", "a", "10", "00"]).to_owned()
            };
            let [mut left, mut right] = [value(dice), value(dice)];
            for _ in 0..dice.below(2) {
                let inner = format!("({left} {} {right})", one(dice, &["+", "/", "*", "-"]));
                (left, right) = match dice.below(2) {
                    0 => (inner, value(dice)),
                    _ => (value(dice), inner),
                };
            }
            format!("({left} {} {right})", one(dice, &["+", "/", "/", "-"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: own: a call with more than four arguments",
        grammar: CALLS,
        input: "f(a, 1); go(a, b, 3, d, 5, c); h();",
        valid: any,
        fails: |input| {
            let calls = input.split(';').filter(|call| call.contains('('));
            calls.into_iter().any(|call| call.matches(',').count() >= 4)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let count = [0, 1, 3, 4, 4, 5, 6][dice.below(7)];
                let all =
                    joined(dice, count, ", ", |dice| one(dice, &["a", "b", "1", "20"]).into());
                format!("{}({all});", word(dice, 2))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: own: a write after a close",
        grammar: FILES,
        input: "open A; write A; close A; open B; write B;",
        valid: any,
        fails: |input| {
            let steps: Vec<&str> = input.split(';').map(str::trim).collect();
            let close = steps.iter().position(|step| step.starts_with("close"));
            close.is_some_and(|at| steps[at..].iter().any(|step| step.starts_with("write")))
        },
        draw: |dice| {
            let count = 2 + dice.below(4);
            joined(dice, count, " ", |dice| {
                let step = one(dice, &["open", "close", "write", "seek", "close", "write"]);
                format!("{step} {};", one(dice, &["A", "B", "C"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: own: a row that is longer than another",
        grammar: MATRIX,
        input: "[1, 2; 3, 4; 5, 6, 7; 8, 9]",
        valid: any,
        fails: |input| {
            let rows: Vec<usize> = input.split(';').map(|row| row.matches(',').count()).collect();
            rows.iter().any(|row| *row != rows[0])
        },
        draw: |dice| {
            let (rows, cells) = (1 + dice.below(3), 1 + dice.below(3));
            let row = |dice: &mut seedsmith_grammar::Random, cells: usize| {
                joined(dice, cells, ", ", |dice| dice.below(20).to_string())
            };
            let mut all: Vec<String> = (0..rows).map(|_| row(dice, cells)).collect();
            if dice.below(2) == 0 {
                let at = dice.below(rows);
                let cells = 1 + dice.below(4);
                all[at] = row(dice, cells);
            }
            format!("[{}]", all.join("; "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: own: a negative number and one of three decimals",
        grammar: MATRIX,
        input: "[1.5, 2; -3, 4.125]",
        valid: any,
        fails: |input| {
            let all = input.split(['[', ',', ';', ']']).map(str::trim);
            let decimals =
                |one: &str| one.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            all.clone().any(|one| one.starts_with('-')) && all.clone().any(|one| decimals(one) >= 3)
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let rows = joined(dice, count, "; ", |dice| {
                let count = 1 + dice.below(3);
                joined(dice, count, ", ", |dice| {
                    one(dice, &["1", "-2", "0.5", "3.125", "-1.25", "0.0625", "12", "-7.125"])
                        .into()
                })
            });
            format!("[{rows}]")
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: own: an empty group",
        grammar: SHAPES,
        input: "box 3 4; group { circle 5; group { } box 1 2; }",
        valid: any,
        fails: |input| tokens(input).windows(2).any(|two| two[0] == "{" && two[1] == "}"),
        draw: |dice| {
            let shape = |dice: &mut seedsmith_grammar::Random| {
                one(dice, &["box 1 2;", "circle 5;", "group { circle 1; }", ""]).to_owned()
            };
            let mut text = shape(dice);
            for _ in 0..1 + dice.below(2) {
                text = format!("{} group {{ {text} }} {}", shape(dice), shape(dice));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: own: a type of lists and options four deep",
        grammar: TYPES,
        input: "a: int; b: list<option<list<option<text>>>>; c: list<int>;",
        valid: any,
        fails: |input| input.split(';').any(|field| type_depth(field) >= 4),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let mut of = word(dice, 2);
                for _ in 0..[0, 2, 3, 3, 4, 5][dice.below(6)] {
                    of = format!("{}<{of}>", one(dice, &["list", "option"]));
                }
                format!("{}: {of};", word(dice, 2))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirteenth: own: a printed name that is not defined",
        grammar: VARIABLES,
        input: "let a = 3; print a; let b = 4; print c;",
        valid: any,
        fails: |input| {
            let all = tokens(input);
            let after = |word: &'static str| {
                let all = all.clone();
                (1..all.len()).filter(move |at| all[at - 1] == word).collect::<Vec<usize>>()
            };
            let defined: Vec<&String> = after("let").into_iter().map(|at| &all[at]).collect();
            after("print").into_iter().any(|at| !defined.contains(&&all[at]))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, " ", |dice| match dice.below(2) {
                0 => format!("let {} = {};", one(dice, &["a", "b", "c"]), dice.below(9)),
                _ => format!("print {};", one(dice, &["a", "b", "c"])),
            })
        },
        patterns: &[],
    },
];
