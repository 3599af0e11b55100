//! Duplicates, equal names, rows of unequal length, and alternatives.

use std::collections::BTreeSet;

use crate::readers::items;
use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

const FUNCTIONS: &str = "grammar Functions; file: function* EOF;
    function: 'fn' NAME '(' (parameter (',' parameter)*)? ')' ';'; parameter: NAME ':' TYPE;
    TYPE: 'int' | 'text' | 'bool'; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const COMMANDS: &str = "grammar Commands; script: command* EOF;
    command: ('copy' | 'move' | 'erase' | 'wipe' | 'list') PATH ';';
    PATH: '/' [a-z/]*; WS: [ \\n]+ -> skip;";

/// The names of the parameters of each function.
fn parameters(input: &str) -> Vec<Vec<&str>> {
    let lists = input.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    lists
        .map(|list| {
            let names = list.split(',').filter_map(|one| one.split(':').next());
            names.map(str::trim).filter(|name| !name.is_empty()).collect()
        })
        .collect()
}

/// Whether something is there twice.
fn has_twice<T: Ord>(all: &[T]) -> bool {
    all.iter().collect::<BTreeSet<_>>().len() < all.len()
}

/// The causes.
pub const LISTED: &[TwoSided] = &[
    TwoSided {
        name: "fourteenth: own: two parameters of one name",
        grammar: FUNCTIONS,
        input: "fn a(x: int); fn go(left: int, right: text, left: bool); fn b();",
        valid: any,
        fails: |input| parameters(input).iter().any(|names| has_twice(names)),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let count = dice.below(4);
                let all = joined(dice, count, ", ", |dice| {
                    let name = one(dice, &["a", "b", "c", "x", "item"]).to_owned();
                    format!("{name}: {}", one(dice, &["int", "text", "bool"]))
                });
                format!("fn {}({all});", one(dice, &["f", "go", "a", "x"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: dot: an edge from a node to itself",
        grammar: "@dot",
        input: "digraph g { a -> b; c -> c; b -> d; }",
        // A blank inside of what is between two arrows is between two statements, which the program does not know.
        valid: |input| {
            let has_blank = |node: &str| node.trim().contains(char::is_whitespace);
            let mut edges =
                input.split(['{', '}', ';']).filter(|statement| statement.contains("->"));
            !input.contains(['"', '<', '[', '#', '/', ':'])
                && !input.contains("--")
                && edges.all(|edge| !edge.split("->").any(has_blank))
        },
        fails: |input| {
            input.split(['{', '}', ';']).any(|statement| {
                let nodes: Vec<&str> = statement.split("->").map(str::trim).collect();
                nodes.windows(2).any(|two| two[0] == two[1] && !two[0].is_empty())
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let edges = joined(dice, count, " ", |dice| {
                let nodes = ["a", "b", "c", "nod"];
                format!("{} -> {};", one(dice, &nodes), one(dice, &nodes))
            });
            format!("digraph g {{ {edges} }}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: sexp: a list with an atom twice",
        grammar: "@sexp",
        input: "(use (a b) (c d c) e)",
        valid: |input| {
            !input.contains(['"', ';', '\'', '#', '|', '`', ',', '\\', '[', ']', '{', '}'])
        },
        fails: |input| {
            let mut open: Vec<Vec<String>> = Vec::new();
            let spaced = input.replace('(', " ( ").replace(')', " ) ");
            spaced.split_whitespace().any(|token| match token {
                "(" => {
                    open.push(Vec::new());
                    false
                }
                ")" => {
                    open.pop();
                    false
                }
                atom => {
                    let Some(list) = open.last_mut() else { return false };
                    let is_there = list.iter().any(|one| one == atom);
                    list.push(atom.to_owned());
                    is_there
                }
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let lists = joined(dice, count, " ", |dice| {
                let count = 1 + dice.below(3);
                let atoms = joined(dice, count, " ", |dice| {
                    one(dice, &["a", "b", "c", "d", "up"]).to_owned()
                });
                format!("({atoms})")
            });
            format!("(use {lists})")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: plain: a tag twice",
        grammar: "",
        input: "title: a day\ntags: sun, sea, sun\ntext: b\n",
        valid: any,
        fails: |input| {
            let lists = input.lines().filter_map(|line| line.strip_prefix("tags: "));
            lists.into_iter().any(|list| {
                let tags = list.split(',').map(str::trim).filter(|tag| !tag.is_empty());
                let tags: Vec<&str> = tags.collect();
                has_twice(&tags)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let tags = joined(dice, count, ", ", |dice| {
                one(dice, &["sun", "sea", "sky", "a", "b", "rain"]).to_owned()
            });
            let lines = vec![
                format!("title: {}", word(dice, 4)),
                format!("tags: {tags}"),
                format!("text: {}", word(dice, 4)),
            ];
            format!("{}\n", shuffled(dice, lines).join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: json: rows of unequal length",
        grammar: "@json",
        input: r#"{"name":"m","rows":[[1,2],[3,4],[5]]}"#,
        valid: any,
        fails: |input| {
            let value = read(input);
            let rows = items(&value["rows"]);
            rows.iter().all(serde_json::Value::is_array)
                && rows.iter().any(|row| items(row).len() != items(&rows[0]).len())
        },
        draw: |dice| {
            let (count, length) = (1 + dice.below(3), 1 + dice.below(3));
            let rows: Vec<String> = (0..count)
                .map(|_| {
                    let length = if dice.below(4) == 0 { 1 + dice.below(3) } else { length };
                    format!("[{}]", joined(dice, length, ",", |dice| dice.below(9).to_string()))
                })
                .collect();
            format!("{{\"name\":\"{}\",\"rows\":[{}]}}", word(dice, 3), rows.join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: plain: lines with unequal numbers of bars",
        grammar: "",
        input: "a|b|c\nd|e|f\ng|h\n",
        valid: any,
        fails: |input| {
            let counts: Vec<usize> = input.lines().map(|line| line.matches('|').count()).collect();
            counts.windows(2).any(|two| two[0] != two[1])
        },
        draw: |dice| {
            let (count, cells) = (1 + dice.below(3), 1 + dice.below(3));
            let lines: Vec<String> = (0..count)
                .map(|_| {
                    let cells = if dice.below(4) == 0 { 1 + dice.below(3) } else { cells };
                    joined(dice, cells, "|", |dice| word(dice, 2))
                })
                .collect();
            format!("{}\n", lines.join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: own: an erased or wiped root",
        grammar: COMMANDS,
        input: "list /home; copy /a/b; wipe /; move /tmp;",
        valid: any,
        fails: |input| {
            input.split(';').any(|command| {
                let command = command.trim();
                let path = ["erase", "wipe"].iter().find_map(|word| command.strip_prefix(word));
                path.is_some_and(|path| path.trim() == "/")
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let command = one(dice, &["erase", "wipe", "copy", "list", "move", "wipe"]);
                format!("{command} {};", one(dice, &["/", "/", "/a", "/a/b", "/tmp"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: json: a payment by card or by transfer",
        grammar: "@json",
        input: r#"{"amount":12,"method":"card","note":"x"}"#,
        valid: any,
        fails: |input| matches!(read(input)["method"].as_str(), Some("card" | "transfer")),
        draw: |dice| {
            let method = one(dice, &["card", "transfer", "cash", "cheque", "car", ""]);
            let all = vec![
                format!("\"amount\":{}", dice.below(90)),
                format!("\"method\":\"{method}\""),
                format!("\"note\":\"{}\"", one(dice, &["card", "x", "cash", "transfer"])),
            ];
            format!("{{{}}}", shuffled(dice, all).join(","))
        },
        patterns: &[],
    },
];
