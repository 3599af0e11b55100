//! The smallest set of inputs that has every feature: a weighted set cover.
//!
//! Minimum set cover is NP-hard. Chvátal's greedy algorithm (1979) takes the set with the most new
//! elements for its cost, and is within a logarithm of the optimum. Two passes improve the result:
//! inputs that became redundant are dropped, the largest first, and each input is exchanged for a
//! smaller one that has all the features that only it had. After that, every chosen input has a
//! feature that no other chosen input has, so a cover of the result is the result.
//!
//! A feature that all its inputs have by chance only has several of these inputs in the result: see
//! [`classes`].
//!
//! The answer depends on the inputs' weights, digests and features only: neither on their order nor on
//! the machine.

mod classes;
mod distances;
mod gains;
mod held;
mod index;
mod listing;
mod offer;
mod rivals;

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeSet, BinaryHeap};
use std::num::NonZero;

use seedsmith_engine::internal::FeatureText;

use classes::{Change, Classes};
use gains::Gains;
use held::Held;
pub(crate) use index::FeatureIndex;
pub(crate) use listing::{Listing, Part, chance_group, lost_parts};
use offer::Offer;
use rivals::Standing;

/// What choosing an input costs besides its weight: each is a file to open and a run of the fuzzer.
/// A 20th of a kilobyte lets three files of 100 bytes give way to one of 400.
///
/// A guess, not measured.
const COST_OF_A_FILE: u64 = 50;

/// An input that may be chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'f> {
    /// Its weight.
    pub weight: u64,
    /// The digest of its content, which distinguishes it from others of the same weight.
    pub digest: [u8; 20],
    /// Its features.
    pub listing: Listing<'f>,
    /// Whether it may have fewer: then it has the index's list.
    pub is_estimate: bool,
}

/// A candidate whose features are certain now.
#[derive(Clone, Debug)]
pub(crate) struct Confirmed {
    /// Its place.
    pub candidate: usize,
    /// The parts of features of its list that it does not have.
    pub lost: Vec<Part>,
}

/// Makes the features of candidates certain, and perhaps those of others that have these features by the index. Gives nothing if it
/// cannot, and is not asked again then.
pub(crate) type Confirm<'c> = dyn FnMut(&FeatureIndex, &[usize]) -> Option<Vec<Confirmed>> + 'c;

impl Candidate<'_> {
    /// Its weight, and the cost of a file.
    fn cost(&self) -> u64 {
        self.weight + COST_OF_A_FILE
    }

    /// The order in which candidates of equal merit are taken.
    fn rank(&self) -> (u64, [u8; 20]) {
        (self.weight, self.digest)
    }
}

/// A set of candidates that has every feature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cover {
    /// The chosen candidates, as indices, by weight and digest.
    pub chosen: Vec<usize>,
    /// Every candidate that was chosen at some time or could have been, as indices in ascending order.
    ///
    /// If other candidates had fewer features than were given, and all of them together as many, the same ones
    /// would be chosen: candidates are compared by their new features, and those that lost would have lost by more.
    pub tried: Vec<usize>,
    /// The candidates that the greedy algorithm chose, in that order.
    pub sequence: Vec<usize>,
}

