//! `merge`: joins the result folders of all shards of a command, which say themselves which command that was.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::aside;
use crate::cli::arguments::groups::TellArgs;
use crate::cli::commands::corpora::coverage::{Reach, report_reach, write_lcov};
use crate::cli::commands::corpora::prepare::{DICTIONARY_FILE, dictionary_of};
use crate::cli::commands::corpora::result::Choice;
use crate::cli::commands::corpora::shrink::TASK as SHRINK_TASK;
use crate::cli::commands::corpora::{SHARD_FILE, WeightChoice};
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::coverage::record_format::RecordsKey;
use crate::coverage::records::{Recorded, ShardRecords, read_records};
use crate::coverage::survey::Survey;
use crate::coverage::unstable::Unstable;
use crate::event::{Event, RepairTotals, Reporter, ShrunkCorpus};
use crate::report::Reporters;
use crate::session::corpora::{
    CODE_FILE, CorpusPlace, FAILURES_FILE, JoinError, JoinedFailures, PART_FILE, join_failures,
    join_parts, missing_shards, read_code,
};
use seedsmith_engine::{Rule, Sameness};

/// The beginning of `merge --help`.
const LONG_ABOUT: &str = "\
Joins the result folders of all shards of a command. Of cmin, and of prepare, it chooses the inputs that \
together reach everything that the whole corpus reaches, and copies them to OUT under their SHA-1. Of \
tmin it copies the result of the smallest input of each failure. Of triage it prints the table of all \
failures, and of coverage the functions that the whole corpus reaches. Of repair and shrink-corpus it copies all files.

The result is the same as that of one run without shards. Nothing is run; the inputs of cmin and prepare are read \
from where the shards read them. A shard that was run twice counts once.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@merge [OPTIONS] <DIR>...";

/// The end of the help: exit codes and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 done   1 tmin: an input does not fail; triage: one fails; repair: something stays invalid
  3 repair: a budget ended
  2 usage, or a shard is missing or incomplete   6 reading or writing failed   70 our bug
  129, 130, 143 interrupted; nothing is written

Examples:
  The results of four shards:
      @merge -o corpus-min part-1 part-2 part-3 part-4

  With the smallest input of each failure over all shards:
      @merge -o corpus-min --crashes crashes part-*

  For a program that reads the result:
      @merge --json -o corpus-min part-*";

/// Joins the results of shards
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct MergeArgs {
    /// Result folders of all shards
    #[arg(required = true, value_name = "DIR")]
    pub shards: Vec<PathBuf>,

    /// Folder for the files of the result; it must be empty if it exists
    #[arg(long, short, value_name = "OUT", env = "SEEDSMITH_OUTPUT", hide_env = true)]
    pub output: Option<PathBuf>,

    /// Folder for the smallest input of each failure; it must be empty if it exists
    #[arg(long, value_name = "DIR", env = "SEEDSMITH_CRASHES", hide_env = true)]
    pub crashes: Option<PathBuf>,

    /// coverage: write the lines to FILE as an LCOV tracefile; a count is a number of inputs
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_LCOV", hide_env = true)]
    pub lcov: Option<PathBuf>,

    /// What the chosen inputs have as little of as possible
    #[arg(long, value_name = "WHAT", env = "SEEDSMITH_WEIGHT", hide_env = true)]
    #[arg(default_value = "bytes")]
    pub weight: WeightChoice,

    /// How failures of cmin are compared: auto, exact, frames=N, location, kind, any
    #[arg(long, value_name = "RULE", env = "SEEDSMITH_SAME", hide_env = true)]
    #[arg(default_value = "auto", hide_default_value = true)]
    pub same: Rule,

    #[command(flatten)]
    pub tell: TellArgs,
}

