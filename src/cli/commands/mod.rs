//! `seedsmith` and `cargo seedsmith`: the one place that knows every command by its name.
//!
//! cargo runs `cargo-seedsmith seedsmith tmin …`; by hand it is `cargo-seedsmith tmin …`. A new
//! command is a variant of [`Command`], a line in [`USAGES`] and one in [`run`].

mod bisect;
mod completions;
mod corpora;
pub(super) mod grammar;
mod judge;
mod list;
mod reducers;
pub(super) mod repair;
mod run;
pub(super) mod tmin;
pub(super) mod triage;

use crate::cli::report_settings;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::cli::arguments;
use crate::cli::arguments::generalize::GeneralizeArgs;
use crate::cli::arguments::grammar::GrammarArgs;
use crate::cli::arguments::groups::{TargetArgs, VERSION};
use crate::cli::arguments::repair::RepairArgs;
use crate::cli::arguments::tmin::TminArgs;
use crate::cli::arguments::triage::TriageArgs;
use crate::cli::command_line::{Arguments, Line, Typed};
use crate::cli::exit::Trouble;
use crate::cli::invocation::Called;
use crate::cli::{
    guarded, run_generalize, run_grammar, run_repair, run_tmin, run_triage, run_written,
};
use crate::report::{ReportOptions, Reporters};
use bisect::{BisectArgs, of_bisect};
use completions::{CompletionsArgs, ManualArgs};
use corpora::{CminArgs, CoverageArgs, MergeArgs, PrepareArgs, ShrinkArgs};
use judge::JudgeArgs;
use list::ListArgs;
use reducers::ReducersArgs;
use run::RunArgs;

/// The beginning of `seedsmith --help`.
const LONG_ABOUT: &str = "\
Tools for the inputs that a fuzzer finds.

Each command finds, builds and runs the fuzz target that an input belongs to, takes any libFuzzer \
executable (--binary) or any program (-- COMMAND), and uses the same words for the same things.";

/// Tools for the inputs that a fuzzer finds
#[derive(Debug, Parser)]
#[command(version = VERSION, long_about = LONG_ABOUT, max_term_width = 100, subcommand_required = true)]
#[command(arg_required_else_help = true, disable_help_subcommand = false)]
struct SeedsmithArgs {
    #[command(subcommand)]
    command: Command,
}

/// The commands, in the order in which the help lists them. Large arguments are boxed, so that the
/// enum stays small.
#[derive(Debug, Subcommand)]
enum Command {
    Tmin(Box<TminArgs>),
    Repair(Box<RepairArgs>),
    Generalize(Box<GeneralizeArgs>),
    Triage(Box<TriageArgs>),
    Run(Box<RunArgs>),
    Bisect(Box<BisectArgs>),
    List(ListArgs),
    Judge(Box<JudgeArgs>),
    Cmin(Box<CminArgs>),
    ShrinkCorpus(Box<ShrinkArgs>),
    Coverage(Box<CoverageArgs>),
    Merge(Box<MergeArgs>),
    Prepare(Box<PrepareArgs>),
    Grammar(Box<GrammarArgs>),
    Reducers(ReducersArgs),
    Completions(CompletionsArgs),
    Manual(ManualArgs),
}

/// The usage line in the help of each command.
///
/// A test compares this list with the commands that clap knows.
const USAGES: [(&str, &str); 17] = [
    ("tmin", arguments::tmin::USAGE),
    ("repair", arguments::repair::USAGE),
    ("generalize", arguments::generalize::USAGE),
    ("triage", arguments::triage::USAGE),
    ("run", run::USAGE),
    ("bisect", bisect::USAGE),
    ("list", list::USAGE),
    ("judge", judge::USAGE),
    ("cmin", corpora::CMIN_USAGE),
    ("shrink-corpus", corpora::SHRINK_USAGE),
    ("coverage", corpora::COVERAGE_USAGE),
    ("merge", corpora::MERGE_USAGE),
    ("prepare", corpora::PREPARE_USAGE),
    ("grammar", arguments::grammar::USAGE),
    ("reducers", reducers::USAGE),
    ("completions", completions::COMPLETIONS_USAGE),
    ("manual", completions::MANUAL_USAGE),
];

