//! Edits of indentation, for formats in which it means something.

use std::ops::Range;

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, indent, line};
use seedsmith_grammar::internal::is_word;

/// How much likelier an indentation is that another line nearby has (a logarithm), because blocks share
/// theirs. Not measured.
const SHARED_INDENT_GAIN: f32 = 3.0;
/// How much likelier the indentation of the line above is if only one of the two has tabs (a logarithm): as
/// much as what a message asks for, and a byte more. Not measured.
const OTHER_BLANKS_GAIN: f32 = 8.0;
/// The cost of an indentation of other blanks that lines nearby have (a logarithm): about what the model makes of an edit that
/// drops the blanks, because a text has either tabs or blanks. Not measured.
const OTHER_BLANKS_COST: f32 = -30.0;
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
/// The cost of a lost mark of an item (a logarithm): low, because the line beside it has one at the same indentation, and
/// a little higher than that of a separator. Not measured.
const LOST_ITEM_MARK_COST: f32 = -8.0;
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
        of_other_blanks(proposals, &row);
        lost_separator(proposals, &row);
        lost_colon(proposals, &row);
        lost_item_mark(proposals, &row);
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
fn lost_separator(proposals: &mut Proposals<'_>, row: &Range<usize>) {
    let text = proposals.text;
    let Some((end, next)) = after_first_word(&text[row.clone()]) else { return };
    let blanks = next.len() - next.trim_ascii_start().len();
    if blanks == 0 || blanks == next.len() {
        return;
    }
    let (mut all, mut seen): (usize, Vec<(Vec<u8>, usize)>) = (0, Vec::new());
    for other in text.split(|byte| *byte == b'\n').take(MAX_COUNTED_LINES) {
        // Headings, comments and ends of blocks have no separator, and other blocks may have another.
        let depth = indent(other, &(0..other.len()));
        if other.trim_ascii_start().first().is_none_or(|byte| b"[#;})]".contains(byte))
            || depth != indent(text, row)
        {
            continue;
        }
        all += 1;
        let Some((_, next)) = after_first_word(other) else { continue };
        let length = next.iter().take_while(|byte| b" :=".contains(byte)).count();
        let separator = &next[..length];
        if separator.trim_ascii().len() == 1 {
            // Signs in a column have different blanks before them.
            let sign = separator.trim_ascii();
            match seen.iter_mut().find(|(known, _)| known.trim_ascii() == sign) {
                Some((known, times)) => {
                    if separator.len() < known.len() {
                        *known = separator.to_vec();
                    }
                    *times += 1;
                }
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

/// Adds the colon at the end of a line that is one word, before lines that are indented more, in a text in which
/// other such lines have it.
fn lost_colon(proposals: &mut Proposals<'_>, row: &Range<usize>) {
    let text = proposals.text;
    let own = text[row.clone()].trim_ascii_end();
    let is_word_alone = after_first_word(own).is_some_and(|(_, next)| next.is_empty());
    let opens = |row: &Range<usize>| {
        next_line(text, row).is_some_and(|next| indent(text, &next) > indent(text, row))
    };
    if !is_word_alone || !opens(row) {
        return;
    }
    let mut start = 0;
    let has_example = text.split(|byte| *byte == b'\n').take(MAX_COUNTED_LINES).any(|other| {
        let span = start..start + other.len();
        start = span.end + 1;
        let next = after_first_word(other.trim_ascii_end()).map(|(_, next)| next);
        next == Some(b":") && opens(&span)
    });
    if has_example {
        let edit = Edit::insert(row.start + own.len(), *b":");
        proposals.add_by_rule(edit, EditKind::Separator, LOST_SEPARATOR_COST);
    }
}

/// Adds the mark `- ` of an item if the next line or the one before has one, and the row is indented as if it had lost the
/// mark or all but a blank of it. A key of the item above is indented by two more bytes than its mark.
fn lost_item_mark(proposals: &mut Proposals<'_>, row: &Range<usize>) {
    let text = proposals.text;
    let width = indent(text, row);
    if text[row.start + width..row.end].starts_with(b"- ") {
        return;
    }
    let before = text[..row.start].trim_ascii_end().len().checked_sub(1);
    let beside = [next_line(text, row), before.map(|at| proposals.line(at))];
    for other in beside.into_iter().flatten() {
        let depth = indent(text, &other);
        let is_item = text[other.start + depth..other.end].starts_with(b"- ");
        if is_item && (width == depth || width == depth + 1) {
            let new = [&text[other.start..other.start + depth], b"- "].concat();
            let edit = Edit::new(row.start..row.start + width, new);
            proposals.add_by_rule(edit, EditKind::Separator, LOST_ITEM_MARK_COST);
        }
    }
}

/// The first line after a row that is not blank.
fn next_line(text: &[u8], row: &Range<usize>) -> Option<Range<usize>> {
    let after = text.get(row.end + 1..)?;
    let start = text.len() - after.trim_ascii_start().len();
    (start < text.len()).then(|| line(text, start))
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
fn as_above(proposals: &mut Proposals<'_>, row: &Range<usize>) {
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

/// Adds indentations of lines nearby that have tabs where this one has blanks, or blanks where it has tabs, if more lines
/// nearby are indented so.
fn of_other_blanks(proposals: &mut Proposals<'_>, row: &Range<usize>) {
    let text = proposals.text;
    let own = row.start..row.start + indent(text, row);
    let margin = |near: Range<usize>| &text[near.start..near.start + indent(text, &near)];
    let margins = rows_nearby(text, row).into_iter().map(margin);
    let margins: Vec<&[u8]> = margins.filter(|margin| !margin.is_empty()).collect();
    let has_tab = |margin: &[u8]| margin.contains(&b'\t');
    let is_other = |margin: &&&[u8]| has_tab(margin) != has_tab(&text[own.clone()]);
    let others: Vec<&[u8]> = margins.iter().filter(is_other).copied().collect();
    if own.is_empty() || 2 * others.len() <= margins.len() {
        return;
    }
    let mut tried: Vec<&[u8]> = Vec::new();
    for margin in others {
        if !tried.contains(&margin) {
            let edit = Edit::new(own.clone(), margin);
            proposals.add_by_rule(edit, EditKind::Copy, OTHER_BLANKS_COST + tried.len() as f32);
            tried.push(margin);
        }
    }
}

/// The indentations of lines nearby, each once, the closest first. In bytes: a tab counts as one.
fn neighbours(proposals: &Proposals<'_>, row: &Range<usize>) -> Vec<usize> {
    let mut widths = Vec::new();
    for near in rows_nearby(proposals.text, row) {
        let width = indent(proposals.text, &near);
        if !widths.contains(&width) {
            widths.push(width);
        }
    }
    widths
}

/// Lines before and after a row that are not blank, the closest first.
fn rows_nearby(text: &[u8], row: &Range<usize>) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let (mut before, mut after) = (row.clone(), row.clone());
    for _ in 0..MAX_NEIGHBOUR_LINES {
        if before.start > 0 {
            before = line(text, before.start - 1);
            rows.push(before.clone());
        }
        if after.end < text.len() {
            after = line(text, after.end + 1);
            rows.push(after.clone());
        }
    }
    rows.retain(|near| !text[near.clone()].trim_ascii().is_empty());
    rows
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
    fn a_word_before_an_indented_block_gets_the_colon_of_other_such_lines() {
        let whole = "jobs:\n  one:\n    steps:\n      a: 1\n";
        let text = whole.replace("steps:", "steps");
        let found = edited(&text, text.find("a: 1").unwrap(), propose, 1);
        assert_eq!(found, [whole]);
        let none = "jobs\n  one\n    steps\n      a\n";
        let found = edited(none, none.find("a\n").unwrap(), propose, 240);
        assert!(found.iter().all(|text| !text.contains(':')), "{found:#?}");
    }

    #[test]
    fn a_line_gets_the_tab_that_lines_nearby_have() {
        let whole = "a: b\n\tmake a\n\nb: c\n\tmake b\n\nc:\n\trm b\n";
        let text = whole.replace("\tmake b", "        make b");
        let found = edited(&text, text.find("make b").unwrap(), propose, 2);
        assert!(found.contains(&whole.to_owned()), "{found:#?}");
    }

    #[test]
    fn an_item_gets_the_mark_that_the_line_beside_it_has() {
        for (whole, right, wrong) in
            [("env:\n  - A=1\n  - b: c\n", "- A", " A"), ("env:\n  - A=1\n  - b: c\n", "- b", "b")]
        {
            let text = whole.replace(right, wrong);
            let found = edited(&text, text.find("b: c").unwrap(), propose, 3);
            assert!(found.contains(&whole.to_owned()), "{found:#?}");
        }
    }

    #[test]
    fn a_key_of_the_item_above_gets_no_mark() {
        let text = "a:\n  - b: 1\n    c: 2\n  - b: 3\n";
        let found = edited(text, text.find("c: 2").unwrap(), propose, 240);
        assert!(found.iter().all(|text| !text.contains("- c")), "{found:#?}");
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
