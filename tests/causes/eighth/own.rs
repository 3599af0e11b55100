//! Causes in s-expressions, XML, tables, ini files and in small languages of commands.

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

const COMMANDS: &str = "grammar Commands; script: (command ';')* EOF; command: VERB word*; word: NAME | N | OPTION;
    VERB: 'login' | 'sudo' | 'delete' | 'list' | 'logout' | 'send'; OPTION: '-' [a-z]+; NAME: [a-z]+; N: [0-9]+;
    WS: [ \\n]+ -> skip;";

const POINTS: &str =
    "grammar Points; text: point* EOF; point: 'at' N ',' N unit? ';'; unit: 'mm' | 'cm' | 'in';
    N: '-'? [0-9]+; WS: [ \\n]+ -> skip;";

/// The lists of an s-expression, each as its first word, its number of other items, and its depth among `counted`.
fn lists(input: &str, counted: &[&str]) -> Vec<(String, usize, usize)> {
    let spaced = input.replace('(', " ( ").replace(')', " ) ");
    let (mut open, mut done) = (Vec::<(Option<String>, usize, usize)>::new(), Vec::new());
    for word in spaced.split_whitespace() {
        match word {
            "(" => {
                if let Some(last) = open.last_mut() {
                    last.1 += 1;
                    if last.0.is_none() {
                        last.0 = Some(String::new());
                    }
                }
                let depth = open.last().map_or(0, |last| last.2);
                open.push((None, 0, depth));
            }
            ")" => {
                let Some((head, count, depth)) = open.pop() else { continue };
                done.push((head.unwrap_or_default(), count.saturating_sub(1), depth));
            }
            _ => {
                if let Some(last) = open.last_mut() {
                    last.1 += 1;
                    if last.0.is_none() {
                        last.0 = Some(word.to_owned());
                        last.2 += usize::from(counted.contains(&word));
                    }
                }
            }
        }
    }
    done
}

