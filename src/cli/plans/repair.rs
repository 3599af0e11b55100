//! `repair`'s options as meant.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cargo_fuzz::TargetRequest;
use crate::cargo_fuzz::input::{self, InputError};
use crate::cli::arguments::groups::SamenessArgs;
use crate::cli::arguments::repair::RepairArgs;
use crate::cli::exit::{Exit, Trouble};
use crate::cli::interrupt::Interrupt;
use crate::cli::plans::options::{jobs, read_files, target_request};
use crate::corpus::{Originals, Shard};
use crate::repair::recovery::{Reader, Reads};
use crate::repair::{Options, Strategy};
use crate::report::{Color, ReportOptions};
use crate::session::corpora::{JoinError, SecondRun};
use crate::session::language::LanguageChoice;
use crate::session::repair::{RepairInput, RepairPlace, RunOptions, Siblings, is_same_folder};
use crate::session::saved::output::{OutputError, refuse_no_file};
use seedsmith_engine::Rule;
use seedsmith_engine::internal::Budget;

/// All that a run of `repair` needs to know.
///
/// The inputs are not read yet: many commands are refused for options alone.
pub(crate) struct RepairPlan {
    /// The inputs and folders as they were named.
    pub inputs: Vec<PathBuf>,
    /// The validator: a command, or the target that accepts or rejects inputs.
    pub target: TargetRequest,
    /// The function that makes an input valid if it is reached, where the target does not say it.
    pub reached: Option<String>,
    /// A valid input to start from.
    pub base: Option<PathBuf>,
    /// The library's options, without the base and the grammar, which are read later.
    pub options: RunOptions,
    /// File or folder for the repaired texts; `None` without `-o`.
    pub output: Option<PathBuf>,
    /// The part of the inputs that is repaired; all of them if there is none.
    pub shard: Option<Shard>,
    /// Whether a file that is there may be replaced.
    pub may_replace: bool,
    /// Whether the changes are printed instead of the text.
    pub diagnoses: bool,
    /// Where the page goes.
    pub page: Option<PathBuf>,
    /// Which language the inputs are in, where that was said.
    pub language: LanguageChoice,
    /// Files besides the inputs that are never replaced.
    pub originals: Originals,
    /// Whether the validator is a command.
    has_command: bool,
    /// Whether results are written over their inputs.
    pub is_in_place: bool,
    /// The share of an input that a result has to keep, where that was said.
    pub keep_at_least: Option<f64>,
    /// The options for reports.
    pub tell: ReportOptions,
}

/// The share of an input that a result has to keep where several are repaired.
const KEPT_OF_SEVERAL: f64 = 0.5;
/// Tests of one of several inputs where no limit is given.
///
/// Measured 2026-11-22 with 300 files of a corpus of graphs that libFuzzer made, most of which small edits do
/// not repair: 2,000 tests give results of 4,708 edits in sum in 321,251 tests, 5,000 give 4,177 in 573,637.
const TESTS_OF_ONE_OF_SEVERAL: u64 = 5_000;

impl RepairPlan {
    /// A plan from options as typed. `linked` names the function that is part of this program.
    pub(crate) fn new(args: RepairArgs, linked: Option<&str>) -> Self {
        let color = Color::from(&args.color);
        let tell =
            ReportOptions { json: args.json, quiet: args.quiet, color, ..ReportOptions::default() };
        let mut target = args.target;
        if let Some(line) = args.validator {
            target.command = shell(&line);
        }
        let has_command = !target.command.is_empty();
        let sameness = SamenessArgs {
            same: Rule::Auto,
            pattern: None,
            fails_if: Vec::new(),
            allow_trivial: false,
        };
        let mut target = target_request(target, linked, sameness, &args.limits, tell);
        // There is no --verbose to name.
        target.shown.hint = None;
        let limits = target.limits;
        let language: LanguageChoice = args.language.into();
        let base = args.parent.or(args.base);
        let originals = read_files(&target, &language).into_iter().chain(base.clone());
        RepairPlan {
            originals: Originals::of(originals),
            inputs: args.inputs,
            target: TargetRequest { has_coverage: args.valid_if.is_some(), ..target },
            reached: args.valid_if,
            options: RunOptions {
                repair: Options {
                    strategy: args.strategy,
                    only_delete: args.only_delete,
                    ..Options::default()
                },
                jobs: jobs(args.jobs),
                limits,
                budget: Budget {
                    max_tests: args.max_tests,
                    max_time: Some(args.max_time),
                    ..Budget::default()
                },
                max_total: args.max_total_time.or(args.max_total),
                only_check: args.check,
                ..RunOptions::default()
            },
            base,
            output: args.output,
            shard: args.shard.shard,
            may_replace: args.force,
            diagnoses: args.diagnose,
            has_command,
            is_in_place: args.in_place,
            keep_at_least: args.keep_at_least,
            page: args.html,
            language,
            tell,
        }
    }

    /// Whether the input is standard input. Fails where that is one of several, or would be replaced.
    pub(crate) fn reads_stdin(&self) -> Result<bool, Trouble> {
        let is_stdin = |input: &PathBuf| input.as_os_str() == "-";
        let why = match self.inputs.as_slice() {
            [one] if is_stdin(one) && self.is_in_place => "standard input has no file to replace",
            [_] => return Ok(is_stdin(&self.inputs[0])),
            all if all.iter().any(is_stdin) => "- is standard input, and comes alone",
            _ => return Ok(false),
        };
        Err(Trouble::new(Exit::Usage, why))
    }

