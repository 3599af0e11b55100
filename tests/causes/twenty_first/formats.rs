//! Causes in XML, TOML, CSV and INI, and in small languages.

use crate::readers::{is_free, is_name, sections};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// Variables that are set and printed.
const SUMS: &str = "grammar Sums; program: statement* EOF;
    statement: 'let' NAME '=' sum ';' | 'print' sum ';'; sum: value ('+' value)*;
    value: NAME | NUMBER; NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

/// Questions to a table.
const QUERIES: &str = "grammar Queries; script: query* EOF;
    query: 'select' NAME (',' NAME)* 'from' NAME where? group? having? ';';
    where: 'where' NAME '>' NUMBER; group: 'group' NAME; having: 'having' NAME '>' NUMBER;
    NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

/// Loops, conditions and steps.
const STEPS: &str = "grammar Steps; program: item* EOF;
    item: 'while' NAME '{' item* '}' | 'if' NAME '{' item* '}' | 'break' ';' | NAME ';';
    NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// An element: its name, its attributes, the name of the element that it is in, and whether nothing is in it.
struct Element<'t> {
    name: &'t str,
    attributes: Vec<(&'t str, &'t str)>,
    outer: &'t str,
    is_empty: bool,
}

/// The attributes of a tag; nothing if they are odd, or one is there twice.
fn attributes(text: &str) -> Option<Vec<(&str, &str)>> {
    let (mut rest, mut all) = (text.trim_end(), Vec::<(&str, &str)>::new());
    while !rest.is_empty() {
        let (key, after) = rest.strip_prefix(' ')?.trim_start().split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        let is_new = all.iter().all(|(other, _)| *other != key);
        (is_name(key) && is_new).then_some(())?;
        all.push((key, value));
        rest = after;
    }
    Some(all)
}

/// The elements of a document; nothing if it is not one element, with all that is in it closed as it was opened, or
/// has something that the programs do not know, as a text of blanks in an element.
fn elements(input: &str) -> Option<Vec<Element<'_>>> {
    let (mut around, mut all) = (Vec::<usize>::new(), Vec::<Element>::new());
    let (before, _) = input.split_once('<').filter(|_| !input.contains(['!', '?', '&', '\'']))?;
    (input.is_ascii() && before.trim().is_empty()).then_some(())?;
    for rest in input.split('<').skip(1) {
        let (tag, text) = rest.split_once('>').filter(|(_, text)| !text.contains('>'))?;
        if let Some(closed) = tag.strip_prefix('/') {
            (closed.trim_end() == all[around.pop()?].name).then_some(())?;
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let (name, after) = inner.split_at(inner.find(' ').unwrap_or(inner.len()));
            (is_name(name) && (!around.is_empty() || all.is_empty())).then_some(())?;
            let mut outer = "";
            if let Some(at) = around.last() {
                all[*at].is_empty = false;
                outer = all[*at].name;
            }
            all.push(Element { name, attributes: attributes(after)?, outer, is_empty: true });
            if inner == tag {
                around.push(all.len() - 1);
            }
        }
        let is_blank = text.trim().is_empty();
        match around.last() {
            Some(at) if !is_blank => all[*at].is_empty = false,
            Some(_) => text.is_empty().then_some(())?,
            None => is_blank.then_some(())?,
        }
    }
    around.is_empty().then_some(all)
}

/// Whether an empty caption is directly in a figure; nothing if one is in something else than a figure or a table.
fn has_empty_caption(input: &str) -> Option<bool> {
    let mut captions = elements(input)?;
    captions.retain(|one| one.name == "caption");
    let is_right = captions.iter().all(|one| ["figure", "table"].contains(&one.outer));
    is_right.then(|| captions.iter().any(|one| one.outer == "figure" && one.is_empty))
}

