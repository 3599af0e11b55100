//! Edits of the starts of lines: a line that was joined with the one before it, and a comment that has lost its sign.

use std::ops::Range;

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, indent, line};
use seedsmith_grammar::internal::is_word;

/// The cost of breaking a line after the sign that opens a block (a logarithm): low, because blanks of an indentation are
/// hardly within a line otherwise. Not measured.
const JOINED_LINE_COST: f32 = -10.0;
/// The cost of a comment's sign before a line of prose (a logarithm): more than that of edits which keep a line of code, because
/// a sign before any line hides its fault. Not measured.
const LOST_COMMENT_COST: f32 = -4.0;
/// Lines before the fault in which a joined line is looked for, because it is reported at the end of the block. Not
/// measured.
const MAX_LINES_BEFORE: usize = 60;
/// Words from which on a line without signs of code is prose. Not measured.
const MIN_PROSE_WORDS: usize = 4;
/// Signs of comments to the end of the line.
const COMMENTS: [&[u8]; 5] = [b"#", b"//", b"--", b";", b"%"];

/// Adds line breaks and signs of comments. Costs no test.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let mut row = line(text, proposals.fault.at.min(text.len()));
    for _ in 0..MAX_LINES_BEFORE {
        joined(proposals, &row);
        if row.start == 0 {
            break;
        }
        row = line(text, row.start - 1);
    }
    for row in proposals.lines() {
        lost_comment(proposals, &row);
    }
}

/// Breaks a line before blanks that are the indentation of the next line and follow a sign that opens a block.
fn joined(proposals: &mut Proposals<'_>, row: &Range<usize>) {
    let text = proposals.text;
    let start = row.start + indent(text, row);
    let Some(next) = (row.end + 1 < text.len()).then(|| line(text, row.end + 1)) else { return };
    let depth = &text[next.start..next.start + indent(text, &next)];
    if depth.len() < 2 || depth.len() <= start - row.start {
        return;
    }
    let own = &text[start..row.end];
    for at in memchr::memmem::find_iter(own, depth).map(|at| start + at) {
        let end = at + depth.len();
        let opens = at > start && b":{(;".contains(&text[at - 1]);
        let is_whole = text.get(end).is_some_and(|byte| !byte.is_ascii_whitespace());
        if opens && is_whole {
            let edit = Edit::insert(at, *b"\n");
            proposals.add_by_rule(edit, EditKind::Separator, JOINED_LINE_COST);
        }
    }
}

/// Puts the sign of a comment before a line of prose, if other lines of the text begin with one.
fn lost_comment(proposals: &mut Proposals<'_>, row: &Range<usize>) {
    let text = proposals.text;
    let own = text[row.clone()].trim_ascii();
    let words =
        own.split(u8::is_ascii_whitespace).filter(|word| word.first().is_some_and(|b| is_word(*b)));
    let is_code = own.iter().any(|byte| b"=(){}[]<>;".contains(byte));
    let is_prose = own.first().is_some_and(|byte| is_word(*byte)) && !is_code;
    if !is_prose || words.count() < MIN_PROSE_WORDS {
        return;
    }
    let has_comment = |sign: &&&[u8]| {
        let spaced = [**sign, b" "].concat();
        text.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_start().starts_with(&spaced))
    };
    let Some(sign) = COMMENTS.iter().find(has_comment) else { return };
    let start = row.start + indent(text, row);
    let end = text[..row.start].trim_ascii_end().len();
    let above = line(text, end.saturating_sub(1));
    // The blank after the sign may be left over.
    let has_blank = start > row.start && indent(text, &above) + 1 == start - row.start;
    let edit = if has_blank {
        Edit::insert(start - 1, *sign)
    } else {
        Edit::insert(start, [*sign, b" "].concat())
    };
    proposals.add_by_rule(edit, EditKind::Separator, LOST_COMMENT_COST);
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::edited;
    use super::propose;

    #[test]
    fn a_line_that_was_joined_with_the_opener_of_its_block_is_broken_again() {
        let whole = "class A(object):\n    \"\"\"One.\"\"\"\n    def f(self):\n        pass\n";
        let text = whole.replacen("\n", "", 1);
        assert_eq!(edited(&text, text.find("def").unwrap(), propose, 1), [whole]);
        assert!(edited(whole, whole.find("def").unwrap(), propose, 1).is_empty());
    }

    #[test]
    fn a_line_of_prose_gets_the_sign_of_a_comment_that_other_lines_have() {
        let whole =
            "# one\nx = 1\nif x:\n    y = 2\n    # to enable it, return a copy\n    z = 3\n";
        for lost in ["#", "# "] {
            let text = whole.replacen(&format!("{lost} to"), " to", 1);
            let text = text.replacen(&format!("{lost}to"), "to", 1);
            assert_eq!(edited(&text, text.find("enable").unwrap(), propose, 1), [whole], "{text}");
        }
        assert!(edited(whole, whole.find("z =").unwrap(), propose, 1).is_empty());
    }
}
