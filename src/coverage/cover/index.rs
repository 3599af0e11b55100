//! Which inputs have each feature, for lists of features that stay as they are while inputs are chosen again and again.
//!
//! Features that the same inputs have are one group, since many blocks of code always run together. A group is as good
//! as its features for every question about these lists, and there are fewer groups.

use std::collections::HashMap;
use std::num::NonZero;

use seedsmith_engine::internal::{FeatureText, features};
use xxhash_rust::xxh3::xxh3_128;

use super::distances::Distances;
use crate::corpus::in_weighed_parts;

/// A thread has at least this number of lists: some hundred microseconds of work, where starting it takes some
/// ten. A guess, not measured.
pub(super) const MIN_LISTS_OF_A_THREAD: usize = if cfg!(test) { 16 } else { 256 };

/// The group of a feature that no list has.
const NONE: u32 = u32::MAX;

/// An inverted index of lists of features.
#[derive(Debug)]
pub(crate) struct FeatureIndex {
    /// By list, how many features it has; nothing for a list that is not in the index.
    lengths: Vec<Option<u32>>,
    /// By feature, its group.
    groups: Vec<u32>,
    /// By feature, its group if it is the first feature of it.
    first: Vec<u32>,
    /// By group, how many features it has.
    sizes: Vec<u32>,
    /// By group, whether most lists have it.
    is_common: Vec<bool>,
    /// By part of the lists and by group, the lists that have it, or those that have not if it is common: the fewer.
    marked: Vec<Vec<Distances>>,
}

/// Which lists have a feature: sets of lists are the same if both numbers are. That two of some ten thousand sets have both by
/// chance happens once in 10^11 times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Sum {
    /// The sum of their digests.
    digest: u64,
    /// How many they are.
    count: u32,
}

impl Sum {
    /// The sum for both sets of lists.
    fn with(self, other: Sum) -> Self {
        let digest = self.digest.wrapping_add(other.digest);
        Sum { digest, count: self.count + other.count }
    }
}

/// By feature, which lists have it.
#[derive(Default)]
struct Sums(Vec<Sum>);

impl Sums {
    /// Makes room for as many features.
    fn grow(&mut self, count: usize) {
        if count > self.0.len() {
            self.0.resize(count, Sum::default());
        }
    }

    /// Adds the list with this number. Gives the number of its features.
    fn add(&mut self, index: usize, list: &FeatureText) -> u32 {
        let one = Sum { digest: digest_of(index) as u64, count: 1 };
        let mut count = 0;
        for feature in features(list) {
            self.grow(feature as usize + 1);
            let sum = &mut self.0[feature as usize];
            *sum = sum.with(one);
            count += 1;
        }
        count
    }

    /// Adds other lists.
    fn join(&mut self, others: &Sums) {
        self.grow(others.0.len());
        for (sum, other) in self.0.iter_mut().zip(&others.0) {
            *sum = sum.with(*other);
        }
    }
}

/// By feature, what is marked of a list that has it.
struct Marks {
    /// The group that the feature is the first one of, if it is not common; [`FIRST_COMMON`] and more is a place in `common`, or
    /// one after the last for a feature that says nothing.
    codes: Vec<u32>,
    /// The groups that most lists have.
    common: Vec<u32>,
}

/// Codes from here on are places of common groups.
const FIRST_COMMON: u32 = 1 << 31;

/// Reads which groups are marked for a list, with room that is used again.
struct MarksReader<'m> {
    marks: &'m Marks,
    /// By place of a common group, and one for everything else, whether the list has it.
    present: Vec<bool>,
    /// The other groups of the list; those after its number of groups are of earlier lists.
    others: Vec<u32>,
}

impl Marks {
    /// Those of these groups.
    fn of(first: &[u32], is_common: &[bool]) -> Self {
        let common = (0..).zip(is_common).filter(|(_, is_common)| **is_common);
        let common: Vec<u32> = common.map(|(group, _)| group).collect();
        let nothing = FIRST_COMMON + common.len() as u32;
        let code = |group: u32| match common.binary_search(&group) {
            _ if group == NONE => nothing,
            Ok(place) => FIRST_COMMON + place as u32,
            Err(_) => group,
        };
        Marks { codes: first.iter().map(|group| code(*group)).collect(), common }
    }

    fn reader(&self) -> MarksReader<'_> {
        MarksReader { marks: self, present: vec![false; self.common.len() + 1], others: Vec::new() }
    }
}

impl MarksReader<'_> {
    /// Gives the groups of a list that are not common, and the common ones that it lacks.
    ///
    /// Which features a list has follows no pattern that a processor foresees, so that reading them decides nothing.
    fn read(&mut self, list: &FeatureText, mut mark: impl FnMut(u32)) {
        let nothing = self.marks.common.len();
        // A feature takes a byte at least.
        self.others.resize(self.others.len().max(list.as_ref().len()), 0);
        let mut count = 0;
        for feature in features(list) {
            let code = self.marks.codes[feature as usize];
            // Smaller codes wrap round to more than any place.
            let place = code.wrapping_sub(FIRST_COMMON) as usize;
            self.present[place.min(nothing)] = true;
            self.others[count] = code;
            count += usize::from(code < FIRST_COMMON);
        }
        self.others[..count].iter().for_each(|group| mark(*group));
        for (group, present) in self.marks.common.iter().zip(&mut self.present) {
            if !std::mem::take(present) {
                mark(*group);
            }
        }
    }
}

/// What the list with this number adds to a sum of digests.
pub(super) fn digest_of(index: usize) -> u128 {
    xxh3_128(&index.to_le_bytes())
}

