//! `tmin`, from a plan to an exit code.

use std::path::PathBuf;

use super::choose::{Effort, Targets};
use super::exit::{Exit, OrExit, Trouble};
use super::hunt::{Hunting, stopped_at_once};
use super::input::{self, Input};
use super::interrupt::Interrupt;
use super::many::are_many;
use super::output::Output;
use super::plan::{IsolatePlan, TargetSource, Task, TminPlan};
use super::plan_generalize::GeneralizePlan;
use super::probe::{SHORTEST_LIMIT, no_hunt, probe};
use super::stack::Stacks;
use super::target::Opened;
use super::{generalize, isolate, many, minimize};
use crate::event::Event;
use crate::oracle::judge::Hunt;
use crate::oracle::{Oracle, Stopped};
use crate::reduce::Cause;
use crate::report::{Report, Subject};
use crate::search::DEPENDS_ON_BEFORE;
use crate::signature::{Kind, Signature};
use crate::target::NO_LEAK_CHECK;

/// Runs `tmin`. `linked` names the target that is part of this program, if there is one; the plan
/// may name another.
pub fn run(
    mut plan: TminPlan,
    linked: Option<&str>,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    plan.budget.interrupt = interrupt.flag();
    if let Task::Minimize(options) = &mut plan.task {
        options.reduction.language = plan.structure.language()?;
    }
    match &plan.task {
        Task::Minimize(options) if are_many(&plan.inputs) => {
            return many::run(&plan, options, linked, interrupt, report);
        }
        _ if plan.inputs.len() > 1 => {
            return Err(Trouble::new(Exit::Usage, "--isolate takes one input"));
        }
        _ => {}
    }
    let input = input::find(plan.inputs.first().expect("clap asks for one"))?;
    let output;
    let task = match &plan.task {
        Task::Minimize(options) => {
            output = Output::of(&plan.output, &input.path, &input.bytes)?;
            Ready::Minimize(options, &output)
        }
        Task::Isolate(isolate) => Ready::Isolate(isolate),
        Task::Generalize(generalize) => Ready::Generalize(generalize),
    };
    let mut targets = Targets::new(&plan.target, linked);
    let mut opened = targets.open(&input, interrupt, report)?;
    loop {
        match attempt(&plan, &input, task, &opened, interrupt, report)? {
            Attempt::Ended(exit) => return Ok(exit),
            Attempt::DoesNotFail(trouble) => {
                opened = targets.keener(&opened, Effort::Any, report)?.ok_or(trouble)?;
            }
        }
    }
}

