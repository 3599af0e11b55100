//! How long a job of the worker may take, looked at after every test.

use std::time::{Duration, Instant};

use crate::mutator::time_shares::processor_time;

/// A limit of processor time.
#[derive(Debug)]
pub(super) struct TimeLimit {
    limit: Duration,
    began: Instant,
    began_of_processor: Duration,
}

impl TimeLimit {
    /// Begins now.
    pub(super) fn new(limit: Duration) -> Self {
        TimeLimit { limit, began: Instant::now(), began_of_processor: processor_time() }
    }

    /// Whether the time is over.
    ///
    /// The processor time is a system call of about the time of a test, and it is never longer than the time on the wall,
    /// which costs some nanoseconds. So that is looked at first.
    pub(super) fn is_over(&self) -> bool {
        self.began.elapsed() > self.limit
            && processor_time().saturating_sub(self.began_of_processor) > self.limit
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Uses the processor for some time, and for as long on the wall: the threads of other tests count for the former.
    pub(in crate::mutator) fn use_processor(time: Duration) {
        let (began, of_processor) = (Instant::now(), processor_time());
        while began.elapsed() < time || processor_time().saturating_sub(of_processor) < time {}
    }

    #[test]
    fn the_time_is_over_when_the_processor_was_used_for_as_long() {
        let limit = TimeLimit::new(Duration::from_millis(5));
        use_processor(2 * limit.limit);
        assert!(limit.is_over());
        assert!(!TimeLimit::new(Duration::from_secs(3_600)).is_over());
    }
}
