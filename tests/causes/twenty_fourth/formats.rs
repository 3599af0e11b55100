//! Causes in eight formats: URL, S-expressions, DOT, CSS, TOML, INI, HTTP and SQL.

use seedsmith_grammar::Random;

use crate::readers::{
    is_digits, is_free, is_name, is_shown, is_word, lowered_tokens, number, sections,
    signed_decimals, spaced,
};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// Whether one of some texts is there twice.
fn has_twice(all: &[&str]) -> bool {
    (1..all.len()).any(|at| all[..at].contains(&all[at]))
}

/// The lowest and the highest price that an address asks for, each of which may be missing; nothing if it is no
/// address of a page with a query, or asks for something twice.
fn prices(input: &str) -> Option<(Option<u32>, Option<u32>)> {
    let rest = input.strip_prefix("https://").or_else(|| input.strip_prefix("http://"))?;
    let (rest, end) = rest.split_once('#').unwrap_or((rest, "x"));
    let (place, query) = rest.split_once('?')?;
    let (host, path) = place.split_once('/').unwrap_or((place, ""));
    let is_part = |part: &str| is_name(part) && !part.contains('_') && !part.ends_with('-');
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "/-_.".contains(c);
    (host.split('.').all(is_part) && path.chars().all(is_sign) && end.chars().all(is_sign))
        .then_some(())?;
    let mut pairs = Vec::<(&str, &str)>::new();
    for pair in query.split('&') {
        let (key, value) = pair.split_once('=')?;
        let is_new = pairs.iter().all(|(other, _)| *other != key);
        let is_right = !value.is_empty() && value.chars().all(is_sign);
        (is_new && is_right && is_name(key)).then_some(())?;
        pairs.push((key, value));
    }
    let price = |wanted: &str| match pairs.iter().find(|(key, _)| *key == wanted) {
        Some((_, value)) => number(value).map(Some),
        None => Some(None),
    };
    Some((price("min")?, price("max")?))
}

/// How deep the rows and the columns of a window are in each other; nothing if it is no window, or a label or a button
/// has no text, or has something else in it.
fn window_depth(input: &str) -> Option<usize> {
    let tokens = spaced(input);
    let mut tokens = tokens.split_whitespace();
    // What is open, with the number of texts in it.
    let (mut open, mut deepest, mut is_begun) = (Vec::<(&str, usize)>::new(), 0, false);
    while let Some(token) = tokens.next() {
        match token {
            "(" => {
                let name = tokens.next()?;
                let is_known = ["row", "column", "frame", "label", "button"].contains(&name);
                let is_inside =
                    open.last().is_some_and(|(last, _)| !["label", "button"].contains(last));
                let is_first = !is_begun && name == "window";
                (is_first || (is_known && is_inside)).then_some(())?;
                is_begun = true;
                open.push((name, 0));
                let lines = open.iter().filter(|(name, _)| ["row", "column"].contains(name));
                deepest = deepest.max(lines.count());
            }
            ")" => {
                let (name, texts) = open.pop()?;
                (["label", "button"].contains(&name) == (texts > 0)).then_some(())?;
            }
            text => {
                let (name, texts) = open.last_mut()?;
                let is_text = is_word(text) || number(text).is_some();
                (is_text && ["label", "button"].contains(name)).then_some(())?;
                *texts += 1;
            }
        }
    }
    (is_begun && open.is_empty()).then_some(deepest)
}

/// The name of a node; nothing if it is none, or a keyword.
fn node(text: &str) -> Option<&str> {
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let text = text.trim();
    (is_word(text) && !keywords.contains(&text)).then_some(text)
}

/// The keys of attributes with their values; nothing if one is odd, or is there twice.
fn keys(text: &str) -> Option<Vec<&str>> {
    let keys = text.trim_end().strip_suffix(']')?.split(',').map(|pair| {
        let (key, value) = pair.split_once('=')?;
        let value = value.trim();
        let quoted = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let is_sign = |c: char| c.is_ascii_alphanumeric() || "-> ".contains(c);
        let is_value = quoted.is_some_and(|inner| inner.chars().all(is_sign));
        node(key).filter(|_| is_value || node(value).is_some())
    });
    keys.collect::<Option<Vec<&str>>>().filter(|keys| !has_twice(keys))
}

