//! The values of one feature: at which places it has one, and which.
//!
//! There are tens of thousands of features, and few have more than a dozen different values. So a value is stored once, and
//! a place has its number. Places are inputs, or parts of one name.

use std::hash::BuildHasher;

use crate::generalize::predicate::bound::Bound;
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::hasher::{BuildFeatureHasher, mix};

/// The hash of a feature as a key in its place.
///
/// Two features of a search have the same hash about as rarely as two names have (see
/// [`Name`](crate::generalize::predicate::name::Name)), and a map of hashes neither compares features nor keeps copies.
pub(super) fn key(feature: &Feature) -> u64 {
    BuildFeatureHasher::default().hash_one(feature)
}

/// The values of one feature at some places, which are numbered. Each takes eight bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// The places in ascending order, each with the number of its value.
    cells: Vec<(u32, u32)>,
    /// The different values by their numbers, in the order in which they came.
    numbers: Vec<i128>,
    /// The numbers of the values, the least value first.
    order: Vec<u32>,
    /// The value of the last place, and its number.
    last: (i128, u32),
}

/// The values of one feature at all places, by the ranks of the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ranks {
    /// The different values, in ascending order.
    numbers: Vec<i128>,
    /// For each place the index of its value among them; their number if the place has no value.
    ranks: Vec<u32>,
}

/// Places that are hashed beside each other, because a processor multiplies several numbers in the time that one takes.
const LANES: usize = 4;

impl Values {
    /// Takes in the value of a place, which is greater than all places before.
    pub(super) fn push(&mut self, place: u32, value: i128) {
        // Most values are the same as the one before, and the others are rarely in the processor's cache.
        if self.cells.is_empty() || self.last.0 != value {
            self.last = (value, self.number_of(value));
        }
        self.cells.push((place, self.last.1));
    }

    /// The number of a value, which is a new one if it is not known.
    fn number_of(&mut self, value: i128) -> u32 {
        let found = self.order.binary_search_by_key(&value, |id| self.numbers[*id as usize]);
        let at = match found {
            Ok(at) => return self.order[at],
            Err(at) => at,
        };
        let id = self.numbers.len() as u32;
        self.numbers.push(value);
        self.order.insert(at, id);
        id
    }

    /// At how many places there is a value.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The places with their values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, i128)> + '_ {
        self.cells.iter().map(|(place, id)| (*place as usize, self.numbers[*id as usize]))
    }

    /// The different values in ascending order, each with the number of its places that are among some and of those that are not.
    pub(super) fn counts(&self, is_among: &[bool]) -> (Vec<i128>, Vec<[usize; 2]>) {
        let mut counts = vec![[0, 0]; self.numbers.len()];
        for (place, id) in &self.cells {
            counts[*id as usize][usize::from(!is_among[*place as usize])] += 1;
        }
        let ids = || self.order.iter().map(|id| *id as usize);
        (ids().map(|id| self.numbers[id]).collect(), ids().map(|id| counts[id]).collect())
    }

    /// The value of one place, if it has one. Costs a bisection.
    pub(super) fn value(&self, place: usize) -> Option<i128> {
        let at = self.cells.binary_search_by_key(&(place as u32), |(place, _)| *place).ok()?;
        Some(self.numbers[self.cells[at].1 as usize])
    }

    /// The ranks of all values. `place` says where each place comes; places without a value have that of `absent`, if there is one.
    pub(super) fn ranks(
        &self,
        count: usize,
        place: impl Fn(usize) -> usize,
        absent: Option<i128>,
    ) -> Ranks {
        let mut numbers: Vec<i128> = Vec::with_capacity(self.numbers.len() + 1);
        numbers.extend(self.order.iter().map(|id| self.numbers[*id as usize]));
        let absent = absent.filter(|_| self.len() < count);
        // The rank of places without a value, and whether no place has it but these.
        let (at, is_new) = match absent.map(|absent| (absent, numbers.binary_search(&absent))) {
            None => (numbers.len(), false),
            Some((_, Ok(at))) => (at, false),
            Some((absent, Err(at))) => {
                numbers.insert(at, absent);
                (at, true)
            }
        };
        let mut rank_of = vec![0; self.numbers.len()];
        for (rank, id) in self.order.iter().enumerate() {
            rank_of[*id as usize] = rank as u32 + u32::from(is_new && rank >= at);
        }
        let mut ranks = vec![at as u32; count];
        for (from, id) in &self.cells {
            ranks[place(*from as usize)] = rank_of[*id as usize];
        }
        Ranks { numbers, ranks }
    }
}

impl FromIterator<Option<i128>> for Ranks {
    /// The values of all places, one after the other.
    fn from_iter<I: IntoIterator<Item = Option<i128>>>(values: I) -> Self {
        let (mut known, mut count) = (Values::default(), 0);
        for value in values {
            if let Some(value) = value {
                known.push(count, value);
            }
            count += 1;
        }
        known.ranks(count as usize, |place| place, None)
    }
}

impl Ranks {
    /// The different values, in ascending order.
    pub(super) fn numbers(&self) -> &[i128] {
        &self.numbers
    }

