//! Causes in four formats: Lua, SQL, INI and TOML.

use super::tokens;
use crate::draws::{above, around, chance, extras, has_twins, picked, statements};
use crate::readers::{Section, is_digits, is_name, number};
use crate::two_sided::{TwoSided, joined, one, shuffled};

/// The words that are no names in Lua.
const LUA_KEYWORDS: &str = "and break do else elseif end false for function goto if in local nil \
                            not or repeat return then true until while";

/// How healthy each enemy in a level is. The script has only assignments, and calls with values or
/// with a table.
fn enemies(input: &str) -> Option<Vec<u32>> {
    let is_variable =
        |token: &str| is_name(token) && !LUA_KEYWORDS.split(' ').any(|word| word == token);
    let is_value = |token: &str| {
        number(token).is_some() || token.starts_with('"') || ["true", "false"].contains(&token)
    };
    let (all, mut found) = (tokens(input, '"', "_")?, Vec::new());
    let mut rest = &all[..];
    while !rest.is_empty() {
        match rest {
            [name, "=", value, after @ ..] if is_variable(name) && is_value(value) => rest = after,
            [name, open @ ("(" | "{"), after @ ..] if is_variable(name) => {
                let end = if *open == "(" { ")" } else { "}" };
                let size = after.iter().position(|token| *token == end)?;
                let fields = after[..size].split(|token| *token == ",");
                let (mut keys, mut health) = (Vec::new(), None);
                for field in fields.filter(|_| size > 0) {
                    match (field, *open) {
                        ([value], "(") if is_value(value) => {}
                        ([key, "=", value], "{") if is_variable(key) && is_value(value) => {
                            keys.push(*key);
                            health = health.or(Some(*value).filter(|_| *key == "health"));
                        }
                        _ => return None,
                    }
                }
                (!has_twins(&keys)).then_some(())?;
                if *name == "enemy" && *open == "{" {
                    found.push(number(health?)?);
                }
                rest = &after[size + 1..];
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The keywords of the queries.
const SQL_KEYWORDS: [&str; 9] =
    ["select", "from", "where", "order", "by", "limit", "offset", "delete", "desc"];

/// What comes after a clause of a query, which has the form of the others, if it has it.
fn after_clauses<'a, 't>(query: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let is_column = |token: &str| is_name(token) && !SQL_KEYWORDS.contains(&token);
    let mut rest = query;
    if let ["where", after @ ..] = rest {
        let [column, "=" | "<" | ">", value, after @ ..] = after else { return None };
        let is_value = is_digits(value) || value.starts_with('\'');
        rest = Some(after).filter(|_| is_value && is_column(column))?;
    }
    if let ["order", after @ ..] = rest {
        let ["by", column, after @ ..] = after else { return None };
        rest =
            Some(after.strip_prefix(&["desc"]).unwrap_or(after)).filter(|_| is_column(column))?;
    }
    Some(rest)
}

/// The limit and the offset of each query that has both.
fn pages(input: &str) -> Option<Vec<(u32, u32)>> {
    let is_column = |token: &str| is_name(token) && !SQL_KEYWORDS.contains(&token);
    let all: Vec<String> = tokens(input, '\'', "_")?
        .into_iter()
        .map(|token| {
            let lower = token.to_ascii_lowercase();
            if SQL_KEYWORDS.contains(&&lower[..]) { lower } else { token.to_owned() }
        })
        .collect();
    let all: Vec<&str> = all.iter().map(|token| &token[..]).collect();
    let mut found = Vec::new();
    for query in all.split(|token| *token == ";").filter(|query| !query.is_empty()) {
        if let ["delete", "from", table, rest @ ..] = query {
            (is_column(table) && after_clauses(rest)?.is_empty()).then_some(())?;
            continue;
        }
        let start = query.iter().position(|token| *token == "from")?;
        let columns = query[..start].strip_prefix(&["select"])?;
        let mut columns = columns.split(|token| *token == ",");
        let are_right = columns.all(|column| match column {
            [name] => *name == "*" || is_column(name),
            _ => false,
        });
        let (table, rest) = query[start + 1..].split_first()?;
        (are_right && is_column(table)).then_some(())?;
        match after_clauses(rest)? {
            [] => {}
            ["limit", limit] => drop(number(limit)?),
            ["limit", limit, "offset", offset] => found.push((number(limit)?, number(offset)?)),
            _ => return None,
        }
    }
    Some(found)
}

/// Whether each repository has an address (baseurl). Each has a name.
fn have_addresses(input: &str) -> Option<Vec<bool>> {
    let mut all: Vec<Section> = Vec::new();
    for line in statements(input, ";") {
        if let Some(name) = line.strip_prefix('[') {
            let name = name.strip_suffix(']')?;
            let is_new = all.iter().all(|(other, _)| *other != name);
            all.push((Some(name).filter(|_| is_new && is_name(name))?, Vec::new()));
        } else {
            let (key, value) = line.split_once('=')?;
            let (key, pairs) = (key.trim_end(), &mut all.last_mut()?.1);
            let is_new = pairs.iter().all(|(other, _)| *other != key);
            pairs.push((Some(key).filter(|_| is_new && is_name(key))?, value.trim_start()));
        }
    }
    let has = |pairs: &[(&str, &str)], wanted| pairs.iter().any(|(key, _)| *key == wanted);
    let have = all.iter().map(|(_, pairs)| has(pairs, "name").then(|| has(pairs, "baseurl")));
    have.collect()
}

/// Whether some tokens are a value: a number, a text, true or false, or a list of texts.
fn is_value(tokens: &[&str]) -> bool {
    match tokens {
        [token] => {
            number(token).is_some() || token.starts_with('"') || ["true", "false"].contains(token)
        }
        ["[", inner @ .., "]"] => {
            let mut parts = inner.split(|token| *token == ",");
            inner.is_empty() || parts.all(|part| matches!(part, [one] if one.starts_with('"')))
        }
        _ => false,
    }
}

/// The names of the stages of a pipeline, which are tables in an array.
fn stages(input: &str) -> Option<Vec<&str>> {
    let (mut tables, mut arrays) = (Vec::new(), Vec::new());
    let (mut found, mut keys) = (Vec::new(), Vec::new());
    let mut inside = "";
    for line in statements(input, "#") {
        if let Some(head) = line.strip_prefix('[') {
            // Each stage has a name.
            (inside != "stage" || keys.contains(&"name")).then_some(())?;
            let head = head.strip_suffix(']')?;
            let inner = head.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
            inside = Some(inner.unwrap_or(head)).filter(|name| is_name(name))?;
            if inner.is_some() { &mut arrays } else { &mut tables }.push(inside);
            keys.clear();
            continue;
        }
        let (key, value) = line.split_once('=')?;
        let (key, value) = (key.trim_end(), tokens(value, '"', "")?);
        keys.push(Some(key).filter(|key| is_name(key) && is_value(&value))?);
        (!has_twins(&keys)).then_some(())?;
        if inside == "stage" && key == "name" {
            found.push(Some(value[0]).filter(|name| name.starts_with('"'))?);
        }
    }
    let is_right = inside != "stage" || keys.contains(&"name");
    let are_new = !has_twins(&tables) && !tables.iter().any(|name| arrays.contains(name));
    (is_right && are_new && !tables.contains(&"stage")).then_some(found)
}

/// The causes.
pub const FORMATS: &[TwoSided] = &[
    TwoSided {
        name: "thirty-first: lua: an enemy whose health is from 60 to 79",
        grammar: "@lua",
        input: concat!(
            "level = 65\ntitle = \"health = 70\"\nenemy { name = \"bat\", health = 59, speed = 62 }\n",
            "enemy { health = 12, name = \"rat\" }\nboss { name = \"lich\", health = 75, lives = 3 }\n",
            "spawn(\"bat\", 66, 4)\nenemy { name = \"ogre\", armor = 8, health = 71, drops = \"key\" }\n",
            "enemy { name = \"golem\", slow = true, health = 80 }\nhealth = 64\nmusic()\n"
        ),
        valid: |input| enemies(input).is_some(),
        fails: |input| {
            enemies(input).is_some_and(|all| all.iter().any(|health| (60..80).contains(health)))
        },
        draw: |dice| {
            let others = [
                "level = 65",
                "title = \"health = 70\"",
                "boss { name = \"lich\", health = 75, lives = 3 }",
                "spawn(\"bat\", 66, 4)",
                "health = 64",
                "music()",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let mut fields = extras(dice, &["speed = 62", "armor = 8", "slow = true"]);
                fields.push(format!("name = \"{}\"", one(dice, &["bat", "ogre", "health 70"])));
                fields.push(format!("health = {}", around(dice, [60, 79], 27)));
                parts.push(format!("enemy {{ {} }}", shuffled(dice, fields).join(", ")));
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: sql: a query whose OFFSET is above its LIMIT",
        grammar: "@sql",
        input: concat!(
            "SELECT title, year FROM films WHERE year > 1990 ORDER BY year DESC LIMIT 40 OFFSET 20;\n",
            "SELECT name FROM actors WHERE name = 'LIMIT 1 OFFSET 9' LIMIT 10;\n",
            "DELETE FROM ratings WHERE stars < 2;\nSELECT * FROM films;\n",
            "SELECT stars, film, user_id FROM ratings ORDER BY stars LIMIT 25 OFFSET 50;\n",
            "SELECT * FROM studios WHERE city = 'Rome' LIMIT 30 OFFSET 30;\n",
            "SELECT city FROM studios WHERE films > 700 LIMIT 5 OFFSET 0;\n"
        ),
        valid: |input| pages(input).is_some(),
        fails: |input| {
            pages(input).is_some_and(|all| all.iter().any(|(limit, offset)| offset > limit))
        },
        draw: |dice| {
            let others = [
                "DELETE FROM ratings WHERE stars < 2;",
                "SELECT * FROM films;",
                "SELECT name FROM actors WHERE name = 'LIMIT 1 OFFSET 9' LIMIT 10;",
            ];
            let mut parts = extras(dice, &others);
            for _ in 0..1 + dice.below(4) {
                let count = 1 + dice.below(3);
                let column =
                    |dice: &mut _| one(dice, &["title", "year", "stars", "name"]).to_owned();
                let columns = match dice.below(3) {
                    0 => "*".to_owned(),
                    _ => joined(dice, count, ", ", column),
                };
                let table = one(dice, &["films", "actors", "ratings", "studios"]);
                let mut query = format!("SELECT {columns} FROM {table}");
                query += one(dice, &["", "", " WHERE year > 1990", " WHERE city = 'Rome'"]);
                query += one(dice, &["", "", " ORDER BY year DESC", " ORDER BY stars"]);
                let limit = [dice.below(10), 10 + dice.below(90), 25][dice.below(3)];
                query += &format!(" LIMIT {limit}");
                if chance(dice, 85) {
                    query += &format!(" OFFSET {}", above(dice, limit, 31));
                }
                parts.push(query + ";");
            }
            let by = one(dice, &[" ", "\n"]);
            shuffled(dice, parts).join(by)
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: ini: a repository without a baseurl",
        grammar: "@ini",
        input: concat!(
            "; baseurl = https://old.owl.example\n[core]\nname = Core packages\n",
            "baseurl = https://repo.owl.example/core\nenabled = 1\n\n[extras]\nenabled = 0\n",
            "name = Extras baseurl\ngpgcheck = 1\nbaseurl = https://repo.owl.example/extras\n\n",
            "[testing]\nname = Testing\nmirrorlist = https://repo.owl.example/baseurl\n",
            "gpgcheck = 0\n\n[baseurl]\nname = none\npriority = 90\nbaseurl = file:///srv/local\n"
        ),
        valid: |input| have_addresses(input).is_some(),
        fails: |input| have_addresses(input).is_some_and(|all| all.contains(&false)),
        draw: |dice| {
            let mut sections = picked(dice, &["core", "extras", "testing", "baseurl"], 4, 0);
            for section in &mut sections {
                let others = [
                    "enabled = 1\n",
                    "gpgcheck = 0\n",
                    "mirrorlist = https://repo.owl.example/baseurl\n",
                    "priority = 90\n",
                ];
                let mut lines = extras(dice, &others);
                let name = one(dice, &["Core packages", "Extras baseurl", "none"]);
                lines.push(format!("name = {name}\n"));
                if chance(dice, 75) {
                    let address = one(dice, &["https://repo.owl.example/core", "file:///srv", ""]);
                    lines.push(format!("baseurl = {address}\n"));
                } else if chance(dice, 25) {
                    lines.push("baseurls = https://repo.owl.example/core\n".to_owned());
                }
                *section = format!("[{section}]\n{}", shuffled(dice, lines).concat());
            }
            let start = one(dice, &["", "", "; baseurl = https://old.owl.example\n"]);
            format!("{start}{}", sections.join(one(dice, &["", "\n"])))
        },
        patterns: &[],
    },
    TwoSided {
        name: "thirty-first: toml: two stages of the same name",
        grammar: "@toml",
        input: concat!(
            "# name = \"test\"\nname = \"test\"\nretries = 2\n\n[runner]\nname = \"build\"\ncores = 8\n\n",
            "[[stage]]\nname = \"build\"\nimage = \"rust:1.80\"\n\n[[stage]]\nneeds = [\"build\"]\n",
            "name = \"test\"\ntimeout = 40\n\n[[stage]]\nname = \"docs\"\nneeds = [\"build\", \"build\"]\n\n",
            "[[stage]]\nimage = \"test\"\nname = \"test\"\nmanual = true\n\n[[service]]\nname = \"db\"\n\n",
            "[[service]]\nname = \"db\"\nport = 5432\n"
        ),
        valid: |input| stages(input).is_some(),
        fails: |input| stages(input).is_some_and(|names| has_twins(&names)),
        draw: |dice| {
            let others = ["# name = \"test\"\n", "name = \"test\"\n", "retries = 2\n", "\n"];
            let start = extras(dice, &others).concat();
            let others = [
                "[runner]\nname = \"build\"\ncores = 8\n",
                "[[service]]\nname = \"db\"\n",
                "[[service]]\nname = \"db\"\nport = 5432\n",
            ];
            let mut parts = extras(dice, &others);
            for name in picked(dice, &["build", "test", "tests", "docs", "db"], 4, 50) {
                let others = [
                    "image = \"test\"\n",
                    "timeout = 40\n",
                    "needs = [\"build\", \"build\"]\n",
                    "manual = true\n",
                ];
                let mut lines = extras(dice, &others);
                lines.push(format!("name = \"{name}\"\n"));
                parts.push(format!("[[stage]]\n{}", shuffled(dice, lines).concat()));
            }
            let by = one(dice, &["", "\n"]);
            format!("{start}{}", shuffled(dice, parts).join(by))
        },
        patterns: &[],
    },
];
