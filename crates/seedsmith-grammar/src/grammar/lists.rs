//! Lists by number: equal lists get the same one.
//!
//! All are stored one after the other in one piece of memory, and the hash table that finds them
//! holds numbers only: a list is stored once, and neither adding nor finding one allocates memory
//! for itself.

use super::hash::FixedHasher;
use std::hash::{Hash, Hasher};

const FREE: u32 = u32::MAX;

/// Lists, each with its number, counted from 0 in the order in which they came.
#[derive(Clone, Debug)]
pub(super) struct ListInterner<T> {
    items: Vec<T>,
    /// Where each list starts in `items`; one more for the end.
    starts: Vec<u32>,
    /// Hash and number, at the hash's place or after it.
    slots: Vec<(u32, u32)>,
}

impl<T> Default for ListInterner<T> {
    fn default() -> Self {
        ListInterner { items: Vec::new(), starts: vec![0], slots: vec![(0, FREE); 64] }
    }
}

impl<T: Copy + Eq + Hash> ListInterner<T> {
    /// How many lists there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many items all lists have together.
    pub(super) fn item_count(&self) -> usize {
        self.items.len()
    }

    /// The list of that number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> &[T] {
        let at = number as usize;
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The list's number; it gets one if it has none.
    #[inline]
    pub(super) fn number_of(&mut self, list: &[T]) -> u32 {
        let mut hasher = FixedHasher::default();
        list.iter().for_each(|item| item.hash(&mut hasher));
        let hash = (hasher.finish() >> 32) as u32;
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (known, number) = self.slots[at];
            if number == FREE {
                break;
            }
            if known == hash && self.get(number) == list {
                return number;
            }
            at = (at + 1) & mask;
        }
        let number = self.len() as u32;
        self.slots[at] = (hash, number);
        self.items.extend_from_slice(list);
        self.starts.push(self.items.len() as u32);
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        let old = std::mem::replace(&mut self.slots, vec![(0, FREE); mask + 1]);
        for slot in old.into_iter().filter(|slot| slot.1 != FREE) {
            let mut at = slot.0 as usize & mask;
            while self.slots[at].1 != FREE {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_share_a_number_however_many_there_are() {
        let mut lists = ListInterner::default();
        let empty = lists.number_of(&[]);
        for round in 0..2 {
            for low in 0..1000_u32 {
                assert_eq!(lists.number_of(&[low, low / 7]), 2 * low + 1, "round {round}");
                assert_eq!(lists.number_of(&[low]), 2 * low + 2);
            }
        }
        assert_eq!((lists.number_of(&[]), lists.len(), lists.item_count()), (empty, 2001, 3000));
        assert_eq!((lists.get(15), lists.get(16)), (&[7, 1][..], &[7][..]));
    }
}
