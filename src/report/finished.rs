//! How a run ended, as data for every form of telling.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::event::{Counts, Minimality, ReducerStats, StopReason};
use seedsmith_engine::signature::Signature;

/// A line of a stack: a function and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackLine {
    /// The function, or module and offset where that isn't known.
    pub function: String,
    /// `file:line`, where it is known.
    pub place: Option<String>,
}

impl std::fmt::Display for StackLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.function)?;
        match &self.place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

/// Another failure that was met, and the file that shows it.
#[derive(Clone, Debug)]
pub struct Caught {
    /// Who it is.
    pub signature: Arc<Signature>,
    /// Where its input was written.
    pub path: PathBuf,
    /// The input's size.
    pub bytes: usize,
}

/// How often a failure showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// Runs that showed it.
    pub shown: u32,
    /// All runs.
    pub runs: u32,
}

/// How a reduction ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The input's path.
    pub input: PathBuf,
    /// The result's path.
    pub output: PathBuf,
    /// Size of the input.
    pub input_bytes: usize,
    /// The result.
    pub best: Vec<u8>,
    /// Counts of the whole run, confirmations included.
    pub counts: Counts,
    /// Time since the target was opened.
    pub elapsed: Duration,
    /// Who the failure is.
    pub signature: Signature,
    /// Its stack, for people.
    pub stack: Vec<StackLine>,
    /// What is known about how small the result is.
    pub minimality: Minimality,
    /// Why the search ended early, if it did.
    pub stopped: Option<StopReason>,
    /// How often the result failed in newly started processes; none were started after a signal.
    pub confirmed: Option<Rate>,
    /// The same failure as a sanitizer names it; none where no build with one was at hand.
    pub sanitized: Option<Signature>,
    /// Commands that show the failure again.
    pub reproduce: Vec<String>,
    /// What a typed target makes of the result.
    pub decoded: Option<String>,
    /// Other failures that were met.
    pub by_catch: Vec<Caught>,
    /// How many tests were answered by what an earlier run had observed.
    pub recalled: usize,
    /// What every reducer did.
    pub stats: Vec<ReducerStats>,
    /// What to know about the result's worth: unsteady, unconfirmed, how to go on.
    pub remarks: Vec<String>,
}

/// A stretch of bytes that belongs to the difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Offset in the failing input.
    pub offset: usize,
    /// What the passing input has there.
    pub removed: Vec<u8>,
    /// What the failing input has there instead.
    pub inserted: Vec<u8>,
}

/// How an isolation ended.
#[derive(Clone, Debug)]
pub struct Isolated {
    /// The input's path.
    pub input: PathBuf,
    /// The larger input that still passes.
    pub passing: Vec<u8>,
    /// The smaller input that fails.
    pub failing: Vec<u8>,
    /// What the failing one has and the passing one lacks.
    pub difference: Vec<Part>,
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
