//! How many tests a generalization takes if its caller has set no limit.
//!
//! A person waits for the result, and most findings come early. Where such a limit ends a phase, the
//! next phase begins with the findings up to then, and the claim has the confidence that was reached.

use std::time::Duration;

use seedsmith_engine::internal::{Budget, Oracle};

use crate::event::StopReason;

/// Tests of a minimization, besides those for each byte. The planted causes of tests/generalize are minimal after
/// 12 to 400 tests; the rest finds nothing.
const TESTS_TO_MINIMIZE: u64 = 400;
/// Tests of a minimization for each byte of the input: the public crashes of 5 to 100 kB take at most 2.9
/// (docs/reference.tsv).
const TESTS_TO_MINIMIZE_A_BYTE: u64 = 4;
/// Tests of a minimization of a short input at most, so that its pattern and its condition have most of the 2,000: a planted model of 303 bytes took 1,200, and
/// its condition was learnt from failing inputs alone with the 273 that were left.
const MAX_TESTS_TO_MINIMIZE_A_SHORT_INPUT: u64 = 750;
/// Bytes of a short input, because planted causes have up to 420.
const SHORT_INPUT_BYTES: u64 = 512;
/// Tests of a minimization of an input of many bytes, besides one for each `BYTES_PER_TEST`: the public crashes of 5 to 100
/// kB are small enough for a pattern after 2,554 tests at most (docs/notes/2026-11-23-unseen-causes.md). A TIFF file
/// that does not become shorter took more than 100,000.
const TESTS_TO_MINIMIZE_A_LARGE_INPUT: u64 = 2_000;
/// Bytes of a large input for each test of its minimization. A guess.
const BYTES_PER_TEST: u64 = 2;
/// Tests for a pattern, besides those for each byte. An estimate from the planted causes of tests/generalize; their
/// median was not measured.
const TESTS_FOR_PATTERN: u64 = 800;
/// Tests for a pattern for each byte of the minimized input, so that the TIFF file of 116 bytes has twice the
/// 2,419 executions that it took (docs/notes/2026-11-22-generalize.md).
const TESTS_FOR_PATTERN_A_BYTE: u64 = 32;

/// Bytes of a minimized input that the tests for its pattern are counted by. Only inputs stay longer that cannot be
/// minimized: a TIFF file of 37 kB, whose offsets keep its length, would have 1,195,424 tests.
const MAX_COUNTED_BYTES: usize = 256;

/// Tests for a condition, so that minimization, pattern and condition of an input of 20 bytes take 2,000 tests in all at
/// most. The planted causes of tests/generalize take 150 to 500.
const TESTS_FOR_CONDITION: u64 = 700;
/// Tests for a condition of a small input whose minimization and pattern took few. A bound on the time, because a condition is learnt from
/// all tested inputs again and again.
const MAX_TESTS_FOR_CONDITION: u64 = 1_000;

/// Bytes of a minimized input that is small, because a person who looks for the cause of a larger one rather waits than reads it.
const SMALL_INPUT_BYTES: usize = 256;
/// Tests after which the condition of a small input ends, with those of minimization and pattern: less than 2,000, because
/// executions are a few more and 2,000 of these are the bar of the planted causes.
const TESTS_OF_SMALL_INPUT: u64 = 1_985;

/// Tests that a pattern of a small input has in any case. One of the planted causes, a nested document, took 1,023 tests to
/// minimize, so that 467 were left for its pattern; with 800 of them, all three phases took 2,239.
const TESTS_FOR_PATTERN_AT_LEAST: u64 = 500;
/// Tests that a condition has in any case: a measurement and two rounds. With more, three of the planted causes took more than 2,000 tests.
const TESTS_FOR_CONDITION_IN_ANY_CASE: u64 = 200;

/// Tests that a pattern leaves for the reasons for its parts, which take a few dozen, and for a condition: half of its draws and two rounds
/// took 450. Not measured.
const TESTS_AFTER_PATTERN: u64 = 495;

/// Tests after which half of the draws of a pattern are left out for its condition: all of them would leave less than for
/// `TESTS_FOR_CONDITION`.
const TESTS_BEFORE_SHARING: u64 = 1_000;
/// Tests after which it would not help: a condition has its least number of tests in any case.
const TESTS_TOO_MANY_TO_SHARE: u64 = 1_400;

