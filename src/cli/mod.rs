//! The command line. Only this layer knows options, signals and exit codes.
//!
//! A program is: arguments as typed (`args`, `args_tmin`), as meant (`plan`), a task (`tmin`), and an
//! exit code (`exit`). [`session`](crate::session) does the task, [`cargo_fuzz`](crate::cargo_fuzz)
//! finds, builds and opens the target, and [`report`](crate::report) prints. `trouble` and `ended` turn
//! the errors of these layers into exit codes, and name the options that help.

mod args;
mod args_generalize;
mod args_grammar;
mod args_repair;
mod args_tmin;
mod args_triage;
mod as_one;
mod called;
mod duration;
mod ended;
mod exit;
mod generalize;
mod grammar;
mod interrupt;
mod isolate;
mod language;
mod libfuzzer;
mod many;
mod minimize;
mod plan;
mod plan_generalize;
mod repair;
mod repair_plan;
mod structure;
mod subcommands;
mod tmin;
mod triage;
mod trouble;
mod without_effect;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use crate::report::{Color, Report, Tell};
use args_generalize::GeneralizeArgs;
use args_grammar::GrammarArgs;
use args_repair::RepairArgs;
use args_tmin::TminArgs;
use args_triage::TriageArgs;
use called::Called;
use exit::{Exit, Trouble};
use interrupt::{Interrupt, STOPPED_EARLY};
pub use libfuzzer::libfuzzer_main;
use plan::{TminPlan, TriagePlan};
use plan_generalize::Wish;
use repair_plan::RepairPlan;
use seedsmith_engine::exec::linked::{self, IntoVerdict};

/// `tmin`: a whole program. It finds, builds and runs the target that its input belongs to.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     seedsmith::cli::tmin_main()
/// }
/// ```
pub fn tmin_main() -> ExitCode {
    run_tmin(called::parse(args_tmin::USAGE), None)
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
    run_tmin(called::parse(args_tmin::USAGE), Some(name))
}

/// `repair`: a whole program. It makes invalid inputs valid.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     seedsmith::cli::repair_main()
/// }
/// ```
pub fn repair_main() -> ExitCode {
    run_repair(called::parse(args_repair::USAGE), None)
}

/// `repair` for a function of this very program, which says what is valid: `Corpus::Reject` (or
/// [`Verdict::Reject`](seedsmith_engine::observation::Verdict::Reject)) is invalid.
///
/// The quickest way; see [`tmin_linked`] for what it asks of `main`.
///
/// ```no_run
/// use seedsmith::observation::Verdict;
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
    run_repair(called::parse(args_repair::USAGE), Some(name))
}

/// `seedsmith`: a whole program with every command of this package as a subcommand.
pub fn seedsmith_main() -> ExitCode {
    subcommands::run(Called::Seedsmith, std::env::args_os())
}

/// `cargo seedsmith`: the same, started by cargo.
pub fn cargo_seedsmith_main() -> ExitCode {
    subcommands::run(Called::CargoSeedsmith, std::env::args_os())
}

fn run_tmin(args: TminArgs, linked: Option<&str>) -> ExitCode {
    let checked = without_effect::check_tmin(&args);
    let plan = TminPlan::new(args, linked);
    guarded("tmin", plan.tell, plan.session.budget.max_time, |interrupt, report| {
        checked?;
        tmin::run(plan, interrupt, report)
    })
    .into()
}

fn run_repair(args: RepairArgs, linked: Option<&str>) -> ExitCode {
    let checked = without_effect::check_repair(&args);
    let plan = RepairPlan::new(args, linked);
    guarded("repair", plan.tell, None, |interrupt, report| {
        checked?;
        repair::run(&plan, interrupt, report)
    })
    .into()
}

/// `generalize`: a whole program.
pub fn generalize_main() -> ExitCode {
    run_generalize(called::parse(args_generalize::USAGE))
}

fn run_generalize(args: GeneralizeArgs) -> ExitCode {
    let checked = without_effect::check_generalize(&args);
    let (tell, max_time) = (Tell::from(&args.tell), args.max_time);
    guarded("generalize", tell, max_time, |interrupt, report| {
        let wish = Wish::new(args, tell)?;
        checked?;
        match wish {
            Wish::Generalize(plan) => tmin::run(*plan, interrupt, report),
            Wish::Verify(plan) => triage::run(&plan, interrupt, report),
            Wish::Produce { pattern, language, seed, produced: (count, folder) } => {
                generalize::produce(&pattern, &language, seed, (count, &folder), report)
            }
        }
    })
    .into()
}

fn run_triage(args: TriageArgs) -> ExitCode {
    let plan = TriagePlan::from(args);
    guarded("triage", plan.tell, None, |interrupt, report| triage::run(&plan, interrupt, report))
        .into()
}

fn run_grammar(args: &GrammarArgs) -> ExitCode {
    let tell = Tell { json: args.json, color: Color::from(&args.color), ..Tell::default() };
    guarded("grammar", tell, None, |interrupt, report| grammar::run(args, interrupt, report)).into()
}

/// Runs a command that has no input and runs no target.
fn run_written(
    name: &'static str,
    body: impl FnOnce(&mut Report) -> Result<Exit, Trouble>,
) -> ExitCode {
    guarded(name, Tell::default(), None, |_, report| body(report)).into()
}

/// Whether a service for continuous integration runs this: all of them set `CI`.
fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Runs the body of the program `name`; trouble, signals and our own bugs end as exit codes.
fn guarded(
    name: &'static str,
    tell: Tell,
    max_time: Option<Duration>,
    body: impl FnOnce(&Interrupt, &mut Report) -> Result<Exit, Trouble>,
) -> Exit {
    let report = &mut Report::new(name, Tell { logs_progress: is_ci(), ..tell }, max_time);
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let interrupt = Interrupt::install(name, tell)?;
        subcommands::warn_of_variables(report);
        body(&interrupt, report).map_err(|trouble| match interrupt.exit() {
            // A build, for instance, fails of the same Ctrl-C.
            Some(exit) if matches!(trouble.exit, Exit::Target | Exit::Interrupted) => {
                Trouble::new(exit, STOPPED_EARLY)
            }
            _ => trouble,
        })
    }));
    let trouble = match ended {
        Ok(Ok(exit)) => match report.take_lost() {
            None => return exit,
            Some(error) => {
                let why = format!("failed to write to stdout: {error}; what it lacks is lost");
                Trouble::new(Exit::Files, why)
            }
        },
        Ok(Err(trouble)) => trouble,
        Err(_) => Trouble::new(
            Exit::OurBug,
            "this is a bug of seedsmith; please report the panic above, with the command line \
             and, if you may, the input",
        ),
    };
    report.failed(&trouble.to_string(), trouble.exit as u8);
    trouble.exit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_ours_ends_with_70_and_trouble_with_its_own_code() {
        let quiet = Tell { quiet: true, ..Tell::default() };
        assert_eq!(guarded("test", quiet, None, |_, _| panic!("planted")), Exit::OurBug);
        let trouble = |_: &Interrupt, _: &mut Report| Err(Trouble::new(Exit::Files, "planted"));
        assert_eq!(guarded("test", quiet, None, trouble), Exit::Files);
        assert_eq!(guarded("test", quiet, None, |_, _| Ok(Exit::Done)), Exit::Done);
    }
}