/// Runs the command that the arguments name, in the program that was `called`.
///
/// A line that cannot be read ends the program here, with clap's message and a tip.
/// `bisect` returns the codes that `git bisect run` expects.
pub(super) fn run(called: Called, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = match called {
        Called::CargoSeedsmith => without_cargos_word(arguments),
        _ => arguments.into_iter().collect(),
    };
    let command = declared(called);
    let line = Line { command, words: arguments, has_subcommand: true, is_linked: false };
    let Typed { args: SeedsmithArgs { command }, settled } = line.parse();
    match command {
        Command::Tmin(args) => run_tmin(Typed { args: *args, settled }, None),
        Command::Repair(args) => run_repair(Typed { args: *args, settled }, None),
        Command::Generalize(args) => run_generalize(Typed { args: *args, settled }),
        Command::Triage(args) => run_triage(Typed { args: *args, settled }),
        Command::Run(args) => run_run(Typed { args: *args, settled }),
        Command::Judge(args) => run_judge(*args),
        Command::Bisect(args) => run_bisect(*args),
        Command::Cmin(args) => corpora::run_cmin(*args),
        Command::ShrinkCorpus(args) => corpora::run_shrink(*args),
        Command::Coverage(args) => corpora::run_coverage(*args),
        Command::Merge(args) => corpora::run_merge(*args),
        Command::Prepare(args) => corpora::run_prepare(*args),
        Command::List(args) => run_list(&args),
        Command::Grammar(args) => run_grammar(&args),
        Command::Reducers(args) => run_reducers(&args),
        Command::Completions(args) => run_written("completions", |report| {
            completions::completions(&args, program(&args.program), report)
        }),
        Command::Manual(args) => run_written("manual", |report| {
            completions::manual(&args.folder, &[program("seedsmith"), program("tmin")], report)
        }),
    }
}

/// `bisect` from typed options to an exit code, which is one of `git bisect run`.
fn run_bisect(args: BisectArgs) -> ExitCode {
    let tell = ReportOptions::from(&args.tell);
    let run = |interrupt: &_, report: &mut _| bisect::run(args, interrupt, report);
    of_bisect(guarded("bisect", tell, None, run)).into()
}

/// `run` from typed options to an exit code.
fn run_run(typed: Typed<RunArgs>) -> ExitCode {
    let Typed { args, settled } = typed;
    let tell = ReportOptions::from(&args.test.tell);
    guarded("run", tell, None, |interrupt, report| {
        report_settings(report, settled?.as_ref());
        run::run(args, interrupt, report)
    })
    .into()
}

/// `list` from typed options to an exit code.
///
/// `list` has no `--quiet` or `--color`, so `--json` is the only option that changes the report.
fn run_list(args: &ListArgs) -> ExitCode {
    let tell = ReportOptions { json: args.json, ..ReportOptions::default() };
    guarded("list", tell, None, |_, report| list::run(args, report)).into()
}

/// `reducers` from typed options to an exit code. It needs no target and reads no file.
fn run_reducers(args: &ReducersArgs) -> ExitCode {
    let tell = ReportOptions { json: args.json, ..ReportOptions::default() };
    guarded("reducers", tell, None, |_, report| reducers::run(report)).into()
}

/// Which commands take inputs and a target, and which have checks that clap cannot express.
impl Arguments for SeedsmithArgs {
    fn words(&mut self) -> Option<(&mut Vec<PathBuf>, &mut TargetArgs)> {
        Some(match &mut self.command {
            Command::Tmin(args) => return args.words(),
            Command::Repair(args) => return args.words(),
            Command::Generalize(args) => return args.words(),
            Command::Triage(args) => (&mut args.inputs, &mut args.target),
            Command::Run(args) => (&mut args.inputs, &mut args.test.target),
            _ => return None,
        })
    }

