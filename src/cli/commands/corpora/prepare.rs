//! `prepare`: a corpus before fuzzing, by the other commands one after the other.
//!
//! Each step is the run of a command: `repair`, `cmin`, `shrink-corpus`. Nothing is computed here but the
//! dictionary, which has the fixed texts of a grammar.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, ValueEnum};

use crate::aside;
use crate::cli::arguments::groups::ShardArgs;
use crate::cli::arguments::keep::Keep;
use crate::cli::arguments::language::LanguageArgs;
use crate::cli::arguments::repair::RepairArgs;
use crate::cli::commands::corpora::cmin::{self, CminArgs};
use crate::cli::commands::corpora::shrink::{self, ShrinkArgs};
use crate::cli::commands::corpora::{CorpusArgs, WeightChoice};
use crate::cli::commands::repair;
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::repair::RepairPlan;
use crate::corpus::{ByContent, HeldBytes, Shard, dictionary, features_of};
use crate::report::Reporters;
use crate::session::corpora::CorpusPlace;
use crate::session::language::{BYTES, LanguageError, TREE_SITTER, literals};
use seedsmith_grammar::Language;

/// The beginning of `prepare --help`.
const LONG_ABOUT: &str = "\
Prepares a corpus for fuzzing, in four steps: repair, cmin, shrink and dictionary.

repair makes valid copies of inputs that the target rejects; the originals stay too. cmin chooses inputs \
that together reach everything. shrink makes each smaller while the corpus reaches the same. dictionary \
writes the fixed texts of the grammar to OUT.dict, for libFuzzer's -dict. Copies of the same bytes count \
once. The same steps can be run one by one, with more options, as repair, cmin and shrink-corpus.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(crate) const USAGE: &str = "@prepare [OPTIONS] --output <OUT> <DIR|FILE>...";

/// The end of the help: exit codes and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 done   2 usage   5 target not found, built or run   6 reading or writing failed   70 our bug
  129, 130, 143 interrupted; nothing is written

Examples:
  A corpus of JSON for a fuzz target, with a dictionary:
      @prepare --target parse --grammar json -o corpus-ready fuzz/corpus/parse

  Without repairs, and with one input of each failure beside it:
      @prepare --binary ./parse_fuzzer --skip repair -o ready --crashes crashes corpus

  Only the choice, quickly:
      @prepare --binary ./parse_fuzzer --skip repair,shrink -o ready corpus";

/// A step that may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    /// Valid copies of inputs that the target rejects
    Repair,
    /// The smallest corpus with the same coverage
    Cmin,
    /// Smaller inputs
    Shrink,
    /// The grammar's fixed texts
    Dictionary,
}

/// Repairs, minimizes and shrinks a corpus before fuzzing
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct PrepareArgs {
    /// Folder for the prepared corpus; it must be empty if it exists
    #[arg(long, short, value_name = "OUT", env = "SEEDSMITH_OUTPUT", hide_env = true)]
    pub output: PathBuf,

    /// Steps to leave out
    #[arg(long, value_name = "STEP,…", env = "SEEDSMITH_SKIP", hide_env = true)]
    #[arg(value_delimiter = ',')]
    pub skip: Vec<Step>,

    /// Folder for the smallest input of each failure; it must be empty if it exists
    #[arg(long, value_name = "DIR", env = "SEEDSMITH_CRASHES", hide_env = true)]
    pub crashes: Option<PathBuf>,

    /// Tests for each input that is shrunk at most
    #[arg(long, value_name = "N", env = "SEEDSMITH_MAX_TESTS", hide_env = true)]
    #[arg(default_value_t = shrink::MAX_TESTS)]
    pub max_tests: u64,

    /// Prepare only part K of N and write what `merge` needs to OUT
    ///
    /// Which part an input belongs to depends on its content only. What shrink may do depends on the inputs
    /// that `merge` chooses, so each shard runs twice, and `merge` after both.
    #[arg(long, value_name = "K/N", env = "SEEDSMITH_SHARD", hide_env = true)]
    #[arg(conflicts_with = "crashes")]
    pub shard: Option<Shard>,

    #[command(flatten)]
    pub corpus: CorpusArgs,

    #[command(flatten)]
    pub language: LanguageArgs,
}

/// Runs the steps on the whole corpus. Folders between them are in `.seedsmith/` beside OUT, and are deleted in the end.
///
/// A target that rejects nothing cannot say what to repair: that is reported, and the other steps run.
/// Inputs that stay invalid stay in the corpus as they are.
///
/// # Errors
///
/// Those of the steps. OUT is there only if all of them succeed.
pub(super) fn run(
    args: PrepareArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let language = open_language(&args)?;
    CorpusPlace::New(args.output.clone()).check()?;
    let between = features_of(&args.output).with_extension("prepare");
    let trouble = || format!("failed to write {}", between.display());
    if between.exists() {
        fs::remove_dir_all(&between).or_exit(Exit::Files, trouble)?;
    }
    fs::create_dir_all(&between).or_exit(Exit::Files, trouble)?;
    let ended = run_steps(args, language.as_ref(), &between, interrupt, report);
    // Without success the next run deletes it.
    let _ = fs::remove_dir_all(&between);
    if let Some(folder) = between.parent() {
        // Only an empty folder is removed.
        let _ = fs::remove_dir(folder);
    }
    ended
}

