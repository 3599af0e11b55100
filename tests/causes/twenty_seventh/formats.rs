//! Causes in eight formats: URL, TOML, Lua, DOT, sexp, HTTP, CSS and XML.

use seedsmith_grammar::Random;
use serde_json::{Value, json};

use super::{about, accented, are_ragged, asides, claimed, events, listed, repeats, widths};
use crate::draws::chance;
use crate::readers::{are_in_order, is_name, is_shown, is_word, items, number, sections};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The words that are no names in Lua.
const LUA_KEYWORDS: &str = "and break do else elseif end false for function goto if in local nil \
                            not or repeat return then true until while";

/// Whether a text has only letters, digits and a few signs.
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./[] ".contains(c))
}

/// The zooms in the query of an address; nothing if one is no number up to 99.
fn zooms(input: &str) -> Option<Vec<u32>> {
    let address = input.split('#').next()?;
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let zooms = query.split('&').filter_map(|field| field.strip_prefix("zoom="));
    zooms.map(|zoom| number(zoom).filter(|zoom| *zoom <= 99)).collect()
}

/// The value at the start of a text in TOML or Lua, and what comes after it; nothing if it is odd.
/// A list or a table is a list of its values, each after its key, which is null if there is none.
fn data(text: &str, is_lua: bool) -> Option<(Value, &str)> {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix('"') {
        let (inner, rest) = rest.split_once('"')?;
        return is_plain(inner).then(|| (json!(inner), rest));
    }
    let end = match text.chars().next()? {
        '{' => '}',
        '[' if !is_lua => ']',
        _ => {
            let digits = text.chars().take_while(char::is_ascii_digit).count();
            return Some((json!(number(&text[..digits])?), &text[digits..]));
        }
    };
    let (mut rest, mut entries, mut keys) = (text[1..].trim_start(), Vec::new(), Vec::new());
    while !rest.starts_with(end) {
        let size = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (key, after) = rest.split_at(size?);
        let after = after.trim_start().strip_prefix('=').filter(|_| is_name(key));
        let has_key = after.is_some();
        // In TOML a table has only keys, and a list has none.
        let is_right = is_lua || has_key == (end == '}');
        (is_right && !(has_key && keys.contains(&key))).then_some(())?;
        keys.push(key);
        let (value, after) = data(after.unwrap_or(rest), is_lua)?;
        entries.push(json!([has_key.then_some(key), value]));
        rest = after.trim_start();
        match rest.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => rest.starts_with(end).then_some(())?,
        }
    }
    Some((Value::Array(entries), &rest[1..]))
}

/// How deep lists and tables are in each other in a value.
fn data_depth(value: &Value) -> usize {
    let inner = items(value).iter().map(|entry| data_depth(&entry[1]));
    if value.is_array() { 1 + inner.max().unwrap_or(0) } else { 0 }
}

/// How deep lists and inline tables are in each other in settings, each of which is in one line.
fn settings_depth(input: &str) -> Option<usize> {
    let mut deepest = 0;
    for (key, text) in sections(input)?.into_iter().flat_map(|(_, pairs)| pairs) {
        // A comma before the end of an inline table is wrong.
        let is_right = is_name(key) && !text.replace(' ', "").contains(",}");
        let (value, rest) = data(text, false).filter(|_| is_right)?;
        rest.trim().is_empty().then_some(())?;
        deepest = deepest.max(data_depth(&value));
    }
    Some(deepest)
}

/// Whether each thing in a shop has a price; nothing if it is not Lua that only sets variables.
fn have_prices(input: &str) -> Option<Vec<bool>> {
    let (mut rest, mut names, mut found) = (input.trim(), Vec::new(), Vec::new());
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let name = name.trim();
        let is_right = is_word(name) && !LUA_KEYWORDS.split_whitespace().any(|word| word == name);
        (is_right && !names.contains(&name)).then_some(())?;
        names.push(name);
        let (value, after) = data(after, true)?;
        (after.is_empty() || after.starts_with(char::is_whitespace)).then_some(())?;
        rest = after.trim_start();
        let things = items(&value).iter().filter(|entry| entry[0].is_null());
        let things = things.map(|entry| &entry[1]).filter(|thing| thing.is_array());
        let have = things.map(|thing| items(thing).iter().any(|entry| entry[0] == "price"));
        found.extend(have.filter(|_| name == "shop"));
    }
    Some(found)
}

