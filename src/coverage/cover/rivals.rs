//! Candidates that can take the place of a chosen one.
//!
//! Nothing is chosen here: the cover exchanges candidates one after the other, and one exchange can rule out the next.

use super::classes::Classes;

/// What is chosen, between two rounds of exchanges.
pub(super) struct Standing<'s> {
    /// What each candidate has.
    pub classes: &'s Classes<'s>,
    /// How many chosen candidates have each class.
    pub held: &'s [u32],
    /// Whether each candidate is chosen.
    pub is_chosen: &'s [bool],
}

impl Standing<'_> {
    /// For each of `chosen` the first candidate by rank that has all that only the chosen one has, and has a lower rank.
    ///
    /// Costs a look at each holder of these classes.
    pub(super) fn rivals<R: Ord>(
        &self,
        chosen: &[usize],
        rank: impl Fn(usize) -> R,
    ) -> Vec<Option<usize>> {
        let mut shared: Vec<u32> = vec![0; self.is_chosen.len()];
        let mut rival = |of: usize| {
            let is_own = |class: &u32| self.held[*class as usize] == 1;
            let own: Vec<u32> = self.classes.of_candidate(of).filter(is_own).collect();
            let holders = || own.iter().flat_map(|class| self.classes.holders(*class));
            holders().for_each(|index| shared[index] += 1);
            let found = holders().filter(|index| {
                let has_all = shared[*index] as usize == own.len();
                has_all && !self.is_chosen[*index] && rank(*index) < rank(of)
            });
            let first = found.min_by_key(|index| rank(*index));
            holders().for_each(|index| shared[index] = 0);
            first
        };
        chosen.iter().map(|of| rival(*of)).collect()
    }
}
