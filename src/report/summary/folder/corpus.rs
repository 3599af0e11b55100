//! What became of a corpus that was minimized, and what each of its inputs is kept for.

use std::path::Path;
use std::time::Duration;

use crate::report::show;

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

/// What one of several named folders (or files) contributes.
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
pub struct CorpusFinished<'a> {
    /// The target's name.
    pub target: &'a str,
    /// The folder with the chosen inputs.
    pub output: &'a Path,
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
    /// Inputs that were not run, since an earlier run or a shard had recorded what they reach.
    pub recalled: usize,
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
    let recalled = match corpus.recalled {
        0 => String::new(),
        count => {
            let inputs = show::counted(count as u64, "input", "inputs");
            format!("; the features of {inputs} were recorded before")
        }
    };
    let (time, place) = (show::time(corpus.elapsed), show::path(corpus.output));
    if corpus.is_added {
        return format!(
            "{} with {} new features added to {place}, out of {} inputs on {}, in {time}{failing}{recalled}",
            show::counted(corpus.kept as u64, "input", "inputs"),
            number(corpus.added),
            number(corpus.inputs),
            corpus.target,
        );
    }
    format!(
        "{} → {} inputs, {} → {} bytes with all {} features of {}, in {time}{failing}{recalled}; written to {place}",
        number(corpus.inputs),
        number(corpus.kept),
        show::number(corpus.input_bytes),
        show::number(corpus.kept_bytes),
        number(corpus.features),
        corpus.target,
    )
}

/// `ours: 812 inputs, 2,713 features, 40 of them in no other source; 30 inputs kept`.
pub fn source_line(source: &CorpusSource<'_>) -> String {
    let number = |count: usize| show::number(count as u64);
    format!(
        "{}: {}, {} features, {} of them in no other source; {} kept",
        show::path(source.source),
        show::counted(source.inputs as u64, "input", "inputs"),
        number(source.features),
        number(source.unique),
        show::counted(source.kept as u64, "input", "inputs"),
    )
}
