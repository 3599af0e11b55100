//! `shrink-corpus`: smaller inputs with the same coverage.

use crate::event::{Event, Reporter, ShrunkCorpus, ShrunkFile};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;

use crate::cli::arguments::keep::Keep;
use crate::cli::commands::corpora::{CorpusArgs, OpenCorpus, keep_rule, report_left_out};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::shard::delete_outdated;
use crate::corpus::{InputSet, Shard, content_name, read_input};
use crate::coverage::gather::GatherError;
use crate::coverage::shrink::KeepRule;
use crate::coverage::shrink::{ShrinkInput, ShrinkOptions, Shrunk, shrink_corpus};
use crate::coverage::survey::Exact;
use crate::coverage::unstable::Unstable;
use crate::reduce;
use crate::report::Reporters;
use crate::session::corpora::{CorpusPlace, PART_FILE};
use seedsmith_engine::Target;

/// Tests for each input if no number is given. On corpora of text formats, most inputs of some
/// kilobytes are done with fewer.
pub(super) const MAX_TESTS: u64 = 20_000;

/// Tests for all inputs together with `--keep unique` if no number is given.
///
/// Measured 2026-11-24 on 537 inputs of `toml_header`, 3.14 MB: 100,000 tests leave 0.85 of the bytes, 300,000 leave 0.28, and
/// 1,000,000 leave 0.15.
const MAX_TOTAL_TESTS: u64 = 1_000_000;

/// The name of the command in the file of a shard.
pub(super) const TASK: &str = "shrink-corpus";

/// The beginning of `shrink-corpus --help`.
const LONG_ABOUT: &str = "\
Shrinks every input of a corpus while the coverage of the corpus stays, and writes the results to \
OUT under their SHA-1.

Of several inputs with a feature, the smallest one keeps it, so nothing that the corpus reaches is lost. \
Run it on the result of cmin: in a corpus with many inputs for each feature, few inputs have anything to \
keep. Inputs that fail are left out.";

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

    /// What an input keeps: all (its features), unique (those that no smaller input has), reaches=FUNCTION
    #[arg(long, value_name = "WHAT", env = "SEEDSMITH_KEEP", hide_env = true)]
    #[arg(default_value = "unique", hide_default_value = true)]
    pub keep: Keep,

    /// Tests for each input at most
    #[arg(long, value_name = "N", env = "SEEDSMITH_MAX_TESTS", hide_env = true)]
    #[arg(default_value_t = MAX_TESTS)]
    pub max_tests: u64,

    /// Tests for all inputs together at most: half is shared equally, and half by size [default: 1000000 with --keep unique]
    #[arg(long, value_name = "N", env = "SEEDSMITH_MAX_TOTAL_TESTS", hide_env = true)]
    pub max_total_tests: Option<u64>,

    /// Shrink only part K of N, and write what `merge` needs to OUT too
    ///
    /// Which part an input belongs to depends on its content only. What inputs have to keep depends on all of
    /// them, so each shard runs all inputs once.
    #[arg(long, value_name = "K/N", env = "SEEDSMITH_SHARD", hide_env = true)]
    pub shard: Option<Shard>,

    #[command(flatten)]
    pub corpus: CorpusArgs,
}

/// Shrinks and writes.
///
/// Originals are only read.
/// Results are written when all inputs are done, and after a signal nothing is written. A shard that is complete is
/// not run again, unless inputs were added or removed.
///
/// # Errors
///
/// OUT is not empty, the target has no counters or not this function, or the results cannot be written.
pub(super) fn run(
    args: ShrinkArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let started = Instant::now();
    let ShrinkArgs { output, keep, max_tests, max_total_tests, shard, corpus } = args;
    let usual_total = matches!(keep, Keep::Unique).then_some(MAX_TOTAL_TESTS);
    let max_total_tests = max_total_tests.or(usual_total);
    let place = CorpusPlace::New(output);
    if !place.path().join(PART_FILE).exists() {
        place.check()?;
    }
    let flag = interrupt.flag();
    let mut open = OpenCorpus::open(corpus, TASK, Some(place.path()), &flag, report)?;
    // Candidates are compared with their inputs, which have to get the same.
    open.varied = false;
    let part = shard.map(|shard| {
        let inputs = InputSet::of_files(&open.files, &flag);
        open.part(shard, TASK, &format!("{keep:?} {max_tests} {max_total_tests:?}"), inputs)
    });
    if let Some(part) = &part {
        delete_outdated(part, place.path(), report)?;
    }
    if part.as_ref().is_some_and(|part| part.is_in(place.path())) {
        report.say(&format!("{} is complete already", place.path().display()));
        return Ok(Exit::Done);
    }
    place.check()?;
    let keep = keep_rule(&keep, &open.target)?;
    let tests = (max_tests, max_total_tests);
    let ReadyInputs { paths, mut inputs, unstable, failing, is_partial } =
        ready_inputs(&mut open, &keep, tests, shard, (interrupt, &flag), report)?;
    let options = ShrinkOptions {
        limits: open.limits,
        jobs: open.jobs.get(),
        unstable,
        reduction: reduce::Options::default(),
    };
    let bytes_before: usize = inputs.iter().map(|one| one.bytes.len()).sum();
    let count = inputs.len();
    let target = &*open.target.target;
    let done = shrink_all(target, &mut inputs, &options, (interrupt, &flag), report)?;
    let tests = done.iter().map(|one| one.tests).sum();
    let bytes: usize = inputs.iter().map(|one| one.bytes.len()).sum();
    let part = part.map(|part| {
        let files = inputs.iter().map(|one| content_name(&one.bytes)).collect();
        let figures = [
            ("inputs", count as u64),
            ("bytes_before", bytes_before as u64),
            ("bytes", bytes as u64),
            ("failing", failing as u64),
            ("tests", tests),
        ];
        part.with(files, figures)
    });
    place.write_texts(inputs.iter().map(|one| &one.bytes[..]), part.as_ref())?;
    let cut_short = done.iter().filter(|one| one.is_cut_short).count();
    if cut_short > 0 {
        report.say(&format!(
            "{cut_short} of {count} inputs could be smaller: their tests ended (see --max-tests and --max-total-tests)"
        ));
    }
    for Shrunk { index, bytes_before, bytes, kept, tests, .. } in done {
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
        failing,
        tests,
        elapsed: started.elapsed(),
    }));
    Ok(if is_partial { Exit::Files } else { Exit::Done })
}

