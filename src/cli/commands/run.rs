//! `run`: runs one input on its target and reports the outcome. Nothing is searched and nothing
//! written.

use crate::event::{Event, RanInput, Reporter};
use std::path::PathBuf;

use clap::Args;

use crate::cargo_fuzz::{LookError, Targets, decoded, input};
use crate::cli::arguments::groups::TestArgs;
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::options::target_request;
use crate::cli::session_end::trouble;
use crate::cli::trouble::talk;
use crate::report::{ReportOptions, Reporters};
use crate::session::stack::Stacks;

/// The beginning of `run --help`.
const LONG_ABOUT: &str = "\
Runs one input on its target and reports what happens: whether it fails, how often of five runs, \
the failure with its stack by function and line, and the value that a typed target decodes.

INPUT's target is found and built as `tmin` does it. Nothing is written.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(super) const USAGE: &str = "@run [OPTIONS] [TARGET] <INPUT> [-- COMMAND ARGS {}]";

/// The end of the help: exit codes and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 it doesn't fail   1 it fails   2 usage   5 target not found, built or run
  6 the input can't be read   70 our bug   129, 130, 143 interrupted

Examples:
  What is this crash?
      @run fuzz/artifacts/parse/crash-da39a3ee

  Does it still fail with AddressSanitizer?
      @run --sanitizer address crash-da39a3ee

  On a libFuzzer executable in any language, for a program:
      @run --binary ./parse_fuzzer --json crash-da39a3ee";

/// Runs one input and reports what happens
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
pub(super) struct RunArgs {
    /// Input: a file, or the start of a crash file's name
    #[arg(required = true, value_name = "INPUT", num_args = 1..)]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub test: TestArgs,
}

/// Runs the input.
///
/// Costs a build, five runs in fresh workers, and thirty where they do not agree. An input that
/// does not fail on one build is tried on the stricter ones, as `tmin` does.
///
/// The report has the failure, its stack by function and line, and the decoded value of a typed target
/// (one more process). The exit code is 1 if the input fails as `--same` and `--match` say, else 0.
///
/// # Errors
///
/// More than one input is named, the input cannot be read, or the target cannot be found, built or run.
pub(super) fn run(
    args: RunArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let RunArgs { inputs, test: TestArgs { target, sameness, limits, tell } } = args;
    let request = target_request(target, None, sameness, &limits, ReportOptions::from(&tell));
    let sameness = request.sameness.clone();
    let [named] = inputs.as_slice() else {
        return Err(Trouble::new(Exit::Usage, "run takes one input; triage runs several"));
    };
    let flag = interrupt.flag();
    let input = input::find(named, &flag)?;
    let mut targets = Targets::new(request);
    let looked = targets.look_at(&input, &flag, &mut talk(report));
    let (opened, runs) = looked.map_err(|error| match error {
        LookError::Input(error) => error.into(),
        LookError::Target(error) => Trouble::from(error),
        LookError::Session(error) => trouble(error, &input.path, interrupt),
    })?;
    let baseline = runs.baseline(&sameness);
    let stack = baseline.as_ref().map(|baseline| {
        Stacks::begin(opened.code().as_deref(), &baseline.signature).of(&baseline.signature)
    });
    let executable = opened.executable.as_deref();
    report.report(&Event::Ran(&RanInput {
        input: &input.path,
        bytes: &input.bytes,
        target: &opened.name,
        runs: runs.runs,
        slowest: runs.slowest,
        outcome: runs.what_happened(),
        failure: baseline.map(|baseline| (baseline.signature, baseline.shown)),
        stack: stack.unwrap_or_default(),
        decoded: executable.and_then(|executable| decoded(executable, &input.bytes)),
    }));
    Ok(if runs.baseline(&sameness).is_some() { Exit::DoesNotFail } else { Exit::Done })
}