impl FeatureIndex {
    /// The index of `lists` without those that have features by chance.
    ///
    /// Costs two passes over all lists, by `jobs` threads; memory is 8 bytes for each possible feature, 16 more for each thread,
    /// and about a byte for each list that has a group, or has not if most have it.
    pub(crate) fn of(lists: &[&FeatureText], jobs: NonZero<usize>) -> Self {
        let bytes = || lists.iter().map(|list| list.as_ref().len());
        let parts = in_weighed_parts(jobs, bytes(), MIN_LISTS_OF_A_THREAD, |part| {
            let mut sums = Sums::default();
            let length = |at: usize| (!lists[at].has_chance()).then(|| sums.add(at, lists[at]));
            let lengths: Vec<Option<u32>> = part.map(length).collect();
            (sums, lengths)
        });
        let (mut sums, mut lengths) = (Sums::default(), Vec::with_capacity(lists.len()));
        for (others, part) in parts {
            sums.join(&others);
            lengths.extend(part);
        }
        let listed = lengths.iter().flatten().count();
        // The first feature of each group stands for it, so that each list names a group once, and in order.
        let (mut groups, mut first) = (vec![NONE; sums.0.len()], vec![NONE; sums.0.len()]);
        let (mut sizes, mut is_common, mut fewer) = (Vec::new(), Vec::new(), Vec::new());
        let mut by_sum: HashMap<Sum, u32> = HashMap::new();
        for (feature, sum) in sums.0.iter().enumerate().filter(|(_, sum)| sum.count > 0) {
            let next = sizes.len() as u32;
            let group = *by_sum.entry(*sum).or_insert(next);
            groups[feature] = group;
            if group == next {
                first[feature] = group;
                sizes.push(0);
                is_common.push(sum.count as usize > listed / 2);
                fewer.push((sum.count as usize).min(listed - sum.count as usize));
            }
            sizes[group as usize] += 1;
        }
        let marks = Marks::of(&first, &is_common);
        let marked = in_weighed_parts(jobs, bytes(), MIN_LISTS_OF_A_THREAD, |part| {
            let room = |fewer: &usize| Distances::with_room(fewer * part.len() / lists.len());
            let mut marked: Vec<Distances> = fewer.iter().map(room).collect();
            let mut reader = marks.reader();
            for at in part.filter(|at| lengths[*at].is_some()) {
                reader.read(lists[at], |group| marked[group as usize].push(at as u32));
            }
            marked
        });
        FeatureIndex { lengths, groups, first, sizes, is_common, marked }
    }

    /// How many features a list has, if it is in the index.
    pub(crate) fn length(&self, list: usize) -> Option<u32> {
        self.lengths[list]
    }

    /// More than the number of any feature of these lists.
    pub(super) fn feature_count(&self) -> usize {
        self.groups.len()
    }

    /// How many groups there are. Their numbers are those below.
    pub(super) fn group_count(&self) -> usize {
        self.sizes.len()
    }

    /// How many features a group has.
    pub(super) fn size(&self, group: u32) -> u32 {
        self.sizes[group as usize]
    }

    /// Whether more than half of the lists have a group.
    pub(super) fn is_common(&self, group: u32) -> bool {
        self.is_common[group as usize]
    }

    /// The groups of a list of the index, ascending.
    pub(super) fn groups_of<'l>(&'l self, list: &'l FeatureText) -> impl Iterator<Item = u32> + 'l {
        groups_in(list, &self.first)
    }

    /// The lists that have a group, or those that have not if it is common; ascending.
    pub(super) fn marked(&self, group: u32) -> impl Iterator<Item = usize> + '_ {
        let parts = self.marked.iter().flat_map(move |part| part[group as usize].iter());
        parts.map(|list| list as usize)
    }

    /// The lists that have a group, ascending.
    pub(super) fn holders_of_group(&self, group: u32) -> impl Iterator<Item = usize> + '_ {
        let is_common = self.is_common(group);
        let listed =
            is_common.then(|| (0..self.lengths.len()).filter(|at| self.lengths[*at].is_some()));
        let mut lacking = self.marked(group).filter(move |_| is_common).peekable();
        let others = listed.into_iter().flatten();
        let others = others.filter(move |at| lacking.next_if_eq(at).is_none());
        self.marked(group).filter(move |_| !is_common).chain(others)
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

/// The groups of a list, ascending. `first` has the group of each feature that is the first one of it.
fn groups_in<'l>(list: &'l FeatureText, first: &'l [u32]) -> impl Iterator<Item = u32> + 'l {
    features(list).map(|feature| first[feature as usize]).filter(|group| *group != NONE)
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
        let of = |at: usize| index.groups_of(lists[at]).collect::<Vec<_>>();
        assert_eq!([of(0), of(2), of(3)], [vec![0, 1, 3], vec![0, 3], vec![2, 3]]);
        let holders = |feature| index.holders(feature).collect::<Vec<_>>();
        assert_eq!([holders(8), holders(24), holders(17)], [vec![0, 2], vec![0, 2], vec![0]]);
        assert_eq!([holders(40), holders(16), holders(4000)], [vec![0, 2, 3], vec![], vec![]]);
        assert_eq!((index.group_count(), index.length(0), index.length(1)), (4, Some(4), None));
        // Two of three lists have 8 and 24, and all have 40.
        let marked = |group| index.marked(group).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3].map(|group| index.is_common(group)), [true, false, false, true]);
        assert_eq!([0, 1, 2, 3].map(marked), [vec![3], vec![0], vec![3], vec![]]);
        assert_eq!([0, 3].map(|group| index.size(group)), [2, 1]);
    }
}
