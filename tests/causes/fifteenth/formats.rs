//! Causes in XML, TOML and CSV, and in small languages.

use crate::two_sided::{TwoSided, joined, one, shuffled, word};

const ROBOTS: &str = "grammar Robots; program: step* EOF;
    step: 'repeat' '[' step* ']' | 'when' '{' step* '}' | MOVE ';';
    MOVE: 'left' | 'right' | 'go'; WS: [ \\n]+ -> skip;";

const STATES: &str = "grammar States; machine: state* EOF; state: 'state' NAME '{' rule_* '}';
    rule_: 'on' NAME 'go' NAME ';'; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const PASSAGES: &str = "grammar Passages; list: cite* EOF; cite: 'cite' NAME NUMBER '-' NUMBER ';';
    NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

const PLANT: &str = "grammar Plant; plant: (tank | pipe)* EOF; tank: 'tank' NAME ';';
    pipe: 'pipe' NAME NAME ';'; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

const BOARD: &str = "grammar Board; board: row ('/' row)* EOF; row: CELL+; CELL: [xo.];
    WS: [ \\n]+ -> skip;";

/// Whether a table is inside a heading; nothing if the elements of a document are not closed as they were opened.
fn heading_has_table(input: &str) -> Option<bool> {
    let (mut open, mut has_table) = (Vec::new(), false);
    for rest in input.split('<').skip(1) {
        let (tag, _) = rest.split_once('>')?;
        match tag.strip_prefix('/') {
            Some(name) => (open.pop()? == name.trim_end()).then_some(())?,
            None => {
                let name = tag.split([' ', '\t', '\n', '\r', '/']).next()?;
                has_table |= name == "table" && open.contains(&"head");
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
    }
    open.is_empty().then_some(has_table)
}

/// Whether no quoted text of a document has a bracket, which the program would take for that of a tag.
fn has_simple_values(input: &str) -> bool {
    let mut values = input.split('"').skip(1).step_by(2);
    !input.contains(['\'', '!', '?']) && values.all(|value| !value.contains(['<', '>']))
}

/// The greatest depth of brackets; nothing if they are not closed as they were opened.
fn depth(input: &str) -> Option<usize> {
    let (mut open, mut most) = (Vec::new(), 0);
    for c in input.chars() {
        match c {
            '[' => open.push(']'),
            '{' => open.push('}'),
            ']' | '}' => (open.pop()? == c).then_some(())?,
            _ => {}
        }
        most = most.max(open.len());
    }
    open.is_empty().then_some(most)
}

/// The events of the rules of a state; nothing if a rule is none.
fn events_of(state: &str) -> Option<Vec<&str>> {
    let rules = state.split_once('{')?.1.split(';').filter(|rule| !rule.trim().is_empty());
    rules
        .map(|rule| match rule.split_whitespace().collect::<Vec<&str>>()[..] {
            ["on", event, "go", _] => Some(event),
            _ => None,
        })
        .collect()
}

/// The events of each state; nothing if a rule is none.
fn events(input: &str) -> Option<Vec<Vec<&str>>> {
    input.split('}').filter(|state| !state.trim().is_empty()).map(events_of).collect()
}

/// The first and the last verse of each passage; nothing if one has none.
fn passages(input: &str) -> Option<Vec<(u64, u64)>> {
    let all = input.split(';').filter(|one| !one.trim().is_empty());
    all.map(|passage| {
        let (before, last) = passage.split_once('-')?;
        let before = before.trim_end();
        let start = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        before[start..].parse().ok().zip(last.trim().parse().ok())
    })
    .collect()
}

/// The tanks, and the ends of the pipes; nothing if something is neither a tank nor a pipe.
fn plant(input: &str) -> Option<[Vec<&str>; 2]> {
    let (mut tanks, mut ends) = (Vec::new(), Vec::new());
    for part in input.split(';').filter(|part| !part.trim().is_empty()) {
        match part.split_whitespace().collect::<Vec<&str>>()[..] {
            ["tank", name] => tanks.push(name),
            ["pipe", from, to] => ends.extend([from, to]),
            _ => return None,
        }
    }
    Some([tanks, ends])
}

/// The mirrors of a document that has no tables; nothing if it has something that the program does not know.
fn mirrors(input: &str) -> Option<Vec<&str>> {
    let (mut all, mut is_there) = (Vec::new(), false);
    for line in input.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (key, value) = line.split_once('=')?;
        if key.trim().trim_matches('"') != "mirrors" {
            continue;
        }
        (!std::mem::replace(&mut is_there, true)).then_some(())?;
        let list = value.trim().strip_prefix('[')?.strip_suffix(']')?;
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let text = item.strip_prefix('"')?.strip_suffix('"')?;
            all.push(Some(text).filter(|text| !text.contains('"'))?);
        }
    }
    Some(all)
}

