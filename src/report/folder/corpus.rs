//! What became of a corpus that was minimized.

use std::path::Path;
use std::time::Duration;

use crate::report::show;

/// A corpus that was minimized.
#[derive(Clone, Debug)]
pub struct CorpusFinished<'a> {
    /// The target's name.
    pub target: &'a str,
    /// The folder with the chosen inputs.
    pub output: &'a Path,
    /// Distinct inputs.
    pub inputs: usize,
    /// Their bytes.
    pub input_bytes: u64,
    /// Chosen inputs.
    pub kept: usize,
    /// Their bytes.
    pub kept_bytes: u64,
    /// Features of the corpus, all of which the chosen inputs have.
    pub features: usize,
    /// Inputs that the target says are invalid.
    pub rejected: usize,
    /// Inputs that fail.
    pub failing: usize,
    /// Distinct failures.
    pub failures: usize,
    /// Time for all of it.
    pub elapsed: Duration,
}

/// `812 → 64 inputs, 90,112 → 3,104 bytes with all 2,713 features, in 1.2 s; written to out`.
pub fn headline(corpus: &CorpusFinished<'_>) -> String {
    let number = |count: usize| show::number(count as u64);
    let failing = match corpus.failing {
        0 => String::new(),
        count => format!(
            "; {} ({})",
            show::counted(count as u64, "input fails", "inputs fail"),
            show::counted(corpus.failures as u64, "failure", "failures")
        ),
    };
    format!(
        "{} → {} inputs, {} → {} bytes with all {} features of {}, in {}{failing}; written to {}",
        number(corpus.inputs),
        number(corpus.kept),
        show::number(corpus.input_bytes),
        show::number(corpus.kept_bytes),
        number(corpus.features),
        corpus.target,
        show::time(corpus.elapsed),
        show::path(corpus.output)
    )
}
