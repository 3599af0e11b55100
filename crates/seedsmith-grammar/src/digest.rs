//! The 128-bit fingerprint by which the cache knows a candidate.
//!
//! xxh3-128 is no cryptographic hash: two candidates that collide on purpose can be made. No one
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

    /// Hashes several pieces, and where one ends and the next begins.
    pub fn of_pieces<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut hasher = xxhash_rust::xxh3::Xxh3::new();
        for piece in pieces {
            hasher.update(&(piece.len() as u64).to_le_bytes());
            hasher.update(piece);
        }
        Digest(hasher.digest128())
    }

    /// The digest of a whole from the digests of its parts, in their order.
    pub fn of_digests(parts: impl IntoIterator<Item = Digest>) -> Self {
        let parts: Vec<u8> = parts.into_iter().flat_map(|part| part.0.to_le_bytes()).collect();
        Digest::of(&parts)
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_of_pieces_tells_where_one_ends() {
        let of = |pieces: &[&str]| Digest::of_pieces(pieces.iter().map(|piece| piece.as_bytes()));
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab", "c"]), of(&["c", "ab"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
        assert_eq!(of(&["ab"]).to_string().len(), 32);
    }
}
