//! The state of one round of the default strategy, which reducers can read: how closely to look, the
//! format, the language, and the reducers that ran.
//!
//! A context belongs to one round. Everything in it follows from the options and from the results
//! of the round, so that a round on the same best always does the same.

use std::collections::BTreeSet;

use super::algorithms::chunk_limits::ChunkLimits;
use super::auto::scope::Scope;
use super::clues::Known;
use super::counts_at_start::CountsAtStart;
use super::polish::polisher::Polisher;
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::UnitKind;

/// How closely a reducer looks at the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Look {
    /// Only at the largest parts, in few tests.
    First,
    /// At parts that are a fair share of a best that is still large.
    Rough,
    /// At every part, or at a sample where thousands are alike.
    Close,
    /// At every part, without exception.
    Exhaustive,
}

/// The state of one round.
pub(crate) struct Context {
    /// How closely the reducer is asked to look.
    pub(crate) look: Look,
    /// The parts of the best that may be changed.
    pub(crate) scope: Scope,
    /// The language of the best, if it is known or was guessed.
    pub(crate) language: Option<Known>,
    /// The counts when the round began.
    pub(crate) start: CountsAtStart,
    /// The budget for steps below 1-minimal.
    pub(crate) polisher: Polisher,
    /// Names of the reducers that ran in this round, and how closely they looked.
    ran: BTreeSet<(String, Look)>,
}

impl Context {
    /// The context of a round that starts now.
    pub(crate) fn new(search: &Search<'_, '_>, scope: Scope, polisher: Polisher) -> Self {
        Context {
            look: Look::Close,
            scope,
            language: None,
            start: CountsAtStart::of(search),
            polisher,
            ran: BTreeSet::new(),
        }
    }

    /// The format of the options.
    pub(crate) fn format(&self) -> UnitKind {
        self.scope.format
    }

    /// The language as a grammar.
    pub(crate) fn substitutes(&self) -> Option<&Substitutes> {
        self.language.as_ref().map(|known| &*known.language)
    }

    /// Remembers that a reducer ran.
    pub(crate) fn note_run(&mut self, name: &str, look: Look) {
        self.ran.insert((name.to_owned(), look));
    }

    /// Whether a reducer ran in this round with that look.
    pub(crate) fn has_run(&self, name: &str, look: Look) -> bool {
        self.ran.contains(&(name.to_owned(), look))
    }

    /// Which chunks of a list are worth a test, by how closely it is looked at.
    pub(crate) fn chunk_limits(&self, search: &Search<'_, '_>) -> ChunkLimits {
        match self.look {
            Look::First | Look::Rough => ChunkLimits::share_of(search.best().len()),
            Look::Exhaustive => ChunkLimits::ALL,
            Look::Close if !self.scope.is_each_place_worth_a_test => ChunkLimits::SAMPLE,
            // The tree's reducers have tried larger chunks.
            Look::Close if self.scope.is_covered_by_tree => ChunkLimits::NEIGHBOURS,
            Look::Close => ChunkLimits::ALL,
        }
    }

    /// Runs `body`, which takes its tests from the budget for polishing.
    pub(crate) fn polish(
        &mut self,
        search: &mut Search<'_, '_>,
        body: impl FnOnce(&mut Search<'_, '_>, &mut Polisher) -> Result<bool, Stopped>,
    ) -> Result<(), Stopped> {
        let before = search.work();
        body(search, &mut self.polisher)?;
        self.polisher.pay(search.work() - before);
        Ok(())
    }
}
