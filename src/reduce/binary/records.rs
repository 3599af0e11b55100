//! Deletes from binary formats and corrects the lengths that cover the deleted part.
//!
//! Each candidate cuts one span and lowers, in the same step, every length around it; where
//! records are counted before them, the count too. Without that a consistent file lets
//! nothing go.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use crate::reduce::input_kind::is_binary;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::{BinaryRecord, RecordChain, record_chains};
use seedsmith_grammar::internal::{Encoding, Field};

/// Deletes records and large parts of them, and corrects lengths and counts.
///
/// Lengths around a cut are lowered by its size, and a number before the records that counts them
/// by one for each. Text costs nothing. Cost: some tests for each record and each sixteenth of its
/// body.
pub(crate) static RECORDS: Reducer = Reducer {
    name: Cow::Borrowed("records"),
    description: Cow::Borrowed(
        "deletes records and large parts of them, and corrects lengths and counts",
    ),
    activity: "deleting parts",
    needs: &[Need::Bytes],
    cost: Cost::Linear,
    source: HERE,
    function: Function::Flat(|search, context| {
        let grain = match context.scope.is_each_place_worth_a_test {
            true => Grain::Coarse,
            false => Grain::Outermost,
        };
        delete_records(search, grain)
    }),
};

/// Deletes single bytes of records, and corrects lengths and counts.
///
/// Only where the input has at most 512 bytes, else as [`RECORDS`]. Cost: an accepted step a byte where
/// much goes, so it comes last.
pub(crate) static RECORDS_CLOSELY: Reducer = Reducer {
    name: Cow::Borrowed("records-closely"),
    description: Cow::Borrowed("deletes single bytes of records, and corrects lengths and counts"),
    activity: "deleting parts",
    needs: &[Need::Bytes],
    cost: Cost::Linear,
    source: HERE,
    function: Function::Flat(|search, _| delete_records(search, Grain::Fine)),
};

/// Inputs longer than this are not looked at for records: fifty ways to write one are tried at each
/// byte. A guess; not measured.
const MAX_RECORDS_BYTES: usize = 1 << 18;
/// How closely bodies are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// As [`Grain::Coarse`], and of nested records the outermost only: with ten thousand nested
    /// records, the inner ones are not tried one by one.
    Outermost,
    /// By sixteenths, and not by less than sixteen bytes.
    Coarse,
    /// Down to single bytes, where the input is short.
    Fine,
}

/// Longer inputs are not cut finely: a byte at a time is an accepted step at a time. Cutting bodies
/// to single bytes from the start took 170 accepted steps instead of 18 (note of 2026-11-21 on flat
/// reducers).
const MAX_CLOSELY_CUT_BYTES: usize = 512;

/// A span to cut, and the numbers to lower.
#[derive(Clone)]
struct Cut {
    span: Range<usize>,
    /// Each is lowered by the length of the span.
    lengths: Rc<[Field]>,
    /// A count of records, and by how much it is lowered.
    count: Option<(Field, usize)>,
}

impl Cut {
    /// Writes the candidate; `false` if a number is too small to be lowered so far.
    fn render(&self, source: &[u8], out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(source);
        let lowered = self.lengths.iter().map(|field| (*field, self.span.len()));
        for (field, by) in lowered.chain(self.count) {
            let lower = Field::read(source, field.at, field.encoding)
                .and_then(|(value, _)| value.checked_sub(by));
            if !lower.is_some_and(|value| field.write(value, out)) {
                return false;
            }
        }
        out.drain(self.span.clone());
        true
    }
}

/// Deletes records, parts of their bodies and their headers, and repairs the lengths around them.
///
/// Cost: some tests for each record and each sixteenth of a body; more where the best is short.
pub(crate) fn delete_records(search: &mut Search<'_, '_>, grain: Grain) -> Result<(), Stopped> {
    let mut most = usize::MAX;
    loop {
        let base = search.best().to_vec();
        if base.len() > MAX_RECORDS_BYTES || !is_binary(&base) {
            return Ok(());
        }
        let is_wanted = |chain: &&RecordChain| grain != Grain::Outermost || chain.around.is_empty();
        let mut cuts: Vec<Cut> = record_chains(&base)
            .iter()
            .filter(is_wanted)
            .flat_map(|chain| of_chain(chain, &base, grain))
            .collect();
        cuts.retain(|cut| !cut.span.is_empty() && cut.span.len() <= most);
        // Cuts larger than the last success were tried before it.
        cuts.sort_by_key(|cut| std::cmp::Reverse(cut.span.len()));
        let mut stream = cuts.iter();
        let accepted = search.first(|buffer| {
            loop {
                let cut = stream.next()?;
                buffer.clear();
                if cut.render(&base, buffer) {
                    return Some(cut.span.len());
                }
            }
        })?;
        match accepted {
            Some(gone) => most = gone,
            None => return Ok(()),
        }
    }
}