/// The inputs of a shard (all, without one), ready to be shrunk.
struct ReadyInputs {
    /// Where each was read from.
    paths: Vec<PathBuf>,
    inputs: Vec<ShrinkInput>,
    unstable: Unstable,
    /// How many inputs fail.
    failing: usize,
    /// Whether some inputs could not be read or run.
    is_partial: bool,
}

/// Runs the inputs, and decides what each keeps and how many tests it has. `max_tests` are for each, and for all.
fn ready_inputs(
    open: &mut OpenCorpus,
    keep: &KeepRule,
    max_tests: (u64, Option<u64>),
    shard: Option<Shard>,
    (interrupt, flag): (&Interrupt, &AtomicBool),
    report: &mut Reporters,
) -> Result<ReadyInputs, Trouble> {
    // The smallest of all inputs with a feature keeps it, and all of them share the tests.
    let surveyed = match keep {
        KeepRule::Unique => None,
        _ if max_tests.1.is_some() => None,
        _ => shard,
    };
    let (survey, _) = open.survey(Exact::All, surveyed, None, flag, interrupt)?;
    let mut is_partial = report_left_out(&survey, report);
    let is_own = |sha1: &str| shard.is_none_or(|shard| shard.has(sha1));
    let failing = survey.failing.iter().filter(|(input, _)| is_own(&input.sha1)).count();
    let wanted = keep.wanted_of_all(survey.passing.iter().map(|one| &one.features));
    let sizes: Vec<u64> = survey.passing.iter().map(|one| one.input.bytes).collect();
    let shares = shares(max_tests.0, max_tests.1, &sizes);
    let (mut paths, mut inputs) = (Vec::new(), Vec::new());
    let passing = survey.passing.into_iter().zip(wanted).zip(shares);
    for ((one, wanted), share) in passing.filter(|((one, _), _)| is_own(&one.input.sha1)) {
        match read_input(&one.input.path, flag) {
            Ok(bytes) => {
                paths.push(one.input.path);
                let max_tests = Some(share);
                inputs.push(ShrinkInput { bytes, features: one.features, wanted, max_tests });
            }
            Err(error) => {
                is_partial = true;
                let (input, why) = (&one.input.path, &error.to_string());
                report.report(&Event::PassedOver { input, why, exit: Exit::Files as u8 });
            }
        }
    }
    Ok(ReadyInputs { paths, inputs, unstable: survey.unstable, failing, is_partial })
}

/// Shrinks all inputs in place, and reports how many are done. After an interrupt it is an error: nothing is written then.
fn shrink_all(
    target: &dyn Target,
    inputs: &mut [ShrinkInput],
    options: &ShrinkOptions,
    (interrupt, flag): (&Interrupt, &Arc<AtomicBool>),
    report: &mut Reporters,
) -> Result<Vec<Shrunk>, Trouble> {
    let all = inputs.len();
    let mut done = Vec::with_capacity(all);
    let mut hear = |shrunk: Shrunk| {
        done.push(shrunk);
        report.report(&Event::InputsDone { done: done.len(), all });
        match flag.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    shrink_corpus(target, inputs, options, flag, &mut hear).map_err(|error| match error {
        GatherError::Target(error) => Trouble::by(Exit::Target, error),
        error => Trouble::by(interrupt.exit().unwrap_or(Exit::Interrupted), error),
    })?;
    match interrupt.exit() {
        Some(exit) => Err(Trouble::new(exit, "interrupted; nothing is written")),
        None => Ok(done),
    }
}

/// The tests that each of the inputs with these `sizes` may take: at most `each`, and of `total` half is shared
/// equally, and half by size. They are known before the first input is shrunk, so that shards give the same ones.
fn shares(each: u64, total: Option<u64>, sizes: &[u64]) -> Vec<u64> {
    let (count, bytes) = (sizes.len().max(1) as u64, sizes.iter().sum::<u64>().max(1));
    let share = |size: &u64| {
        let by_size = |half| (u128::from(half) * u128::from(*size) / u128::from(bytes)) as u64;
        total.map_or(each, |total| each.min(total / 2 / count + by_size(total / 2)))
    };
    sizes.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_for_all_inputs_are_shared_equally_and_by_size() {
        assert_eq!(shares(70, None, &[1, 9]), [70, 70]);
        assert_eq!(shares(70, Some(100), &[1, 9]), [30, 70]);
        assert_eq!(shares(60, Some(100), &[1, 9]), [30, 60]);
        assert!(shares(60, Some(100), &[]).is_empty());
    }
}
