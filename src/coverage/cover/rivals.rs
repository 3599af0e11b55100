//! Candidates that can take the place of a chosen one.
//!
//! Nothing is chosen here: the cover exchanges candidates one after the other, and one exchange can rule out the next.

use std::num::NonZero;

use super::classes::Classes;
use super::held::Held;
use crate::corpus::in_parts;

/// A thread has at least so many chosen candidates. A guess, not measured.
const MIN_CHOSEN_OF_A_THREAD: usize = if cfg!(test) { 4 } else { 64 };

/// What is chosen, between two rounds of exchanges.
pub(super) struct Standing<'s> {
    /// What each candidate has.
    pub classes: &'s Classes<'s>,
    /// Which classes the chosen candidates have.
    pub held: &'s Held,
    /// Whether each candidate is chosen.
    pub is_chosen: &'s [bool],
}

impl Standing<'_> {
    /// For each of `chosen` the first candidate by rank that has all that only the chosen one has, and has a lower rank.
    ///
    /// Costs a look at the holders of these classes, as long as there is a candidate that has those before, by `jobs` threads.
    pub(super) fn rivals<R: Ord>(
        &self,
        chosen: &[usize],
        rank: impl Fn(usize) -> R + Sync,
        jobs: NonZero<usize>,
    ) -> Vec<Option<usize>> {
        let alone = self.held.all_alone();
        let classes_of = |of: usize| {
            let begin = alone.partition_point(|(candidate, _)| (*candidate as usize) < of);
            let own = alone[begin..].iter();
            own.take_while(move |(candidate, _)| *candidate as usize == of).map(|(_, class)| *class)
        };
        let rivals = in_parts(jobs, chosen.len(), MIN_CHOSEN_OF_A_THREAD, |part| {
            let mut passed = Passed { rounds: vec![0; self.is_chosen.len()], round: 0 };
            let rivals = chosen[part].iter().map(|of| {
                let is_lower = |at: usize| !self.is_chosen[at] && rank(at) < rank(*of);
                let found = passed.having_all(classes_of(*of), self.classes, is_lower);
                found.into_iter().min_by_key(|index| rank(*index))
            });
            rivals.collect::<Vec<_>>()
        });
        rivals.concat()
    }
}

/// Candidates that have all classes of a list as far as it was looked at.
struct Passed {
    /// By candidate, the number of the class that it passed last.
    rounds: Vec<u32>,
    /// As many classes were looked at.
    round: u32,
}

impl Passed {
    /// The candidates for which `is_asked` that have all of `own`; none if `own` is empty.
    fn having_all(
        &mut self,
        own: impl Iterator<Item = u32>,
        classes: &Classes<'_>,
        is_asked: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let mut passing = Vec::new();
        for (place, class) in own.enumerate() {
            let Passed { rounds, round } = self;
            let before = *round;
            *round += 1;
            passing.clear();
            passing.extend(classes.holders(class).filter(|at| match place {
                0 => is_asked(*at),
                _ => rounds[*at] == before,
            }));
            passing.iter().for_each(|at| rounds[*at] = *round);
            if passing.is_empty() {
                break;
            }
        }
        passing
    }
}
