//! Options of a run: how it repairs, and how much it may use.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::rounds::Siblings;
use crate::repair::Options;
use seedsmith_engine::Limits;
use seedsmith_engine::internal::Budget;

/// Options of a run: how it repairs, and how much it may use.
#[derive(Clone)]
pub(crate) struct RunOptions {
    /// How each input is repaired. If there are several inputs, the run learns from the valid ones,
    /// and [`Options::learnt`] is replaced by that.
    pub repair: Options,
    /// The number of inputs that are repaired side by side, at most; of workers, if there is one
    /// input.
    pub jobs: usize,
    /// What one test may use.
    pub limits: Limits,
    /// What the repair of one input may use. Its interrupt flag ends the whole run: repairs under
    /// way end early and are handed over, as is what the first of two rounds has found; inputs that no
    /// thread has taken are not.
    pub budget: Budget,
    /// How long the whole run may take. Each turn of an input may take its share of the remaining time, and inputs
    /// whose turn comes later are handed over untested. In the second round the inputs without a result
    /// come first.
    pub max_total: Option<Duration>,
    /// The share of an input's bytes that a repair has to keep, from 0 to 1. A result that keeps
    /// less is refused, and its row says so.
    pub keep_at_least: f64,
    /// Whether inputs are only tested and not repaired.
    pub only_check: bool,
    /// Which valid texts the second round begins from.
    pub siblings: Siblings,
}

impl Default for RunOptions {
    /// One input at a time, without a limit on tests or time.
    fn default() -> Self {
        RunOptions {
            repair: Options::default(),
            jobs: 1,
            limits: Limits::default(),
            budget: Budget::default(),
            max_total: None,
            keep_at_least: 0.0,
            only_check: false,
            siblings: Siblings::OfRun,
        }
    }
}

impl RunOptions {
    /// Whether someone asked for an end of the run.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.budget.interrupt.load(Ordering::Relaxed)
    }
}
