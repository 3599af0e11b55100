//! The reasons why a run of repairs has no result, or none that can be relied on.

use std::path::PathBuf;

use seedsmith_engine::Stopped;

/// The reason why a validator cannot be opened, as [`Validators::open`](super::Validators::open)
/// gives it.
pub(crate) type OpenError = Box<dyn std::error::Error + Send + Sync>;

/// The reason why a run has no result, or none that can be relied on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// A validator cannot be opened.
    #[error("failed to open {name}")]
    Open {
        /// The validator's name.
        name: String,
        /// Why.
        source: OpenError,
    },
    /// A validator cannot be run.
    #[error("failed to run {name}")]
    Run {
        /// The validator's name.
        name: String,
        /// Why.
        source: Stopped,
    },
    /// The validator is not deterministic: it both accepted and rejected one text.
    #[error(
        "{name} is not deterministic: it both accepted and rejected {}; its answer may depend on the \
         input only, not on chance, time or earlier runs",
        input.display()
    )]
    Unsteady {
        /// The validator's name.
        name: String,
        /// The first input of which this is known: of the input itself, or of the text that it was
        /// repaired to.
        input: PathBuf,
    },
    /// Every input is valid, and so is text that hardly any format allows.
    #[error("{name} accepts garbage too, so it does not show which inputs are valid")]
    AcceptsAnything {
        /// The validator's name.
        name: String,
    },
    /// The validator ended for none of several texts, the empty one among them.
    #[error("{name} does not end within its time, whatever its input is")]
    AlwaysHangs {
        /// The validator's name.
        name: String,
    },
    /// The validator said the same of the input and of a dozen small texts, one of which nearly
    /// every format allows, and its message is about how it was called.
    #[error("{name} rejects every input for the same reason, so it may not read it: {reason}")]
    AcceptsNothing {
        /// The validator's name.
        name: String,
        /// The first line of its output.
        reason: String,
    },
    /// The text that repairs start from ([`Options::base`](crate::repair::Options::base)) is not
    /// valid itself.
    #[error("the base is not valid, so nothing can be repaired from it")]
    InvalidBase,
    /// The run was interrupted before it came to the only input.
    #[error("interrupted before the input was tested")]
    Interrupted,
}
