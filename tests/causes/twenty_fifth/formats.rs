//! Causes in eight formats: TOML, HTTP, Lua, INI, CSS, XML, DOT and CSV.

use super::{again, amount, foreign, has_twice, lengths, maybe, nearly_in_order, parameters, some};
use crate::readers::{are_in_order, is_name, is_shown, is_word, number, sections, signed_decimals};
use crate::two_sided::{TwoSided, any, joined, one, shuffled, word};

/// Whether a text has only letters, digits and a few signs.
fn is_simple(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "-_. ".contains(c))
}

/// The text in quotes; nothing if it is not in quotes, or has special signs.
fn quoted(value: &str) -> Option<&str> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    is_simple(inner).then_some(inner)
}

/// How many of a thing are there, and how many have to be left before it is ordered, for each thing
/// in a store that has both; nothing if one is no number, or another value neither number nor text.
fn stocks(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    for (name, pairs) in sections(input)? {
        let mut numbers = [None; 2];
        for (key, value) in pairs {
            match ["stock", "reorder"].iter().position(|known| *known == key) {
                Some(at) => numbers[at] = Some(number(value)?),
                None => (number(value).is_some() || quoted(value).is_some()).then_some(())?,
            }
        }
        if let ([Some(stock), Some(reorder)], false) = (numbers, name.is_empty()) {
            found.push((stock, reorder));
        }
    }
    Some(found)
}

/// The names of the headers of a request; nothing if it is none without a body, lacks a host, or
/// has a header twice.
fn headers(input: &str) -> Option<Vec<&str>> {
    let head = input.strip_suffix("\r\n\r\n").filter(|_| input.is_ascii())?;
    let mut lines = head.split("\r\n");
    let (method, rest) = lines.next()?.split_once(' ')?;
    let path = rest.strip_suffix(" HTTP/1.1")?.strip_prefix('/')?;
    let is_path = path.chars().all(|c| c.is_ascii_graphic());
    (is_path && ["GET", "HEAD"].contains(&method)).then_some(())?;
    let is_part = |part: &str| {
        let rest = part.strip_prefix(|c: char| c.is_ascii_uppercase());
        rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_lowercase()))
    };
    let names = lines.map(|line| {
        let (name, value) = line.split_once(": ")?;
        let is_right = !value.trim().is_empty() && is_shown(value);
        (is_right && name.split('-').all(is_part)).then_some(name)
    });
    let names: Vec<&str> = names.collect::<Option<_>>()?;
    (names.contains(&"Host") && !has_twice(&names)).then_some(names)
}

/// The labels of the stations of a radio. Lines that set nothing are not looked at.
fn labels(input: &str) -> Vec<&str> {
    let (mut is_station, mut found) = (false, Vec::new());
    for line in input.lines().map(str::trim) {
        is_station |= line.starts_with('[');
        if let Some((key, value)) = line.split_once('=').filter(|_| is_station)
            && key.trim() == "label"
        {
            found.push(value);
        }
    }
    found
}

/// The numbers of each rule of a sheet: whether each is negative, and how many decimals it has;
/// nothing if the sheet is odd.
fn measures(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut rules = input.split('}');
    rules.next_back()?.trim().is_empty().then_some(())?;
    let rules = rules.map(|rule| {
        let (selectors, body) = rule.split_once('{')?;
        let mut selectors = selectors.split(',').map(str::trim);
        selectors.all(|text| is_name(text.strip_prefix('.').unwrap_or(text))).then_some(())?;
        let mut numbers = Vec::new();
        for pair in body.split(';').filter(|pair| !pair.trim().is_empty()) {
            let (name, value) = pair.split_once(':')?;
            (is_name(name.trim()) && !value.trim().is_empty()).then_some(())?;
            for word in value.split_whitespace().filter(|word| !is_name(word)) {
                let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '%');
                ["", "px", "em", "%", "vw"].contains(&&word[digits.len()..]).then_some(())?;
                numbers.push(signed_decimals(digits)?);
            }
        }
        Some(numbers)
    });
    rules.collect()
}

/// Whether the rest of a tag after its name is attributes.
fn are_attributes(mut rest: &str) -> bool {
    while !rest.trim().is_empty() {
        let Some((name, after)) = rest.trim_start().split_once("=\"") else { return false };
        let Some((value, after)) = after.split_once('"') else { return false };
        if !rest.starts_with(char::is_whitespace) || !is_word(name) || !is_simple(value) {
            return false;
        }
        rest = after;
    }
    true
}

