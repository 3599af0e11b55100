//! `tmin`, from a plan to an exit code.

pub(crate) mod as_one;
pub(crate) mod attempt;
pub(crate) mod debugger;
pub(crate) mod generalize;
pub(crate) mod isolate;
mod keep;
pub(crate) mod many;
pub(crate) mod minimize;
pub(crate) mod two_builds;

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::Path;

use crate::cargo_fuzz::reproduce::debugged::Debugged;
use crate::cargo_fuzz::{Effort, Targets, input};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::page::add_minimized;
use crate::cli::plans::tmin::{Task, TminPlan};
use crate::cli::trouble::talk;
use crate::report::Reporters;
use attempt::attempt;
use many::are_many;

/// The INPUT that is standard input.
///
/// It has no name, so its result needs `-o`.
const STANDARD_INPUT: &str = "-";

/// Runs `tmin`; the code, and the process that shows the failure of the one result.
///
/// 1. The input is found and read, and the places of all files are checked.
/// 2. If cargo-fuzz has left a fresh executable, the search begins on it while the build without a sanitizer
///    runs.
/// 3. Otherwise the target is built and opened, and the input is tried on stricter and stricter builds until
///    it fails.
///
/// The process is `None` after an isolation or a generalization, with many inputs, with `--as-one`, and for a
/// target that cannot be started with one file.
///
/// # Errors
///
/// The input cannot be read, a place is refused, the target cannot be found, built or run, or the input does
/// not fail on any build. The last message is that of the strictest build.
pub(crate) fn run(
    mut plan: TminPlan,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<(Exit, Option<Debugged>), Trouble> {
    plan.session.budget.interrupt = interrupt.flag();
    match &mut plan.task {
        Task::Minimize(options) => {
            options.reduction.language = plan.structure.language()?;
            if plan.as_one {
                return as_one::run(&plan, interrupt, report).map(|exit| (exit, None));
            }
            if plan.keep.is_some()
                && (are_many(&plan.inputs) || plan.inputs == [Path::new(STANDARD_INPUT)])
            {
                let why = "--keep takes one file; `seedsmith shrink-corpus` shrinks a folder";
                return Err(Trouble::new(Exit::Usage, why));
            }
            if plan.shard.is_some() || are_many(&plan.inputs) {
                return many::run(&plan, interrupt, report).map(|exit| (exit, None));
            }
        }
        _ if plan.inputs.len() > 1 => {
            return Err(Trouble::new(Exit::Usage, "--isolate takes one input"));
        }
        _ => {}
    }
    let named = plan.inputs.first().expect("clap asks for one");
    let input = if named.as_os_str() == STANDARD_INPUT {
        if matches!(&plan.task, Task::Minimize(_)) && plan.output.path.is_none() {
            return Err(Trouble::new(
                Exit::Usage,
                "the result of standard input needs a name: -o FILE",
            ));
        }
        if std::io::stdin().is_terminal() {
            let why = "- is standard input, which is a terminal here; pipe an input into tmin";
            return Err(Trouble::new(Exit::Usage, why));
        }
        input::standard_input(&interrupt.flag())?
    } else {
        input::find(named, &interrupt.flag())?
    };
    let output = match &plan.task {
        Task::Minimize(_) => Some(plan.output.output(&input.path, &input.bytes)?),
        Task::Generalize(task) => {
            task.check_places(&plan.output.originals.and([input.path.clone()]))?;
            None
        }
        Task::Isolate(_) => None,
    };
    if let Some(output) = &output {
        let place = (&*output.originals, output.may_replace);
        add_minimized(plan.html.as_deref(), place, false, report)?;
    }
    if let Some(keep) = &plan.keep {
        let opened = keep::open(keep, &plan, &input, interrupt, report)?;
        return match attempt(&plan, &input, output.as_ref(), &opened, interrupt, report)? {
            ControlFlow::Break(exit) => Ok((exit, None)),
            ControlFlow::Continue(trouble) => Err(trouble),
        };
    }
    let mut targets = Targets::new(plan.target.clone());
    if let (Task::Minimize(options), Some(output)) = (&plan.task, &output) {
        let existing = targets.existing(&input, &mut talk(report))?;
        if let Some(existing) = existing {
            let plan = (&plan, options);
            let ended = two_builds::run(plan, &input, output, &existing, interrupt, report)?;
            if let ControlFlow::Break(ended) = ended {
                return Ok(ended);
            }
        }
    }
    let mut opened = targets.open(&input, &interrupt.flag(), &mut talk(report))?;
    loop {
        match attempt(&plan, &input, output.as_ref(), &opened, interrupt, report)? {
            ControlFlow::Break(exit) => {
                let result = output.as_ref().map(|output| output.path.as_path());
                return Ok((exit, result.and_then(|path| Debugged::of(&opened.origin, path))));
            }
            ControlFlow::Continue(trouble) => {
                let stricter = targets.stricter(&opened, Effort::Any, &mut talk(report))?;
                opened = stricter.ok_or(trouble)?;
            }
        }
    }
}
