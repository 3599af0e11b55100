//! `completions` and `manual`: descriptions of our command lines for shells and for `man`.
//!
//! Both are made of the declarations that clap parses with, so they cannot differ from `--help`.

use crate::event::{Event, Reporter};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;

use crate::aside;
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::report::Reporters;

/// The usage line of `completions`. `@` marks the name, which is printed as it was typed.
pub(super) const COMPLETIONS_USAGE: &str = "@completions [OPTIONS] <SHELL>";
/// The usage line of `manual`.
pub(super) const MANUAL_USAGE: &str = "@manual <DIR>";

/// The end of the help of `completions`.
///
/// It says where bash, zsh and fish look for scripts. `@` is replaced as in the usage line.
const COMPLETIONS_HELP: &str = "\
Examples:
  For bash, in every new shell:
      @completions bash > ~/.local/share/bash-completion/completions/seedsmith
      @completions --program tmin bash > ~/.local/share/bash-completion/completions/tmin

  For zsh, in a folder of $fpath:
      @completions zsh > _seedsmith

  For fish:
      @completions fish > ~/.config/fish/completions/seedsmith.fish";

/// The end of the help of `manual`.
const MANUAL_HELP: &str = "\
Examples:
  For all users of this machine:
      @manual /usr/local/share/man/man1

  To read one page:
      @manual . && man ./seedsmith-tmin.1";

/// Prints a completion script for a shell
#[derive(Debug, Args)]
#[command(max_term_width = 100, after_help = COMPLETIONS_HELP)]
pub(super) struct CompletionsArgs {
    /// Shell to complete in
    #[arg(value_name = "SHELL")]
    pub shell: Shell,

    /// Program to complete
    #[arg(long, value_name = "NAME", default_value = "seedsmith")]
    #[arg(value_parser = ["seedsmith", "tmin"])]
    pub program: String,
}

/// Writes a manual page for each program and command
#[derive(Debug, Args)]
#[command(max_term_width = 100, after_help = MANUAL_HELP)]
pub(super) struct ManualArgs {
    /// Folder to write the pages into; it is created if needed
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// Prints the script that completes `program` in a shell.
///
/// `program` is the declaration that clap parses with; the caller has chosen it by `--program`. The whole
/// script goes to stdout at once. An error of writing is found when the command ends.
pub(super) fn completions(
    args: &CompletionsArgs,
    mut program: Command,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, args.program.as_str(), &mut script);
    report.report(&Event::Data(&script));
    Ok(Exit::Done)
}

/// Writes a page for each of `programs`, and for each of their commands as `PROGRAM-COMMAND.1`.
///
/// Pages that are there are replaced.
/// The folder and its parents are created. One line for each page says where it is.
///
/// # Errors
///
/// The folder or a page cannot be written (exit code 6). Pages that were written before remain.
pub(super) fn manual(
    folder: &Path,
    programs: &[Command],
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let doing = || format!("failed to write manual pages into {}", folder.display());
    std::fs::create_dir_all(folder).or_exit(Exit::Files, doing)?;
    for program in programs {
        for (name, page) in pages(program).or_exit(Exit::Files, doing)? {
            let path = folder.join(format!("{name}.1"));
            aside::write(&path, &page).or_exit(Exit::Files, doing)?;
            report.say(&format!("wrote {}", path.display()));
        }
    }
    Ok(Exit::Done)
}

/// The pages of a program and its commands, with their names.
///
/// The program's own page is the first; those of its commands follow in the order of `--help`. Hidden
/// commands have no page. Nothing is written to disk here.
fn pages(program: &Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let of = |command: Command, name: String| {
        // clap_mangen leaves out the description of an option that `-h` hides.
        let command = command.display_name(&name).mut_args(|option| option.hide_short_help(false));
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        Ok((name, in_ascii(&page)))
    };
    let own = program.get_name().to_owned();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let commands =
        commands.map(|command| of(command.clone(), format!("{own}-{}", command.get_name())));
    std::iter::once(of(program.clone(), own.clone())).chain(commands).collect()
}

/// A page without other characters than those of ASCII, which every formatter reads in any locale.
///
/// Any other character becomes the roff escape of its code point, such as `\[u2026]`.
fn in_ascii(page: &[u8]) -> Vec<u8> {
    let escaped = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => format!("\\[u{:04X}]", u32::from(c)),
    };
    String::from_utf8_lossy(page).chars().map(escaped).collect::<String>().into_bytes()
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    #[test]
    fn a_page_is_in_ascii_and_describes_the_options_that_the_short_help_hides() {
        let option = Arg::new("way").long("way").help("Where … goes").hide_short_help(true);
        let (_, page) = pages(&Command::new("all").arg(option)).unwrap().swap_remove(0);
        let page = String::from_utf8(page).unwrap();
        assert!(page.is_ascii() && page.contains("\nWhere \\[u2026] goes\n"), "{page}");
    }

    #[test]
    fn there_is_a_page_for_the_program_and_for_each_command_that_is_not_hidden() {
        let hidden = Command::new("secret").hide(true);
        let program = Command::new("all").subcommand(Command::new("one")).subcommand(hidden);
        let names: Vec<String> =
            pages(&program).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["all", "all-one"]);
    }
}
