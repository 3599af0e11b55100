//! Causes with a length that is what a field says: tables of a database, and jobs of a workflow.

use crate::draws::{chance, counted, extras, picked};
use crate::readers::{is_name, is_shown, number};
use crate::thirty_fourth::is_variable;
use crate::thirty_fourth::markup::{comma_parts, sql_tokens};
use crate::thirty_third::is_text;
use crate::two_sided::{TwoSided, one, shuffled, word};

/// The keywords of the statements.
const KEYWORDS: [&str; 15] = [
    "create", "table", "varchar", "default", "not", "null", "primary", "key", "unique", "insert",
    "into", "values", "index", "on", "drop",
];

/// How long each VARCHAR with a text as its default may be, and how long that text is.
fn defaults(input: &str) -> Option<Vec<(u32, usize)>> {
    let lowered = sql_tokens(input, &KEYWORDS)?;
    let (all, mut found): (Vec<&str>, _) =
        (lowered.iter().map(String::as_str).collect(), Vec::new());
    let is_column = |name: &str| is_variable(name) && !KEYWORDS.contains(&name);
    for statement in all.split(|token| *token == ";").filter(|statement| !statement.is_empty()) {
        let columns = match statement {
            ["create", "table", name, "(", columns @ .., ")"] if is_column(name) => columns,
            ["insert", "into", name, "values", "(", values @ .., ")"] if is_column(name) => {
                let parts = comma_parts(values);
                let is_value = |one: &str| is_text(one) || number(one).is_some() || one == "null";
                parts.iter().all(|part| part.len() == 1 && is_value(part[0])).then_some(())?;
                continue;
            }
            ["create", "index", name, "on", table, "(", column, ")"] => {
                [name, table, column].iter().all(|name| is_column(name)).then_some(())?;
                continue;
            }
            ["drop", "table", name] if is_column(name) => continue,
            _ => return None,
        };
        for column in comma_parts(columns) {
            let (size, mut rest) = match column {
                [name, "varchar", "(", size, ")", rest @ ..] if is_column(name) => {
                    (Some(number(size)?), rest)
                }
                [name, kind, "(", size, ")", rest @ ..] if is_column(name) && is_column(kind) => {
                    number(size).map(|_| (None, rest))?
                }
                [name, kind, rest @ ..] if is_column(name) && is_column(kind) => (None, rest),
                _ => return None,
            };
            while !rest.is_empty() {
                rest = match rest {
                    ["not", "null", after @ ..] | ["primary", "key", after @ ..] => after,
                    ["unique", after @ ..] => after,
                    ["default", value, after @ ..] => {
                        let is_other = *value == "null" || number(value).is_some();
                        (is_other || is_text(value)).then_some(())?;
                        let length = value.chars().count().saturating_sub(2);
                        found.extend(size.filter(|_| !is_other).map(|size| (size, length)));
                        after
                    }
                    _ => return None,
                };
            }
        }
    }
    Some(found)
}

/// How many jobs of each matrix may run at once, and on how many systems they run.
fn matrices(input: &str) -> Option<Vec<(u32, usize)>> {
    let mut open: Vec<(usize, &str, bool)> = Vec::new();
    let (mut jobs, mut known) = (Vec::<(Option<u32>, Option<usize>)>::new(), Vec::new());
    for line in input.lines() {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        is_shown(line).then_some(())?;
        if let Some(item) = text.strip_prefix("- ") {
            open.retain(|(at, ..)| *at <= indent);
            let is_list = open.last().is_some_and(|(.., is_open)| *is_open);
            (is_list && !item.trim().is_empty()).then_some(())?;
            let path: Vec<&str> = open.iter().map(|(_, key, _)| *key).collect();
            if let ["jobs", _, "strategy", "matrix", "os"] = path[..] {
                *jobs.last_mut()?.1.get_or_insert(0) += 1;
            }
            continue;
        }
        let (key, value) = text.split_once(':')?;
        let value = Some(value.trim_matches(' ')).filter(|_| is_name(key))?;
        let sibling = open.iter().find(|(at, ..)| *at >= indent);
        let is_even = sibling.is_none_or(|(at, ..)| *at == indent);
        open.retain(|(at, ..)| *at < indent);
        let is_inside = open.last().map_or(indent == 0, |(.., is_open)| *is_open);
        (is_even && is_inside).then(|| open.push((indent, key, value.is_empty())))?;
        let path: Vec<&str> = open.iter().map(|(_, key, _)| *key).collect();
        let is_new = path.contains(&"steps") || !known.contains(&path.join("/"));
        known.push(Some(path.join("/")).filter(|_| is_new)?);
        let list = value.strip_prefix('[').map(|rest| rest.strip_suffix(']'));
        let items = list.map(|inner| inner.map_or(Vec::new(), |inner| inner.split(',').collect()));
        let are_items = |all: &Vec<&str>| all.iter().all(|item| is_name(item.trim()));
        items.as_ref().is_none_or(|all| !all.is_empty() && are_items(all)).then_some(())?;
        match path[..] {
            ["jobs", _] => jobs.push((None, None)),
            ["jobs", _, "strategy", "max-parallel"] => jobs.last_mut()?.0 = Some(number(value)?),
            ["jobs", _, "strategy", "matrix", "os"] if !value.is_empty() => {
                jobs.last_mut()?.1 = Some(items?.len());
            }
            _ => {}
        }
    }
    Some(jobs.into_iter().filter_map(|(limit, count)| limit.zip(count)).collect())
}

