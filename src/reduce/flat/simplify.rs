//! Makes an input plainer without making it longer or shorter: bytes to `0`, `a` or a blank.
//!
//! A reader sees at once which bytes do not matter, and equal bytes open the way to further
//! deletion. Chunks first, since each accepted step costs a crash.

use std::borrow::Cow;
use std::ops::Range;

use crate::reduce::algorithms::bisect::{EXACT, least};
use crate::reduce::algorithms::edit;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::order;
use seedsmith_grammar::internal::tokens;

/// Makes bytes plainer: 0, a or a blank, without making the input shorter.
///
/// A reader sees then which bytes do not matter, and equal bytes can go together. Chunks come first,
/// then numbers by bisection, then single bytes. Cost: about `8·n` tests, and `n` more for each byte
/// value where the best is short.
pub(crate) static SIMPLIFY: Reducer = Reducer {
    name: Cow::Borrowed("simplify"),
    description: Cow::Borrowed(
        "makes bytes plainer: 0, a or a blank, without making the input shorter",
    ),
    activity: "simplifying bytes",
    needs: &[Need::Bytes],
    cost: Cost::Linear,
    source: HERE,
    function: Function::Flat(|search, _| simplify(search)),
};

/// Makes large parts plainer in few tests.
///
/// Where a test starts processes. Cost: at most 16 tests, and the logarithm of each number.
pub(crate) static SIMPLIFY_ROUGHLY: Reducer = Reducer {
    name: Cow::Borrowed("simplify-roughly"),
    description: Cow::Borrowed("makes large parts plainer in few tests"),
    activity: "simplifying bytes",
    needs: &[Need::Bytes],
    cost: Cost::Constant,
    source: HERE,
    function: Function::Flat(|search, _| simplify_roughly(search)),
};

/// Inputs longer than this are not simplified: no one reads them byte by byte, and it is eight
/// tests a byte. A guess; not measured.
const MAX_READABLE_BYTES: usize = 4096;
/// Up to this length every plainer value of a byte is tried, else only the three plainest: 32 bytes
/// are at most 8,192 tests. A guess; not measured.
const MAX_SHORT_BYTES: usize = 32;

/// Into how many chunks a best is cut at most where tests are expensive: seven chunks of three
/// sizes, with two tests each. Byte by byte it was 763 of the 1,118 tests on a JSON file (note of
/// 2026-11-21 on Picireny).
const MAX_ROUGH_PARTS: usize = 4;
const ROUGHLY_PLAIN: [Plain; 2] = [Plain::All(b'0'), Plain::Words];

/// The replacement of a chunk.
#[derive(Clone, Copy)]
enum Plain {
    /// Every byte becomes this one.
    All(u8),
    /// Every byte that equals the first becomes the second.
    Each(u8, u8),
    /// Letters become `a` and digits `0`.
    Words,
}

impl Plain {
    fn apply(self, chunk: &mut [u8]) {
        for byte in chunk {
            match self {
                Plain::All(plain) => *byte = plain,
                Plain::Each(from, to) if *byte == from => *byte = to,
                Plain::Each(..) => {}
                Plain::Words if byte.is_ascii_digit() => *byte = b'0',
                Plain::Words if byte.is_ascii_alphabetic() => *byte = b'a',
                Plain::Words => {}
            }
        }
    }
}

const PLAIN: [Plain; 4] = [Plain::All(b'0'), Plain::All(b'a'), Plain::All(b' '), Plain::Words];

/// Every chunk of `len` bytes with sizes halved down to `least`.
fn chunks(len: usize, least: usize) -> impl Iterator<Item = Range<usize>> + Clone {
    let sizes = std::iter::successors(Some(len), move |size| {
        (*size / 2 >= least.max(2)).then_some(*size / 2)
    });
    sizes.flat_map(move |size| (0..len).step_by(size).map(move |at| at..(at + size).min(len)))
}

/// Makes the best plainer: chunks, then single bytes.
///
/// Cost: about `8·n` tests, `n` more for each byte value where the best is short.
pub(crate) fn simplify(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let length = search.best().len();
    if length > MAX_READABLE_BYTES {
        return Ok(());
    }
    let least = if length <= 1024 { 2 } else { length / 64 };
    let motions = chunks(length, least).flat_map(|chunk| PLAIN.map(|plain| (chunk.clone(), plain)));
    accept_each(search, motions)?;
    smaller_numbers(search)?;
    if length > 1024 {
        return Ok(());
    }
    let mut repeated = search.best().to_vec();
    repeated.sort_unstable();
    repeated = repeated.chunk_by(u8::eq).filter(|run| run.len() > 1).map(|run| run[0]).collect();
    let everywhere = repeated
        .iter()
        .flat_map(|from| [b'0', b'a', b' '].map(|to| (0..length, Plain::Each(*from, to))));
    accept_each(search, everywhere)?;
    let mut plainest: Vec<u8> = (0..=255).collect();
    plainest.sort_by_key(|byte| order::plainness(*byte));
    plainest.truncate(if length <= MAX_SHORT_BYTES { 256 } else { 3 });
    let singles = (0..length)
        .flat_map(|at| plainest.iter().map(move |plain| (at..at + 1, Plain::All(*plain))));
    accept_each(search, singles)
}

