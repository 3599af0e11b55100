//! The values of one feature in all samples, and the bounds that separate them.
//!
//! There are tens of thousands of features, and few have more than a dozen values. So a value is stored as its rank among the
//! values of its feature, and samples are counted by rank.

use std::borrow::Cow;

use super::bits::Bits;
use super::candidates::{Candidate, Named, roundest};
use super::table::Table;
use crate::generalize::predicate::condition::{Bound, Condition, weight_of};
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::term::{ITEMS_IN, Term};

/// Single numbers of a feature that are tried as `is` and `is not`, so that a feature gives a few
/// candidates whatever its values are. Not measured.
const MAX_SINGLE_NUMBERS: usize = 3;

/// An odd number without a pattern in its bits, as rustc's own hash function has it.
const HASH_FACTOR: u64 = 0x517c_c1b7_2722_0a95;

/// The rank of a sample that has no such value and nothing that is for it.
const NONE: u32 = u32::MAX;

/// The values of one feature, in the order of the samples: failing ones first.
pub(super) struct Column<'s> {
    pub(super) feature: Cow<'s, Feature>,
    /// The different values, in ascending order.
    numbers: Vec<i128>,
    /// For each sample the place of its value among them, or `NONE`.
    ranks: Vec<u32>,
    failing: usize,
}

/// How many failing and how many passing samples have each value, in the order of the values.
struct Counts {
    failing: Vec<usize>,
    passing: Vec<usize>,
}

impl<'s> Column<'s> {
    /// The values of the samples, of which a number fails. Nothing if all are the same, since then they separate nothing.
    pub(super) fn of(
        feature: Cow<'s, Feature>,
        values: &[Option<i128>],
        failing: usize,
    ) -> Option<Self> {
        let first = values.first()?;
        if values.iter().all(|value| value == first) {
            return None;
        }
        let mut numbers: Vec<i128> = Vec::new();
        for value in values.iter().flatten() {
            if let Err(at) = numbers.binary_search(value) {
                numbers.insert(at, *value);
            }
        }
        let rank = |value: &i128| numbers.partition_point(|number| number < value) as u32;
        let ranks = values.iter().map(|value| value.as_ref().map_or(NONE, rank)).collect();
        Some(Column { feature, numbers, ranks, failing })
    }

    /// Two columns of the same values have the same; two others hardly ever.
    pub(super) fn fingerprint(&self) -> u64 {
        let mix = |sum: u64, value: u64| (sum.rotate_left(5) ^ value).wrapping_mul(HASH_FACTOR);
        let numbers = self.numbers.iter();
        let sum = numbers.fold(0, |sum, value| mix(mix(sum, *value as u64), (*value >> 64) as u64));
        self.ranks.iter().fold(sum, |sum, rank| mix(sum, u64::from(*rank)))
    }

    /// What the feature weighs with a usual bound.
    pub(super) fn weight(&self, required: &[String]) -> u32 {
        let usual = weight_of(&self.feature, Bound::AtLeast(1));
        usual + Named::by(&self.feature, required).missing_weight()
    }

    /// Whether it compares a number with how many parts of a text there are, of which most failing inputs have none, or most
    /// have one. Then it is a bound of 0 or 1 in other words, which is refuted where there are others.
    pub(super) fn is_of_nothing(&self, table: &Table) -> bool {
        let mut feature = &*self.feature;
        while let Feature::Within(_, inner) = feature {
            feature = inner;
        }
        let Feature::Difference(_, Term::Count(name)) = feature else { return false };
        let counts = table.counts(name);
        let most_have = |number: i128| {
            let failing = counts.iter().zip(table.fails()).filter(|(_, fails)| **fails);
            failing.filter(|(count, _)| **count == number).count() * 4 > self.failing * 3
        };
        !name.starts_with(ITEMS_IN) && (most_have(0) || most_have(1))
    }

