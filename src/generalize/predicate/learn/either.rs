//! Two conditions of which one is enough, where each explains a part of the failing inputs: a `set` of one thing, or an `if`
//! of more than three.
//!
//! Some targets fail in two places with the same message, or one place is reached in two ways.
//!
//! What holds for all failing inputs is found elsewhere, and so are two single bounds of which one is enough. Here the first
//! condition may be several bounds of one part. It explains many failing inputs and holds for none that passes; the second
//! one is learnt from the inputs that are left over. Rule learners call this sequential covering.

use super::bits::Bits;
use super::candidates::{self, Candidate, candidates};
use super::same_part::{self, Inputs};
use super::table::{Table, failing, places};
use crate::generalize::predicate::condition::SECOND_CONDITION_WEIGHT;
use crate::generalize::predicate::formula::Predicate;

/// First conditions that others are added to: those that explain most inputs. A bound on the time, not measured.
const MAX_FIRST: usize = 6;
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
    firsts.retain(|(hits, _)| failing - hits >= MIN_EXPLAINED);
    firsts.sort_by_key(|(hits, one)| (std::cmp::Reverse(*hits), one.weight));
    let mut seen: Vec<Bits> = Vec::new();
    firsts.retain(|(_, one)| {
        let is_new = !seen.contains(&one.holds);
        seen.push(one.holds.clone());
        is_new
    });
    let both = firsts.into_iter().take(MAX_FIRST).filter_map(|(_, first)| {
        let holds: Vec<bool> = first.holds.iter(places.len()).collect();
        let left = table.of_rows(&|row| !holds[places[row]]);
        let left_places = super::table::places(&left);
        let second = explaining(&left, required, (&left_places, allowed));
        let (_, second) = second.into_iter().min_by_key(|(_, one)| one.weight)?;
        let weight = first.weight + second.weight + SECOND_CONDITION_WEIGHT;
        Some((weight, Predicate::Any(vec![first.condition, second.condition])))
    });
    both.min_by_key(|(weight, _)| *weight)
}

/// What one of the two may be.
///
/// The conditions that hold for no passing input and miss at most a number of failing ones, each with how many it holds for.
fn explaining(
    table: &Table,
    required: &[String],
    (places, allowed): (&[usize], usize),
) -> Vec<(usize, Candidate)> {
    let failing = failing(table);
    let wanted: Bits = (0..places.len()).map(|row| row < failing).collect();
    let mut all = candidates(table, required);
    all.extend(same_part::conditions(table, &Inputs { places, failing, allowed }, required));
    candidates::sort(&mut all);
    let rated = all.into_iter().map(|one| (one.holds.common(&wanted), one));
    rated.filter(|(hits, one)| one.holds.count() == *hits && failing - hits <= allowed).collect()
}
