//! Many inputs that were run: which fail, and which of them fail alike.
//!
//! Inputs of different targets are never alike: the frames of a group are of one executable.

use std::path::PathBuf;
use std::rc::Rc;

use seedsmith_engine::exec::Limits;
use seedsmith_engine::oracle::Oracle;
use seedsmith_engine::oracle::budget::Budget;
use seedsmith_engine::oracle::repeats::Repeat;
use seedsmith_engine::sameness::Sameness;

use super::error::SessionError;
use super::failing::stopped_at_once;
use super::first_runs::{Baseline, FirstRuns, first_runs, no_hunt};
use super::target::OpenTarget;
use crate::corpus::{Group, Grouping, Listed};

/// An input that fails.
#[derive(Clone)]
pub struct Failing {
    /// The input.
    pub input: Listed,
    /// What it fails on.
    pub target: Rc<OpenTarget>,
    /// How, and how steadily.
    pub baseline: Baseline,
}

/// Runs `input` on `target` as often as it takes to say whether it fails, and how.
///
/// Costs five runs in fresh workers, thirty where they don't agree. Nothing is fixed by them: a
/// [`Session`](super::Session) begins with runs of its own.
pub fn run_first(
    target: &OpenTarget,
    input: &[u8],
    sameness: &Sameness,
    limits: Limits,
    budget: Budget,
) -> Result<FirstRuns, SessionError> {
    let mut oracle = Oracle::new(&*target.target, no_hunt(), 1, budget)
        .map_err(|source| SessionError::Target { name: target.name.clone(), source })?;
    oracle.set_limits(limits);
    first_runs(&mut oracle, input, sameness, Repeat::Auto)
        .map_err(|stopped| stopped_at_once(target, stopped))
}

/// Sorts inputs as they come, by target and failure.
pub struct Sorter {
    sameness: Sameness,
    groupings: Vec<(PathBuf, Grouping<Failing>)>,
}

impl Sorter {
    /// Nothing yet; `sameness` says when two failures are one.
    pub fn new(sameness: Sameness) -> Self {
        Sorter { sameness, groupings: Vec::new() }
    }

    /// Adds an input that fails.
    pub fn add(&mut self, failing: Failing) {
        let Failing { target, baseline, .. } = &failing;
        let key = target.executable.clone().unwrap_or_else(|| PathBuf::from(&target.name));
        let known = self.groupings.iter().position(|(known, _)| *known == key);
        let at = known.unwrap_or_else(|| {
            self.groupings.push((key, Grouping::new(self.sameness.clone())));
            self.groupings.len() - 1
        });
        let signature = baseline.signature.clone();
        self.groupings[at].1.add(&signature, failing);
    }

    /// The groups, in the order in which their first inputs came.
    pub fn into_groups(self) -> Vec<Group<Failing>> {
        self.groupings.into_iter().flat_map(|(_, grouping)| grouping.into_groups()).collect()
    }
}

/// The input of a group that stands for the others: the smallest, and of equals the first by
/// place in the list. It is the quickest to minimize, and nearest to what comes of it.
pub fn smallest(group: &Group<Failing>) -> &Failing {
    let members = group.members.iter();
    members.min_by_key(|one| one.input.bytes).expect("a group begins with a member")
}
