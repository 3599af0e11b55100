//! `repair`, from a plan to an exit code: what happens to each result of a run.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::exit::{Exit, OrExit, Trouble};
use super::input;
use super::interrupt::Interrupt;
use super::repair_plan::RepairPlan;
use super::repair_sink::Sink;
use super::repair_source::{self, trouble};
use crate::corpus::PassedOver;
use crate::report::Report;
use crate::session::repair::{RepairInput, RepairResult, RepairStatus, RunEnd, repair_all};
use crate::session::saved::by_catch::ByCatchFolder;
use seedsmith_engine::signature::Signature;

/// Runs `repair`. `linked` names the function that is part of this program, if there is one.
pub fn run(
    plan: &RepairPlan,
    linked: Option<&str>,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let started = Instant::now();
    let is_single = matches!(plan.inputs.as_slice(), [one] if !one.is_dir());
    let sink = Sink::new(plan, is_single)?;
    let gathered = input::gather(&plan.inputs, plan.output.as_deref(), report)?;
    let mut receiver = Receiver::new(plan, sink);
    for one in &gathered.passed_over {
        receiver.pass_over(one, report);
    }
    let Some(first) = gathered.inputs.first() else {
        return Err(Trouble::new(Exit::Files, "none of the inputs can be read"));
    };
    let mut options = plan.run_options(interrupt)?;
    let source = repair_source::find(plan, linked, first, interrupt, report)?;

    // Building the validator counts as part of the run's time.
    let before = started.elapsed();
    options.max_total = options.max_total.map(|total| total.saturating_sub(before));
    let inputs: Vec<RepairInput> = gathered.inputs.iter().map(RepairInput::from).collect();
    let mut failed = None;
    let end = repair_all(&source, &inputs, &options, &mut |answer| {
        let taken = match answer {
            Ok(result) => receiver.take(result, report),
            Err(one) => {
                receiver.pass_over(&one, report);
                Ok(())
            }
        };
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(trouble) => {
                failed = Some(trouble);
                ControlFlow::Break(())
            }
        }
    });
    let RunEnd { mut totals, doubt } = end.map_err(|error| trouble(error, plan))?;
    if let Some(trouble) = failed {
        return Err(trouble);
    }
    totals.elapsed += before;
    totals.written = receiver.sink.written();
    let worst = receiver.worst();
    if let Some(error) = receiver.by_catch.and_then(|folder| folder.finish(&[]).1) {
        return Err(error).or_exit(Exit::Files, || "failed to write the by-catch".to_owned());
    }
    receiver.sink.finish(&totals)?;
    report.repairs(&totals, is_single);
    match doubt {
        Some(error) => Err(trouble(error, plan)),
        None => Ok(interrupt.exit().or(worst).unwrap_or(Exit::Done)),
    }
}

/// Writes and reports results, and remembers how the program has to end.
struct Receiver<'p> {
    plan: &'p RepairPlan,
    sink: Sink,
    /// The worst end of a repair.
    worst: Option<Exit>,
    has_passed_over: bool,
    by_catch: Option<ByCatchFolder>,
    /// The file of each failure; a failure of many inputs is kept once.
    caught: HashMap<Arc<Signature>, PathBuf>,
}

impl<'p> Receiver<'p> {
    fn new(plan: &'p RepairPlan, sink: Sink) -> Self {
        Receiver {
            plan,
            sink,
            worst: None,
            has_passed_over: false,
            by_catch: None,
            caught: HashMap::new(),
        }
    }

    /// The code to end with, if it isn't the one for success.
    fn worst(&self) -> Option<Exit> {
        self.worst.or(self.has_passed_over.then_some(Exit::Files))
    }

    fn pass_over(&mut self, one: &PassedOver, report: &mut Report) {
        self.has_passed_over = true;
        report.passed_over(&one.path, &one.why, Exit::Files as u8);
    }

    fn take(&mut self, result: RepairResult, report: &mut Report) -> Result<(), Trouble> {
        let RepairResult { mut row, input, text, by_catch, .. } = result;
        if !by_catch.is_empty() {
            let beside = self.plan.output.clone().unwrap_or_else(|| row.input.clone());
            let folder = self.by_catch.get_or_insert_with(|| ByCatchFolder::beside(&beside));
            for caught in by_catch {
                let path = self.caught.entry(caught.signature.clone());
                let path = path.or_insert_with(|| folder.add(&caught.signature, &caught.input));
                row.by_catch.push(path.clone());
            }
        }
        if let Some(text) = &text {
            row.output = self.sink.write(text)?;
        }
        self.sink.show(&row, &input, text.as_deref())?;
        self.worst = match (row.stopped, row.status) {
            (Some(_), _) => Some(Exit::BudgetOver),
            (None, RepairStatus::NotRepaired) => self.worst.or(Some(Exit::DoesNotFail)),
            _ => self.worst,
        };
        report.repaired(&row);
        match &text {
            Some(text) if self.plan.diagnoses => report.diagnosis(&row, &input, text),
            Some(text) if self.sink.is_stdout() && !self.plan.tell.json => report.hand_over(text),
            _ => {}
        }
        Ok(())
    }
}
