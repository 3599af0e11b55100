//! How much a repair may cost: never more than a mutant's budget, and less where it doesn't pay.

use std::time::{Duration, Instant};

/// Runs of the validator that one mutant may cost.
pub const MOST_RUNS: u64 = 64;
/// Time that one mutant may cost.
pub const MOST_TIME: Duration = Duration::from_micros(500);

/// Repairs may take this many times what the fuzzer does in between, in the long run.
const FACTOR: u32 = 4;
/// Saved-up time: enough for a few dear mutants in a row.
const MOST_SAVED: Duration = Duration::from_millis(20);

/// Time that the fuzzer's own work has earned for repairs.
#[derive(Debug)]
pub struct Pace {
    saved: Duration,
    left: Instant,
    entered: Instant,
}

impl Pace {
    /// Starts with a full purse, so that the first mutants are repaired.
    pub fn new() -> Self {
        let now = Instant::now();
        Pace { saved: MOST_SAVED, left: now, entered: now }
    }

    /// Called when the mutator is entered.
    pub fn enter(&mut self) {
        self.entered = Instant::now();
        self.saved = (self.saved + (self.entered - self.left) * FACTOR).min(MOST_SAVED);
    }

    /// What has been earned and not spent.
    pub fn saved(&self) -> Duration {
        self.saved
    }

    /// What this mutant may still cost; nothing when the purse is empty.
    pub fn allowance(&self) -> Duration {
        self.saved.min(MOST_TIME)
    }

    /// Called when the mutator is left.
    pub fn leave(&mut self) {
        self.left = Instant::now();
        self.saved = self.saved.saturating_sub(self.left - self.entered);
    }
}
