//! Where the validator comes from: a command, an executable, or a function of this program.

use std::path::Path;

use super::args_repair::ValidIf;
use super::exit::{Exit, OrExit, Trouble};
use super::input;
use super::interrupt::Interrupt;
use super::plan::TargetSource;
use super::repair_plan::RepairPlan;
use super::trouble::talk;
use crate::cargo_fuzz::{Targets, ValidatorSource};
use crate::corpus::Listed;
use crate::report::Report;
use crate::session::repair::RepairError;
use seedsmith_engine::exec::reach::counters_of;

/// Finds the validator, and builds it where needed.
pub fn find(
    plan: &RepairPlan,
    linked: Option<&str>,
    first: &Listed,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<ValidatorSource, Trouble> {
    if let Some(name) = linked.filter(|_| !plan.target.is_named) {
        if plan.valid_if.is_some() {
            let why =
                "--valid-if wants an executable with coverage counters: name one with --binary";
            return Err(Trouble::new(Exit::Usage, why));
        }
        return Ok(ValidatorSource::Linked(name.to_owned()));
    }
    if let TargetSource::Command(line) = &plan.target.source {
        return Ok(ValidatorSource::Command(line.clone()));
    }
    let input = input::load(first)?;
    let opened = Targets::new(plan.target.request(None)).open(
        &input,
        &interrupt.flag(),
        &mut talk(report),
    )?;
    let Some(path) = &opened.executable else {
        return Err(Trouble::new(Exit::Target, "the target has no executable of its own"));
    };
    let watched = match &plan.valid_if {
        Some(ValidIf::Reaches(function)) => {
            let doing = || format!("failed to tell from {} what is valid", path.display());
            counters_of(path, function).or_exit(Exit::Target, doing)?
        }
        None => Vec::new(),
    };
    Ok(ValidatorSource::Executable(path.clone(), watched))
}

/// The message for the user, with the options that help, and the exit code.
pub fn trouble(error: RepairError, plan: &RepairPlan) -> Trouble {
    match error {
        // The source names the validator already.
        RepairError::Open { source, .. } => {
            Trouble { exit: Exit::Target, cause: anyhow::Error::from_boxed(source) }
        }
        RepairError::Unsteady { .. } => Trouble::new(Exit::Unsteady, error),
        RepairError::AcceptsAnything { .. } => Trouble::new(
            Exit::Target,
            format!(
                "{error}: let it return Corpus::Reject (-1) for what its parser refuses, name a \
                 validator with --validator COMMAND or -- COMMAND {{}}, or a function behind the \
                 parser with --valid-if reaches=FUNCTION"
            ),
        ),
        RepairError::InvalidBase => {
            let path = plan.base.as_deref().unwrap_or(Path::new("base")).display();
            let why = format!("{path} is not valid, so nothing can be repaired from it");
            Trouble::new(Exit::Usage, why)
        }
        other => Trouble { exit: Exit::Target, cause: other.into() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args_repair::RepairArgs;
    use clap::Parser;

    #[test]
    fn each_error_of_a_run_has_its_code_and_the_options_that_help() {
        let plan = RepairPlan::from(RepairArgs::parse_from(["repair", "in", "--base", "good"]));
        let told = |error| {
            let trouble = trouble(error, &plan);
            (trouble.exit, trouble.to_string())
        };
        let name = || "jq".to_owned();
        let cause = anyhow::anyhow!("no such file").context("failed to find jq");
        let open = RepairError::Open { name: name(), source: cause.into() };
        assert_eq!(told(open), (Exit::Target, "failed to find jq: no such file".to_owned()));
        let unsteady = RepairError::Unsteady { name: name(), input: "in/a".into() };
        let why = "jq says both valid and invalid of in/a: what is valid may depend on nothing \
                   but the input, not on chance, time or what ran before";
        assert_eq!(told(unsteady), (Exit::Unsteady, why.to_owned()));
        let why = "good is not valid, so nothing can be repaired from it";
        assert_eq!(told(RepairError::InvalidBase), (Exit::Usage, why.to_owned()));
        let (exit, why) = told(RepairError::AcceptsAnything { name: name() });
        assert_eq!(exit, Exit::Target);
        assert!(why.starts_with("jq takes garbage too, so it doesn't tell what is valid: let it"));
        assert!(why.ends_with("or a function behind the parser with --valid-if reaches=FUNCTION"));
    }
}
