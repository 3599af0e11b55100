//! Causes in S-expressions, SQL and Lua: what a solver asserts, tables and matrices.

use super::{indented, tokens};
use crate::draws::{are_uneven, chance, extras, has_twins, lengths, picked};
use crate::two_sided::{TwoSided, any, joined, one, shuffled};

/// How deep "and" and "or" are in each other. Each command is a list, and so is each term that is no name or number.
fn connective_depth(input: &str) -> Option<usize> {
    let all = tokens(input, "-_.<>=+*", '"')?;
    let (mut open, mut deepest): (Vec<&str>, usize) = (Vec::new(), 0);
    for (at, token) in all.iter().enumerate() {
        match *token {
            "(" => {
                let head = *all.get(at + 1)?;
                open.push(head);
                let is_connective = |head: &&&str| ["and", "or"].contains(*head);
                deepest = deepest.max(open.iter().filter(is_connective).count());
            }
            ")" => {
                open.pop()?;
            }
            word => {
                let is_atom =
                    word.starts_with(|c: char| c.is_ascii_alphanumeric() || "-<>=+*".contains(c));
                (is_atom && !open.is_empty()).then_some(())?;
            }
        }
    }
    open.is_empty().then_some(deepest)
}

/// Whether a token is a name in SQL, maybe in capitals.
fn is_column(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic())
        && token.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The parts of some tokens between commas that are in no brackets; nothing if a bracket has no other.
