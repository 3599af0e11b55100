//! Edits that give a line the signs that other lines of the text have: a sign too few, too many or wrong in a
//! line that otherwise looks like many others.
//!
//! Lines are compared by their shape: words, numbers and strings count as values, every other byte as itself. It
//! does not know any format.

mod ends;
mod first_words;
mod starts;

use std::collections::HashMap;
use std::ops::Range;

use super::brackets::string_end;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, indent, trimmed_end};
use seedsmith_grammar::internal::is_word;

/// The cost of such an edit if one other line has the shape (a logarithm): less than that of a separator that
/// any text may lack, because this one has an example. Not measured.
const ALIKE_COST: f32 = -5.0;
/// The additional cost of an edit that loses a sign (a logarithm), because one that is only added keeps all of the
/// text. Not measured.
const REPLACED_SIGN_COST: f32 = 3.0;
/// The cost of taking the signs of a line that has the same words in the same order (a logarithm): low, because two
/// such lines are hardly there by chance. Not measured.
const SAME_WORDS_COST: f32 = -10.0;
/// Lines with fewer tokens are not compared by shape, because two tokens are like many lines. Not measured.
const MIN_TOKENS: usize = 3;
/// Shapes that are compared, the most frequent ones first, because rare ones are no example. Not measured.
const MAX_SHAPES: usize = 24;
/// Lines of the text that are compared, so that one fault of a long text takes no longer.
const MAX_LINES: usize = 4_000;
/// Longer lines are not compared, because they are data.
const MAX_LINE_BYTES: usize = 400;
/// Signs that a line with the same words may have more or less, in bytes: two brackets on either side, because more
/// are another line. Not measured.
const MAX_OTHER_SIGNS: usize = 4;

/// A value in a shape: a word, a number or a string.
const VALUE: u8 = b'a';

/// The tokens of a line: what each is in its shape, and where it is.
struct Line {
    shape: Vec<u8>,
    spans: Vec<Range<usize>>,
}

impl Line {
    fn of(text: &[u8], row: &Range<usize>) -> Self {
        let mut line = Line { shape: Vec::new(), spans: Vec::new() };
        let mut at = row.start;
        while at < row.end {
            let byte = text[at];
            let (kind, end) = match byte {
                _ if byte.is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                b'"' | b'\'' => match string_end(text, at) {
                    Some(end) => (VALUE, end),
                    None => (byte, at + 1),
                },
                _ if is_word(byte) => {
                    let more = |byte: &&u8| is_word(**byte) || **byte == b'.';
                    let length = text[at..row.end].iter().take_while(more).count();
                    (VALUE, at + length)
                }
                _ => (byte, at + 1),
            };
            line.shape.push(kind);
            line.spans.push(at..end);
            at = end;
        }
        line
    }

    /// The blanks before a token. Those before the first are the indentation, and none of the line's.
    fn gap<'t>(&self, text: &'t [u8], index: usize) -> &'t [u8] {
        match (index.checked_sub(1), self.spans.get(index)) {
            (Some(before), Some(own)) => &text[self.spans[before].end..own.start],
            _ => b"",
        }
    }

    /// The values, one after the other.
    fn values<'t>(&self, text: &'t [u8]) -> Vec<&'t [u8]> {
        let all = self.shape.iter().zip(&self.spans);
        all.filter(|(kind, _)| **kind == VALUE).map(|(_, span)| &text[span.clone()]).collect()
    }
}

/// The shape of the line at `row`: one byte for each token, the same for all values.
pub(in crate::repair::located) fn shape(text: &[u8], row: &Range<usize>) -> Vec<u8> {
    Line::of(text, row).shape
}

/// Adds edits that make lines near the fault like other lines of the text.
///
/// Costs no test, and one pass over the lines of the text.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    ends::propose(proposals);
    first_words::propose(proposals);
    starts::propose(proposals);
    let text = proposals.text;
    let near = proposals.lines();
    let mut others: HashMap<Vec<u8>, (u32, Range<usize>)> = HashMap::new();
    let mut rows = Vec::new();
    let mut start = 0;
    for row in text.split(|byte| *byte == b'\n').take(MAX_LINES) {
        let own = start..start + row.len();
        start = own.end + 1;
        if !near.contains(&own) && (1..=MAX_LINE_BYTES).contains(&own.len()) {
            let shape = Line::of(text, &own).shape;
            others.entry(shape).or_insert_with(|| (0, own.clone())).0 += 1;
            rows.push(own);
        }
    }
    let mut shapes: Vec<(Vec<u8>, u32, Range<usize>)> =
        others.into_iter().map(|(shape, (times, row))| (shape, times, row)).collect();
    shapes.sort_by_key(|(_, times, row)| (std::cmp::Reverse(*times), row.start));
    for row in near.into_iter().filter(|row| row.len() <= MAX_LINE_BYTES) {
        let own = Line::of(text, &row);
        same_words(proposals, &row, &own, &rows);
        let is_known = shapes.iter().any(|(shape, ..)| *shape == own.shape);
        if is_known || own.shape.len() < MIN_TOKENS {
            continue;
        }
        for (shape, times, other) in
            shapes.iter().filter(|(shape, ..)| shape.len() >= MIN_TOKENS).take(MAX_SHAPES)
        {
            if own.shape.len().abs_diff(shape.len()) <= 1 {
                let cost = ALIKE_COST - (*times as f32).ln();
                alike(proposals, &own, &Line::of(text, other), cost);
            }
        }
    }
}

