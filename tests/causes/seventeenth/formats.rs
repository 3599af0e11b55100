//! Causes in CSV, XML, TOML, INI and DOT, and in small languages.

use crate::readers::{is_name, sections, spaced};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// Functions with their parameters, and calls of them.
const CALLS: &str = "grammar Calls; program: (define | call)* EOF;
    define: 'fn' NAME '(' names? ')' ';'; names: NAME (',' NAME)*;
    call: 'do' NAME '(' values? ')' ';'; values: value (',' value)*; value: NAME | NUMBER;
    NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

/// Steps with loops and conditions.
const LOOPS: &str = "grammar Loops; program: step* EOF; block: '{' step* '}';
    step: 'while' NAME block | 'if' NAME block | 'break' ';' | NAME '(' ')' ';';
    NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// Whether something is there twice.
fn has_twice(all: &[&str]) -> bool {
    (1..all.len()).any(|at| all[..at].contains(&all[at]))
}

/// The rows of a table without quotation marks; nothing if it has one, or a blank line.
fn rows(input: &str) -> Option<Vec<Vec<&str>>> {
    let is_simple = !input.contains(['"', '\r']) && input.lines().all(|line| !line.is_empty());
    is_simple.then(|| input.lines().map(|line| line.split(',').collect()).collect())
}

/// An element of a document: its name, the names of its attributes, and whether something is in it.
type Element<'t> = (&'t str, Vec<&'t str>, bool);

/// The names of the attributes of a tag; nothing if one is odd or there twice.
fn attributes(text: &str) -> Option<Vec<&str>> {
    let (mut all, mut rest) = (Vec::new(), text);
    while !rest.trim().is_empty() {
        let (key, after) = rest.split_once("=\"")?;
        let (_, after) = after.split_once('"')?;
        let is_apart = key.starts_with([' ', '\n']) && is_name(key.trim());
        all.push(Some(key.trim()).filter(|_| is_apart)?);
        rest = after;
    }
    (!has_twice(&all)).then_some(all)
}

/// The elements of a document; nothing if it is not one element, with all that is in it closed as it was opened, or has
/// something that the programs do not know.
fn elements(input: &str) -> Option<Vec<Element<'_>>> {
    let (mut open, mut all): (Vec<Element>, Vec<Element>) = (Vec::new(), Vec::new());
    let (before, _) = input.split_once('<').filter(|_| !input.contains(['!', '?', '&', '\'']))?;
    (input.is_ascii() && before.trim().is_empty()).then_some(())?;
    for rest in input.split('<').skip(1) {
        let (tag, text) = rest.split_once('>').filter(|(_, text)| !text.contains('>'))?;
        if let Some(closed) = tag.strip_prefix('/') {
            (closed.trim_end() == open.last()?.0).then_some(())?;
            all.extend(open.pop());
        } else {
            let (inner, is_closed) = match tag.strip_suffix('/') {
                Some(inner) => (inner, true),
                None => (tag, false),
            };
            let end = inner.find([' ', '\n']).unwrap_or(inner.len());
            let name = Some(&inner[..end]).filter(|name| is_name(name))?;
            match open.last_mut() {
                Some(parent) => parent.2 = true,
                None => all.is_empty().then_some(())?,
            }
            let element = (name, attributes(&inner[end..])?, false);
            if is_closed { &mut all } else { &mut open }.push(element);
        }
        if !text.trim().is_empty() {
            open.last_mut()?.2 = true;
        }
    }
    open.is_empty().then_some(all)
}

/// The modes of the sections; nothing if a setting is odd.
fn modes(input: &str) -> Option<Vec<&str>> {
    let all: Vec<(&str, &str)> = sections(input)?.into_iter().flat_map(|(_, all)| all).collect();
    let is_right =
        |value: &str| !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric());
    all.iter().all(|(_, value)| is_right(value)).then_some(())?;
    Some(all.into_iter().filter(|(key, _)| *key == "mode").map(|(_, value)| value).collect())
}

/// A short whole number.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| text.len() < 7 && number.to_string() == text)
}

