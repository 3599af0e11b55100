//! Causes in four formats: CSV, CSS, HTTP and sexp.

use super::without_remarks;
use crate::draws::{chance, extras, foreign, has_twins, picked};
use crate::readers::{is_name, is_shown};
use crate::thirty_third::formats::{Node, nodes};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, one, shuffled, word};

/// The cells of a row, some of which are in quotation marks.
fn cells(row: &str) -> Option<Vec<&str>> {
    let (mut rest, mut found) = (row, Vec::new());
    loop {
        let (cell, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => rest.split_at(rest.find(',').unwrap_or(rest.len())),
        };
        found.push(Some(cell).filter(|cell| !cell.contains(['"', '\r']))?);
        match after.strip_prefix(',') {
            Some(after) => rest = after,
            None => return after.is_empty().then_some(found),
        }
    }
}

/// The mail addresses of some people.
fn addresses(input: &str) -> Option<Vec<&str>> {
    let mut lines = input.strip_suffix('\n').unwrap_or(input).split('\n');
    (lines.next()? == "name,email,city,note").then_some(())?;
    let addresses = lines.map(|line| {
        let [_, address, _, _] = cells(line)?[..] else { return None };
        let (user, host) = address.split_once('@')?;
        let is_right = |part: &str| {
            let is_odd = |c: char| c == '@' || c == ',' || c.is_whitespace() || c.is_control();
            !part.is_empty() && !part.contains(is_odd)
        };
        (is_right(user) && is_right(host)).then_some(address)
    });
    addresses.collect()
}

/// Whether some tokens are the value of a property: words, texts and calls with one of them.
pub fn is_style(values: &[&str]) -> bool {
    let is_word = |token: &str| token.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '#');
    let is_one = |token: &str| is_word(token) || is_text(token);
    let mut rest = values;
    loop {
        rest = match rest {
            [name, "(", inner, ")", after @ ..] if is_word(name) && is_one(inner) => after,
            [first, after @ ..] if is_one(first) => after,
            _ => return false,
        };
        if rest.is_empty() {
            return true;
        }
        rest = rest.strip_prefix(&[","]).unwrap_or(rest);
    }
}

/// Whether each font of some styles says how it is shown while it is loaded (font-display).
fn have_displays(input: &str) -> Option<Vec<bool>> {
    let text = without_remarks(input, ["/*", "*/"])?;
    let all = tokens(&text, "-.#%@")?;
    let (mut rest, mut found) = (&all[..], Vec::new());
    while !rest.is_empty() {
        let [start, end] = ["{", "}"].map(|sign| rest.iter().position(|token| *token == sign));
        let (selector, inner) = (&rest[..start?], rest.get(start? + 1..end?)?);
        let is_font = selector == ["@font-face"];
        let is_selected =
            selector.iter().all(|token| is_name(token.trim_start_matches(['.', '#'])));
        (is_font || (is_selected && !selector.is_empty())).then_some(())?;
        let mut keys = Vec::new();
        for pair in inner.split(|token| *token == ";").filter(|pair| !pair.is_empty()) {
            let [key, ":", values @ ..] = pair else { return None };
            keys.push(Some(*key).filter(|key| is_name(key) && is_style(values))?);
        }
        (!has_twins(&keys)).then_some(())?;
        if is_font {
            let is_full = keys.contains(&"font-family") && keys.contains(&"src");
            is_full.then(|| found.push(keys.contains(&"font-display")))?;
        }
        rest = &rest[end? + 1..];
    }
    Some(found)
}

/// How a request says who sends it (Authorization), if it does.
fn scheme(input: &str) -> Option<Option<String>> {
    let (first, fields) = input.strip_suffix("\r\n\r\n")?.split_once("\r\n")?;
    let [method, path, "HTTP/1.1"] = first.split(' ').collect::<Vec<&str>>()[..] else {
        return None;
    };
    let is_known = ["GET", "HEAD", "DELETE", "OPTIONS"].contains(&method);
    (is_known && path.starts_with('/') && is_shown(path)).then_some(())?;
    let (mut names, mut found) = (Vec::new(), None);
    for field in fields.split("\r\n") {
        let (name, value) = field.split_once(':')?;
        let name = name.to_ascii_lowercase();
        (is_name(&name) && is_shown(value)).then_some(())?;
        if name == "authorization" {
            let (scheme, rest) = value.trim().split_once(' ')?;
            let scheme = scheme.to_ascii_lowercase();
            found = Some(scheme).filter(|scheme| is_name(scheme) && !rest.trim().is_empty());
            found.is_some().then_some(())?;
        }
        names.push(name);
    }
    let once = |wanted| names.iter().filter(|name| *name == wanted).count();
    (once("host") == 1 && once("authorization") < 2).then_some(found)
}