    /// The error if an input is missing: with a command, crashes are not searched for one.
    pub(crate) fn missing(&self, error: InputError) -> InputError {
        match error {
            InputError::NoCrash { name, .. } if self.has_command => {
                InputError::NoFile { path: name.into() }
            }
            other => other,
        }
    }

    /// Whether the validator is a command, which changes the advice in error messages.
    pub(crate) fn is_command(&self) -> bool {
        self.has_command
    }

    /// Where valid texts are written; `is_single` where one file was named and no folder.
    ///
    /// It is a wrong argument (exit code 2) if several inputs have no folder for the results, if that folder
    /// is where the inputs are, or if the only result would share stdout with JSON Lines. A file that exists
    /// needs `--force`.
    pub(crate) fn place(&self, is_single: bool) -> Result<RepairPlace, Trouble> {
        if self.shard.is_some() && is_single {
            return Err(Trouble::new(Exit::Usage, "--shard is for a folder of inputs"));
        }
        if self.options.only_check {
            return Ok(RepairPlace::Nowhere);
        }
        if self.is_in_place {
            return Ok(RepairPlace::InPlace);
        }
        let why = match &self.output {
            None if is_single && self.tell.json && !self.diagnoses => {
                "JSON Lines take stdout: name a file for the repaired input with -o".to_owned()
            }
            None if is_single || self.diagnoses => return Ok(RepairPlace::Nowhere),
            None => "several inputs need a folder for the results: -o DIR".to_owned(),
            Some(path) if is_single && !path.is_dir() => {
                refuse_no_file(path)?;
                if path.exists() && !self.may_replace {
                    return Err(OutputError::Exists { path: path.clone() }.into());
                }
                return Ok(RepairPlace::File(path.clone()));
            }
            Some(path) if self.inputs.iter().any(|input| is_same_folder(input, path)) => format!(
                "{} is where the inputs are; name another folder, so that originals and results \
                 stay apart",
                path.display()
            ),
            Some(path) => return Ok(RepairPlace::Folder(path.clone())),
        };
        Err(Trouble::new(Exit::Usage, why))
    }

    /// Which valid texts the second round of a shard begins from: those that `merge` has left in its folder.
    ///
    /// Fails if the file with them cannot be read.
    pub(crate) fn siblings(&self) -> Result<Siblings, JoinError> {
        let left = match &self.output {
            Some(folder) => SecondRun::read(folder, &self.key())?,
            None => None,
        };
        Ok(left.map_or(Siblings::OfOthersToo, |left| Siblings::Given(Arc::new(left.texts()))))
    }

    /// What has to be the same for all shards of a run.
    pub(crate) fn key(&self) -> String {
        let RunOptions { repair, budget, .. } = &self.options;
        format!(
            "{:?} {:?} {:?} {} {:?} {:?} {:?}",
            self.target.source,
            self.reached,
            repair.strategy,
            repair.only_delete,
            budget.max_tests,
            budget.max_time,
            self.keep_at_least,
        )
    }

    /// The library's options. Reads the base; fails where that or the grammar can't be loaded.
    pub(crate) fn run_options(
        &self,
        interrupt: &Interrupt,
        is_single: bool,
    ) -> Result<RunOptions, Trouble> {
        let mut options = self.options.clone();
        let usual = if is_single { 0.0 } else { KEPT_OF_SEVERAL };
        options.keep_at_least = self.keep_at_least.unwrap_or(usual);
        if !is_single {
            options.budget.max_tests.get_or_insert(TESTS_OF_ONE_OF_SEVERAL);
        }
        options.budget.interrupt = interrupt.flag();
        options.repair.base =
            self.base.as_deref().map(|base| input::read(base, &interrupt.flag())).transpose()?;
        options.repair.reader = self
            .language
            .language()?
            .map(|language| Arc::new(Reader::new(Arc::new(language))) as Arc<dyn Reads>);
        options.repair.hints.clone_from(&options.repair.reader);
        Ok(options)
    }

    /// The guessed grammar that tells where the inputs do not fit, with the note about it. `None` for
    /// strategies that do not use it.
    pub(crate) fn hints(
        &self,
        options: &RunOptions,
        inputs: &[RepairInput],
        target: Option<&str>,
    ) -> Option<(Arc<dyn Reads>, String)> {
        let repair = &options.repair;
        let is_used = repair.strategy == Strategy::Auto
            && !repair.only_delete
            && !options.only_check
            && repair.base.is_none();
        if !is_used {
            return None;
        }
        self.language.hints(inputs, target.unwrap_or_default())
    }
}

/// A line for the shell, with the file in place of `{}` or at the end.
///
/// The five words run `sh -c LINE sh FILE`, so the file's path is `$1` and may contain blanks.
fn shell(line: &str) -> Vec<OsString> {
    let line =
        if line.contains("{}") { line.replace("{}", "\"$1\"") } else { format!("{line} \"$1\"") };
    ["sh", "-c", &line, "sh", "{}"].map(OsString::from).to_vec()
}
