//! `tmin` on many inputs: one for each failure is minimized, and a table tells what came of it.
//!
//! Inputs are sorted first, so that a hundred files of one bug cost one search: that of the
//! smallest, which is the quickest and nearest to the end. `--all` minimizes each. Originals are
//! only read; results are named by the input's content, so no two of them collide.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::exit::{Exit, OrExit, Trouble};
use super::input;
use super::interrupt::Interrupt;
use super::plan::{MinimizePlan, TminPlan};
use super::sort::{Sorted, sort};
use super::tmin::minimize_one;
use crate::cargo_fuzz::Targets;
use crate::corpus::{Group, Listed};
use crate::report::{GroupResult, GroupRow, Groups, Report};
use crate::session::sort::{Failing, smallest};

/// Sorts the inputs, minimizes what stands for each failure, and tells of it.
///
/// Ends with the code of whatever was worst: interrupted, trouble with an input, an unsteady
/// result, a budget that was over, an input that doesn't fail; 0 if there was none of these.
pub fn run(
    plan: &TminPlan,
    options: &MinimizePlan,
    linked: Option<&str>,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let began = Instant::now();
    let folder = plan.output.path.as_deref();
    if let Some(folder) = folder.filter(|folder| folder.exists() && !folder.is_dir()) {
        let why = format!("{} is a file; of many inputs -o names the folder", folder.display());
        return Err(Trouble::new(Exit::Usage, why));
    }
    let inputs = input::gather(&plan.inputs, folder, report)?;
    let mut targets = Targets::new(plan.target.request(linked));
    let sorted = sort(inputs, &plan.target, &mut targets, interrupt, report)?;
    let mut exits: Vec<Exit> = sorted.trouble().into_iter().collect();
    if !sorted.passing.is_empty() {
        exits.push(Exit::DoesNotFail);
    }
    let mut rows = sorted.rows();
    for (group, row) in sorted.groups.iter().zip(&mut rows) {
        for one in chosen(group, options.all) {
            if one.input.bytes == 0 {
                report.say(&format!("{} is empty already", one.input.path.display()));
                continue;
            }
            let left = plan.total_time.map(|total| total.saturating_sub(began.elapsed()));
            match one_of_many(plan, options, one, left, interrupt, report) {
                Ok((exit, result)) => {
                    exits.push(exit);
                    row.results.extend(result);
                }
                Err(trouble) => {
                    report.passed_over(&one.input.path, &trouble.to_string(), trouble.exit as u8);
                    exits.push(trouble.exit);
                }
            }
        }
    }
    report.results(&told(&sorted, rows));
    Ok(worst(&exits))
}

fn chosen(group: &Group<Failing>, all: bool) -> Vec<&Failing> {
    if all { group.members.iter().collect() } else { vec![smallest(group)] }
}

/// Minimizes one input within what is `left` of the time for all.
fn one_of_many(
    plan: &TminPlan,
    options: &MinimizePlan,
    one: &Failing,
    left: Option<Duration>,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<(Exit, Option<GroupResult>), Trouble> {
    if let Some(exit) = interrupt.exit() {
        return Ok((exit, None));
    }
    if left.is_some_and(|left| left.is_zero()) {
        report.say(&format!("no time is left for {}", one.input.path.display()));
        return Ok((Exit::BudgetOver, None));
    }
    let mut plan = plan.clone();
    plan.budget.max_time = [plan.budget.max_time, left].into_iter().flatten().min();
    if let Some(folder) = &plan.output.path {
        fs::create_dir_all(folder)
            .or_exit(Exit::Files, || format!("failed to make {}", folder.display()))?;
    }
    let input = input::load(&one.input)?;
    let (exit, output) = minimize_one(&plan, options, &input, &one.target, interrupt, report)?;
    let bytes = fs::metadata(&output).map(|file| file.len() as usize).ok();
    Ok((exit, bytes.map(|bytes| GroupResult { output, bytes })))
}

fn told(sorted: &Sorted, rows: Vec<GroupRow>) -> Groups {
    Groups {
        rows,
        passing: sorted.passing.iter().flat_map(Listed::files).collect(),
        troubled: sorted.troubled.len(),
    }
}

/// The code that matters most.
fn worst(exits: &[Exit]) -> Exit {
    const ORDER: [Exit; 8] = [
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

/// Whether what was named is more than one file.
pub fn are_many(named: &[impl AsRef<Path>]) -> bool {
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
