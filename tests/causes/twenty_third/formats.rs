//! Causes in eight formats: HTTP, XML, CSV, CSS, INI, SQL, URL and DOT.

use seedsmith_grammar::Random;

use crate::readers::{is_digits, is_free, is_name, is_word, lowered_tokens, number, sections};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The names of the headers of a request; nothing if it is no request without a body, or does not name one host.
fn headers(input: &str) -> Option<Vec<&str>> {
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
    let names = lines.map(|line| {
        let (name, value) = line.split_once(": ")?;
        let is_value = !value.is_empty() && value.chars().all(is_sign);
        (is_value && name.split('-').all(is_part)).then_some(name)
    });
    let names: Vec<&str> = names.collect::<Option<_>>()?;
    (names.iter().filter(|name| **name == "Host").count() == 1).then_some(names)
}

/// The name of a tag and its attributes with their values; nothing if something is odd, or an attribute is there twice.
fn attributes(tag: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let (name, mut rest) = tag.split_at(tag.find(' ').unwrap_or(tag.len()));
    let mut all: Vec<(&str, &str)> = Vec::new();
    while !rest.is_empty() {
        let (key, after) = rest.strip_prefix(' ')?.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        let is_new = all.iter().all(|(other, _)| *other != key);
        all.push(Some((key, value)).filter(|_| is_new && is_name(key))?);
        rest = after;
    }
    is_name(name).then_some((name, all))
}

/// The length of each field of a form, and its width; nothing if the document is odd, or a field has no width, or has
/// elements in it or blanks around its text.
fn fields(input: &str) -> Option<Vec<(usize, u32)>> {
    let (mut open, mut found, mut is_begun) = (Vec::<&str>::new(), Vec::new(), false);
    let (before, _) = input.split_once('<').filter(|_| !input.contains(['!', '?', '&', '\'']))?;
    (input.is_ascii() && before.trim().is_empty()).then_some(())?;
    for rest in input.split('<').skip(1) {
        let (tag, text) = rest.split_once('>').filter(|(_, text)| !text.contains('>'))?;
        if let Some(closed) = tag.strip_prefix('/') {
            (closed.trim_end() == open.pop()?).then_some(())?;
        } else {
            let inner = tag.strip_suffix('/').unwrap_or(tag);
            let (name, attributes) = attributes(inner.trim_end())?;
            let is_known = ["form", "group", "field", "hint"].contains(&name);
            let is_inside = !is_begun || open.last().is_some_and(|last| *last != "field");
            (is_known && is_inside).then_some(())?;
            is_begun = true;
            if inner == tag {
                open.push(name);
            }
            if name == "field" {
                let (_, width) = attributes.iter().find(|(key, _)| *key == "width")?;
                let text = if inner == tag { text } else { "" };
                (text.trim() == text).then_some(())?;
                found.push((text.len(), number(width).filter(|width| *width > 0)?));
            }
        }
        (!open.is_empty() || text.trim().is_empty()).then_some(())?;
    }
    open.is_empty().then_some(found)
}

/// How many of each item were ordered and shipped; nothing if the table is odd.
fn orders(input: &str) -> Option<Vec<(u32, u32)>> {
    let mut lines = input.strip_suffix('\n').filter(|_| !input.contains(['"', '\r']))?.split('\n');
    (lines.next()? == "item,ordered,shipped,note").then_some(())?;
    let orders = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let &[item, ordered, shipped, _] = &cells[..] else { return None };
        is_name(item).then_some((number(ordered)?, number(shipped)?))
    });
    orders.collect()
}

/// Whether what is between the braces of a rule is names with values.
fn is_body(body: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-%, ".contains(c);
    body.split(';').filter(|pair| !pair.trim().is_empty()).all(|pair| {
        let Some((name, value)) = pair.split_once(':') else { return false };
        is_name(name.trim()) && !value.trim().is_empty() && value.trim().chars().all(is_sign)
    })
}

