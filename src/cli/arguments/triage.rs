//! `triage`'s command line as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::arguments::exchange::ExchangeArgs;
use crate::cli::arguments::groups::{LimitArgs, SamenessArgs, ShardArgs, TargetArgs, TellArgs};

const LONG_ABOUT: &str = "\
Reports which inputs still fail, and which of them fail the same way.

Each INPUT (a file, or a folder with everything below it) is run on its fuzz target, several \
times, so that an unsteady failure does not look like a fixed one. Nothing is written but the files that options name. Hidden files \
and seedsmith's own results are skipped; the same bytes count once.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@triage [OPTIONS] [TARGET] <INPUT|DIR>... [-- COMMAND ARGS {}]";

const AFTER_HELP: &str = "`@triage --help` shows all options, exit codes and examples.";

const AFTER_LONG_HELP: &str = "\
Exit codes:
  0 none fails any more   1 some still fail; with --join: some failure is new   2 usage
  5 a target not found, built or run   6 an input can't be read   70 our bug
  129, 130, 143 interrupted

Examples:
  What the fuzzer left, after a fix:
      @triage fuzz/artifacts/parse

  A libFuzzer executable in any language, as JSON Lines:
      @triage --binary ./parse_fuzzer --json crashes/

  In CI: fail on a new failure, and show all of them:
      @triage --join old.jsonl --json --sarif crashes.sarif crashes/ > new.jsonl

  Any program; exit status 0 says that the failure shows:
      @triage crashes/ -- ./still-fails.sh {}";

const LONG_SANITIZER: &str = "\
Build to run: auto, none, address

auto and none run a build without sanitizer, which is faster. Where INPUT doesn't fail there, auto \
runs it with AddressSanitizer if cargo-fuzz has built such an executable. address runs that \
executable, or a new build with nightly Rust.";

/// Reports which inputs still fail, and which of them fail the same way
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP)]
#[command(mut_arg("quiet", |arg| arg.help("Say nothing but errors and the table")))]
#[command(mut_arg("verbose", |arg| arg.help("Say more: each input, and what cargo says")))]
#[command(mut_arg("sanitizer", |arg| arg.long_help(LONG_SANITIZER)))]
pub(crate) struct TriageArgs {
    /// Inputs and folders of inputs
    #[arg(required = true, value_name = "INPUT|DIR")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub sameness: SamenessArgs,

    #[command(flatten, next_help_heading = "Tests")]
    pub limits: LimitArgs,

    /// Write a regression test of the smallest input of each failure
    ///
    /// The test is in Rust for a fuzz target, and a shell script for a program. It needs neither
    /// seedsmith nor libFuzzer. Longer inputs are files in a folder beside it.
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_EMIT_TEST", hide_env = true)]
    pub emit_test: Option<PathBuf>,

    /// Write a page with a row for each failure, which can be searched and filtered
    ///
    /// The page is one file that loads nothing. Its links lead to the inputs.
    #[arg(long, value_name = "FILE", help_heading = "Output", env = "SEEDSMITH_HTML")]
    #[arg(hide_env = true)]
    pub html: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Tests")]
    pub shard: ShardArgs,

    /// Folder for the result of --shard
    #[arg(long, short, value_name = "DIR", help_heading = "Output", requires = "shard")]
    #[arg(env = "SEEDSMITH_OUTPUT", hide_env = true, hide_short_help = true)]
    pub output: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Output")]
    pub exchange: ExchangeArgs,

    #[command(flatten)]
    pub tell: TellArgs,
}
