//! Options as meant: plain structs that no longer know how they were typed.

use std::io::IsTerminal;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::args::{LimitArgs, OutputArgs, SamenessArgs, TargetArgs, TellArgs};
use super::args_tmin::TminArgs;
use super::args_triage::TriageArgs;
use super::duration::TimeLimit;
use super::exchange::args::ExchangeArgs;
use super::plan_generalize::GeneralizePlan;
use crate::cargo_fuzz::{CommandLine, Shown, TargetRequest, TargetSource};
use crate::corpus::Originals;
use crate::reduce::{self, Selection};
use crate::report::{Color, Tell};
use crate::session::language::{LanguageChoice, StructureChoice};
use crate::session::saved::output::OutputChoice;
use crate::session::{self, minimize};
use seedsmith_engine::exec::Limits;
use seedsmith_engine::oracle::budget::Budget;
use seedsmith_engine::oracle::repeats::Repeat;
use seedsmith_engine::sameness::Sameness;

/// How a user sees what cargo prints.
const SHOW_CARGO: &str = "-v shows cargo";

/// What opening targets needs to know, from options as typed. `linked` names the target that is part of this program, if there is one; a target that was named
/// by an option takes precedence over it.
pub fn target_request(
    mut target: TargetArgs,
    linked: Option<&str>,
    sameness: SamenessArgs,
    limits: &LimitArgs,
    tell: Tell,
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
pub fn read_files(target: &TargetRequest, language: &LanguageChoice) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = match &target.source {
        TargetSource::Command(line) => line.argv.iter().map(PathBuf::from).collect(),
        TargetSource::Executable(path) => vec![path.clone()],
        TargetSource::Package { .. } | TargetSource::Linked(_) => Vec::new(),
    };
    files.extend(language.grammar.iter().flat_map(|names| names.split(',')).map(PathBuf::from));
    files
}

/// What is wanted of the input.
#[derive(Clone, Debug)]
pub enum Task {
    /// The smallest input with the same failure.
    Minimize(minimize::Options),
    /// The pattern of what makes it fail.
    Generalize(Box<GeneralizePlan>),
    /// The smallest difference from a passing input (or from the empty one).
    Isolate(IsolatePlan),
}

/// What an isolation starts from.
#[derive(Clone, Debug)]
pub struct IsolatePlan {
    /// The passing input's file; the empty input if there is none.
    pub passing: Option<PathBuf>,
    /// What the inputs are made of.
    pub format: reduce::Format,
}

/// All that a run of `tmin` needs to know.
#[derive(Clone, Debug)]
pub struct TminPlan {
    /// The inputs and folders as they were named: at least one.
    pub inputs: Vec<PathBuf>,
    /// Of many inputs: whether to minimize each of those that fail alike.
    pub all: bool,
    /// Whether the only input is a folder whose files are one input.
    pub as_one: bool,
    /// What many inputs may take together.
    pub total_time: Option<Duration>,
    /// The target.
    pub target: TargetRequest,
    /// What holds for each session; the interrupt flag of its budget is the one that signals set.
    pub session: session::Options,
    /// What to do.
    pub task: Task,
    /// What the input is made of, as far as it was told.
    pub structure: StructureChoice,
    /// Where the result goes.
    pub output: OutputChoice,
    /// Where a regression test of the results goes, if one is wanted.
    pub emit_test: Option<PathBuf>,
    /// What is told.
    pub tell: Tell,
}

