//! Commands over corpora: their common options, and the runs that record the features of every input.

mod cmin;
mod coverage;
mod merge;
mod prepare;
mod prepare_shard;
mod result;
mod shrink;

use crate::event::{Event, Reporter};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::{Args, ValueEnum};

use crate::cargo_fuzz::{Input, InputError, TargetRequest, ValidatorSource, input};
use crate::cli::arguments::groups::TestArgs;
use crate::cli::arguments::keep::Keep;
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::guarded;
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::options::{jobs, target_request};
use crate::cli::trouble::talk;
use crate::corpus::{ByContent, InputSet, Listed, Shard};
use crate::coverage::gather::GatherError;
use crate::coverage::record_format::RecordsKey;
use crate::coverage::records::{Records, RecordsError};
use crate::coverage::run::{SurveyOptions, survey};
use crate::coverage::shrink::KeepRule;
use crate::coverage::smallest::SmallestCorpus;
use crate::coverage::smallest::Weight;
use crate::coverage::survey::{Exact, Survey};
use crate::report::{ReportOptions, Reporters};
use crate::session::corpora::{CorpusPlace, PART_FILE, Part, PlaceError};
use crate::session::saved::identity::identity;
use crate::session::target::OpenTarget;
use crate::session::target::open::open_covering;
pub(super) use cmin::{CminArgs, USAGE as CMIN_USAGE};
pub(super) use coverage::{CoverageArgs, USAGE as COVERAGE_USAGE};
pub(super) use merge::{MergeArgs, USAGE as MERGE_USAGE};
pub(super) use prepare::{PrepareArgs, USAGE as PREPARE_USAGE};
use seedsmith_engine::Limits;
use seedsmith_engine::Sameness;
use seedsmith_engine::internal::{FeatureKind, counters_in};
use seedsmith_grammar::Digest;
pub(super) use shrink::{ShrinkArgs, USAGE as SHRINK_USAGE};

/// What counts as reached.
///
/// It is what libFuzzer's own features are made of; more features keep more inputs.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Coverage {
    /// Blocks of code
    Edges,
    /// Blocks of code, and how often they ran: 1, 2, 3, 4 to 7, … 128 times or more
    Counts,
    /// The same, and how many bits differ in the values that each place compares
    Cmp,
}

/// The kind of features that the target reports for it.
impl From<Coverage> for FeatureKind {
    fn from(coverage: Coverage) -> Self {
        match coverage {
            Coverage::Edges => FeatureKind::Edges,
            Coverage::Counts => FeatureKind::Counts,
            Coverage::Cmp => FeatureKind::Compares,
        }
    }
}

/// What the chosen inputs are to have as little as possible of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightChoice {
    /// Bytes
    #[default]
    Bytes,
    /// Blocks of code that run, which is about the time that the fuzzer takes for all of them
    Time,
}

/// The meaning of the word.
impl From<WeightChoice> for Weight {
    fn from(choice: WeightChoice) -> Self {
        match choice {
            WeightChoice::Bytes => Weight::Bytes,
            WeightChoice::Time => Weight::Time,
        }
    }
}

/// The inputs of a corpus, and the options of the target that runs them.
///
/// All commands over corpora have these options, with one meaning.
#[derive(Clone, Debug, Args)]
pub(super) struct CorpusArgs {
    /// Folders of inputs, with everything below them, and files
    #[arg(required = true, value_name = "DIR|FILE")]
    pub inputs: Vec<PathBuf>,

    /// What counts as reached
    #[arg(long, value_name = "WHAT", env = "SEEDSMITH_COVERAGE", hide_env = true)]
    #[arg(default_value = "counts")]
    pub coverage: Coverage,

    /// Processes that run inputs at once [default: cores]
    #[arg(long, short, value_name = "N", env = "SEEDSMITH_JOBS", hide_env = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    #[command(flatten)]
    pub test: TestArgs,
}

/// The file of a shard's result folder with what each of its inputs reaches: `merge` reads it.
const SHARD_FILE: &str = "features";

/// Runs `cmin`.
pub(super) fn run_cmin(args: CminArgs) -> ExitCode {
    let tell = ReportOptions::from(&args.corpus.test.tell);
    guarded("cmin", tell, None, |interrupt, report| cmin::run(args, interrupt, report)).into()
}

/// Runs `prepare`.
pub(super) fn run_prepare(args: PrepareArgs) -> ExitCode {
    let tell = ReportOptions::from(&args.corpus.test.tell);
    let run = |interrupt: &Interrupt, report: &mut Reporters| match args.shard {
        Some(shard) => prepare_shard::run_shard(args, shard, interrupt, report),
        None => prepare::run(args, interrupt, report),
    };
    guarded("prepare", tell, None, run).into()
}

/// Runs `coverage`.
pub(super) fn run_coverage(args: CoverageArgs) -> ExitCode {
    let tell = ReportOptions::from(&args.corpus.test.tell);
    guarded("coverage", tell, None, |interrupt, report| coverage::run(args, interrupt, report))
        .into()
}