/// Minimizes an input that was found to fail on `opened`; the code, and where the result is.
pub fn minimize_one(
    plan: &TminPlan,
    options: &minimize::Options,
    input: &Input,
    opened: &Opened,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<(Exit, PathBuf), Trouble> {
    let output = Output::of(&plan.output, &input.path, &input.bytes)?;
    let task = Ready::Minimize(options, &output);
    match attempt(plan, input, task, opened, interrupt, report)? {
        Attempt::Ended(exit) => Ok((exit, output.path)),
        Attempt::DoesNotFail(trouble) => Err(trouble),
    }
}

/// The options for a failure of that kind.
fn fitted(options: &minimize::Options, kind: &Kind, is_dear: bool) -> minimize::Options {
    let mut options = options.clone();
    if matches!(kind, Kind::StackOverflow | Kind::Timeout | Kind::OutOfMemory) {
        options.reduction.cause = Cause::Amount;
    }
    options.reduction.are_tests_dear |= is_dear;
    options
}

/// What is wanted, with what it needs.
#[derive(Clone, Copy)]
enum Ready<'r> {
    Minimize(&'r minimize::Options, &'r Output),
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
    opened: &Opened,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Attempt, Trouble> {
    report.begin(Subject { input: &input.path, target: &opened.name });
    if let Some(note) = &opened.note {
        report.hear(&Event::Note(note));
    }
    let doing = || format!("failed to run {}", opened.name);
    let mut oracle = Oracle::new(&*opened.target, no_hunt(), plan.jobs, plan.budget.clone())
        .or_exit(Exit::Target, doing)?;
    oracle.set_limits(plan.target.limits);
    let seen = match probe(&mut oracle, &input.bytes, &plan.target.sameness, plan.repeat) {
        Ok(seen) => seen,
        Err(Stopped::Early(_)) => return Err(stopped_at_once(interrupt)),
        Err(stopped) => return Err(stopped).or_exit(Exit::Target, doing),
    };
    let Some(quarry) = seen.quarry(&plan.target.sameness) else {
        let does_not = if seen.seen.iter().any(|(seen, _)| seen.signature().is_some()) {
            "doesn't fail as --match says"
        } else {
            "doesn't fail"
        };
        let trouble = format!(
            "{} {does_not} on {}: run {} times, it {}; {}",
            input.path.display(),
            opened.name,
            seen.runs,
            seen.what_happened(),
            match plan.target.source {
                TargetSource::Command(_) =>
                    "the command has to exit with 0 where the failure shows",
                _ => "another target (--target) or build (--binary) may show it",
            }
        );
        return Ok(Attempt::DoesNotFail(Trouble::new(Exit::DoesNotFail, trouble)));
    };
    if quarry.signature.kind == Kind::Other(NO_LEAK_CHECK.to_owned()) {
        return Err(Trouble::new(Exit::Target, NO_LEAK_CHECK));
    }
    let hunt = Hunt {
        signature: Signature::clone(&quarry.signature),
        sameness: plan.target.sameness.clone(),
    };
    oracle.set_judge(hunt.clone());
    let Some(repeats) = quarry.repeats(plan.repeat) else {
        let trouble = format!(
            "{} fails too rarely to be sure of anything: in {} of {} runs; --repeat N runs each \
             candidate N times all the same",
            input.path.display(),
            quarry.shown,
            quarry.runs
        );
        return Err(Trouble::new(Exit::Unsteady, trouble));
    };
    oracle.set_repeats(repeats);
    let is_quick = repeats.is_steady() && !quarry.uses_up() && !opened.target.is_slow();
    if is_quick {
        match oracle.try_after_others(&input.bytes) {
            Ok(true) => report.hear(&Event::Note(DEPENDS_ON_BEFORE)),
            Ok(false) => {}
            Err(Stopped::Early(_)) => return Err(stopped_at_once(interrupt)),
            Err(stopped) => return Err(stopped).or_exit(Exit::Target, doing),
        }
    }
    if plan.target.fits_time && !quarry.is_hang() {
        oracle.set_limits(seen.limits(plan.target.limits));
        oracle.let_limits_shrink(SHORTEST_LIMIT);
    }
    if !quarry.is_steady() {
        report.hear(&Event::Note(&format!(
            "the failure is unsteady: it showed in {} of {} runs; each candidate is run {} times \
             before it is refused, and up to {} before it is taken",
            quarry.shown, quarry.runs, repeats.until_gone, repeats.within
        )));
    }
    let limits = plan.target.limits;
    let stacks = Stacks::begin(opened.executable.as_deref(), &quarry.signature);
    let hunting = Hunting { input, opened, limits, hunt, quarry, repeats, stacks, interrupt };
    match task {
        Ready::Minimize(options, output) => {
            let is_dear = opened.target.is_slow() || !repeats.is_steady();
            let mut options = fitted(options, &hunting.hunt.signature.kind, is_dear);
            options.reduction.clues = plan.structure.clues(input, &opened.name);
            if options.reduction.language.is_none() {
                options.reduction.language = plan.structure.seen(input)?;
                if options.reduction.language.is_none() && plan.structure.is_shown_by_inputs() {
                    report.say("no tree (the parse takes longer than --max-parse-time)");
                }
            }
            minimize::run(&hunting, &mut oracle, &options, output, report)
        }
        Ready::Isolate(plan) => isolate::run(&hunting, &mut oracle, plan, report),
        Ready::Generalize(plan) => generalize::run(&hunting, &mut oracle, plan, report),
    }
    .map(Attempt::Ended)
}
