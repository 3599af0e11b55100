//! A corpus that was minimized, shrunk or measured.

use std::path::Path;
use std::time::Duration;

/// An input that is kept.
#[derive(Clone, Copy, Debug)]
pub struct CorpusFile<'a> {
    /// The file that it was read from.
    pub input: &'a Path,
    /// Its name in the result: its SHA-1.
    pub name: &'a str,
    /// Its size.
    pub bytes: u64,
    /// Its features.
    pub features: usize,
    /// Features that no other kept input has.
    pub unique: usize,
}

/// The contribution of one of several named folders (or files).
#[derive(Clone, Copy, Debug)]
pub struct CorpusSource<'a> {
    /// As it was named.
    pub source: &'a Path,
    /// Its inputs that do not fail.
    pub inputs: usize,
    /// Their features.
    pub features: usize,
    /// Features that no input of another source has.
    pub unique: usize,
    /// How many of its inputs are kept.
    pub kept: usize,
}

/// A corpus that was minimized.
#[derive(Clone, Debug)]
pub struct MinimizedCorpus<'a> {
    /// The target's name.
    pub target: &'a str,
    /// The folder with the chosen inputs.
    pub output: &'a Path,
    /// Whether that is what the command was asked for; if not, another step continues with it.
    pub is_last: bool,
    /// Whether they were added to inputs that were there.
    pub is_added: bool,
    /// Distinct inputs.
    pub inputs: usize,
    /// Their bytes.
    pub input_bytes: u64,
    /// Chosen inputs.
    pub kept: usize,
    /// Their bytes.
    pub kept_bytes: u64,
    /// Features of the corpus, all of which the result has.
    pub features: usize,
    /// Features that the result has through the chosen inputs only.
    pub added: usize,
    /// Inputs that the target says are invalid.
    pub rejected: usize,
    /// Inputs that fail.
    pub failing: usize,
    /// Distinct failures.
    pub failures: usize,
    /// Inputs that were not run, since an earlier run or a shard had recorded their features.
    pub recalled: usize,
    /// Time for all of it.
    pub elapsed: Duration,
}

/// One input of the corpus.
#[derive(Clone, Copy, Debug)]
pub struct ShrunkFile<'a> {
    /// The file that it was read from.
    pub input: &'a Path,
    /// Its name in the result: its SHA-1.
    pub name: &'a str,
    /// Its size before.
    pub bytes_before: usize,
    /// Its size in the result.
    pub bytes: usize,
    /// Features that it had to keep.
    pub features: usize,
    /// Tests that were spent on it.
    pub tests: u64,
}

/// The whole corpus.
#[derive(Clone, Copy, Debug)]
pub struct ShrunkCorpus<'a> {
    /// The target's name.
    pub target: &'a str,
    /// The folder with the results.
    pub output: &'a Path,
    /// Inputs.
    pub inputs: usize,
    /// Their bytes before.
    pub bytes_before: usize,
    /// Their bytes in the result.
    pub bytes: usize,
    /// Inputs that fail and were left out.
    pub failing: usize,
    /// Tests that were spent.
    pub tests: u64,
    /// Time for all of it.
    pub elapsed: Duration,
}

/// A function with instrumented blocks.
#[derive(Clone, Copy, Debug)]
pub struct CoverageFunction<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its source file, where that is known.
    pub file: Option<&'a str>,
    /// The first line of its blocks, where that is known.
    pub line: Option<u32>,
    /// Its blocks.
    pub blocks: usize,
    /// Those that some input of the corpus reaches.
    pub reached: usize,
    /// Its blocks that the other corpus reaches, if there is another one.
    pub against: Option<usize>,
}

/// The figures of the whole corpus.
#[derive(Clone, Copy, Debug)]
pub struct CoverageTotals<'a> {
    /// The target's name.
    pub target: &'a str,
    /// Inputs that do not fail.
    pub inputs: usize,
    /// Inputs that fail, which count for nothing.
    pub failing: usize,
    /// Functions with instrumented blocks.
    pub functions: usize,
    /// Those that are reached.
    pub functions_reached: usize,
    /// Lines with instrumented blocks.
    pub lines: usize,
    /// Those that are reached.
    pub lines_reached: usize,
    /// Functions of which the other corpus reaches other blocks.
    pub differing: Option<usize>,
}
