//! Causes in XML, TOML, CSV and INI, and in small languages.

use crate::readers::{is_free, is_name, sections, spaced};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The rules of a style sheet, some of them only for some media or in a layer.
const SHEET: &str = "grammar Sheet; sheet: item* EOF;
    item: 'media' NAME '{' item* '}' | 'layer' NAME '{' item* '}' | 'import' NAME ';'
        | NAME '{' pair* '}';
    pair: NAME ':' NAME ';'; NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// Functions that are declared, and calls of them.
const CALLS: &str = "grammar Calls; program: (function | call)* EOF;
    function: 'fn' NAME '(' (NAME (',' NAME)*)? ')' ';';
    call: NAME '(' (value (',' value)*)? ')' ';'; value: NAME | NUMBER;
    NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;";

/// Patterns of letters with groups and repetitions.
const REGEX: &str = "grammar Regex; pattern: part+ EOF; part: atom times?;
    atom: LETTER | '(' part+ ('|' part+)* ')';
    times: '*' | '{' NUMBER '}' | '{' NUMBER ',' NUMBER '}';
    LETTER: [a-z]; NUMBER: [0-9]+;";

/// An element: its name, how many attributes it has, and the names of the elements around it.
struct Element<'t> {
    name: &'t str,
    attributes: usize,
    around: Vec<&'t str>,
}

/// How many attributes a tag has; nothing if they are odd, or one is there twice.
fn attributes(text: &str) -> Option<usize> {
    let (mut rest, mut all) = (text.trim_end(), Vec::new());
    while !rest.is_empty() {
        let (key, after) = rest.strip_prefix(' ')?.trim_start().split_once("=\"")?;
        let (_, after) = after.split_once('"')?;
        (is_name(key) && !all.contains(&key)).then_some(())?;
        all.push(key);
        rest = after;
    }
    Some(all.len())
}

/// The elements of a document; nothing if it is not one element, with all that is in it closed as it was opened, or
/// has something that the programs do not know.
fn elements(input: &str) -> Option<Vec<Element<'_>>> {
    let (mut around, mut all) = (Vec::new(), Vec::<Element>::new());
    let (before, _) = input.split_once('<').filter(|_| !input.contains(['!', '?', '&', '\'']))?;
    (input.is_ascii() && before.trim().is_empty()).then_some(())?;
    for rest in input.split('<').skip(1) {
        let (tag, text) = rest.split_once('>').filter(|(_, text)| !text.contains('>'))?;
        if let Some(closed) = tag.strip_prefix('/') {
            (closed.trim_end() == around.pop()?).then_some(())?;
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let (name, after) = inner.split_at(inner.find(' ').unwrap_or(inner.len()));
            (is_name(name) && (!around.is_empty() || all.is_empty())).then_some(())?;
            all.push(Element { name, attributes: attributes(after)?, around: around.clone() });
            if inner == tag {
                around.push(name);
            }
        }
        (!around.is_empty() || text.trim().is_empty()).then_some(())?;
    }
    around.is_empty().then_some(all)
}

/// How deep ordered and unordered lists are in each other; nothing if it is no document.
fn depth_of_lists(input: &str) -> Option<usize> {
    let is_list = |name: &str| name == "ol" || name == "ul";
    let lists = elements(input)?.into_iter().filter(|one| is_list(one.name));
    let depths = lists.map(|one| 1 + one.around.iter().filter(|name| is_list(name)).count());
    Some(depths.max().unwrap_or(0))
}

/// Whether a package has no license; nothing if a value is neither a number nor a text.
fn lacks_license(input: &str) -> Option<bool> {
    let all = sections(input)?;
    let is_value = |value: &str| {
        let text = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let is_right = |c: char| c.is_ascii_alphanumeric() || ". ".contains(c);
        let is_number = value.parse::<u32>().is_ok_and(|number| number.to_string() == value);
        text.map_or(is_number, |text| text.chars().all(is_right))
    };
    let mut pairs = all.iter().flat_map(|(_, pairs)| pairs);
    pairs.all(|(_, value)| is_value(value)).then_some(())?;
    Some(all[1..].iter().any(|(_, pairs)| pairs.iter().all(|(key, _)| *key != "license")))
}

/// The first cell of each row after the head; nothing if it is empty, there is a quotation mark or a blank line, or a
/// row has not as many cells as the head.
fn ids(input: &str) -> Option<Vec<&str>> {
    let width = |line: &str| line.split(',').count();
    let head = input.lines().next().filter(|_| !input.contains(['"', '\r']))?;
    input.lines().all(|line| width(line) == width(head)).then_some(())?;
    let ids = input.lines().map(|line| line.split(',').next().filter(|id| !id.is_empty()));
    let ids = ids.collect::<Option<Vec<&str>>>()?;
    Some(ids[1..].to_vec())
}