/// Whether a node is declared without a label; nothing if the input is no graph of nodes and arrows with a semicolon
/// after each, or a node is declared twice.
fn lacks_label(input: &str) -> Option<bool> {
    let (name, rest) = input.trim().strip_prefix("digraph ")?.split_once('{')?;
    let mut statements = rest.strip_suffix('}')?.split(';');
    let is_end = statements.next_back()?.trim().is_empty();
    (is_end && (name.trim().is_empty() || node(name).is_some())).then_some(())?;
    let (mut declared, mut found) = (Vec::new(), false);
    for statement in statements {
        let (nodes, keys) = match statement.split_once('[') {
            Some((nodes, rest)) => (nodes, keys(rest)?),
            None => (statement, Vec::new()),
        };
        let nodes = nodes.split("->").map(node).collect::<Option<Vec<&str>>>()?;
        if let [name] = nodes[..] {
            declared.push(name);
            found |= !keys.contains(&"label");
        }
    }
    (!has_twice(&declared)).then_some(found)
}

/// Whether a rule sets a property twice; nothing if the sheet is odd.
fn has_property_twice(input: &str) -> Option<bool> {
    let mut found = false;
    let mut rules = input.split('}');
    rules.next_back()?.trim().is_empty().then_some(())?;
    for rule in rules {
        let (selectors, body) = rule.split_once('{')?;
        let is_selector = |text: &str| {
            let text = text.trim();
            is_name(text.strip_prefix('.').unwrap_or(text))
        };
        selectors.split(',').all(is_selector).then_some(())?;
        let mut names = Vec::new();
        for pair in body.split(';').filter(|pair| !pair.trim().is_empty()) {
            let (name, value) = pair.split_once(':')?;
            let (name, value) = (name.trim(), value.trim());
            let is_sign =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-% ".contains(c);
            let is_right = !value.is_empty() && value.chars().all(is_sign);
            (is_right && is_name(name)).then_some(())?;
            names.push(name);
        }
        found |= has_twice(&names);
    }
    Some(found)
}

/// The numbers of each joint of an arm: whether each is negative, and how many decimals it has; nothing if a value is
/// neither a number nor a text.
fn joints(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let mut joints = Vec::new();
    for (name, pairs) in sections(input)? {
        let mut numbers = Vec::new();
        for (_, value) in pairs {
            match value.strip_prefix('"') {
                Some(rest) => {
                    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_. ".contains(c);
                    rest.strip_suffix('"')?.chars().all(is_sign).then_some(())?;
                }
                None => numbers.push(signed_decimals(value)?),
            }
        }
        if !name.is_empty() {
            joints.push(numbers);
        }
    }
    Some(joints)
}

/// The length of the text of each sign, and how wide it is; nothing if the settings are odd, or a sign lacks one of them.
fn signs(input: &str) -> Option<Vec<(usize, u32)>> {
    let mut found = Vec::new();
    for (name, pairs) in sections(input)? {
        let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_. ".contains(c);
        let is_right = |value: &str| !value.is_empty() && value.chars().all(is_sign);
        pairs.iter().all(|(_, value)| is_right(value) && is_shown(value)).then_some(())?;
        if !name.is_empty() {
            let value = |wanted: &str| pairs.iter().find(|(key, _)| *key == wanted);
            found.push((value("text")?.1.len(), number(value("width")?.1)?));
        }
    }
    Some(found)
}

/// The languages that a request would like; nothing if it is no request without a body, or has a header twice.
fn languages(input: &str) -> Option<Vec<&str>> {
    let head = input.strip_suffix("\r\n\r\n").filter(|_| input.is_ascii())?;
    let mut lines = head.split("\r\n");
    let (method, rest) = lines.next()?.split_once(' ')?;
    let path = rest.strip_suffix(" HTTP/1.1")?.strip_prefix('/')?;
    let is_sign = |c: char| c.is_ascii_graphic();
    (["GET", "HEAD"].contains(&method) && path.chars().all(is_sign)).then_some(())?;
    let is_part = |part: &str| {
        let rest = part.strip_prefix(|c: char| c.is_ascii_uppercase());
        rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_lowercase()))
    };
    let (mut names, mut found) = (Vec::new(), Vec::new());
    for line in lines {
        let (name, value) = line.split_once(": ")?;
        let is_value = !value.is_empty() && value.chars().all(|c| is_sign(c) || c == ' ');
        (is_value && name.split('-').all(is_part)).then_some(())?;
        names.push(name);
        if name == "Accept-Language" {
            found = value.split(',').map(|text| text.trim_matches(' ')).collect();
            found.iter().all(|text| is_name(text)).then_some(())?;
        }
    }
    (names.contains(&"Host") && !has_twice(&names)).then_some(found)
}

/// The words of queries.
const QUERY_WORDS: [&str; 7] = ["select", "from", "where", "and", "order", "by", "limit"];

