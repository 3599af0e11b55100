//! Causes in JSON, read by the built-in grammar.

use serde_json::Value;

use super::{Third, has_twins};

fn read(input: &str) -> Value {
    serde_json::from_str(input).unwrap_or(Value::Null)
}

/// Whether `is_meant` holds for a value, or for one somewhere inside it.
fn somewhere(value: &Value, is_meant: &dyn Fn(&Value) -> bool) -> bool {
    let inside = |value: &Value| somewhere(value, is_meant);
    is_meant(value)
        || match value {
            Value::Array(items) => items.iter().any(inside),
            Value::Object(pairs) => pairs.values().any(inside),
            _ => false,
        }
}

fn arrays(input: &str, is_meant: fn(&[Value]) -> bool) -> bool {
    somewhere(&read(input), &|value| value.as_array().is_some_and(|items| is_meant(items)))
}

fn integers(items: &[Value]) -> Vec<i64> {
    items.iter().filter_map(Value::as_i64).collect()
}

/// The keys of the outermost object in their order.
fn keys(input: &str) -> Vec<&str> {
    if !read(input).is_object() {
        return Vec::new();
    }
    let (mut depth, mut found) = (0, Vec::new());
    let mut parts = input.split('"').enumerate().peekable();
    while let Some((number, part)) = parts.next() {
        if number % 2 == 1 {
            let is_key = parts.peek().is_some_and(|next| next.1.trim_start().starts_with(':'));
            found.extend(Some(part).filter(|_| is_key && depth == 1));
        } else {
            let count = |of: &[char]| part.matches(of).count() as i64;
            depth += count(&['{', '[']) - count(&['}', ']']);
        }
    }
    found
}

