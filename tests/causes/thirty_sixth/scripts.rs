//! Causes in texts without a grammar: a source file of a device, a session of a mail program, the names
//! of a zone and a font of small pictures.

use crate::draws::{are_uneven, chance, counted, extras, lengths, steps};
use crate::readers::{are_in_order, is_digits, is_name, is_shown, number};
use crate::thirty_fourth::{is_variable, without_ends, without_remarks};
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The size of each array of characters, and how long the text in it is.
fn labels(input: &str) -> Option<Vec<(u32, usize)>> {
    let text = without_ends(&without_remarks(input, ["/*", "*/"])?, "//");
    let all = tokens(&text, "_").filter(|_| text.is_ascii())?;
    let (mut rest, mut found) = (&all[..], Vec::new());
    while !rest.is_empty() {
        for start in ["static", "const"] {
            rest = rest.strip_prefix(&[start]).unwrap_or(rest);
        }
        rest = match rest {
            ["char", name, "[", size, "]", "=", text, ";", after @ ..] if is_text(text) => {
                is_variable(name).then_some(())?;
                found.push((number(size).filter(|size| *size > 0)?, text.len() - 2));
                after
            }
            ["char", "*", name, "=", text, ";", after @ ..] if is_text(text) => {
                is_variable(name).then_some(after)?
            }
            ["int", name, "=", value, ";", after @ ..] => {
                (is_variable(name) && number(value).is_some()).then_some(after)?
            }
            ["int", name, "[", size, "]", "=", "{", after @ ..] => {
                (is_variable(name) && number(size).is_some()).then_some(())?;
                let end = after.iter().position(|token| *token == "}")?;
                let mut parts = after[..end].split(|token| *token == ",");
                let are_numbers = parts.all(|part| matches!(part, [one] if number(one).is_some()));
                are_numbers.then_some(after[end + 1..].strip_prefix(&[";"])?)?
            }
            _ => return None,
        };
    }
    Some(found)
}

/// The commands that a program sends to a server of mails. Lines of the server begin with an asterisk.
fn sent(input: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    for line in input.lines().filter(|line| !line.is_empty()) {
        is_shown(line).then_some(())?;
        if line.starts_with("* ") {
            continue;
        }
        let (tag, rest) = line.split_once(' ')?;
        let (command, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_known = match command {
            "NOOP" | "CLOSE" | "EXPUNGE" | "LOGOUT" => rest.is_empty(),
            "LOGIN" | "SELECT" | "STORE" | "FETCH" | "SEARCH" | "COPY" => !rest.is_empty(),
            _ => false,
        };
        let is_tag = tag.strip_prefix('a').is_some_and(is_digits);
        found.push(Some(command).filter(|_| is_known && is_tag)?);
    }
    Some(found)
}

/// The type of each record of a zone.
fn record_types(input: &str) -> Option<Vec<String>> {
    let text = without_ends(input, ";");
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.iter().all(|word| is_shown(word)).then_some(())?;
        if let ["$ORIGIN" | "$TTL", _] = words[..] {
            continue;
        }
        let (name, mut rest) = words.split_first()?;
        let is_inside = |c: char| c.is_ascii_alphanumeric() || "-_.@*".contains(c);
        (name.chars().all(is_inside) && line.starts_with(is_inside)).then_some(())?;
        if let [seconds, after @ ..] = rest
            && is_digits(seconds)
        {
            rest = after;
        }
        rest = rest.strip_prefix(&["IN"]).unwrap_or(rest);
        let [kind, _, ..] = rest else { return None };
        let known = ["SOA", "NS", "A", "AAAA", "MX", "CNAME", "TXT", "SRV", "CAA", "TLSA", "PTR"];
        found.push(Some(*kind).filter(|kind| known.contains(kind))?.to_owned());
    }
    Some(found)
}

