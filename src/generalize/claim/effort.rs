//! How far the draws of a claim have got: which attempt it is, how many draws it takes, and what
//! confidence those give that there were when a limit ended them.

use crate::event::Claim;
use crate::generalize::claim::ClaimGoal;

/// The state of a claim that is being tested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    goal: ClaimGoal,
    /// Patterns that were refuted before the one at hand.
    attempt: u32,
    /// Draws of the pattern at hand that failed.
    pub fails: u64,
}

impl Effort {
    /// Nothing drawn yet.
    pub(crate) fn new(goal: ClaimGoal) -> Self {
        Effort { goal, attempt: 0, fails: 0 }
    }

    /// Draws that all have to fail now.
    pub(crate) fn draws(&self) -> u64 {
        self.goal.draws(self.attempt)
    }

    /// A pattern's first draw comes next: those of others say nothing about it.
    pub(crate) fn begin(&mut self) {
        self.fails = 0;
    }

    /// The pattern at hand is given up.
    pub(crate) fn refuted(&mut self) {
        self.attempt += 1;
        self.fails = 0;
    }

    /// What the draws give so far; nothing where they give no confidence at all.
    pub(crate) fn claim(&self, unresolved: u64) -> Claim {
        let confidence = self.goal.reached(self.attempt, self.fails);
        if confidence <= 0.0 {
            return Claim::Nothing { unresolved };
        }
        Claim::Rate { rate: self.goal.rate, confidence, draws: self.fails, unresolved }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_confidence_is_that_of_the_draws_there_were() {
        let mut effort = Effort::new(ClaimGoal::default());
        effort.fails = 40;
        let Claim::Rate { confidence, draws, .. } = effort.claim(0) else {
            panic!("forty draws give some confidence");
        };
        assert_eq!(draws, 40);
        assert!((0.6..0.7).contains(&confidence), "{confidence}");
        effort.refuted();
        assert_eq!(effort.claim(2), Claim::Nothing { unresolved: 2 });
        assert_eq!(effort.draws(), 174);
    }
}
