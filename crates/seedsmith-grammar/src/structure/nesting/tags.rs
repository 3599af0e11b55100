//! Tags: `<a …>…</a>` and `{{#a …}}…{{/a}}`, as openers with their closers.
//!
//! A tag ends within 4,096 bytes, and its name has at most 128: so that binary data that looks like
//! a tag costs a bounded search.

use crate::structure::nesting::pairs::{Nesting, Pair};
use crate::structure::units::tokens::is_word;

/// Pairs of tags with one name, by where they open.
///
/// Cost: once through the bytes, and a bounded search for each beginning of a tag that does not
/// end.
pub fn tags(bytes: &[u8]) -> Vec<Pair> {
    nested_tags(bytes).finish()
}

/// [`tags`], and those that are never closed.
pub fn open_tags(bytes: &[u8]) -> Vec<Pair> {
    nested_tags(bytes).finish_open(bytes.len())
}

/// Reads openers and closers from the left; a tag that closes itself (`<br/>`) is neither.
fn nested_tags(bytes: &[u8]) -> Nesting<Vec<u8>> {
    let mut nesting = Nesting::new();
    let mut offset = 0;
    while offset + 1 < bytes.len() {
        let rest = &bytes[offset..];
        let (is_close, lead, end): (bool, usize, &[u8]) = if rest.starts_with(b"</") {
            (true, 2, b">")
        } else if rest.starts_with(b"{{/") {
            (true, 3, b"}}")
        } else if rest.starts_with(b"{{#") {
            (false, 3, b"}}")
        } else if rest[0] == b'<' && rest[1].is_ascii_alphabetic() {
            (false, 1, b">")
        } else {
            offset += 1;
            continue;
        };
        // Marks between the lead and the name, such as `{{#>` or `{{#*`, belong to no name.
        let skipped = rest[lead..].iter().take(3).take_while(|byte| !is_word(**byte)).count();
        let name_at = lead + skipped;
        let name: Vec<u8> = rest[name_at..]
            .iter()
            .take(128)
            .take_while(|byte| is_word(**byte) || matches!(byte, b':' | b'-' | b'.'))
            .copied()
            .collect();
        let tail = &rest[name_at + name.len()..];
        let tail = &tail[..tail.len().min(4096)];
        let Some(length) = tail.windows(end.len()).position(|window| window == end) else {
            offset += lead;
            continue;
        };
        let tag_end = offset + name_at + name.len() + length + end.len();
        let at = offset as u32..tag_end as u32;
        let is_alone = length > 0 && end == b">" && tail[length - 1] == b'/';
        if is_close {
            nesting.close(&name, at);
        } else if !is_alone {
            nesting.open(name, at);
        }
        offset = tag_end;
    }
    nesting
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_one_name_are_a_pair() {
        let text = r#"<a x="1"><br/><b>t</b></a>{{#>(f y)}}z{{/f}}<p>"#;
        let found: Vec<&str> =
            tags(text.as_bytes()).iter().map(|pair| &text[pair.whole()]).collect();
        assert_eq!(
            found,
            [&text[..26], "<b>t</b>", "{{#>(f y)}}z{{/f}}"],
            "self-closing and unclosed tags are in no pair"
        );
    }
}
