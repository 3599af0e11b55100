//! Repeating and confirming: a candidate of an unsteady failure runs as often as its outcome takes, and
//! a failure that would be accepted is seen once more in a fresh worker.

use std::time::Instant;

use crate::exec::Request;
use crate::observation::Observation;
use crate::oracle::read_ahead::{CandidateState, Pending, ReadAhead};
use crate::oracle::repeats::Repeats;
use crate::oracle::{Oracle, Stopped};
use crate::outcome::Outcome;
use crate::signature::Kind;

impl Oracle<'_> {
    /// Repeats the run of an unsteady failure and confirms a failure, before the search builds on it.
    ///
    /// Costs no run where every run shows the failure and the observation came from a fresh worker;
    /// one run where a used worker showed it; and as many as [`Repeats`] says for an unsteady
    /// failure. The queued candidates are taken back first, so that the run does not wait for them.
    pub(super) fn confirm<M>(
        &mut self,
        pending: &Pending<M>,
        observation: Observation,
        is_confirmed: bool,
        was_fresh: bool,
        ahead: &mut ReadAhead<M>,
    ) -> Result<Observation, Stopped> {
        if !self.judge.confirms_failures() {
            return Ok(observation);
        }
        let fails = self.judge.outcome(&observation) == Outcome::Fail;
        if is_confirmed || (self.repeats.is_steady() && (was_fresh || !fails)) {
            return Ok(observation);
        }
        // A hang is confirmed with a longer limit, and not at each step.
        if fails && self.repeats.is_steady() && is_timeout(&observation) {
            return Ok(observation);
        }
        self.withdraw(ahead);
        if !self.repeats.is_steady() {
            let seen = if fails && !was_fresh { Vec::new() } else { vec![observation] };
            return self.repeat_until_decided(&pending.candidate, seen);
        }
        let request = Request {
            frames: self.judge.needs_frames(),
            fresh: true,
            once: false,
            varied: false,
            expected: None,
        };
        let began = Instant::now();
        let (again, _) = self.run(&pending.candidate, request)?;
        if self.judge.outcome(&again) == Outcome::Fail {
            if !is_timeout(&again) {
                self.shrink_limits(began.elapsed());
            }
        } else {
            // It fails only after other candidates: verdicts depend on earlier runs.
            self.go_fresh(ahead);
        }
        Ok(again)
    }

    /// From now on each candidate gets a fresh worker; the cached observations are dropped.
    pub(super) fn go_fresh<M>(&mut self, ahead: &mut ReadAhead<M>) {
        self.withdraw(ahead);
        self.always_fresh = true;
        self.cache.clear(self.counts.tests);
        for pending in &mut ahead.queue {
            pending.state = CandidateState::Proposed;
        }
    }

    /// Runs a candidate as often as its outcome takes, given the observations `seen` already: the failure
    /// if it shows often enough, else another observation.
    ///
    /// Runs are made side by side, never more than could still be needed.
    pub(super) fn repeat_until_decided(
        &mut self,
        candidate: &[u8],
        mut seen: Vec<Observation>,
    ) -> Result<Observation, Stopped> {
        let Repeats { until_gone, shows, within } = self.repeats;
        let request = Request {
            frames: self.judge.needs_frames(),
            fresh: true,
            once: false,
            varied: false,
            expected: None,
        };
        loop {
            let fails = |one: &&Observation| self.judge.outcome(one) == Outcome::Fail;
            let shown = seen.iter().filter(fails).count() as u32;
            let runs = seen.len() as u32;
            if shown >= shows {
                let failure = seen.iter().find(fails).cloned();
                return Ok(failure.unwrap_or(Observation::Lost));
            }
            let most = if shown == 0 { until_gone } else { within };
            if runs >= most {
                let other = seen.iter().find(|one| !fails(one)).cloned();
                return Ok(other.unwrap_or(Observation::Lost));
            }
            self.run_often(candidate, request, most - runs, &mut seen)?;
        }
    }

    /// Runs one candidate at once and waits for its report.
    pub(super) fn run(
        &mut self,
        candidate: &[u8],
        request: Request,
    ) -> Result<(Observation, bool), Stopped> {
        let answer = self.run_once(candidate, request);
        self.or_end_of_search(answer)
    }

    /// Waits for room in the crew, and then for the report.
    fn run_once(
        &mut self,
        candidate: &[u8],
        request: Request,
    ) -> Result<(Observation, bool), Stopped> {
        let ticket = loop {
            self.budget.check_time(self.started).map_err(Stopped::Early)?;
            match self.crew.offer(candidate, request)? {
                Some(ticket) => break ticket,
                None => self.crew.wait()?,
            }
        };
        self.await_report(ticket)
    }

    /// Runs one candidate some times, side by side as far as there are slots.
    pub(super) fn run_often(
        &mut self,
        candidate: &[u8],
        request: Request,
        times: u32,
        seen: &mut Vec<Observation>,
    ) -> Result<(), Stopped> {
        let answer = self.run_side_by_side(candidate, request, times, seen);
        self.or_end_of_search(answer)
    }

    /// At least one run, and at most `times`: as many as the crew has room for.
    fn run_side_by_side(
        &mut self,
        candidate: &[u8],
        request: Request,
        times: u32,
        seen: &mut Vec<Observation>,
    ) -> Result<(), Stopped> {
        self.budget.check_time(self.started).map_err(Stopped::Early)?;
        let mut tickets = Vec::new();
        for _ in 0..times {
            match self.crew.offer(candidate, request)? {
                Some(ticket) => tickets.push(ticket),
                None if tickets.is_empty() => self.crew.wait()?,
                None => break,
            }
        }
        for ticket in tickets {
            seen.push(self.await_report(ticket)?.0);
        }
        Ok(())
    }

    /// The observation of a ticket, and whether its worker had run nothing else. Other reports that
    /// come meanwhile stay with the crew.
    fn await_report(&mut self, ticket: u64) -> Result<(Observation, bool), Stopped> {
        loop {
            if let Some(report) = self.crew.report(ticket) {
                return Ok((report.observation, report.was_fresh));
            }
            if self.crew.collect()? == 0 {
                if let Err(reason) = self.budget.check_time(self.started) {
                    // Whatever still runs is ended: no one takes its report.
                    self.crew.dismiss();
                    return Err(Stopped::Early(reason));
                }
                self.crew.wait()?;
            }
        }
    }
}

/// Whether an observation is that of a run that did not end in time.
fn is_timeout(observation: &Observation) -> bool {
    observation.signature().is_some_and(|signature| signature.kind == Kind::Timeout)
}
