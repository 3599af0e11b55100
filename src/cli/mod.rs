//! Layer 6: the command line. Arguments, environment, files and signals are known here only.
//!
//! A program is: arguments as typed ([`args`], [`args_tmin`]), as meant ([`plan`]), a run
//! (`tmin`), an exit code ([`exit`]). Everything is said through [`report`](crate::report). Targets
//! are found, built and opened by [`cargo_fuzz`](crate::cargo_fuzz); `trouble` turns its errors into
//! exit codes, and names the options that help.

pub mod args;
pub mod args_generalize;
pub mod args_grammar;
pub mod args_repair;
pub mod args_tmin;
pub mod args_triage;
mod called;
pub mod duration;
mod ended;
pub mod exit;
mod generalize;
mod grammar;
mod input;
mod interrupt;
mod isolate;
mod language;
mod many;
mod minimize;
pub mod plan;
pub mod plan_generalize;
mod repair;
pub mod repair_plan;
pub mod structure;
mod subcommands;
mod tmin;
mod triage;
mod trouble;
mod without_effect;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use crate::report::{Report, Tell};
use args_generalize::GeneralizeArgs;
use args_grammar::GrammarArgs;
use args_repair::RepairArgs;
use args_tmin::TminArgs;
use args_triage::TriageArgs;
use called::Called;
use exit::{Exit, Trouble};
use interrupt::Interrupt;
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
    let mut report = Report::new("tmin", plan.tell, plan.session.budget.max_time);
    guarded(&mut report, |interrupt, report| {
        checked?;
        tmin::run(plan, interrupt, report)
    })
    .into()
}

fn run_repair(args: RepairArgs, linked: Option<&str>) -> ExitCode {
    let checked = without_effect::check_repair(&args);
    let plan = RepairPlan::new(args, linked);
    let mut report = Report::new("repair", plan.tell, None);
    guarded(&mut report, |interrupt, report| {
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
    let wish = match (Wish::from(args), checked) {
        (wish @ Wish::Senseless(..), _) | (wish, Ok(())) => wish,
        (wish, Err(trouble)) => Wish::Senseless(trouble.to_string(), wish.tell()),
    };
    match wish {
        Wish::Generalize(plan) => {
            let mut report = Report::new("generalize", plan.tell, plan.session.budget.max_time);
            guarded(&mut report, |interrupt, report| tmin::run(*plan, interrupt, report))
        }
        Wish::Produce { pattern, language, seed, produced: (count, folder), tell } => {
            let mut report = Report::new("generalize", tell, None);
            guarded(&mut report, |_, report| {
                generalize::produce(&pattern, &language, seed, (count, &folder), report)
            })
        }
        Wish::Verify(plan) => {
            let mut report = Report::new("generalize", plan.tell, None);
            guarded(&mut report, |interrupt, report| triage::run(&plan, interrupt, report))
        }
        Wish::Senseless(why, tell) => {
            let mut report = Report::new("generalize", tell, None);
            guarded(&mut report, |_, _| Err(Trouble::new(Exit::Usage, why)))
        }
    }
    .into()
}

fn run_triage(args: TriageArgs) -> ExitCode {
    let plan = TriagePlan::from(args);
    let mut report = Report::new("triage", plan.tell, None);
    guarded(&mut report, |interrupt, report| triage::run(&plan, interrupt, report)).into()
}

fn run_grammar(args: &GrammarArgs) -> ExitCode {
    let tell = Tell { json: args.json, ..Tell::default() };
    let mut report = Report::new("grammar", tell, None);
    guarded(&mut report, |interrupt, report| grammar::run(args, interrupt, report)).into()
}

/// Runs a program's body; trouble, signals and our own bugs end as exit codes.
fn guarded(
    report: &mut Report,
    body: impl FnOnce(&Interrupt, &mut Report) -> Result<Exit, Trouble>,
) -> Exit {
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let interrupt = Interrupt::install()?;
        body(&interrupt, report).map_err(|trouble| match interrupt.exit() {
            // A build, for instance, fails of the same Ctrl-C.
            Some(exit) if matches!(trouble.exit, Exit::Target | Exit::Interrupted) => {
                Trouble::new(exit, "stopped before the search began; nothing was written")
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
    use crate::report::Tell;

    #[test]
    fn a_panic_of_ours_ends_with_70_and_trouble_with_its_own_code() {
        let mut report = Report::new("test", Tell { quiet: true, ..Tell::default() }, None);
        assert_eq!(guarded(&mut report, |_, _| panic!("planted")), Exit::OurBug);
        let trouble = |_: &Interrupt, _: &mut Report| Err(Trouble::new(Exit::Files, "planted"));
        assert_eq!(guarded(&mut report, trouble), Exit::Files);
        assert_eq!(guarded(&mut report, |_, _| Ok(Exit::Done)), Exit::Done);
    }
}
