//! `cmin`: the smallest corpus that reaches what a corpus reaches.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::cli::commands::corpora::result::{Choice, Source, is_held};
use crate::cli::commands::corpora::{
    CorpusArgs, OpenCorpus, WeightChoice, check_shard_place, report_left_out, write_part,
};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::page::add_corpus;
use crate::corpus::Shard;
use crate::coverage::records::Records;
use crate::coverage::survey::{Exact, Surveyed};
use crate::report::Reporters;
use crate::session::corpora::{CorpusPlace, ToDo};

/// The beginning of `cmin --help`.
const LONG_ABOUT: &str = "\
Chooses the inputs of a corpus that together reach everything that the corpus reaches, with as few \
bytes as it can, and copies them to OUT under their SHA-1.

Each input runs once on an executable with coverage counters, in worker processes that survive \
crashes. The result is the same for any order of the files and any number of jobs, and a second run \
changes nothing. Inputs that fail and empty files, which fuzzers pass over, are never chosen; \
--crashes keeps the smallest input of each failure. After an interruption or a kill the same \
command continues: what the inputs reach is recorded in .seedsmith/ beside OUT.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@cmin [OPTIONS] <--output <OUT>|--into <CORPUS>> <DIR|FILE>...";

/// The end of the help: exit codes and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 done   2 usage   5 target not found, built or run   6 reading or writing failed   70 our bug
  129, 130, 143 interrupted; the same command continues

Examples:
  The corpus of a fuzz target, and one input of each failure:
      @cmin --target parse -o corpus-min --crashes crashes fuzz/corpus/parse

  Add what two machines have found to a corpus that is kept, and report what each brings:
      @cmin --binary ./parse_fuzzer --into corpus --by-source host1 host2

  One of four parts on a cluster; `merge` makes the result of all parts:
      @cmin --binary ./parse_fuzzer --shard 1/4 -o part-1 corpus";

/// Chooses the smallest corpus with the same coverage
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct CminArgs {
    /// Folder for the chosen inputs; it must be empty if it exists
    #[arg(long, short, value_name = "OUT", env = "SEEDSMITH_OUTPUT", hide_env = true)]
    #[arg(required_unless_present = "into")]
    pub output: Option<PathBuf>,

    /// Corpus to add inputs to that reach something that it does not reach; all its inputs stay
    #[arg(long, value_name = "CORPUS", env = "SEEDSMITH_INTO", hide_env = true)]
    #[arg(conflicts_with = "output")]
    pub into: Option<PathBuf>,

    /// Folder for the smallest input of each failure; it must be empty if it exists
    #[arg(long, value_name = "DIR", env = "SEEDSMITH_CRASHES", hide_env = true)]
    #[arg(conflicts_with = "shard")]
    pub crashes: Option<PathBuf>,

    /// Report what each of the named folders contributes
    #[arg(long, env = "SEEDSMITH_BY_SOURCE", hide_env = true)]
    #[arg(value_parser = clap::builder::FalseyValueParser::new(), conflicts_with = "shard")]
    pub by_source: bool,

    /// Run only part K of N and write what its inputs reach to OUT, for `merge`
    ///
    /// Which part an input belongs to depends on its content only.
    #[arg(long, value_name = "K/N", env = "SEEDSMITH_SHARD", hide_env = true)]
    #[arg(conflicts_with = "into")]
    pub shard: Option<Shard>,

    /// Write a page with a row for each chosen input, which can be searched and sorted
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_HTML", hide_env = true)]
    #[arg(conflicts_with = "shard")]
    pub html: Option<PathBuf>,

    /// What the chosen inputs have as little of as possible
    #[arg(long, value_name = "WHAT", env = "SEEDSMITH_WEIGHT", hide_env = true)]
    #[arg(default_value = "bytes", conflicts_with = "shard")]
    pub weight: WeightChoice,

    #[command(flatten)]
    pub corpus: CorpusArgs,
}

/// Chooses and writes.
///
/// An input that is in the records of an earlier run is not run. Originals are only read.
/// If some inputs could not be read or run, the result is written without them and the exit code is 6.
///
/// # Errors
///
/// OUT or the folder of `--crashes` is not empty, CORPUS is no folder, the target cannot be opened or has no
/// counters, or the result cannot be written. After an interruption the same command continues from the
/// records.
pub(super) fn run(
    args: CminArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    run_step(args, true, interrupt, report)
}

/// The same as a step of another command: unless `is_last`, OUT is not the result, and is not handed over.
pub(super) fn run_step(
    args: CminArgs,
    is_last: bool,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let started = Instant::now();
    let CminArgs { output, into, crashes, by_source, shard, html, weight, mut corpus } = args;
    let place = match (output, into) {
        (_, Some(into)) => CorpusPlace::Into(into),
        (Some(output), None) => CorpusPlace::New(output),
        (None, None) => unreachable!("clap asks for one of them"),
    };
    if let Some(shard) = shard {
        return run_shard(corpus, shard, place, interrupt, report);
    }
    let crashes = crashes.map(CorpusPlace::New);
    place.check()?;
    crashes.as_ref().map_or(Ok(()), CorpusPlace::check)?;
    add_corpus(html.as_deref(), &corpus.inputs, report)?;
    let flag = interrupt.flag();
    let recovered = place.recover(&flag)?.0;
    if recovered > 0 {
        report.say(&format!("an ended run had chosen {recovered} inputs; they are added now"));
    }
    let sources: Vec<Source> = corpus.inputs.iter().map(|path| Source::named(path)).collect();
    if let CorpusPlace::Into(path) = &place {
        corpus.inputs.push(path.clone());
    }
    let mut open = OpenCorpus::open(corpus, "cmin", Some(place.path()), &flag, report)?;
    let mut records = Records::open(&place.records(), &open.key(None))?;
    let is_held = |one: &Surveyed| is_held(one, &place);
    // An input's weight in time, and what each source has, are known of exact features only.
    let exact = match by_source || weight == WeightChoice::Time {
        true => Exact::All,
        false => Exact::Chosen(&is_held),
    };
    let (survey, smallest) = open.survey(exact, None, Some(&mut records), &flag, interrupt)?;
    let is_partial = report_left_out(&survey, report);
    Choice {
        target: &open.target.name,
        place: &place,
        crashes: crashes.as_ref(),
        weight: weight.into(),
        sameness: &open.sameness,
        smallest,
        sources: by_source.then_some(&sources),
        is_last,
        started,
        jobs: open.jobs,
    }
    .make(&survey, &flag, report)?;
    records.remove();
    if is_last {
        // The process ends now. Freeing the lists of 26,000 inputs took 26 ms of 2 s.
        std::mem::forget(survey);
    }
    Ok(if is_partial { Exit::Files } else { Exit::Done })
}

/// Runs one part and leaves what its inputs reach.
///
/// Nothing is chosen here: the smallest corpus depends on the inputs of all shards.
///
/// A place with records of this shard is accepted again, and their inputs are not run. If an input could not
/// be read or run, the file is not marked as complete (exit code 6), and `merge` refuses it.
fn run_shard(
    corpus: CorpusArgs,
    shard: Shard,
    place: CorpusPlace,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    check_shard_place(&place)?;
    let flag = interrupt.flag();
    let mut open = OpenCorpus::open(corpus, "cmin", Some(place.path()), &flag, report)?;
    let (exit, seen) = open.record_shard(shard, Some(shard), place.path(), interrupt, report)?;
    if exit == Exit::Done {
        let part = open.part(shard, "cmin", "", seen).leaving(vec![ToDo::Choose]);
        write_part(&part, place.path())?;
    }
    Ok(exit)
}