fn parts<'a, 't>(all: &'a [&'t str]) -> Option<Vec<&'a [&'t str]>> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, token) in all.iter().enumerate() {
        match *token {
            "(" | "{" => depth += 1,
            ")" | "}" => depth = Some(depth).filter(|depth| *depth > 0)? - 1,
            "," if depth == 0 => {
                found.push(&all[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&all[start..]);
    (depth == 0).then_some(found)
}

/// The columns of each table that is created, in small letters.
fn columns(input: &str) -> Option<Vec<Vec<String>>> {
    let lines = input.lines().map(|line| line.split("--").next().unwrap_or(line));
    let text: Vec<&str> = lines.collect();
    let text = text.join("\n");
    let mut found = Vec::new();
    for statement in tokens(&text, "_", '\'')?.split(|token| *token == ";") {
        let Some((first, rest)) = statement.split_first() else { continue };
        match (&first.to_ascii_lowercase()[..], rest) {
            ("create", [kind, table, "(", inner @ .., ")"]) => {
                (kind.eq_ignore_ascii_case("table") && is_column(table)).then_some(())?;
                let mut names = Vec::new();
                for part in parts(inner)? {
                    let [name, kind, ..] = part else { return None };
                    let name = name.to_ascii_lowercase();
                    let is_rule = ["primary", "unique", "check", "foreign"].contains(&&name[..]);
                    (is_column(&name) && (is_rule || is_column(kind))).then_some(())?;
                    names.extend(Some(name).filter(|_| !is_rule));
                }
                found.push(names);
            }
            ("insert", [into, table, .., ")"]) => {
                (into.eq_ignore_ascii_case("into") && is_column(table)).then_some(())?;
            }
            ("select", [_, ..]) => {}
            ("drop", [kind, table]) if is_column(table) => {
                kind.eq_ignore_ascii_case("table").then_some(())?;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// How many cells each row of a matrix has, if its tokens are lists of cells.
fn row_lengths(inner: &[&str]) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    let rows = parts(inner.strip_suffix(&[","]).unwrap_or(inner))?;
    for row in rows.into_iter().filter(|_| !inner.is_empty()) {
        let ["{", cells @ ..] = row else { return None };
        let cells = cells.strip_suffix(&["}"])?;
        let cells = cells.strip_suffix(&[","]).unwrap_or(cells);
        let all = parts(cells)?;
        let are_right = cells.is_empty() || all.iter().all(|cell| !cell.is_empty());
        found.push(Some(all.len()).filter(|_| are_right)? - usize::from(cells.is_empty()));
    }
    Some(found)
}

/// How many cells the rows of each matrix of a script have.
fn matrices(input: &str) -> Vec<Vec<usize>> {
    let lines = input.lines().map(|line| line.split("--").next().unwrap_or(line));
    let text: Vec<&str> = lines.collect();
    let text = text.join("\n");
    let all = tokens(&text, "_.", '"').unwrap_or_default();
    let mut found = Vec::new();
    for at in 0..all.len() {
        let Some(["matrix", "{", inner @ ..]) = all.get(at..) else { continue };
        let mut depth = 1;
        let end = inner.iter().position(|token| {
            depth += i32::from(*token == "{") - i32::from(*token == "}");
            depth == 0
        });
        found.extend(end.and_then(|end| row_lengths(&inner[..end])));
    }
    found
}

/// The causes.
pub const CODE: &[TwoSided] = &[
    TwoSided {
        name: "forty-sixth: sexp: solver: and and or in each other, five deep or more",
        grammar: "@sexp",
        input: "(set-logic QF_LIA)
(declare-const a Bool)
(declare-const and-or Bool)
(declare-const n Int)
(assert (not (and a (or and-or (not (and a and-or))))))
(define-fun both ((x Bool) (y Bool)) Bool (and x y))
(assert
  (or (eq n 4)
      (and (not (both a and-or))
           (or a
               (not (and (less n 12)
                         (ite a (or and-or (eq n 0)) and-or)))))))
(assert (not (not (not (not (not (not a)))))))
(check-sat)
",
        valid: |input| connective_depth(input).is_some(),
        fails: |input| connective_depth(input).is_some_and(|depth| depth >= 5),
        draw: |dice| {
            let mut term = one(dice, &["a", "b", "(eq n 4)", "(not b)"]).to_owned();
            for _ in 0..3 + dice.below(6) {
                let other = one(dice, &["a", "and-or", "(less n 12)", "(or a b)", "(not a)"]);
                let pair = [[&term[..], other], [other, &term[..]]][dice.below(2)].join(" ");
                term = match dice.below(8) {
                    0 => format!("(not {term})"),
                    1 => format!("(ite a {pair})"),
                    2..5 => format!("(and {pair})"),
                    5 => format!("(or {pair} a)"),
                    _ => format!("(or {pair})"),
                };
            }
            let others = [
                "(set-logic QF_LIA)",
                "(declare-const and-or Bool)",
                "(define-fun both ((x Bool) (y Bool)) Bool (and x y))",
                "(assert (and a (or b (not (and a b)))))",
                "(check-sat)",
            ];
            let mut commands = extras(dice, &others);
            commands.push(format!("(assert {term})"));
            shuffled(dice, commands).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: sql: schema: a table with two columns of the same name",
        grammar: "@sql",
        input: "-- CREATE TABLE twice (id INTEGER, id INTEGER);
CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    name_2 VARCHAR(40)
);
INSERT INTO users VALUES (1, 'name', 'name');
CREATE TABLE posts (
    id INTEGER,
    title VARCHAR(200) NOT NULL,
    author INTEGER,
    body TEXT,
    title TEXT
);
CREATE TABLE tags (post INTEGER, tag VARCHAR(20));
SELECT name, name FROM users WHERE id = 4;
",
        valid: |input| columns(input).is_some(),
        fails: |input| columns(input).is_some_and(|all| all.iter().any(|names| has_twins(names))),
        draw: |dice| {
            let others = [
                "-- CREATE TABLE twice (id INTEGER, id INTEGER);",
                "INSERT INTO users VALUES (1, 'name', 'name');",
                "SELECT name, name FROM users WHERE id = 4;",
            ];
            let mut statements = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let known = ["id", "name", "title", "author", "body", "name_2", "post"];
                let names = picked(dice, &known, 5, 28);
                let mut lines = Vec::new();
                for name in names {
                    let kind = one(dice, &["INTEGER", "TEXT", "VARCHAR(20)", "TEXT NOT NULL"]);
                    lines.push(format!("{name} {kind}"));
                }
                let by = one(dice, &[", ", ",\n    "]);
                let table = one(dice, &["users", "posts", "tags", "name"]);
                statements.push(format!("CREATE TABLE {table} ({});", lines.join(by)));
            }
            shuffled(dice, statements).join("\n") + "\n"
        },
        patterns: &[],
    },
    TwoSided {
        name: "forty-sixth: lua: matrices: a matrix whose rows do not all have the same number of cells",
        grammar: "@lua",
        input: r#"-- matrix { {1}, {1, 2} }
local sizes = { {1, 2}, {3} }
local unit = matrix {
  {1, 0},
  {0, 1},
}
print("matrix { {1}, {1, 2} }")
local turn = matrix {
  {0, angle, 1},
  {1, 0, 12},
  {4, 412},
  {0, 0, 1},
}
scale = matrix { {4, 0, 0} }
plot { {1, 2, 3}, {4}, title = "rows" }
"#,
        valid: any,
        fails: |input| matrices(input).iter().any(|rows| are_uneven(rows)),
        draw: |dice| {
            let others = [
                "-- matrix { {1}, {1, 2} }",
                "local sizes = { {1, 2}, {3} }",
                "print(\"matrix { {1}, {1, 2} }\")",
                "plot { {1, 2, 3}, {4}, title = \"rows\" }",
            ];
            let mut lines = extras(dice, &others);
            for _ in 0..1 + dice.below(3) {
                let mut rows = Vec::new();
                for length in lengths(dice, 1, 38) {
                    let cells = joined(dice, length, ", ", |dice| {
                        one(dice, &["0", "1", "412", "angle", "1.5"]).to_owned()
                    });
                    rows.push(format!("{{{cells}}}"));
                }
                let name = one(dice, &["local unit", "turn", "local scale"]);
                let rows = match chance(dice, 50) {
                    true => format!("\n{}", indented(&(rows.join(",\n") + ","), 2)),
                    false => format!(" {} ", rows.join(", ")),
                };
                lines.push(format!("{name} = matrix {{{rows}}}"));
            }
            shuffled(dice, lines).join("\n") + "\n"
        },
        patterns: &[],
    },
];
