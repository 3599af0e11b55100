//! One input on one open target: the session is opened, and the task is done if the input fails there.

use std::ops::ControlFlow;
use std::path::PathBuf;

use super::{generalize, isolate, minimize};
use crate::cargo_fuzz::reproduce::fails_as_a_whole;
use crate::cargo_fuzz::{Input, TargetSource};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::tmin::{Task, TminPlan};
use crate::cli::session_end::trouble;
use crate::corpus::findings::expects_hang;
use crate::event::{Event, Reporter, Subject};
use crate::report::Reporters;
use crate::session::error::SessionError;
use crate::session::first_runs::FirstRuns;
use crate::session::saved::output::Output;
use crate::session::target::OpenTarget;
use crate::session::{self, OpenSession};

/// The advice for an input that has the name of a hang, and that ends in time here.
///
/// The end of a message. `tmin` and `triage` print it for one of many inputs too.
pub(crate) const HANG_HINT: &str =
    "its name says that it hangs: --timeout DURATION says what a hang is";

/// Minimizes an input that was found to fail on `opened`; the code, and where the result is.
///
/// No stricter build is tried: the input was sorted by its failure on this one.
///
/// Called for each input of `tmin` with many inputs. The path of the result follows from the plan and the
/// input's name. An input that does not fail any more is an error here.
pub(crate) fn minimize_one(
    plan: &TminPlan,
    input: &Input,
    opened: &OpenTarget,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<(Exit, PathBuf), Trouble> {
    let output = plan.output.output(&input.path, &input.bytes)?;
    match attempt(plan, input, Some(&output), opened, interrupt, report)? {
        ControlFlow::Break(exit) => Ok((exit, output.path)),
        ControlFlow::Continue(trouble) => Err(trouble),
    }
}

/// Tries the input on one executable and, if it fails there, does the plan's task; else returns the
/// trouble. A minimization needs an `output`.
///
/// `Continue` has the message for the case that no other executable is left to try. It is no error
/// yet: with AddressSanitizer the input may fail.
///
/// # Errors
///
/// All that ends the command: the target cannot be run, the failure is too rare, or the result
/// cannot be written.
pub(crate) fn attempt(
    plan: &TminPlan,
    input: &Input,
    output: Option<&Output>,
    opened: &OpenTarget,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<ControlFlow<Exit, Trouble>, Trouble> {
    report.report(&Event::Subject(Subject { input: &input.path, target: &opened.name }));
    let limits = plan.target.limits_for(&input.path);
    let options = session::Options { limits, ..plan.session.clone() };
    let session = match OpenSession::open(opened, &input.path, &input.bytes, &options, report) {
        Ok(session) => session,
        Err(SessionError::DoesNotFail(first)) => {
            let trouble = does_not_fail(plan, input, opened, &first);
            return Ok(ControlFlow::Continue(trouble));
        }
        Err(error) => return Err(trouble(error, &input.path, interrupt)),
    };
    match &plan.task {
        Task::Minimize(options) => {
            let output = output.expect("a minimization has an output");
            let options = minimize::with_structure((plan, options), input, &opened.name, report)?;
            let emitted = minimize::emitted(plan, session.failing(), output)?;
            let shown = (output, emitted, plan.html.is_some());
            minimize::run(session, &options, shown, interrupt, report)
        }
        Task::Isolate(plan) => isolate::run(session, plan, interrupt, report),
        Task::Generalize(task) => {
            let originals = plan.output.originals.and([input.path.clone()]);
            generalize::run(session, input, (task, &originals), interrupt, report)
        }
    }
    .map(ControlFlow::Break)
}

/// The message for an input that does not fail, with a hint: its name may say that it hangs, the
/// whole program may fail after the call, or another target may be meant. Costs a process for the
/// second of these.
fn does_not_fail(
    plan: &TminPlan,
    input: &Input,
    opened: &OpenTarget,
    first: &FirstRuns,
) -> Trouble {
    let counts = |kind| first.decided.as_ref().is_ok_and(|decided| decided.counts(kind));
    let mut failures = first.seen.iter().filter_map(|(seen, _)| seen.signature());
    let has_failed = failures.any(|signature| counts(&signature.kind));
    let does_not = if has_failed { "doesn't fail as --match says" } else { "doesn't fail" };
    let hint = match plan.target.source {
        _ if expects_hang(&input.path) => HANG_HINT,
        TargetSource::Command(_) => {
            "the failure shows where the command exits with 0 or crashes; --fails-if names another sign"
        }
        _ => "another target (--target) or build (--binary) may show it",
    };
    let session = &plan.session;
    let whole = (!has_failed)
        .then(|| fails_as_a_whole(opened, &input.bytes, session.limits, &session.budget))
        .flatten();
    let hint = match whole {
        Some(signature) => format!(
            "run to its end, the program fails all the same ({signature}), after the target's \
             function has returned: in an exit handler, or in a thread that outlives the call; \
             `-- COMMAND` minimizes with whole runs"
        ),
        None => hint.to_owned(),
    };
    let message = format!(
        "{} {does_not} on {}: run {} times, it {}; {hint}",
        input.path.display(),
        opened.name,
        first.runs,
        first.what_happened()
    );
    Trouble::new(Exit::DoesNotFail, message)
}