/// The candidates that together have every feature that any of them has and no list of `given` has. There is a candidate for
/// each list of `index`.
///
/// `begun` is the beginning of the sequence of an earlier cover of the same candidates and given features, up to the first one that has
/// lost features since; those that were not chosen there may have lost some, and none has got any. The answer is the same without it.
///
/// A candidate with an estimate is chosen only after `confirm` was asked for it. The answer is that for the certain features of all, unless
/// `confirm` gave nothing: then the features of some chosen ones are estimates.
///
/// Costs a pass over the features of candidates with lists of their own, by `jobs` threads, and one over the classes of all;
/// memory is that of [`Classes`]. Empty candidates and copies are never chosen. The answer is the same for any number of
/// jobs, and whichever candidates have lists of their own.
pub(crate) fn cover(
    index: &FeatureIndex,
    candidates: &[Candidate<'_>],
    given: &[&FeatureText],
    begun: &[usize],
    confirm: &mut Confirm<'_>,
    jobs: NonZero<usize>,
) -> Cover {
    let listings: Vec<Listing<'_>> = candidates.iter().map(|one| one.listing).collect();
    let classes = Classes::of(index, &listings, given, jobs);
    let mut search = Search {
        candidates,
        held: Held::none_of(&classes),
        classes,
        chosen: Vec::new(),
        tried: Vec::new(),
        confirm,
        has_asked_in_vain: false,
        is_estimate: candidates.iter().map(|one| one.is_estimate).collect(),
        jobs,
    };
    search.choose_greedily(begun);
    let sequence = search.chosen.clone();
    search.drop_redundant();
    while search.exchange() {
        search.drop_redundant();
    }
    let Search { mut chosen, mut tried, .. } = search;
    chosen.sort_unstable_by_key(|index| candidates[*index].rank());
    tried.sort_unstable();
    tried.dedup();
    Cover { chosen, tried, sequence }
}

/// A cover that is being looked for.
struct Search<'c, 'f> {
    candidates: &'c [Candidate<'f>],
    /// What each of them has.
    classes: Classes<'c>,
    /// Which classes the chosen candidates have.
    held: Held,
    /// The chosen candidates, as indices.
    chosen: Vec<usize>,
    /// See [`Cover::tried`]; in any order, and repeated.
    tried: Vec<usize>,
    confirm: &'c mut Confirm<'f>,
    /// Whether `confirm` gave nothing.
    has_asked_in_vain: bool,
    /// Whether each candidate's features are still an estimate.
    is_estimate: Vec<bool>,
    jobs: NonZero<usize>,
}

