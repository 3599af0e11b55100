//! Targets as validators: a command, a libFuzzer executable or a function of this program says which
//! inputs are valid.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use seedsmith_engine::CommandMode;
use seedsmith_engine::internal::counters_of;
use seedsmith_engine::{Target, TargetError};

use super::choose::ChooseError;
use super::command::workplace;
use super::input::{Input, InputError};
use super::request::{CommandLine, TargetRequest, TargetSource};
use super::targets::Targets;
use crate::event::Reporter;
use crate::session::repair::{OpenError, Validators};
use crate::session::saved::identity::{of_file, of_words};
use crate::session::target::open::{open_linked, open_watched};

/// The source from which a validator is opened, once for each thread.
///
/// It holds no open target, because a target belongs to the thread that opened it.
#[derive(Clone, Debug)]
pub(crate) enum ValidatorSource {
    /// A program.
    Command(CommandLine),
    /// A libFuzzer executable. If there are counters, an input is valid if one of them moves.
    Executable(PathBuf, Vec<Range<u64>>),
    /// A function of this program.
    Linked(String),
}

/// Why a validator cannot be found.
///
/// Each is found before the first input is read for a repair.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ValidatorError {
    /// A function of this program has no coverage counters that show which functions it reaches.
    #[error("only an executable with coverage counters shows which functions are reached")]
    LinkedWithoutCounters,
    /// The target is not a separate executable.
    #[error("the target is no executable")]
    NoExecutable,
    /// The first input cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The target cannot be found or opened.
    #[error(transparent)]
    Target(#[from] ChooseError),
    /// The command cannot be run.
    #[error(transparent)]
    Command(#[from] TargetError),
    /// The executable does not have the function, or not its counters.
    #[error("failed to use {} as a validator", path.display())]
    Counters {
        /// The executable.
        path: PathBuf,
        /// Why.
        #[source]
        source: TargetError,
    },
}

impl ValidatorSource {
    /// Finds the validator that `request` asks for, and builds it where needed; if no target is
    /// named, it is that of the input that `first` reads. Without `reached` the target itself says
    /// whether an input is valid; with it, an input is valid if the target reaches that function.
    pub(crate) fn find(
        request: TargetRequest,
        reached: Option<&str>,
        first: &dyn Fn() -> Result<Input, InputError>,
        interrupt: &AtomicBool,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, ValidatorError> {
        match request.source {
            TargetSource::Linked(_) if reached.is_some() => {
                return Err(ValidatorError::LinkedWithoutCounters);
            }
            TargetSource::Linked(name) => return Ok(ValidatorSource::Linked(name)),
            TargetSource::Command(line) => {
                let line = match first() {
                    Ok(first) => workplace::of_validator(line, &first, request.limits, reporter)?,
                    // It is passed over when its turn comes.
                    Err(InputError::Read { .. }) => line,
                    Err(error) => return Err(error.into()),
                };
                return Ok(ValidatorSource::Command(line));
            }
            _ => {}
        }
        let opened = Targets::new(request).open(&first()?, interrupt, reporter)?;
        let path = opened.executable.clone().ok_or(ValidatorError::NoExecutable)?;
        let watched = match reached {
            Some(function) => counters_of(&path, function)
                .map_err(|source| ValidatorError::Counters { path: path.clone(), source })?,
            None => Vec::new(),
        };
        Ok(ValidatorSource::Executable(path, watched))
    }

    /// Text that differs for two validators that may answer differently.
    ///
    /// Of a command it has the words and the content of the files that these name, and nothing of programs that are found by
    /// `PATH`.
    pub(crate) fn identity(&self) -> String {
        match self {
            ValidatorSource::Command(line) => of_words(line),
            ValidatorSource::Executable(path, _) => of_file(path),
            ValidatorSource::Linked(name) => name.clone(),
        }
    }

    /// The fuzz target's name, which may tell the language of its inputs; `None` of a command.
    pub(crate) fn target_name(&self) -> Option<String> {
        match self {
            ValidatorSource::Command(_) => None,
            ValidatorSource::Executable(path, _) => {
                path.file_name().map(|name| name.to_string_lossy().into_owned())
            }
            ValidatorSource::Linked(name) => Some(name.clone()),
        }
    }
}

impl Validators for ValidatorSource {
    fn name(&self) -> String {
        match self {
            ValidatorSource::Command(line) => line.argv[0].to_string_lossy().into_owned(),
            ValidatorSource::Executable(path, _) => path.display().to_string(),
            ValidatorSource::Linked(name) => name.clone(),
        }
    }

    fn open(&self, input: &Path) -> Result<Box<dyn Target>, OpenError> {
        let opened = match self {
            ValidatorSource::Command(line) => {
                return Ok(Box::new(line.target(CommandMode::ExitZeroIsValid, input)));
            }
            ValidatorSource::Executable(path, watched) => open_watched(path, watched.clone()),
            ValidatorSource::Linked(name) => open_linked(name),
        };
        Ok(opened?.target)
    }

    fn serves(&self, opened: &Path, other: &Path) -> bool {
        // A program is given a file that is named like the input for which it was opened.
        !matches!(self, ValidatorSource::Command(_)) || opened.extension() == other.extension()
    }
}

#[cfg(test)]
mod tests {
    use seedsmith_engine::Workplace;

    use super::*;
    use crate::event::Event;

    fn found(
        source: TargetSource,
        reached: Option<&str>,
    ) -> Result<ValidatorSource, ValidatorError> {
        let first = || {
            let source = std::io::ErrorKind::NotFound.into();
            Err(InputError::Read { path: "no/such/input".into(), source })
        };
        let mut quiet = |_: &Event<'_>| {};
        let (request, interrupt) = (TargetRequest::new(source), AtomicBool::new(false));
        ValidatorSource::find(request, reached, &first, &interrupt, &mut quiet)
    }

    #[test]
    fn a_function_of_this_program_is_a_validator_unless_counters_are_wanted() {
        let linked = || TargetSource::Linked("parse".to_owned());
        assert!(matches!(found(linked(), None), Ok(ValidatorSource::Linked(_))));
        let refused = found(linked(), Some("main"));
        assert!(matches!(refused, Err(ValidatorError::LinkedWithoutCounters)));
    }

    #[test]
    fn a_command_needs_no_input_and_an_executable_one_that_can_be_read() {
        let line =
            CommandLine { workplace: Workplace::Shared, ..CommandLine::new(vec!["true".into()]) };
        assert!(matches!(
            found(TargetSource::Command(line), None),
            Ok(ValidatorSource::Command(_))
        ));
        let executable = found(TargetSource::Executable("no/such/file".into()), None);
        assert!(matches!(executable, Err(ValidatorError::Input(_))));
    }
}