/// The causes.
pub const JSON: &[Third] = &[
    Third {
        name: "json: a number that is greater than the number of items",
        grammar: "@json",
        input: r#"{"name":"x","n":5,"items":[1,"b",null]}"#,
        fails: |input| {
            let all = read(input);
            let items = all["items"].as_array();
            matches!((all["n"].as_i64(), items), (Some(n), Some(items)) if n > items.len() as i64)
        },
        failing: &[
            r#"{"n":1,"items":[]}"#,
            r#"{"items":[7,8,9],"n":4}"#,
            r#"{"n":3,"a":1,"items":["x",[2]],"b":[1,2,3,4]}"#,
            r#"{"n":100,"items":[1,2,3,4,5,6,7,8,9,10]}"#,
        ],
        passing: &[
            r#"{"n":1,"items":[5]}"#,
            r#"{"n":2,"items":[5,6,7]}"#,
            r#"{"n":4}"#,
            r#"{"m":4,"items":[]}"#,
            r#"{"n":0,"items":[]}"#,
        ],
        patterns: &[],
    },
    Third {
        name: "json: the lower limit is above the upper one",
        grammar: "@json",
        input: r#"{"id":3,"lo":9,"hi":4,"step":[1,2]}"#,
        fails: |input| {
            let all = read(input);
            all["lo"].as_i64().zip(all["hi"].as_i64()).is_some_and(|(low, high)| low > high)
        },
        failing: &[
            r#"{"lo":70,"hi":69}"#,
            r#"{"hi":3,"lo":4,"x":"y"}"#,
            r#"{"a":5,"lo":1000,"hi":12}"#,
            r#"{"lo":-3,"hi":-5}"#,
        ],
        passing: &[
            r#"{"lo":4,"hi":9}"#,
            r#"{"lo":4,"hi":4}"#,
            r#"{"hi":4,"x":3}"#,
            r#"{"lo":9}"#,
            r#"{"hi":9,"lo":4,"z":20}"#,
        ],
        patterns: &[],
    },
    Third {
        name: "json: an array with two equal numbers",
        grammar: "@json",
        input: r#"{"x":[3,"a",14,3,5],"y":3}"#,
        fails: |input| arrays(input, |items| has_twins(integers(items))),
        failing: &["[7,7]", "[1,2,[4,5,4]]", r#"{"a":[10,true,11,10]}"#, "[0,1,2,3,4,0]"],
        passing: &["[1,2,3]", "[1,[1]]", r#"{"a":2,"b":2}"#, r#"["a","a"]"#, "[[1],[1]]"],
        patterns: &["[<$integer1>,<$integer1>]"],
    },
    Third {
        name: "json: an array of numbers that is not ascending",
        grammar: "@json",
        input: r#"{"ids":[1,5,9,7],"n":2}"#,
        fails: |input| {
            arrays(input, |items| {
                let numbers = integers(items);
                numbers.len() == items.len() && numbers.windows(2).any(|pair| pair[0] > pair[1])
            })
        },
        failing: &["[2,1]", "[1,2,3,4,3]", r#"{"a":[100,20,300]}"#, "[[7,5]]", "[5,-1]"],
        passing: &["[1,2,3]", "[4,4]", "[[2],[1]]", r#"{"a":2,"b":1}"#, r#"[3,"a",1]"#, "[9]"],
        patterns: &[],
    },
    Third {
        name: "json: an end without a begin",
        grammar: "@json",
        input: r#"{"id":1,"end":5,"x":"y"}"#,
        fails: |input| {
            let all = read(input);
            !all["end"].is_null() && all["begin"].is_null()
        },
        failing: &[r#"{"end":1}"#, r#"{"a":[2],"end":"x"}"#, r#"{"end":7,"c":{"d":1}}"#],
        passing: &[
            r#"{"begin":1,"end":5}"#,
            r#"{"end":5,"begin":1}"#,
            r#"{"begin":1}"#,
            r#"{"x":5}"#,
            r#"["x"]"#,
        ],
        patterns: &[],
    },
    Third {
        name: "json: two keys that exclude each other",
        grammar: "@json",
        input: r#"{"name":"n","utf8":true,"size":4,"raw":1}"#,
        fails: |input| {
            let keys = keys(input);
            keys.contains(&"utf8") && keys.contains(&"raw")
        },
        failing: &[
            r#"{"utf8":1,"raw":2}"#,
            r#"{"raw":[],"x":1,"utf8":"y"}"#,
            r#"{"a":1,"b":2,"utf8":{},"raw":false}"#,
        ],
        passing: &[r#"{"utf8":1}"#, r#"{"raw":1,"x":2}"#, r#"{"utf":1,"raw":1}"#, "[1]"],
        patterns: &[r#"{"utf8":<value>,"raw":<value>}"#],
    },
    Third {
        name: "json: either of two keys",
        grammar: "@json",
        input: r#"{"user":"me","token":"abc","n":1}"#,
        fails: |input| keys(input).iter().any(|key| ["password", "token"].contains(key)),
        failing: &[r#"{"password":1}"#, r#"{"token":1}"#, r#"{"a":1,"password":"x","b":2}"#],
        passing: &[r#"{"user":1}"#, r#"{"pass":1,"tok":2}"#, r#"[1,"x"]"#, "{}"],
        patterns: &[],
    },
    Third {
        name: "json: the data come before the schema",
        grammar: "@json",
        input: r#"{"v":1,"data":[1,2],"x":null,"schema":"s"}"#,
        fails: |input| {
            let keys = keys(input);
            let at = |key: &str| keys.iter().position(|one| *one == key);
            matches!((at("data"), at("schema")), (Some(data), Some(schema)) if data < schema)
        },
        failing: &[
            r#"{"data":1,"schema":2}"#,
            r#"{"a":1,"data":{},"b":[2],"schema":{}}"#,
            r#"{"data":"x","schema":false,"z":0}"#,
        ],
        passing: &[
            r#"{"schema":1,"data":2}"#,
            r#"{"data":2}"#,
            r#"{"schema":1,"x":2,"data":2}"#,
            r#"{"schema":1}"#,
        ],
        patterns: &[r#"{"data":<value>,"schema":<value>}"#],
    },
    Third {
        name: "json: a text longer than its limit",
        grammar: "@json",
        input: r#"{"max":3,"kind":"k","text":"hello"}"#,
        fails: |input| {
            let all = read(input);
            let (max, text) = (all["max"].as_i64(), all["text"].as_str());
            matches!((max, text), (Some(max), Some(text)) if text.chars().count() as i64 > max)
        },
        failing: &[
            r#"{"max":0,"text":"a"}"#,
            r#"{"text":"abcdefgh","max":7}"#,
            r#"{"max":2,"x":"yyyyyyyyy","text":"abc"}"#,
        ],
        passing: &[
            r#"{"max":5,"text":"hello"}"#,
            r#"{"max":0,"text":""}"#,
            r#"{"text":"hello"}"#,
            r#"{"max":1,"x":"hello","text":"h"}"#,
        ],
        patterns: &[],
    },
    Third {
        name: "json: six levels of arrays and objects",
        grammar: "@json",
        input: r#"{"a":[{"b":[1,{"c":[2]}]},3]}"#,
        fails: |input| {
            fn depth(value: &Value) -> usize {
                match value {
                    Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
                    Value::Object(pairs) => 1 + pairs.values().map(depth).max().unwrap_or(0),
                    _ => 0,
                }
            }
            depth(&read(input)) >= 6
        },
        failing: &["[[[[[[1]]]]]]", r#"{"a":{"b":[[[{}]]]}}"#, "[1,[2,[[[[[]]]]]],3]"],
        passing: &["[[[[[1]]]]]", r#"[{"a":[{"b":[]}]}]"#, "[[[]],[[[]]]]"],
        patterns: &[],
    },
    Third {
        name: "json: pairs of an odd number",
        grammar: "@json",
        input: r#"{"n":[1,2],"pairs":[1,2,3]}"#,
        fails: |input| read(input)["pairs"].as_array().is_some_and(|items| items.len() % 2 == 1),
        failing: &[
            r#"{"pairs":[1]}"#,
            r#"{"x":[1,2,3,4],"pairs":["a",[],7]}"#,
            r#"{"pairs":[1,2,3,4,5],"y":[]}"#,
        ],
        passing: &[r#"{"pairs":[]}"#, r#"{"pairs":[1,2]}"#, r#"{"x":[1]}"#, r#"{"pairs":1}"#],
        patterns: &[],
    },
    Third {
        name: "json: a null in an array",
        grammar: "@json",
        input: r#"{"a":null,"b":[1,null,2]}"#,
        fails: |input| arrays(input, |items| items.contains(&Value::Null)),
        failing: &["[null]", r#"{"a":[[],null]}"#, "[1,2,[3,null,4]]"],
        passing: &["null", r#"{"a":null}"#, r#"[{"a":null}]"#, "[1,[2]]"],
        patterns: &["[null]"],
    },
    Third {
        name: "json: a negative number with decimals",
        grammar: "@json",
        input: r#"{"a":[-2,1.5,-3.25],"b":-1}"#,
        fails: |input| {
            let is_meant = |value: &Value| {
                let text = value.as_number().map(ToString::to_string).unwrap_or_default();
                text.starts_with('-') && text.contains('.')
            };
            somewhere(&read(input), &is_meant) && !input.contains(['e', 'E'])
        },
        failing: &["-0.5", "[1,-10.25]", r#"{"x":-3.75}"#],
        passing: &["-5", "5.5", "[1.5,-2]", r#"{"a":"-1.5"}"#],
        patterns: &["-<digit>+.<digit>+"],
    },
    Third {
        name: "json: weights whose sum is above 100",
        grammar: "@json",
        input: r#"{"weights":[40,50,20],"x":3}"#,
        fails: |input| {
            let all = read(input);
            all["weights"].as_array().is_some_and(|items| {
                let numbers = items.iter().filter_map(Value::as_f64);
                numbers.sum::<f64>() > 100.0
            })
        },
        failing: &[
            r#"{"weights":[101]}"#,
            r#"{"weights":[50,51]}"#,
            r#"{"a":"b","weights":[30,30,30,30]}"#,
        ],
        passing: &[
            r#"{"weights":[100]}"#,
            r#"{"weights":[50,50]}"#,
            r#"{"weights":[],"x":101}"#,
            r#"{"x":[101]}"#,
        ],
        patterns: &[],
    },
    Third {
        name: "json: an escaped zero in a string",
        grammar: "@json",
        input: r#"{"s":"ab\u0000c","t":"\n"}"#,
        fails: |input| {
            let has_zero = |text: &str| text.contains('\0');
            let is_meant = |value: &Value| match value {
                Value::String(text) => has_zero(text),
                Value::Object(pairs) => pairs.keys().any(|key| has_zero(key)),
                _ => false,
            };
            somewhere(&read(input), &is_meant)
        },
        failing: &[r#""\u0000""#, r#"["a\u0000\u0000"]"#, r#"{"k\u0000":1}"#],
        passing: &[r#""\u0001""#, r#""0000""#, r#"["\\u0000"]"#, r#""\u00e9""#],
        patterns: &[r#""<character>*\u0000<character>*""#],
    },
    Third {
        name: "json: an array of ten or more items",
        grammar: "@json",
        input: r#"{"tags":["a","a","b","a",1,1,"a",null,null,"a",1],"n":[1,1]}"#,
        fails: |input| arrays(input, |items| items.len() >= 10),
        failing: &[
            "[1,2,3,4,5,6,7,8,9,10]",
            "[[0,0,0,0,0,0,0,0,0,0,0]]",
            r#"{"x":[[],{},1,"a",true,5,6,7,8,9,10]}"#,
        ],
        passing: &["[1,2,3,4,5,6,7,8,9]", "[[1,1,1,1,1],[1,1,1,1,1]]", "[]"],
        patterns: &[
            "[<value>,<value>,<value>,<value>,<value>,<value>,<value>,<value>,<value>,<value>]",
        ],
    },
];
