//! Inputs between the last value that passes and the first that fails: what makes a bound exact.
//!
//! Mutants draw few inputs near a bound of a size. Of many edits of the two nearest inputs the one
//! whose value is nearest to the middle is tested, until nothing is between the two or no edit comes
//! between them.
//!
//! Two more questions are asked of a bound: whether an input that is further from it fails as well, and, of two numbers
//! that are compared, whether it matters which of them is greater or only that they differ. Each takes up to two tests.

use crate::generalize::predicate::name::Name;
use seedsmith_engine::Stopped;
use seedsmith_grammar::Random;

use super::edits;
use super::mutants::Mutants;
use super::other_side::{differing, on_the_other_side};
use super::reader::INPUTS_READ_AT_ONCE;
use super::samples::Samples;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::{Feature, Features, Field, Term};
use crate::generalize::predicate::learn::Predicate;
use crate::generalize::predicate::read::Wanted;

/// Tests for the bounds of all sizes, so that exact bounds add at most a tenth to the 250 tests of a
/// condition (docs/notes/2026-11-22-conditions.md).
const MAX_TESTS: usize = 24;
/// Tests for each of several bounds at least: a bisection between 100 and 10,000 takes thirteen.
const MIN_TESTS_OF_BOUND: usize = 14;
/// How far beyond a bound numbers are tried, in eighths of what is possible.
const FAR_EIGHTHS: [i128; 5] = [1, 2, 4, 6, 8];
/// Tests of inputs further from a bound than all that were tested: two, because the first may be rejected.
const MAX_TESTS_FURTHER: usize = 2;
/// Tests of inputs where one of two numbers is greater, of a condition that says that the other one is: two, because one may be rejected or
/// may pass for another reason.
const MAX_TESTS_OF_OTHER_SIDE: usize = 2;
/// Tests of inputs with one more and with one less than a size that is said to be just this: two, because one may be rejected or may pass for another
/// reason.
const MAX_TESTS_BESIDE_ONE: usize = 2;
/// Edits of which the one nearest to the middle is tested, because edits cost no test. Not measured.
const MAX_EDITS_COMPARED: usize = 30;

/// Whether an input of some features is one that is looked for.
pub(super) type IsWanted<'w> = dyn Fn(&Features) -> bool + 'w;

/// Tests inputs near the bounds of a predicate. Cost: at most 24 tests, and two each for what is further from a bound and for a comparison of two numbers.
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
    let bounded: Vec<(usize, Bounded<'_>)> = conditions
        .iter()
        .enumerate()
        .flat_map(|(at, condition)| Bounded::of(condition).into_iter().map(move |one| (at, one)))
        .collect();
    for (_, size) in &bounded {
        for input in beside(samples, size).into_iter().chain(beyond(samples, size)) {
            if let Some(features) = samples.read(&input) {
                samples.add(prober, input, features)?;
            }
        }
    }
    for (at, size) in bounded.iter().filter(|(_, size)| size.field().is_none()) {
        let is_deciding = is_deciding(predicate, *at);
        for _ in 0..MAX_TESTS_FURTHER {
            let Some((input, features)) =
                further(samples, mutants, (size, conditions), &is_deciding)
            else {
                break;
            };
            samples.add(prober, input, features)?;
        }
    }
    for (at, size) in bounded.iter().filter(|(_, size)| size.field().is_none()) {
        let is_deciding = is_deciding(predicate, *at);
        for _ in 0..MAX_TESTS_BESIDE_ONE {
            for distance in [1, -1] {
                let found =
                    beside_one(samples, mutants, (size, conditions), (distance, &is_deciding));
                if let Some((input, features)) = found {
                    samples.add(prober, input, features)?;
                }
            }
        }
    }
    for (at, _) in &bounded {
        for _ in 0..MAX_TESTS_OF_OTHER_SIDE {
            let Some(rival) = differing(predicate, *at) else { break };
            let found = on_the_other_side(samples, mutants, (predicate, &rival));
            let Some((input, features)) = found else { break };
            samples.add(prober, input, features)?;
        }
    }
    for (at, size) in &bounded {
        let is_deciding = is_deciding(predicate, *at);
        for _ in 0..(MAX_TESTS / bounded.len()).max(MIN_TESTS_OF_BOUND) {
            let found = between(samples, mutants, (size, conditions), &is_deciding);
            let Some((input, features)) = found else { break };
            if samples.add(prober, input, features)?.is_none() {
                break;
            }
        }
    }
    Ok(())
}

