//! A validator that answers only so many questions more.

use super::validate::Validate;
use crate::event::Counts;
use seedsmith_engine::oracle::Stopped;

/// Lets a number of candidates through; to all others it has no answer. For steps that are worth
/// a part of a budget and no more.
pub struct Capped<'v> {
    inner: &'v mut dyn Validate,
    left: usize,
    /// The share of the budget that may be used.
    until: f64,
}

/// So many candidates are let through at once whatever is left, as long as anything is.
const AT_LEAST: usize = 32;

impl<'v> Capped<'v> {
    /// At most `left` candidates of `inner`.
    pub fn new(inner: &'v mut dyn Validate, left: usize) -> Self {
        Capped { inner, left, until: 1.0 }
    }

    /// As many as are tested before that share of the budget of `inner` is used. How many that is of a
    /// stream is told by what tests took until then.
    pub fn until(inner: &'v mut dyn Validate, until: f64) -> Self {
        Capped { inner, left: usize::MAX, until }
    }

    fn allowed(&self) -> usize {
        let (tests, spent) = (self.inner.counts().tests as f64, self.inner.spent());
        if self.until >= 1.0 || spent <= 0.0 {
            return self.left;
        }
        if spent >= self.until {
            return 0;
        }
        self.left.min((tests * (self.until / spent - 1.0)) as usize + AT_LEAST)
    }
}

impl Validate for Capped<'_> {
    fn first_valid(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        let allowed = self.allowed();
        let mut asked = 0;
        let answer = self.inner.first_valid(&mut |buffer| {
            let may = asked < allowed && next(buffer);
            asked += usize::from(may);
            may
        })?;
        // What was read ahead of the answer was not asked for yet.
        self.left -= answer.as_ref().map_or(asked, |(index, _)| index + 1);
        Ok(answer)
    }

    fn counts(&self) -> Counts {
        self.inner.counts()
    }

    fn is_slow(&self) -> bool {
        self.inner.is_slow()
    }

    fn spent(&self) -> f64 {
        if self.allowed() == 0 { 1.0 } else { self.inner.spent() }
    }
}
