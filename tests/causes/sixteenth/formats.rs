//! Causes in CSV, XML, TOML, INI and DOT, and in small languages.

use crate::readers::{is_name, sections};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// Functions with steps and conditions.
const FLOW: &str = "grammar Flow; program: function* EOF; function: 'fn' NAME block;
    block: '{' step* '}'; step: 'return' ';' | 'if' NAME block | NAME '(' ')' ';';
    NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// Names with words between them.
const FILTER: &str = "grammar Filter; filter: test EOF; test: term (('and' | 'or') term)*;
    term: 'not' term | '(' test ')' | NAME; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// The parts of a table in quotation marks; nothing if such a mark is where it must not be.
fn quoted(input: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = input.split('"').collect();
    let last = parts.len() - 1;
    let is_right = |(at, part): (usize, &&str)| {
        let begins = at == 0 || part.starts_with([',', '\n']);
        part.is_empty() || (begins && (at == last || part.ends_with([',', '\n'])))
    };
    let is_table = last.is_multiple_of(2) && parts.iter().enumerate().step_by(2).all(is_right);
    is_table.then(|| parts.into_iter().skip(1).step_by(2).collect())
}

/// An element of a document: its name, whether it has a text, and the names of its children.
type Element<'t> = (&'t str, bool, Vec<&'t str>);

/// The elements of a document; nothing if it is not one element, with all that is in it closed as it was opened, or has
/// something that the programs do not know.
fn elements(input: &str) -> Option<Vec<Element<'_>>> {
    let (mut open, mut all): (Vec<Element>, Vec<Element>) = (Vec::new(), Vec::new());
    let (before, _) = input.split_once('<').filter(|_| !input.contains(['!', '?', '&', '\'']))?;
    (input.is_ascii() && before.trim().is_empty()).then_some(())?;
    for rest in input.split('<').skip(1) {
        let (tag, text) = rest.split_once('>').filter(|(_, text)| !text.contains('>'))?;
        let name = tag.trim_matches('/').split_whitespace().next().filter(|name| is_name(name))?;
        if let Some(closed) = tag.strip_prefix('/') {
            (closed.trim_end() == open.last()?.0).then_some(())?;
            all.extend(open.pop());
        } else {
            (tag.starts_with(name) && tag.matches('"').count() % 2 == 0).then_some(())?;
            match open.last_mut() {
                Some(parent) => parent.2.push(name),
                None => all.is_empty().then_some(())?,
            }
            if tag.ends_with('/') { &mut all } else { &mut open }.push((name, false, Vec::new()));
        }
        if !text.trim().is_empty() {
            open.last_mut()?.1 = true;
        }
    }
    open.is_empty().then_some(all)
}

/// The keys of a table in braces; nothing if it is none.
fn inline_keys(value: &str) -> Option<Vec<&str>> {
    let inner = value.strip_prefix('{')?.strip_suffix('}')?;
    let pairs = inner.split(',').map(|pair| {
        let (key, value) = pair.split_once('=')?;
        is_simple(value.trim()).then_some(key.trim()).filter(|key| is_name(key))
    });
    let all: Vec<&str> = pairs.collect::<Option<_>>()?;
    let is_right = all.iter().enumerate().all(|(at, key)| !all[..at].contains(key));
    is_right.then_some(all)
}

/// Whether a value is a text without quotation marks and commas in it, or a number.
fn is_simple(value: &str) -> bool {
    match value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(text) => text.chars().all(|c| c.is_ascii_alphanumeric() || "./-: ".contains(c)),
        None => value.len() < 8 && value.parse::<u32>().is_ok_and(|n| n.to_string() == value),
    }
}

/// The keys of each dependency that is a table; nothing if a value is odd.
fn dependencies(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut all = Vec::new();
    for (section, pairs) in sections(input)? {
        for (_, value) in pairs {
            match value.starts_with('{') && section == "dependencies" {
                true => all.push(inline_keys(value)?),
                false => is_simple(value).then_some(())?,
            }
        }
    }
    Some(all)
}