/// Makes large parts of the best plainer, and its numbers smaller.
///
/// Cost: at most 16 tests besides the numbers.
pub(crate) fn simplify_roughly(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let length = search.best().len();
    if length > MAX_READABLE_BYTES {
        return Ok(());
    }
    let chunks = chunks(length, length.div_ceil(MAX_ROUGH_PARTS));
    let motions = chunks.flat_map(|chunk| ROUGHLY_PLAIN.map(|plain| (chunk.clone(), plain)));
    accept_each(search, motions)?;
    smaller_numbers(search)
}

/// Numbers in a best that are looked at, at most: each takes up to 60 tests. A guess; not measured.
const MAX_NUMBERS: usize = 64;

/// Makes each decimal number as small as bisection finds, as wide as it was. Cost: `log2` of each
/// number.
fn smaller_numbers(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let units = tokens(search.best());
    let spans: Vec<_> = (0..units.len())
        .map(|index| units.span(index..index + 1))
        .filter(|span| (2..19).contains(&span.len()))
        .filter(|span| search.best()[span.clone()].iter().all(u8::is_ascii_digit))
        .take(MAX_NUMBERS)
        .collect();
    for span in spans {
        let base = search.best().to_vec();
        let digits = base[span.clone()].iter();
        let number = digits.fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
        least(search, -1..number, EXACT, |smaller, buffer| {
            let text = format!("{smaller:0width$}", width = span.len());
            edit::replaced(&base, span.clone(), text.as_bytes(), buffer);
        })?;
    }
    Ok(())
}

/// Applies each motion of a list that gives a simpler input which still fails, in order.
fn accept_each(
    search: &mut Search<'_, '_>,
    motions: impl Iterator<Item = (Range<usize>, Plain)> + Clone,
) -> Result<(), Stopped> {
    let mut done = 0;
    loop {
        let base = search.best().to_vec();
        let mut ahead = motions.clone().enumerate().skip(done);
        let accepted = search.first(|buffer| {
            loop {
                let (index, (chunk, plain)) = ahead.next()?;
                buffer.clear();
                buffer.extend_from_slice(&base);
                plain.apply(&mut buffer[chunk]);
                if order::is_simpler(buffer, &base) {
                    return Some(index);
                }
            }
        })?;
        match accepted {
            Some(index) => done = index + 1,
            None => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn what_does_not_matter_becomes_zeroes() {
        let fails = |bytes: &[u8]| bytes.len() == 12 && &bytes[4..6] == b"<x";
        let found = reduce_by(b"abcd<x\xff\x80 \n.Z", fails, simplify);
        assert_eq!(found.best, b"0000<x000000");
        assert!(found.accepted < 8, "{found:?}");
    }

    #[test]
    fn equal_bytes_change_together() {
        let fails = |bytes: &[u8]| bytes.len() == 3 && bytes[0] == bytes[2] && bytes[1] == b'=';
        assert_eq!(reduce_by(b"x=x", fails, simplify).best, b"0=0");
    }

    #[test]
    fn a_rough_look_takes_few_tests() {
        let fails = |bytes: &[u8]| bytes.len() == 400 && bytes.ends_with(b"x");
        let input = b"<x>.".repeat(100);
        let is_it = input.clone();
        let found = reduce_by(&input, move |bytes| bytes == is_it, simplify_roughly);
        assert!((1..=16).contains(&found.tests), "{found:?}");
        let text = [&b"y".repeat(399)[..], b"x"].concat();
        let found = reduce_by(&text, fails, simplify_roughly);
        assert!(found.best.starts_with(&[b'0'; 300]), "{found:?}");
    }

    #[test]
    fn numbers_become_as_small_as_they_can() {
        let fails = |bytes: &[u8]| {
            bytes.len() == 5
                && bytes[0] == b'='
                && std::str::from_utf8(&bytes[1..])
                    .is_ok_and(|text| text.parse::<u32>().is_ok_and(|number| number >= 256))
        };
        assert_eq!(reduce_by(b"=9731", fails, simplify).best, b"=0256");
    }
}
