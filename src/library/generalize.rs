//! Options of a generalization, and how its result is read.

use std::fmt;

use crate::generalize;
use crate::session::generalize::{Generalization, Options};
use crate::session::language::StructureChoice;

/// How the pattern that makes an input fail is found, and how many further inputs are made.
///
/// ```
/// use seedsmith::{GeneralizeOptions, Session, Target};
///
/// let target = Target::closure(|bytes| bytes.starts_with(b"(") && bytes.ends_with(b")"));
/// let options = GeneralizeOptions::new().inputs(3);
/// let found = Session::new(&target, b"(some text)").generalize(&options)?;
/// assert_eq!(found.reduced(), b"()");
/// assert!(found.inputs().iter().all(|input| input.starts_with(b"(")));
/// # Ok::<(), seedsmith::SessionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GeneralizeOptions {
    options: Options,
    structure: StructureChoice,
}

impl Default for GeneralizeOptions {
    fn default() -> Self {
        GeneralizeOptions {
            options: Options {
                pattern: generalize::Options::default(),
                reduces: true,
                inputs: 0,
                wants_untested: false,
                wants_examples: false,
                wants_kit: false,
            },
            structure: StructureChoice::default(),
        }
    }
}

impl GeneralizeOptions {
    /// Minimizes the input first, and makes no further inputs.
    pub fn new() -> Self {
        GeneralizeOptions::default()
    }

    /// How many further inputs are made. Each is tested, and those that pass are left out. There are
    /// fewer if the pattern has no more.
    #[must_use]
    pub fn inputs(mut self, count: usize) -> Self {
        self.options.inputs = count;
        self
    }

    /// Whether the input is minimized first. It is by default.
    #[must_use]
    pub fn minimizes(mut self, minimizes: bool) -> Self {
        self.options.reduces = minimizes;
        self
    }

    /// The seed of all draws. The same seed gives the same result.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.pattern.seed = seed;
        self
    }

    /// The input's language: the name of a built-in grammar, or files of a grammar, separated by
    /// commas; `bytes` is none. By default it is guessed from the input and its name.
    #[must_use]
    pub fn grammar(mut self, grammar: impl Into<String>) -> Self {
        self.structure.language.grammar = Some(grammar.into());
        self
    }

    pub(super) fn task(&self) -> Options {
        self.options.clone()
    }

    pub(super) fn structure(&self) -> StructureChoice {
        self.structure.clone()
    }
}

impl Generalization {
    /// The input that was generalized: the minimized one, or the original.
    pub fn reduced(&self) -> &[u8] {
        &self.reduced
    }

    /// The pattern for people: the text that is required, with the names of variable parts in angle
    /// brackets.
    pub fn pattern(&self) -> String {
        self.found.pattern.compact()
    }

    /// Further inputs that fail.
    pub fn inputs(&self) -> &[Vec<u8>] {
        &self.made.tested.inputs
    }

    /// How many different candidates were tested.
    pub fn tests(&self) -> u64 {
        self.counts.tests
    }

    /// Whether nothing ended the task early, and the reduced input fails steadily in new processes.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.is_sure
    }
}

impl fmt::Display for Generalization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after {} tests", self.pattern(), self.tests())
    }
}

impl fmt::Debug for Generalization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Generalization({self})")
    }
}
