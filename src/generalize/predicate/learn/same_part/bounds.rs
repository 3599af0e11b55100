//! Bounds of the parts of one name: the value that all inputs of a side reach, and the one that no input of the other side does.
//!
//! An input has several parts of a name, and one of them is enough. So what counts of an input is the greatest value of its parts, or the
//! least one for a bound from above. The inputs come with those that fail first.

use std::collections::BTreeSet;

use super::{Inputs, Limit, Parts, Side};
use crate::generalize::predicate::condition::Bound;
use crate::generalize::predicate::feature::{Feature, Term};
use crate::generalize::predicate::learn::candidates::roundest;

/// Numbers of a column that are tried as the only one, because parts of random texts have many. Not measured.
const MAX_SINGLE_VALUES: usize = 8;
/// In place of the value of an input that has none: less than any other.
const NONE: i128 = i128::MIN;

impl Parts<'_> {
    /// The greatest value that some parts of each input have, in the order of the inputs: times the sign, and with the sign
    /// 0 whatever its own is. `NONE` for an input without one.
    ///
    /// It is asked for each column of each name again and again, so it is where most of the time of this module goes.
    fn best(
        &self,
        base: &[usize],
        (column, sign): (usize, i128),
        inputs: &Inputs<'_>,
    ) -> Vec<i128> {
        match sign {
            1 => self.greatest(base, column, inputs, |value| value),
            0 => self.greatest(base, column, inputs, i128::saturating_abs),
            _ => self.greatest(base, column, inputs, i128::saturating_neg),
        }
    }

    /// The same with a function in place of the sign, so that each sign has a loop of its own.
    ///
    /// Costs one look at each part of `base`.
    fn greatest(
        &self,
        base: &[usize],
        column: usize,
        inputs: &Inputs<'_>,
        of: impl Fn(i128) -> i128,
    ) -> Vec<i128> {
        let values = &self.columns[column].1;
        let mut best = vec![NONE; inputs.places.len()];
        for part in base {
            if let Some(value) = values[*part] {
                let known = &mut best[self.places[*part]];
                *known = (*known).max(of(value));
            }
        }
        best
    }

    /// The bound that all inputs of a side meet by one of some parts.
    ///
    /// Inputs without a value do not count, and no bound is rounded: others are joined to it, and a rounded one could leave out a part
    /// that they need.
    pub(super) fn extreme(
        &self,
        base: &[usize],
        (column, sign): (usize, i128),
        inputs: &Inputs<'_>,
        side: Side,
    ) -> Option<i128> {
        let best = self.best(base, (column, sign), inputs);
        let (failing, passing) = best.split_at(inputs.failing);
        let own = if side == Side::Failing { failing } else { passing };
        let least = own.iter().filter(|value| **value != NONE).min();
        least.map(|value| value.saturating_mul(sign))
    }

    /// The bound that one of some parts meets for the inputs of a side and none for the others.
    ///
    /// `sign` is 1 for a least value, -1 for a greatest one, and 0 for any value but 0. Of failing inputs the allowed
    /// number may be missed.
    pub(super) fn separating(
        &self,
        base: &[usize],
        (column, sign): (usize, i128),
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Option<Bound> {
        let best = self.best(base, (column, sign), inputs);
        let (failing, passing) = best.split_at(inputs.failing);
        let (own, others, allowed) = match side {
            Side::Failing => (failing, passing, inputs.allowed),
            Side::Passing => (passing, failing, 0),
        };
        let most = others.iter().max().copied().unwrap_or(NONE);
        let is_inside = |value: &&i128| **value > most;
        if own.len() - own.iter().filter(is_inside).count() > allowed {
            return None;
        }
        let inside = own.iter().filter(is_inside).min().copied()?;
        let outside = Some(most).filter(|most| *most != NONE);
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
        base: &[usize],
        column: usize,
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Vec<Bound> {
        let (feature, values) = &self.columns[column];
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
                .filter_map(|part| values[*part])
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
