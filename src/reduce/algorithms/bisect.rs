//! The least amount of something that still fails, by bisection: bytes at an end, repetitions,
//! levels, a number.
//!
//! A failure need not get rarer with less of a thing, so the result is a small amount, not
//! always the least.

use std::ops::Range;

use crate::search::Search;
use seedsmith_engine::Stopped;

/// For [`least`]: no step is too small. Larger than any amount, so that a part of it is below one.
pub(crate) const EXACT: i64 = i64::MAX;

/// The least amount that bisection finds to fail. `amounts` starts with one that doesn't fail, or
/// is taken not to, and ends with one that does; `write` makes the candidate of an amount.
///
/// A step of less than one part in `close` of the failing amount isn't worth a test; [`EXACT`]
/// takes all. Cost: `log2` of the amounts, and as much again after each success.
pub(crate) fn least(
    search: &mut Search<'_, '_>,
    amounts: Range<i64>,
    close: i64,
    mut write: impl FnMut(i64, &mut Vec<u8>),
) -> Result<i64, Stopped> {
    let (mut too_little, mut enough) = (amounts.start, amounts.end);
    loop {
        let mut low = too_little;
        let accepted = search.first(|buffer| {
            let step = (enough - low) / 2;
            if step == 0 || step.saturating_mul(close) < enough {
                return None;
            }
            let before = low;
            low += step;
            write(low, buffer);
            Some((before, low))
        })?;
        match accepted {
            Some(found) => (too_little, enough) = found,
            None => return Ok(enough),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn the_least_amount_is_found_in_few_tests() {
        let found = reduce_by(
            &[b'x'; 1000],
            |bytes| bytes.len() >= 137,
            |search| {
                let least = least(search, 0..1000, EXACT, |amount, buffer| {
                    buffer.resize(amount as usize, b'x');
                })?;
                assert_eq!(least, 137);
                Ok(())
            },
        );
        assert!(found.tests <= 40, "{} tests", found.tests);
    }
}