    /// For each place the index of its value among the numbers; how many numbers there are if it has none.
    pub(super) fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The value of a place, if it has one.
    pub(super) fn value(&self, place: usize) -> Option<i128> {
        self.numbers.get(self.ranks[place] as usize).copied()
    }

    /// For each rank whether its value meets a bound. That of places without a value, which is the last, does not.
    pub(super) fn meeting(&self, bound: Bound) -> Vec<bool> {
        self.numbers.iter().map(|value| bound.holds(*value)).chain([false]).collect()
    }

    /// For each place whether its rank is one of some.
    pub(super) fn which<'r>(&'r self, of_ranks: &'r [bool]) -> impl Iterator<Item = bool> + 'r {
        self.ranks.iter().map(move |rank| of_ranks[*rank as usize])
    }

    /// Whether all places have the same value, or all have none.
    pub(super) fn are_all_the_same(&self) -> bool {
        self.ranks.iter().all(|rank| *rank == self.ranks[0])
    }

    /// Whether some place has no value.
    pub(super) fn have_gaps(&self) -> bool {
        self.ranks.contains(&(self.numbers.len() as u32))
    }

    /// Gives places without a value the one that `value` has for them.
    pub(super) fn fill(&mut self, value: impl Fn(usize) -> Option<i128>) {
        let none = self.numbers.len() as u32;
        let gaps = (0..self.ranks.len()).filter(|place| self.ranks[*place] == none);
        let more: Vec<(usize, i128)> =
            gaps.filter_map(|place| Some((place, value(place)?))).collect();
        if more.is_empty() {
            return;
        }
        let mut numbers = self.numbers.clone();
        let mut last = None;
        for (_, value) in &more {
            if last.replace(*value) != Some(*value)
                && let Err(at) = numbers.binary_search(value)
            {
                numbers.insert(at, *value);
            }
        }
        let rank = |value: &i128| numbers.partition_point(|number| number < value) as u32;
        if numbers.len() > self.numbers.len() {
            let now: Vec<u32> = self.numbers.iter().map(rank).collect();
            let of_none = numbers.len() as u32;
            for known in &mut self.ranks {
                *known = now.get(*known as usize).copied().unwrap_or(of_none);
            }
        }
        let mut last = (more[0].1, rank(&more[0].1));
        for (place, value) in &more {
            if last.0 != *value {
                last = (*value, rank(value));
            }
            self.ranks[*place] = last.1;
        }
        self.numbers = numbers;
    }

    /// Two features with the same values have the same; two others hardly ever.
    pub(super) fn fingerprint(&self) -> u64 {
        let of_numbers = |sum, value: &i128| mix(mix(sum, *value as u64), (*value >> 64) as u64);
        let sum = self.numbers.iter().fold(0, of_numbers);
        let mut lanes: [u64; LANES] = std::array::from_fn(|lane| lane as u64);
        let mut chunks = self.ranks.chunks_exact(LANES);
        for chunk in &mut chunks {
            for (lane, rank) in lanes.iter_mut().zip(chunk) {
                *lane = mix(*lane, u64::from(*rank));
            }
        }
        let rest = chunks.remainder().iter().map(|rank| u64::from(*rank));
        lanes.into_iter().chain(rest).fold(sum, mix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_any_width_have_ranks_in_their_order() {
        let mut values = Values::default();
        let all = [(0, 7), (2, 1 << 70), (3, i128::from(i64::MIN)), (5, 7)];
        all.iter().for_each(|(place, value)| values.push(*place, *value));
        let found: Vec<(usize, i128)> = values.iter().collect();
        assert_eq!(found, all.map(|(place, value)| (place as usize, value)));
        assert_eq!([values.value(2), values.value(4)], [Some(1 << 70), None]);
        let ranks = values.ranks(6, |place| place, None);
        assert_eq!(ranks.ranks(), [1, 3, 2, 0, 3, 1]);
        let ranks = values.ranks(6, |place| 5 - place, Some(0));
        assert_eq!(ranks.ranks(), [2, 1, 0, 3, 1, 2]);
        assert_eq!(ranks.numbers(), [i128::from(i64::MIN), 0, 7, 1 << 70]);
        assert_eq!(values.ranks(6, |place| place, Some(7)).ranks(), [1, 1, 2, 0, 1, 1]);
    }

    #[test]
    fn places_without_a_value_are_filled_with_another_one() {
        let mut ranks: Ranks = [Some(4), None, Some(2), None, None].into_iter().collect();
        assert!(ranks.have_gaps());
        ranks.fill(|place| [None, Some(3), None, Some(4), None][place]);
        let filled = [Some(4), Some(3), Some(2), Some(4), None];
        assert_eq!((0..5).map(|place| ranks.value(place)).collect::<Vec<_>>(), filled);
        assert_eq!(ranks, filled.into_iter().collect());
    }

    #[test]
    fn values_that_differ_have_other_fingerprints() {
        let all = [
            [Some(1), None, Some(1)],
            [Some(2), None, Some(2)],
            [None, Some(1), Some(1)],
            [Some(1), Some(1), None],
        ];
        let mut prints = all.map(|values| Ranks::from_iter(values).fingerprint());
        prints.sort_unstable();
        assert!(prints.windows(2).all(|two| two[0] != two[1]));
    }
}
