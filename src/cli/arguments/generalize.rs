//! `generalize`'s command line as typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use clap::builder::FalseyValueParser;

use crate::cli::arguments::duration::parse_duration;
use crate::cli::arguments::groups::{LimitArgs, SamenessArgs, TargetArgs, TellArgs, VERSION};
use crate::cli::arguments::language::LanguageArgs;
use seedsmith_engine::Repeat;

/// Share of the produced inputs that has to fail, where no option says otherwise. Together with the
/// confidence it costs about a hundred draws that all fail.
pub(super) const DEFAULT_RATE: f64 = 0.97;

/// How sure that has to be, where no option says otherwise: the usual level of a statistical test.
pub(super) const DEFAULT_CONFIDENCE: f64 = 0.95;

const LONG_ABOUT: &str = "\
Finds the parts of an input that make it fail, and writes more inputs that fail the same way.

INPUT is minimized, and each part of it is replaced by others that the grammar derives. A part that \
may be anything becomes <name> in the pattern, one that has to be the same in several places \
<$name1>, and required parts are kept. Without a grammar that fits, characters are put into classes, \
and texts that may come between them are found. With a target that rejects invalid inputs (-1, \
Corpus::Reject), the pattern describes valid inputs only.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@generalize [OPTIONS] [TARGET] <INPUT> [-- COMMAND ARGS {}]";

const AFTER_HELP: &str = "`@generalize --help` shows all options, exit codes and examples.";

const AFTER_LONG_HELP: &str = "\
Pattern:
  <name> anything of that rule   <$name1> the same text at each place   << a single <
  <digit>+ <letter>{16,} one or more, 16 or more of a class   <character but \"#\">* any but these
  <integer ≥ 65536> a range of numbers   <\\x00> a byte that is no text
  <any case select> these letters, capital or small

Condition:
  One sentence (`fails iff some <array> has at least 8 <value>`) learnt from the inputs that were
  tested, with how many of 100 fresh inputs do what it says. Without a
  grammar it is about lines, words, numbers and marks.

Exit codes:
  0 a pattern was found   1 the input doesn't fail; with --verify: some still fail   2 usage
  3 a budget ended   4 the failure is too unsteady   5 target not found, built or run
  6 reading or writing failed   70 our bug   129, 130, 143 interrupted

Examples:
  What makes a crash of a fuzz target crash:
      @generalize fuzz/artifacts/parse/crash-da39a3ee --grammar json

  A hundred further inputs that fail, to check a fix with and to seed the fuzzer:
      @generalize crash-da39a3ee --grammar json --produce 100 -o more/

  After the fix, which of them still fail:
      @generalize --verify more/ --target parse";

const LONG_TIMEOUT: &str = "\
Processor time that one test may take: auto, or a duration

auto allows ten times what INPUT takes, or 10 s if INPUT hangs. A test of INPUT that takes longer than \
10 s is a hang.";

/// Finds which parts of an input make it fail, and writes more inputs that do
#[derive(Debug, Parser)]
#[command(name = "generalize", version = VERSION, long_about = LONG_ABOUT, max_term_width = 100)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP)]
#[command(mut_arg("timeout", |arg| arg.long_help(LONG_TIMEOUT)))]
pub(crate) struct GeneralizeArgs {
    /// Failing input: a file, or the start of a crash file's name
    #[arg(required_unless_present_any = ["pattern_file", "verify"], value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub language: LanguageArgs,

    #[command(flatten)]
    pub sameness: SamenessArgs,

    /// Share of the produced inputs that has to fail
    #[arg(long, value_name = "RATE", env = "SEEDSMITH_RATE", hide_env = true)]
    #[arg(default_value_t = DEFAULT_RATE, value_parser = share, help_heading = "Search")]
    pub rate: f64,

    /// How sure that has to be
    #[arg(long, value_name = "SHARE", env = "SEEDSMITH_CONFIDENCE", hide_env = true)]
    #[arg(default_value_t = DEFAULT_CONFIDENCE, value_parser = share, help_heading = "Search")]
    pub confidence: f64,

    /// The published way instead: each part fails N times, on its own and with the others
    #[arg(long, value_name = "N", env = "SEEDSMITH_CHECKS", hide_env = true)]
    #[arg(help_heading = "Search", value_parser = clap::value_parser!(u64).range(1..))]
    pub checks: Option<u64>,

