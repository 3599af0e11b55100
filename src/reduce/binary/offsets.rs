//! Deletes from formats with offsets and corrects the offsets that point past a deleted part.
//!
//! From a file whose directory says where its parts begin, nothing can simply be deleted: every
//! offset after a cut would be wrong. Each candidate cuts a part, a row of the directory with its
//! part, or a run of parts that a list points to, and adjusts every offset that was recognised.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::reduce::input_kind::is_binary;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::{Encoding, Field};
use seedsmith_grammar::internal::{OffsetTables, Pointer, offset_tables};

/// Deletes parts that offsets point to, and corrects the offsets.
///
/// Every offset that is understood moves with each cut, so that a directory at the end still finds its
/// parts. Text costs nothing. Cost: some tests for each row and each sixteenth of a part, two for each
/// entry of a list.
pub(crate) static OFFSETS: Reducer = Reducer {
    name: Cow::Borrowed("offsets"),
    description: Cow::Borrowed("deletes parts that offsets point to, and corrects the offsets"),
    activity: "deleting bytes",
    needs: &[Need::Bytes],
    cost: Cost::Linear,
    source: HERE,
    function: Function::Flat(|search, _| delete_parts(search)),
};

/// Inputs longer than this are not looked at for offsets: each number at each byte may be one. A
/// guess; not measured.
const MAX_OFFSETS_BYTES: usize = 1 << 18;
/// How far before a table its number of rows is looked for. A guess; not measured.
const MAX_LEAD_BYTES: usize = 16;

/// Spans to cut together (ascending, disjoint), and a count of rows to lower by one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cut {
    spans: Vec<Range<usize>>,
    count: Option<Field>,
}

impl Cut {
    /// Bytes that go.
    fn size(&self) -> usize {
        self.spans.iter().map(Range::len).sum()
    }

    /// Where the byte at `place` comes to lie.
    fn moved(&self, place: usize) -> usize {
        let gone = |span: &Range<usize>| place.min(span.end).saturating_sub(span.start);
        place - self.spans.iter().map(gone).sum::<usize>()
    }

    /// Writes the candidate; `false` if a number can't be repaired.
    fn render(&self, source: &[u8], pointers: &[Pointer], out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(source);
        for pointer in pointers {
            let distance = self.moved(pointer.target) - self.moved(pointer.base);
            if !distance.is_multiple_of(pointer.scale)
                || !pointer.field.write(distance / pointer.scale, out)
            {
                return false;
            }
        }
        if let Some(count) = self.count {
            let lower = Field::read(source, count.at, count.encoding)
                .and_then(|(value, _)| value.checked_sub(1));
            if !lower.is_some_and(|value| count.write(value, out)) {
                return false;
            }
        }
        for span in self.spans.iter().rev() {
            out.drain(span.clone());
        }
        true
    }
}

/// Deletes parts that offsets point to, and rows of offsets.
///
/// Cost: some tests for each row and sixteenth of a part, two for each entry of a list.
pub(crate) fn delete_parts(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let mut most = usize::MAX;
    loop {
        let base = search.best().to_vec();
        if base.len() > MAX_OFFSETS_BYTES || !is_binary(&base) {
            return Ok(());
        }
        let offset_tables = offset_tables(&base);
        let mut cuts: Vec<(Cut, &[Pointer])> = offset_tables
            .iter()
            .flat_map(|layout| of_layout(layout, &base).into_iter().map(move |cut| (cut, layout)))
            .map(|(cut, layout)| (cut, layout.pointers.as_slice()))
            .filter(|(cut, _)| cut.size() > 0 && cut.size() <= most)
            .collect();
        // Cuts larger than the last success were tried before it.
        cuts.sort_by_key(|(cut, _)| std::cmp::Reverse(cut.size()));
        let mut stream = cuts.iter();
        let accepted = search.first(|buffer| {
            loop {
                let (cut, pointers) = stream.next()?;
                buffer.clear();
                if cut.render(&base, pointers, buffer) {
                    return Some(cut.size());
                }
            }
        })?;
        match accepted {
            Some(gone) => most = gone,
            None => return Ok(()),
        }
    }
}

/// All deletions to try in a layout: pieces of each part down to a sixteenth or 16 bytes, bytes
/// that no offset points to, runs of parts that a list points to, and rows with their parts.
fn of_layout(layout: &OffsetTables, source: &[u8]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let one = |span: Range<usize>| Cut { spans: vec![span], count: None };
    let inside: Vec<Range<usize>> = layout
        .rows
        .iter()
        .map(|row| row.part.start.min(source.len())..row.part.end.min(source.len()))
        .collect();
    for part in &inside {
        let mut size = part.len();
        while size >= (part.len() / 16).max(16) {
            let starts = part.clone().step_by(size);
            cuts.extend(starts.map(|start| one(start..(start + size).min(part.end))));
            size /= 2;
        }
    }
    cuts.extend(gaps(&inside, layout, source.len()).map(one));
    for list in &layout.lists {
        let places: Vec<usize> =
            list.iter().copied().collect::<BTreeSet<usize>>().into_iter().collect();
        let mut count = places.len() / 2;
        while count > 0 {
            let starts = (0..places.len() - 1).step_by(count);
            cuts.extend(
                starts.map(|at| one(places[at]..places[(at + count).min(places.len() - 1)])),
            );
            count /= 2;
        }
    }
    of_rows(layout, &inside, source, &mut cuts);
    cuts
}

