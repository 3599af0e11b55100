//! Causes in eight formats: URL, HTTP, XML, SQL, CSV, TOML, DOT and CSS.

use crate::readers::{is_digits, is_free, is_name, lowered_tokens, number, sections};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// Whether one of some texts is there twice.
fn has_twice(all: &[&str]) -> bool {
    (1..all.len()).any(|at| all[..at].contains(&all[at]))
}

/// The port of an address, or zero if it has none; nothing if it is no address of a page.
fn port(input: &str) -> Option<u32> {
    let rest = input.strip_prefix("https://").or_else(|| input.strip_prefix("http://"))?;
    let (place, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "/?#=&:.-_".contains(c);
    (rest.chars().all(is_sign) && rest.matches('#').count() < 2).then_some(())?;
    let (host, port) = place.split_once(':').unwrap_or((place, "0"));
    let is_part = |part: &str| is_name(part) && !part.contains('_') && !part.ends_with('-');
    let is_right = host.split('.').all(is_part) && !place.ends_with(":0");
    number(port).filter(|port| is_right && *port < 65_536)
}

/// The first and the last byte that a request asks for, or twice zero if it asks for none, or for all from one on;
/// nothing if it is no request without a body.
fn range(input: &str) -> Option<(u32, u32)> {
    let head = input.strip_suffix("\r\n\r\n").filter(|_| input.is_ascii())?;
    let mut lines = head.split("\r\n");
    let (method, first) = lines.next()?.split_once(' ')?;
    let path = first.strip_suffix(" HTTP/1.1")?.strip_prefix('/')?;
    let is_sign = |c: char| c.is_ascii_graphic();
    (["GET", "HEAD"].contains(&method) && path.chars().all(is_sign)).then_some(())?;
    let mut found = None;
    for line in lines {
        let (name, value) = line.split_once(": ")?;
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == '-';
        let is_right = !value.is_empty() && value.chars().all(is_sign);
        (is_right && !name.is_empty() && name.chars().all(is_letter)).then_some(())?;
        if name.eq_ignore_ascii_case("range") {
            let (from, to) = value.strip_prefix("bytes=")?.split_once('-')?;
            (name == "Range" && found.is_none()).then_some(())?;
            let from = number(from)?;
            found = Some(if to.is_empty() { (0, 0) } else { (from, number(to)?) });
        }
    }
    Some(found.unwrap_or((0, 0)))
}

/// Whether what is after the name of a tag is nothing or a class.
fn is_class(text: &str) -> bool {
    let value = text.strip_prefix(" class=\"").and_then(|rest| rest.strip_suffix('"'));
    text.is_empty() || value.is_some_and(is_name)
}

/// How deep lists are in each other, ordered and unordered ones; nothing if the document is odd, an item is in no list,
/// or something else than an item is in one.
fn list_depth(input: &str) -> Option<usize> {
    let (mut open, mut deepest, mut is_begun) = (Vec::<&str>::new(), 0, false);
    let (before, _) = input.split_once('<').filter(|_| !input.contains(['!', '?', '&', '\'']))?;
    (input.is_ascii() && before.trim().is_empty()).then_some(())?;
    let is_list = |name: &str| ["ul", "ol"].contains(&name);
    for rest in input.split('<').skip(1) {
        let (tag, text) = rest.split_once('>').filter(|(_, text)| !text.contains('>'))?;
        if let Some(closed) = tag.strip_prefix('/') {
            (closed.trim_end() == open.pop()?).then_some(())?;
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let (name, after) = inner.split_at(inner.find(' ').unwrap_or(inner.len()));
            let is_known = ["page", "ul", "ol", "li", "p", "b"].contains(&name);
            (is_known && is_class(after.trim_end())).then_some(())?;
            (open.last().is_some_and(|last| is_list(last)) == (name == "li")).then_some(())?;
            (!is_begun || !open.is_empty()).then_some(())?;
            is_begun = true;
            open.push(name);
            deepest = deepest.max(open.iter().filter(|name| is_list(name)).count());
            if inner != tag {
                open.pop();
            }
        }
        let may_have_text = open.last().is_some_and(|last| !is_list(last));
        (may_have_text || text.trim().is_empty()).then_some(())?;
    }
    open.is_empty().then_some(deepest)
}

/// The words of queries.
const QUERY_WORDS: [&str; 7] = ["select", "as", "from", "where", "order", "by", "limit"];

/// Whether some tokens are a table, and after it a filter, an order and a limit, each of which may be missing.
fn is_source(tokens: &[&str]) -> bool {
    let is_free = |token: &str| is_free(token, &QUERY_WORDS);
    let rest = match tokens {
        ["from", table, rest @ ..] if is_free(table) => rest,
        _ => return false,
    };
    let rest = match rest {
        ["where", name, "=", value, rest @ ..] if is_free(name) && is_digits(value) => rest,
        _ => rest,
    };
    match rest {
        [] => true,
        ["limit", count] => is_digits(count),
        ["order", "by", name] => is_free(name),
        ["order", "by", name, "limit", count] => is_free(name) && is_digits(count),
        _ => false,
    }
}

/// Whether two columns of a query have the same alias; nothing if it is not a query that the program takes.
fn has_equal_aliases(input: &str) -> Option<bool> {
    let tokens = lowered_tokens(input, &QUERY_WORDS);
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let (columns, rest) = tokens.split_at(tokens.iter().position(|token| *token == "from")?);
    let is_free = |token: &str| is_free(token, &QUERY_WORDS);
    let mut aliases = Vec::new();
    for column in columns.strip_prefix(&["select"])?.split(|token| *token == ",") {
        match column {
            [name] if is_free(name) => {}
            [name, "as", alias] if is_free(name) && is_free(alias) => aliases.push(*alias),
            _ => return None,
        }
    }
    is_source(rest).then(|| has_twice(&aliases))
}

/// The names of the columns of a table; nothing if one has no name, or a row has more or fewer cells than they are.
fn columns(input: &str) -> Option<Vec<&str>> {
    let mut lines = input.lines().filter(|_| !input.contains(['"', '\r', '\t']));
    let names: Vec<&str> = lines.next()?.split(',').collect();
    let is_right = names.iter().all(|name| !name.trim().is_empty());
    let is_even = lines.all(|line| line.split(',').count() == names.len());
    (is_right && is_even).then_some(names)
}

/// The text in quotes; nothing if it is none.
fn quoted(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    inner.chars().all(|c| c.is_ascii_alphanumeric() || "-_.> ".contains(c)).then_some(inner)
}

/// Whether a list of features has one twice; nothing if a value is neither a number nor a text nor a list of texts, or
/// features are no list.
fn has_feature_twice(input: &str) -> Option<bool> {
    let mut found = false;
    for (key, value) in sections(input)?.into_iter().flat_map(|(_, pairs)| pairs) {
        if let Some(inner) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let texts = inner.split(',').filter(|_| !inner.trim().is_empty());
            let texts = texts.map(|text| quoted(text.trim())).collect::<Option<Vec<&str>>>()?;
            found |= key == "features" && has_twice(&texts);
        } else {
            let is_right = quoted(value).is_some() || number(value).is_some();
            (is_right && key != "features").then_some(())?;
        }
    }
    Some(found)
}

