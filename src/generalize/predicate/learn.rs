//! Finds the simplest condition that failing inputs meet and passing ones don't.
//!
//! Each feature gives two bounds that all failing inputs meet (at least their least value, at most
//! their greatest), and two that no passing input meets. One that does both may be the answer; else
//! two of the first kind that hold together, or two of the second of which one holds; or some of a
//! few texts are there (`votes.rs`). The one that asks least of a reader is taken.

use std::collections::HashMap;

use super::condition::{Bound, Condition};
use super::feature::{Feature, Features};
pub use super::formula::Predicate;
use super::formula::SECOND;
use super::votes;

/// Conditions that are paired.
const MOST_PAIRED: usize = 400;
/// Single conditions that further inputs tell apart.
const MOST_SINGLE: usize = 16;
/// A text is a name if it is in that many inputs: drawn ones are in one or two.
const LEAST_OFTEN: usize = 3;

/// An input's features, and whether it fails.
pub type Sample = (Features, bool);

/// The values of one feature, in the order of the samples.
struct Column<'s> {
    feature: &'s Feature,
    failing: Vec<Option<i128>>,
    passing: Vec<Option<i128>>,
}

/// The simplest predicate that agrees with all samples; nothing if there is none, or nothing to
/// be told apart.
pub fn learn(samples: &[&Sample]) -> Option<Predicate> {
    learn_some(samples).into_iter().next()
}

/// The simplest predicates that agree with all samples, simplest first: what further inputs should
/// tell apart.
pub fn learn_some(samples: &[&Sample]) -> Vec<Predicate> {
    let (failing, passing): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().copied().partition(|one| one.1);
    let failing: Vec<&Features> = failing.into_iter().map(|one| &one.0).collect();
    let passing: Vec<&Features> = passing.into_iter().map(|one| &one.0).collect();
    if failing.is_empty() || passing.is_empty() {
        return Vec::new();
    }
    let mut needed: Vec<(Condition, Vec<bool>)> = Vec::new();
    let mut enough: Vec<(Condition, Vec<bool>)> = Vec::new();
    for column in columns(&failing, &passing) {
        needed.extend(column.needed());
        enough.extend(column.enough());
    }
    needed.sort_by_cached_key(|(one, _)| (one.weight(), one.clone()));
    enough.sort_by_cached_key(|(one, _)| (one.weight(), one.clone()));
    let ones = needed.iter().filter(|(_, excludes)| excludes.iter().all(|excluded| *excluded));
    let ones: Vec<Predicate> =
        ones.take(MOST_SINGLE).map(|(one, _)| Predicate::All(vec![one.clone()])).collect();
    let most = ones.first().map_or(u32::MAX, Predicate::weight);
    let both = pair(&needed, most).map(Predicate::All);
    let either = pair(&enough, most).map(Predicate::Any);
    let votes = votes::votes(&failing, &passing);
    let others = [both, either, votes].into_iter().flatten();
    let mut found: Vec<Predicate> = ones.into_iter().chain(others).collect();
    // Of equals the first.
    found.sort_by_key(Predicate::weight);
    found
}