/// The causes.
pub const OWN: &[TwoSided] = &[
    TwoSided {
        name: "eighth: own: sexp: five bindings in each other, of two kinds",
        grammar: "@sexp",
        input: "(let (x 1) (do (let (lambda (let (let 3 (lambda y))))) (f z)))",
        valid: |input| !input.contains(['"', ';', '\'', '|', '`', ',', '#', '[']),
        fails: |input| lists(input, &["let", "lambda"]).iter().any(|list| list.2 >= 5),
        draw: |dice| {
            let mut inner = String::from("x");
            for _ in 0..3 + dice.below(5) {
                let name = one(dice, &["let", "lambda", "let", "lambda", "do"]);
                let beside = one(dice, &["", " (let y)", " z"]);
                inner = format!("({name}{beside} {inner})");
            }
            inner
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: own: sexp: a division or a modulo of one thing",
        grammar: "@sexp",
        input: "(+ 1 (* 2 (div 4)) (mod 3 2))",
        valid: |input| !input.contains(['"', ';', '\'', '|', '`', ',', '#', '[']),
        fails: |input| {
            lists(input, &[])
                .iter()
                .any(|(head, count, _)| ["div", "mod"].contains(&head.as_str()) && *count == 1)
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let calls = joined(dice, count, " ", |dice| {
                let head = one(dice, &["div", "mod", "+", "f"]);
                let rest = one(dice, &[" 4", " 4 3", " x", " x y", "", " 1 2 3"]);
                format!("({head}{rest})")
            });
            format!("(+ {calls})")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: own: a login, a sudo and a delete in this order",
        grammar: COMMANDS,
        input: "list a; login me; send 4; sudo -n; list; delete x; logout;",
        valid: any,
        fails: |input| {
            let mut wanted = ["login", "sudo", "delete"].iter().peekable();
            for command in input.split(';') {
                if command.split_whitespace().next() == wanted.peek().map(|verb| **verb) {
                    wanted.next();
                }
            }
            wanted.peek().is_none()
        },
        draw: |dice| {
            let mut all = Vec::new();
            for verb in ["login", "sudo", "delete", "list", "logout"] {
                if dice.below(8) > 0 {
                    all.push(format!("{verb} {};", one(dice, &["a", "1", "-x", ""])));
                }
            }
            let all = match dice.below(3) {
                0 => shuffled(dice, all),
                _ => all,
            };
            all.join(" ")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: own: csv: a row with fewer cells than the first row",
        grammar: "@csv",
        input: "id,name,age\n1,x,3\n2,y\n3,z,4\n",
        valid: |input| !input.contains(['"', '\r']) && input.lines().all(|row| !row.is_empty()),
        fails: |input| {
            let counts: Vec<usize> = input.lines().map(|row| row.split(',').count()).collect();
            counts.iter().any(|count| count < &counts[0])
        },
        draw: |dice| {
            let wide = 2 + dice.below(3);
            let mut rows = vec![vec!["a"; wide].join(",")];
            for _ in 0..1 + dice.below(3) {
                let cells = wide + [0, 0, 0, 1, 2][dice.below(5)] - usize::from(dice.below(3) == 0);
                rows.push(vec![one(dice, &["1", "x", ""]); cells].join(","));
            }
            format!("{}\n", rows.join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: own: csv: a total that is not the sum of the two numbers before it",
        grammar: "@csv",
        input: "3,4,7\n10,2,13\n1,1,2\n",
        valid: |input| {
            input.lines().all(|row| {
                let cells: Vec<Result<u32, _>> = row.split(',').map(str::parse::<u32>).collect();
                cells.len() == 3 && cells.iter().all(|cell| cell.as_ref().is_ok_and(|n| *n < 1000))
            })
        },
        fails: |input| {
            input.lines().any(|row| {
                let cells: Vec<u32> = row.split(',').filter_map(|cell| cell.parse().ok()).collect();
                cells[0] + cells[1] != cells[2]
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let rows = joined(dice, count, "\n", |dice| {
                let (a, b) = (dice.below(30), dice.below(30));
                let sum = a + b + [0, 0, 1, dice.below(40)][dice.below(4)];
                format!("{a},{b},{sum}")
            });
            format!("{rows}\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: own: ini: two sections with the same port",
        grammar: "@ini",
        input: "[web]\nport=80\nuser=a\n[mail]\nport=25\n[old]\nport=80\n",
        valid: |input| !input.contains([';', '#', '"', '\r']),
        fails: |input| {
            let mut ports: Vec<&str> =
                input.lines().filter_map(|line| line.strip_prefix("port=")).collect();
            ports.sort_unstable();
            ports.windows(2).any(|pair| pair[0] == pair[1])
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let port = one(dice, &["80", "25", "443", "8080"]);
                let user = one(dice, &["80", "25", "a", "b"]);
                let lines = vec![format!("port={port}"), format!("user={user}")];
                format!("[{}]\n{}", word(dice, 4), shuffled(dice, lines).join("\n"))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: own: a point in inches that is left of 0",
        grammar: POINTS,
        input: "at 3,4 mm; at -7,2 in; at 0,0;",
        valid: any,
        fails: |input| {
            input.split(';').any(|point| {
                let point = point.trim();
                point.ends_with("in")
                    && point.trim_start_matches("at").trim_start().starts_with('-')
                    && point.trim_start_matches("at").trim_start()[1..]
                        .split(|c: char| !c.is_ascii_digit())
                        .next()
                        .is_some_and(|digits| digits.bytes().any(|digit| digit != b'0'))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let (x, y) = (dice.below(12) as i32 - 7, dice.below(12) as i32 - 6);
                format!("at {x},{y} {};", one(dice, &["in", "in", "in", "mm", ""]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighth: own: xml: an id with a character that is not ASCII",
        grammar: "@xml",
        input: "<doc t=\"\u{e4}\"><p id=\"a\u{df}b\">\u{fc}</p><q id=\"x\"/></doc>",
        valid: |input| !input.contains(['!', '?', '&', '\'']),
        fails: |input| {
            input
                .split([' ', '\n', '\t', '\r'])
                .filter_map(|word| word.strip_prefix("id=\""))
                .any(|rest| rest.split('"').next().is_some_and(|value| !value.is_ascii()))
        },
        draw: |dice| {
            let value = |dice: &mut seedsmith_grammar::Random| {
                one(dice, &["a", "a\u{e9}", "xy", "\u{3b1}", "b1"])
            };
            let (id, other, text) = (value(dice), value(dice), value(dice));
            let pairs = vec![format!(" id=\"{id}\""), format!(" t=\"{other}\"")];
            format!("<doc><p{}>{text}</p></doc>", shuffled(dice, pairs).concat())
        },
        patterns: &[],
    },
];
