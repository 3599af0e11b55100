//! `list`: the targets of a fuzz package, the inputs that the fuzzer left for each, and their results.

use crate::event::{Event, Reporter};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::FalseyValueParser;

use crate::cargo_fuzz::listing::{list, package_of};
use crate::cli::exit::{Exit, Trouble};
use crate::report::Reporters;

/// The beginning of `list --help`.
const LONG_ABOUT: &str = "\
Lists the fuzz targets of a package, the inputs that the fuzzer left for each, newest first, and the \
size and failure of those that were minimized. Nothing is built or run.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(super) const USAGE: &str = "@list [OPTIONS] [PACKAGE]";

/// The end of the help: exit codes and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 done   2 usage   5 no fuzz package, or cargo cannot read it   70 our bug

Examples:
  What did the fuzzer find in this project?
      @list

  The paths of all inputs, for a program:
      @list --json | jq -r '.targets[].artifacts[].input'

  Then, one of them:
      @tmin fuzz/artifacts/parse/crash-da39a3ee";

/// Lists fuzz targets, their crashes, and which of these were minimized
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
pub(super) struct ListArgs {
    /// Folder of the cargo-fuzz package, or of the project around it [default: searched upwards]
    #[arg(value_name = "PACKAGE")]
    pub package: Option<PathBuf>,

    /// Print one JSON object on stdout
    #[arg(long, env = "SEEDSMITH_JSON", hide_env = true, value_parser = FalseyValueParser::new())]
    pub json: bool,
}

/// Lists the package.
///
/// cargo describes the package; nothing is built and nothing is run.
/// The listing is one event: a table on the terminal, or one object with `--json`.
///
/// # Errors
///
/// PACKAGE is not a folder (exit code 2), no fuzz package is in it or above it, or cargo cannot read the
/// package (5).
pub(super) fn run(args: &ListArgs, report: &mut Reporters) -> Result<Exit, Trouble> {
    let near = match &args.package {
        // The parent of a file in the folder is the folder.
        Some(folder) if folder.is_dir() => folder.join("any"),
        Some(other) => {
            return Err(Trouble::new(Exit::Usage, format!("no such folder: {}", other.display())));
        }
        None => PathBuf::new(),
    };
    let Some(folder) = package_of(None, &near) else {
        let shown = args.package.as_deref().unwrap_or(Path::new(".")).display();
        let why = format!(
            "no cargo-fuzz package in {shown} or above it; name its folder, the one with \
             fuzz_targets/"
        );
        return Err(Trouble::new(Exit::Target, why));
    };
    report.report(&Event::Listed(&list(&folder)?));
    Ok(Exit::Done)
}
