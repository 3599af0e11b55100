//! What the inputs of a corpus reach, as far as it is known, and how exactly it has to be known.
//!
//! Nothing is run here: [`run`](super::run) does that.

use std::path::PathBuf;
use std::sync::Arc;

use seedsmith_engine::Sameness;
use seedsmith_engine::Signature;
use seedsmith_engine::internal::FeatureText;

use super::gather::{Batches, Reached};
use super::records::Recorded;
use super::unstable::Unstable;
use crate::corpus::{Group, Grouping, HeldBytes, InputSet, Listed, PassedOver, sha1_of};

/// The most inputs that all run alone, if all features have to be exact.
///
/// The features of an input then depend on nothing that ran before it, such as a cache that was filled. A fork for each
/// takes longer than a short run; the bound keeps that to a few seconds. A guess, not measured.
const MAX_INPUTS_RUN_ALONE: usize = 20_000;
/// Inputs of a larger corpus that run one after the other in a worker.
///
/// A fork costs little beside the runs of so many inputs, and a killed run loses few of them.
/// A guess, not measured.
const INPUTS_OF_A_WORKER: usize = 64;

/// Batches that a corpus is divided into for estimates, if they are neither too small nor too large: two workers
/// have enough to do, and a fork is shared by many runs. A guess, not measured.
const ESTIMATE_BATCHES: usize = 16;
/// The fewest and the most inputs of such a batch. Two of the largest fit into a worker's queue of 256.
const ESTIMATE_INPUTS: (usize, usize) = (16, 128);

/// Of which inputs the features are exact: those of a run in a worker that has run nothing else.
#[derive(Clone, Copy)]
pub(crate) enum Exact<'o> {
    /// Of all.
    All,
    /// Of those that the smallest corpus depends on, for which this function says what is held. The choice is that
    /// of exact features all the same.
    Chosen(&'o dyn Fn(&Surveyed) -> bool),
}

impl Exact<'_> {
    /// How many inputs of `count` share a worker in their first run.
    pub(super) fn batches(self, count: usize) -> Batches {
        let (least, most) = ESTIMATE_INPUTS;
        match self {
            Exact::All if count <= MAX_INPUTS_RUN_ALONE => Batches::ALONE,
            Exact::All => Batches { inputs: INPUTS_OF_A_WORKER, once: false },
            Exact::Chosen(_) => {
                Batches { inputs: (count / ESTIMATE_BATCHES).clamp(least, most), once: true }
            }
        }
    }
}

/// An input that does not fail, and its features.
#[derive(Clone, Debug)]
pub(crate) struct Surveyed {
    /// The input.
    pub input: Listed,
    /// Its features.
    pub features: FeatureText,
    /// Whether it ran in a worker that had run nothing else.
    pub is_exact: bool,
    /// Whether the target says that it is invalid.
    pub is_rejected: bool,
}

/// What the inputs of a corpus reach.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// The inputs that do not fail, by size and digest.
    pub passing: Vec<Surveyed>,
    /// The inputs that fail, by size and digest.
    pub failing: Vec<(Listed, Arc<Signature>)>,
    /// Inputs of which nothing is known: their workers were ended from outside, or they changed while they were
    /// read.
    pub lost: Vec<PathBuf>,
    /// Files that cannot be read.
    pub unreadable: Vec<PassedOver>,
    /// The inputs of the whole corpus, if this is a shard of it.
    pub seen: InputSet,
    /// Counters that are left out of the features, since they count by chance.
    pub unstable: Unstable,
    /// Bytes of inputs that need not be read again.
    pub held: HeldBytes,
    /// How many inputs were not run, since an earlier run had recorded their features.
    pub recalled: usize,
}

impl Survey {
    /// Drops what counts by chance from the features of all inputs.
    pub(super) fn leave_out_unstable(&mut self) {
        if !self.unstable.is_empty() {
            for one in &mut self.passing {
                one.features = self.unstable.stable_part(&one.features);
            }
        }
    }

    /// The survey that the records of all shards are together, without what is `unstable`; an input
    /// that is in several counts once.
    pub(crate) fn of_records(
        records: impl IntoIterator<Item = Recorded>,
        unstable: Unstable,
    ) -> Self {
        let mut survey = Survey { unstable, ..Survey::default() };
        let mut seen = std::collections::HashSet::new();
        let records = records.into_iter().filter(|one| seen.insert(sha1_of(&one.input.sha1)));
        survey.add(records.map(|one| (one.input, one.reached)), true);
        survey.leave_out_unstable();
        survey
    }

    /// Sorts inputs into passing, failing and lost ones.
    pub(super) fn add(
        &mut self,
        inputs: impl IntoIterator<Item = (Listed, Reached)>,
        is_exact: bool,
    ) {
        let [passing, failing] = [self.passing.len(), self.failing.len()];
        for (input, reached) in inputs {
            let is_rejected = matches!(reached, Reached::Rejected(_));
            match reached {
                Reached::Kept(mut features) | Reached::Rejected(mut features) => {
                    // The first input of a batch ran twice; the others' estimates do not know what is there by chance.
                    if !is_exact && features.has_chance() {
                        features = (&features).into_iter().map(|(one, _)| (one, false)).collect();
                    }
                    self.passing.push(Surveyed { input, features, is_exact, is_rejected });
                }
                Reached::Failed(signature) => self.failing.push((input, signature)),
                Reached::Lost => self.lost.push(input.path),
            }
        }
        let content = |one: &Listed| (one.bytes, sha1_of(&one.sha1));
        // Most rounds add no input, and sorting reads the digest of each.
        if self.passing.len() > passing {
            self.passing.sort_by_cached_key(|one| content(&one.input));
        }
        if self.failing.len() > failing {
            self.failing.sort_by_cached_key(|(input, _)| content(input));
        }
    }

    /// How many inputs the target says are invalid.
    pub(crate) fn rejected(&self) -> usize {
        self.passing.iter().filter(|one| one.is_rejected).count()
    }

    /// The inputs that were run, failing ones included.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Listed> + Clone {
        let passing = self.passing.iter().map(|one| &one.input);
        passing.chain(self.failing.iter().map(|(input, _)| input))
    }

    /// Their number and bytes.
    pub(crate) fn size(&self) -> (usize, u64) {
        self.inputs().fold((0, 0), |(count, bytes), input| (count + 1, bytes + input.bytes))
    }

    /// The failing inputs by failure; the first of each group is its smallest.
    pub(crate) fn groups(&self, sameness: &Sameness) -> Vec<Group<Listed>> {
        let mut grouping = Grouping::new(sameness.clone());
        for (input, signature) in &self.failing {
            grouping.add(signature, input.clone());
        }
        grouping.into_groups()
    }
}
