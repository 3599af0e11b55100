//! Targets as validators: a command, a libFuzzer executable or a function of this program says which
//! inputs are valid.

use std::ops::Range;
use std::path::{Path, PathBuf};

use seedsmith_engine::exec::Target;
use seedsmith_engine::exec::command::{CommandMode, CommandTarget};

use super::open;
use super::request::CommandLine;
use crate::session::repair::{OpenError, Validators};

/// What a validator is opened from, once for each thread.
#[derive(Clone, Debug)]
pub enum ValidatorSource {
    /// A program.
    Command(CommandLine),
    /// A libFuzzer executable. If there are counters, an input is valid if one of them moves.
    Executable(PathBuf, Vec<Range<u64>>),
    /// A function of this program.
    Linked(String),
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
                let target = CommandTarget::new(line.argv.clone(), CommandMode::ExitZeroIsValid);
                return Ok(Box::new(target.named_after(input).forking(line.may_fork)));
            }
            ValidatorSource::Executable(path, watched) => open::open_watched(path, watched.clone()),
            ValidatorSource::Linked(name) => open::open_linked(name),
        };
        Ok(opened?.target)
    }

    fn serves_all(&self) -> bool {
        // A program is given a file that is named like the input.
        !matches!(self, ValidatorSource::Command(_))
    }
}
