//! When a search has to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::counts::StopReason;

/// The limits of a search. Without any, it ends by itself.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The most tests (distinct candidates, see [`crate::counts::Counts::tests`]).
    pub max_tests: Option<u64>,
    /// The longest time.
    pub max_time: Option<Duration>,
    /// Set from outside (a signal handler, another thread) to end the search.
    pub interrupt: Arc<AtomicBool>,
}

impl Budget {
    /// Whether the search has to end before another test is consumed.
    pub fn check(&self, tests: u64, started: Instant) -> Result<(), StopReason> {
        if self.max_tests.is_some_and(|limit| tests >= limit) {
            return Err(StopReason::Tests);
        }
        self.check_time(started)
    }

    /// How many tests are left, where they are limited.
    pub fn tests_left(&self, tests: u64) -> Option<u64> {
        self.max_tests.map(|limit| limit.saturating_sub(tests))
    }

    /// How much of the budget is used: 0 is nothing, 1 all of it.
    pub fn share(&self, tests: u64, started: Instant) -> f64 {
        let (of_tests, of_time) = self.shares(tests, started);
        of_tests.unwrap_or(0.0).max(of_time.unwrap_or(0.0))
    }

    /// The limit of which most is used, if there is one.
    ///
    /// Where both are used up alike, it is that of tests.
    pub fn closest_limit(&self, tests: u64, started: Instant) -> Option<StopReason> {
        match self.shares(tests, started) {
            (None, None) => None,
            (Some(of_tests), of_time) if of_time.is_none_or(|of_time| of_time <= of_tests) => {
                Some(StopReason::Tests)
            }
            _ => Some(StopReason::Time),
        }
    }

    /// How much of either limit is used, where there is one.
    fn shares(&self, tests: u64, started: Instant) -> (Option<f64>, Option<f64>) {
        let of_tests = self.max_tests.map(|limit| tests as f64 / limit.max(1) as f64);
        let of_time = self.max_time.map(|limit| {
            started.elapsed().as_secs_f64() / limit.as_secs_f64().max(f64::MIN_POSITIVE)
        });
        (of_tests, of_time)
    }

    /// Whether the search has to end now, whatever it has spent in tests.
    pub fn check_time(&self, started: Instant) -> Result<(), StopReason> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        if self.max_time.is_some_and(|limit| started.elapsed() >= limit) {
            return Err(StopReason::Time);
        }
        Ok(())
    }
}
