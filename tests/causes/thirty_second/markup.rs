//! Causes in four formats: XML, CSS, HTTP and JavaScript.

use super::tokens;
use crate::draws::{are_negative_and_fine, are_uneven, chance, extras, figure, has_twins, lengths};
use crate::readers::{is_name, is_shown, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// Whether each address (url) of a map of a site has a date (lastmod).
fn have_dates(input: &str) -> Option<Vec<bool>> {
    // The elements that are open, with the names of those in them.
    let mut open: Vec<(&str, Vec<&str>)> = vec![("", Vec::new())];
    let mut found = Vec::new();
    let mut pieces = input.split('<');
    pieces.next()?.trim().is_empty().then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once('>')?;
        let mut closes = false;
        if let Some(name) = tag.strip_prefix('/') {
            (open.last()?.0 == name.trim_end()).then_some(())?;
            closes = true;
        } else {
            let name = tag.strip_suffix('/').unwrap_or(tag).trim_end();
            let (parent, inside) = open.last_mut()?;
            let is_right = match *parent {
                "" => name == "site" && inside.is_empty(),
                "site" => ["url", "feed"].contains(&name),
                "url" | "feed" | "image" => {
                    let is_known = ["loc", "lastmod", "priority", "title"].contains(&name);
                    (is_known || (*parent == "url" && name == "image")) && !inside.contains(&name)
                }
                _ => false,
            };
            is_right.then(|| inside.push(name))?;
            open.push((name, Vec::new()));
            closes |= tag.ends_with('/');
        }
        if closes {
            let (name, inside) = open.pop()?;
            if name == "url" {
                inside.contains(&"loc").then(|| found.push(inside.contains(&"lastmod")))?;
            }
        }
        let is_leaf = ["loc", "lastmod", "priority", "title"].contains(&open.last()?.0);
        (text.trim().is_empty() || (is_leaf && is_shown(text) && !text.contains(['&', '>'])))
            .then_some(())?;
    }
    (open.len() == 1 && !open[0].1.is_empty()).then_some(found)
}

/// How many names the rows of each grid-template-areas of some styles have.
fn areas(input: &str) -> Option<Vec<Vec<usize>>> {
    let all = tokens(input, '"', "-.#%")?;
    let all: Vec<&str> = all.iter().map(|token| &token[..]).collect();
    let is_word = |token: &&str| token.starts_with(|c: char| c.is_ascii_alphanumeric());
    let is_text = |token: &&str| token.starts_with('"');
    let (mut rest, mut found) = (&all[..], Vec::new());
    while !rest.is_empty() {
        let [start, end] = ["{", "}"].map(|sign| rest.iter().position(|token| *token == sign));
        let (selector, inner) = (&rest[..start?], rest.get(start? + 1..end?)?);
        let is_selected =
            selector.iter().all(|token| is_word(&token.trim_start_matches(['.', '#'])));
        (is_selected && !selector.is_empty()).then_some(())?;
        let mut keys = Vec::new();
        for pair in inner.split(|token| *token == ";").filter(|pair| !pair.is_empty()) {
            let [key, ":", values @ ..] = pair else { return None };
            let are_right = values.iter().all(|value| is_word(value) || is_text(value));
            (is_name(key) && are_right && !values.is_empty()).then(|| keys.push(*key))?;
            if *key == "grid-template-areas" {
                let rows = values.iter().map(|row| row.strip_prefix('"'));
                let rows = rows.map(|row| Some(row?.split_whitespace().count()));
                found.push(rows.collect::<Option<Vec<usize>>>()?);
            }
        }
        (!has_twins(&keys)).then_some(())?;
        rest = &rest[end? + 1..];
    }
    Some(found)
}

/// What an answer of a server says of caches (Cache-Control).
fn directives(input: &str) -> Option<Vec<String>> {
    let (head, _) = input.split_once("\r\n\r\n")?;
    let (first, fields) = head.split_once("\r\n")?;
    let ["HTTP/1.1", code, _, ..] = first.split(' ').collect::<Vec<&str>>()[..] else {
        return None;
    };
    (["200", "203", "206"].contains(&code) && is_shown(first)).then_some(())?;
    let mut found = Vec::new();
    for field in fields.split("\r\n") {
        let (name, value) = field.split_once(':')?;
        let name = name.to_ascii_lowercase();
        (is_name(&name) && is_shown(value)).then_some(())?;
        if name == "cache-control" {
            let parts = value.split(',').map(|part| part.trim_matches(' ').to_ascii_lowercase());
            found.push(parts.collect::<Vec<String>>());
        }
    }
    let [all] = &found[..] else { return None };
    let are_right = all.iter().all(|part| {
        part.split('=').all(|side| {
            !side.is_empty() && side.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        })
    });
    are_right.then(|| all.clone())
}

