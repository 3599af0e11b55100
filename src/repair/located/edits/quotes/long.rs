//! Edits of strings of several lines, of comments, and of longer delimiters that lack a byte (`"""`, `-->`).

use std::ops::Range;

use super::{MAX_LINE_BYTES, PAIRING_GAIN, opens};
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, closing_places, trimmed_end};

/// Lines with an odd number of quotation marks that a text may have so that each of them is closed wherever the fault
/// is: more are apostrophes, or strings of several lines.
const MAX_ODD_LINES: usize = 2;
/// The cost of closing one of them (a logarithm): low, because the distance to the report costs up to 15. Not measured.
const FAR_LINE_COST: f32 = -10.0;
/// Strings of several lines that are closed, the nearest before the fault. Not measured.
const MAX_BLOCKS: usize = 8;
/// Delimiters of several bytes that end comments and strings of many lines.
const LONG: [&[u8]; 6] = [b"*/", b"-->", b"\"\"\"", b"'''", b"]]>", b"?>"];
/// Bytes after a fault in which a damaged delimiter is looked for, because a comment that does not end is
/// reported where it begins.
const REGION_BYTES_AFTER: usize = 16_000;
/// The same before it: less, because the next delimiter of the same kind ends the string. Not measured.
const REGION_BYTES_BEFORE: usize = 6_000;
/// Remnants of one delimiter that are made whole, on either side of a place. Not measured.
const MAX_REMNANTS: usize = 12;

/// Makes delimiters whole, and closes strings of several lines.
///
/// Costs no test, and one pass over the text for each delimiter.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    for delimiter in [b"\"\"\"", b"'''"] {
        unclosed_block(proposals, delimiter);
    }
    for place in proposals.places() {
        for delimiter in LONG {
            nearly(proposals, place, delimiter);
        }
    }
}

/// Closes strings on lines far from the fault, if few lines of the text have an odd number of quotation marks: a
/// string of several lines is often reported at the end of the text.
pub(super) fn close_far_lines(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let near = proposals.lines();
    for quote in [b'"', b'\''] {
        let (mut odd, mut start) = (Vec::new(), 0);
        for own in text.split(|byte| *byte == b'\n') {
            let row = start..start + own.len();
            start = row.end + 1;
            let marks = row.clone().filter(|at| text[*at] == quote);
            let (count, last) = marks.fold((0, 0), |(count, _), at| (count + 1, at));
            if count % 2 == 1 && row.len() <= MAX_LINE_BYTES {
                odd.push((row, last));
            }
            if odd.len() > MAX_ODD_LINES {
                break;
            }
        }
        if odd.len() > MAX_ODD_LINES {
            continue;
        }
        let is_far = |row: &Range<usize>| !near.contains(row);
        for (row, _) in odd.into_iter().filter(|(row, last)| is_far(row) && opens(text, *last)) {
            for place in closing_places(text, &row) {
                let edit = Edit::insert(place, [quote]);
                proposals.add_by_rule(edit, EditKind::Separator, FAR_LINE_COST);
            }
        }
    }
}

/// Closes a string of several lines at the end of the line on which it begins, where the text has an odd number
/// of its delimiters: those nearest before the fault.
fn unclosed_block(proposals: &mut Proposals<'_>, delimiter: &[u8]) {
    let text = proposals.text;
    let all: Vec<usize> = memchr::memmem::find_iter(text, delimiter).collect();
    if all.len().is_multiple_of(2) {
        return;
    }
    let until = proposals.line(proposals.fault.at.min(text.len())).end;
    for start in all.iter().rev().copied().filter(|at| *at <= until).take(MAX_BLOCKS) {
        let row = proposals.line(start);
        let end = trimmed_end(text, &row);
        let has_other = all.iter().any(|at| row.contains(at) && *at != start);
        if !has_other && end > start + delimiter.len() {
            proposals.add_closing(Edit::insert(end, delimiter), PAIRING_GAIN);
        }
    }
}

/// Adds edits that make a delimiter whole which has lost a byte. Its remnant is looked for
/// on both sides of `place`; only delimiters that the text has elsewhere are tried, and the end of a comment
/// that begins at `place`.
fn nearly(proposals: &mut Proposals<'_>, place: usize, delimiter: &[u8]) {
    let text = proposals.text;
    if memchr::memmem::find(text, delimiter).is_none() && !text[place..].starts_with(b"/*") {
        return;
    }
    let until = text.len().min(place + REGION_BYTES_AFTER);
    let from = place.saturating_sub(REGION_BYTES_BEFORE);
    for lost in 0..delimiter.len() {
        let rest: Vec<u8> = [&delimiter[..lost], &delimiter[lost + 1..]].concat();
        let after = memchr::memmem::find_iter(&text[place..until], &rest).take(MAX_REMNANTS);
        // The end of a string that does not end is before the place: another one has ended it.
        let before = memchr::memmem::rfind_iter(&text[from..place], &rest).take(MAX_REMNANTS);
        for at in after.map(|at| place + at).chain(before.map(|at| from + at)) {
            // A whole one is no damaged one.
            let around = &text[at.saturating_sub(1)..text.len().min(at + delimiter.len() + 1)];
            if memchr::memmem::find(around, delimiter).is_some() {
                continue;
            }
            let edit = Edit::new(at..at + rest.len(), delimiter);
            let is_long = rest.len() > 1;
            proposals.add(
                edit,
                EditKind::Separator,
                PAIRING_GAIN + if is_long { 6.0 } else { 2.0 },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::edited;
    use super::super::propose;

    #[test]
    fn the_only_line_with_an_odd_number_of_marks_is_closed_wherever_the_fault_is() {
        let whole = "a \"one\"\nb \"two\"\n}\nc \"three\"\nd\ne\nf\ng\n";
        let text = whole.replace("two\"", "two");
        let found = edited(&text, text.len() - 2, propose, 3);
        assert!(found.contains(&whole.to_owned()), "{found:#?}");
    }

    #[test]
    fn a_string_of_several_lines_is_closed_on_its_first_line() {
        let whole = "def f():\n    \"\"\"One.\"\"\"\n    return 1\n\ndef g():\n    \"\"\"Two.\"\"\"\n    return 2\n";
        let text = whole.replacen("One.\"\"\"", "One.", 1);
        assert!(edited(&text, text.find("Two").unwrap(), propose, 12).contains(&whole.to_owned()));
    }
}
