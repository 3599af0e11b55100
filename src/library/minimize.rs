//! Options of a minimization, and how its result is read.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::event::{Minimality, StopReason};
use crate::reduce::{self, Reducer, Strategy};
use crate::session::ended::End;
use crate::session::error::SessionError;
use crate::session::language::{LanguageError, StructureChoice};
use crate::session::minimize::{Minimized, Options};
use crate::session::saved::output::{Output, OutputChoice, OutputError};
use seedsmith_engine::Signature;

/// How an input is minimized, and where the result goes.
///
/// ```
/// use seedsmith::{MinimizeOptions, Session, Target};
///
/// let folder = tempfile::tempdir()?;
/// let result = folder.path().join("crash.min");
/// let options = MinimizeOptions::new().grammar("json").output(&result);
/// let target = Target::closure(|bytes| bytes.windows(4).any(|part| part == b"null"));
/// Session::new(&target, b"[1, {\"a\": null}]").minimize(&options)?;
/// assert_eq!(std::fs::read(&result)?, b"null");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MinimizeOptions {
    reduction: reduce::Options,
    only: Vec<String>,
    without: Vec<String>,
    structure: StructureChoice,
    output: OutputChoice,
}

impl MinimizeOptions {
    /// The default strategy, without a file for the result.
    pub fn new() -> Self {
        MinimizeOptions::default()
    }

    /// Which reducers run, and in what order.
    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.reduction.strategy = strategy;
        self
    }

    /// Adds a reducer of the caller's own. It runs in each round of the default strategy, before the
    /// built-in ones.
    #[must_use]
    pub fn reducer(mut self, reducer: Reducer) -> Self {
        self.reduction.reducers.push(reducer);
        self
    }

    /// Runs only the reducers of these names. `seedsmith reducers` lists them.
    #[must_use]
    pub fn only<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.only.extend(names.into_iter().map(Into::into));
        self
    }

    /// Runs no reducer of these names.
    #[must_use]
    pub fn without<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.without.extend(names.into_iter().map(Into::into));
        self
    }

    /// The seed of the reducers that draw at random. The same seed gives the same result.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.reduction.seed = seed;
        self
    }

    /// The input's language: the name of a built-in grammar, or files of a grammar, separated by
    /// commas; `bytes` is none. By default it is guessed from the input and its name.
    #[must_use]
    pub fn grammar(mut self, grammar: impl Into<String>) -> Self {
        self.structure.language.grammar = Some(grammar.into());
        self
    }

    /// Saves the result as `path`. The best input is there from the first success on.
    #[must_use]
    pub fn output(mut self, path: impl Into<PathBuf>) -> Self {
        self.output.path = Some(path.into());
        self
    }

    /// Whether a file may be replaced that is not known to be a result of the same task.
    #[must_use]
    pub fn may_replace(mut self, may_replace: bool) -> Self {
        self.output.may_replace = may_replace;
        self
    }

    /// Whether a run that was ended is continued without repeating a test. This needs an output,
    /// with that run's files beside it.
    #[must_use]
    pub fn resumes(mut self, resumes: bool) -> Self {
        self.output.resumes = resumes;
        self
    }

    /// The place of the result, which is checked here.
    pub(super) fn output_of(
        &self,
        name: &Path,
        input: &[u8],
    ) -> Result<Option<Output>, OutputError> {
        self.output.path.as_ref().map(|_| self.output.output(name, input)).transpose()
    }

    /// The task for an input, whose language is loaded or looked for here.
    pub(super) fn task(
        &self,
        (name, input): (&Path, &[u8]),
        target: &str,
    ) -> Result<Options, SessionError> {
        let language = |error: LanguageError| SessionError::Language(error.into());
        let mut reduction = self.reduction.clone();
        reduction.selection = reduce::select(&self.only, &self.without, &reduction.reducers)?;
        reduction.language = self.structure.language().map_err(language)?;
        self.structure.complete(&mut reduction, (name, input), target).map_err(language)?;
        Ok(Options { reduction, resumes: self.output.resumes, ..Options::default() })
    }
}

impl Minimized {
    /// The smallest input that was found.
    pub fn bytes(&self) -> &[u8] {
        &self.best
    }

    /// The smallest input that was found.
    pub fn into_bytes(self) -> Vec<u8> {
        self.best
    }

    /// Its failure.
    pub fn failure(&self) -> &Signature {
        &self.signature
    }

    /// Whether the search ended by itself, and the result fails as steadily as the input in new
    /// processes.
    pub fn is_complete(&self) -> bool {
        self.end == End::Complete
    }

    /// Why the search ended early, if it did.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Whether it was tested that no single byte can be removed, or no single node of the parse tree.
    pub fn is_one_minimal(&self) -> bool {
        self.minimality != Minimality::None
    }

    /// How many different candidates were tested; the same for any number of jobs.
    pub fn tests(&self) -> u64 {
        self.counts.tests
    }

    /// How often the target was run, confirmations included.
    pub fn executions(&self) -> u64 {
        self.counts.executions
    }

    /// The time since the target was opened.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Remarks about the quality of the result, a sentence each.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        self.remarks.iter().map(ToString::to_string)
    }
}

/// The result in one line: its size, its failure, and the tests.
impl fmt::Display for Minimized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, tests) = (self.best.len(), self.tests());
        write!(f, "{bytes} bytes after {tests} tests: {}", self.signature)
    }
}
