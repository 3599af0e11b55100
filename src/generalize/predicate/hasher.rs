//! A hash of features, which are mostly names: an input has thousands of them, and they are looked up for every input.
//!
//! It is not safe against names that were chosen to collide. The names come from one grammar and from the inputs of one
//! search, so that such names would make that search slow and nothing else. Unlike the standard library's hash it is the
//! same in every process, so that features come in the same order in every run.

use std::hash::{BuildHasherDefault, Hasher};

/// Builds the hasher of maps of features.
pub(super) type BuildFeatureHasher = BuildHasherDefault<FeatureHasher>;

/// An odd number without a pattern in its bits, because it mixes all bits of a word; rustc's own hash function has it.
const FACTOR: u64 = 0x517c_c1b7_2722_0a95;

/// The state of a hash.
#[derive(Clone, Copy, Default)]
pub struct FeatureHasher(u64);

/// The state of a hash after a further word.
pub(super) fn mix(state: u64, word: u64) -> u64 {
    (state.rotate_left(5) ^ word).wrapping_mul(FACTOR)
}

impl FeatureHasher {
    fn mix(&mut self, word: u64) {
        self.0 = mix(self.0, word);
    }
}

impl Hasher for FeatureHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_isize(&mut self, number: isize) {
        self.mix(number as u64);
    }

    fn finish(&self) -> u64 {
        // Maps take their place from the lowest bits, which the factor mixes least.
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use super::*;
    use crate::generalize::predicate::feature::Feature;

    #[test]
    fn names_that_differ_in_one_letter_or_in_length_have_other_hashes() {
        let hash = |feature: Feature| BuildFeatureHasher::default().hash_one(feature);
        let names = ["", "a", "b", "aa", "<value>", "<value> in <array>", "<value> in <arraz>"];
        let mut hashes: Vec<u64> =
            names.iter().map(|name| hash(Feature::Count((*name).into()))).collect();
        hashes.extend(names.iter().map(|name| hash(Feature::Twins((*name).into()))));
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 2 * names.len());
        assert_eq!(hash(Feature::Brackets), hash(Feature::Brackets));
    }
}
