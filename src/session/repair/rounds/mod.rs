//! The two rounds of a run over several inputs, and what the first hands to the second.
//!
//! In the first round each input gets a few tests, so that all have a valid text early whatever the limit
//! of the run is. In the second the inputs without one come first where the run's time is limited, and
//! the valid texts of all inputs are starting points for them. What the first round has observed is not
//! tested again. Texts and tests do not depend on the number of threads, because the second round begins
//! when the first has ended for all inputs.

mod shards;

use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) use shards::{join_valid_texts, write_valid_texts};

use super::result::RepairResult;
use crate::event::RepairStatus;
use seedsmith_engine::internal::Cache;
use seedsmith_grammar::Digest;

/// Tests of one input in the first round, at most.
///
/// Measured 2026-11-22 with 300 invalid files each of two corpora that libFuzzer made (JSON, graphs): in 30 tests 275
/// and 239 get a valid text, in 60 tests 287 and 242, in 130 tests 290 and 242.
pub(super) const MAX_FIRST_TESTS: u64 = 60;
/// Valid texts that are kept as starting points, so that comparing an input with all of them takes
/// milliseconds.
const MAX_SIBLINGS: usize = 512;
/// Length of such a text, so that all of them take 8 MiB at most.
const MAX_SIBLING_BYTES: usize = 16 << 10;
/// Inputs of which the observations are kept from the first round; of others they are made again, because
/// each keeps some kilobytes.
const MAX_CACHES: usize = 4096;
/// How often a thread that waits looks whether the run is over: 50 ms, so that an interrupt ends the run
/// at once for a person.
const TICK: Duration = Duration::from_millis(50);

/// Which valid texts the second round begins from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Siblings {
    /// Those of all inputs of this run.
    #[default]
    OfRun,
    /// Those of this run and others, which are not known yet: a run that needs them ends before its second round.
    OfOthersToo,
    /// These.
    Given(Arc<Vec<Vec<u8>>>),
}

/// A valid text, and the number of its input.
pub(crate) type ValidText = (usize, Vec<u8>);

/// What the first round has found for an input that may have a closer text.
pub(super) struct FirstResult {
    /// The result until now, not confirmed.
    pub result: RepairResult,
    /// The observations.
    pub cache: Option<Cache>,
}

/// What the threads know of the first round.
pub(super) struct FirstRound {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    firsts: Vec<Option<Box<FirstResult>>>,
    /// Valid texts, by the number of their input.
    valid: Vec<Option<Vec<u8>>>,
    /// Inputs whose first round has not ended.
    unfinished: usize,
    second: Option<SecondRound>,
    /// Where the texts of the second round come from.
    source: Siblings,
    /// The valid texts of this run that others may begin from too.
    for_others: Vec<ValidText>,
    /// Tests of all inputs in the first round,
    tests: u64,
    /// and the time that they took.
    took: Duration,
}

/// The plan of the second round.
#[derive(Clone)]
pub(super) struct SecondRound {
    /// The inputs that have a turn, in this order.
    pub order: Arc<Vec<usize>>,
    /// Valid texts.
    pub siblings: Arc<Vec<Vec<u8>>>,
}

impl FirstRound {
    /// For this many inputs.
    pub(super) fn new(inputs: usize, source: Siblings) -> Self {
        let state = State {
            firsts: (0..inputs).map(|_| None).collect(),
            valid: vec![None; inputs],
            unfinished: inputs,
            second: None,
            source,
            for_others: Vec::new(),
            tests: 0,
            took: Duration::ZERO,
        };
        FirstRound { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a valid text of that input as a starting point for others.
    pub(super) fn add_valid(&self, index: usize, text: &[u8]) {
        if (1..=MAX_SIBLING_BYTES).contains(&text.len()) {
            self.state().valid[index] = Some(text.to_vec());
        }
    }

    /// Counts the tests of one input and the time that they took in one thread.
    pub(super) fn add_tests(&self, tests: u64, took: Duration) {
        let mut state = self.state();
        state.tests += tests;
        state.took += took;
    }

    /// The time of a test in one thread, in the mean; `None` before the first test.
    pub(super) fn pace(&self) -> Option<Duration> {
        let state = self.state();
        let tests = u32::try_from(state.tests).unwrap_or(u32::MAX);
        (tests > 0).then(|| state.took / tests)
    }

    /// Keeps the result until the second round.
    pub(super) fn keep(&self, index: usize, mut first: FirstResult) {
        let mut state = self.state();
        if index >= MAX_CACHES {
            first.cache = None;
        }
        state.firsts[index] = Some(Box::new(first));
    }

    /// The first round is over for one input.
    pub(super) fn finish_one(&self) {
        self.state().unfinished -= 1;
        self.changed.notify_all();
    }

    /// Inputs whose first round has ended.
    pub(super) fn had_first(&self) -> usize {
        let state = self.state();
        state.firsts.len() - state.unfinished
    }

    /// The kept result of that input.
    pub(super) fn take(&self, index: usize) -> Option<Box<FirstResult>> {
        self.state().firsts[index].take()
    }

    /// The plan of the second round, once the first has ended; `None` if `is_over` before, or if it needs texts that are
    /// not known yet. With `is_limited` the inputs without a valid text come first.
    pub(super) fn second(
        &self,
        is_limited: bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<SecondRound> {
        let mut state = self.state();
        while state.unfinished > 0 {
            if is_over() {
                return None;
            }
            let waited = self.changed.wait_timeout(state, TICK);
            state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        }
        let second = state.plan(is_limited);
        (!state.waits_for_others()).then_some(second)
    }

    /// Whether inputs have no result, because they need texts that are not known yet; and the texts of this run.
    pub(super) fn into_waiting(self) -> (bool, Vec<ValidText>) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.waits_for_others(), state.for_others)
    }
}

/// The first of these texts, each once, as many as are starting points.
pub(super) fn first_different(texts: impl Iterator<Item = ValidText>) -> Vec<ValidText> {
    let mut known = HashSet::new();
    texts.filter(|(_, text)| known.insert(Digest::of(text))).take(MAX_SIBLINGS).collect()
}

impl State {
    /// Whether the first round has found no valid text for that input, and keeps it for the second one.
    fn has_none(&self, index: usize) -> bool {
        let first = self.firsts[index].as_ref();
        first.is_some_and(|first| first.result.row.status != RepairStatus::Repaired)
    }

    fn waits_for_others(&self) -> bool {
        self.source == Siblings::OfOthersToo
            && (0..self.firsts.len()).any(|index| self.has_none(index))
    }

    fn plan(&mut self, is_limited: bool) -> SecondRound {
        if let Some(second) = &self.second {
            return second.clone();
        }
        let kept = (0..self.firsts.len()).filter(|index| self.firsts[*index].is_some());
        let mut order: Vec<usize> = kept.collect();
        if is_limited {
            order.sort_by_key(|index| !self.has_none(*index));
        }
        let own = std::mem::take(&mut self.valid).into_iter().enumerate();
        let own = first_different(own.filter_map(|(index, text)| Some((index, text?))));
        let siblings = match &self.source {
            Siblings::Given(texts) => texts.to_vec(),
            Siblings::OfRun => own.into_iter().map(|(_, text)| text).collect(),
            // What needs them comes to no second round.
            Siblings::OfOthersToo => {
                self.for_others = own;
                Vec::new()
            }
        };
        let second = SecondRound { order: Arc::new(order), siblings: Arc::new(siblings) };
        self.second.insert(second).clone()
    }
}
