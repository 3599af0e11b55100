//! The smallest corpus: inputs that together reach what all of them reach.
//!
//! Nothing is run or written here. The answer depends on the inputs' content only.

use std::collections::BTreeSet;
use std::num::NonZero;

use seedsmith_engine::internal::{BUCKETS, FeatureText, features};

use super::cover::{Candidate, Confirm, Cover, FeatureIndex, Listing, chance_group, cover};
use super::survey::{Survey, Surveyed};
use crate::corpus::sha1_of;

/// If more than this part of the features have become exact, what was made before saves little. A guess, not measured.
const MANY_CHANGED: usize = 4;

/// The quantity of which the chosen inputs have as little as possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Weight {
    /// The sum of the inputs' sizes.
    #[default]
    Bytes,
    /// The work of running them all: how many blocks of code run, as far as their counters say.
    ///
    /// A clock would weigh an input otherwise in each run. Counters end at 255, so that this is less than the time
    /// where a block runs more often.
    Time,
}

impl Weight {
    /// The weight of an input with `bytes` bytes that reaches `list`.
    pub(crate) fn of(self, bytes: u64, list: &FeatureText) -> u64 {
        /// The least count of each range.
        const COUNTS: [u64; BUCKETS as usize] = [1, 2, 3, 4, 8, 16, 32, 128];
        match self {
            Weight::Bytes => bytes,
            Weight::Time => features(list).map(|one| COUNTS[(one % BUCKETS) as usize]).sum(),
        }
    }
}

/// A kept input and its contribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    /// Its place in [`Survey::passing`].
    pub index: usize,
    /// How many features it has.
    pub features: usize,
    /// How many of them no other kept input has.
    pub unique: usize,
}

/// The inputs that are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SmallestCorpus {
    /// By size and digest; without those of the corpus that they are added to.
    pub kept: Vec<Kept>,
    /// How many features all inputs have together.
    pub features: usize,
    /// How many of these only the chosen inputs have, and not the corpus that they are added to.
    pub added: usize,
}

impl SmallestCorpus {
    /// The corpus of inputs that were chosen of `survey`. Costs a pass over their features, and those of the held ones.
    pub(super) fn of(
        survey: &Survey,
        is_held: &dyn Fn(&Surveyed) -> bool,
        chosen: &[usize],
    ) -> Self {
        let list_of = |at: &usize| &survey.passing[*at].features;
        let mut holders = Holders::default();
        let held = survey.passing.iter().filter(|one| is_held(one));
        held.for_each(|one| holders.add(&one.features));
        let before = holders.features;
        chosen.iter().for_each(|at| holders.add(list_of(at)));
        let kept = chosen.iter().map(|at| {
            let is_unique = |feature: &u32| holders.counts[*feature as usize] == 1;
            let list = list_of(at);
            let unique = features(list).filter(is_unique).count();
            Kept { index: *at, features: features(list).count(), unique }
        });
        let kept = kept.collect();
        SmallestCorpus { kept, features: holders.features, added: holders.features - before }
    }
}

/// Chooses among the inputs of `survey`. Inputs for which `is_held` are in the result in any case,
/// so their features are not needed of others; they are not in the answer.
///
/// The sum of the inputs' `weight` is small. Costs what [`cover`] costs; memory is a few bytes for each feature. The answer is the same for
/// any order of the inputs and any number of jobs.
pub(crate) fn smallest_corpus(
    survey: &Survey,
    weight: Weight,
    is_held: &dyn Fn(&Surveyed) -> bool,
    jobs: NonZero<usize>,
) -> SmallestCorpus {
    let choice = Chooser::of(survey, weight, jobs).choose(survey, is_held, None, &mut |_, _| None);
    SmallestCorpus::of(survey, is_held, &choice.chosen)
}

