//! One task on one target: the input is repeated, its failure is fixed as the baseline, a search
//! runs, and its result is confirmed and saved.
//!
//! An [`OpenSession`] carries the guarantees of the tour in the crate's documentation, so that a program
//! with its own interface has them too:
//!
//! 1. [`OpenSession::open`] runs the input several times before anything else. The failure that shows
//!    most often is the baseline; an input that does not fail, or fails too rarely, is an error.
//! 2. Every input that a search accepts has failed in a fresh worker, and the result is run in new
//!    processes at the end. If it does not fail there, the last best that does is taken.
//! 3. The best is on disk, written aside and renamed, before it is reported.
//! 4. A run that was stopped or killed can be continued without repeating a test.
//! 5. Other failures are kept with an input that shows them, and are never followed.
//!
//! The session knows no arguments, prints nothing and ends no process: it reports everything as an
//! [`Event`], and the way in which a task ended as an [`End`].
//!
//! Other programs use it through [`crate::Session`], whose options are built by methods.

pub(crate) mod cleanse;
pub(crate) mod confirm;
pub(crate) mod corpora;
pub(crate) mod ended;
pub(crate) mod error;
pub(crate) mod failing;
pub(crate) mod first_runs;
pub(crate) mod folder;
pub(crate) mod generalize;
mod hang;
pub(crate) mod isolate;
pub(crate) mod kit;
pub(crate) mod language;
pub(crate) mod minimize;
pub(crate) mod repair;
pub(crate) mod results;
pub(crate) mod sanitized;
pub(crate) mod saved;
mod searched;
pub(crate) mod sort;
pub(crate) mod stack;
pub(crate) mod target;
#[cfg(test)]
mod tests;
pub(crate) mod two_builds;

use std::path::Path;

use seedsmith_engine::Limits;
use seedsmith_engine::OtherFailure;
use seedsmith_engine::Repeat;
use seedsmith_engine::SameFailure;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::DecidedBy;
use seedsmith_engine::internal::NoFailureYet;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::{Counts, StopReason};
use seedsmith_engine::{Kind, Signature};

use crate::event::{Event, NoteKind, Reporter};
use crate::search::DEPENDS_ON_BEFORE;
pub(crate) use ended::End;
use error::SessionError;
use failing::{CONFIRMATION_TIME, FailingInput, stopped_at_once};
use first_runs::{MIN_TIME_LIMIT, first_runs};
use stack::Stacks;
use target::OpenTarget;

/// The options of all tasks of a session.
#[derive(Clone, Debug)]
pub struct Options {
    /// When two failures are the same.
    pub sameness: Sameness,
    /// The limits of one test.
    pub limits: Limits,
    /// Whether candidates get less time than that where the input itself is quick.
    pub fits_time: bool,
    /// How often a candidate is run.
    pub repeat: Repeat,
    /// Workers at most; it changes nothing but the speed.
    pub jobs: usize,
    /// The budget of all tasks together. Its flag ends the session.
    pub budget: Budget,
    /// Whether a command whose exit status does not depend on the input will do.
    pub allows_trivial: bool,
}

impl Default for Options {
    /// One worker, no budget, and the engine's own limits, which follow the input's time.
    fn default() -> Self {
        Options {
            sameness: Sameness::default(),
            limits: Limits::default(),
            fits_time: true,
            repeat: Repeat::Auto,
            jobs: 1,
            budget: Budget::default(),
            allows_trivial: false,
        }
    }
}

/// A failing input on an open target, ready for tasks.
pub struct OpenSession<'t> {
    oracle: Oracle<'t>,
    failing: FailingInput<'t>,
}

