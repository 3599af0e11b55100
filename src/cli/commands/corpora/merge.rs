//! `merge`: joins the result folders of all shards of a command, which say themselves which command that was.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::aside;
use crate::cli::arguments::groups::TellArgs;
use crate::cli::commands::corpora::coverage::{Reach, report_reach, write_lcov};
use crate::cli::commands::corpora::prepare::dictionary_of;
use crate::cli::commands::corpora::prepare_shard::{DICTIONARY_FILE, REPAIRED_FOLDER};
use crate::cli::commands::corpora::result::{Choice, Source, write_crashes};
use crate::cli::commands::corpora::{SHARD_FILE, WeightChoice};
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::page::{add_corpus, add_groups};
use crate::corpus::{HeldBytes, Originals};
use crate::coverage::records::{Recorded, ShardRecords, read_records};
use crate::coverage::smallest::smallest_corpus;
use crate::coverage::survey::Survey;
use crate::coverage::unstable::Unstable;
use crate::event::{Event, RepairTotals, Reporter, ShrunkCorpus};
use crate::report::Reporters;
use crate::session::corpora::{
    CorpusPlace, JoinError, JoinedParts, SecondRun, ToDo, join_failures, join_parts, read_code,
};
use crate::session::repair::join_valid_texts;
use seedsmith_engine::{Rule, Sameness};

/// The beginning of `merge --help`.
const LONG_ABOUT: &str = "\
Joins the result folders of all shards of a command. Of cmin, and of prepare, it chooses the inputs that \
together reach everything that the whole corpus reaches, and copies them to OUT under their SHA-1. Of \
tmin it copies the result of the smallest input of each failure. Of triage it prints the table of all \
failures, and of coverage the functions that the whole corpus reaches. Of repair and shrink-corpus it copies all files.

Shards of prepare and repair may have to run twice. Then merge first writes what they need of each other into \
their result folders, and OUT only when it is called again after the second run.

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

  What each source of the corpus contributes, and a page with a row for each chosen input:
      @merge --by-source --html corpus.html -o corpus-min part-*";

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

    /// cmin: report what each of the folders contributes that the shards had as inputs
    #[arg(long, env = "SEEDSMITH_BY_SOURCE", hide_env = true)]
    #[arg(value_parser = clap::builder::FalseyValueParser::new())]
    pub by_source: bool,

    /// cmin, coverage, triage: write a page with the result, which can be searched and sorted
    #[arg(long, value_name = "FILE", env = "SEEDSMITH_HTML", hide_env = true)]
    pub html: Option<PathBuf>,

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
/// No target is run: the shards have written down what their inputs reach. If work is left that depends on the
/// inputs of all shards, nothing is written but what a second run of each shard needs.
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
    let parts = join_parts(&args.shards)?;
    let task = parts.task.as_str();
    let refuse = |is_given: bool, why: &str| match is_given {
        true => Err(Trouble::new(Exit::Usage, why)),
        false => Ok(()),
    };
    refuse(args.lcov.is_some() && task != "coverage", "--lcov is for shards of coverage")?;
    let has_crashes = matches!(task, "cmin" | "prepare");
    refuse(args.crashes.is_some() && !has_crashes, "--crashes is for shards of cmin")?;
    refuse(args.by_source && task != "cmin", "--by-source is for shards of cmin")?;
    let has_page = matches!(task, "cmin" | "coverage" | "triage");
    let why = "--html is for shards of cmin, coverage and triage";
    refuse(args.html.is_some() && !has_page, why)?;
    if !parts.have_same_inputs {
        // What a shard of these does with an input depends on the inputs of all shards.
        let depends = matches!(task, "repair" | "shrink-corpus" | "prepare");
        refuse(depends, "the shards have seen different inputs: run each of them again")?;
        report.say(
            "the shards have seen different inputs: the result is for those that each has seen; run the shards again for all",
        );
    }
    match task {
        "triage" => add_groups(args.html.as_deref(), &Originals::default(), report)?,
        _ => add_corpus(args.html.as_deref(), &args.shards, report)?,
    }
    if parts.leaves(ToDo::Repair) {
        return continue_repairs(&parts, report);
    }
    if parts.leaves(ToDo::Shrink) {
        return shrink_chosen(&args, &parts, report);
    }
    match task {
        "coverage" => run_coverage(&args, &parts, report),
        "tmin" | "triage" => run_failures(args, &parts, report),
        _ if parts.leaves(ToDo::Choose) => choose(args, &parts, interrupt, report),
        _ => run_parts(args, &parts, interrupt, report),
    }
}

