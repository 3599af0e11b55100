//! `bisect`: whether the checked-out commit shows the failure, in the exit codes of `git bisect run`.
//!
//! There is no original run to compare with: on a commit before the bug the input passes. So a
//! command's exit status 0 is no failure here, unless the user says so; see [`Verdict::of`].

mod recorded;

use crate::event::{Event, RanInput, Reporter, StackLine};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use regex::Regex;

use crate::cargo_fuzz::{ChooseError, Input, LookError, Sanitizer, TargetSource, Targets, input};
use crate::cli::arguments::groups::{LimitArgs, SamenessArgs, TargetArgs, TellArgs};
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::{Interrupt, STOPPED_EARLY};
use crate::cli::plans::options::target_request;
use crate::cli::trouble::talk;
use crate::report::{ReportOptions, Reporters};
use crate::session::first_runs::FirstRuns;
use crate::session::stack::Stacks;
use recorded::Recorded;
use seedsmith_engine::Observation;
use seedsmith_engine::internal::{Condition, run_once};
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Rule, Sameness};

/// The beginning of `bisect --help`.
const LONG_ABOUT: &str = "\
Says by its exit code whether the checked-out commit shows a failure, for `git bisect run`.

INPUT's target is found and built as `tmin` does it. INPUT has to be a file that git does not \
change; copy it out of the repository if it is tracked.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(super) const USAGE: &str = "@bisect [OPTIONS] <INPUT> [-- COMMAND ARGS {}]";

/// The end of the help: exit codes, which are git's here, and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 fixed: the input doesn't fail   1 it fails
  125 this commit can't be tested: the target is not there, or can't be built or run; git skips it
  128 nothing can be tested (wrong arguments, no input, a bug of ours): git stops
  129, 130, 143 interrupted: git stops

Examples:
  Which commit broke it?
      git bisect start main v1.2
      git bisect run @bisect fuzz/artifacts/parse/crash-da39a3ee

  Only this failure, as the present commit shows it:
      @run --json crash-da39a3ee > /tmp/failure.json
      git bisect run @bisect --same-as /tmp/failure.json crash-da39a3ee

  Any program, built for each commit:
      git bisect run @bisect --build make /tmp/crash.bin -- ./parse {}";

/// The help of `--sanitizer`: on a commit without the failure no other build is tried.
const LONG_SANITIZER: &str = "\
Build to run: auto, none, address

auto and none run a build without a sanitizer. An input whose name begins with leak- is run with \
AddressSanitizer, as address does for any input. Both are built for each commit.";

/// The help of the command: without an original run, status 0 is no failure.
const COMMAND: &str = "Program to run instead of a fuzz target; a crash of it is the failure";

/// The long help of the command.
const LONG_COMMAND: &str = "\
Program to run instead of a fuzz target; a crash of it is the failure

It runs in a new folder that holds INPUT; {} is replaced by its path, and it is on standard input too. \
docs/src/programs.md has the conventions.";

/// The help of `--target`: a target may not be there on each commit.
const LONG_TARGET: &str = "\
Fuzz target to run [default: from INPUT's path]

Without it the target is the NAME of …/artifacts/NAME/… or …/crashes/NAME/… in INPUT's path.";

/// Lines of a failed build that are shown: the end of it, where compilers print their errors, on
/// part of a screen.
const SHOWN_BUILD_LINES: usize = 20;

/// Tells `git bisect run` whether the checked-out commit fails
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
#[command(mut_arg("sanitizer", |arg| arg.long_help(LONG_SANITIZER)))]
#[command(mut_arg("command", |arg| arg.help(COMMAND).long_help(LONG_COMMAND)))]
#[command(mut_arg("target", |arg| arg.long_help(LONG_TARGET)))]
pub(super) struct BisectArgs {
    /// Input: a file, or the start of a crash file's name
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,

    #[command(flatten)]
    pub target: TargetArgs,

    /// Shell command to run first; if it fails, the commit can't be built
    #[arg(long, value_name = "COMMAND", env = "SEEDSMITH_BUILD", hide_env = true)]
    #[arg(help_heading = "Target")]
    pub build: Option<String>,

    /// Only the failure in FILE counts [default: any]
    ///
    /// FILE holds what `run --json` or `tmin --json` prints on a commit that fails. A panic is compared by
    /// file and message, because lines move between commits; another failure by its kind and its three
    /// innermost functions.
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_SAME_AS", hide_env = true)]
    #[arg(help_heading = "Sameness")]
    pub same_as: Option<PathBuf>,

