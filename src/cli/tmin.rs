//! `tmin`, from a plan to an exit code.

use std::path::PathBuf;

use super::ended::trouble;
use super::exit::{Exit, Trouble};
use super::input::{self, Input};
use super::interrupt::Interrupt;
use super::many::are_many;
use super::plan::{IsolatePlan, MinimizePlan, Task, TminPlan};
use super::plan_generalize::GeneralizePlan;
use super::trouble::talk;
use super::{generalize, isolate, many, minimize};
use crate::cargo_fuzz::{Effort, TargetSource, Targets};
use crate::event::Event;
use crate::report::{Report, Subject};
use crate::session::Session;
use crate::session::error::SessionError;
use crate::session::first_runs::FirstRuns;
use crate::session::saved::output::Output;
use crate::session::target::OpenTarget;

/// Runs `tmin`.
pub fn run(
    mut plan: TminPlan,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    plan.session.budget.interrupt = interrupt.flag();
    if let Task::Minimize(options) = &mut plan.task {
        options.options.reduction.language = plan.structure.language()?;
    }
    match &plan.task {
        Task::Minimize(options) if are_many(&plan.inputs) => {
            return many::run(&plan, options, interrupt, report);
        }
        _ if plan.inputs.len() > 1 => {
            return Err(Trouble::new(Exit::Usage, "--isolate takes one input"));
        }
        _ => {}
    }
    let input = input::find(plan.inputs.first().expect("clap asks for one"), &interrupt.flag())?;
    let output;
    let task = match &plan.task {
        Task::Minimize(options) => {
            output = plan.output.output(&input.path, &input.bytes)?;
            Ready::Minimize(options, &output)
        }
        Task::Isolate(isolate) => Ready::Isolate(isolate),
        Task::Generalize(generalize) => Ready::Generalize(generalize),
    };
    let mut targets = Targets::new(plan.target.clone());
    let mut opened = targets.open(&input, &interrupt.flag(), &mut talk(report))?;
    loop {
        match attempt(&plan, &input, task, &opened, interrupt, report)? {
            Attempt::Ended(exit) => return Ok(exit),
            Attempt::DoesNotFail(trouble) => {
                let stricter = targets.stricter(&opened, Effort::Any, &mut talk(report))?;
                opened = stricter.ok_or(trouble)?;
            }
        }
    }
}

/// Minimizes an input that was found to fail on `opened`; the code, and where the result is.
pub fn minimize_one(
    plan: &TminPlan,
    options: &MinimizePlan,
    input: &Input,
    opened: &OpenTarget,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<(Exit, PathBuf), Trouble> {
    let output = plan.output.output(&input.path, &input.bytes)?;
    let task = Ready::Minimize(options, &output);
    match attempt(plan, input, task, opened, interrupt, report)? {
        Attempt::Ended(exit) => Ok((exit, output.path)),
        Attempt::DoesNotFail(trouble) => Err(trouble),
    }
}

/// What is wanted, with what it needs.
#[derive(Clone, Copy)]
enum Ready<'r> {
    Minimize(&'r MinimizePlan, &'r Output),
    Isolate(&'r IsolatePlan),
    Generalize(&'r GeneralizePlan),
}

enum Attempt {
    Ended(Exit),
    DoesNotFail(Trouble),
}

/// Tries the input on one executable and, if it fails there, does what is wanted.
fn attempt(
    plan: &TminPlan,
    input: &Input,
    task: Ready<'_>,
    opened: &OpenTarget,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Attempt, Trouble> {
    report.begin(Subject { input: &input.path, target: &opened.name });
    let mut hear = |event: &Event<'_>| report.hear(event);
    let session = match Session::open(opened, &input.path, &input.bytes, &plan.session, &mut hear) {
        Ok(session) => session,
        Err(SessionError::DoesNotFail(first)) => {
            let trouble = does_not_fail(plan, input, opened, &first);
            return Ok(Attempt::DoesNotFail(trouble));
        }
        Err(error) => return Err(trouble(error, &input.path, interrupt)),
    };
    match task {
        Ready::Minimize(task, output) => {
            let mut options = task.options.clone();
            options.reduction.clues = plan.structure.clues(&input.path, &opened.name);
            if options.reduction.language.is_none() {
                options.reduction.language = plan.structure.seen(&input.bytes)?;
                if options.reduction.language.is_none() && plan.structure.is_shown_by_inputs() {
                    report.say("no tree (the parse takes longer than --max-parse-time)");
                }
            }
            minimize::run(session, &options, output, interrupt, report)
        }
        Ready::Isolate(plan) => isolate::run(session, plan, interrupt, report),
        Ready::Generalize(plan) => generalize::run(session, input, plan, interrupt, report),
    }
    .map(Attempt::Ended)
}

fn does_not_fail(
    plan: &TminPlan,
    input: &Input,
    opened: &OpenTarget,
    first: &FirstRuns,
) -> Trouble {
    let has_failed = first.seen.iter().any(|(seen, _)| seen.signature().is_some());
    let does_not = if has_failed { "doesn't fail as --match says" } else { "doesn't fail" };
    let hint = match plan.target.source {
        TargetSource::Command(_) => "the command has to exit with 0 where the failure shows",
        _ => "another target (--target) or build (--binary) may show it",
    };
    let message = format!(
        "{} {does_not} on {}: run {} times, it {}; {hint}",
        input.path.display(),
        opened.name,
        first.runs,
        first.what_happened(),
    );
    Trouble::new(Exit::DoesNotFail, message)
}