/// The name of a node; nothing if it is none, or a keyword.
fn node(text: &str) -> Option<&str> {
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let text = text.trim();
    (is_name(text) && !text.contains('-') && !keywords.contains(&text)).then_some(text)
}

/// Whether what is after the nodes of a statement is one attribute and its value.
fn is_attribute(text: &str) -> bool {
    let pair = text.trim_end().strip_suffix(']').and_then(|inner| inner.split_once('='));
    let is_value = |text: &str| node(text).is_some() || quoted(text.trim()).is_some();
    pair.is_some_and(|(key, value)| node(key).is_some() && is_value(value))
}

/// Whether an edge of a graph goes from a node to itself; nothing if it is no graph of nodes and arrows, each with at
/// most one attribute and a semicolon after it.
fn has_loop(input: &str) -> Option<bool> {
    let (name, rest) = input.trim().strip_prefix("digraph ")?.split_once('{')?;
    let mut statements = rest.strip_suffix('}')?.split(';');
    let is_end = statements.next_back()?.trim().is_empty();
    (is_end && (name.trim().is_empty() || node(name).is_some())).then_some(())?;
    let mut found = false;
    for statement in statements {
        let nodes = match statement.split_once('[') {
            Some((nodes, attribute)) => is_attribute(attribute).then_some(nodes)?,
            None => statement,
        };
        let nodes = nodes.split("->").map(node).collect::<Option<Vec<&str>>>()?;
        found |= nodes.windows(2).any(|two| two[0] == two[1]);
    }
    Some(found)
}

