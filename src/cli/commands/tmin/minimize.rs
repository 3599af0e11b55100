//! `tmin`'s main task: the result of a minimization, as the report shows it.

use std::path::Path;

use crate::cargo_fuzz::reproduce::commands;
use crate::cargo_fuzz::{Input, decoded, shown_path};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::emit_test::{EmitTest, minimal_case};
use crate::cli::plans::tmin::TminPlan;
use crate::cli::session_end::{exit, trouble};
use crate::event::{Event, MinimizedInput, Reporter, TreeRow};
use crate::report::Reporters;
use crate::session::OpenSession;
use crate::session::ended::Remark;
use crate::session::failing::FailingInput;
use crate::session::minimize::{Minimized, Options};
use crate::session::results::result_tree;
use crate::session::saved::output::Output;
use crate::session::target::Origin;

/// The options of a minimization, with the structure of `input`, which is parsed here.
///
/// A parse that takes too long is reported, and the search continues without a tree.
///
/// Called once for each executable on which the input is tried. `target` is the target's name.
///
/// # Errors
///
/// The tree-sitter parser that was asked for cannot be used on the input, or the file of replacements cannot
/// be read.
pub(crate) fn with_structure(
    (plan, options): (&TminPlan, &Options),
    input: &Input,
    target: &str,
    report: &mut Reporters,
) -> Result<Options, Trouble> {
    let mut options = options.clone();
    let of_input = (input.path.as_path(), input.bytes.as_slice());
    if plan.structure.complete(&mut options.reduction, of_input, target)? {
        report.say("no tree (the parse takes longer than --max-parse-time)");
    }
    Ok(options)
}

/// The test that `--emit-test` asks for, if it does; fails if it cannot be written for this failure.
///
/// Called when the failure is known and before the search, so that a place that is refused costs no search.
pub(crate) fn emitted(
    plan: &TminPlan,
    failing: &FailingInput<'_>,
    output: &Output,
) -> Result<Option<EmitTest>, Trouble> {
    let test = plan.emit_test.as_deref().map(|path| {
        EmitTest::new(path, failing.target, &failing.baseline.signature, &output.originals)
    });
    test.transpose()
}

/// Minimizes and reports.
///
/// Signals do not end the program while results are written.
///
/// An error means that there is no result, or that the regression test cannot be written. The exit code is 0
/// for a complete search, 3 for a budget that ended, 4 for an unsteady failure, or that of a signal.
pub(crate) fn run(
    mut session: OpenSession<'_>,
    options: &Options,
    (output, emitted, has_page): (&Output, Option<EmitTest>, bool),
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let _keeping = interrupt.keep_results();
    let minimized = session.minimize(options, Some(output), report);
    let failing = session.failing();
    let minimized = minimized.map_err(|error| trouble(error, &failing.path, interrupt))?;
    let tree = tree(failing, &minimized, options, has_page);
    tell(failing, minimized, (output, emitted, tree), interrupt, report)
}

/// The derivation tree of the result, if there is a page that shows it.
pub(crate) fn tree(
    failing: &FailingInput<'_>,
    minimized: &Minimized,
    options: &Options,
    has_page: bool,
) -> Option<Vec<TreeRow>> {
    let reduction = &options.reduction;
    has_page.then(|| result_tree(&failing.bytes, &minimized.best, reduction)).flatten()
}

/// Reports the minimized input and returns the exit code.
///
/// The result is on disk already. A regression test is written here, and the value that a typed
/// target decodes is asked of its executable.
///
/// If the test cannot be written, the result is reported first, and then the error ends the command. Costs
/// at most one more process, for the decoded value.
pub(crate) fn tell(
    failing: &FailingInput<'_>,
    minimized: Minimized,
    (output, emitted, tree): (&Output, Option<EmitTest>, Option<Vec<TreeRow>>),
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let target = failing.target;
    // Not a program that has its target linked in: it is no libFuzzer executable, and would only
    // minimize once more.
    let executable = match target.origin {
        Origin::Linked(_) => None,
        _ => target.executable.as_deref(),
    };
    let exit = exit(minimized.end, interrupt);
    let decoded = executable.and_then(|executable| decoded(executable, &minimized.best));
    let remarks = minimized.remarks.iter().map(|remark| in_words(remark, output));
    let mut remarks: Vec<String> = remarks.collect();
    let mut unwritten = None;
    if let Some(test) = emitted {
        match test.write(&about(&failing.path), &[minimal_case(minimized.best.clone())]) {
            Ok(hint) => remarks.push(hint),
            Err(error) => unwritten = Some(error),
        }
    }
    let commands = commands(&target.origin, &output.path);
    let shown = (decoded, tree);
    let finished = MinimizedInput::of(failing, &output.path, minimized, commands, shown, remarks);
    report.report(&Event::Minimized(&finished));
    unwritten.map_or(Ok(exit), |error| Err(error.into()))
}

/// Where the inputs of a result's test come from.
///
/// It is printed in the comment at the top of the test. Only the file's name is used, without its folder.
fn about(input: &Path) -> String {
    let name = input.file_name().unwrap_or_default().to_string_lossy();
    format!("the minimized form of {name}")
}

/// A remark, with the option that acts on it.
///
/// The library's words name no option, because its callers may have none.
fn in_words(remark: &Remark, output: &Output) -> String {
    match remark {
        Remark::Continues => {
            let fresh = if output.starts_fresh { " without --fresh" } else { "" };
            format!("the same command{fresh} continues from here; with --resume it repeats no test")
        }
        Remark::ObservationsLost => {
            "not every answer could be kept: --resume repeats some".to_owned()
        }
        Remark::TwoBuilds { first, later } => {
            Remark::TwoBuilds { first: shown_path(first).into(), later: shown_path(later).into() }
                .to_string()
        }
        Remark::Unsteady => format!("{remark}; --repeat N runs each candidate more often"),
        _ => remark.to_string(),
    }
}
