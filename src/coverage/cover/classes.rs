//! Features that the same candidates have, as one class.
//!
//! The cover counts how many features of a candidate are new. Features that the same candidates have are new
//! together, and are held together afterwards. So a class with the number of its features gives the same answers as
//! the features, and the lists are shorter: many blocks of code always run together.
//!
//! A feature that an input has by chance, the fuzzer may not see when it runs the input. So a feature is divided into as many
//! parts as there are groups of candidates. A candidate that always has the feature has all parts; one that has it by
//! chance has the part of its group. A cover then has one candidate of the first kind, or one of each group.

use std::collections::HashMap;
use std::num::NonZero;

use seedsmith_engine::internal::{FeatureText, features};
use xxhash_rust::xxh3::xxh3_128;

use crate::corpus::in_parts;

/// The classes of the features of some candidates.
pub(super) struct Classes {
    /// For each candidate its classes, ascending: the distance from the one before, less one, in a byte.
    lists: Vec<Box<[u8]>>,
    /// For each class, the number of its features.
    sizes: Vec<u32>,
}

/// Groups of candidates, by digest, of which each has to have a feature that no candidate has for certain. With two ways to run, a
/// feature that one of them has is missed by all of four inputs once in 16 times. A guess, not measured.
pub(super) const CHANCE_GROUPS: u8 = 4;
const GROUPS: usize = CHANCE_GROUPS as usize;

/// Which candidates have each feature: for each set of them the sum of their digests.
#[derive(Default)]
struct Holders {
    /// By feature, those that always have it.
    always: Vec<u128>,
    /// By feature, its place in `by_chance`; [`NONE`] if no candidate has it by chance.
    parts: Vec<u32>,
    /// By group, those that have a feature by chance.
    by_chance: Vec<[u128; GROUPS]>,
}

impl Holders {
    /// Makes room for a feature.
    fn grow(&mut self, feature: usize) {
        if feature >= self.always.len() {
            self.always.resize(feature + 1, 0);
            self.parts.resize(feature + 1, NONE);
        }
    }

    /// The sums of those that have a feature by chance.
    fn by_chance(&mut self, feature: usize) -> &mut [u128; GROUPS] {
        if self.parts[feature] == NONE {
            self.parts[feature] = self.by_chance.len() as u32;
            self.by_chance.push([0; GROUPS]);
        }
        &mut self.by_chance[self.parts[feature] as usize]
    }

    /// Adds the candidate with this number.
    fn add(&mut self, index: usize, list: &FeatureText, group: u8) {
        let digest = xxh3_128(&index.to_le_bytes());
        for (feature, is_by_chance) in list {
            let at = feature as usize;
            self.grow(at);
            let sum = match is_by_chance {
                true => &mut self.by_chance(at)[usize::from(group)],
                false => &mut self.always[at],
            };
            *sum = sum.wrapping_add(digest);
        }
    }

    /// Adds other candidates.
    fn join(&mut self, others: &Holders) {
        if let Some(last) = others.always.len().checked_sub(1) {
            self.grow(last);
        }
        for (feature, (sum, part)) in others.always.iter().zip(&others.parts).enumerate() {
            self.always[feature] = self.always[feature].wrapping_add(*sum);
            if let Some(by_chance) = others.by_chance.get(*part as usize) {
                for (own, other) in self.by_chance(feature).iter_mut().zip(by_chance) {
                    *own = own.wrapping_add(*other);
                }
            }
        }
    }

    /// Drops a feature.
    fn forget(&mut self, feature: u32) {
        if let Some(sum) = self.always.get_mut(feature as usize) {
            *sum = 0;
            self.parts[feature as usize] = NONE;
        }
    }
}

/// Gives classes their numbers.
#[derive(Default)]
struct Numbering {
    by_holders: HashMap<u128, u32>,
    sizes: Vec<u32>,
}

impl Numbering {
    /// Adds `size` parts of a feature to the class of what these candidates have. Gives the class if it is new, and
    /// [`NONE`] if it is not: then the candidates have it already.
    fn add(&mut self, holders: u128, size: u32) -> u32 {
        let next = self.sizes.len() as u32;
        let class = *self.by_holders.entry(holders).or_insert(next);
        if class == next {
            self.sizes.push(0);
        }
        self.sizes[class as usize] += size;
        if class == next { class } else { NONE }
    }
}

/// A thread has at least this number of candidates: some hundred microseconds of work, where starting it takes some
/// ten. A guess, not measured.
pub(super) const MIN_LISTS_OF_A_THREAD: usize = if cfg!(test) { 16 } else { 256 };

/// Instead of a distance: the next four bytes are the distance.
const IS_LONG: u8 = u8::MAX;
/// The class of a feature that is not the first one of its class.
const NONE: u32 = u32::MAX;

