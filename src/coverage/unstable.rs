//! Counters that do not count the same each time the same input runs.
//!
//! A hash table with a random seed takes other paths in each process. What such a counter counted
//! would make the choice of inputs a matter of chance, so it is left out: the range of its count if
//! it is never 0 in one run and another number in the next, else the counter itself. A sample of
//! the inputs, chosen by digest, runs again in new processes to find them. Of 3,653 inputs of
//! pulldown-cmark 0.8, 805 had other features in the next run, all through 13 counters; 256 inputs
//! that ran four times showed 11 to 13 of them (2-core x86-64, 2026-11-22).

use std::collections::BTreeMap;

use seedsmith_engine::internal::{BUCKETS, FeatureText, features};

/// Counters to leave out, wholly or in part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unstable {
    /// By counter; whether it is sometimes 0.
    counters: BTreeMap<u32, bool>,
}

impl Unstable {
    /// Notes what differs between two runs of one input.
    ///
    /// Costs a reading of both lists if they differ, and a comparison if they do not.
    pub(crate) fn note(&mut self, one: &FeatureText, other: &FeatureText) {
        if one == other {
            return;
        }
        let by_counter = |list| -> BTreeMap<u32, u32> {
            features(list).map(|feature| (feature / BUCKETS, feature % BUCKETS)).collect()
        };
        let (one, other) = (by_counter(one), by_counter(other));
        for counter in one.keys().chain(other.keys()) {
            let (here, there) = (one.get(counter), other.get(counter));
            if here != there {
                let is_absent = here.is_none() || there.is_none();
                *self.counters.entry(*counter).or_default() |= is_absent;
            }
        }
    }

    /// Whether every counter is stable, as far as is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.counters.is_empty()
    }

    /// How many are not.
    pub(crate) fn len(&self) -> usize {
        self.counters.len()
    }

    /// `list` without unstable counters.
    pub(crate) fn stable_part(&self, list: &FeatureText) -> FeatureText {
        if self.is_empty() {
            return list.clone();
        }
        let stable = list.into_iter().filter_map(|(feature, by_chance)| {
            match self.counters.get(&(feature / BUCKETS)) {
                None => Some((feature, by_chance)),
                Some(false) => Some((feature - feature % BUCKETS, by_chance)),
                Some(true) => None,
            }
        });
        stable.collect()
    }

    /// Adds what another run found out.
    pub(crate) fn join(&mut self, other: &Unstable) {
        for (counter, is_absent) in &other.counters {
            *self.counters.entry(*counter).or_default() |= is_absent;
        }
    }

    /// The same as a list of features, to be written down.
    pub(crate) fn to_text(&self) -> FeatureText {
        let list = self.counters.iter();
        let list: Vec<u32> =
            list.map(|(counter, is_absent)| counter * BUCKETS + u32::from(*is_absent)).collect();
        FeatureText::of(&list)
    }

    /// Adds what [`Unstable::to_text`] wrote.
    pub(crate) fn add_text(&mut self, text: &FeatureText) {
        for feature in features(text) {
            *self.counters.entry(feature / BUCKETS).or_default() |= feature % BUCKETS != 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_is_sometimes_0_in_one_run_is_so_in_all_joined() {
        let of = |one: u32, other: &[u32]| {
            let mut unstable = Unstable::default();
            unstable.note(&FeatureText::of(&[one]), &FeatureText::of(other));
            unstable
        };
        let (range, absent) = (of(8, &[9]), of(8, &[]));
        for (one, other) in [(&range, &absent), (&absent, &range)] {
            let mut joined = one.clone();
            joined.join(other);
            assert_eq!(joined, absent);
        }
        let mut joined = range.clone();
        joined.join(&of(16, &[17]));
        assert_eq!(joined.len(), 2);
        assert_eq!(joined.stable_part(&FeatureText::of(&[9])), FeatureText::of(&[8]));
    }

    #[test]
    fn of_a_counter_that_differs_the_range_or_the_counter_is_left_out() {
        let list = |pairs: &[(u32, u32)]| {
            let list: Vec<u32> = pairs.iter().map(|(at, bucket)| at * BUCKETS + bucket).collect();
            FeatureText::of(&list)
        };
        let mut unstable = Unstable::default();
        let (one, other) = (list(&[(1, 3), (2, 1), (5, 2)]), list(&[(1, 3), (2, 4)]));
        unstable.note(&one, &one);
        assert!(unstable.is_empty());
        unstable.note(&one, &other);
        assert_eq!(unstable.len(), 2);
        assert_eq!(unstable.stable_part(&one), list(&[(1, 3), (2, 0)]));
        assert_eq!(unstable.stable_part(&other), unstable.stable_part(&one));
        let mut read = Unstable::default();
        read.add_text(&unstable.to_text());
        assert_eq!(read, unstable);
    }
}