/// The numbers of each marker on a map: whether each is negative, and how many decimals it has. The
/// script has only constants and calls.
fn markers(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let all = tokens(input, '"', "-._")?;
    let all: Vec<&str> = all.iter().map(|token| &token[..]).collect();
    let is_free = |token: &str| is_name(&token.to_ascii_lowercase()) && !token.contains('-');
    let is_value = |token: &str| token.starts_with('"') || signed_decimals(token).is_some();
    let mut found = Vec::new();
    for call in all.split(|token| *token == ";").filter(|call| !call.is_empty()) {
        match call {
            ["const", name, "=", value] if is_free(name) && is_value(value) => {}
            [name, "(", inner @ .., ")"] if is_free(name) && *name != "const" => {
                let values = inner.split(|token| *token == ",").filter(|_| !inner.is_empty());
                let values = values.map(|value| match value {
                    [one] if is_value(one) => Some(*one),
                    _ => None,
                });
                let values: Vec<&str> = values.collect::<Option<_>>()?;
                if *name == "marker" {
                    let (title, rest) = values.split_first()?;
                    title.starts_with('"').then_some(())?;
                    let numbers = rest.iter().map(|value| signed_decimals(value));
                    found.push(numbers.collect::<Option<Vec<_>>>()?);
                }
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "thirty-second: xml: a url of a site without a lastmod",
        grammar: "@xml",
        input: concat!(
            "<site>\n  <url><loc>https://owl.example/</loc><lastmod>2024-05-01</lastmod></url>\n",
            "  <feed><loc>https://owl.example/feed</loc></feed>\n",
            "  <url>\n    <lastmod>2024-04-17</lastmod>\n    <loc>https://owl.example/map</loc>\n",
            "    <priority>0.8</priority>\n  </url>\n  <url>\n    <loc>https://owl.example/lastmod</loc>\n",
            "    <image><loc>/owl.png</loc><lastmod>2023-11-30</lastmod></image>\n",
            "    <title>lastmod</title>\n  </url>\n",
            "  <url><loc>/faq</loc><image><loc>/faq.png</loc></image><lastmod/></url>\n</site>\n"
        ),
        valid: |input| have_dates(input).is_some(),
        fails: |input| have_dates(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = [
                "<feed><loc>https://owl.example/feed</loc></feed>",
                "<feed><loc>/news</loc><lastmod>2024-05-02</lastmod></feed>",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let others = [
                    "<priority>0.8</priority>",
                    "<title>lastmod</title>",
                    "<image><loc>/owl.png</loc><lastmod>2023-11-30</lastmod></image>",
                ];
                let mut inner = extras(dice, &others);
                let place = one(dice, &["https://owl.example/", "/faq", "/lastmod"]);
                inner.push(format!("<loc>{place}</loc>"));
                if chance(dice, 75) {
                    let date = one(dice, &["2024-05-01", "2024-04-17", "2023-11-30"]);
                    inner.push(format!("<lastmod>{date}</lastmod>"));
                }
                let by = one(dice, &["", "\n    "]);
                parts.push(format!("<url>{}</url>", shuffled(dice, inner).join(by)));
            }
            let by = one(dice, &["", "\n"]);
            format!("<site>{}</site>\n", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-second: css: a grid-template-areas whose rows do not all have the same number of ",
            "names"
        ),
        grammar: "@css",
        input: concat!(
            "body { font-family: \"Owl Sans\" \"Owl\"; margin: 0 }\n.page { display: grid;\n",
            "  grid-template-areas: \"head head\" \"nav main\";\n  grid-template-columns: 1fr 2fr 1fr }\n",
            "#shop { gap: 8px; grid-template-areas: \"top top top\" \"nav list\" \"end end end\";\n",
            "  color: teal }\n.note em { quotes: \"a\" \"b c\" }\n",
            ".card { grid-template-areas: \"pic\"; padding: 4px 8px }\n"
        ),
        valid: |input| areas(input).is_some(),
        fails: |input| areas(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let others = [
                "body { font-family: \"Owl Sans\" \"Owl\"; margin: 0 }",
                ".note em { quotes: \"a\" \"b c\" }",
                ".nav { padding: 4px 8px }",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 40) {
                    let row = joined(dice, length, " ", |dice| {
                        one(dice, &["head", "nav", "main", "end"]).to_owned()
                    });
                    rows.push(format!("\"{row}\""));
                }
                let others = [
                    "display: grid",
                    "gap: 8px",
                    "grid-template-columns: 1fr 2fr 1fr",
                    "quotes: \"a\" \"b c\"",
                ];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("grid-template-areas: {}", rows.join(" ")));
                let selector = one(dice, &[".page", "#shop", ".card", "main"]);
                parts.push(format!("{selector} {{ {} }}", shuffled(dice, pairs).join("; ")));
            }
            let by = one(dice, &[" ", "\n"]);
            shuffled(dice, parts).join(by)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-second: http: a Cache-Control that says no-store, private or must-revalidate",
        grammar: "@http",
        input: concat!(
            "HTTP/1.1 200 OK\r\nServer: private-owl/2\r\nX-Cache: private, no-store\r\n",
            "Vary: Accept, Private\r\nCache-Control: max-age=60, public, must-revalidate, immutable\r\n",
            "Content-Type: text/plain\r\nPragma: no-cache\r\nConnection: close\r\n\r\n",
            "no-store, private\nCache-Control: private\n"
        ),
        valid: |input| directives(input).is_some(),
        fails: |input| {
            let all = directives(input).unwrap_or_default();
            all.iter().any(|part| ["no-store", "private", "must-revalidate"].contains(&&part[..]))
        },
        draw: |dice| {
            let mut all = Vec::new();
            for _ in 0..1 + dice.below(4) {
                let part = match chance(dice, 24) {
                    true => one(dice, &["no-store", "private", "must-revalidate"]),
                    false => one(
                        dice,
                        &["public", "max-age=60", "no-cache", "immutable", "proxy-revalidate"],
                    ),
                };
                all.push(part.to_owned());
            }
            let others = [
                "Server: private-owl/2\r\n",
                "X-Cache: private, no-store\r\n",
                "Vary: Accept, Private\r\n",
                "Content-Type: text/plain\r\n",
                "Pragma: no-cache\r\n",
                "Connection: close\r\n",
            ];
            let mut fields = extras(dice, &others);
            fields.push(format!("Cache-Control: {}\r\n", all.join(", ")));
            let first = one(dice, &["200 OK", "203 Private", "206 Partial Content"]);
            let body = one(dice, &["", "hello\n", "no-store, private\n"]);
            format!("HTTP/1.1 {first}\r\n{}\r\n{body}", shuffled(dice, fields).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "thirty-second: javascript: a marker with a negative number and one of exactly three ",
            "decimals"
        ),
        grammar: "@javascript",
        input: concat!(
            "const zoom = -0.125;\nconst title = \"marker -2.375\";\ncenter(-3.5, 51.125);\n",
            "marker(\"Pier\", 51.125, 2.5);\nmarker(\"Ferry 0.125\", -4.25, 50, 1.0625);\n",
            "line(\"-0.125\", 4);\nmarker(\"Light\", 48.625, 12, -0.5, 3);\nmarker(\"Hill\", -7);\ndraw();\n"
        ),
        valid: |input| markers(input).is_some(),
        fails: |input| {
            markers(input).is_some_and(|all| all.iter().any(|one| are_negative_and_fine(one)))
        },
        draw: |dice| {
            let others = [
                "const zoom = -0.125;",
                "const title = \"marker -2.375\";",
                "center(-3.5, 51.125);",
                "line(\"-0.125\", 4);",
                "draw();",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let title = one(dice, &["Pier", "Ferry 0.125", "Hill -1", ""]);
                let count = 1 + dice.below(4);
                let numbers = joined(dice, count, ", ", figure);
                parts.push(format!("marker(\"{title}\", {numbers});"));
            }
            let by = one(dice, &[" ", "\n"]);
            shuffled(dice, parts).join(by)
        },
        patterns: &[],
    },
];
