//! Records of a binary input: a type, the length of what follows, and as many bytes, one record after the other up to the
//! end.
//!
//! Many formats are made like that, with headers of different lengths before the first record and with types and lengths of
//! one or two bytes. Every layout by which all of an input is records is read, so that what is read depends on the input
//! alone. A record is a part like those of a grammar.

use crate::generalize::predicate::name::Name;
use std::ops::Range;

use crate::generalize::predicate::feature::{Feature, Features, Part, RECORD};
use crate::generalize::predicate::read::Words;
use crate::generalize::predicate::term::{Term, number_of};

/// Bytes before the first record at most: magic bytes, a version and flags are mostly all.
const MAX_HEADER: usize = 8;
/// Records of one layout that are read, a bound on the time because each is a part with features of its own.
const MAX_RECORDS: usize = 64;

/// Bytes that many programs look for in what a record has: the end of a text, and the greatest one.
const MARKED_BYTES: [u8; 2] = [0, 255];

/// How the records of an input are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate) struct Layout {
    /// How many bytes the type has: 0 if there is none.
    pub(super) kind: usize,
    /// How many bytes the length has.
    length: usize,
    /// Whether numbers of two bytes have the byte of the greatest weight first.
    is_big: bool,
    /// How many bytes are before the first record.
    header: usize,
}

/// One record: where its type is, where its length is, and where its bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::generalize::predicate) struct Record {
    pub(in crate::generalize::predicate) kind: Range<usize>,
    pub(in crate::generalize::predicate) length: Range<usize>,
    pub(in crate::generalize::predicate) body: Range<usize>,
}

impl Record {
    /// Where all of it is.
    pub(in crate::generalize::predicate) fn span(&self) -> Range<usize> {
        self.kind.start..self.body.end
    }
}

impl Layout {
    /// The most usual one: a byte each, and no header.
    pub(super) const USUAL: Layout = Layout { kind: 1, length: 1, is_big: true, header: 0 };

    /// All that are looked for.
    fn all() -> impl Iterator<Item = Layout> {
        let widths = [(1, 1, true), (1, 2, true), (1, 2, false), (2, 2, true), (2, 2, false)];
        let widths = widths.into_iter().chain([(2, 1, true), (0, 1, true)]);
        (0..=MAX_HEADER).flat_map(move |header| {
            widths.clone().map(move |(kind, length, is_big)| Layout {
                kind,
                length,
                is_big,
                header,
            })
        })
    }

    /// The records of an input; nothing if not all of it after the header is records.
    pub(in crate::generalize::predicate) fn records(self, input: &[u8]) -> Option<Vec<Record>> {
        let (mut found, mut at) = (Vec::new(), self.header);
        while at < input.len() {
            let kind = at..at + self.kind;
            let length = kind.end..kind.end + self.length;
            let size = self.number(input.get(length.clone())?);
            let body = length.end..length.end + size;
            if body.end > input.len() || found.len() >= MAX_RECORDS {
                return None;
            }
            at = body.end;
            found.push(Record { kind, length, body });
        }
        (!found.is_empty()).then_some(found)
    }

    /// The number that a type or a length is, of two bytes at most.
    pub(super) fn number(self, bytes: &[u8]) -> usize {
        number_of(bytes, self.is_big) as usize
    }

    /// The bytes of a number as a length; nothing if it does not fit.
    pub(in crate::generalize::predicate) fn length(self, size: usize) -> Option<Vec<u8>> {
        let size = u16::try_from(size).ok()?;
        match (self.length, self.is_big) {
            (1, _) => u8::try_from(size).ok().map(|size| vec![size]),
            (_, true) => Some(size.to_be_bytes().to_vec()),
            (_, false) => Some(size.to_le_bytes().to_vec()),
        }
    }

