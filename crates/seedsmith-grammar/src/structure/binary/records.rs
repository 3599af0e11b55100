//! Records of binary formats: a few bytes, a length, a body, side by side and nested.
//!
//! Nothing is known of the format. A guess of how records are written holds for a region if
//! records so written follow each other to exactly the region's end; then their bodies are regions
//! in turn. Wrong guesses are rare and cost only tests.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;

use crate::structure::binary::field::{Encoding, Field};

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryRecord {
    /// All of it.
    pub span: Range<usize>,
    /// The bytes that its length field counts, without the field itself.
    pub body: Range<usize>,
    /// The length field.
    pub length: Field,
}

/// Records that follow each other to the end of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordChain {
    /// Where the region begins; the bytes before the first record may hold the number of records.
    pub start: usize,
    /// The records in order, without gaps.
    pub records: Vec<BinaryRecord>,
    /// The length fields of the records around the region.
    pub around: Vec<Field>,
}

/// How records are written.
#[derive(Clone, Copy)]
pub(crate) struct RecordShape {
    pub encoding: Encoding,
    /// Bytes before the length: a tag, a name, flags.
    pub before: usize,
    /// Whether the length counts from where its field begins, not from where it ends.
    pub counts_itself: bool,
}

impl RecordShape {
    /// The record of `bytes` that begins at `start` and ends at `limit` at the latest.
    pub(crate) fn read(self, bytes: &[u8], start: usize, limit: usize) -> Option<BinaryRecord> {
        let (value, length) = Field::read(&bytes[..limit], start + self.before, self.encoding)?;
        let body = length.at + length.width;
        let end = value + if self.counts_itself { length.at } else { body };
        (body <= end && end <= limit).then_some(BinaryRecord {
            span: start..end,
            body: body..end,
            length,
        })
    }
}

/// The ways in which formats in use write a record's length.
const ENCODINGS: [Encoding; 7] = [
    Encoding::Big(1),
    Encoding::Big(2),
    Encoding::Big(4),
    Encoding::Little(2),
    Encoding::Little(4),
    Encoding::Leb128,
    Encoding::Der,
];

/// Every way to write records that is looked for.
pub(crate) fn record_shapes() -> Vec<RecordShape> {
    let mut record_shapes = Vec::new();
    for encoding in ENCODINGS {
        for before in [1, 0, 2, 3, 4, 8] {
            record_shapes.push(RecordShape { encoding, before, counts_itself: false });
        }
    }
    for encoding in [Encoding::Big(2), Encoding::Big(4), Encoding::Little(4)] {
        for before in [0, 2, 4] {
            record_shapes.push(RecordShape { encoding, before, counts_itself: true });
        }
    }
    record_shapes
}

/// Where a region's first record may begin, counted from the region's start. A guess, not
/// measured.
const MAX_LEAD_BYTES: usize = 16;
/// Chains of one shape in one region, at most: a wrong start soon joins the right chain. A
/// guess, not measured.
const MAX_CHAINS_PER_SHAPE: usize = 4;
/// Regions that are looked at. A guess, not measured.
const MAX_REGIONS: usize = 512;
/// The regions read have at most this many times the input's length in all; wrong guesses overlap.
/// A guess, not measured.
const MAX_READINGS: usize = 8;
/// Records around a region, at most. A guess, not measured.
const MAX_DEPTH: usize = 12;

/// The numbers of one encoding at every offset of a region, read once for all record_shapes.
struct Numbers {
    encoding: Encoding,
    region: Range<usize>,
    /// The number and its width; a width of 0 is no number that could be a length here.
    read: Vec<(u32, u8)>,
}

impl Numbers {
    /// Reads the number at every offset of the region; one that cannot be read, or is larger than
    /// the region, counts as none.
    fn of(bytes: &[u8], region: &Range<usize>, encoding: Encoding) -> Self {
        let bytes = &bytes[..region.end];
        let number = |at| match Field::read(bytes, at, encoding) {
            Some((value, field)) if value <= region.len() => (value as u32, field.width as u8),
            _ => (0, 0),
        };
        Numbers { encoding, region: region.clone(), read: region.clone().map(number).collect() }
    }

    /// Where the record that begins at `start` ends, if it does so within the region.
    fn end(&self, start: usize, shape: RecordShape) -> Option<usize> {
        let at = start + shape.before;
        let (value, width) = *self.read.get(at - self.region.start)?;
        let header = if shape.counts_itself { 0 } else { usize::from(width) };
        let end = at + header + value as usize;
        let is_record = width > 0 && end <= self.region.end && at + usize::from(width) <= end;
        is_record.then_some(end)
    }

    /// The record of a shape that begins at `start`, if there is one.
    fn record(&self, start: usize, shape: RecordShape) -> Option<BinaryRecord> {
        let end = self.end(start, shape)?;
        let at = start + shape.before;
        let width = usize::from(self.read[at - self.region.start].1);
        let length = Field { at, width, encoding: self.encoding };
        Some(BinaryRecord { span: start..end, body: at + width..end, length })
    }
}

