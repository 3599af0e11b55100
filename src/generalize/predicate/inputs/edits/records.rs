//! Edits of binary inputs that are records: a record less or more, another type, another length with as many bytes.
//!
//! A target that reads records rejects nearly every input whose lengths do not fit, so that edits of single bytes show
//! nothing.

use seedsmith_grammar::Random;

use crate::generalize::predicate::read::{Layout, Record, layouts};

/// The longest body that is made at random: longer than most limits of small records that were seen. A guess, because a
/// target with a larger limit shows it only by a given input that has such a record.
const MAX_RANDOM_BODY: usize = 24;

/// The input with one of its records changed; nothing if it is not made of records.
///
/// A record goes, comes again before or after another one or before the first, gets the type of another one or a near
/// one, or gets other bytes with the length of these. If the input is made of records in several ways, one of them is taken.
pub(super) fn other_record(input: &[u8], dice: &mut Random) -> Option<Vec<u8>> {
    let all: Vec<(Layout, Vec<Record>)> = layouts(input).collect();
    let (layout, records) = all.get(dice.below(all.len().max(1)))?;
    let record = &records[dice.below(records.len())];
    let other = &records[dice.below(records.len())];
    let span = record.span();
    let put = |at: std::ops::Range<usize>, text: &[u8]| {
        [&input[..at.start], text, &input[at.end..]].concat()
    };
    let with_body = |body: &[u8]| {
        let length = layout.length(body.len())?;
        Some(put(record.length.start..record.body.end, &[&length[..], body].concat()))
    };
    let body = &input[record.body.clone()];
    match dice.below(12) {
        0 => Some(put(span, b"")),
        1 => Some(put(span.end..span.end, &input[other.span()])),
        9 => Some(put(span.start..span.start, &input[other.span()])),
        // What comes first may matter.
        10 => {
            let first = records[0].span().start;
            Some(put(first..first, &input[other.span()]))
        }
        2 => Some(put(record.kind.clone(), &input[other.kind.clone()])),
        3 | 4 if !record.kind.is_empty() => {
            let at = record.kind.start + dice.below(record.kind.len());
            let new = [input[at].wrapping_add(1), input[at].wrapping_sub(1), dice.below(256) as u8];
            Some(put(at..at + 1, &[new[dice.below(3)]]))
        }
        5 => with_body(b""),
        6 => with_body(&body[..body.len().saturating_sub(1)]),
        7 => with_body(&[body, b"a"].concat()),
        8 if !body.is_empty() => {
            let at = record.body.start + dice.below(body.len());
            Some(put(at..at + 1, &[dice.below(256) as u8]))
        }
        _ => {
            let length = dice.below(MAX_RANDOM_BODY);
            let text =
                (0..length).map(|at| *body.get(at).unwrap_or(&(b'a' + dice.below(26) as u8)));
            with_body(&text.collect::<Vec<u8>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_of_records_is_records() {
        let mut dice = Random::new(7);
        let input = b"\x02\x01a\x07\x00\x03\x02bc";
        let made: Vec<Vec<u8>> = (0..200).filter_map(|_| other_record(input, &mut dice)).collect();
        let is_read = |input: &&Vec<u8>| input.is_empty() || layouts(input).next().is_some();
        assert!(made.len() > 150 && made.iter().filter(is_read).count() * 10 > made.len() * 9);
    }
}