/// The labels of the edges of a graph; nothing if it has other things than nodes, edges and labels.
fn edge_labels(input: &str) -> Option<Vec<&str>> {
    let keywords = ["node", "edge", "graph", "digraph", "subgraph", "strict"];
    let is_node = |text: &str| is_word(text.trim()) && !keywords.contains(&text.trim());
    let (name, rest) = input.trim().strip_prefix("digraph ")?.split_once('{')?;
    let mut statements = rest.strip_suffix('}')?.split(';');
    let is_end = statements.next_back()?.trim().is_empty();
    (is_end && (name.trim().is_empty() || is_node(name))).then_some(())?;
    let mut found = Vec::new();
    for statement in statements {
        let (nodes, label) = match statement.split_once('[') {
            Some((nodes, rest)) => (nodes, Some(rest.trim().strip_suffix(']')?)),
            None => (statement, None),
        };
        nodes.split("->").all(is_node).then_some(())?;
        if let Some(label) = label {
            let value = label.trim().strip_prefix("label")?.trim_start().strip_prefix('=')?;
            let text = value.trim().strip_prefix('"')?.strip_suffix('"')?;
            let is_right = |c: char| c.is_alphanumeric() || "-. ".contains(c);
            text.chars().all(is_right).then_some(())?;
            found.extend(nodes.contains("->").then_some(text));
        }
    }
    Some(found)
}

/// The size of each hand of a game, and how many cards it has; nothing if the game is odd.
fn hands(input: &str) -> Option<Vec<(u32, usize)>> {
    let spaced = input.replace('(', " ( ").replace(')', " ) ");
    let (mut open, mut found, mut is_done) = (Vec::<Vec<&str>>::new(), Vec::new(), false);
    let mut hand = (None, None);
    for token in spaced.split_whitespace() {
        match token {
            "(" if !is_done => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                let (head, rest) = list.split_first()?;
                let parent = open.last().and_then(|list| list.first().copied());
                match (parent, *head) {
                    (None, "game") => is_done = true,
                    (Some("game"), "hand") => found.push((hand.0.take()?, hand.1.take()?)),
                    (Some("game"), "deck" | "pot") => {}
                    (Some("hand"), "size") if hand.0.is_none() && rest.len() == 1 => {
                        hand.0 = Some(number(rest[0])?);
                    }
                    (Some("hand"), "cards") if hand.1.is_none() => hand.1 = Some(rest.len()),
                    (Some("hand"), "of") => {}
                    _ => return None,
                }
            }
            _ => {
                (is_name(token) || number(token).is_some()).then_some(())?;
                let list = open.last_mut()?;
                let has_atoms = !["game", "hand"].contains(list.first().unwrap_or(&""));
                has_atoms.then(|| list.push(token))?;
            }
        }
    }
    is_done.then_some(found)
}

/// The names of the headers of a request in small letters; nothing if it is none, or one is there
/// twice.
fn headers(input: &str) -> Option<Vec<String>> {
    let mut lines = input.strip_suffix("\r\n\r\n")?.split("\r\n");
    let path = lines.next()?.strip_prefix("GET /")?.strip_suffix(" HTTP/1.1")?;
    path.chars().all(|c| c.is_ascii_graphic()).then_some(())?;
    let names = lines.map(|line| {
        let (name, value) = line.split_once(": ")?;
        let name = name.to_ascii_lowercase();
        let is_right = is_name(&name) && is_shown(value) && !value.trim().is_empty();
        is_right.then_some(name)
    });
    let names = names.collect::<Option<Vec<String>>>()?;
    (names.contains(&"host".to_owned()) && !repeats(&names)).then_some(names)
}