impl TminPlan {
    /// A plan from options as typed. `linked` names the target that is part of this program.
    pub fn new(args: TminArgs, linked: Option<&str>) -> Self {
        let TminArgs {
            inputs,
            all,
            as_one,
            max_total_time,
            isolate,
            passing,
            resume,
            fresh,
            target,
            structure,
            sameness,
            search,
            only,
            without,
            emit_test,
            output,
            // What happens after the task.
            gdb: _,
            debugger: _,
        } = args;
        let structure = StructureChoice::from(structure);
        let mut originals = vec![structure.islands.clone(), structure.replacements.clone()];
        originals.push(passing.clone());
        let task = if isolate {
            Task::Isolate(IsolatePlan { passing, format: search.format })
        } else {
            Task::Minimize(minimize::Options {
                reduction: reduce::Options {
                    strategy: search.strategy,
                    format: search.format,
                    seed: search.seed,
                    polish: search.polish,
                    picireny: structure.picireny,
                    selection: Selection { only, without },
                    ..reduce::Options::default()
                },
                resumes: resume,
            })
        };
        let tell = Tell::from(&output);
        let allows_trivial = sameness.allow_trivial;
        let target = target_request(target, linked, sameness, &search.limits, tell);
        let named = read_files(&target, &structure.language);
        let originals = originals.into_iter().flatten().chain(named);
        TminPlan {
            inputs,
            all,
            as_one,
            total_time: max_total_time,
            session: session_options(
                &target,
                &search.limits,
                (search.repeat, search.jobs),
                (search.max_tests, search.max_time),
                allows_trivial,
            ),
            target,
            task,
            structure,
            emit_test,
            tell,
            output: OutputChoice {
                path: output.output,
                may_replace: output.force,
                starts_fresh: fresh,
                resumes: resume,
                originals: Arc::new(Originals::of(originals)),
                shared_names: Arc::default(),
            },
        }
    }
}

/// All that a run of `triage` needs to know.
#[derive(Clone, Debug)]
pub struct TriagePlan {
    /// The inputs and folders as they were named.
    pub inputs: Vec<PathBuf>,
    /// The target, and what is the same failure.
    pub target: TargetRequest,
    /// Where a regression test goes, if one is wanted.
    pub emit_test: Option<PathBuf>,
    /// Files for other tools.
    pub exchange: ExchangeArgs,
    /// What is told.
    pub tell: Tell,
}

impl From<TriageArgs> for TriagePlan {
    fn from(args: TriageArgs) -> Self {
        let TriageArgs { inputs, target, sameness, limits, emit_test, exchange, tell } = args;
        let tell = Tell::from(&tell);
        let target = target_request(target, None, sameness, &limits, tell);
        TriagePlan { inputs, target, emit_test, exchange, tell }
    }
}

impl TargetArgs {
    fn names_one(&self) -> bool {
        !self.command.is_empty()
            || self.target.is_some()
            || self.fuzz_dir.is_some()
            || self.binary.is_some()
    }

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

impl From<SamenessArgs> for Sameness {
    fn from(args: SamenessArgs) -> Self {
        Sameness { rule: args.same, pattern: args.pattern }
    }
}

impl From<&TellArgs> for Tell {
    fn from(args: &TellArgs) -> Self {
        Tell {
            json: args.json,
            quiet: args.quiet,
            verbose: args.verbose,
            color: Color::from(&args.color),
            ..Tell::default()
        }
    }
}

impl From<&OutputArgs> for Tell {
    fn from(args: &OutputArgs) -> Self {
        Tell {
            json: args.json,
            stats: args.stats,
            color: Color::from(&args.color),
            quiet: args.quiet,
            verbose: args.verbose,
            ..Tell::default()
        }
    }
}

/// What holds for each session, from options as typed.
pub fn session_options(
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
pub fn jobs(given: Option<u16>) -> usize {
    given.map_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get), usize::from)
}

impl From<&LimitArgs> for Limits {
    /// What a test may use before anything is known of the input.
    fn from(args: &LimitArgs) -> Self {
        let limits = Limits { memory_mb: args.memory_limit, ..Limits::default() };
        match args.timeout {
            TimeLimit::Auto => limits,
            TimeLimit::Given(limit) => limits.with_time(limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn a_target_of_this_program_gives_way_to_one_that_is_named() {
        let source = |words: &[&str], linked| {
            let words = ["tmin", "crash"].iter().chain(words);
            TminPlan::new(TminArgs::parse_from(words), linked).target.source
        };
        assert!(
            matches!(source(&[], Some("parse")), TargetSource::Linked(name) if name == "parse")
        );
        assert!(matches!(source(&[], None), TargetSource::Package { .. }));
        let named = source(&["--target", "other"], Some("parse"));
        assert!(matches!(named, TargetSource::Package { name: Some(name), .. } if name == "other"));
        let command = source(&["--", "check"], Some("parse"));
        assert!(matches!(command, TargetSource::Command(_)));
    }
}