/// The names that each library exports.
fn exports(input: &str) -> Option<Vec<Vec<&str>>> {
    let mut found = Vec::new();
    for form in &nodes(input)? {
        let Node::List(form) = form else { return None };
        let [Node::Atom(kind), parts @ ..] = &form[..] else { return None };
        if *kind != "library" {
            continue;
        }
        let [Node::List(_), parts @ ..] = parts else { return None };
        let mut names = Vec::new();
        for part in parts {
            let Node::List(part) = part else { return None };
            let [Node::Atom(kind), rest @ ..] = &part[..] else { return None };
            for node in rest.iter().filter(|_| *kind == "export") {
                let Node::Atom(name) = node else { return None };
                names.push(Some(*name).filter(|name| is_name(name))?);
            }
        }
        found.push(names);
    }
    Some(found)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-fourth: csv: contacts: an email with a character that is not ASCII",
        grammar: "@csv",
        input: concat!(
            "name,email,city,note\nZoë Finch,zoe@owl.example,Köln,\n",
            "\"Nyström, Uma\",uma.nystrom@fjord.example,Malmö,zoë@owl.example\n",
            "Raj Wren,raj@lake.example,York,\"née Löwe, 1980\"\n",
            "Bo Löwe,bo.löwe@owl.example,Bern,ascii\nAda,ada2@x.example,Łódź,\n"
        ),
        valid: |input| addresses(input).is_some(),
        fails: |input| addresses(input).is_some_and(|all| all.iter().any(|one| !one.is_ascii())),
        draw: |dice| {
            let mut text = "name,email,city,note\n".to_owned();
            for _ in 0..1 + dice.below(5) {
                let name = one(dice, &["Zoë Finch", "\"Nyström, Uma\"", "Raj Wren", "Ada"]);
                let is_foreign = chance(dice, 23);
                let user = if is_foreign { foreign(dice) } else { word(dice, 7) };
                let user = match dice.below(4) {
                    0 => format!("{user}.{}", word(dice, 5)),
                    1 => format!("{}.{user}", word(dice, 5)),
                    _ => user,
                };
                let host = match chance(dice, 10) {
                    true => "bücher.example",
                    false => one(dice, &["owl.example", "fjord.example"]),
                };
                let city = one(dice, &["Köln", "Bern", "York", "Łódź", ""]);
                let note = one(dice, &["", "", "zoë@owl.example", "\"née Löwe, 1980\""]);
                text += &format!("{name},{user}@{host},{city},{note}\n");
            }
            if chance(dice, 20) {
                text.pop();
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: css: fonts: a @font-face without a font-display",
        grammar: "@css",
        input: concat!(
            "/* font-display: swap; */\nbody { font-family: \"Owl Sans\", serif; margin: 0 4px }\n",
            "@font-face { font-family: \"Owl\"; src: url(\"owl.woff2\"); font-display: swap; }\n",
            ".logo { font-display: block; color: #246 }\n",
            "@font-face {\n  font-family: \"font-display\";\n  font-weight: 700;\n",
            "  src: local(\"Wren\"), url(\"display.woff2\");\n}\n",
            "@font-face { font-display: optional; src: url(\"kiwi.ttf\"); font-family: Kiwi }\n"
        ),
        valid: |input| have_displays(input).is_some(),
        fails: |input| have_displays(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let others = [
                "/* font-display: swap; */",
                "body { font-family: \"Owl Sans\", serif; margin: 0 4px }",
                ".logo { font-display: block; color: #246 }",
                "#font-display em { color: teal }",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let mut pairs =
                    extras(dice, &["font-weight: 700", "font-style: italic", "size-adjust: 90%"]);
                let name = one(dice, &["\"Owl\"", "\"font-display\"", "Kiwi"]);
                pairs.push(format!("font-family: {name}"));
                let source =
                    one(dice, &["url(\"owl.woff2\")", "local(\"Wren\"), url(\"display.woff2\")"]);
                pairs.push(format!("src: {source}"));
                if chance(dice, 76) {
                    let display = one(dice, &["swap", "block", "optional"]);
                    pairs.push(format!("font-display: {display}"));
                }
                let by = one(dice, &["; ", ";\n  "]);
                let pairs = shuffled(dice, pairs).join(by);
                let end = one(dice, &["", ";"]);
                parts.push(format!("@font-face {{ {pairs}{end} }}"));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: http: login: a request with an Authorization by Basic or Digest",
        grammar: "@http",
        input: concat!(
            "GET /basic/orders?auth=digest HTTP/1.1\r\nHost: digest.owl.example\r\n",
            "Proxy-Authorization: Basic b3dsOndyZW4=\r\nX-Auth: Digest\r\n",
            "Authorization: Digest username=\"basic\", realm=\"owl\", nonce=\"7f3a\"\r\n",
            "WWW-Authenticate: Basic realm=\"owl\"\r\nAccept: text/html, */*\r\n\r\n"
        ),
        valid: |input| scheme(input).is_some(),
        fails: |input| {
            let found = scheme(input).flatten();
            found.is_some_and(|scheme| ["basic", "digest"].contains(&&scheme[..]))
        },
        draw: |dice| {
            let others = [
                "Proxy-Authorization: Basic b3dsOndyZW4=\r\n",
                "X-Auth: Digest\r\n",
                "WWW-Authenticate: Basic realm=\"owl\"\r\n",
                "Accept: text/html, */*\r\n",
                "User-Agent: basic/2.1\r\n",
            ];
            let mut fields = extras(dice, &others);
            let host = one(dice, &["digest.owl.example", "owl.example", "api.owl.example"]);
            fields.push(format!("Host: {host}\r\n"));
            if chance(dice, 90) {
                let scheme = match chance(dice, 55) {
                    true => one(dice, &["Basic", "Digest"]),
                    false => one(dice, &["Bearer", "Basics", "Negotiate", "Token", "Hawk"]),
                };
                let rest = one(
                    dice,
                    &["b3dsOndyZW4=", "Digest", "username=\"basic\", nonce=\"7f3a\"", "Basic 4"],
                );
                fields.push(format!("Authorization: {scheme} {rest}\r\n"));
            }
            let method = one(dice, &["GET", "HEAD", "DELETE"]);
            let path = one(dice, &["/", "/basic/orders?auth=digest", "/orders/4"]);
            format!("{method} {path} HTTP/1.1\r\n{}\r\n", shuffled(dice, fields).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-fourth: sexp: scheme: a library that exports the same name twice",
        grammar: "@sexp",
        input: concat!(
            "(import (base) (base))\n(library (lists) (export head tail size) (import base base)\n",
            "  (define size 4) (define head size))\n(library (trees export) (import leaf leaf)\n",
            "  (export leaf size walk leaf-2 size fold)\n  (define export 12))\n",
            "(library (sets) (export) (define add (list add add)))\n(run (export head head) walk 4)\n"
        ),
        valid: |input| exports(input).is_some(),
        fails: |input| exports(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let others = ["(import (base) (base))", "(run (export head head) walk 4)"];
            let mut forms = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let others =
                    ["(import base base)", "(define size 4)", "(define add (list add add))"];
                let mut parts = extras(dice, &others);
                let known = ["leaf", "leaf-2", "leaves", "size", "walk", "fold", "export"];
                let names = picked(dice, &known, 5, 34);
                parts.push(match chance(dice, 8) {
                    true => "(export)".to_owned(),
                    false => format!("(export {})", names.join(" ")),
                });
                let name = one(dice, &["(lists)", "(trees export)", "(sets)"]);
                let by = one(dice, &[" ", "\n  "]);
                forms.push(format!("(library {name} {})", shuffled(dice, parts).join(by)));
            }
            shuffled(dice, forms).join("\n") + "\n"
        },
        patterns: &[],
    },
];
