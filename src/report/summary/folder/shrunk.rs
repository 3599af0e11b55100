//! What became of a corpus whose inputs were shrunk.

use std::path::Path;
use std::time::Duration;

use crate::report::show;

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
pub struct CorpusShrunk<'a> {
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

/// `64 inputs, 3,104 → 1,220 bytes with the same coverage of parse in 9,100 tests, 1.2 s; written to out`.
pub fn headline(corpus: &CorpusShrunk<'_>) -> String {
    let left_out = match corpus.failing {
        0 => String::new(),
        count => {
            format!("; {} left out", show::counted(count as u64, "failing input", "failing inputs"))
        }
    };
    format!(
        "{}, {} → {} bytes with the same coverage of {} in {} tests, {}{left_out}; written to {}",
        show::counted(corpus.inputs as u64, "input", "inputs"),
        show::number(corpus.bytes_before as u64),
        show::number(corpus.bytes as u64),
        corpus.target,
        show::number(corpus.tests),
        show::time(corpus.elapsed),
        show::path(corpus.output)
    )
}
