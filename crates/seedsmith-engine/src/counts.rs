//! How many tests a search took, and why it ended before it was complete.

use serde::{Deserialize, Serialize};

/// Why a search ended before it was through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The time that it may take is over.
    Time,
    /// The tests that it may make are made.
    Tests,
    /// Someone asked it to stop.
    Interrupted,
    /// The target can no longer be run: no process can be started, or it ends its own again and again.
    Target,
}

/// Counts of tests. All but `executions` are the same for any number of workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Tests asked for: `tests` and `cache_hits` together.
    pub calls: u64,
    /// Distinct candidates consumed in candidate order.
    pub tests: u64,
    /// Candidates answered by the cache.
    pub cache_hits: u64,
    /// All runs of the target: with speculation, repeats and confirmations.
    pub executions: u64,
}

impl std::ops::Add for Counts {
    type Output = Counts;

    fn add(self, more: Counts) -> Counts {
        Counts {
            calls: self.calls + more.calls,
            tests: self.tests + more.tests,
            cache_hits: self.cache_hits + more.cache_hits,
            executions: self.executions + more.executions,
        }
    }
}

impl std::ops::Sub for Counts {
    type Output = Counts;

    fn sub(self, earlier: Counts) -> Counts {
        Counts {
            calls: self.calls - earlier.calls,
            tests: self.tests - earlier.tests,
            cache_hits: self.cache_hits - earlier.cache_hits,
            executions: self.executions - earlier.executions,
        }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, more: Counts) {
        self.calls += more.calls;
        self.tests += more.tests;
        self.cache_hits += more.cache_hits;
        self.executions += more.executions;
    }
}
