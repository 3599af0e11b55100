//! Causes in four formats: SQL, HTTP, Lua and INI.

use crate::draws::{chance, counted, extras, foreign, has_twins, picked};
use crate::readers::{is_digits, is_free, is_name, is_shown, number};
use crate::thirty_fourth::markup::{comma_parts, sql_tokens};
use crate::thirty_fourth::{is_variable, without_ends};
use crate::thirty_third::values::texts;
use crate::thirty_third::{is_text, tokens};
use crate::two_sided::{TwoSided, joined, one, shuffled, word};

/// The keywords of SQL that the statements have.
const SQL_KEYWORDS: [&str; 10] =
    ["select", "from", "where", "insert", "into", "values", "null", "coalesce", "nullif", "lower"];

/// Whether a token is a name in a query.
fn is_column(token: &str) -> bool {
    is_variable(token) && !SQL_KEYWORDS.contains(&token)
}

/// How deep COALESCE and NULLIF are in each other in what a query selects. A LOWER may be around them and in
/// them.
fn depth(all: &[&str]) -> Option<usize> {
    match all {
        [one] => {
            let is_value = is_text(one) || number(one).is_some() || *one == "null";
            (is_value || is_column(one)).then_some(0)
        }
        [name, "(", inner @ .., ")"] => {
            let parts = comma_parts(inner);
            let is_right = match *name {
                "coalesce" => true,
                "nullif" => parts.len() == 2,
                "lower" => parts.len() == 1,
                _ => false,
            };
            let depths = parts.into_iter().map(depth).collect::<Option<Vec<usize>>>()?;
            let own = usize::from(*name != "lower");
            is_right.then_some(own + depths.into_iter().max()?)
        }
        _ => None,
    }
}

/// How deep COALESCE and NULLIF are in each other in some statements. Keywords may be in capitals.
fn deepest(input: &str) -> Option<usize> {
    let lowered = sql_tokens(input, &SQL_KEYWORDS)?;
    let all: Vec<&str> = lowered.iter().map(String::as_str).collect();
    let mut deepest = 0;
    for statement in all.split(|token| *token == ";").filter(|statement| !statement.is_empty()) {
        match statement {
            ["select", rest @ ..] => {
                let size = rest.iter().position(|token| *token == "from")?;
                for part in comma_parts(&rest[..size]) {
                    deepest = deepest.max(depth(part)?);
                }
                match &rest[size + 1..] {
                    [table] if is_column(table) => {}
                    [table, "where", key, "=", value] if is_column(table) && is_column(key) => {
                        depth(&[value])?;
                    }
                    _ => return None,
                }
            }
            ["insert", "into", table, "values", "(", inner @ .., ")"] if is_column(table) => {
                let are_right = comma_parts(inner).iter().all(|part| part.len() == 1);
                (are_right && !inner.is_empty()).then_some(())?;
            }
            _ => return None,
        }
    }
    Some(deepest)
}

/// How an answer says to keep it (Content-Disposition), if it does.
fn dispositions(input: &str) -> Option<Vec<&str>> {
    let (head, body) = input.split_once("\r\n\r\n")?;
    let (first, fields) = head.split_once("\r\n")?;
    let (status, reason) = first.strip_prefix("HTTP/1.1 ")?.split_once(' ')?;
    let is_right = status.len() == 3 && is_digits(status) && is_shown(reason);
    (is_right && !body.contains('\r')).then_some(())?;
    let (mut found, mut names) = (Vec::new(), Vec::new());
    for field in fields.split("\r\n") {
        let (name, value) = field.split_once(':')?;
        let name = name.to_ascii_lowercase();
        (is_name(&name) && !value.contains(char::is_control)).then_some(())?;
        if name == "content-disposition" {
            found.push(value);
        }
        names.push(name);
    }
    (!has_twins(&names)).then_some(found)
}

/// The words that are no names in Lua.
const LUA_KEYWORDS: [&str; 8] = ["and", "do", "end", "function", "local", "nil", "return", "true"];

