//! The condition that is wrong about the fewest inputs, where none is right about all.
//!
//! It is not the cause, but it says where to look, and it is reported with its precision and recall.

use super::bits::Bits;
use super::candidates::Candidate;
use super::conditions;
use super::same_part::Inputs;
use super::table::{Table, failing, places};
use crate::generalize::predicate::condition::Condition;
use crate::generalize::predicate::formula::Predicate;

/// What a condition costs that is wrong about all failing inputs or about all passing ones.
const ALL_WRONG: usize = 1000;
/// What each unit of a condition's weight costs, in thousandths of the inputs of a kind: a second condition, which weighs
/// 12, has to be right about one failing input in sixteen more. Not measured.
const COST_OF_WEIGHT: usize = 5;
/// Conditions of which all pairs are tried, those that are wrong least: 780 pairs. Not measured.
const MAX_PAIRED: usize = 40;
/// Of this many failing inputs one part's condition may miss one, so that those are found that are nearly right.
const INPUTS_PER_MISSED: usize = 6;

/// How the rows of two conditions are joined, 64 at a time, and the predicate that says so.
type Join = (fn(u64, u64) -> u64, fn(Vec<Condition>) -> Predicate);

/// The condition, or two that hold together or of which one holds, that is wrong about the smallest share of failing and
/// of passing inputs.
///
/// Nothing if all inputs fail or all pass, or none holds for the minimized input.
pub(in crate::generalize::predicate) fn nearest(
    table: &Table,
    required: &[String],
) -> Option<Predicate> {
    let (samples, failing) = (table.fails().len(), failing(table));
    if failing == 0 || failing == samples {
        return None;
    }
    let wanted: Bits = (0..samples).map(|row| row < failing).collect();
    let cost = |holding: usize, hits: usize, weight: u32| {
        let (missed, alarms) = (failing - hits, holding - hits);
        let wrong = missed * ALL_WRONG / failing + alarms * ALL_WRONG / (samples - failing);
        wrong + COST_OF_WEIGHT * weight as usize
    };
    let allowed = failing / INPUTS_PER_MISSED;
    let inputs = Inputs { places: &places(table), failing, allowed };
    let all = conditions(table, &inputs, required, &|_, _, _| true);
    let mut rated: Vec<(usize, &Candidate)> = all
        .iter()
        .map(|one| (cost(one.holds.count(), one.holds.common(&wanted), one.weight), one))
        .collect();
    rated.sort_by_key(|(cost, _)| *cost);
    rated.truncate(MAX_PAIRED);
    // The first failing input is the minimized one. A condition that does not hold for it is about mutants alone.
    let says_first = |one: &Candidate| u64::from(one.holds.iter(1).next() == Some(true));
    let mut best: Option<(usize, Predicate)> = rated
        .iter()
        .find(|(_, one)| says_first(one) == 1)
        .map(|(cost, one)| (*cost, Predicate::All(vec![one.condition.clone()])));
    let joins: [Join; 2] =
        [(|one, other| one & other, Predicate::All), (|one, other| one | other, Predicate::Any)];
    for (at, (_, one)) in rated.iter().enumerate() {
        for (_, other) in &rated[at + 1..] {
            for (join, predicate) in joins {
                if join(says_first(one), says_first(other)) == 0 {
                    continue;
                }
                let (holding, hits) = one.holds.joined(&other.holds, &wanted, join);
                let both = predicate(vec![one.condition.clone(), other.condition.clone()]);
                let cost = cost(holding, hits, both.weight());
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, both));
                }
            }
        }
    }
    best.map(|(_, predicate)| predicate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::feature::{Feature, Term};

    #[test]
    fn the_bound_is_found_that_is_wrong_about_one_input_in_ten() {
        let number = || Feature::Value(Term::Greatest("<N>".into()));
        let mut table = Table::default();
        table.add([(number(), 60)].into(), true);
        for value in 0..100 {
            let fails = (value >= 50) != (value % 10 == 3);
            table.add([(number(), value)].into(), fails);
        }
        assert_eq!(super::super::learn(&table, &[]), None);
        let found = nearest(&table, &[]).unwrap().to_string();
        assert_eq!(found, "some <N> is at least 50");
    }

    #[test]
    fn what_does_not_hold_for_the_minimized_input_is_not_said() {
        let number = || Feature::Value(Term::Greatest("<N>".into()));
        let mut table = Table::default();
        table.add([(number(), 0)].into(), true);
        for value in 0..100 {
            table.add([(number(), value)].into(), value >= 50);
        }
        let found = nearest(&table, &[]).map(|found| found.to_string());
        assert_ne!(found.as_deref(), Some("some <N> is at least 50"));
    }
}
