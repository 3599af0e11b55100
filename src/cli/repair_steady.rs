//! Whether a validator says the same each time: a repair by one that tosses coins is worth nothing.
//!
//! The first input is tested several times before anything else, and what is called valid in the end is
//! tested again, first in a worker that has run nothing else.

use std::path::Path;
use std::time::{Duration, Instant};

use super::exit::{Exit, OrExit, Trouble};
use super::repair_one::Done;
use crate::session::repair::RepairStatus;
use seedsmith_engine::exec::Request;
use seedsmith_engine::observation::{Observation, Verdict};
use seedsmith_engine::oracle::budget::Budget;
use seedsmith_engine::oracle::{Oracle, Stopped};

/// Runs of the first input, and the same where each costs a process.
const AT_FIRST: u32 = 10;
const AT_FIRST_SLOWLY: u32 = 4;
/// Runs of what is called valid, besides those of the search.
const IN_THE_END: u32 = 4;
const IN_THE_END_SLOWLY: u32 = 2;
/// An input that takes long is not tested for longer than that.
const LONG: Duration = Duration::from_secs(1);

/// Fails if the validator says both valid and invalid of one input.
pub fn check_steady(
    oracle: &mut Oracle<'_>,
    is_slow: bool,
    name: &str,
    path: &Path,
    input: &[u8],
) -> Result<(), Trouble> {
    let began = Instant::now();
    let mut first = None;
    for _ in 0..if is_slow { AT_FIRST_SLOWLY } else { AT_FIRST } {
        let seen = oracle
            .observe(input, Request::default())
            .or_exit(Exit::Target, || format!("failed to run {name}"))?;
        // Who crashes or hangs has said nothing.
        let Observation::Returned(verdict) = seen else { return Ok(()) };
        if *first.get_or_insert(verdict) != verdict {
            return Err(unsteady(name, path));
        }
        if began.elapsed() > LONG {
            break;
        }
    }
    Ok(())
}

/// What to say of a validator that has said both of the input at `path`.
pub fn unsteady(name: &str, path: &Path) -> Trouble {
    let why = format!(
        "{name} says both valid and invalid of {}: what is valid may depend on nothing but the input, \
         not on chance, time or what ran before",
        path.display()
    );
    Trouble::new(Exit::Unsteady, why)
}

/// Repairs that wait for their confirmation, at most, and how long the first of them does.
const TOGETHER: usize = 16;
const SOON: Duration = Duration::from_millis(200);

/// Repairs that are not confirmed yet, with the numbers of their inputs.
///
/// Several share a fresh worker, which runs nothing but what was found valid: a worker each would cost
/// more than most repairs.
#[derive(Default)]
pub struct Waiting {
    repairs: Vec<(usize, Done)>,
    since: Option<Instant>,
}

impl Waiting {
    /// Adds a repair.
    pub fn push(&mut self, index: usize, done: Done) {
        self.since.get_or_insert_with(Instant::now);
        self.repairs.push((index, done));
    }

    /// Whether it is time to confirm them.
    pub fn is_due(&self) -> bool {
        let is_late = self.since.is_some_and(|since| since.elapsed() > SOON);
        is_late || self.repairs.len() >= TOGETHER
    }

    /// Confirms all, and hands them out: those that are not valid each time without their text.
    pub fn confirm(
        &mut self,
        oracle: &mut Oracle<'_>,
        is_slow: bool,
    ) -> impl Iterator<Item = (usize, Result<Done, Stopped>)> {
        self.since = None;
        let mut repairs = std::mem::take(&mut self.repairs);
        oracle.begin_anew(Budget::default());
        let (mut is_fresh, mut answers) = (false, Vec::with_capacity(repairs.len()));
        for (index, mut done) in repairs.drain(..) {
            let wants_fresh = done.row.status == RepairStatus::Repaired && !is_fresh;
            let checked = done.check(oracle, is_slow, wants_fresh);
            is_fresh |= wants_fresh;
            answers.push((index, checked.map(|()| done)));
        }
        answers.into_iter()
    }
}

impl Done {
    /// Takes the text away if it is not valid each time.
    fn check(
        &mut self,
        oracle: &mut Oracle<'_>,
        is_slow: bool,
        wants_fresh: bool,
    ) -> Result<(), Stopped> {
        let Some(text) = &self.text else { return Ok(()) };
        let before = oracle.counts().executions;
        // Where others ran before it, those may be why it is not valid.
        let is_valid = is_always_valid(oracle, is_slow, text, wants_fresh)?
            || (!wants_fresh && is_always_valid(oracle, is_slow, text, true)?);
        self.row.executions += oracle.counts().executions - before;
        if !is_valid {
            self.doubt();
        }
        Ok(())
    }
}

/// Whether a text is valid each of several times.
fn is_always_valid(
    oracle: &mut Oracle<'_>,
    is_slow: bool,
    text: &[u8],
    wants_fresh: bool,
) -> Result<bool, Stopped> {
    let began = Instant::now();
    for number in 0..if is_slow { IN_THE_END_SLOWLY } else { IN_THE_END } {
        let fresh = wants_fresh && number == 0;
        let seen = match oracle.observe(text, Request { fresh, frames: false }) {
            Ok(seen) => seen,
            // Interrupted: what was found stands, once tested.
            Err(Stopped::Early(_)) => return Ok(true),
            Err(stopped) => return Err(stopped),
        };
        if seen != Observation::Returned(Verdict::Keep) {
            return Ok(false);
        }
        if began.elapsed() > LONG {
            break;
        }
    }
    Ok(true)
}