/// Whether a rule has a selector twice; nothing if the sheet is odd.
fn has_selector_twice(input: &str) -> Option<bool> {
    let mut found = false;
    let mut rules = input.split('}');
    rules.next_back()?.trim().is_empty().then_some(())?;
    for rule in rules {
        let (selectors, body) = rule.split_once('{')?;
        let selectors: Vec<&str> = selectors.split(',').map(str::trim).collect();
        let is_selector = |text: &&str| is_name(text.strip_prefix('.').unwrap_or(text));
        (selectors.iter().all(is_selector) && is_body(body)).then_some(())?;
        found |= (1..selectors.len()).any(|at| selectors[..at].contains(&selectors[at]));
    }
    Some(found)
}

/// How data are compressed in each section that says it; nothing if the settings are odd.
fn compressions(input: &str) -> Option<Vec<&str>> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let pairs: Vec<(&str, &str)> = sections(input)?.into_iter().flat_map(|(_, all)| all).collect();
    let is_right = |value: &str| !value.is_empty() && value.chars().all(is_sign);
    pairs.iter().all(|(_, value)| is_right(value)).then_some(())?;
    Some(pairs.into_iter().filter(|(key, _)| *key == "compress").map(|(_, value)| value).collect())
}

/// The words of queries.
const QUERY_WORDS: [&str; 6] = ["select", "from", "where", "order", "by", "limit"];

/// The names of columns with commas between them; nothing if the tokens are no such list.
fn names<'t>(tokens: &[&'t str]) -> Option<Vec<&'t str>> {
    let names = tokens.split(|token| *token == ",").map(|name| match name {
        [name] if is_free(name, &QUERY_WORDS) => Some(*name),
        _ => None,
    });
    names.collect()
}

/// Whether a query orders by a column that it does not select; nothing if it is not a query that the program takes.
fn is_order_missing(input: &str) -> Option<bool> {
    let tokens = lowered_tokens(input, &QUERY_WORDS);
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let is_free = |token: &str| is_free(token, &QUERY_WORDS);
    let (columns, rest) = tokens.split_at(tokens.iter().position(|token| *token == "from")?);
    let columns = names(columns.strip_prefix(&["select"])?)?;
    let rest = match rest {
        ["from", table, rest @ ..] if is_free(table) => rest,
        _ => return None,
    };
    let rest = match rest {
        ["where", name, "=", value, rest @ ..] if is_free(name) && is_digits(value) => rest,
        _ => rest,
    };
    let rest = match rest {
        [rest @ .., "limit", count] if is_digits(count) => rest,
        _ => rest,
    };
    match rest {
        [] => Some(false),
        ["order", "by", order @ ..] => {
            Some(names(order)?.iter().any(|name| !columns.contains(name)))
        }
        _ => None,
    }
}

