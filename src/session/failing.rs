//! A failing input: the target on which it fails, and the failure that a search has to keep.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use seedsmith_engine::Limits;
use seedsmith_engine::SameFailure;
use seedsmith_engine::StopReason;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Repeats;

use super::confirm::{Confirmation, confirm};
use super::ended::{End, Remark};
use super::error::{SessionError, with_causes};
use super::first_runs::Baseline;
use super::stack::Stacks;
use super::target::OpenTarget;

/// The facts about the failure that every task needs.
pub struct FailingInput<'t> {
    /// The input's file, or a name for it.
    pub path: PathBuf,
    /// The input.
    pub bytes: Vec<u8>,
    /// The target that it fails on.
    pub target: &'t OpenTarget,
    /// The limits of one test.
    pub limits: Limits,
    /// The failure to keep, and when another failure is the same.
    pub judge: SameFailure,
    /// How steadily it showed.
    pub baseline: Baseline,
    /// How often each candidate is run.
    pub repeats: Repeats,
    /// Names its stacks.
    pub stacks: Stacks,
    /// Set when the run is to end.
    pub interrupt: Arc<AtomicBool>,
    /// When the confirmation of a result has to be over, where the session's time is limited.
    pub deadline: Option<Instant>,
}

/// The time for confirming a result when the session's time is over: new processes of most targets
/// take a tenth of it, and the limit has to hold within a second.
pub(super) const CONFIRMATION_TIME: Duration = Duration::from_millis(700);

impl FailingInput<'_> {
    /// Runs `candidate` in new processes, as often as its steadiness asks for.
    pub fn confirm(&self, candidate: &[u8]) -> Result<Confirmation, SessionError> {
        confirm(
            &*self.target.target,
            &self.judge,
            self.limits,
            (&self.baseline, self.repeats),
            candidate,
            &|| self.is_over(),
        )
        .map_err(|stopped| self.error(stopped))
    }

    /// Whether there is no time left to confirm anything.
    pub fn is_over(&self) -> Result<(), StopReason> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(StopReason::Time),
            _ => Ok(()),
        }
    }

    /// The confirmation, or the reason why there is none. The result is kept in both cases.
    pub(super) fn or_unconfirmed(
        &self,
        confirmed: Result<Confirmation, SessionError>,
    ) -> Result<Result<Confirmation, Unconfirmed>, SessionError> {
        match confirmed {
            Ok(confirmed) => Ok(Ok(confirmed)),
            Err(SessionError::Stopped(reason)) => Ok(Err(Unconfirmed { reason, why: None })),
            Err(error @ SessionError::Target { .. }) => {
                let why = Some(with_causes(&error));
                Ok(Err(Unconfirmed { reason: StopReason::Target, why }))
            }
            Err(error) => Err(error),
        }
    }

    /// How a task ended whose search was `stopped`, and whose result is as steady as the input.
    pub fn end(&self, stopped: Option<StopReason>, is_sure: bool) -> End {
        match stopped {
            _ if !is_sure => End::Unsteady,
            Some(reason) => End::Stopped(reason),
            None => End::Complete,
        }
    }

    /// The session's error if the oracle stopped before there was anything to keep.
    pub fn error(&self, stopped: Stopped) -> SessionError {
        stopped_at_once(self.target, stopped)
    }
}

/// Why a result could not be run in new processes.
#[derive(Debug)]
pub(super) struct Unconfirmed {
    /// Why the task ends here.
    pub reason: StopReason,
    /// The target's error, if that is the reason.
    pub why: Option<String>,
}

impl Unconfirmed {
    /// The remark on the result.
    pub(super) fn remark(&self) -> Remark {
        Remark::NotConfirmed(self.why.clone())
    }
}

/// The session's error if the oracle stopped before there was anything to keep.
pub(super) fn stopped_at_once(target: &OpenTarget, stopped: Stopped) -> SessionError {
    match stopped {
        Stopped::Early(reason) => SessionError::Stopped(reason),
        Stopped::Target(source) => SessionError::Target { name: target.name.clone(), source },
    }
}
