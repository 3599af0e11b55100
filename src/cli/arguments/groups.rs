//! Options as typed that mean the same in every command: target, sameness, search, output.
//!
//! These structs mirror the command line and nothing else; each turns into a plain struct of
//! [`plans`](crate::cli::plans), and only those are read by the rest.
//!
//! The help of an option here holds for every command that has it. A command for which the option
//! does more adds to the help in its own file, with clap's `mut_arg`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{FalseyValueParser, PossibleValuesParser, TypedValueParser};
use regex::Regex;

use crate::cargo_fuzz::Sanitizer;
use crate::cli::arguments::cargo::BuildArgs;
use crate::cli::arguments::duration::{TimeLimit, parse_duration};
use crate::corpus::Shard;
use crate::reduce::{Polish, Strategy, UnitKind};
use crate::report::Color;
use seedsmith_engine::Repeat;
use seedsmith_engine::Rule;
use seedsmith_engine::Workplace;
use seedsmith_engine::internal::{Condition, UNRESOLVED_STATUS};

/// The text that `--version` prints after the program's name: the version, the commit that it was
/// built from, if there is one, and the features. The build script writes it.
pub(crate) const VERSION: &str = include_str!(concat!(env!("OUT_DIR"), "/version.txt"));

/// What is run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Target")]
pub(crate) struct TargetArgs {
    /// Program to ask instead of a fuzz target: it crashes, or exits with 0 = the failure shows
    ///
    /// Each test runs in a new folder that holds the candidate under INPUT's name; {} is replaced by
    /// its path, and it is on standard input too. docs/src/programs.md has the conventions.
    #[arg(last = true, value_name = "COMMAND", help_heading = None)]
    #[arg(conflicts_with_all = ["target", "fuzz_dir", "binary"])]
    pub command: Vec<OsString>,

    /// Fuzz target to run [default: from INPUT's path]
    ///
    /// Without it the target is the NAME of …/artifacts/NAME/… or …/crashes/NAME/… in INPUT's
    /// path; if the path names none, INPUT is tried on every target of the package.
    #[arg(long, short, value_name = "NAME", env = "SEEDSMITH_TARGET", hide_env = true)]
    pub target: Option<String>,

    /// Folder of the cargo-fuzz package [default: searched from INPUT and from here upwards]
    #[arg(long, value_name = "DIR", env = "SEEDSMITH_FUZZ_DIR", hide_env = true)]
    #[arg(hide_short_help = true)]
    pub fuzz_dir: Option<PathBuf>,

    /// libFuzzer executable to run, as it is; nothing is built
    #[arg(long, short, value_name = "FILE", env = "SEEDSMITH_BINARY", hide_env = true)]
    #[arg(conflicts_with_all = ["target", "fuzz_dir"])]
    pub binary: Option<PathBuf>,

    /// Build to run: auto, none, address
    ///
    /// auto and none run a build without sanitizer, which is faster. If INPUT does not fail there,
    /// auto runs it with AddressSanitizer, as address does: in the executable that cargo-fuzz
    /// built, or in a new build with nightly Rust. If cargo-fuzz has built the target since its
    /// sources changed, auto minimizes on that executable for the first 20,000 tests.
    #[arg(long, value_name = "WHICH", env = "SEEDSMITH_SANITIZER", hide_env = true)]
    #[arg(default_value = "auto", hide_short_help = true, conflicts_with = "binary")]
    #[arg(hide_possible_values = true, value_parser = sanitizer())]
    pub sanitizer: Sanitizer,

    /// Where COMMAND runs: private (a new folder for each test) or keep (this folder)
    ///
    /// If INPUT does not fail in a new folder, arguments that name files are replaced by absolute
    /// paths, and if that does not help this folder is tried; a message says which. In this folder,
    /// one test runs at a time.
    #[arg(long, value_name = "WHERE", env = "SEEDSMITH_CWD", hide_env = true)]
    #[arg(default_value = "private", hide_default_value = true, hide_short_help = true)]
    #[arg(hide_possible_values = true, value_parser = workplace())]
    pub cwd: Workplace,

    /// Exit status of COMMAND for an unknown outcome, as for git bisect
    #[arg(long, value_name = "N", env = "SEEDSMITH_UNRESOLVED_STATUS", hide_env = true)]
    #[arg(default_value_t = UNRESOLVED_STATUS, hide_short_help = true)]
    #[arg(value_parser = clap::value_parser!(i32).range(1..=255))]
    pub unresolved_status: i32,

