//! Inputs between the last value that passes and the first that fails: what makes a bound exact.
//!
//! Mutants draw few inputs near a bound of a size. Of many edits of the two nearest inputs the one
//! whose value is nearest to the middle is tested, until nothing is between the two or no edit comes
//! between them.

use seedsmith_engine::oracle::Stopped;
use seedsmith_grammar::random::Random;

use super::condition::Condition;
use super::edits;
use super::feature::Features;
use super::learn::Predicate;
use super::mutants::Mutants;
use super::samples::Samples;
use crate::generalize::pattern::Subject;
use crate::generalize::prober::Prober;

/// Tests for one bound.
const MOST_TESTS: usize = 24;
/// Edits of which the best is tested.
const EDITS: usize = 60;

/// Tests inputs near the bounds of a predicate. Cost: at most 24 tests for each bound.
pub fn close(
    prober: &mut Prober<'_, '_>,
    samples: &mut Samples,
    mutants: &mut Mutants,
    predicate: &Predicate,
) -> Result<(), Stopped> {
    let [condition] = predicate.conditions() else { return Ok(()) };
    if !condition.feature.is_size() {
        return Ok(());
    }
    for _ in 0..MOST_TESTS {
        let Some((input, features)) = between(samples, mutants, condition) else { break };
        if samples.add(prober, input, features)?.is_none() {
            break;
        }
    }
    Ok(())
}

/// An input whose value is between the nearest that pass and fail.
fn between(
    samples: &mut Samples,
    mutants: &mut Mutants,
    condition: &Condition,
) -> Option<(Vec<u8>, Features)> {
    let value = |features: &Features| condition.feature.value(features);
    let of = |fails: bool| {
        let all = samples.all.iter().filter(move |one| one.told.1 == fails);
        all.filter_map(|one| Some((value(&one.told.0)?, &one.input)))
    };
    // Of the failing ones the nearest to those that pass, and the other way round.
    let is_above = matches!(condition.bound, super::condition::Bound::AtLeast(_));
    let (fails, passes) = if is_above {
        let fails = of(true).min_by_key(|one| one.0)?;
        (fails, of(false).filter(|one| one.0 < fails.0).max_by_key(|one| one.0)?)
    } else {
        let fails = of(true).max_by_key(|one| one.0)?;
        (fails, of(false).filter(|one| one.0 > fails.0).min_by_key(|one| one.0)?)
    };
    let (low, high) = (fails.0.min(passes.0), fails.0.max(passes.0));
    let middle = low + (high - low) / 2;
    let bases: Vec<Subject> =
        [fails.1, passes.1].into_iter().filter_map(|input| mutants.subject(input)).collect();
    let mut best: Option<(i128, Vec<u8>, Features)> = None;
    if high - low < 2 || bases.is_empty() {
        return None;
    }
    let dice: &mut Random = mutants.dice();
    for edit in 0..EDITS {
        let base = &bases[edit % bases.len()];
        let edited = match edit % 4 {
            0 | 1 => edits::other_number(base, dice),
            _ => edits::edited(base, dice),
        };
        let Some(input) = edited else { continue };
        let Some(features) = samples.peek(&input) else { continue };
        let Some(value) = condition.feature.value(&features) else { continue };
        let distance = (value - middle).abs();
        let is_between = low < value && value < high;
        if is_between && best.as_ref().is_none_or(|known| distance < known.0) {
            best = Some((distance, input, features));
        }
    }
    let (_, input, features) = best?;
    samples.read(&input);
    Some((input, features))
}