impl Search<'_, '_> {
    /// Makes the features of candidates certain, and takes away those that they do not have. Returns whether `confirm` gave an answer.
    ///
    /// None of the candidates is chosen. `note` hears of each class that a candidate has lost, afterwards.
    fn ask(
        &mut self,
        wanted: &[usize],
        mut note: impl FnMut(&Classes<'_>, &Held, usize, Change),
    ) -> bool {
        let answers = match self.has_asked_in_vain {
            true => None,
            false => (self.confirm)(self.classes.index(), wanted),
        };
        self.has_asked_in_vain = answers.is_none();
        for Confirmed { candidate, lost } in answers.into_iter().flatten() {
            self.is_estimate[candidate] = false;
            for change in self.classes.lose(candidate, &lost) {
                if let Some(class) = change.divided_from {
                    self.held.divide(class);
                }
                note(&self.classes, &self.held, candidate, change);
            }
        }
        !self.has_asked_in_vain
    }

    /// Chvátal's algorithm. What a candidate adds only shrinks, so its offer is put right only when it comes to the top of
    /// the heap.
    ///
    /// The first ones chosen are those that have `begun`. Costs what [`Gains`] cost, for each class that these do not have once, and a
    /// heap of all candidates.
    fn choose_greedily(&mut self, begun: &[usize]) {
        begun.iter().for_each(|index| self.join(*index));
        self.chosen.extend(begun);
        let mut gains = match begun {
            [] => Gains::of(&self.classes),
            _ => Gains::beyond(&self.classes, &self.held),
        };
        let candidates = self.candidates;
        let mut by_rank: Vec<usize> = (0..candidates.len()).collect();
        by_rank.sort_by_key(|index| candidates[*index].rank());
        let offers = (0..).zip(by_rank).map(|(place, index)| Offer {
            gain: gains.of_candidate(&self.classes, index),
            cost: candidates[index].cost(),
            place,
            index: index as u32,
        });
        let mut offers: BinaryHeap<Offer> = offers.filter(|offer| offer.gain > 0).collect();
        let mut open = self.held.open().count();
        while open > 0 {
            let mut next = offers.peek_mut().expect("each class has a holder");
            let index = next.index as usize;
            let gain = gains.of_candidate(&self.classes, index);
            if gain < next.gain {
                next.gain = gain;
                if gain == 0 {
                    PeekMut::pop(next);
                }
                continue;
            }
            drop(next);
            if self.is_estimate[index] {
                let has_asked = self.ask(&[index], |classes, held, candidate, change| {
                    if held.count(change.lost) > 0 {
                        return;
                    }
                    gains.lose(classes, change.lost, candidate);
                    open += usize::from(change.divided_from.is_some());
                    open -= usize::from(classes.holders(change.lost).next().is_none());
                });
                if has_asked {
                    continue;
                }
            }
            offers.pop();
            let Search { classes, held, chosen, .. } = &mut *self;
            classes.of_candidate(index).for_each(|class| {
                if held.count(class) == 0 {
                    open -= 1;
                    gains.cover(classes, class);
                }
                held.add(class, index);
            });
            chosen.push(index);
            if chosen.len().is_power_of_two() {
                // All at once costs less than each offer that comes to the top. The first ones chosen cover the most.
                let mut all = offers.into_vec();
                all.retain_mut(|offer| {
                    offer.gain = gains.of_candidate(classes, offer.index as usize);
                    offer.gain > 0
                });
                offers = all.into();
            }
        }
        self.tried.extend(&self.chosen);
    }

    /// Drops what the others have too, the largest first.
    fn drop_redundant(&mut self) {
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.sort_unstable_by_key(|index| Reverse(self.candidates[*index].rank()));
        chosen.retain(|index| {
            let is_needed = self.held.alone(*index) > 0;
            if !is_needed {
                self.leave(*index);
            }
            is_needed
        });
        self.chosen = chosen;
    }

    /// Counts a candidate as a holder of its classes.
    fn join(&mut self, index: usize) {
        let Search { classes, held, .. } = self;
        classes.of_candidate(index).for_each(|class| held.add(class, index));
    }

    /// Counts a candidate as a holder of its classes no more.
    fn leave(&mut self, index: usize) {
        let Search { classes, held, .. } = self;
        classes.of_candidate(index).for_each(|class| held.remove(class, index));
    }

    /// Whether a candidate has all that only a chosen one has.
    fn can_replace(&self, rival: usize, chosen: usize) -> bool {
        let of_rival = self.classes.of_candidate(rival);
        let shared = of_rival.filter(|class| self.held.is_alone(*class, chosen)).count();
        shared == self.held.alone(chosen) as usize
    }

    /// Exchanges chosen candidates for smaller ones that have all that only they had. Whether any was.
    ///
    /// The largest chosen ones are exchanged first. Those that could take their places are added to `tried`.
    fn exchange(&mut self) -> bool {
        let mut is_chosen = vec![false; self.candidates.len()];
        self.chosen.iter().for_each(|index| is_chosen[*index] = true);
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.sort_unstable_by_key(|index| Reverse(self.candidates[*index].rank()));
        let candidates = self.candidates;
        let rank = |index: usize| candidates[index].rank();
        let rivals = loop {
            let standing =
                Standing { classes: &self.classes, held: &self.held, is_chosen: &is_chosen };
            let rivals = standing.rivals(&chosen, rank, self.jobs);
            let estimated: BTreeSet<usize> =
                rivals.iter().flatten().copied().filter(|rival| self.is_estimate[*rival]).collect();
            let estimated: Vec<usize> = estimated.into_iter().collect();
            if estimated.is_empty() || !self.ask(&estimated, |_, _, _, _| {}) {
                break rivals;
            }
        };
        let mut has_changed = false;
        for (place, rival) in chosen.iter_mut().zip(rivals) {
            let Some(rival) = rival else { continue };
            self.tried.push(rival);
            // An exchange before may have taken away what else this one is needed for, or brought it.
            if is_chosen[rival] || !self.can_replace(rival, *place) {
                continue;
            }
            self.leave(*place);
            self.join(rival);
            (is_chosen[*place], is_chosen[rival]) = (false, true);
            *place = rival;
            has_changed = true;
        }
        self.chosen = chosen;
        has_changed
    }
}

#[cfg(test)]
mod tests;
