//! A budget of work for reducers that would otherwise not end.

use crate::search::Search;
use seedsmith_engine::Stopped;

/// The work that may still be done, in the unit of [`Search::work`]: tests of short candidates.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    left: u64,
}

impl Allowance {
    /// An allowance of `work`.
    pub(crate) fn new(work: u64) -> Self {
        Allowance { left: work }
    }

    /// The number of tests left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// [`Search::first`], within the allowance: the stream ends where that does. Whether a
    /// candidate was accepted.
    ///
    /// A candidate costs one, and one more for every 256 bytes of it. Those that were proposed
    /// ahead of the answer are not paid.
    pub(crate) fn first(
        &mut self,
        search: &mut Search<'_, '_>,
        mut next: impl FnMut(&mut Vec<u8>) -> Option<()>,
    ) -> Result<bool, Stopped> {
        let before = search.work();
        let mut proposed = 0;
        let limit = self.left;
        let accepted = search.first(|buffer| {
            if proposed >= limit {
                return None;
            }
            next(buffer)?;
            proposed += 1 + buffer.len() as u64 / 256;
            Some(())
        })?;
        self.left -= (search.work() - before).min(self.left);
        Ok(accepted.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn a_stream_ends_where_the_allowance_does() {
        let found = reduce_by(
            b"x",
            |bytes| bytes == b"x",
            |search| {
                let mut allowance = Allowance::new(7);
                let mut byte = 0;
                let accepted = allowance.first(search, |buffer| {
                    byte += 1;
                    buffer.extend_from_slice(&[byte, byte]);
                    Some(())
                })?;
                assert!(!accepted && allowance.left() == 0);
                Ok(())
            },
        );
        assert_eq!(found.tests, 7);
    }
}
