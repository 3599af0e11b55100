//! The smallest difference between a passing and a failing input.

use std::path::PathBuf;
use std::time::Duration;

use super::{Counts, StackLine, StopReason};
use seedsmith_engine::Signature;

/// How an isolation ended.
#[derive(Clone, Debug)]
pub struct IsolatedInput {
    /// The input's path.
    pub input: PathBuf,
    /// The larger input that still passes.
    pub passing: Vec<u8>,
    /// The smaller input that fails.
    pub failing: Vec<u8>,
    /// The stretches in which the two differ.
    pub difference: Vec<DifferencePart>,
    /// Counts of the whole run.
    pub counts: Counts,
    /// Time since the target was opened.
    pub elapsed: Duration,
    /// Who the failure is.
    pub signature: Signature,
    /// Its stack, for people.
    pub stack: Vec<StackLine>,
    /// Why the search ended before the difference was minimal, if it did.
    pub stopped: Option<StopReason>,
}

/// A stretch of bytes that belongs to the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferencePart {
    /// Offset in the failing input.
    pub offset: usize,
    /// The bytes that the passing input has there.
    pub removed: Vec<u8>,
    /// The bytes that the failing input has there instead.
    pub inserted: Vec<u8>,
}