/// Chooses among the inputs of a survey again and again, while more of their features become exact.
pub(super) struct Chooser {
    jobs: NonZero<usize>,
    /// The features of all inputs when this was made.
    index: FeatureIndex,
    /// By input, its weight and digest.
    ranks: Vec<(u64, [u8; 20])>,
    /// By input, whether its features were exact when this was made.
    was_exact: Vec<bool>,
    /// By input, whether its features may be others than then.
    has_changed: Vec<bool>,
    /// How many counters were left out then.
    unstable: usize,
    weight: Weight,
    /// The sequence of the last choice.
    last: Option<Vec<usize>>,
}

impl Chooser {
    /// Costs two passes over all features, by `jobs` threads.
    pub(super) fn of(survey: &Survey, weight: Weight, jobs: NonZero<usize>) -> Self {
        let lists: Vec<&FeatureText> = survey.passing.iter().map(|one| &one.features).collect();
        let rank =
            |one: &Surveyed| (weight.of(one.input.bytes, &one.features), sha1_of(&one.input.sha1));
        Chooser {
            jobs,
            index: FeatureIndex::of(&lists, jobs),
            ranks: survey.passing.iter().map(rank).collect(),
            was_exact: survey.passing.iter().map(|one| one.is_exact).collect(),
            has_changed: vec![false; survey.passing.len()],
            unstable: survey.unstable.len(),
            weight,
            last: None,
        }
    }

    /// Makes this anew if it would save little: inputs are gone, counters are left out now, or many features have changed.
    pub(super) fn refresh(&mut self, survey: &Survey) {
        let count = survey.passing.len();
        let is_same = count == self.ranks.len() && survey.unstable.len() == self.unstable;
        let changed = || self.has_changed.iter().filter(|has_changed| **has_changed).count();
        if !is_same || changed() * MANY_CHANGED > count {
            let last = self.last.take().filter(|_| is_same);
            *self = Chooser { last, ..Chooser::of(survey, self.weight, self.jobs) };
        }
    }

    /// The features of all inputs when this was made or refreshed.
    pub(super) fn index(&self) -> &FeatureIndex {
        &self.index
    }

    /// The choice of [`smallest_corpus`], as places in [`Survey::passing`]. Costs a pass over the features that have become exact, and
    /// one over the index.
    ///
    /// `shortened` are the inputs that have lost features since the last choice, if nothing else has changed: it was the same up to the
    /// first one of these. `confirm` is asked for inputs with an estimate before they are chosen, as [`cover`] says.
    pub(super) fn choose(
        &mut self,
        survey: &Survey,
        is_held: &dyn Fn(&Surveyed) -> bool,
        shortened: Option<&BTreeSet<usize>>,
        confirm: &mut Confirm<'_>,
    ) -> Cover {
        match shortened {
            Some(shortened) => shortened.iter().for_each(|at| self.has_changed[*at] = true),
            None => {
                for (at, one) in survey.passing.iter().enumerate() {
                    self.has_changed[at] |= one.is_exact && !self.was_exact[at];
                }
            }
        }
        let held: Vec<bool> = survey.passing.iter().map(is_held).collect();
        let given = survey.passing.iter().zip(&held).filter(|(_, held)| **held);
        let given: Vec<&FeatureText> = given.map(|(one, _)| &one.features).collect();
        let candidates = self.candidates(survey, &|at| !held[at]);
        let shortened = shortened.filter(|all| !all.iter().any(|at| held[*at]));
        let begun: Vec<usize> = match (self.last.take(), shortened) {
            (Some(sequence), Some(shortened)) => {
                let is_same = |at: &usize| survey.passing[*at].is_exact && !shortened.contains(at);
                sequence.into_iter().take_while(is_same).collect()
            }
            _ => Vec::new(),
        };
        let index = &self.index;
        let mut choice = cover(index, &candidates, &given, &begun, confirm, self.jobs);
        self.last = Some(choice.sequence.clone());
        if survey.passing.iter().zip(&held).any(|(one, held)| *held && !one.is_exact) {
            // What the kept corpus reaches is known if it is known of inputs that together reach it.
            let candidates = self.candidates(survey, &|at| held[at]);
            let of_held = cover(&self.index, &candidates, &[], &[], &mut |_, _| None, self.jobs);
            choice.tried.extend(of_held.tried);
        }
        choice
    }

