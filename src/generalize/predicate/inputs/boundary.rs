//! Inputs between the last value that passes and the first that fails: what makes a bound exact.
//!
//! Mutants draw few inputs near a bound of a size. Of many edits of the two nearest inputs the one
//! whose value is nearest to the middle is tested, until nothing is between the two or no edit comes
//! between them.

use seedsmith_engine::Stopped;
use seedsmith_grammar::Random;

use super::edits;
use super::mutants::Mutants;
use super::samples::Samples;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::Features;
use crate::generalize::predicate::learn::Predicate;

/// Tests for the bounds of all sizes, so that exact bounds add at most a tenth to the 250 tests of a
/// condition (docs/notes/2026-11-22-conditions.md).
const MAX_TESTS: usize = 24;
/// Edits of which the one nearest to the middle is tested, because edits cost no test. Not measured.
const MAX_EDITS_COMPARED: usize = 30;

/// Tests inputs near the bounds of a predicate. Cost: at most 24 tests.
///
/// Only conditions about sizes have bounds that can be closed in on; those of one predicate share
/// the tests. An input that is rejected ends it for its condition.
pub(in crate::generalize::predicate) fn close(
    prober: &mut Prober<'_, '_>,
    samples: &mut Samples,
    mutants: &mut Mutants,
    predicate: &Predicate,
) -> Result<(), Stopped> {
    let conditions = predicate.conditions();
    for (at, condition) in conditions.iter().enumerate() {
        if !condition.feature.is_size() {
            continue;
        }
        let mut others = conditions.to_vec();
        others.remove(at);
        let is_deciding = |features: &Features| match predicate {
            Predicate::All(_) => others.iter().all(|other| other.holds(features)),
            Predicate::Any(_) | Predicate::Some(..) => {
                !others.iter().any(|other| other.holds(features))
            }
        };
        for _ in 0..MAX_TESTS / conditions.len() {
            let found = between(samples, mutants, (condition, conditions), &is_deciding);
            let Some((input, features)) = found else { break };
            if samples.add(prober, input, features)?.is_none() {
                break;
            }
        }
    }
    Ok(())
}

/// An input whose value is between the nearest that pass and fail.
///
/// Bases are the nearest failing and the nearest passing input. `None` if nothing is between their
/// values, or if no edit gives an input between them. Costs no test.
fn between(
    samples: &mut Samples,
    mutants: &mut Mutants,
    (condition, conditions): (&Condition, &[Condition]),
    is_deciding: &dyn Fn(&Features) -> bool,
) -> Option<(Vec<u8>, Features)> {
    let value =
        |features: &Features| condition.feature.value(features).filter(|_| is_deciding(features));
    let known: Vec<(Option<i128>, bool)> = (0..samples.all.len())
        .map(|at| (value(&samples.table.features(at, conditions)), samples.all[at].fails))
        .collect();
    let of = |fails: bool| {
        let all = known.iter().zip(&samples.all).filter(move |(one, _)| one.1 == fails);
        all.filter_map(|(one, tested)| Some((one.0?, &tested.input)))
    };
    // Of the failing ones the nearest to those that pass, and the other way round.
    let is_above = match condition.bound {
        Bound::AtLeast(_) => true,
        Bound::AtMost(_) => false,
        Bound::Is(_) | Bound::IsNot(_) => return None,
    };
    let (fails, passes) = if is_above {
        let fails = of(true).min_by_key(|one| one.0)?;
        (fails, of(false).filter(|one| one.0 < fails.0).max_by_key(|one| one.0)?)
    } else {
        let fails = of(true).max_by_key(|one| one.0)?;
        (fails, of(false).filter(|one| one.0 > fails.0).min_by_key(|one| one.0)?)
    };
    let (low, high) = (fails.0.min(passes.0), fails.0.max(passes.0));
    let width = high.checked_sub(low)?;
    let middle = low + width / 2;
    let bases: Vec<Subject> =
        [fails.1, passes.1].into_iter().filter_map(|input| mutants.subject(input)).collect();
    let mut best: Option<(i128, Vec<u8>, Features)> = None;
    if width < 2 || bases.is_empty() {
        return None;
    }
    let dice: &mut Random = mutants.dice();
    for edit in 0..MAX_EDITS_COMPARED {
        let base = &bases[edit % bases.len()];
        let edited = match edit % 4 {
            0 | 1 => edits::other_number(base, dice),
            _ => edits::edited(base, dice),
        };
        let Some(input) = edited else { continue };
        let Some(features) = samples.peek(&input) else { continue };
        let Some(value) = value(&features) else { continue };
        let distance = value.saturating_sub(middle).saturating_abs();
        let is_between = low < value && value < high;
        if is_between && best.as_ref().is_none_or(|known| distance < known.0) {
            best = Some((distance, input, features));
        }
    }
    let (_, input, features) = best?;
    samples.read(&input);
    Some((input, features))
}
