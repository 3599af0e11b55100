//! `tmin` on many inputs: one for each failure is minimized, and a table lists the results.
//!
//! Inputs are sorted first, so that a hundred files of one bug cost one search: that of the
//! smallest, which is the quickest and nearest to the end. `--all` minimizes each. Originals are
//! only read; inputs of one name in several folders have results of different names.

use crate::event::{Event, FailureGroups, GroupResult, Reporter, TriagedInput};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cargo_fuzz::input;
use crate::cargo_fuzz::{LookError, Targets};
use crate::cli::commands::tmin::attempt::{HANG_HINT, minimize_one};
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::emit_test::write_of_targets;
use crate::cli::outputs::page::add_minimized;
use crate::cli::plans::tmin::{Task, TminPlan};
use crate::cli::session_end::trouble;
use crate::cli::trouble::talk;
use crate::corpus::findings::expects_hang;
use crate::corpus::{Inputs, Listed};
use crate::regression::Case;
use crate::report::Reporters;
use crate::session;
use crate::session::corpora::{ShardFailures, keep_shard};
use crate::session::saved::test::check_test;
use crate::session::sort::{Failing, Sorted, Sorting, Turn, turns};

/// Sorts the inputs by failure, minimizes the smallest of each failure, and reports a table.
///
/// Ends with the code of whatever was worst: interrupted, trouble with an input, an unsteady
/// result, a budget that was over, an input that doesn't fail; 0 if there was none of these.
///
/// The trouble with one input is reported and does not end the command. With `--emit-test` the test is
/// written last, from the results on disk.
///
/// # Errors
///
/// `-o` names a file, no input is found, a signal came while the inputs were sorted, or the regression test
/// cannot be written.
pub(crate) fn run(
    plan: &TminPlan,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let deadline = plan.total_time.and_then(|total| Instant::now().checked_add(total));
    let folder = plan.output.path.as_deref();
    if let Some(folder) = folder.filter(|folder| folder.exists() && !folder.is_dir()) {
        let why = format!("{} is a file; with several inputs -o names a folder", folder.display());
        return Err(Trouble::new(Exit::Usage, why));
    }
    let mut inputs = input::gather(&plan.inputs, folder, &interrupt.flag(), &mut talk(report))?;
    let mut plan = plan.clone();
    let emitted = plan.emit_test.take();
    let files: Vec<PathBuf> = inputs.inputs.iter().flat_map(Listed::files).collect();
    plan.output.shared_names = Arc::new(shared_names(&files));
    plan.output.originals = Arc::new(plan.output.originals.and(files));
    let plan = &plan;
    let places = plan.shard.map(|shard| (shard, keep_shard(&mut inputs, shard)));
    if let Some(path) = &emitted {
        check_test(path, &plan.output.originals)?;
    }
    let place = (&*plan.output.originals, plan.output.may_replace);
    add_minimized(plan.html.as_deref(), place, true, report)?;
    let mut targets = Targets::new(plan.target.clone());
    let (sorted, trouble) = sort(inputs, &mut targets, interrupt, report)?;
    let mut exits: Vec<Exit> = trouble.into_iter().collect();
    if !sorted.passing.is_empty() {
        exits.push(Exit::DoesNotFail);
    }
    let mut told = FailureGroups::of(&sorted);
    let mut results = HashMap::new();
    let flag = interrupt.flag();
    for (at, one, turn) in turns(&sorted.groups, plan.all, deadline, &flag) {
        let path = &one.input.path;
        match turn {
            Turn::Empty => report.say(&format!("{} is empty already", path.display())),
            Turn::Interrupted => exits.push(interrupt.exit().unwrap_or(Exit::Interrupted)),
            Turn::NoTimeLeft => {
                report.say(&format!("no time is left for {}", path.display()));
                exits.push(Exit::BudgetOver);
            }
            Turn::Minimize(left) => match one_of_many(plan, one, left, interrupt, report) {
                Ok((exit, result)) => {
                    exits.push(exit);
                    if let Some(result) = &result {
                        results.insert(one.input.sha1.clone(), result.clone());
                    }
                    told.rows[at].results.extend(result);
                }
                Err(trouble) => {
                    exits.push(pass_over(path, &trouble, report));
                    // A result that could not be written ended its search, and no other.
                    interrupt.forget_all_but_signals();
                }
            },
        }
    }
    report.report(&Event::GroupsMinimized(&told));
    if let (Some((shard, places)), Some(folder), None) =
        (&places, &plan.output.path, interrupt.exit())
    {
        let rule = &plan.target.sameness.rule;
        let found = ShardFailures::of(places, (rule, plan.all), &sorted, &results);
        found
            .write(folder, *shard, "tmin")
            .or_exit(Exit::Files, || format!("failed to write to {}", folder.display()))?;
    }
    if let Some(path) = &emitted {
        let mut cases = Vec::new();
        for (at, row) in told.rows.iter().enumerate() {
            for (number, result) in row.results.iter().enumerate() {
                cases.push(Case {
                    name: format!("failure_{}_input_{}_is_handled", at + 1, number + 1),
                    about: row.signature.to_string(),
                    input: input::read(&result.output, &interrupt.flag())?,
                });
            }
        }
        report.say(&write_of_targets(path, &sorted.groups, cases, &plan.output.originals)?);
    }
    Ok(worst(&exits))
}

