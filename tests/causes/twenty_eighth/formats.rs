//! Causes in eight formats: TOML, XML, CSS, INI, CSV, Lua, sexp and SQL.

use serde_json::{Value, json};

use super::{
    above, are_listed, are_negative_and_fine, are_uneven, figure, foreign, lengths, settings,
    steps, tokens,
};
use crate::draws::{chance, extras, has_twins, picked};
use crate::readers::{are_in_order, is_digits, is_name, items, number, signed_decimals};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The words that are no names in Lua.
const LUA_KEYWORDS: &str = "and break do else elseif end false for function goto if in local nil \
                            not or repeat return then true until while";

/// The least and the most workers of each pool that has both.
fn pools(input: &str) -> Option<Vec<(u32, u32)>> {
    let all = settings(input, '#')?;
    for (_, value) in all.iter().flat_map(|(_, pairs)| pairs) {
        // A number, a text, or true or false.
        let is_right = |token: &str| {
            number(token).is_some() || token.starts_with('"') || ["true", "false"].contains(&token)
        };
        matches!(tokens(value, '"', "")?[..], [token] if is_right(token)).then_some(())?;
    }
    let pools = all[1..].iter().filter_map(|(_, pairs)| {
        let value = |wanted| pairs.iter().find(|(key, _)| *key == wanted);
        Some((number(value("min")?.1)?, number(value("max")?.1)?))
    });
    Some(pools.collect())
}

/// How deep choices and sequences are in each other in a schema.
fn schema_depth(input: &str) -> Option<usize> {
    let (mut open, mut deepest, mut is_begun) = (Vec::new(), 0, false);
    let mut pieces = input.split('<');
    pieces.next()?.trim().is_empty().then_some(())?;
    for piece in pieces {
        let (tag, text) = piece.split_once('>')?;
        text.trim().is_empty().then_some(())?;
        if let Some(name) = tag.strip_prefix('/') {
            (open.pop()? == name.trim_end()).then_some(())?;
            continue;
        }
        let inner = tag.strip_suffix('/').unwrap_or(tag).trim_end();
        let (kind, attribute) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        let is_right = match (open.last().copied(), kind) {
            (None, "schema") => !is_begun && attribute.is_empty(),
            (Some(_), "element") => {
                let (key, value) = attribute.split_once('=')?;
                let name = value.trim().strip_prefix('"')?.strip_suffix('"')?;
                key.trim() == "name" && is_name(name)
            }
            (Some(parent), "choice" | "sequence" | "all") if parent != "schema" => {
                attribute.is_empty()
            }
            _ => false,
        };
        is_right.then_some(())?;
        is_begun = true;
        open.push(kind);
        let groups = open.iter().filter(|kind| ["choice", "sequence"].contains(kind));
        deepest = deepest.max(groups.count());
        if tag.ends_with('/') {
            open.pop();
        }
    }
    (is_begun && open.is_empty()).then_some(deepest)
}

/// What comes after a rule of a sheet.
fn after_rule<'a, 't>(sheet: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let is_value =
        |token: &&str| token.chars().all(|c| c.is_ascii_alphanumeric() || ".#%-".contains(c));
    let start = sheet.iter().position(|token| *token == "{")?;
    let size = sheet[start..].iter().position(|token| *token == "}")?;
    let is_selector =
        start > 0 && sheet[..start].iter().all(|token| *token == "," || is_value(token));
    let mut pairs = sheet[start + 1..start + size].split(|token| *token == ";");
    let are_right = pairs.all(|pair| match pair {
        [] => true,
        [name, ":", value @ ..] => is_name(name) && !value.is_empty() && value.iter().all(is_value),
        _ => false,
    });
    (is_selector && are_right).then_some(&sheet[start + size + 1..])
}

/// The names of the keyframes of a sheet.
fn keyframes(input: &str) -> Option<Vec<&str>> {
    let (all, mut found) = (tokens(input, '"', "-.#%@")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        let ["@keyframes", name, "{", frames @ ..] = rest else {
            rest = after_rule(rest)?;
            continue;
        };
        found.push(Some(*name).filter(|name| is_name(name))?);
        rest = frames;
        while *rest.first()? != "}" {
            rest = after_rule(rest)?;
        }
        rest = &rest[1..];
    }
    Some(found)
}

