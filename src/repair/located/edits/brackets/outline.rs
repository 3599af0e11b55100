//! Which brackets are open by the outline that lines and indentation show, also where others are the ones without a
//! partner: a closing bracket belongs to the innermost open one, and the outermost is left over.
//!
//! It proposes no edit. What it finds are hints, because a text may be indented in any way.

use std::ops::Range;

use super::code::{closer, code, opener};
use crate::repair::located::proposals::{indent, line, trimmed_end};

/// The first opening bracket at the end of its line whose closing one begins a line that is indented less: its
/// own was probably lost, and that one belongs to an outer bracket.
///
/// Cost: one pass over the text, and a look at two lines for each closing bracket.
pub(super) fn closed_too_late(text: &[u8]) -> Option<usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut found = None;
    code(text, |at, byte| {
        if closer(byte).is_some() {
            open.push(at);
        } else if let Some(start) = opener(byte).and_then(|_| open.pop()) {
            let (first, last) = (line(text, start), line(text, at));
            let begins_line = last.start + indent(text, &last) == at;
            let ends_line = trimmed_end(text, &first) == start + 1;
            if begins_line && ends_line && indent(text, &last) < indent(text, &first) {
                found.get_or_insert(start);
            }
        }
    });
    found
}

/// The first opening bracket in the middle of a line that is not closed on it, if the next line is not indented more:
/// its closing one was probably lost.
///
/// Arguments that continue on the next line are mostly indented more, so they are not found. Cost: one pass over the
/// text, and a look at two lines for each opening bracket.
pub(super) fn left_open(text: &[u8]) -> Option<usize> {
    // Where each begins, and the end of its line until that was passed.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    let mut found = None;
    code(text, |at, byte| {
        if let Some((start, end_of_line)) = open.last_mut()
            && let Some(end) = end_of_line.take_if(|end| *end < at)
        {
            let own = line(text, *start);
            let next = end + text[end..].len() - text[end..].trim_ascii_start().len();
            let is_inner = trimmed_end(text, &own) > *start + 1;
            if is_inner && indent(text, &line(text, next)) <= indent(text, &own) {
                found.get_or_insert(*start);
            }
        }
        if closer(byte).is_some() {
            open.push((at, memchr::memchr(b'\n', &text[at..]).map(|length| at + length)));
        } else if opener(byte).is_some() {
            open.pop();
        }
    });
    found
}

/// Whether the opener at `at` ends its line, and the next line that is not blank is indented more.
///
/// `own` is the line of the opener. At the end of the text there is no next line, so the answer is no.
pub(super) fn opens_block(text: &[u8], at: usize, own: &Range<usize>) -> bool {
    let after = &text[own.end..];
    let next = own.end + after.len() - after.trim_ascii_start().len();
    trimmed_end(text, own) == at + 1
        && next < text.len()
        && indent(text, &line(text, next)) > indent(text, own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_whose_closing_one_is_indented_less_has_lost_its_own() {
        let text = b"f {\n  if {\n    a;\n  b;\n}\ng {\n  c;\n}\n";
        assert_eq!(closed_too_late(text), Some(9));
        assert_eq!(closed_too_late(b"f {\n  if {\n    a;\n  }\n}\n"), None);
    }

    #[test]
    fn a_bracket_that_its_line_does_not_close_is_left_open_unless_the_next_line_is_indented_more() {
        let text = b"f {\n  g { a\n  h\n}\n";
        assert_eq!(left_open(text), Some(8));
        assert_eq!(left_open(b"f(a,\n  b)\n"), None);
    }

    #[test]
    fn a_block_is_what_is_indented_more_after_a_bracket_at_the_end_of_a_line() {
        let text = b"f {\n  a;\n}\n";
        assert!(opens_block(text, 2, &(0..3)));
        assert!(!opens_block(b"f {\n};\n", 2, &(0..3)));
    }
}
