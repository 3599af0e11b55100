//! Many inputs: on which target each belongs, whether it fails there, and which fail alike.
//!
//! Trouble with one input (its target doesn't build, the file vanished) is kept beside it and ends
//! nothing but that input's part.

use std::path::PathBuf;
use std::rc::Rc;

use super::ended::stopped_at_once;
use super::exit::{Exit, OrExit, Trouble};
use super::input;
use super::interrupt::Interrupt;
use super::plan::TargetPlan;
use super::trouble::talk;
use crate::cargo_fuzz::{Effort, Targets};
use crate::corpus::{Group, Grouping, Inputs, Listed};
use crate::report::{GroupRow, Report, Triaged};
use crate::session::first_runs::{Baseline, FirstRuns, first_runs, no_hunt};
use crate::session::target::OpenTarget;
use seedsmith_engine::oracle::budget::Budget;
use seedsmith_engine::oracle::repeats::Repeat;
use seedsmith_engine::oracle::{Oracle, Stopped};

/// An input that fails.
#[derive(Clone)]
pub struct Failing {
    /// The input.
    pub input: Listed,
    /// On what it fails.
    pub opened: Rc<OpenTarget>,
    /// How, and how steadily.
    pub baseline: Baseline,
}

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
    // By target: all frames of a group are of one executable.
    let mut groupings: Vec<(PathBuf, Grouping<Failing>)> = Vec::new();
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
        let key = opened.executable.clone().unwrap_or_else(|| PathBuf::from(&opened.name));
        let known = groupings.iter().position(|(known, _)| *known == key);
        let at = known.unwrap_or_else(|| {
            groupings.push((key, Grouping::new(plan.sameness.clone())));
            groupings.len() - 1
        });
        let signature = baseline.signature.clone();
        groupings[at].1.add(&signature, Failing { input: listed, opened, baseline });
    }
    sorted.groups =
        groupings.into_iter().flat_map(|(_, grouping)| grouping.into_groups()).collect();
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
    let seen = run(&opened, &input.bytes, plan, interrupt)?;
    if seen.baseline(&plan.sameness).is_none()
        && let Some(sanitized) = targets.stricter(&opened, Effort::AtHand, &mut talk(report))?
    {
        let again = run(&sanitized, &input.bytes, plan, interrupt)?;
        if again.baseline(&plan.sameness).is_some() {
            return Ok((sanitized, again));
        }
    }
    Ok((opened, seen))
}

fn run(
    opened: &OpenTarget,
    bytes: &[u8],
    plan: &TargetPlan,
    interrupt: &Interrupt,
) -> Result<FirstRuns, Trouble> {
    let doing = || format!("failed to run {}", opened.name);
    let budget = Budget { interrupt: interrupt.flag(), ..Budget::default() };
    let mut oracle =
        Oracle::new(&*opened.target, no_hunt(), 1, budget).or_exit(Exit::Target, doing)?;
    oracle.set_limits(plan.limits);
    match first_runs(&mut oracle, bytes, &plan.sameness, Repeat::Auto) {
        Ok(seen) => Ok(seen),
        Err(Stopped::Early(_)) => Err(stopped_at_once(interrupt)),
        Err(stopped) => Err(stopped).or_exit(Exit::Target, doing),
    }
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

/// The input of a group that stands for the others: the smallest, and of equals the first by
/// place in the list. It is the quickest to minimize, and nearest to what comes of it.
pub fn smallest(group: &Group<Failing>) -> &Failing {
    let members = group.members.iter();
    members.min_by_key(|one| one.input.bytes).expect("a group begins with a member")
}

fn row(group: &Group<Failing>) -> GroupRow {
    let smallest = &smallest(group).input;
    GroupRow {
        target: group.members[0].opened.name.clone(),
        signature: group.signature.clone(),
        inputs: group.members.iter().flat_map(|one| one.input.files()).collect(),
        smallest: smallest.path.clone(),
        smallest_bytes: smallest.bytes,
        is_steady: group.members.iter().all(|one| one.baseline.is_steady()),
        results: Vec::new(),
    }
}
