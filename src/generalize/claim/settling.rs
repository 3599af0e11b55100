//! How many joint draws come before those of a claim.
//!
//! A claim's draws alone let a pattern with one passing draw in a hundred through in one of three
//! runs (0.99¹⁰⁶). With the draws here it is one in 38 (0.99³⁶²). They come before the claim because
//! an attempt at a claim that is given up makes the next one more expensive: 106 draws, then 174,
//! 197. The number depends on the kind of target and on a limit on tests, never on time, so that
//! results are the same on every machine.

/// Draws where a test is cheap, or without a grammar. With those of the claim 362, which let a pattern
/// with one passing draw in a hundred through in 2.6 % of the runs where the claim's alone let 34 %
/// through (docs/notes/2026-11-22-settling.md).
const CHEAP_DRAWS: u64 = 256;
/// Draws where the tests that they leave are few for a condition: half of them, because a pattern and no condition says less than a
/// pattern that is somewhat less certain and its condition.
const DRAWS_BEFORE_CONDITION: u64 = CHEAP_DRAWS / 2;
/// Draws for hangs without a grammar, because with short limits they take some ten seconds.
const HANG_DRAWS: u64 = 128;
/// Draws where a test is expensive: enough to find parts that are rejected together. With 32 the nine
/// programs that reject take 2,344 executions, without them 3,018 (docs/notes/2026-11-22-generalize.md).
const COSTLY_DRAWS: u64 = 32;
/// A limit on tests is near if fewer tests than this are left, so that draws before the claim take a
/// quarter of the tests left at most.
const NEAR_LIMIT_TESTS: u64 = 4 * CHEAP_DRAWS;

/// What a test of the target costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestCost {
    /// A call, or a forked process.
    #[default]
    Low,
    /// A started process, or several runs.
    High,
    /// A time or memory limit: nearly every test of a hang uses it up.
    Limit,
}

/// What the number of draws depends on.
#[derive(Clone, Copy, Debug)]
pub(in crate::generalize) struct Situation {
    /// What a test costs.
    pub cost: TestCost,
    /// Whether there is a grammar.
    pub has_grammar: bool,
    /// Whether the target has rejected any draw.
    pub has_rejections: bool,
    /// Tests that are left, where their number is limited.
    pub left: Option<u64>,
    /// Whether all draws leave few tests for a condition, and half of them leave more.
    pub is_shared: bool,
}

impl Situation {
    /// Joint draws before those of a claim.
    pub(in crate::generalize) fn draws(self) -> u64 {
        let is_limit_near = self.left.is_some_and(|left| left < NEAR_LIMIT_TESTS);
        match self.cost {
            TestCost::Low if !is_limit_near && self.is_shared => DRAWS_BEFORE_CONDITION,
            TestCost::Low if !is_limit_near => CHEAP_DRAWS,
            TestCost::Low | TestCost::High if !self.has_grammar => CHEAP_DRAWS,
            TestCost::Limit if !self.has_grammar && !is_limit_near => HANG_DRAWS,
            _ if self.has_rejections || !self.has_grammar => COSTLY_DRAWS,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expensive_tests_and_limits_that_are_near_take_fewer_draws() {
        let cheap = Situation {
            cost: TestCost::Low,
            has_grammar: true,
            has_rejections: false,
            left: None,
            is_shared: false,
        };
        assert_eq!(cheap.draws(), 256);
        assert_eq!(Situation { is_shared: true, ..cheap }.draws(), 128);
        assert_eq!(Situation { left: Some(1023), ..cheap }.draws(), 0);
        assert_eq!(Situation { left: Some(1024), ..cheap }.draws(), 256);
        let process = Situation { cost: TestCost::High, ..cheap };
        assert_eq!(process.draws(), 0);
        assert_eq!(Situation { has_rejections: true, ..process }.draws(), 32);
        assert_eq!(Situation { has_grammar: false, ..process }.draws(), 256);
        let hang = Situation { cost: TestCost::Limit, has_grammar: false, ..cheap };
        assert_eq!(hang.draws(), 128);
        assert_eq!(Situation { left: Some(1023), ..hang }.draws(), 32);
        assert_eq!(Situation { has_grammar: true, has_rejections: true, ..hang }.draws(), 32);
    }
}