impl<'t> OpenSession<'t> {
    /// Runs `input` five times, or thirty times where these do not agree, and fixes the baseline.
    ///
    /// `path` is the input's file, or a name for it; it is not read. The reporter gets notes for
    /// the user: that the failure is unsteady, or depends on earlier runs.
    ///
    /// # Errors
    ///
    /// The input does not fail, fails too rarely, or the target cannot be run.
    pub fn open(
        target: &'t OpenTarget,
        path: &Path,
        input: &[u8],
        options: &Options,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, SessionError> {
        if let Some(note) = &target.note {
            reporter.report(&Event::Note(NoteKind::Target, note));
        }
        let mut oracle =
            Oracle::new(&*target.target, NoFailureYet, options.jobs, options.budget.clone())
                .map_err(|source| SessionError::Target { name: target.name.clone(), source })?;
        oracle.set_limits(options.limits);
        let first = first_runs(&mut oracle, input, &options.sameness, options.repeat)
            .map_err(|stopped| stopped_at_once(target, stopped))?;
        if first.decided.is_err() {
            return Err(SessionError::Mixed(Box::new(first)));
        }
        let Some(baseline) = first.baseline(&options.sameness) else {
            return Err(SessionError::DoesNotFail(Box::new(first)));
        };
        if baseline.signature.kind == Kind::NoLeakCheck {
            return Err(SessionError::NoLeakCheck);
        }
        let signature = Signature::clone(&baseline.signature);
        let judge = SameFailure { signature, sameness: options.sameness.clone() };
        oracle.set_judge(judge.clone());
        // A linked or injected target never exits with a verdict.
        if baseline.signature.kind == Kind::Command && first.decided != Ok(DecidedBy::Anything) {
            first_runs::commands::check_status(
                target,
                &mut oracle,
                options.allows_trivial,
                reporter,
            )?;
        }
        if first.decided == Ok(DecidedBy::Crash) {
            first_runs::commands::say_what_counts(&judge, reporter);
        }
        let Some(repeats) = baseline.repeats(options.repeat) else {
            return Err(SessionError::TooRare { shown: baseline.shown, runs: baseline.runs });
        };
        oracle.set_repeats(repeats);
        if repeats.is_steady()
            && !baseline.uses_up()
            && !target.target.is_slow()
            && oracle.try_after_others(input).map_err(|stopped| stopped_at_once(target, stopped))?
        {
            reporter.report(&Event::Note(NoteKind::Processes, DEPENDS_ON_BEFORE));
        }
        if options.fits_time && !baseline.is_hang() {
            oracle.set_limits(first.limits(options.limits));
            oracle.let_limits_shrink(MIN_TIME_LIMIT);
        }
        if !baseline.is_steady() {
            reporter.report(&Event::Note(
                NoteKind::FirstRuns,
                &format!(
                    "the failure is unsteady: it showed in {} of {} runs; each candidate is run {} \
                 times before it is refused, and up to {} before it is taken",
                    baseline.shown, baseline.runs, repeats.until_gone, repeats.within
                ),
            ));
        }
        let failing = FailingInput {
            path: path.to_owned(),
            bytes: input.to_vec(),
            stacks: Stacks::begin(target.code().as_deref(), &baseline.signature),
            target,
            limits: options.limits,
            judge,
            baseline,
            repeats,
            interrupt: options.budget.interrupt.clone(),
            deadline: options.budget.max_time.and_then(|limit| {
                oracle.started().checked_add(limit.saturating_add(CONFIRMATION_TIME))
            }),
        };
        oracle.keep_results();
        Ok(OpenSession { oracle, failing })
    }

    /// The error of a task that ended without a result, with the reason why the target could not be
    /// run, if that is it.
    fn explained(&mut self, error: SessionError) -> SessionError {
        match (error, self.oracle.take_trouble()) {
            (SessionError::Stopped(StopReason::Target), Some(source)) => {
                SessionError::Target { name: self.failing.target.name.clone(), source }
            }
            (error, _) => error,
        }
    }

    /// The input and its failure.
    pub fn failing(&self) -> &FailingInput<'t> {
        &self.failing
    }

    /// The input and its failure; this ends the session.
    fn into_failing(self) -> FailingInput<'t> {
        self.failing
    }

    /// Whether `candidate` shows the session's failure. Costs the runs that a failure takes to be
    /// accepted.
    fn shows(&mut self, candidate: &[u8]) -> Result<bool, SessionError> {
        self.oracle.shows(candidate).map_err(|stopped| self.failing.error(stopped))
    }

    /// Other failures that were met until now, with the simplest input that showed each.
    pub fn other_failures(&self) -> &[OtherFailure] {
        self.oracle.other_failures()
    }

    /// Counts of all tests until now.
    pub fn counts(&self) -> Counts {
        self.oracle.counts()
    }

    /// Whether tests are so expensive that their number decides the run time: each starts a
    /// process, or is run several times.
    pub fn are_tests_expensive(&self) -> bool {
        self.failing.target.target.is_slow() || !self.failing.repeats.is_steady()
    }
}