    fn check(&self) -> Result<(), Trouble> {
        match &self.command {
            Command::Tmin(args) => args.check(),
            Command::Repair(args) => args.check(),
            Command::Generalize(args) => args.check(),
            _ => Ok(()),
        }
    }
}

/// The long names of all options of all commands.
///
/// Called where a settings file is read: each setting has to be an option of at least one command.
pub(super) fn option_names() -> BTreeSet<String> {
    let declared = SeedsmithArgs::command();
    let options = declared.get_subcommands().flat_map(clap::Command::get_arguments);
    options.filter_map(|option| option.get_long()).map(str::to_owned).collect()
}

/// `judge` from typed options to an exit code.
fn run_judge(args: JudgeArgs) -> ExitCode {
    let tell = ReportOptions::from(&args.tell);
    guarded("judge", tell, None, |interrupt, report| judge::run(args, interrupt, report)).into()
}

/// The declaration of the program called `name`, whichever program this is.
///
/// Completions and manual pages are made of it. Only `tmin` is described as a program by itself; any other
/// name means `seedsmith` with all its commands.
fn program(name: &str) -> clap::Command {
    match name {
        "tmin" => Called::ByItself.naming(TminArgs::command(), arguments::tmin::USAGE),
        _ => declared(Called::Seedsmith),
    }
}

/// Warns of environment variables that no option of any command reads.
///
/// Values are not looked at.
///
/// Called before every command runs. Each warning is one message.
pub(super) fn warn_of_variables(report: &mut Reporters) {
    let names: Vec<OsString> = std::env::vars_os().map(|(name, _)| name).collect();
    // To declare all commands takes longer than to look for a prefix, and is needed next to never.
    if !names.iter().any(crate::cli::variables::has_our_prefix) {
        return;
    }
    for warning in crate::cli::variables::warnings(&SeedsmithArgs::command(), names.into_iter()) {
        report.say(&warning);
    }
}

/// All commands, with help that names them as they are typed.
///
/// All commands are declared, also if only one of them is used.
fn declared(called: Called) -> clap::Command {
    let program = called.program();
    let command = SeedsmithArgs::command().name(program).bin_name(program);
    USAGES.iter().fold(command, |command, (name, usage)| {
        command.mut_subcommand(name, |subcommand| called.naming(subcommand, usage))
    })
}

/// The arguments without the `seedsmith` that cargo puts in front.
///
/// Only the word after the program's name is checked, so an input called `seedsmith` remains.
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
        declared(Called::Seedsmith).debug_assert();
        declared(Called::CargoSeedsmith).debug_assert();
    }

    #[test]
    fn an_option_has_the_same_variable_as_name_in_every_command() {
        for command in SeedsmithArgs::command().get_subcommands() {
            for option in command.get_arguments() {
                let (Some(name), Some(variable)) = (option.get_long(), option.get_env()) else {
                    continue;
                };
                let expected = format!("SEEDSMITH_{}", name.to_uppercase().replace('-', "_"));
                assert_eq!(variable, &*expected, "{} --{name}", command.get_name());
            }
        }
    }

    #[test]
    fn the_time_for_all_inputs_is_called_the_same_in_every_command() {
        let declared = SeedsmithArgs::command();
        for command in ["tmin", "repair"] {
            let command = declared.find_subcommand(command).unwrap();
            let shown = command.get_arguments().filter(|option| !option.is_hide_set());
            let named: Vec<_> = shown
                .filter_map(|one| one.get_long())
                .filter(|name| name.starts_with("max-total"))
                .collect();
            assert_eq!(named, ["max-total-time"]);
        }
    }

    #[test]
    fn the_usage_of_every_command_is_known() {
        let declared = SeedsmithArgs::command();
        let mut names: Vec<&str> =
            declared.get_subcommands().map(clap::Command::get_name).collect();
        names.sort_unstable();
        let mut known = USAGES.map(|(name, _)| name);
        known.sort_unstable();
        assert_eq!(names, known);
    }
}
