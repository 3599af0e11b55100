//! Tries to keep one window and nothing else: the subsets of ddmin, smallest first.
//!
//! Where a failure needs no surroundings, one accepted step leaves a sixty-fourth of the input,
//! and the candidates on the way are short, so they cost little whatever the input's size.

use std::borrow::Cow;
use std::ops::Range;

use crate::reduce::algorithms::edit::splits_character;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::split;
use seedsmith_grammar::internal::{UnitKind, Units};

/// Keeps the first, the last or the middle half, again and again.
///
/// Halves are of bytes where single bytes may go, else of lines. It stops at halves of 64 bytes. Cost:
/// three tests to find that a failure needs more than a half, and up to three for each halving.
pub(crate) static HALVES: Reducer = Reducer {
    name: Cow::Borrowed("halves"),
    description: Cow::Borrowed("keeps the first, the last or the middle half, again and again"),
    activity: "deleting blocks",
    needs: &[],
    cost: Cost::Logarithmic,
    source: HERE,
    function: Function::Flat(|search, context| {
        keep_half(search, context.scope.allows(Need::Bytes))
    }),
};

/// Keeps the shortest window that fails on its own: the subsets of ddmin, smallest first.
///
/// Heads and tails come first, then windows that overlap by half, the shortest first, so that
/// candidates are short. Cost: at most 160 tests a round, of six times the bytes of the input together.
pub(crate) static WINDOWS: Reducer = Reducer {
    name: Cow::Borrowed("windows"),
    description: Cow::Borrowed(
        "keeps the shortest window that fails on its own: the subsets of ddmin, smallest first",
    ),
    activity: "deleting blocks",
    needs: &[],
    cost: Cost::Constant,
    source: HERE,
    function: Function::Flat(|search, context| keep_window(search, context.scope.units())),
};

/// Keeps a window of up to 128 bytes that begins at any byte.
///
/// For formats in which a part begins where no line or token does. Bests of more than 2 KB are left
/// alone. Cost: at most `5·n` tests of short candidates a round.
pub(crate) static WINDOWS_ANYWHERE: Reducer = Reducer {
    name: Cow::Borrowed("windows-anywhere"),
    description: Cow::Borrowed("keeps a window of up to 128 bytes that begins at any byte"),
    activity: "deleting blocks",
    needs: &[Need::Bytes],
    cost: Cost::Linear,
    source: HERE,
    function: Function::Flat(|search, _| keep_window_anywhere(search)),
};

/// Into how many windows an input is cut at first. With 32 and [`MAX_END_TOKENS`] it takes 150
/// tests where nothing is found; it was 370 with 64 (note of 2026-11-21 on tree reducers).
const MAX_WINDOWS: usize = 32;

/// Units for windows: the coarsest of the formats given that yields enough of them, else the last.
fn window_units(bytes: &[u8], formats: &[UnitKind]) -> Units {
    // Over much text, a list of tokens would be larger than it is worth.
    let is_fit = |format: &&UnitKind| **format != UnitKind::Tokens || bytes.len() <= 1 << 20;
    let mut units = Units::bytes(bytes.len());
    for format in formats.iter().filter(is_fit) {
        units = split(bytes, *format);
        if units.len() >= MAX_WINDOWS / 4 {
            break;
        }
    }
    units
}

/// Heads and tails are at most this many tokens long; each is a third longer than the one before. Most
/// failures of parsers need no surroundings (note of 2026-11-21 on flat reducers).
const MAX_END_TOKENS: usize = 64;

/// 1, 2, 3, 4, 6, 8, 11 and so on up to `most`.
fn lengths(most: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1_usize), |count| Some(count + count.div_ceil(3)))
        .take_while(move |&count| count <= most)
}

/// Short heads and tails, then windows that overlap by half, the shortest first.
fn windows(bytes: &[u8], formats: &[UnitKind]) -> impl Iterator<Item = Range<usize>> + use<> {
    let ends = if formats.contains(&UnitKind::Tokens) { UnitKind::Tokens } else { UnitKind::Bytes };
    let most = if formats.contains(&UnitKind::Bytes) { MAX_END_TOKENS } else { 0 };
    let near = bytes.len().min(64 * MAX_END_TOKENS);
    let head = split(&bytes[..near], ends);
    let tail_at = bytes.len() - near;
    let tail = split(&bytes[tail_at..], ends);
    let all = bytes.len();
    let heads = lengths(most.min(head.len() / 2)).map(move |count| head.span(0..count));
    let tails = lengths(most.min(tail.len() / 2))
        .map(move |count| tail_at + tail.start(tail.len() - count)..all);

    let units = window_units(bytes, formats);
    let count = units.len();
    let first = count.div_ceil(MAX_WINDOWS).max(1);
    let widths = std::iter::successors(Some(first), |width| Some(width * 2));
    let widths = widths.take_while(move |width| width * 3 <= count * 2);
    let places = widths.flat_map(move |width| {
        (0..count).step_by((width / 2).max(1)).map(move |at| at..(at + width).min(count))
    });
    heads.chain(tails).chain(places.map(move |window| units.span(window)))
}