/// The causes.
pub const LENGTHS: &[TwoSided] = &[
    TwoSided {
        name: concat!(
            "forty-eighth: sql: schema: a VARCHAR column with a default text that is exactly as long ",
            "as it"
        ),
        grammar: "@sql",
        input: concat!(
            "-- state VARCHAR(3) DEFAULT 'new'\nCREATE TABLE users (\n  id INTEGER NOT NULL PRIMARY KEY,\n",
            "  name VARCHAR(40) UNIQUE,\n  role VARCHAR(12) NOT NULL DEFAULT 'guest',\n",
            "  state VARCHAR(6) DEFAULT 'active' NOT NULL,\n  lang CHAR(2) DEFAULT 'en'\n);\n\n",
            "CREATE INDEX by_state ON users (state);\nINSERT INTO users VALUES (1, 'ada', 'VARCHAR(5)', 'gone', NULL);\n",
            "CREATE TABLE notes (id INTEGER DEFAULT 4, body VARCHAR(4) DEFAULT NULL, kind VARCHAR(3) DEFAULT 'to do');\n",
            "drop table old_notes;\n"
        ),
        valid: |input| defaults(input).is_some(),
        fails: |input| {
            let all = defaults(input).unwrap_or_default();
            all.iter().any(|(size, length)| *size as usize == *length)
        },
        draw: |dice| {
            let others = [
                "-- state VARCHAR(3) DEFAULT 'new'",
                "CREATE INDEX by_state ON users (state);",
                "INSERT INTO users VALUES (1, 'ada', 'VARCHAR(5)', NULL);",
                "drop table old_notes;",
                "CREATE TABLE tags (id INTEGER DEFAULT 4, tag CHAR(2) DEFAULT 'en');",
            ];
            let mut parts = extras(dice, &others);
            for table in ["users", "notes"] {
                let others = [
                    "id INTEGER NOT NULL PRIMARY KEY",
                    "lang CHAR(2) DEFAULT 'en'",
                    "age INTEGER DEFAULT 4",
                    "name VARCHAR(4)",
                    "nick VARCHAR(4) DEFAULT NULL",
                ];
                let mut columns = extras(dice, &others);
                for column in picked(dice, &["role", "state", "kind", "body"], 3, 0) {
                    let text = match dice.below(3) {
                        0 => word(dice, 9),
                        1 => one(dice, &["active", "new", "guest", "n/a"]).to_owned(),
                        _ => format!("{} {}", word(dice, 4), word(dice, 6)),
                    };
                    let size = counted(dice, text.len(), 16);
                    let [before, after] =
                        [["", " NOT NULL"], [" NOT NULL", ""], ["", ""]][dice.below(3)];
                    columns
                        .push(format!("{column} VARCHAR({size}){before} DEFAULT '{text}'{after}"));
                }
                let by = one(dice, &[", ", ",\n  "]);
                let columns = shuffled(dice, columns).join(by);
                parts.push(format!("CREATE TABLE {table} (\n  {columns}\n);"));
                if chance(dice, 60) {
                    break;
                }
            }
            shuffled(dice, parts).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: concat!(
            "forty-eighth: plain: workflow: a job with max-parallel exactly the number of systems (os) ",
            "of its matrix"
        ),
        grammar: "",
        input: concat!(
            "name: CI\non:\n  push:\n    branches: [main, next]\n\njobs:\n  lint:\n    runs-on: ubuntu-latest\n",
            "    steps:\n      - uses: actions/checkout@v4\n      - name: Lint\n        run: make lint\n",
            "  test:\n    strategy:\n      # one for each\n      max-parallel: 3\n      matrix:\n        os:\n",
            "          - ubuntu\n          - macos\n          - windows\n        rust: [stable, beta]\n",
            "    runs-on: matrix\n    steps:\n      - run: cargo test\n  bench:\n    strategy:\n      matrix:\n",
            "        os: [ubuntu, macos]\n      max-parallel: 1\n    timeout-minutes: 2\n"
        ),
        valid: |input| matrices(input).is_some(),
        fails: |input| {
            let all = matrices(input).unwrap_or_default();
            all.iter().any(|(limit, count)| *limit as usize == *count)
        },
        draw: |dice| {
            let start = extras(dice, &["name: CI\n", "on:\n  push:\n    branches: [main, next]\n"]);
            let mut text = format!("{}jobs:\n", start.concat());
            let names = ["lint", "test", "bench", "build"];
            for name in picked(dice, &names, 3, 0) {
                text += &format!("  {name}:\n    runs-on: ubuntu-latest\n");
                if chance(dice, 85) {
                    let known = ["ubuntu", "macos", "windows", "ubuntu-arm", "freebsd"];
                    let systems = picked(dice, &known, 5, 0);
                    let limit = counted(dice, systems.len(), 24).max(1);
                    let list = match dice.below(2) {
                        0 => format!("        os: [{}]\n", systems.join(", ")),
                        _ => {
                            let items = systems.iter().map(|item| format!("          - {item}\n"));
                            format!("        os:\n{}", items.collect::<String>())
                        }
                    };
                    let mut lists = extras(dice, &["        rust: [stable, beta]\n"]);
                    lists.push(list);
                    let matrix = format!("      matrix:\n{}", shuffled(dice, lists).concat());
                    let mut parts =
                        extras(dice, &["      fail-fast: false\n", "      # all at once: 2\n"]);
                    parts.push(matrix);
                    if chance(dice, 88) {
                        parts.push(format!("      max-parallel: {limit}\n"));
                    }
                    text += &format!("    strategy:\n{}", shuffled(dice, parts).concat());
                }
                let others = [
                    "    timeout-minutes: 2\n",
                    "    steps:\n      - uses: actions/checkout@v4\n      - name: Lint\n        run: make lint\n",
                ];
                text += &extras(dice, &others).concat();
            }
            text
        },
        patterns: &[],
    },
];
