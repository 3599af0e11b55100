//! Layer 3: answers questions about candidates, as cheaply as they can be answered truthfully.
//!
//! An [`Oracle`] is asked for the *first* candidate of a stream with a wanted outcome. It runs the
//! stream ahead on its [`crew`](crew::Crew), answers what it knows from the
//! [`cache`](cache::Cache), lets the [`judge`](judge::Judge) say what an observation means, and
//! confirms a failure in a worker that has run nothing else before it believes it. The answer is
//! the same for any number of workers: reports are consumed in candidate order.

pub mod budget;
pub mod by_catch;
pub mod cache;
pub mod crew;
pub mod elsewhere;
pub mod judge;
mod lead;
pub mod store;

use std::time::{Duration, Instant};

use crate::digest::{Digest, NumberMap};
use crate::event::{Counts, StopReason};
use crate::observation::Observation;
use crate::outcome::Outcome;
use crate::signature::Kind;
use crate::target::{Limits, Request, Target, TargetError};

use budget::Budget;
use by_catch::{ByCatch, Net};
use cache::{Cache, Known};
use crew::Crew;
use judge::Judge;
use lead::{Lead, Pending, Progress, State};
use store::Store;

/// Why an oracle gives no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    /// The search has to end; what is best so far stands.
    #[error("the search was ended ({0:?})")]
    Early(StopReason),
    /// The target can no longer be run.
    #[error(transparent)]
    Target(#[from] TargetError),
}

/// One consumed test, for those who trace.
pub type Trace<'t> = Box<dyn FnMut(&[u8], &Observation, bool) + 't>;

/// Answers questions about candidates.
pub struct Oracle<'t> {
    crew: Crew<'t>,
    judge: Box<dyn Judge + 't>,
    cache: Cache,
    budget: Budget,
    started: Instant,
    counts: Counts,
    /// Runs of a candidate before its failure counts as not showing; 1 for a steady target.
    repeats: u32,
    /// Set when a verdict turned out to depend on what ran before.
    always_fresh: bool,
    /// What was cancelled while it ran.
    abandoned: NumberMap<u64, Digest>,
    net: Net,
    spare_buffers: Vec<Vec<u8>>,
    trace: Option<Trace<'t>>,
    limits: Limits,
    /// The limit of time shrinks no further than this.
    shortest: Duration,
    /// The longest limit of time until now: what times out under less is not known to hang.
    longest: Duration,
}

/// How many times as long as a run takes, a candidate may take: what is ten times slower than
/// a larger one hangs.
pub const RUNS_IN_A_LIMIT: u32 = 10;