/// The least and the greatest size of each pool that has both; nothing if a setting is odd.
fn pools(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut all = Vec::new();
    for (_, pairs) in sections(input)? {
        let (mut least, mut most) = (None, None);
        for (key, value) in pairs {
            match key {
                "min" => least = Some(number(value)?),
                "max" => most = Some(number(value)?),
                _ if number(value).is_some() => {}
                _ => is_name(value.strip_prefix('"')?.strip_suffix('"')?).then_some(())?,
            }
        }
        all.extend(least.zip(most));
    }
    Some(all)
}

/// Whether an edge goes from a node to itself; nothing if a statement is none of nodes and edges.
fn has_own_edge(input: &str) -> Option<bool> {
    let (head, body) = input.trim_end().strip_suffix('}')?.split_once('{')?;
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let is_node =
        |word: &str| word.chars().all(|c| c.is_ascii_lowercase()) && !keywords.contains(&word);
    match head.split_whitespace().collect::<Vec<&str>>()[..] {
        ["digraph", name] => is_node(name).then_some(())?,
        _ => return None,
    }
    let mut found = false;
    for statement in body.split(';').filter(|statement| !statement.trim().is_empty()) {
        let nodes: Vec<&str> = statement.split("->").map(str::trim).collect();
        nodes.iter().all(|node| !node.is_empty() && is_node(node)).then_some(())?;
        found |= nodes.windows(2).any(|two| two[0] == two[1]);
    }
    Some(found)
}

/// Whether a token is a name in the small languages.
fn is_free(token: &str) -> bool {
    let keywords = ["fn", "do", "while", "if", "break"];
    token.chars().all(|c| c.is_ascii_lowercase()) && !keywords.contains(&token)
}

/// Whether a call has not as many values as its function has parameters; nothing if it is no program, or a function is
/// there twice or not at all.
fn has_wrong_call(input: &str) -> Option<bool> {
    let (mut functions, mut calls) = (Vec::new(), Vec::new());
    let (last, parts) =
        input.split(';').collect::<Vec<&str>>().split_last().map(|(last, parts)| {
            (last.trim().is_empty(), parts.iter().map(|part| spaced(part)).collect::<Vec<String>>())
        })?;
    for part in &parts {
        let tokens: Vec<&str> = part.split(' ').filter(|token| !token.is_empty()).collect();
        let [kind, name, "(", values @ .., ")"] = &tokens[..] else { return None };
        let is_define = *kind == "fn";
        let is_value = |token: &str| {
            is_free(token) || (!is_define && token.chars().all(|c| c.is_ascii_digit()))
        };
        let is_right = values.iter().enumerate().all(|(at, token)| match at % 2 {
            0 => is_value(token),
            _ => *token == ",",
        });
        let has_end = values.is_empty() || values.len() % 2 == 1;
        (is_right && has_end && is_free(name)).then_some(())?;
        let count = values.len().div_ceil(2);
        match *kind {
            "fn" if functions.iter().all(|(other, _)| other != name) => {
                functions.push((*name, count));
            }
            "do" => calls.push((*name, count)),
            _ => return None,
        }
    }
    let mut found = false;
    for (name, count) in calls {
        let (_, expected) = functions.iter().find(|(other, _)| *other == name)?;
        found |= count != *expected;
    }
    last.then_some(found)
}