/// The ids of the elements that have one; nothing if it is no document.
fn ids(input: &str) -> Option<Vec<&str>> {
    let pairs = elements(input)?.into_iter().flat_map(|one| one.attributes);
    Some(pairs.filter(|(key, _)| *key == "id").map(|(_, value)| value).collect())
}

/// The titles of settings; nothing if a value is neither a number nor a text, or a title is no text.
fn titles(input: &str) -> Option<Vec<&str>> {
    let mut titles = Vec::new();
    for (key, value) in sections(input)?.into_iter().flat_map(|(_, pairs)| pairs) {
        let text = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let is_odd = |c: char| c == '"' || c == '\\' || c.is_control();
        let is_number = value.parse::<u32>().is_ok_and(|number| number.to_string() == value);
        text.map_or(is_number, |text| !text.contains(is_odd)).then_some(())?;
        if key == "title" {
            titles.push(text?);
        }
    }
    Some(titles)
}

/// Whether each order is paid, and whether it is cancelled; nothing if the head is another, or a row is odd.
fn orders(input: &str) -> Option<Vec<[bool; 2]>> {
    let rest = input.strip_prefix("order,paid,cancelled,note\n")?;
    let is_yes = |cell: &str| ["no", "yes"].iter().position(|word| *word == cell).map(|at| at == 1);
    let rows = rest.lines().map(|line| match line.split(',').collect::<Vec<&str>>()[..] {
        [order, paid, cancelled, _] if !order.is_empty() && !line.contains(['"', '\r']) => {
            Some([is_yes(paid)?, is_yes(cancelled)?])
        }
        _ => None,
    });
    rows.collect()
}

/// The levels of logs; nothing if a setting is odd or in no section.
fn levels(input: &str) -> Option<Vec<&str>> {
    let all = sections(input)?;
    let is_right = |value: &str| {
        !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || "/.".contains(c))
    };
    let pairs: Vec<_> = all.iter().flat_map(|(_, pairs)| pairs).collect();
    (all[0].1.is_empty() && pairs.iter().all(|(_, value)| is_right(value))).then_some(())?;
    Some(pairs.into_iter().filter(|(key, _)| *key == "level").map(|(_, value)| *value).collect())
}

/// The words, numbers and signs of a text.
fn tokens(input: &str) -> Vec<&str> {
    let is_inside = |c: char| c.is_ascii_alphanumeric();
    let pieces = input.split_inclusive(|c| !is_inside(c)).flat_map(|piece| {
        let (word, sign) = piece.split_at(piece.find(|c| !is_inside(c)).unwrap_or(piece.len()));
        [word, sign]
    });
    pieces.filter(|piece| !["", " ", "\n"].contains(piece)).collect()
}

/// Whether a variable is used that was not set before; nothing if it is no program.
fn uses_unset(input: &str) -> Option<bool> {
    let tokens = tokens(input);
    let is_free = |token: &str| is_free(token, &["let", "print"]);
    let (mut set, mut found) = (Vec::new(), false);
    tokens.last().is_none_or(|last| *last == ";").then_some(())?;
    for statement in tokens.split_inclusive(|token| *token == ";") {
        let (name, sum) = match statement {
            ["let", name, "=", sum @ .., ";"] if is_free(name) => (Some(*name), sum),
            ["print", sum @ .., ";"] => (None, sum),
            _ => return None,
        };
        for value in sum.split(|token| *token == "+") {
            let [value] = value else { return None };
            (is_free(value) || value.parse::<u32>().is_ok()).then_some(())?;
            found |= is_free(value) && !set.contains(value);
        }
        set.extend(name);
    }
    Some(found)
}