    /// Start COMMAND for each test, even if it could be forked
    ///
    /// A dynamic executable is started once, stops when it first looks at its input, and is forked
    /// there for each test: an interpreter has started by then and imported its modules. If a
    /// forked run gives another outcome or COMMAND cannot be forked, each test is a start in any
    /// case, and so are the first runs and those that confirm a result.
    #[arg(long, env = "SEEDSMITH_NO_FORK_SERVER", hide_env = true, hide_short_help = true)]
    #[arg(value_parser = FalseyValueParser::new())]
    pub no_fork_server: bool,

    #[command(flatten)]
    pub build: BuildArgs,
}

fn workplace() -> impl TypedValueParser<Value = Workplace> {
    PossibleValuesParser::new(["private", "keep"]).map(|name| match name.as_str() {
        "keep" => Workplace::Shared,
        _ => Workplace::Private,
    })
}

fn sanitizer() -> impl TypedValueParser<Value = Sanitizer> {
    PossibleValuesParser::new(Sanitizer::ALL.map(Sanitizer::name)).map(|name| {
        let named = Sanitizer::ALL.into_iter().find(|one| one.name() == name);
        named.expect("only names of one are possible")
    })
}

/// When another failure is the same one.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Sameness")]
pub struct SamenessArgs {
    /// How failures are compared: auto, exact, frames=N, location, kind, any
    ///
    /// auto compares kind and place of panics, kind and three frames of the user's or a crate's
    /// code of signals and sanitizer reports, and the kind of anything else. exact adds the
    /// message and all frames; frames=N takes kind and N frames; location takes kind and place.
    #[arg(long, value_name = "RULE", env = "SEEDSMITH_SAME", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true)]
    pub same: Rule,

    /// In addition the failure's text ("panic at FILE:LINE:COLUMN: MESSAGE") has to match this
    ///
    /// MESSAGE is on one line here. A # matches any number in it.
    #[arg(long = "match", value_name = "REGEX", env = "SEEDSMITH_MATCH", hide_env = true)]
    #[arg(hide_short_help = true)]
    pub pattern: Option<Regex>,

    /// When COMMAND fails: status=N, signal, timeout, stdout=REGEX, stderr=REGEX
    ///
    /// May be given several times; any of them will do. Without it the first five runs of INPUT
    /// decide: exit status 0 in all of them means that exit status 0 is the failure; a signal, or
    /// the report of a sanitizer, a Rust or Go panic, a Python traceback or an assertion is the
    /// failure itself.
    #[arg(long, value_name = "SIGN", env = "SEEDSMITH_FAILS_IF", hide_env = true)]
    #[arg(hide_short_help = true)]
    pub fails_if: Vec<Condition>,

    /// Minimize even if COMMAND's exit status does not depend on the input
    #[arg(long, env = "SEEDSMITH_ALLOW_TRIVIAL", hide_env = true, hide_short_help = true)]
    #[arg(value_parser = FalseyValueParser::new())]
    pub allow_trivial: bool,
}

/// What one test may use.
#[derive(Clone, Debug, Args)]
pub struct LimitArgs {
    /// Processor time that one test may take: auto, or a duration
    ///
    /// auto is 10 s. A test that takes longer is a hang.
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_TIMEOUT", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true, hide_short_help = true)]
    pub timeout: TimeLimit,

    /// Memory that one test may use, in megabytes; 0 is no limit
    #[arg(long, value_name = "MB", env = "SEEDSMITH_MEMORY_LIMIT", hide_env = true)]
    #[arg(default_value_t = 2048, hide_short_help = true)]
    pub memory_limit: u64,
}

/// What a command takes that runs inputs on a target and searches nothing.
#[derive(Clone, Debug, Args)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub sameness: SamenessArgs,

    #[command(flatten, next_help_heading = "Tests")]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub tell: TellArgs,
}

