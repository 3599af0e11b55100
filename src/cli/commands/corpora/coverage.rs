//! `coverage`: the functions and lines that a corpus reaches, and how two corpora differ.

use crate::event::{CoverageFunction, CoverageTotals, Event, Reporter};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Args;

use crate::aside;
use crate::cli::commands::corpora::{
    CorpusArgs, OpenCorpus, check_shard_place, report_left_out, write_part,
};
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::page::add_corpus;
use crate::cli::trouble::talk;
use crate::corpus::Shard;
use crate::coverage::code::{CodeReach, inputs_by_counter};
use crate::coverage::survey::{Exact, Survey};
use crate::report::Reporters;
use crate::session::corpora::{CorpusPlace, write_code};
use seedsmith_engine::internal::Symbol;
use seedsmith_engine::internal::places_of;

/// The beginning of `coverage --help`.
const LONG_ABOUT: &str = "\
Lists the functions of an instrumented executable with the number of their blocks that the inputs \
of a corpus reach.

Functions of language runtimes are left out. Blocks of a function that are inlined into another one \
count for both. Functions and lines are read from the executable's debug information.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@coverage [OPTIONS] <DIR|FILE>...";

/// The end of the help: exit codes and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 done   2 usage   5 target not found, built or run   6 reading or writing failed   70 our bug
  129, 130, 143 interrupted; nothing is written

Examples:
  What a corpus reaches, function by function:
      @coverage --target parse fuzz/corpus/parse

  For genhtml, and for editors that show covered lines:
      @coverage --binary ./parse_fuzzer --lcov coverage.info corpus

  Where two corpora differ:
      @coverage --binary ./parse_fuzzer --against theirs ours";

/// Lists the functions and lines that a corpus reaches
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct CoverageArgs {
    /// Write the lines to FILE as an LCOV tracefile; a count is a number of inputs
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_LCOV", hide_env = true)]
    pub lcov: Option<PathBuf>,

    /// Write a page with a row for each function, which can be searched and sorted
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_HTML", hide_env = true)]
    pub html: Option<PathBuf>,

    /// List only functions of which this corpus reaches other blocks
    #[arg(long, value_name = "DIR", env = "SEEDSMITH_AGAINST", hide_env = true)]
    pub against: Option<PathBuf>,

    /// Run only part K of N and write what its inputs reach to OUT, for `merge`
    ///
    /// Which part an input belongs to depends on its content only.
    #[arg(long, value_name = "K/N", env = "SEEDSMITH_SHARD", hide_env = true)]
    #[arg(requires = "output", conflicts_with_all = ["lcov", "html", "against"])]
    pub shard: Option<Shard>,

    /// Folder for the result of --shard
    #[arg(long, short, value_name = "OUT", env = "SEEDSMITH_OUTPUT", hide_env = true)]
    #[arg(requires = "shard")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub corpus: CorpusArgs,
}

/// Runs the inputs and reports the functions that they reach.
///
/// With a second corpus, the functions that only one of the two reaches are reported too.
/// Functions are reported by file, line and name. The tracefile of `--lcov` has the first corpus only.
/// Inputs that could not be read or run are left out, and the exit code is then 6.
///
/// # Errors
///
/// The target has no executable or no counters, its debug information cannot be read, or the tracefile
/// cannot be written.
pub(super) fn run(
    args: CoverageArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let CoverageArgs { lcov, html, against, shard, output, corpus } = args;
    if let (Some(shard), Some(output)) = (shard, output) {
        return run_shard(corpus, shard, CorpusPlace::New(output), interrupt, report);
    }
    add_corpus(html.as_deref(), &corpus.inputs, report)?;
    let flag = interrupt.flag();
    let mut open = OpenCorpus::open(corpus, "coverage", None, &flag, report)?;
    let (survey, _) = open.survey(Exact::All, None::<Shard>, None, &flag, interrupt)?;
    let mut is_partial = report_left_out(&survey, report);
    let places = target_places(&open)?;
    let reach = Reach::of(&survey, &places);
    write_lcov(lcov.as_deref(), &reach)?;
    let mut other = None;
    if let Some(folder) = against {
        let survey = survey_of(&mut open, folder, &flag, interrupt, report)?;
        is_partial |= report_left_out(&survey, report);
        other = Some(Reach::of(&survey, &places));
    }
    report_reach(&open.target.name, &survey, &places, &reach, other.as_ref(), report);
    Ok(if is_partial { Exit::Files } else { Exit::Done })
}

