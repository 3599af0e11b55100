//! Cuts from a run of fillers while a byte elsewhere becomes smaller: the one that says how much is
//! there.
//!
//! If a flag or a count in some header makes the target skip a table, simplification leaves the
//! table as a long run of one byte, of which none can be deleted: the target would no longer find
//! the parts after it. It need not be known which byte counts the run, and in which unit. A test
//! that does not fail is cheap, so every smaller value that differs in one bit is tried with every
//! length.

use std::borrow::Cow;
use std::ops::Range;

use crate::reduce::algorithms::edit;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;

/// Shortens runs of one byte while a byte in front says less.
///
/// It need not be known which byte counts the run, and in which unit: every smaller value that
/// differs in one bit is tried with every length. Cost: none without a run of 16 bytes; else at
/// most ten tests for each byte before the run and each byte of it.
pub(crate) static FILLERS: Reducer = Reducer {
    name: Cow::Borrowed("fillers"),
    description: Cow::Borrowed("shortens runs of one byte while a byte in front says less"),
    activity: "shortening repetitions",
    needs: &[Need::Bytes],
    cost: Cost::Quadratic,
    source: HERE,
    function: Function::Flat(|search, _| cut_fillers(search).map(|_| ())),
};

/// Equal bytes that are fillers; fewer are not worth ten tests a byte. A guess; not measured.
const MIN_FILLER_BYTES: usize = 16;
/// Longer inputs are left alone: because it is some tests for each two of their bytes. A guess; not
/// measured.
const MAX_FILLED_BYTES: usize = 1024;
/// The nearest bytes before a run, one of which may be its length. A guess; not measured.
const MAX_HEADER_DISTANCE: usize = 64;
/// Runs that are looked at, the longest. With these `gif_loop` went from 226 to 41 bytes (note of
/// 2026-11-21 on hangs and memory).
const MAX_RUNS: usize = 4;

/// Cuts from runs of equal bytes while a byte before them is lowered. Whether something went.
///
/// Cost: none where there is no such run; else at most ten tests for each byte before a run
/// and each byte of it.
pub(crate) fn cut_fillers(search: &mut Search<'_, '_>) -> Result<bool, Stopped> {
    let mut is_shorter = false;
    loop {
        let base = search.best().to_vec();
        if base.len() > MAX_FILLED_BYTES {
            return Ok(is_shorter);
        }
        let runs = runs(&base);
        let mut stream = runs.iter().flat_map(|run| {
            let base = &base;
            let front = run.start.saturating_sub(MAX_HEADER_DISTANCE)..run.start;
            (1..=run.len()).rev().flat_map(move |length| {
                front.clone().rev().flat_map(move |at| {
                    lower(base[at]).map(move |value| (run.end - length..run.end, at, value))
                })
            })
        });
        let accepted = search.first(|buffer| {
            let (cut, at, value) = stream.next()?;
            edit::without(&base, &[cut], buffer);
            buffer[at] = value;
            Some(())
        })?;
        if accepted.is_none() {
            return Ok(is_shorter);
        }
        is_shorter = true;
    }
}

/// Runs of one byte of at least [`MIN_FILLER_BYTES`], the longest first, at most [`MAX_RUNS`].
fn runs(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut found: Vec<Range<usize>> = bytes
        .chunk_by(u8::eq)
        .map(|run| {
            at += run.len();
            at - run.len()..at
        })
        .filter(|run| run.len() >= MIN_FILLER_BYTES)
        .collect();
    found.sort_by_key(|run| std::cmp::Reverse(run.len()));
    found.truncate(MAX_RUNS);
    found
}

/// Smaller values of a byte that counts or flags something: zero, one less, and the values without one
/// of its bits; ascending, at most ten.
fn lower(value: u8) -> impl Iterator<Item = u8> {
    let bits = (0..8).map(move |bit| value & !(1 << bit));
    let mut values: Vec<u8> = [0, value.wrapping_sub(1)].into_iter().chain(bits).collect();
    values.retain(|other| *other < value);
    values.sort_unstable();
    values.dedup();
    values.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn a_table_goes_with_the_flag_that_announces_it() {
        // Bit 7 of the third byte: a table of 3 · 2^(n+1) bytes follows the header.
        let fails = |bytes: &[u8]| {
            let Some(flags) = bytes.strip_prefix(b"Hi").and_then(|rest| rest.first()) else {
                return false;
            };
            let table = if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
            bytes.get(5 + table..) == Some(b"!")
        };
        let input = [&b"Hi\x85zz"[..], &[b'0'; 192], b"!"].concat();
        let found = reduce_by(&input, fails, |search| cut_fillers(search).map(|_| ()));
        assert_eq!(found.best, b"Hi\x00zz!");
    }

    #[test]
    fn without_fillers_nothing_is_tried() {
        let found = reduce_by(
            b"0000:x",
            |bytes| bytes.len() == 6,
            |search| cut_fillers(search).map(|_| ()),
        );
        assert_eq!(found.tests, 0);
    }
}
