//! One input or one folder that was minimized, and one that was run without a search.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::{Counts, Minimality, ReducerStats, StackLine, StopReason, TreeRow};
use seedsmith_engine::Signature;
use seedsmith_engine::internal::Files;

/// How a reduction ended.
#[derive(Clone, Debug)]
pub struct MinimizedInput {
    /// The input's path.
    pub input: PathBuf,
    /// The result's path.
    pub output: PathBuf,
    /// The input.
    pub original: Vec<u8>,
    /// The result.
    pub best: Vec<u8>,
    /// Counts of the whole run, confirmations included.
    pub counts: Counts,
    /// Time since the target was opened.
    pub elapsed: Duration,
    /// The failure.
    pub signature: Signature,
    /// Its stack, for people.
    pub stack: Vec<StackLine>,
    /// How small the result is known to be.
    pub minimality: Minimality,
    /// Why the search ended early, if it did.
    pub stopped: Option<StopReason>,
    /// How often the result failed in newly started processes; none were started after a signal.
    pub confirmed: Option<Rate>,
    /// The same failure as a sanitizer names it; `None` if there was no build with one.
    pub sanitized: Option<Sanitized>,
    /// Commands that show the failure again.
    pub reproduce: Vec<String>,
    /// The result as a typed target decodes it.
    pub decoded: Option<String>,
    /// The derivation tree of the result, from the root on; `None` where no grammar fits or no report shows it.
    pub tree: Option<Vec<TreeRow>>,
    /// Other failures that were met.
    pub other_failures: Vec<Caught>,
    /// Tests whose result was reused from an earlier run.
    pub recalled: usize,
    /// The figures of every reducer.
    pub stats: Vec<ReducerStats>,
    /// Remarks: whether the result is unsteady or unconfirmed, and how to continue.
    pub remarks: Vec<String>,
}

/// How often a failure showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// Runs that showed it.
    pub shown: u32,
    /// All runs.
    pub runs: u32,
}

/// A failure as a sanitizer names it.
#[derive(Clone, Debug)]
pub struct Sanitized {
    /// The failure.
    pub signature: Signature,
    /// Its stack, for people.
    pub stack: Vec<StackLine>,
}

/// Another failure that was met, and the file that shows it.
#[derive(Clone, Debug)]
pub struct Caught {
    /// The failure.
    pub signature: Arc<Signature>,
    /// Its stack, for people; empty until it is looked up.
    pub stack: Vec<StackLine>,
    /// Where its input was written.
    pub path: PathBuf,
    /// The input's size.
    pub bytes: usize,
}

/// A folder that was minimized.
#[derive(Clone, Debug)]
pub struct MinimizedFolder {
    /// The folder.
    pub input: PathBuf,
    /// The folder with the result.
    pub output: PathBuf,
    /// The files of the input.
    pub original: Files,
    /// The files of the result.
    pub best: Files,
    /// Counts of all steps.
    pub counts: Counts,
    /// Time for all of them.
    pub elapsed: Duration,
    /// The failure.
    pub signature: Signature,
    /// The executable with the code that fails, for stacks.
    pub code: Option<PathBuf>,
}

/// One input that was run.
#[derive(Clone, Debug)]
pub struct RanInput<'a> {
    /// The input's path.
    pub input: &'a Path,
    /// The input.
    pub bytes: &'a [u8],
    /// The target's name.
    pub target: &'a str,
    /// How often it was run.
    pub runs: u32,
    /// How long the slowest run took.
    pub slowest: Duration,
    /// The outcome of the runs, in words: `failed by abort 4 times, returned once`.
    pub outcome: String,
    /// The failure that showed most often, and in how many runs; `None` if there was none.
    pub failure: Option<(Arc<Signature>, u32)>,
    /// The stack of the failure.
    pub stack: Vec<StackLine>,
    /// The input as a typed target decodes it.
    pub decoded: Option<String>,
}
