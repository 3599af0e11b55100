//! Causes in CSV, XML, TOML, INI and DOT, and in small languages.

use seedsmith_grammar::Random;

use crate::readers::{is_name, sections};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// Steps that are chosen by the value of a name.
const CHOICES: &str = "grammar Choices; program: step* EOF;
    step: 'switch' NAME '{' arm* '}' | NAME ';'; arm: 'case' NAME ':' step*;
    NAME: [a-z]+; WS: [ \\n]+ -> skip;";

/// Letters and groups, each with a sign after it that says how often it may come.
const REPEATS: &str = "grammar Repeats; pattern: branches EOF; branches: branch ('|' branch)*;
    branch: piece+; piece: atom ('*' | '+' | '?')?; atom: LETTER | '(' branches ')';
    LETTER: [a-z0-9];";

/// The rows of a table without quotation marks; nothing if it has one, or a blank line.
fn rows(input: &str) -> Option<Vec<Vec<&str>>> {
    let is_simple = !input.contains(['"', '\r']) && input.lines().all(|line| !line.is_empty());
    is_simple.then(|| input.lines().map(|line| line.split(',').collect()).collect())
}

/// Whether a number is negative, and how many decimals it has; nothing if it is none, or zero with a minus.
fn number(cell: &str) -> Option<(bool, usize)> {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits =
        |text: &str| (1..7).contains(&text.len()) && text.chars().all(|c| c.is_ascii_digit());
    let is_short = whole == "0" || !whole.starts_with('0');
    let is_number = is_digits(whole) && is_digits(decimals) && is_short;
    let is_negative = digits != cell;
    let has_value = !is_negative || digits.contains(|c: char| ('1'..='9').contains(&c));
    let count = if digits.contains('.') { decimals.len() } else { 0 };
    (is_number && has_value).then_some((is_negative, count))
}

/// Whether a row has a negative number and one of three decimals; nothing if a cell is neither a number nor words.
fn is_measured_badly(input: &str) -> Option<bool> {
    let mut found = false;
    for row in rows(input)? {
        let numbers: Vec<(bool, usize)> = row.iter().filter_map(|cell| number(cell)).collect();
        let is_words = |cell: &str| cell.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
        row.iter().all(|cell| is_words(cell) || number(cell).is_some()).then_some(())?;
        found |= numbers.iter().any(|(is_negative, _)| *is_negative)
            && numbers.iter().any(|(_, decimals)| *decimals == 3);
    }
    Some(found)
}

/// How deep stacks and grids are in each other; nothing if a document is not one element, with all that is in it closed
/// as it was opened, or has something that the programs do not know.
fn depth_of_layout(input: &str) -> Option<usize> {
    let (mut open, mut most, mut has_root) = (Vec::new(), 0, false);
    let (before, _) = input.split_once('<').filter(|_| !input.contains(['!', '?', '&', '\'']))?;
    (input.is_ascii() && before.trim().is_empty()).then_some(())?;
    for rest in input.split('<').skip(1) {
        let (tag, text) = rest.split_once('>').filter(|(_, text)| !text.contains('>'))?;
        let name = tag.trim_matches('/').split_whitespace().next().filter(|name| is_name(name))?;
        if let Some(closed) = tag.strip_prefix('/') {
            (closed.trim_end() == open.pop()?).then_some(())?;
        } else {
            (tag.starts_with(name) && tag.matches('"').count() % 2 == 0).then_some(())?;
            (!open.is_empty() || !has_root).then_some(())?;
            (open, has_root) = ([open, vec![name]].concat(), true);
            most = most.max(open.iter().filter(|one| ["stack", "grid"].contains(one)).count());
            if tag.ends_with('/') {
                open.pop();
            }
        }
        (!open.is_empty() || text.trim().is_empty()).then_some(())?;
    }
    open.is_empty().then_some(most)
}

/// The number of digits and the pin of each lock that has both; nothing if a setting is odd.
fn locks(input: &str) -> Option<Vec<(usize, &str)>> {
    let mut all = Vec::new();
    for (_, pairs) in sections(input)? {
        let (mut digits, mut pin) = (None, None);
        for (key, value) in pairs {
            let text = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let number = value.parse().ok().filter(|number: &usize| number.to_string() == value);
            let is_short = text.unwrap_or(value).chars().all(|c| c.is_ascii_alphanumeric());
            (value.len() < 16 && is_short && (text.is_some() || number.is_some())).then_some(())?;
            match key {
                "digits" => digits = Some(number?),
                "pin" => pin = Some(text?),
                _ => {}
            }
        }
        all.extend(digits.zip(pin));
    }
    Some(all)
}

