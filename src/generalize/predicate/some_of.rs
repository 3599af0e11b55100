//! Some of a few texts are there: two of three flags, one of four keywords.
//!
//! Of the texts that failing inputs have more often than passing ones, all sets of three to five are
//! tried, with every number of them.

use std::collections::BTreeSet;

use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::{Feature, Features};
use crate::generalize::predicate::formula::Predicate;
use crate::generalize::predicate::term::{IS_WORD, VALUE_OF};

/// Texts that sets are made of: 14 have 3,367 sets of three to five, so that all of them are tried in
/// milliseconds.
const MAX_TEXTS: usize = 14;
/// Sizes of sets, because two are a condition of two parts and more than five say little to a reader.
const SET_SIZES: std::ops::RangeInclusive<u32> = 3..=5;

/// The smallest set of which failing inputs have some number and passing ones don't.
///
/// Sets are tried in the order of their size, each with the least number that failing inputs have
/// of it. Cost: at most 3,367 sets for each different set of texts that an input has.
pub(super) fn votes(failing: &[&Features], passing: &[&Features]) -> Option<Predicate> {
    let texts = texts(failing, passing);
    let bits = |inputs: &[&Features]| -> BTreeSet<u32> {
        let has = |one: &Features, text: &String| {
            Feature::Count(text.clone()).value(one).is_some_and(|count| count > 0)
        };
        inputs
            .iter()
            .map(|one| {
                let present = texts.iter().enumerate().filter(|(_, text)| has(one, text));
                present.map(|(at, _)| 1 << at).sum()
            })
            .collect()
    };
    let (failing, passing) = (bits(failing), bits(passing));
    for size in SET_SIZES {
        for set in 0u32..1 << texts.len() {
            if set.count_ones() != size {
                continue;
            }
            let counts = |inputs: &BTreeSet<u32>| -> Vec<u32> {
                inputs.iter().map(|input| (input & set).count_ones()).collect()
            };
            let least = counts(&failing).into_iter().min().unwrap_or(0);
            if counts(&passing).into_iter().all(|count| count < least) {
                let members = texts.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
                let there = |(_, text): (usize, &String)| Condition {
                    feature: Feature::Count(text.clone()),
                    bound: Bound::AtLeast(1),
                };
                let mut conditions: Vec<Condition> = members.map(there).collect();
                conditions.sort();
                return Some(Predicate::Some(least as usize, conditions));
            }
        }
    }
    None
}

/// Whether a name is of a value that is a word: `value of "fast" that is "true"`.
fn is_set(name: &str) -> bool {
    name.starts_with(VALUE_OF) && name.contains(IS_WORD)
}

/// The texts that tell failing inputs from passing ones best.
///
/// Sorted by how many more of the failing inputs have a text than of the passing ones, in
/// thousandths.
fn texts(failing: &[&Features], passing: &[&Features]) -> Vec<String> {
    let names: BTreeSet<&String> = failing
        .iter()
        .flat_map(|features| features.keys())
        .filter_map(|feature| match feature {
            Feature::Count(name) if name.starts_with('"') || is_set(name) => Some(name),
            _ => None,
        })
        .collect();
    let mut rated: Vec<(usize, &String)> = names
        .into_iter()
        .filter_map(|name| {
            let feature = Feature::Count(name.clone());
            let share = |inputs: &[&Features]| {
                let there = inputs.iter().filter(|one| feature.value(one) > Some(0)).count();
                there * 1000 / inputs.len()
            };
            let more = share(failing).checked_sub(share(passing)).filter(|more| *more > 0)?;
            Some((1000 - more, name))
        })
        .collect();
    rated.sort();
    rated.into_iter().take(MAX_TEXTS).map(|(_, name)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_three_are_found() {
        let input = |names: &[&str]| -> Features {
            names.iter().map(|name| (Feature::Count(format!("{name:?}")), 1)).collect()
        };
        let failing = [input(&["a", "b"]), input(&["b", "c", "x"]), input(&["a", "c"])];
        let passing = [input(&["a", "x"]), input(&["b"]), input(&["c"]), input(&["x"])];
        let failing: Vec<&Features> = failing.iter().collect();
        let passing: Vec<&Features> = passing.iter().collect();
        let found = votes(&failing, &passing).unwrap().to_string();
        assert_eq!(found, "at least 2 of these are there: \"a\", \"b\", \"c\"");
    }
}
