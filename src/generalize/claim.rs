//! How many draws a claim takes.
//!
//! The claim of a pattern is: with confidence `c`, at least the share `r` of the valid inputs
//! that it produces fail. If the true share were below `r`, then `n` independent draws would all
//! fail with a probability below `rⁿ`; so `n` draws without a pass are enough when `rⁿ ≤ α`, with
//! `α = 1 - c` where only one pattern is ever tried.
//!
//! A draw that passes refutes the pattern; a smaller one is tried, with new draws. To keep the
//! chance that *any* pattern is claimed wrongly below `1 - c`, the attempts share it: the first
//! one gets `0.8 (1 - c)`, the k-th after it `0.2 (1 - c) / 2ᵏ`. With the defaults (0.97, 0.95)
//! that is 106 draws for the first attempt, 174 for the second, 197 for the third.
//!
//! An unresolved draw is no draw: the claim is about inputs that are valid and end in a pass or
//! in this failure. Where this many draws are unresolved that the budget ends first, the confidence
//! that was reached is stated instead.

/// The rate and the confidence that a pattern has to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClaimGoal {
    /// The least share of valid produced inputs that fail.
    pub rate: f64,
    /// How sure that has to be.
    pub confidence: f64,
}

impl Default for ClaimGoal {
    /// 97 % with a confidence of 95 %: about what 100 of 100 say.
    fn default() -> Self {
        ClaimGoal { rate: 0.97, confidence: 0.95 }
    }
}

impl ClaimGoal {
    /// Draws that all have to fail at the attempt of that number, counted from 0.
    pub fn draws(self, attempt: u32) -> u64 {
        let error = 1.0 - self.confidence;
        let share = match attempt {
            0 => 0.8 * error,
            later => 0.2 * error / 2f64.powi(later.min(60) as i32),
        };
        (share.ln() / self.rate.ln()).ceil().max(1.0) as u64
    }

    /// The confidence that `fails` draws without a pass give at that attempt.
    pub fn reached(self, attempt: u32, fails: u64) -> f64 {
        let share = if attempt == 0 { 0.8 } else { 0.2 / 2f64.powi(attempt.min(60) as i32) };
        let error = self.rate.powf(fails as f64) / share;
        (1.0 - error).clamp(0.0, self.confidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_those_of_the_formula() {
        let goal = ClaimGoal::default();
        assert_eq!([0, 1, 2].map(|attempt| goal.draws(attempt)), [106, 174, 197]);
        assert!(goal.reached(0, 106) >= 0.95 - 1e-9);
        assert!(goal.reached(0, 105) < 0.95);
        // All attempts together never use up more than is there.
        let spent: f64 = (0..40).map(|a| 0.97f64.powf(goal.draws(a) as f64)).sum();
        assert!(spent <= 0.05);
    }
}
pub(crate) mod effort;
pub(in crate::generalize) mod held;
pub(crate) mod settling;