/// The texts in braces at the start of some tokens, and what comes after them.
fn list<'a, 't>(all: &'a [&'t str]) -> Option<(Vec<&'t str>, &'a [&'t str])> {
    let inner = all.strip_prefix(&["{"])?;
    let size = inner.iter().position(|token| *token == "}")?;
    let (texts, after) = (&inner[..size], &inner[size + 1..]);
    let texts = texts.strip_suffix(&[","]).unwrap_or(texts);
    let parts = texts.split(|token| *token == ",").filter(|_| !texts.is_empty());
    let texts = parts.map(|part| match part {
        [text] if is_text(text) => Some(*text),
        _ => None,
    });
    texts.collect::<Option<Vec<&str>>>().map(|texts| (texts, after))
}

/// The limit of each guild, and how many members it has.
fn guilds(input: &str) -> Option<Vec<(u32, usize)>> {
    let is_free = |token: &str| is_free(token, &LUA_KEYWORDS);
    let is_value = |token: &str| is_text(token) || number(token).is_some() || token == "true";
    let text = without_ends(input, "--");
    let (all, mut found) = (tokens(&text, "_")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        let (name, inner) = match rest {
            [name, "=", "{", ..] if is_free(name) => {
                rest = list(&rest[2..])?.1;
                continue;
            }
            [name, "=", value, after @ ..] if is_free(name) && is_value(value) => {
                rest = after;
                continue;
            }
            [name, "(", value, ")", after @ ..] if is_free(name) && is_value(value) => {
                rest = after;
                continue;
            }
            [name, "{", inner @ ..] if is_free(name) => (*name, inner),
            _ => return None,
        };
        let (mut keys, mut limit, mut members) = (Vec::new(), None, None);
        rest = inner;
        while rest.first() != Some(&"}") {
            let [key, "=", after @ ..] = rest else { return None };
            keys.push(Some(*key).filter(|key| is_free(key))?);
            let after = match after {
                ["{", ..] => {
                    let (texts, after) = list(after)?;
                    members = if *key == "members" { Some(texts.len()) } else { members };
                    after
                }
                [value, after @ ..] if is_value(value) => {
                    limit = if *key == "limit" { number(value) } else { limit };
                    after
                }
                _ => return None,
            };
            let is_last = after.first() == Some(&"}");
            rest = if is_last { after } else { after.strip_prefix(&[","])? };
        }
        rest = &rest[1..];
        (!has_twins(&keys)).then_some(())?;
        if name == "guild" {
            found.push((limit?, members?));
        }
    }
    Some(found)
}

/// What each Restart of the service of a unit says.
fn restarts(input: &str) -> Option<Vec<&str>> {
    let (mut found, mut sections) = (Vec::new(), Vec::new());
    for line in input.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        is_shown(line).then_some(())?;
        if let Some(name) = line.strip_prefix('[') {
            let name = name.strip_suffix(']').filter(|name| is_variable(name))?;
            sections.push(Some(name).filter(|name| !sections.contains(name))?);
            continue;
        }
        let (key, value) = line.split_once('=')?;
        is_variable(key.trim_end()).then_some(())?;
        if *sections.last()? == "Service" && key.trim_end() == "Restart" {
            found.push(Some(value.trim()).filter(|value| is_name(value))?);
        }
    }
    (found.len() < 2).then_some(found)
}