/// The record_chains of a shape in a region that begin near its start, none the tail of another.
fn chains_of(numbers: &Numbers, shape: RecordShape) -> Vec<Vec<BinaryRecord>> {
    let region = numbers.region.clone();
    // From the back: whether records lead from here to exactly the end.
    let mut leads = vec![false; region.len() + 1];
    leads[region.len()] = true;
    for start in region.clone().rev() {
        let end = numbers.end(start, shape);
        leads[start - region.start] = end.is_some_and(|end| leads[end - region.start]);
    }
    let mut found: Vec<Vec<BinaryRecord>> = Vec::new();
    for start in region.clone().take(MAX_LEAD_BYTES) {
        let is_tail =
            |chain: &Vec<BinaryRecord>| chain.iter().any(|record| record.span.start == start);
        if !leads[start - region.start] || found.iter().any(is_tail) {
            continue;
        }
        let follows = |at: usize| numbers.record(at, shape);
        let records: Vec<BinaryRecord> =
            std::iter::successors(follows(start), |before| follows(before.span.end)).collect();
        // One short record to the end is met by chance at every turn.
        let is_chance = records.len() == 1
            && region.len() >= 64
            && records[0].body.len() * 4 < region.len() * 3;
        if !is_chance {
            found.push(records);
        }
        if found.len() == MAX_CHAINS_PER_SHAPE {
            break;
        }
    }
    found
}

/// The record_chains of records of `bytes`, outer ones first. Cost: at most some four hundred readings of
/// the input, 2 ms for 5 KB.
pub fn record_chains(bytes: &[u8]) -> Vec<RecordChain> {
    let record_shapes = record_shapes();
    let mut found: Vec<RecordChain> = Vec::new();
    // A region can be reached with more lengths around it or with fewer: each way is kept.
    let mut known: HashSet<(Range<usize>, Vec<Field>)> = HashSet::new();
    let mut by_region: HashMap<Range<usize>, Rc<[Vec<BinaryRecord>]>> = HashMap::new();
    let mut waiting = VecDeque::from([(0..bytes.len(), Vec::new())]);
    let mut left = MAX_READINGS * bytes.len() + 4096;
    while let Some((region, around)) = waiting.pop_front() {
        if !by_region.contains_key(&region) {
            if left < region.len() {
                continue;
            }
            left -= region.len();
        }
        if known.len() >= MAX_REGIONS || !known.insert((region.clone(), around.clone())) {
            continue;
        }
        let here = by_region
            .entry(region.clone())
            .or_insert_with(|| in_region(bytes, &region, &record_shapes))
            .clone();
        for records in here.iter() {
            for record in records.iter().filter(|record| {
                around.len() < MAX_DEPTH && record.body.len() > 1 && record.body != region
            }) {
                let mut fields = around.clone();
                fields.push(record.length);
                waiting.push_back((record.body.clone(), fields));
            }
            let records = records.clone();
            found.push(RecordChain { start: region.start, records, around: around.clone() });
        }
    }
    found
}

/// The record_chains of all record_shapes in a region, those that begin first in front.
fn in_region(
    bytes: &[u8],
    region: &Range<usize>,
    record_shapes: &[RecordShape],
) -> Rc<[Vec<BinaryRecord>]> {
    let mut here: Vec<Vec<BinaryRecord>> = Vec::new();
    for encoding in ENCODINGS {
        let numbers = Numbers::of(bytes, region, encoding);
        for shape in record_shapes.iter().filter(|shape| shape.encoding == encoding) {
            for records in chains_of(&numbers, *shape) {
                if !here.contains(&records) {
                    here.push(records);
                }
            }
        }
    }
    here.sort_by_key(|records| (records[0].span.start, std::cmp::Reverse(records.len())));
    here.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_no_length_ends_no_chain() {
        assert!(record_chains(&[0; 40]).iter().all(|chain| !chain.records.is_empty()));
    }

    #[test]
    fn nested_records_are_found_with_the_lengths_around_them() {
        let bytes = b"\x30\x0a\x02\x03abc\x04\x03defQ\x01z";
        let all = record_chains(bytes);
        let outer = all.iter().find(|chain| chain.around.is_empty() && chain.records.len() == 2);
        let outer: Vec<_> = outer.unwrap().records.iter().map(|r| r.span.clone()).collect();
        assert_eq!(outer, [0..12, 12..15]);
        let inner = all.iter().find(|chain| {
            chain.around.len() == 1 && chain.around[0].at == 1 && chain.records.len() == 2
        });
        let inner: Vec<_> = inner.unwrap().records.iter().map(|r| r.body.clone()).collect();
        assert_eq!(inner, [4..7, 9..12]);
    }
}
