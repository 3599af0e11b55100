//! A validator that answers only so many questions more.

use super::validate::Validate;
use crate::event::Counts;
use crate::oracle::Stopped;

/// Lets a number of candidates through; to all others it has no answer. For steps that are worth
/// a part of a budget and no more.
pub struct Capped<'v> {
    inner: &'v mut dyn Validate,
    left: usize,
}

impl<'v> Capped<'v> {
    /// At most `left` candidates of `inner`.
    pub fn new(inner: &'v mut dyn Validate, left: usize) -> Self {
        Capped { inner, left }
    }
}

impl Validate for Capped<'_> {
    fn first_valid(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        let allowed = self.left;
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
        if self.left == 0 { 1.0 } else { self.inner.spent() }
    }
}
