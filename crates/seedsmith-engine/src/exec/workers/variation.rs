//! What differs between runs of a target whose coverage is read: its random numbers, and where the candidate begins.
//!
//! libFuzzer's runs differ in both. To see what they see, and to see the same each time, both are made of the
//! candidate's content. Compiled twice, see [`super::sys`].

/// Where a candidate begins in memory, in bytes: no register that code searches memory with is wider.
const ALIGNMENT_BYTES: usize = 64;
/// Where it may begin after that: `malloc` gives multiples of 16, and most code that searches memory reads 32 aligned bytes at
/// once.
const STEP_BYTES: usize = 16;
/// An odd number without a pattern: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// One of the ways in which a candidate can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variation(u64);

impl Variation {
    /// The one that all candidates have in common.
    pub(crate) const FIXED: Variation = Variation(0);

    /// The one of a candidate. Costs a pass over it.
    pub(crate) fn of(candidate: &[u8]) -> Self {
        let mut digest = candidate.len() as u64;
        for bytes in candidate.chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            digest = (digest ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
            digest ^= digest >> 32;
        }
        // Never the fixed one, also not by `other`.
        Variation(digest | 2)
    }

    /// Another one, with other random numbers and another place. Its own other one is this one.
    #[allow(dead_code, reason = "the preloaded runtime, a crate of its own, calls it")]
    pub(crate) fn other(self) -> Self {
        Variation(self.0 ^ 1)
    }

    /// The first of the random numbers.
    #[allow(dead_code, reason = "the preloaded runtime, a crate of its own, calls it")]
    pub(crate) fn seed(self) -> u64 {
        self.0.wrapping_mul(FACTOR)
    }

    /// Where a candidate begins: a multiple of the first number of bytes, and the second number after it.
    pub(crate) fn place(self) -> (usize, usize) {
        (ALIGNMENT_BYTES, (self.0 & 1) as usize * STEP_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_has_two_ways_to_run_and_others_have_others() {
        let one = Variation::of(b"some text");
        assert_eq!(one, Variation::of(b"some text"));
        assert_eq!(one.other().other(), one);
        assert_ne!(one.place(), one.other().place());
        assert_ne!(one.seed(), one.other().seed());
        assert_ne!(one.seed(), Variation::of(b"some tex").seed());
        assert_ne!(Variation::of(b"").seed(), Variation::FIXED.seed());
        let starts = (0..100u8).filter(|text| Variation::of(&[*text]).place().1 == 0).count();
        assert!((20..80).contains(&starts), "{starts}");
    }
}