/// The fonts of each list of fonts in a sheet; nothing if the sheet is odd, or one is no plain name.
fn fonts(input: &str) -> Option<Vec<Vec<&str>>> {
    let (mut rules, mut found) = (input.split('}'), Vec::new());
    rules.next_back()?.trim().is_empty().then_some(())?;
    for rule in rules {
        let (selector, body) = rule.split_once('{')?;
        let selector = selector.trim();
        is_name(selector.strip_prefix('.').unwrap_or(selector)).then_some(())?;
        for pair in body.split(';').filter(|pair| !pair.trim().is_empty()) {
            let (name, value) = pair.split_once(':')?;
            let values: Vec<&str> = value.split(',').map(str::trim).collect();
            let is_right = |value: &&str| is_name(value) || number(value).is_some();
            (is_name(name.trim()) && values.iter().all(is_right)).then_some(())?;
            found.extend((name.trim() == "font-family").then_some(values));
        }
    }
    Some(found)
}

/// How many cells the rows of each table have; nothing if it is no page of tables and paragraphs.
fn tables(input: &str) -> Option<Vec<Vec<usize>>> {
    let (mut open, mut found, mut is_begun) = (Vec::new(), Vec::<Vec<usize>>::new(), false);
    let mut pieces = input.split('<');
    pieces.next()?.trim().is_empty().then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once('>')?;
        if let Some(name) = tag.strip_prefix('/') {
            (open.pop()? == name).then_some(())?;
        } else {
            let name = tag.strip_suffix('/').unwrap_or(tag);
            match (open.last().copied(), name) {
                (None, "page") if !is_begun => is_begun = true,
                (Some("page"), "p") => {}
                (Some("page"), "table") => found.push(Vec::new()),
                (Some("table"), "tr") => found.last_mut()?.push(0),
                (Some("tr"), "td") => *found.last_mut()?.last_mut()? += 1,
                _ => return None,
            }
            open.extend((name == tag).then_some(name));
        }
        let may_have_text = ["td", "p"].contains(open.last().unwrap_or(&""));
        (text.trim().is_empty() || (may_have_text && is_plain(text))).then_some(())?;
    }
    (is_begun && open.is_empty()).then_some(found)
}