/// Whether a printer is set to print on both sides and up to the edge; nothing if a setting is odd or in no section.
fn has_full_sheets(input: &str) -> Option<bool> {
    let all = sections(input)?;
    let is_right =
        |value: &str| !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric());
    let mut pairs = all.iter().flat_map(|(_, pairs)| pairs);
    (all[0].1.is_empty() && pairs.all(|(_, value)| is_right(value))).then_some(())?;
    Some(all.iter().any(|(_, pairs)| {
        pairs.contains(&("duplex", "yes")) && pairs.contains(&("borderless", "yes"))
    }))
}

/// A text with blanks around its signs.
fn spaced(input: &str) -> String {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "_ ".contains(c);
    let texts = input.replace('\n', " ");
    texts.chars().map(|c| if is_inside(c) { c.to_string() } else { format!(" {c} ") }).collect()
}

/// How deep subgraphs are in each other; nothing if a statement is neither one of them nor nodes and edges.
fn depth_of_subgraphs(input: &str) -> Option<usize> {
    let text = spaced(&input.replace("->", "~"));
    (!input.contains('~')).then_some(())?;
    let all: Vec<&str> = text.split(' ').filter(|token| !token.is_empty()).collect();
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let is_node = |word: &str| is_name(word) && !keywords.contains(&word);
    let ["digraph", name, "{", steps @ .., "}"] = &all[..] else { return None };
    let (mut rest, mut open, mut most) = (steps, 0_usize, 0);
    is_node(name).then_some(())?;
    while !rest.is_empty() {
        let (after, is_end) = match rest {
            ["}", after @ ..] => {
                open = open.checked_sub(1)?;
                (after, true)
            }
            ["subgraph", name, "{", after @ ..] if is_node(name) => {
                open += 1;
                (after, false)
            }
            [name, "~", after @ ..] if is_node(name) => {
                after.first().filter(|name| is_node(name))?;
                (after, false)
            }
            [name, after @ ..] => (Some(after).filter(|_| is_node(name))?, true),
            [] => return None,
        };
        rest = if is_end { after.strip_prefix(&[";"]).unwrap_or(after) } else { after };
        most = most.max(open);
    }
    (open == 0).then_some(most)
}

/// Whether a switch has two equal cases; nothing if it is no program.
fn has_equal_cases(input: &str) -> Option<bool> {
    let is_free = |token: &str| {
        token.chars().all(|c| c.is_ascii_lowercase()) && !["switch", "case"].contains(&token)
    };
    let (spaced, mut found) = (spaced(input), false);
    let all: Vec<&str> = spaced.split(' ').filter(|token| !token.is_empty()).collect();
    let (mut rest, mut open): (_, Vec<Vec<&str>>) = (&all[..], Vec::new());
    while !rest.is_empty() {
        let is_step = open.last().is_none_or(|cases| !cases.is_empty());
        rest = match rest {
            ["}", after @ ..] => {
                open.pop()?;
                after
            }
            ["case", value, ":", after @ ..] if is_free(value) => {
                let cases = open.last_mut()?;
                found |= cases.contains(value);
                cases.push(value);
                after
            }
            ["switch", name, "{", after @ ..] if is_step && is_free(name) => {
                open.push(Vec::new());
                after
            }
            [name, ";", after @ ..] if is_step && is_free(name) => after,
            _ => return None,
        };
    }
    open.is_empty().then_some(found)
}

/// What comes before a sign of a pattern.
enum Before {
    Nothing,
    /// A letter or a group, and whether a repetition is in it.
    Atom(bool),
    Sign,
}

/// Whether a group that is repeated has a repetition in it; nothing if it is no pattern.
fn has_inner_repetition(input: &str) -> Option<bool> {
    // Of each open group, whether a repetition was in it.
    let (mut open, mut before, mut found) = (vec![false], Before::Nothing, false);
    for c in input.chars() {
        before = match (c, before) {
            ('a'..='z' | '0'..='9', _) => Before::Atom(false),
            ('(', _) => {
                open.push(false);
                Before::Nothing
            }
            (')', Before::Atom(_) | Before::Sign) if open.len() > 1 => {
                let is_inside = open.pop()?;
                *open.last_mut()? |= is_inside;
                Before::Atom(is_inside)
            }
            ('|', Before::Atom(_) | Before::Sign) => Before::Nothing,
            ('*' | '+', Before::Atom(is_inside)) => {
                found |= is_inside;
                *open.last_mut()? = true;
                Before::Sign
            }
            ('?', Before::Atom(_)) => Before::Sign,
            _ => return None,
        };
    }
    (open.len() == 1 && !matches!(before, Before::Nothing)).then_some(found)
}