/// The time for all searches for a smaller hang. Nearly every test of a hang that fails uses up its limit, so that a
/// number of tests is no bound on the time. `gif_loop` was still being minimized after 23,235 tests and 100 s, and had
/// 46 of its 13,956 bytes (2026-11-23, load 15).
const TIME_TO_MINIMIZE_A_HANG: Duration = Duration::from_secs(12);
/// The time for the pattern of a hang, so that a hang takes less than a minute with a limit of 2 s for the first run.
/// A guess.
const TIME_FOR_PATTERN_OF_A_HANG: Duration = Duration::from_secs(28);
/// The part of that in which slots are looked for, so that half of it is left to settle the pattern and for its claim. A
/// guess.
const TIME_TO_EXPLORE_A_HANG: Duration = Duration::from_secs(14);
/// The time for reasons and condition of a hang. A guess.
const TIME_FOR_CONDITION_OF_A_HANG: Duration = Duration::from_secs(3);

/// What a phase may take if the caller has set no limit of that kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnLimits {
    /// Tests of the phase.
    pub(super) tests: Option<u64>,
    /// Time of the phase.
    pub(super) time: Option<Duration>,
}

/// The tests for what holds of a pattern that its limit ended: half of those that a condition has in any case, because both
/// come after all others.
pub(super) const TO_HOLD: OwnLimits =
    OwnLimits { tests: Some(TESTS_FOR_CONDITION_IN_ANY_CASE / 2), time: None };

/// The time for all searches for a smaller hang.
pub(crate) fn to_minimize_a_hang() -> OwnLimits {
    OwnLimits { tests: None, time: Some(TIME_TO_MINIMIZE_A_HANG) }
}

/// The time for the pattern of a hang.
pub(super) fn for_pattern_of_a_hang() -> OwnLimits {
    OwnLimits { tests: None, time: Some(TIME_FOR_PATTERN_OF_A_HANG) }
}

/// The time for the slots of a hang without a grammar.
pub(super) fn to_explore_a_hang() -> OwnLimits {
    OwnLimits { tests: None, time: Some(TIME_TO_EXPLORE_A_HANG) }
}

/// The time for reasons and condition of a hang.
pub(super) fn for_condition_of_a_hang() -> OwnLimits {
    OwnLimits { tests: None, time: Some(TIME_FOR_CONDITION_OF_A_HANG) }
}

/// The tests that a minimization of an input of that length may take.
pub(super) fn to_minimize(bytes: usize) -> OwnLimits {
    let bytes = bytes as u64;
    let small = TESTS_TO_MINIMIZE + TESTS_TO_MINIMIZE_A_BYTE * bytes;
    let most = match bytes <= SHORT_INPUT_BYTES {
        true => MAX_TESTS_TO_MINIMIZE_A_SHORT_INPUT,
        false => TESTS_TO_MINIMIZE_A_LARGE_INPUT + bytes / BYTES_PER_TEST,
    };
    let tests = small.min(most);
    OwnLimits { tests: Some(tests), time: None }
}

/// The tests that a pattern of an input of that length may take after that many tests.
pub(super) fn for_pattern(bytes: usize, before: u64) -> OwnLimits {
    let counted = bytes.min(MAX_COUNTED_BYTES) as u64;
    let tests = TESTS_FOR_PATTERN + TESTS_FOR_PATTERN_A_BYTE * counted;
    let taken = before + TESTS_AFTER_PATTERN;
    let left = TESTS_OF_SMALL_INPUT.saturating_sub(taken).max(TESTS_FOR_PATTERN_AT_LEAST);
    let is_small = bytes <= SMALL_INPUT_BYTES;
    OwnLimits { tests: Some(if is_small { tests.min(left) } else { tests }), time: None }
}

/// The tests that a condition of an input of that length may take after that many tests.
pub(super) fn for_condition(bytes: usize, before: u64) -> OwnLimits {
    let left = TESTS_OF_SMALL_INPUT.saturating_sub(before).max(TESTS_FOR_CONDITION_IN_ANY_CASE);
    let is_small = bytes <= SMALL_INPUT_BYTES;
    let tests = if is_small { MAX_TESTS_FOR_CONDITION.min(left) } else { TESTS_FOR_CONDITION };
    OwnLimits { tests: Some(tests), time: None }
}

/// Whether few tests are left for a condition after that many, for an input of that length.
pub(super) fn is_condition_short(bytes: usize, before: u64) -> bool {
    bytes <= SMALL_INPUT_BYTES && (TESTS_BEFORE_SHARING..TESTS_TOO_MANY_TO_SHARE).contains(&before)
}

impl OwnLimits {
    /// The limits of the next search of the same phase.
    pub(crate) fn after(self, elapsed: Duration) -> Self {
        OwnLimits { time: self.time.map(|time| time.saturating_sub(elapsed)), ..self }
    }

