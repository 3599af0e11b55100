//! The tests that a search has used since some point, for budgets that follow from them.
//!
//! Tests that the cache answers count like any other: a second run on a result then gets the same
//! budgets as the last round of the first one.

use crate::search::Search;

/// The number of tests that a search had made at some point, such as the beginning of a round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountsAtStart {
    calls: u64,
    work: u64,
}

impl CountsAtStart {
    /// The counts as they are now.
    pub(crate) fn of(search: &Search<'_, '_>) -> Self {
        CountsAtStart { calls: search.counts().calls, work: search.work() }
    }

    /// Tests that were asked for since, with those that the cache answered.
    pub(crate) fn calls_since(self, search: &Search<'_, '_>) -> u64 {
        search.counts().calls - self.calls
    }

    /// How much [`Search::work`] grew since.
    pub(crate) fn work_since(self, search: &Search<'_, '_>) -> u64 {
        search.work() - self.work
    }
}