/// The paths of the shares of a server.
fn paths(input: &str) -> Option<Vec<&str>> {
    let pairs = settings(input, ';')?.into_iter().flat_map(|(_, pairs)| pairs);
    Some(pairs.filter(|(key, _)| *key == "path").map(|(_, path)| path).collect())
}

/// The numbers of each day of a table of the weather: whether each is negative, and how many decimals
/// it has. A number may be missing.
fn days(input: &str) -> Option<Vec<Vec<(bool, usize)>>> {
    let lines = input.lines().filter(|line| !line.trim().is_empty());
    let mut rows = lines.map(|line| line.split(',').map(str::trim).collect::<Vec<&str>>());
    let head = rows.next()?;
    head.iter().all(|name| is_name(name)).then_some(())?;
    let days = rows.map(|row| {
        (row.len() == head.len() && is_name(row[0])).then_some(())?;
        row[1..].iter().filter(|cell| !cell.is_empty()).map(|cell| signed_decimals(cell)).collect()
    });
    days.collect()
}

/// What each function of a script calls. It has only assignments, calls and functions without
/// parameters.
fn calls(input: &str) -> Option<Vec<Vec<&str>>> {
    let is_variable =
        |token: &str| is_name(token) && !LUA_KEYWORDS.split(' ').any(|word| word == token);
    let is_value = |token: &str| is_variable(token) || is_digits(token) || token.starts_with('"');
    let (all, mut found, mut inside) = (tokens(input, '"', "_")?, Vec::new(), None::<Vec<&str>>);
    let mut rest = &all[..];
    while !rest.is_empty() {
        match rest {
            ["function", name, "(", ")", body @ ..] if is_variable(name) && inside.is_none() => {
                (inside, rest) = (Some(Vec::new()), body);
            }
            ["end", after @ ..] => {
                found.push(inside.take()?);
                rest = after;
            }
            [name, "=", value, after @ ..] if is_variable(name) && is_value(value) => rest = after,
            [name, "(", after @ ..] if is_variable(name) => {
                let size = after.iter().position(|token| *token == ")")?;
                (size == 0 || are_listed(&after[..size], is_value)).then_some(())?;
                inside.iter_mut().for_each(|calls| calls.push(name));
                rest = &after[size + 1..];
            }
            _ => return None,
        }
    }
    inside.is_none().then_some(found)
}

/// The packages of the parts of a circuit.
fn packages(input: &str) -> Option<Vec<String>> {
    let mut open = vec![Vec::new()];
    for token in tokens(input, '"', "-_")? {
        match token {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                open.last_mut()?.push(Value::Array(list));
            }
            _ if is_name(token) || number(token).is_some() => open.last_mut()?.push(json!(token)),
            _ => return None,
        }
    }
    let [circuit] = &open.pop()?[..] else { return None };
    (open.is_empty() && circuit[0] == "circuit").then_some(())?;
    let parts = items(circuit).iter().filter(|entry| entry[0] == "part");
    let fields = parts.flat_map(items).filter(|field| field[0] == "package");
    fields.map(|field| field[1].as_str().map(str::to_owned)).collect()
}

/// How many values each row has that some tokens list.
fn row_lengths(mut rest: &[&str]) -> Option<Vec<usize>> {
    let is_value = |token: &str| {
        is_digits(token) || token.starts_with('\'') || token.eq_ignore_ascii_case("null")
    };
    let mut found = Vec::new();
    loop {
        let end = rest.iter().position(|token| *token == ")")?;
        let values = rest[..end].strip_prefix(&["("])?;
        are_listed(values, is_value).then_some(())?;
        found.push(values.len().div_ceil(2));
        match &rest[end + 1..] {
            [] => return Some(found),
            [",", more @ ..] => rest = more,
            _ => return None,
        }
    }
}

