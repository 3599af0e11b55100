//! How the user called a command: `tmin`, `seedsmith tmin` or `cargo seedsmith tmin`.
//!
//! Help texts are there to be copied, so they name a command as it was typed. In their sources each
//! name of a command has `@` before it; it is replaced here and is in no other text of the command
//! line.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Command, CommandFactory};

use crate::cli::command_line::{Arguments, Line, Typed};

/// The word before a command's name.
///
/// Help texts, usage lines and tips name commands as the user typed them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Called {
    /// A separate program, such as `tmin`.
    ByItself,
    /// `seedsmith`.
    Seedsmith,
    /// `cargo seedsmith`, or `cargo-seedsmith` by hand.
    CargoSeedsmith,
}

/// Stands before a command's name in help texts.
const MARK: char = '@';

impl Called {
    /// The program that has all commands.
    pub(super) fn program(self) -> &'static str {
        match self {
            Called::ByItself => "",
            Called::Seedsmith => "seedsmith",
            Called::CargoSeedsmith => "cargo seedsmith",
        }
    }

    /// A text with its commands named as they are typed.
    pub(super) fn named(self, text: &str) -> String {
        match self {
            Called::ByItself => text.replace(MARK, ""),
            _ => text.replace(MARK, &format!("{} ", self.program())),
        }
    }

    /// A command whose help names commands as they are typed; `usage` is its own first line.
    pub(super) fn naming(self, command: Command, usage: &str) -> Command {
        naming_by(command, usage, |text| self.named(text))
    }
}

/// A command in whose help `named` has replaced the names of commands.
fn naming_by(mut command: Command, usage: &str, named: impl Fn(&str) -> String) -> Command {
    command = command.override_usage(named(usage));
    if let Some(text) = command.get_after_help().map(|text| named(&text.to_string())) {
        command = command.after_help(text);
    }
    if let Some(text) = command.get_after_long_help().map(|text| named(&text.to_string())) {
        command = command.after_long_help(text);
    }
    command
}

/// The arguments of a program with one command. Ends the program where they are wrong, and for
/// `--help`. A program that `is_linked` is its own target.
pub(super) fn parse<Args: CommandFactory + Arguments>(usage: &str, is_linked: bool) -> Typed<Args> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let typed = words.first().cloned().unwrap_or_default();
    let command = naming_by(Args::command(), usage, |text| by_program(text, usage, &typed));
    Line { command, words, has_subcommand: false, is_linked }.parse()
}

/// A text with its commands named as they are typed, in a program that was started as `typed` and
/// has nothing but the command of `usage`. Another command is one of `seedsmith`.
fn by_program(text: &str, usage: &str, typed: &OsStr) -> String {
    let own = usage.split(' ').next().unwrap_or_default();
    let program = file_name(typed).unwrap_or(&own[MARK.len_utf8()..]);
    text.replace(own, program).replace(MARK, "seedsmith ")
}

/// The last part of the path, if it is Unicode.
pub(super) fn file_name(path: &OsStr) -> Option<&str> {
    Path::new(path).file_name()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_named_as_it_was_typed() {
        let text = "`@tmin --help` and\n@repair";
        assert_eq!(Called::ByItself.named(text), "`tmin --help` and\nrepair");
        assert_eq!(Called::Seedsmith.named(text), "`seedsmith tmin --help` and\nseedsmith repair");
        let by_cargo = Called::CargoSeedsmith.named(text);
        assert_eq!(by_cargo, "`cargo seedsmith tmin --help` and\ncargo seedsmith repair");
    }

    #[test]
    fn a_program_with_one_command_is_named_as_it_was_started() {
        let usage = "@repair [OPTIONS] <INPUT>";
        let of = |text: &str, typed: &str| by_program(text, usage, OsStr::new(typed));
        assert_eq!(of(usage, "target/debug/mend-utf8"), "mend-utf8 [OPTIONS] <INPUT>");
        assert_eq!(
            of("`@repair -h`, `@grammar json`", ""),
            "`repair -h`, `seedsmith grammar json`"
        );
    }
}
