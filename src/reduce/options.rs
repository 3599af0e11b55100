//! The options of a reduction, with the command line's names.

use std::borrow::Cow;
use std::sync::Arc;

use super::choices::{Cause, PicirenySteps, Polish, Strategy};

pub(crate) use super::clues::{Clues, Guess, Known};
use super::reducer::Reducer;
use super::selection::Selection;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::UnitKind;

/// The options of a reduction.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which reducers run.
    pub strategy: Strategy,
    /// The units of the input. For [`Strategy::Auto`], `lines`, `tokens` and `brackets` also name
    /// the finest unit that is changed.
    pub format: UnitKind,
    /// Of the one random generator.
    pub seed: u64,
    /// How far to go below 1-minimal.
    pub polish: Polish,
    /// Whether a test costs a process or more: then steps that don't make the result smaller get
    /// few tests.
    pub are_tests_expensive: bool,
    /// The cause of the failure.
    pub cause: Cause,
    /// The language of the input, where it is known: strategies along a tree need it.
    pub language: Option<Arc<Substitutes>>,
    /// The clues for guessing it if it isn't known; without them nothing is guessed.
    pub clues: Option<Clues>,
    /// The steps of [`Strategy::Picireny`] besides pruning.
    pub picireny: PicirenySteps,
    /// Which reducers may run.
    pub selection: Selection,
    /// Reducers of the caller's own. They run with [`Strategy::Auto`], at the beginning of each round.
    pub reducers: Vec<Reducer>,
}

impl Options {
    /// The language that is known or, by the clues and `bytes`, guessed.
    pub fn language_of(&self, bytes: &[u8], guess: Guess) -> Option<Known> {
        if let Some(language) = &self.language {
            return Some(Known { language: language.clone(), guessed: None });
        }
        let clues = self.clues.as_ref().filter(|_| self.format == UnitKind::Auto)?;
        // The published strategies need a tree; the default only gains by one.
        clues.known(bytes, guess, self.strategy.needs_tree())
    }

    /// The note if the language of the input is one that this build has no parser for.
    pub(super) fn missing_parser(&self) -> Option<String> {
        let is_looked_for = self.language.is_none() && self.format == UnitKind::Auto;
        let clues =
            self.clues.as_ref().filter(|_| is_looked_for && self.strategy != Strategy::Ddmin);
        clues?.missing()
    }

    /// The same options for a search from `best`: a language that only an input shows is read again
    /// from `best`, as long as `keep_going` returns true. Without a language if `best` can't be
    /// parsed in time.
    pub fn for_best(&self, best: &[u8], keep_going: &dyn Fn() -> bool) -> Cow<'_, Options> {
        let Some(language) = &self.language else { return Cow::Borrowed(self) };
        match language.shown_by(best, keep_going) {
            None => Cow::Borrowed(self),
            Some(shown) => Cow::Owned(Options { language: shown.map(Arc::new), ..self.clone() }),
        }
    }

    /// The same options for an input from whose file name nothing can be guessed.
    pub fn without_file_name(&self) -> Options {
        let clues = self.clues.clone().map(|clues| Clues { file_name: None, ..clues });
        Options { clues, ..self.clone() }
    }
}
