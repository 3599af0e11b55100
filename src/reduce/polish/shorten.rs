//! Shrinks an input further than deletion can: windows become shorter ones, a byte is deleted while
//! another changes.
//!
//! A 1-minimal result is often longer than the shortest failing input by a detour that deletion
//! cannot leave: `<<` where `]` does, a name of two letters where any sign would do.

use std::borrow::Cow;
use std::ops::Range;

use crate::reduce::algorithms::allowance::Allowance;
use crate::reduce::algorithms::edit;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::polish::alphabet::Alphabet;
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;

/// Puts one or two bytes in the place of more, within the budget for polishing.
///
/// It deletes any window, deletes any two short windows, replaces a window by a byte, deletes a
/// byte and changes another, and replaces a window by two bytes. Only for bests of up to 64 bytes.
/// Cost: at most the budget for polishing.
pub(crate) static SHORTEN: Reducer = Reducer {
    name: Cow::Borrowed("shorten"),
    description: Cow::Borrowed(
        "puts one or two bytes in the place of more, within what polishing may cost",
    ),
    activity: "replacing bytes",
    needs: &[Need::Bytes],
    cost: Cost::Limited,
    source: HERE,
    function: Function::Flat(|search, context| {
        context.polish(search, |search, polisher| {
            shorten(search, &polisher.alphabet, &mut polisher.allowance)
        })
    }),
};

/// Bests longer than this are left to [`mutate`](super::mutate): 64 bytes have 2,080 windows, each
/// with as many tests as there are bytes to write. A guess; not measured.
const MAX_SHORTENED_BYTES: usize = 64;

/// Every window of `least` to `most` bytes, the longest first.
fn windows(len: usize, least: usize, most: usize) -> impl Iterator<Item = Range<usize>> + Clone {
    let sizes = (least..=most.min(len)).rev();
    sizes.flat_map(move |size| (0..=len - size).map(move |at| at..at + size))
}

/// Tries, within the allowance, each way of writing the best a little shorter; stops at the first
/// success and says whether there was one.
///
/// In order: any window goes; any two short windows go; a window becomes one byte; a byte goes and
/// another changes; a window becomes two bytes.
pub(crate) fn shorten(
    search: &mut Search<'_, '_>,
    alphabet: &Alphabet,
    allowance: &mut Allowance,
) -> Result<bool, Stopped> {
    let base = search.best().to_vec();
    let len = base.len();
    if len > MAX_SHORTENED_BYTES {
        return Ok(false);
    }
    let narrow = alphabet.narrow(&base);
    let wide = alphabet.wide(&base);

    let mut one = windows(len, 1, len);
    let mut two = windows(len, 1, 3).flat_map(|left| {
        windows(len, 1, 3)
            .filter(move |right| left.end < right.start)
            .map({
                let left = left.clone();
                move |right| [left.clone(), right]
            })
            .collect::<Vec<_>>()
    });
    let mut become_one = windows(len, 2, len)
        .flat_map(|window| wide.iter().map(move |byte| (window.clone(), *byte)));
    let values = if len <= 16 { &wide } else { &narrow };
    let mut change = (0..len).flat_map(|gone| {
        (0..len)
            .filter(move |changed| *changed != gone)
            .flat_map(move |changed| values.iter().map(move |byte| (gone, changed, *byte)))
    });
    let mut become_two = windows(len, 3, len).flat_map(|window| {
        let narrow = &narrow;
        narrow.iter().flat_map(move |first| {
            let window = window.clone();
            narrow.iter().map(move |second| (window.clone(), [*first, *second]))
        })
    });
    allowance.first(search, |buffer| {
        if let Some(window) = one.next() {
            edit::without(&base, &[window], buffer);
        } else if let Some(cuts) = two.next() {
            edit::without(&base, &cuts, buffer);
        } else if let Some((window, byte)) = become_one.next() {
            edit::replaced(&base, window, &[byte], buffer);
        } else if let Some((gone, changed, byte)) = change.next() {
            buffer.extend_from_slice(&base);
            buffer[changed] = byte;
            buffer.remove(gone);
        } else {
            let (window, bytes) = become_two.next()?;
            edit::replaced(&base, window, &bytes, buffer);
        }
        Some(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    fn shortened(input: &'static str, fails: impl Fn(&[u8]) -> bool + 'static) -> Vec<u8> {
        let input = input.as_bytes();
        let found = reduce_by(input, fails, |search| {
            let alphabet = Alphabet::of(input);
            let mut allowance = Allowance::new(100_000);
            while shorten(search, &alphabet, &mut allowance)? {}
            Ok(())
        });
        found.best
    }

    #[test]
    fn a_window_becomes_a_single_byte() {
        let fails = |bytes: &[u8]| bytes == b"a<<" || bytes == b"a]";
        assert_eq!(shortened("a<<", fails), b"a]");
    }

    #[test]
    fn a_byte_goes_while_a_distant_one_changes() {
        let fails = |bytes: &[u8]| bytes == b"x1..y" || bytes == b"0..y";
        assert_eq!(shortened("x1..y", fails), b"0..y");
    }

    #[test]
    fn two_distant_windows_go_together() {
        let fails = |bytes: &[u8]| bytes == b"ab..ba" || bytes == b"..";
        assert_eq!(shortened("ab..ba", fails), b"..");
    }
}
