//! Edits of blocks that words open and close, as `if` and `fi` do: a block whose last line is lost gets it again.
//!
//! Only indentation shows where such a block ends. A text that is not indented gets no edit.

use std::ops::Range;

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, indent, line, trimmed_end};
use seedsmith_grammar::internal::is_word;

/// Words that close a block, and the first words of lines that open it.
const PAIRS: [(&[u8], &[&[u8]]); 4] = [
    (b"fi", &[b"if"]),
    (b"done", &[b"for", b"while", b"until"]),
    (b"esac", &[b"case"]),
    (
        b"end",
        &[
            b"def",
            b"class",
            b"module",
            b"if",
            b"unless",
            b"while",
            b"until",
            b"for",
            b"case",
            b"begin",
            b"function",
            b"local",
        ],
    ),
];
/// First words of lines within a block that are indented as its first line.
const MIDDLE: [&[u8]; 9] =
    [b"else", b"elif", b"elsif", b"elseif", b"then", b"do", b"when", b"rescue", b"ensure"];
/// The cost of the lost line (a logarithm): low, because the fault is often reported at the end of the text, and the
/// distance to it costs up to 15. Not measured.
const LOST_LINE_COST: f32 = -14.0;
/// How much likelier the blank line before the fault is the lost one (a logarithm): more than the 1.7 that its distance costs.
const BLANK_LINE_GAIN: f32 = 3.0;
/// Blocks that are closed, the nearest to the fault, because each costs a test. Not measured.
const MAX_BLOCKS: usize = 4;
/// Lines that are looked at, so that one fault of a long text takes no longer.
const MAX_LINES: usize = 4_000;

/// Adds the last lines of blocks that have none. Costs no test, and one pass over the lines of the text.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let rows: Vec<Range<usize>> = rows(text);
    // A text of a language without such words.
    if !rows.iter().any(|row| PAIRS.iter().any(|(word, _)| first_word(text, row) == *word)) {
        return;
    }
    for (close, openers) in PAIRS {
        let has = |word: &[u8]| rows.iter().any(|row| first_word(text, row) == word);
        // The languages with `end` have none of the other words.
        let is_used = has(close) || close != b"end" && !has(b"end");
        let opens = |row: &Range<usize>| openers.contains(&first_word(text, row));
        let mut unclosed: Vec<(usize, usize)> = (0..rows.len())
            .filter(|index| is_used && opens(&rows[*index]))
            .filter_map(|index| Some((rows[index].start, lost_end(text, &rows[index..], close)?)))
            .collect();
        let fault = proposals.fault.at;
        unclosed.sort_by_key(|(_, end)| end.abs_diff(fault));
        for (start, end) in unclosed.into_iter().take(MAX_BLOCKS) {
            let own = line(text, start);
            let margin = &text[own.start..own.start + indent(text, &own)];
            let mut new = [margin, close, b"\n"].concat();
            // The line that has lost its word is still there.
            if text[..end].ends_with(b"\n\n") {
                let edit = Edit::insert(end - 1, [margin, close].concat());
                proposals.add_by_rule(edit, EditKind::Separator, LOST_LINE_COST - BLANK_LINE_GAIN);
            }
            if end == text.len() && !text.ends_with(b"\n") {
                new = [b"\n", margin, close].concat();
            }
            proposals.add_by_rule(Edit::insert(end, new), EditKind::Separator, LOST_LINE_COST);
        }
    }
}

/// The lines of a text that are not blank.
fn rows(text: &[u8]) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < text.len() && rows.len() < MAX_LINES {
        let row = line(text, at);
        at = row.end + 1;
        if trimmed_end(text, &row) > row.start {
            rows.push(row);
        }
    }
    rows
}

/// The first word of a line; empty if it begins with a sign.
fn first_word<'t>(text: &'t [u8], row: &Range<usize>) -> &'t [u8] {
    let start = row.start + indent(text, row);
    let length = text[start..row.end].iter().take_while(|byte| is_word(**byte)).count();
    &text[start..start + length]
}

/// Where the last line of the block that `rows` begin with is lost: before the first line that is indented no more
/// than its first one. `None` if that line closes the block, or no line is indented more.
fn lost_end(text: &[u8], rows: &[Range<usize>], close: &[u8]) -> Option<usize> {
    let (first, rest) = rows.split_first()?;
    let depth = indent(text, first);
    rest.first().filter(|next| indent(text, next) > depth)?;
    for row in rest.iter().filter(|row| indent(text, row) <= depth) {
        let word = first_word(text, row);
        if indent(text, row) == depth {
            if MIDDLE.contains(&word) {
                continue;
            }
            if word == close {
                return None;
            }
        }
        return Some(row.start);
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::edited;
    use super::*;

    #[test]
    fn a_block_gets_the_line_again_that_closes_it() {
        let whole =
            "for a in b; do\n    if [ c ]; then\n        d\n    else\n        e\n    fi\ndone\n";
        for (lost, shows) in [("    fi\n", "done"), ("done\n", "fi")] {
            let text = whole.replace(lost, "");
            let at = text.find(shows).unwrap();
            assert_eq!(edited(&text, at, propose, 3), [whole], "{lost}");
        }
        assert!(edited(whole, 5, propose, 3).is_empty());
    }

    #[test]
    fn a_blank_line_before_the_end_of_an_outer_block_gets_the_lost_word() {
        let whole = "function f()\n  if a then\n    b\n  end\nend\n";
        let text = whole.replace("  end\n", "\n");
        assert_eq!(edited(&text, text.len() - 4, propose, 1), [whole]);
    }

    #[test]
    fn a_text_without_such_words_gets_no_line() {
        assert!(edited("if a:\n    b\nc = (\n", 12, propose, 3).is_empty());
    }
}
