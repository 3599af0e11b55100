//! Fifteen further causes, written after the generalizer was improved on the others. It was run on them once and
//! not changed for them.

use std::collections::BTreeSet;

use seedsmith_grammar::Random;
use serde_json::Value;

use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

const FILES: &str = "grammar Files; script: step* EOF; step: ('open' | 'close' | 'read') NAME ';';
    NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const HOSTS: &str = "grammar Hosts; hosts: host (',' host)* EOF; host: NAME (':' N)?; NAME: [a-z]+;
    N: [0-9]+;";

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_i64).collect()
}

/// An object of some pairs, in any order, with another one among them.
fn object(dice: &mut Random, mut pairs: Vec<String>) -> String {
    if dice.below(2) == 0 {
        pairs.push(format!("\"x{}\":{}", word(dice, 3), dice.below(50)));
    }
    format!("{{{}}}", shuffled(dice, pairs).join(","))
}

/// The causes.
pub const LATER: &[TwoSided] = &[
    TwoSided {
        name: "later: json: a user without a name",
        grammar: "@json",
        input: r#"{"users":[{"name":"a","id":1},{"id":2,"mail":"m"}],"next":null}"#,
        valid: |input| {
            let all = read(input);
            all["users"].as_array().is_some_and(|users| users.iter().all(Value::is_object))
        },
        fails: |input| {
            let all = read(input);
            all["users"].as_array().into_iter().flatten().any(|user| user.get("name").is_none())
        },
        draw: |dice| {
            let count = dice.below(4);
            let users = joined(dice, count, ",", |dice| {
                let mut pairs = vec![format!("\"id\":{}", dice.below(9))];
                if dice.below(3) > 0 {
                    pairs.push(format!("\"name\":\"{}\"", word(dice, 4)));
                }
                format!("{{{}}}", shuffled(dice, pairs).join(","))
            });
            let pairs = vec![format!("\"users\":[{users}]")];
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "later: json: parts whose sum is not the total",
        grammar: "@json",
        input: r#"{"total":7,"unit":"kg","parts":[1,2,3]}"#,
        valid: |input| {
            let all = read(input);
            let is_all =
                all["parts"].as_array().is_some_and(|parts| parts.iter().all(Value::is_u64));
            all["total"].is_u64() && is_all
        },
        fails: |input| {
            let all = read(input);
            let sum = numbers(&all["parts"]).into_iter().fold(0, i64::saturating_add);
            all["total"].as_i64() != Some(sum)
        },
        draw: |dice| {
            let parts: Vec<usize> = (0..dice.below(4)).map(|_| dice.below(9)).collect();
            let total = if dice.below(2) == 0 { parts.iter().sum() } else { dice.below(20) };
            let pairs = vec![format!("\"total\":{total}"), format!("\"parts\":{parts:?}")];
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "later: json: a path with two dots",
        grammar: "@json",
        input: r#"{"id":1,"path":"a/../b","name":"n"}"#,
        valid: any,
        fails: |input| read(input)["path"].as_str().is_some_and(|path| path.contains("..")),
        draw: |dice| {
            let path =
                joined(dice, 3, "", |dice| one(dice, &["..", ".", "a", "/", "b"]).to_owned());
            let key = one(dice, &["path", "path", "file"]);
            let pairs = vec![format!("\"{key}\":\"{path}\"")];
            object(dice, pairs)
        },
        patterns: &[r#"{"path":"<character>*..<character>*"}"#],
    },
    TwoSided {
        name: "later: json: a circle without a radius",
        grammar: "@json",
        input: r#"{"type":"circle","x":4,"y":5}"#,
        valid: |input| read(input).is_object(),
        fails: |input| {
            let all = read(input);
            all["type"] == "circle" && all.get("radius").is_none()
        },
        draw: |dice| {
            let mut pairs =
                vec![format!("\"type\":\"{}\"", one(dice, &["circle", "circle", "box"]))];
            if dice.below(2) == 0 {
                pairs.push(format!("\"radius\":{}", dice.below(9)));
            }
            object(dice, pairs)
        },
        patterns: &[],
    },
    TwoSided {
        name: "later: json: a list of numbers and texts",
        grammar: "@json",
        input: r#"{"a":[1,2],"b":[3,"x",null],"c":"y"}"#,
        valid: any,
        fails: |input| {
            fn is_mixed(value: &Value) -> bool {
                match value {
                    Value::Array(items) => {
                        items.iter().any(Value::is_number) && items.iter().any(Value::is_string)
                            || items.iter().any(is_mixed)
                    }
                    Value::Object(pairs) => pairs.values().any(is_mixed),
                    _ => false,
                }
            }
            is_mixed(&read(input))
        },
        draw: |dice| {
            let list = |dice: &mut Random| {
                let count = dice.below(4);
                let items = joined(dice, count, ",", |dice| {
                    one(dice, &["1", "22", "\"a\"", "7", "null"]).to_owned()
                });
                format!("[{items}]")
            };
            format!("{{\"{}\":{},\"z\":{}}}", word(dice, 2), list(dice), list(dice))
        },
        patterns: &["[<number>,<string>]", "[<NUMBER>,<STRING>]", "[<integer>,<string>]"],
    },
    TwoSided {
        name: "later: own: csv: two rows with the same first cell",
        grammar: "@csv",
        input: "a,1\nb,2\na,3",
        valid: |input| !input.contains('"') && !input.contains("\n\n") && !input.ends_with('\n'),
        fails: |input| {
            let first = input.split('\n').map(|line| line.split(',').next().unwrap_or(""));
            let all: Vec<&str> = first.map(|cell| cell.trim_end_matches('\r')).collect();
            all.iter().collect::<BTreeSet<_>>().len() < all.len()
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "\n", |dice| {
                let cell =
                    |dice: &mut Random| one(dice, &["a", "b", "c", "dd", "e", "f"]).to_owned();
                format!("{},{}", cell(dice), cell(dice))
            })
        },
        patterns: &[
            "<$text1>\n<$text1>",
            "<$TEXT1>\n<$TEXT1>",
            "<$field1>\n<$field1>",
            "<$TEXT1>,<field>\n<$TEXT1>,<field>",
        ],
    },
    TwoSided {
        name: "later: own: xml: an element that is wider than high",
        grammar: "@xml",
        input: r#"<p><r w="3" h="9"/><r h="4" w="7" k="v"/></p>"#,
        valid: |input| !input.contains(['!', '?', '&', '\'']),
        fails: |input| {
            input.split('<').any(|tag| {
                let of = |key: &str| -> Option<u64> {
                    let rest = tag.split_once(&format!(" {key}=\""))?.1;
                    rest.split('"').next()?.parse().ok()
                };
                matches!((of("w"), of("h")), (Some(w), Some(h)) if w > h)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let all = joined(dice, count, "", |dice| {
                let pairs = vec![
                    format!(" w=\"{}\"", dice.below(20)),
                    format!(" h=\"{}\"", dice.below(20)),
                ];
                let mut pairs = shuffled(dice, pairs);
                if dice.below(6) == 0 {
                    pairs.pop();
                }
                format!("<r{}/>", pairs.concat())
            });
            format!("<p>{all}</p>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "later: own: ini: a section without entries",
        grammar: "@ini",
        input: "[a]\nx=1\n[b]\n[c]\ny=2\n",
        valid: |input| input.lines().all(|line| line.starts_with('[') || line.contains('=')),
        fails: |input| {
            let lines: Vec<&str> = input.lines().collect();
            let is_title = |line: &&str| line.starts_with('[');
            lines
                .iter()
                .enumerate()
                .any(|(at, line)| is_title(line) && lines.get(at + 1).is_none_or(is_title))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let count = usize::from(dice.below(4) > 0) * (1 + dice.below(2));
                let pairs = joined(dice, count, "", |dice| {
                    format!("{}={}\n", word(dice, 3), dice.below(9))
                });
                format!("[{}]\n{pairs}", word(dice, 3))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "later: own: a file that is closed and was not opened",
        grammar: FILES,
        input: "open a; read a; close b; close a;",
        valid: any,
        fails: |input| {
            let mut open = BTreeSet::new();
            input.split(';').map(str::trim).any(|step| {
                let (name, file) = step.split_at(step.find(' ').unwrap_or(step.len()));
                if name == "open" {
                    open.insert(file.trim());
                }
                name == "close" && !open.contains(file.trim())
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(5);
            joined(dice, count, " ", |dice| {
                let step = one(dice, &["open", "open", "close", "read"]);
                format!("{step} {};", one(dice, &["a", "b"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "later: own: more than four hosts with a port above 1023",
        grammar: HOSTS,
        input: "a:80,b:8080,c,d:443,e:22",
        valid: any,
        fails: |input| {
            let hosts: Vec<&str> = input.split(',').collect();
            let is_high = |host: &&str| {
                host.split_once(':')
                    .is_some_and(|(_, port)| port.parse().is_ok_and(|n: u64| n > 1023))
            };
            hosts.len() > 4 && hosts.iter().any(is_high)
        },
        draw: |dice| {
            let count = 3 + dice.below(4);
            joined(dice, count, ",", |dice| match dice.below(3) {
                0 => format!("{}:{}", word(dice, 3), 900 + dice.below(300)),
                _ => word(dice, 3),
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "later: plain: a copy to where it comes from",
        grammar: "",
        input: "src=ab\nmode=x\ndst=ab\n",
        valid: |input| input.lines().all(|line| line.contains('=')),
        fails: |input| {
            let of = |key: &str| {
                let mut values = input.lines().filter_map(|line| line.strip_prefix(key));
                values.next()
            };
            of("src=").is_some() && of("src=") == of("dst=")
        },
        draw: |dice| {
            let name = |dice: &mut Random| one(dice, &["a", "bb", "c"]).to_owned();
            let mut pairs = vec![format!("src={}", name(dice)), format!("dst={}", name(dice))];
            pairs.push(format!("{}={}", word(dice, 3), name(dice)));
            shuffled(dice, pairs).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "later: plain: a closing bracket without an opening one before it",
        grammar: "",
        input: "a [ b ] c ] d [",
        valid: any,
        fails: |input| {
            let mut depth = 0;
            input.chars().any(|c| {
                depth += i32::from(c == '[') - i32::from(c == ']');
                depth < 0
            })
        },
        draw: |dice| {
            let count = dice.below(8);
            joined(dice, count, " ", |dice| one(dice, &["[", "[", "]", "a", "b1"]).to_owned())
        },
        patterns: &["<character but \"[\">*]<character>*"],
    },
    TwoSided {
        name: "later: plain: a line longer than the first line says",
        grammar: "",
        input: "6\nabc\nabcdefgh\nxy",
        valid: |input| {
            let mut lines = input.lines();
            let is_number = lines.next().is_some_and(|line| line.parse::<u64>().is_ok());
            is_number && lines.all(|line| line.bytes().all(|byte| byte.is_ascii_lowercase()))
        },
        fails: |input| {
            let mut lines = input.lines();
            let most = lines.next().and_then(|line| line.parse::<u64>().ok());
            most.is_some_and(|most| lines.any(|line| line.len() as u64 > most))
        },
        draw: |dice| {
            let count = dice.below(4);
            format!("{}\n{}", dice.below(9), joined(dice, count, "\n", |dice| word(dice, 8)))
        },
        patterns: &[],
    },
    TwoSided {
        name: "later: plain: a second number of ten or more in a version",
        grammar: "",
        input: "v2.17.4",
        valid: |input| {
            let parts: Vec<&str> = input.trim_start_matches('v').split('.').collect();
            let is_number =
                |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            input.starts_with('v') && parts.len() == 3 && parts.iter().all(is_number)
        },
        fails: |input| {
            let parts: Vec<&str> = input.trim_start_matches('v').split('.').collect();
            parts.get(1).is_some_and(|part| part.trim_start_matches('0').len() >= 2)
        },
        draw: |dice| format!("v{}.{}.{}", dice.below(15), dice.below(20), dice.below(15)),
        patterns: &[
            "v<digit>+.<integer ≥ 10>.<digit>+",
            "v<integer ≥ 0>.<integer ≥ 10>.<integer ≥ 0>",
            "v<integer ≥ 0>.<integer ≥ 10>.<digit>+",
            "v<digit>+.<integer ≥ 10>.<integer ≥ 0>",
        ],
    },
    TwoSided {
        name: "later: plain: a note in a comment",
        grammar: "",
        input: "x = 1\n# TODO: y\nz = 2\n",
        valid: any,
        fails: |input| input.lines().any(|line| line.starts_with('#') && line.contains("TODO")),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let start = one(dice, &["# ", "", "x = "]);
                format!("{start}{}", one(dice, &["TODO", "a TODO b", "TO DO", "note"]))
            })
        },
        patterns: &["<character>*#<character in line>*TODO<character>*"],
    },
];
