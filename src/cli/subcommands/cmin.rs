//! `cmin`: the smallest corpus that reaches what a corpus reaches.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};

use crate::aside::folder_of;
use crate::cargo_fuzz::{ValidatorSource, input, open};
use crate::cli::args::{LimitArgs, SamenessArgs, TargetArgs, TellArgs};
use crate::cli::exit::{Exit, OrExit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::plan::{jobs, target_request};
use crate::cli::trouble::talk;
use crate::corpus::Listed;
use crate::coverage::gather::GatherError;
use crate::coverage::smallest::{CminOptions, SmallestCorpus, smallest_corpus};
use crate::report::{CorpusFinished, Report, Tell};
use seedsmith_engine::exec::reach::features::FeatureKind;

const LONG_ABOUT: &str = "\
Chooses the inputs of a corpus that together reach everything that the corpus reaches, with as few \
bytes as it can, and copies them to OUT under their SHA-1.

Each input runs once on an executable with coverage counters, in worker processes that survive \
crashes. The result is the same for any order of the files and any number of jobs, and a second run \
changes nothing. Inputs that fail and empty files, which fuzzers pass over, are never chosen; --crashes keeps the \
smallest input of each failure.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub const USAGE: &str = "@cmin [OPTIONS] --output <OUT> <DIR|FILE>...";

const AFTER_HELP: &str = "\
Exit codes:
  0 done   2 usage   5 target not found, built or run   6 reading or writing failed   70 our bug
  129, 130, 143 interrupted; nothing is written

Examples:
  The corpus of a fuzz target, whose name is in the path:
      @cmin fuzz/corpus/parse -o corpus-min

  A libFuzzer executable in any language, and one input of each failure:
      @cmin --binary ./parse_fuzzer -o corpus-min --crashes crashes corpus

  Two corpora, compared by reached blocks of code only:
      @cmin --coverage edges -o corpus-min ours theirs";

/// What counts as reached.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Coverage {
    /// Blocks of code
    Edges,
    /// Blocks of code, and how often they ran: 1, 2, 3, 4 to 7, … 128 times or more
    Counts,
}

/// Chooses the smallest corpus with the same coverage
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
pub struct CminArgs {
    /// Folders of inputs, with everything below them, and files
    #[arg(required = true, value_name = "DIR|FILE")]
    pub inputs: Vec<PathBuf>,

    /// Folder for the chosen inputs; it must be empty if it exists
    #[arg(long, short, value_name = "OUT", env = "SEEDSMITH_OUTPUT", hide_env = true)]
    pub output: PathBuf,

    /// Folder for the smallest input of each failure; it must be empty if it exists
    #[arg(long, value_name = "DIR", env = "SEEDSMITH_CRASHES", hide_env = true)]
    pub crashes: Option<PathBuf>,

    /// What counts as reached
    #[arg(long, value_name = "WHAT", env = "SEEDSMITH_COVERAGE", hide_env = true)]
    #[arg(default_value = "counts")]
    coverage: Coverage,

    /// Processes that run inputs at once [default: cores]
    #[arg(long, short, value_name = "N", env = "SEEDSMITH_JOBS", hide_env = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    #[command(flatten)]
    pub target: TargetArgs,

    #[command(flatten)]
    pub sameness: SamenessArgs,

    #[command(flatten, next_help_heading = "Tests")]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub tell: TellArgs,
}

