//! Why a session has no result.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use seedsmith_engine::Kind;
use seedsmith_engine::StopReason;
use seedsmith_engine::TargetError;
use seedsmith_engine::internal::StoreError;

use super::first_runs::FirstRuns;
use super::saved::output::OutputError;
use super::saved::task::in_words;
use super::target::open::OpenTargetError;
use crate::reduce::UnknownReducer;
use crate::session::saved::task_words::Difference;

/// Why a session could not be opened, or one of its tasks has no result.
///
/// A search that a budget ended is no error: it has a result, and says why it ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// None of the first runs showed a failure that counts.
    #[error("the input does not fail: {0}")]
    DoesNotFail(Box<FirstRuns>),
    /// A command exits with status 0 in some of the first runs and crashes in others, so that it is
    /// open which of them is the failure.
    #[error("the input does not always show the same: {0}")]
    Mixed(Box<FirstRuns>),
    /// The command's exit status says that the empty input and arbitrary bytes fail too.
    #[error(
        "{name} does not look at its input: an empty file and random bytes count as failing too"
    )]
    Trivial {
        /// The user's name for the command.
        name: String,
    },
    /// The failure showed so rarely that no reasonable number of runs gives a reliable verdict.
    #[error("the input fails too rarely to be sure of anything: in {shown} of {runs} runs")]
    TooRare {
        /// Runs that showed it.
        shown: u32,
        /// All runs.
        runs: u32,
    },
    /// The budget ended, or the run was interrupted, before there was anything to keep.
    #[error("stopped before the search began; nothing was written")]
    Stopped(StopReason),
    /// The target cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenTargetError),
    /// The result has no place, or may not be written to it.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// There is no reducer of a name that was given.
    #[error(transparent)]
    Reducer(#[from] UnknownReducer),
    /// The language that was named cannot be used.
    #[error("failed to use the language of the input")]
    Language(#[source] Box<dyn Error + Send + Sync>),
    /// The target cannot be run.
    #[error("failed to run {name}")]
    Target {
        /// The user's name for it.
        name: String,
        /// The cause.
        #[source]
        source: TargetError,
    },
    /// Leaks are to count as failures, and this system does not let a process look for its own.
    #[error("{}", Kind::NoLeakCheck)]
    NoLeakCheck,
    /// The result cannot be written.
    #[error("failed to write {}", path.display())]
    Write {
        /// The result's path.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
        /// Where the best is instead, if any folder took it. It is the result's path if only an
        /// earlier attempt to write there failed, which ended the search.
        rescued: Option<PathBuf>,
        /// The best.
        best: Vec<u8>,
    },
    /// An earlier result cannot be kept elsewhere, so it is not replaced.
    #[error("failed to write {}, the copy of an earlier result", path.display())]
    Aside {
        /// The copy's path.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The file in the result's place is the result of another task.
    #[error(
        "{} is the result of another task ({})", path.display(),
        if differences.is_empty() { "its journal cannot be read".to_owned() } else { in_words(differences) }
    )]
    OtherTask {
        /// The result's path.
        path: PathBuf,
        /// The differences between the tasks; empty if the journal of the earlier one is damaged.
        differences: Vec<Difference>,
    },
    /// The file in the result's place is not the one that the earlier run wrote.
    #[error("{} was changed after the run that made it", path.display())]
    Changed {
        /// The result's path.
        path: PathBuf,
    },
    /// Another run is making the same result.
    #[error(transparent)]
    Busy(StoreError),
    /// The input that an isolation is to start from does not pass.
    #[error("the passing input does not pass")]
    DoesNotPass,
}

/// An error's message with those of its causes.
pub(super) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
