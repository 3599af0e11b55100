//! A cause in SQL: the joins of some queries.

use seedsmith_grammar::Random;

use super::{is_label, tokens, without_remarks};
use crate::draws::chance;
use crate::readers::signed_decimals;
use crate::two_sided::{TwoSided, one};

/// Words that are no names in a query.
const RESERVED: &str = "SELECT FROM JOIN INNER CROSS LEFT RIGHT FULL OUTER ON WHERE ORDER BY";

/// Whether a token is the name of a column or a table.
fn is_free(token: &str) -> bool {
    is_label(token) && !RESERVED.split(' ').any(|word| word == token)
}

/// What comes after a column, maybe one with its table.
fn after_column<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    match all {
        [table, ".", column, rest @ ..] if is_free(table) && is_free(column) => Some(rest),
        [column, rest @ ..] if is_free(column) => Some(rest),
        _ => None,
    }
}

/// What comes after what is selected: columns, stars, and calls with a column and a number.
fn after_columns<'a, 't>(all: &'a [&'t str]) -> Option<&'a [&'t str]> {
    let after = match all {
        ["*", rest @ ..] => rest,
        [name, "(", inner @ ..] if is_label(name) => match after_column(inner)? {
            [")", rest @ ..] => rest,
            [",", count, ")", rest @ ..] if signed_decimals(count).is_some() => rest,
            _ => return None,
        },
        _ => after_column(all)?,
    };
    match after {
        [",", rest @ ..] => after_columns(rest),
        _ => Some(after),
    }
}

/// The joins of one query, as their kinds are written.
fn query_joins<'t>(all: &[&'t str]) -> Option<Vec<&'t str>> {
    let rest = after_columns(all.strip_prefix(&["SELECT"])?)?;
    let (mut rest, mut found) = (after_column(rest.strip_prefix(&["FROM"])?)?, Vec::new());
    loop {
        let (kind, after) = match rest {
            ["JOIN", after @ ..] => ("INNER", after),
            ["INNER", "JOIN", after @ ..] => ("INNER", after),
            [kind @ ("LEFT" | "RIGHT" | "FULL"), "OUTER", "JOIN", after @ ..] => (*kind, after),
            [kind @ ("LEFT" | "RIGHT" | "FULL" | "CROSS"), "JOIN", after @ ..] => (*kind, after),
            _ => break,
        };
        found.push(kind);
        rest = after_column(after)?;
        if kind != "CROSS" {
            let after = after_column(rest.strip_prefix(&["ON"])?)?;
            rest = after_column(after.strip_prefix(&["="])?)?;
        }
    }
    if let ["WHERE", after @ ..] = rest {
        let [sign, value, after @ ..] = after_column(after)? else { return None };
        let is_value = value.starts_with('\'') || signed_decimals(value).is_some();
        (is_value && ["=", "<", ">"].contains(sign)).then_some(())?;
        rest = after;
    }
    if let ["ORDER", "BY", after @ ..] = rest {
        rest = after_column(after)?;
    }
    rest.is_empty().then_some(found)
}

/// A token in capital letters, unless it is a text.
fn in_capitals(token: &str) -> String {
    if token.starts_with('\'') { token.to_owned() } else { token.to_ascii_uppercase() }
}

/// The joins of some queries. Capital letters and small ones are the same outside of texts.
fn joins(input: &str) -> Option<Vec<String>> {
    let text = without_remarks(input, "--");
    let (all, mut found) = (tokens(&text, "_", '\'')?, Vec::new());
    let all: Vec<String> = all.into_iter().map(in_capitals).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for query in all.strip_suffix(&[";"])?.split(|token| *token == ";") {
        found.extend(query_joins(query)?.into_iter().map(str::to_owned));
    }
    Some(found)
}

/// Some queries with joins.
fn draw_queries(dice: &mut Random) -> String {
    let mut text = one(dice, &["", "", "-- LEFT JOIN\n"]).to_owned();
    for _ in 0..1 + dice.below(2) {
        let columns = one(dice, &["*", "u.name, o.total", "LEFT(u.name, 3)", "RIGHT(name, 2), id"]);
        text += &format!("SELECT {columns} FROM users");
        for _ in 0..dice.below(3) {
            let kind = match chance(dice, 35) {
                true => one(dice, &["LEFT", "RIGHT", "FULL", "LEFT OUTER", "FULL OUTER"]),
                false => one(dice, &["", "INNER", "INNER", "CROSS"]),
            };
            let table = one(dice, &["orders", "items", "full_items"]);
            let on = if kind == "CROSS" { "" } else { " ON users.id = orders.user_id" };
            text += &format!("{}{kind} JOIN {table}{on}", one(dice, &[" ", "\n  "]));
        }
        text += one(dice, &["", " WHERE total > 40", " WHERE side = 'LEFT JOIN'"]);
        text += one(dice, &[";\n", ";\n", " ORDER BY name;\n"]);
    }
    let text = text.replace("  JOIN", " JOIN");
    if chance(dice, 15) { text.to_ascii_lowercase() } else { text }
}

/// The causes.
pub const SQL: &[TwoSided] = &[TwoSided {
    name: "forty-fourth: sql: report: a join that is LEFT, RIGHT or FULL",
    grammar: "@sql",
    input: concat!(
        "SELECT LEFT(u.name, 3) FROM users\n  INNER JOIN orders ON users.id = orders.user_id\n",
        "  WHERE total > 40;\nSELECT id, total FROM orders\n  CROSS JOIN full_items\n",
        "  RIGHT JOIN items ON orders.id = items.order_id\n  WHERE side = 'LEFT JOIN' ORDER BY total;\n",
        "SELECT * FROM users;\n"
    ),
    valid: |input| joins(input).is_some(),
    fails: |input| {
        let wanted = ["LEFT", "RIGHT", "FULL"];
        joins(input).is_some_and(|all| all.iter().any(|kind| wanted.contains(&&kind[..])))
    },
    draw: draw_queries,
    patterns: &[],
}];