/// The values of all features, but for those of a text that is hardly anywhere.
fn columns<'s>(failing: &[&'s Features], passing: &[&'s Features]) -> Vec<Column<'s>> {
    let mut numbers: HashMap<&Feature, usize> = HashMap::new();
    let mut columns: Vec<Column<'s>> = Vec::new();
    let mut often: HashMap<&String, usize> = HashMap::new();
    // One look-up for each value that there is: most texts are in few inputs.
    for (is_failing, inputs) in [(true, failing), (false, passing)] {
        for (row, features) in inputs.iter().enumerate() {
            for (feature, value) in *features {
                let number = *numbers.entry(feature).or_insert_with(|| {
                    let absent = |inputs: &[&Features]| vec![None; inputs.len()];
                    columns.push(Column {
                        feature,
                        failing: absent(failing),
                        passing: absent(passing),
                    });
                    columns.len() - 1
                });
                let column = &mut columns[number];
                let cells = if is_failing { &mut column.failing } else { &mut column.passing };
                cells[row] = Some(*value);
                if let Feature::Count(name) = feature {
                    *often.entry(name).or_default() += 1;
                }
            }
        }
    }
    let least = LEAST_OFTEN.min(failing.len() + passing.len());
    let is_name = |name: &String| {
        !name.starts_with(['"', '\'', '`']) || often.get(name).is_some_and(|often| *often >= least)
    };
    columns.retain(|column| column.feature.names().into_iter().all(is_name));
    for Column { feature, failing: of_failing, passing: of_passing } in &mut columns {
        for (cells, inputs) in [(of_failing, failing), (of_passing, passing)] {
            for (cell, features) in cells.iter_mut().zip(inputs) {
                *cell = cell.or_else(|| feature.absent(features));
            }
        }
    }
    columns
}

impl Column<'_> {
    /// The tightest bounds that all failing inputs meet, with whether each passing one doesn't.
    fn needed(&self) -> Vec<(Condition, Vec<bool>)> {
        let Some(values) = self.failing.iter().copied().collect::<Option<Vec<i128>>>() else {
            return Vec::new();
        };
        let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else {
            return Vec::new();
        };
        let passing = || self.passing.iter().flatten().copied();
        let least = roundest(passing().filter(|value| value < least).max(), *least, self.feature);
        let most = roundest(passing().filter(|value| value > most).min(), *most, self.feature);
        let bounds = [Bound::AtLeast(least), Bound::AtMost(most)];
        self.told(bounds, &self.passing, |holds| !holds)
    }

    /// The widest bounds that no passing input meets, with whether each failing one does.
    fn enough(&self) -> Vec<(Condition, Vec<bool>)> {
        let values = || self.passing.iter().flatten().copied();
        let (Some(least), Some(most)) = (values().min(), values().max()) else { return Vec::new() };
        let failing = || self.failing.iter().flatten().copied();
        let above = failing().filter(|value| *value > most).min();
        let below = failing().filter(|value| *value < least).max();
        let above = above.map(|above| Bound::AtLeast(roundest(Some(most), above, self.feature)));
        let below = below.map(|below| Bound::AtMost(roundest(Some(least), below, self.feature)));
        self.told(above.into_iter().chain(below), &self.failing, |holds| holds)
    }

    fn told(
        &self,
        bounds: impl IntoIterator<Item = Bound>,
        of: &[Option<i128>],
        settles: impl Fn(bool) -> bool,
    ) -> Vec<(Condition, Vec<bool>)> {
        let conditions =
            bounds.into_iter().map(|bound| Condition { feature: self.feature.clone(), bound });
        conditions
            .filter(Condition::bound_is_told)
            .map(|one| {
                let holds = |value: &Option<i128>| value.is_some_and(|v| one.bound.holds(v));
                let settled = of.iter().map(|value| settles(holds(value))).collect();
                (one, settled)
            })
            .collect()
    }
}

/// The bound between a value that is outside and one that is inside: of sizes the one that people
/// would have chosen, else the one that was seen.
fn roundest(outside: Option<i128>, inside: i128, feature: &Feature) -> i128 {
    let Some(outside) = outside.filter(|_| feature.is_size()) else { return inside };
    let (low, high) = match outside < inside {
        true => (outside + 1, inside),
        false => (inside, outside - 1),
    };
    // From below a power of two is the first that is too much, from above the last that isn't.
    let powers = (1..126).map(|bits| 1i128 << bits);
    let powers = powers.map(|power| if outside < inside { power } else { power - 1 });
    let tens = (1..37).rev().flat_map(|digits| {
        let step = 10i128.pow(digits);
        [low.div_euclid(step) * step + step, low.div_euclid(step) * step]
    });
    let mut round = powers.filter(|power| *power >= 256).chain(tens);
    let is_between = |value: &i128| (low..=high).contains(value);
    match high - low {
        0 => inside,
        _ => round.find(is_between).unwrap_or(inside),
    }
}

/// The simplest two that together settle all inputs, if they ask less than `most`.
fn pair(conditions: &[(Condition, Vec<bool>)], most: u32) -> Option<Vec<Condition>> {
    let settling: Vec<&(Condition, Vec<bool>)> = conditions
        .iter()
        .filter(|(_, settled)| settled.contains(&true))
        .take(MOST_PAIRED)
        .collect();
    let mut best: Option<(u32, Vec<Condition>)> = None;
    for (at, (first, by_first)) in settling.iter().enumerate() {
        for (second, by_second) in &settling[at + 1..] {
            let weight = first.weight() + second.weight() + SECOND;
            if weight >= most || best.as_ref().is_some_and(|known| known.0 <= weight) {
                break;
            }
            if by_first.iter().zip(by_second).all(|(first, second)| *first || *second) {
                best = Some((weight, vec![first.clone(), second.clone()]));
            }
        }
    }
    best.map(|(_, conditions)| conditions)
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
        let found = learn(&samples.iter().collect::<Vec<_>>()).unwrap().to_string();
        assert_eq!(found, "some array has at least 8 value");
    }

    #[test]
    fn two_conditions_are_taken_where_one_is_not_enough() {
        let (a, b) = (|| Feature::Count("a".to_owned()), || Feature::Count("b".to_owned()));
        let of = |first, second, fails| sample(&[(a(), first), (b(), second)], fails);
        let both = [of(1, 1, true), of(2, 1, true), of(1, 0, false), of(0, 1, false)];
        let learn = |samples: &[Sample]| learn(&samples.iter().collect::<Vec<_>>());
        assert_eq!(learn(&both).unwrap().to_string(), "there is a and there is b");
        let either = [of(1, 0, true), of(0, 1, true), of(1, 1, true), of(0, 0, false)];
        assert_eq!(learn(&either).unwrap().to_string(), "there is a or there is b");
        assert_eq!(learn(&[of(1, 1, true)]), None);
    }
}
