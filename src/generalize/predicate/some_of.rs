//! Some of a few texts are there: two of three flags, one of four keywords.
//!
//! Of the texts that failing inputs have more often than passing ones, all sets of three to five are
//! tried, with every number of them.

use std::collections::BTreeSet;

use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::formula::Predicate;
use crate::generalize::predicate::learn::Table;
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
pub(super) fn votes(table: &Table) -> Option<Predicate> {
    let texts = texts(table);
    let mut bits = vec![0u32; table.fails().len()];
    for (at, text) in texts.iter().enumerate() {
        let there = table.counts(text).into_iter().enumerate().filter(|(_, count)| *count > 0);
        there.for_each(|(row, _)| bits[row] |= 1 << at);
    }
    let of = |wanted: bool| -> BTreeSet<u32> {
        let rows = bits.iter().zip(table.fails()).filter(|(_, fails)| **fails == wanted);
        rows.map(|(bits, _)| *bits).collect()
    };
    let (failing, passing) = (of(true), of(false));
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

/// The texts that separate failing inputs from passing ones best.
///
/// Sorted by how many more of the failing inputs have a text than of the passing ones, in
/// thousandths.
fn texts(table: &Table) -> Vec<String> {
    let failing = table.fails().iter().filter(|fails| **fails).count();
    let passing = table.fails().len() - failing;
    let mut rated: Vec<(usize, &String)> = Vec::new();
    for (name, cells) in table.texts() {
        if !name.starts_with('"') && !is_set(name) {
            continue;
        }
        let (mut in_failing, mut in_passing) = (0, 0);
        for (row, count) in cells {
            let is_there = usize::from(count > 0);
            match table.fails()[row] {
                true => in_failing += is_there,
                false => in_passing += is_there,
            }
        }
        let share = |there: usize, of: usize| there * 1000 / of.max(1);
        let more = share(in_failing, failing).checked_sub(share(in_passing, passing));
        if let Some(more) = more.filter(|more| *more > 0) {
            rated.push((1000 - more, name));
        }
    }
    rated.sort();
    rated.into_iter().take(MAX_TEXTS).map(|(_, name)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::feature::Features;

    #[test]
    fn two_of_three_are_found() {
        let input = |names: &[&str]| -> Features {
            names.iter().map(|name| (Feature::Count(format!("{name:?}")), 1)).collect()
        };
        let failing = [input(&["a", "b"]), input(&["b", "c", "x"]), input(&["a", "c"])];
        let passing = [input(&["a", "x"]), input(&["b"]), input(&["c"]), input(&["x"])];
        let mut table = Table::default();
        failing.into_iter().for_each(|features| table.add(features, true));
        passing.into_iter().for_each(|features| table.add(features, false));
        let found = votes(&table).unwrap().to_string();
        assert_eq!(found, "at least 2 of these are there: \"a\", \"b\", \"c\"");
    }
}
