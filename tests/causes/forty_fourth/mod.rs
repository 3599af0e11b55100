//! A forty-fourth list of planted causes: 24 that were written and committed before the generalizer
//! was run on any of them, by someone who had not read it. Two are of each of twelve kinds, in
//! different formats. Four are in JSON, eight in seven other formats, and twelve have no grammar.

mod code;
mod json;
mod lines;
mod markup;
mod plain;
mod sql;
mod texts;

use crate::two_sided::TwoSided;

/// All of them.
pub fn forty_fourth() -> impl Iterator<Item = &'static TwoSided> {
    [json::JSON, markup::MARKUP, code::CODE, sql::SQL, plain::PLAIN, texts::TEXTS, lines::LINES]
        .into_iter()
        .flatten()
}

/// The words, the texts in quotes and the single signs of an input; nothing if a quote is open or a
/// character outside of quotes is odd. `joining` are the signs that may be in a word.
fn tokens<'t>(input: &'t str, joining: &str, quote: char) -> Option<Vec<&'t str>> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || joining.contains(c);
    let (mut rest, mut found) = (input.trim_start(), Vec::new());
    while let Some(first) = rest.chars().next() {
        let size = match first {
            _ if first == quote => {
                let text = rest[1..].split_once(quote)?.0;
                (!text.contains(['\\', '\n'])).then_some(text.len() + 2)?
            }
            _ if is_inside(first) => rest.find(|c| !is_inside(c)).unwrap_or(rest.len()),
            _ if first.is_ascii_graphic() => 1,
            _ => return None,
        };
        found.push(&rest[..size]);
        rest = rest[size..].trim_start();
    }
    Some(found)
}

/// A text without what comes after a remark's sign in each line. A sign inside quotes starts no remark.
fn without_remarks(input: &str, sign: &str) -> String {
    let start = |line: &str| {
        let mut places = line.match_indices(sign).map(|(at, _)| at);
        places.find(|at| line[..*at].matches(['"', '\'']).count().is_multiple_of(2))
    };
    let kept = input.lines().map(|line| &line[..start(line).unwrap_or(line.len())]);
    kept.collect::<Vec<&str>>().join("\n")
}

/// What is between the quotes of a text that has nothing but `\n` escaped.
fn unquoted(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let is_plain = !inner.replace("\\n", "").contains(['"', '\\']);
    (is_plain && !inner.contains(char::is_control)).then_some(inner)
}

/// Whether a text is letters, digits and low lines, and starts with a letter.
fn is_label(text: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_inside)
}
