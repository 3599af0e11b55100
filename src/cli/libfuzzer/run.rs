//! The target, run as libFuzzer runs it: in a new process, on one file; and the same target opened
//! for a session.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;

use super::Refusal;
use super::flags::CommandLine;
use crate::cli::arguments::tmin::TminArgs;
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::tmin::{Task, TminPlan};
use crate::session::minimize;
use crate::session::target::OpenTarget;
use crate::session::target::open::open_with_flags;
use seedsmith_engine::TargetError;
use seedsmith_engine::internal::run_once;

/// How long a minimization takes without `-max_total_time` and `-runs`: libFuzzer's own default for
/// `-minimize_crash=1`.
pub(super) const DEFAULT_SECONDS: u64 = 600;
/// How long one run may take where nothing else bounds it: libFuzzer's default `-timeout` of 1,200
/// s, and time to print its report.
const MAX_RUN_TIME: Duration = Duration::from_secs(1300);

/// The outcome of a run of the target on one file.
///
/// It is a process as libFuzzer starts it, which has nothing to do with a session.
pub(super) struct Shown {
    /// Whether it ended with anything but success.
    pub is_crash: bool,
    /// Its output.
    pub output: Vec<u8>,
}

impl Shown {
    /// The sanitizer's name for the failure (`ASAN_OPTIONS=dedup_token_length=3`), with the words
    /// that come before it, as libFuzzer compares them.
    pub(super) fn dedup_token(&self) -> Option<String> {
        const BEGIN: &[u8] = b"DEDUP_TOKEN:";
        let at = self.output.windows(BEGIN.len()).position(|window| window == BEGIN)?;
        let line = self.output[at..].split(|byte| *byte == b'\n').next()?;
        Some(String::from_utf8_lossy(line).into_owned())
    }

    /// Whether a leak was reported.
    pub(super) fn is_leak(&self) -> bool {
        const LEAK: &[u8] = b"ERROR: LeakSanitizer";
        self.output.windows(LEAK.len()).any(|window| window == LEAK)
    }
}

/// The target's path. A bare name means a file here, not one in `PATH`.
pub(super) fn program(line: &CommandLine) -> PathBuf {
    std::path::absolute(&line.target).unwrap_or_else(|_| line.target.clone())
}

/// When all has to be over.
pub(super) fn deadline(line: &CommandLine) -> Option<Instant> {
    let seconds = match (line.max_total_time, line.runs) {
        (None, None) => Some(Duration::from_secs(DEFAULT_SECONDS)),
        (given, _) => given,
    };
    seconds.and_then(|seconds| Instant::now().checked_add(seconds))
}

/// The time left until then.
pub(super) fn left(deadline: Option<Instant>) -> Duration {
    deadline.map_or(MAX_RUN_TIME, |at| at.saturating_duration_since(Instant::now()))
}

/// Runs the target on `input` with the flags that it would have been given by libFuzzer.
pub(super) fn run_on(
    line: &CommandLine,
    input: &OsStr,
    limit: Duration,
    interrupt: &Interrupt,
) -> Result<Shown, TargetError> {
    let ran = run_once(&program(line), &line.arguments_for(input), limit, &interrupt.flag())?;
    // A run that had to be ended has not shown that it succeeds.
    let is_crash = !ran.status.is_some_and(|status| status.success());
    Ok(Shown { is_crash, output: ran.output })
}

/// How the target is run on `input`, for people.
pub(super) fn command_line(line: &CommandLine, input: &Path) -> String {
    let words = line.arguments_for(input.as_os_str());
    let words = words.iter().map(|word| word.to_string_lossy());
    let mut text = line.target.to_string_lossy().into_owned();
    words.for_each(|word| text += &format!(" {word}"));
    text
}

/// The session's options: those of `tmin` with the limits that libFuzzer's flags set.
pub(super) fn plan(
    line: &CommandLine,
    deadline: Option<Instant>,
    interrupt: &Interrupt,
) -> Result<(TminPlan, minimize::Options), Refusal> {
    let input = line.inputs.first().expect("a command line without an input is refused before");
    // A name that begins with a dash would be an option; here it is only the name of an input.
    let input = Path::new(".").join(input);
    let args = TminArgs::try_parse_from(["tmin".as_ref(), input.as_os_str()])
        .map_err(|error| Refusal::ByTarget(error.to_string()))?;
    let mut plan = TminPlan::new(args, None);
    let session = &mut plan.session;
    if let Some(timeout) = line.timeout {
        session.limits = session.limits.with_time(timeout);
    }
    if let Some(memory_mb) = line.memory_mb {
        session.limits.memory_mb = memory_mb;
    }
    session.budget.interrupt = interrupt.flag();
    session.budget.max_time = deadline.map(|at| at.saturating_duration_since(Instant::now()));
    session.budget.max_tests = line.runs.or(session.budget.max_tests);
    let options = match &plan.task {
        Task::Minimize(options) => options.clone(),
        _ => minimize::Options::default(),
    };
    Ok((plan, options))
}

/// The target for a session. With `finds_leaks`, a leak is a failure.
///
/// Its `LLVMFuzzerInitialize` sees the flags of the line, but for those of the parent.
pub(super) fn open(line: &CommandLine, finds_leaks: bool) -> Result<OpenTarget, Refusal> {
    open_with_flags(&line.target, line.own_flags(), finds_leaks)
        .map_err(|error| Refusal::ByTarget(error.to_string()))
}
