//! `triage`, from a plan to an exit code: is it fixed?

use super::exit::{Exit, Trouble};
use super::input;
use super::interrupt::Interrupt;
use super::plan::TriagePlan;
use super::sort::sort;
use crate::cargo_fuzz::Targets;
use crate::corpus::Listed;
use crate::report::{Groups, Report};

/// Runs `triage`.
pub fn run(plan: &TriagePlan, interrupt: &Interrupt, report: &mut Report) -> Result<Exit, Trouble> {
    let inputs = input::gather(&plan.inputs, None, report)?;
    let mut targets = Targets::new(plan.target.request(None));
    let sorted = sort(inputs, &plan.target, &mut targets, interrupt, report)?;
    report.groups(&Groups {
        rows: sorted.rows(),
        passing: sorted.passing.iter().flat_map(Listed::files).collect(),
        troubled: sorted.troubled.len(),
    });
    Ok(match sorted.trouble() {
        Some(exit) => exit,
        None if sorted.groups.is_empty() => Exit::Done,
        None => Exit::DoesNotFail,
    })
}