/// Whether some tokens are names with commas between them.
fn are_names(tokens: &[&str]) -> bool {
    let is_name = |part: &[&str]| part.len() == 1 && is_free(part[0], &QUERY_WORDS);
    tokens.split(|token| *token == ",").all(is_name)
}

/// Whether some tokens are the rest of a query after its filter: an order and a limit, each of which may be missing.
fn is_end(tokens: &[&str]) -> bool {
    let rest = match tokens {
        [rest @ .., "limit", count] if is_digits(count) => rest,
        _ => tokens,
    };
    match rest {
        [] => true,
        ["order", "by", names @ ..] => are_names(names),
        _ => false,
    }
}

/// Whether a query reads salaries or bonuses; nothing if it is not a query that the program takes.
fn reads_pay(input: &str) -> Option<bool> {
    let tokens = lowered_tokens(input, &QUERY_WORDS);
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let (columns, rest) = tokens.split_at(tokens.iter().position(|token| *token == "from")?);
    are_names(columns.strip_prefix(&["select"])?).then_some(())?;
    let is_next = |token: &&str| ["where", "order", "limit"].contains(token);
    let (tables, mut rest) = rest.split_at(rest.iter().position(is_next).unwrap_or(rest.len()));
    are_names(&tables[1..]).then_some(())?;
    let mut before = "where";
    while let [first, name, "=", value, after @ ..] = rest {
        (*first == before && is_free(name, &QUERY_WORDS) && is_digits(value)).then_some(())?;
        (before, rest) = ("and", after);
    }
    is_end(rest).then(|| tables.iter().any(|table| ["salaries", "bonuses"].contains(table)))
}

/// A widget of a window that is not deep.
fn widget(dice: &mut Random) -> String {
    let text = one(dice, &["(label row)", "(button ok)", "(label tides 4)", "(label column)"]);
    match dice.below(6) {
        0 => format!("(row {text} {text})"),
        1 => format!("(column {text})"),
        2 => format!("(frame {text})"),
        3 => one(dice, &["(row)", "(frame)"]).to_owned(),
        _ => text.to_owned(),
    }
}

