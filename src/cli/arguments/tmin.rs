//! `tmin`'s command line as typed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use clap::builder::FalseyValueParser;

use crate::cli::arguments::duration::parse_duration;
use crate::cli::arguments::groups::{
    OutputArgs, SamenessArgs, SearchArgs, ShardArgs, TargetArgs, VERSION,
};
use crate::cli::arguments::keep::Keep;
use crate::cli::arguments::structure::StructureArgs;
use crate::reduce::UnknownReducer;
use crate::reduce::registry::named;

const LONG_ABOUT: &str = "\
Shrinks a failing input to the smallest one that still shows the same failure.

INPUT is a file, usually one that cargo-fuzz or libFuzzer wrote. Its fuzz target is found \
from its path and built with plain `cargo build` (stable Rust, no sanitizer). If cargo-fuzz has built \
the target already, the search begins on that executable meanwhile. The smallest input \
so far is always on disk: after Ctrl-C or a kill the same command continues from it.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@tmin [OPTIONS] [TARGET] <INPUT|DIR>... [-- COMMAND ARGS {}]";

const AFTER_HELP: &str = "`@tmin --help` shows all options, exit codes and examples.";

const AFTER_LONG_HELP: &str = "\
Environment and settings:
  Every option can be given as SEEDSMITH_ and its name, such as SEEDSMITH_MAX_TIME=30s.
  seedsmith.toml beside fuzz/ sets options for a package or a target (docs/src/settings.md).

Exit codes:
  0 done   1 the input doesn't fail   2 usage   3 a budget ended, the best is written
  4 the failure is too unsteady   5 target not found, built or run   6 reading or writing failed
  70 our bug   129, 130, 143 interrupted, the best is written

Examples:
  A crash of a fuzz target, by its path or by the start of its name:
      @tmin fuzz/artifacts/parse/crash-da39a3ee

  Everything that the fuzzer left, one result for each failure:
      @tmin fuzz/artifacts/parse -o minimized/

  A libFuzzer executable in any language, half a minute at most:
      @tmin --binary ./parse_fuzzer --max-time 30s -o small.bin crash-da39a3ee

  With a page that shows the deleted parts and how the search went:
      @tmin crash-da39a3ee --html crash.html

  Any program; exit status 0 says that the failure shows:
      @tmin bad.json -- sh -c './parse \"$1\" 2>&1 | grep -q overflow' sh {}";

const LONG_TIMEOUT: &str = "\
Processor time that one test may take; a longer one is a hang: auto, or a duration

auto allows ten times what INPUT takes. A test that takes longer than 10 s is a hang. If INPUT hangs, \
the result is the smallest input that takes longer than the limit; the search itself uses shorter \
limits.";

/// Options about one input, or about the results of all.
const NOT_OF_A_SHARD: [&str; 6] = ["isolate", "as_one", "keep", "emit_test", "html", "gdb"];

/// Shrinks a failing input to the smallest one that still shows the same failure
#[derive(Debug, Parser)]
#[command(name = "tmin", version = VERSION, long_about = LONG_ABOUT, max_term_width = 100)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_LONG_HELP)]
#[command(mut_arg("timeout", |arg| arg.long_help(LONG_TIMEOUT)))]
#[command(mut_arg("shard", |arg| arg.conflicts_with_all(NOT_OF_A_SHARD)))]
pub(crate) struct TminArgs {
    /// Failing input: a file, the start of a crash file's name, or a folder of inputs
    ///
    /// A name that is no file here is looked for in fuzz/artifacts/*/, artifacts/*/,
    /// corpora/crashes/*/ and ../corpora/crashes/*/. Of several inputs, or of those in a folder,
    /// the smallest of each failure is minimized; a table shows which are alike. Of the output folder
    /// of a fuzzer (AFL++, honggfuzz, bolero), its crashes and hangs are the inputs. - is standard
    /// input. A word that names a fuzz target and no file is TARGET, as for cargo-fuzz.
    #[arg(required = true, value_name = "INPUT|DIR")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub structure: StructureArgs,

    #[command(flatten)]
    pub sameness: SamenessArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    /// Reducers that may run, such as lines,bytes; `seedsmith reducers` lists them [default: all]
    ///
    /// A reducer that --strategy auto does not use, such as hdd, then runs at the beginning of each
    /// round.
    #[arg(long, value_name = "NAME", help_heading = "Search", hide_short_help = true)]
    #[arg(value_delimiter = ',', value_parser = reducer_name)]
    #[arg(env = "SEEDSMITH_ONLY", hide_env = true)]
    pub only: Vec<String>,

    /// Reducers that may not run
    ///
    /// The result is claimed to be 1-minimal only if the reducer of the finest unit (bytes, or what
    /// --format names) ran.
    #[arg(long, value_name = "NAME", help_heading = "Search", hide_short_help = true)]
    #[arg(value_delimiter = ',', value_parser = reducer_name)]
    #[arg(env = "SEEDSMITH_WITHOUT", hide_env = true)]
    pub without: Vec<String>,

    /// Of several inputs, minimize each and not only the smallest of those that fail alike
    #[arg(long, help_heading = "Search", env = "SEEDSMITH_ALL", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), hide_short_help = true)]
    pub all: bool,

    /// Take the folder INPUT as one input of COMMAND, and minimize its files together
    ///
    /// Files are deleted first, then each is shrunk. {} is replaced by the folder's path; standard
    /// input is empty. The result is the folder INPUT.min, or PATH.
    #[arg(long, help_heading = "Search", env = "SEEDSMITH_AS_ONE", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), hide_short_help = true)]
    #[arg(conflicts_with_all = ["all", "isolate", "resume", "target", "fuzz_dir", "binary"])]
    pub as_one: bool,

