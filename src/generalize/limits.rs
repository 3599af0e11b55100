//! How many tests a generalization takes if its caller has set no limit.
//!
//! A person waits for the result, and most findings come early. Where such a limit ends a phase, the
//! next phase begins with the findings up to then, and the claim has the confidence that was reached.

use seedsmith_engine::Stopped;
use seedsmith_engine::internal::{Budget, Oracle};

use crate::event::StopReason;

/// Tests of a minimization, besides those for each byte. The planted causes of tests/generalize are minimal after
/// 12 to 400 tests; the rest finds nothing.
const TESTS_TO_MINIMIZE: u64 = 400;
/// Tests of a minimization for each byte of the input: the public crashes of 5 to 100 kB take at most 2.9
/// (docs/reference.tsv).
const TESTS_TO_MINIMIZE_A_BYTE: u64 = 4;
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

/// The tests that a minimization of an input of that length may take.
pub(super) fn to_minimize(bytes: usize) -> u64 {
    TESTS_TO_MINIMIZE + TESTS_TO_MINIMIZE_A_BYTE * bytes as u64
}

/// The tests that a pattern of an input of that length may take.
pub(super) fn for_pattern(bytes: usize) -> u64 {
    TESTS_FOR_PATTERN + TESTS_FOR_PATTERN_A_BYTE * bytes.min(MAX_COUNTED_BYTES) as u64
}

/// The tests that reasons and condition may take.
pub(super) fn for_condition() -> u64 {
    TESTS_FOR_CONDITION
}

/// Runs a phase with a limit if the caller has set none; says whether that limit ended it.
///
/// The caller's budget is in place again afterwards.
pub(super) fn within<'t, R>(
    oracle: &mut Oracle<'t>,
    tests: u64,
    phase: impl FnOnce(&mut Oracle<'t>) -> Result<R, Stopped>,
    stopped: impl FnOnce(&mut R) -> &mut Option<StopReason>,
) -> Result<R, Stopped> {
    let budget = oracle.budget().clone();
    if budget.max_tests.is_some() {
        return phase(oracle);
    }
    let max_tests = Some(oracle.counts().tests + tests);
    oracle.set_budget(Budget { max_tests, ..budget.clone() });
    let result = phase(oracle);
    oracle.set_budget(budget);
    let mut result = result?;
    let reason = stopped(&mut result);
    if *reason == Some(StopReason::Tests) {
        *reason = None;
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_input_has_no_more_tests_for_its_pattern_than_one_of_256_bytes() {
        assert_eq!(for_pattern(40), 2080);
        assert_eq!(for_pattern(37_332), for_pattern(256));
    }
}
