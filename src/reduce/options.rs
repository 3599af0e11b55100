//! What a caller can choose about a reduction, with the command line's names.

use std::borrow::Cow;
use std::sync::Arc;

use super::choices::{Cause, PicirenySteps, Polish, Strategy};

pub(crate) use super::clues::{Clues, Guess, Known};
use super::reducer::Reducer;
use super::selection::Selection;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::UnitKind;

/// What to do, and how thoroughly.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which reducers run.
    pub strategy: Strategy,
    /// What the input is taken to be made of. For [`Strategy::Auto`], `lines`, `tokens` and
    /// `brackets` also name the finest unit that is touched.
    pub format: UnitKind,
    /// Of the one random generator.
    pub seed: u64,
    /// How far to go below 1-minimal.
    pub polish: Polish,
    /// Whether a test costs a process or more: then steps that don't make the result smaller get
    /// few tests.
    pub are_tests_expensive: bool,
    /// What the failure comes from.
    pub cause: Cause,
    /// The language of the input, where it is known: strategies along a tree need it.
    pub language: Option<Arc<Substitutes>>,
    /// What to guess it by where it isn't; nothing is guessed without.
    pub clues: Option<Clues>,
    /// What [`Strategy::Picireny`] does besides pruning.
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

    /// What to report if the language of the input is one that this build has no parser for.
    pub(super) fn missing_parser(&self) -> Option<String> {
        let is_looked_for = self.language.is_none() && self.format == UnitKind::Auto;
        let clues =
            self.clues.as_ref().filter(|_| is_looked_for && self.strategy != Strategy::Ddmin);
        clues?.missing()
    }

    /// The same options for a search from `best`: a language that only an input shows is what
    /// `best` shows of it, as long as `keep_going` says yes. Without a language where that can't be
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
