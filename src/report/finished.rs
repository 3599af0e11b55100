//! How a run ended, as data for every form of telling.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::event::{Counts, Minimality, ReducerStats, StopReason};
use crate::session::confirm::Rate;
use crate::session::failing::FailingInput;
use crate::session::isolate::{Isolation, Part};
use crate::session::minimize::Minimized;
use crate::session::sanitized::Sanitized;
use crate::session::saved::other_failures::Caught;
use crate::session::stack::StackLine;
use seedsmith_engine::signature::Signature;

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
    pub sanitized: Option<Sanitized>,
    /// Commands that show the failure again.
    pub reproduce: Vec<String>,
    /// What a typed target makes of the result.
    pub decoded: Option<String>,
    /// Other failures that were met.
    pub other_failures: Vec<Caught>,
    /// How many tests were answered by what an earlier run had observed.
    pub recalled: usize,
    /// What every reducer did.
    pub stats: Vec<ReducerStats>,
    /// What to know about the result's worth: unsteady, unconfirmed, how to go on.
    pub remarks: Vec<String>,
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

impl Finished {
    /// How the minimization of an input ended whose result is `output`, in words that are given.
    pub fn of(
        failing: &FailingInput<'_>,
        output: &Path,
        minimized: Minimized,
        reproduce: Vec<String>,
        decoded: Option<String>,
        remarks: Vec<String>,
    ) -> Self {
        Finished {
            input: failing.path.clone(),
            output: output.to_owned(),
            input_bytes: failing.bytes.len(),
            best: minimized.best,
            counts: minimized.counts,
            elapsed: minimized.elapsed,
            signature: minimized.signature,
            stack: minimized.stack,
            minimality: minimized.minimality,
            stopped: minimized.stopped,
            confirmed: minimized.confirmed,
            sanitized: minimized.sanitized,
            reproduce,
            decoded,
            other_failures: minimized.other_failures,
            recalled: minimized.recalled,
            stats: minimized.stats,
            remarks,
        }
    }
}

impl Isolated {
    /// How the isolation of the input at `input` ended.
    pub fn of(input: &Path, isolated: Isolation) -> Self {
        Isolated {
            input: input.to_owned(),
            passing: isolated.passing,
            failing: isolated.failing,
            difference: isolated.difference,
            counts: isolated.counts,
            elapsed: isolated.elapsed,
            signature: isolated.signature,
            stack: isolated.stack,
            stopped: isolated.stopped,
        }
    }
}
