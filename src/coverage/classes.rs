//! Features that the same candidates have, as one class.
//!
//! The cover counts how many features of a candidate are new. Features that the same candidates have are new
//! together, and are held together afterwards. So a class with the number of its features gives the same answers as
//! the features, and the lists are shorter: many blocks of code always run together.

use std::collections::HashMap;

use seedsmith_engine::internal::{FeatureText, features};
use xxhash_rust::xxh3::xxh3_128;

/// The classes of the features of some candidates.
pub(super) struct Classes {
    /// For each candidate its classes, ascending: the distance from the one before, less one, in a byte.
    lists: Vec<Box<[u8]>>,
    /// For each class, the number of its features.
    sizes: Vec<u32>,
}

/// Instead of a distance: the next four bytes are the distance.
const IS_LONG: u8 = u8::MAX;
/// The class of a feature that is not the first one of its class.
const NONE: u32 = u32::MAX;

impl Classes {
    /// The classes of the features in `lists` that no list of `given` has.
    ///
    /// Two sets of candidates are the same if the sums of their candidates' digests are. With 128 bits, no two sets
    /// have one sum by chance. Costs two passes over all lists; memory is 20 bytes for each possible feature, and
    /// about a byte for each class of a list.
    pub(super) fn of(lists: &[&FeatureText], given: &[&FeatureText]) -> Self {
        let mut holders: Vec<u128> = Vec::new();
        for (index, list) in lists.iter().enumerate() {
            let digest = xxh3_128(&index.to_le_bytes());
            for feature in features(list) {
                let at = feature as usize;
                holders.resize(holders.len().max(at + 1), 0);
                let sum = &mut holders[at];
                *sum = sum.wrapping_add(digest);
            }
        }
        for feature in given.iter().flat_map(|list| features(list)) {
            if let Some(sum) = holders.get_mut(feature as usize) {
                *sum = 0;
            }
        }
        let mut by_holders: HashMap<u128, u32> = HashMap::new();
        let mut sizes: Vec<u32> = Vec::new();
        let mut begins = vec![NONE; holders.len()];
        for (feature, sum) in holders.iter().enumerate().filter(|(_, sum)| **sum != 0) {
            let class = *by_holders.entry(*sum).or_insert(sizes.len() as u32);
            if class as usize == sizes.len() {
                sizes.push(0);
                begins[feature] = class;
            }
            sizes[class as usize] += 1;
        }
        let lists = lists.iter().map(|list| {
            // Ascending, as the features are: classes are numbered by their first feature.
            let classes = features(list).map(|feature| begins[feature as usize]);
            packed(classes.filter(|class| *class != NONE))
        });
        Classes { lists: lists.collect(), sizes }
    }

    /// How many classes there are. Their numbers are those below.
    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The number of features of a class.
    pub(super) fn size(&self, class: u32) -> u64 {
        u64::from(self.sizes[class as usize])
    }

    /// The classes of a candidate, ascending.
    pub(super) fn of_candidate(&self, index: usize) -> impl Iterator<Item = u32> + '_ {
        let mut bytes = self.lists[index].iter();
        let mut next = 0;
        std::iter::from_fn(move || {
            let distance = match *bytes.next()? {
                IS_LONG => {
                    let long = bytes.as_slice().first_chunk().expect("`packed` writes four bytes");
                    bytes.nth(size_of::<u32>() - 1);
                    u32::from_le_bytes(*long)
                }
                short => u32::from(short),
            };
            let class = next + distance;
            next = class + 1;
            Some(class)
        })
    }
}

/// Ascending numbers as distances.
fn packed(ascending: impl Iterator<Item = u32>) -> Box<[u8]> {
    let (mut bytes, mut next) = (Vec::new(), 0);
    for class in ascending {
        let distance = class - next;
        match u8::try_from(distance) {
            Ok(short) if short != IS_LONG => bytes.push(short),
            _ => {
                bytes.push(IS_LONG);
                bytes.extend(distance.to_le_bytes());
            }
        }
        next = class + 1;
    }
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(lists: &[&[u32]], given: &[&[u32]]) -> Classes {
        let made = |lists: &[&[u32]]| -> Vec<FeatureText> {
            lists.iter().map(|list| FeatureText::of(list)).collect()
        };
        let (lists, given) = (made(lists), made(given));
        Classes::of(&lists.iter().collect::<Vec<_>>(), &given.iter().collect::<Vec<_>>())
    }

    #[test]
    fn features_of_the_same_candidates_are_one_class() {
        let classes = classes(&[&[8, 17, 24, 40], &[8, 24, 40], &[32, 40]], &[]);
        let of = |index| classes.of_candidate(index).collect::<Vec<_>>();
        // 8 and 24, 17, 32, 40.
        assert_eq!([of(0), of(1), of(2)], [vec![0, 1, 3], vec![0, 3], vec![2, 3]]);
        assert_eq!((0..4).map(|class| classes.size(class)).collect::<Vec<_>>(), [2, 1, 1, 1]);
        assert_eq!(classes.count(), 4);
    }

    #[test]
    fn given_features_have_no_class() {
        let classes = classes(&[&[8, 16], &[16, 24]], &[&[16, 4000]]);
        assert_eq!(classes.count(), 2);
        assert_eq!(classes.of_candidate(1).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn distances_of_any_size_are_read_as_they_were_written() {
        let list = [0, 1, 255, 510, 511, 767, 70_000, 70_001, 1 << 30];
        let classes = Classes { lists: vec![packed(list.into_iter())], sizes: Vec::new() };
        assert_eq!(classes.of_candidate(0).collect::<Vec<_>>(), list);
    }
}
