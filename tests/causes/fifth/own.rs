//! Causes in XML, CSV and ini files in the built-in grammars, and in small languages with their own.

use std::collections::BTreeSet;

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

const SHIFTS: &str = "grammar Shifts; text: step* EOF; step: NAME OP N ';'; OP: '<<' | '>>' | '+';
    NAME: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip;";

const CALLS: &str = "grammar Calls; text: call (';' call)* EOF; call: NAME '(' (N (',' N)*)? ')';
    NAME: [a-z]+; N: [0-9]+;";

const ENUMS: &str =
    "grammar Enums; text: item* EOF; item: 'enum' NAME '{' (member (',' member)*)? '}';
    member: NAME '=' N; NAME: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip;";

fn is_plain_xml(input: &str) -> bool {
    !input.contains(['!', '?', '&', '\''])
}

/// How deep elements of a name are inside each other.
fn depth(input: &str, name: &str) -> i32 {
    let (mut depth, mut most) = (0, 0);
    for tag in input.split('<').skip(1) {
        let (inner, _) = tag.split_once('>').unwrap_or((tag, ""));
        let is_named = |text: &str| text.split([' ', '/']).next() == Some(name);
        if let Some(rest) = inner.strip_prefix('/') {
            depth -= i32::from(is_named(rest));
        } else if is_named(inner) {
            most = most.max(depth + 1);
            depth += i32::from(!inner.ends_with('/'));
        }
    }
    most
}

/// The causes.
pub const OWN: &[TwoSided] = &[
    TwoSided {
        name: "fifth: own: csv: a row whose second cell is less than its first",
        grammar: "@csv",
        input: "1,5,a\n2,2,b\n9,3,c",
        valid: |input| {
            input.lines().all(|line| {
                let mut cells = line.split(',');
                let mut is_number = || cells.next().is_some_and(|one| one.parse::<u32>().is_ok());
                is_number() && is_number()
            })
        },
        fails: |input| {
            input.lines().any(|line| {
                let cells: Vec<u64> = line.split(',').filter_map(|one| one.parse().ok()).collect();
                matches!(cells[..], [first, second, ..] if second < first)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let first = dice.below(20);
                format!("{first},{},{}", first.max(2) - 2 + dice.below(9), word(dice, 3))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: own: xml: three lists in each other",
        grammar: "@xml",
        input: "<p><ul><li><ul><li><b><ul/></b></li></ul></li></ul></p>",
        valid: is_plain_xml,
        fails: |input| depth(input, "ul") >= 3,
        draw: |dice| {
            let mut inner = "x".to_owned();
            for _ in 0..1 + dice.below(6) {
                let name = one(dice, &["ul", "ul", "li", "b"]);
                let beside = one(dice, &["", "", "<ul></ul>", "<li/>"]);
                inner = format!("<{name}>{inner}{beside}</{name}>");
            }
            inner
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: own: xml: an image without a text",
        grammar: "@xml",
        input: r#"<p><img src="a" alt="b"/><i alt="c"/><img src="d"/></p>"#,
        valid: is_plain_xml,
        fails: |input| {
            input.split("<img").skip(1).any(|rest| {
                let is_name = rest.starts_with([' ', '/', '>']);
                is_name && !rest.split('>').next().unwrap_or("").contains(" alt=")
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let all = joined(dice, count, "", |dice| {
                let mut pairs = vec![format!(" src=\"{}\"", word(dice, 3))];
                if dice.below(3) > 0 {
                    pairs.push(format!(" alt=\"{}\"", word(dice, 3)));
                }
                let name = one(dice, &["img", "img", "i"]);
                format!("<{name}{}/>", shuffled(dice, pairs).concat())
            });
            format!("<p>{all}</p>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: own: ini: a level above three in a section for debugging",
        grammar: "@ini",
        input: "[main]\nlevel=1\n[debug]\nfile=x\nlevel=5\n",
        valid: |input| input.lines().all(|line| line.starts_with('[') || line.contains('=')),
        fails: |input| {
            let mut section = "";
            input.lines().any(|line| {
                if line.starts_with('[') {
                    section = line;
                }
                let level = line.strip_prefix("level=").and_then(|one| one.parse::<u32>().ok());
                section == "[debug]" && level.is_some_and(|level| level > 3)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let name = one(dice, &["debug", "main", "debug", "net"]);
                let key = one(dice, &["level", "level", "depth"]);
                format!("[{name}]\n{key}={}\n", dice.below(8))
            })
        },
        patterns: &["[debug]\nlevel=<integer ≥ 4>", "[debug]\nlevel=<integer 4..(2^32 - 1)>"],
    },
    TwoSided {
        name: "fifth: own: a shift to the left of 32 or more",
        grammar: SHIFTS,
        input: "a << 3; b + 50; c << 40; d >> 2;",
        valid: any,
        fails: |input| {
            input.split(';').any(|step| {
                let amount = step.split_once("<<").map(|(_, amount)| amount.trim());
                amount.is_some_and(|one| one.parse::<u128>().is_ok_and(|amount| amount >= 32))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let name = word(dice, 2);
                format!("{name} {} {};", one(dice, &["<<", "<<", ">>", "+"]), 20 + dice.below(24))
            })
        },
        patterns: &["<NAME> <<<< <integer ≥ 32>;", "<NAME><<<<<integer ≥ 32>;"],
    },
    TwoSided {
        name: "fifth: own: a drop, a kill or a stop of nothing",
        grammar: CALLS,
        input: "open(1,2);kill();read()",
        valid: any,
        fails: |input| {
            let calls: Vec<&str> = input.split(';').collect();
            ["drop()", "kill()", "stop()"].iter().any(|call| calls.contains(call))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, ";", |dice| {
                let name = one(dice, &["kill", "open", "read", "kill", "close"]);
                format!("{name}({})", one(dice, &["", "", "1", "2,3"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifth: own: two members of an enumeration with one value",
        grammar: ENUMS,
        input: "enum a { x = 1, y = 2 } enum b { u = 2, v = 3, w = 2 }",
        valid: |input| {
            input.split('{').skip(1).all(|rest| {
                let members = rest.split('}').next().unwrap_or("").split(',');
                let names: Vec<&str> =
                    members.map(|one| one.split('=').next().unwrap_or("").trim()).collect();
                names.len() == names.iter().collect::<BTreeSet<_>>().len()
            })
        },
        fails: |input| {
            input.split('{').skip(1).any(|rest| {
                let members = rest.split('}').next().unwrap_or("").split(',');
                let values = members.filter_map(|one| one.split_once('='));
                let values: Vec<u128> =
                    values.filter_map(|(_, value)| value.trim().parse().ok()).collect();
                (1..values.len()).any(|at| values[..at].contains(&values[at]))
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let count = dice.below(4);
                let members: Vec<String> = (0..count)
                    .map(|at| {
                        format!("{}{} = {}", word(dice, 1), ["p", "q", "r"][at], dice.below(6))
                    })
                    .collect();
                format!("enum {} {{ {} }}", word(dice, 3), members.join(", "))
            })
        },
        patterns: &["enum <NAME> { <NAME> = <$N1>, <NAME> = <$N1> }"],
    },
];
