//! `tmin`'s options as meant. They also hold for the other tasks on one failing input.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::cargo_fuzz::TargetRequest;
use crate::cli::arguments::keep::Keep;
use crate::cli::arguments::tmin::TminArgs;
use crate::cli::plans::generalize::GeneralizePlan;
use crate::cli::plans::options::{read_files, session_options, target_request};
use crate::corpus::{Originals, Shard};
use crate::reduce::{self, Selection};
use crate::report::ReportOptions;
use crate::session::language::StructureChoice;
use crate::session::saved::output::OutputChoice;
use crate::session::{self, minimize};
use crate::wishes::Wishes;

/// The task to do with the input.
///
/// All of them begin with a session on the input; they differ in the session's task and in the
/// files that are written.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// The smallest input with the same failure.
    Minimize(minimize::Options),
    /// The pattern that makes it fail.
    Generalize(Box<GeneralizePlan>),
    /// The smallest difference from a passing input (or from the empty one).
    Isolate(IsolatePlan),
}

/// The plan of an isolation.
#[derive(Clone, Debug)]
pub(crate) struct IsolatePlan {
    /// The passing input's file; the empty input if there is none.
    pub passing: Option<PathBuf>,
    /// The units of the inputs.
    pub format: reduce::UnitKind,
}

/// All that a run of `tmin` needs to know.
///
/// `generalize` and `tmin --isolate` have one too, with another task.
#[derive(Clone, Debug)]
pub(crate) struct TminPlan {
    /// The inputs and folders as they were named: at least one.
    pub inputs: Vec<PathBuf>,
    /// Of many inputs: whether to minimize each of those that fail alike.
    pub all: bool,
    /// Whether the only input is a folder whose files are one input.
    pub as_one: bool,
    /// The time limit for many inputs together.
    pub total_time: Option<Duration>,
    /// The target.
    pub target: TargetRequest,
    /// The options of each session; the interrupt flag of its budget is the one that signals set.
    pub session: session::Options,
    /// The task.
    pub task: Task,
    /// Which part of many inputs runs; all if there is none.
    pub shard: Option<Shard>,
    /// What a result keeps of the coverage of an input that does not fail.
    pub keep: Option<Keep>,
    /// The structure of the input, as far as options give it.
    pub structure: StructureChoice,
    /// Where the result goes.
    pub output: OutputChoice,
    /// Where a regression test of the results goes, if one is wanted.
    pub emit_test: Option<PathBuf>,
    /// Where a page of the results goes, if one is wanted.
    pub html: Option<PathBuf>,
    /// The options for reports.
    pub tell: ReportOptions,
    /// What keys ask of the search, if it is drawn on the whole terminal.
    pub view: Option<Wishes>,
}

impl TminPlan {
    /// A plan from options as typed. `linked` names the target that is part of this program.
    ///
    /// Nothing is run here. The files that options name (grammars, the executable, words of the command,
    /// `--passing`) are recorded as originals, so that no result replaces them.
    pub(crate) fn new(args: TminArgs, linked: Option<&str>) -> Self {
        let TminArgs {
            inputs,
            all,
            as_one,
            max_total_time,
            isolate,
            passing,
            shard,
            keep,
            resume,
            fresh,
            target,
            structure,
            sameness,
            search,
            only,
            without,
            emit_test,
            html,
            output,
            view,
            // These only matter after the task.
            gdb: _,
            debugger: _,
        } = args;
        let structure = StructureChoice::from(structure);
        let mut originals = vec![structure.islands.clone(), structure.replacements.clone()];
        originals.push(passing.clone());
        let wishes = Wishes::default();
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
                wishes: wishes.clone(),
            })
        };
        let tell = ReportOptions::from(&output);
        let allows_trivial = sameness.allow_trivial;
        let mut target = target_request(target, linked, sameness, &search.limits, tell);
        // What cargo prints while a search runs would be printed on the view.
        target.shown.cargo_beside &= !view;
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
            shard: shard.shard,
            keep,
            structure,
            emit_test,
            html,
            tell,
            view: view.then_some(wishes),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo_fuzz::TargetSource;
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
