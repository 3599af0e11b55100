//! Cuts the text after the failure, then the text before it, by bisection.
//!
//! A parser that dies on the way has not seen the rest: half of a large input often goes with a
//! dozen tests, whatever its structure.

use std::borrow::Cow;

use crate::reduce::algorithms::bisect::least;
use crate::reduce::algorithms::edit;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, HERE, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;

/// Cuts off the tail, then the head, as far as bisection finds.
///
/// Works on bytes, and cuts before no continuation byte of a UTF-8 character. A parser that fails early
/// has not seen the rest, so half of a large input often goes. Cost: a dozen tests, and `2·log2(n)`
/// where much goes.
pub(crate) static ENDS: Reducer = Reducer {
    name: Cow::Borrowed("ends"),
    description: Cow::Borrowed("cuts off the tail, then the head, as far as bisection finds"),
    activity: "deleting blocks",
    needs: &[Need::Bytes],
    cost: Cost::Logarithmic,
    source: HERE,
    function: Function::Flat(|search, _| cut_ends(search)),
};

/// An end is found to within this fraction of the input: closer bisection costs tests of nearly the
/// whole input, and the rest goes later in shorter candidates. To bisect to the last byte was tried
/// and dropped (note of 2026-11-21 on flat reducers).
const MIN_CUT_DIVISOR: i64 = 64;

/// Cuts the longest tail, then the longest head, that bisection finds. Cost: a dozen tests, and
/// `2·log2(n)` where much goes.
pub(crate) fn cut_ends(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let base = search.best().to_vec();
    least(search, 0..base.len() as i64, MIN_CUT_DIVISOR, |kept, buffer| {
        let mut at = kept as usize;
        while at > 1 && edit::splits_character(&base, at) {
            at -= 1;
        }
        buffer.extend_from_slice(&base[..at]);
    })?;
    let base = search.best().to_vec();
    least(search, 0..base.len() as i64, MIN_CUT_DIVISOR, |kept, buffer| {
        let mut at = base.len() - kept as usize;
        while at < base.len() - 1 && edit::splits_character(&base, at) {
            at += 1;
        }
        buffer.extend_from_slice(&base[at..]);
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn what_surrounds_the_failure_goes_in_few_tests() {
        let mut input = vec![b'.'; 1000];
        input[700..705].copy_from_slice(b"CRASH");
        let fails = |bytes: &[u8]| bytes.windows(5).any(|window| window == b"CRASH");
        let found = reduce_by(&input, fails, cut_ends);
        assert!(found.best.len() <= 30);
        assert!(found.tests <= 22, "{} tests", found.tests);
    }
}