/// Whether a rule has a float and is displayed inline; nothing if the sheet is odd, or a rule sets something twice.
fn has_inline_float(input: &str) -> Option<bool> {
    let mut found = false;
    let mut rules = input.split('}');
    (rules.next_back()?.trim().is_empty()).then_some(())?;
    for rule in rules {
        let (selectors, body) = rule.split_once('{')?;
        let is_selector = |text: &str| is_name(text.trim().trim_start_matches('.'));
        selectors.split(',').all(is_selector).then_some(())?;
        let mut set = Vec::<(&str, &str)>::new();
        for pair in body.split(';').filter(|pair| !pair.trim().is_empty()) {
            let (name, value) = pair.split_once(':')?;
            let (name, value) = (name.trim(), value.trim());
            let is_sign =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-% ".contains(c);
            let is_new = set.iter().all(|(other, _)| *other != name);
            (is_new && is_name(name) && !value.is_empty() && value.chars().all(is_sign))
                .then_some(())?;
            set.push((name, value));
        }
        found |=
            set.contains(&("display", "inline")) && set.iter().any(|(name, _)| *name == "float");
    }
    Some(found)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twenty-second: url: a port from 6665 to 6669",
        grammar: "@url",
        input: "http://files.tide-tables.example.org:6667/pub/8080/list?port=443&page=2#p6670",
        valid: |input| port(input).is_some(),
        fails: |input| port(input).is_some_and(|port| (6665..=6669).contains(&port)),
        draw: |dice| {
            let port = match dice.below(5) {
                0 | 1 => one(dice, &[":6665", ":6666", ":6667", ":6668", ":6669"]),
                2 => one(dice, &[":6664", ":6670", ":6663", ":6671", ":666", ":66"]),
                3 => one(dice, &["", ":80", ":443", ":8080", ":65535", ":1667", ":16667"]),
                _ => one(dice, &[":6600", ":6660", ":6680", ":7000", ":6000", ":6675"]),
            };
            let scheme = one(dice, &["http", "https"]);
            let host = one(dice, &["localhost", "files.example.org", "a6667.org", "x"]);
            let path = one(dice, &["", "/", "/pub/6667", "/list", "/6668/b"]);
            let query = one(dice, &["", "", "?port=6666", "?page=2", "?a=1&b=6669"]);
            format!("{scheme}://{host}{port}{path}{query}{}", one(dice, &["", "", "#p6665", "#x"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: http: a range whose first byte is after its last",
        grammar: "@http",
        input: "GET /tapes/9-4.ogg HTTP/1.1\r\nHost: attic.example.org\r\nX-Range: bytes=7-2\r\nRange: bytes=4096-1023\r\nAccept: audio/ogg\r\nAge: 30\r\n\r\n",
        valid: |input| range(input).is_some(),
        fails: |input| range(input).is_some_and(|(first, last)| first > last),
        draw: |dice| {
            let first = [dice.below(20), 90 + dice.below(20), 1024, 500][dice.below(4)];
            let near = [first, first + 1, first.max(1) - 1, first.max(1) - 1, first / 2];
            let last = [near[dice.below(5)], 4096, 99, dice.below(1200)][dice.below(4)];
            let mut lines = vec!["Host: attic.example.org\r\n".to_owned()];
            match dice.below(9) {
                0 => lines.push(format!("Range: bytes={first}-\r\n")),
                1 => {}
                _ => lines.push(format!("Range: bytes={first}-{last}\r\n")),
            }
            for line in ["X-Range: bytes=7-2\r\n", "Age: 30\r\n", "Accept: audio/ogg\r\n"] {
                if dice.below(3) == 0 {
                    lines.push(line.to_owned());
                }
            }
            let start =
                format!("{} /{}", one(dice, &["GET", "HEAD"]), one(dice, &["", "9-4", "a"]));
            format!("{start} HTTP/1.1\r\n{}\r\n", shuffled(dice, lines).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: xml: lists, ordered or not, nested five deep or more",
        grammar: "@xml",
        input: "<page><p>Tools</p><ul class=\"top\"><li>saws<ol><li><b>fine</b></li><li><p>rough<ul><li><ol><li>old</li><li>new <ul class=\"x\"><li/><li>best</li></ul></li></ol></li></ul></p></li></ol></li><li>glue<ul><li/></ul></li></ul><ol/></page>",
        valid: |input| list_depth(input).is_some(),
        fails: |input| list_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut text = one(dice, &["", "old", "<b>ul</b>", "<ol/>", "<p/>"]).to_owned();
            for _ in 0..3 + dice.below(3) {
                let name = one(dice, &["ul", "ol"]);
                let items = ["", "", "<li/>", "<li>glue</li>", "<li><ul/></li>"];
                let (before, after) = (one(dice, &items), one(dice, &items));
                let class = one(dice, &["", "", " class=\"ol\""]);
                text = format!("<{name}{class}>{before}<li>{text}</li>{after}</{name}>");
                if dice.below(4) == 0 {
                    text = format!("<p>{text}</p>");
                }
            }
            let beside = ["", "", "<p>Tools</p>", "<ol/>", "<ul><li>x</li></ul>"];
            format!("<page>{}{text}{}</page>", one(dice, &beside), one(dice, &beside))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: sql: two columns of a query with the same alias",
        grammar: "@sql",
        input: "SELECT id, town AS place, age AS years, place, harbor AS place, years FROM people WHERE age = 40 ORDER BY town LIMIT 20",
        valid: |input| has_equal_aliases(input).is_some(),
        fails: |input| has_equal_aliases(input) == Some(true),
        draw: |dice| {
            let names = ["place", "years", "x", "town", "who"].map(str::to_owned).to_vec();
            let mut aliases = shuffled(dice, names);
            aliases.truncate(1 + dice.below(4));
            if dice.below(2) == 0 {
                let again = aliases[dice.below(aliases.len())].clone();
                aliases.insert(dice.below(aliases.len() + 1), again);
            }
            let mut columns = Vec::new();
            for alias in &aliases {
                if dice.below(3) == 0 {
                    columns.push(one(dice, &["id", "place", "years"]).to_owned());
                }
                columns.push(format!("{} AS {alias}", one(dice, &["town", "age", "place", "h"])));
            }
            let filter = one(dice, &["", "", " WHERE age = 40", " WHERE place = 3"]);
            let order = one(dice, &["", "", " ORDER BY town", " ORDER BY place"]);
            let limit = one(dice, &["", " LIMIT 20"]);
            format!("SELECT {} FROM people{filter}{order}{limit}", columns.join(", "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: csv: a column whose name is not ASCII",
        grammar: "@csv",
        input: "no,Straße,town,born\n1,Kai 4,Århus,1961\n2,,Bergen,1975\n3,Rue d'Été,Nîmes,\n",
        valid: |input| columns(input).is_some(),
        fails: |input| columns(input).is_some_and(|all| all.iter().any(|name| !name.is_ascii())),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let names = joined(dice, count, ",", |dice| match dice.below(4) {
                0 => one(dice, &["Straße", "né", "größe", "日", "Ort (ä)"]).to_owned(),
                _ => one(dice, &["no", "town", "born", "a~b", "Strasse", "size 2"]).to_owned(),
            });
            let mut text = format!("{names}\n");
            for _ in 0..dice.below(4) {
                let row = joined(dice, count, ",", |dice| {
                    one(dice, &["Århus", "Bergen", "1961", "", "é", "Straße", "no"]).to_owned()
                });
                text += &format!("{row}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: toml: a list of features in which one is there twice",
        grammar: "@toml",
        input: "edition = 2024\nauthors = [\"Ada\", \"Ada\"]\n\n[tides]\nversion = \"1.4\"\nfeatures = [\"std\", \"json\", \"maps\"]\n\n[ropes]\nfeatures = [\"json\", \"std\", \"knots\", \"std\"]\ndefault = 0\n\n[fonts]\nexclude = [\"a.ttf\", \"b.ttf\"]\nfeatures = []\n",
        valid: |input| has_feature_twice(input).is_some(),
        fails: |input| has_feature_twice(input) == Some(true),
        draw: |dice| {
            let mut text =
                one(dice, &["", "edition = 2024\n", "authors = [\"Ada\", \"Ada\"]\n"]).to_owned();
            let names = ["tides", "ropes", "fonts"].map(str::to_owned).to_vec();
            let mut names = shuffled(dice, names);
            names.truncate(1 + dice.below(3));
            for name in &names {
                let features = ["\"std\"", "\"json\"", "\"maps\"", "\"std2\"", "\"\""];
                let mut features = shuffled(dice, features.map(str::to_owned).to_vec());
                features.truncate(dice.below(4));
                if !features.is_empty() && dice.below(3) == 0 {
                    let again = features[dice.below(features.len())].clone();
                    features.insert(dice.below(features.len() + 1), again);
                }
                let mut lines = vec![format!("features = [{}]\n", features.join(", "))];
                if dice.below(2) == 0 {
                    lines.push(format!("version = \"{}\"\n", one(dice, &["1.4", "std"])));
                }
                if dice.below(3) == 0 {
                    let list = one(dice, &["[\"a\", \"a\"]", "[\"std\"]", "[\"b\", \"a\"]"]);
                    lines.push(format!("exclude = {list}\n"));
                }
                text += &format!("[{name}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: dot: an edge from a node to itself",
        grammar: "@dot",
        input: "digraph build { root [shape=box]; root -> lint; lint -> test [label=\"test -> test\"]; root -> docs; test -> test [color=red]; docs -> ship; test -> ship; root [label=\"root\"]; }",
        valid: |input| has_loop(input).is_some(),
        fails: |input| has_loop(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(5);
            let statements = joined(dice, count, " ", |dice| {
                let names = ["root", "lint", "test", "test2", "t"];
                let at = dice.below(5);
                let nodes = match dice.below(8) {
                    0 => names[at].to_owned(),
                    1 => format!("{0} -> {0}", names[at]),
                    2 => format!("{0} -> {1} -> {0}", names[at], names[(at + 1) % 5]),
                    _ => format!("{} -> {}", names[at], names[(at + 1 + dice.below(4)) % 5]),
                };
                let labels = ["", "", " [label=\"t\"]", " [label=test]", " [color=red]"];
                format!("{nodes}{};", one(dice, &labels))
            });
            format!("digraph {} {{ {statements} }}", one(dice, &["build", "test", "g"]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-second: css: a rule with a float and with display inline",
        grammar: "@css",
        input: "p { display: inline; margin: 0 4px } .left { width: 50%; float: left; } img, .inline { float: right; color: red; display: inline; } h1 { display: block; float: left }",
        valid: |input| has_inline_float(input).is_some(),
        fails: |input| has_inline_float(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let mut pairs = Vec::new();
                if dice.below(3) > 0 {
                    pairs.push(format!("float: {}", one(dice, &["left", "right"])));
                }
                if dice.below(4) > 0 {
                    let display = one(dice, &["inline", "inline", "block", "flex"]);
                    pairs.push(format!("display: {display}"));
                }
                if pairs.is_empty() || dice.below(2) == 0 {
                    pairs.push(format!("color: {}", word(dice, 3)));
                }
                if dice.below(4) == 0 {
                    pairs.push(format!("clear: {}", one(dice, &["inline", "left", "both"])));
                }
                let pairs = shuffled(dice, pairs).join("; ");
                let selector = one(dice, &["p", ".left", "img, .inline", ".float"]);
                format!("{selector} {{ {pairs}{} }}", one(dice, &["", ";"]))
            })
        },
        patterns: &[],
    },
];
