//! Edits of indentation, for formats in which it means something.

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, indent};
use seedsmith_grammar::internal::is_word;

/// How much likelier an indentation is that another line nearby has (a logarithm), because blocks share
/// theirs. Not measured.
const SHARED_INDENT_GAIN: f32 = 3.0;
/// How much likelier the indentation of the line above is if only one of the two has tabs (a logarithm): as
/// much as what a message asks for, and a byte more. Not measured.
const OTHER_BLANKS_GAIN: f32 = 8.0;
/// How much likelier the indentation of the line above is than those of other lines nearby (a logarithm). Not
/// measured.
const ABOVE_GAIN: f32 = 3.0;
/// The cost of each blank that is dropped after the first (a logarithm). Not measured.
const DROPPED_BLANK_COST: f32 = 1.0;
/// The cost of a colon after the first word of a line (a logarithm): low, because most lines have one there. Not
/// measured.
const LOST_COLON_COST: f32 = -10.0;
/// Lines of which the first word is looked at for that, so that one fault of a long text takes no longer.
const MAX_COUNTED_LINES: usize = 500;
/// Lines before and after whose indentation is tried, because blocks further away have others. Not
/// measured.
const MAX_NEIGHBOUR_LINES: usize = 6;

/// Adds other indentations of the fault's line and the lines beside it: those of lines nearby, and
/// 1, 2 or 4 bytes more or less. Costs no test; blank lines are left alone.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    for row in proposals.lines() {
        let own = indent(text, &row);
        if text[row.clone()].trim_ascii().is_empty() {
            continue;
        }
        as_above(proposals, &row);
        lost_colon(proposals, &row);
        let mut widths = neighbours(proposals, &row);
        let shared = widths.len();
        for step in [1, 2, 4] {
            widths.push(own + step);
            widths.extend(own.checked_sub(step));
        }
        for (index, width) in widths.into_iter().enumerate() {
            if width == own {
                continue;
            }
            let bonus = if index < shared { SHARED_INDENT_GAIN } else { 0.0 };
            // One byte more or less is the likeliest damage.
            let bonus = bonus + if width.abs_diff(own) == 1 { 2.0 } else { 0.0 };
            // Fewer bytes are likelier whatever they are, so the model prefers to drop an indentation.
            let bonus = bonus - DROPPED_BLANK_COST * own.saturating_sub(width + 1) as f32;
            let edit = if width < own {
                Edit::delete(row.start + width..row.start + own)
            } else {
                let fill = text[row.clone()].first().copied().filter(|byte| *byte == b'\t');
                Edit::insert(row.start + own, vec![fill.unwrap_or(b' '); width - own])
            };
            proposals.add(edit, EditKind::Copy, bonus);
        }
    }
}

/// Adds the colon after the first word of a line that has none, in a text of which most lines have one there.
fn lost_colon(proposals: &mut Proposals<'_>, row: &std::ops::Range<usize>) {
    let text = proposals.text;
    // The end of the first word, and whether a colon follows it.
    let first_word = |row: &[u8]| {
        let inner = row.trim_ascii();
        let inner = inner.strip_prefix(b"- ").unwrap_or(inner).trim_ascii_start();
        let is_key = |byte: &&u8| is_word(**byte) || **byte == b'-';
        let length = inner.iter().take_while(is_key).count();
        let start = row.len() - row.trim_ascii_start().len() + row.trim_ascii().len() - inner.len();
        (length > 0).then(|| (start + length, inner.get(length).copied()))
    };
    let (mut keys, mut all) = (0, 0);
    for other in text.split(|byte| *byte == b'\n').take(MAX_COUNTED_LINES) {
        if !other.trim_ascii().is_empty() {
            all += 1;
            keys += usize::from(first_word(other).is_some_and(|(_, next)| next == Some(b':')));
        }
    }
    let Some((end, next)) = first_word(&text[row.clone()]) else { return };
    if 2 * keys > all && next == Some(b' ') {
        let at = row.start + end;
        proposals.add_by_rule(Edit::insert(at, *b":"), EditKind::Separator, LOST_COLON_COST);
    }
}

/// Adds the indentation of the line above, byte for byte: it may have blanks where this one has tabs.
fn as_above(proposals: &mut Proposals<'_>, row: &std::ops::Range<usize>) {
    let text = proposals.text;
    let end = text[..row.start].trim_ascii_end().len();
    if end == 0 {
        return;
    }
    let above = proposals.line(end - 1);
    let margin = &text[above.start..above.start + indent(text, &above)];
    let own = row.start..row.start + indent(text, row);
    let other = &text[own.clone()];
    let has_other_blanks = other.contains(&b'\t') != margin.contains(&b'\t') && !margin.is_empty();
    let bonus = SHARED_INDENT_GAIN + if has_other_blanks { OTHER_BLANKS_GAIN } else { ABOVE_GAIN };
    proposals.add(Edit::new(own, margin), EditKind::Copy, bonus);
}

/// The indentations of lines nearby, each once, the closest first. In bytes: a tab counts as one.
fn neighbours(proposals: &Proposals<'_>, row: &std::ops::Range<usize>) -> Vec<usize> {
    let text = proposals.text;
    let mut widths = Vec::new();
    let mut add = |row: &std::ops::Range<usize>| {
        let width = indent(text, row);
        if !text[row.clone()].trim_ascii().is_empty() && !widths.contains(&width) {
            widths.push(width);
        }
    };
    let (mut before, mut after) = (row.clone(), row.clone());
    for _ in 0..MAX_NEIGHBOUR_LINES {
        if before.start > 0 {
            before = proposals.line(before.start - 1);
            add(&before);
        }
        if after.end < text.len() {
            after = proposals.line(after.end + 1);
            add(&after);
        }
    }
    widths
}
