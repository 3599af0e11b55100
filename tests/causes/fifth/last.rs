//! Twelve causes that the generalizer had never seen when it was first run on them: 8 were right, and none was too
//! general (docs/notes/2026-11-23-unseen-causes.md). The list was written with the others, and run after the changes that
//! those led to.

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

const LOOPS: &str = "grammar Loops; text: loop* EOF; loop: 'for' NAME 'from' N 'to' N 'by' N ';';
    NAME: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip;";

const FUNCTIONS: &str = "grammar Functions; text: item* EOF; item: function | step ';';
    function: 'func' NAME '{' (step ';')* '}'; step: 'return' | 'call' NAME;
    NAME: [a-z]+; WS: [ \\n]+ -> skip;";

fn is_json(input: &str) -> bool {
    serde_json::from_str::<Value>(input).is_ok()
}

/// An object of some pairs, in any order, with another one among them.
fn object(dice: &mut Random, mut pairs: Vec<String>) -> String {
    if dice.below(2) == 0 {
        pairs.push(format!("\"z{}\":{}", word(dice, 3), dice.below(50)));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// The causes.
pub const LAST: &[TwoSided] = &[
    TwoSided {
        name: "last: json: a size of 0 among the sizes",
        grammar: "@json",
        input: r#"{"sizes":[4,0,7],"name":"a","rest":[0]}"#,
        valid: is_json,
        fails: |input| {
            let all = read(input);
            all["sizes"].as_array().into_iter().flatten().any(|size| *size == 0)
        },
        draw: |dice| {
            let list = |dice: &mut Random| {
                let count = dice.below(4);
                joined(dice, count, ",", |dice| dice.below(5).to_string())
            };
            let pairs =
                vec![format!("\"sizes\":[{}]", list(dice)), format!("\"rest\":[{}]", list(dice))];
            object(dice, pairs)
        },
        patterns: &[r#"{"sizes":[0]}"#],
    },
    TwoSided {
        name: "last: json: fewer places than guests",
        grammar: "@json",
        input: r#"{"places":2,"guests":["a","b","c","d"],"room":"r"}"#,
        valid: |input| {
            let all = read(input);
            all["places"].is_u64() && all["guests"].is_array()
        },
        fails: |input| {
            let all = read(input);
            let guests = all["guests"].as_array().map_or(0, Vec::len) as u64;
            all["places"].as_u64().is_some_and(|places| places < guests)
        },
        draw: |dice| {
            let count = dice.below(6);
            let guests = joined(dice, count, ",", |dice| format!("\"{}\"", word(dice, 3)));
            let pairs =
                vec![format!("\"places\":{}", dice.below(6)), format!("\"guests\":[{guests}]")];
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "last: json: a secret or a token in the clear",
        grammar: "@json",
        input: r#"{"user":"u","token":"abc","plain":true}"#,
        valid: any,
        fails: |input| {
            let all = read(input);
            all["plain"] == true && all["token"].is_string()
        },
        draw: |dice| {
            let mut pairs = vec![format!("\"plain\":{}", one(dice, &["true", "true", "false"]))];
            if dice.below(4) > 0 {
                pairs.push(format!("\"token\":\"{}\"", word(dice, 4)));
            }
            object(dice, pairs)
        },
        patterns: &[r#"{"token":<string>,"plain":true}"#, r#"{"token":<STRING>,"plain":true}"#],
    },
    TwoSided {
        name: "last: json: an edge from a node to itself",
        grammar: "@json",
        input: r#"{"edges":[{"from":"a","to":"b"},{"from":"c","to":"c"}]}"#,
        valid: |input| read(input)["edges"].is_array(),
        fails: |input| {
            let all = read(input);
            all["edges"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|edge| edge["from"].is_string() && edge["from"] == edge["to"])
        },
        draw: |dice| {
            let count = dice.below(4);
            let edges = joined(dice, count, ",", |dice| {
                let node = |dice: &mut Random| one(dice, &["a", "b", "c", "dd"]).to_owned();
                let pairs = vec![
                    format!("\"from\":\"{}\"", node(dice)),
                    format!("\"to\":\"{}\"", node(dice)),
                ];
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            object(dice, vec![format!("\"edges\":[{edges}]")])
        },
        patterns: &[
            r#"{"edges":[{"from":<$string1>,"to":<$string1>}]}"#,
            r#"{"edges":[{"from":<$STRING1>,"to":<$STRING1>}]}"#,
        ],
    },
    TwoSided {
        name: "last: own: xml: an element in one of its own name",
        grammar: "@xml",
        input: "<a><b/><c><d><e/></d><c>x</c></c></a>",
        valid: |input| !input.contains(['!', '?', '&']),
        fails: |input| {
            let mut open: Vec<&str> = Vec::new();
            for tag in input.split('<').skip(1) {
                let inner = tag.split('>').next().unwrap_or("");
                let name = inner.trim_start_matches('/').split([' ', '/']).next().unwrap_or("");
                if inner.starts_with('/') {
                    open.pop();
                    continue;
                }
                if open.last() == Some(&name) {
                    return true;
                }
                if !inner.ends_with('/') {
                    open.push(name);
                }
            }
            false
        },
        draw: |dice| {
            let mut inner = String::new();
            for _ in 0..2 + dice.below(3) {
                let name = one(dice, &["a", "b", "c", "dd"]);
                inner = format!("<{name}>{}{inner}</{name}>", one(dice, &["", "x", "<e/>"]));
            }
            inner
        },
        patterns: &[],
    },
    TwoSided {
        name: "last: own: csv: an empty cell in the first row",
        grammar: "@csv",
        input: "id,,name\n1,2,a\n,3,b",
        valid: |input| !input.contains('"') && !input.contains("\n\n"),
        fails: |input| input.lines().next().is_some_and(|row| row.split(',').any(str::is_empty)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let count = 2 + dice.below(2);
                joined(dice, count, ",", |dice| one(dice, &["a", "b1", "cc", "", "d"]).to_owned())
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "last: own: a loop by 0",
        grammar: LOOPS,
        input: "for i from 1 to 9 by 2; for j from 0 to 5 by 0;",
        valid: any,
        fails: |input| {
            input.split(';').any(|one| {
                let step =
                    one.split_once("by").and_then(|(_, step)| step.trim().parse::<u64>().ok());
                step == Some(0)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let mut number = || dice.below(4);
                format!("for i from {} to {} by {};", number(), number(), number())
            })
        },
        patterns: &["for <NAME> from <N> to <N> by 0;"],
    },
    TwoSided {
        name: "last: own: a return outside of a function",
        grammar: FUNCTIONS,
        input: "func f { call g; return; } call f; return;",
        valid: any,
        fails: |input| {
            let mut depth = 0;
            input.split_inclusive([';', '{', '}']).any(|part| {
                let is_return = part.trim().starts_with("return") && depth == 0;
                depth += i32::from(part.ends_with('{')) - i32::from(part.ends_with('}'));
                is_return
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let step =
                    |dice: &mut Random| one(dice, &["return;", "call f;", "call g;"]).to_owned();
                match dice.below(2) {
                    0 => step(dice),
                    _ => format!("func {} {{ {} {} }}", word(dice, 2), step(dice), step(dice)),
                }
            })
        },
        patterns: &["<item*>return;<item*>", "<item*> return; <item*>"],
    },
    TwoSided {
        name: "last: plain: a number that begins with 0",
        grammar: "",
        input: "a 10 b 007 c 0",
        valid: |input| input.bytes().all(|byte| byte == b' ' || byte.is_ascii_alphanumeric()),
        fails: |input| {
            input.split(' ').any(|word| {
                let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
                word.len() > 1 && is_number && word.starts_with('0')
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, " ", |dice| {
                one(dice, &["a", "x0", "10", "07", "0", "300", "42", "00"]).to_owned()
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "last: plain: three equal lines in a row",
        grammar: "",
        input: "a\nb\nb\nb\nc\nb\n",
        valid: |input| !input.contains("\n\n"),
        fails: |input| {
            let lines: Vec<&str> = input.lines().collect();
            lines.windows(3).any(|three| three[0] == three[1] && three[1] == three[2])
        },
        draw: |dice| {
            let count = 2 + dice.below(5);
            let mut lines: Vec<String> = Vec::new();
            for _ in 0..count {
                let is_same = dice.below(2) == 0;
                let same = lines.last().cloned().filter(|_| is_same);
                lines.push(same.unwrap_or_else(|| one(dice, &["a", "bb", "c d", "e"]).to_owned()));
            }
            lines.join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "last: plain: minutes above 59",
        grammar: "",
        input: "start 08:15 end 12:75",
        valid: |input| {
            input.split(' ').all(|word| match word.split_once(':') {
                Some((hours, minutes)) => {
                    let is_number = |part: &str| {
                        part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit())
                    };
                    is_number(hours) && is_number(minutes)
                }
                None => word.bytes().all(|byte| byte.is_ascii_lowercase()),
            })
        },
        fails: |input| {
            input
                .split(' ')
                .filter_map(|word| word.split_once(':'))
                .any(|(_, minutes)| minutes.parse::<u32>().is_ok_and(|minutes| minutes > 59))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                format!("{} {:02}:{:02}", word(dice, 3), dice.below(99), 45 + dice.below(25))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "last: plain: a shout in capitals",
        grammar: "",
        input: "Hello HELP me OK\n",
        valid: any,
        fails: |input| {
            let words = input.split(|c: char| !c.is_ascii_alphabetic());
            words
                .into_iter()
                .any(|word| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_uppercase()))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, " ", |dice| {
                let text = word(dice, 5);
                if dice.below(3) == 0 { text.to_uppercase() } else { text }
            })
        },
        patterns: &[],
    },
];
