//! A thirty-fourth list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, in
//! different formats. A third is in JSON, a third has no grammar, and a third is in eight other
//! formats.

pub mod formats;
mod json;
pub mod markup;
mod plain;
mod scripts;

use crate::two_sided::TwoSided;

/// All of them.
pub fn thirty_fourth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, plain::PLAIN, scripts::SCRIPTS, formats::FORMATS, markup::MARKUP]
        .into_iter()
        .flatten()
}

/// A text without the remarks that begin and end with two signs; nothing if one does not end.
pub fn without_remarks(input: &str, [start, end]: [&str; 2]) -> Option<String> {
    let (mut rest, mut kept) = (input, String::new());
    while let Some((before, after)) = rest.split_once(start) {
        kept += before;
        kept.push(' ');
        (_, rest) = after.split_once(end)?;
    }
    Some(kept + rest)
}

/// A text without the remarks that go from a sign to the end of the line. In quotation marks it starts
/// none.
pub fn without_ends(input: &str, mark: &str) -> String {
    let lines = input.split('\n').map(|line| {
        let is_outside = |at: &usize| line[..*at].matches('"').count() % 2 == 0;
        let mut starts = line.match_indices(mark).map(|(at, _)| at);
        starts.find(is_outside).map_or(line, |at| &line[..at])
    });
    lines.collect::<Vec<&str>>().join("\n")
}

/// Whether a text is a name of letters, digits and underscores.
pub fn is_variable(text: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_inside)
}
