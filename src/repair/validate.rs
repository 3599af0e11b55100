//! Who says whether a candidate is valid: a target behind an oracle, or a function called in place.
//!
//! A repair proposes streams of candidates and asks for the first valid one, as a reduction does
//! for the first failing one. It knows neither processes nor clocks: both live behind [`Validate`],
//! so the same repair runs in a command line, in a test, and inside a fuzzer's mutator.

use std::time::Instant;

use crate::event::{Counts, StopReason};
use seedsmith_engine::oracle::budget::Budget;
use seedsmith_engine::oracle::{Oracle, Stopped};
use seedsmith_engine::outcome::Outcome;
use seedsmith_grammar::digest::{Digest, NumberMap};

/// Answers whether candidates are valid.
///
/// Duties of an implementation:
/// 1. The answer is the first valid candidate in the order of the stream.
/// 2. What it knows already is not run again.
/// 3. When its budget is used up it says [`Stopped::Early`], and goes on saying it.
pub trait Validate {
    /// The first valid candidate of a stream: how many came before it, and its bytes.
    ///
    /// `next` writes a candidate into an empty buffer, or returns `false` at the stream's end. The
    /// stream may be read ahead of the answer.
    fn first_valid(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped>;

    /// Counts until now.
    fn counts(&self) -> Counts;

    /// Whether a test costs a process, so that candidates have to be few.
    fn is_slow(&self) -> bool {
        false
    }

    /// How much of the budget is used: 0 is nothing, 1 all of it.
    fn spent(&self) -> f64 {
        0.0
    }

    /// Whether it lets no candidate through any more though its budget may have something left.
    fn is_used_up(&self) -> bool {
        false
    }

    /// The limit of the budget of which most is used, if there is one.
    fn closest_limit(&self) -> Option<StopReason> {
        None
    }

    /// Whether one candidate is valid.
    fn is_valid(&mut self, candidate: &[u8]) -> Result<bool, Stopped> {
        let mut once = Some(());
        let answer = self.first_valid(&mut |buffer| {
            let is_first = once.take().is_some();
            if is_first {
                buffer.extend_from_slice(candidate);
            }
            is_first
        })?;
        Ok(answer.is_some())
    }
}

/// A target's word, through the oracle: valid is what passes.
pub struct ByOracle<'o, 't> {
    oracle: &'o mut Oracle<'t>,
    is_slow: bool,
}

impl<'o, 't> ByOracle<'o, 't> {
    /// Asks `oracle`, whose judge should be [`Validity`](seedsmith_engine::oracle::judge::Validity).
    pub fn new(oracle: &'o mut Oracle<'t>, is_slow: bool) -> Self {
        ByOracle { oracle, is_slow }
    }
}

impl Validate for ByOracle<'_, '_> {
    fn first_valid(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        let mut index = 0;
        self.oracle.first(Outcome::Pass, &mut |buffer: &mut Vec<u8>| {
            let is_one = next(buffer);
            index += 1;
            is_one.then_some(index - 1)
        })
    }

    fn counts(&self) -> Counts {
        self.oracle.counts()
    }

    fn is_slow(&self) -> bool {
        self.is_slow
    }

    fn spent(&self) -> f64 {
        self.oracle.spent()
    }

    fn closest_limit(&self) -> Option<StopReason> {
        self.oracle.closest_limit()
    }
}

/// A function called in this thread: the quickest way, for functions that neither crash nor hang.
pub struct InPlace<F> {
    function: F,
    known: NumberMap<u128, bool>,
    budget: Budget,
    started: Instant,
    counts: Counts,
}

impl<F: FnMut(&[u8]) -> bool> InPlace<F> {
    /// Valid is what `function` returns true for.
    pub fn new(function: F, budget: Budget) -> Self {
        InPlace {
            function,
            known: NumberMap::default(),
            budget,
            started: Instant::now(),
            counts: Counts::default(),
        }
    }

    /// Begins a task of its own with the same function.
    pub fn begin_anew(&mut self, budget: Budget) {
        self.known.clear();
        self.budget = budget;
        self.started = Instant::now();
        self.counts = Counts::default();
    }

    fn test(&mut self, candidate: &[u8]) -> Result<bool, StopReason> {
        let digest = Digest::of(candidate).0;
        if let Some(answer) = self.known.get(&digest) {
            self.counts.calls += 1;
            self.counts.cache_hits += 1;
            return Ok(*answer);
        }
        self.budget.check(self.counts.tests, self.started)?;
        let answer = (self.function)(candidate);
        self.counts.calls += 1;
        self.counts.tests += 1;
        self.counts.executions += 1;
        self.known.insert(digest, answer);
        Ok(answer)
    }
}

impl<F: FnMut(&[u8]) -> bool> Validate for InPlace<F> {
    fn first_valid(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        let mut buffer = Vec::new();
        let mut index = 0;
        while next(&mut buffer) {
            if self.test(&buffer).map_err(Stopped::Early)? {
                return Ok(Some((index, buffer)));
            }
            index += 1;
            buffer.clear();
        }
        Ok(None)
    }

    fn spent(&self) -> f64 {
        self.budget.share(self.counts.tests, self.started)
    }

    fn closest_limit(&self) -> Option<StopReason> {
        self.budget.closest_limit(self.counts.tests, self.started)
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
