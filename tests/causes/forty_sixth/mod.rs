//! A forty-sixth list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, one of
//! which has a grammar and one has none. All are in different formats but for three in JSON, and
//! half of the programs reject what is invalid.

mod code;
mod json;
mod logs;
mod project;
mod settings;
mod styles;
mod text;
mod tools;

use seedsmith_grammar::Random;

use crate::draws::extras;
use crate::two_sided::{TwoSided, shuffled};

/// All of them.
pub fn forty_sixth() -> impl Iterator<Item = &'static TwoSided> {
    [
        json::JSON,
        settings::SETTINGS,
        code::CODE,
        styles::STYLES,
        logs::LOGS,
        text::TEXT,
        project::PROJECT,
        tools::TOOLS,
    ]
    .into_iter()
    .flatten()
}

/// An object in JSON with these pairs, and some of others, in any order.
fn object(dice: &mut Random, pairs: &[String], others: &[&str]) -> String {
    let mut all = extras(dice, others);
    all.extend_from_slice(pairs);
    format!("{{{}}}", shuffled(dice, all).join(", "))
}

/// The words, texts in quotes and other signs of a text; nothing if a quote is not closed. A word is letters, digits
/// and these signs.
fn tokens<'t>(input: &'t str, inside: &str, quote: char) -> Option<Vec<&'t str>> {
    let is_inside = |c: char| c.is_alphanumeric() || inside.contains(c);
    let (mut found, mut rest) = (Vec::new(), input.trim_start());
    while let Some(first) = rest.chars().next() {
        let size = match first {
            _ if first == quote => rest[1..].find(quote)? + 2,
            _ if is_inside(first) => rest.find(|c| !is_inside(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        found.push(&rest[..size]);
        rest = rest[size..].trim_start();
    }
    Some(found)
}

/// Whether a number is negative, and how many decimals are written; nothing if it is none.
fn written(text: &str) -> Option<(bool, usize)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = [whole, decimals].iter().all(|part| part.chars().all(|c| c.is_ascii_digit()));
    let is_number = are_digits && !whole.is_empty() && !digits.ends_with('.');
    is_number.then_some((digits != text, decimals.len()))
}

/// A text whose lines have blanks before them.
fn indented(text: &str, blanks: usize) -> String {
    text.lines().map(|line| format!("{:blanks$}{line}\n", "")).collect()
}
