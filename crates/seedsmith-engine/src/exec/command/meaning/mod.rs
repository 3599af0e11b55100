//! The meaning of the end of a command's run: decided by its status, by a crash, or by the user's
//! conditions.
//!
//! For a program of which nothing is known, the first runs of the original input decide
//! ([`Meaning::settle`]), and candidates never change that. [`fails_if`] has the user's conditions,
//! [`report`], [`place`] and [`traceback`] read the output of a program that crashes, and
//! [`complaint`] that of a shell whose child crashes.

mod complaint;
pub(crate) mod decided;
mod fails_if;
mod place;
mod rejected;
mod report;
mod traceback;

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::{Arc, OnceLock};

pub use fails_if::Condition;

use crate::exec::death::{ProcessEnd, SignalRecord, classify};
use crate::exec::os::process::Ended;
use crate::observation::{Observation, Verdict};
use crate::signature::{Kind, Signature};
use decided::{DecidedBy, Undecided};
use rejected::rejected;

/// The meaning of a program's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandMode {
    /// An oracle: exit status 0 says that the failure shows, as C-Reduce, picire and shrinkray
    /// have it.
    ExitZeroFails,
    /// A validator: exit status 0 says that the input is valid, any other that it is not.
    ExitZeroIsValid,
    /// A fuzz target: the failure is read from its end and its output.
    Executable,
    /// Any program: the first runs of the original input show whether it is an oracle, or a program
    /// that crashes ([`Target::settle`](crate::exec::Target::settle)).
    ByFirstRuns,
}

/// The exit status of a command that cannot decide, as for `git bisect run`.
pub const UNRESOLVED_STATUS: i32 = 125;

/// The meaning of a command's end, which all its slots share.
#[derive(Debug)]
pub(super) struct Meaning {
    /// How a run's end is read if the user has given no condition.
    pub mode: CommandMode,
    /// The user's conditions; without any, the mode decides.
    pub fails_if: Vec<Condition>,
    /// The status of a run that says nothing.
    pub unresolved: i32,
    /// The rule that the first runs have decided.
    settled: OnceLock<DecidedBy>,
}

impl Meaning {
    /// With the user's conditions, if there are any, and the status of a run that says nothing.
    pub(super) fn new(mode: CommandMode, fails_if: Vec<Condition>, unresolved: i32) -> Self {
        Meaning { mode, fails_if, unresolved, settled: OnceLock::new() }
    }

    /// The observation of a run whose folder was `folder`, and whose candidate was in `file`.
    ///
    /// The order of the questions is: memory, time, the user's conditions, the status for
    /// unresolved, and then the mode. `ended` has the start and the end of the program's output. No
    /// process is started, and nothing is read but `ended`; except that a relative path in a report
    /// is looked up in `folder`, to see whether it names the candidate.
    pub(super) fn observe(&self, ended: &Ended, folder: &Path, file: &Path) -> Observation {
        if ended.fills_memory {
            return failed(Signature::of_kind(Kind::OutOfMemory));
        }
        let Some(status) = ended.status else {
            return failed(Signature::of_kind(Kind::Timeout));
        };
        if self.mode == CommandMode::Executable {
            return match status.success() {
                true => Observation::Returned(Verdict::Keep),
                false => failed(death_of(status, &ended.stderr)),
            };
        }
        if !self.fails_if.is_empty() {
            let crash = || report::crash(status, ended, folder);
            if let Some(signature) = fails_if::failure(&self.fails_if, ended, crash) {
                return failed(signature);
            }
        }
        if status.code() == Some(self.unresolved) {
            return Observation::Unresolved;
        }
        if !self.fails_if.is_empty() {
            return Observation::Returned(Verdict::Keep);
        }
        match self.mode {
            CommandMode::ExitZeroIsValid => match status.signal() {
                None if status.success() => Observation::Returned(Verdict::Keep),
                None => rejected(&ended.stderr, &ended.stdout, file),
                Some(_) => failed(death_of(status, &ended.stderr)),
            },
            CommandMode::ExitZeroFails => self.by_status(status),
            CommandMode::ByFirstRuns | CommandMode::Executable => match self.settled.get() {
                Some(DecidedBy::Status) => self.by_status(status),
                Some(_) if status.success() => Observation::Returned(Verdict::Keep),
                None if status.success() => self.by_status(status),
                _ => match report::crash(status, ended, folder) {
                    Some(signature) => failed(signature),
                    None => Observation::Returned(Verdict::Keep),
                },
            },
        }
    }

    /// An oracle's word: it fails where the status is 0.
    fn by_status(&self, status: ExitStatus) -> Observation {
        match status.success() {
            true => failed(Signature::of_kind(Kind::Command)),
            false => Observation::Returned(Verdict::Keep),
        }
    }

    /// Decides by the first runs of the original which failure counts, once for all runs.
    ///
    /// A command that was decided stays decided: all slots share the answer. Fails where most runs
    /// showed different things.
    pub(super) fn settle(&self, seen: &[(Observation, u32)]) -> Result<DecidedBy, Undecided> {
        match self.mode {
            CommandMode::Executable | CommandMode::ExitZeroIsValid => {
                return Ok(DecidedBy::Anything);
            }
            _ if !self.fails_if.is_empty() => {
                let hangs = self.fails_if.iter().any(|one| matches!(one, Condition::Timeout));
                return Ok(DecidedBy::Conditions { hangs });
            }
            CommandMode::ExitZeroFails => return Ok(DecidedBy::Status),
            CommandMode::ByFirstRuns => {}
        }
        if let Some(settled) = self.settled.get() {
            return Ok(*settled);
        }
        let decided = DecidedBy::of(seen)?;
        Ok(*self.settled.get_or_init(|| decided))
    }
}

/// The observation of a failure.
fn failed(signature: Signature) -> Observation {
    Observation::Failed(Arc::new(signature))
}

/// The failure of a libFuzzer executable that was run as a whole.
fn death_of(status: ExitStatus, stderr: &[u8]) -> Signature {
    classify(end_of(status), SignalRecord::default(), stderr).0
}

/// How a process ended, as the classification of deaths has it.
fn end_of(status: ExitStatus) -> ProcessEnd {
    match (status.code(), status.signal()) {
        (_, Some(signal)) => ProcessEnd::Signalled(signal),
        (code, None) => ProcessEnd::Exited(code.unwrap_or_default()),
    }
}
