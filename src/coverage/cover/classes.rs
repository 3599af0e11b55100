//! Features that the same candidates have, as one class.
//!
//! The cover counts how many features of a candidate are new. Features that the same candidates have are new
//! together, and are held together afterwards. So a class with the number of its features gives the same answers as
//! the features, and the lists are shorter.
//!
//! Most candidates have the lists of an index ([`FeatureIndex`]) that was made for an earlier choice. Their classes are
//! the index's groups, each divided by what the other candidates have of it. So another choice after some lists
//! have changed costs only a pass over these.
//!
//! A feature that an input has by chance, the fuzzer may not see when it runs the input. So a feature is divided into as many
//! parts as there are groups of candidates. A candidate that always has the feature has all parts; one that has it by
//! chance has the part of its group. A cover then has one candidate of the first kind, or one of each group.

mod losses;
mod numbering;

use std::num::NonZero;

use seedsmith_engine::internal::{FeatureText, features};

use super::distances::Lists;
use super::index::{FeatureIndex, MIN_LISTS_OF_A_THREAD};
use super::listing::Listing;
use crate::corpus::in_weighed_parts;
pub(super) use losses::Change;
use losses::Losses;
use numbering::{GROUPS, Holders, NONE, Numbering};

/// The classes of the features of some candidates.
pub(super) struct Classes<'i> {
    index: &'i FeatureIndex,
    /// By candidate, its list if that is the list of the index.
    indexed: Vec<Option<&'i FeatureText>>,
    /// By candidate, its classes if it has a list of its own, ascending.
    own: Lists,
    /// By class, the candidates with lists of their own that have it.
    own_holders: Lists,
    /// By class, the index's group that it is a part of.
    groups: Vec<Option<u32>>,
    /// The classes of each group, one group after the other, and where those of each group begin.
    parts: (Vec<u32>, Vec<usize>),
    /// By class, the number of its features, each of which counts as many times as there are groups of candidates.
    sizes: Vec<u32>,
    /// By feature, its class, and its place in `classes_by_chance`; [`NONE`] without.
    feature_classes: Vec<(u32, u32)>,
    /// The classes of the parts of a feature; [`NONE`] for parts with the feature's class.
    classes_by_chance: Vec<[u32; GROUPS]>,
    /// What candidates have lost since.
    losses: Losses,
}

