//! A thirtieth list of planted causes: 24 that were written and committed before the generalizer was
//! run on any of them, by someone who had not read it. Two are of each of twelve kinds, in different
//! formats. A third is in JSON, a third has no grammar, and a third is in eight other formats.

mod formats;
mod json;
mod markup;
mod plain;

use crate::readers::is_shown;
use crate::two_sided::TwoSided;

/// All of them.
pub fn thirtieth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, formats::FORMATS, markup::MARKUP].into_iter().flatten()
}

/// The tokens of a text: words of letters, digits and some signs, texts in double quotation marks,
/// arrows, and other signs; nothing if a text in quotation marks is odd.
fn tokens<'t>(input: &'t str, signs: &str) -> Option<Vec<&'t str>> {
    let (mut rest, mut found) = (input.trim_start(), Vec::new());
    while let Some(first) = rest.chars().next() {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || signs.contains(c);
        let size = if first == '"' {
            let size = rest[1..].find('"')?;
            let inner = &rest[1..=size];
            (is_shown(inner) && !inner.contains('\\')).then_some(size + 2)?
        } else if is_inside(first) {
            rest.find(|c| !is_inside(c)).unwrap_or(rest.len())
        } else if rest.starts_with("->") {
            2
        } else {
            first.len_utf8()
        };
        found.push(&rest[..size]);
        rest = rest[size..].trim_start();
    }
    Some(found)
}