    /// Only a failure whose text ("panic at FILE:LINE:COLUMN: MESSAGE") matches counts
    #[arg(long = "match", value_name = "REGEX", env = "SEEDSMITH_MATCH", hide_env = true)]
    #[arg(help_heading = "Sameness")]
    pub pattern: Option<Regex>,

    /// When COMMAND fails: status=N, signal, timeout, stdout=REGEX, stderr=REGEX
    ///
    /// May be given several times; any of them will do. Without it a signal, or the report of a
    /// sanitizer, a Rust or Go panic, a Python traceback or an assertion is a failure. A script that
    /// exits with 0 if the failure shows needs status=0.
    #[arg(long, value_name = "SIGN", env = "SEEDSMITH_FAILS_IF", hide_env = true)]
    #[arg(help_heading = "Sameness")]
    pub fails_if: Vec<Condition>,

    #[command(flatten, next_help_heading = "Tests")]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub tell: TellArgs,
}

/// Tests the commit that is checked out.
pub(super) fn run(
    args: BisectArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    test(args, interrupt, report).map_err(|trouble| match interrupt.exit() {
        Some(exit) => Trouble::new(exit, STOPPED_EARLY),
        None => Trouble { exit: of_bisect(trouble.exit), ..trouble },
    })
}

/// The exit code for git: it would take most of ours for a commit that fails.
pub(super) fn of_bisect(exit: Exit) -> Exit {
    match exit {
        Exit::Target | Exit::Unsteady | Exit::BudgetOver => Exit::CannotTell,
        Exit::Usage | Exit::Files | Exit::OurBug => Exit::StopsBisect,
        exit => exit,
    }
}

/// Builds the target if the user asks for that, opens it, runs the input and reports the verdict.
///
/// # Errors
///
/// Trouble that makes this commit untestable, and trouble that makes any commit untestable;
/// [`of_bisect`] gives git a code for each.
fn test(args: BisectArgs, interrupt: &Interrupt, report: &mut Reporters) -> Result<Exit, Trouble> {
    let BisectArgs { input: named, target, build, same_as, pattern, fails_if, limits, tell } = args;
    let tell = ReportOptions::from(&tell);
    let recorded = same_as.as_deref().map(Recorded::read).transpose()?;
    let flag = interrupt.flag();
    let input = input::find(&named, &flag)?;
    if let Some(build) = &build {
        run_build(build, interrupt, report)?;
    }
    let is_told = !fails_if.is_empty();
    let sameness = SamenessArgs { same: Rule::Any, pattern, fails_if, allow_trivial: true };
    let mut request = target_request(target, None, sameness, &limits, tell);
    request.always_builds = true;
    if let TargetSource::Package { sanitizer: sanitizer @ Sanitizer::Auto, .. } =
        &mut request.source
    {
        *sanitizer = if input.is_leak() { Sanitizer::Address } else { Sanitizer::None };
    }
    let is_command = matches!(request.source, TargetSource::Command(_));
    let failure = Failure {
        // Conditions of the user's decide by themselves.
        is_crash: is_command && !is_told && !recorded.as_ref().is_some_and(Recorded::is_status),
        sameness: request.sameness.clone(),
        recorded,
    };
    let mut targets = Targets::new(request);
    let looked = targets.look_at(&input, &flag, &mut talk(report));
    let (opened, runs) = looked.map_err(|error| match error {
        LookError::Input(error) => error.into(),
        LookError::Target(
            error @ (ChooseError::FailsOnNone { .. } | ChooseError::FailsOnSeveral { .. }),
        ) => Trouble::new(Exit::Usage, format!("{error}; say with --target which it belongs to")),
        LookError::Target(error) => Trouble::from(error),
        LookError::Session(error) => Trouble::by(Exit::Target, error),
    })?;
    let stack = |signature: &Signature| match &failure.recorded {
        Some(_) => Stacks::begin(opened.executable.as_deref(), signature).of(signature),
        None => Vec::new(),
    };
    let verdict = Verdict::of(&runs, &failure, stack);
    show(&verdict, &input, &opened.name, &runs, tell, report);
    Ok(verdict.exit())
}

