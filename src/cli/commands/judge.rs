//! `judge`: is a fix right? Every input of a kit is run on the patched target.

use crate::event::{Event, FixVerdict, JudgedKit, Reporter};
use std::path::PathBuf;

use clap::Args;

use crate::cargo_fuzz::{CommandLine, Input, Sanitizer, TargetSource, Targets};
use crate::cli::arguments::groups::{LimitArgs, SamenessArgs, TargetArgs, TellArgs};
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::options::target_request;
use crate::cli::session_end::trouble;
use crate::cli::trouble::talk;
use crate::report::{ReportOptions, Reporters};
use crate::session::kit::file::{KitFile, TargetKind, WorkplaceFile};
use crate::session::kit::{JudgeOptions, Kit, KitError, judge};
use seedsmith_engine::Rule;
use seedsmith_engine::Workplace;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::Condition;

/// New inputs of the pattern where no option says how many: if none of a hundred fails, at most
/// three in a hundred would, with 95 % confidence.
const DEFAULT_NEW_INPUTS: usize = 100;

/// The beginning of `judge --help`.
const LONG_ABOUT: &str = "\
Tells whether a fix is right: runs the inputs of a kit on the patched target.

A kit is a folder that `generalize --kit DIR` has written. The fix is right if no failing input \
fails any more, if new inputs of the pattern don't fail either, and if every input that passed before \
still passes. The report says so if a fix handles only the given input.

The target of a kit of a cargo-fuzz package is found by its name and built. A program is named on \
the command line; a kit never starts a program by itself.";

/// The help of `--target`, which is another one than in commands that have an input.
const TARGET: &str = "Fuzz target to run [default: the target of the kit]";

/// The help of `--fuzz-dir`, for the same reason.
const FUZZ_DIR: &str =
    "Folder of the cargo-fuzz package [default: searched from the kit and from here upwards]";

/// The help of `--sanitizer`: a kit remembers in which build its failure was seen.
const LONG_SANITIZER: &str = "\
Build to run: auto, none, address

auto is the build in which the failure was seen when the kit was written. none is a build without \
sanitizer. address is the executable that cargo-fuzz built, or a new build with nightly Rust.";

/// The help of `--cwd`: a kit remembers where its command ran.
const LONG_CWD: &str = "\
Where COMMAND runs: private (a new folder for each test) or keep (this folder)

Without this option, COMMAND runs where it ran when the kit was written.";

/// The usage line of the help. `@` marks the name, which is printed as it was typed.
pub(super) const USAGE: &str = "@judge [OPTIONS] <DIR> [-- COMMAND ARGS {}]";

/// The end of the help: exit codes and examples.
const AFTER_HELP: &str = "\
Exit codes:
  0 the fix is right   1 it isn't, or some inputs can't be judged   2 usage
  5 target not found, built or run   6 the kit can't be read   70 our bug
  129, 130, 143 interrupted

Examples:
  Is the failure fixed in the working tree?
      @judge kit/

  The same for a program; its arguments are those that the kit was made with:
      @judge kit/ -- ./parse {}

  With other new inputs, and more of them, for a program that reads the result:
      @judge kit/ --seed 7 --draws 1000 --json";

/// Tells whether a fix is right
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, max_term_width = 100, after_help = AFTER_HELP)]
#[command(mut_arg("target", |arg| arg.help(TARGET).long_help(TARGET)))]
#[command(mut_arg("fuzz_dir", |arg| arg.help(FUZZ_DIR)))]
#[command(mut_arg("sanitizer", |arg| arg.long_help(LONG_SANITIZER)))]
#[command(mut_arg("cwd", |arg| arg.long_help(LONG_CWD)))]
#[command(mut_arg("verbose", |arg| arg.help("Print more: what cargo prints")))]
pub(super) struct JudgeArgs {
    /// Folder of the kit
    #[arg(value_name = "DIR")]
    pub kit: PathBuf,

    #[command(flatten)]
    pub target: TargetArgs,

    /// When COMMAND fails, if the kit was made with this option
    #[arg(long, value_name = "SIGN", env = "SEEDSMITH_FAILS_IF", hide_env = true)]
    #[arg(help_heading = "Target")]
    pub fails_if: Vec<Condition>,

    /// New inputs of the pattern that are run
    #[arg(long, value_name = "N", env = "SEEDSMITH_DRAWS", hide_env = true)]
    #[arg(default_value_t = DEFAULT_NEW_INPUTS, help_heading = "Tests")]
    pub draws: usize,

    /// Seed of the new inputs
    #[arg(long, value_name = "N", env = "SEEDSMITH_SEED", hide_env = true)]
    #[arg(default_value_t = 0, help_heading = "Tests")]
    pub seed: u64,

