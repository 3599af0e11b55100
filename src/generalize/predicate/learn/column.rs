//! The values of one feature in all samples, and the bounds that separate them.
//!
//! There are tens of thousands of features, and few have more than a dozen values. So a value is stored as its rank among the
//! values of its feature, and samples are counted by rank.

use std::borrow::Cow;

use super::bits::Bits;
use super::candidates::{Candidate, Named, roundest};
use super::values::Ranks;
use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::{ITEMS_IN, Term};

/// Single numbers of a feature that are tried as `is` and `is not`, so that a feature gives a few
/// candidates whatever its values are. Not measured.
const MAX_SINGLE_NUMBERS: usize = 3;

/// The values of one feature, in the order of the samples: failing ones first.
pub(super) struct Column<'s> {
    pub(super) feature: Cow<'s, Feature>,
    ranks: Ranks,
    failing: usize,
}

/// How many failing and how many passing samples have each value, in the order of the values.
struct Counts {
    failing: Vec<usize>,
    passing: Vec<usize>,
}

impl<'s> Column<'s> {
    /// The values of the samples, of which a number fails. Nothing if all are the same, since then they separate nothing.
    pub(super) fn of(feature: Cow<'s, Feature>, ranks: Ranks, failing: usize) -> Option<Self> {
        (!ranks.are_all_the_same()).then_some(Column { feature, ranks, failing })
    }

    /// Two columns of the same values have the same; two others hardly ever.
    pub(super) fn fingerprint(&self) -> u64 {
        self.ranks.fingerprint()
    }

    /// The parts whose number another one is compared with, unless they are the items of a list.
    pub(super) fn counted(&self) -> Option<&'s Name> {
        let Cow::Borrowed(mut feature) = self.feature else { return None };
        while let Feature::Within(_, inner) = feature {
            feature = inner;
        }
        let Feature::Difference(_, Term::Count(name)) = feature else { return None };
        (!name.starts_with(ITEMS_IN)).then_some(name)
    }

    /// Whether most failing inputs have none of some parts, or most have one, given how many each input has. Then a comparison with their
    /// number is a bound of 0 or 1 in other words, which is refuted where there are others.
    pub(super) fn is_of_nothing(&self, counts: &[i128], fails: &[bool]) -> bool {
        let most_have = |number: i128| {
            let failing = counts.iter().zip(fails).filter(|(_, fails)| **fails);
            failing.filter(|(count, _)| **count == number).count() * 4 > self.failing * 3
        };
        most_have(0) || most_have(1)
    }

    /// Bounds that separate failing values from passing ones best, and single values: those that are `wanted`, given how many
    /// samples meet them and how many of these fail.
    pub(super) fn candidates(
        &self,
        wanted: &dyn Fn(&Feature, usize, usize) -> bool,
    ) -> Vec<Candidate> {
        let numbers = self.ranks.numbers();
        let mut counts = self.counts();
        let mut bounds: Vec<Bound> = Vec::new();
        if self.feature.may_be_one() {
            bounds.extend(self.often(&counts.failing).into_iter().map(Bound::Is));
            bounds.extend(self.often(&counts.passing).into_iter().map(Bound::IsNot));
        }
        for (at, outside) in counts.thresholds() {
            let outside = outside.map(|at| numbers[at]);
            bounds.push(Bound::AtLeast(roundest(outside, numbers[at], &self.feature)));
        }
        // From above, values are counted backwards.
        counts.reverse();
        let last = numbers.len() - 1;
        for (at, outside) in counts.thresholds() {
            let outside = outside.map(|at| numbers[last - at]);
            bounds.push(Bound::AtMost(roundest(outside, numbers[last - at], &self.feature)));
        }
        counts.reverse();
        bounds.sort_unstable();
        bounds.dedup();
        let mut found = Vec::new();
        for bound in bounds {
            let meeting = self.ranks.meeting(bound);
            let (holding, hits) = counts.holding(&meeting);
            if !wanted(&self.feature, holding, hits) {
                continue;
            }
            let condition = Condition { feature: self.feature.clone().into_owned(), bound };
            if !condition.bound_is_told() {
                continue;
            }
            let holds: Bits = self.ranks.which(&meeting).collect();
            let named = Named::NOTHING;
            found.push(Candidate { weight: condition.weight(), holds, condition, named });
        }
        found
    }

    /// How often each value is there.
    fn counts(&self) -> Counts {
        // Samples without a value are counted beside them.
        let count = |ranks: &[u32]| {
            let mut counts = vec![0; self.ranks.numbers().len() + 1];
            ranks.iter().for_each(|rank| counts[*rank as usize] += 1);
            counts.pop();
            counts
        };
        let (failing, passing) = self.ranks.ranks().split_at(self.failing);
        Counts { failing: count(failing), passing: count(passing) }
    }

    /// The values that most samples have. Samples without a value are not counted.
    ///
    /// At most `MAX_SINGLE_NUMBERS`, the most frequent first.
    fn often(&self, counts: &[usize]) -> Vec<i128> {
        let mut rated: Vec<usize> = (0..counts.len()).filter(|at| counts[*at] > 0).collect();
        rated.sort_by_key(|at| (std::cmp::Reverse(counts[*at]), *at));
        rated.into_iter().take(MAX_SINGLE_NUMBERS).map(|at| self.ranks.numbers()[at]).collect()
    }
}

impl Counts {
    /// Counts from the greatest value to the least, or the other way round again.
    fn reverse(&mut self) {
        self.failing.reverse();
        self.passing.reverse();
    }

    /// How many samples have one of some values, and how many of these fail.
    fn holding(&self, holds: &[bool]) -> (usize, usize) {
        let sum = |counts: &[usize]| -> usize {
            let holding = counts.iter().zip(holds).filter(|(_, holds)| **holds);
            holding.map(|(count, _)| count).sum()
        };
        let failing = sum(&self.failing);
        (failing + sum(&self.passing), failing)
    }

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
        let values = failing.iter().chain(passing).map(|value| Some(*value));
        let feature = Feature::Children("a".into(), "b".into());
        let column = Column::of(Cow::Owned(feature), values.collect(), failing.len()).unwrap();
        let told = |one: Candidate| {
            let holds = one
                .holds
                .iter(failing.len() + passing.len())
                .map(|holds| u8::from(holds).to_string());
            format!("{:?} {}", one.condition.bound, holds.collect::<String>())
        };
        column.candidates(&|_, _, _| true).into_iter().map(told).collect()
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
        let column = |values: [i128; 2]| {
            Column::of(Cow::Owned(Feature::Brackets), values.map(Some).into_iter().collect(), 1)
        };
        assert!(column([1, 1]).is_none());
        assert!(column([1, 2]).is_some());
    }

    #[test]
    fn bounds_are_chosen_by_how_many_samples_meet_them() {
        let values = [8, 12, 7, 3].map(Some);
        let feature = Feature::Children("a".into(), "b".into());
        let column = Column::of(Cow::Owned(feature), values.into_iter().collect(), 2).unwrap();
        let found = column.candidates(&|_, holding, hits| holding == hits);
        let bounds: Vec<Bound> = found.iter().map(|one| one.condition.bound).collect();
        assert_eq!(bounds, [Bound::AtLeast(8)]);
    }
}
