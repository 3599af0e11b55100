//! `cargo seedsmith`: the one place that knows every command by its name.
//!
//! cargo runs `cargo-seedsmith seedsmith tmin …`; by hand it is `cargo-seedsmith tmin …`. A new
//! command is a variant of [`Command`] and a line in [`run`].

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::args_generalize::GeneralizeArgs;
use super::args_grammar::GrammarArgs;
use super::args_repair::RepairArgs;
use super::args_tmin::TminArgs;
use super::args_triage::TriageArgs;
use super::{run_generalize, run_grammar, run_repair, run_tmin, run_triage};

const LONG_ABOUT: &str = "\
What to do with the inputs that a fuzzer leaves behind.

Each command finds, builds and runs the fuzz target that an input belongs to, takes any libFuzzer \
executable (--binary) or any program (-- COMMAND), and uses the same words for the same things.";

/// What to do with the inputs that a fuzzer leaves behind
#[derive(Debug, Parser)]
#[command(name = "cargo seedsmith", bin_name = "cargo seedsmith", version)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, subcommand_required = true)]
#[command(arg_required_else_help = true, disable_help_subcommand = false)]
struct CargoSeedsmithArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Tmin(Box<TminArgs>),
    Repair(Box<RepairArgs>),
    Generalize(Box<GeneralizeArgs>),
    Triage(Box<TriageArgs>),
    Grammar(Box<GrammarArgs>),
}

/// Runs the command that the arguments name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match CargoSeedsmithArgs::parse_from(without_cargos_word(arguments)).command {
        Command::Tmin(args) => run_tmin(*args, None),
        Command::Repair(args) => run_repair(*args, None),
        Command::Generalize(args) => run_generalize(*args),
        Command::Triage(args) => run_triage(*args),
        Command::Grammar(args) => run_grammar(&args),
    }
}

/// The arguments without the `seedsmith` that cargo puts in front.
fn without_cargos_word(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|first| first == "seedsmith") {
        arguments.remove(1);
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn cargos_own_word_is_dropped_once() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let by_cargo = words(&["cargo-seedsmith", "seedsmith", "tmin", "seedsmith"]);
        let by_hand = words(&["cargo-seedsmith", "tmin", "seedsmith"]);
        assert_eq!(without_cargos_word(by_cargo), by_hand);
        assert_eq!(without_cargos_word(by_hand.clone()), by_hand);
    }

    #[test]
    fn every_command_is_declared_without_contradiction() {
        CargoSeedsmithArgs::command().debug_assert();
    }
}