    #[command(flatten, next_help_heading = "Tests")]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub tell: TellArgs,
}

/// The code for a kit that cannot be used.
///
/// A folder that is no kit, a damaged kit and a kit of another version are wrong arguments (2). Anything
/// else is an error of reading (6).
impl From<KitError> for Trouble {
    fn from(error: KitError) -> Self {
        let exit = match &error {
            KitError::NoKit { .. } | KitError::Damaged { .. } | KitError::Version { .. } => {
                Exit::Usage
            }
            _ => Exit::Files,
        };
        Trouble::by(exit, error)
    }
}

/// Judges the fix.
///
/// Each input of the kit and each new input of its pattern is run on the target as it is now. The
/// kit is only read.
///
/// The exit code is 0 only for the verdict that the failure is fixed. It is 1 for every other verdict,
/// also if some inputs cannot be judged.
///
/// # Errors
///
/// The kit cannot be read, the target cannot be found, built or run, or a signal stopped the command.
pub(super) fn run(
    args: JudgeArgs,
    interrupt: &Interrupt,
    report: &mut Reporters,
) -> Result<Exit, Trouble> {
    let JudgeArgs { kit: folder, target, fails_if, draws, seed, limits, tell } = args;
    let flag = interrupt.flag();
    let mut kit = Kit::read(&folder, &flag)?;
    if let Some(why) = &kit.no_pattern {
        report.say(&format!("no new inputs: the pattern can't be used: {why}"));
    }
    let sameness =
        SamenessArgs { same: Rule::default(), pattern: None, fails_if, allow_trivial: true };
    let mut request = target_request(target, None, sameness, &limits, ReportOptions::from(&tell));
    request.source = source(request.source, &kit.file, &folder)?;
    let path = folder.join(&kit.file.input_name);
    let limits = request.limits_for(&path);
    let target_names = vec![kit.file.target.name.clone()];
    let input = Input { path, bytes: kit.given[0].1.clone(), target_names };
    let mut targets = Targets::new(request);
    let opened = targets.open(&input, &flag, &mut talk(report))?;
    let budget = Budget { interrupt: flag, ..Budget::default() };
    let options = JudgeOptions { limits, budget, draws, seed };
    let judged =
        judge(&mut kit, &opened, &options).map_err(|error| trouble(error, &folder, interrupt))?;
    let code = opened.code();
    let code = code.as_deref();
    let kit = JudgedKit { kit: &folder, target: &opened.name, code, judged: &judged };
    report.report(&Event::Judged(&kit));
    Ok(match judged.verdict {
        FixVerdict::Fixed => Exit::Done,
        _ => Exit::DoesNotFail,
    })
}

/// The target of the command line, else the fuzz target with the kit's name.
///
/// # Errors
///
/// The kit is of a command or of an executable, which the line has to name: a fix may be in another
/// place.
///
/// A command runs in the workplace that the kit records, unless `--cwd keep` is given. A fuzz target gets
/// AddressSanitizer if the kit's failure was seen with it and `--sanitizer` is `auto`.
fn source(
    given: TargetSource,
    file: &KitFile,
    folder: &std::path::Path,
) -> Result<TargetSource, Trouble> {
    match given {
        TargetSource::Command(line) => {
            let workplace = match file.target.workplace {
                _ if line.workplace != Workplace::Private => line.workplace,
                WorkplaceFile::Private => Workplace::Private,
                WorkplaceFile::PrivateWithPaths => Workplace::PrivateWithPaths,
                WorkplaceFile::Shared => Workplace::Shared,
            };
            Ok(TargetSource::Command(CommandLine { workplace, ..line }))
        }
        TargetSource::Package { name: None, fuzz_dir, sanitizer } => match file.target.kind {
            TargetKind::FuzzTarget | TargetKind::Function => {
                let sanitizer = match sanitizer {
                    Sanitizer::Auto if file.target.needs_sanitizer => Sanitizer::Address,
                    sanitizer => sanitizer,
                };
                let name = Some(file.target.name.clone());
                Ok(TargetSource::Package { name, fuzz_dir, sanitizer })
            }
            TargetKind::Command => {
                let words: Vec<String> =
                    file.target.command.iter().map(|word| format!("{word:?}")).collect();
                let why = format!(
                    "the kit is of a command, which has to be named again: judge {} -- {}",
                    folder.display(),
                    words.join(" ")
                );
                Err(Trouble::new(Exit::Usage, why))
            }
            TargetKind::Executable => {
                let why = "the kit is of an executable; name the patched one with --binary FILE";
                Err(Trouble::new(Exit::Usage, why))
            }
        },
        given => Ok(given),
    }
}
