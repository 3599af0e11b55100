//! Causes in s-expressions, XML, CSV and small languages.

use std::collections::HashSet;

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

const VARIABLES: &str =
    "grammar Variables; program: statement* EOF; statement: 'set' NAME N ';' | 'print' NAME ';';
    NAME: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip;";

const FILES: &str = "grammar Files; script: call* EOF; call: ACTION '(' N? ')' ';';
    ACTION: 'open' | 'close' | 'read' | 'write'; N: [0-9]+; WS: [ \\n]+ -> skip;";

const BLOBS: &str = "grammar Blobs; text: blob* EOF; blob: NAME '=' HEX ';';
    HEX: 'x' [0-9a-f]*; NAME: [A-Z]+; WS: [ \\n]+ -> skip;";

/// The lists of an s-expression of words: each as its first word and the number of its other items.
fn lists(input: &str) -> Vec<(String, usize)> {
    let spaced = input.replace('(', " ( ").replace(')', " ) ");
    let (mut open, mut done) = (Vec::<(Option<String>, usize)>::new(), Vec::new());
    for word in spaced.split_whitespace() {
        if word == ")" {
            let Some((head, others)) = open.pop() else { continue };
            done.extend(head.map(|head| (head, others)));
            continue;
        }
        let text = if word == "(" { "" } else { word };
        if let Some((head, others)) = open.last_mut() {
            match head {
                Some(_) => *others += 1,
                None => *head = Some(text.to_owned()),
            }
        }
        if word == "(" {
            open.push((None, 0));
        }
    }
    done
}

/// The causes.
pub const OWN: &[TwoSided] = &[
    TwoSided {
        name: "tenth: own: sexp: a set of one thing or an if of more than three",
        grammar: "@sexp",
        input: "(do (set x 1) (if a b c) (set y) (print 3 4 5 6))",
        valid: |input| !input.contains(['"', ';', '\'', '|', '`', ',', '#', '[']),
        fails: |input| {
            lists(input).iter().any(|(head, others)| match head.as_str() {
                "set" => *others == 1,
                "if" => *others > 3,
                _ => false,
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let calls = joined(dice, count, " ", |dice| {
                let head = one(dice, &["set", "if", "print", "set", "if"]);
                let others = ["", " x", " x 1", " a b c", " a b c 4", " 1 2 3 4 5"];
                format!("({head}{})", one(dice, &others))
            });
            format!("(do {calls})")
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: own: csv: an empty cell between two others",
        grammar: "@csv",
        input: "a,b,c\n1,,3\n,5,6\n",
        valid: |input| !input.contains(['"', '\r', ' ', '\t']),
        fails: |input| {
            input.lines().any(|row| {
                let cells: Vec<&str> = row.split(',').collect();
                cells.windows(3).any(|three| {
                    !three[0].is_empty() && three[1].is_empty() && !three[2].is_empty()
                })
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let rows = joined(dice, count, "\n", |dice| {
                joined(dice, 3, ",", |dice| one(dice, &["1", "x", "", "20"]).to_owned())
            });
            format!("{rows}\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: own: a variable that is printed and not set before",
        grammar: VARIABLES,
        input: "set a 1; print a; set c 5; print b; print c;",
        valid: |input| {
            let counts = input.split(';').map(|statement| statement.split_whitespace().count());
            counts.into_iter().all(|count| count != 1)
        },
        fails: |input| {
            let mut known = HashSet::new();
            input.split(';').any(|statement| {
                let words: Vec<&str> = statement.split_whitespace().collect();
                match words[..] {
                    ["set", name, _] => {
                        known.insert(name);
                        false
                    }
                    ["print", name] => !known.contains(name),
                    _ => false,
                }
            })
        },
        draw: |dice| {
            let mut all = Vec::new();
            for name in ["a", "b", "c"] {
                if dice.below(5) > 0 {
                    all.push(format!("set {name} {};", dice.below(9)));
                }
            }
            for _ in 0..1 + dice.below(2) {
                let print = format!("print {};", one(dice, &["a", "b", "c"]));
                let at = if dice.below(3) == 0 { dice.below(all.len() + 1) } else { all.len() };
                all.insert(at, print);
            }
            all.join(" ")
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: own: two opens without a close between them",
        grammar: FILES,
        input: "open(1); read(); close(); open(2); read(); open(3); write(4); close();",
        valid: any,
        fails: |input| {
            let mut is_open = false;
            input.split(';').any(|call| match call.trim() {
                call if call.starts_with("open") => std::mem::replace(&mut is_open, true),
                call if call.starts_with("close") => {
                    is_open = false;
                    false
                }
                _ => false,
            })
        },
        draw: |dice| {
            let count = 2 + dice.below(5);
            joined(dice, count, " ", |dice| {
                let action = one(dice, &["open", "close", "read", "open", "close"]);
                format!("{action}({});", one(dice, &["", "1", "2"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: own: xml: two elements of one id",
        grammar: "@xml",
        input: "<page><p id=\"top\"/><div lang=\"en\"><p id=\"end\"/></div><b id=\"top\"/></page>",
        valid: |input| {
            let is_plain = !input.contains(['!', '?', '&', '\'']);
            is_plain && input.split('=').skip(1).all(|rest| rest.starts_with('"'))
        },
        fails: |input| {
            let words = input.split([' ', '\n', '\t', '\r', '<', '/', '>']);
            let ids = words.filter_map(|word| word.strip_prefix("id=\"")?.strip_suffix('"'));
            let mut ids: Vec<&str> = ids.collect();
            ids.sort_unstable();
            ids.windows(2).any(|pair| pair[0] == pair[1])
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let all = joined(dice, count, "", |dice| {
                let names = ["top", "end", "x", "en"];
                let pairs = vec![
                    format!(" id=\"{}\"", one(dice, &names)),
                    format!(" lang=\"{}\"", one(dice, &names)),
                ];
                let name = one(dice, &["p", "b"]);
                format!("<{name}{}/>", shuffled(dice, pairs).concat())
            });
            format!("<page>{all}</page>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "tenth: own: an odd number of hexadecimal digits",
        grammar: BLOBS,
        input: "KEY=x00ff; SALT=xabc; IV=x12;",
        valid: any,
        fails: |input| {
            let blobs = input.split(';').filter_map(|blob| blob.split_once('='));
            let mut texts = blobs.map(|(_, text)| text.trim());
            texts.any(|text| text.len() % 2 == 0 && text.len() > 1)
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let digits: String =
                    (0..dice.below(9)).map(|_| one(dice, &["0", "7", "a", "f"])).collect();
                format!("{}=x{digits};", word(dice, 3).to_uppercase())
            })
        },
        patterns: &[],
    },
];