    /// A candidate for each input.
    fn candidates<'s>(
        &self,
        survey: &'s Survey,
        is_wanted: &dyn Fn(usize) -> bool,
    ) -> Vec<Candidate<'s>> {
        let candidate = |(at, one): (usize, &'s Surveyed)| {
            let (weight, digest) = self.ranks[at];
            let has_changed = self.has_changed[at];
            let is_own = has_changed || self.index.length(at).is_none();
            // An estimate counts as what a program does, and may weigh more.
            let weight =
                if has_changed { self.weight.of(one.input.bytes, &one.features) } else { weight };
            let listing = match is_wanted(at) {
                false => Listing::Absent,
                true if is_own => Listing::Own(&one.features, chance_group(&digest)),
                true => Listing::Indexed(&one.features),
            };
            Candidate { weight, digest, listing, is_estimate: !one.is_exact }
        };
        survey.passing.iter().enumerate().map(candidate).collect()
    }
}

/// How many inputs have each feature.
#[derive(Default)]
struct Holders {
    /// By feature.
    counts: Vec<u32>,
    /// Features that any input has.
    features: usize,
}

impl Holders {
    /// Counts one more input.
    fn add(&mut self, list: &FeatureText) {
        for feature in features(list) {
            let at = feature as usize;
            if at >= self.counts.len() {
                self.counts.resize(at + 1, 0);
            }
            self.features += usize::from(self.counts[at] == 0);
            self.counts[at] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Listed, content_name};

    fn survey(inputs: &[(&str, &[u32])]) -> Survey {
        let passing = inputs.iter().map(|(text, list)| {
            let sha1 = content_name(text.as_bytes());
            let path = text.into();
            let input = Listed { path, bytes: text.len() as u64, sha1, copies: Vec::new() };
            let list: Vec<u32> = list.iter().map(|counter| counter * 8).collect();
            Surveyed { input, features: FeatureText::of(&list), is_exact: true, is_rejected: false }
        });
        Survey { passing: passing.collect(), ..Survey::default() }
    }

    #[test]
    fn by_time_an_input_weighs_what_it_runs() {
        let list = FeatureText::of(&[0, 8 + 7, 16 + 3]);
        assert_eq!(Weight::Time.of(5, &list), 1 + 128 + 4);
        assert_eq!(Weight::Bytes.of(5, &list), 5);
    }

    #[test]
    fn each_kept_input_is_told_with_what_only_it_contributes() {
        let survey = survey(&[("a", &[1, 2]), ("b", &[1, 2]), ("cc", &[2, 3]), ("ddd", &[2])]);
        let smallest = smallest_corpus(&survey, Weight::Bytes, &|_| false, NonZero::<usize>::MIN);
        let kept = |index| Kept { index, features: 2, unique: 1 };
        assert_eq!(smallest.kept, [kept(0), kept(2)]);
        assert_eq!((smallest.features, smallest.added), (3, 3));
    }

    #[test]
    fn a_corpus_gets_only_inputs_with_features_that_it_does_not_have() {
        let survey = survey(&[("a", &[1, 2]), ("b", &[2, 3]), ("old", &[1, 2]), ("older", &[4])]);
        let is_old = |one: &Surveyed| {
            one.input.path.starts_with("old") || one.input.path.starts_with("older")
        };
        let smallest = smallest_corpus(&survey, Weight::Bytes, &is_old, NonZero::<usize>::MIN);
        assert_eq!(smallest.kept, [Kept { index: 1, features: 2, unique: 1 }]);
        assert_eq!((smallest.features, smallest.added), (4, 1));
    }
}
