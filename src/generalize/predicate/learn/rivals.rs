//! What else agrees with the tested inputs: conditions that all failing inputs meet, and some that no passing one meets.
//!
//! A condition that was learnt from few inputs is one of many that agree with them. What distinguishes it from the others
//! are inputs of which they say different things.

use super::candidates::Candidate;
use super::table::{Table, failing};
use super::{Bits, Predicate, agreeing, conditions_of};
use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::Feature;

/// Conditions of each kind, the lightest, because each is evaluated on each input that is made against one. Not measured.
const MAX_RIVALS: usize = 400;
/// Of this many failing inputs one at least meets a condition that no passing input meets, because one that explains fewer
/// explains odd inputs.
const INPUTS_PER_EXPLAINED: usize = 4;

/// Conditions that agree with the tested inputs as far as one side of them goes.
#[derive(Debug, Default)]
pub(in crate::generalize::predicate) struct Rivals {
    /// What all failing inputs meet: one of them that another condition does not name may be a part of the cause.
    pub needed: Vec<Predicate>,
    /// What some failing inputs meet and no passing one: one of them may be the cause, too.
    pub enough: Vec<Predicate>,
    /// How many of the first ones of both are one condition that agrees with all inputs: each may be the whole cause.
    pub whole: usize,
}

/// The rivals of a predicate. Words that all inputs have are needed, too, as far as the inputs show.
pub(in crate::generalize::predicate) fn rivals(
    table: &Table,
    required: &[String],
    predicate: &Predicate,
) -> Rivals {
    let (samples, failing) = (table.fails().len(), failing(table));
    let wanted: Bits = (0..samples).map(|row| row < failing).collect();
    let all = conditions_of(table, required);
    let single = |one: &Candidate| Predicate::All(vec![one.condition.clone()]);
    let is_needed = |one: &&Candidate| one.holds.common(&wanted) == failing;
    let is_enough = |one: &&Candidate| {
        let hits = one.holds.common(&wanted);
        hits * INPUTS_PER_EXPLAINED >= failing && one.holds.count() == hits
    };
    let everywhere = table.texts().filter_map(|(name, cells)| {
        let there = cells.filter(|(_, count)| *count > 0).count();
        let feature = Feature::Count(name.clone());
        Some(Condition { feature, bound: Bound::AtLeast(1) }).filter(|_| there == samples)
    });
    let mut everywhere: Vec<Condition> = everywhere.collect();
    everywhere.sort();
    let mut whole = agreeing(table, &all);
    whole.retain(|one| one != predicate);
    let is_single = |one: &Predicate| one.conditions().len() == 1;
    whole.sort_by_key(|one| !is_single(one));
    let singles = whole.iter().filter(|one| is_single(one)).count();
    // That a part has several properties is among what was learnt already.
    let single_features =
        || all.iter().filter(|one| !matches!(one.condition.feature, Feature::Parts(..)));
    let mut needed: Vec<Predicate> = whole.clone();
    needed.extend(everywhere.into_iter().map(|one| Predicate::All(vec![one])));
    needed.extend(single_features().filter(is_needed).take(MAX_RIVALS).map(single));
    needed.retain(|one| one != predicate);
    let mut enough = whole;
    enough.extend(single_features().filter(is_enough).take(MAX_RIVALS).map(single));
    enough.retain(|one| one != predicate);
    Rivals { needed, enough, whole: singles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::feature::Features;

    #[test]
    fn what_all_failing_inputs_have_is_needed_and_what_only_failing_ones_have_is_enough() {
        let input = |names: &[&str]| -> Features {
            names.iter().map(|name| (Feature::Count((*name).into()), 1)).collect()
        };
        let mut table = Table::default();
        for names in [["key", "a", "x"], ["key", "a", "y"], ["key", "a", "x"], ["key", "a", "x"]] {
            table.add(input(&names), true);
        }
        for names in [&["key", "y"][..], &["key"], &["key", "y"]] {
            table.add(input(names), false);
        }
        let there = |name: &str| {
            let feature = Feature::Count(name.into());
            Predicate::All(vec![Condition { feature, bound: Bound::AtLeast(1) }])
        };
        let found = rivals(&table, &[], &there("a"));
        assert!(found.needed.contains(&there("key")) && !found.needed.contains(&there("x")));
        assert!(found.enough.contains(&there("x")) && !found.enough.contains(&there("y")));
        assert!(!found.needed.contains(&there("a")));
    }
}