/// What is on the way of each tour, in order; nothing if it is no trip of tours and notes, or there
/// is something in what is on the way.
fn tours(input: &str) -> Option<Vec<Vec<&str>>> {
    let (mut open, mut found, mut is_begun) = (Vec::new(), Vec::<Vec<&str>>::new(), false);
    let mut pieces = input.split('<');
    pieces.next()?.trim().is_empty().then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once('>')?;
        if let Some(name) = tag.strip_prefix('/') {
            (open.pop()? == name.trim_end()).then_some(())?;
        } else {
            let (tag, is_whole) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, rest) = tag.split_at(tag.find(char::is_whitespace).unwrap_or(tag.len()));
            let is_right = match (open.last().copied(), name) {
                (None, "trip") => !is_begun,
                (Some("trip"), "tour") => true,
                (Some("trip" | "tour"), "note") => true,
                (Some("tour"), _) => ["walk", "bus", "ferry", "tunnel", "pass"].contains(&name),
                _ => false,
            };
            (is_right && are_attributes(rest)).then_some(())?;
            is_begun = true;
            match name {
                "tour" => found.push(Vec::new()),
                _ if open.last() == Some(&"tour") => found.last_mut()?.push(name),
                _ => {}
            }
            if !is_whole {
                open.push(name);
            }
        }
        let may_have_text = open.last() == Some(&"note");
        (text.trim().is_empty() || (may_have_text && is_simple(text))).then_some(())?;
    }
    (is_begun && open.is_empty()).then_some(found)
}

/// The styles of the edges of a graph; nothing if it is not one of nodes and edges with a semicolon
/// after each, or an attribute is odd or there twice.
fn edge_styles(input: &str) -> Option<Vec<&str>> {
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let is_node = |text: &str| is_word(text.trim()) && !keywords.contains(&text.trim());
    let (name, rest) = input.trim().strip_prefix("digraph ")?.split_once('{')?;
    let mut statements = rest.strip_suffix('}')?.split(';');
    let is_end = statements.next_back()?.trim().is_empty();
    (is_end && (name.trim().is_empty() || is_node(name))).then_some(())?;
    let mut found = Vec::new();
    for statement in statements {
        let (nodes, attributes) = statement.split_once('[').unwrap_or((statement, "]"));
        nodes.split("->").all(is_node).then_some(())?;
        let attributes = attributes.trim_end().strip_suffix(']')?;
        let mut keys = Vec::new();
        for pair in attributes.split(',').filter(|_| !attributes.trim().is_empty()) {
            let (key, value) = pair.split_once('=')?;
            let (key, value) = (key.trim(), value.trim());
            let value = quoted(value).or_else(|| is_node(value).then_some(value))?;
            (is_node(key) && !keys.contains(&key)).then_some(())?;
            keys.push(key);
            if key == "style" && nodes.contains("->") {
                found.push(value);
            }
        }
    }
    Some(found)
}

