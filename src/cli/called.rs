//! How the user called a command: `repair`, `seedsmith repair` or `cargo seedsmith repair`.
//!
//! Help texts say what to type, so they name a command as it was typed. In their sources `@` stands
//! before each name of a command; it is replaced here and is in no other text of the command line.

use clap::{Command, CommandFactory};

use super::typed::{Arguments, Line, Typed};

/// What comes before a command's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// A program of its own, such as `repair`.
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
    pub fn program(self) -> &'static str {
        match self {
            Called::ByItself => "",
            Called::Seedsmith => "seedsmith",
            Called::CargoSeedsmith => "cargo seedsmith",
        }
    }

    /// A text with its commands named as they are typed.
    pub fn named(self, text: &str) -> String {
        match self {
            Called::ByItself => text.replace(MARK, ""),
            _ => text.replace(MARK, &format!("{} ", self.program())),
        }
    }

    /// A command whose help names commands as they are typed; `usage` is its own first line.
    pub fn naming(self, mut command: Command, usage: &str) -> Command {
        command = command.override_usage(self.named(usage));
        if let Some(text) = command.get_after_help().map(|text| self.named(&text.to_string())) {
            command = command.after_help(text);
        }
        if let Some(text) = command.get_after_long_help().map(|text| self.named(&text.to_string()))
        {
            command = command.after_long_help(text);
        }
        command
    }
}

/// The arguments of a program with one command. Ends the program where they are wrong, and for
/// `--help`. A program that `is_linked` is its own target.
pub fn parse<Args: CommandFactory + Arguments>(usage: &str, is_linked: bool) -> Typed<Args> {
    let command = Called::ByItself.naming(Args::command(), usage);
    let words = std::env::args_os().collect();
    Line { command, words, has_subcommand: false, is_linked }.parse()
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
}
