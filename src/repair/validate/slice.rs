//! A validator with a part of the budget, to which a search behaves as to one with a whole budget.
//!
//! It differs from [`Capped`](super::capped::Capped) in what a search sees: a capped validator has no answer
//! any more, and says how much of the whole budget is used; a slice ends the search, and says how much of
//! the slice is used.

use crate::event::{Counts, StopReason};
use crate::repair::validate::{Answer, Validate};
use seedsmith_engine::Stopped;

/// Candidates that are handed on before the clock is looked at, so that a slice ends within some tests of
/// its end and workers stay busy.
const CANDIDATES_PER_LOOK: usize = 16;

/// A part of the remaining budget of a validator.
pub(crate) struct Slice<'v> {
    inner: &'v mut dyn Validate,
    /// The share of the whole budget that was used when the slice began, and with which it ends.
    from: f64,
    until: f64,
    /// The number of tests with which it ends, if tests are limited.
    last_test: Option<u64>,
}

impl<'v> Slice<'v> {
    /// That share of the remaining budget. A test whose answer is known already is free.
    pub(crate) fn of(inner: &'v mut dyn Validate, share: f64) -> Self {
        let from = inner.spent();
        let until = from + (1.0 - from).max(0.0) * share;
        let done = inner.counts().tests;
        let last_test = inner.tests_left().map(|left| done + (left as f64 * share) as u64);
        Slice { inner, from, until, last_test }
    }

    /// Whether nothing of it is left.
    ///
    /// True too once the time of the slice is over, whatever number of tests is left.
    pub(crate) fn is_over(&self) -> bool {
        self.tests_left() == Some(0) || self.inner.spent() >= self.until
    }
}

impl Validate for Slice<'_> {
    /// Candidates are handed on in parts, so that the end of the slice is seen between them. Ends
    /// with [`Stopped::Early`] when the slice is over.
    fn first_that(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
        is_wanted: &mut dyn FnMut(&Answer) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        let (mut before, mut has_more) = (0, true);
        // Known candidates are free, so that after as many as there are tests left some may be left.
        while has_more {
            if self.is_over() {
                return Err(Stopped::Early(self.closest_limit().unwrap_or(StopReason::Tests)));
            }
            let most = self.tests_left().map_or(CANDIDATES_PER_LOOK, |left| (left as usize).max(1));
            let mut asked = 0;
            let mut some = |buffer: &mut Vec<u8>| {
                has_more = has_more && asked < most && next(buffer);
                asked += usize::from(has_more);
                has_more
            };
            let answer = self.inner.first_that(&mut some, is_wanted)?;
            if let Some((index, text)) = answer {
                return Ok(Some((before + index, text)));
            }
            has_more = asked == most;
            before += asked;
        }
        Ok(None)
    }

    fn counts(&self) -> Counts {
        self.inner.counts()
    }

    fn is_slow(&self) -> bool {
        self.inner.is_slow()
    }

    /// The share of the slice that is used, from 0 to 1.
    fn spent(&self) -> f64 {
        let all = (self.until - self.from).max(f64::MIN_POSITIVE);
        ((self.inner.spent() - self.from) / all).clamp(0.0, 1.0)
    }

    fn is_used_up(&self) -> bool {
        self.inner.is_used_up()
    }

    /// Tests of the slice that are left; `None` if tests are not limited.
    fn tests_left(&self) -> Option<u64> {
        self.last_test.map(|last| last.saturating_sub(self.inner.counts().tests))
    }

    fn closest_limit(&self) -> Option<StopReason> {
        self.inner.closest_limit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;

    /// Asks for numbers from 0 on until the end; how many were answered.
    fn ask(validator: &mut dyn Validate, numbers: u32) -> (u32, bool) {
        let (mut given, mut heard) = (0u32, 0);
        let answer = validator.first_that(
            &mut |buffer| {
                buffer.extend_from_slice(&given.to_le_bytes());
                given += 1;
                given <= numbers
            },
            &mut |_| {
                heard += 1;
                false
            },
        );
        (heard, answer.is_err())
    }

    #[test]
    fn a_slice_ends_with_its_last_test_and_known_answers_are_free() {
        let budget = Budget { max_tests: Some(100), ..Budget::default() };
        let mut validator = InPlace::new(|_: &[u8]| false, budget);
        assert_eq!(ask(&mut Slice::of(&mut validator, 0.5), 500), (50, true));
        assert_eq!(validator.counts().tests, 50);
        // Fifty of these are known.
        assert_eq!(ask(&mut Slice::of(&mut validator, 0.5), 70), (70, false));
        assert_eq!(ask(&mut Slice::of(&mut validator, 1.0), 500), (100, true));
        assert_eq!(validator.counts().tests, 100);
    }
}
