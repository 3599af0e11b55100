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
/// How much likelier an indentation is one byte off if no line nearby has it (a logarithm). Not measured.
const LONE_INDENT_GAIN: f32 = 4.0;
/// The cost of each blank that is dropped after the first (a logarithm). Not measured.
const DROPPED_BLANK_COST: f32 = 1.0;
/// The cost of a colon or an equals sign after the first word of a line (a logarithm): low, because most lines have one
/// there. Not measured.
const LOST_SEPARATOR_COST: f32 = -10.0;
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
        lost_separator(proposals, &row);
        let mut widths = neighbours(proposals, &row);
        let shared = widths.len();
        for step in [1, 2, 4] {
            widths.push(own + step);
            widths.extend(own.checked_sub(step));
        }
        for (index, width) in widths.iter().copied().enumerate() {
            if width == own {
                continue;
            }
            let bonus = if index < shared { SHARED_INDENT_GAIN } else { 0.0 };
            // One byte more or less is the likeliest damage.
            let bonus = bonus + if width.abs_diff(own) == 1 { 2.0 } else { 0.0 };
            let is_lone = index < shared && width.abs_diff(own) == 1 && !widths.contains(&own);
            let bonus = bonus + if is_lone { LONE_INDENT_GAIN } else { 0.0 };
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

/// Adds the colon or the equals sign after the first word of a line that has none, in a text of which most lines have
/// one there, with the blanks that they have around it.
fn lost_separator(proposals: &mut Proposals<'_>, row: &std::ops::Range<usize>) {
    let text = proposals.text;
    let Some((end, next)) = after_first_word(&text[row.clone()]) else { return };
    let blanks = next.len() - next.trim_ascii_start().len();
    if blanks == 0 || blanks == next.len() {
        return;
    }
    let (mut all, mut seen): (usize, Vec<(Vec<u8>, usize)>) = (0, Vec::new());
    for other in text.split(|byte| *byte == b'\n').take(MAX_COUNTED_LINES) {
        // Headings and comments have no separator.
        if other.trim_ascii_start().first().is_none_or(|byte| b"[#;".contains(byte)) {
            continue;
        }
        all += 1;
        let Some((_, next)) = after_first_word(other) else { continue };
        let length = next.iter().take_while(|byte| b" :=".contains(byte)).count();
        let separator = &next[..length];
        if separator.trim_ascii().len() == 1 {
            match seen.iter_mut().find(|(known, _)| known == separator) {
                Some((_, times)) => *times += 1,
                None => seen.push((separator.to_vec(), 1)),
            }
        }
    }
    if let Some((separator, times)) = seen.into_iter().max_by_key(|(_, times)| *times)
        && 2 * times > all
    {
        let span = row.start + end..row.start + end + blanks;
        let edit = Edit::new(span, separator);
        proposals.add_by_rule(edit, EditKind::Separator, LOST_SEPARATOR_COST);
    }
}

/// Where the first word of a line ends, after the mark of an item if it has one, and what follows it.
fn after_first_word(row: &[u8]) -> Option<(usize, &[u8])> {
    let inner = row.trim_ascii_start();
    let inner = inner.strip_prefix(b"- ").unwrap_or(inner).trim_ascii_start();
    let is_key = |byte: &&u8| is_word(**byte) || **byte == b'-';
    let length = inner.iter().take_while(is_key).count();
    (length > 0).then(|| (row.len() - inner.len() + length, &inner[length..]))
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

#[cfg(test)]
mod tests {
    use super::super::testing::edited;
    use super::*;

    #[test]
    fn a_key_gets_the_separator_that_other_keys_have() {
        for (whole, text) in [
            ("[a]\nhost = x\nport = 8\nuser = y\n", "[a]\nhost = x\nport 8\nuser = y\n"),
            ("a: 1\nb: 2\n- c: 3\n", "a: 1\nb: 2\n- c 3\n"),
        ] {
            let at = text.find(" 8").or(text.find(" 3")).unwrap();
            assert_eq!(edited(text, at, propose, 1), [whole]);
        }
    }

    #[test]
    fn a_line_whose_indentation_no_other_has_gets_that_of_the_lines_beside_it() {
        let whole =
            "jobs:\n  test:\n    runs-on: x\n    steps:\n      - name: y\n        uses: z\n";
        let text = whole.replace("    runs", "   runs");
        let found = edited(&text, text.find("steps").unwrap(), propose, 3);
        assert!(found.contains(&whole.to_owned()), "{found:#?}");
    }
}