/// All deletions to try in a chain: runs of records, from all of them to single ones, each with and
/// without lowering a count; then those that [`of_record`] finds in each.
fn of_chain(chain: &RecordChain, source: &[u8], grain: Grain) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let around: Rc<[Field]> = chain.around.clone().into();
    let records = &chain.records;
    let counts = counts(chain, source);
    let mut size = records.len();
    while size > 0 {
        for chunk in records.chunks(size) {
            let (Some(first), Some(last)) = (chunk.first(), chunk.last()) else { continue };
            let span = first.span.start..last.span.end;
            let cut = Cut { span, lengths: around.clone(), count: None };
            let counted = counts
                .iter()
                .map(|count| Cut { count: Some((*count, chunk.len())), ..cut.clone() });
            cuts.extend(counted);
            cuts.push(cut);
        }
        size /= 2;
    }
    let least = |body: usize| match grain {
        Grain::Fine if source.len() <= MAX_CLOSELY_CUT_BYTES => 1,
        _ => (body / 16).max(16),
    };
    for record in records {
        of_record(record, &around, least, &mut cuts);
    }
    cuts
}

/// Numbers before a chain that may count its records.
fn counts(chain: &RecordChain, source: &[u8]) -> Vec<Field> {
    let Some(first) = chain.records.first() else { return Vec::new() };
    let encodings = [
        Encoding::Leb128,
        Encoding::Big(2),
        Encoding::Little(2),
        Encoding::Big(4),
        Encoding::Little(4),
    ];
    let lead = chain.start..first.span.start;
    lead.flat_map(|at| encodings.map(|encoding| Field::read(source, at, encoding)))
        .flatten()
        .filter(|(value, field)| {
            *value == chain.records.len() && field.at + field.width <= first.span.start
        })
        .map(|(_, field)| field)
        .collect()
}

/// Parts of a record's body, halved down to `least(body)` bytes, and its header. With the header go
/// its own length field and the record's frame: the body stays as the parent's.
fn of_record(
    record: &BinaryRecord,
    around: &Rc<[Field]>,
    least: impl Fn(usize) -> usize,
    cuts: &mut Vec<Cut>,
) {
    let body = record.body.clone();
    let own: Rc<[Field]> = around.iter().copied().chain([record.length]).collect();
    let least = least(body.len());
    let mut size = body.len();
    while size >= least.max(1) {
        for start in body.clone().step_by(size) {
            let span = start..(start + size).min(body.end);
            cuts.push(Cut { span, lengths: own.clone(), count: None });
        }
        size /= 2;
    }
    let header = record.span.start..body.start;
    cuts.push(Cut { span: header, lengths: around.clone(), count: None });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    /// Records of a tag, a length and a body that have to fit; `0x30` holds records.
    fn holds(bytes: &[u8], tag: u8) -> Option<bool> {
        let mut found = false;
        let mut rest = bytes;
        while let [here, length, body @ ..] = rest {
            let body = body.get(..usize::from(*length))?;
            found |= *here == tag || (*here == 0x30 && holds(body, tag)?);
            rest = &rest[2 + body.len()..];
        }
        rest.is_empty().then_some(found)
    }

    #[test]
    fn the_lengths_around_what_goes_are_lowered() {
        let input = b"\x05\x02ab\x30\x11\x04\x03cde\x30\x07\x06\x01f\x07\x02gh\x01\x01i\x02\x01z";
        let fails = |bytes: &[u8]| holds(bytes, 7) == Some(true) && bytes[0] == 0x30;
        let mut input = input.to_vec();
        input.drain(..4);
        let found = reduce_by(&input, fails, |search| delete_records(search, Grain::Fine));
        assert_eq!(found.best, b"\x30\x02\x07\x00");
    }

    #[test]
    fn a_count_of_records_is_lowered_with_them() {
        let fails = |bytes: &[u8]| {
            let mut count = 0;
            let [expected, rest @ ..] = bytes else { return false };
            let mut rest = rest;
            while let [length, body @ ..] = rest {
                count += 1;
                let Some(next) = body.get(usize::from(*length)..) else { return false };
                rest = next;
            }
            usize::from(*expected) == count && bytes.contains(&0xee)
        };
        let found = reduce_by(b"\x03\x02ab\x03c\xeed\x05efghi", fails, |search| {
            delete_records(search, Grain::Fine)
        });
        assert_eq!(found.best, b"\x01\x01\xee");
    }
}