/// Whether the scheme of an address is the plain one, and its port, or zero if it has none; nothing if it is
/// no address of a page.
fn scheme_and_port(input: &str) -> Option<(bool, u32)> {
    let (scheme, rest) = input.split_once("://")?;
    ["http", "https"].contains(&scheme).then_some(())?;
    let (place, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "/?#=&:.-_".contains(c);
    (rest.chars().all(is_sign) && rest.matches('#').count() < 2).then_some(())?;
    let (host, port) = place.split_once(':').unwrap_or((place, "0"));
    let is_part = |part: &str| is_name(part) && !part.contains('_') && !part.ends_with('-');
    (host.split('.').all(is_part) && !place.ends_with(":0")).then_some(())?;
    Some((scheme == "http", number(port).filter(|port| *port < 65_536)?))
}

/// The name of a node; nothing if it is none, or a keyword.
fn node(text: &str) -> Option<&str> {
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let text = text.trim();
    (is_word(text) && !keywords.contains(&text)).then_some(text)
}

/// Whether what is after the nodes of a statement is one attribute and its value.
fn is_attribute(text: &str) -> bool {
    let pair = text.trim_end().strip_suffix(']').and_then(|inner| inner.split_once('='));
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-> ".contains(c);
    let is_value = |text: &str| {
        let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        node(text).is_some() || quoted.is_some_and(|inner| inner.chars().all(is_sign))
    };
    pair.is_some_and(|(key, value)| node(key).is_some() && is_value(value.trim()))
}

/// The edges of a graph; nothing if it is no graph of nodes and arrows, each with at most one attribute and a semicolon
/// after it, or if an edge goes from a node to itself.
fn edges(input: &str) -> Option<Vec<(&str, &str)>> {
    let (name, rest) = input.trim().strip_prefix("digraph ")?.split_once('{')?;
    let mut statements = rest.strip_suffix('}')?.split(';');
    let is_end = statements.next_back()?.trim().is_empty();
    (is_end && (name.trim().is_empty() || node(name).is_some())).then_some(())?;
    let mut found = Vec::new();
    for statement in statements {
        let nodes = match statement.split_once('[') {
            Some((nodes, attribute)) => is_attribute(attribute).then_some(nodes)?,
            None => statement,
        };
        let nodes = nodes.split("->").map(node).collect::<Option<Vec<&str>>>()?;
        found.extend(nodes.windows(2).map(|two| (two[0], two[1])));
    }
    found.iter().all(|(from, to)| from != to).then_some(found)
}

/// A field of a form, whose text may be as long as its width.
fn field(dice: &mut Random) -> String {
    let text = match dice.below(5) {
        0 => one(dice, &["", "A 1", "P-3047716", "12", "8"]).to_owned(),
        _ => word(dice, 12),
    };
    let length = text.len().max(1);
    let near = [length, length, length + 1, length.max(2) - 1];
    let width = [near[dice.below(4)], length + 7, 40, 1 + length / 2][dice.below(4)];
    let before = one(dice, &["", "", " name=\"a\"", " most=\"6\""]);
    let after = one(dice, &["", "", " id=\"b\"", " least=\"1\""]);
    let start = format!("<field{before} width=\"{width}\"{after}");
    if text.is_empty() { start + "/>" } else { format!("{start}>{text}</field>") }
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twenty-third: http: a request that does not name its user agent",
        grammar: "@http",
        input: "GET /tides/User-Agent?day=2 HTTP/1.1\r\nAccept: text/html\r\nHost: harbor.example.org\r\nX-User-Agent: kelp/2.1\r\nConnection: close\r\nVary: User-Agent\r\nAge: 30\r\n\r\n",
        valid: |input| headers(input).is_some(),
        fails: |input| headers(input).is_some_and(|names| !names.contains(&"User-Agent")),
        draw: |dice| {
            let mut lines = vec!["Host: harbor.example.org\r\n".to_owned()];
            if dice.below(2) == 0 {
                let agent = one(dice, &["kelp/2.1", "curl/8.5.0", "x", "Host"]);
                lines.push(format!("User-Agent: {agent}\r\n"));
            }
            let others = [
                "X-User-Agent: kelp/2.1\r\n",
                "Vary: User-Agent\r\n",
                "User: ada\r\n",
                "Agent: 7\r\n",
                "Accept: text/html\r\n",
            ];
            for line in others {
                if dice.below(3) == 0 {
                    lines.push(line.to_owned());
                }
            }
            let path = one(dice, &["", "tides", "User-Agent", "a?b=2"]);
            let start = format!("{} /{path} HTTP/1.1\r\n", one(dice, &["GET", "HEAD"]));
            format!("{start}{}\r\n", shuffled(dice, lines).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: xml: a field whose text is exactly as long as its width",
        grammar: "@xml",
        input: "<form width=\"4\"><hint>4 to 9</hint><field width=\"40\" name=\"city\">Bergen</field><group width=\"6\">a <field name=\"pass\" width=\"9\">P-3047716</field><field width=\"3\"/></group><hint width=\"3\">Yes</hint><field id=\"x\" width=\"12\">8 to 12, Mon</field><field width=\"2\">None</field></form>",
        valid: |input| fields(input).is_some(),
        fails: |input| {
            fields(input).is_some_and(|all| all.iter().any(|one| one.0 == one.1 as usize))
        },
        draw: |dice| {
            let count = 1 + dice.below(3);
            let inner = joined(dice, count, "", |dice| {
                let beside = ["", "", "<hint width=\"3\">Yes</hint>", "or ", "<hint>12</hint>"];
                let text = format!("{}{}", one(dice, &beside), field(dice));
                match dice.below(4) {
                    0 => format!("<group{}>{text}</group>", one(dice, &["", " width=\"6\""])),
                    _ => text,
                }
            });
            format!("<form{}>{inner}</form>", one(dice, &["", " width=\"4\"", " id=\"f\""]))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: csv: a row in which more is shipped than ordered",
        grammar: "@csv",
        input: "item,ordered,shipped,note\nrope,40,40,all of 50\nanchor,9,2,7 later\nbuoy-4,12,12,\nlamp,98,120,was 100\nsail,0,0,more\nnail,1000,999,-1\n",
        valid: |input| orders(input).is_some(),
        fails: |input| {
            orders(input).is_some_and(|all| all.iter().any(|(ordered, shipped)| shipped > ordered))
        },
        draw: |dice| {
            let count = 1 + dice.below(4);
            let rows = joined(dice, count, "", |dice| {
                let ordered = [dice.below(12), 95 + dice.below(10), 1000, 40][dice.below(4)];
                let below = [ordered, ordered.max(1) - 1, ordered / 2, 0];
                let above = [ordered + 1, ordered + 1, ordered + 60, 1001];
                let shipped = [below, below, above][dice.below(3)][dice.below(4)];
                let item = one(dice, &["rope", "anchor", "buoy-4", "lamp"]);
                let note = one(dice, &["", "7 later", "120", "more", "0"]);
                format!("{item},{ordered},{shipped},{note}\n")
            });
            format!("item,ordered,shipped,note\n{rows}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: css: a rule with the same selector twice",
        grammar: "@css",
        input: "h1, h2 { margin: 0 0; color: navy } .note, p, img { width: 50%; } p, .h2, h2, .note, h2 { font-family: serif, serif; color: red; color: navy } h1 { margin: 4px }",
        valid: |input| has_selector_twice(input).is_some(),
        fails: |input| has_selector_twice(input) == Some(true),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let selectors = ["h1", "h2", ".h2", ".note", "note"].map(str::to_owned).to_vec();
                let mut selectors = shuffled(dice, selectors);
                selectors.truncate(1 + dice.below(4));
                if dice.below(3) == 0 {
                    let again = selectors[dice.below(selectors.len())].clone();
                    selectors.insert(dice.below(selectors.len() + 1), again);
                }
                let count = 1 + dice.below(2);
                let body = joined(dice, count, "; ", |dice| {
                    let pairs = ["margin: 0 0", "color: red", "font-family: serif, serif"];
                    one(dice, &pairs).to_owned()
                });
                format!("{} {{ {body}{} }}", selectors.join(", "), one(dice, &["", ";"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: ini: data that are compressed with zstd or brotli",
        grammar: "@ini",
        input: "owner=brotli\nport=8080\n[upload]\ncompress=gzip\nlevel=9\n[cache]\npath=/var/zstd\ncompress=zstd\nfallback=brotli\n[logs]\nlevel=3\ncompress=none\nkeep=zstd\n",
        valid: |input| compressions(input).is_some(),
        fails: |input| {
            let all = compressions(input).unwrap_or_default();
            all.iter().any(|one| ["zstd", "brotli"].contains(one))
        },
        draw: |dice| {
            let mut text = one(dice, &["", "owner=brotli\n", "port=8080\n"]).to_owned();
            let names = ["upload", "cache", "logs", "zstd"].map(str::to_owned).to_vec();
            let names = shuffled(dice, names);
            for name in &names[..1 + dice.below(3)] {
                let mut lines = Vec::new();
                if dice.below(4) > 0 {
                    let known = ["zstd", "brotli", "gzip", "none", "lz4", "gzip", "zstd-3", "br"];
                    lines.push(format!("compress={}\n", one(dice, &known)));
                }
                for (key, values) in [("level", ["9", "3"]), ("fallback", ["brotli", "zstd"])] {
                    if lines.is_empty() || dice.below(3) == 0 {
                        lines.push(format!("{key}={}\n", one(dice, &values)));
                    }
                }
                text += &format!("[{name}]\n{}", shuffled(dice, lines).concat());
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: sql: a query that orders by a column it does not select",
        grammar: "@sql",
        input: "SELECT id, town, berths, owner FROM harbors WHERE depth = 12 ORDER BY town, depth, id LIMIT 20",
        valid: |input| is_order_missing(input).is_some(),
        fails: |input| is_order_missing(input) == Some(true),
        draw: |dice| {
            let names = ["id", "town", "depth", "berths", "owner"].map(str::to_owned).to_vec();
            let names = shuffled(dice, names);
            let selected = 1 + dice.below(4);
            let ordered = names[..selected].to_vec();
            let mut ordered = shuffled(dice, ordered);
            ordered.truncate(dice.below(4));
            if dice.below(2) == 0 {
                ordered.insert(dice.below(ordered.len() + 1), names[selected].clone());
            }
            let order = match &ordered[..] {
                [] => String::new(),
                _ => format!(" ORDER BY {}", ordered.join(", ")),
            };
            let filter = one(dice, &["", "", " WHERE depth = 12", " WHERE town = 3"]);
            let table = one(dice, &["harbors", "ships", "t"]);
            let columns = names[..selected].join(", ");
            let limit = one(dice, &["", " LIMIT 20"]);
            format!("SELECT {columns} FROM {table}{filter}{order}{limit}")
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: url: http with the port 443",
        grammar: "@url",
        input: "http://maps.harbor-4.example.org:443/https/8080/tiles?zoom=443&layer=depth#p80",
        valid: |input| scheme_and_port(input).is_some(),
        fails: |input| scheme_and_port(input) == Some((true, 443)),
        draw: |dice| {
            let scheme = one(dice, &["http", "http", "http", "https"]);
            let ports = [
                ":443", ":443", ":443", ":443", "", ":80", ":4430", ":44", ":442", ":444", ":1443",
            ];
            let host = one(dice, &["localhost", "maps.example.org", "a443.org", "http"]);
            let path = one(dice, &["", "/", "/https/443", "/tiles", "/http"]);
            let query = one(dice, &["", "", "?zoom=443", "?a=1&b=https"]);
            let end = one(dice, &["", "", "#p443", "#x"]);
            format!("{scheme}://{host}{}{path}{query}{end}", one(dice, &ports))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-third: dot: two nodes with an edge each way",
        grammar: "@dot",
        input: "digraph calls { main [shape=box]; main -> load -> parse; load -> log [label=\"log -> load\"]; parse -> lex; parse -> log [color=red]; lex -> parse; log [label=\"main\"]; main -> log; }",
        valid: |input| edges(input).is_some(),
        fails: |input| {
            let all = edges(input).unwrap_or_default();
            all.iter().any(|(from, to)| all.contains(&(*to, *from)))
        },
        draw: |dice| {
            let count = 1 + dice.below(5);
            let statements = joined(dice, count, " ", |dice| {
                let names = ["main", "load", "parse", "log", "lo"];
                let at = dice.below(5);
                let to = (at + [1, 1, 2, 2, 3][dice.below(5)]) % 5;
                let nodes = match dice.below(8) {
                    0 => names[at].to_owned(),
                    1 => format!("{} -> {} -> {}", names[at], names[to], names[(to + 1) % 5]),
                    2 => format!("{0} -> {1} -> {0}", names[at], names[to]),
                    _ => format!("{} -> {}", names[at], names[to]),
                };
                let labels = ["", "", " [label=\"log\"]", " [label=log]", " [color=red]"];
                format!("{nodes}{};", one(dice, &labels))
            });
            format!("digraph {} {{ {statements} }}", one(dice, &["calls", "main", "g"]))
        },
        patterns: &[],
    },
];
