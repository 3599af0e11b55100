//! The 128-bit fingerprint by which the cache knows a candidate.
//!
//! xxh3-128 is no cryptographic hash: two candidates that collide on purpose can be made. Nobody
//! gains by that here, and 2^64 candidates would be needed to meet one by accident.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

/// The xxh3-128 of a candidate's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub u128);

impl Digest {
    /// Hashes `bytes`; about 0.3 µs for 10 KB.
    pub fn of(bytes: &[u8]) -> Self {
        Digest(xxhash_rust::xxh3::xxh3_128(bytes))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A hasher for keys that are evenly spread already: digests, and tickets that count upwards.
#[derive(Clone, Copy, Default)]
pub struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("only whole numbers are hashed by identity");
    }

    fn write_u64(&mut self, number: u64) {
        // The table takes its tags from the upper bits, which a small number leaves empty.
        self.0 = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u128(&mut self, number: u128) {
        self.0 = number as u64;
    }
}

/// A map keyed by whole numbers that are evenly spread already.
pub type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<Identity>>;