/// A pattern of letters, groups and signs.
fn pattern(dice: &mut Random, depth: usize) -> String {
    let pieces: Vec<String> = (0..1 + dice.below(3))
        .map(|_| {
            let is_group = depth > 0 && dice.below(2) == 0;
            let atom =
                if is_group { format!("({})", pattern(dice, depth - 1)) } else { word(dice, 2) };
            let signs = ["", "", "", "", "?", "*", "+"];
            format!("{atom}{}", one(dice, &signs))
        })
        .collect();
    pieces.join(one(dice, &["", "", "|"]))
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "eighteenth: csv: a row with a negative number and a number of three decimals",
        grammar: "@csv",
        input: "buoy,depth,drift,salt\nmole,4.25,-0.5,35\nreef,12.125,3,33.5\nsouth bank,7,-2.75,34.625\ncape,,-1,31\n",
        valid: |input| is_measured_badly(input).is_some(),
        fails: |input| is_measured_badly(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rows = joined(dice, count, "\n", |dice| {
                let count = 1 + dice.below(3);
                let cells = joined(dice, count, ",", |dice| {
                    let usual = ["35", "4.25", "0", "7.5", "", "0.0625", "1000", "reef"];
                    match dice.below(5) {
                        0 => one(dice, &["12.125", "0.500", "33.125", "7.001"]).to_owned(),
                        1 => one(dice, &["-1", "-0.5", "-40", "-2.75", "-3.0625"]).to_owned(),
                        2 if dice.below(3) == 0 => "-1.125".to_owned(),
                        _ => one(dice, &usual).to_owned(),
                    }
                });
                format!("{},{cells}", one(dice, &["mole", "reef", "south bank"]))
            });
            format!("{}{rows}\n", one(dice, &["buoy,depth,drift\n", "buoy,salt\n", ""]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: csv: a cell that begins with = or @",
        grammar: "@csv",
        input: "member,motto,since\nivy,tea = life,2019\nkofi,=SUM(A1:A9),2020\nlena,lena@fair.example,2021\npavel,,2022\n",
        valid: |input| rows(input).is_some(),
        fails: |input| {
            let all = rows(input).unwrap_or_default();
            all.iter().flatten().any(|cell| cell.starts_with(['=', '@']))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let rows = joined(dice, count, "\n", |dice| {
                joined(dice, 3, ",", |dice| match dice.below(8) {
                    0 => one(dice, &["=SUM(A1:A9)", "=", "@ivy", "==", "@"]).to_owned(),
                    1 => one(dice, &["tea = life", " =1", "a@b", "kofi@", "+1", " @x"]).to_owned(),
                    _ => one(dice, &["ivy", "2019", "", "SUM(A1)", "lena", "-"]).to_owned(),
                })
            });
            format!("{rows}\n")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: xml: stacks and grids nested five deep or more",
        grammar: "@xml",
        input: "<screen><stack gap=\"2\"><grid><stack/><frame><grid cols=\"3\"><label>Hi</label><stack><frame><stack/></frame></stack></grid></frame></grid></stack><grid/></screen>",
        valid: |input| depth_of_layout(input).is_some(),
        fails: |input| depth_of_layout(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut text = one(dice, &["", "<label>ok</label>", "<stack/>", "<grid/>"]).to_owned();
            for _ in 0..3 + dice.below(4) {
                let name = one(dice, &["stack", "grid", "stack", "grid", "frame"]);
                let beside =
                    ["", "", "", "<stack/>", "<label>stack</label>", "<grid><grid/></grid>"];
                let (before, after) = (one(dice, &beside), one(dice, &beside));
                let pair = one(dice, &["", "", " gap=\"2\"", " of=\"grid\""]);
                text = format!("<{name}{pair}>{before}{text}{after}</{name}>");
            }
            format!("<screen>{text}</screen>")
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: toml: a lock whose pin has not as many digits as it says",
        grammar: "@toml",
        input: "owner = \"vera\"\ndigits = 9\n\n[front]\ndigits = 4\npin = \"4821\"\n\n[cellar]\npin = \"730415\"\nalarm = 6\ndigits = 5\n\n[attic]\npin = \"88\"\n\n[shed]\ndigits = 3\n",
        valid: |input| locks(input).is_some(),
        fails: |input| {
            locks(input).is_some_and(|all| all.iter().any(|(digits, pin)| *digits != pin.len()))
        },
        draw: |dice| {
            let mut text = one(dice, &["", "digits = 9\n", "owner = \"pin\"\n"]).to_owned();
            let names = ["front", "cellar", "attic", "pin"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            for name in &names {
                let count = 1 + dice.below(8);
                let pin: String = (0..count).map(|_| dice.below(10).to_string()).collect();
                let said = [count, count, count, count, count + 1, count - 1, dice.below(9)];
                let said = said[dice.below(7)];
                let mut lines = vec![format!("alarm = {}\n", dice.below(9))];
                if dice.below(8) > 0 {
                    lines.push(format!("digits = {said}\n"));
                }
                if dice.below(8) > 0 {
                    lines.push(format!("pin = \"{pin}\"\n"));
                }
                text += &format!("[{name}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: ini: a printer that is duplex and borderless",
        grammar: "@ini",
        input: "[office]\nduplex=yes\ntray=a4\nborderless=no\n[photo]\nborderless=yes\npaper=gloss\n[poster]\npaper=yes\nborderless=yes\ntray=roll\nduplex=yes\n",
        valid: |input| has_full_sheets(input).is_some(),
        fails: |input| has_full_sheets(input) == Some(true),
        draw: |dice| {
            let names = ["office", "photo", "poster", "duplex"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            let sections = names.iter().map(|name| {
                let value = |dice: &mut _| one(dice, &["yes", "yes", "yes", "no", "auto", "Yes"]);
                let mut lines = vec![
                    format!("tray={}\n", one(dice, &["roll", "yes", "duplex"])),
                    format!("{}=yes\n", one(dice, &["color", "borders", "borderless2"])),
                ];
                if dice.below(6) > 0 {
                    lines.push(format!("duplex={}\n", value(dice)));
                }
                if dice.below(6) > 0 {
                    lines.push(format!("borderless={}\n", value(dice)));
                }
                format!("[{name}]\n{}", shuffled(dice, lines).concat())
            });
            sections.collect()
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: dot: subgraphs three deep or more",
        grammar: "@dot",
        input: "digraph plant { intake -> pump; subgraph hall { pump; subgraph line_a { oven -> belt; } subgraph line_b { press; subgraph cell { arm -> belt; } } } subgraph yard { dock; } }",
        valid: |input| depth_of_subgraphs(input).is_some(),
        fails: |input| depth_of_subgraphs(input).is_some_and(|depth| depth >= 3),
        draw: |dice| {
            let count = 1 + dice.below(2);
            let parts = joined(dice, count, " ", |dice| {
                let mut text = one(dice, &["", "oven;", "arm -> belt;"]).to_owned();
                for _ in 0..1 + dice.below(3) {
                    let beside = ["", "", "", "pump;", "oven -> belt -> dock;", "subgraph s { }"];
                    let (before, after) = (one(dice, &beside), one(dice, &beside));
                    let name = one(dice, &["hall", "yard", "cell"]);
                    text = format!("subgraph {name} {{ {before} {text} {after} }}");
                }
                text
            });
            format!("digraph {} {{ intake -> pump; {parts} }}", one(dice, &["plant", "hall"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: own: a switch with two equal cases",
        grammar: CHOICES,
        input: "boot; switch gear { case low: hum; case high: switch fuel { case low: stop; case none: stop; } case park: hum; } switch lamp { case on: hum; case off: case on: beep; }",
        valid: |input| has_equal_cases(input).is_some(),
        fails: |input| has_equal_cases(input) == Some(true),
        draw: |dice| {
            let mut text = one(dice, &["hum;", "low;", ""]).to_owned();
            for _ in 0..1 + dice.below(3) {
                let names = ["low", "high", "park", "on", "off", "lo"].map(str::to_owned).to_vec();
                let mut names = shuffled(dice, names);
                names.truncate(1 + dice.below(4));
                if dice.below(2) == 0 {
                    names[0] = names[dice.below(names.len())].clone();
                }
                let at = dice.below(names.len());
                let arms = names.iter().enumerate().map(|(other, name)| match at == other {
                    true => format!("case {name}: {text}"),
                    false => format!("case {name}: {}", one(dice, &["hum;", "on;", ""])),
                });
                let arms = arms.collect::<Vec<String>>().join(" ");
                let before = one(dice, &["", "", "boot; ", "switch low { case on: hum; } "]);
                let name = one(dice, &["gear", "low", "lamp"]);
                text = format!("{before}switch {name} {{ {arms} }}");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "eighteenth: own: a repetition in a group that is repeated",
        grammar: REPEATS,
        input: "(ab|c)+x(de)?f*|(g(h|i3)?j)*k(lm*n)o|p(q|(r2(st+u)?)v)+w(x|y)*z|(0(1)?2)+",
        valid: |input| has_inner_repetition(input).is_some(),
        fails: |input| has_inner_repetition(input) == Some(true),
        draw: |dice| {
            let text = pattern(dice, 3);
            if dice.below(4) == 0 { format!("({text})+") } else { text }
        },
        patterns: &[],
    },
];