/// Chooses and writes.
pub fn run(args: CminArgs, interrupt: &Interrupt, report: &mut Report) -> Result<Exit, Trouble> {
    let started = Instant::now();
    for folder in [Some(&args.output), args.crashes.as_ref()].into_iter().flatten() {
        must_be_empty(folder)?;
    }
    let tell = Tell::from(&args.tell);
    let mut request = target_request(args.target, None, args.sameness, &args.limits, tell);
    request.has_coverage = true;
    let options = CminOptions {
        sameness: request.sameness.clone(),
        limits: request.limits,
        jobs: jobs(args.jobs),
    };
    let flag = interrupt.flag();
    let inputs = input::gather(&args.inputs, Some(&args.output), &flag, &mut talk(report))?;
    for one in &inputs.passed_over {
        report.passed_over(&one.path, &one.why, Exit::Files as u8);
    }
    let is_partial = !inputs.passed_over.is_empty();
    let Some(first) = inputs.inputs.first() else { return Ok(Exit::Files) };
    let first = || input::load(first, &flag);
    let source = ValidatorSource::find(request, None, &first, &flag, &mut talk(report))?;
    let ValidatorSource::Executable(path, _) = source else {
        return Err(Trouble::new(
            Exit::Usage,
            "cmin reads coverage counters, which only a libFuzzer executable has: name one with \
             --binary, or a fuzz target with --target",
        ));
    };
    let kind = match args.coverage {
        Coverage::Edges => FeatureKind::Edges,
        Coverage::Counts => FeatureKind::Counts,
    };
    let target = open::open_covering(&path, kind)?;
    let (count, bytes) = size_of(&inputs.inputs);
    let chosen = smallest_corpus(&*target.target, inputs.inputs, &options, &flag);
    let chosen = chosen.map_err(|error| match error {
        GatherError::Target(error) => Trouble::by(Exit::Target, error),
        error => Trouble::by(interrupt.exit().unwrap_or(Exit::Interrupted), error),
    })?;
    let SmallestCorpus { kept, failing, features, rejected, lost, unreadable } = chosen;
    for path in lost.iter().chain(&unreadable) {
        report.passed_over(path, "it could not be run", Exit::Files as u8);
    }
    write(&args.output, &kept)?;
    if let Some(folder) = &args.crashes {
        let smallest: Vec<Listed> = failing.iter().map(|group| group.members[0].clone()).collect();
        write(folder, &smallest)?;
    }
    let (kept_count, kept_bytes) = size_of(&kept);
    report.corpus_finished(&CorpusFinished {
        target: &target.name,
        output: &args.output,
        inputs: count,
        input_bytes: bytes,
        kept: kept_count,
        kept_bytes,
        features,
        rejected,
        failing: failing.iter().map(|group| group.members.len()).sum(),
        failures: failing.len(),
        elapsed: started.elapsed(),
    });
    let is_partial = is_partial || !lost.is_empty() || !unreadable.is_empty();
    Ok(if is_partial { Exit::Files } else { Exit::Done })
}

/// The number of inputs, and their bytes.
fn size_of(inputs: &[Listed]) -> (usize, u64) {
    (inputs.len(), inputs.iter().map(|one| one.bytes).sum())
}

fn must_be_empty(folder: &Path) -> Result<(), Trouble> {
    let is_empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if is_empty {
        return Ok(());
    }
    Err(Trouble::new(
        Exit::Usage,
        format!("{} is not an empty folder: name another one with -o", folder.display()),
    ))
}

/// Copies inputs to a folder beside `place`, which takes that name when it is complete.
fn write(place: &Path, inputs: &[Listed]) -> Result<(), Trouble> {
    let doing = || format!("failed to write {}", place.display());
    let parent = folder_of(place);
    fs::create_dir_all(parent).or_exit(Exit::Files, doing)?;
    let aside = tempfile::Builder::new().prefix(".seedsmith-").tempdir_in(parent);
    let aside = aside.or_exit(Exit::Files, doing)?;
    for input in inputs {
        fs::copy(&input.path, aside.path().join(&input.sha1)).or_exit(Exit::Files, doing)?;
    }
    // A new folder of that kind is for its owner only.
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(aside.path(), mode).or_exit(Exit::Files, doing)?;
    fs::rename(aside.path(), place).or_exit(Exit::Files, doing)?;
    // The folder has moved: there is nothing left to remove.
    let _ = aside.keep();
    Ok(())
}