/// Runs every input on its target and reports each; with the code of the first trouble, if there was
/// any.
///
/// It is the first half of `tmin` on many inputs, and all of `triage`.
///
/// Costs five runs of each input on each executable that is tried, and thirty where they do not agree. Fails
/// only if a signal came.
pub(crate) fn sort(
    inputs: Inputs,
    targets: &mut Targets,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<(Sorted, Option<Exit>), Trouble> {
    let flag = interrupt.flag();
    let mut first = None;
    let sameness = targets.request().sameness.clone();
    let mut look = |one: &Listed, reporter: &mut dyn Reporter| targets.look(one, &flag, reporter);
    let sorted = session::sort::sort(inputs, &sameness, &flag, &mut look, &mut |one| match one {
        Sorting::Event(event) => talk(report)(event),
        Sorting::Looked { input, target, runs, baseline } => {
            if baseline.is_none() && expects_hang(&input.path) {
                report.say(&format!("{} doesn't fail; {HANG_HINT}", input.path.display()));
            }
            report.report(&Event::Triaged(&TriagedInput::of(input, target, runs, baseline)));
        }
        Sorting::Unreadable(one) => {
            let trouble = Trouble::new(Exit::Files, format!("failed to read: {}", one.why));
            first.get_or_insert(pass_over(&one.path, &trouble, report));
        }
        Sorting::PassedOver { path, error } => {
            let trouble = match error {
                LookError::Input(error) => error.into(),
                LookError::Target(error) => error.into(),
                LookError::Session(error) => trouble(error, path, interrupt),
            };
            first.get_or_insert(pass_over(path, &trouble, report));
        }
    });
    let stopped = |error| Trouble::new(interrupt.exit().unwrap_or(Exit::Interrupted), error);
    Ok((sorted.map_err(stopped)?, first))
}

/// Reports the trouble with one of many inputs. The command continues with the others.
///
/// The returned code is that of the trouble.
fn pass_over(path: &Path, trouble: &Trouble, report: &mut Reporters) -> Exit {
    let (why, exit) = (&trouble.to_string(), trouble.exit as u8);
    report.report(&Event::PassedOver { input: path, why, exit });
    trouble.exit
}

/// Minimizes one input within the time that is `left` for all.
///
/// An earlier run is resumed only if there is one for this input: with many, some have ended and
/// some have not begun.
///
/// The limit is the smaller of `--max-time` and `left`. The folder of `-o` is created here if it is missing.
/// The second value is `None` if the size of the result cannot be read.
fn one_of_many(
    plan: &TminPlan,
    one: &Failing,
    left: Option<Duration>,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<(Exit, Option<GroupResult>), Trouble> {
    let mut plan = plan.clone();
    let max_time = &mut plan.session.budget.max_time;
    *max_time = [*max_time, left].into_iter().flatten().min();
    if let Some(folder) = &plan.output.path {
        fs::create_dir_all(folder)
            .or_exit(Exit::Files, || format!("failed to make {}", folder.display()))?;
    }
    let input = input::load(&one.input, &interrupt.flag())?;
    if plan.output.resumes && !plan.output.can_resume(&input.path, &input.bytes) {
        report.say(&format!("nothing to resume for {}", input.path.display()));
        plan.output.resumes = false;
        if let Task::Minimize(options) = &mut plan.task {
            options.resumes = false;
        }
    }
    let (exit, output) = minimize_one(&plan, &input, &one.target, interrupt, report)?;
    let bytes = fs::metadata(&output).map(|file| file.len() as usize).ok();
    Ok((exit, bytes.map(|bytes| GroupResult { output, bytes })))
}

/// Names that several files have, in different folders.
///
/// Their results go to one folder, so the names of these need a digest of the content.
/// Only the last part of each path is compared.
fn shared_names(files: &[PathBuf]) -> HashSet<OsString> {
    let mut seen = HashSet::new();
    let names = files.iter().filter_map(|path| path.file_name());
    names.filter(|name| !seen.insert(*name)).map(ToOwned::to_owned).collect()
}

/// The code that matters most.
///
/// A signal counts most, because it ended the run. Then come troubles that a user has to mend, and
/// last an input that does not fail.
/// The code is 0 if `exits` is empty or has only codes for success.
fn worst(exits: &[Exit]) -> Exit {
    const ORDER: [Exit; 9] = [
        Exit::HungUp,
        Exit::Interrupted,
        Exit::Terminated,
        Exit::Files,
        Exit::Target,
        Exit::Usage,
        Exit::Unsteady,
        Exit::BudgetOver,
        Exit::DoesNotFail,
    ];
    ORDER.into_iter().find(|exit| exits.contains(exit)).unwrap_or(Exit::Done)
}

/// Whether a command line names more than one file.
///
/// A folder counts as many even if one file is in it, so that a script gets the same report each
/// time.
/// `--gdb` is refused for many inputs.
pub(crate) fn are_many(named: &[impl AsRef<Path>]) -> bool {
    named.len() > 1 || named.iter().any(|one| one.as_ref().is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_code_counts() {
        assert_eq!(worst(&[]), Exit::Done);
        assert_eq!(worst(&[Exit::Done, Exit::DoesNotFail]), Exit::DoesNotFail);
        assert_eq!(worst(&[Exit::DoesNotFail, Exit::BudgetOver]), Exit::BudgetOver);
        assert_eq!(worst(&[Exit::Files, Exit::Interrupted, Exit::Done]), Exit::Interrupted);
    }
}
