//! From the words of a command line to arguments: which word is a fuzz target and which an input,
//! the options from `seedsmith.toml`, and tips for lines that were meant for another tool.
//!
//! clap reads the options. Questions that files and fuzz packages answer are resolved here, before
//! anything is built or run. Options that were not given may come from the settings of the package; the
//! command line and the environment win.

mod crashes;
mod other_tools;
mod positional;
mod settings;
mod tips;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Command, FromArgMatches};

use crate::cli::arguments::generalize::GeneralizeArgs;
use crate::cli::arguments::groups::TargetArgs;
use crate::cli::arguments::repair::RepairArgs;
use crate::cli::arguments::tmin::TminArgs;
use crate::cli::arguments::without_effect::{check_generalize, check_repair, check_tmin};
use crate::cli::exit::Trouble;
use crate::event::AppliedSettings;

/// The settings that apply, or the reason why the words cannot be used.
pub(super) type Settled = Result<Option<AppliedSettings>, Trouble>;

/// Arguments as meant.
///
/// A file of settings may have added options that were not typed.
#[derive(Debug)]
pub(super) struct Typed<A> {
    /// The arguments.
    pub args: A,
    /// The settings that apply, or the reason why the words cannot be used.
    pub settled: Settled,
}

/// Arguments with inputs and a target, or those of a program that has such commands.
pub(super) trait Arguments: FromArgMatches {
    /// The inputs and the target; `None` if the command has none.
    fn words(&mut self) -> Option<(&mut Vec<PathBuf>, &mut TargetArgs)>;

    /// Refuses options that have no effect with each other.
    fn check(&self) -> Result<(), Trouble>;
}

impl Arguments for TminArgs {
    fn words(&mut self) -> Option<(&mut Vec<PathBuf>, &mut TargetArgs)> {
        Some((&mut self.inputs, &mut self.target))
    }

    fn check(&self) -> Result<(), Trouble> {
        check_tmin(self)
    }
}

impl Arguments for RepairArgs {
    fn words(&mut self) -> Option<(&mut Vec<PathBuf>, &mut TargetArgs)> {
        // A validator replaces the target.
        self.validator.is_none().then_some((&mut self.inputs, &mut self.target))
    }

    fn check(&self) -> Result<(), Trouble> {
        check_repair(self)
    }
}

impl Arguments for GeneralizeArgs {
    fn words(&mut self) -> Option<(&mut Vec<PathBuf>, &mut TargetArgs)> {
        Some((&mut self.inputs, &mut self.target))
    }

    fn check(&self) -> Result<(), Trouble> {
        check_generalize(self)
    }
}

/// A command line and the declaration that reads it.
pub(super) struct Line {
    /// The declaration of the whole program.
    pub command: Command,
    /// The words, the program's name first.
    pub words: Vec<OsString>,
    /// Whether the first argument is the name of a command.
    pub has_subcommand: bool,
    /// Whether the program itself is a target, so that its words are inputs.
    pub is_linked: bool,
}

impl Line {
    /// Where options of the command may be put.
    fn options_at(&self) -> usize {
        if self.has_subcommand { 2 } else { 1 }
    }

    /// The words before the arguments, such as `seedsmith tmin`.
    fn typed(&self) -> String {
        match self.words.get(1).filter(|_| self.has_subcommand) {
            Some(command) => format!("{} {}", self.command.get_name(), command.to_string_lossy()),
            None => self.command.get_name().to_owned(),
        }
    }

    /// The declaration of the command whose arguments these are.
    fn declared(&self) -> &Command {
        let name = self.words.get(1).filter(|_| self.has_subcommand).and_then(|name| name.to_str());
        name.and_then(|name| self.command.find_subcommand(name)).unwrap_or(&self.command)
    }

    /// The arguments that these words and the `extra` options are.
    fn read(&self, extra: &[OsString]) -> clap::error::Result<ArgMatches> {
        let mut words = self.words.clone();
        let at = self.options_at().min(words.len());
        words.splice(at..at, extra.iter().cloned());
        self.command.clone().try_get_matches_from(words)
    }

    /// The matches of the command itself.
    fn own<'m>(&self, matches: &'m ArgMatches) -> &'m ArgMatches {
        matches.subcommand().map_or(matches, |(_, own)| own)
    }

    /// The arguments, with words resolved. Ends the program where clap finds fault with the line.
    pub(super) fn parse<A: Arguments>(self) -> Typed<A> {
        let matches = self.read(&[]).unwrap_or_else(|error| tips::end(&self, error));
        let mut args = arguments::<A>(&matches);
        if self.is_linked {
            return Typed { args, settled: Ok(None) };
        }
        if let Err(trouble) = positional::settle(&mut args, &self) {
            return Typed { args, settled: Err(trouble) };
        }
        match settings::apply(&mut args, &self, &matches) {
            Ok(applied) => Typed { args, settled: Ok(applied) },
            Err(trouble) => Typed { args, settled: Err(trouble) },
        }
    }
}

/// The matches as the struct that clap derived the declaration from. Ends the program, as a wrong
/// option does, if a value does not fit.
fn arguments<A: Arguments>(matches: &ArgMatches) -> A {
    A::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}