/// A table of a page, one of whose rows may have more or fewer cells.
fn table(dice: &mut Random) -> String {
    let mut rows = String::new();
    for width in widths(dice).into_iter().take(3) {
        let cells = joined(dice, width, "", |dice| match dice.below(4) {
            0 => "<td/>".to_owned(),
            1 => format!("<td>{}</td>", word(dice, 3)),
            _ => format!("<td>{}</td>", dice.below(50)),
        });
        rows += &format!("<tr>{cells}</tr>");
    }
    format!("<table>{rows}</table>")
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twenty-seventh: url: a map with a zoom from 15 to 18",
        grammar: "@url",
        input: "https://tiles.example.net/zoom/17/map?lat=16&style=zoom&zoom=16&tilt=15#zoom=12",
        valid: |input| zooms(input).is_some(),
        fails: |input| zooms(input).is_some_and(|all| all.iter().any(|z| (15..=18).contains(z))),
        draw: |dice| {
            let mut query = asides(dice, &["lat=16", "style=zoom", "tilt=15", "zoomed=17"]);
            if chance(dice, 90) {
                query.push(format!("zoom={}", about(dice, [15, 18], 50)));
            }
            query.push(format!("lon={}", dice.below(60)));
            let host = one(dice, &["tiles.example.net", "localhost", "zoom16.example.net"]);
            let path = one(dice, &["", "/", "/map", "/zoom/17/map"]);
            let end = one(dice, &["", "", "#zoom=16", "#x"]);
            format!("https://{host}{path}?{}{end}", shuffled(dice, query).join("&"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: toml: lists and inline tables in each other, four deep or more",
        grammar: "@toml",
        input: concat!(
            "depth = 4\nempty = [[], {}]\n\n[menu]\nkind = \"[[[[x]]]]\"\n",
            "lunch = [8, {rice = [2, {with = \"egg\", salt = 1}], tea = {}}]\n",
            "soup = {bowls = [1, 2]}\n"
        ),
        valid: |input| settings_depth(input).is_some(),
        fails: |input| settings_depth(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let mut text = asides(dice, &["depth = 4\n", "empty = [[], {}]\n"]).concat();
            let mut value = dice.below(60).to_string();
            for _ in 0..1 + dice.below(6) {
                let other = one(dice, &["2", "\"[[x]]\"", "[]", "\"egg\""]);
                value = match dice.below(4) {
                    0 => format!("[{value}]"),
                    1 => format!("[{other}, {value}]"),
                    2 => format!("{{{} = {value}}}", one(dice, &["rice", "with"])),
                    _ => format!("{{tea = {other}, rice = {value}}}"),
                };
            }
            text += one(dice, &["", "[menu]\n", "[x]\n"]);
            let mut lines = asides(dice, &["kind = \"[[[[x]]]]\"\n", "soup = {bowls = [1, 2]}\n"]);
            lines.push(format!("lunch = {value}\n"));
            text + &shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: lua: a thing in a shop without a price",
        grammar: "@lua",
        input: concat!(
            "price = 4\nstock = { { name = \"oar\" } }\nshop = {\n  { name = \"rope\", price = 12 ",
            "},\n  { weight = 3, name = \"price\", note = { price = 5 } },\n",
            "  { price = 40, name = \"lamp\" },\n}\n"
        ),
        valid: |input| have_prices(input).is_some(),
        fails: |input| have_prices(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let count = 1 + dice.below(4);
            let things = joined(dice, count, ",\n  ", |dice| {
                let others = ["weight = 3", "note = { price = 5 }", "prices = 2"];
                let mut pairs = asides(dice, &others);
                pairs.push(format!("name = \"{}\"", one(dice, &["rope", "price", "lamp"])));
                if chance(dice, 75) {
                    pairs.push(format!("price = {}", dice.below(200)));
                }
                format!("{{ {} }}", shuffled(dice, pairs).join(", "))
            });
            let mut parts = asides(dice, &["price = 4\n", "stock = { { name = \"oar\" } }\n"]);
            parts.push(format!("shop = {{\n  {things}\n}}\n"));
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: dot: an edge whose label has a character that is not ASCII",
        grammar: "@dot",
        input: concat!(
            "digraph lines { port [label=\"Fähre 4\"]; port -> hill [label=\"tram\"]; ",
            "hill -> fort [label=\"Vía 12\"]; fort -> port; fort [label=\"Añil\"]; }"
        ),
        valid: |input| edge_labels(input).is_some(),
        fails: |input| edge_labels(input).is_some_and(|all| all.iter().any(|l| !l.is_ascii())),
        draw: |dice| {
            let others = ["port [label=\"Fähre 4\"];", "fort [label=\"Añil\"];", "hill -> fort;"];
            let mut parts = asides(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let label = match dice.below(7) {
                    0 | 1 => accented(dice).replace('“', "Ł"),
                    2 => word(dice, 7),
                    _ => one(dice, &["tram", "Via 12", "no. 4", ""]).to_owned(),
                };
                let edge = one(dice, &["port -> hill", "hill -> fort -> port", "fort -> fort"]);
                parts.push(format!("{edge} [label=\"{label}\"];"));
            }
            format!("digraph lines {{ {} }}", shuffled(dice, parts).join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: sexp: a hand with exactly as many cards as its size",
        grammar: "@sexp",
        input: concat!(
            "(game (deck 4 4) (hand (size 5) (cards ace two)) (hand (of ada 3) (cards king nine six) ",
            "(size 3)) (pot 1 2 3) (hand (size 1) (cards)))"
        ),
        valid: |input| hands(input).is_some(),
        fails: |input| {
            let all = hands(input).unwrap_or_default();
            all.iter().any(|(size, cards)| *size as usize == *cards)
        },
        draw: |dice| {
            let mut parts = asides(dice, &["(deck 4 4)", "(pot 1 2 3)", "(deck size 0)"]);
            for _ in 0..1 + dice.below(3) {
                let count = dice.below(5);
                let cards =
                    joined(dice, count, "", |dice| one(dice, &[" ace", " two", " 9"]).to_owned());
                let mut hand = asides(dice, &["(of ada 3)", "(of cards)"]);
                hand.push(format!("(size {})", claimed(dice, count, 28)));
                hand.push(format!("(cards{cards})"));
                parts.push(format!("(hand {})", shuffled(dice, hand).join(" ")));
            }
            format!("(game {})", shuffled(dice, parts).join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: http: a request with a Cookie, then a Range, and then an Origin",
        grammar: "@http",
        input: concat!(
            "GET /Origin?Cookie=Range HTTP/1.1\r\nAccept: */*\r\nCookie: id=41\r\n",
            "Host: media.example.org\r\nRange: bytes=0-99\r\nDnt: 1\r\nOrigin: null\r\n",
            "X-Range: Cookie\r\n\r\n"
        ),
        valid: |input| headers(input).is_some(),
        fails: |input| {
            let names = headers(input).unwrap_or_default();
            let names: Vec<&str> = names.iter().map(|name| &name[..]).collect();
            are_in_order(&names, &["cookie", "range", "origin"])
        },
        draw: |dice| {
            let others = ["Accept: */*", "Dnt: 1", "X-Range: Cookie", "If-Range: x", "Te: Origin"];
            let wanted = ["Cookie: id=41", "Range: bytes=0-99", "Origin: null"];
            let mut lines = events(dice, wanted, &others);
            let place = dice.below(lines.len() + 1);
            lines.insert(place, one(dice, &["Host: media.example.org", "Host: localhost"]));
            let path = one(dice, &["", "clip/4", "Origin?Cookie=Range"]);
            format!("GET /{path} HTTP/1.1\r\n{}\r\n\r\n", lines.join("\r\n"))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: css: a font-family that lists the same font twice",
        grammar: "@css",
        input: concat!(
            "p { font-family: lato, serif; order: 2 } .lato { will-change: top, left, top } ",
            "h2 { color: teal; font-family: inter, lato, arial, inter; } ",
            "em { font-family: arial }"
        ),
        valid: |input| fonts(input).is_some(),
        fails: |input| fonts(input).is_some_and(|all| all.iter().any(|list| repeats(list))),
        draw: |dice| {
            let count = 1 + dice.below(3);
            joined(dice, count, " ", |dice| {
                let others = ["will-change: top, left, top", "color: teal", "order: 2"];
                let mut pairs = asides(dice, &others);
                let known = ["lato", "serif", "inter", "arial", "sans-serif"];
                pairs.push(format!("font-family: {}", listed(dice, &known, 4, 30).join(", ")));
                let selector = one(dice, &["p", "h2", ".lato", "em"]);
                let pairs = shuffled(dice, pairs).join("; ");
                format!("{selector} {{ {pairs}{} }}", one(dice, &["", ";"]))
            })
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-seventh: xml: a table whose rows do not all have the same number of cells",
        grammar: "@xml",
        input: concat!(
            "<page><p>td 2</p><table><tr><td>8</td></tr></table><table><tr><td>a</td><td>b</td></tr>",
            "<tr><td>12</td><td/></tr><tr><td>c</td></tr></table><p>tr</p></page>"
        ),
        valid: |input| tables(input).is_some(),
        fails: |input| tables(input).is_some_and(|all| all.iter().any(|rows| are_ragged(rows))),
        draw: |dice| {
            let mut parts = asides(dice, &["<p>td 2</p>", "<p/>", "<table/>"]);
            for _ in 0..1 + usize::from(chance(dice, 30)) {
                parts.push(table(dice));
            }
            format!("<page>{}</page>", shuffled(dice, parts).concat())
        },
        patterns: &[],
    },
];