/// Runs one part, and leaves what its inputs reach and which code that is: `merge` has no executable.
///
/// # Errors
///
/// Those of [`run`], or the place has other files.
fn run_shard(
    corpus: CorpusArgs,
    shard: Shard,
    place: CorpusPlace,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    check_shard_place(&place)?;
    let flag = interrupt.flag();
    let mut open = OpenCorpus::open(corpus, "coverage", Some(place.path()), &flag, report)?;
    let places = target_places(&open)?;
    let (exit, seen) = open.record_shard(shard, Some(shard), place.path(), interrupt, report)?;
    if exit == Exit::Done {
        write_code(place.path(), &open.target.name, &places)
            .or_exit(Exit::Files, || format!("failed to write to {}", place.path().display()))?;
        write_part(&open.part(shard, "coverage", "", seen), place.path())?;
    }
    Ok(exit)
}

/// The places in the source of each counter of the target.
fn target_places(open: &OpenCorpus) -> Result<Vec<Vec<Symbol>>, Trouble> {
    let executable = open.target.executable.as_deref();
    let executable = executable.ok_or_else(|| Trouble::new(Exit::Target, "no executable"))?;
    places_of(executable).map_err(|error| Trouble::by(Exit::Target, error))
}

/// Writes the tracefile, if one is asked for.
pub(super) fn write_lcov(path: Option<&Path>, reach: &Reach) -> Result<(), Trouble> {
    path.map_or(Ok(()), |path| {
        aside::write(path, reach.code.lcov().as_bytes())
            .or_exit(Exit::Files, || format!("failed to write {}", path.display()))
    })
}

/// Reports the functions that a corpus reaches, or those of which the `other` one reaches other blocks.
pub(super) fn report_reach(
    target: &str,
    survey: &Survey,
    places: &[Vec<Symbol>],
    reach: &Reach,
    other: Option<&Reach>,
    report: &mut Reporters,
) {
    let differing = other.map(|other| differing(places, &reach.inputs, &other.inputs));
    let rows = reach.code.functions.iter().enumerate().filter_map(|(at, function)| {
        let is_shown = differing.as_ref().is_none_or(|names| {
            names.contains(&(function.file.as_deref(), function.name.as_str()))
        });
        is_shown.then(|| CoverageFunction {
            name: &function.name,
            file: function.file.as_deref(),
            line: function.line,
            blocks: function.blocks,
            reached: function.reached,
            against: other.map(|other| other.code.functions[at].reached),
        })
    });
    let rows: Vec<CoverageFunction<'_>> = rows.collect();
    let (functions, functions_reached) = reach.code.function_counts();
    let (lines, lines_reached) = reach.code.line_counts();
    report.report(&Event::Coverage {
        functions: &rows,
        totals: &CoverageTotals {
            target,
            inputs: survey.passing.len(),
            failing: survey.failing.len(),
            functions,
            functions_reached,
            lines,
            lines_reached,
            differing: differing.map(|names| names.len()),
        },
    });
}

/// What a corpus reaches.
pub(super) struct Reach {
    /// How many inputs reach each counter. Failing inputs are not counted.
    inputs: Vec<u32>,
    /// What that is in the source.
    code: CodeReach,
}

impl Reach {
    /// `places` has the functions and lines of each counter, as far as debug information names them.
    pub(super) fn of(survey: &Survey, places: &[Vec<Symbol>]) -> Self {
        let lists = survey.passing.iter().map(|one| &one.features);
        let inputs = inputs_by_counter(lists, places.len());
        let code = CodeReach::of(places, &inputs);
        Reach { inputs, code }
    }
}

/// What the inputs of another folder reach on the same target.
///
/// The target is open already, so its inputs are all that it costs.
///
/// The files replace those of `open`. An interruption is an error: there is no partial survey.
fn survey_of(
    open: &mut OpenCorpus,
    folder: PathBuf,
    flag: &AtomicBool,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Survey, Trouble> {
    let (files, _) = crate::cargo_fuzz::input::files(&[folder], None, flag, &mut talk(report))?;
    open.files = files;
    Ok(open.survey(Exact::All, None, None, flag, interrupt)?.0)
}

/// The functions with a block that inputs of one corpus reach and inputs of the other do not.
///
/// Each is a source file, if it is known, and a function name. Functions of language runtimes are left
/// out. The rows of the report are limited to these.
fn differing<'p>(
    places: &'p [Vec<Symbol>],
    inputs: &[u32],
    others: &[u32],
) -> std::collections::BTreeSet<(Option<&'p str>, &'p str)> {
    let counters = places.iter().zip(inputs.iter().zip(others));
    let counters = counters.filter(|(_, (one, other))| (**one > 0) != (**other > 0));
    let symbols = counters.flat_map(|(place, _)| place).filter(|symbol| symbol.own);
    symbols.map(|symbol| (symbol.file.as_deref(), symbol.function.as_str())).collect()
}
