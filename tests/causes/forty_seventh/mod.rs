//! A forty-seventh list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, one with a
//! grammar and one without. Those with one are in nine formats, and the others in twelve.

mod json;
mod programs;
mod records;
mod rules;
mod settings;
mod tables;
mod texts;
mod toml;

use seedsmith_grammar::Random;

use crate::draws::chance;
use crate::two_sided::{TwoSided, one, shuffled, word};

/// All of them.
pub fn forty_seventh() -> impl Iterator<Item = &'static TwoSided> {
    [
        json::JSON,
        programs::PROGRAMS,
        records::RECORDS,
        rules::RULES,
        settings::SETTINGS,
        tables::TABLES,
        texts::TEXTS,
        toml::TOML,
    ]
    .into_iter()
    .flatten()
}

/// One of some words, or now and then any word.
fn named(dice: &mut Random, known: &[&str]) -> String {
    match chance(dice, 75) {
        true => one(dice, known).to_owned(),
        false => format!("{}x", word(dice, 7)),
    }
}

/// An object in JSON with these pairs, in any order.
fn object(dice: &mut Random, pairs: Vec<String>) -> String {
    let by = one(dice, &[", ", ",", ",\n  "]);
    format!("{{{}}}", shuffled(dice, pairs).join(by))
}

/// A number that is not zero, maybe negative, and often with three decimals. The last decimal is not zero.
fn measure(dice: &mut Random) -> String {
    let sign = if chance(dice, 24) { "-" } else { "" };
    let whole = [dice.below(10), dice.below(180)][dice.below(2)];
    match [0, 0, 1, 2, 2, 3, 3, 4, 5][dice.below(9)] {
        0 => format!("{sign}{}", whole + 1),
        places => {
            let digits: String = (1..places).map(|_| dice.below(10).to_string()).collect();
            format!("{sign}{whole}.{digits}{}", 1 + dice.below(9))
        }
    }
}

/// The part of a text before a quote that closes it, and what comes after the quote.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let (inner, after) = text.split_once('"')?;
    (!inner.contains(['\n', '\\'])).then_some((inner, after))
}

/// The names, numbers and texts of a program and its signs, without remarks. A remark goes from a sign to the
/// end of its line. A text is in quotes and keeps the first of them.
fn lexed<'t>(input: &'t str, remark: &str, quote: char) -> Option<Vec<&'t str>> {
    let (mut rest, mut found) = (input.trim_start(), Vec::new());
    while let Some(first) = rest.chars().next() {
        let is_inside = |c: char| c.is_alphanumeric() || "_.".contains(c);
        let size = if rest.starts_with(remark) {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == quote {
            let inner = rest[1..].find([quote, '\n'])?;
            rest[1 + inner..].starts_with(quote).then_some(())?;
            found.push(&rest[..1 + inner]);
            inner + 2
        } else {
            let size = rest.find(|c| !is_inside(c)).unwrap_or(rest.len()).max(first.len_utf8());
            found.push(&rest[..size]);
            size
        };
        rest = rest[size..].trim_start();
    }
    Some(found)
}

/// Whether a token is a name.
fn is_identifier(token: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
    token.starts_with(is_first) && token.chars().all(is_inside)
}