/// The causes.
pub const MARKUP: &[TwoSided] = &[
    TwoSided {
        name: "forty-first: sql: defaults: COALESCE and NULLIF in each other, four deep or more",
        grammar: "@sql",
        input: concat!(
            "-- COALESCE(NULLIF(COALESCE(NULLIF(a, 1), 2), 3), 4)\n",
            "INSERT INTO notes VALUES (4, 'COALESCE(NULLIF(COALESCE(NULLIF');\n",
            "SELECT id, COALESCE(name, 'owl') FROM birds WHERE id = 4;\n",
            "SELECT LOWER(COALESCE(town, NULLIF(LOWER(tree), 'oak'))), NULLIF(NULLIF(id, 4), 12) FROM nests;\n",
            "SELECT name, COALESCE(NULLIF(LOWER(COALESCE(nick, NULLIF(name, ''), 'x')), 'wren'), town)\n",
            "FROM birds;\nselect coalesce(id, 4) from eggs where tree = 'elm';\n"
        ),
        valid: |input| deepest(input).is_some(),
        fails: |input| deepest(input).is_some_and(|depth| depth >= 4),
        draw: |dice| {
            let leaf = |dice: &mut _| one(dice, &["name", "'owl'", "4", "NULL", "LOWER(tree)"]);
            let mut part = one(dice, &["name", "nick", "NULL", "'x'"]).to_owned();
            for _ in 0..2 + dice.below(5) {
                let other = leaf(dice);
                let pair = [[&part[..], other], [other, &part[..]]][dice.below(2)].join(", ");
                part = match dice.below(7) {
                    0 => format!("LOWER({part})"),
                    1 => format!("COALESCE({pair}, NULLIF(id, 4))"),
                    2 | 3 => format!("COALESCE({pair})"),
                    _ => format!("NULLIF({pair})"),
                };
            }
            let others = [
                "-- COALESCE(NULLIF(COALESCE(NULLIF(a, 1), 2), 3), 4)",
                "INSERT INTO notes VALUES (4, 'COALESCE(NULLIF(COALESCE(NULLIF');",
                "SELECT LOWER(COALESCE(town, NULLIF(tree, 'oak'))) FROM nests;",
            ];
            let mut parts = extras(dice, &others);
            let mut columns = extras(dice, &["id", "COALESCE(town, NULLIF(tree, 'oak'))"]);
            columns.push(part);
            let columns = shuffled(dice, columns).join(", ");
            let end = one(dice, &["", " WHERE id = 4"]);
            parts.push(format!("SELECT {columns} FROM birds{end};"));
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-first: http: download: an answer whose Content-Disposition has a character that ",
            "is not ASCII"
        ),
        grammar: "@http",
        input: concat!(
            "HTTP/1.1 200 OK\r\nServer: owl/4.12\r\nX-Author: Zoë\r\nContent-Type: text/plain\r\n",
            "X-Content-Disposition: käuzchen\r\n",
            "Content-Disposition: attachment; filename=\"vögel im März.txt\"; size=412\r\n",
            "X-Title: Für Zoë\r\nCache-Control: no-store\r\n\r\n",
            "Content-Disposition: größe\nEin Käuzchen.\n"
        ),
        valid: |input| dispositions(input).is_some(),
        fails: |input| {
            dispositions(input).is_some_and(|all| all.iter().any(|value| !value.is_ascii()))
        },
        draw: |dice| {
            let others = [
                "Server: owl/4.12\r\n",
                "X-Author: Zoë\r\n",
                "X-Content-Disposition: käuzchen\r\n",
                "Cache-Control: no-store\r\n",
            ];
            let mut fields = extras(dice, &others);
            fields.push("Content-Type: text/plain\r\n".to_owned());
            if chance(dice, 94) {
                let name = match dice.below(8) {
                    0..2 => foreign(dice),
                    2 => format!("the {}", foreign(dice)),
                    3 => format!("{} ({})", foreign(dice), word(dice, 4)),
                    4 => "owls-4.txt".to_owned(),
                    count => joined(dice, count - 4, " ", |dice| word(dice, 8)),
                };
                let kind = one(dice, &["attachment", "inline"]);
                let end = one(dice, &["", "; size=412"]);
                let field = format!("Content-Disposition: {kind}; filename=\"{name}\"{end}\r\n");
                fields.push(field);
            }
            let body = one(dice, &["", "Content-Disposition: größe\n", "Ein Käuzchen.\n"]);
            format!("HTTP/1.1 200 OK\r\n{}\r\n{body}", shuffled(dice, fields).concat())
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: lua: guilds: a guild with exactly as many members as its limit",
        grammar: "@lua",
        input: concat!(
            "-- guild { limit = 1, members = { \"ada\" } }\nworld = \"limit 2\"\nlimit = 2\n",
            "members = { \"ada\", \"bo\" }\nguild { name = \"owls\", limit = 4, members = { \"ada\", \"bo\" } }\n",
            "guild {\n  members = { \"cy\", \"limit\", \"eve\" },\n  name = \"wrens\", ranks = { \"a\", \"b\" },\n",
            "  limit = 3, -- 4\n}\nparty { limit = 1, members = { \"bo\" } }\nload(\"members\")\n",
            "guild { limit = 12, open = true, members = {} }\n",
            "guild { members = { \"dan\", }, name = \"limit\", level = 1, limit = 2 }\n"
        ),
        valid: |input| guilds(input).is_some(),
        fails: |input| {
            let all = guilds(input).unwrap_or_default();
            all.iter().any(|(limit, count)| *limit as usize == *count)
        },
        draw: |dice| {
            let others = [
                "-- guild { limit = 1, members = { \"ada\" } }",
                "limit = 2",
                "members = { \"ada\", \"bo\" }",
                "party { limit = 1, members = { \"bo\" } }",
                "load(\"members\")",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut members = picked(dice, &["ada", "bo", "cy", "eve", "limit", "dan"], 5, 0);
                if chance(dice, 10) {
                    members.clear();
                }
                let limit = counted(dice, members.len(), 26);
                let list = texts(&members).replace(',', ", ");
                let list = list.trim_matches(['[', ']']);
                let others = ["name = \"limit\"", "ranks = { \"a\", \"b\" }", "open = true"];
                let mut pairs = extras(dice, &others);
                pairs.push(format!("limit = {limit}"));
                pairs.push(format!("members = {{ {list} }}"));
                let pairs = shuffled(dice, pairs).join(one(dice, &[", ", ", ", ",\n  "]));
                parts.push(format!("guild {{ {pairs}{} }}", one(dice, &["", ","])));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-first: ini: unit: a service whose Restart is always, on-abort or on-watchdog",
        grammar: "@ini",
        input: concat!(
            "# Restart=always\n[Unit]\nDescription=Restart=on-abort\nAfter=network.target\nRestart=on-abort\n\n",
            "[Service]\nType=simple\nExecStart=/usr/bin/owl --always\nRestartSec=4\nRestartMode=always\n",
            "Restart=on-watchdog\nEnvironment=RESTART=always\n; Restart=no\nUser=always\n\n",
            "[Install]\nWantedBy=on-watchdog.target\nAlias=always\n"
        ),
        valid: |input| restarts(input).is_some(),
        fails: |input| {
            let all = restarts(input).unwrap_or_default();
            all.iter().any(|value| ["always", "on-abort", "on-watchdog"].contains(value))
        },
        draw: |dice| {
            let others = [
                "Type=simple\n",
                "RestartSec=4\n",
                "RestartMode=always\n",
                "User=always\n",
                "# Restart=always\n",
                "Environment=RESTART=always\n",
            ];
            let mut lines = extras(dice, &others);
            lines.push("ExecStart=/usr/bin/owl --always\n".to_owned());
            if chance(dice, 92) {
                let value = match chance(dice, 50) {
                    true => one(dice, &["always", "on-abort", "on-watchdog"]),
                    false => one(dice, &["no", "on-failure", "on-success", "on-abnormal", "abort"]),
                };
                lines.push(format!("Restart={value}\n"));
            }
            let service = format!("[Service]\n{}", shuffled(dice, lines).concat());
            let others = [
                "[Unit]\nDescription=Restart=on-abort\nRestart=on-abort\n",
                "[Install]\nWantedBy=on-watchdog.target\nAlias=always\n",
                "[Timer]\nRestart=always\nPersistent=true\n",
            ];
            let mut sections = extras(dice, &others);
            sections.push(service);
            let start = one(dice, &["", "", "# Restart=always\n"]);
            let by = one(dice, &["", "\n"]);
            format!("{start}{}", shuffled(dice, sections).join(by))
        },
        patterns: &[],
    },
];
