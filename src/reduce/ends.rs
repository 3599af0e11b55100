//! Cuts what lies behind the failure, and what lies in front of it, by bisection.
//!
//! A parser that dies on the way has not seen the rest: half of a large input often goes with a
//! dozen tests, whatever its structure.

use super::edit;
use crate::oracle::Stopped;
use crate::search::Search;

#[derive(Clone, Copy)]
enum End {
    Head,
    Tail,
}

/// An end is found to within this fraction of the input: what is closer costs whole tests of
/// nearly the whole input, and goes later with less.
const CLOSE: usize = 64;

/// Cuts the longest tail, then the longest head, that bisection finds. Cost: a dozen tests, and
/// `2·log2(n)` where much goes.
pub fn cut_ends(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    cut(search, End::Tail)?;
    cut(search, End::Head)
}

fn cut(search: &mut Search<'_, '_>, end: End) -> Result<(), Stopped> {
    // Keeping `too_few` bytes is known, or taken, not to fail.
    let mut too_few = 0;
    loop {
        let base = search.best().to_vec();
        let mut low = too_few;
        let accepted = search.first(|buffer| {
            let kept = low + (base.len().checked_sub(low)?) / 2;
            if kept == low || (kept - low) * CLOSE < base.len() {
                return None;
            }
            let before = low;
            low = kept;
            let kept = match end {
                End::Tail => {
                    let mut at = kept;
                    while at > before + 1 && edit::splits_character(&base, at) {
                        at -= 1;
                    }
                    &base[..at]
                }
                End::Head => {
                    let mut at = base.len() - kept;
                    while at < base.len() - 1 && edit::splits_character(&base, at) {
                        at += 1;
                    }
                    &base[at..]
                }
            };
            buffer.extend_from_slice(kept);
            Some(before)
        })?;
        match accepted {
            Some(before) => too_few = before,
            None => return Ok(()),
        }
    }
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