/// Chooses the smallest corpus of all shards.
///
/// # Errors
///
/// The records of a shard cannot be read, or the result cannot be written.
fn choose(
    args: MergeArgs,
    parts: &JoinedParts,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let started = Instant::now();
    let place = place_of(args.output, "the chosen inputs")?;
    let sources = parts.sources.iter().cloned();
    let sources: Vec<Source> = sources.map(|(named, path)| Source { named, path }).collect();
    let crashes = args.crashes.map(CorpusPlace::New);
    crashes.as_ref().map_or(Ok(()), CorpusPlace::check)?;
    let mut survey = joined_survey(parts)?;
    survey.recalled = survey.size().0;
    let sameness = Sameness { rule: args.same, pattern: None };
    Choice {
        target: &parts.target,
        place: &place,
        crashes: crashes.as_ref(),
        weight: args.weight.into(),
        sameness: &sameness,
        smallest: None,
        sources: args.by_source.then_some(&sources),
        is_last: true,
        started,
        jobs: NonZero::<usize>::MIN,
    }
    .make(&survey, &interrupt.flag(), report)?;
    copy_dictionary(parts, &place)?;
    Ok(Exit::Done)
}

/// Copies the dictionary of `prepare`. It depends on the grammar only, so that any shard's will do.
fn copy_dictionary(parts: &JoinedParts, place: &CorpusPlace) -> Result<(), Trouble> {
    let dictionaries = parts.folders.iter().map(|folder| folder.join(DICTIONARY_FILE));
    let Some(from) = dictionaries.into_iter().find(|path| path.exists()) else { return Ok(()) };
    let to = dictionary_of(place.path());
    let text = std::fs::read(&from).and_then(|text| aside::write(&to, &text));
    text.or_exit(Exit::Files, || format!("failed to write {}", to.display()))
}

/// Says that each shard has to run again.
fn ask_for_second_run(what: &str, report: &mut Reporters) -> Exit {
    report.say(&format!(
        "{what}; run the command of each shard again, which does the rest, and then this command"
    ));
    Exit::Done
}

/// Hands the inputs that are to be shrunk to each shard: the smallest corpus, or all inputs if nothing chooses.
///
/// # Errors
///
/// The records of a shard cannot be read, or its folder cannot be written.
fn shrink_chosen(
    args: &MergeArgs,
    parts: &JoinedParts,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let chosen: Vec<PathBuf> = match parts.leaves(ToDo::Choose) {
        true => {
            let survey = joined_survey(parts)?;
            let smallest =
                smallest_corpus(&survey, args.weight.into(), &|_| false, NonZero::<usize>::MIN);
            let kept = smallest.kept.iter().map(|one| survey.passing[one.index].input.path.clone());
            kept.collect()
        }
        false => parts.files.iter().map(|(path, _)| path.clone()).collect(),
    };
    let second = SecondRun::on_files(&parts.key, chosen.iter().map(PathBuf::as_path));
    write_second_run(&second, &parts.folders)?;
    Ok(ask_for_second_run(&format!("{} inputs of all shards are chosen", chosen.len()), report))
}

