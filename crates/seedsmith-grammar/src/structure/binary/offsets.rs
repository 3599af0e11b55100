//! Finds numbers that give the place of a part: tables of offsets and lengths, lists of offsets.
//!
//! Fonts, archives and executables begin with a directory whose rows name a place and a length;
//! other formats list where each of their parts begins. Nothing of a format is known here: a table
//! is accepted because its places don't overlap, a list because it ascends and fits the bytes that
//! it covers.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::structure::binary::field::{Encoding, Field};

/// A number that points to the place `base + scale · number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The number.
    pub field: Field,
    /// From where it counts.
    pub base: usize,
    /// The unit of the number, in bytes.
    pub scale: usize,
    /// The place that it points to.
    pub target: usize,
}

/// One row of a table, and the part that it points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The position of its offset field.
    pub at: usize,
    /// The place it names.
    pub part: Range<usize>,
}

/// The pointers of an input and the places that they point to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetTables {
    /// Every number that was understood.
    pub pointers: Vec<Pointer>,
    /// The rows of the table of offsets and lengths.
    pub rows: Vec<TableRow>,
    /// Bytes from row to row.
    pub stride: usize,
    /// Ascending places at which something begins, by list.
    pub lists: Vec<Vec<usize>>,
}

/// The least number of rows of a table, and of entries of a list.
///
/// Two rows that fit are met by chance; a guess, not measured.
const MIN_ROWS: usize = 3;
/// The widest row that is looked for.
/// A guess, not measured: a row of a font's directory has 16 bytes.
const MAX_ROW_BYTES: usize = 64;
/// Encodings of offsets in tables.
const ROW_ENCODINGS: [Encoding; 2] = [Encoding::Big(4), Encoding::Little(4)];
/// Encodings of entries in lists.
const LIST_ENCODINGS: [Encoding; 4] =
    [Encoding::Big(2), Encoding::Little(2), Encoding::Big(4), Encoding::Little(4)];

/// The tables that `bytes` may have, each on its own: mostly none or one.
///
/// Cost: about a hundred looks at each byte.
pub fn offset_tables(bytes: &[u8]) -> Vec<OffsetTables> {
    let mut found = Vec::new();
    for encoding in ROW_ENCODINGS {
        found.extend(largest_table(bytes, encoding).map(|table| with_lists(table, bytes)));
    }
    if found.is_empty() {
        found.extend(LIST_ENCODINGS.iter().filter_map(|encoding| free_list(bytes, *encoding)));
    }
    found
}

/// The number at an offset; `None` where the input ends.
fn value(bytes: &[u8], at: usize, encoding: Encoding) -> Option<usize> {
    Field::read(bytes, at, encoding).map(|(value, _)| value)
}

/// The part that a row names whose offset is at `at` and whose length is `apart` bytes from it.
fn part(bytes: &[u8], at: usize, apart: usize, encoding: Encoding) -> Option<Range<usize>> {
    let start = value(bytes, at, encoding)?;
    let length = value(bytes, at + apart, encoding)?;
    // If the end of the input was cut off, the last rows may name parts that were there.
    (start > 0 && start <= 4 * bytes.len() && length <= 4 * bytes.len())
        .then_some(start..start + length)
}

/// The table with the most rows whose parts lie side by side after or before it.
fn largest_table(bytes: &[u8], encoding: Encoding) -> Option<OffsetTables> {
    let mut best: Option<OffsetTables> = None;
    for stride in (8..=MAX_ROW_BYTES).step_by(4) {
        for apart in (4..=stride - 4).step_by(4).filter(|apart| *apart <= 8) {
            let mut at = 0;
            while at + 2 * stride < bytes.len() {
                let ats = (at..).step_by(stride);
                let parts: Vec<Range<usize>> =
                    ats.map_while(|at| part(bytes, at, apart, encoding)).collect();
                let rows = parts.len();
                let end = at + rows.saturating_sub(1) * stride + apart + 4;
                if rows >= MIN_ROWS && is_side_by_side(&parts, at..end, bytes.len()) {
                    if best.as_ref().is_none_or(|best| best.rows.len() < rows) {
                        best = Some(table(bytes, at, stride, apart, encoding, &parts));
                    }
                    at += rows * stride;
                } else {
                    at += 1;
                }
            }
        }
    }
    best
}

/// Whether the parts overlap neither each other nor the table, and most of them are inside the
/// input.
fn is_side_by_side(parts: &[Range<usize>], table: Range<usize>, length: usize) -> bool {
    let mut inside: Vec<&Range<usize>> = parts
        .iter()
        .filter(|part| part.end <= length && (!part.is_empty() || parts.len() > MIN_ROWS))
        .collect();
    inside.sort_by_key(|part| (part.start, part.end));
    let full = inside.iter().filter(|part| !part.is_empty()).count();
    full >= MIN_ROWS.min(parts.len())
        && inside.len() * 2 >= parts.len()
        && inside.windows(2).all(|two| two[0].end <= two[1].start)
        && inside
            .iter()
            .all(|part| part.is_empty() || part.start >= table.end || part.end <= table.start)
}

