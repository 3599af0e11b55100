//! Which classes the chosen candidates have, and which of them only one of these has.
//!
//! Where one chosen candidate has a class, the sum of the candidates that have it is this one. So what only one candidate has
//! is known without a look at the classes of the others.

use super::classes::Classes;

/// What the chosen candidates have.
pub(super) struct Held {
    /// By class, how many chosen candidates have it.
    counts: Vec<u32>,
    /// By class, the sum of their numbers; it may wrap around.
    sums: Vec<u32>,
    /// By candidate, how many classes only it has, of all that are chosen.
    alone: Vec<u32>,
}

impl Held {
    /// Nothing is chosen.
    pub(super) fn none_of(classes: &Classes<'_>) -> Self {
        let none = vec![0; classes.count()];
        Held { sums: none.clone(), counts: none, alone: vec![0; classes.candidate_count()] }
    }

    /// The number of chosen candidates that have a class.
    pub(super) fn count(&self, class: u32) -> u32 {
        self.counts[class as usize]
    }

    /// The classes that no chosen candidate has.
    pub(super) fn open(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.counts).filter(|(_, count)| **count == 0).map(|(class, _)| class)
    }

    /// Adds a new class that the same chosen candidates have.
    pub(super) fn divide(&mut self, class: u32) {
        let (count, sum) = (self.counts[class as usize], self.sums[class as usize]);
        if count == 1 {
            self.alone[sum as usize] += 1;
        }
        self.counts.push(count);
        self.sums.push(sum);
    }

    /// Adds a class of a candidate that is chosen now.
    pub(super) fn add(&mut self, class: u32, candidate: usize) {
        let at = class as usize;
        match self.counts[at] {
            0 => self.alone[candidate] += 1,
            1 => self.alone[self.sums[at] as usize] -= 1,
            _ => {}
        }
        self.counts[at] += 1;
        self.sums[at] = self.sums[at].wrapping_add(candidate as u32);
    }

    /// Takes away a class of a candidate that is chosen no more.
    pub(super) fn remove(&mut self, class: u32, candidate: usize) {
        let at = class as usize;
        self.counts[at] -= 1;
        self.sums[at] = self.sums[at].wrapping_sub(candidate as u32);
        match self.counts[at] {
            0 => self.alone[candidate] -= 1,
            1 => self.alone[self.sums[at] as usize] += 1,
            _ => {}
        }
    }

    /// How many classes only this chosen candidate has.
    pub(super) fn alone(&self, candidate: usize) -> u32 {
        self.alone[candidate]
    }

    /// Whether this chosen candidate has a class, and no other one has.
    pub(super) fn is_alone(&self, class: u32, candidate: usize) -> bool {
        self.counts[class as usize] == 1 && self.sums[class as usize] as usize == candidate
    }

    /// The classes that one chosen candidate has, with this candidate, ascending by candidate.
    pub(super) fn all_alone(&self) -> Vec<(u32, u32)> {
        let one = (0..).zip(&self.counts).filter(|(_, count)| **count == 1);
        let mut alone: Vec<(u32, u32)> =
            one.map(|(class, _)| (self.sums[class as usize], class)).collect();
        alone.sort_unstable();
        alone
    }
}