/// How wide the rows of each glyph of a font are.
fn glyphs(input: &str) -> Option<Vec<Vec<usize>>> {
    let mut lines = input.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        match line.split(' ').collect::<Vec<&str>>()[..] {
            _ if line.starts_with(';') => {}
            ["font", name] => is_name(name).then_some(())?,
            ["spacing" | "kern", count] => number(count).map(|_| ())?,
            ["glyph", name] => {
                (is_shown(name) && !name.is_empty()).then_some(())?;
                let mut rows = Vec::new();
                loop {
                    let row = lines.next()?;
                    if row == "end" {
                        break;
                    }
                    let is_row = row.chars().all(|c| c == '.' || c == 'X');
                    rows.push(Some(row.len()).filter(|_| is_row)?);
                }
                found.push(rows);
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The causes.
pub const SCRIPTS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-sixth: plain: firmware: a char array with a text exactly as long as its size",
        grammar: "",
        input: concat!(
            "/* char name[3] = \"owl\"; */\nstatic int ports[3] = {1, 22, 443};\n",
            "const char title[12] = \"Owl box 3\";\nconst char *unit = \"char a[2]\";\n",
            "static const char ready[6] = \"Ready!\"; // char b[4] = \"Wait\";\nint size = 6;\n",
            "char key[8] = \"\";\nstatic char error[4] = \"Too hot\";\n"
        ),
        valid: |input| labels(input).is_some(),
        fails: |input| {
            let all = labels(input).unwrap_or_default();
            all.iter().any(|(size, length)| *size as usize == *length)
        },
        draw: |dice| {
            let others = [
                "/* char name[3] = \"owl\"; */\n",
                "static int ports[3] = {1, 22, 443};\n",
                "const char *unit = \"char a[2]\";\n",
                "int size = 6;\n",
                "// char b[4] = \"Wait\";\n",
            ];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["Ready!", "Owl box 3", "Too hot", "a", "size = 4;", "", "[12]"];
                let text = one(dice, &known);
                let size = counted(dice, text.len(), 30).max(1);
                let start = one(dice, &["", "static ", "const ", "static const "]);
                let name = one(dice, &["title", "ready", "key", "error_4"]);
                lines.push(format!("{start}char {name}[{size}] = \"{text}\";\n"));
            }
            shuffled(dice, lines).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: plain: imap: a SELECT, then a STORE, and then an EXPUNGE",
        grammar: "",
        input: concat!(
            "* OK ready\na1 LOGIN expunge secret\na2 EXPUNGE\na3 STORE 4 +FLAGS (SELECT)\n",
            "a4 SELECT store\n* 12 EXISTS\n* 4 EXPUNGE\na5 FETCH 1:4 (FLAGS)\na6 NOOP\n",
            "a7 STORE 3 -FLAGS (EXPUNGE)\na8 SELECT inbox\n* 3 FETCH (FLAGS ())\n",
            "a9 COPY 2 STORE\na10 EXPUNGE\na11 LOGOUT\n"
        ),
        valid: |input| sent(input).is_some(),
        fails: |input| {
            sent(input).is_some_and(|all| are_in_order(&all, &["SELECT", "STORE", "EXPUNGE"]))
        },
        draw: |dice| {
            let mut lines = extras(dice, &["* OK ready", "a1 LOGIN expunge secret"]);
            let others = ["NOOP", "FETCH", "COPY", "SELECT", "STORE", "EXPUNGE", "SEARCH"];
            for (at, command) in
                steps(dice, ["SELECT", "STORE", "EXPUNGE"], &others).iter().enumerate()
            {
                let rest = match *command {
                    "NOOP" | "EXPUNGE" => "",
                    "SELECT" => one(dice, &[" inbox", " store", " EXPUNGE"]),
                    "STORE" => one(dice, &[" 4 +FLAGS (SELECT)", " 3 -FLAGS (EXPUNGE)"]),
                    "FETCH" => one(dice, &[" 1:4 (FLAGS)", " 2 STORE"]),
                    _ => one(dice, &[" 2 STORE", " 1:4 old"]),
                };
                lines.push(format!("a{} {command}{rest}", at + 2));
                if chance(dice, 25) {
                    let known = ["* 12 EXISTS", "* 4 EXPUNGE", "* 3 FETCH (FLAGS ())"];
                    lines.push(one(dice, &known).to_owned());
                }
            }
            lines.extend(extras(dice, &["a20 LOGOUT"]));
            lines.join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: plain: zone: a record of the type CAA or TLSA",
        grammar: "",
        input: concat!(
            "$ORIGIN owl.example.\n$TTL 3600\n; old CAA 0 issue none\n",
            "@     IN SOA ns1.owl.example. ada.owl.example. 4 7200 900 1209600 300\n@     IN NS  ns1\n",
            "caa   IN A   192.0.2.7\nwww 600 IN CNAME tlsa ; TLSA\n",
            "_443._tcp.www IN TLSA 3 1 1 7f3a\nmail MX 10 mx1.TLSA.example.\n@ IN TXT \"IN CAA; v=1\"\n"
        ),
        valid: |input| record_types(input).is_some(),
        fails: |input| {
            let all = record_types(input).unwrap_or_default();
            all.iter().any(|kind| ["CAA", "TLSA"].contains(&&kind[..]))
        },
        draw: |dice| {
            let others = ["$ORIGIN owl.example.\n", "$TTL 3600\n", "; old CAA 0 issue none\n"];
            let mut text = extras(dice, &others).concat();
            for _ in 0..1 + dice.below(6) {
                let data = match chance(dice, 18) {
                    true => one(dice, &["CAA 0 issue \"ca.example\"", "TLSA 3 1 1 7f3a"]),
                    false => one(
                        dice,
                        &[
                            "A 192.0.2.7",
                            "CNAME tlsa",
                            "MX 10 mx1.TLSA.example.",
                            "TXT \"IN CAA; v=1\"",
                            "AAAA 2001:db8::4",
                            "NS  ns1",
                            "TXT TLSA",
                        ],
                    ),
                };
                let name = one(dice, &["@", "caa", "www", "_443._tcp.www", "tlsa", "CAA"]);
                let by = one(dice, &[" ", "   ", "\t"]);
                let class = one(dice, &["", "IN ", "IN ", "600 IN ", "600 "]);
                let end = one(dice, &["", "", "", " ; TLSA"]);
                text += &format!("{name}{by}{class}{data}{end}\n");
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-sixth: plain: glyphs: a glyph whose rows are not all equally wide",
        grammar: "",
        input: concat!(
            "; XX.\n; X\nfont owl-8\nspacing 1\n\nglyph A\n.XX.\nX..X\nXXXX\nX..X\nend\n; wider: XXXXX\n",
            "glyph i\nX\n.\nX\nX\nend\nkern 2\nglyph T\n  XXXXX\n  ..X..\n  ..X.\n  ..X..\nend\n",
            "glyph space\n...\n...\nend\nglyph none\nend\n"
        ),
        valid: |input| glyphs(input).is_some(),
        fails: |input| glyphs(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let mut text = extras(dice, &["; XX.\n; X\n", "font owl-8\n", "spacing 1\n"]).concat();
            for _ in 0..1 + dice.below(3) {
                let name = one(dice, &["A", "i", "T", "space", "end", "X"]);
                text += &format!("glyph {name}\n");
                let [margin, more] = [one(dice, &["", "", "  "]), one(dice, &["", "", "X", "..X"])];
                for length in lengths(dice, 1, 38) {
                    let row = joined(dice, length, "", |dice| one(dice, &["X", "."]).to_owned());
                    text += &format!("{margin}{more}{row}\n");
                }
                text += "end\n";
                text += one(dice, &["", "", "\n", "kern 2\n", "; wider: XXXXX\n"]);
            }
            text
        },
        patterns: &[],
    },
];
