//! Finds the simplest condition that failing inputs meet and passing ones don't.
//!
//! Each feature gives two bounds that all failing inputs meet (at least their least value, at most
//! their greatest), and two that no passing input meets. One that does both is the answer; else two
//! of the first kind that hold together, then two of the second of which one holds.

use std::collections::BTreeSet;

use super::condition::{Bound, Condition};
use super::feature::{Feature, Features};

/// Conditions that are paired.
const MOST_PAIRED: usize = 400;

/// One or two conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Each of them holds.
    All(Vec<Condition>),
    /// One of them holds.
    Any(Vec<Condition>),
}

impl Predicate {
    /// Whether an input meets it.
    pub fn holds(&self, features: &Features) -> bool {
        match self {
            Predicate::All(all) => all.iter().all(|one| one.holds(features)),
            Predicate::Any(any) => any.iter().any(|one| one.holds(features)),
        }
    }
}

impl std::fmt::Display for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (conditions, word) = match self {
            Predicate::All(all) => (all, " and "),
            Predicate::Any(any) => (any, " or "),
        };
        let texts: Vec<String> = conditions.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join(word))
    }
}

/// An input's features, and whether it fails.
pub type Sample = (Features, bool);

/// The simplest predicate that agrees with all samples; nothing if there is none, or nothing to
/// be told apart.
pub fn learn(samples: &[Sample]) -> Option<Predicate> {
    let (failing, passing): (Vec<&Sample>, Vec<&Sample>) = samples.iter().partition(|one| one.1);
    let failing: Vec<&Features> = failing.into_iter().map(|one| &one.0).collect();
    let passing: Vec<&Features> = passing.into_iter().map(|one| &one.0).collect();
    if failing.is_empty() || passing.is_empty() {
        return None;
    }
    let features: BTreeSet<&Feature> =
        samples.iter().flat_map(|(features, _)| features.keys()).collect();
    let mut needed: Vec<Condition> = Vec::new();
    let mut enough: Vec<Condition> = Vec::new();
    for feature in features {
        needed.extend(bounds(feature, &failing));
        enough.extend(outside(feature, &passing));
    }
    needed.retain(|one| one.bound_is_told());
    enough.retain(|one| one.bound_is_told());
    needed.sort_by_key(|one| (one.weight(), one.clone()));
    enough.sort_by_key(|one| (one.weight(), one.clone()));
    if let Some(one) = needed.iter().find(|one| !passing.iter().any(|features| one.holds(features)))
    {
        return Some(Predicate::All(vec![one.clone()]));
    }
    let both = pair(&needed, &passing, |one, features| !one.holds(features));
    let either = pair(&enough, &failing, |one, features| one.holds(features));
    let weight =
        |found: &Option<(u32, Vec<Condition>)>| found.as_ref().map_or(u32::MAX, |one| one.0);
    if weight(&both) <= weight(&either) {
        both.map(|(_, conditions)| Predicate::All(conditions))
    } else {
        either.map(|(_, conditions)| Predicate::Any(conditions))
    }
}

/// The simplest two that together `settle` all inputs, with their weight.
fn pair(
    conditions: &[Condition],
    inputs: &[&Features],
    settles: impl Fn(&Condition, &Features) -> bool,
) -> Option<(u32, Vec<Condition>)> {
    let settled: Vec<(&Condition, Vec<bool>)> = conditions
        .iter()
        .map(|one| (one, inputs.iter().map(|features| settles(one, features)).collect::<Vec<_>>()))
        .filter(|(_, settled)| settled.contains(&true))
        .take(MOST_PAIRED)
        .collect();
    let mut best: Option<(u32, Vec<Condition>)> = None;
    for (at, (first, by_first)) in settled.iter().enumerate() {
        for (second, by_second) in &settled[at + 1..] {
            let weight = first.weight() + second.weight();
            if best.as_ref().is_some_and(|known| known.0 <= weight) {
                break;
            }
            if by_first.iter().zip(by_second).all(|(first, second)| *first || *second) {
                best = Some((weight, vec![(*first).clone(), (*second).clone()]));
            }
        }
    }
    best
}

/// The tightest bounds that all of the inputs meet.
fn bounds(feature: &Feature, inputs: &[&Features]) -> Vec<Condition> {
    let values: Option<Vec<i128>> = inputs.iter().map(|one| feature.value(one)).collect();
    let Some(values) = values else { return Vec::new() };
    let (least, most) = (values.iter().min().copied(), values.iter().max().copied());
    let condition = |bound| Condition { feature: feature.clone(), bound };
    least.map(Bound::AtLeast).into_iter().chain(most.map(Bound::AtMost)).map(condition).collect()
}

/// The widest bounds that none of the inputs meets.
fn outside(feature: &Feature, inputs: &[&Features]) -> Vec<Condition> {
    let values: Vec<i128> = inputs.iter().filter_map(|one| feature.value(one)).collect();
    let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else {
        return Vec::new();
    };
    let condition = |bound| Condition { feature: feature.clone(), bound };
    [Bound::AtLeast(most + 1), Bound::AtMost(least - 1)].map(condition).to_vec()
}

impl Condition {
    /// Whether the bound says anything: a count of 0 and more is none.
    fn bound_is_told(&self) -> bool {
        match (&self.feature, self.bound) {
            (feature, Bound::AtLeast(least)) if feature.is_question() => least == 1,
            (feature, Bound::AtMost(most)) if feature.is_question() => most == 0,
            (Feature::Compared(_), Bound::AtLeast(least)) => (0..=1).contains(&least),
            (Feature::Compared(_), Bound::AtMost(most)) => (-1..=0).contains(&most),
            (Feature::Greatest(_) | Feature::Least(_), _) => true,
            (_, Bound::AtLeast(least)) => least > 0,
            (_, Bound::AtMost(most)) => most >= 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[(Feature, i128)], fails: bool) -> Sample {
        (values.iter().cloned().collect(), fails)
    }

    #[test]
    fn a_bound_is_found_between_failing_and_passing_inputs() {
        let count = || Feature::Children("array".to_owned(), "value".to_owned());
        let samples = [
            sample(&[(count(), 8), (Feature::Bytes, 30)], true),
            sample(&[(count(), 12), (Feature::Bytes, 40)], true),
            sample(&[(count(), 7), (Feature::Bytes, 50)], false),
        ];
        let found = learn(&samples).unwrap().to_string();
        assert_eq!(found, "some array has at least 8 value");
    }

    #[test]
    fn two_conditions_are_taken_where_one_is_not_enough() {
        let (a, b) = (|| Feature::Count("a".to_owned()), || Feature::Count("b".to_owned()));
        let of = |first, second, fails| sample(&[(a(), first), (b(), second)], fails);
        let both = [of(1, 1, true), of(2, 1, true), of(1, 0, false), of(0, 1, false)];
        assert_eq!(learn(&both).unwrap().to_string(), "there is a and there is b");
        let either = [of(1, 0, true), of(0, 1, true), of(1, 1, true), of(0, 0, false)];
        assert_eq!(learn(&either).unwrap().to_string(), "there is a or there is b");
        assert_eq!(learn(&[of(1, 1, true)]), None);
    }
}