/// Whether a section extends one that is not before it; nothing if a setting is odd or in no section.
fn extends_later(input: &str) -> Option<bool> {
    let all = sections(input)?;
    let mut pairs = all.iter().flat_map(|(_, pairs)| pairs);
    (all[0].1.is_empty() && pairs.all(|(_, value)| is_name(value))).then_some(())?;
    let mut after = all.iter().enumerate();
    Some(after.any(|(at, (_, pairs))| {
        let mut bases = pairs.iter().filter(|(key, _)| *key == "extends");
        bases.any(|(_, base)| all[..at].iter().all(|(name, _)| name != base))
    }))
}

/// Whether an edge is of the other kind than its graph; nothing if a statement is none of nodes and edges.
fn has_other_edge(input: &str) -> Option<bool> {
    let (head, body) = input.trim_end().strip_suffix('}')?.split_once('{')?;
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let is_node =
        |word: &str| word.chars().all(|c| c.is_ascii_lowercase()) && !keywords.contains(&word);
    let own = match head.split_whitespace().collect::<Vec<&str>>()[..] {
        ["digraph", name] if is_node(name) => ">",
        ["graph", name] if is_node(name) => "-",
        _ => return None,
    };
    let mut found = false;
    for statement in body.split(';').filter(|statement| !statement.trim().is_empty()) {
        let spaced = statement.replace("->", " > ").replace("--", " - ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut edges = words.iter().skip(1).step_by(2);
        let is_right = words.len() % 2 == 1 && edges.clone().all(|edge| [">", "-"].contains(edge));
        (is_right && words.iter().step_by(2).all(|word| is_node(word))).then_some(())?;
        found |= edges.any(|edge| *edge != own);
    }
    Some(found)
}

/// A text with blanks around its signs.
fn spaced(input: &str) -> String {
    let is_inside = |c: char| c.is_ascii_lowercase() || c == ' ';
    let texts = input.replace('\n', " ");
    texts.chars().map(|c| if is_inside(c) { c.to_string() } else { format!(" {c} ") }).collect()
}

/// Whether a token is a name in the small languages.
fn is_free(token: &str) -> bool {
    let keywords = ["fn", "return", "if", "and", "or", "not"];
    token.chars().all(|c| c.is_ascii_lowercase()) && !keywords.contains(&token)
}

/// Whether a program has a step after a return of the same block; nothing if it is no program.
fn is_unreachable(input: &str) -> Option<bool> {
    let (spaced, mut open, mut found) = (spaced(input), Vec::new(), false);
    let all: Vec<&str> = spaced.split(' ').filter(|token| !token.is_empty()).collect();
    let mut rest = &all[..];
    while let Some(first) = rest.first() {
        let after = match rest {
            ["}", after @ ..] => after,
            ["fn", name, "{", after @ ..] if open.is_empty() && is_free(name) => after,
            _ if open.is_empty() => return None,
            ["if", name, "{", after @ ..] if is_free(name) => after,
            ["return", ";", after @ ..] => after,
            [name, "(", ")", ";", after @ ..] if is_free(name) => after,
            _ => return None,
        };
        rest = after;
        if *first == "}" {
            open.pop()?;
            continue;
        }
        if let Some(has_returned) = open.last_mut() {
            found |= *has_returned;
            *has_returned |= *first == "return";
        }
        if ["fn", "if"].contains(first) {
            open.push(false);
        }
    }
    open.is_empty().then_some(found)
}

/// Whether a filter has both words between the terms of one level; nothing if it is no filter.
fn is_unclear(input: &str) -> Option<bool> {
    let (spaced, mut open) = (spaced(input), vec![None]);
    let (mut is_term_next, mut found) = (true, false);
    for token in spaced.split(' ').filter(|token| !token.is_empty()) {
        match token {
            "not" if is_term_next => {}
            "(" if is_term_next => open.push(None),
            ")" if !is_term_next && open.len() > 1 => drop(open.pop()),
            "and" | "or" if !is_term_next => {
                found |= *open.last_mut()?.get_or_insert(token) != token;
                is_term_next = true;
            }
            name if is_term_next && is_free(name) => is_term_next = false,
            _ => return None,
        }
    }
    (open.len() == 1 && !is_term_next).then_some(found)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "sixteenth: csv: a cell with a line break in it",
        grammar: "@csv",
        input: "name,note\nann,\"tea, hot\"\nbo,\"two\ncups\"\ncy,none\n",
        valid: |input| !input.contains('\r') && quoted(input).is_some(),
        fails: |input| quoted(input).is_some_and(|all| all.iter().any(|one| one.contains('\n'))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rows = joined(dice, count, "\n", |dice| {
                joined(dice, 2, ",", |dice| {
                    let cells = ["two\ncups", "\n", "a\n\"\"b", "a, b", "", "\"\"a\"\"", "\\n"];
                    match dice.below(3) {
                        0 => format!("\"{}\"", one(dice, &cells)),
                        _ => word(dice, 4),
                    }
                })
            });
            format!("{rows}\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: xml: an element with a text and an element in it",
        grammar: "@xml",
        input: "<page><p>tea</p><p><i>hot</i></p><p k=\"1\">see <b>cups</b></p><br/></page>",
        valid: |input| elements(input).is_some(),
        fails: |input| {
            let all = elements(input).unwrap_or_default();
            all.iter().any(|(_, has_text, children)| *has_text && !children.is_empty())
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let inner = joined(dice, count, "", |dice| {
                let (name, text) = (one(dice, &["p", "b", "p k=\"t\""]), word(dice, 3));
                let inner = match dice.below(8) {
                    0 => format!("{text}<i/>"),
                    1 => format!("<i>{text}</i> {text}"),
                    2 => format!(" <i>{text}</i>\n"),
                    3 => format!("<i/><b>{text}</b>"),
                    4 => String::new(),
                    _ => text,
                };
                format!("<{name}>{inner}</{}>", &name[..1])
            });
            format!("<page>{inner}</page>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: xml: a list with a child that is no item",
        grammar: "@xml",
        input: "<menu><p>hot</p><list><item>a</item><item><b>c</b></item><p>d</p></list></menu>",
        valid: |input| elements(input).is_some(),
        fails: |input| {
            let all = elements(input).unwrap_or_default();
            let mut lists = all.iter().filter(|(name, ..)| *name == "list");
            lists.any(|(.., children)| children.iter().any(|child| *child != "item"))
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let inner = joined(dice, count, "", |dice| {
                let count = dice.below(4);
                let children = joined(dice, count, "", |dice| match dice.below(5) {
                    0 => format!("<{}/>", one(dice, &["p", "items", "list"])),
                    1 => format!("<item>{}</item>", one(dice, &["<p/>", "<list><item/></list>"])),
                    2 => "<item/>".to_owned(),
                    _ => format!("<item>{}</item>", word(dice, 3)),
                });
                let name = one(dice, &["list", "list", "list", "menu"]);
                format!("<p>e</p><{name}>{children}</{name}>")
            });
            format!("<menu>{inner}</menu>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: toml: a dependency with a path and a git address",
        grammar: "@toml",
        input: "[package]\npath = \"tea\"\n[dependencies]\ncup = { path = \"c\" }\npot = { git = \"x/y\", path = \"p\" }\n",
        valid: |input| dependencies(input).is_some(),
        fails: |input| {
            let all = dependencies(input).unwrap_or_default();
            all.iter().any(|keys| keys.contains(&"git") && keys.contains(&"path"))
        },
        draw: |dice| {
            let key = one(dice, &["path", "git", "name"]);
            let mut text = format!("[package]\n{key} = \"tea\"\n[dependencies]\n");
            for at in 0..1 + dice.below(3) {
                let pairs = ["git = \"a\"", "path = \"b\"", "tag = \"git\"", "rev = \"path\""];
                let mut pairs = shuffled(dice, pairs.map(str::to_owned).to_vec());
                pairs.truncate(1 + dice.below(3));
                text += &format!("{}{at} = {{ {} }}\n", word(dice, 2), pairs.join(", "));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: ini: a section that extends one that is not before it",
        grammar: "@ini",
        input: "[base]\ncolor=red\n[wide]\nextends=base\n[dev]\nextends=prod\nsize=big\n[prod]\nsize=small\n",
        valid: |input| extends_later(input).is_some(),
        fails: |input| extends_later(input) == Some(true),
        draw: |dice| {
            let names = shuffled(dice, ["base", "wide", "dev", "prod"].map(str::to_owned).to_vec());
            let sections = (0..2 + dice.below(2)).map(|at| {
                let line = match dice.below(5) {
                    0 => format!("extends={}\n", names[dice.below(4)]),
                    1..4 if at > 0 => format!("extends={}\n", names[dice.below(at)]),
                    _ => format!("color={}\n", one(dice, &["red", "prod", "dev"])),
                };
                format!("[{}]\n{line}", names[at])
            });
            sections.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: dot: an edge that is of the other kind than its graph",
        grammar: "@dot",
        input: "digraph tea { leaf -> pot; pot -> cup -- milk; cup -> ann; }",
        valid: |input| has_other_edge(input).is_some(),
        fails: |input| has_other_edge(input) == Some(true),
        draw: |dice| {
            let (kind, own) = [("digraph", "->"), ("graph", "--")][dice.below(2)];
            let mut text = format!("{kind} g {{ ");
            for _ in 0..1 + dice.below(3) {
                text += one(dice, &["a", "b", "c"]);
                for _ in 0..dice.below(3) {
                    let edge = if dice.below(3) == 0 { one(dice, &["->", "--"]) } else { own };
                    text += &format!(" {edge} {}", one(dice, &["a", "b", "c"]));
                }
                text += "; ";
            }
            text + "}"
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: own: a step after a return in the same block",
        grammar: FLOW,
        input: "fn pour { if full { return; } heat(); } fn stop { cut(); return; log(); }",
        valid: |input| is_unreachable(input).is_some(),
        fails: |input| is_unreachable(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(2);
            joined(dice, count, " ", |dice| {
                let mut text = one(dice, &["return; ", "a(); ", ""]).to_owned();
                for _ in 0..dice.below(3) {
                    let before = one(dice, &["", "", "", "b(); ", "return; "]);
                    let after = one(dice, &["", "c(); ", ""]);
                    text = format!("{before}if {} {{ {text}}} {after}", word(dice, 1));
                }
                format!("fn {} {{ {text}{}}}", word(dice, 1), one(dice, &["", "", "d(); "]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "sixteenth: own: `and` and `or` side by side without parentheses",
        grammar: FILTER,
        input: "open and (red or blue) and not (hot or (new and big or old)) and near",
        valid: |input| is_unclear(input).is_some(),
        fails: |input| is_unclear(input) == Some(true),
        draw: |dice| {
            let mut text = word(dice, 1);
            for _ in 0..1 + dice.below(3) {
                let usual = one(dice, &["and", "or"]);
                for _ in 0..dice.below(3) {
                    let between = if dice.below(6) == 0 { "or" } else { usual };
                    let term = one(dice, &["a", "not b", "(c or d)", "(a and b)"]);
                    text = format!("{term} {between} {text}");
                }
                if dice.below(3) > 0 {
                    text = format!("{}({text})", one(dice, &["", "not "]));
                }
            }
            text
        },
        patterns: &[],
    },
];
