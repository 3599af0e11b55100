//! `tmin --isolate`: the result of an isolation, as the report shows it.

use crate::cargo_fuzz::{InputError, input};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::tmin::IsolatePlan;
use crate::cli::session_end::{exit, trouble};
use crate::event::{Event, IsolatedInput, Reporter};
use crate::report::Reporters;
use crate::session::OpenSession;
use crate::session::error::SessionError;

/// Isolates and reports.
///
/// The difference is reported; no file is written.
///
/// Without `--passing` the failing input is compared with the empty input. An interrupted or limited search
/// reports the smallest difference so far, with the code of its end.
///
/// # Errors
///
/// The passing input cannot be read or does not pass (exit code 2 for the latter).
pub(crate) fn run(
    mut session: OpenSession<'_>,
    plan: &IsolatePlan,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let passing = match &plan.passing {
        Some(path) => match input::read(path, &interrupt.flag()) {
            // The empty input is a passing input as any other.
            Err(InputError::Empty { .. }) => Vec::new(),
            read => read?,
        },
        None => Vec::new(),
    };
    let _keeping = interrupt.keep_results();
    let isolated = session.isolate(&passing, plan.format, report);
    let failing = session.failing();
    let isolated = isolated.map_err(|error| match error {
        SessionError::DoesNotPass => Trouble::new(
            Exit::Usage,
            format!("{} doesn't pass; name an input that does with --passing", name(plan)),
        ),
        error => trouble(error, &failing.path, interrupt),
    })?;
    let exit = exit(isolated.end, interrupt);
    report.report(&Event::Isolated(&IsolatedInput::of(&failing.path, isolated)));
    Ok(exit)
}

/// The name of the passing input for the report.
///
/// Only the message about an input that does not pass shows it.
fn name(plan: &IsolatePlan) -> String {
    match &plan.passing {
        Some(path) => path.display().to_string(),
        None => "the empty input".to_owned(),
    }
}