/// Whether a break is in no loop; nothing if it is no program.
fn has_stray_break(input: &str) -> Option<bool> {
    let (spaced, mut open, mut found) = (spaced(input), Vec::new(), false);
    let all: Vec<&str> = spaced.split(' ').filter(|token| !token.is_empty()).collect();
    let mut rest = &all[..];
    while !rest.is_empty() {
        rest = match rest {
            ["}", after @ ..] => {
                open.pop()?;
                after
            }
            [kind @ ("while" | "if"), name, "{", after @ ..] if is_free(name) => {
                open.push(*kind);
                after
            }
            ["break", ";", after @ ..] => {
                found |= !open.contains(&"while");
                after
            }
            [name, "(", ")", ";", after @ ..] if is_free(name) => after,
            _ => return None,
        };
    }
    open.is_empty().then_some(found)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "seventeenth: csv: a row that has not as many cells as the header",
        grammar: "@csv",
        input: "id,name,city,born\n1,ann lee,oslo,1980\n2,bo berg,bergen,\n3,cy oak,rome,italy,1991\n4,,pisa,1975\n5,di fox,voss,2001\n",
        valid: |input| rows(input).is_some(),
        fails: |input| {
            let all = rows(input).unwrap_or_default();
            all.iter().any(|row| row.len() != all[0].len())
        },
        draw: |dice| {
            let usual = 1 + dice.below(4);
            let rows: Vec<String> = (0..1 + dice.below(4))
                .map(|_| {
                    let count = match dice.below(9) {
                        0 => usual + 1,
                        1 => (usual - 1).max(1),
                        2 => 1 + dice.below(4),
                        _ => usual,
                    };
                    let row = joined(dice, count, ",", |dice| {
                        one(dice, &["oslo", "1980", "", "ann lee", "a;b", "x"]).to_owned()
                    });
                    if row.is_empty() { "x".to_owned() } else { row }
                })
                .collect();
            format!("{}\n", rows.join("\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: csv: a header with two equal names",
        grammar: "@csv",
        input: "id,name,phone,city,phone,note\n1,ann,5550,oslo,5551,late\n2,bo,5560,oslo,5560,\n3,cy,5570,rome,5571,late\n",
        valid: |input| rows(input).is_some(),
        fails: |input| {
            let all = rows(input).unwrap_or_default();
            all.first().is_some_and(|header| has_twice(header))
        },
        draw: |dice| {
            let count = 2 + dice.below(4);
            let names = ["id", "name", "phone", "city", "note", "phones", "born", "zip", "age"];
            let mut names = shuffled(dice, names.map(str::to_owned).to_vec());
            names.truncate(count);
            if dice.below(2) == 0 {
                let at = dice.below(count - 1);
                names[count - 1] = names[at].clone();
                names = shuffled(dice, names);
            }
            let mut text = format!("{}\n", names.join(","));
            for _ in 0..dice.below(4) {
                let cells = joined(dice, count, ",", |dice| {
                    one(dice, &["oslo", "phone", "5550", "ann", "7"]).to_owned()
                });
                text += &format!("{cells}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: xml: a title without a text or an element in it",
        grammar: "@xml",
        input: "<shelf><book id=\"b1\"><title>Tea and Rain</title><note/></book><book id=\"b2\"><note>lost</note><title></title></book><title>Old <i/></title></shelf>",
        valid: |input| elements(input).is_some(),
        fails: |input| {
            let all = elements(input).unwrap_or_default();
            all.iter().any(|(name, _, has_inner)| *name == "title" && !has_inner)
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let books = joined(dice, count, "", |dice| {
                let title = match dice.below(4) {
                    0 => {
                        let all = [
                            "<title/>",
                            "<title></title>",
                            "<title k=\"a\"/>",
                            "<title>\n</title>",
                        ];
                        one(dice, &all).to_owned()
                    }
                    1 => one(dice, &["<title><i/></title>", "<titles/>", "<note/>"]).to_owned(),
                    _ => format!("<title>{}</title>", word(dice, 5)),
                };
                let note = one(dice, &["<note/>", "<note></note>", "<note>title</note>", ""]);
                let name = one(dice, &["book", "book", "disc"]);
                match dice.below(2) {
                    0 => format!("<{name} id=\"title\">{title}{note}</{name}>"),
                    _ => format!("<{name}>{note}{title}</{name}>"),
                }
            });
            format!("<shelf>{books}</shelf>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: toml: a pool whose least size is greater than its greatest",
        grammar: "@toml",
        input: "name = \"shop\"\nmin = 90\nworkers = 4\n\n[reads]\nmin = 2\nmax = 16\nidle = 30\n\n[writes]\nmax = 4\nlabel = \"slow\"\nmin = 8\n\n[mail]\nmin = 70\n\n[jobs]\nmax = 1\n",
        valid: |input| pools(input).is_some(),
        fails: |input| pools(input).is_some_and(|all| all.iter().any(|(least, most)| least > most)),
        draw: |dice| {
            let mut text = one(dice, &["", "name = \"max\"\n", "min = 90\n"]).to_owned();
            let names = ["reads", "writes", "mail", "max"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            for name in &names {
                let least = dice.below(20);
                let most = [least, least + 1, least + 7, least.max(1) - 1, dice.below(20)];
                let most = most[dice.below(5)];
                let mut lines = vec![format!("idle = {}\n", dice.below(30))];
                if dice.below(8) > 0 {
                    lines.push(format!("min = {least}\n"));
                }
                if dice.below(8) > 0 {
                    lines.push(format!("max = {most}\n"));
                }
                text += &format!("[{name}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: ini: a mode that is legacy or compat",
        grammar: "@ini",
        input: "[render]\nmode=fast\nengine=legacy\ndepth=24\n[audio]\nvolume=80\nmode=compat\nrate=44100\n[network]\ncompat=no\nport=8080\nmode=safe\n",
        valid: |input| modes(input).is_some(),
        fails: |input| {
            modes(input)
                .is_some_and(|all| all.iter().any(|mode| ["legacy", "compat"].contains(mode)))
        },
        draw: |dice| {
            let names = ["render", "audio", "network", "legacy"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            let sections = names.iter().map(|name| {
                let mode = match dice.below(3) {
                    0 => one(dice, &["legacy", "compat"]),
                    _ => one(dice, &["fast", "safe", "legacy2", "compatible", "mode", "leg"]),
                };
                let mut lines = vec![
                    format!("engine={}\n", one(dice, &["legacy", "gl", "compat"])),
                    format!("{}=no\n", one(dice, &["compat", "legacy", "sound"])),
                ];
                if dice.below(8) > 0 {
                    lines.push(format!("mode={mode}\n"));
                }
                format!("[{name}]\n{}", shuffled(dice, lines).concat())
            });
            sections.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: dot: an edge from a node to itself",
        grammar: "@dot",
        input: "digraph trains { oslo -> bergen -> voss; rome -> bari; rome -> pisa; oslo -> rome -> rome -> bari; hamar; bergen -> pisa -> bergen; }",
        valid: |input| has_own_edge(input).is_some(),
        fails: |input| has_own_edge(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let statements = joined(dice, count, "; ", |dice| {
                let names = ["oslo", "rome", "pisa", "romea", "o", "bari"];
                let mut text = one(dice, &names).to_owned();
                for _ in 0..dice.below(4) {
                    text += &format!(" -> {}", one(dice, &names));
                }
                text
            });
            format!("digraph {} {{ {statements}; }}", one(dice, &["trains", "rome"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: own: a call with another number of values than its function has",
        grammar: CALLS,
        input: "fn pour(pot, cup); fn heat(pot); fn stop(); do heat(a); do pour(a, b); do stop(); fn mix(x, y, z); do mix(1, 2, tea); do pour(7); do heat(pot);",
        valid: |input| has_wrong_call(input).is_some(),
        fails: |input| has_wrong_call(input) == Some(true),
        draw: |dice| {
            let names = ["pour", "heat", "stop"];
            let counts = [dice.below(4), dice.below(3), dice.below(2)];
            let list = |dice: &mut _, count| {
                joined(dice, count, ", ", |dice| one(dice, &["a", "b", "pour", "tea"]).to_owned())
            };
            let mut lines: Vec<String> =
                (0..3).map(|at| format!("fn {}({});", names[at], list(dice, counts[at]))).collect();
            for _ in 0..1 + dice.below(4) {
                let at = dice.below(3);
                let count = match dice.below(6) {
                    0 => counts[at] + 1,
                    1 => counts[at].max(1) - 1,
                    _ => counts[at],
                };
                let values = list(dice, count).replace('b', "12");
                lines.push(format!("do {}({values});", names[at]));
            }
            let lines = if dice.below(2) == 0 { shuffled(dice, lines) } else { lines };
            lines.join(" ")
        },
        patterns: &[],
    },
    TwoSided {
        name: "seventeenth: own: a break that is in no loop",
        grammar: LOOPS,
        input: "open(); while more { read(); if bad { break; } log(); } if late { warn(); if big { break; } close(); } while open { wait(); }",
        valid: |input| has_stray_break(input).is_some(),
        fails: |input| has_stray_break(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let last = ["break;", "break;", "a();", ""];
                let mut text = one(dice, &last).to_owned();
                for _ in 0..dice.below(4) {
                    let before = ["", "", "b(); ", "while x { break; } ", "if y { c(); } "];
                    let before = one(dice, &before);
                    let after = one(dice, &["", "", " d();", " while z { }"]);
                    let kind = one(dice, &["while", "if", "if"]);
                    text = format!("{before}{kind} {} {{ {text} }}{after}", word(dice, 1));
                }
                text
            })
        },
        patterns: &[],
    },
];
