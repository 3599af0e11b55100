//! Which features of the parts of one name are joined with each other.
//!
//! An object of three keys has hundreds of features, and all pairs of them would take seconds. Which say most alone depends on
//! the inputs, so they are chosen each time.

use std::collections::BTreeSet;

use super::bounds::Extremes;
use super::{Inputs, Limit, Parts, Side, told};
use crate::generalize::predicate::condition::Bound;
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::features::default;

/// Features of a name's parts that are joined, a bound on the time because each is joined with all first bounds.
const MAX_COLUMNS: usize = 48;
/// Those of them that are chosen for conditions about failing inputs: most, because few causes say what no part may be. The
/// others are chosen for passing ones.
const MAX_COLUMNS_OF_FAILING: usize = 36;
/// Of this many passing inputs one may have a part in a range that another condition completes, because one in which more have such a part says
/// little. A guess.
const INPUTS_PER_NEAR_MISS: usize = 8;

impl Parts<'_> {
    /// Keeps the columns whose bounds say most alone: an object of three keys has hundreds of columns, and that it lacks one
    /// key is not the first of them.
    ///
    /// Of columns that say as much the lightest are kept. Their order stays.
    pub(super) fn keep_telling(&mut self, inputs: &Inputs<'_>) {
        if self.columns.len() <= MAX_COLUMNS {
            return;
        }
        let everything = self.everything();
        let sides = [(Side::Failing, MAX_COLUMNS_OF_FAILING), (Side::Passing, MAX_COLUMNS)];
        let least_wrong = |column: usize| {
            let extremes = self.extremes(column, inputs);
            sides.map(|(side, _)| {
                let bounds = self.first_bounds(column, &extremes, (inputs, side)).into_iter();
                let ranks = &self.columns[column].1;
                let told = bounds.filter_map(|bound| {
                    let told = extremes.told((ranks, bound), (inputs, side));
                    let looked = || self.told_alone(Limit { column, bound }, (inputs, side));
                    told.unwrap_or_else(looked)
                });
                let told = told.min().unwrap_or((usize::MAX, usize::MAX));
                let range = self.range((column, &everything), &extremes, (inputs, side));
                if range.is_some() { (0, 0) } else { told }
            })
        };
        let rated: Vec<[(usize, usize); 2]> = (0..self.columns.len()).map(least_wrong).collect();
        let mut kept: BTreeSet<usize> = BTreeSet::new();
        for (side, (_, most)) in sides.into_iter().enumerate() {
            let mut best: Vec<usize> =
                (0..self.columns.len()).filter(|column| !kept.contains(column)).collect();
            best.sort_by_key(|column| rated[*column][side]);
            kept.extend(best.into_iter().take(most - kept.len()));
        }
        let mut column = 0..;
        self.columns.retain(|_| kept.contains(&column.next().expect("there is always one more")));
    }

    /// A range of a column's numbers that separates the sides, of which neither end says much alone.
    pub(super) fn range(
        &self,
        (column, everything): (usize, &[u32]),
        extremes: &Extremes,
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Option<[Limit; 2]> {
        let (feature, ranks) = &self.columns[column];
        let [extreme, _] = extremes.reached(ranks, (inputs, side));
        let extreme = extreme.filter(|_| !feature.is_question())?;
        let greatest = Limit { column, bound: Bound::AtLeast(extreme) };
        self.range_from(greatest, everything, (inputs, side)).or_else(|| {
            let ([least, _], wrong) = self.near_range((column, everything), (inputs, side))?;
            (wrong == 0).then(|| self.range_from(least, everything, (inputs, side))).flatten()
        })
    }

    /// Such a range of the parts that meet a bound from below.
    fn range_from(
        &self,
        least: Limit,
        everything: &[u32],
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Option<[Limit; 2]> {
        let column = least.column;
        let base = self.meeting(everything, least);
        let bound = self.separating(&base, (column, -1), (inputs, side))?;
        let most = Limit { column, bound };
        let base = self.meeting(everything, most);
        let bound = self.separating(&base, (column, 1), (inputs, side))?;
        // A count is at least 0 anyway.
        let is_any = default(&self.columns[column].0).is_some() && bound == Bound::AtLeast(0);
        (!is_any).then_some([Limit { column, bound }, most])
    }

    /// The range of a column's numbers that a part of each input of a side has, of which none may be missed, and the fewest inputs of the other side, where these are few: another
    /// condition may say which. Of those that say as much the narrowest; nothing if one end of it is that of all numbers.
    ///
    /// Only of sizes. Cost: two looks at each part.
    pub(super) fn near_range(
        &self,
        (column, everything): (usize, &[u32]),
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Option<([Limit; 2], usize)> {
        let (feature, ranks) = &self.columns[column];
        if !matches!(&**feature, Feature::Value(_)) {
            return None;
        }
        let mut values: Vec<(i128, usize)> = everything
            .iter()
            .filter_map(|part| Some((ranks.value(*part as usize)?, self.place(*part))))
            .collect();
        values.sort_unstable();
        // How many parts of each input are in the range, and how many inputs of each side have one.
        let (mut counts, mut having) = (vec![0u32; inputs.places.len()], [0usize; 2]);
        let is_other =
            |place: usize| usize::from((place < inputs.failing) != (side == Side::Failing));
        let (own, others, _) = inputs.sides(inputs.places, side);
        if own.is_empty() {
            return None;
        }
        let (mut best, mut end): (Option<(usize, i128, i128)>, usize) = (None, 0);
        for start in 0..values.len() {
            let is_repeated = start > 0 && values[start - 1].0 == values[start].0;
            if !is_repeated {
                while having[0] < own.len() && end < values.len() {
                    let last = values[end].0;
                    for (_, place) in values[end..].iter().take_while(|one| one.0 == last) {
                        counts[*place] += 1;
                        having[is_other(*place)] += usize::from(counts[*place] == 1);
                        end += 1;
                    }
                }
                if having[0] < own.len() {
                    break;
                }
                let (low, high) = (values[start].0, values[end - 1].0);
                let rank =
                    |(wrong, low, high): (usize, i128, i128)| (wrong, high.saturating_sub(low));
                let found = (having[1], low, high);
                if best.is_none_or(|known| rank(found) < rank(known)) {
                    best = Some(found);
                }
            }
            let place = values[start].1;
            counts[place] -= 1;
            having[is_other(place)] -= usize::from(counts[place] == 0);
        }
        let (wrong, low, high) = best?;
        let is_end = |value: i128, end: Option<&i128>| end == Some(&value);
        if is_end(low, ranks.numbers().first()) || is_end(high, ranks.numbers().last()) {
            return None;
        }
        let limits = [Bound::AtLeast(low), Bound::AtMost(high)];
        let is_near = wrong * INPUTS_PER_NEAR_MISS <= others.len();
        is_near.then_some((limits.map(|bound| Limit { column, bound }), wrong))
    }

    /// What [`Parts::told`] says of all parts that meet a bound, without a list of them.
    ///
    /// Costs one look at each part. It is asked for some bounds of each column, and for both sides.
    fn told_alone(
        &self,
        limit: Limit,
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Option<(usize, usize)> {
        let ranks = &self.columns[limit.column].1;
        let meeting = ranks.meeting(limit.bound);
        let mut counts = vec![0; inputs.places.len()];
        for (is_met, place) in ranks.which(&meeting).zip(&self.places) {
            counts[*place as usize] += u32::from(is_met);
        }
        told(&counts, inputs, side)
    }

    /// The bounds of a column that others are joined to: whether it is there at all, and what all inputs of a side have.
    pub(super) fn first_bounds(
        &self,
        column: usize,
        extremes: &Extremes,
        (inputs, side): (&Inputs<'_>, Side),
    ) -> Vec<Bound> {
        let (feature, ranks) = &self.columns[column];
        let mut bounds = match default(feature) {
            Some(_) => vec![Bound::AtLeast(1), Bound::AtMost(0)],
            None => Vec::new(),
        };
        if feature.is_difference() {
            bounds.extend([Bound::Is(0), Bound::IsNot(0)]);
        }
        if !feature.is_question() {
            let [greatest, least] = extremes.reached(ranks, (inputs, side));
            bounds.extend(greatest.map(Bound::AtLeast));
            bounds.extend(least.map(Bound::AtMost));
        }
        bounds.sort_unstable();
        bounds.dedup();
        bounds
    }
}
