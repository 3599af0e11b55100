//! A thirty-third list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, in
//! different formats. A third is in JSON, a third has no grammar, and a third is in eight other
//! formats.

pub mod formats;
mod json;
pub mod markup;
mod plain;
mod scripts;
pub mod values;

use crate::two_sided::TwoSided;

/// All of them.
pub fn thirty_third() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, scripts::SCRIPTS, formats::FORMATS, markup::MARKUP]
        .into_iter()
        .flatten()
}

/// The tokens of a text: texts with both of their quotation marks, words of letters, digits and some
/// signs, and other signs; nothing if a text does not end or has a backslash or a break in it.
pub fn tokens<'t>(input: &'t str, signs: &str) -> Option<Vec<&'t str>> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || signs.contains(c);
    let (mut rest, mut found) = (input.trim_start(), Vec::new());
    while let Some(first) = rest.chars().next() {
        let size = match first {
            '"' => {
                let end = rest[1..].find('"')? + 2;
                let is_odd = |c: char| c == '\\' || c.is_control();
                (!rest[..end].contains(is_odd)).then_some(end)?
            }
            _ if is_inside(first) => rest.find(|c| !is_inside(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(size);
        found.push(token);
        rest = after.trim_start();
    }
    Some(found)
}

/// Whether a token is a text.
pub fn is_text(token: &str) -> bool {
    token.starts_with('"')
}