impl<'i> Classes<'i> {
    /// The classes of the features of candidates that no list of `given` has.
    ///
    /// Costs a pass over the features of those with lists of their own, by `jobs` threads; memory is 20 bytes for each possible
    /// feature and thread, and about two bytes for each class of such a list.
    pub(super) fn of(
        index: &'i FeatureIndex,
        listings: &[Listing<'i>],
        given: &[&FeatureText],
        jobs: NonZero<usize>,
    ) -> Self {
        let own = |at: usize| match listings[at] {
            Listing::Own(list, group) => Some((list, group)),
            Listing::Indexed(_) | Listing::Absent => None,
        };
        let with_own: Vec<_> =
            (0..listings.len()).filter_map(|at| own(at).map(|own| (at, own))).collect();
        let bytes = || with_own.iter().map(|(_, (list, _))| list.as_ref().len());
        let mut sums = in_weighed_parts(jobs, bytes(), MIN_LISTS_OF_A_THREAD, |part| {
            let mut sums = Holders::default();
            for (at, (list, group)) in &with_own[part] {
                sums.add(*at, list, *group);
            }
            sums
        })
        .into_iter();
        let mut holders = sums.next().unwrap_or_default();
        sums.for_each(|others| holders.join(&others));
        holders.grow(index.feature_count());
        let Holders { always, parts, by_chance } = holders;
        let mut is_given = vec![false; always.len()];
        for feature in given.iter().flat_map(|list| features(list)) {
            if let Some(given) = is_given.get_mut(feature as usize) {
                *given = true;
            }
        }
        let indexed = listings.iter().map(|one| match one {
            Listing::Indexed(list) => Some(*list),
            Listing::Own(..) | Listing::Absent => None,
        });
        let indexed: Vec<Option<&FeatureText>> = indexed.collect();
        let is_held = |group: u32| index.holders_of_group(group).any(|at| indexed[at].is_some());
        let held: Vec<bool> = (0..index.group_count() as u32).map(is_held).collect();
        let mut numbering = Numbering::default();
        let mut begins = vec![NONE; always.len()];
        let mut begins_by_chance = vec![[NONE; GROUPS]; by_chance.len()];
        let mut feature_classes: Vec<(u32, u32)> = parts.iter().map(|part| (NONE, *part)).collect();
        let mut classes_by_chance = begins_by_chance.clone();
        for (feature, sum) in always.iter().enumerate().filter(|(at, _)| !is_given[*at]) {
            let group = index.group_of(feature as u32).filter(|group| held[*group as usize]);
            let chances = by_chance.get(parts[feature] as usize);
            let divided = chances.map_or(0, |sums| sums.iter().filter(|sum| **sum != 0).count());
            if (group.is_some() || *sum != 0) && divided < GROUPS {
                let (class, is_new) = numbering.add(group, *sum, (GROUPS - divided) as u32);
                feature_classes[feature].0 = class;
                begins[feature] = if is_new { class } else { NONE };
            }
            for (part, chance) in
                chances.into_iter().flatten().enumerate().filter(|(_, sum)| **sum != 0)
            {
                let (class, is_new) = numbering.add(group, sum.wrapping_add(*chance), 1);
                let place = parts[feature] as usize;
                classes_by_chance[place][part] = class;
                begins_by_chance[place][part] = if is_new { class } else { NONE };
            }
        }
        // Ascending, as the features are: classes are numbered by the first place in which they are added.
        let write = |list: &FeatureText, group: u8, written: &mut Lists| {
            for (feature, is_by_chance) in list {
                let feature = feature as usize;
                if !is_by_chance && begins[feature] != NONE {
                    written.push(begins[feature]);
                }
                let Some(by_part) = begins_by_chance.get(parts[feature] as usize) else { continue };
                let has = |part: usize| !is_by_chance || part == usize::from(group);
                let classes = by_part.iter().enumerate().filter(|(part, _)| has(*part));
                let classes = classes.filter(|(_, class)| **class != NONE);
                classes.for_each(|(_, class)| written.push(*class));
            }
        };
        let written = in_weighed_parts(jobs, bytes(), MIN_LISTS_OF_A_THREAD, |part| {
            let mut written = Lists::default();
            // The lists of others are empty: those before the first one belong to it, and those after the last one to the last part.
            let mut next = if part.start == 0 { 0 } else { with_own[part.start - 1].0 + 1 };
            for (at, (list, group)) in &with_own[part.clone()] {
                written.end_all(at - next);
                write(list, *group, &mut written);
                written.end();
                next = at + 1;
            }
            if part.end == with_own.len() {
                written.end_all(listings.len() - next);
            }
            written
        });
        let mut own = Lists::default();
        written.iter().for_each(|lists| own.append(lists));
        let Numbering { groups, sizes, .. } = numbering;
        let own_holders = own.holders(sizes.len());
        let parts = parts_of(&groups, index.group_count());
        let losses = Losses::none(sizes.len());
        Classes {
            index,
            indexed,
            own,
            own_holders,
            groups,
            parts,
            sizes,
            feature_classes,
            classes_by_chance,
            losses,
        }
    }

    /// How many classes there are. Their numbers are those below.
    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// How many candidates there are.
    pub(super) fn candidate_count(&self) -> usize {
        self.indexed.len()
    }

    /// The index of most candidates' lists.
    pub(super) fn index(&self) -> &'i FeatureIndex {
        self.index
    }

    /// Whether a candidate has the list of the index.
    pub(super) fn is_indexed(&self, at: usize) -> bool {
        self.indexed[at].is_some()
    }

    /// The index's group that a class is a part of: the candidates with the index's list have both or none.
    pub(super) fn group(&self, class: u32) -> Option<u32> {
        self.groups[class as usize]
    }

    /// The number of features of a class.
    pub(super) fn size(&self, class: u32) -> u32 {
        self.sizes[class as usize]
    }

    /// The classes of a candidate.
    pub(super) fn of_candidate(&self, at: usize) -> impl Iterator<Item = u32> + '_ {
        let (parts, begins) = &self.parts;
        let groups = self.indexed[at].into_iter().flat_map(|list| self.index.groups_of(list));
        let indexed = groups.flat_map(move |group| {
            let group = group as usize;
            parts[begins[group]..begins[group + 1]].iter().copied()
        });
        let before = indexed.chain(self.own.get(at));
        let lost = self.losses.of(at);
        before
            .flat_map(|class| self.losses.with_divided(class))
            .filter(move |class| !lost.contains(class))
    }

    /// The candidates that have a class.
    pub(super) fn holders(&self, class: u32) -> impl Iterator<Item = usize> + '_ {
        let group = self.group(class).into_iter();
        let indexed = group.flat_map(|group| self.index.holders_of_group(group));
        let losers = self.losers(class);
        let indexed = indexed.filter(|at| self.is_indexed(*at) && !losers.contains(&(*at as u32)));
        indexed.chain(self.own_holders(class))
    }

    /// Those of them that have lists of their own.
    pub(super) fn own_holders(&self, class: u32) -> impl Iterator<Item = usize> + '_ {
        self.own_holders.get(self.losses.first(class) as usize).map(|at| at as usize)
    }

    /// The candidates with the index's list that had a class, but have lost it.
    pub(super) fn losers(&self, class: u32) -> &[u32] {
        self.losses.losers(class)
    }
}

