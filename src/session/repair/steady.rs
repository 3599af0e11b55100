//! Whether a validator says the same each time: a repair by one that does not is worth nothing.
//!
//! The first input runs several times before anything else. Each text that was found valid runs
//! several times more, first in a worker that has run nothing else.

use std::time::{Duration, Instant};

use super::result::RepairResult;
use super::validator::Validator;
use crate::event::RepairStatus;
use seedsmith_engine::Request;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::{Observation, Verdict};

/// Runs of the first input: a validator that answers differently in one run of four is found with a
/// chance of 94 %.
const FIRST_RUNS: u32 = 10;
/// The same where each run costs a process: fewer, because each may take a second.
const FIRST_RUNS_SLOWLY: u32 = 4;
/// Runs of a text that was found valid, besides those of the search, because a text that is valid only
/// sometimes is no repair.
const CONFIRMING_RUNS: u32 = 4;
/// The same where each run costs a process: fewer, because each may take a second.
const CONFIRMING_RUNS_SLOWLY: u32 = 2;
/// One text is run again only until this time is over, because a slow one would take too long.
const LONGEST_REPEATING: Duration = Duration::from_secs(1);

/// Repairs that are confirmed together, because they share one fresh worker: forks were 12 % of the
/// profile of a folder (docs/notes/2026-11-21-repair.md).
const MAX_CONFIRMED_TOGETHER: usize = 16;
/// How long a repair waits for others to be confirmed with it, so that a slow validator's results appear
/// as they come.
const LONGEST_WAIT: Duration = Duration::from_millis(200);

/// Repairs that are not confirmed yet, with the numbers of their inputs.
///
/// Several share a fresh worker, which runs nothing but texts that were found valid: a worker for
/// each would cost more than most repairs.
#[derive(Default)]
pub(super) struct Waiting {
    repairs: Vec<(usize, RepairResult)>,
    since: Option<Instant>,
}

impl Waiting {
    /// Adds a repair.
    pub(super) fn push(&mut self, index: usize, done: RepairResult) {
        self.since.get_or_insert_with(Instant::now);
        self.repairs.push((index, done));
    }

    /// Whether it is time to confirm them.
    pub(super) fn is_due(&self) -> bool {
        let is_late = self.since.is_some_and(|since| since.elapsed() > LONGEST_WAIT);
        is_late || self.repairs.len() >= MAX_CONFIRMED_TOGETHER
    }

    /// Confirms all and hands them out; one that is not valid each time comes without its text.
    pub(super) fn confirm(
        &mut self,
        validator: &mut Validator<'_>,
    ) -> impl Iterator<Item = (usize, Result<RepairResult, Stopped>)> {
        self.since = None;
        let repairs = std::mem::take(&mut self.repairs);
        let interrupt = validator.oracle.budget().interrupt.clone();
        let max_time = Some(LONGEST_REPEATING * (repairs.len() as u32 + 1));
        validator.oracle.begin_task(Budget { interrupt, max_time, ..Budget::default() });
        let (mut is_fresh, mut answers) = (false, Vec::with_capacity(repairs.len()));
        for (index, mut result) in repairs {
            let wants_fresh = result.row.status == RepairStatus::Repaired && !is_fresh;
            let checked = result.check(validator, wants_fresh);
            is_fresh |= wants_fresh;
            answers.push((index, checked.map(|()| result)));
        }
        answers.into_iter()
    }
}

impl RepairResult {
    /// Takes the text away if it is not valid each time.
    fn check(&mut self, validator: &mut Validator<'_>, wants_fresh: bool) -> Result<(), Stopped> {
        let Some(text) = &self.text else { return Ok(()) };
        let before = validator.oracle.counts().executions;
        // Texts that ran in the same worker before it may be why it is not valid.
        let is_valid = validator.is_always_valid(text, wants_fresh)?
            || (!wants_fresh && validator.is_always_valid(text, true)?);
        self.row.executions += validator.oracle.counts().executions - before;
        if !is_valid {
            self.doubt();
        }
        Ok(())
    }
}

impl Validator<'_> {
    /// What the last of several runs of `input` showed; `None` if they do not say the same. A run that
    /// crashes or hangs says nothing, and ends the check.
    pub(super) fn steady_answer(&mut self, input: &[u8]) -> Result<Option<Observation>, Stopped> {
        let began = Instant::now();
        let mut first = None;
        for number in 1.. {
            let seen = self.oracle.observe(input, Request::default())?;
            let Some(verdict) = seen.verdict() else { return Ok(Some(seen)) };
            if *first.get_or_insert(verdict) != verdict {
                return Ok(None);
            }
            let runs = if self.is_slow { FIRST_RUNS_SLOWLY } else { FIRST_RUNS };
            if number >= runs || began.elapsed() > LONGEST_REPEATING {
                return Ok(Some(seen));
            }
        }
        Ok(None)
    }

    /// Whether `text` is valid each of several times.
    fn is_always_valid(&mut self, text: &[u8], wants_fresh: bool) -> Result<bool, Stopped> {
        let began = Instant::now();
        for number in 0..if self.is_slow { CONFIRMING_RUNS_SLOWLY } else { CONFIRMING_RUNS } {
            let fresh = wants_fresh && number == 0;
            let seen = match self.oracle.observe(
                text,
                Request { fresh, frames: false, once: false, varied: false, expected: None },
            ) {
                Ok(seen) => seen,
                // Interrupted, or slow: it was valid once, which has to do.
                Err(Stopped::Early(_)) => return Ok(true),
                Err(stopped) => return Err(stopped),
            };
            if seen != Observation::Returned(Verdict::Keep) {
                return Ok(false);
            }
            if began.elapsed() > LONGEST_REPEATING {
                break;
            }
        }
        Ok(true)
    }
}
