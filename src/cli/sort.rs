//! Many inputs: on which target each belongs, whether it fails there, and which fail alike.
//!
//! Trouble with one input (its target doesn't build, the file vanished) is kept beside it and ends
//! nothing but that input's part.

use std::path::PathBuf;
use std::rc::Rc;

use super::ended::trouble;
use super::exit::{Exit, Trouble};
use super::input;
use super::interrupt::Interrupt;
use super::plan::TargetPlan;
use super::trouble::talk;
use crate::cargo_fuzz::{Effort, Input, Targets};
use crate::corpus::{Group, Inputs, Listed};
use crate::report::{GroupRow, Report, Triaged};
use crate::session::first_runs::FirstRuns;
use crate::session::sort::{Failing, Sorter, run_first, smallest};
use crate::session::target::OpenTarget;
use seedsmith_engine::oracle::budget::Budget;

/// What became of the inputs.
#[derive(Default)]
pub struct Sorted {
    /// Those that fail, by target and failure, in the order of the inputs.
    pub groups: Vec<Group<Failing>>,
    /// Those that don't fail.
    pub passing: Vec<Listed>,
    /// Those about which nothing can be said.
    pub troubled: Vec<(PathBuf, Trouble)>,
}

/// Runs every input a few times on its target and sorts them; each is told when it is known.
///
/// Costs five runs in fresh workers an input, thirty where they don't agree. Ends early only when
/// somebody asks for it.
pub fn sort(
    inputs: Inputs,
    plan: &TargetPlan,
    targets: &mut Targets,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Sorted, Trouble> {
    let mut sorted = Sorted::default();
    for one in inputs.passed_over {
        let trouble = Trouble::new(Exit::Files, format!("failed to read: {}", one.why));
        sorted.pass_over(one.path, trouble, report);
    }
    let mut sorter = Sorter::new(plan.sameness.clone());
    for listed in inputs.inputs {
        let looked = look(&listed, plan, targets, interrupt, report);
        if let Some(exit) = interrupt.exit() {
            return Err(Trouble::new(exit, "stopped before every input was looked at"));
        }
        let (opened, seen) = match looked {
            Ok(looked) => looked,
            Err(trouble) => {
                sorted.pass_over(listed.path, trouble, report);
                continue;
            }
        };
        let baseline = seen.baseline(&plan.sameness);
        report.triaged(&Triaged {
            input: &listed.path,
            copies: &listed.copies,
            target: &opened.name,
            bytes: listed.bytes,
            shown: baseline.as_ref().map_or(0, |baseline| baseline.shown),
            runs: seen.runs,
            signature: baseline.as_ref().map(|baseline| &*baseline.signature),
        });
        let Some(baseline) = baseline else {
            sorted.passing.push(listed);
            continue;
        };
        sorter.add(Failing { input: listed, target: opened, baseline });
    }
    sorted.groups = sorter.into_groups();
    Ok(sorted)
}

/// Finds an input's target and runs it there; where that shows nothing, on what cargo-fuzz built.
fn look(
    listed: &Listed,
    plan: &TargetPlan,
    targets: &mut Targets,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<(Rc<OpenTarget>, FirstRuns), Trouble> {
    let input = input::load(listed)?;
    let opened = targets.open(&input, &interrupt.flag(), &mut talk(report))?;
    let seen = run(&opened, &input, plan, interrupt)?;
    if seen.baseline(&plan.sameness).is_none()
        && let Some(sanitized) = targets.stricter(&opened, Effort::AtHand, &mut talk(report))?
    {
        let again = run(&sanitized, &input, plan, interrupt)?;
        if again.baseline(&plan.sameness).is_some() {
            return Ok((sanitized, again));
        }
    }
    Ok((opened, seen))
}

fn run(
    opened: &OpenTarget,
    input: &Input,
    plan: &TargetPlan,
    interrupt: &Interrupt,
) -> Result<FirstRuns, Trouble> {
    let budget = Budget { interrupt: interrupt.flag(), ..Budget::default() };
    run_first(opened, &input.bytes, &plan.sameness, plan.limits, budget)
        .map_err(|error| trouble(error, &input.path, interrupt))
}

impl Sorted {
    fn pass_over(&mut self, path: PathBuf, trouble: Trouble, report: &mut Report) {
        report.passed_over(&path, &trouble.to_string(), trouble.exit as u8);
        self.troubled.push((path, trouble));
    }

    /// The code of the first trouble, if there was any.
    pub fn trouble(&self) -> Option<Exit> {
        self.troubled.first().map(|(_, trouble)| trouble.exit)
    }

    /// The groups as rows of a table.
    pub fn rows(&self) -> Vec<GroupRow> {
        self.groups.iter().map(row).collect()
    }
}

fn row(group: &Group<Failing>) -> GroupRow {
    let smallest = &smallest(group).input;
    GroupRow {
        target: group.members[0].target.name.clone(),
        signature: group.signature.clone(),
        inputs: group.members.iter().flat_map(|one| one.input.files()).collect(),
        smallest: smallest.path.clone(),
        smallest_bytes: smallest.bytes,
        is_steady: group.members.iter().all(|one| one.baseline.is_steady()),
        results: Vec::new(),
    }
}