impl Classes {
    /// The classes of the features in `lists` that no list of `given` has. `groups` has the group of each list.
    ///
    /// Two sets of candidates are the same if the sums of their candidates' digests are. With 128 bits, no two sets
    /// have one sum by chance. Costs two passes over all lists, by `jobs` threads; memory is 20 bytes for each possible
    /// feature and thread, and about a byte for each class of a list.
    pub(super) fn of(
        lists: &[&FeatureText],
        groups: &[u8],
        given: &[&FeatureText],
        jobs: NonZero<usize>,
    ) -> Self {
        let mut sums = in_parts(jobs, lists.len(), MIN_LISTS_OF_A_THREAD, |part| {
            let mut sums = Holders::default();
            for index in part {
                sums.add(index, lists[index], groups[index]);
            }
            sums
        })
        .into_iter();
        let mut holders = sums.next().unwrap_or_default();
        sums.for_each(|others| holders.join(&others));
        given.iter().flat_map(|list| features(list)).for_each(|feature| holders.forget(feature));
        let Holders { always, parts, by_chance } = holders;
        let mut numbering = Numbering::default();
        let mut begins = vec![NONE; always.len()];
        let mut begins_by_chance = vec![[NONE; GROUPS]; by_chance.len()];
        for (feature, sum) in always.iter().enumerate() {
            let own = by_chance.get(parts[feature] as usize);
            let divided = own.map_or(0, |sums| sums.iter().filter(|sum| **sum != 0).count());
            if *sum != 0 && divided < GROUPS {
                begins[feature] = numbering.add(*sum, (GROUPS - divided) as u32);
            }
            for (group, chance) in
                own.into_iter().flatten().enumerate().filter(|(_, sum)| **sum != 0)
            {
                let class = numbering.add(sum.wrapping_add(*chance), 1);
                begins_by_chance[parts[feature] as usize][group] = class;
            }
        }
        let of_one = |list: &FeatureText, group: u8| {
            // Ascending, as the features are: classes are numbered by the first place in which they are added.
            let classes = list.into_iter().flat_map(|(feature, is_by_chance)| {
                let own = begins_by_chance.get(parts[feature as usize] as usize);
                let own = own.map_or(&[][..], |classes| match is_by_chance {
                    true => &classes[usize::from(group)..=usize::from(group)],
                    false => &classes[..],
                });
                let whole = if is_by_chance { NONE } else { begins[feature as usize] };
                std::iter::once(whole).chain(own.iter().copied())
            });
            packed(classes.filter(|class| *class != NONE))
        };
        let lists = in_parts(jobs, lists.len(), MIN_LISTS_OF_A_THREAD, |part| {
            part.map(|index| of_one(lists[index], groups[index])).collect::<Vec<_>>()
        });
        Classes { lists: lists.into_iter().flatten().collect(), sizes: numbering.sizes }
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
        let groups = vec![0; lists.len()];
        Classes::of(
            &lists.iter().collect::<Vec<_>>(),
            &groups,
            &given.iter().collect::<Vec<_>>(),
            NonZero::<usize>::MIN,
        )
    }

    #[test]
    fn what_all_have_by_chance_is_one_class_for_each_group_and_one_that_always_has_it_has_all() {
        let list = |marked: &[(u32, bool)]| marked.iter().copied().collect::<FeatureText>();
        let chance = list(&[(8, true)]);
        let certain = list(&[(8, false)]);
        let count = |lists: &[&FeatureText], groups: &[u8]| {
            let classes = Classes::of(lists, groups, &[], NonZero::<usize>::MIN);
            let of = |index| classes.of_candidate(index).collect::<Vec<u32>>();
            ((0..lists.len()).map(of).collect::<Vec<_>>(), classes.count())
        };
        let lists = [&chance, &chance, &chance];
        assert_eq!(count(&lists, &[0, 1, 1]), (vec![vec![0], vec![1], vec![1]], 2));
        let lists = [&chance, &chance, &certain];
        assert_eq!(count(&lists, &[0, 3, 0]), (vec![vec![1], vec![2], vec![0, 1, 2]], 3));
        assert!(
            count(&lists, &[0, 3, 0]).1 > 0
                && Classes::of(&lists, &[0, 3, 0], &[&chance], NonZero::<usize>::MIN).count() == 0
        );
    }

    #[test]
    fn features_of_the_same_candidates_are_one_class() {
        let classes = classes(&[&[8, 17, 24, 40], &[8, 24, 40], &[32, 40]], &[]);
        let of = |index| classes.of_candidate(index).collect::<Vec<_>>();
        // 8 and 24, 17, 32, 40.
        assert_eq!([of(0), of(1), of(2)], [vec![0, 1, 3], vec![0, 3], vec![2, 3]]);
        assert_eq!((0..4).map(|class| classes.size(class)).collect::<Vec<_>>(), [8, 4, 4, 4]);
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
