//! Bounds of the parts of one name: the value that all inputs of a side reach, and the one that no input of the other side does.
//!
//! An input has several parts of a name, and one of them is enough. So what counts of an input is the greatest value of its parts, or the
//! least one for a bound from above. The inputs come with those that fail first.

use std::collections::BTreeSet;

use super::{Inputs, Limit, Parts, Side};
use crate::generalize::predicate::condition::Bound;
use crate::generalize::predicate::feature::{Feature, Term};
use crate::generalize::predicate::learn::candidates::roundest;
use crate::generalize::predicate::learn::values::Ranks;

/// Numbers of a column that are tried as the only one, because parts of random texts have many. Not measured.
const MAX_SINGLE_VALUES: usize = 8;
/// What a column is ordered by: its values, their opposites, or their sizes without their signs.
struct Order {
    /// For each rank of the column how great its number is: 0 for parts without a value, then 1 for the least number.
    steps: Vec<u32>,
    /// The number of each step but the first, in ascending order.
    numbers: Vec<i128>,
}

impl Order {
    /// The order of a column, times the sign; with the sign 0 whatever the sign of its values is.
    fn of(ranks: &Ranks, sign: i128) -> Self {
        let signed = |value: &i128| match sign {
            0 => value.saturating_abs(),
            1 => *value,
            _ => value.saturating_neg(),
        };
        let of_ranks: Vec<i128> = ranks.numbers().iter().map(signed).collect();
        let mut numbers = of_ranks.clone();
        numbers.sort_unstable();
        numbers.dedup();
        let step = |value: &i128| numbers.partition_point(|number| number < value) as u32 + 1;
        Order { steps: of_ranks.iter().map(step).chain([0]).collect(), numbers }
    }

    /// The number of a step.
    ///
    /// None for parts without a value, whose step is 0.
    fn number(&self, step: u32) -> Option<i128> {
        self.numbers.get((step as usize).checked_sub(1)?).copied()
    }
}

/// The greatest step that some parts of each input have, in the order of the inputs.
///
/// Steps are compared in place of numbers, because a number has sixteen bytes and a step has four.
struct Best {
    order: Order,
    steps: Vec<u32>,
}

/// The greatest and the least value of a column in each input, and how many parts have which value.
///
/// What a bound of all parts says follows from these, without another look at each part. A name has up to a hundred times as many
/// parts as there are inputs, and a column has half a dozen bounds, each of which is asked for both sides.
///
/// Values are compared by their ranks.
pub(super) struct Extremes {
    /// By input 1 more than the greatest rank of its parts, and how many ranks there are less the least one; 0 without a value.
    steps: [Vec<u32>; 2],
    /// By rank how many parts of inputs that fail and of others have it.
    parts: Vec<[usize; 2]>,
}

