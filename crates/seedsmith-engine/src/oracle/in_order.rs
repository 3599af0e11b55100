//! Reads a stream of candidates ahead, and consumes their observations in candidate order.
//!
//! Observations of candidates after the answer are kept in the cache, marked as such; a candidate
//! that is taken back is offered again. Nothing here decides which observations need a
//! confirmation.

use crate::exec::{Request, TargetError};
use crate::observation::Observation;
use crate::oracle::cache::{Cache, Known};
use crate::oracle::read_ahead::{CandidateState, Pending, Progress, ReadAhead};
use crate::oracle::store::Store;
use crate::oracle::{MAX_CONSUMED_AT_ONCE, MAX_READ_AHEAD, Oracle, Stopped};
use crate::outcome::Outcome;
use crate::signature::Kind;
use seedsmith_grammar::Digest;
use seedsmith_grammar::internal::NumberMap;

impl Oracle<'_> {
    /// The first candidate of a stream whose outcome is wanted.
    ///
    /// `is_wanted` is called with the outcome and the observation of each candidate up to the
    /// answer, in candidate order.
    pub(super) fn first_wanted<M>(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
        is_wanted: &mut dyn FnMut(Outcome, &Observation) -> bool,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        let answer = self.find_first_wanted(next, is_wanted);
        self.or_end_of_search(answer)
    }

    /// The loop: propose and offer, consume the ready reports, wait. Ends with the answer, the end of
    /// the stream, or a limit.
    fn find_first_wanted<M>(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
        is_wanted: &mut dyn FnMut(Outcome, &Observation) -> bool,
    ) -> Result<Option<(M, Vec<u8>)>, Stopped> {
        let mut ahead = ReadAhead::default();
        let answer = loop {
            // Also where the cache answers everything, and no test is ever counted.
            if let Err(reason) = self.budget.check_time(self.started) {
                self.drop_rest(&mut ahead);
                return Err(Stopped::Early(reason));
            }
            if let Err(stopped) = self.fill(&mut ahead, next) {
                self.drop_rest(&mut ahead);
                return Err(stopped);
            }
            match self.consume_ready(&mut ahead, is_wanted) {
                Ok(Progress::Answer(pending)) => break Some((pending.tag, pending.candidate)),
                Ok(Progress::Consumed) => {}
                Ok(Progress::Nothing) if ahead.queue.is_empty() => break None,
                Ok(Progress::Nothing) => {
                    if let Err(reason) = self.budget.check(self.counts.tests, self.started) {
                        self.drop_rest(&mut ahead);
                        return Err(Stopped::Early(reason));
                    }
                    if let Err(error) = self.collect() {
                        self.drop_rest(&mut ahead);
                        return Err(error.into());
                    }
                }
                Err(stopped) => {
                    self.drop_rest(&mut ahead);
                    return Err(stopped);
                }
            }
        };
        self.drop_rest(&mut ahead);
        Ok(answer)
    }

    /// Takes the reports that are there, or waits a moment for one.
    fn collect(&mut self) -> Result<(), TargetError> {
        if self.crew.collect()? == 0 {
            self.crew.wait()?;
        }
        Ok(())
    }

    /// Consumes the reports that are ready at the front, but not all at once, so that the workers do not run out of
    /// candidates meanwhile.
    ///
    /// At most [`MAX_CONSUMED_AT_ONCE`] of them. A candidate that another one with the same bytes
    /// comes before is answered by that one's observation, and counts as a cache hit.
    fn consume_ready<M>(
        &mut self,
        ahead: &mut ReadAhead<M>,
        is_wanted: &mut dyn FnMut(Outcome, &Observation) -> bool,
    ) -> Result<Progress<M>, Stopped> {
        let mut consumed = 0;
        while consumed < MAX_CONSUMED_AT_ONCE {
            let Some(front) = ahead.queue.front_mut() else { break };
            let mut is_confirmed = false;
            let (observation, was_cached, was_fresh) = match &front.state {
                CandidateState::Running(ticket) => match self.crew.report(*ticket) {
                    Some(report) => {
                        ahead.under_way.remove(&front.digest.0);
                        (report.observation, false, report.was_fresh)
                    }
                    None => break,
                },
                CandidateState::Consumed(observation) => (observation.clone(), true, false),
                // A candidate with the same bytes may come before this one and have been consumed since.
                CandidateState::Ahead(observation) => match self.cache.get(front.digest) {
                    Some(Known::Consumed(observation)) => (observation, true, false),
                    _ => (observation.clone(), false, false),
                },
                CandidateState::Duplicate | CandidateState::Stored => {
                    match self.cache.get(front.digest) {
                        Some(Known::Consumed(observation)) => (observation, true, false),
                        Some(Known::Stored(observation)) => {
                            is_confirmed = true;
                            (observation, false, false)
                        }
                        _ => {
                            // The observation of the candidate with the same bytes is no longer
                            // known: run this one after all.
                            front.state = CandidateState::Proposed;
                            ahead.offered = 0;
                            break;
                        }
                    }
                }
                CandidateState::Proposed => break,
            };
            let pending = ahead.pop();
            let tests = self.counts.tests;
            if !was_cached && let Err(reason) = self.budget.check(tests, self.started) {
                self.cache.keep_ahead(pending.digest, &observation);
                return Err(Stopped::Early(reason));
            }
            if !was_cached && self.cache.store().and_then(Store::fresh_after) == Some(tests) {
                self.go_fresh(ahead);
            }
            is_confirmed |= was_cached;
            let observation =
                self.confirm(&pending, observation, is_confirmed, was_fresh, ahead)?;
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
            self.keep_other_failures(&observation, &pending.candidate);
            if is_wanted(self.judge.outcome(&observation), &observation) {
                return Ok(Progress::Answer(pending));
            }
            self.spare_buffers.push(pending.candidate);
        }
        Ok(if consumed > 0 { Progress::Consumed } else { Progress::Nothing })
    }

    /// Proposes and offers as much as there is room for.
    ///
    /// Up to [`MAX_READ_AHEAD`] candidates. Candidates whose observation is known take no room in
    /// the crew.
    fn fill<M>(
        &mut self,
        ahead: &mut ReadAhead<M>,
        next: &mut dyn FnMut(&mut Vec<u8>) -> Option<M>,
    ) -> Result<(), Stopped> {
        let request = Request {
            frames: self.judge.needs_frames(),
            fresh: self.always_fresh,
            once: false,
            varied: false,
            expected: None,
        };
        loop {
            while let Some(pending) = ahead.queue.get_mut(ahead.offered) {
                if matches!(pending.state, CandidateState::Proposed)
                    && !self.offer(pending, request, &mut ahead.under_way)?
                {
                    return Ok(());
                }
                ahead.offered += 1;
            }
            if ahead.is_exhausted || ahead.queue.len() >= MAX_READ_AHEAD {
                return Ok(());
            }
            // A reducer may take its time over each proposal.
            self.budget.check_time(self.started).map_err(Stopped::Early)?;
            let mut candidate = self.spare_buffers.pop().unwrap_or_default();
            candidate.clear();
            let Some(tag) = next(&mut candidate) else {
                ahead.is_exhausted = true;
                return Ok(());
            };
            let digest = Digest::of(&candidate);
            ahead.queue.push_back(Pending {
                tag,
                candidate,
                digest,
                state: CandidateState::Proposed,
            });
        }
    }

    /// Finds out how a candidate is known, or hands it to the crew; `false` if that has no room.
    ///
    /// Costs a look-up in the cache, and for a stored observation one in the store.
    fn offer<M>(
        &mut self,
        pending: &mut Pending<M>,
        request: Request,
        under_way: &mut NumberMap<u128, ()>,
    ) -> Result<bool, Stopped> {
        pending.state = match self.cache.get(pending.digest) {
            Some(Known::Consumed(observation)) => CandidateState::Consumed(observation),
            Some(Known::Stored(_)) => CandidateState::Stored,
            Some(Known::Ahead(observation)) => CandidateState::Ahead(observation),
            None if under_way.contains_key(&pending.digest.0) => CandidateState::Duplicate,
            None => match self.crew.offer(&pending.candidate, request)? {
                Some(ticket) => {
                    under_way.insert(pending.digest.0, ());
                    CandidateState::Running(ticket)
                }
                None => return Ok(false),
            },
        };
        Ok(true)
    }

    /// Takes back queued candidates without a report; they are offered again later.
    ///
    /// Reports of candidates that are being run still come; their observations are kept as having
    /// run ahead.
    pub(super) fn withdraw<M>(&mut self, ahead: &mut ReadAhead<M>) {
        self.crew.cancel();
        ahead.offered = 0;
        ahead.under_way.clear();
        for pending in &mut ahead.queue {
            if let CandidateState::Running(ticket) = pending.state {
                match self.crew.report(ticket) {
                    Some(report) => {
                        keep_ahead(&mut self.cache, pending.digest, &report.observation);
                    }
                    None => {
                        self.cancelled.insert(ticket, pending.digest);
                    }
                }
                pending.state = CandidateState::Proposed;
            }
        }
    }

    /// Drops the candidates that were read past the answer; their observations are kept.
    fn drop_rest<M>(&mut self, ahead: &mut ReadAhead<M>) {
        for pending in &ahead.queue {
            if let CandidateState::Ahead(observation) = &pending.state {
                self.cache.keep_ahead(pending.digest, observation);
            }
        }
        self.withdraw(ahead);
        let crew = &mut self.crew;
        let cache = &mut self.cache;
        self.cancelled.retain(|ticket, digest| match crew.report(*ticket) {
            Some(report) => {
                keep_ahead(cache, *digest, &report.observation);
                false
            }
            None => crew.is_under_way(*ticket),
        });
        for pending in ahead.queue.drain(..) {
            if self.spare_buffers.len() < MAX_READ_AHEAD {
                self.spare_buffers.push(pending.candidate);
            }
        }
    }

    /// Keeps a failure that is not the one that is looked for; but not a timeout under a limit that
    /// was lowered for speed, which says nothing.
    fn keep_other_failures(&mut self, observation: &Observation, candidate: &[u8]) {
        let Observation::Failed(signature) = observation else { return };
        let is_cut_short = signature.kind == Kind::Timeout && self.limits.cpu < self.longest;
        if self.judge.outcome(observation) != Outcome::Fail && !is_cut_short {
            self.other_failures.take(signature, candidate, &*self.judge);
        }
    }
}

/// Keeps an observation that ran ahead of the order, unless it is lost because the candidate was
/// cancelled.
fn keep_ahead(cache: &mut Cache, digest: Digest, observation: &Observation) {
    if *observation != Observation::Lost {
        cache.keep_ahead(digest, observation);
    }
}