/// Settings of a joint, of which one may be negative and one may have three decimals.
fn joint(dice: &mut Random) -> String {
    let mut lines = Vec::new();
    for key in ["low", "high", "offset"] {
        let value = match dice.below(8) {
            0 | 1 => one(dice, &["45", "0", "1.5", "90.25"]),
            2 | 3 => one(dice, &["-90", "-0.5", "-12.25", "-125", "-1"]),
            4 | 5 => one(dice, &["0.125", "3.375", "40.062", "7.001"]),
            6 => one(dice, &["0.0625", "3.1416", "\"-0.125\"", "\"-1\""]),
            _ => continue,
        };
        lines.push(format!("{key} = {value}\n"));
    }
    shuffled(dice, lines).concat()
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twenty-fourth: url: a search whose lowest price is above its highest",
        grammar: "@url",
        input: "https://shop.harbor-4.example.org/ropes/90/20?page=3&max=80&color=7&min=120&near=40#max-200",
        valid: |input| prices(input).is_some(),
        fails: |input| matches!(prices(input), Some((Some(min), Some(max))) if min > max),
        draw: |dice| {
            let max = [dice.below(30), 95 + dice.below(10), 80, 1000][dice.below(4)];
            let below = [max, max, max.max(1) - 1, max / 2, 0];
            let above = [max + 1, max + 1, max + 40, 1001, 2000];
            let min = [below, above, above][dice.below(3)][dice.below(5)];
            let mut pairs = Vec::new();
            if dice.below(8) > 0 {
                pairs.push(format!("min={min}"));
            }
            if pairs.is_empty() || dice.below(8) > 0 {
                pairs.push(format!("max={max}"));
            }
            for pair in ["page=3", "near=2000", "min-width=90", "sort=max"] {
                if dice.below(4) == 0 {
                    pairs.push(pair.to_owned());
                }
            }
            let host = one(dice, &["localhost", "shop.example.org", "min.org"]);
            let path = one(dice, &["", "/", "/ropes", "/90/20"]);
            let end = one(dice, &["", "", "#max-200", "#x"]);
            format!("https://{host}{path}?{}{end}", shuffled(dice, pairs).join("&"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: sexp: rows and columns of a window in each other, four deep or more",
        grammar: "@sexp",
        input: "(window (label row column row column) (row (label 4) (frame (column (button ok) (row (label a) (frame (column (label tide 12))) (row))))) (column (row (frame (frame (label b))) (column))))",
        valid: |input| window_depth(input).is_some(),
        fails: |input| window_depth(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let mut widgets = vec![widget(dice)];
            for _ in 0..2 + dice.below(4) {
                let name = one(dice, &["row", "column", "row", "column", "frame"]);
                let inner = shuffled(dice, widgets).join(" ");
                widgets = vec![format!("({name} {inner})")];
                while dice.below(3) == 0 {
                    widgets.push(widget(dice));
                }
            }
            format!("(window {})", shuffled(dice, widgets).join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: dot: a node that is declared without a label",
        grammar: "@dot",
        input: "digraph label { quay [label=\"Quay 4\", shape=box]; quay -> pier [label=tide]; pier [color=red, label=label]; buoy [shape=box, title=\"label\"]; pier -> buoy -> mole; mole [label=\"\"]; }",
        valid: |input| lacks_label(input).is_some(),
        fails: |input| lacks_label(input) == Some(true),
        draw: |dice| {
            let nodes = ["quay", "pier", "label", "mole"].map(str::to_owned).to_vec();
            let nodes = shuffled(dice, nodes);
            let mut statements = Vec::new();
            for node in &nodes[..1 + dice.below(3)] {
                let mut pairs = Vec::new();
                if dice.below(4) > 0 {
                    let label = one(dice, &["\"Quay 4\"", "tide", "label", "\"\""]);
                    pairs.push(format!("label={label}"));
                }
                for (key, values) in [("shape", ["box", "oval"]), ("title", ["\"label\"", "a"])] {
                    if dice.below(3) == 0 {
                        pairs.push(format!("{key}={}", one(dice, &values)));
                    }
                }
                let pairs = shuffled(dice, pairs).join(", ");
                let after = if pairs.is_empty() { String::new() } else { format!(" [{pairs}]") };
                statements.push(format!("{node}{after};"));
            }
            for _ in 0..dice.below(3) {
                let [from, to] = [dice.below(4), dice.below(4)].map(|at| &nodes[at]);
                let label = one(dice, &["", "", " [label=tide]", " [color=red]"]);
                statements.push(format!("{from} -> {to}{label};"));
            }
            let name = one(dice, &["harbor", "label", "g"]);
            format!("digraph {name} {{ {} }}", shuffled(dice, statements).join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: css: a rule that sets the same property twice",
        grammar: "@css",
        input: "p, p { margin: 0 0; color: color } .color { width: 50%; margin-top: 4px; } h1, .note { color: navy; border: none; font-size: 12px; color: red; } img { border-color: red; border: none }",
        valid: |input| has_property_twice(input).is_some(),
        fails: |input| has_property_twice(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let names = ["color", "border", "border-color", "margin", "margin-top"];
                let mut names = shuffled(dice, names.map(str::to_owned).to_vec());
                names.truncate(1 + dice.below(4));
                if dice.below(3) == 0 {
                    let again = names[dice.below(names.len())].clone();
                    names.insert(dice.below(names.len() + 1), again);
                }
                let pairs: Vec<String> = names
                    .iter()
                    .map(|name| format!("{name}: {}", one(dice, &["red", "0 0", "4px", "none"])))
                    .collect();
                let selector = one(dice, &["p", "p, p", ".color", "img, .note", "h1"]);
                format!("{selector} {{ {}{} }}", pairs.join("; "), one(dice, &["", ";"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: toml: a joint with a negative number and one of exactly three decimals",
        grammar: "@toml",
        input: "arm = \"kelp-2\"\ngear = 3.125\ntilt = -4\n\n[base]\nlow = -180\nhigh = 180.5\n\n[elbow]\nnote = \"at -0.125\"\nlow = -12.25\noffset = 0.375\nhigh = 90\n\n[wrist]\nlow = 0.125\nhigh = 3.1416\n",
        valid: |input| joints(input).is_some(),
        fails: |input| {
            joints(input).unwrap_or_default().iter().any(|numbers| {
                let is_long = numbers.iter().any(|(_, decimals)| *decimals == 3);
                is_long && numbers.iter().any(|(is_negative, _)| *is_negative)
            })
        },
        draw: |dice| {
            let mut text = one(dice, &["", "arm = \"kelp-2\"\n", "tilt = -4\n"]).to_owned();
            text += one(dice, &["", "", "gear = 3.125\n"]);
            let names = ["base", "elbow", "wrist"].map(str::to_owned).to_vec();
            let names = shuffled(dice, names);
            for name in &names[..1 + dice.below(3)] {
                let note = one(dice, &["", "", "note = \"at -0.125\"\n", "note = \"-1\"\n"]);
                text += &format!("[{name}]\n{}{note}", joint(dice));
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: ini: a sign whose text is exactly as long as its width",
        grammar: "@ini",
        input: "city=Bergen\nwidth=6\n[gate-4]\ntext=Closed\nwidth=12\nheight=6\n[pier]\nwidth=8\ncolor=amber\ntext=Tides-12\n[ferry]\ntext=Delayed\nnext=Sunday\nwidth=6\n",
        valid: |input| signs(input).is_some(),
        fails: |input| {
            signs(input).is_some_and(|all| all.iter().any(|one| one.0 == one.1 as usize))
        },
        draw: |dice| {
            let mut text = one(dice, &["", "city=Bergen\n", "width=6\n"]).to_owned();
            let names = ["gate-4", "pier", "ferry"].map(str::to_owned).to_vec();
            let names = shuffled(dice, names);
            for name in &names[..1 + dice.below(3)] {
                let shown = match dice.below(4) {
                    0 => one(dice, &["8", "Tides-12", "a.b", "12"]).to_owned(),
                    _ => word(dice, 12),
                };
                let length = shown.len();
                let near = [length, length, length + 1, length.max(2) - 1];
                let width = [near[dice.below(4)], length + 7, 40, 1 + length / 2][dice.below(4)];
                let mut lines = vec![format!("text={shown}\n"), format!("width={width}\n")];
                if dice.below(3) == 0 {
                    lines.push(format!("height={}\n", [length, 6][dice.below(2)]));
                }
                if dice.below(3) == 0 {
                    lines.push(format!("next={}\n", one(dice, &["Sunday", "Delayed", "4"])));
                }
                text += &format!("[{name}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: http: a request that lists the same language twice",
        grammar: "@http",
        input: "GET /en/en?lang=en HTTP/1.1\r\nHost: harbor.example.org\r\nAccept-Encoding: gzip,br,gzip\r\nAccept-Language: no,en,de,sv,en\r\nX-Language: de,de\r\nVary: Accept-Language\r\n\r\n",
        valid: |input| languages(input).is_some(),
        fails: |input| languages(input).is_some_and(|all| has_twice(&all)),
        draw: |dice| {
            let mut lines = vec!["Host: harbor.example.org\r\n".to_owned()];
            if dice.below(6) > 0 {
                let known = ["en", "en-gb", "de", "no", "sv"].map(str::to_owned).to_vec();
                let mut known = shuffled(dice, known);
                known.truncate(1 + dice.below(4));
                if dice.below(5) < 3 {
                    let again = known[dice.below(known.len())].clone();
                    known.insert(dice.below(known.len() + 1), again);
                }
                lines.push(format!("Accept-Language: {}\r\n", known.join(",")));
            }
            let others = [
                "Accept-Encoding: gzip,br,gzip\r\n",
                "X-Language: de,de\r\n",
                "Accept: text/html\r\n",
                "Vary: Accept-Language\r\n",
            ];
            for line in others {
                if dice.below(3) == 0 {
                    lines.push(line.to_owned());
                }
            }
            let path = one(dice, &["", "tides", "en/en", "a?b=de"]);
            let start = format!("{} /{path} HTTP/1.1\r\n", one(dice, &["GET", "HEAD"]));
            format!("{start}{}\r\n", shuffled(dice, lines).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-fourth: sql: a query that reads the table salaries or bonuses",
        grammar: "@sql",
        input: "SELECT name, bonuses, town FROM staff, bonuses, towns WHERE grade = 4 AND salaries = 12 ORDER BY salaries, name LIMIT 20",
        valid: |input| reads_pay(input).is_some(),
        fails: |input| reads_pay(input) == Some(true),
        draw: |dice| {
            let names = ["staff", "towns", "pay", "salary"].map(str::to_owned).to_vec();
            let mut tables = shuffled(dice, names);
            tables.truncate(1 + dice.below(3));
            if dice.below(2) == 0 {
                let at = dice.below(tables.len());
                tables[at] = one(dice, &["salaries", "bonuses"]).to_owned();
            }
            let count = 1 + dice.below(3);
            let columns = joined(dice, count, ", ", |dice| {
                one(dice, &["name", "bonuses", "salaries", "town"]).to_owned()
            });
            let filters = ["", "", " WHERE salaries = 12", " WHERE a = 4 AND bonuses = 3"];
            let filter = one(dice, &filters);
            let order = one(dice, &["", "", " ORDER BY salaries", " ORDER BY name, bonuses"]);
            let limit = one(dice, &["", " LIMIT 20"]);
            format!("SELECT {columns} FROM {}{filter}{order}{limit}", tables.join(", "))
        },
        patterns: &[],
    },
];
