//! What a test usually takes, and which tests take far longer.
//!
//! Parsers exist whose time doubles with each bracket. A mutant that takes a tenth of a second is ended neither in the worker nor in
//! libFuzzer, but mutants of it take longer still. So it is not found: its features count as not reached.

use std::time::Duration;

/// A test of at most this time is never slow: some ten thousand times what a test of a parser takes. A guess, not measured.
const MIN_SLOW_TIME: Duration = Duration::from_millis(50);
/// A slow test takes more than this many usual ones, so that tests of a slow target are not slow. A guess, not measured.
const MIN_SLOW_FACTOR: f32 = 32.0;
/// By which part of the difference the usual time follows one test, so that the last 256 tests or so decide. A guess, not
/// measured.
const USUAL_STEP: f32 = 1.0 / 256.0;

/// The usual time of a test.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// In seconds. Nothing is known before the first test.
    usual: Option<f32>,
}

impl Pace {
    /// Records the time on the wall that a test took, and returns whether the test is slow.
    ///
    /// `of_processor` gives the processor time, which is looked at only if the time on the wall is long: another program may
    /// have had the core.
    pub(super) fn is_slow(
        &mut self,
        took: Duration,
        of_processor: impl FnOnce() -> Duration,
    ) -> bool {
        let seconds = took.as_secs_f32();
        let usual = *self.usual.get_or_insert(seconds);
        self.usual = Some(usual + (seconds.min(MIN_SLOW_FACTOR * usual) - usual) * USUAL_STEP);
        let is_long =
            |time: Duration| time > MIN_SLOW_TIME && time.as_secs_f32() > MIN_SLOW_FACTOR * usual;
        is_long(took) && is_long(of_processor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_micros(5);
    const LONG: Duration = Duration::from_millis(100);

    #[test]
    fn a_test_is_slow_if_it_takes_long_and_far_longer_than_others() {
        let mut pace = Pace::default();
        for _ in 0..1_000 {
            assert!(!pace.is_slow(SHORT, || SHORT));
        }
        assert!(!pace.is_slow(100 * SHORT, || 100 * SHORT));
        assert!(pace.is_slow(LONG, || LONG));
    }

    #[test]
    fn a_test_is_not_slow_because_another_program_had_the_core() {
        let mut pace = Pace::default();
        pace.is_slow(SHORT, || SHORT);
        assert!(!pace.is_slow(LONG, || SHORT));
    }

    #[test]
    fn tests_of_a_slow_target_are_not_slow() {
        let mut pace = Pace::default();
        for _ in 0..10 {
            assert!(!pace.is_slow(LONG, || LONG));
        }
        assert!(pace.is_slow(40 * LONG, || 40 * LONG));
    }
}