/// How many cells each row of a table has, without empty lines; none if a quote has no end.
fn cells(input: &str) -> Vec<usize> {
    let (mut rows, mut row, mut is_quoted, mut is_empty) = (Vec::new(), 1, false, true);
    for c in input.chars().chain(['\n']).filter(|c| *c != '\r') {
        match c {
            '\n' if !is_quoted => {
                rows.extend((!is_empty).then_some(row));
                (row, is_empty) = (1, true);
                continue;
            }
            ',' if !is_quoted => row += 1,
            '"' => is_quoted = !is_quoted,
            _ => {}
        }
        is_empty = false;
    }
    if is_quoted { Vec::new() } else { rows }
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twenty-fifth: toml: a thing in a store whose stock is below its reorder level",
        grammar: "@toml",
        input: concat!(
            "depot = \"north 4\"\nstock = 7\nreorder = 40\n\n[bolts]\nstock = 120\nreorder = 35\n",
            "\n[hinges]\nshelf = \"stock 9\"\nreorder = 20\nprice = 9\nstock = 14\n\n",
            "[nails]\nstock = 8\nprice = 60\n"
        ),
        valid: |input| stocks(input).is_some(),
        fails: |input| stocks(input).is_some_and(|all| all.iter().any(|(is, least)| is < least)),
        draw: |dice| {
            let top = ["depot = \"north 4\"\n", "stock = 7\n", "reorder = 40\n"];
            let mut text = maybe(dice, &top, 3).concat();
            for name in some(dice, &["bolts", "hinges", "nails", "stock"], 3) {
                let least = [1 + dice.below(60), 9, 10, 100][dice.below(4)];
                let stock = match dice.below(6) {
                    0 => least - 1,
                    1 => least / 2,
                    2 => least,
                    3 => least + 1,
                    _ => least + dice.below(200),
                };
                let mut lines = maybe(dice, &["shelf = \"stock 9\"\n", "price = 60\n"], 3);
                if dice.below(7) > 0 {
                    lines.push(format!("stock = {stock}\n"));
                }
                if dice.below(7) > 0 {
                    lines.push(format!("reorder = {least}\n"));
                }
                text += &format!("[{name}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: http: a request without a User-Agent",
        grammar: "@http",
        input: concat!(
            "GET /User-Agent/4?ua=kelp HTTP/1.1\r\nAccept: text/html\r\nHost: kelp.example.org\r\n",
            "X-User-Agent: kelp/2.1\r\nVary: User-Agent\r\nDnt: 1\r\n\r\n"
        ),
        valid: |input| headers(input).is_some(),
        fails: |input| headers(input).is_some_and(|names| !names.contains(&"User-Agent")),
        draw: |dice| {
            let others = ["X-User-Agent: kelp/2.1", "Vary: User-Agent", "Dnt: 1", "User: ada"];
            let mut lines = maybe(dice, &others, 3);
            let host = one(dice, &["kelp.example.org", "localhost", "User-Agent"]);
            lines.push(format!("Host: {host}"));
            if dice.below(2) == 0 {
                lines.push(format!("User-Agent: {}", one(dice, &["kelp/2.1", "x", "Owl 4", "-"])));
            }
            if dice.below(2) == 0 {
                lines.push(format!("Accept: {}", one(dice, &["text/html", "*/*", "User-Agent"])));
            }
            let path = one(dice, &["", "maps", "User-Agent/4?ua=kelp", "a?b=User-Agent"]);
            let start = format!("{} /{path} HTTP/1.1", one(dice, &["GET", "HEAD"]));
            format!("{start}\r\n{}\r\n\r\n", shuffled(dice, lines).join("\r\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: lua: a function with two parameters of the same name",
        grammar: "@lua",
        input: concat!(
            "local depth = 4\nprint(\"function f(a, a)\")\nfunction area(w, h)\n  return w * h\n",
            "end\nfunction paint(color, rows, color)\n  local x = area(rows, rows)\n  return x\n",
            "end\nprint(area(depth, depth))\n"
        ),
        valid: any,
        fails: |input| parameters(input).iter().any(|names| has_twice(names)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            joined(dice, count, "", |dice| {
                let mut names = some(dice, &["w", "h", "rows", "row", "color"], 4);
                again(dice, &mut names, 3);
                let (names, name) = (names.join(", "), word(dice, 5) + "x");
                match dice.below(6) {
                    0 => format!("print({names})\n"),
                    1 => format!("local {name} = \"function f({names})\"\n"),
                    2 => format!("local {name} = function({names})\n  print(w)\nend\n"),
                    3 => format!("function {name}()\n  return f({names})\nend\n"),
                    _ => format!("function {name}({names})\n  return rows\nend\n"),
                }
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: ini: a station whose label has a character that is not ASCII",
        grammar: "@ini",
        input: concat!(
            "label=Küche\nvolume=40\n[jazz]\nlabel=Blue hour\nnote=für später\nfreq=98.4\n",
            "[ferry]\nfreq=101.2\nlabel=Ærø 24\nlabels=2\n[news]\nlabel2=Ålesund\nlabel=N4\n"
        ),
        valid: any,
        fails: |input| labels(input).iter().any(|label| !label.is_ascii()),
        draw: |dice| {
            let mut text = maybe(dice, &["label=Küche\n", "volume=40\n", "note=é\n"], 3).concat();
            for name in some(dice, &["jazz", "ferry", "news", "label"], 3) {
                let label = match dice.below(4) {
                    0 => foreign(dice),
                    1 => word(dice, 6),
                    _ => one(dice, &["Blue hour", "N4", "e", "10 EUR", "label"]).to_owned(),
                };
                let others = ["note=für später\n", "freq=98.4\n", "label2=Ålesund\n"];
                let mut lines = maybe(dice, &others, 3);
                if dice.below(6) > 0 {
                    lines.push(format!("label={label}\n"));
                }
                text += &format!("[{name}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: css: a rule with a negative number and one of exactly three decimals",
        grammar: "@css",
        input: concat!(
            "h1, .note { margin: -4px auto; width: 12.5% } .menu { padding: 2px 0.125em; ",
            "color: navy; margin-left: -1px; } p { top: 0.375em; left: 4px } .x-125 { margin: 0 }"
        ),
        valid: |input| measures(input).is_some(),
        fails: |input| {
            measures(input).unwrap_or_default().iter().any(|numbers| {
                let is_long = numbers.iter().any(|(_, decimals)| *decimals == 3);
                is_long && numbers.iter().any(|(is_negative, _)| *is_negative)
            })
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let mut pairs = Vec::new();
                for name in some(dice, &["margin", "top", "width", "padding-left", "left"], 4) {
                    let count = 1 + dice.below(2);
                    let values = joined(dice, count, " ", |dice| {
                        format!("{}{}", amount(dice), one(dice, &["px", "em", "%"]))
                    });
                    pairs.push(format!("{name}: {values}"));
                }
                pairs.extend(maybe(dice, &["color: navy", "float: left"], 4));
                let selector = one(dice, &["p", "h1, .note", ".menu", ".x-125", "ul-4"]);
                let pairs = shuffled(dice, pairs).join("; ");
                format!("{selector} {{ {pairs}{} }}", one(dice, &["", ";"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: xml: a tour with a ferry, then a tunnel, and then a pass",
        grammar: "@xml",
        input: concat!(
            "<trip name=\"ferry\"><tour><pass/><walk km=\"4\"/><ferry/><tunnel/></tour><note>then ",
            "a pass</note><tour to=\"pass\"><tunnel/><ferry km=\"12\"/><bus/><tunnel/><walk/>",
            "<pass km=\"7.5\"/></tour><tour/></trip>"
        ),
        valid: |input| tours(input).is_some(),
        fails: |input| {
            let all = tours(input).unwrap_or_default();
            all.iter().any(|ways| are_in_order(ways, &["ferry", "tunnel", "pass"]))
        },
        draw: |dice| {
            let count = 1 + dice.below(2);
            let tours = joined(dice, count, "", |dice| {
                let others = ["walk", "bus", "walk", "bus"];
                let mut text = String::new();
                for way in nearly_in_order(dice, ["ferry", "tunnel", "pass"], &others) {
                    let attribute = one(dice, &["", "", " km=\"4\"", " to=\"pass\""]);
                    text += &format!("<{way}{attribute}/>");
                    text += &maybe(dice, &["<note>ferry</note>"], 9).concat();
                }
                let attribute = one(dice, &["", " to=\"tunnel\"", " days=\"2\""]);
                let note = one(dice, &["", "", "<note>ferry tunnel pass</note>", "<tour/>"]);
                format!("<tour{attribute}>{text}</tour>{note}")
            });
            format!("<trip{}>{tours}</trip>", one(dice, &["", " name=\"ferry\""]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: dot: an edge whose style is dashed, dotted or bold",
        grammar: "@dot",
        input: concat!(
            "digraph bold { mill [style=dashed, shape=box]; mill -> barn [label=dotted]; barn -> ",
            "well [color=red, style=dotted]; well [label=\"bold 4\"]; well -> mill [style=solid]; }"
        ),
        valid: |input| edge_styles(input).is_some(),
        fails: |input| {
            let styles = edge_styles(input).unwrap_or_default();
            styles.iter().any(|style| ["dashed", "dotted", "bold"].contains(style))
        },
        draw: |dice| {
            let mut statements = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let style = match dice.below(3) {
                    0 => one(dice, &["dashed", "dotted", "bold"]),
                    _ => one(dice, &["solid", "invis", "dash", "filled", "tapered"]),
                };
                let others = ["color=red", "label=dotted", "title=\"bold 4\"", "arrowhead=dot"];
                let mut pairs = maybe(dice, &others, 4);
                if dice.below(3) > 0 {
                    pairs.push(format!("style={style}"));
                }
                let [from, to] = [(); 2].map(|()| one(dice, &["mill", "barn", "well", "bold"]));
                let edges = [format!("{from} -> {to}"), format!("{from} -> {to} -> mill")];
                let is_node = dice.below(3) == 0;
                let what = if is_node { from } else { &edges[dice.below(4) / 3] };
                let pairs = shuffled(dice, pairs).join(", ");
                let after = if pairs.is_empty() { String::new() } else { format!(" [{pairs}]") };
                statements.push(format!("{what}{after};"));
            }
            let name = one(dice, &["farm", "bold", "g"]);
            format!("digraph {name} {{ {} }}", statements.join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fifth: csv: a table whose rows do not all have the same number of cells",
        grammar: "@csv",
        input: concat!(
            "day,from,to,fare\n4,Oslo,\"Bergen, quay 2\",120\n5,\"Moss, Rygge, Ski\",,90.5\n",
            "6,Oslo,\"Hamar, mill\"\n7,Ski,Oslo,40\n"
        ),
        valid: any,
        fails: |input| cells(input).windows(2).any(|rows| rows[0] != rows[1]),
        draw: |dice| {
            let usual = 2 + dice.below(4);
            let rows = lengths(dice, usual, 6).into_iter().map(|length| {
                let mut row = one(dice, &["4", "day", "\"4, 5\"", "Ski"]).to_owned();
                for _ in 1..length {
                    row += ",";
                    row += one(dice, &["Oslo", "\"Bergen, quay 2\"", "", "90.5", "\"a,b,c\"", "x"]);
                }
                row + "\n"
            });
            rows.collect()
        },
        patterns: &[],
    },
];
