//! How repairs ended: a row for each input, and the totals.

use std::path::PathBuf;
use std::time::Duration;

use super::StopReason;

/// How the repair of one input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairStatus {
    /// It was valid already.
    Valid,
    /// A valid text was found.
    Repaired,
    /// No valid text was found, or only one of no use or that was not valid each time.
    NotRepaired,
    /// It was only tested, as a check does it, and the validator did not accept it.
    Invalid,
}

impl RepairStatus {
    /// The status in words.
    pub fn name(self) -> &'static str {
        match self {
            RepairStatus::Valid => "valid",
            RepairStatus::Repaired => "repaired",
            RepairStatus::NotRepaired => "not repaired",
            RepairStatus::Invalid => "invalid",
        }
    }
}

/// An input, and what the repair made of it.
#[derive(Clone, Copy, Debug)]
pub struct RepairedInput<'a> {
    /// How the repair ended.
    pub row: &'a RepairRow,
    /// The bytes of the input.
    pub input: &'a [u8],
    /// The valid text, if one was found.
    pub text: Option<&'a [u8]>,
}

/// One input and how its repair ended, without the texts.
#[derive(Clone, Debug)]
pub struct RepairRow {
    /// The input's file.
    pub input: PathBuf,
    /// Where the valid text was written, if it was. Only the receiver of the result knows.
    pub output: Option<PathBuf>,
    /// How it ended.
    pub status: RepairStatus,
    /// The input's size.
    pub input_bytes: usize,
    /// The valid text's size; 0 without one.
    pub output_bytes: usize,
    /// Bytes of the input that the valid text has in the same order.
    pub kept_bytes: usize,
    /// Insertions, deletions and replacements of single bytes from the input to the valid text.
    /// `None` without a valid text, and if there are too many to count; a note then reports that.
    pub distance: Option<usize>,
    /// Distinct candidates that were tested; the same for any number of threads.
    pub tests: u64,
    /// All runs of the validator.
    pub executions: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Why it ended early, if it did.
    pub stopped: Option<StopReason>,
    /// What the validator printed about the input, if it is invalid and the validator printed something.
    pub message: Option<Vec<u8>>,
    /// What the validator printed about the nearest text that it rejected, if that is another message: the last
    /// text before the valid one, or the one that got furthest.
    pub rejected: Option<Vec<u8>>,
    /// Something else that a user should know.
    pub note: Option<String>,
    /// Kinds of failures of the validator itself on the way: it crashed or hung.
    pub failures: usize,
    /// Files with inputs on which the validator crashed or hung, where the receiver wrote some.
    pub other_failures: Vec<PathBuf>,
}

/// The results of all inputs, added up.
#[derive(Clone, Copy, Debug, Default)]
pub struct RepairTotals {
    /// Inputs, each content once.
    pub inputs: usize,
    /// Those that were valid already.
    pub valid: usize,
    /// Those for which a valid text was found.
    pub repaired: usize,
    /// Those for which none was found.
    pub not_repaired: usize,
    /// Those that were only tested and are not valid. No repair was looked for.
    pub invalid: usize,
    /// Tests of all.
    pub tests: u64,
    /// Files that were written; inputs that became the same text share one. Only the receiver of
    /// the results knows.
    pub written: usize,
    /// How long all of it took.
    pub elapsed: Duration,
}

impl RepairTotals {
    /// Adds an input.
    pub fn add(&mut self, row: &RepairRow) {
        self.inputs += 1;
        self.tests += row.tests;
        match row.status {
            RepairStatus::Valid => self.valid += 1,
            RepairStatus::Repaired => self.repaired += 1,
            RepairStatus::NotRepaired => self.not_repaired += 1,
            RepairStatus::Invalid => self.invalid += 1,
        }
    }
}