    /// What the records are called.
    pub(super) fn name(self) -> Name {
        let bytes = |count: usize| match count {
            0 => "no type".to_owned(),
            1 => "a type of 1 byte".to_owned(),
            count => format!("a type of {count} bytes"),
        };
        let order = match (self.kind.max(self.length), self.is_big) {
            (1, _) => "",
            (_, true) => ", big-endian",
            (_, false) => ", little-endian",
        };
        let from = match self.header {
            0 => String::new(),
            header => format!(" from offset {header} on"),
        };
        let length = if self.length == 1 { "1 byte" } else { "2 bytes" };
        let kind = bytes(self.kind);
        format!("{RECORD}{kind} and a length of {length}{order}{from}>").into()
    }
}

/// The layouts by which all of an input is records, each with these.
pub(in crate::generalize::predicate) fn layouts(
    input: &[u8],
) -> impl Iterator<Item = (Layout, Vec<Record>)> + '_ {
    Layout::all().filter_map(|layout| Some((layout, layout.records(input)?)))
}

/// What a record of a type is called, as one of the words of a condition.
pub(super) fn type_name(number: usize) -> String {
    format!("type {number}")
}

/// The names of the types of all records of an input.
pub(in crate::generalize::predicate::read) fn type_names(
    input: &[u8],
) -> impl Iterator<Item = String> + '_ {
    layouts(input).filter(|(layout, _)| layout.kind > 0).flat_map(move |(layout, records)| {
        records
            .into_iter()
            .map(move |record| type_name(layout.number(&input[record.kind])))
            .collect::<Vec<String>>()
    })
}

/// Takes in the records of an input: their types, their lengths, and how many there are.
pub(in crate::generalize::predicate::read) fn of_records(
    input: &[u8],
    words: &Words,
    found: &mut Features,
) {
    for (layout, records) in layouts(input) {
        let name = layout.name();
        found.insert(Feature::Count(name.clone()), records.len() as i128);
        for record in records {
            let kind = layout.number(&input[record.kind.clone()]);
            let mut own = Features::new();
            if layout.kind > 0 {
                own.insert(Feature::Value(Term::First("type".into())), kind as i128);
                if let Some(word) = words.name(type_name(kind).as_bytes()) {
                    own.insert(Feature::Count(word), 1);
                }
            }
            own.insert(Feature::Value(Term::First("length".into())), record.body.len() as i128);
            if let Some(first) = input[record.body.clone()].first() {
                own.insert(Feature::Value(Term::First("first byte".into())), i128::from(*first));
            }
            for byte in MARKED_BYTES {
                let count = input[record.body.clone()].iter().filter(|one| **one == byte).count();
                own.insert(Feature::Count(format!("byte {byte}").into()), count as i128);
            }
            let has_high = !input[record.body.clone()].is_ascii();
            own.insert(Feature::NonAscii("text".into()), i128::from(has_high));
            found.add_part(&name, Part::of(own.iter()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::condition::Bound;

    #[test]
    fn records_follow_each_other_up_to_the_end_and_have_a_type_and_a_length() {
        let input = b"\x02\x01a\x07\x00\x03\x02bc";
        let words = Words::of([&input[..]]);
        let mut found = Features::new();
        of_records(input, &words, &mut found);
        let name = Name::from("<record of a type of 1 byte and a length of 1 byte>");
        let empty = |kind: &str| {
            let there = (Feature::Count(format!("{kind:?}").into()), Bound::AtLeast(1));
            let length = Feature::Value(Term::First("length".into()));
            Feature::Parts(name.clone(), vec![there, (length, Bound::AtMost(0))]).value(&found)
        };
        assert_eq!([empty("type 7"), empty("type 2")], [1, 0].map(Some));
        assert_eq!(found.get(&Feature::Count(name.clone())), Some(&3));
        let mut with_zero = Features::new();
        of_records(b"\x02\x02a\x00", &words, &mut with_zero);
        let zero = vec![(Feature::Count("byte 0".into()), Bound::AtLeast(1))];
        let zero = Feature::Parts(name.clone(), zero);
        assert_eq!([&found, &with_zero].map(|all| zero.value(all)), [0, 1].map(Some));
        assert!(
            Layout::all()
                .all(|layout| layout.records(b"\x02\x09a").is_none() || layout.name() != name)
        );
    }
}
