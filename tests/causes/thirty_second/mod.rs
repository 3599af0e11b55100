//! A thirty-second list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, in
//! different formats. A third is in JSON, a third has no grammar, and a third is in eight other
//! formats.

mod formats;
mod json;
mod markup;
mod plain;
mod scripts;
mod values;

use crate::readers::is_shown;
use crate::two_sided::TwoSided;

/// All of them.
pub fn thirty_second() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, scripts::SCRIPTS, formats::FORMATS, markup::MARKUP]
        .into_iter()
        .flatten()
}

/// The tokens of a text: texts with the quotation mark before them, words of letters, digits and some
/// signs, and other signs; nothing if a quotation mark is missing or a text is odd.
fn tokens(input: &str, quote: char, signs: &str) -> Option<Vec<String>> {
    let is_kept =
        |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || signs.contains(c);
    let mut found = Vec::new();
    let mut is_text = true;
    for part in input.split(quote) {
        is_text = !is_text;
        if is_text {
            (is_shown(part) && !part.contains('\\'))
                .then(|| found.push(format!("{quote}{part}")))?;
            continue;
        }
        let apart = part.chars().map(|c| if is_kept(c) { c.into() } else { format!(" {c} ") });
        found.extend(apart.collect::<String>().split_whitespace().map(str::to_owned));
    }
    (!is_text).then_some(found)
}
