//! How a session ended, as an exit code; and the options that help where it has no result.

use std::path::Path;

use super::exit::{Exit, Trouble};
use super::interrupt::Interrupt;
use crate::event::StopReason;
use crate::session::End;
use crate::session::error::SessionError;
use crate::session::saved::output::OutputError;

/// The code for a task that has a result.
pub fn exit(end: End, interrupt: &Interrupt) -> Exit {
    match end {
        End::Complete => Exit::Done,
        End::Stopped(reason) => stopped(reason, interrupt),
        End::Unsteady => Exit::Unsteady,
    }
}

fn stopped(reason: StopReason, interrupt: &Interrupt) -> Exit {
    match reason {
        StopReason::Interrupted => interrupt.exit().unwrap_or(Exit::Interrupted),
        StopReason::Time | StopReason::Tests => Exit::BudgetOver,
    }
}

/// What to say where a session for `input` has no result.
pub fn trouble(error: SessionError, input: &Path, interrupt: &Interrupt) -> Trouble {
    match error {
        SessionError::DoesNotFail(_) => Trouble { exit: Exit::DoesNotFail, cause: error.into() },
        SessionError::TooRare { shown, runs } => Trouble::new(
            Exit::Unsteady,
            format!(
                "{} fails too rarely to be sure of anything: in {shown} of {runs} runs; --repeat \
                 N runs each candidate N times all the same",
                input.display()
            ),
        ),
        SessionError::Stopped(_) => stopped_at_once(interrupt),
        SessionError::Write { path, source } => OutputError::Write { path, source }.into(),
        SessionError::Busy(error) => {
            Trouble::new(Exit::Files, format!("{error}; wait for it or name another place with -o"))
        }
        SessionError::DoesNotPass => Trouble { exit: Exit::Usage, cause: error.into() },
        SessionError::Target { .. } | SessionError::NoLeakCheck => {
            Trouble { exit: Exit::Target, cause: error.into() }
        }
    }
}

/// The run ended before there was anything to keep.
pub fn stopped_at_once(interrupt: &Interrupt) -> Trouble {
    let exit = interrupt.exit().unwrap_or(Exit::BudgetOver);
    Trouble::new(exit, "stopped before the search began; nothing was written")
}
