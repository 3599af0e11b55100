//! `tmin` where cargo-fuzz left a fresh executable: the search begins on it at once.

use std::ops::ControlFlow;
use std::time::Instant;

use crate::cargo_fuzz::reproduce::debugged::Debugged;
use crate::cargo_fuzz::{ExistingBuild, Input};
use crate::cli::commands::tmin::minimize::{emitted, tell, tree, with_structure};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::tmin::TminPlan;
use crate::cli::session_end::trouble;
use crate::event::{Event, Reporter, Subject};
use crate::report::Reporters;
use crate::session;
use crate::session::error::SessionError;
use crate::session::minimize::Options;
use crate::session::saved::output::Output;
use crate::session::two_builds::TwoBuilds;

/// Minimizes and reports. If the input does not fail on the executable that is there, this waits for
/// the other build, and the caller tries the input on that.
///
/// `Continue` is for an input that does not fail on that executable: then the target is built and
/// opened as usual.
/// A target that cannot be run there counts as the same. A message says which of the two it is.
pub(crate) fn run(
    (plan, options): (&TminPlan, &Options),
    input: &Input,
    output: &Output,
    existing: &ExistingBuild,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<ControlFlow<(Exit, Option<Debugged>)>, Trouble> {
    let target = &existing.opened;
    report.report(&Event::Subject(Subject { input: &input.path, target: &target.name }));
    let options = with_structure((plan, options), input, &target.name, report)?;
    let limits = plan.target.limits_for(&input.path);
    let session = session::Options { limits, ..plan.session.clone() };
    let two_builds = TwoBuilds {
        first: target,
        later: &existing.later,
        path: &input.path,
        input: &input.bytes,
        session: &session,
        options: &options,
        output: Some(output),
    };
    let mut keeping = None;
    let found = two_builds.minimize(&mut |event: &Event<'_>| {
        if matches!(event, Event::Started { .. }) && keeping.is_none() {
            keeping = Some(interrupt.keep_results());
        }
        report.report(event);
    });
    let (failing, minimized) = match found {
        Ok(found) => found,
        Err(error @ (SessionError::DoesNotFail(_) | SessionError::Target { .. })) => {
            let why = match error {
                SessionError::Target { .. } => Trouble::by(Exit::Target, error).to_string(),
                _ => format!("{} does not fail there", input.path.display()),
            };
            report.say(&why);
            let (budget, started) = (&session.budget, Instant::now());
            existing.later.finish(&|| budget.check_time(started));
            return Ok(ControlFlow::Continue(()));
        }
        Err(error) => return Err(trouble(error, &input.path, interrupt)),
    };
    let emitted = emitted(plan, &failing, output)?;
    let tree = tree(&failing, &minimized, &options, plan.html.is_some());
    let exit = tell(&failing, minimized, (output, emitted, tree), interrupt, report)?;
    let debugged = Debugged::of(&failing.target.origin, &output.path);
    Ok(ControlFlow::Break((exit, debugged)))
}