impl Extremes {
    /// The greatest and the least value that all inputs of a side reach by one of their parts.
    ///
    /// Inputs without a value do not count, and no value is rounded: other bounds are joined to it, and a rounded one could leave out a part
    /// that they need.
    pub(super) fn reached(
        &self,
        ranks: &Ranks,
        (inputs, side): (&Inputs<'_>, Side),
    ) -> [Option<i128>; 2] {
        let numbers = ranks.numbers();
        let least_step = |steps: &[u32]| {
            let (own, ..) = inputs.sides(steps, side);
            own.iter().copied().filter(|step| *step > 0).min()
        };
        let [greatest, least] = &self.steps;
        let greatest = least_step(greatest).map(|step| numbers[step as usize - 1]);
        [greatest, least_step(least).map(|step| numbers[numbers.len() - step as usize])]
    }

    /// The answer of [`Parts::told`] for all parts that meet a bound, if it is one from below or from above.
    ///
    /// An input has a part that meets one from below if its greatest value does. Nothing for a single number: the parts have to be
    /// looked at then.
    pub(super) fn told(
        &self,
        (ranks, bound): (&Ranks, Bound),
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Option<Option<(usize, usize)>> {
        let numbers = ranks.numbers();
        let (steps, least, met) = match bound {
            Bound::AtLeast(least) => {
                let from = numbers.partition_point(|number| *number < least);
                (&self.steps[0], from, from..numbers.len())
            }
            Bound::AtMost(most) => {
                let to = numbers.partition_point(|number| *number <= most);
                (&self.steps[1], numbers.len() - to, 0..to)
            }
            Bound::Is(_) | Bound::IsNot(_) => return None,
        };
        let (own, others, allowed) = inputs.sides(steps, side);
        let has = |step: &&u32| **step as usize > least;
        let missed = own.len() - own.iter().filter(has).count();
        let having = others.iter().filter(has).count();
        let of_others = usize::from(side == Side::Failing);
        let parts = self.parts[met].iter().map(|count| count[of_others]).sum();
        Some((missed <= allowed).then_some((having, parts)))
    }
}

impl Parts<'_> {
    /// The greatest and the least values of a column.
    ///
    /// Parts without a value do not count. Costs one look at each part.
    pub(super) fn extremes(&self, column: usize, inputs: &Inputs<'_>) -> Extremes {
        let ranks = &self.columns[column].1;
        let count = ranks.numbers().len() as u32;
        let mut steps = [vec![0; inputs.places.len()], vec![0; inputs.places.len()]];
        let mut parts = vec![[0, 0]; count as usize];
        for (rank, place) in ranks.ranks().iter().zip(&self.places) {
            if *rank < count {
                let place = *place as usize;
                steps[0][place] = steps[0][place].max(rank + 1);
                steps[1][place] = steps[1][place].max(count - rank);
                parts[*rank as usize][usize::from(place >= inputs.failing)] += 1;
            }
        }
        Extremes { steps, parts }
    }

    /// The greatest values that some parts of each input have: times the sign, and with the sign 0 whatever their own is.
    ///
    /// It is asked for each column of each name again and again, so it is where most of the time of this module goes. Costs
    /// one look at each part of `base`.
    fn best(&self, base: &[u32], (column, sign): (usize, i128), inputs: &Inputs<'_>) -> Best {
        let ranks = &self.columns[column].1;
        let order = Order::of(ranks, sign);
        let ranks = ranks.ranks();
        let mut steps = vec![0; inputs.places.len()];
        for part in base {
            let step = order.steps[ranks[*part as usize] as usize];
            let known = &mut steps[self.place(*part)];
            *known = step.max(*known);
        }
        Best { order, steps }
    }

    /// The bound that one of some parts meets for the inputs of a side and none for the others.
    ///
    /// `sign` is 1 for a least value, -1 for a greatest one, and 0 for any value but 0. Of failing inputs the allowed
    /// number may be missed.
    pub(super) fn separating(
        &self,
        base: &[u32],
        (column, sign): (usize, i128),
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Option<Bound> {
        let Best { order, steps } = self.best(base, (column, sign), inputs);
        let (own, others, allowed) = inputs.sides(&steps, side);
        let most = others.iter().max().copied().unwrap_or(0);
        let is_inside = |step: &&u32| **step > most;
        if own.len() - own.iter().filter(is_inside).count() > allowed {
            return None;
        }
        let inside = order.number(own.iter().filter(is_inside).min().copied()?)?;
        let outside = order.number(most);
        let feature = &*self.columns[column].0;
        if sign == 0 {
            let is_zero = outside.is_none_or(|outside| outside == 0);
            return (is_zero && inside > 0).then_some(Bound::IsNot(0));
        }
        Some(match sign {
            1 => Bound::AtLeast(roundest(outside, inside, feature)),
            _ => Bound::AtMost(roundest(outside.map(|outside| -outside), -inside, feature)),
        })
    }

    /// One number that a part of each input of a side has and no part of the others, or that all parts of the others have.
    ///
    /// Only values, lengths and numbers of decimals are one number and no other, and differences are 0.
    pub(super) fn singled(
        &self,
        base: &[u32],
        column: usize,
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Vec<Bound> {
        let (feature, ranks) = &self.columns[column];
        let is_number = matches!(
            &**feature,
            Feature::Value(Term::First(_) | Term::Longest(_) | Term::Decimals(_))
        );
        if !is_number && !feature.is_difference() {
            return Vec::new();
        }
        let of = |wanted: bool| -> BTreeSet<i128> {
            base.iter()
                .filter(|part| self.is_of(**part, inputs, side) == wanted)
                .filter_map(|part| ranks.value(*part as usize))
                .collect()
        };
        let (own, others) = (of(true), of(false));
        // Of differences only 0 says something: both numbers are equal.
        let alone = own.difference(&others).filter(|value| is_number || **value == 0);
        let alone = alone.map(|value| Bound::Is(*value));
        let mut bounds: Vec<Bound> = alone.take(MAX_SINGLE_VALUES).collect();
        if let (Some(value), 1, true) = (others.first(), others.len(), is_number) {
            bounds.push(Bound::IsNot(*value));
        }
        bounds.retain(|bound| {
            let met = self.meeting(base, Limit { column, bound: *bound });
            self.wrong(&met, inputs, side) == Some(0)
        });
        bounds
    }
}