/// How many values the rows of each insert have. A script has only inserts and simple queries.
fn inserts(input: &str) -> Option<Vec<Vec<usize>>> {
    let (all, mut found) = (tokens(input, '\'', "_")?, Vec::new());
    let is = |token: &str, keyword| token.eq_ignore_ascii_case(keyword);
    for statement in all.split(|token| *token == ";") {
        match statement {
            [insert, into, table, values, rows @ ..]
                if is(insert, "insert") && is(into, "into") && is(values, "values") =>
            {
                is_name(table).then_some(())?;
                found.push(row_lengths(rows)?);
            }
            [select, columns @ .., from, table] if is(select, "select") && is(from, "from") => {
                (are_listed(columns, is_name) && is_name(table)).then_some(())?;
            }
            [] => {}
            _ => return None,
        }
    }
    Some(found)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "twenty-eighth: toml: a pool of workers whose min is above its max",
        grammar: "@toml",
        input: concat!(
            "# min = 9\nmin = 12\nqueue = \"max = 1\"\nmax = 8\n\n[web]\nmin = 2\nmax = 16\n",
            "idle = 30\n\n[mail]\nkind = \"min\"\nmax = 6\nwarm = true\nmin = 10\n\n[batch]\nmin = 40\n",
            "\n[cron]\nmax = 3\nmin = 3\n"
        ),
        valid: |input| pools(input).is_some(),
        fails: |input| pools(input).is_some_and(|all| all.iter().any(|(min, max)| min > max)),
        draw: |dice| {
            let start = extras(dice, &["# min = 9\n", "min = 12\n", "max = 8\n", "\n"]).concat();
            let mut pools = picked(dice, &["web", "mail", "batch", "max"], 3, 0);
            for pool in &mut pools {
                let max = [dice.below(12), dice.below(200), 16][dice.below(3)];
                let mut lines = extras(dice, &["idle = 30\n", "kind = \"min\"\n", "warm = true\n"]);
                if chance(dice, 88) {
                    lines.push(format!("max = {max}\n"));
                }
                if chance(dice, 88) {
                    lines.push(format!("min = {}\n", above(dice, max, 38)));
                }
                *pool = format!("[{pool}]\n{}", shuffled(dice, lines).concat());
            }
            format!("{start}{}", pools.join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: xml: choices and sequences in each other, five deep or more",
        grammar: "@xml",
        input: concat!(
            "<schema>\n  <element name=\"order\">\n    <sequence>\n      <element name=\"id\"/>\n",
            "      <choice>\n        <sequence/>\n        <sequence>\n          <element name=\"gift\">\n",
            "            <all>\n              <choice>\n                <element name=\"card\"/>\n",
            "                <sequence><element name=\"choice\"/></sequence>\n",
            "              </choice>\n            </all>\n          </element>\n        </sequence>\n",
            "      </choice>\n    </sequence>\n  </element>\n  <element name=\"sequence\"/>\n</schema>\n"
        ),
        valid: |input| schema_depth(input).is_some(),
        fails: |input| schema_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut content = one(dice, &["", "<element name=\"id\"/>", "<choice/>"]).to_owned();
            for _ in 0..3 + dice.below(6) {
                let kind = one(dice, &["choice", "sequence"]);
                let other = one(dice, &["<element name=\"choice\"/>", "<sequence/>", "<all/>"]);
                content = match dice.below(6) {
                    0 => format!("<element name=\"{}\">{content}</element>", word(dice, 4)),
                    1 => format!("<all>{content}</all>"),
                    2 => format!("<{kind}>{content}{other}</{kind}>"),
                    3 => format!("<{kind}>{other}{content}</{kind}>"),
                    _ => format!("<{kind}>{content}</{kind}>"),
                };
            }
            let mut parts = extras(dice, &["<element name=\"sequence\"/>"]);
            parts.push(format!("<element name=\"order\">{content}</element>"));
            format!("<schema>{}</schema>", shuffled(dice, parts).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: css: two keyframes with the same name",
        grammar: "@css",
        input: concat!(
            ".fade { animation: fade 2s; }\n@keyframes fade { from { opacity: 0; } to { opacity: 1; } }\n",
            "@keyframes slide { from { left: 0; } 50% { left: 40px; } to { left: 0; } }\n.fade { top: 0; }\n",
            "em, .slide { animation: slide 1s; }\n@keyframes fade-out { to { opacity: 0; } }\n",
            "@keyframes slide { to { top: 9px; } }\n"
        ),
        valid: |input| keyframes(input).is_some(),
        fails: |input| keyframes(input).is_some_and(|names| has_twins(&names)),
        draw: |dice| {
            let mut parts = extras(dice, &[".fade { animation: fade 2s; }", ".fade { top: 0; }"]);
            for name in picked(dice, &["fade", "slide", "fade-out", "spin"], 3, 50) {
                let mut frames = extras(dice, &["from { left: 0; }", "50% { left: 40px; }"]);
                frames.push(one(dice, &["to { top: 9px; }", "to { opacity: 0; }"]).to_owned());
                parts.push(format!("@keyframes {name} {{ {} }}", frames.join(" ")));
            }
            let by = one(dice, &[" ", "\n"]);
            shuffled(dice, parts).join(by)
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: ini: a share whose path has a character that is not ASCII",
        grammar: "@ini",
        input: concat!(
            "; path = /srv/büro\n[global]\nworkgroup = KÜCHE\nlevel = 2\n\n[photos]\npath = /srv/photos\n",
            "comment = Fotos für alle\n\n[music]\nowner = zoë\npath = /srv/müsik/neu\nguest = no\n\n",
            "[scans]\npath = /mnt/scans 2\npathname = /srv/é\n"
        ),
        valid: |input| paths(input).is_some(),
        fails: |input| paths(input).is_some_and(|all| all.iter().any(|path| !path.is_ascii())),
        draw: |dice| {
            let mut shares = picked(dice, &["photos", "music", "scans", "path"], 3, 0);
            for share in &mut shares {
                let others = ["comment = Fotos für alle\n", "owner = zoë\n", "guest = no\n"];
                let mut lines = extras(dice, &others);
                let key = one(dice, &["path", "path", "path", "path", "pathname"]);
                let folder = if chance(dice, 30) { foreign(dice) } else { word(dice, 6) };
                let end = one(dice, &["", "", "/new"]);
                lines.push(format!("{key} = /srv/{folder}{end}\n"));
                *share = format!("[{share}]\n{}", shuffled(dice, lines).concat());
            }
            let start = one(dice, &["", "; path = /srv/büro\n", "[global]\nlevel = ü\n"]);
            format!("{start}{}", shares.concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: csv: a day with a negative number and one of exactly two decimals",
        grammar: "@csv",
        input: concat!(
            "day,low,high,wind,rain\nmon,-4,1.5,12,0\ntue,2.5,7,30.25,1.125\nwed,-3.5,0.5,,4.75\n",
            "thu,-0.125,3,8.5,\nfri,1,6.75,22,0.5\nsat,-12,-6.5,41,0\n"
        ),
        valid: |input| days(input).is_some(),
        fails: |input| {
            days(input).unwrap_or_default().iter().any(|row| are_negative_and_fine(row, 2))
        },
        draw: |dice| {
            let columns = 1 + dice.below(4);
            let head = ["day", "low", "high", "wind", "rain"][..=columns].join(",");
            let mut text = head + "\n";
            for _ in 0..1 + dice.below(4) {
                text += one(dice, &["mon", "tue", "wed", "thu", "day-2"]);
                for _ in 0..columns {
                    text += ",";
                    if chance(dice, 85) {
                        text += &figure(dice, &[0, 1, 1, 2, 2, 3]);
                    }
                }
                text += "\n";
            }
            text
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: lua: a function that calls spawn, then freeze, and then warp",
        grammar: "@lua",
        input: concat!(
            "level = 4\nspawn(\"hut\")\nfreeze(1)\nwarp()\n\nfunction intro()\n  fade(3)\n  warp(\"spawn\")\n",
            "  spawn(owl, 2)\n  freeze()\nend\n\nfunction cave()\n  say(\"warp\")\n  spawn(bat, 8)\n",
            "  light = 2\n  spawn(bat)\n  freeze(bat)\n  fade(1)\n  warp(level)\n  say(\"end\")\nend\n\n",
            "function warp_home()\n  warp(1)\nend\n"
        ),
        valid: |input| calls(input).is_some(),
        fails: |input| {
            let all = calls(input).unwrap_or_default();
            all.iter().any(|calls| are_in_order(calls, &["spawn", "freeze", "warp"]))
        },
        draw: |dice| {
            let mut parts = extras(dice, &["level = 4\n", "spawn(1)\nfreeze(1)\nwarp()\n"]);
            for _ in 0..1 + dice.below(2) {
                let others = ["fade", "say", "warp_home", "fade", "freeze", "warp"];
                let wanted = steps(dice, ["spawn", "freeze", "warp"], &others);
                let lines = wanted.into_iter().map(|name| {
                    let values = ["", "1", "bat, 8", "\"warp\"", "level"];
                    format!("  {name}({})\n", one(dice, &values))
                });
                let mut body = lines.collect::<String>();
                body += one(dice, &["", "", "  light = 2\n"]);
                let name = one(dice, &["intro", "cave", "warp_home"]);
                parts.push(format!("function {name}()\n{body}end\n"));
            }
            shuffled(dice, parts).concat()
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: sexp: a part whose package is sot23, dfn or qfn",
        grammar: "@sexp",
        input: concat!(
            "(circuit (name amp-2) (package qfn)\n  (part (ref r1) (value 10) (package sip))\n",
            "  (part (package dfn) (ref q4) (pins 8))\n  (part (ref dfn) (value 22) (package dip))\n",
            "  (net out r1 q4) (part (ref u2) (near sot23) (package soic)) (net sot23))\n"
        ),
        valid: |input| packages(input).is_some(),
        fails: |input| {
            let all = packages(input).unwrap_or_default();
            all.iter().any(|package| ["sot23", "dfn", "qfn"].contains(&&package[..]))
        },
        draw: |dice| {
            let mut parts = extras(dice, &["(package qfn)", "(net out r1 q4)", "(net sot23)"]);
            for _ in 0..1 + dice.below(4) {
                let package = match chance(dice, 25) {
                    true => one(dice, &["sot23", "dfn", "qfn"]),
                    false => one(dice, &["sip", "dip", "soic", "sot", "sot223", "qfnd", "bga"]),
                };
                let mut fields = extras(dice, &["(value 10)", "(pins 8)", "(near dfn)"]);
                fields.push(format!("(ref {})", one(dice, &["r1", "q4", "u2", "dfn"])));
                fields.push(format!("(package {package})"));
                parts.push(format!("(part {})", shuffled(dice, fields).join(" ")));
            }
            format!("(circuit {})", shuffled(dice, parts).join(" "))
        },
        patterns: &[],
    },
    TwoSided {
        name: "twenty-eighth: sql: an insert whose rows do not all have the same number of values",
        grammar: "@sql",
        input: concat!(
            "SELECT name, wings FROM birds;\nINSERT INTO birds VALUES ('owl', 2), ('emu', 2);\n",
            "INSERT INTO nests VALUES (1, 'oak, elm', 3), (2, NULL, 4), (5, '(7)'), (8, 'ash', 0);\n",
            "SELECT tree FROM nests;\nINSERT INTO eggs VALUES (4);\nINSERT INTO eggs VALUES (9);\n"
        ),
        valid: |input| inserts(input).is_some(),
        fails: |input| inserts(input).is_some_and(|all| all.iter().any(|rows| are_uneven(rows))),
        draw: |dice| {
            let mut parts = extras(dice, &["SELECT name, wings FROM birds;", "SELECT a FROM b;"]);
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 38) {
                    let values = joined(dice, length, ", ", |dice| match dice.below(3) {
                        0 => one(dice, &["NULL", "'owl'", "'oak, elm'", "'(7)'"]).to_owned(),
                        _ => dice.below(40).to_string(),
                    });
                    rows.push(format!("({values})"));
                }
                let table = one(dice, &["birds", "nests", "eggs"]);
                parts.push(format!("INSERT INTO {table} VALUES {};", rows.join(", ")));
            }
            let by = one(dice, &[" ", "\n"]);
            shuffled(dice, parts).join(by)
        },
        patterns: &[],
    },
];