/// Whether what a predicate says of an input depends on one of its conditions alone.
///
/// That is so where all others hold, or where none of them does if one is enough.
fn is_deciding(predicate: &Predicate, at: usize) -> impl Fn(&Features) -> bool {
    let mut others = predicate.conditions().to_vec();
    others.remove(at);
    move |features: &Features| match predicate {
        Predicate::All(_) => others.iter().all(|other| other.holds(features)),
        Predicate::Any(_) | Predicate::Some(..) => {
            !others.iter().any(|other| other.holds(features))
        }
    }
}

/// An input whose size is further on the failing side of a bound than that of any input that was tested; nothing if no edit of the
/// furthest one gives one. There may be another bound: a length that is at most 1 may be none of 0.
///
/// Costs no test, and reading `MAX_EDITS_COMPARED` inputs at most.
fn further(
    samples: &mut Samples,
    mutants: &mut Mutants,
    (size, conditions): (&Bounded<'_>, &[Condition]),
    is_deciding: &dyn Fn(&Features) -> bool,
) -> Option<(Vec<u8>, Features)> {
    let sign = match size.bound() {
        Bound::AtLeast(_) => 1,
        Bound::AtMost(_) => -1,
        Bound::Is(_) | Bound::IsNot(_) => return None,
    };
    let value = |features: &Features| size.value(features).filter(|_| is_deciding(features));
    let rows = (0..samples.all.len()).filter(|at| samples.all[*at].fails);
    let rows: Vec<usize> = rows.collect();
    let known = rows.into_iter().filter_map(|at| {
        let value = value(&samples.table().features(at, conditions))?;
        Some((value.saturating_mul(sign), at))
    });
    let (known, at) = known.max()?;
    let is_further =
        |features: &Features| value(features).is_some_and(|one| one.saturating_mul(sign) > known);
    resized(samples, mutants, (at, size, conditions), (sign, None, &is_further))
}

/// One of some edits of an input that was tested, if its size is a wanted one: the first. Lengths change by `step`, numbers by `shift` or by a power of two.
fn resized(
    samples: &mut Samples,
    mutants: &mut Mutants,
    (at, size, conditions): (usize, &Bounded<'_>, &[Condition]),
    (step, shift, is_wanted): (i128, Option<i128>, &IsWanted<'_>),
) -> Option<(Vec<u8>, Features)> {
    let base = mutants.subject(&samples.all[at].input)?;
    let dice: &mut Random = mutants.dice();
    let edits = (0..MAX_EDITS_COMPARED).filter_map(|edit| match edit % 3 {
        0 if size.feature().is_length() => edits::with_other_length(&base, step, dice),
        0 => {
            let shift = shift.unwrap_or_else(|| 1 << dice.below(8));
            edits::with_number_shifted_either_way(&base, shift, dice)
        }
        1 => edits::other_number(&base, dice),
        _ => edits::edited(&base, dice),
    });
    first_new(samples, edits.collect(), (conditions, &is_wanted))
}

/// The first of some new inputs whose features are wanted, with all of its features. Those that the conditions are about are read of the others.
///
/// Costs no test.
pub(super) fn first_new(
    samples: &mut Samples,
    inputs: Vec<Vec<u8>>,
    (conditions, is_wanted): (&[Condition], &IsWanted<'_>),
) -> Option<(Vec<u8>, Features)> {
    let wanted = Wanted::by(conditions);
    for some in inputs.chunks(INPUTS_READ_AT_ONCE) {
        let read = samples.peek_all(some, &wanted);
        let found = read.iter().position(|one| one.as_ref().is_some_and(is_wanted));
        if let Some(at) = found {
            return Some((some[at].clone(), samples.read(&some[at])?));
        }
    }
    None
}

/// An input whose size is at a distance from the only one that all failing inputs are said to have; nothing if one was tested, or no edit gives
/// one. Any near size may fail as well.
///
/// Costs no test, and reading `MAX_EDITS_COMPARED` inputs at most.
fn beside_one(
    samples: &mut Samples,
    mutants: &mut Mutants,
    (size, conditions): (&Bounded<'_>, &[Condition]),
    (distance, is_deciding): (i128, &dyn Fn(&Features) -> bool),
) -> Option<(Vec<u8>, Features)> {
    let Bound::Is(only) = size.bound() else { return None };
    let wanted = only.checked_add(distance)?;
    let value = |features: &Features| size.value(features).filter(|_| is_deciding(features));
    let tested = (0..samples.all.len()).map(|at| value(&samples.table().features(at, conditions)));
    let tested: Vec<Option<i128>> = tested.collect();
    if tested.contains(&Some(wanted)) {
        return None;
    }
    let at = (0..tested.len()).find(|at| samples.all[*at].fails && tested[*at] == Some(only))?;
    let is_wanted = |features: &Features| value(features) == Some(wanted);
    resized(samples, mutants, (at, size, conditions), (distance, Some(distance), &is_wanted))
}

/// A bound of a size: of a condition, or of one of several that are about the same part.
enum Bounded<'c> {
    Whole(&'c Condition),
    /// The name of the parts, all bounds, and which of them it is.
    Part(&'c Name, &'c [(Feature, Bound)], usize),
}

impl<'c> Bounded<'c> {
    /// Those of a condition.
    ///
    /// Of bounds of one part each size is one; questions have no values between two.
    fn of(condition: &'c Condition) -> Vec<Self> {
        match &condition.feature {
            Feature::Parts(name, bounds) if condition.bound == Bound::AtLeast(1) => {
                let sizes = (0..bounds.len()).filter(|at| bounds[*at].0.is_size());
                sizes.map(|at| Bounded::Part(name, bounds, at)).collect()
            }
            feature if feature.is_size() => vec![Bounded::Whole(condition)],
            _ => Vec::new(),
        }
    }

    /// The number of a binary input that is bounded, if it is one.
    ///
    /// Its bytes are at a known place, so that an input with any value can be written at once.
    fn field(&self) -> Option<Field> {
        match self {
            Bounded::Whole(Condition { feature: Feature::Value(Term::Field(field)), .. }) => {
                Some(*field)
            }
            _ => None,
        }
    }

    /// The two numbers of a binary input whose product is bounded, if it is such.
    fn product(&self) -> Option<[Field; 2]> {
        match self {
            Bounded::Whole(Condition {
                feature: Feature::Value(Term::FieldProduct(one, other)),
                ..
            }) => Some([*one, *other]),
            _ => None,
        }
    }

    /// The feature that is bounded.
    fn feature(&self) -> &Feature {
        match self {
            Bounded::Whole(condition) => &condition.feature,
            Bounded::Part(_, bounds, at) => &bounds[*at].0,
        }
    }

    /// The bound that is closed in on.
    fn bound(&self) -> Bound {
        match self {
            Bounded::Whole(condition) => condition.bound,
            Bounded::Part(_, bounds, at) => bounds[*at].1,
        }
    }

    /// The size that is bounded: of the parts that meet the other bounds the one that meets this one most.
    fn value(&self, features: &Features) -> Option<i128> {
        let (name, bounds, at) = match self {
            Bounded::Whole(condition) => return condition.feature.value(features),
            Bounded::Part(name, bounds, at) => (name, bounds, *at),
        };
        let others: Vec<(Feature, Bound)> = bounds
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, one)| one.clone())
            .collect();
        let parts = features.parts(name).iter().filter(|part| part.meets(&others));
        let values = parts.filter_map(|part| part.value(self.feature()));
        match self.bound() {
            Bound::AtMost(_) => values.min(),
            _ => values.max(),
        }
    }
}

/// A binary input with two other numbers whose product is near a number, mostly this number.
fn with_product(
    input: &[u8],
    [one, other]: [Field; 2],
    product: i128,
    dice: &mut Random,
) -> Option<Vec<u8>> {
    let most = one.greatest() + 1;
    let fits = |factor: &i128| product / factor < most;
    let factors = (1..most.min(256)).filter(|factor| product % factor == 0);
    let exact: Vec<i128> = factors.filter(fits).collect();
    let factor = match exact.get(dice.below(exact.len().max(1))) {
        Some(factor) => *factor,
        None => (1..most).find(fits)? + dice.below(8) as i128,
    };
    other.written(&one.written(input, factor)?, product / factor)
}

/// Inputs on both sides of a bound of one byte with the least and the greatest byte before and after it: the byte may be one
/// of a number of two.
///
/// Of the first failing and the first passing input, so that both sides are met. Costs no test.
fn beside(samples: &Samples, size: &Bounded<'_>) -> Vec<Vec<u8>> {
    let Some(field) = size.field().filter(|field| field.width() == 1) else { return Vec::new() };
    let bound = match size.bound() {
        Bound::AtLeast(least) => least,
        Bound::AtMost(most) => most + 1,
        Bound::Is(_) | Bound::IsNot(_) => return Vec::new(),
    };
    let mut found = Vec::new();
    for fails in [true, false] {
        let Some(base) = samples.all.iter().find(|one| one.fails == fails) else { continue };
        for (value, byte) in [(bound - 1, 255), (bound, 0)] {
            let Some(input) = field.written(&base.input, value) else { continue };
            let neighbours = field.neighbours().filter_map(|other| other.written(&input, byte));
            found.extend(neighbours);
        }
    }
    found
}

/// The first failing input with a number that is further and further on the side of a bound of it where inputs fail: there
/// may be another bound.
///
/// Only for numbers of binary inputs, of which most edits change another place. Costs no test.
fn beyond(samples: &Samples, size: &Bounded<'_>) -> Vec<Vec<u8>> {
    let base = samples.all.iter().find(|one| one.fails);
    let Some((field, base)) = size.field().zip(base) else { return Vec::new() };
    let most = field.greatest();
    let (from, to) = match size.bound() {
        Bound::AtLeast(least) => (least, most),
        Bound::AtMost(greatest) => (greatest, 0),
        Bound::Is(_) | Bound::IsNot(_) => return Vec::new(),
    };
    let values = FAR_EIGHTHS.map(|eighths| from + (to - from) * eighths / 8);
    values.into_iter().filter_map(|value| field.written(&base.input, value)).collect()
}

/// An input whose value is between the nearest that pass and fail.
///
/// Bases are the nearest failing and the nearest passing input. `None` if nothing is between their
/// values, or if no edit gives an input between them. Costs no test.
fn between(
    samples: &mut Samples,
    mutants: &mut Mutants,
    (size, conditions): (&Bounded<'_>, &[Condition]),
    is_deciding: &dyn Fn(&Features) -> bool,
) -> Option<(Vec<u8>, Features)> {
    let value = |features: &Features| size.value(features).filter(|_| is_deciding(features));
    let known: Vec<(Option<i128>, bool)> = (0..samples.all.len())
        .map(|at| (value(&samples.table().features(at, conditions)), samples.all[at].fails))
        .collect();
    let of = |fails: bool| {
        let all = known.iter().zip(&samples.all).filter(move |(one, _)| one.1 == fails);
        all.filter_map(|(one, tested)| Some((one.0?, &tested.input)))
    };
    // Of the failing ones the nearest to those that pass, and the other way round.
    let is_above = match size.bound() {
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
    let nearest = [fails.0, passes.0];
    let (low, high) = (fails.0.min(passes.0), fails.0.max(passes.0));
    let width = high.checked_sub(low)?;
    // Between numbers of different sizes the middle is one with half as many digits more.
    let middle = match low > 0 && high / 4 > low {
        true => ((low as f64) * (high as f64)).sqrt() as i128,
        false => low + width / 2,
    };
    let bases: Vec<Subject> =
        [fails.1, passes.1].into_iter().filter_map(|input| mutants.subject(input)).collect();
    if width < 2 || bases.is_empty() {
        return None;
    }
    let dice: &mut Random = mutants.dice();
    let edits = (0..MAX_EDITS_COMPARED).filter_map(|edit| {
        // Each kind of edit is made of both.
        let at = edit / 4 % bases.len();
        let (base, missing) = (&bases[at], middle.saturating_sub(nearest[at]));
        match edit % 4 {
            // Mostly the size is a number that is written there.
            0 => match size.field() {
                Some(field) => field.written(&base.input, middle),
                None => match size.product() {
                    Some(fields) => with_product(&base.input, fields, middle, dice),
                    None if size.feature().is_difference() => {
                        edits::with_number_shifted_either_way(base, missing, dice)
                    }
                    None if size.feature().is_length() => {
                        edits::with_other_length(base, missing, dice)
                    }
                    None => edits::with_number(base, middle, dice),
                },
            },
            1 => edits::other_number(base, dice),
            _ => edits::edited(base, dice),
        }
    });
    let edits: Vec<Vec<u8>> = edits.collect();
    let read = samples.peek_all(&edits, &Wanted::by(conditions));
    let values = read.iter().map(|features| features.as_ref().and_then(value));
    let inside = values.enumerate().filter_map(|(at, value)| {
        let value = value.filter(|value| low < *value && *value < high)?;
        Some((value.saturating_sub(middle).saturating_abs(), at))
    });
    let input = edits[inside.min()?.1].clone();
    let features = samples.read(&input)?;
    Some((input, features))
}
