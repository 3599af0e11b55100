//! How many features each candidate would add to those that are chosen.
//!
//! Most candidates have the index's lists. A class that most of them have is subtracted from all of them, and added again for
//! those that lack it: so a class costs a look at half of the candidates at most, and at few if nearly all have it.

use super::classes::Classes;
use super::held::Held;
use super::index::FeatureIndex;
use super::listing::CHANCE_GROUPS;

/// The parts of features that candidates would add.
pub(super) struct Gains {
    /// By candidate, for those with lists of their own.
    own: Vec<u32>,
    /// By candidate, for those with the index's lists, and `shared` more. Of other candidates this means nothing.
    indexed: Vec<u32>,
    shared: u32,
}

impl Gains {
    /// What each candidate would add to nothing.
    ///
    /// Costs a look at each class, and for each class that is given at the candidates that have it or have not.
    pub(super) fn of(classes: &Classes<'_>) -> Self {
        let (index, count) = (classes.index(), classes.candidate_count());
        let parts = u32::from(CHANCE_GROUPS);
        let all = |at: usize| index.length(at).map_or(0, |length| length * parts);
        let indexed = (0..count).map(all).collect();
        let mut gains = Gains { own: vec![0; count], indexed, shared: 0 };
        // Of each group of the index, what is in no class is not wanted.
        let mut unwanted: Vec<u32> =
            (0..index.group_count() as u32).map(|group| index.size(group) * parts).collect();
        for class in 0..classes.count() as u32 {
            let size = classes.size(class);
            if let Some(group) = classes.group(class) {
                unwanted[group as usize] -= size;
            }
            classes.own_holders(class).for_each(|at| gains.own[at] += size);
        }
        for (group, size) in (0..).zip(unwanted).filter(|(_, size)| *size > 0) {
            gains.subtract(index, group, size);
        }
        gains
    }

    /// The gain of each candidate beyond the classes that are held.
    ///
    /// Costs a look at the candidates that have one of the classes that none of those holds.
    pub(super) fn beyond(classes: &Classes<'_>, held: &Held) -> Self {
        let count = classes.candidate_count();
        let mut gains = Gains { own: vec![0; count], indexed: vec![0; count], shared: 0 };
        for class in held.open() {
            let size = classes.size(class);
            if let Some(group) = classes.group(class) {
                // To add is to subtract what is less than nothing.
                gains.subtract(classes.index(), group, size.wrapping_neg());
            }
            classes.own_holders(class).for_each(|at| gains.own[at] += size);
        }
        gains
    }

    /// What a candidate would add.
    pub(super) fn of_candidate(&self, classes: &Classes<'_>, at: usize) -> u64 {
        let gain = match classes.is_indexed(at) {
            true => self.indexed[at].wrapping_sub(self.shared),
            false => self.own[at],
        };
        gain.into()
    }

    /// Notes that a class is covered, once.
    ///
    /// Costs a look at the candidates that have it, or at those that have not.
    pub(super) fn cover(&mut self, classes: &Classes<'_>, class: u32) {
        let size = classes.size(class);
        if let Some(group) = classes.group(class) {
            self.subtract(classes.index(), group, size);
        }
        let losers = classes.losers(class).iter().map(|at| *at as usize);
        losers.for_each(|at| self.indexed[at] = self.indexed[at].wrapping_add(size));
        classes.own_holders(class).for_each(|at| self.own[at] -= size);
    }

    /// Notes that a candidate with the index's list has lost a class that is not covered.
    pub(super) fn lose(&mut self, classes: &Classes<'_>, class: u32, at: usize) {
        self.indexed[at] = self.indexed[at].wrapping_sub(classes.size(class));
    }

    /// Subtracts as much from each candidate with the index's list that has a group.
    fn subtract(&mut self, index: &FeatureIndex, group: u32, size: u32) {
        // Less than nothing in between: a sum that wraps around comes back.
        if index.is_common(group) {
            self.shared = self.shared.wrapping_add(size);
            index
                .marked(group)
                .for_each(|at| self.indexed[at] = self.indexed[at].wrapping_add(size));
        } else {
            index
                .marked(group)
                .for_each(|at| self.indexed[at] = self.indexed[at].wrapping_sub(size));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use seedsmith_engine::internal::FeatureText;

    use super::super::listing::Listing;
    use super::*;

    #[test]
    fn a_candidate_adds_the_sizes_of_its_classes_that_are_not_covered() {
        let list = |marked: &[(u32, bool)]| marked.iter().copied().collect::<FeatureText>();
        let lists = [
            FeatureText::of(&[8, 16, 24, 40]),
            FeatureText::of(&[8, 16, 32]),
            FeatureText::of(&[8, 24, 40]),
            list(&[(8, false), (16, true), (48, true)]),
            FeatureText::of(&[8, 48]),
        ];
        let all: Vec<&FeatureText> = lists.iter().collect();
        let index = FeatureIndex::of(&all, NonZero::<usize>::MIN);
        let changed = FeatureText::of(&[8, 56]);
        let given = FeatureText::of(&[24]);
        let listings = [
            Listing::Indexed(&lists[0]),
            Listing::Own(&changed, 2),
            Listing::Absent,
            Listing::Own(&lists[3], 1),
            Listing::Indexed(&lists[4]),
        ];
        let classes = Classes::of(&index, &listings, &[&given], NonZero::<usize>::MIN);
        let mut gains = Gains::of(&classes);
        let mut covered = vec![false; classes.count()];
        loop {
            for at in [0, 1, 3, 4] {
                let open = classes.of_candidate(at).filter(|class| !covered[*class as usize]);
                let open: u32 = open.map(|class| classes.size(class)).sum();
                assert_eq!(gains.of_candidate(&classes, at), u64::from(open), "{at} {covered:?}");
            }
            let Some(next) = covered.iter().position(|is| !is) else { break };
            covered[next] = true;
            gains.cover(&classes, next as u32);
        }
        assert!(classes.count() > 4);
    }
}
