//! Candidates lose features while a cover is being looked for: the index's lists are estimates, which may have too many.
//!
//! A class of which a candidate loses a part is divided: the new class has the features that are lost, and all candidates
//! have it that have the other one, but for this candidate.

use std::collections::HashMap;

use super::super::listing::Part;
use super::Classes;
use super::numbering::{GROUPS, NONE};

/// The classes that candidates with the index's lists have lost.
pub(super) struct Losses {
    /// By class, the one that was divided from it last, or from the same class before it; [`NONE`] without.
    divided: Vec<u32>,
    /// By class, the one that it was a part of at first.
    first: Vec<u32>,
    /// By class, the candidates that had it.
    losers: HashMap<u32, Vec<u32>>,
    /// By candidate, the classes that it had.
    lost: HashMap<usize, Vec<u32>>,
}

impl Losses {
    /// No candidate has lost any of these classes, of which there are this many.
    pub(super) fn none(classes: usize) -> Self {
        Losses {
            divided: vec![NONE; classes],
            first: (0..classes as u32).collect(),
            losers: HashMap::new(),
            lost: HashMap::new(),
        }
    }

    /// The class that this one was a part of at first.
    pub(super) fn first(&self, class: u32) -> u32 {
        self.first[class as usize]
    }

    /// A class that was there at first, and those that it was divided into.
    pub(super) fn with_divided(&self, class: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |class: &u32| Some(self.divided[*class as usize]).filter(|next| *next != NONE);
        std::iter::successors(Some(class), next)
    }

    /// The classes that a candidate has lost.
    pub(super) fn of(&self, candidate: usize) -> &[u32] {
        self.lost.get(&candidate).map_or(&[], Vec::as_slice)
    }

    /// The candidates that have lost a class.
    pub(super) fn losers(&self, class: u32) -> &[u32] {
        self.losers.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Notes that a candidate has lost a class.
    fn add(&mut self, candidate: usize, class: u32) {
        self.losers.entry(class).or_default().push(candidate as u32);
        self.lost.entry(candidate).or_default().push(class);
    }
}

/// The effect of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The class that the candidate has lost.
    pub lost: u32,
    /// The class that this one is a new part of, if it is new.
    pub divided_from: Option<u32>,
}

impl Classes<'_> {
    /// Takes parts of features away from a candidate with the index's list, all of which it has.
    ///
    /// Costs a look at these parts, and at the candidates that have lost something of the same classes.
    pub(crate) fn lose(&mut self, candidate: usize, parts: &[Part]) -> Vec<Change> {
        let mut by_class: Vec<(u32, Part)> = Vec::new();
        for (feature, part) in parts {
            let (of_feature, place) = self.feature_classes[*feature as usize];
            let of_part = self.classes_by_chance.get(place as usize);
            let of_part = of_part.map_or(NONE, |classes| classes[usize::from(*part)]);
            let class = if of_part == NONE { of_feature } else { of_part };
            // Given features have no class.
            if class != NONE {
                by_class.push((class, (*feature, *part)));
            }
        }
        by_class.sort_unstable();
        let of_one = by_class.chunk_by(|one, other| one.0 == other.0);
        of_one.map(|parts| self.lose_of_one(candidate, parts)).collect()
    }

    /// Takes parts of one class away.
    fn lose_of_one(&mut self, candidate: usize, parts: &[(u32, Part)]) -> Change {
        let class = parts[0].0;
        if parts.len() == self.sizes[class as usize] as usize {
            self.losses.add(candidate, class);
            return Change { lost: class, divided_from: None };
        }
        let new = self.sizes.len() as u32;
        self.sizes.push(parts.len() as u32);
        self.sizes[class as usize] -= parts.len() as u32;
        self.groups.push(self.groups[class as usize]);
        let losses = &mut self.losses;
        losses.first.push(losses.first[class as usize]);
        losses.divided.push(losses.divided[class as usize]);
        losses.divided[class as usize] = new;
        for loser in losses.losers(class).to_vec() {
            losses.add(loser as usize, new);
        }
        losses.add(candidate, new);
        for (_, (feature, part)) in parts {
            let (_, place) = &mut self.feature_classes[*feature as usize];
            if *place == NONE {
                *place = self.classes_by_chance.len() as u32;
                self.classes_by_chance.push([NONE; GROUPS]);
            }
            self.classes_by_chance[*place as usize][usize::from(*part)] = new;
        }
        Change { lost: new, divided_from: Some(class) }
    }
}
