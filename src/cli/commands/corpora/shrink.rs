//! `shrink-corpus`: smaller inputs with the same coverage.

use crate::event::{Event, Reporter, ShrunkCorpus, ShrunkFile};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::Args;

use crate::cli::arguments::keep::Keep;
use crate::cli::commands::corpora::{CorpusArgs, OpenCorpus, keep_rule, report_left_out};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::corpus::{Shard, content_name, read_input};
use crate::coverage::gather::GatherError;
use crate::coverage::shrink::{ShrinkInput, ShrinkOptions, Shrunk, shrink_corpus};
use crate::coverage::survey::Exact;
use crate::reduce;
use crate::report::Reporters;
use crate::session::corpora::{CorpusPlace, PART_FILE, Part};

/// Tests for each input if no number is given. On corpora of text formats, most inputs of some
/// kilobytes are done with fewer.
pub(super) const MAX_TESTS: u64 = 20_000;

/// The name of the command in the file of a shard.
pub(super) const TASK: &str = "shrink-corpus";

/// The beginning of `shrink-corpus --help`.
const LONG_ABOUT: &str = "\
Shrinks every input of a corpus while the coverage of the corpus stays, and writes the results to \
OUT under their SHA-1.

Inputs are shrunk one after the other, the largest first. Each keeps the features that no other \
input has at that time, so nothing that the corpus reaches is lost. Run it on the result of cmin: \
in a corpus with many inputs for each feature, few inputs have anything to keep. Inputs that fail are left out.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@shrink-corpus [OPTIONS] --output <OUT> <DIR|FILE>...";

/// The end of the help: exit codes and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 done   2 usage   5 target not found, built or run   6 reading or writing failed   70 our bug
  129, 130, 143 interrupted; nothing is written

Examples:
  After cmin:
      @shrink-corpus --target parse -o corpus-small corpus-min

  Each input keeps all that it reaches, with at most 2,000 tests for each:
      @shrink-corpus --binary ./parse_fuzzer --keep all --max-tests 2000 -o small corpus-min

  Seeds that still reach one function:
      @shrink-corpus --binary ./parse_fuzzer --keep reaches=parse_table -o small seeds";

/// Shrinks the inputs of a corpus while its coverage stays
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct ShrinkArgs {
    /// Folder for the results; it must be empty if it exists
    #[arg(long, short, value_name = "OUT", env = "SEEDSMITH_OUTPUT", hide_env = true)]
    pub output: PathBuf,

    /// What an input keeps: all (its features), unique (those that only it has), reaches=FUNCTION
    #[arg(long, value_name = "WHAT", env = "SEEDSMITH_KEEP", hide_env = true)]
    #[arg(default_value = "unique", hide_default_value = true)]
    pub keep: Keep,

    /// Tests for each input at most
    #[arg(long, value_name = "N", env = "SEEDSMITH_MAX_TESTS", hide_env = true)]
    #[arg(default_value_t = MAX_TESTS)]
    pub max_tests: u64,

    /// Shrink only part K of N, and write what `merge` needs to OUT too; not with --keep unique
    ///
    /// Which part an input belongs to depends on its content only.
    #[arg(long, value_name = "K/N", env = "SEEDSMITH_SHARD", hide_env = true)]
    pub shard: Option<Shard>,

    #[command(flatten)]
    pub corpus: CorpusArgs,
}