/// Whether something is there twice.
fn has_twice(all: &[&str]) -> bool {
    all.iter().enumerate().any(|(at, one)| all[at + 1..].contains(one))
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "fifteenth: xml: a table inside a heading",
        grammar: "@xml",
        input: "<doc><table>a</table><head k=\"1\">b<i><table>c</table></i></head></doc>",
        valid: |input| has_simple_values(input) && heading_has_table(input).is_some(),
        fails: |input| heading_has_table(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let inner = joined(dice, count, "", |dice| {
                let table = ["<table/>", "<table>c</table>", "<table k=\"head\"/>"];
                let table = match dice.below(3) {
                    0 => one(dice, &["table", "", "<i>c</i>"]),
                    _ => one(dice, &table),
                };
                let around = one(dice, &["i", "p", "head", "table"]);
                match dice.below(5) {
                    0 | 1 => format!("<head>{table}</head>"),
                    2 => format!("<{around}>b{table}</{around}>"),
                    3 => format!("<head>b</head>{table}"),
                    _ => format!("<head><{around}>{}</{around}></head>", word(dice, 2)),
                }
            });
            format!("<doc>{inner}</doc>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: own: repeats and conditions four deep",
        grammar: ROBOTS,
        input: "go; repeat [ left; when { repeat [ go; ] repeat [ when { right; } ] } ]",
        valid: |input| depth(input).is_some(),
        fails: |input| depth(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let mut text = one(dice, &["go;", "", "left;"]).to_owned();
            for _ in 0..1 + dice.below(5) {
                let beside = ["", "go; ", "when { } ", "repeat [ right; ] "];
                text = format!("{}{text}", one(dice, &beside));
                text = match dice.below(2) {
                    0 => format!("repeat [ {text} ]"),
                    _ => format!("when {{ {text} }}"),
                };
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: own: a state with two rules for one event",
        grammar: STATES,
        input: "state idle { on coin go open; } state open { on push go idle; on coin go open; on push go lost; }",
        valid: |input| events(input).is_some(),
        fails: |input| events(input).is_some_and(|all| all.iter().any(|one| has_twice(one))),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let count = dice.below(4);
                let rules = joined(dice, count, " ", |dice| {
                    let event = one(dice, &["coin", "push", "kick", "a", "idle"]);
                    format!("on {event} go {};", one(dice, &["idle", "open", "coin"]))
                });
                format!("state {} {{ {rules} }}", one(dice, &["idle", "open", "push"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: own: a passage that ends before it begins",
        grammar: PASSAGES,
        input: "cite gen 1-3; cite job 12-9; cite acts 5-5;",
        valid: |input| passages(input).is_some(),
        fails: |input| passages(input).is_some_and(|all| all.iter().any(|(from, to)| to < from)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let from = 1 + dice.below(20);
                let to = [from, from + 1, from + 4, from - 1, 20][dice.below(5)];
                format!("cite {} {from}-{to};", word(dice, 3).replace("cite", "gen"))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: own: a pipe to or from a tank that is nowhere",
        grammar: PLANT,
        input: "tank a; pipe a b; tank b; pipe b drain; tank c;",
        valid: |input| plant(input).is_some(),
        fails: |input| {
            let Some([tanks, ends]) = plant(input) else { return false };
            ends.iter().any(|end| !tanks.contains(end))
        },
        draw: |dice| {
            let names = ["a", "b", "c", "drain"];
            let tanks = names.iter().filter(|_| dice.below(5) > 0);
            let mut parts: Vec<String> = tanks.map(|name| format!("tank {name};")).collect();
            for _ in 0..1 + dice.below(2) {
                parts.push(format!("pipe {} {};", one(dice, &names), one(dice, &names)));
            }
            shuffled(dice, parts).join(" ")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: toml: a mirror that is listed twice",
        grammar: "@toml",
        input: "title = \"x\"\nmirrors = [\"eu\", \"us\", \"asia\", \"us\"]\nretries = 3\n",
        valid: |input| {
            let starts_table = |line: &str| line.trim_start().starts_with('[');
            !input.contains(['\'', '#', '\\', '{', '\r'])
                && !input.contains("\"\"\"")
                && !input.lines().any(starts_table)
                && mirrors(input).is_some()
        },
        fails: |input| mirrors(input).is_some_and(|all| has_twice(&all)),
        draw: |dice| {
            let names = ["\"eu\"", "\"us\"", "\"asia\"", "\"a\"", "\"u\"", "\"eu2\""];
            let lists = ["mirrors", "others"].map(|key| {
                let count = 1 + dice.below(4);
                let all: Vec<&str> = (0..count).map(|_| one(dice, &names)).collect();
                format!("{key} = [{}]\n", all.join(", "))
            });
            let mut lines = lists.to_vec();
            lines.push(format!("retries = {}\n", dice.below(9)));
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: csv: a row that begins and ends with the same cell",
        grammar: "@csv",
        input: "from,by,to\noslo,train,bergen\nrome,bus,rome\n",
        valid: |input| !input.contains(['"', '\r']),
        fails: |input| {
            input.lines().any(|row| {
                let cells: Vec<&str> = row.split(',').collect();
                cells.len() >= 2 && cells[0] == cells[cells.len() - 1]
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rows = joined(dice, count, "\n", |dice| {
                let count = 2 + dice.below(2);
                joined(dice, count, ",", |dice| {
                    one(dice, &["oslo", "rome", "bus", "12", "a"]).to_owned()
                })
            });
            format!("{rows}\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "fifteenth: own: a board with rows of unequal length",
        grammar: BOARD,
        input: "x o . / . x o / o .",
        valid: |input| {
            let is_row = |row: &str| !row.trim().is_empty();
            input.chars().all(|c| "xo./ \n".contains(c)) && input.split('/').all(is_row)
        },
        fails: |input| {
            let length = |row: &str| row.chars().filter(|c| "xo.".contains(*c)).count();
            let lengths: Vec<usize> = input.split('/').map(length).collect();
            lengths.iter().any(|length| *length != lengths[0])
        },
        draw: |dice| {
            let (count, length) = (1 + dice.below(3), 1 + dice.below(4));
            let rows: Vec<String> = (0..count)
                .map(|_| {
                    let length = if dice.below(3) == 0 { 1 + dice.below(4) } else { length };
                    joined(dice, length, " ", |dice| one(dice, &["x", "o", "."]).to_owned())
                })
                .collect();
            rows.join(" / ")
        },
        patterns: &[],
    },
];
