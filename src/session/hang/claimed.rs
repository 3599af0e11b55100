//! What inputs of a pattern exceed, where a test with the session's own limit would take too long.

use std::fmt;
use std::time::Duration;

/// Less than the limit of the tests, because an input that is near it may take a little less in
/// another run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimedLimit {
    /// Processor time.
    Time(Duration),
    /// Megabytes.
    Memory(u64),
}

impl fmt::Display for ClaimedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClaimedLimit::Time(time) => write!(f, "using more than {time:.0?} of processor time"),
            ClaimedLimit::Memory(memory_mb) => write!(f, "using more than {memory_mb} MB"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claimed_limit_is_said_with_its_unit() {
        let said = ClaimedLimit::Time(Duration::from_millis(40)).to_string();
        assert_eq!(said, "using more than 40ms of processor time");
        assert_eq!(ClaimedLimit::Memory(512).to_string(), "using more than 512 MB");
    }
}