/// Keeps the first of some parts of the best that fails on its own, and nothing else; again and
/// again. Cost: a test a part, each round.
pub(crate) fn keep_first(
    search: &mut Search<'_, '_>,
    parts: impl for<'b> Fn(&'b [u8]) -> Box<dyn Iterator<Item = Range<usize>> + 'b>,
) -> Result<(), Stopped> {
    loop {
        let base = search.best().to_vec();
        let mut parts = parts(&base);
        let accepted = search.first(|buffer| {
            buffer.extend_from_slice(&base[parts.next()?]);
            Some(())
        })?;
        if accepted.is_none() {
            return Ok(());
        }
    }
}

/// Keeps the shortest window that fails on its own, again and again.
///
/// Cost: at most 160 tests a round, of six times the input's bytes together.
pub(crate) fn keep_window(
    search: &mut Search<'_, '_>,
    formats: &[UnitKind],
) -> Result<(), Stopped> {
    keep_first(search, |bytes| Box::new(windows(bytes, formats)))
}

/// Halves shorter than this are left to [`keep_window`], which looks at them in as few tests.
/// A guess; not measured.
const MIN_HALF_BYTES: usize = 64;

/// Keeps one half (the first, the last, the middle) and nothing else, again and again: it takes
/// three tests to find out that a failure needs more. Halves are of bytes where single bytes may
/// go, else of lines.
pub(crate) fn keep_half(search: &mut Search<'_, '_>, has_bytes: bool) -> Result<(), Stopped> {
    let format = if has_bytes { UnitKind::Bytes } else { UnitKind::Lines };
    keep_first(search, |bytes| {
        let units = split(bytes, format);
        let half = units.len() / 2;
        let starts = [0, units.len() - half, (units.len() - half) / 2].into_iter();
        let spans = starts.map(move |start| units.span(start..start + half));
        let on_boundary = |mut offset| {
            while splits_character(bytes, offset) {
                offset += 1;
            }
            offset
        };
        let halves = spans.map(move |span| on_boundary(span.start)..on_boundary(span.end));
        Box::new(halves.take_while(|half| half.len() >= MIN_HALF_BYTES))
    })
}

/// Lengths of the windows that are tried at every offset: powers of two, because each more is a test a
/// byte. A guess; not measured.
const WINDOW_BYTES: [usize; 5] = [8, 16, 32, 64, 128];
/// Bests longer than this have too many offsets: five tests a byte were too much for large binary
/// inputs and are kept for up to 2 KB (note of 2026-11-21 on flat reducers).
const MAX_OFFSETS: usize = 2048;

/// Keeps a short window that begins at any byte, for formats in which a record begins where no
/// line or token does. Cost: at most `5·n` tests of short candidates a round.
pub(crate) fn keep_window_anywhere(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    keep_first(search, |bytes| {
        let all = bytes.len();
        let is_narrow = move |width: &usize| all <= MAX_OFFSETS && width * 2 < all;
        let widths = WINDOW_BYTES.into_iter().filter(is_narrow);
        Box::new(widths.flat_map(move |width| (0..=all - width).map(move |at| at..at + width)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn halves_are_kept_as_long_as_one_of_them_fails() {
        let mut input = vec![b'.'; 4000];
        input[1990..1995].copy_from_slice(b"CRASH");
        let fails = |bytes: &[u8]| bytes.windows(5).any(|window| window == b"CRASH");
        let found = reduce_by(&input, fails, |search| keep_half(search, true));
        assert!(found.best.len() < 128, "{} bytes", found.best.len());
        assert!(found.tests <= 20, "{} tests", found.tests);
    }

    #[test]
    fn a_failure_without_surroundings_is_found_in_few_steps() {
        let mut input: Vec<u8> =
            (0..2000).flat_map(|n| format!("line {n}\n").into_bytes()).collect();
        input.extend_from_slice(b"x CRASH y\n");
        input.extend_from_slice(&vec![b'\n'; 500]);
        let fails = |bytes: &[u8]| bytes.windows(5).any(|window| window == b"CRASH");
        let found = reduce_by(&input, fails, |search| {
            keep_window(search, &[UnitKind::Lines, UnitKind::Tokens, UnitKind::Bytes])
        });
        assert!(found.best.len() <= 10);
        assert!(found.accepted <= 5 && found.tests <= 600, "{found:?}");
    }
}
