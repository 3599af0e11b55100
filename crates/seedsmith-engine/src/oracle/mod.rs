//! Answers questions about candidates, as cheaply as they can be answered truthfully.
//!
//! An [`Oracle`] is asked for the *first* candidate of a stream with a wanted outcome. It runs the
//! stream ahead on its [`crew`](crew::Crew), answers known candidates from the
//! [`cache`](cache::Cache), lets the [`judge`](judge::Judge) decide the outcome of an observation,
//! and confirms a failure in a worker that has run nothing else before it believes it. The answer
//! is the same for any number of workers: reports are consumed in candidate order.

pub(crate) mod budget;
pub(crate) mod cache;
mod codes;
mod confirmation;
pub(crate) mod crew;
mod in_order;
pub(crate) mod judge;
pub(crate) mod new_processes;
pub(crate) mod other_failures;
mod read_ahead;
pub(crate) mod repeats;
pub(crate) mod store;

use std::time::{Duration, Instant};

use crate::counts::{Counts, StopReason};
use crate::exec::decided::{DecidedBy, Undecided};
use crate::exec::{Limits, Request, Target, TargetError};
use crate::observation::Observation;
use crate::outcome::Outcome;
use seedsmith_grammar::Digest;
use seedsmith_grammar::internal::NumberMap;

use budget::Budget;
use cache::Cache;
use crew::Crew;
use judge::Judge;
use other_failures::{OtherFailure, OtherFailures};
use repeats::Repeats;
use store::Store;

/// Why an oracle gives no answer.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The search has to end; the best input so far is its result.
    #[error("the search was ended ({0:?})")]
    Early(StopReason),
    /// The target can no longer be run.
    #[error(transparent)]
    Target(#[from] TargetError),
}

/// One consumed test, for those who trace.
pub(crate) type Trace<'t> = Box<dyn FnMut(&[u8], &Observation, bool) + 't>;

/// Answers questions about candidates.
pub struct Oracle<'t> {
    crew: Crew<'t>,
    judge: Box<dyn Judge + 't>,
    cache: Cache,
    budget: Budget,
    started: Instant,
    counts: Counts,
    /// Runs of the tasks before.
    executions_before: u64,
    repeats: Repeats,
    /// Set when a verdict turned out to depend on earlier runs.
    always_fresh: bool,
    /// Candidates that were cancelled while they ran.
    cancelled: NumberMap<u64, Digest>,
    other_failures: OtherFailures,
    spare_buffers: Vec<Vec<u8>>,
    trace: Option<Trace<'t>>,
    limits: Limits,
    /// Whether a target that can no longer be run ends a search like a budget.
    keeps_results: bool,
    /// Why it can no longer be run.
    trouble: Option<TargetError>,
    /// The limit of time shrinks no further than this.
    shortest: Duration,
    /// The longest limit of time until now: a candidate that times out under less is not known to
    /// hang.
    longest: Duration,
}

/// How many times as long as a run takes, a candidate may take: one that is ten times slower
/// than a larger one hangs. The factor is a guess; not measured.
pub const RUNS_IN_A_LIMIT: u32 = 10;

/// Candidates proposed ahead of the answer, at most: as many as a slot's ring holds.
const MAX_READ_AHEAD: usize = 256;
/// Reports consumed before more candidates are proposed, so that the workers do not run out of work
/// meanwhile. A guess; not measured.
const MAX_CONSUMED_AT_ONCE: usize = 16;

impl<'t> Oracle<'t> {
    /// An oracle that runs `target` in at most `jobs` slots.
    pub fn new(
        target: &'t dyn Target,
        judge: impl Judge + 't,
        jobs: usize,
        budget: Budget,
    ) -> Result<Self, TargetError> {
        Ok(Oracle {
            crew: Crew::new(target, jobs)?,
            judge: Box::new(judge),
            cache: Cache::default(),
            budget,
            started: Instant::now(),
            counts: Counts::default(),
            executions_before: 0,
            repeats: Repeats::STEADY,
            always_fresh: false,
            cancelled: NumberMap::default(),
            other_failures: OtherFailures::default(),
            spare_buffers: Vec::new(),
            trace: None,
            limits: Limits::default(),
            keeps_results: false,
            trouble: None,
            shortest: Limits::default().cpu,
            longest: Duration::ZERO,
        })
    }

    /// From here on, a target that can no longer be run ends a search as a budget does, with
    /// [`StopReason::Target`]: its results are not lost. [`Oracle::trouble`] says why.
    pub fn keep_results(&mut self) {
        self.keeps_results = true;
    }