/// Hands the valid texts of all shards of `repair` to each shard.
///
/// # Errors
///
/// The texts of a shard cannot be read, or its folder cannot be written.
fn continue_repairs(parts: &JoinedParts, report: &mut Reporters) -> Result<Exit, Trouble> {
    let below = match parts.task.as_str() {
        "prepare" => REPAIRED_FOLDER,
        _ => "",
    };
    let folders: Vec<PathBuf> = parts.folders.iter().map(|folder| folder.join(below)).collect();
    let repairs = join_parts(&folders)?;
    let texts = join_valid_texts(&folders)?;
    let second = SecondRun::from_texts(&repairs.key, texts.iter().map(Vec::as_slice));
    write_second_run(&second, &folders)?;
    Ok(ask_for_second_run(&format!("{} valid texts of all shards are known", texts.len()), report))
}

/// Writes what a second run of each shard needs into the result folders.
fn write_second_run(second: &SecondRun, folders: &[PathBuf]) -> Result<(), Trouble> {
    folders.iter().try_for_each(|folder| {
        let written = second.write(folder);
        written.or_exit(Exit::Files, || format!("failed to write to {}", folder.display()))
    })
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
/// The records of a shard are missing or incomplete (exit code 2).
fn joined_survey(parts: &JoinedParts) -> Result<Survey, Trouble> {
    let mut records: Vec<Recorded> = Vec::new();
    let mut all_unstable = Unstable::default();
    for folder in &parts.folders {
        let ShardRecords { records: recorded, unstable } = read_records(&folder.join(SHARD_FILE))?;
        records.extend(recorded);
        all_unstable.join(&unstable);
    }
    Ok(Survey::of_records(records, all_unstable))
}

/// Joins the shards of `coverage`: the functions that the whole corpus reaches.
///
/// # Errors
///
/// Those of [`joined_survey`], or the tracefile cannot be written.
fn run_coverage(
    args: &MergeArgs,
    parts: &JoinedParts,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    if args.output.is_some() {
        return Err(Trouble::new(Exit::Usage, "coverage has no files for -o"));
    }
    let survey = joined_survey(parts)?;
    let (target, places) = read_code(&parts.folders[0])?;
    let reach = Reach::of(&survey, &places);
    write_lcov(args.lcov.as_deref(), &reach)?;
    report_reach(&target, &survey, &places, &reach, None, report);
    Ok(Exit::Done)
}

/// Joins shards that have done everything: all of their files, and their figures added up.
///
/// The exit code is that of the command.
///
/// # Errors
///
/// A file cannot be copied.
fn run_parts(
    args: MergeArgs,
    parts: &JoinedParts,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let started = Instant::now();
    let place = place_of(args.output, "the files of all shards")?;
    if let Some(crashes) = args.crashes.map(CorpusPlace::New) {
        crashes.check()?;
        let sameness = Sameness { rule: args.same, pattern: None };
        let failing = joined_survey(parts)?.groups(&sameness);
        write_crashes(&failing, &crashes, &HeldBytes::default(), &interrupt.flag())?;
    }
    place.write_named(&parts.files)?;
    copy_dictionary(parts, &place)?;
    let count = |name: &str| parts.figure(name) as usize;
    if parts.task != "repair" {
        report.report(&Event::CorpusShrunk(&ShrunkCorpus {
            target: &parts.target,
            output: place.path(),
            inputs: count("inputs"),
            bytes_before: count("bytes_before"),
            bytes: count("bytes"),
            failing: count("failing"),
            tests: parts.figure("tests"),
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
        tests: parts.figure("tests"),
        written: parts.files.len(),
        elapsed: started.elapsed(),
    };
    report.report(&Event::RepairsEnded { totals: &totals, is_single: false });
    Ok(match (parts.figure("stopped"), totals.not_repaired) {
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
/// A result cannot be copied.
fn run_failures(
    args: MergeArgs,
    parts: &JoinedParts,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let place = args.output.map(CorpusPlace::New);
    place.as_ref().map_or(Ok(()), CorpusPlace::check)?;
    let mut groups = join_failures(parts)?;
    let is_triage = parts.task == "triage";
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
