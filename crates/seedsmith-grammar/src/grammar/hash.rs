//! A fixed, fast hasher for tables keyed by small numbers.
//!
//! std's default is seeded again in each process; here no order and no speed may depend on that.
//! Tables made with it are only looked up, never iterated over.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Multiplies and rotates word by word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FixedHasher(u64);

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
pub(super) type FixedMap<K, V> = HashMap<K, V, BuildHasherDefault<FixedHasher>>;

/// A set to look things up in.
pub(super) type FixedSet<K> = HashSet<K, BuildHasherDefault<FixedHasher>>;

/// A map that is emptied in constant time, for scratch work that starts over all the time.
#[derive(Clone, Debug)]
pub(super) struct ScratchMap<K, V> {
    slots: Vec<(u32, K, V)>,
    stamp: u32,
    used: usize,
}

impl<K: Copy + Eq + Hash + Default, V: Copy + Default> Default for ScratchMap<K, V> {
    fn default() -> Self {
        ScratchMap { slots: vec![(0, K::default(), V::default()); 64], stamp: 1, used: 0 }
    }
}

impl<K: Copy + Eq + Hash + Default, V: Copy + Default> ScratchMap<K, V> {
    /// Forgets all entries.
    pub(super) fn clear(&mut self) {
        self.used = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            *self = Self::default();
        }
    }

    /// The value of `key` if it is there; else puts `value` in and gives nothing.
    #[inline]
    pub(super) fn get_or_put(&mut self, key: K, value: V) -> Option<V> {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        let at = self.slot(&key);
        let slot = &mut self.slots[at];
        if slot.0 == self.stamp {
            return Some(slot.2);
        }
        *slot = (self.stamp, key, value);
        self.used += 1;
        None
    }

    #[inline]
    fn slot(&self, key: &K) -> usize {
        let mut hasher = FixedHasher::default();
        key.hash(&mut hasher);
        let mask = self.slots.len() - 1;
        let mut at = hasher.finish() as usize & mask;
        while self.slots[at].0 == self.stamp && self.slots[at].1 != *key {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let empty = vec![(0, K::default(), V::default()); self.slots.len() * 4];
        let old = std::mem::replace(&mut self.slots, empty);
        for entry in old.into_iter().filter(|entry| entry.0 == self.stamp) {
            let at = self.slot(&entry.1);
            self.slots[at] = entry;
        }
    }
}