    /// Stop after this time with all of several inputs; --max-time is for each
    #[arg(long, value_name = "DURATION", help_heading = "Search", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_MAX_TOTAL_TIME", hide_env = true, value_parser = parse_duration)]
    pub max_total_time: Option<Duration>,

    /// Print a smallest difference between a failing and a passing input instead
    ///
    /// Zeller and Hildebrandt's general algorithm (dd): a passing and a failing input move
    /// towards each other until no single part of their difference can be left out.
    /// Nothing is written.
    #[arg(long, help_heading = "Search", env = "SEEDSMITH_ISOLATE", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), conflicts_with_all = ["output", "force"])]
    pub isolate: bool,

    /// Passing input that --isolate starts from [default: the empty one]
    #[arg(long, value_name = "FILE", help_heading = "Search", requires = "isolate")]
    #[arg(env = "SEEDSMITH_PASSING", hide_env = true, hide_short_help = true)]
    pub passing: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Search")]
    pub shard: ShardArgs,

    /// Shrink an input that does not fail: coverage, coverage=unique, coverage=reaches=FUNCTION
    ///
    /// coverage keeps all its features: blocks of code, and how often they run. coverage=unique keeps those that no
    /// other file of its folder has. coverage=reaches=FUNCTION keeps that it reaches FUNCTION. This needs coverage
    /// counters: executables of `cargo fuzz build` (--binary) have them, and a fuzz target is built with them.
    /// `seedsmith shrink-corpus` shrinks a whole folder.
    #[arg(long, value_name = "WHAT", help_heading = "Search", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_KEEP", hide_env = true)]
    #[arg(conflicts_with_all = ["isolate", "as_one", "all", "emit_test", "gdb", "command", "sanitizer"])]
    #[arg(conflicts_with_all = ["same", "pattern", "fails_if", "allow_trivial"])]
    pub keep: Option<Keep>,

    /// Continue a killed or stopped run without repeating a test
    ///
    /// A run keeps its observations in the folder .seedsmith beside the result until it is complete.
    /// Those of another executable or under other limits are not used; without --resume they are
    /// replaced. It is an error if there is no earlier run.
    #[arg(long, help_heading = "Output", env = "SEEDSMITH_RESUME", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), conflicts_with = "isolate")]
    pub resume: bool,

    /// Start from INPUT and ignore the result of an earlier run
    ///
    /// A result that is there is kept in the folder .seedsmith beside it. Without this option, a run
    /// continues from the result of the same task, and refuses to replace that of another input,
    /// target, --strategy, --same or --match.
    #[arg(long, help_heading = "Output", env = "SEEDSMITH_FRESH", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), hide_short_help = true)]
    #[arg(conflicts_with_all = ["isolate", "resume"])]
    pub fresh: bool,

    /// Write a regression test: in Rust for a fuzz target, a shell script for a program
    ///
    /// The test needs neither seedsmith nor libFuzzer. Longer inputs are files in a folder beside it.
    #[arg(long, value_name = "FILE", help_heading = "Output", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_EMIT_TEST", hide_env = true, conflicts_with_all = ["isolate", "as_one"])]
    pub emit_test: Option<PathBuf>,

    /// Write a page that shows the result, the deleted parts and how the search went
    ///
    /// The page is one file that loads nothing. With several inputs it has a part for each result, and with --as-one a
    /// part for each file that is left.
    #[arg(long, value_name = "FILE", help_heading = "Output", env = "SEEDSMITH_HTML")]
    #[arg(hide_env = true, hide_short_help = true, conflicts_with = "isolate")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub output: OutputArgs,

    /// Draw the search on the whole terminal, with keys to stop it and to skip reducers
    ///
    /// It shows the size over time, the best, what each reducer did, and the failure. q stops and keeps the
    /// result, as Ctrl-C does; s skips the reducer that runs; k writes the best to its file now. A run in which a
    /// reducer was skipped may end with a larger result, and does not claim that it is 1-minimal. Needs the
    /// cargo feature `view`.
    #[arg(long, help_heading = "Output", env = "SEEDSMITH_VIEW", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), hide_short_help = true)]
    #[arg(conflicts_with_all = ["isolate", "as_one", "json", "quiet"])]
    pub view: bool,

    /// Start a debugger on the result, which runs the target until it fails
    ///
    /// The debugger is rust-gdb, gdb or lldb, whichever is installed, or the program in
    /// SEEDSMITH_DEBUGGER. Without one, its command line is printed. A COMMAND without {} gets the
    /// result on standard input.
    #[arg(long, help_heading = "Output", env = "SEEDSMITH_GDB", hide_env = true)]
    #[arg(value_parser = FalseyValueParser::new(), hide_short_help = true)]
    #[arg(conflicts_with_all = ["isolate", "as_one", "all", "json"])]
    pub gdb: bool,

    /// Debugger that --gdb starts
    #[arg(long, value_name = "PROGRAM", help_heading = "Output", hide_short_help = true)]
    #[arg(env = "SEEDSMITH_DEBUGGER", hide_env = true)]
    pub debugger: Option<OsString>,
}

/// A name of a reducer, as it was typed.
fn reducer_name(name: &str) -> Result<String, UnknownReducer> {
    named(name).map(|reducer| reducer.name().to_owned())
}
