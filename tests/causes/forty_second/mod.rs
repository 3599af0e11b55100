//! A forty-second list of planted causes: 24 that were written and committed before the generalizer was run on
//! any of them, by someone who had not read it. Two are of each of twelve kinds, one in a format with a built-in
//! grammar and one in a format without.

mod formats;
mod json;
mod markup;
mod plain;
mod scripts;
mod tables;

use crate::two_sided::TwoSided;

/// All of them.
pub fn forty_second() -> impl Iterator<Item = &'static TwoSided> {
    let json = json::JSON.iter().chain(tables::TABLES).chain(formats::FORMATS);
    json.chain(markup::MARKUP).chain(plain::PLAIN).chain(scripts::SCRIPTS)
}

/// Whether a text is a name of letters, digits and underscores that does not start with a digit.
fn is_identifier(text: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(is_inside) && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The words, numbers, quoted texts and signs of a text; nothing if a quote is not closed.
fn lexemes(text: &str, quote: char) -> Option<Vec<&str>> {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let (mut rest, mut found) = (text.trim_start(), Vec::new());
    while let Some(first) = rest.chars().next() {
        let size = if first == quote {
            2 * first.len_utf8() + rest[first.len_utf8()..].find(quote)?
        } else if is_inside(first) {
            rest.find(|c| !is_inside(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        found.push(&rest[..size]);
        rest = rest[size..].trim_start();
    }
    Some(found)
}

/// How many digits a number has after its point.
fn decimals(number: &str) -> usize {
    let after = number.split_once('.').map_or("", |(_, after)| after);
    after.chars().take_while(char::is_ascii_digit).count()
}

/// Whether some numbers have a negative one, and one (maybe the same) with exactly three decimals.
fn are_negative_and_exact(numbers: &[&str]) -> bool {
    let is_exact = numbers.iter().any(|number| decimals(number) == 3);
    is_exact && numbers.iter().any(|number| number.starts_with('-'))
}
