//! Two conditions of which one is enough, where each explains a part of the failing inputs: a `set` of one thing, or an `if`
//! of more than three.
//!
//! Some targets fail in two places with the same message, or one place is reached in two ways.
//!
//! What holds for all failing inputs is found elsewhere, and so are two single bounds of which one is enough. Here the first
//! condition may be several bounds of one part. It explains many failing inputs and holds for none that passes; the second
//! one is learnt from the inputs that are left over. Rule learners call this sequential covering.

use super::bits::Bits;
use super::candidates::Candidate;
use super::same_part::Inputs;
use super::table::{Table, failing, places};
use super::{conditions, different};
use crate::generalize::predicate::condition::SECOND_CONDITION_WEIGHT;
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::formula::Predicate;

/// First conditions that others are added to: those that explain most inputs. A bound on the time: each takes half a second
/// where there are 40,000 features.
const MAX_FIRST: usize = 3;
/// Failing inputs that each of the two explains at least: what explains fewer explains odd inputs.
const MIN_EXPLAINED: usize = 6;

/// The lightest two of which one is enough, each with its weight; nothing if there are none. They miss at most `allowed`
/// failing inputs.
///
/// Cost: for each first condition a table of the inputs that are left over, and learning one condition from it.
pub(super) fn either(
    table: &Table,
    required: &[String],
    allowed: usize,
) -> Option<(u32, Predicate)> {
    let failing = failing(table);
    if failing < 2 * MIN_EXPLAINED {
        return None;
    }
    let places = places(table);
    let mut firsts = explaining(table, required, (&places, failing - MIN_EXPLAINED));
    // None holds for a passing input.
    let explained = |one: &Candidate| one.holds.count();
    firsts.retain(|one| failing - explained(one) >= MIN_EXPLAINED);
    firsts.sort_by_key(|one| (std::cmp::Reverse(explained(one)), one.weight));
    let both = different(&firsts).into_iter().take(MAX_FIRST).filter_map(|first| {
        let holds: Vec<bool> = first.holds.iter(places.len()).collect();
        let left = table.of_rows(&|row| !holds[places[row]]);
        let left_places = super::table::places(&left);
        let second = explaining(&left, required, (&left_places, allowed)).into_iter().next()?;
        let weight = first.weight + second.weight + SECOND_CONDITION_WEIGHT;
        Some((weight, Predicate::Any(vec![first.condition.clone(), second.condition])))
    });
    both.min_by_key(|(weight, _)| *weight)
}

/// What one of the two may be.
///
/// The conditions that hold for no passing input and miss at most a number of failing ones, the lightest first.
fn explaining(
    table: &Table,
    required: &[String],
    (places, allowed): (&[usize], usize),
) -> Vec<Candidate> {
    let failing = failing(table);
    let wanted: Bits = (0..places.len()).map(|row| row < failing).collect();
    let is_of_use =
        |_: &Feature, holding: usize, hits: usize| holding == hits && failing - hits <= allowed;
    let mut all = conditions(table, &Inputs { places, failing, allowed }, required, &is_of_use);
    all.retain(|one| {
        let hits = one.holds.common(&wanted);
        one.holds.count() == hits && failing - hits <= allowed
    });
    all
}
