//! A fixed, fast hasher for tables keyed by small numbers.
//!
//! std's default is seeded anew in each process; here no order and no speed may depend on that.
//! Tables made with it are only looked up, never iterated over.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Multiplies and rotates word by word.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedHasher(u64);

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for FixedHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(FACTOR);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}

/// A map to look things up in.
pub type Table<K, V> = HashMap<K, V, BuildHasherDefault<FixedHasher>>;

/// A set to look things up in.
pub type Lookup<K> = HashSet<K, BuildHasherDefault<FixedHasher>>;
