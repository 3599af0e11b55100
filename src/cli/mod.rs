//! The command line. Only this layer knows options, signals and exit codes.
//!
//! A program is: options as typed (`arguments`), options as meant (`plans`), a command (`commands`),
//! and an exit code (`exit`). `session` does the task, `cargo_fuzz`
//! finds, builds and opens the target, and `report` prints. `trouble` and `ended` turn
//! the errors of these layers into exit codes, and name the options that help.

mod arguments;
mod command_line;
mod commands;
mod exit;
mod interrupt;
mod invocation;
mod libfuzzer;
mod outputs;
mod plans;
mod session_end;
mod trouble;
mod variables;

use crate::event::{AppliedSettings, Event, Reporter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use crate::report::{Color, ReportOptions, Reporters};
use arguments::generalize::GeneralizeArgs;
use arguments::grammar::GrammarArgs;
use arguments::repair::RepairArgs;
use arguments::tmin::TminArgs;
use arguments::triage::TriageArgs;
use command_line::Typed;
use exit::{Exit, Trouble};
use interrupt::{Interrupt, STOPPED_EARLY};
use invocation::Called;
use plans::repair::RepairPlan;
use plans::tmin::TminPlan;
use plans::triage::TriagePlan;
use plans::wish::Wish;

use seedsmith_engine::IntoVerdict;
use seedsmith_engine::internal::linked;

/// The program that the zeroth argument names: `seedsmith`, `cargo-seedsmith`, `seedsmith-libfuzzer`
/// or, under any other name, `tmin`.
///
/// `tmin` is the only executable that has code in it. The others are small and start it under their
/// own names (`src/bin/launcher`), and a symbolic link of such a name does the same.
pub fn main() -> ExitCode {
    let named = std::env::args_os().next().unwrap_or_default();
    match invocation::file_name(&named) {
        Some("seedsmith") => seedsmith_main(),
        Some("cargo-seedsmith") => commands::run(Called::CargoSeedsmith, std::env::args_os()),
        Some("seedsmith-libfuzzer") => libfuzzer::main(),
        _ => tmin_main(),
    }
}

/// `tmin`: a whole program. It finds, builds and runs the target that its input belongs to.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     seedsmith::cli::tmin_main()
/// }
/// ```
pub fn tmin_main() -> ExitCode {
    run_tmin(invocation::parse(arguments::tmin::USAGE, false), None)
}

/// `tmin` for one function of this very program, under the `name` of its fuzz target.
///
/// The quickest way: nothing is built, and a panic costs microseconds. It has to be the first
/// thing in `main`, because workers are this program again. Options that name a target
/// (`--target`, `--fuzz-dir`, `--binary`, `-- COMMAND`) put the function aside.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     seedsmith::cli::tmin_linked("parse", |bytes| {
///         let _ = std::str::from_utf8(bytes).map(str::parse::<f64>);
///     })
/// }
/// ```
pub fn tmin_linked<R: IntoVerdict>(name: &str, body: impl Fn(&[u8]) -> R) -> ExitCode {
    linked::serve(body);
    run_tmin(invocation::parse(arguments::tmin::USAGE, true), Some(name))
}

/// `seedsmith repair` for one function of this very program, which says whether an input is valid:
/// `Corpus::Reject` (or [`Verdict::Reject`](seedsmith_engine::Verdict::Reject)) is invalid.
///
/// The quickest way; see [`tmin_linked`] for its requirements on `main`.
///
/// ```no_run
/// use seedsmith_engine::Verdict;
///
/// fn main() -> std::process::ExitCode {
///     seedsmith::cli::repair_linked("utf8", |bytes| match std::str::from_utf8(bytes) {
///         Ok(_) => Verdict::Keep,
///         Err(_) => Verdict::Reject,
///     })
/// }
/// ```
pub fn repair_linked<R: IntoVerdict>(name: &str, body: impl Fn(&[u8]) -> R) -> ExitCode {
    linked::serve(body);
    run_repair(invocation::parse(arguments::repair::USAGE, true), Some(name))
}

/// `seedsmith`: a whole program with every command of this package as a subcommand.
pub fn seedsmith_main() -> ExitCode {
    commands::run(Called::Seedsmith, std::env::args_os())
}

/// `tmin` from typed options to an exit code. A debugger, if one is asked for, takes the place of
/// this process after everything else has ended.
fn run_tmin(typed: Typed<TminArgs>, linked: Option<&str>) -> ExitCode {
    let Typed { args, settled } = typed;
    let checked = arguments::without_effect::check_tmin(&args);
    let debugger = args.gdb.then(|| args.debugger.clone());
    let plan = TminPlan::new(args, linked);
    let (tell, max_time) = (plan.tell, plan.session.budget.max_time);
    let mut start = None;
    let exit = guarded("tmin", tell, max_time, |interrupt, report| {
        report_settings(report, settled?.as_ref());
        checked?;
        if let Some(wishes) = &plan.view {
            *report = outputs::view::reporters(tell, wishes)?;
        }
        if debugger.is_some() && commands::tmin::many::are_many(&plan.inputs) {
            return Err(Trouble::new(Exit::Usage, "--gdb takes one input"));
        }
        let (exit, debugged) = commands::tmin::run(plan, interrupt, report)?;
        let has_result = matches!(exit, Exit::Done | Exit::BudgetOver);
        if let (true, Some(named), Some(debugged)) = (has_result, debugger, debugged) {
            start = commands::tmin::debugger::choose(named.as_deref(), &debugged, report);
        }
        Ok(exit)
    });
    match start {
        // Everything that was held for the search is released by now.
        Some(start) if matches!(exit, Exit::Done | Exit::BudgetOver) => {
            guarded("tmin", tell, None, |_, _| Err(start.become_debugger())).into()
        }
        _ => exit.into(),
    }
}

/// `repair` from typed options to an exit code.
fn run_repair(typed: Typed<RepairArgs>, linked: Option<&str>) -> ExitCode {
    let Typed { args, settled } = typed;
    let checked = arguments::without_effect::check_repair(&args);
    let plan = RepairPlan::new(args, linked);
    guarded("repair", plan.tell, None, |interrupt, report| {
        report_settings(report, settled?.as_ref());
        checked?;
        commands::repair::run(&plan, interrupt, report)
    })
    .into()
}

/// `generalize` from typed options to an exit code. It minimizes as `tmin` does, checks a folder as
/// `triage` does, or only makes inputs.
fn run_generalize(typed: Typed<GeneralizeArgs>) -> ExitCode {
    let Typed { args, settled } = typed;
    let checked = arguments::without_effect::check_generalize(&args);
    let (tell, max_time) = (ReportOptions::from(&args.tell), args.max_time);
    guarded("generalize", tell, max_time, |interrupt, report| {
        report_settings(report, settled?.as_ref());
        let wish = Wish::new(args, tell)?;
        checked?;
        match wish {
            Wish::Generalize(plan) => {
                commands::tmin::run(*plan, interrupt, report).map(|(exit, _)| exit)
            }
            Wish::Verify(plan) => commands::triage::run(&plan, interrupt, report),
            Wish::Produce { pattern, language, seed, produced: (count, folder) } => {
                commands::tmin::generalize::produce(
                    &pattern,
                    &language,
                    seed,
                    (count, &folder),
                    report,
                )
            }
        }
    })
    .into()
}

/// `triage` from typed options to an exit code.
fn run_triage(typed: Typed<TriageArgs>) -> ExitCode {
    let Typed { args, settled } = typed;
    let plan = TriagePlan::from(args);
    guarded("triage", plan.tell, None, |interrupt, report| {
        report_settings(report, settled?.as_ref());
        commands::triage::run(&plan, interrupt, report)
    })
    .into()
}

/// `grammar` from typed options to an exit code.
fn run_grammar(args: &GrammarArgs) -> ExitCode {
    let tell = ReportOptions {
        json: args.json,
        color: Color::from(&args.color),
        ..ReportOptions::default()
    };
    guarded("grammar", tell, None, |interrupt, report| {
        commands::grammar::run(args, interrupt, report)
    })
    .into()
}

/// Runs a command that has no input and runs no target.
fn run_written(
    name: &'static str,
    body: impl FnOnce(&mut Reporters) -> Result<Exit, Trouble>,
) -> ExitCode {
    guarded(name, ReportOptions::default(), None, |_, report| body(report)).into()
}

/// Reports which settings of a file apply, if there are any.
fn report_settings(report: &mut Reporters, applied: Option<&AppliedSettings>) {
    if let Some(applied) = applied {
        report.report(&Event::Settings(applied));
    }
}

/// Whether a service for continuous integration runs this: all of them set `CI`.
fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Runs the body of the program `name`; trouble, signals and our own bugs end as exit codes.
fn guarded(
    name: &'static str,
    tell: ReportOptions,
    max_time: Option<Duration>,
    body: impl FnOnce(&Interrupt, &mut Reporters) -> Result<Exit, Trouble>,
) -> Exit {
    let report =
        &mut Reporters::new(name, ReportOptions { logs_progress: is_ci(), ..tell }, max_time);
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let interrupt = Interrupt::install(name, tell)?;
        commands::warn_of_variables(report);
        body(&interrupt, report).map_err(|trouble| match interrupt.exit() {
            // A build, for instance, fails of the same Ctrl-C.
            Some(exit) if matches!(trouble.exit, Exit::Target | Exit::Interrupted) => {
                Trouble::new(exit, STOPPED_EARLY)
            }
            _ => trouble,
        })
    }));
    let trouble = match ended {
        Ok(Ok(exit)) => match report.take_error() {
            None => return exit,
            Some(error) => error.into(),
        },
        Ok(Err(trouble)) => trouble,
        Err(_) => Trouble::new(
            Exit::OurBug,
            "this is a bug of seedsmith; please report the panic above, with the command line \
             and, if you may, the input",
        ),
    };
    let (message, exit) = (&trouble.to_string(), trouble.exit as u8);
    report.report(&Event::Failed { message, exit });
    trouble.exit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_ours_ends_with_70_and_trouble_with_its_own_code() {
        let quiet = ReportOptions { quiet: true, ..ReportOptions::default() };
        assert_eq!(guarded("test", quiet, None, |_, _| panic!("planted")), Exit::OurBug);
        let trouble = |_: &Interrupt, _: &mut Reporters| Err(Trouble::new(Exit::Files, "planted"));
        assert_eq!(guarded("test", quiet, None, trouble), Exit::Files);
        assert_eq!(guarded("test", quiet, None, |_, _| Ok(Exit::Done)), Exit::Done);
    }
}
