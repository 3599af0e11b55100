//! `triage`, from a plan to an exit code: is it fixed?

use super::exit::{Exit, Trouble};
use super::interrupt::Interrupt;
use super::many::sort;
use super::plan::TriagePlan;
use super::trouble::talk;
use crate::cargo_fuzz::Targets;
use crate::cargo_fuzz::input;
use crate::report::{Groups, Report};

/// Runs `triage`.
pub fn run(plan: &TriagePlan, interrupt: &Interrupt, report: &mut Report) -> Result<Exit, Trouble> {
    let inputs = input::gather(&plan.inputs, None, &interrupt.flag(), &mut talk(report))?;
    let mut targets = Targets::new(plan.target.clone());
    let (sorted, trouble) = sort(inputs, &mut targets, interrupt, report)?;
    report.groups(&Groups::of(&sorted));
    Ok(match trouble {
        Some(exit) => exit,
        None if sorted.groups.is_empty() => Exit::Done,
        None => Exit::DoesNotFail,
    })
}