/// Runs the user's build. Its output is shown if it fails.
fn run_build(build: &str, interrupt: &Interrupt, report: &mut Reporters) -> Result<(), Trouble> {
    report.say(&format!("building: {build}"));
    let arguments: [OsString; 2] = ["-c".into(), build.into()];
    let ran = run_once(Path::new("sh"), &arguments, Duration::MAX, &interrupt.flag());
    let ran = ran.or_exit(Exit::Target, || "failed to build".to_owned())?;
    if ran.status.is_some_and(|status| status.success()) {
        return Ok(());
    }
    let output = String::from_utf8_lossy(&ran.output);
    let lines: Vec<&str> = output.lines().collect();
    for line in &lines[lines.len().saturating_sub(SHOWN_BUILD_LINES)..] {
        report.say(line);
    }
    let how = ran.status.map_or_else(|| "stopped".to_owned(), |status| status.to_string());
    Err(Trouble::new(Exit::Target, format!("the build failed ({how}): {build}")))
}

/// The failure that is looked for.
struct Failure {
    /// Whether it is a crash of a command, so that exit status 0 and a run without an end are none.
    is_crash: bool,
    sameness: Sameness,
    recorded: Option<Recorded>,
}

impl Failure {
    /// Whether `seen` is the failure. The stack is only named if it is compared.
    fn is(&self, seen: &Signature, stack: impl Fn(&Signature) -> Vec<StackLine>) -> bool {
        let counts = !self.is_crash || !matches!(seen.kind, Kind::Command | Kind::Timeout);
        counts
            && self.sameness.is_same(seen, seen)
            && self.recorded.as_ref().is_none_or(|recorded| recorded.is_same(seen, &stack(seen)))
    }
}

/// The verdict of the runs about the commit.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// The failure showed; `shown` is the number of runs.
    Fails { signature: Arc<Signature>, shown: u32 },
    /// It did not; another one may have.
    Fixed { other: Option<String> },
    /// A command exited with the status for that.
    CannotTell,
}

impl Verdict {
    /// One run that shows the failure is enough: an unsteady one is on the commit, too.
    fn of(
        runs: &FirstRuns,
        failure: &Failure,
        stack: impl Fn(&Signature) -> Vec<StackLine>,
    ) -> Self {
        let signatures =
            || runs.seen.iter().filter_map(|(seen, count)| Some((seen.signature()?, *count)));
        let showing: Vec<_> = signatures().filter(|(seen, _)| failure.is(seen, &stack)).collect();
        if let Some((signature, _)) = showing.iter().max_by_key(|(_, count)| *count) {
            let shown = showing.iter().map(|(_, count)| count).sum();
            return Verdict::Fails { signature: Arc::clone(signature), shown };
        }
        let is_clueless =
            |seen: &Observation| matches!(seen, Observation::Unresolved | Observation::Lost);
        if runs.seen.iter().any(|(seen, _)| is_clueless(seen)) {
            return Verdict::CannotTell;
        }
        let is_other = |seen: &Signature| !failure.is_crash || seen.kind != Kind::Command;
        let other = signatures().map(|(seen, _)| seen).find(|seen| is_other(seen));
        Verdict::Fixed { other: other.map(ToString::to_string) }
    }

    /// The code for git.
    fn exit(&self) -> Exit {
        match self {
            Verdict::Fails { .. } => Exit::DoesNotFail,
            Verdict::Fixed { .. } => Exit::Done,
            Verdict::CannotTell => Exit::CannotTell,
        }
    }
}

/// One line for the console, or one for programs.
fn show(
    verdict: &Verdict,
    input: &Input,
    target: &str,
    runs: &FirstRuns,
    tell: ReportOptions,
    report: &mut Reporters,
) {
    if tell.json {
        let failing = match verdict {
            Verdict::Fails { signature, shown } => Some((signature.clone(), *shown)),
            _ => None,
        };
        return report.report(&Event::Ran(&RanInput {
            input: &input.path,
            bytes: &input.bytes,
            target,
            runs: runs.runs,
            slowest: runs.slowest,
            outcome: runs.what_happened(),
            failure: failing,
            stack: Vec::new(),
            decoded: None,
        }));
    }
    report.say(&match verdict {
        Verdict::Fails { signature, shown } => {
            format!("this commit fails ({shown} of {} runs): {signature}", runs.runs)
        }
        Verdict::Fixed { other: None } => {
            format!("this commit does not fail: {target} was run {} times", runs.runs)
        }
        Verdict::Fixed { other: Some(other) } => {
            format!("this commit does not show the failure, but another one: {other}")
        }
        Verdict::CannotTell => "this commit cannot be tested: the command cannot tell".to_owned(),
    });
}