/// Joins and writes.
///
/// No target is run: the shards have written down what their inputs reach.
///
/// # Errors
///
/// A shard is missing, incomplete, or of another executable.
/// All of these have exit code 2. A folder for results that is not empty has it too.
pub(super) fn run(
    args: MergeArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let has = |file: &str| args.shards.iter().any(|folder| folder.join(file).exists());
    if has(CODE_FILE) {
        return run_coverage(args, report);
    }
    if args.lcov.is_some() {
        return Err(Trouble::new(Exit::Usage, "--lcov is for shards of coverage"));
    }
    if has(FAILURES_FILE) {
        return run_failures(args, report);
    }
    if has(PART_FILE) {
        return run_parts(args, report);
    }
    let started = Instant::now();
    let place = place_of(args.output, "the chosen inputs")?;
    let crashes = args.crashes.map(CorpusPlace::New);
    crashes.as_ref().map_or(Ok(()), CorpusPlace::check)?;
    let mut survey = joined_survey(&args.shards)?;
    survey.recalled = survey.size().0;
    let sameness = Sameness { rule: args.same, pattern: None };
    Choice {
        target: "the shards' target",
        place: &place,
        crashes: crashes.as_ref(),
        weight: args.weight.into(),
        sameness: &sameness,
        smallest: None,
        sources: None,
        is_last: true,
        started,
    }
    .make(&survey, &interrupt.flag(), report)?;
    // Of `prepare`: it depends on the grammar only, so that any shard's will do.
    let dictionaries = args.shards.iter().map(|folder| folder.join(DICTIONARY_FILE));
    if let Some(dictionary) = dictionaries.into_iter().find(|path| path.exists()) {
        let to = dictionary_of(place.path());
        let trouble = || format!("failed to write {}", to.display());
        let text = std::fs::read(&dictionary).or_exit(Exit::Files, trouble)?;
        aside::write(&to, &text).or_exit(Exit::Files, trouble)?;
    }
    Ok(Exit::Done)
}

/// The folder of `-o`, which has to be given for `what`, and to be empty.
fn place_of(output: Option<PathBuf>, what: &str) -> Result<CorpusPlace, Trouble> {
    let missing = || Trouble::new(Exit::Usage, format!("-o is missing: the folder for {what}"));
    let place = CorpusPlace::New(output.ok_or_else(missing)?);
    place.check()?;
    Ok(place)
}

/// What the inputs of all shards reach, by the records of the shards.
///
/// # Errors
///
/// A shard is missing, incomplete, or of another executable (exit code 2).
fn joined_survey(shards: &[PathBuf]) -> Result<Survey, Trouble> {
    let mut first: Option<RecordsKey> = None;
    let mut indices = BTreeSet::new();
    let mut records: Vec<Recorded> = Vec::new();
    let mut all_unstable = Unstable::default();
    for folder in shards {
        let ShardRecords { key, records: recorded, unstable } =
            read_records(&folder.join(SHARD_FILE))?;
        let other = |what: &str| {
            let text = format!("{} is a shard of another {what}", folder.display());
            Err(Trouble::new(Exit::Usage, text))
        };
        let same = *first.get_or_insert(key);
        if same.digest != key.digest {
            return other("executable, or was run with other options");
        }
        match (key.shard, same.shard) {
            (Some(shard), Some(same)) if shard.count() == same.count() => {
                indices.insert(shard.index());
            }
            _ => return other("number of shards"),
        }
        records.extend(recorded);
        all_unstable.join(&unstable);
    }
    let count = first.and_then(|key| key.shard).map_or(0, |shard| shard.count());
    let missing = missing_shards(&indices, count);
    if !missing.is_empty() {
        let text = format!("the result of {} is missing", missing.join(", "));
        return Err(Trouble::new(Exit::Usage, text));
    }
    Ok(Survey::of_records(records, all_unstable))
}

/// Joins the shards of `coverage`: the functions that the whole corpus reaches.
///
/// # Errors
///
/// Those of [`joined_survey`], or the tracefile cannot be written.
fn run_coverage(args: MergeArgs, report: &mut Reporters) -> Result<Exit, Trouble> {
    if args.output.is_some() || args.crashes.is_some() {
        return Err(Trouble::new(Exit::Usage, "coverage has no files for -o or --crashes"));
    }
    let survey = joined_survey(&args.shards)?;
    let (target, places) = read_code(&args.shards[0])?;
    let reach = Reach::of(&survey, &places);
    write_lcov(args.lcov.as_deref(), &reach)?;
    report_reach(&target, &survey, &places, &reach, None, report);
    Ok(Exit::Done)
}

