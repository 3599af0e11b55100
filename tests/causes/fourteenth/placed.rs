//! Order, absence, and characters.

use crate::two_sided::{TwoSided, any, joined, one, read_json as read, shuffled, word};

const STEPS: &str = "grammar Steps; script: step* EOF; step: NAME ARGUMENT? ';';
    NAME: 'begin' | 'insert' | 'rollback' | 'commit' | 'select'; ARGUMENT: [A-Z]+;
    WS: [ \\n]+ -> skip;";

/// Whether words are there in this order.
fn in_order<'t>(mut words: impl Iterator<Item = &'t str>, order: &[&str]) -> bool {
    order.iter().all(|one| words.any(|word| word == *one))
}

/// The lines of a section, each of which is trimmed.
fn section<'t>(input: &'t str, name: &str) -> Option<Vec<&'t str>> {
    let lines: Vec<&str> = input.lines().map(str::trim).collect();
    let is_header = |line: &&str| line.starts_with('[');
    let is_its = |line: &&str| is_header(line) && line.trim_matches(['[', ']', ' ', '\t']) == name;
    let at = lines.iter().position(is_its)?;
    Some(lines[at + 1..].iter().take_while(|line| !is_header(line)).copied().collect())
}

/// The causes.
pub const PLACED: &[TwoSided] = &[
    TwoSided {
        name: "fourteenth: own: a commit after a rollback after a begin",
        grammar: STEPS,
        input: "begin; insert A; rollback; select B; commit; begin;",
        valid: any,
        fails: |input| {
            let names = input.split(';').filter_map(|step| step.split_whitespace().next());
            in_order(names, &["begin", "rollback", "commit"])
        },
        draw: |dice| {
            let count = 3 + dice.below(7);
            joined(dice, count, " ", |dice| {
                let names = ["begin", "begin", "insert A", "rollback", "rollback", "commit"];
                format!("{};", one(dice, &names))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: plain: a stop, a start and a stop",
        grammar: "",
        input: "load x\nstop\nstart\nwait 3\nstop\n",
        valid: any,
        fails: |input| in_order(input.lines(), &["stop", "start", "stop"]),
        draw: |dice| {
            let count = 3 + dice.below(5);
            joined(dice, count, "\n", |dice| {
                one(dice, &["stop", "start", "stop", "start", "stop", "load x"]).to_owned()
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: toml: a server without a port",
        grammar: "@toml",
        input: "[client]\nport = 80\n\n[server]\nhost = \"a\"\ntls = true\n",
        valid: |input| !input.contains(['\'', '#', '{', '(', '\\']) && !input.contains("[["),
        fails: |input| {
            section(input, "server").is_some_and(|lines| {
                let is_port = |line: &&str| {
                    line.split('=').next().is_some_and(|key| key.trim().trim_matches('"') == "port")
                };
                !lines.iter().any(is_port)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let first = one(dice, &["server", "server", "client"]);
            let names = [first, "proxy"];
            let sections = (0..count).map(|at| {
                let mut lines = vec![format!("host = \"{}\"\n", word(dice, 2))];
                if dice.below(2) == 0 {
                    lines.push(format!("port = {}\n", dice.below(90)));
                }
                if dice.below(2) == 0 {
                    lines.push("tls = true\n".to_owned());
                }
                format!("[{}]\n{}", names[at], shuffled(dice, lines).concat())
            });
            let sections: Vec<String> = sections.collect();
            shuffled(dice, sections).join("\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: json: an entry with a date and no zone",
        grammar: "@json",
        input: r#"[{"date":"may","zone":"utc","id":1},{"id":2,"date":"june"}]"#,
        valid: any,
        fails: |input| {
            let value = read(input);
            let entries = value.as_array().map_or(&[][..], |all| all);
            entries.iter().any(|entry| entry.get("date").is_some() && entry.get("zone").is_none())
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let entries = joined(dice, count, ",", |dice| {
                let mut all = vec![format!("\"id\":{}", dice.below(9))];
                for key in ["date", "zone"] {
                    if dice.below(3) > 0 {
                        all.push(format!("\"{key}\":\"{}\"", word(dice, 3)));
                    }
                }
                format!("{{{}}}", shuffled(dice, all).join(","))
            });
            format!("[{entries}]")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: json: a key with a character that is not ASCII",
        grammar: "@json",
        input: r#"{"name":"zoë","größe":12,"age":3}"#,
        valid: |input| !input.contains('\\'),
        fails: |input| {
            fn has(value: &serde_json::Value) -> bool {
                match value {
                    serde_json::Value::Object(all) => {
                        all.iter().any(|(key, value)| !key.is_ascii() || has(value))
                    }
                    serde_json::Value::Array(all) => all.iter().any(has),
                    _ => false,
                }
            }
            has(&read(input))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let all: Vec<String> = (0..count)
                .map(|at| {
                    let key = one(dice, &["name", "größe", "é", "age", "size"]);
                    format!("\"{key}{at}\":\"{}\"", one(dice, &["zoë", "bob", "日本", "x"]))
                })
                .collect();
            format!("{{{}}}", all.join(","))
        },
        patterns: &[],
    },
    TwoSided {
        name: "fourteenth: plain: a comment with a character that is not ASCII",
        grammar: "",
        input: "set a 1\n# café\nset b 2\n",
        valid: any,
        fails: |input| input.lines().any(|line| line.starts_with('#') && !line.is_ascii()),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "\n", |dice| {
                let start = one(dice, &["# ", "set ", "#", "# "]);
                format!("{start}{}", one(dice, &["café", "cafe", "a ñ b", "note", "x 日"]))
            })
        },
        patterns: &[],
    },
];
