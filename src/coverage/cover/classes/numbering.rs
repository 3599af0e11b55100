//! Which candidates with lists of their own have each feature, and the numbers of the classes that follow from that.

use std::collections::HashMap;

use seedsmith_engine::internal::FeatureText;

use super::super::index::digest_of;
use super::super::listing::CHANCE_GROUPS;

/// The number of groups of candidates, for lengths.
pub(super) const GROUPS: usize = CHANCE_GROUPS as usize;

/// The class of a feature that is not the first one of its class.
pub(super) const NONE: u32 = u32::MAX;

/// Which candidates have each feature: for each set of them the sum of their digests.
#[derive(Default)]
pub(super) struct Holders {
    /// By feature, those that always have it.
    pub(super) always: Vec<u128>,
    /// By feature, its place in `by_chance`; [`NONE`] if no candidate has it by chance.
    pub(super) parts: Vec<u32>,
    /// By group, those that have a feature by chance.
    pub(super) by_chance: Vec<[u128; GROUPS]>,
}

impl Holders {
    /// Makes room for as many features.
    pub(super) fn grow(&mut self, count: usize) {
        if count > self.always.len() {
            self.always.resize(count, 0);
            self.parts.resize(count, NONE);
        }
    }

    /// The sums of those that have a feature by chance.
    fn by_chance(&mut self, feature: usize) -> &mut [u128; GROUPS] {
        if self.parts[feature] == NONE {
            self.parts[feature] = self.by_chance.len() as u32;
            self.by_chance.push([0; GROUPS]);
        }
        &mut self.by_chance[self.parts[feature] as usize]
    }

    /// Adds the candidate with this number.
    pub(super) fn add(&mut self, index: usize, list: &FeatureText, group: u8) {
        let digest = digest_of(index);
        for (feature, is_by_chance) in list {
            let at = feature as usize;
            self.grow(at + 1);
            let sum = match is_by_chance {
                true => &mut self.by_chance(at)[usize::from(group)],
                false => &mut self.always[at],
            };
            *sum = sum.wrapping_add(digest);
        }
    }

    /// Adds other candidates.
    pub(super) fn join(&mut self, others: &Holders) {
        self.grow(others.always.len());
        for (feature, (sum, part)) in others.always.iter().zip(&others.parts).enumerate() {
            self.always[feature] = self.always[feature].wrapping_add(*sum);
            if let Some(by_chance) = others.by_chance.get(*part as usize) {
                for (own, other) in self.by_chance(feature).iter_mut().zip(by_chance) {
                    *own = own.wrapping_add(*other);
                }
            }
        }
    }
}

/// Gives classes their numbers.
#[derive(Default)]
pub(super) struct Numbering {
    by_holders: HashMap<(Option<u32>, u128), u32>,
    /// By class, the index's group that it is a part of.
    pub(super) groups: Vec<Option<u32>>,
    /// By class, how many parts of features it has.
    pub(super) sizes: Vec<u32>,
}

impl Numbering {
    /// Adds `size` parts of a feature to the class of what the candidates of this `group` of the index, and others with this
    /// sum, have. Gives the class, and whether it is new: if not, the candidates have it already.
    pub(super) fn add(&mut self, group: Option<u32>, sum: u128, size: u32) -> (u32, bool) {
        let next = self.sizes.len() as u32;
        let class = *self.by_holders.entry((group, sum)).or_insert(next);
        if class == next {
            self.sizes.push(0);
            self.groups.push(group);
        }
        self.sizes[class as usize] += size;
        (class, class == next)
    }
}
