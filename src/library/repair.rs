//! Options of a repair, and its result.

use std::fmt;

use crate::event::StopReason;
use crate::repair::Options;
use crate::session::repair::RepairResult;

/// How an invalid input is repaired.
///
/// ```
/// use seedsmith::{RepairOptions, Session, Target};
///
/// let target = Target::closure(|text| !(text.starts_with(b"[") && text.ends_with(b"]")));
/// let repaired = Session::new(&target, b"[1, 2, 3").repair(&RepairOptions::new())?;
/// assert_eq!(repaired.bytes(), Some(&b"[1, 2, 3]"[..]));
/// # Ok::<(), seedsmith::RepairError>(())
/// ```
#[derive(Clone, Default)]
pub struct RepairOptions {
    repair: Options,
}

impl RepairOptions {
    /// Adds, replaces and deletes text, from the empty input or from the invalid one.
    pub fn new() -> Self {
        RepairOptions::default()
    }

    /// Whether text is only deleted.
    #[must_use]
    pub fn only_delete(mut self, only_delete: bool) -> Self {
        self.repair.only_delete = only_delete;
        self
    }

    /// A valid input of the same kind to start from, such as the one that was mutated. It is an error if
    /// it is not valid.
    #[must_use]
    pub fn base(mut self, base: impl Into<Vec<u8>>) -> Self {
        self.repair.base = Some(base.into());
        self
    }

    pub(super) fn options(&self) -> Options {
        self.repair.clone()
    }
}

impl fmt::Debug for RepairOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepairOptions")
            .field("only_delete", &self.repair.only_delete)
            .field("has_base", &self.repair.base.is_some())
            .finish_non_exhaustive()
    }
}

/// How a repair ended.
#[derive(Debug)]
pub struct Repaired {
    result: RepairResult,
}

impl Repaired {
    /// The valid input, if one was found: the original where that is valid.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.result.text.as_deref()
    }

    /// The valid input, if one was found.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        self.result.text
    }

    /// How many bytes were inserted, deleted or replaced. None without a valid input, and where there
    /// are too many to count.
    pub fn distance(&self) -> Option<usize> {
        self.result.row.distance
    }

    /// How many different candidates were tested.
    pub fn tests(&self) -> u64 {
        self.result.row.tests
    }

    /// Why the search ended early, if it did. The input is the closest until then.
    pub fn stopped(&self) -> Option<StopReason> {
        self.result.row.stopped
    }
}

impl From<RepairResult> for Repaired {
    fn from(result: RepairResult) -> Self {
        Repaired { result }
    }
}

impl fmt::Display for Repaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = &self.result.row;
        write!(f, "{} after {} tests", row.status.name(), row.tests)?;
        match &row.note {
            Some(note) => write!(f, ": {note}"),
            None => Ok(()),
        }
    }
}
