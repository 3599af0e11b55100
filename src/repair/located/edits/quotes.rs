//! Edits of quotation marks that have no partner on their line, and of longer delimiters that lack
//! a byte.

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;

/// How much likelier an edit is that pairs a quotation mark (a logarithm): a little less than balancing
/// brackets, because an apostrophe has no partner. Not measured.
const PAIRING_GAIN: f32 = 3.0;
/// Marks of longer lines are not paired, because such lines are data.
const MAX_LINE_BYTES: usize = 400;
/// Delimiters of several bytes that end what has many lines.
const LONG: [&[u8]; 6] = [b"*/", b"-->", b"\"\"\"", b"'''", b"]]>", b"?>"];
/// Bytes after a fault in which a damaged delimiter is looked for, because a comment that does not end is
/// reported where it begins.
const REGION_BYTES_AFTER: usize = 16_000;

/// Adds, replaces and drops quotation marks on lines that have an odd number of them, and makes
/// longer delimiters (`"""`, `-->`) whole. Costs no test.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    for row in proposals.lines() {
        if row.len() > MAX_LINE_BYTES {
            continue;
        }
        for quote in [b'"', b'\'', b'`'] {
            let marks: Vec<usize> = row.clone().filter(|at| text[*at] == quote).collect();
            if marks.len().is_multiple_of(2) {
                continue;
            }
            for place in row.start..=row.end {
                proposals.add(Edit::insert(place, [quote]), EditKind::Separator, PAIRING_GAIN);
            }
            for place in row.clone().filter(|at| text[*at] != quote) {
                proposals.add(
                    Edit::new(place..place + 1, [quote]),
                    EditKind::Separator,
                    PAIRING_GAIN,
                );
            }
            for mark in marks {
                proposals.add(Edit::delete(mark..mark + 1), EditKind::Separator, PAIRING_GAIN);
            }
        }
    }
    for place in proposals.places() {
        for delimiter in LONG {
            nearly(proposals, place, delimiter);
        }
    }
}

/// Adds edits that make a delimiter whole which has lost a byte. What is left of it is looked for
/// from `place` on; only delimiters that the text has elsewhere are tried, and the end of a comment
/// that begins at `place`.
fn nearly(proposals: &mut Proposals<'_>, place: usize, delimiter: &[u8]) {
    let text = proposals.text;
    if memchr::memmem::find(text, delimiter).is_none() && !text[place..].starts_with(b"/*") {
        return;
    }
    let until = text.len().min(place + REGION_BYTES_AFTER);
    for lost in 0..delimiter.len() {
        let rest: Vec<u8> = [&delimiter[..lost], &delimiter[lost + 1..]].concat();
        for at in memchr::memmem::find_iter(&text[place..until], &rest).take(12) {
            let at = place + at;
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
