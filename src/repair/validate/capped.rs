//! A validator that answers only this many questions more.

use crate::event::{Counts, StopReason};
use crate::repair::validate::{Answer, Validate};
use seedsmith_engine::Stopped;

/// Lets a number of candidates through; to all others it has no answer. For steps that are worth
/// a part of a budget and no more.
pub(crate) struct Capped<'v> {
    inner: &'v mut dyn Validate,
    left: usize,
    /// The share of the budget that may be used.
    until: f64,
    is_cut_short: bool,
}

/// Candidates that are let through at once whatever is left, as long as anything is, because each
/// question costs two switches between processes. Not measured.
const MIN_CANDIDATES: usize = 32;
/// At most the tests that are left divided by this are let through whatever is left, because 32 are a third of a budget
/// of 100 tests. Not measured.
const SOME_OF_TESTS_LEFT: usize = 16;

impl<'v> Capped<'v> {
    /// At most `left` candidates of `inner`.
    ///
    /// The share of the budget is not limited.
    pub(crate) fn new(inner: &'v mut dyn Validate, left: usize) -> Self {
        Capped { inner, left, until: 1.0, is_cut_short: false }
    }

    /// As many as are tested before that share of the budget of `inner` is used. How many that is of a
    /// stream is estimated from the time of the tests until then.
    pub(crate) fn until(inner: &'v mut dyn Validate, until: f64) -> Self {
        Capped { inner, left: usize::MAX, until, is_cut_short: false }
    }

    /// Whether a candidate was refused because of the budget, and not because of a number given to
    /// [`Capped::new`], of this one or of `inner`.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// How many candidates may still be handed on: computed from what tests took of the budget
    /// until now, so that a stream of candidates ends near the share.
    fn allowed(&self) -> usize {
        let (tests, spent) = (self.inner.counts().tests as f64, self.inner.spent());
        if self.until >= 1.0 || spent <= 0.0 {
            return self.left;
        }
        if spent >= self.until {
            return 0;
        }
        let tests_left = self.inner.tests_left().map_or(usize::MAX, |left| left as usize);
        let some = MIN_CANDIDATES.min(tests_left / SOME_OF_TESTS_LEFT);
        self.left.min((tests * (self.until / spent - 1.0)) as usize + some)
    }
}

impl Validate for Capped<'_> {
    /// Candidates after the last allowed one are never asked for. The search then gets `None`, as
    /// if no candidate had been wanted.
    fn first_that(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
        is_wanted: &mut dyn FnMut(&Answer) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        let allowed = self.allowed();
        let (mut asked, mut is_refused) = (0, false);
        let is_by_budget = allowed < self.left && !self.inner.is_used_up();
        let mut counted = |buffer: &mut Vec<u8>| {
            let may = asked < allowed && next(buffer);
            is_refused |= asked >= allowed;
            asked += usize::from(may);
            may
        };
        let answer = self.inner.first_that(&mut counted, is_wanted)?;
        // Candidates read ahead of the answer were not asked for yet.
        self.left -= answer.as_ref().map_or(asked, |(index, _)| index + 1);
        self.is_cut_short |= is_by_budget && is_refused && answer.is_none();
        Ok(answer)
    }

    fn counts(&self) -> Counts {
        self.inner.counts()
    }

    fn is_slow(&self) -> bool {
        self.inner.is_slow()
    }

    /// 1 once no candidate is let through, so that searches which look at the budget end.
    fn spent(&self) -> f64 {
        if self.allowed() == 0 { 1.0 } else { self.inner.spent() }
    }

    fn is_used_up(&self) -> bool {
        self.left == 0 || self.inner.is_used_up()
    }

    fn tests_left(&self) -> Option<u64> {
        self.inner.tests_left()
    }

    fn closest_limit(&self) -> Option<StopReason> {
        self.inner.closest_limit()
    }
}
