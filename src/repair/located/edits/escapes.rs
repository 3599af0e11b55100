//! Edits of bytes that have to be escaped in XML, HTML and what looks like them: `<` and `&`.

use super::tags::{Tag, is_name, tags};
use super::words::is_whole;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;
use seedsmith_grammar::internal::is_word;

/// The cost of escaping a byte that has to be escaped (a logarithm, negative because it is likelier
/// than edits that drop it).
const ESCAPE_COST: f32 = -4.0;
/// The cost of deleting it where it parts a word that the text has elsewhere (a logarithm): less than that of
/// escaping it.
const IN_WORD_COST: f32 = ESCAPE_COST - 1.0;
/// The cost of escaping a `<` after which a name begins and no `>` follows (a logarithm): more, because the
/// `>` may be lost. Not measured.
const UNENDED_COST: f32 = -1.0;
/// How much likelier it is that a reference has lost its semicolon than the model makes it (a logarithm). As for
/// lost tags; not measured.
const SEMICOLON_GAIN: f32 = 3.0;
/// Bytes before a fault in which stray bytes are escaped: some lines, because a stray `<` is reported at
/// the next tag. Not measured.
const REGION_BYTES_BEFORE: usize = 600;

/// Whether the byte at `at` is within a word that the text has elsewhere without it.
fn parts_known_word(text: &[u8], at: usize) -> bool {
    let left = text[..at].iter().rev().take_while(|byte| is_word(**byte)).count();
    let right = text[at + 1..].iter().take_while(|byte| is_word(**byte)).count();
    let word = [&text[at - left..at], &text[at + 1..at + 1 + right]].concat();
    let mut found = memchr::memmem::find_iter(text, &word);
    left > 0 && right > 0 && found.any(|at| is_whole(text, at..at + word.len()))
}

/// Adds edits that escape bytes which begin neither a tag nor a reference.
///
/// Both are likely damage whatever the model says of the bytes, so they are added by rule. A
/// reference without its semicolon gets one as well.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let (tags, stray) = tags(text);
    let from = proposals.fault.at.saturating_sub(REGION_BYTES_BEFORE).min(proposals.fault.from);
    let until = text.len().min(proposals.fault.at + 60);
    let from = from.max(proposals.fault.at.saturating_sub(8 * REGION_BYTES_BEFORE));
    let drop_in_word = |proposals: &mut Proposals<'_>, at: usize| {
        if parts_known_word(text, at) {
            proposals.add_by_rule(Edit::delete(at..at + 1), EditKind::BadByte, IN_WORD_COST);
        }
    };
    for at in stray.iter().copied().filter(|at| (from..until).contains(at)) {
        drop_in_word(proposals, at);
        proposals.add_by_rule(Edit::new(at..at + 1, *b"&lt;"), EditKind::BadByte, ESCAPE_COST);
    }
    // What looks like a tag and does not end before the next one is rather a sign.
    let is_open = |tag: &&Tag| {
        (from..until).contains(&tag.span.start) && !text[tag.span.clone()].ends_with(b">")
    };
    for at in tags.iter().filter(is_open).map(|tag| tag.span.start) {
        drop_in_word(proposals, at);
        proposals.add_by_rule(Edit::new(at..at + 1, *b"&lt;"), EditKind::BadByte, UNENDED_COST);
    }
    for at in (from..until).filter(|at| text[*at] == b'&') {
        let rest = &text[at + 1..];
        let length = rest.iter().take_while(|byte| is_name(**byte) || **byte == b'#').count();
        if length > 0 && rest.get(length) == Some(&b';') {
            continue;
        }
        drop_in_word(proposals, at);
        // Four bytes more, which no model of bytes likes.
        proposals.add_by_rule(Edit::insert(at + 1, *b"amp;"), EditKind::BadByte, ESCAPE_COST);
        proposals.add(Edit::delete(at..at + 1), EditKind::BadByte, 0.0);
        if length > 0 {
            proposals.add(
                Edit::insert(at + 1 + length, *b";"),
                EditKind::Separator,
                SEMICOLON_GAIN,
            );
            let known: [&[u8]; 5] = [b"amp", b"lt", b"gt", b"quot", b"apos"];
            for name in known {
                if rest[..length].starts_with(name) {
                    proposals.add(
                        Edit::insert(at + 1 + name.len(), *b";"),
                        EditKind::Separator,
                        SEMICOLON_GAIN,
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_within_a_word_that_the_text_has_elsewhere_parts_it() {
        let text = b"<a>fish and chi&ps, chips & fish</a>";
        assert!(parts_known_word(text, 15));
        assert!(!parts_known_word(text, 26));
        assert!(!parts_known_word(b"<a>R&D</a>", 4));
    }
}
