//! Parts of plans that several commands have: the target, the rule for the same failure, limits, and reports.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use crate::cargo_fuzz::{CommandLine, Shown, TargetRequest, TargetSource};
use crate::cli::arguments::duration::TimeLimit;
use crate::cli::arguments::groups::{LimitArgs, OutputArgs, SamenessArgs, TargetArgs, TellArgs};
use crate::corpus::processors;
use crate::report::{Color, ReportOptions};
use crate::session::language::LanguageChoice;
use crate::session::{self};
use seedsmith_engine::Limits;
use seedsmith_engine::Repeat;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::Budget;

/// How a user makes cargo's output visible.
const SHOW_CARGO: &str = "-v shows cargo";

/// The request from which targets are opened, made from options as typed. `linked` names the target
/// that is part of this program, if there is one; a target that was named by an option takes
/// precedence over it.
pub(crate) fn target_request(
    mut target: TargetArgs,
    linked: Option<&str>,
    sameness: SamenessArgs,
    limits: &LimitArgs,
    tell: ReportOptions,
) -> TargetRequest {
    let cargo = std::mem::take(&mut target.build);
    let mut source = match linked {
        Some(name) if !target.names_one() => TargetSource::Linked(name.to_owned()),
        _ => target.source(),
    };
    if let TargetSource::Command(line) = &mut source {
        line.fails_if.clone_from(&sameness.fails_if);
    }
    TargetRequest {
        source,
        has_coverage: false,
        always_builds: false,
        cargo: cargo.into(),
        shown: Shown {
            cargo: !tell.quiet && (tell.verbose || std::io::stderr().is_terminal()),
            cargo_beside: !tell.quiet && tell.verbose,
            hint: Some(SHOW_CARGO),
        },
        limits: limits.into(),
        is_time_given: limits.timeout != TimeLimit::Auto,
        sameness: sameness.into(),
    }
}

/// The files that a command line names besides its inputs, none of which may be replaced: the
/// executable or the files of the command, and the grammar's files.
///
/// Words of a command that are no files are in the list too; they do no harm there.
pub(crate) fn read_files(target: &TargetRequest, language: &LanguageChoice) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = match &target.source {
        TargetSource::Command(line) => line.argv.iter().map(PathBuf::from).collect(),
        TargetSource::Executable(path) => vec![path.clone()],
        TargetSource::Package { .. } | TargetSource::Linked(_) => Vec::new(),
    };
    files.extend(language.grammar.iter().flat_map(|names| names.split(',')).map(PathBuf::from));
    files
}

impl TargetArgs {
    /// Whether an option names a target, which then replaces the one that is linked in.
    fn names_one(&self) -> bool {
        !self.command.is_empty()
            || self.target.is_some()
            || self.fuzz_dir.is_some()
            || self.binary.is_some()
    }

    /// Where the target comes from: a command, an executable, or else a package. clap has refused
    /// options that name two of them.
    fn source(self) -> TargetSource {
        if !self.command.is_empty() {
            return TargetSource::Command(CommandLine {
                may_fork: !self.no_fork_server,
                workplace: self.cwd,
                unresolved_status: self.unresolved_status,
                ..CommandLine::new(self.command)
            });
        }
        match self.binary {
            Some(path) => TargetSource::Executable(path),
            None => TargetSource::Package {
                name: self.target,
                fuzz_dir: self.fuzz_dir,
                sanitizer: self.sanitizer,
            },
        }
    }
}

/// The rule and the pattern. The conditions of `--fails-if` are part of the command.
impl From<SamenessArgs> for Sameness {
    fn from(args: SamenessArgs) -> Self {
        Sameness { rule: args.same, pattern: args.pattern }
    }
}

/// For commands that print no statistics of reducers.
impl From<&TellArgs> for ReportOptions {
    fn from(args: &TellArgs) -> Self {
        ReportOptions {
            json: args.json,
            quiet: args.quiet,
            verbose: args.verbose,
            color: Color::from(&args.color),
            ..ReportOptions::default()
        }
    }
}

/// For commands that write a result.
impl From<&OutputArgs> for ReportOptions {
    fn from(args: &OutputArgs) -> Self {
        ReportOptions {
            json: args.json,
            stats: args.stats,
            color: Color::from(&args.color),
            quiet: args.quiet,
            verbose: args.verbose,
            ..ReportOptions::default()
        }
    }
}

/// The options of each session, made from options as typed.
///
/// The flag that ends the session is set later, when signals are handled.
pub(crate) fn session_options(
    target: &TargetRequest,
    limits: &LimitArgs,
    (repeat, jobs_given): (Repeat, Option<u16>),
    (max_tests, max_time): (Option<u64>, Option<Duration>),
    allows_trivial: bool,
) -> session::Options {
    session::Options {
        sameness: target.sameness.clone(),
        limits: target.limits,
        fits_time: limits.timeout == TimeLimit::Auto,
        repeat,
        jobs: jobs(jobs_given),
        budget: Budget { max_tests, max_time, ..Budget::default() },
        allows_trivial,
    }
}

/// The number that was given, else one for each core.
///
/// A result does not depend on it.
pub(crate) fn jobs(given: Option<u16>) -> usize {
    given.map_or_else(|| processors().get(), usize::from)
}

impl From<&LimitArgs> for Limits {
    /// The limits of a test before anything is known of the input.
    fn from(args: &LimitArgs) -> Self {
        let limits = Limits { memory_mb: args.memory_limit, ..Limits::default() };
        match args.timeout {
            TimeLimit::Auto => limits,
            TimeLimit::Given(limit) => limits.with_time(limit),
        }
    }
}