/// Shrinks and writes.
///
/// Originals are only read.
/// Results are written when all inputs are done, and after a signal nothing is written. A shard that is complete is
/// not run again.
///
/// # Errors
///
/// OUT is not empty, the target has no counters or not this function, or the results cannot be written. A shard with
/// `--keep unique` is refused: what only one input has depends on the inputs of all shards.
pub(super) fn run(
    args: ShrinkArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let started = Instant::now();
    let ShrinkArgs { output, keep, max_tests, shard, corpus } = args;
    if shard.is_some() && matches!(keep, Keep::Unique) {
        return Err(Trouble::new(
            Exit::Usage,
            "--keep unique depends on the inputs of all shards: with --shard use --keep all or \
             --keep reaches=FUNCTION",
        ));
    }
    let place = CorpusPlace::New(output);
    if !place.path().join(PART_FILE).exists() {
        place.check()?;
    }
    let flag = interrupt.flag();
    let mut open = OpenCorpus::open(corpus, "shrink-corpus", Some(place.path()), &flag, report)?;
    let part = shard.map(|shard| {
        let key = format!("{:032x} {keep:?} {max_tests}", open.key(None).digest);
        Part::new(shard, TASK, key, &open.target.name)
    });
    if part.as_ref().is_some_and(|part| part.is_in(place.path())) {
        report.say(&format!("{} is complete already", place.path().display()));
        return Ok(Exit::Done);
    }
    place.check()?;
    let keep = keep_rule(&keep, &open.target)?;
    let (survey, _) = open.survey(Exact::All, shard, None, &flag, interrupt)?;
    let mut is_partial = report_left_out(&survey, report);
    let (mut paths, mut inputs) = (Vec::new(), Vec::new());
    for one in survey.passing {
        match read_input(&one.input.path, &flag) {
            Ok(bytes) => {
                paths.push(one.input.path);
                inputs.push(ShrinkInput { bytes, features: one.features });
            }
            Err(error) => {
                is_partial = true;
                let (input, why) = (&one.input.path, &error.to_string());
                report.report(&Event::PassedOver { input, why, exit: Exit::Files as u8 });
            }
        }
    }
    let options = ShrinkOptions {
        keep,
        limits: open.limits,
        jobs: open.jobs,
        max_tests: Some(max_tests),
        unstable: survey.unstable,
        reduction: reduce::Options::default(),
    };
    let bytes_before: usize = inputs.iter().map(|one| one.bytes.len()).sum();
    let count = inputs.len();
    let (mut tests, mut done) = (0, Vec::with_capacity(count));
    let mut hear = |shrunk: Shrunk| {
        tests += shrunk.tests;
        done.push(shrunk);
        report.report(&Event::InputsDone { done: done.len(), all: count });
        match flag.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let target = &*open.target.target;
    let ended = shrink_corpus(target, &mut inputs, &options, &flag, &mut hear);
    ended.map_err(|error| match error {
        GatherError::Target(error) => Trouble::by(Exit::Target, error),
        error => Trouble::by(interrupt.exit().unwrap_or(Exit::Interrupted), error),
    })?;
    if let Some(exit) = interrupt.exit() {
        return Err(Trouble::new(exit, "interrupted; nothing is written"));
    }
    let bytes: usize = inputs.iter().map(|one| one.bytes.len()).sum();
    let part = part.map(|part| {
        let files = inputs.iter().map(|one| content_name(&one.bytes)).collect();
        let figures = [
            ("inputs", count as u64),
            ("bytes_before", bytes_before as u64),
            ("bytes", bytes as u64),
            ("failing", survey.failing.len() as u64),
            ("tests", tests),
        ];
        part.with(files, figures)
    });
    place.write_texts(inputs.iter().map(|one| &one.bytes[..]), part.as_ref())?;
    for Shrunk { index, bytes_before, bytes, kept, tests } in done {
        report.report(&Event::CorpusFileShrunk(&ShrunkFile {
            input: &paths[index],
            name: &content_name(&inputs[index].bytes),
            bytes_before,
            bytes,
            features: kept,
            tests,
        }));
    }
    report.report(&Event::CorpusShrunk(&ShrunkCorpus {
        target: &open.target.name,
        output: place.path(),
        inputs: count,
        bytes_before,
        bytes,
        failing: survey.failing.len(),
        tests,
        elapsed: started.elapsed(),
    }));
    Ok(if is_partial { Exit::Files } else { Exit::Done })
}
