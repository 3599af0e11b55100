//! How long a job of the worker may take, looked at after every test.

use std::time::{Duration, Instant};

use nix::time::ClockId;

use crate::mutator::time_shares::time_of;

/// A limit of the processor time of this thread.
#[derive(Debug)]
pub(super) struct TimeLimit {
    limit: Duration,
    began: Instant,
    began_of_processor: Duration,
}

impl TimeLimit {
    /// Begins now.
    pub(super) fn new(limit: Duration) -> Self {
        TimeLimit { limit, began: Instant::now(), began_of_processor: thread_time() }
    }

    /// Whether the time is over.
    ///
    /// The processor time is a system call of about the time of a test, and that of one thread is never longer than the
    /// time on the wall, which costs some nanoseconds. So that is looked at first.
    pub(super) fn is_over(&self) -> bool {
        self.began.elapsed() > self.limit
            && thread_time().saturating_sub(self.began_of_processor) > self.limit
    }
}

/// Processor time that this thread has used. Zero if there is no such clock.
pub(super) fn thread_time() -> Duration {
    time_of(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Uses the processor for some time.
    pub(in crate::mutator) fn use_processor(time: Duration) {
        let began = thread_time();
        while thread_time().saturating_sub(began) < time {}
    }

    #[test]
    fn the_time_is_over_when_the_processor_was_used_for_as_long() {
        let limit = TimeLimit::new(Duration::from_millis(5));
        // Twice the limit, because the two clocks need not agree to the nanosecond.
        use_processor(2 * limit.limit);
        assert!(limit.is_over());
        assert!(!TimeLimit::new(Duration::from_secs(3_600)).is_over());
    }
}
