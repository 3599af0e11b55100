//! Causes in XML, CSV and ini files in the built-in grammars, and in small languages with their own.

use std::collections::BTreeSet;

use seedsmith_grammar::Random;

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

const BLOCKS: &str = "grammar Blocks; blocks: step* EOF; step: ('begin' | 'end' | call) ';';
    call: 'call' NAME; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const LETS: &str = "grammar Lets; script: statement* EOF; statement: (let | print) ';';
    let: 'let' NAME '=' N; print: 'print' NAME; NAME: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip;";

const MATRIX: &str = "grammar Matrix; matrix: size ':' N* EOF; size: N 'x' N; N: [0-9]+;
    WS: ' '+ -> skip;";

const CALL: &str = "grammar Call; call: NAME '(' (argument (',' argument)*)? ')' EOF;
    argument: NAME '=' N; NAME: [a-z]+; N: [0-9]+;";

fn numbers(input: &str) -> Vec<u128> {
    let words = input.split(|c: char| !c.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

/// The tags of a document without texts: name, attributes, whether it is an end, whether it is empty.
fn tags(input: &str) -> Vec<(&str, &str, bool, bool)> {
    let tags = input.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
    tags.map(|(tag, _)| {
        let (is_end, is_empty) = (tag.starts_with('/'), tag.ends_with('/'));
        let inner = tag.trim_matches('/').trim();
        let (name, rest) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        (name, rest, is_end, is_empty)
    })
    .collect()
}

/// Whether each end tag has the name of the tag that it ends, as far as a simple reader sees.
fn is_matched(input: &str) -> bool {
    let mut open = Vec::new();
    for (name, _, is_end, is_empty) in tags(input) {
        if is_end && open.pop() != Some(name) {
            return false;
        }
        if !is_end && !is_empty {
            open.push(name);
        }
    }
    open.is_empty() && !input.contains(['!', '?', '&', '\''])
}

/// For each element its name, how deep it is, and those of its children.
fn children(input: &str) -> Vec<(&str, Vec<&str>)> {
    let (mut open, mut found): (Vec<(&str, Vec<&str>)>, Vec<_>) = (Vec::new(), Vec::new());
    for (name, _, is_end, is_empty) in tags(input) {
        if is_end {
            found.extend(open.pop());
            continue;
        }
        if let Some((_, inside)) = open.last_mut() {
            inside.push(name);
        }
        if !is_empty {
            open.push((name, Vec::new()));
        }
    }
    found
}

fn rows(input: &str) -> Vec<Vec<&str>> {
    input.trim_end_matches('\n').split('\n').map(|line| line.split(',').collect()).collect()
}

/// The keys and values of an ini file by section.
fn sections(input: &str) -> Vec<Vec<(&str, &str)>> {
    let mut found = vec![Vec::new()];
    for line in input.lines().map(str::trim) {
        if line.starts_with('[') {
            found.push(Vec::new());
        } else if let Some((key, value)) = line.split_once('=') {
            found.last_mut().expect("one at least").push((key.trim(), value.trim()));
        }
    }
    found
}

fn element(dice: &mut Random) -> String {
    let name = one(dice, &["item", "item", "row", "b"]);
    match dice.below(3) {
        0 => format!("<{name}/>"),
        1 => format!("<{name} id=\"{}\"/>", word(dice, 2)),
        _ => format!("<{name} id=\"{}\" k=\"v\"><c/></{name}>", dice.below(9)),
    }
}

fn row(dice: &mut Random) -> String {
    let cells = 2 + usize::from(dice.below(3) == 0);
    joined(dice, cells, ",", |dice| word(dice, 3))
}

fn step(dice: &mut Random) -> String {
    one(dice, &["begin;", "end;", "begin;", "end;", "call f;"]).to_owned()
}

fn statement(dice: &mut Random) -> String {
    let name = one(dice, &["a", "b", "cc"]);
    match dice.below(3) {
        0 => format!("print {name};"),
        _ => format!("let {name}={};", dice.below(20)),
    }
}

/// The causes.
pub const OWN: &[TwoSided] = &[
    TwoSided {
        name: "own: xml: an item without an id",
        grammar: "@xml",
        input: r#"<list><item id="1"/><item name="x"/><row/></list>"#,
        valid: is_matched,
        fails: |input| {
            let is_meant = |(name, attributes, is_end, _): &(&str, &str, bool, bool)| {
                let mut names = attributes.split_whitespace().map(|one| one.split('=').next());
                *name == "item" && !is_end && !names.any(|name| name == Some("id"))
            };
            tags(input).iter().any(is_meant)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            format!("<list>{}</list>", joined(dice, count, "", element))
        },
        patterns: &["<<item/>", "<<item />"],
    },
    TwoSided {
        name: "own: xml: more than three rows in an element",
        grammar: "@xml",
        input: r#"<t><row a="1"/><row/><b/><row>x</row><row/><row/></t>"#,
        valid: is_matched,
        fails: |input| {
            children(input)
                .iter()
                .any(|(_, inside)| inside.iter().filter(|name| **name == "row").count() > 3)
        },
        draw: |dice| {
            let count = 2 + dice.below(6);
            let rows = joined(dice, count, "", |dice| {
                one(dice, &["<row/>", "<row/>", "<row k=\"v\"/>", "<b/>", "<row><c/></row>"])
                    .to_owned()
            });
            format!("<t>{rows}</t>")
        },
        patterns: &[
            "<<<name>><<row/><<row/><<row/><<row/><</<name>>",
            "<<<$name1>><<row/><<row/><<row/><<row/><</<$name1>>",
            "<<<$NAME1>><<row/><<row/><<row/><<row/><</<$NAME1>>",
        ],
    },
    TwoSided {
        name: "own: csv: more cells than the header has",
        grammar: "@csv",
        input: "id,name\n1,x\n2,y,z\n3,w\n",
        valid: |input| !input.contains('"'),
        fails: |input| rows(input).iter().any(|row| row.len() > rows(input)[0].len()),
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "\n", row)
        },
        patterns: &[],
    },
    TwoSided {
        name: "own: csv: a negative number in the second column",
        grammar: "@csv",
        input: "name,amount\nx,5\ny,-3\nz,1\n",
        valid: any,
        fails: |input| {
            let is_negative = |cell: &&str| {
                cell.strip_prefix('-').is_some_and(|rest| {
                    !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit())
                })
            };
            !input.contains('"')
                && rows(input).iter().any(|row| row.get(1).is_some_and(is_negative))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let cell = |dice: &mut Random| match dice.below(5) {
                    0 => format!("-{}", dice.below(20)),
                    1 => dice.below(20).to_string(),
                    2 => format!("{}-1", word(dice, 2)),
                    _ => word(dice, 3),
                };
                format!("{},{},{}", cell(dice), cell(dice), cell(dice))
            })
        },
        patterns: &["<field>,-<digit>+", "<TEXT>?,-<digit>+"],
    },
    TwoSided {
        name: "own: ini: a key twice in a section",
        grammar: "@ini",
        input: "[core]\nname=x\nsize=3\nname=y\n[user]\nname=z\n",
        valid: |input| {
            input.lines().all(|line| line.contains(['[', '=']) || line.trim().is_empty())
        },
        fails: |input| {
            sections(input).iter().any(|section| {
                let keys: BTreeSet<&str> = section.iter().map(|pair| pair.0).collect();
                keys.len() < section.len()
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let count = dice.below(4);
                let pairs = joined(dice, count, "", |dice| {
                    format!("{}={}\n", one(dice, &["a", "b", "c", "dd", "e"]), word(dice, 3))
                });
                format!("[{}]\n{pairs}", word(dice, 3))
            })
        },
        patterns: &["<$key1>=\n<$key1>=", "<$KEY1>=\n<$KEY1>=", "<$key1>=<value>\n<$key1>=<value>"],
    },
    TwoSided {
        name: "own: ini: the most is less than the least",
        grammar: "@ini",
        input: "[pool]\nname=p\nleast=10\nmost=3\n",
        valid: any,
        fails: |input| {
            let all: Vec<(&str, &str)> = sections(input).concat();
            let of = |key: &str| {
                let value = all.iter().find(|pair| pair.0 == key)?.1;
                value.parse::<u64>().ok()
            };
            of("most").zip(of("least")).is_some_and(|(most, least)| most < least)
        },
        draw: |dice| {
            let mut pairs = vec![
                format!("least={}\n", dice.below(30)),
                format!("most={}\n", dice.below(30)),
                format!("{}={}\n", word(dice, 3), dice.below(99)),
            ];
            if dice.below(6) == 0 {
                pairs.remove(dice.below(2));
            }
            format!("[{}]\n{}", word(dice, 3), shuffled(dice, pairs).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "own: a block that is not ended",
        grammar: BLOCKS,
        input: "begin; call f; begin; end; call g;",
        valid: any,
        fails: |input| input.matches("begin").count() > input.matches("end").count(),
        draw: |dice| {
            let count = dice.below(7);
            joined(dice, count, " ", step)
        },
        patterns: &[],
    },
    TwoSided {
        name: "own: a name that is printed before it is set",
        grammar: LETS,
        input: "let a = 1; print a; print b; let b = 2;",
        valid: any,
        fails: |input| {
            let mut known = BTreeSet::new();
            input.split(';').map(str::trim).any(|statement| {
                if let Some(rest) = statement.strip_prefix("let") {
                    known.insert(rest.split('=').next().unwrap_or("").trim().to_owned());
                }
                statement.strip_prefix("print").is_some_and(|name| !known.contains(name.trim()))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(5);
            joined(dice, count, " ", statement)
        },
        patterns: &[],
    },
    TwoSided {
        name: "own: a matrix of another size than is said",
        grammar: MATRIX,
        input: "2x3: 1 2 3 4 5",
        valid: |input| numbers(input).len() >= 2,
        fails: |input| {
            let all = numbers(input);
            all[0].saturating_mul(all[1]) != all.len() as u128 - 2
        },
        draw: |dice| {
            let (rows, columns) = (dice.below(4), dice.below(4));
            let count = if dice.below(2) == 0 { rows * columns } else { dice.below(8) };
            let all = joined(dice, count, " ", |dice| dice.below(20).to_string());
            format!("{rows}x{columns}: {all}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "own: a call with a width and no height",
        grammar: CALL,
        input: "draw(depth=1,width=40,height2=3)",
        valid: any,
        fails: |input| {
            let mut names =
                input.split(['(', ',']).map(|part| part.split('=').next().unwrap_or(""));
            let names: Vec<&str> = names.by_ref().skip(1).collect();
            names.contains(&"width") && !names.contains(&"height")
        },
        draw: |dice| {
            let count = dice.below(4);
            let arguments = joined(dice, count, ",", |dice| {
                let name = one(dice, &["width", "height", "depth", "width"]);
                format!("{name}={}", dice.below(50))
            });
            format!("{}({arguments})", word(dice, 4))
        },
        patterns: &[],
    },
];
