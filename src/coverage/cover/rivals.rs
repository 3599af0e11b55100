//! Candidates that can take the place of a chosen one.
//!
//! Nothing is chosen here: the cover exchanges candidates one after the other, and one exchange can rule out the next.

use std::num::NonZero;

use super::classes::{Classes, MIN_LISTS_OF_A_THREAD};
use crate::corpus::in_parts;

/// What is chosen, between two rounds of exchanges.
pub(super) struct Standing<'s> {
    /// What each candidate has.
    pub classes: &'s Classes,
    /// How many chosen candidates have each class.
    pub held: &'s [u32],
    /// The chosen candidates, as indices.
    pub chosen: &'s [usize],
    /// The same, by candidate.
    pub is_chosen: &'s [bool],
}

impl Standing<'_> {
    /// For each chosen candidate the first one by rank that has all that only the chosen one has, and has a lower
    /// rank. Costs one pass over the classes of all candidates, by `jobs` threads.
    pub(super) fn rivals<R: Ord>(
        &self,
        rank: impl Fn(usize) -> R + Sync,
        jobs: NonZero<usize>,
    ) -> Vec<Option<usize>> {
        let count = self.is_chosen.len();
        // The chosen candidate that alone has the class, and how many such classes each has.
        let mut holder = vec![usize::MAX; self.held.len()];
        let mut own: Vec<usize> = vec![0; count];
        for index in self.chosen {
            for class in self.classes.of_candidate(*index) {
                if self.held[class as usize] == 1 {
                    holder[class as usize] = *index;
                    own[*index] += 1;
                }
            }
        }
        let better = |one: Option<usize>, other: Option<usize>| {
            one.into_iter().chain(other).min_by_key(|index| rank(*index))
        };
        let of_parts = in_parts(jobs, count, MIN_LISTS_OF_A_THREAD, |part| {
            let mut rivals: Vec<Option<usize>> = vec![None; count];
            let mut shared: Vec<usize> = vec![0; count];
            let mut met = Vec::new();
            for index in part.filter(|index| !self.is_chosen[*index]) {
                for class in self.classes.of_candidate(index) {
                    let of = holder[class as usize];
                    if of != usize::MAX {
                        if shared[of] == 0 {
                            met.push(of);
                        }
                        shared[of] += 1;
                    }
                }
                for of in met.drain(..) {
                    let has_all = shared[of] == own[of];
                    shared[of] = 0;
                    if has_all && rank(index) < rank(of) {
                        rivals[of] = better(rivals[of], Some(index));
                    }
                }
            }
            rivals
        });
        let joined = |one: Vec<Option<usize>>, other: Vec<Option<usize>>| {
            one.into_iter().zip(other).map(|(one, other)| better(one, other)).collect()
        };
        of_parts.into_iter().reduce(joined).unwrap_or_default()
    }
}
