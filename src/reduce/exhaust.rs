//! Tests every shorter input there is.
//!
//! What remains of a crash is often two or three bytes; then all shorter inputs can be tested in a
//! fraction of a second, and the result is known to be as small as any.

use crate::event::Minimality;
use crate::search::Search;
use seedsmith_engine::oracle::Stopped;

/// How many inputs are shorter than `length` bytes; saturates.
pub fn shorter_than(length: usize) -> u64 {
    (0..length).fold(0u64, |sum, _| sum.saturating_mul(256).saturating_add(1))
}

/// Tests every input shorter than the best, the shortest first, and claims
/// [`Minimality::Global`]. Cost: [`shorter_than`] tests.
pub fn exhaust(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let length = search.best().len();
    let mut next = Some(Vec::new());
    search.first(|buffer| {
        let candidate = next.take()?;
        buffer.extend_from_slice(&candidate);
        next = successor(candidate).filter(|successor| successor.len() < length);
        Some(())
    })?;
    search.claim(Minimality::Global);
    Ok(())
}

/// The next input of the same length, or the first that is longer.
fn successor(mut input: Vec<u8>) -> Option<Vec<u8>> {
    for byte in input.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return Some(input);
        }
    }
    input.push(0);
    Some(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn a_claim_of_global_minimality_took_every_shorter_input() {
        let found = reduce_by(b"ab", |bytes| bytes.len() > 1, exhaust);
        assert_eq!((found.tests, found.minimality), (257, Minimality::Global));
        assert_eq!(shorter_than(2), 257);
        assert_eq!(shorter_than(0), 0);
        assert_eq!(shorter_than(100), u64::MAX);
    }

    #[test]
    fn the_first_shorter_input_that_fails_is_the_shortest() {
        let fails = |bytes: &[u8]| bytes == b"abc" || bytes.contains(&0x80);
        let found = reduce_by(b"abc", fails, exhaust);
        assert_eq!((found.best, found.minimality), (vec![0x80], Minimality::Global));
    }
}
