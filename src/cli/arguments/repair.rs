//! `repair`'s command line as typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use clap::builder::FalseyValueParser;

use crate::cli::arguments::duration::parse_duration;
use crate::cli::arguments::groups::{ColorArgs, LimitArgs, ShardArgs, TargetArgs, VERSION};
use crate::cli::arguments::language::LanguageArgs;
use crate::repair::Strategy;

const LONG_ABOUT: &str = "\
Makes invalid inputs valid and keeps as much of them as it can.

An input is valid if its fuzz target keeps it (rejecting is Corpus::Reject, or -1 from \
LLVMFuzzerTestOneInput), or if COMMAND ends with exit status 0. One FILE is printed to stdout, or \
written to -o; several, or a DIR, go to the folder -o, each named by the SHA-1 of its content. \
Originals stay as they are, but for --in-place.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@repair [OPTIONS] [TARGET] <INPUT|DIR>... [-- COMMAND ARGS {}]";

const AFTER_HELP: &str = "`@repair --help` shows all options, exit codes and examples.";

const AFTER_LONG_HELP: &str = "\
Environment and settings:
  Every option can be given as SEEDSMITH_ and its name, such as SEEDSMITH_MAX_TIME=5s.
  seedsmith.toml beside fuzz/ sets options for a package or a target (docs/src/settings.md).

Exit codes:
  0 everything is valid in the end   1 something stays invalid   2 usage
  3 a budget ended, the best is written   4 the validator is not deterministic
  5 target not found, built or run, or it never rejects   6 reading or writing failed
  70 our bug   129, 130, 143 interrupted, the best is written

Examples:
  One file, checked by jq:
      @repair broken.json -- jq . {}

  A corpus before fuzzing, with a page that shows the changes:
      @repair fuzz/corpus/parse -o fixed --html repairs.html -- xmllint --noout {}

  Where a file is wrong, in context:
      @repair --diagnose settings.ini -- python3 -c 'import configparser, sys
      configparser.ConfigParser().read_file(open(sys.argv[1]))' {}";

const LONG_TARGET: &str = "\
Fuzz target to run [default: from INPUT's path]

Without it the target is the NAME of …/artifacts/NAME/… or …/crashes/NAME/… in the first INPUT's path, \
or the package's only target.";

const LONG_SANITIZER: &str = "\
Build to run: auto, none, address

auto and none run a build without sanitizer, which is faster; address runs one with \
AddressSanitizer: what cargo-fuzz built, or a new build with nightly Rust. auto is address if the \
first INPUT is called leak-….";

const COMMAND: &str = "Program that checks an input: exit status 0 = valid";

const LONG_COMMAND: &str = "\
Program that checks an input: exit status 0 = valid

Each test runs in a new folder that holds the candidate under INPUT's name; {} is replaced by its \
path, and it is on standard input too.";

const LONG_TIMEOUT: &str = "\
Processor time that one test may take: auto, or a duration

auto is 10 s. Whether an input that takes longer is valid is unknown, and it is never a result.";

/// Makes invalid inputs valid and keeps as much of them as it can
#[derive(Debug, Parser)]
#[command(name = "repair", version = VERSION, long_about = LONG_ABOUT, max_term_width = 100)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP)]
#[command(mut_arg("command", |arg| arg.help(COMMAND).long_help(LONG_COMMAND)))]
#[command(mut_arg("command", |arg| arg.conflicts_with("validator")))]
#[command(mut_arg("target", |arg| arg.long_help(LONG_TARGET)))]
#[command(mut_arg("sanitizer", |arg| arg.long_help(LONG_SANITIZER)))]
#[command(mut_arg("timeout", |arg| arg.long_help(LONG_TIMEOUT)))]
pub(crate) struct RepairArgs {
    /// Inputs and folders of inputs; - is standard input
    #[arg(required = true, value_name = "INPUT|DIR")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub target: TargetArgs,

    /// Shell command that checks an input: exit status 0 = valid
    ///
    /// {} is replaced by the path of the input; a line without {} gets it at its end.
    #[arg(long, value_name = "COMMAND", env = "SEEDSMITH_VALIDATOR", hide_env = true)]
    #[arg(help_heading = "Target", conflicts_with_all = ["target", "fuzz_dir", "binary"])]
    pub validator: Option<String>,

    /// reaches=FUNCTION: an input that gets there is valid, for targets that never reject
    ///
    /// FUNCTION is the first function that is called after the parser succeeds, by its path or the
    /// end of the path. This needs coverage counters: executables of `cargo fuzz build` (--binary)
    /// have them, and a target that is built here gets them.
    #[arg(long, value_name = "RULE", env = "SEEDSMITH_VALID_IF", hide_env = true)]
    #[arg(help_heading = "Target", conflicts_with_all = ["command", "validator", "sanitizer"])]
    #[arg(value_parser = reached_function)]
    pub valid_if: Option<String>,

    #[command(flatten)]
    pub language: LanguageArgs,

    /// How to repair: auto, ddmax, syntactic, hybrid
    ///
    /// auto corrects one error after another with small edits, first at the line and column in the
    /// validator's output, with the text that it expects; ddmax is the paper's figure 5 over bytes,
    /// syntactic the same over terminals, hybrid deletes by terminals and then by bytes.
    #[arg(long, value_name = "NAME", env = "SEEDSMITH_STRATEGY", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true, help_heading = "Search")]
    pub strategy: Strategy,