/// Runs `shrink-corpus`.
pub(super) fn run_shrink(args: ShrinkArgs) -> ExitCode {
    let tell = ReportOptions::from(&args.corpus.test.tell);
    guarded("shrink-corpus", tell, None, |interrupt, report| shrink::run(args, interrupt, report))
        .into()
}

/// Runs `merge`.
pub(super) fn run_merge(args: MergeArgs) -> ExitCode {
    let tell = ReportOptions::from(&args.tell);
    guarded("merge", tell, None, |interrupt, report| merge::run(args, interrupt, report)).into()
}

/// A corpus whose target is open.
///
/// It is opened once and may be surveyed several times.
struct OpenCorpus {
    /// Its reports have the features of coverage counters.
    target: OpenTarget,
    /// The files to run, in the order of the names on the line. A survey takes them out and leaves none.
    files: Vec<PathBuf>,
    /// The names on the line.
    sources: Vec<PathBuf>,
    /// Whether features are blocks alone, or blocks with how often they ran.
    kind: FeatureKind,
    /// What one run may use.
    limits: Limits,
    /// Processes that run inputs at once, at least 1.
    jobs: NonZero<usize>,
    /// When two failing inputs show one failure.
    sameness: Sameness,
    /// Whether what the target gets by chance depends on each input's content, as for libFuzzer; if not, all inputs get the same.
    varied: bool,
}

impl OpenCorpus {
    /// Finds the files and opens the target; `command` names itself where there are no counters.
    /// Files in `output` do not count.
    ///
    /// # Errors
    ///
    /// No input is found, the target cannot be found or built, or it is no libFuzzer executable (exit code
    /// 2 for the latter).
    fn open(
        args: CorpusArgs,
        command: &str,
        output: Option<&Path>,
        flag: &AtomicBool,
        report: &mut Reporters,
    ) -> Result<Self, Trouble> {
        let CorpusArgs { inputs, coverage, jobs: jobs_given, test } = args;
        let tell = ReportOptions::from(&test.tell);
        let mut request = target_request(test.target, None, test.sameness, &test.limits, tell);
        request.has_coverage = true;
        let (sameness, limits) = (request.sameness.clone(), request.limits);
        let (files, _) = input::files(&inputs, output, flag, &mut talk(report))?;
        let Some(first) = files.first() else {
            return Err(input::InputError::None { named: inputs }.into());
        };
        let first =
            Listed { path: first.clone(), bytes: 0, sha1: String::new(), copies: Vec::new() };
        let first = || input::load(&first, flag);
        let kind = coverage.into();
        let target = open_with_counters(command, request, kind, &first, flag, &mut talk(report))?;
        let jobs = NonZero::new(jobs(jobs_given)).unwrap_or(NonZero::<usize>::MIN);
        let sources = inputs;
        Ok(OpenCorpus { target, files, sources, kind, limits, jobs, sameness, varied: true })
    }

    /// What the records of this corpus are kept under.
    ///
    /// Records of another executable, of other features or with other limits are of no use: their
    /// key differs.
    /// `shard` is part of the key, so the records of two shards are never mixed.
    fn key(&self, shard: Option<Shard>) -> RecordsKey {
        let text = format!("{}\n{:?}\n{:?}", identity(&self.target), self.kind, self.limits);
        RecordsKey { digest: Digest::of(text.as_bytes()).0, shard }
    }

    /// Runs the inputs and returns their features, and the smallest corpus if that is asked for. Inputs in `records` are not run, and the others are added
    /// to it.
    ///
    /// Costs one run for each distinct content, or two if its features have to be exact. Fails if the target cannot be run or a signal came.
    fn survey(
        &mut self,
        exact: Exact<'_>,
        shard: Option<Shard>,
        records: Option<&mut Records>,
        flag: &AtomicBool,
        interrupt: &Interrupt,
    ) -> Result<(Survey, Option<SmallestCorpus>), Trouble> {
        let &mut OpenCorpus { limits, jobs, varied, .. } = self;
        let contents = ByContent::new(std::mem::take(&mut self.files), shard, jobs, flag);
        let options = SurveyOptions { limits, jobs, exact, varied };
        let found = survey(&*self.target.target, contents, &options, records, flag);
        found.map_err(|error| match error {
            GatherError::Target(error) => Trouble::by(Exit::Target, error),
            error => Trouble::by(interrupt.exit().unwrap_or(Exit::Interrupted), error),
        })
    }

    /// The part `shard` of a run of `command` on this corpus with these `options`, with nothing left to do. `inputs` are those
    /// of the whole corpus.
    fn part(&self, shard: Shard, command: &str, options: &str, inputs: InputSet) -> Part {
        let key = format!("{:032x} {options}", self.key(None).digest);
        Part::new(shard, command, key, &self.target.name).on(inputs, &self.sources)
    }

