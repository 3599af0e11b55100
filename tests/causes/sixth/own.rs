//! Causes in XML and in small languages. Some of the programs reject invalid inputs.

use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

const RULES: &str = "grammar Rules; text: rule* EOF; rule: action kind PORT ';';
    action: 'allow' | 'deny' | 'log'; kind: 'tcp' | 'udp'; PORT: [0-9]+; WS: [ \\n]+ -> skip;";

const TABLE: &str = "grammar Table; text: head row* EOF; head: 'cols' NAME+ ';';
    row: 'row' N* ';'; NAME: [a-z]+; N: [0-9]+; WS: [ \\n]+ -> skip;";

const STEPS: &str = "grammar Steps; text: step* EOF; step: 'lock' ';' | 'wait' ';' | 'unlock' ';'
    | 'work' N ';'; N: [0-9]+; WS: [ \\n]+ -> skip;";

const NESTS: &str = "grammar Nests; text: value EOF; value: '(' value* ')' | '[' value* ']'
    | '<' value* '>' | NAME; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// The words of each statement, without the semicolons.
fn statements(input: &str) -> Vec<Vec<&str>> {
    let all = input.split(';').map(|one| one.split_whitespace().collect::<Vec<&str>>());
    all.filter(|words| !words.is_empty()).collect()
}

/// The tags of an XML text, without their brackets.
fn tags(input: &str) -> Vec<&str> {
    let tags = input.split('<').skip(1).filter_map(|tag| tag.split('>').next());
    tags.filter(|tag| !tag.starts_with('/')).collect()
}

/// The names of a tag's attributes.
fn attributes(tag: &str) -> Vec<&str> {
    let parts: Vec<&str> = tag.split('=').collect();
    let names = parts.iter().take(parts.len().saturating_sub(1));
    names.filter_map(|part| part.split_whitespace().last()).collect()
}

/// How deep brackets of any kind are nested.
fn depth(input: &str) -> i32 {
    let (mut depth, mut most) = (0, 0);
    for c in input.chars() {
        depth += i32::from("([<".contains(c)) - i32::from(")]>".contains(c));
        most = most.max(depth);
    }
    most
}

/// The causes.
pub const OWN: &[TwoSided] = &[
    TwoSided {
        name: "sixth: own: a rule that denies a low port of tcp",
        grammar: RULES,
        input: "allow tcp 80; deny udp 53; deny tcp 443; deny tcp 8080;",
        valid: |input| {
            let all = statements(input);
            all.iter().all(|rule| {
                let [_, _, port] = rule[..] else { return false };
                port.parse::<u32>().is_ok_and(|port| port < 65536)
            })
        },
        fails: |input| {
            let all = statements(input);
            all.iter().any(|rule| {
                rule[..2] == ["deny", "tcp"] && rule[2].parse::<u32>().is_ok_and(|port| port < 1024)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, " ", |dice| {
                let action = one(dice, &["allow", "deny", "deny", "log"]);
                let kind = one(dice, &["tcp", "tcp", "udp"]);
                let port = [dice.below(1024), dice.below(5000), 1023, 1024][dice.below(4)];
                format!("{action} {kind} {port};")
            })
        },
        patterns: &["deny tcp <integer 0..1023>;", "deny tcp <integer ≤ 1023>;"],
    },
    TwoSided {
        name: "sixth: own: a row of another length than the head",
        grammar: TABLE,
        input: "cols a b; row 1 2; row 3 4 5; row 6 7;",
        valid: |input| {
            let all = statements(input);
            let Some(["cols", names @ ..]) = all.first().map(Vec::as_slice) else { return false };
            let mut names = names.to_vec();
            names.sort_unstable();
            !names.is_empty() && names.windows(2).all(|pair| pair[0] != pair[1])
        },
        fails: |input| {
            let all = statements(input);
            all[1..].iter().any(|row| row.len() != all[0].len())
        },
        draw: |dice| {
            let columns = 1 + dice.below(3);
            let names: Vec<&str> = ["a", "b", "c"][..columns].to_vec();
            let rows: Vec<String> = (0..dice.below(3))
                .map(|_| {
                    let cells = if dice.below(3) > 0 { columns } else { dice.below(4) };
                    let cells: Vec<String> =
                        (0..cells).map(|_| dice.below(50).to_string()).collect();
                    format!("row {};", cells.join(" "))
                })
                .collect();
            format!("cols {}; {}", names.join(" "), rows.join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixth: own: a wait after a lock and before an unlock",
        grammar: STEPS,
        input: "work 3; lock; work 1; wait; work 2; unlock;",
        valid: any,
        fails: |input| {
            let words: Vec<&str> = statements(input).iter().map(|words| words[0]).collect();
            let lock = words.iter().position(|word| *word == "lock");
            let unlock = words.iter().rposition(|word| *word == "unlock");
            let (Some(lock), Some(unlock)) = (lock, unlock) else { return false };
            words.iter().enumerate().any(|(at, word)| *word == "wait" && lock < at && at < unlock)
        },
        draw: |dice| {
            let mut steps = ["lock;", "wait;", "unlock;"].map(str::to_owned).to_vec();
            if dice.below(2) == 0 {
                steps = shuffled(dice, steps);
            }
            for _ in 0..dice.below(3) {
                let step = one(dice, &["lock;", "wait;", "unlock;", "work 1;"]).to_owned();
                steps.insert(dice.below(steps.len() + 1), step);
            }
            steps.join(" ")
        },
        patterns: &["lock; wait; unlock;", "lock;wait;unlock;"],
    },
    TwoSided {
        name: "sixth: own: brackets of three kinds five deep",
        grammar: NESTS,
        input: "(a [b <c (d [e f])> g] <h>)",
        valid: any,
        fails: |input| depth(input) >= 5,
        draw: |dice| {
            let mut inner = word(dice, 2);
            for _ in 0..2 + dice.below(6) {
                let beside = one(dice, &["", "x ", "(y) "]);
                let brackets = one(dice, &["()", "[]", "<>"]);
                inner = format!("{}{beside}{inner}{}", &brackets[..1], &brackets[1..]);
            }
            inner
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixth: own: xml: a link with a target and no rel",
        grammar: "@xml",
        input: r#"<p><a href="x" target="y" rel="z">b</a><a target="y" href="x">c</a></p>"#,
        valid: |input| {
            !input.contains(['!', '?', '&'])
                && tags(input).iter().all(|tag| {
                    let mut names = attributes(tag);
                    names.sort_unstable();
                    names.windows(2).all(|pair| pair[0] != pair[1])
                })
        },
        fails: |input| {
            tags(input).iter().any(|tag| {
                let names = attributes(tag);
                let name = tag.split([' ', '/', '\n', '\t']).next();
                name == Some("a") && names.contains(&"target") && !names.contains(&"rel")
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let links = joined(dice, count, "", |dice| {
                let name = one(dice, &["a", "a", "a", "b"]);
                let all = [" href=\"x\"", " target=\"t\"", " rel=\"r\""];
                let some = all.iter().filter(|_| dice.below(2) == 0).map(|one| (*one).to_owned());
                let some: Vec<String> = some.collect();
                format!("<{name}{}>x</{name}>", shuffled(dice, some).concat())
            });
            format!("<p>{links}</p>")
        },
        patterns: &[],
    },
];