/// The paths of settings; nothing if a setting is odd or in no section.
fn paths(input: &str) -> Option<Vec<&str>> {
    let all = sections(input)?;
    let is_right = |value: &str| {
        !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || "/.".contains(c))
    };
    let pairs: Vec<_> = all.iter().flat_map(|(_, pairs)| pairs).collect();
    (all[0].1.is_empty() && pairs.iter().all(|(_, value)| is_right(value))).then_some(())?;
    Some(pairs.into_iter().filter(|(key, _)| *key == "path").map(|(_, value)| *value).collect())
}

/// Whether an import is in a block for some media; nothing if it is no style sheet.
fn has_import_in_media(input: &str) -> Option<bool> {
    let spaced = spaced(input);
    let all: Vec<&str> = spaced.split(' ').filter(|token| !token.is_empty()).collect();
    let (mut rest, mut open, mut found) = (&all[..], Vec::new(), false);
    let is_free = |token: &str| is_free(token, &["media", "layer", "import"]);
    while !rest.is_empty() {
        let is_in_rule = open.last() == Some(&"rule");
        rest = match rest {
            ["}", after @ ..] => {
                open.pop()?;
                after
            }
            [key, ":", value, ";", after @ ..] if is_in_rule && is_free(key) && is_free(value) => {
                after
            }
            _ if is_in_rule => return None,
            [block @ ("media" | "layer"), name, "{", after @ ..] if is_free(name) => {
                open.push(*block);
                after
            }
            ["import", name, ";", after @ ..] if is_free(name) => {
                found |= open.contains(&"media");
                after
            }
            [name, "{", after @ ..] if is_free(name) => {
                open.push("rule");
                after
            }
            _ => return None,
        };
    }
    open.is_empty().then_some(found)
}

/// Whether a call has another number of arguments than its function has parameters; nothing if it is no program, or a
/// function is there twice, or is called and not there.
fn has_wrong_call(input: &str) -> Option<bool> {
    let spaced = spaced(input);
    let tokens: Vec<&str> = spaced.split(' ').filter(|token| !token.is_empty()).collect();
    let (mut functions, mut calls) = (Vec::<(&str, usize)>::new(), Vec::new());
    let is_free = |token: &str| is_free(token, &["fn"]);
    let is_number = |token: &str| token.chars().all(|c| c.is_ascii_digit());
    tokens.last().is_none_or(|last| *last == ";").then_some(())?;
    for statement in tokens.split_inclusive(|token| *token == ";") {
        let (is_function, statement) = match statement {
            ["fn", after @ ..] => (true, after),
            _ => (false, statement),
        };
        let [name, "(", list @ .., ")", ";"] = statement else { return None };
        let is_value = |token: &str| is_free(token) || (!is_function && is_number(token));
        let values: Vec<&[&str]> = list.split(|token| *token == ",").collect();
        let is_right = values.iter().all(|value| matches!(value, [one] if is_value(one)));
        (is_free(name) && (list.is_empty() || is_right)).then_some(())?;
        let count = if list.is_empty() { 0 } else { values.len() };
        if is_function {
            functions.iter().all(|(other, _)| other != name).then_some(())?;
            functions.push((name, count));
        } else {
            calls.push((*name, count));
        }
    }
    let is_there = |(name, _): &(&str, usize)| functions.iter().any(|(other, _)| other == name);
    calls.iter().all(is_there).then_some(())?;
    Some(calls.iter().any(|call| !functions.contains(call)))
}