/// Joins the shards of `repair` or `shrink-corpus`: all of their files, and their figures added up.
///
/// The exit code is that of the command.
///
/// # Errors
///
/// A shard is missing, or is one of another run (exit code 2); a file cannot be copied.
fn run_parts(args: MergeArgs, report: &mut Reporters) -> Result<Exit, Trouble> {
    let started = Instant::now();
    let place = place_of(args.output, "the files of all shards")?;
    if args.crashes.is_some() {
        return Err(Trouble::new(Exit::Usage, "--crashes is for shards of cmin"));
    }
    let joined = join_parts(&args.shards)?;
    place.write_named(&joined.files)?;
    let count = |name: &str| joined.figure(name) as usize;
    if joined.task == SHRINK_TASK {
        report.report(&Event::CorpusShrunk(&ShrunkCorpus {
            target: &joined.target,
            output: place.path(),
            inputs: count("inputs"),
            bytes_before: count("bytes_before"),
            bytes: count("bytes"),
            failing: count("failing"),
            tests: joined.figure("tests"),
            elapsed: started.elapsed(),
        }));
        return Ok(Exit::Done);
    }
    let totals = RepairTotals {
        inputs: count("inputs"),
        valid: count("valid"),
        repaired: count("repaired"),
        not_repaired: count("not_repaired"),
        invalid: count("invalid"),
        tests: joined.figure("tests"),
        written: joined.files.len(),
        elapsed: started.elapsed(),
    };
    report.report(&Event::RepairsEnded { totals: &totals, is_single: false });
    Ok(match (joined.figure("stopped"), totals.not_repaired) {
        (1.., _) => Exit::BudgetOver,
        (_, 1..) => Exit::DoesNotFail,
        _ => Exit::Done,
    })
}

/// Joins the shards of `tmin` or `triage`: the table of all failures, and the result of the smallest input of each.
///
/// The exit code is that of the command: 1 if `tmin` met an input that does not fail, or `triage` one that fails.
///
/// # Errors
///
/// A shard is missing, or is one of another run (exit code 2); a result cannot be copied.
fn run_failures(args: MergeArgs, report: &mut Reporters) -> Result<Exit, Trouble> {
    let place = args.output.map(CorpusPlace::New);
    place.as_ref().map_or(Ok(()), CorpusPlace::check)?;
    let JoinedFailures { task, mut groups } = join_failures(&args.shards)?;
    let is_triage = task == "triage";
    match (&place, is_triage) {
        (Some(_), true) => {
            return Err(Trouble::new(Exit::Usage, "triage has no results for -o"));
        }
        (None, false) => {
            return Err(Trouble::new(Exit::Usage, "-o is missing: the folder for the results"));
        }
        (Some(place), false) => {
            let mut files = Vec::new();
            for result in groups.rows.iter_mut().flat_map(|row| &mut row.results) {
                let name = result.output.file_name().unwrap_or_default().to_owned();
                let copied = place.path().join(&name);
                files.push((std::mem::replace(&mut result.output, copied), name));
            }
            place.write_named(&files)?;
        }
        (None, true) => {}
    }
    report.report(&match is_triage {
        true => Event::Grouped(&groups),
        false => Event::GroupsMinimized(&groups),
    });
    let is_done = if is_triage { groups.rows.is_empty() } else { groups.passing.is_empty() };
    Ok(match (groups.troubled, is_done) {
        (1.., _) => Exit::Files,
        (_, false) => Exit::DoesNotFail,
        (_, true) => Exit::Done,
    })
}

/// Shards that do not fit together are a wrong argument.
impl From<JoinError> for Trouble {
    fn from(error: JoinError) -> Self {
        let exit = match &error {
            JoinError::Read { .. } => Exit::Files,
            _ => Exit::Usage,
        };
        Trouble::by(exit, error)
    }
}
