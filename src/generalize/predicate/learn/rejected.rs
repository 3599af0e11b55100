//! What many rejected inputs have and none that the target takes: a key that is not there, a text in place of a number.
//!
//! A target says nothing about an input that it rejects. So one that has what the rejected ones have is not worth a test.

use super::bits::Bits;
use super::candidates::candidates;
use super::table::{Table, failing};
use crate::generalize::predicate::condition::Condition;
use crate::generalize::predicate::feature::Feature;

/// Rejected inputs that have it at least which no other condition explains: of thousands of conditions some hold for three or four
/// rejected inputs by chance.
const MIN_EXPLAINED: usize = 5;
/// Of this many rejected inputs one has it at least, since among many inputs more conditions hold by chance.
const INPUTS_PER_EXPLAINED: usize = 16;
/// Inputs that the target takes, without which nothing is known of them. Not measured.
const MIN_TAKEN: usize = 12;

/// Conditions that hold for rejected inputs and for none that the target takes, each for some for which the ones before it do
/// not hold: that which explains most comes first. In `table` the rejected inputs are those that fail.
///
/// Only bounds between 0 and 1 count: something is there, or it is not.
pub(in crate::generalize::predicate) fn rejected(table: &Table) -> Vec<Condition> {
    let (inputs, rejected) = (table.fails().len(), failing(table));
    if rejected < MIN_EXPLAINED || inputs - rejected < MIN_TAKEN {
        return Vec::new();
    }
    let mut left: Bits = (0..inputs).map(|row| row < rejected).collect();
    let least = MIN_EXPLAINED.max(rejected / INPUTS_PER_EXPLAINED);
    let is_told = |condition: &Condition| condition.bound.holds(0) != condition.bound.holds(1);
    let is_of_use = |_: &Feature, holding: usize, hits: usize| hits >= least && hits == holding;
    let mut all: Vec<(Condition, Bits)> = candidates(table, &[], &is_of_use)
        .into_iter()
        .filter(|one| is_told(&one.condition))
        .map(|one| (one.condition, one.holds))
        .collect();
    all.sort_by_cached_key(|(condition, _)| (condition.weight(), condition.clone()));
    let mut found = Vec::new();
    loop {
        let explained = |(_, holds): &(Condition, Bits)| holds.common(&left);
        let best = (0..all.len()).max_by_key(|at| (explained(&all[*at]), std::cmp::Reverse(*at)));
        let Some(best) = best.filter(|at| explained(&all[*at]) >= least) else { return found };
        let (condition, holds) = all.swap_remove(best);
        left = left.without(&holds);
        found.push(condition);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::condition::Bound;
    use crate::generalize::predicate::feature::Features;

    #[test]
    fn what_many_rejected_inputs_have_and_no_other_is_told() {
        let mut table = Table::default();
        let of = |names: &[&str]| -> Features {
            names.iter().map(|name| (Feature::Count((*name).into()), 1)).collect()
        };
        for row in 0..20 {
            table.add(of(&["key", ["a", "b"][row % 2]]), false);
        }
        for row in 0..8 {
            table.add(of(&[["a", "b"][row % 2], if row < 2 { "key" } else { "x" }]), true);
        }
        let found = rejected(&table);
        let lacks = Condition { feature: Feature::Count("key".into()), bound: Bound::AtMost(0) };
        let other = Condition { feature: Feature::Count("x".into()), bound: Bound::AtLeast(1) };
        assert!(found == [lacks] || found == [other], "{found:?}");
    }
}
