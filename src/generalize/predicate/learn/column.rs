//! The values of one feature in all samples, and the bounds that separate them.
//!
//! There are tens of thousands of features, and few have more than a dozen values. So a value is stored as its rank among the
//! values of its feature, and samples are counted by rank.

use std::borrow::Cow;

use super::bits::Bits;
use super::candidates::{Candidate, Named, roundest};
use super::values::{Ranks, Values};
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

/// How many failing and how many passing samples have each value of a feature, in the order of the values.
pub(super) struct Counts {
    numbers: Vec<i128>,
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

    /// The conditions with some bounds, each with the samples for which it holds.
    pub(super) fn candidates(&self, bounds: &[Bound]) -> Vec<Candidate> {
        let of_bound = |bound: &Bound| {
            let condition = Condition { feature: self.feature.clone().into_owned(), bound: *bound };
            condition.bound_is_told().then(|| {
                let holds: Bits = self.ranks.which(&self.ranks.meeting(*bound)).collect();
                let named = Named::NOTHING;
                Candidate { weight: condition.weight(), holds, condition, named }
            })
        };
        bounds.iter().filter_map(of_bound).collect()
    }

    /// How often each value is there.
    pub(super) fn counts(&self) -> Counts {
        // Samples without a value are counted beside them.
        let count = |ranks: &[u32]| {
            let mut counts = vec![0; self.ranks.numbers().len() + 1];
            ranks.iter().for_each(|rank| counts[*rank as usize] += 1);
            counts.pop();
            counts
        };
        let (failing, passing) = self.ranks.ranks().split_at(self.failing);
        let numbers = self.ranks.numbers().to_vec();
        Counts { numbers, failing: count(failing), passing: count(passing) }
    }
}

impl Counts {
    /// Those of the values of some inputs, given which of them fail, and how many do.
    ///
    /// Nothing is kept of the other inputs, so that a feature that no condition comes of costs a look at each of its values.
    /// `absent` is the value of all other inputs, or that of each.
    pub(super) fn of(
        values: &Values,
        (fails, failing): (&[bool], usize),
        absent: &[Option<i128>],
    ) -> Self {
        let mut counts = values.counts(fails);
        let known: usize = counts.1.iter().map(|count| count[0]).sum();
        let mut gap = |value: Option<i128>, [failing, passing]: [usize; 2]| {
            let Some(value) = value.filter(|_| failing + passing > 0) else { return };
            let at = counts.0.partition_point(|known| *known < value);
            if counts.0.get(at) != Some(&value) {
                counts.0.insert(at, value);
                counts.1.insert(at, [0, 0]);
            }
            counts.1[at][0] += failing;
            counts.1[at][1] += passing;
        };
        match absent {
            [] => {}
            [of_all] => {
                let failing = failing - known;
                gap(*of_all, [failing, fails.len() - values.len() - failing]);
            }
            of_each => {
                let mut known = values.iter().map(|(row, _)| row).peekable();
                for (row, value) in of_each.iter().enumerate() {
                    if known.next_if_eq(&row).is_none() {
                        gap(*value, [usize::from(fails[row]), usize::from(!fails[row])]);
                    }
                }
            }
        }
        let (numbers, counts) = counts;
        let of = |side: usize| counts.iter().map(|count| count[side]).collect();
        Counts { numbers, failing: of(0), passing: of(1) }
    }

    /// Bounds that separate failing values from passing ones best, and single values: those that are `wanted`, given how many
    /// samples meet them and how many of these fail.
    pub(super) fn bounds(
        mut self,
        feature: &Feature,
        wanted: &dyn Fn(&Feature, usize, usize) -> bool,
    ) -> Vec<Bound> {
        let mut bounds: Vec<Bound> = Vec::new();
        if feature.may_be_one() {
            bounds.extend(self.often(&self.failing).into_iter().map(Bound::Is));
            bounds.extend(self.often(&self.passing).into_iter().map(Bound::IsNot));
        }
        for (at, outside) in self.thresholds() {
            let outside = outside.map(|at| self.numbers[at]);
            bounds.push(Bound::AtLeast(roundest(outside, self.numbers[at], feature)));
        }
        // From above, values are counted backwards.
        self.reverse();
        let last = self.numbers.len() - 1;
        for (at, outside) in self.thresholds() {
            let outside = outside.map(|at| self.numbers[last - at]);
            bounds.push(Bound::AtMost(roundest(outside, self.numbers[last - at], feature)));
        }
        self.reverse();
        bounds.sort_unstable();
        bounds.dedup();
        bounds.retain(|bound| {
            let (holding, hits) = self.holding(*bound);
            wanted(feature, holding, hits)
        });
        bounds
    }

    /// Whether all of some samples have the same value.
    pub(super) fn are_all_the_same(&self, samples: usize) -> bool {
        let all: usize = self.failing.iter().chain(&self.passing).sum();
        self.numbers.is_empty() || self.numbers.len() == 1 && all == samples
    }

    /// The values that most samples have. Samples without a value are not counted.
    ///
    /// At most `MAX_SINGLE_NUMBERS`, the most frequent first.
    fn often(&self, counts: &[usize]) -> Vec<i128> {
        let mut rated: Vec<usize> = (0..counts.len()).filter(|at| counts[*at] > 0).collect();
        rated.sort_by_key(|at| (std::cmp::Reverse(counts[*at]), *at));
        rated.into_iter().take(MAX_SINGLE_NUMBERS).map(|at| self.numbers[at]).collect()
    }

    /// Counts from the greatest value to the least, or the other way round again.
    fn reverse(&mut self) {
        self.failing.reverse();
        self.passing.reverse();
    }

    /// How many samples meet a bound, and how many of these fail.
    fn holding(&self, bound: Bound) -> (usize, usize) {
        let sum = |counts: &[usize]| -> usize {
            let holding =
                counts.iter().zip(&self.numbers).filter(|(_, value)| bound.holds(**value));
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
        let bounds = column.counts().bounds(&column.feature, &|_, _, _| true);
        column.candidates(&bounds).into_iter().map(told).collect()
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
        let wanted = |_: &Feature, holding: usize, hits: usize| holding == hits;
        assert_eq!(column.counts().bounds(&column.feature, &wanted), [Bound::AtLeast(8)]);
    }

    #[test]
    fn values_are_counted_as_they_are_ranked() {
        let fails = [true, false, true, false, true];
        let values = [Some(4), None, Some(7), None, None];
        let mut known = Values::default();
        let there = (0u32..).zip(values).filter_map(|(row, value)| Some((row, value?)));
        there.for_each(|(row, value)| known.push(row, value));
        let told = |counts: Counts| (counts.numbers, counts.failing, counts.passing);
        let all = |absent: &[Option<i128>]| told(Counts::of(&known, (&fails, 3), absent));
        assert_eq!(all(&[]), (vec![4, 7], vec![1, 1], vec![0, 0]));
        assert_eq!(all(&[Some(4)]), (vec![4, 7], vec![2, 1], vec![2, 0]));
        let each = [None, Some(0), None, Some(7), None];
        assert_eq!(all(&each), (vec![0, 4, 7], vec![0, 1, 1], vec![1, 0, 1]));
        assert!(!Counts::of(&known, (&fails, 3), &[]).are_all_the_same(2));
    }
}
