//! Who says whether a candidate is valid: a target after an oracle, or a function called in place.
//!
//! A repair proposes streams of candidates and asks for the first valid one, as a reduction does
//! for the first failing one. It knows neither processes nor clocks: both live after [`Validate`],
//! so the same repair runs in a command line, in a test, and inside a fuzzer's mutator.

use std::sync::Arc;
use std::time::Instant;

use crate::event::{Counts, StopReason};
use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::Complaint;
use seedsmith_engine::internal::Oracle;
use seedsmith_grammar::Digest;
use seedsmith_grammar::internal::NumberMap;

/// What a validator says of one candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is valid.
    Valid,
    /// It is invalid, for a reason that the validator may have printed.
    Invalid(Option<Arc<Complaint>>),
    /// Nothing is known: the validator crashed or took too long.
    Unresolved,
}

impl Answer {
    /// What the validator printed.
    ///
    /// `None` if the candidate is valid, or if the validator printed nothing.
    pub fn complaint(&self) -> Option<&Arc<Complaint>> {
        match self {
            Answer::Invalid(complaint) => complaint.as_ref(),
            _ => None,
        }
    }
}

/// A function says only whether a text is valid.
impl From<bool> for Answer {
    fn from(is_valid: bool) -> Self {
        if is_valid { Answer::Valid } else { Answer::Invalid(None) }
    }
}

/// A function describes the fault, best with the place: `line 4 column 7: expected ':'`.
impl From<Result<(), String>> for Answer {
    fn from(said: Result<(), String>) -> Self {
        match said {
            Ok(()) => Answer::Valid,
            Err(message) if message.trim().is_empty() => Answer::Invalid(None),
            Err(message) => Answer::Invalid(Some(Arc::new(Complaint::new(message.into_bytes())))),
        }
    }
}

/// Answers whether candidates are valid.
///
/// Duties of an implementation:
/// 1. The answer is the first valid candidate in the order of the stream.
/// 2. A known answer is not run again.
/// 3. When its budget is used up it says [`Stopped::Early`], and continues saying it.
pub trait Validate {
    /// The first candidate of a stream that `is_wanted` says yes to. It hears the answer to each
    /// candidate before that one too, in the order of the stream.
    fn first_that(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
        is_wanted: &mut dyn FnMut(&Answer) -> bool,
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
    ///
    /// A number of candidates that was given to it is used up, for example.
    fn is_used_up(&self) -> bool {
        false
    }

    /// How many tests the budget still has, if it limits tests.
    ///
    /// `None` if the budget does not limit tests.
    fn tests_left(&self) -> Option<u64> {
        None
    }

    /// The limit of the budget of which most is used, if there is one.
    fn closest_limit(&self) -> Option<StopReason> {
        None
    }

    /// The first valid candidate of a stream: how many came before it, and its bytes.
    ///
    /// `next` writes a candidate into an empty buffer, or returns `false` at the stream's end. The
    /// stream may be read ahead of the answer.
    fn first_valid(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        self.first_that(next, &mut |answer| *answer == Answer::Valid)
    }

    /// Whether one candidate is valid, and if not, what the validator printed.
    fn is_valid_or_says(&mut self, candidate: &[u8]) -> Result<Answer, Stopped> {
        let (mut once, mut heard) = (Some(()), Answer::Unresolved);
        self.first_that(
            &mut |buffer| {
                let is_first = once.take().is_some();
                if is_first {
                    buffer.extend_from_slice(candidate);
                }
                is_first
            },
            &mut |answer| {
                heard = answer.clone();
                true
            },
        )?;
        Ok(heard)
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
    /// Asks `oracle`, whose judge should be [`Validity`](seedsmith_engine::Validity).
    pub fn new(oracle: &'o mut Oracle<'t>, is_slow: bool) -> Self {
        ByOracle { oracle, is_slow }
    }
}

impl Validate for ByOracle<'_, '_> {
    fn first_that(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
        is_wanted: &mut dyn FnMut(&Answer) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        let mut index = 0;
        let mut numbered = |buffer: &mut Vec<u8>| {
            let is_one = next(buffer);
            index += 1;
            is_one.then_some(index - 1)
        };
        self.oracle.until_observed(&mut numbered, &mut |outcome, observation| {
            let answer = match outcome {
                Outcome::Pass => Answer::Valid,
                Outcome::Fail => Answer::Invalid(observation.complaint().cloned()),
                Outcome::Unresolved => Answer::Unresolved,
            };
            is_wanted(&answer)
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

    fn tests_left(&self) -> Option<u64> {
        self.oracle.budget().tests_left(self.oracle.counts().tests)
    }

    fn closest_limit(&self) -> Option<StopReason> {
        self.oracle.closest_limit()
    }
}

/// A function called in this thread: the quickest way, for functions that neither crash nor hang.
pub struct InPlace<F> {
    function: F,
    known: NumberMap<u128, Answer>,
    budget: Budget,
    started: Instant,
    counts: Counts,
}

impl<F, R> InPlace<F>
where
    F: FnMut(&[u8]) -> R,
    R: Into<Answer>,
{
    /// Valid is what `function` returns true or `Ok` for. An error's text is read as a command's
    /// output is: a place in it makes repairs closer and cheaper.
    pub fn new(function: F, budget: Budget) -> Self {
        InPlace {
            function,
            known: NumberMap::default(),
            budget,
            started: Instant::now(),
            counts: Counts::default(),
        }
    }

    /// Begins another task with the same function.
    pub fn begin_task(&mut self, budget: Budget) {
        self.known.clear();
        self.budget = budget;
        self.started = Instant::now();
        self.counts = Counts::default();
    }

    fn test(&mut self, candidate: &[u8]) -> Result<Answer, StopReason> {
        let digest = Digest::of(candidate).0;
        if let Some(answer) = self.known.get(&digest) {
            self.counts.calls += 1;
            self.counts.cache_hits += 1;
            return Ok(answer.clone());
        }
        self.budget.check(self.counts.tests, self.started)?;
        let answer: Answer = (self.function)(candidate).into();
        self.counts.calls += 1;
        self.counts.tests += 1;
        self.counts.executions += 1;
        self.known.insert(digest, answer.clone());
        Ok(answer)
    }
}

impl<F, R> Validate for InPlace<F>
where
    F: FnMut(&[u8]) -> R,
    R: Into<Answer>,
{
    fn first_that(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
        is_wanted: &mut dyn FnMut(&Answer) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        let mut buffer = Vec::new();
        let mut index = 0;
        while next(&mut buffer) {
            if is_wanted(&self.test(&buffer).map_err(Stopped::Early)?) {
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

    fn tests_left(&self) -> Option<u64> {
        self.budget.tests_left(self.counts.tests)
    }

    fn closest_limit(&self) -> Option<StopReason> {
        self.budget.closest_limit(self.counts.tests, self.started)
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
pub(super) mod capped;
pub(super) mod slice;
