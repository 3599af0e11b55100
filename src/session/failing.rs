//! A failing input: the target on which it fails, and the failure that a search has to keep.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use seedsmith_engine::counts::StopReason;
use seedsmith_engine::exec::Limits;
use seedsmith_engine::oracle::Stopped;
use seedsmith_engine::oracle::judge::Hunt;
use seedsmith_engine::oracle::repeats::Repeats;

use super::confirm::{Confirmation, confirm};
use super::ended::End;
use super::error::SessionError;
use super::first_runs::Baseline;
use super::stack::Stacks;
use super::target::OpenTarget;

/// What every task needs to know of the failure.
pub struct FailingInput<'t> {
    /// The input's file, or a name for it.
    pub path: PathBuf,
    /// The input.
    pub bytes: Vec<u8>,
    /// What it fails on.
    pub target: &'t OpenTarget,
    /// What one test may use.
    pub limits: Limits,
    /// The failure to keep, and when another failure is the same.
    pub hunt: Hunt,
    /// How steadily it showed.
    pub baseline: Baseline,
    /// How often each candidate is run.
    pub repeats: Repeats,
    /// Names its stacks.
    pub stacks: Stacks,
    /// Set when the run is to end.
    pub interrupt: Arc<AtomicBool>,
}

impl FailingInput<'_> {
    /// Runs `candidate` in new processes, as often as its steadiness asks for.
    pub fn confirm(&self, candidate: &[u8]) -> Result<Confirmation, SessionError> {
        confirm(
            &*self.target.target,
            &self.hunt,
            self.limits,
            (&self.baseline, self.repeats),
            candidate,
        )
        .map_err(|stopped| self.error(stopped))
    }

    /// How a task ended whose search was `stopped`, and whose result is as steady as the input.
    pub fn end(&self, stopped: Option<StopReason>, is_sure: bool) -> End {
        match stopped {
            _ if !is_sure => End::Unsteady,
            Some(reason) => End::Stopped(reason),
            None => End::Complete,
        }
    }

    /// What it means that the oracle stopped where there is nothing to keep.
    pub fn error(&self, stopped: Stopped) -> SessionError {
        stopped_at_once(self.target, stopped)
    }
}

/// What it means that the oracle stopped where there is nothing to keep.
pub(super) fn stopped_at_once(target: &OpenTarget, stopped: Stopped) -> SessionError {
    match stopped {
        Stopped::Early(reason) => SessionError::Stopped(reason),
        Stopped::Target(source) => SessionError::Target { name: target.name.clone(), source },
    }
}