/// The table whose rows name `parts`: each row has an offset and, `apart` bytes from it, a length.
fn table(
    bytes: &[u8],
    at: usize,
    stride: usize,
    apart: usize,
    encoding: Encoding,
    parts: &[Range<usize>],
) -> OffsetTables {
    let mut layout = OffsetTables { stride, ..OffsetTables::default() };
    for (index, part) in parts.iter().enumerate() {
        let at = at + index * stride;
        let pointer = |at, base, target| {
            let (_, field) = Field::read(bytes, at, encoding)?;
            Some(Pointer { field, base, scale: 1, target })
        };
        layout.pointers.extend(pointer(at, 0, part.start));
        layout.pointers.extend(pointer(at + apart, part.start, part.end));
        layout.rows.push(TableRow { at, part: part.clone() });
    }
    layout
}

/// Adds lists that fill one part of a table and climb through another one, from end to end.
fn with_lists(mut layout: OffsetTables, bytes: &[u8]) -> OffsetTables {
    let inside = |row: &&TableRow| row.part.end <= bytes.len() && row.part.len() >= 2 * MIN_ROWS;
    let parts: Vec<Range<usize>> =
        layout.rows.iter().filter(inside).map(|row| row.part.clone()).collect();
    for holder in &parts {
        for encoding in LIST_ENCODINGS {
            let Some(values) = climbing(bytes, holder.clone(), encoding) else { continue };
            let last = values[values.len() - 1].0;
            let fits = parts.iter().filter(|covered| *covered != holder).flat_map(|covered| {
                let ends = [1, 2, 4].map(|scale| (scale, last * scale));
                let near = ends
                    .into_iter()
                    .filter(|(_, end)| *end <= covered.len() && end + 4 > covered.len());
                near.map(move |(scale, end)| (covered.len() - end, scale, covered.start))
            });
            if let Some((_, scale, base)) = fits.min() {
                layout.lists.push(values.iter().map(|(value, _)| base + value * scale).collect());
                layout.pointers.extend(values.iter().map(|(value, field)| Pointer {
                    field: *field,
                    base,
                    scale,
                    target: base + value * scale,
                }));
                return layout;
            }
        }
    }
    layout
}

/// The numbers that fill `place`, if they never fall and do rise.
fn climbing(bytes: &[u8], place: Range<usize>, encoding: Encoding) -> Option<Vec<(usize, Field)>> {
    let mut values: Vec<(usize, Field)> = Vec::new();
    let mut at = place.start;
    while let Some((value, field)) =
        Field::read(bytes, at, encoding).filter(|(_, field)| at + field.width <= place.end)
    {
        if values.last().is_some_and(|(last, _)| *last > value) {
            return None;
        }
        values.push((value, field));
        at += field.width;
    }
    let distinct: BTreeSet<usize> = values.iter().map(|(value, _)| *value).collect();
    (distinct.len() > MIN_ROWS && place.end - at < 2).then_some(values)
}

/// A list that begins somewhere, whose first entry names the place right after the list.
fn free_list(bytes: &[u8], encoding: Encoding) -> Option<OffsetTables> {
    let width = Field::read(bytes, 0, encoding)?.1.width;
    (0..bytes.len()).find_map(|at| {
        let first = value(bytes, at, encoding)?;
        [0, at].into_iter().find_map(|base| {
            let end = base + first;
            let count = end.checked_sub(at)? / width;
            if count <= MIN_ROWS || end != at + count * width || end >= bytes.len() {
                return None;
            }
            let values = climbing(bytes, at..end, encoding)?;
            let targets: Vec<usize> = values.iter().map(|(value, _)| base + value).collect();
            (targets[targets.len() - 1] <= bytes.len()).then(|| OffsetTables {
                pointers: values
                    .iter()
                    .map(|(value, field)| Pointer {
                        field: *field,
                        base,
                        scale: 1,
                        target: base + value,
                    })
                    .collect(),
                lists: vec![targets],
                ..OffsetTables::default()
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three parts of 6, 8 and 14 bytes after a directory of tags, offsets and lengths.
    fn directory() -> Vec<u8> {
        let mut bytes = b"DIR\x03".to_vec();
        for (tag, offset, length) in [(b"aaaa", 40u32, 6u32), (b"bbbb", 54, 14), (b"cccc", 46, 8)] {
            bytes.extend_from_slice(tag);
            bytes.extend_from_slice(&offset.to_be_bytes());
            bytes.extend_from_slice(&length.to_be_bytes());
        }
        bytes.extend_from_slice(b"first,");
        bytes.extend_from_slice(b"secondly");
        bytes.extend((0..=6).flat_map(|entry: u16| entry.to_be_bytes()));
        bytes
    }

    #[test]
    fn a_table_is_known_by_its_parts_and_a_list_by_what_it_covers() {
        let bytes = directory();
        let offset_tables = offset_tables(&bytes);
        let [layout] = offset_tables.as_slice() else { panic!("{offset_tables:?}") };
        let parts: Vec<Range<usize>> = layout.rows.iter().map(|row| row.part.clone()).collect();
        assert_eq!((layout.stride, parts), (12, vec![40..46, 54..68, 46..54]));
        assert_eq!(layout.lists, [[40, 41, 42, 43, 44, 45, 46]]);
    }

    #[test]
    fn a_list_in_front_of_what_it_names_is_found() {
        let bytes = b"x\x0b\0\x0d\0\x10\0\x14\0\x15\0aabbbccccdd!";
        let offset_tables = offset_tables(bytes);
        assert_eq!(offset_tables[0].lists, [[11, 13, 16, 20, 21]]);
    }

    #[test]
    fn text_has_no_offsets() {
        assert_eq!(
            offset_tables(b"The quick brown fox jumps over the lazy dog, again and again."),
            []
        );
    }
}