    /// Add nothing: the result is a part of the input
    #[arg(long, env = "SEEDSMITH_ONLY_DELETE", hide_env = true, help_heading = "Search")]
    #[arg(value_parser = FalseyValueParser::new())]
    pub only_delete: bool,

    /// Refuse results that keep less of their input [default: 50% with a DIR or several, else 0%]
    ///
    /// The row of an input whose only valid text keeps less says so, and nothing is written for it:
    /// an empty document is not a repaired seed.
    #[arg(long, value_name = "PERCENT", env = "SEEDSMITH_KEEP_AT_LEAST", hide_env = true)]
    #[arg(value_parser = percent, help_heading = "Search", hide_short_help = true)]
    pub keep_at_least: Option<f64>,

    /// Valid input that it was made of: as many changes as are valid stay
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_PARENT", hide_env = true)]
    #[arg(help_heading = "Search", conflicts_with = "base")]
    pub parent: Option<PathBuf>,

    /// Valid input to start from instead of the empty one
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_BASE", hide_env = true)]
    #[arg(help_heading = "Search", hide_short_help = true)]
    pub base: Option<PathBuf>,

    /// Inputs that are repaired at once [default: cores]
    ///
    /// Results are the same for any number.
    #[arg(long, short, value_name = "N", env = "SEEDSMITH_JOBS", hide_env = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..), help_heading = "Search")]
    pub jobs: Option<u16>,

    #[command(flatten, next_help_heading = "Search")]
    pub limits: LimitArgs,

    /// Stop an input's repair after this time and keep the best text so far
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_MAX_TIME", hide_env = true)]
    #[arg(default_value = "60s", value_parser = parse_duration, help_heading = "Search")]
    pub max_time: Duration,

    /// Stop after this time with all of several inputs; --max-time is for each
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_MAX_TOTAL_TIME", hide_env = true)]
    #[arg(value_parser = parse_duration, help_heading = "Search", hide_short_help = true)]
    pub max_total_time: Option<Duration>,

    /// The name that --max-total-time had before
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_MAX_TOTAL", hide_env = true)]
    #[arg(value_parser = parse_duration, hide = true)]
    pub max_total: Option<Duration>,

    /// Stop an input's repair after N tests and keep the best text so far
    ///
    /// Without this option, each input of a DIR and each of several may use 5,000.
    #[arg(long, value_name = "N", env = "SEEDSMITH_MAX_TESTS", hide_env = true)]
    #[arg(help_heading = "Search", hide_short_help = true)]
    pub max_tests: Option<u64>,

    /// File for the one repaired input, or folder for several
    #[arg(long, short, value_name = "PATH", env = "SEEDSMITH_OUTPUT", hide_env = true)]
    #[arg(help_heading = "Output")]
    pub output: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Output")]
    pub shard: ShardArgs,

    /// Only say by the exit code whether everything is valid
    #[arg(long, env = "SEEDSMITH_CHECK", hide_env = true, value_parser = FalseyValueParser::new())]
    #[arg(help_heading = "Output", hide_short_help = true)]
    #[arg(conflicts_with_all = ["output", "in_place", "diagnose", "html"])]
    pub check: bool,

    /// Write each repaired input over its file, and keep the original as FILE.orig
    #[arg(long, env = "SEEDSMITH_IN_PLACE", hide_env = true, value_parser = FalseyValueParser::new())]
    #[arg(help_heading = "Output", hide_short_help = true, conflicts_with = "output")]
    pub in_place: bool,

    /// Replace PATH even if it is a file that is there
    #[arg(long, env = "SEEDSMITH_FORCE", hide_env = true, value_parser = FalseyValueParser::new())]
    #[arg(help_heading = "Output", hide_short_help = true)]
    pub force: bool,

    /// Print the changes by line and column instead of the repaired input
    #[arg(long, env = "SEEDSMITH_DIAGNOSE", hide_env = true, help_heading = "Output")]
    #[arg(value_parser = FalseyValueParser::new(), conflicts_with = "json")]
    pub diagnose: bool,

    /// Write a page that shows each input with the text that was dropped and added
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_HTML", hide_env = true)]
    #[arg(help_heading = "Output")]
    pub html: Option<PathBuf>,

    /// Report everything as JSON Lines on stdout (a repaired input then needs -o)
    #[arg(long, env = "SEEDSMITH_JSON", hide_env = true, value_parser = FalseyValueParser::new())]
    #[arg(help_heading = "Output")]
    pub json: bool,

    /// Say nothing but errors
    #[arg(long, short, env = "SEEDSMITH_QUIET", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), help_heading = "Output")]
    pub quiet: bool,

    #[command(flatten, next_help_heading = "Output")]
    pub color: ColorArgs,
}

/// A share from `50%` or `50`.
fn percent(text: &str) -> Result<f64, &'static str> {
    let number = text.strip_suffix('%').unwrap_or(text).parse::<f64>();
    match number {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent / 100.0),
        _ => Err("it has to be a percentage, such as 50%"),
    }
}

fn reached_function(rule: &str) -> Result<String, &'static str> {
    match rule.strip_prefix("reaches=") {
        Some(function) if !function.is_empty() => Ok(function.to_owned()),
        _ => Err("it has to be reaches=FUNCTION"),
    }
}
