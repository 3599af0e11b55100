//! How a session ended, as an exit code; and the options that help where it has no result.

use std::path::Path;

use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::{Interrupt, STOPPED_EARLY};
use crate::event::StopReason;
use crate::session::End;
use crate::session::error::SessionError;
use crate::session::repair::RepairError;
use crate::session::saved::output::OutputError;

/// The code for a task that has a result.
///
/// The end of a task alone decides the code, so that a library user and the command line agree on
/// the outcome.
pub(super) fn exit(end: End, interrupt: &Interrupt) -> Exit {
    match end {
        End::Complete => Exit::Done,
        End::Stopped(reason) => stopped(reason, interrupt),
        End::Unsteady => Exit::Unsteady,
    }
}

/// The code for a search that was stopped. A target that broke down counts as a budget that ended:
/// the best is written in both cases.
fn stopped(reason: StopReason, interrupt: &Interrupt) -> Exit {
    match reason {
        StopReason::Interrupted => interrupt.exit().unwrap_or(Exit::Interrupted),
        StopReason::Time | StopReason::Tests | StopReason::Target => Exit::BudgetOver,
    }
}

/// The message if a session for `input` has no result.
///
/// The library names no options, so the one that helps is added here. Where the best could not be
/// written to its place, the message names the file that has it, or shows its bytes.
pub(super) fn trouble(error: SessionError, input: &Path, interrupt: &Interrupt) -> Trouble {
    match error {
        SessionError::DoesNotFail(_) => Trouble::by(Exit::DoesNotFail, error),
        SessionError::Mixed(first) => Trouble::new(
            Exit::Unsteady,
            format!(
                "{} does not always show the same: run {} times, it {}; say with --fails-if which of \
                 these is the failure",
                input.display(),
                first.runs,
                first.what_happened()
            ),
        ),
        SessionError::Trivial { .. } => Trouble::new(
            Exit::DoesNotFail,
            format!("{error}; with --allow-trivial it is minimized all the same"),
        ),
        SessionError::TooRare { shown, runs } => Trouble::new(
            Exit::Unsteady,
            format!(
                "{} fails too rarely to be sure of anything: in {shown} of {runs} runs; --repeat \
                 N runs each candidate N times all the same",
                input.display()
            ),
        ),
        SessionError::Stopped(_) => stopped_at_once(interrupt),
        SessionError::Write { path, source, rescued, best } => match rescued {
            None => OutputError::Unwritten { path, reason: source, bytes: best }.into(),
            Some(rescued) if rescued == path => {
                let path = path.display();
                let why = format!("failed to write {path}: {source}; the best until then is there");
                Trouble::new(Exit::Files, why)
            }
            Some(rescued) => OutputError::Rescued { path, reason: source, rescued }.into(),
        },
        SessionError::Aside { .. } => Trouble::by(Exit::Files, error),
        SessionError::OtherTask { .. } => {
            let ways = "--fresh starts again from INPUT and keeps that result in .seedsmith, --force \
                        overwrites it, -o names another place";
            Trouble::new(Exit::Files, format!("{error}; {ways}"))
        }
        SessionError::Changed { .. } => {
            let ways = "--fresh starts again from INPUT and keeps that file in .seedsmith, --force overwrites it";
            Trouble::new(Exit::Files, format!("{error}; {ways}"))
        }
        SessionError::Busy(error) => {
            Trouble::new(Exit::Files, format!("{error}; wait for it or name another place with -o"))
        }
        SessionError::Open(error) => error.into(),
        SessionError::Output(error) => error.into(),
        SessionError::Reducer(_) | SessionError::Language(_) | SessionError::DoesNotPass => {
            Trouble::by(Exit::Usage, error)
        }
        SessionError::Target { .. } | SessionError::NoLeakCheck => Trouble::by(Exit::Target, error),
    }
}

/// The run ended before there was anything to keep.
///
/// The code says whether a signal or a limit ended it.
pub(super) fn stopped_at_once(interrupt: &Interrupt) -> Trouble {
    let exit = interrupt.exit().unwrap_or(Exit::BudgetOver);
    Trouble::new(exit, STOPPED_EARLY)
}

/// The message if a run of repairs from `base` has no result, or no reliable one.
pub(super) fn repair_trouble(error: RepairError, base: Option<&Path>, is_command: bool) -> Trouble {
    match error {
        // The source names the validator already.
        RepairError::Open { source, .. } => {
            Trouble { exit: Exit::Target, cause: anyhow::Error::from_boxed(source) }
        }
        RepairError::Unsteady { .. } => Trouble::new(Exit::Unsteady, error),
        RepairError::AcceptsAnything { .. } if is_command => Trouble::new(
            Exit::Target,
            format!("{error}: its exit status has to be 0 for valid inputs only"),
        ),
        RepairError::AlwaysHangs { .. } => Trouble::new(
            Exit::Target,
            format!("{error}: does it wait for something? --timeout gives it more time"),
        ),
        RepairError::AcceptsNothing { .. } => Trouble::new(
            Exit::Target,
            if is_command {
                format!(
                    "{error} ({{}} is replaced by the file's path; without {{}} the path comes last)"
                )
            } else {
                error.to_string()
            },
        ),
        RepairError::AcceptsAnything { .. } => Trouble::new(
            Exit::Target,
            format!(
                "{error}: let it return Corpus::Reject (-1) for what its parser refuses, name a \
                 validator with --validator COMMAND or -- COMMAND {{}}, or a function that \
                 runs after the parser with --valid-if reaches=FUNCTION"
            ),
        ),
        RepairError::InvalidBase => {
            let path = base.unwrap_or(Path::new("base")).display();
            let why = format!("{path} is not valid, so nothing can be repaired from it");
            Trouble::new(Exit::Usage, why)
        }
        other => Trouble { exit: Exit::Target, cause: other.into() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_of_a_run_has_its_code_and_the_options_that_help() {
        let told = |error| {
            let trouble = repair_trouble(error, Some(Path::new("good")), false);
            (trouble.exit, trouble.to_string())
        };
        let name = || "jq".to_owned();
        let cause = anyhow::anyhow!("no such file").context("failed to find jq");
        let open = RepairError::Open { name: name(), source: cause.into() };
        assert_eq!(told(open), (Exit::Target, "failed to find jq: no such file".to_owned()));
        let unsteady = RepairError::Unsteady { name: name(), input: "in/a".into() };
        let why = "jq is not deterministic: it both accepted and rejected in/a; its answer may depend \
                   on the input only, not on chance, time or earlier runs";
        assert_eq!(told(unsteady), (Exit::Unsteady, why.to_owned()));
        let why = "good is not valid, so nothing can be repaired from it";
        assert_eq!(told(RepairError::InvalidBase), (Exit::Usage, why.to_owned()));
        let (exit, why) = told(RepairError::AcceptsAnything { name: name() });
        assert_eq!(exit, Exit::Target);
        assert!(why.starts_with(
            "jq accepts garbage too, so it does not show which inputs are valid: let it"
        ));
        let error = RepairError::AcceptsAnything { name: name() };
        let why_of_command = repair_trouble(error, None, true).to_string();
        assert!(!why_of_command.contains("Corpus::Reject"), "{why_of_command}");
        let hangs = RepairError::AlwaysHangs { name: name() };
        let (exit, why_of_hang) = told(hangs);
        assert_eq!((exit, why_of_hang.contains("--timeout")), (Exit::Target, true));
        assert!(why.ends_with(
            "or a function that runs after the parser with --valid-if reaches=FUNCTION"
        ));
    }
}