/// Adds the edit of one sign that gives `own` the shape of `other`, if there is one. Values stay as they are.
fn alike(proposals: &mut Proposals<'_>, own: &Line, other: &Line, cost: f32) {
    let text = proposals.text;
    let (left, right) = (&own.shape, &other.shape);
    let head = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let longest = left.len().max(right.len());
    if head + tail + 1 < longest || head >= longest {
        return;
    }
    let before = head.checked_sub(1).map(|index| own.spans[index].end);
    if right.len() == left.len() + 1 && right[head] != VALUE {
        // The sign that all the others have.
        let (start, end) = (before, own.spans.get(head).map(|span| span.start));
        let sign = &text[other.spans[head].clone()];
        let after = other.gap(text, head + 1);
        let (Some(start), end) = (start, end.or(before)) else { return };
        let new = [other.gap(text, head), sign, after].concat();
        proposals.add_by_rule(
            Edit::new(start..end.unwrap_or(start), new),
            EditKind::Separator,
            cost,
        );
    } else if left.len() == right.len() + 1 && left[head] != VALUE {
        let end = own.spans.get(head + 1).map_or(own.spans[head].end, |span| span.start);
        let start = before.unwrap_or(own.spans[head].start);
        proposals.add_by_rule(
            Edit::new(start..end, other.gap(text, head)),
            EditKind::Separator,
            cost,
        );
    } else if left.len() == right.len() && head + tail + 1 == left.len() && right[head] != VALUE {
        let sign = &text[other.spans[head].clone()];
        let edit = Edit::new(own.spans[head].clone(), sign);
        proposals.add_by_rule(edit, EditKind::Separator, cost + REPLACED_SIGN_COST);
    }
}

/// Adds the signs of a line that has the same words in the same order, as `[[bin]]` has for `[bin]`.
fn same_words(
    proposals: &mut Proposals<'_>,
    row: &Range<usize>,
    own: &Line,
    rows: &[Range<usize>],
) {
    let text = proposals.text;
    let values = own.values(text);
    if values.iter().map(|value| value.len()).sum::<usize>() < 2 {
        return;
    }
    let line =
        row.start + indent(text, row)..trimmed_end(text, row).max(row.start + indent(text, row));
    for other in rows {
        let content = text[other.clone()].trim_ascii();
        if content.len().abs_diff(line.len()) > MAX_OTHER_SIGNS || *content == text[line.clone()] {
            continue;
        }
        if Line::of(text, other).values(text) == values {
            proposals.add_by_rule(
                Edit::new(line.clone(), content),
                EditKind::Copy,
                SAME_WORDS_COST,
            );
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that the edits of a text with its fault at `shows` make.
    fn edited(text: &str, shows: &str) -> Vec<String> {
        super::super::testing::edited(text, text.find(shows).unwrap(), propose, 3)
    }

    const ROWS: &str =
        "put a (1, 'one');\nput b (2, NULL);\nput c (3.5, 'two');\nput d (4, 'x');\n";

    #[test]
    fn a_line_gets_the_sign_that_lines_of_its_shape_have() {
        for (right, wrong) in [
            ("(2, NULL", "(2 NULL"),
            ("(3.5,", "3.5,"),
            ("'two');", "'two';"),
            ("'x');", "'x'];"),
            ("b (2, NULL)", "b (2, NULL))"),
            ("d (4", "d ((4"),
        ] {
            let text = ROWS.replacen(right, wrong, 1);
            let found = edited(&text, wrong);
            assert!(found.contains(&ROWS.to_owned()), "{wrong}: {found:#?}");
        }
    }

    #[test]
    fn a_line_with_the_same_words_lends_its_signs() {
        let whole = "[[bin]]\nname = 1\n\n[[bin]]\nname = 2\n";
        let text = "[[bin]]\nname = 1\n\n[bin]\nname = 2\n";
        assert_eq!(edited(text, "[bin]\nname = 2")[0], whole);
    }

    #[test]
    fn a_line_that_looks_like_others_gets_no_other_signs() {
        assert!(edited(ROWS, "put b").is_empty());
    }
}
