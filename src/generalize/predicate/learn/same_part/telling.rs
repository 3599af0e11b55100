//! Which features of the parts of one name are joined with each other.
//!
//! An object of three keys has hundreds of features, and all pairs of them would take seconds. Which say most alone depends on
//! the inputs, so they are chosen each time.

use std::collections::BTreeSet;

use super::{Inputs, Limit, Parts, Side};
use crate::generalize::predicate::condition::Bound;
use crate::generalize::predicate::features::default;

/// Features of a name's parts that are joined, a bound on the time because each is joined with all first bounds.
const MAX_COLUMNS: usize = 48;
/// Those of them that are chosen for conditions about failing inputs: most, because few causes say what no part may be. The
/// others are chosen for passing ones.
const MAX_COLUMNS_OF_FAILING: usize = 36;

impl Parts<'_> {
    /// Keeps the columns whose bounds say most alone: an object of three keys has hundreds of columns, and that it lacks one
    /// key is not the first of them.
    ///
    /// Of columns that say as much the lightest are kept. Their order stays.
    pub(super) fn keep_telling(&mut self, inputs: &Inputs<'_>) {
        if self.columns.len() <= MAX_COLUMNS {
            return;
        }
        let everything: Vec<usize> = (0..self.places.len()).collect();
        let mut kept: BTreeSet<usize> = BTreeSet::new();
        for (side, most) in [(Side::Failing, MAX_COLUMNS_OF_FAILING), (Side::Passing, MAX_COLUMNS)]
        {
            let least_wrong = |column: &usize| {
                let bounds = self.first_bounds(&everything, *column, inputs, side);
                let bounds = bounds.into_iter().map(|bound| Limit { column: *column, bound });
                let told = bounds
                    .map(|limit| self.meeting(&everything, limit))
                    .filter_map(|base| self.told(&base, inputs, side));
                told.min().unwrap_or((usize::MAX, usize::MAX))
            };
            let mut rated: Vec<usize> =
                (0..self.columns.len()).filter(|column| !kept.contains(column)).collect();
            rated.sort_by_cached_key(least_wrong);
            kept.extend(rated.into_iter().take(most - kept.len()));
        }
        let mut column = 0..;
        self.columns.retain(|_| kept.contains(&column.next().expect("there is always one more")));
    }

    /// The bounds of a column that others are joined to: whether it is there at all, and what all inputs of a side have.
    pub(super) fn first_bounds(
        &self,
        everything: &[usize],
        column: usize,
        inputs: &Inputs<'_>,
        side: Side,
    ) -> Vec<Bound> {
        let feature = &self.columns[column].0;
        let mut bounds = match default(feature) {
            Some(_) => vec![Bound::AtLeast(1), Bound::AtMost(0)],
            None => Vec::new(),
        };
        if feature.is_difference() {
            bounds.extend([Bound::Is(0), Bound::IsNot(0)]);
        }
        if !feature.is_question() {
            let best = [1, -1].map(|sign| self.extreme(everything, (column, sign), inputs, side));
            bounds.extend(best[0].map(Bound::AtLeast));
            bounds.extend(best[1].map(Bound::AtMost));
        }
        bounds.sort_unstable();
        bounds.dedup();
        bounds
    }
}
