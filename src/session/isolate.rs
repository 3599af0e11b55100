//! The smallest difference between a passing input and the failing one.

use crate::event::{Counts, DifferencePart, Event, NoteKind, Reporter, StackLine, StopReason};
use std::time::Duration;

use seedsmith_engine::Judge;
use seedsmith_engine::Outcome;
use seedsmith_engine::Request;
use seedsmith_engine::Signature;
use seedsmith_engine::internal::Oracle;

use super::OpenSession;
use super::ended::{End, Remark};
use super::error::{SessionError, with_causes};
use super::failing::FailingInput;
use crate::reduce::UnitKind;
use crate::reduce::algorithms::difference::{Delta, Difference, isolate_difference};
use crate::search::Search;

/// How an isolation ended.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// How the task ended.
    pub end: End,
    /// The larger input that still passes.
    pub passing: Vec<u8>,
    /// The smaller input that fails.
    pub failing: Vec<u8>,
    /// The parts that the failing input has and the passing one lacks.
    pub difference: Vec<DifferencePart>,
    /// Counts of the whole session.
    pub counts: Counts,
    /// Time since the session was opened.
    pub elapsed: Duration,
    /// The failure.
    pub signature: Signature,
    /// Its stack, for people.
    pub stack: Vec<StackLine>,
    /// Why the search ended before the difference was minimal, if it did.
    pub stopped: Option<StopReason>,
}

impl OpenSession<'_> {
    /// Searches for a passing and a failing input with the smallest difference, between `passing`
    /// and the input, by the algorithm dd. `format` says of which units they are made.
    ///
    /// # Errors
    ///
    /// `passing` does not pass, or the target cannot be run any more.
    pub fn isolate(
        &mut self,
        passing: &[u8],
        format: UnitKind,
        reporter: &mut dyn Reporter,
    ) -> Result<Isolation, SessionError> {
        self.find_difference(passing, format, reporter).map_err(|error| self.explained(error))
    }

    /// The task itself: both inputs are cut into units, dd finds the smallest difference between
    /// them, and the failing one is confirmed.
    fn find_difference(
        &mut self,
        passing: &[u8],
        format: UnitKind,
        reporter: &mut dyn Reporter,
    ) -> Result<Isolation, SessionError> {
        let (failing, oracle) = (&self.failing, &mut self.oracle);
        let request = Request {
            frames: failing.judge.needs_frames(),
            fresh: true,
            once: false,
            varied: false,
            expected: None,
        };
        let seen = oracle.observe(passing, request).map_err(|stopped| failing.error(stopped))?;
        if failing.judge.outcome(&seen) != Outcome::Pass {
            return Err(SessionError::DoesNotPass);
        }
        let signature = &failing.judge.signature;
        reporter.report(&Event::Started { bytes: failing.bytes.len(), signature });
        let start = failing.bytes.clone();
        let mut found = isolate_units(failing, oracle, reporter, format, passing, start)?;
        let mut counts = oracle.counts();
        let hunted = &failing.baseline.signature;
        if found.stopped == Some(StopReason::Target) && found.failing == failing.bytes {
            return Err(SessionError::Stopped(StopReason::Target));
        }
        let (signature, is_sure) = if found.stopped == Some(StopReason::Interrupted) {
            // After an interrupt nothing more is run; each step was confirmed already.
            (hunted.clone(), true)
        } else {
            match failing.or_unconfirmed(failing.confirm(&found.failing))? {
                Ok(confirmed) => {
                    counts.executions += u64::from(confirmed.runs);
                    let is_sure = confirmed.holds(failing.repeats);
                    (confirmed.signature.unwrap_or(hunted.clone()), is_sure)
                }
                Err(unconfirmed) => {
                    reporter.report(&Event::Note(
                        NoteKind::Confirmation,
                        &unconfirmed.remark().to_string(),
                    ));
                    found.stopped = found.stopped.or(Some(unconfirmed.reason));
                    (hunted.clone(), true)
                }
            }
        };
        if let Some(error) = oracle.trouble() {
            reporter.report(&Event::Note(
                NoteKind::Target,
                &Remark::TargetLost(with_causes(error)).to_string(),
            ));
        }
        Ok(Isolation {
            end: failing.end(found.stopped, is_sure),
            difference: parts(found.deltas),
            passing: found.passing,
            failing: found.failing,
            counts,
            elapsed: oracle.started().elapsed(),
            stack: failing.stacks.of(&signature),
            signature: Signature::clone(&signature),
            stopped: found.stopped,
        })
    }
}

/// Runs dd (Zeller and Hildebrandt 2002) on the units that differ between the two inputs.
fn isolate_units(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    reporter: &mut dyn Reporter,
    format: UnitKind,
    passing: &[u8],
    start: Vec<u8>,
) -> Result<Difference, SessionError> {
    let mut without_bests = |event: &Event<'_>| {
        // The best of an isolation is no result: only the difference is.
        if !matches!(event, Event::Reduced { .. }) {
            reporter.report(event);
        }
    };
    let mut search = Search::new(oracle, start, &mut without_bests);
    isolate_difference(&mut search, passing, format).map_err(|stopped| failing.error(stopped))
}

/// The deltas, with neighbours joined.
fn parts(deltas: Vec<Delta>) -> Vec<DifferencePart> {
    let mut parts: Vec<DifferencePart> = Vec::new();
    for Delta { at, removed, added } in deltas {
        match parts.last_mut() {
            Some(part) if part.offset + part.inserted.len() == at => {
                part.removed.extend(removed);
                part.inserted.extend(added);
            }
            _ => parts.push(DifferencePart { offset: at, removed, inserted: added }),
        }
    }
    parts
}
