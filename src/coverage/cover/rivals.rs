//! Candidates that can take the place of a chosen one.
//!
//! Nothing is chosen here: the cover exchanges candidates one after the other, and one exchange can rule out the next.

use std::num::NonZero;

use super::classes::Classes;
use crate::corpus::in_parts;

/// A thread has at least so many chosen candidates. A guess, not measured.
const MIN_CHOSEN_OF_A_THREAD: usize = if cfg!(test) { 4 } else { 64 };

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
    /// Costs a look at each holder of these classes, by `jobs` threads.
    pub(super) fn rivals<R: Ord>(
        &self,
        chosen: &[usize],
        rank: impl Fn(usize) -> R + Sync,
        jobs: NonZero<usize>,
    ) -> Vec<Option<usize>> {
        let rivals = in_parts(jobs, chosen.len(), MIN_CHOSEN_OF_A_THREAD, |part| {
            let mut shared: Vec<u32> = vec![0; self.is_chosen.len()];
            let rivals = chosen[part].iter().map(|of| self.rival(*of, &rank, &mut shared));
            rivals.collect::<Vec<_>>()
        });
        rivals.concat()
    }

    /// The same for one of them. `shared` is 0 for each candidate, before and after.
    fn rival<R: Ord>(
        &self,
        of: usize,
        rank: impl Fn(usize) -> R,
        shared: &mut [u32],
    ) -> Option<usize> {
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
    }
}
