//! Another task than to minimize: bytes that do not matter are replaced by blanks, so that a failing
//! input shows nothing of where it came from. The algorithm is libFuzzer's `-cleanse_crash`.

use seedsmith_engine::Outcome;
use seedsmith_engine::StopReason;
use seedsmith_engine::Stopped;

use super::OpenSession;
use super::error::SessionError;

/// The replacements of a byte; the first that still fails is used.
const REPLACEMENTS: [u8; 2] = [b' ', 0xff];
/// Passes over the input, at most: a byte may stop mattering after another one is replaced. It is
/// libFuzzer's number for `-cleanse_crash=1`.
const MAX_PASSES: usize = 5;

/// Progress of a cleansing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleansing<'a> {
    /// A pass over the bytes begins; the first has number 0.
    Attempt(usize),
    /// A byte was replaced.
    Replaced {
        /// Its offset.
        index: usize,
        /// Its new value.
        byte: u8,
        /// The whole input.
        input: &'a [u8],
    },
}

/// The result of a cleansing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleansed {
    /// The input after the replacements; it has the same failure and the same length.
    pub best: Vec<u8>,
    /// How many bytes were replaced.
    pub replaced: usize,
    /// Why it ended before every byte was tried, if it did.
    pub stopped: Option<StopReason>,
}

impl OpenSession<'_> {
    /// Replaces each byte in turn by a blank, or else by `0xff`, where the input has the same
    /// failure afterwards; again until a pass changes nothing, five times at most.
    ///
    /// Costs up to two tests for each byte and pass. A replacement is reported after its input has
    /// failed in a fresh worker.
    ///
    /// # Errors
    ///
    /// The target cannot be run any more.
    pub fn cleanse(
        &mut self,
        hear: &mut dyn FnMut(Cleansing<'_>),
    ) -> Result<Cleansed, SessionError> {
        let mut cleansed =
            Cleansed { best: self.failing.bytes.clone(), replaced: 0, stopped: None };
        for attempt in 0..MAX_PASSES {
            hear(Cleansing::Attempt(attempt));
            let before = cleansed.replaced;
            match self.pass_over(&mut cleansed, hear) {
                Ok(()) => {}
                Err(Stopped::Early(reason)) => {
                    cleansed.stopped = Some(reason);
                    break;
                }
                Err(stopped) => return Err(self.failing.error(stopped)),
            }
            if cleansed.replaced == before {
                break;
            }
        }
        Ok(cleansed)
    }

    /// Tries to replace each byte once, from the first to the last.
    fn pass_over(
        &mut self,
        cleansed: &mut Cleansed,
        hear: &mut dyn FnMut(Cleansing<'_>),
    ) -> Result<(), Stopped> {
        let mut from = 0;
        loop {
            let current = &cleansed.best;
            // A byte that already is one of the replacements is kept.
            let mut trials = (from..current.len())
                .filter(|index| !REPLACEMENTS.contains(&current[*index]))
                .flat_map(|index| REPLACEMENTS.map(|byte| (index, byte)));
            let found = self.oracle.first(Outcome::Fail, &mut |buffer: &mut Vec<u8>| {
                let (index, byte) = trials.next()?;
                buffer.extend_from_slice(current);
                buffer[index] = byte;
                Some((index, byte))
            })?;
            let Some(((index, byte), candidate)) = found else { return Ok(()) };
            cleansed.best = candidate;
            cleansed.replaced += 1;
            hear(Cleansing::Replaced { index, byte, input: &cleansed.best });
            from = index + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use seedsmith_engine::ClosureTarget;
    use seedsmith_engine::internal::Budget;

    use super::*;
    use crate::event::Event;
    use crate::session::Options;
    use crate::session::target::OpenTarget;

    fn cleansed(
        fails: impl FnMut(&[u8]) -> bool + 'static,
        input: &[u8],
        budget: Budget,
    ) -> (Cleansed, Vec<(usize, u8)>) {
        let target = OpenTarget::new(Box::new(ClosureTarget::failing_if(fails)));
        let mut quiet = |_: &Event<'_>| {};
        let options = Options { budget, ..Options::default() };
        let path = "input".as_ref();
        let mut session = OpenSession::open(&target, path, input, &options, &mut quiet).unwrap();
        let mut heard = Vec::new();
        let cleansed = session.cleanse(&mut |step| {
            if let Cleansing::Replaced { index, byte, .. } = step {
                heard.push((index, byte));
            }
        });
        (cleansed.unwrap(), heard)
    }

    #[test]
    fn bytes_that_do_not_matter_become_blanks_or_ff() {
        let fails = |bytes: &[u8]| {
            bytes.windows(4).any(|window| window == b"foo!") && bytes.first() != Some(&b' ')
        };
        let (cleansed, heard) = cleansed(fails, b"a foo! b", Budget::default());
        assert_eq!(cleansed.best, b"\xff foo!  ");
        assert_eq!(heard, [(0, 0xff), (7, b' ')]);
        assert_eq!((cleansed.replaced, cleansed.stopped), (2, None));
    }

    #[test]
    fn a_byte_that_mattered_is_tried_again_after_others_were_replaced() {
        // The first byte may change only after the last one has.
        let fails = |bytes: &[u8]| bytes.first() == Some(&b'a') || bytes.get(2) == Some(&b' ');
        let (cleansed, heard) = cleansed(fails, b"abc", Budget::default());
        assert_eq!(cleansed.best, b"   ");
        assert_eq!(heard.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [1, 2, 0]);
    }

    #[test]
    fn a_budget_ends_it_with_what_was_replaced_until_then() {
        let budget = Budget { max_tests: Some(2), ..Budget::default() };
        let (cleansed, heard) = cleansed(|_| true, b"abcdef", budget);
        assert_eq!(cleansed.stopped, Some(StopReason::Tests));
        assert_eq!((cleansed.best, heard.len()), (b"  cdef".to_vec(), 2));
    }
}