/// The bytes between the parts.
fn gaps<'p>(
    parts: &'p [Range<usize>],
    layout: &OffsetTables,
    length: usize,
) -> impl Iterator<Item = Range<usize>> + use<'p> {
    let mut ends: Vec<usize> = parts.iter().map(|part| part.end).collect();
    ends.extend(layout.rows.last().map(|row| row.at + layout.stride));
    ends.into_iter().filter_map(move |end| {
        let nexts = parts.iter().map(|part| part.start).chain([length]);
        let next = nexts.filter(|start| *start >= end).min()?;
        (end < next).then_some(end..next)
    })
}

/// Rows with the parts that they point to. Where a row begins is not known, as an offset can be at
/// any place in it: every fourth byte is tried. A number before the table that is the number of
/// rows is lowered.
fn of_rows(layout: &OffsetTables, parts: &[Range<usize>], source: &[u8], cuts: &mut Vec<Cut>) {
    let Some(first) = layout.rows.first() else { return };
    for shift in (0..layout.stride).step_by(4).filter(|shift| *shift <= first.at) {
        let table = first.at - shift;
        let counts: Vec<Field> = (table.saturating_sub(MAX_LEAD_BYTES)..table)
            .flat_map(|at| {
                [Encoding::Big(1), Encoding::Big(2), Encoding::Little(2), Encoding::Little(4)]
                    .map(|encoding| Field::read(source, at, encoding))
            })
            .flatten()
            .filter(|(value, field)| *value == layout.rows.len() && field.at + field.width <= table)
            .map(|(_, field)| field)
            .collect();
        for (row, part) in layout.rows.iter().zip(parts) {
            let row = row.at - shift..row.at - shift + layout.stride;
            if row.end > source.len() || (part.start < row.end && row.start < part.end) {
                continue;
            }
            let mut spans = vec![row, part.clone()];
            spans.sort_by_key(|span| span.start);
            for count in &counts {
                cuts.push(Cut { spans: spans.clone(), count: Some(*count) });
            }
            if counts.is_empty() {
                cuts.push(Cut { spans, count: None });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    /// The parts of a file that begins with a count and rows of tag, offset and length.
    fn parts(bytes: &[u8]) -> Option<Vec<(u8, &[u8])>> {
        let count = usize::from(*bytes.get(3)?);
        let number = |at: usize| {
            let bytes = bytes.get(at..at + 4)?;
            Some(bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
        };
        let row = |index: usize| {
            let at = 4 + 12 * index;
            let start = number(at + 4)?;
            Some((bytes[at], bytes.get(start..start.checked_add(number(at + 8)?)?)?))
        };
        (0..count).map(row).collect()
    }

    fn file(parts: &[(u8, &[u8])]) -> Vec<u8> {
        let mut bytes = vec![b'D', b'I', b'R', parts.len() as u8];
        let mut at = 4 + 12 * parts.len();
        for (tag, body) in parts {
            bytes.extend_from_slice(&[*tag; 4]);
            bytes.extend_from_slice(&(at as u32).to_be_bytes());
            bytes.extend_from_slice(&(body.len() as u32).to_be_bytes());
            at += body.len();
        }
        for (_, body) in parts {
            bytes.extend_from_slice(body);
        }
        bytes
    }

    #[test]
    fn parts_and_their_rows_go_and_offsets_follow() {
        let body: Vec<u8> = (0..90u8).collect();
        let input = file(&[(b'a', &body), (b'b', &body), (b'c', &body), (b'd', b"needed")]);
        let fails = |bytes: &[u8]| {
            parts(bytes).is_some_and(|parts| {
                parts.len() > 1 && parts.iter().any(|part| part.1.ends_with(b"needed"))
            })
        };
        let found = reduce_by(&input, fails, delete_parts);
        let left = parts(&found.best).unwrap();
        assert!(left.contains(&(b'd', b"needed")), "{left:?}");
        // Two rows are left, as few as are needed: fewer than three are no table any more.
        assert_eq!((left.len(), found.best.len()), (2, 4 + 2 * 12 + 90 + 6));
        assert!(found.tests < 200, "{}", found.tests);
    }

    #[test]
    fn what_a_list_points_to_goes_in_runs() {
        // Part b lists, in words of two, where the pieces of part a begin.
        let pieces: Vec<u8> = (0..64u8).flat_map(|piece| [piece; 4]).collect();
        let list: Vec<u8> = (0..=64u8).flat_map(|piece| [0, piece * 2]).collect();
        let input = file(&[(b'a', &pieces), (b'b', &list), (b'c', b"0123456789")]);
        let piece = |bytes: &[u8], index: usize| {
            let parts = parts(bytes)?;
            let (pieces, list) = (parts.first()?.1, parts.get(1)?.1);
            let at = |index: usize| list.get(2 * index + 1).map(|word| usize::from(*word) * 2);
            pieces.get(at(index)?..at(index + 1)?).map(<[u8]>::to_vec)
        };
        let fails = move |bytes: &[u8]| {
            piece(bytes, 40) == Some(vec![40; 4]) && parts(bytes).is_some_and(|all| all.len() > 2)
        };
        let found = reduce_by(&input, fails, delete_parts);
        assert_eq!(parts(&found.best).unwrap()[0].1, [40; 4]);
    }
}