/// The classes of each group, one group after the other, and where those of each begin.
fn parts_of(groups: &[Option<u32>], count: usize) -> (Vec<u32>, Vec<usize>) {
    let mut classes: Vec<(u32, u32)> = groups
        .iter()
        .zip(0..)
        .filter_map(|(group, class)| group.map(|group| (group, class)))
        .collect();
    classes.sort_unstable();
    let begins = (0..=count).map(|group| classes.partition_point(|(of, _)| (*of as usize) < group));
    let begins = begins.collect();
    (classes.into_iter().map(|(_, class)| class).collect(), begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each candidate has, by class, and each class's size: the same for all ways to divide them between an index and lists
    /// of their own.
    fn classes(
        lists: &[&FeatureText],
        groups: &[u8],
        given: &[&FeatureText],
    ) -> (Vec<Vec<u32>>, Vec<u32>) {
        let index = FeatureIndex::of(lists, NonZero::<usize>::MIN);
        let found = |is_own: &dyn Fn(usize) -> bool| {
            let listing = |at: usize| match is_own(at) || index.length(at).is_none() {
                true => Listing::Own(lists[at], groups[at]),
                false => Listing::Indexed(lists[at]),
            };
            let listings: Vec<_> = (0..lists.len()).map(listing).collect();
            let classes = Classes::of(&index, &listings, given, NonZero::<usize>::MIN);
            let of = |at: usize| {
                let mut of: Vec<u32> = classes.of_candidate(at).collect();
                of.sort_unstable();
                of
            };
            let of: Vec<Vec<u32>> = (0..lists.len()).map(of).collect();
            for class in 0..classes.count() as u32 {
                let has = |at: &usize| of[*at].contains(&class);
                let expected: Vec<usize> = (0..lists.len()).filter(has).collect();
                let mut holders: Vec<usize> = classes.holders(class).collect();
                holders.sort_unstable();
                assert_eq!(holders, expected);
                assert!(!holders.is_empty());
            }
            (of, (0..classes.count() as u32).map(|class| classes.size(class)).collect())
        };
        let all = found(&|_| true);
        for own in 0..lists.len() {
            assert_eq!(found(&|at| at == own), all);
            assert_eq!(found(&|at| at != own), all);
        }
        assert_eq!(found(&|_| false), all);
        all
    }

    #[test]
    fn what_all_have_by_chance_is_one_class_for_each_group_and_one_that_always_has_it_has_all() {
        let list = |marked: &[(u32, bool)]| marked.iter().copied().collect::<FeatureText>();
        let chance = list(&[(8, true)]);
        let certain = list(&[(8, false)]);
        let of = |lists: &[&FeatureText], groups: &[u8]| classes(lists, groups, &[]).0;
        assert_eq!(of(&[&chance, &chance, &chance], &[0, 1, 1]), [vec![0], vec![1], vec![1]]);
        let lists = [&chance, &chance, &certain];
        assert_eq!(of(&lists, &[0, 3, 0]), [vec![1], vec![2], vec![0, 1, 2]]);
        assert!(classes(&lists, &[0, 3, 0], &[&chance]).1.is_empty());
    }

    #[test]
    fn features_of_the_same_candidates_are_one_class() {
        let lists = [&[8, 17, 24, 40][..], &[8, 24, 40], &[32, 40]].map(FeatureText::of);
        let lists: Vec<&FeatureText> = lists.iter().collect();
        let (of, sizes) = classes(&lists, &[0; 3], &[]);
        // 8 and 24, 17, 32, 40.
        assert_eq!(of, [vec![0, 1, 3], vec![0, 3], vec![2, 3]]);
        assert_eq!(sizes, [8, 4, 4, 4]);
    }

    #[test]
    fn given_features_have_no_class() {
        let lists = [&[8, 16][..], &[16, 24]].map(FeatureText::of);
        let lists: Vec<&FeatureText> = lists.iter().collect();
        let (of, sizes) = classes(&lists, &[0; 2], &[&FeatureText::of(&[16, 4000])]);
        assert_eq!((of, sizes.len()), (vec![vec![0], vec![1]], 2));
    }

    #[test]
    fn a_list_that_has_changed_divides_a_group_of_the_index() {
        let lists = [&[8, 16][..], &[8, 16], &[24]].map(FeatureText::of);
        let index = FeatureIndex::of(&lists.iter().collect::<Vec<_>>(), NonZero::<usize>::MIN);
        let changed = FeatureText::of(&[16, 32]);
        let listings = [Listing::Own(&changed, 0), Listing::Indexed(&lists[1]), Listing::Absent];
        let classes = Classes::of(&index, &listings, &[], NonZero::<usize>::MIN);
        let of = |at: usize| classes.of_candidate(at).collect::<Vec<_>>();
        // 8, 16, 32; nobody has 24.
        assert_eq!([of(0), of(1), of(2)], [vec![1, 2], vec![0, 1], vec![]]);
        assert_eq!(classes.count(), 3);
    }
}
