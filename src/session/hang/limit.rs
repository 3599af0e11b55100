//! The short limit of time or memory by which a search for a hang or a blow-up goes.

use std::fmt;
use std::time::{Duration, Instant};

use seedsmith_engine::Judge;
use seedsmith_engine::Outcome;
use seedsmith_engine::internal::{Oracle, RUNS_IN_A_LIMIT};
use seedsmith_engine::{Limits, Request};

use crate::reduce::{self, Polish};
use crate::session::error::SessionError;
use crate::session::failing::FailingInput;

/// Workers are checked every few milliseconds: a shorter limit could not be held
/// (docs/notes/2026-11-21-hangs-and-memory.md).
const MIN_LIMIT: Duration = Duration::from_millis(20);
/// The time after which pieces of the input count as hanging too: long enough for the start of a
/// worker on a busy machine. Not measured.
const TRIAL_TIME: Duration = Duration::from_millis(100);
/// The short limit is multiplied by this if it was too short. A smaller factor repeats the search
/// more often, a larger one makes each hanging test cost more than needed; not measured.
const LIMIT_FACTOR: u32 = 4;
/// Sanitizers keep freed memory, so that even a small run holds hundreds of megabytes
/// (docs/notes/2026-11-21-hangs-and-memory.md).
const MIN_MEMORY_MB: u64 = 512;
/// Above this limit, the number of tests after 1-minimality is limited, because each may take the
/// whole limit: with this one a thousand tests take a minute.
const MAX_QUICK_TIME: Duration = Duration::from_millis(60);
/// The limit for that number. With a limit of a second these tests take 200 s at most. It is also
/// the number for unsteady failures (docs/notes/2026-11-21-unsteady-failures.md).
const MAX_SLOW_POLISH_TESTS: u64 = 200;
/// No search uses a short limit above the long one divided by this: confirming the result of a
/// lower one costs less.
const MAX_LIMIT_DIVISOR: u32 = 4;

/// The limit of a candidate for the resource that the failure uses up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// Processor time.
    Time(Duration),
    /// Megabytes.
    Memory(u64),
}

impl Limit {
    /// The limit that the failure exceeds.
    pub(super) fn long(failing: &FailingInput<'_>) -> Self {
        if failing.baseline.is_hang() {
            Limit::Time(failing.limits.cpu)
        } else {
            Limit::Memory(failing.limits.memory_mb)
        }
    }

    /// The limit to begin with.
    ///
    /// For time it costs some runs of pieces of the input, for memory nothing: a quarter of the
    /// long limit.
    pub(super) fn short(
        failing: &FailingInput<'_>,
        oracle: &mut Oracle<'_>,
        input: &[u8],
    ) -> Result<Self, SessionError> {
        Ok(match Limit::long(failing) {
            Limit::Time(long) => Limit::Time(short_limit(failing, oracle, input)?.min(long)),
            Limit::Memory(long) => {
                Limit::Memory((long / u64::from(LIMIT_FACTOR)).max(MIN_MEMORY_MB).min(long))
            }
        })
    }

    /// The next limit, under which an input that ended after `took` does not hang any more; `None`
    /// if a search with it would take too long.
    pub(super) fn raised(self, long: Limits, took: Duration) -> Option<Self> {
        match self {
            Limit::Time(limit) => {
                let mut limit = limit.saturating_mul(LIMIT_FACTOR);
                while limit < took {
                    limit = limit.saturating_mul(LIMIT_FACTOR);
                }
                (limit <= long.cpu / MAX_LIMIT_DIVISOR).then_some(Limit::Time(limit))
            }
            Limit::Memory(limit) => (limit < long.memory_mb)
                .then(|| Limit::Memory((limit * u64::from(LIMIT_FACTOR)).min(long.memory_mb))),
        }
    }

    /// `limits` with this one in them.
    pub(super) fn on(self, limits: Limits) -> Limits {
        match self {
            Limit::Time(limit) => limits.with_time(limit),
            Limit::Memory(memory_mb) => Limits { memory_mb, ..limits },
        }
    }

    /// The options for tests that may take this much each.
    ///
    /// Deletion stays as thorough. Only the tests that make the result simpler without making it
    /// smaller are limited.
    pub(super) fn patient(self, options: &reduce::Options) -> reduce::Options {
        let mut options = options.clone();
        let is_slow = match self {
            Limit::Time(limit) => limit > MAX_QUICK_TIME,
            Limit::Memory(_) => true,
        };
        if options.polish == Polish::Auto && is_slow {
            options.polish = Polish::Tests(MAX_SLOW_POLISH_TESTS);
        }
        options
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time(limit) => write!(f, "{limit:.0?}"),
            Limit::Memory(limit) => write!(f, "{limit} MB"),
        }
    }
}

/// Ten times as long as the slowest piece of the input that ends takes.
fn short_limit(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    input: &[u8],
) -> Result<Duration, SessionError> {
    oracle.set_limits(failing.limits.with_time(TRIAL_TIME));
    let mut slowest = Duration::ZERO;
    for piece in pieces(input) {
        let mut quickest = TRIAL_TIME;
        // The first run of a worker is slow, and others use the machine: the better of two counts.
        for _ in 0..2 {
            let began = Instant::now();
            let request =
                Request { frames: false, fresh: false, once: false, varied: false, expected: None };
            let seen = oracle.observe(piece, request).map_err(|stop| failing.error(stop))?;
            if failing.judge.outcome(&seen) == Outcome::Fail {
                quickest = Duration::ZERO;
            }
            quickest = quickest.min(began.elapsed());
            if quickest * RUNS_IN_A_LIMIT <= MIN_LIMIT {
                break;
            }
        }
        slowest = slowest.max(quickest);
    }
    Ok((slowest * RUNS_IN_A_LIMIT).max(MIN_LIMIT))
}

/// Nothing, beginnings and ends of several lengths.
///
/// A piece that is half as long ends, for most hangs, in half the time or less.
fn pieces(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lengths = [16, 8, 4, 2].map(|part| input.len() / part);
    let cuts = lengths.map(|length| [&input[..length], &input[input.len() - length..]]);
    std::iter::once(&input[..0]).chain(cuts.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_raised_fourfold_until_searching_with_it_would_take_too_long() {
        let long = Limits::default().with_time(Duration::from_secs(10));
        let raises = |took: Duration| {
            let limits = std::iter::successors(Some(Limit::Time(MIN_LIMIT)), move |limit| {
                limit.raised(long, took)
            });
            limits.skip(1).map(|limit| limit.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(raises(Duration::ZERO), ["80ms", "320ms", "1s"]);
        assert_eq!(raises(Duration::from_millis(500)), ["1s"]);
        assert_eq!(raises(Duration::from_secs(3)), Vec::<String>::new());
        let most = Limit::Memory(long.memory_mb);
        assert_eq!(Limit::Memory(1024).raised(long, Duration::ZERO), Some(most));
        assert_eq!(most.raised(long, Duration::ZERO), None);
    }

    #[test]
    fn pieces_are_beginnings_and_ends() {
        let pieces: Vec<&[u8]> = pieces(b"0123456789abcdef").collect();
        assert_eq!(pieces[..3], [&b""[..], b"0", b"f"]);
        assert_eq!(pieces.len(), 9);
    }
}