    /// Why the target could not be run when a search was last ended by that.
    pub fn trouble(&self) -> Option<&TargetError> {
        self.trouble.as_ref()
    }

    /// As [`Oracle::trouble`], for an error of the caller's.
    pub fn take_trouble(&mut self) -> Option<TargetError> {
        self.trouble.take()
    }

    /// Turns trouble with the target into the end of a search, where that is wanted. The next
    /// search starts new processes.
    fn or_end_of_search<T>(&mut self, answer: Result<T, Stopped>) -> Result<T, Stopped> {
        match answer {
            Err(Stopped::Target(error)) if self.keeps_results => {
                self.crew.dismiss();
                self.cancelled.clear();
                self.trouble = Some(error);
                Err(Stopped::Early(StopReason::Target))
            }
            answer => answer,
        }
    }

    /// Changes which observations count as failing. The cached observations are kept: nothing is
    /// run again.
    pub fn set_judge(&mut self, judge: impl Judge + 't) {
        self.judge = Box::new(judge);
    }

    /// Has every candidate be run as often as an unsteady failure takes.
    pub fn set_repeats(&mut self, repeats: Repeats) {
        self.repeats = repeats;
    }

    /// Sets the limits of a worker for one candidate. Timeouts under a shorter limit are forgotten.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.shortest = limits.cpu;
        self.longest = self.longest.max(limits.cpu);
        self.hold_limits();
        // Candidates that still run may end under either limit: forget their requests.
        self.cancelled.clear();
    }

    /// Lets the limit of time shrink with the accepted candidates: to [`RUNS_IN_A_LIMIT`] times as long
    /// as the accepted candidate took, and not below `shortest`.
    pub fn let_limits_shrink(&mut self, shortest: Duration) {
        self.shortest = shortest;
    }

    fn hold_limits(&mut self) {
        self.crew.set_limits(self.limits);
        self.cache.set_limit(self.limits.cpu);
    }

    /// Lowers the limit of time where a failing run `took` a small part of it.
    fn shrink_limits(&mut self, took: Duration) {
        let enough = took.saturating_mul(RUNS_IN_A_LIMIT).max(self.shortest);
        if enough < self.limits.cpu {
            self.limits = self.limits.with_time(enough);
            self.hold_limits();
        }
    }

    /// Forgets which candidates used too much memory: the limit has been raised.
    pub fn forget_memory(&mut self) {
        self.cache.forget_memory();
    }

    /// The budget of the search.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The share of the budget that is spent: 0 is nothing, 1 all of it.
    pub fn spent(&self) -> f64 {
        self.budget.share(self.counts.tests, self.started)
    }

    /// The limit of which most is spent, if there is one.
    pub fn closest_limit(&self) -> Option<StopReason> {
        self.budget.closest_limit(self.counts.tests, self.started)
    }

    /// Changes the budget of the search, which counts from its start.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Begins a new task on the same workers: counts, known observations and other failures start
    /// from nothing, so that a task's counts don't depend on the tasks before it.
    pub fn begin_task(&mut self, budget: Budget) {
        self.budget = budget;
        self.started = Instant::now();
        self.counts = Counts::default();
        self.executions_before = self.crew.executions();
        self.cache = Cache::default();
        self.cache.set_limit(self.limits.cpu);
        self.other_failures = OtherFailures::default();
    }

    /// Begins a new task, as [`Oracle::begin_task`] does, in which the observations in `known` need
    /// no test: [`Oracle::take_cache`] gives them after an earlier task on the same target.
    pub fn begin_task_with(&mut self, budget: Budget, known: Cache) {
        self.begin_task(budget);
        self.cache = known;
        self.cache.set_limit(self.limits.cpu);
    }

    /// The observations of the task so far, which it then no longer knows.
    pub fn take_cache(&mut self) -> Cache {
        let mut empty = Cache::default();
        empty.set_limit(self.limits.cpu);
        std::mem::replace(&mut self.cache, empty)
    }

    /// Tells `trace` of every consumed test: candidate, observation, whether the cache answered.
    pub fn set_trace(&mut self, trace: Trace<'t>) {
        self.trace = Some(trace);
    }

    /// Keeps every observation in `store` too, and uses those of an earlier run there: such a
    /// candidate is consumed as a test like any other, and nothing is executed for it.
    pub fn set_store(&mut self, store: Store) {
        self.cache.set_store(store);
    }

    /// The store, if there is one.
    pub fn store(&self) -> Option<&Store> {
        self.cache.store()
    }

    /// Counts until now.
    pub fn counts(&self) -> Counts {
        let executions = self.crew.executions() - self.executions_before;
        Counts { executions, ..self.counts }
    }

    /// When the oracle was made.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Whether every candidate gets a fresh worker, because verdicts were found to depend on the
    /// candidates before.
    pub fn is_always_fresh(&self) -> bool {
        self.always_fresh
    }

    /// Failures that the judge does not count as failing, each once, in the order in which they were met, with the
    /// simplest input so far.
    pub fn other_failures(&self) -> &[OtherFailure] {
        self.other_failures.kept()
    }

    /// How many other failures were met that there was no room to keep.
    pub fn other_failures_left_out(&self) -> usize {
        self.other_failures.left_out()
    }

    /// Runs `candidate` once more, even if it is cached, and returns the observation.
    pub fn observe(&mut self, candidate: &[u8], request: Request) -> Result<Observation, Stopped> {
        Ok(self.run(candidate, request)?.0)
    }

    /// Runs `candidate` some times more, side by side as far as there are slots, and returns the
    /// observation of each run.
    pub fn observe_often(
        &mut self,
        candidate: &[u8],
        request: Request,
        times: u32,
    ) -> Result<Vec<Observation>, Stopped> {
        let mut seen = Vec::new();
        while seen.len() < times as usize {
            self.run_often(candidate, request, times - seen.len() as u32, &mut seen)?;
        }
        Ok(seen)
    }

    /// Decides which failure of the original input counts, whose first runs showed `first`.
    pub fn decide(&self, first: &[(Observation, u32)]) -> Result<DecidedBy, Undecided> {
        self.crew.target().settle(first)
    }

    /// How many candidates run side by side at most.
    pub fn jobs(&self) -> usize {
        self.crew.jobs()
    }

    /// Finds out whether `failing` fails as well after other candidates; if not, each candidate
    /// gets a fresh worker from here on. Returns whether that is so. Costs three runs.
    pub fn try_after_others(&mut self, failing: &[u8]) -> Result<bool, Stopped> {
        for other in [&failing[..0], &failing[..failing.len() / 2]] {
            self.run(other, Request::default())?;
        }
        let request = Request {
            frames: self.judge.needs_frames(),
            fresh: false,
            once: false,
            varied: false,
            expected: None,
        };
        let (seen, was_fresh) = self.run(failing, request)?;
        if !was_fresh && self.judge.outcome(&seen) != Outcome::Fail {
            self.always_fresh = true;
        }
        Ok(self.always_fresh)
    }

    /// Whether `candidate` shows the failure, run now as often as that takes, whatever is known of
    /// it.
    pub fn shows(&mut self, candidate: &[u8]) -> Result<bool, Stopped> {
        let observation = self.repeat_until_decided(candidate, Vec::new())?;
        Ok(self.judge.outcome(&observation) == Outcome::Fail)
    }

    /// The outcome of one candidate, consumed as a stream of one.
    pub fn outcome(&mut self, candidate: &[u8]) -> Result<Outcome, Stopped> {
        let mut once = Some(());
        let mut seen = Outcome::Unresolved;
        self.first_wanted(
            &mut |buffer: &mut Vec<u8>| {
                once.take()?;
                buffer.extend_from_slice(candidate);
                Some(())
            },
            &mut |outcome, _| {
                seen = outcome;
                true
            },
        )?;
        Ok(seen)
    }

    /// The first candidate of a stream whose outcome is `wanted`, and its bytes; `None` when the
    /// stream ends without one.
    ///
    /// `next` writes a candidate into the buffer (given empty) and returns how the caller knows
    /// it. The stream is read ahead on the assumption that no candidate before has the wanted
    /// outcome; candidates that were read past the answer are dropped. A wanted [`Outcome::Fail`] is confirmed
    /// in a fresh worker first. Cost: one test for each candidate up to the answer that is not
    /// known yet.
    pub fn first<M>(
        &mut self,
        wanted: Outcome,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        self.first_wanted(next, &mut |outcome, _| outcome == wanted)
    }

    /// As [`Oracle::first`], but `is_answer` is called with the outcome of every candidate, in
    /// candidate order, and decides which one ends the stream.
    pub fn until<M>(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
        is_answer: &mut dyn FnMut(Outcome) -> bool,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        self.first_wanted(next, &mut |outcome, _| is_answer(outcome))
    }

    /// As [`Oracle::until`], but `is_answer` also gets the observation.
    pub fn until_observed<M>(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
        is_answer: &mut dyn FnMut(Outcome, &Observation) -> bool,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        self.first_wanted(next, is_answer)
    }
}