    /// Begins a phase: the oracle gets the budget of these limits, where the caller has set none that ends it earlier.
    pub(super) fn begin(self, oracle: &mut Oracle<'_>) -> Phase {
        let callers = oracle.budget().clone();
        let tests = self.tests.filter(|_| callers.max_tests.is_none());
        let time = self.time.map(|time| oracle.started().elapsed() + time);
        let time = time.filter(|own| callers.max_time.is_none_or(|callers| *own < callers));
        let own_tests = tests.map(|tests| oracle.counts().tests + tests);
        let max_tests = own_tests.or(callers.max_tests);
        let budget = Budget { max_tests, max_time: time.or(callers.max_time), ..callers.clone() };
        oracle.set_budget(budget);
        let ending = Ending { is_by_tests: tests.is_some(), is_by_time: time.is_some() };
        Phase { callers, own_tests, ending }
    }
}

/// A phase with limits that the caller has not set.
pub(super) struct Phase {
    /// The budget that is in place again afterwards.
    callers: Budget,
    /// The tests after which the phase ends, if it has another limit than the caller's.
    pub(super) own_tests: Option<u64>,
    ending: Ending,
}

impl Phase {
    /// Ends the phase: the caller's budget is in place again. Says which limits were the phase's own.
    pub(super) fn end(self, oracle: &mut Oracle<'_>) -> Ending {
        oracle.set_budget(self.callers);
        self.ending
    }
}

/// Runs a phase with limits that the caller has not set; says whether one of them ended it.
///
/// The caller's budget is in place again afterwards.
pub(crate) fn within<'t, R>(
    oracle: &mut Oracle<'t>,
    limits: OwnLimits,
    search: impl FnOnce(&mut Oracle<'t>) -> R,
) -> (R, Ending) {
    let phase = limits.begin(oracle);
    let result = search(oracle);
    (result, phase.end(oracle))
}

/// Which limits of a phase are its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    is_by_tests: bool,
    is_by_time: bool,
}

impl Ending {
    /// The reason for which the whole task ends: nothing if an own limit of the phase has ended the phase.
    pub(crate) fn of_task(self, stopped: Option<StopReason>) -> Option<StopReason> {
        stopped.filter(|reason| match reason {
            StopReason::Tests => !self.is_by_tests,
            StopReason::Time => !self.is_by_time,
            _ => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_engine::{ClosureTarget, Kind, SameFailure, Sameness, Signature, Stopped};

    #[test]
    fn a_long_input_has_no_more_tests_for_its_pattern_than_one_of_256_bytes() {
        assert_eq!(for_pattern(257, 0).tests, Some(8992));
        assert_eq!(for_pattern(37_332, 500), for_pattern(257, 0));
    }

    #[test]
    fn a_pattern_of_a_short_input_leaves_tests_for_its_condition() {
        assert_eq!(
            [0, 300, 1500].map(|before| for_pattern(40, before).tests.unwrap()),
            [1490, 1190, 500]
        );
        assert_eq!(for_pattern(4, 300).tests, Some(928));
    }

    #[test]
    fn a_condition_of_a_small_input_has_what_other_phases_leave_and_some_in_any_case() {
        assert_eq!(for_condition(40, 500).tests, Some(1000));
        assert_eq!(for_condition(40, 1100).tests, Some(885));
        assert_eq!(for_condition(40, 1500).tests, Some(485));
        assert_eq!(for_condition(40, 2300).tests, Some(200));
        assert_eq!(for_condition(257, 2300).tests, Some(700));
    }

    #[test]
    fn a_limit_that_the_caller_has_set_ends_the_task_and_an_own_one_the_phase() {
        let target = ClosureTarget::failing_if(|_: &[u8]| true);
        let judge = SameFailure {
            signature: Signature::of_kind(Kind::Command),
            sameness: Sameness::default(),
        };
        let limits = OwnLimits { tests: Some(1), time: Some(Duration::from_secs(3600)) };
        let ended = |budget: Budget| {
            let mut oracle = Oracle::new(&target, judge.clone(), 1, budget.clone()).unwrap();
            let (ended, ending) = within(&mut oracle, limits, |oracle| {
                oracle.outcome(b"1").and_then(|_| oracle.outcome(b"2")).err()
            });
            assert_eq!(oracle.budget().max_tests, budget.max_tests);
            let Some(Stopped::Early(reason)) = ended else { panic!("one test is left: {ended:?}") };
            assert_eq!(reason, StopReason::Tests);
            [ending.of_task(Some(reason)), ending.of_task(Some(StopReason::Time))]
        };
        assert_eq!(ended(Budget::default()), [None, None]);
        let callers = Budget { max_tests: Some(1), ..Budget::default() };
        assert_eq!(ended(callers), [Some(StopReason::Tests), None]);
    }
}