    /// Bounds that separate failing values from passing ones best, and single values.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let mut counts = self.counts();
        let mut bounds: Vec<Bound> = Vec::new();
        if self.feature.may_be_one() {
            bounds.extend(self.often(&counts.failing).into_iter().map(Bound::Is));
            bounds.extend(self.often(&counts.passing).into_iter().map(Bound::IsNot));
        }
        for (at, outside) in counts.thresholds() {
            let outside = outside.map(|at| self.numbers[at]);
            bounds.push(Bound::AtLeast(roundest(outside, self.numbers[at], &self.feature)));
        }
        // From above, values are counted backwards.
        counts.failing.reverse();
        counts.passing.reverse();
        let last = self.numbers.len() - 1;
        for (at, outside) in counts.thresholds() {
            let outside = outside.map(|at| self.numbers[last - at]);
            bounds.push(Bound::AtMost(roundest(outside, self.numbers[last - at], &self.feature)));
        }
        bounds.sort_unstable();
        bounds.dedup();
        let conditions = bounds
            .into_iter()
            .map(|bound| Condition { feature: self.feature.clone().into_owned(), bound });
        conditions
            .filter(Condition::bound_is_told)
            .map(|condition| {
                let holds: Vec<bool> =
                    self.numbers.iter().map(|value| condition.bound.holds(*value)).collect();
                let holds = |rank: &u32| holds.get(*rank as usize).is_some_and(|holds| *holds);
                let holds: Bits = self.ranks.iter().map(holds).collect();
                let named = Named::NOTHING;
                Candidate { weight: condition.weight(), holds, condition, named }
            })
            .collect()
    }

    /// How often each value is there.
    fn counts(&self) -> Counts {
        let mut counts =
            Counts { failing: vec![0; self.numbers.len()], passing: vec![0; self.numbers.len()] };
        for (sample, rank) in self.ranks.iter().enumerate().filter(|(_, rank)| **rank != NONE) {
            let of = if sample < self.failing { &mut counts.failing } else { &mut counts.passing };
            of[*rank as usize] += 1;
        }
        counts
    }

    /// The values that most samples have. Samples without a value are not counted.
    ///
    /// At most `MAX_SINGLE_NUMBERS`, the most frequent first.
    fn often(&self, counts: &[usize]) -> Vec<i128> {
        let mut rated: Vec<usize> = (0..counts.len()).filter(|at| counts[*at] > 0).collect();
        rated.sort_by_key(|at| (std::cmp::Reverse(counts[*at]), *at));
        rated.into_iter().take(MAX_SINGLE_NUMBERS).map(|at| self.numbers[at]).collect()
    }
}

impl Counts {
    /// The least values that separate failing samples from passing ones, by their places, each with the place of the greatest
    /// value below it that a passing sample has: all failing ones are above, no passing one is, and the fewest of both are
    /// wrong.
    fn thresholds(&self) -> Vec<(usize, Option<usize>)> {
        let places = || (0..self.failing.len()).filter(|at| self.failing[*at] > 0);
        let last_passing = self.passing.iter().rposition(|count| *count > 0);
        let mut passing_above: usize = self.passing.iter().sum();
        let (mut missed, mut best) = (0, None::<(usize, usize)>);
        for (at, (failing, passing)) in self.failing.iter().zip(&self.passing).enumerate() {
            let wrong = missed + passing_above;
            if *failing > 0 && best.is_none_or(|(least, _)| wrong < least) {
                best = Some((wrong, at));
            }
            missed += failing;
            passing_above -= passing;
        }
        let mut found: Vec<usize> = places().next().into_iter().collect();
        found.extend(places().find(|at| last_passing.is_none_or(|last| *at > last)));
        found.extend(best.map(|(_, at)| at));
        found.sort_unstable();
        found.dedup();
        let outside = |at: usize| self.passing[..at].iter().rposition(|count| *count > 0);
        found.into_iter().map(|at| (at, outside(at))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(failing: &[i128], passing: &[i128]) -> Vec<String> {
        let values: Vec<Option<i128>> =
            failing.iter().chain(passing).map(|value| Some(*value)).collect();
        let feature = Feature::Children("a".into(), "b".into());
        let column = Column::of(Cow::Owned(feature), &values, failing.len()).unwrap();
        let told = |one: Candidate| {
            let holds = one.holds.iter(values.len()).map(|holds| u8::from(holds).to_string());
            format!("{:?} {}", one.condition.bound, holds.collect::<String>())
        };
        column.candidates().into_iter().map(told).collect()
    }

    #[test]
    fn bounds_hold_for_all_failing_samples_or_no_passing_one_or_are_wrong_about_the_fewest() {
        assert_eq!(bounds(&[8, 12], &[7, 3]), ["AtLeast(8) 1100", "AtMost(12) 1111"]);
        assert_eq!(
            bounds(&[1, 5, 6, 9], &[2, 3, 4, 7]),
            [
                "AtLeast(1) 11111111",
                "AtLeast(5) 01110001",
                "AtLeast(9) 00010000",
                "AtMost(1) 10000000",
                "AtMost(9) 11111111"
            ]
        );
    }

    #[test]
    fn a_feature_that_is_the_same_everywhere_separates_nothing() {
        let feature = || Cow::Owned(Feature::Brackets);
        assert!(Column::of(feature(), &[Some(1), Some(1)], 1).is_none());
        let columns = [[Some(1), None], [Some(2), None], [None, Some(1)]];
        let prints = columns.map(|values| Column::of(feature(), &values, 1).unwrap().fingerprint());
        assert!(prints[0] != prints[1] && prints[0] != prints[2]);
    }
}
