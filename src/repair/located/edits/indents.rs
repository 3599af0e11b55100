//! Edits of indentation, for formats in which it means something.

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, indent};

/// How much likelier an indentation is that another line nearby has (a logarithm), because blocks share
/// theirs. Not measured.
const SHARED_INDENT_GAIN: f32 = 3.0;
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