/// How often a part may be there at least and at most, for each that says both; nothing if it is no pattern.
fn repetitions(input: &str) -> Option<Vec<(u8, u8)>> {
    let (mut rest, mut open, mut all) = (input, 0_usize, Vec::new());
    // Whether the part before can be repeated; nothing if there is none.
    let mut before: Option<bool> = None;
    let number = |text: &str| text.parse::<u8>().ok().filter(|_| !text.starts_with('+'));
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        before = match (sign, before) {
            ('a'..='z', _) => Some(true),
            ('(', _) => {
                open += 1;
                None
            }
            ('|', Some(_)) if open > 0 => None,
            (')', Some(_)) if open > 0 => {
                open -= 1;
                Some(true)
            }
            ('*', Some(true)) => Some(false),
            ('{', Some(true)) => {
                let (times, after) = rest.split_once('}')?;
                match times.split_once(',') {
                    Some((least, most)) => all.push((number(least)?, number(most)?)),
                    None => drop(number(times)?),
                }
                rest = after;
                Some(false)
            }
            _ => return None,
        };
    }
    (open == 0 && before.is_some()).then_some(all)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twentieth: xml: ordered and unordered lists nested four deep or more",
        grammar: "@xml",
        input: "<page><ul><li>tea</li><li><ol><li>cups <b>4</b></li></ol></li></ul><ol><li>camp<ul><li><note><ol><li>rope</li><li><ul><li>knots</li></ul></li></ol></note></li></ul></li></ol><p>ul</p></page>",
        valid: |input| elements(input).is_some(),
        fails: |input| depth_of_lists(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let mut text = one(dice, &["", "rope", "<ul/>", "<p>ol</p>"]).to_owned();
            for _ in 0..2 + dice.below(3) {
                let name = one(dice, &["ul", "ol"]);
                let beside = ["", "", "", "<li>ul</li>", "<li><ol/></li>", "<li><b>4</b></li>"];
                let (before, after) = (one(dice, &beside), one(dice, &beside));
                let inner = match dice.below(4) {
                    0 => format!("<note>{text}</note>"),
                    1 => format!("camp{text}"),
                    _ => text,
                };
                text = format!("<{name}>{before}<li>{inner}</li>{after}</{name}>");
            }
            format!("<page>{text}</page>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: xml: an element with more than three attributes",
        grammar: "@xml",
        input: "<plan scale=\"50\" unit=\"cm\"><wall x=\"0\" y=\"0\" to=\"9\"/><door x=\"4\" y=\"0\" wide=\"90\" open=\"in\">a to b is 1 by 2</door><room name=\"a b c d\"><lamp x=\"2\"/><lamp y=\"3\" x=\"1\"/></room></plan>",
        valid: |input| elements(input).is_some(),
        fails: |input| elements(input).is_some_and(|all| all.iter().any(|one| one.attributes > 3)),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let parts = joined(dice, count, "", |dice| {
                let keys = ["x", "y", "to", "wide", "open", "unit"].map(str::to_owned).to_vec();
                let mut keys = shuffled(dice, keys);
                keys.truncate([0, 1, 2, 2, 3, 3, 3, 4, 4, 5][dice.below(10)]);
                let pairs: Vec<String> = keys
                    .iter()
                    .map(|key| format!(" {key}=\"{}\"", one(dice, &["0", "90", "", "x y", "in"])))
                    .collect();
                let name = one(dice, &["wall", "door", "lamp", "x"]);
                match dice.below(3) {
                    0 => format!("<{name}{}>oak, 4 by 9</{name}>", pairs.concat()),
                    1 => format!("<room name=\"a\"><{name}{}/></room>", pairs.concat()),
                    _ => format!("<{name}{}/>", pairs.concat()),
                }
            });
            format!("<plan>{parts}</plan>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: toml: a package without a license",
        grammar: "@toml",
        input: "registry = \"local\"\nlicense = \"none\"\n\n[left-pad]\nversion = \"1.3\"\nlicense = \"MIT\"\n\n[zipper]\nversion = \"0.9\"\nhomepage = \"license\"\nsize = 48\n\n[colors]\nlicense = \"\"\n",
        valid: |input| lacks_license(input).is_some(),
        fails: |input| lacks_license(input) == Some(true),
        draw: |dice| {
            let mut text = one(dice, &["", "registry = 1\n", "license = \"none\"\n"]).to_owned();
            let names = ["left-pad", "zipper", "colors", "license"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            for name in &names {
                let mut lines = Vec::new();
                if dice.below(3) > 0 {
                    lines.push(format!("license = {}\n", one(dice, &["\"MIT\"", "\"\"", "2"])));
                }
                if dice.below(2) == 0 {
                    let version = one(dice, &["\"1.3\"", "\"license\"", "1"]);
                    lines.push(format!("version = {version}\n"));
                }
                if dice.below(3) == 0 {
                    let key = one(dice, &["size", "licenses", "license-file"]);
                    lines.push(format!("{key} = {}\n", one(dice, &["48", "\"MIT\""])));
                }
                text += &format!("[{name}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: csv: two rows with the same id in the first column",
        grammar: "@csv",
        input: "member,name,since,sponsor\n104,ruiz,2019,\n221,okoye,2020,104\n87,lind,2019,221\n221,ruiz,2023,87\n305,lind,2020,104\n",
        valid: |input| ids(input).is_some(),
        fails: |input| {
            let all = ids(input).unwrap_or_default();
            (1..all.len()).any(|at| all[..at].contains(&all[at]))
        },
        draw: |dice| {
            let ids = ["104", "221", "87", "21", "x7", "305"].map(str::to_owned).to_vec();
            let mut ids = shuffled(dice, ids);
            ids.truncate(1 + dice.below(4));
            if dice.below(2) == 0 {
                let again = ids[dice.below(ids.len())].clone();
                ids.insert(dice.below(ids.len() + 1), again);
            }
            let width = 1 + dice.below(2);
            let mut text = ["member", "name", "sponsor"][..=width].join(",") + "\n";
            for id in &ids {
                let cells = joined(dice, width, ",", |dice| {
                    one(dice, &["ruiz", "lind", "104", "221", "", "104"]).to_owned()
                });
                text += &format!("{id},{cells}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: ini: a path that ends with a slash",
        grammar: "@ini",
        input: "[site]\npath=/srv/www\nindex=home.html\n[images]\ncache=/tmp/img/\npath=/srv/img/\nsize=200\n[docs]\npath=docs\nmirror=/mnt/\n",
        valid: |input| paths(input).is_some(),
        fails: |input| paths(input).is_some_and(|all| all.iter().any(|path| path.ends_with('/'))),
        draw: |dice| {
            let names = ["site", "images", "docs", "path"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            let sections = names.iter().map(|name| {
                let mut lines = vec![format!("size={}\n", one(dice, &["200", "path", "9"]))];
                if dice.below(5) > 0 {
                    let path = match dice.below(3) {
                        0 => one(dice, &["/srv/img/", "/", "docs/", "a.b//"]),
                        _ => one(dice, &["/srv/www", "docs", "/a", "./a/b.c", "//x"]),
                    };
                    lines.push(format!("path={path}\n"));
                }
                if dice.below(2) == 0 {
                    let key = one(dice, &["cache", "mirror", "path2"]);
                    lines.push(format!("{key}={}\n", one(dice, &["/tmp/", "/", "/mnt"])));
                }
                format!("[{name}]\n{}", shuffled(dice, lines).concat())
            });
            sections.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: own: an import inside a media block",
        grammar: SHEET,
        input: "import base; layer theme { import colors; body { color: red; } } media print { nav { show: none; } layer ink { import mono; } } media screen { h { font: print; } } p { }",
        valid: |input| has_import_in_media(input).is_some(),
        fails: |input| has_import_in_media(input) == Some(true),
        draw: |dice| {
            let mut text = one(dice, &["", "import base;", "import a;", "p { }"]).to_owned();
            for _ in 0..1 + dice.below(4) {
                let beside = ["", "", "p { color: red; }", "media print { }", "import mono;"];
                let (before, after) = (one(dice, &beside[..4]), one(dice, &beside));
                let block = one(dice, &["media", "layer", "layer"]);
                text = format!("{block} {} {{ {before} {text} }} {after}", word(dice, 2));
            }
            format!("{} {text}", one(dice, &["", "import base;", "h { }"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: own: a call with another number of arguments than its function has parameters",
        grammar: CALLS,
        input: "fn area(w, h); fn now(); fn mix(a, b, c); now(); area(3, 4); mix(area, 2, 9); fn log(x); mix(1, now); log(77); area(w, 12);",
        valid: |input| has_wrong_call(input).is_some(),
        fails: |input| has_wrong_call(input) == Some(true),
        draw: |dice| {
            let names = ["area", "now", "mix", "log"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            let (mut statements, mut counts) = (Vec::new(), Vec::new());
            for name in &names {
                let count = dice.below(4);
                statements.push(format!("fn {name}({});", ["a", "b", "w"][..count].join(", ")));
                counts.push(count);
            }
            for _ in 0..1 + dice.below(3) {
                let at = dice.below(names.len());
                let count = match dice.below(5) {
                    0 => counts[at] + 1,
                    1 => counts[at].max(1) - 1,
                    _ => counts[at],
                };
                let values = joined(dice, count, ", ", |dice| {
                    one(dice, &["3", "12", "w", "area", "0"]).to_owned()
                });
                statements.push(format!("{}({values});", names[at]));
            }
            shuffled(dice, statements).join(" ")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twentieth: own: a repetition whose least is above its most",
        grammar: REGEX,
        input: "ab{2,5}(c|d*e{9}){0,1}x{4}(yy(z{7,3}|k)*){2,2}w{10,12}",
        valid: |input| repetitions(input).is_some(),
        fails: |input| {
            repetitions(input).is_some_and(|all| all.iter().any(|(least, most)| least > most))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, "", |dice| {
                let mut text = word(dice, 2);
                for _ in 0..1 + dice.below(2) {
                    let least = dice.below(13);
                    let most =
                        [least, least, least + 1, least + 7, least.max(1) - 1, dice.below(13)];
                    let most = most[dice.below(6)];
                    text += &match dice.below(5) {
                        0 => format!("{{{least}}}"),
                        1 => "*".to_owned(),
                        _ => format!("{{{least},{most}}}"),
                    };
                    text = match dice.below(3) {
                        0 => format!("({text}|{})", word(dice, 2)),
                        1 => format!("({}{text})", word(dice, 1)),
                        _ => text + &word(dice, 1),
                    };
                }
                text
            })
        },
        patterns: &[],
    },
];