    /// Take the input as it is
    #[arg(long, env = "SEEDSMITH_NO_REDUCE", hide_env = true, help_heading = "Search")]
    #[arg(value_parser = FalseyValueParser::new())]
    pub no_reduce: bool,

    /// Try every other token at the place of each one that has to be as it is
    #[arg(long, env = "SEEDSMITH_EXPLAIN", hide_env = true, help_heading = "Search")]
    #[arg(value_parser = FalseyValueParser::new())]
    pub explain: bool,

    /// Seed of everything random
    #[arg(long, value_name = "N", env = "SEEDSMITH_SEED", hide_env = true)]
    #[arg(default_value_t = 0, hide_short_help = true, help_heading = "Search")]
    pub seed: u64,

    /// Processes that test at once [default: cores]
    ///
    /// The result is the same for any number.
    #[arg(long, short, value_name = "N", env = "SEEDSMITH_JOBS", hide_env = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..), help_heading = "Search")]
    pub jobs: Option<u16>,

    /// How often a candidate is run where the failure is unsteady: auto, or a number
    #[arg(long, value_name = "N", env = "SEEDSMITH_REPEAT", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true, hide_short_help = true)]
    #[arg(help_heading = "Search")]
    pub repeat: Repeat,

    #[command(flatten, next_help_heading = "Search")]
    pub limits: LimitArgs,

    /// Stop after this time (500ms, 10s, 2m; 10 is 10s)
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_MAX_TIME", hide_env = true)]
    #[arg(value_parser = parse_duration, help_heading = "Search", hide_short_help = true)]
    pub max_time: Option<Duration>,

    /// Stop after N tests
    #[arg(long, value_name = "N", env = "SEEDSMITH_MAX_TESTS", hide_env = true)]
    #[arg(help_heading = "Search", hide_short_help = true)]
    pub max_tests: Option<u64>,

    /// Write N inputs of the pattern into the folder given by -o
    #[arg(long, value_name = "N", requires = "output", help_heading = "Output")]
    #[arg(env = "SEEDSMITH_PRODUCE", hide_env = true)]
    pub produce: Option<usize>,

    /// Folder for produced inputs
    #[arg(long, short, value_name = "DIR", help_heading = "Output")]
    #[arg(env = "SEEDSMITH_OUTPUT", hide_env = true)]
    pub output: Option<PathBuf>,

    /// Write the pattern to FILE; with --produce and no INPUT, read it from there
    #[arg(long = "pattern", value_name = "FILE", help_heading = "Output")]
    #[arg(env = "SEEDSMITH_PATTERN", hide_env = true)]
    pub pattern_file: Option<PathBuf>,

    /// Write a page that shows the pattern
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    #[arg(env = "SEEDSMITH_HTML", hide_env = true)]
    pub html: Option<PathBuf>,

    /// Write a libFuzzer dictionary of the required parts
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_DICT", hide_env = true)]
    pub dict: Option<PathBuf>,

    /// Write a folder with everything that it takes to fix the failure and to judge a fix
    ///
    /// The minimal input, up to 20 other failing inputs and 20 passing ones that are nearly the same,
    /// the pattern, the failure with its stack, a regression test, a dictionary and a page.
    /// `seedsmith judge DIR` tells whether a fix is right.
    #[arg(long, value_name = "DIR", help_heading = "Output", requires = "inputs")]
    #[arg(env = "SEEDSMITH_KIT", hide_env = true)]
    pub kit: Option<PathBuf>,

    /// Replace a kit that is there
    #[arg(long, env = "SEEDSMITH_FORCE", hide_env = true, help_heading = "Output")]
    #[arg(value_parser = FalseyValueParser::new(), requires = "kit", hide_short_help = true)]
    pub force: bool,

    /// Write a regression test: in Rust for a fuzz target, a shell script for a program
    ///
    /// The test needs neither seedsmith nor libFuzzer. Longer inputs are files in a folder beside it.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    #[arg(env = "SEEDSMITH_EMIT_TEST", hide_env = true)]
    pub emit_test: Option<PathBuf>,

    /// Report which inputs of a folder still fail, and do nothing else
    #[arg(long, value_name = "DIR", help_heading = "Output", conflicts_with = "inputs")]
    #[arg(env = "SEEDSMITH_VERIFY", hide_env = true)]
    pub verify: Option<PathBuf>,

    #[command(flatten)]
    pub tell: TellArgs,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("expected a number between 0 and 1, both excluded".to_owned()),
    }
}