/// Candidates proposed ahead of the answer, at most.
const AHEAD: usize = 256;
/// Reports consumed before more candidates are proposed.
const CONSUMED_AT_ONCE: usize = 16;

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
            repeats: 1,
            always_fresh: false,
            abandoned: NumberMap::default(),
            net: Net::default(),
            spare_buffers: Vec::new(),
            trace: None,
            limits: Limits::default(),
            shortest: Limits::default().cpu,
            longest: Duration::ZERO,
        })
    }

    /// Changes who is hunted. Observations stay known: nothing is run again.
    pub fn set_judge(&mut self, judge: impl Judge + 't) {
        self.judge = Box::new(judge);
    }

    /// Has a failure that does not show be tried again, until `repeats` runs agree that it
    /// does not.
    pub fn set_repeats(&mut self, repeats: u32) {
        self.repeats = repeats.max(1);
    }

    /// Sets what a worker may use for one candidate. What timed out under a shorter limit is no
    /// longer known.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.shortest = limits.cpu;
        self.longest = self.longest.max(limits.cpu);
        self.hold_limits();
        // What runs still may end under either limit: forget that anybody asked.
        self.abandoned.clear();
    }

    /// Lets the limit of time shrink with what is accepted: to [`RUNS_IN_A_LIMIT`] times as long
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

    /// What the search may spend.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Changes what the search may spend, from its start.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Begins a task of its own on the same workers: counts, known observations and by-catch start
    /// from nothing, so that what a task counts doesn't depend on the tasks before it.
    pub fn begin_anew(&mut self, budget: Budget) {
        self.budget = budget;
        self.started = Instant::now();
        self.counts = Counts::default();
        self.cache = Cache::default();
        self.net = Net::default();
    }

    /// Tells `trace` of every consumed test: candidate, observation, whether the cache answered.
    pub fn set_trace(&mut self, trace: Trace<'t>) {
        self.trace = Some(trace);
    }

    /// Keeps every observation in `store` too, and answers what an earlier run left there: such a
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
        Counts { executions: self.crew.executions(), ..self.counts }
    }

    /// When the oracle was made.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Whether every candidate gets a worker of its own, because verdicts were found to depend on
    /// what had run before.
    pub fn is_always_fresh(&self) -> bool {
        self.always_fresh
    }

    /// Other failures than the hunted one, each once, in the order of their meeting, with the
    /// simplest input so far.
    pub fn by_catch(&self) -> &[ByCatch] {
        self.net.caught()
    }

    /// How many other failures were met that there was no room to keep.
    pub fn by_catch_left_out(&self) -> usize {
        self.net.left_out()
    }

    /// Runs `candidate` once more, whatever is known of it, and says what happened.
    pub fn observe(&mut self, candidate: &[u8], request: Request) -> Result<Observation, Stopped> {
        Ok(self.run(candidate, request)?.0)
    }

    /// The outcome of one candidate, consumed as a stream of one.
    pub fn outcome(&mut self, candidate: &[u8]) -> Result<Outcome, Stopped> {
        let mut once = Some(());
        let mut seen = Outcome::Unresolved;
        self.race(
            &mut |buffer: &mut Vec<u8>| {
                once.take()?;
                buffer.extend_from_slice(candidate);
                Some(())
            },
            &mut |outcome| {
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
    /// outcome; what was read past the answer is dropped. A wanted [`Outcome::Fail`] is confirmed
    /// in a fresh worker first. Cost: one test for each candidate up to the answer that is not
    /// known yet.
    pub fn first<M>(
        &mut self,
        wanted: Outcome,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        self.race(next, &mut |outcome| outcome == wanted)
    }

    /// As [`Oracle::first`], but `is_answer` hears the outcome of every candidate, in candidate
    /// order, and says which one ends the stream.
    pub fn until<M>(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
        is_answer: &mut dyn FnMut(Outcome) -> bool,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        self.race(next, is_answer)
    }

    fn race<M>(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
        is_wanted: &mut dyn FnMut(Outcome) -> bool,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        let mut lead = Lead::default();
        let answer = loop {
            // Also where the cache answers everything, and no test is ever counted.
            if let Err(reason) = self.budget.check_time(self.started) {
                self.abandon(&mut lead);
                return Err(Stopped::Early(reason));
            }
            if let Err(stopped) = self.fill(&mut lead, next) {
                self.abandon(&mut lead);
                return Err(stopped);
            }
            match self.consume_ready(&mut lead, is_wanted) {
                Ok(Progress::Answer(pending)) => break Some((pending.motion, pending.candidate)),
                Ok(Progress::Consumed) => {}
                Ok(Progress::Nothing) if lead.queue.is_empty() => break None,
                Ok(Progress::Nothing) => {
                    if let Err(reason) = self.budget.check(self.counts.tests, self.started) {
                        self.abandon(&mut lead);
                        return Err(Stopped::Early(reason));
                    }
                    if self.crew.collect()? == 0 {
                        self.crew.wait()?;
                    }
                }
                Err(stopped) => {
                    self.abandon(&mut lead);
                    return Err(stopped);
                }
            }
        };
        self.abandon(&mut lead);
        Ok(answer)
    }

    /// Consumes what is ready at the front, but not so much that the workers run dry meanwhile.
    fn consume_ready<M>(
        &mut self,
        lead: &mut Lead<M>,
        is_wanted: &mut dyn FnMut(Outcome) -> bool,
    ) -> Result<Progress<M>, Stopped> {
        let mut consumed = 0;
        while consumed < CONSUMED_AT_ONCE {
            let Some(front) = lead.queue.front_mut() else { break };
            let mut is_believed = false;
            let (observation, was_cached, was_fresh) = match &front.state {
                State::Running(ticket) => match self.crew.report(*ticket) {
                    Some(report) => {
                        lead.under_way.remove(&front.digest.0);
                        (report.observation, false, report.was_fresh)
                    }
                    None => break,
                },
                State::Consumed(observation) => (observation.clone(), true, false),
                // The same bytes may stand in front of this one and have been consumed since.
                State::Ahead(observation) => match self.cache.get(front.digest) {
                    Some(Known::Consumed(observation)) => (observation, true, false),
                    _ => (observation.clone(), false, false),
                },
                State::Twin | State::Stored => match self.cache.get(front.digest) {
                    Some(Known::Consumed(observation)) => (observation, true, false),
                    Some(Known::Stored(observation)) => {
                        is_believed = true;
                        (observation, false, false)
                    }
                    _ => {
                        // What its twin said is known no longer: run it after all.
                        front.state = State::Proposed;
                        lead.offered = 0;
                        break;
                    }
                },
                State::Proposed => break,
            };
            let pending = lead.pop();
            let tests = self.counts.tests;
            if !was_cached && let Err(reason) = self.budget.check(tests, self.started) {
                self.cache.keep_ahead(pending.digest, &observation);
                return Err(Stopped::Early(reason));
            }
            if !was_cached && self.cache.store().and_then(Store::fresh_after) == Some(tests) {
                self.go_fresh(lead);
            }
            is_believed |= was_cached;
            let observation = self.believe(&pending, observation, is_believed, was_fresh, lead)?;
            consumed += 1;
            self.counts.calls += 1;
            if was_cached {
                self.counts.cache_hits += 1;
            } else {
                self.counts.tests += 1;
                self.cache.consume(pending.digest, &observation);
            }
            if let Some(trace) = &mut self.trace {
                trace(&pending.candidate, &observation, was_cached);
            }
            self.keep_by_catch(&observation, &pending.candidate);
            if is_wanted(self.judge.outcome(&observation)) {
                return Ok(Progress::Answer(pending));
            }
            self.spare_buffers.push(pending.candidate);
        }
        Ok(if consumed > 0 { Progress::Consumed } else { Progress::Nothing })
    }

    /// Proposes and offers as much as there is room for.
    fn fill<M>(
        &mut self,
        lead: &mut Lead<M>,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
    ) -> Result<(), Stopped> {
        let request = Request { frames: self.judge.needs_frames(), fresh: self.always_fresh };
        loop {
            while let Some(pending) = lead.queue.get_mut(lead.offered) {
                if matches!(pending.state, State::Proposed)
                    && !self.offer(pending, request, &mut lead.under_way)?
                {
                    return Ok(());
                }
                lead.offered += 1;
            }
            if lead.is_exhausted || lead.queue.len() >= AHEAD {
                return Ok(());
            }
            // A reducer may take its time over each proposal.
            self.budget.check_time(self.started).map_err(Stopped::Early)?;
            let mut candidate = self.spare_buffers.pop().unwrap_or_default();
            candidate.clear();
            let Some(motion) = next(&mut candidate) else {
                lead.is_exhausted = true;
                return Ok(());
            };
            let digest = Digest::of(&candidate);
            lead.queue.push_back(Pending { motion, candidate, digest, state: State::Proposed });
        }
    }

    /// Finds out how a candidate is known, or hands it to the crew; `false` if that has no room.
    fn offer<M>(
        &mut self,
        pending: &mut Pending<M>,
        request: Request,
        under_way: &mut NumberMap<u128, ()>,
    ) -> Result<bool, Stopped> {
        pending.state = match self.cache.get(pending.digest) {
            Some(Known::Consumed(observation)) => State::Consumed(observation),
            Some(Known::Stored(_)) => State::Stored,
            Some(Known::Ahead(observation)) => State::Ahead(observation),
            None if under_way.contains_key(&pending.digest.0) => State::Twin,
            None => match self.crew.offer(&pending.candidate, request)? {
                Some(ticket) => {
                    under_way.insert(pending.digest.0, ());
                    State::Running(ticket)
                }
                None => return Ok(false),
            },
        };
        Ok(true)
    }

    /// Repeats what is unsteady and confirms what would be accepted, before anyone builds on it.
    fn believe<M>(
        &mut self,
        pending: &Pending<M>,
        observation: Observation,
        is_believed: bool,
        was_fresh: bool,
        lead: &mut Lead<M>,
    ) -> Result<Observation, Stopped> {
        let fails = self.judge.outcome(&observation) == Outcome::Fail;
        if !self.judge.confirms_failures() {
            return Ok(observation);
        }
        if is_believed || (fails && was_fresh) || (!fails && self.repeats == 1) {
            return Ok(observation);
        }
        // A hang is confirmed with a longer limit, and not at each step.
        if fails && self.repeats == 1 && is_timeout(&observation) {
            return Ok(observation);
        }
        self.withdraw(lead);
        let request = Request { frames: self.judge.needs_frames(), fresh: true };
        for _ in 1..self.repeats.max(2) {
            let began = Instant::now();
            let (again, _) = self.run(&pending.candidate, request)?;
            if self.judge.outcome(&again) == Outcome::Fail {
                if !is_timeout(&again) {
                    self.shrink_limits(began.elapsed());
                }
                return Ok(again);
            }
            if self.repeats == 1 {
                // A steady target that fails only after other candidates: its verdicts depend on
                // what ran before.
                self.go_fresh(lead);
                return Ok(again);
            }
        }
        Ok(observation)
    }

    /// Gives each candidate a worker of its own from here on, and forgets what is known.
    fn go_fresh<M>(&mut self, lead: &mut Lead<M>) {
        self.withdraw(lead);
        self.always_fresh = true;
        self.cache.clear(self.counts.tests);
        for pending in &mut lead.queue {
            pending.state = State::Proposed;
        }
    }

    /// Runs one candidate at once and waits for its report.
    fn run(&mut self, candidate: &[u8], request: Request) -> Result<(Observation, bool), Stopped> {
        let ticket = loop {
            match self.crew.offer(candidate, request)? {
                Some(ticket) => break ticket,
                None => self.crew.wait()?,
            }
        };
        loop {
            if let Some(report) = self.crew.report(ticket) {
                return Ok((report.observation, report.was_fresh));
            }
            if self.crew.collect()? == 0 {
                if self.budget.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
                    return Err(Stopped::Early(StopReason::Interrupted));
                }
                self.crew.wait()?;
            }
        }
    }

    /// Takes back what is queued but not yet reported; it is offered again later.
    fn withdraw<M>(&mut self, lead: &mut Lead<M>) {
        self.crew.cancel();
        lead.offered = 0;
        lead.under_way.clear();
        for pending in &mut lead.queue {
            if let State::Running(ticket) = pending.state {
                match self.crew.report(ticket) {
                    Some(report) => {
                        keep_ahead(&mut self.cache, pending.digest, &report.observation);
                    }
                    None => {
                        self.abandoned.insert(ticket, pending.digest);
                    }
                }
                pending.state = State::Proposed;
            }
        }
    }

    /// Drops what was read past the answer, keeping what is already known of it.
    fn abandon<M>(&mut self, lead: &mut Lead<M>) {
        for pending in &lead.queue {
            if let State::Ahead(observation) = &pending.state {
                self.cache.keep_ahead(pending.digest, observation);
            }
        }
        self.withdraw(lead);
        let crew = &mut self.crew;
        let cache = &mut self.cache;
        self.abandoned.retain(|ticket, digest| match crew.report(*ticket) {
            Some(report) => {
                keep_ahead(cache, *digest, &report.observation);
                false
            }
            None => crew.is_under_way(*ticket),
        });
        for pending in lead.queue.drain(..) {
            if self.spare_buffers.len() < AHEAD {
                self.spare_buffers.push(pending.candidate);
            }
        }
    }

    fn keep_by_catch(&mut self, observation: &Observation, candidate: &[u8]) {
        let Observation::Failed(signature) = observation else { return };
        let is_cut_short = signature.kind == Kind::Timeout && self.limits.cpu < self.longest;
        if self.judge.outcome(observation) != Outcome::Fail && !is_cut_short {
            self.net.take(signature, candidate, &*self.judge);
        }
    }
}

/// Keeps what ran ahead of the order, unless nothing can be said of it: it was cancelled.
fn keep_ahead(cache: &mut Cache, digest: Digest, observation: &Observation) {
    if *observation != Observation::Lost {
        cache.keep_ahead(digest, observation);
    }
}

fn is_timeout(observation: &Observation) -> bool {
    observation.signature().is_some_and(|signature| signature.kind == Kind::Timeout)
}
