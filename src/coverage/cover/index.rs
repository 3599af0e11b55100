//! Which inputs have each feature, for lists of features that stay as they are while inputs are chosen again and again.
//!
//! Features that the same inputs have are one group, since many blocks of code always run together. A group is as good
//! as its features for every question about these lists, and there are fewer groups.

use std::collections::HashMap;
use std::num::NonZero;

use seedsmith_engine::internal::{FeatureText, features};
use xxhash_rust::xxh3::xxh3_128;

use super::distances::Distances;
use crate::corpus::in_parts;

/// A thread has at least this number of lists: some hundred microseconds of work, where starting it takes some
/// ten. A guess, not measured.
pub(super) const MIN_LISTS_OF_A_THREAD: usize = if cfg!(test) { 16 } else { 256 };

/// The group of a feature that no list has.
const NONE: u32 = u32::MAX;

/// An inverted index of lists of features.
#[derive(Debug)]
pub(crate) struct FeatureIndex {
    /// By list, its groups; empty for a list that is not in the index.
    lists: Vec<Distances>,
    /// By list, whether it is in the index.
    has: Vec<bool>,
    /// By group, the lists that have it.
    holders: Vec<Distances>,
    /// By feature, its group.
    groups: Vec<u32>,
}

/// By feature, the sum of the digests of the inputs that have it: sets of inputs are the same if their sums are. With 128
/// bits, no two sets have one sum by chance.
fn add_digest(sums: &mut Vec<u128>, index: usize, list: &FeatureText) {
    let digest = digest_of(index);
    for feature in features(list) {
        let at = feature as usize;
        if at >= sums.len() {
            sums.resize(at + 1, 0);
        }
        sums[at] = sums[at].wrapping_add(digest);
    }
}

/// What the input with this number adds to such a sum.
pub(super) fn digest_of(index: usize) -> u128 {
    xxh3_128(&index.to_le_bytes())
}

impl FeatureIndex {
    /// The index of `lists` without those that have features by chance.
    ///
    /// Costs two passes over all lists, by `jobs` threads; memory is 16 bytes for each possible feature and thread, and
    /// about two bytes for each group of a list.
    pub(crate) fn of(lists: &[&FeatureText], jobs: NonZero<usize>) -> Self {
        let is_certain = |list: &FeatureText| list.into_iter().all(|(_, by_chance)| !by_chance);
        let parts = in_parts(jobs, lists.len(), MIN_LISTS_OF_A_THREAD, |part| {
            let mut sums = Vec::new();
            let has: Vec<bool> = part.clone().map(|index| is_certain(lists[index])).collect();
            for (index, _) in part.zip(&has).filter(|(_, has)| **has) {
                add_digest(&mut sums, index, lists[index]);
            }
            (sums, has)
        });
        let (sums, has): (Vec<Vec<u128>>, Vec<Vec<bool>>) = parts.into_iter().unzip();
        let (sums, has) = (joined(sums), has.concat());
        // The first feature of each group stands for it, so that each list names a group once, and in order.
        let (mut groups, mut first) = (vec![NONE; sums.len()], vec![NONE; sums.len()]);
        let mut by_sum: HashMap<u128, u32> = HashMap::new();
        for (feature, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum != 0) {
            let next = by_sum.len() as u32;
            let group = *by_sum.entry(*sum).or_insert(next);
            groups[feature] = group;
            if group == next {
                first[feature] = group;
            }
        }
        let of_one = |index: usize| {
            let list = lists[index].into_iter().take_while(|_| has[index]);
            let groups = list.map(|(feature, _)| first[feature as usize]);
            groups.filter(|group| *group != NONE).collect::<Distances>()
        };
        let lists = in_parts(jobs, lists.len(), MIN_LISTS_OF_A_THREAD, |part| {
            part.map(of_one).collect::<Vec<_>>()
        });
        let lists: Vec<Distances> = lists.into_iter().flatten().collect();
        let mut holders = vec![Distances::default(); by_sum.len()];
        for (index, list) in lists.iter().enumerate() {
            list.iter().for_each(|group| holders[group as usize].push(index as u32));
        }
        FeatureIndex { lists, has, holders, groups }
    }

    /// Whether a list is in the index.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.has[index]
    }

    /// More than the number of any feature of these lists.
    pub(super) fn feature_count(&self) -> usize {
        self.groups.len()
    }

    /// How many groups there are. Their numbers are those below.
    pub(super) fn group_count(&self) -> usize {
        self.holders.len()
    }

    /// The groups of a list, ascending.
    pub(super) fn groups_of(&self, index: usize) -> impl Iterator<Item = u32> + '_ {
        self.lists[index].iter()
    }

    /// The lists that have a group, ascending.
    pub(super) fn holders_of_group(&self, group: u32) -> impl Iterator<Item = usize> + '_ {
        self.holders[group as usize].iter().map(|index| index as usize)
    }

    /// The group of a feature, if a list has it.
    pub(super) fn group_of(&self, feature: u32) -> Option<u32> {
        self.groups.get(feature as usize).copied().filter(|group| *group != NONE)
    }

    /// The lists that have a feature, ascending.
    pub(crate) fn holders(&self, feature: u32) -> impl Iterator<Item = usize> + '_ {
        self.group_of(feature).into_iter().flat_map(|group| self.holders_of_group(group))
    }
}

/// The sums of several parts together.
fn joined(parts: Vec<Vec<u128>>) -> Vec<u128> {
    let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
    let mut parts = parts.into_iter();
    let mut sums = parts.next().unwrap_or_default();
    sums.resize(longest, 0);
    for part in parts {
        for (sum, other) in sums.iter_mut().zip(part) {
            *sum = sum.wrapping_add(other);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_the_same_lists_are_one_group() {
        let list = |marked: &[(u32, bool)]| marked.iter().copied().collect::<FeatureText>();
        let lists = [
            FeatureText::of(&[8, 17, 24, 40]),
            list(&[(8, true), (40, false)]),
            FeatureText::of(&[8, 24, 40]),
            FeatureText::of(&[32, 40]),
        ];
        let lists: Vec<&FeatureText> = lists.iter().collect();
        let index = FeatureIndex::of(&lists, NonZero::<usize>::MIN);
        // 8 and 24, 17, 32, 40. The second list has a feature by chance.
        let of = |at: usize| index.groups_of(at).collect::<Vec<_>>();
        assert_eq!([of(0), of(1), of(2), of(3)], [vec![0, 1, 3], vec![], vec![0, 3], vec![2, 3]]);
        let holders = |feature| index.holders(feature).collect::<Vec<_>>();
        assert_eq!([holders(8), holders(24), holders(17)], [vec![0, 2], vec![0, 2], vec![0]]);
        assert_eq!([holders(40), holders(16), holders(4000)], [vec![0, 2, 3], vec![], vec![]]);
        assert_eq!((index.group_count(), index.has(0), index.has(1)), (4, true, false));
    }
}
