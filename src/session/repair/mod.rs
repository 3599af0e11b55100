//! The run of `repair`: from one text or many files to valid texts that were confirmed.
//!
//! [`crate::repair`] searches for a valid text close to one input. This layer adds what a run
//! needs to be trusted:
//!
//! 1. The validator runs several times on the first input before anything else. A validator that
//!    contradicts itself ends the run ([`RepairError::Unsteady`]).
//! 2. A valid text is run several times more, first in a worker that has run nothing else, before
//!    it is handed over. A text that is not valid each time is not handed over.
//! 3. Results come in the order of the inputs, in the thread of the caller. Texts, tests and
//!    statuses are the same for any number of threads.
//! 4. A budget or an interrupt ends a repair early. The best text found until then is confirmed
//!    and handed over with the reason.
//! 5. A validator that takes the first input and a dozen small texts alike is reported before the
//!    first repair: one that accepts anything ([`RepairError::AcceptsAnything`]), that never ends
//!    ([`RepairError::AlwaysHangs`]), or that was called wrongly ([`RepairError::AcceptsNothing`]). One that
//!    rejects everything with another message, or with none, may be right, so the run continues.
//!
//! A run reads input files and writes none: a caller decides what happens to each result, and a
//! [`RepairSaver`] writes it. This layer does not know arguments, exit codes or reporters.

mod changes;
mod error;
mod input;
mod learn;
mod one;
mod options;
mod result;
mod rounds;
mod run;
mod save;
mod steady;
#[cfg(test)]
mod tests;
mod threads;
mod validator;

pub(crate) use changes::{Change, changes};
pub(crate) use error::OpenError;
pub use error::RepairError;
pub(crate) use input::RepairInput;
pub(crate) use learn::look_first;
pub(crate) use options::RunOptions;
pub(crate) use result::{Progress, RepairResult};
pub(crate) use rounds::{Siblings, join_valid_texts, write_valid_texts};
#[cfg(test)]
pub(crate) use run::repair_all;
pub(crate) use run::{RunEnd, repair_looked, repair_text};
pub(crate) use save::{RepairPlace, RepairSaver, backup_of, is_same_folder};
pub(crate) use threads::ForOthers;
#[cfg(test)]
pub(crate) use validator::Predicate;
pub(crate) use validator::Validators;