/// Whether a query has a having and no group; nothing if it is no script of queries.
fn has_lone_having(input: &str) -> Option<bool> {
    let tokens = tokens(input);
    let is_free = |token: &str| is_free(token, &["select", "from", "where", "group", "having"]);
    let is_limit = |name: &str, number: &str| is_free(name) && number.parse::<u32>().is_ok();
    let mut found = false;
    tokens.last().is_none_or(|last| *last == ";").then_some(())?;
    for query in tokens.split_inclusive(|token| *token == ";") {
        let (columns, rest) = query.split_at(query.iter().position(|token| *token == "from")?);
        let (["select", columns @ ..], ["from", table, rest @ ..]) = (columns, rest) else {
            return None;
        };
        let mut columns = columns.split(|token| *token == ",");
        let is_right = columns.all(|column| matches!(column, [one] if is_free(one)));
        (is_right && is_free(table)).then_some(())?;
        let rest = match rest {
            ["where", name, ">", number, rest @ ..] if is_limit(name, number) => rest,
            _ => rest,
        };
        let (is_grouped, rest) = match rest {
            ["group", name, rest @ ..] if is_free(name) => (true, rest),
            _ => (false, rest),
        };
        match rest {
            [";"] => {}
            ["having", name, ">", number, ";"] if is_limit(name, number) => {
                found |= !is_grouped;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// Whether a break is in no loop; nothing if it is no program.
fn has_lone_break(input: &str) -> Option<bool> {
    let tokens = tokens(input);
    let (mut rest, mut open, mut found) = (&tokens[..], Vec::new(), false);
    let is_free = |token: &str| is_free(token, &["while", "if", "break"]);
    while !rest.is_empty() {
        rest = match rest {
            ["}", after @ ..] => open.pop().map(|_| after)?,
            [block @ ("while" | "if"), name, "{", after @ ..] if is_free(name) => {
                open.push(*block);
                after
            }
            ["break", ";", after @ ..] => {
                found |= !open.contains(&"while");
                after
            }
            [name, ";", after @ ..] if is_free(name) => after,
            _ => return None,
        };
    }
    open.is_empty().then_some(found)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twenty-first: xml: an empty caption directly in a figure",
        grammar: "@xml",
        input: "<book><figure><img file=\"oak\"/><caption>An oak</caption></figure><table><caption/><row>3</row></table><figure id=\"f2\"><img/><caption lang=\"en\"></caption><note/></figure><p>caption</p><figure/></book>",
        valid: |input| has_empty_caption(input).is_some(),
        fails: |input| has_empty_caption(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let parts = joined(dice, count, "", |dice| {
                let caption = match dice.below(5) {
                    0..2 => one(dice, &["<caption/>", "<caption></caption>", "<caption x=\"\"/>"]),
                    2 => one(dice, &["", "<p>caption</p>", "<p/>", "<captions/>"]),
                    _ => one(dice, &["<caption>oak</caption>", "<caption><b/></caption>"]),
                };
                let beside = one(dice, &["", "<img/>", "<img file=\"oak\"/>", "<note></note>"]);
                let part = match dice.below(5) {
                    0 => format!("<table><row>3</row>{caption}</table>"),
                    1 => format!("<figure><table>{caption}</table>{beside}</figure>"),
                    2 => format!("<figure id=\"f\">{caption}{beside}</figure>"),
                    _ => format!("<figure>{beside}{caption}</figure>"),
                };
                format!("{part}{}", one(dice, &["", "", "<p>oak</p>", "<figure/>"]))
            });
            format!("<book>{parts}</book>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: xml: two elements with the same id",
        grammar: "@xml",
        input: "<form id=\"top\"><field id=\"city\" ref=\"top\">city</field><group><label for=\"city\" ref=\"zip\"/><field type=\"text\" id=\"zip\"/></group><group id=\"more\"><note>zip</note><box for=\"city\" id=\"zip\"><b>9</b></box></group></form>",
        valid: |input| ids(input).is_some(),
        fails: |input| {
            let all = ids(input).unwrap_or_default();
            (1..all.len()).any(|at| all[..at].contains(&all[at]))
        },
        draw: |dice| {
            let names = ["top", "city", "zip", "id", "zip2", "x"].map(str::to_owned).to_vec();
            let mut ids = shuffled(dice, names);
            ids.truncate(1 + dice.below(4));
            if dice.below(2) == 0 {
                let again = ids[dice.below(ids.len())].clone();
                ids.insert(dice.below(ids.len() + 1), again);
            }
            let mut text = String::new();
            for id in &ids {
                let mut pairs = vec![format!(" id=\"{id}\"")];
                if dice.below(2) == 0 {
                    let other = one(dice, &["top", "city", "zip"]);
                    pairs.push(format!(" {}=\"{other}\"", one(dice, &["ref", "for"])));
                }
                let pairs = shuffled(dice, pairs).concat();
                let name = one(dice, &["field", "label", "box"]);
                text = match dice.below(4) {
                    0 => format!("<{name}{pairs}>{text}</{name}>"),
                    1 => format!("{text}<{name}{pairs}>zip</{name}>"),
                    2 => format!("{text}<group><{name} ref=\"x\"/><{name}{pairs}/></group>"),
                    _ => format!("{text}<{name}{pairs}/>"),
                };
            }
            format!("<form>{text}</form>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: toml: a title with a character that is not ASCII",
        grammar: "@toml",
        input: "series = \"Über Wasser\"\ntitle = \"all films\"\n\n[first]\ntitle = \"harbor\"\ndirector = \"Renée Ost\"\nyear = 1987\n\n[second]\nyear = 1991\ntitle = \"the last café\"\nlead = \"title\"\n\n[third]\ntitle = \"\"\n",
        valid: |input| titles(input).is_some(),
        fails: |input| titles(input).is_some_and(|all| all.iter().any(|title| !title.is_ascii())),
        draw: |dice| {
            let mut text = one(dice, &["", "year = 3\n", "series = \"Über\"\n"]).to_owned();
            let names = ["first", "second", "third", "title"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            for name in &names {
                let mut lines = Vec::new();
                if dice.below(5) > 0 {
                    let title = match dice.below(3) {
                        0 => one(dice, &["the last café", "é", "Über 9", "日本", "naïve"]),
                        _ => one(dice, &["harbor", "", "the last cafe", "a ~ b", "9"]),
                    };
                    lines.push(format!("title = \"{title}\"\n"));
                }
                if dice.below(2) == 0 {
                    let key = one(dice, &["director", "lead", "title2", "titles"]);
                    let value = one(dice, &["Renée Ost", "title", "ñ", "Bo"]);
                    lines.push(format!("{key} = \"{value}\"\n"));
                }
                if dice.below(3) == 0 {
                    lines.push(format!("year = {}\n", 1980 + dice.below(40)));
                }
                text += &format!("[{name}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: csv: an order that is both paid and cancelled",
        grammar: "@csv",
        input: "order,paid,cancelled,note\n1041,yes,no,gift\n1042,no,yes,yes\n1044,yes,yes,\n1050,no,no,paid\n",
        valid: |input| orders(input).is_some(),
        fails: |input| orders(input).is_some_and(|all| all.contains(&[true, true])),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rows = joined(dice, count, "", |dice| {
                let order = one(dice, &["1041", "1042", "7", "yes", "x9"]);
                let [paid, cancelled] = [0, 1].map(|_| one(dice, &["yes", "no"]));
                format!("{order},{paid},{cancelled},{}\n", one(dice, &["", "gift", "yes", "no"]))
            });
            format!("order,paid,cancelled,note\n{rows}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: ini: a level that is trace or debug",
        grammar: "@ini",
        input: "[core]\nlevel=info\nmode=debug\n[debug]\nfile=/var/log/trace\nlevel=warn\n[mail]\nhost=mx1\nlevel=debug\nsize=40\n[web]\nlevel=error\n",
        valid: |input| levels(input).is_some(),
        fails: |input| {
            levels(input).is_some_and(|all| all.iter().any(|one| ["trace", "debug"].contains(one)))
        },
        draw: |dice| {
            let names = ["core", "mail", "debug", "level"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            let sections = names.iter().map(|name| {
                let mut lines = vec![format!("size={}\n", one(dice, &["40", "debug", "9"]))];
                if dice.below(5) > 0 {
                    let level = match dice.below(5) {
                        0..2 => one(dice, &["trace", "debug"]),
                        _ => one(dice, &["info", "warn", "error", "debug2", "trac", "Trace"]),
                    };
                    lines.push(format!("level={level}\n"));
                }
                if dice.below(2) == 0 {
                    let key = one(dice, &["mode", "file", "levels"]);
                    lines.push(format!("{key}={}\n", one(dice, &["trace", "debug", "mx1"])));
                }
                format!("[{name}]\n{}", shuffled(dice, lines).concat())
            });
            sections.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: own: a variable that is used and was not set before",
        grammar: SUMS,
        input: "let a = 4; let total = a + 12; print total; let a = a + total; print n + a; let n = 7; print n; let rest = n + 0; print 3 + rest;",
        valid: |input| uses_unset(input).is_some(),
        fails: |input| uses_unset(input) == Some(true),
        draw: |dice| {
            let (mut set, mut statements) = (Vec::new(), Vec::new());
            for _ in 0..2 + dice.below(4) {
                let mut terms = Vec::new();
                for _ in 0..1 + dice.below(2) {
                    terms.push(match dice.below(12) {
                        0 => one(dice, &["a", "n", "total"]),
                        1..8 if !set.is_empty() => set[dice.below(set.len())],
                        _ => one(dice, &["4", "0", "12"]),
                    });
                }
                let sum = terms.join(" + ");
                if dice.below(2) == 0 {
                    let name = one(dice, &["a", "n", "total"]);
                    statements.push(format!("let {name} = {sum};"));
                    set.push(name);
                } else {
                    statements.push(format!("print {sum};"));
                }
            }
            match dice.below(4) {
                0 => shuffled(dice, statements).join(" "),
                _ => statements.join(" "),
            }
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: own: a query with a having and without a group",
        grammar: QUERIES,
        input: "select town, age from people where age > 17 group town having age > 3; select name from ships where size > 40 having crew > 9; select town from people group town; select crew from ships;",
        valid: |input| has_lone_having(input).is_some(),
        fails: |input| has_lone_having(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let columns = one(dice, &["town", "town, age", "name", "a, name, b"]);
                let mut text = format!("select {columns} from {}", one(dice, &["people", "ships"]));
                if dice.below(2) == 0 {
                    text += &format!(" where {} > {}", one(dice, &["age", "x"]), dice.below(50));
                }
                if dice.below(2) == 0 {
                    text += &format!(" group {}", one(dice, &["town", "age"]));
                }
                if dice.below(2) == 0 {
                    text += &format!(" having {} > {}", one(dice, &["age", "x"]), dice.below(50));
                }
                text + ";"
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-first: own: a break that is in no loop",
        grammar: STEPS,
        input: "go; while busy { if done { break; } wait; } if late { while open { go; } if stuck { go; break; } } if done { while a { if b { } break; } }",
        valid: |input| has_lone_break(input).is_some(),
        fails: |input| has_lone_break(input) == Some(true),
        draw: |dice| {
            let mut text = one(dice, &["break;", "go; break;", "go;", ""]).to_owned();
            for _ in 0..dice.below(4) {
                let beside = ["", "", "go;", "while a { break; }", "if b { go; }", "break;"];
                let (before, after) = (one(dice, &beside), one(dice, &beside[..5]));
                let (block, name) = (one(dice, &["while", "if", "if"]), one(dice, &["busy", "a"]));
                text = format!("{block} {name} {{ {before} {text} }} {after}");
            }
            format!("{} {text}", one(dice, &["", "go;", "while a { }"]))
        },
        patterns: &[],
    },
];
