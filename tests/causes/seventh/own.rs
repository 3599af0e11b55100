//! Causes in XML, in tables and in a language of expressions.

use crate::two_sided::{TwoSided, any, joined, one, word};

const SUMS: &str =
    "grammar Sums; text: line* EOF; line: NAME '=' sum ';'; sum: sum ('*' | '/' | '%') sum
    | sum ('+' | '-') sum | '(' sum ')' | N | NAME; NAME: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip;";

/// The causes.
pub const OWN: &[TwoSided] = &[
    TwoSided {
        name: "seventh: own: a quotient or a remainder by 0",
        grammar: SUMS,
        input: "a = 4 * (b + 1); c = a - 8 % 0 + 2;",
        valid: any,
        fails: |input| {
            input.split(['/', '%']).skip(1).any(|rest| {
                let digits = rest.trim_start();
                let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
                end > 0 && digits[..end].bytes().all(|byte| byte == b'0')
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let signs = ["/", "%", "+", "-", "*", "/", "%"];
                let (first, second) = (one(dice, &signs), one(dice, &signs));
                let right = one(dice, &["0", "1", "b", "7"]);
                let last = one(dice, &["0", "10", "c", "3"]);
                format!("x = {} {first} {right} {second} {last};", dice.below(2))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventh: own: xml: a list five deep",
        grammar: "@xml",
        input: "<doc><ul><li><ul><b><ul/></b></ul></li></ul><p/><ul><ul><ul><ul><ul>x</ul></ul></ul></ul></ul></doc>",
        valid: |input| !input.contains(['!', '?', '&']),
        fails: |input| {
            let (mut open, mut most) = (Vec::new(), 0);
            for tag in input.split('<').skip(1).filter_map(|tag| tag.split('>').next()) {
                if tag.starts_with('/') {
                    open.pop();
                    continue;
                }
                let name = tag.split([' ', '/', '\n', '\t', '\r']).next().unwrap_or("");
                open.push(name == "ul");
                most = most.max(open.iter().filter(|is_list| **is_list).count());
                if tag.ends_with('/') {
                    open.pop();
                }
            }
            most >= 5
        },
        draw: |dice| {
            let mut inner = String::from("x");
            for _ in 0..3 + dice.below(5) {
                let name = one(dice, &["ul", "ul", "ul", "ul", "li"]);
                let beside = one(dice, &["", "<ul/>", "y"]);
                inner = format!("<{name}>{beside}{inner}</{name}>");
            }
            format!("<doc>{inner}</doc>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventh: own: csv: the same id in two rows",
        grammar: "@csv",
        input: "id,name\n4,x\n7,y\n4,z\n",
        valid: |input| {
            let rows: Vec<&str> = input.lines().collect();
            !input.contains(['"', '\r'])
                && rows.first().is_some_and(|row| row.starts_with("id,"))
                && rows.iter().all(|row| row.split(',').count() >= 2)
        },
        fails: |input| {
            let ids = input.lines().skip(1).filter_map(|row| row.split(',').next());
            let mut ids: Vec<&str> = ids.collect();
            ids.sort_unstable();
            ids.windows(2).any(|pair| pair[0] == pair[1])
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let rows = joined(dice, count, "\n", |dice| {
                format!("{},{}", dice.below(9), one(dice, &["x", "y", "4", "7"]))
            });
            format!("id,name\n{rows}\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventh: own: csv: a refund without a note",
        grammar: "@csv",
        input: "sale,10,ok\nrefund,4,\nrefund,3,broken\nsale,2,\n",
        valid: |input| {
            !input.contains(['"', '\r']) && input.lines().all(|row| row.split(',').count() == 3)
        },
        fails: |input| input.lines().any(|row| row.starts_with("refund,") && row.ends_with(',')),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rows = joined(dice, count, "\n", |dice| {
                let kind = one(dice, &["sale", "refund", "refund"]);
                let note = if dice.below(2) == 0 { String::new() } else { word(dice, 3) };
                format!("{kind},{},{note}", one(dice, &["", "1", "23", "4"]))
            });
            format!("{rows}\n")
        },
        patterns: &[],
    },
];