    /// Runs the part `wanted` of the inputs (all, without one) as the part `shard`, and leaves their features in
    /// `place` for `merge`. Nothing is chosen here: the smallest corpus depends on the inputs of all shards.
    ///
    /// What an ended run has recorded is not run. If an input could not be read or run, the file is not marked as
    /// complete (exit code 6), and the part is not to be written. Gives the inputs of the whole corpus, too.
    fn record_shard(
        &mut self,
        shard: Shard,
        wanted: Option<Shard>,
        place: &Path,
        interrupt: &Interrupt,
        report: &mut Reporters,
    ) -> Result<(Exit, InputSet), Trouble> {
        let file = place.join(SHARD_FILE);
        let mut records = Records::open(&file, &self.key(Some(shard)))?;
        let flag = interrupt.flag();
        // `merge` reads the inputs, perhaps in another folder.
        for path in &mut self.files {
            *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone());
        }
        let (survey, _) = self.survey(Exact::All, wanted, Some(&mut records), &flag, interrupt)?;
        if report_left_out(&survey, report) {
            return Ok((Exit::Files, survey.seen));
        }
        records.complete(survey.inputs())?;
        let (inputs, _) = survey.size();
        report.say(&format!(
            "shard {shard}: {inputs} inputs, {} of them recorded before; written to {}",
            survey.recalled,
            file.display()
        ));
        Ok((Exit::Done, survey.seen))
    }
}

/// A place with what an ended or complete run of a shard has left is accepted again.
///
/// # Errors
///
/// There is something else in the folder.
fn check_shard_place(place: &CorpusPlace) -> Result<(), Trouble> {
    match [SHARD_FILE, PART_FILE].iter().any(|file| place.path().join(file).exists()) {
        true => Ok(()),
        false => Ok(place.check()?),
    }
}

/// Writes the file that `merge` reads first, when the result of a shard is complete.
fn write_part(part: &Part, folder: &Path) -> Result<(), Trouble> {
    part.write(folder).or_exit(Exit::Files, || format!("failed to write to {}", folder.display()))
}

/// Finds the executable that `request` asks for and opens it, so that its reports have features of this kind.
///
/// `command` names itself where there are no counters. If no target is named, it is that of the input that `first`
/// reads.
///
/// # Errors
///
/// The target cannot be found or built, or it is no libFuzzer executable (exit code 2 for the latter).
pub(super) fn open_with_counters(
    command: &str,
    request: TargetRequest,
    kind: FeatureKind,
    first: &dyn Fn() -> Result<Input, InputError>,
    flag: &AtomicBool,
    reporter: &mut dyn Reporter,
) -> Result<OpenTarget, Trouble> {
    let source = ValidatorSource::find(request, None, first, flag, reporter)?;
    let ValidatorSource::Executable(path, _) = source else {
        return Err(Trouble::new(
            Exit::Usage,
            format!(
                "{command} reads coverage counters, which only a libFuzzer executable has: \
                 name one with --binary, or a fuzz target with --target"
            ),
        ));
    };
    Ok(open_covering(&path, kind)?)
}

/// What an input keeps on a target, by the words of `--keep`.
///
/// # Errors
///
/// The executable does not have the function, or not its counters.
pub(super) fn keep_rule(keep: &Keep, target: &OpenTarget) -> Result<KeepRule, Trouble> {
    match (keep, &target.executable) {
        (Keep::All, _) => Ok(KeepRule::All),
        (Keep::Unique, _) => Ok(KeepRule::Unique),
        (Keep::Reaches(function), Some(executable)) => {
            let counters = counters_in(executable, function);
            counters.map(KeepRule::Reaches).map_err(|error| Trouble::by(Exit::Target, error))
        }
        (Keep::Reaches(_), None) => unreachable!("only an executable has counters"),
    }
}

/// Reports the inputs that were not run; whether there are any.
///
/// Unstable counters are reported in one message and do not count as inputs.
fn report_left_out(survey: &Survey, report: &mut Reporters) -> bool {
    if !survey.unstable.is_empty() {
        report.say(&format!(
            "the target does not do the same each time: {} of its counters are left out",
            survey.unstable.len()
        ));
    }
    for one in &survey.unreadable {
        let (input, why) = (&one.path, &one.why);
        report.report(&Event::PassedOver { input, why, exit: Exit::Files as u8 });
    }
    for path in &survey.lost {
        let why = "its worker was ended from outside";
        report.report(&Event::PassedOver { input: path, why, exit: Exit::Files as u8 });
    }
    !survey.lost.is_empty() || !survey.unreadable.is_empty()
}

/// Records that are missing or incomplete are a wrong argument; any other error is trouble with
/// files.
impl From<RecordsError> for Trouble {
    fn from(error: RecordsError) -> Self {
        let exit = match &error {
            RecordsError::NoRecords(_) | RecordsError::Incomplete(_) => Exit::Usage,
            _ => Exit::Files,
        };
        Trouble::by(exit, error)
    }
}

/// A place that is taken or is no folder is a wrong argument; any other error is trouble with
/// files.
impl From<PlaceError> for Trouble {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::NotEmpty(path) => Trouble::new(
                Exit::Usage,
                format!("{} is not an empty folder: name another one with -o", path.display()),
            ),
            PlaceError::NoFolder(_) => Trouble::by(Exit::Usage, error),
            error => Trouble::by(Exit::Files, error),
        }
    }
}