/// The options for the search and its budget.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// auto, ddmin, hdd, hdd+, hdd*, hddr, picireny, perses
    #[arg(long, value_name = "NAME", env = "SEEDSMITH_STRATEGY", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true)]
    pub strategy: Strategy,

    /// What the input is made of: auto, bytes, lines, tokens, brackets
    #[arg(long, value_name = "FORMAT", env = "SEEDSMITH_FORMAT", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true, hide_short_help = true)]
    pub format: UnitKind,

    /// Tests spent on results smaller than deletion alone finds: auto, or a number (0: none)
    #[arg(long, value_name = "N", env = "SEEDSMITH_POLISH", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true, hide_short_help = true)]
    pub polish: Polish,

    /// Seed of everything random
    #[arg(long, value_name = "N", env = "SEEDSMITH_SEED", hide_env = true)]
    #[arg(default_value_t = 0, hide_short_help = true)]
    pub seed: u64,

    /// Runs without the failure after which a candidate counts as passing: auto, or a number
    ///
    /// auto measures how often the input fails (5 runs, or 30 if they differ) and repeats each
    /// candidate often enough for 99 % confidence at each step.
    #[arg(long, value_name = "N", env = "SEEDSMITH_REPEAT", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true, hide_short_help = true)]
    pub repeat: Repeat,

    /// Processes that test at once [default: cores]
    ///
    /// The result is the same for any number.
    #[arg(long, short, value_name = "N", env = "SEEDSMITH_JOBS", hide_env = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    #[command(flatten)]
    pub limits: LimitArgs,

    /// Stop after this time (500ms, 10s, 2m; 10 is 10s) and keep the best input so far
    #[arg(long, value_name = "DURATION", env = "SEEDSMITH_MAX_TIME", hide_env = true)]
    #[arg(value_parser = parse_duration)]
    pub max_time: Option<Duration>,

    /// Stop after N tests and keep the best input so far
    #[arg(long, value_name = "N", env = "SEEDSMITH_MAX_TESTS", hide_env = true)]
    #[arg(hide_short_help = true)]
    pub max_tests: Option<u64>,
}

/// Which part of the inputs runs.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ShardArgs {
    /// Run only part K of N of the inputs, and write to the folder -o what `merge` needs
    ///
    /// Which part an input belongs to depends on its content only. `merge` joins the folders of all parts, with the
    /// result of a run without --shard.
    #[arg(long, value_name = "K/N", env = "SEEDSMITH_SHARD", hide_env = true)]
    #[arg(hide_short_help = true, requires = "output")]
    pub shard: Option<Shard>,
}

/// The options for the result's place and for reports.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Result [default: INPUT.min]
    ///
    /// A folder takes it as NAME.min, where NAME is that of INPUT. INPUT itself is never replaced.
    #[arg(long, short, value_name = "PATH", env = "SEEDSMITH_OUTPUT", hide_env = true)]
    pub output: Option<PathBuf>,

    /// Replace PATH even if it is another file or the result of another task
    #[arg(long, env = "SEEDSMITH_FORCE", hide_env = true, value_parser = FalseyValueParser::new())]
    #[arg(hide_short_help = true)]
    pub force: bool,

    /// Report everything as JSON Lines on stdout
    #[arg(long, env = "SEEDSMITH_JSON", hide_env = true, value_parser = FalseyValueParser::new())]
    pub json: bool,

    /// End with a table of what each reducer did
    #[arg(long, env = "SEEDSMITH_STATS", hide_env = true, value_parser = FalseyValueParser::new())]
    pub stats: bool,

    /// Say nothing but errors
    #[arg(long, short, env = "SEEDSMITH_QUIET", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), conflicts_with = "verbose")]
    pub quiet: bool,

    /// Say more: each reducer, and what cargo says
    #[arg(long, short, env = "SEEDSMITH_VERBOSE", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new())]
    pub verbose: bool,

    #[command(flatten)]
    pub color: ColorArgs,
}

/// The amount of output, in commands that write no result.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct TellArgs {
    /// Report everything as JSON Lines on stdout
    #[arg(long, env = "SEEDSMITH_JSON", hide_env = true, value_parser = FalseyValueParser::new())]
    pub json: bool,

    /// Say nothing but errors
    #[arg(long, short, env = "SEEDSMITH_QUIET", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), conflicts_with = "verbose")]
    pub quiet: bool,

    /// Say more: each reducer, and what cargo says
    #[arg(long, short, env = "SEEDSMITH_VERBOSE", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new())]
    pub verbose: bool,

    #[command(flatten)]
    pub color: ColorArgs,
}

/// The look of the output.
#[derive(Clone, Debug, Args)]
pub(crate) struct ColorArgs {
    /// Colours: auto (on a terminal), always, never
    ///
    /// NO_COLOR and CLICOLOR_FORCE are honoured. Places in source files are links on terminals that are
    /// known to show them; FORCE_HYPERLINK=1 says that yours does, FORCE_HYPERLINK=0 turns links off.
    #[arg(long, value_name = "WHEN", env = "SEEDSMITH_COLOR", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    pub color: When,
}

/// When there are colours.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

impl From<&ColorArgs> for Color {
    fn from(args: &ColorArgs) -> Self {
        match args.color {
            When::Auto => Color::Auto,
            When::Always => Color::Always,
            When::Never => Color::Never,
        }
    }
}