/// The steps one after the other, each on the result of the one before.
fn run_steps(
    args: PrepareArgs,
    language: Option<&Language>,
    between: &Path,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let PrepareArgs { output, skip, crashes, max_tests, shard: _, mut corpus, language: grammar } =
        args;
    let wants = |step| !skip.contains(&step);
    let mut worst = Exit::Done;
    if wants(Step::Repair) {
        let folder = between.join("repaired");
        worst = run_repair(&corpus, grammar, None, &folder, interrupt, report)?;
        if fs::read_dir(&folder).is_ok_and(|mut files| files.next().is_some()) {
            corpus.inputs.push(folder);
        }
    }
    let shrinks = wants(Step::Shrink);
    if wants(Step::Cmin) {
        let chosen = if shrinks { between.join("chosen") } else { output.clone() };
        let args = CminArgs {
            output: Some(chosen.clone()),
            into: None,
            crashes,
            by_source: false,
            shard: None,
            html: None,
            weight: WeightChoice::default(),
            corpus: corpus.clone(),
        };
        worst = worst_of(worst, cmin::run_step(args, !shrinks, interrupt, report)?);
        corpus.inputs = vec![chosen];
    } else if !shrinks {
        copy_once(&corpus.inputs, &output, interrupt, report)?;
    }
    if shrinks {
        let (output, keep) = (output.clone(), Keep::Unique);
        let args =
            ShrinkArgs { output, keep, max_tests, max_total_tests: None, shard: None, corpus };
        worst = worst_of(worst, shrink::run(args, interrupt, report)?);
    }
    if let Some(language) = language.filter(|_| wants(Step::Dictionary)) {
        write_dictionary(language, &dictionary_of(&output), report)?;
    }
    Ok(worst)
}

/// `repair` of the corpus, or of a part of it, into `folder`.
///
/// A target that rejects nothing cannot say what to repair: that is reported.
pub(super) fn run_repair(
    corpus: &CorpusArgs,
    language: LanguageArgs,
    shard: Option<Shard>,
    folder: &Path,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let plan = repair_plan(corpus, language, shard, folder)?;
    match repair::run(&plan, interrupt, report) {
        Ok(exit @ (Exit::HungUp | Exit::Interrupted | Exit::Terminated)) => {
            Err(Trouble::new(exit, "interrupted; nothing is written"))
        }
        Ok(Exit::Files) => Ok(Exit::Files),
        Ok(_) => Ok(Exit::Done),
        Err(Trouble { exit: Exit::Target, cause }) => {
            report.say(&format!("repair is left out: {cause:#}"));
            Ok(Exit::Done)
        }
        Err(trouble) => Err(trouble),
    }
}

/// Where the dictionary of a corpus goes: beside it.
pub(super) fn dictionary_of(output: &Path) -> PathBuf {
    let mut path = output.as_os_str().to_owned();
    path.push(".dict");
    PathBuf::from(path)
}

/// Writes the fixed texts of a grammar.
pub(super) fn write_dictionary(
    language: &Language,
    path: &Path,
    report: &mut Reporters,
) -> Result<(), Trouble> {
    let about = format!("Fixed texts of the grammar {}", language.grammar().name);
    let text = dictionary(&about, literals(language));
    aside::write(path, text.as_bytes())
        .or_exit(Exit::Files, || format!("failed to write {}", path.display()))?;
    let count = text.lines().count() - 1;
    report.say(&format!("dictionary: {count} entries; written to {}", path.display()));
    Ok(())
}

/// The later one, unless only the earlier one says that something is missing.
pub(super) fn worst_of(one: Exit, other: Exit) -> Exit {
    if other == Exit::Done { one } else { other }
}

/// The grammar, if one was named and is a grammar: parsers of tree-sitter have no list of texts here.
pub(super) fn open_language(args: &PrepareArgs) -> Result<Option<Language>, Trouble> {
    let LanguageArgs { grammar, start, .. } = &args.language;
    let Some(said) = grammar.as_deref().filter(|said| *said != BYTES) else { return Ok(None) };
    if said.starts_with(TREE_SITTER) {
        return Ok(None);
    }
    let opened = Language::open(said, start.as_deref());
    Ok(Some(opened.map_err(|source| LanguageError::Load { grammar: said.to_owned(), source })?))
}

/// `repair` of the corpus, or of a part of it, into `folder`, with its defaults and the options that both commands have.
fn repair_plan(
    corpus: &CorpusArgs,
    language: LanguageArgs,
    shard: Option<Shard>,
    folder: &Path,
) -> Result<RepairPlan, Trouble> {
    let defaults = RepairArgs::try_parse_from(["repair", "corpus"]);
    let defaults = defaults.map_err(|error| Trouble::new(Exit::Usage, error))?;
    let test = corpus.test.clone();
    let args = RepairArgs {
        inputs: corpus.inputs.clone(),
        target: test.target,
        language,
        jobs: corpus.jobs,
        limits: test.limits,
        output: Some(folder.to_owned()),
        shard: ShardArgs { shard },
        json: test.tell.json,
        quiet: test.tell.quiet,
        color: test.tell.color,
        ..defaults
    };
    Ok(RepairPlan::new(args, None))
}

/// Copies the inputs, each content once: all that is left to do without the steps that choose and shrink.
fn copy_once(
    inputs: &[PathBuf],
    output: &Path,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<(), Trouble> {
    let flag = interrupt.flag();
    let mut talk = crate::cli::trouble::talk(report);
    let (files, _) = crate::cargo_fuzz::input::files(inputs, Some(output), &flag, &mut talk)?;
    drop(talk);
    let count = files.len();
    let chosen: Vec<_> =
        ByContent::new(files, None, NonZero::<usize>::MIN, &flag).map(|one| one.input).collect();
    if let Some(exit) = interrupt.exit() {
        return Err(Trouble::new(exit, "interrupted; nothing is written"));
    }
    let place = CorpusPlace::New(output.to_owned());
    place.write(&chosen, &HeldBytes::default(), NonZero::<usize>::MIN, &flag)?;
    report.say(&format!("{} different inputs of {count} files", chosen.len()));
    Ok(())
}
