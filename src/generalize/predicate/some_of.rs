//! Some of a few texts are there: two of three flags, one of four keywords.
//!
//! Of the texts that failing inputs have more often than passing ones, all sets of three to five are
//! tried, with every number of them.

use crate::generalize::predicate::name::Name;
use std::collections::BTreeMap;

use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::formula::Predicate;
use crate::generalize::predicate::learn::{Candidate, Table};
use crate::generalize::predicate::term::{IS_WORD, ITEMS_IN, OF_KEY, VALUE_OF, is_value, key_of};

/// Texts that sets are made of: 14 have 3,367 sets of three to five, so that all of them are tried in
/// milliseconds.
const MAX_TEXTS: usize = 14;
/// Sizes of sets, because two are a condition of two parts and more than five say little to a reader.
const SET_SIZES: std::ops::RangeInclusive<u32> = 3..=5;

/// The smallest set of which failing inputs have some number and passing ones don't: of texts, or of conditions that say
/// the same of different names. `allowed` failing inputs may have fewer.
///
/// Sets are tried in the order of their size. Cost: at most 3,367 sets for each different set that an input has.
pub(super) fn votes(
    table: &Table,
    (all, failing): (&[Candidate], usize),
    allowed: usize,
) -> Option<Predicate> {
    let rated = rated(table);
    let best = rated.iter().filter(|one| one.0 < NO_DIFFERENCE && key_of(one.1).is_none());
    let best: Vec<&Name> = best.map(|one| one.1).collect();
    let of_texts = words_of_one_list(&rated)
        .into_iter()
        .chain(std::iter::once(best))
        .chain(values_of_one_word(&rated))
        .chain(keys_of_one_place(&rated))
        .find_map(|texts| {
            let there =
                |text: &Name| table.counts(text).into_iter().map(|count| count > 0).collect();
            let of = |text: &Name| Condition {
                feature: Feature::Count(text.clone()),
                bound: Bound::AtLeast(1),
            };
            let texts = texts.into_iter().take(MAX_TEXTS);
            let texts: Vec<(Condition, Vec<bool>)> =
                texts.map(|text| (of(text), there(text))).collect();
            voted(&texts, table.fails(), allowed)
        });
    of_texts.or_else(|| {
        let fails: Vec<bool> = (0..table.fails().len()).map(|place| place < failing).collect();
        let groups = alike(all, failing, fails.len());
        groups.into_iter().find_map(|group| {
            let group: Vec<(Condition, Vec<bool>)> = group
                .into_iter()
                .map(|one| (one.condition.clone(), one.holds.iter(fails.len()).collect()))
                .collect();
            voted(&group, &fails, allowed)
        })
    })
}

/// The smallest set of some conditions, each with whether it holds for each input.
///
/// One more of the set has to hold than hold for any input that passes.
fn voted(
    conditions: &[(Condition, Vec<bool>)],
    fails: &[bool],
    allowed: usize,
) -> Option<Predicate> {
    let mut bits = vec![0u32; fails.len()];
    for (at, (_, holds)) in conditions.iter().enumerate() {
        for (bits, _) in bits.iter_mut().zip(holds).filter(|(_, holds)| **holds) {
            *bits |= 1 << at;
        }
    }
    // How many inputs meet which conditions.
    let of = |wanted: bool| -> BTreeMap<u32, usize> {
        let mut inputs: BTreeMap<u32, usize> = BTreeMap::new();
        for (bits, _) in bits.iter().zip(fails).filter(|(_, fails)| **fails == wanted) {
            *inputs.entry(*bits).or_default() += 1;
        }
        inputs
    };
    let (failing, passing) = (of(true), of(false));
    for size in SET_SIZES {
        for set in 0u32..1 << conditions.len() {
            if set.count_ones() != size {
                continue;
            }
            let most = passing.keys().map(|input| (input & set).count_ones()).max().unwrap_or(0);
            let least = most + 1;
            let missed = failing.iter().filter(|(input, _)| (*input & set).count_ones() < least);
            if least <= size && missed.map(|(_, inputs)| inputs).sum::<usize>() <= allowed {
                let members = conditions.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
                let mut members: Vec<Condition> = members.map(|(_, one)| one.0.clone()).collect();
                members.sort();
                return Some(Predicate::Some(least as usize, members));
            }
        }
    }
    None
}

/// Conditions that say the same of different names, in groups of at least three of which two hold more often for failing
/// than for passing inputs, the most telling ones first.
fn alike(all: &[Candidate], failing: usize, inputs: usize) -> Vec<Vec<&Candidate>> {
    let mut groups: BTreeMap<String, Vec<(usize, &Candidate)>> = BTreeMap::new();
    for one in all {
        let condition = &one.condition;
        if !may_vote(&condition.feature) {
            continue;
        }
        let [name] = condition.feature.names()[..] else { continue };
        let mut holding = one.holds.iter(inputs);
        let hits = holding.by_ref().take(failing).filter(|holds| *holds).count();
        let alarms = holding.filter(|holds| *holds).count();
        let share = |there: usize, of: usize| there * 1000 / of.max(1);
        let rank = 1000 - share(hits, failing).min(1000) + share(alarms, inputs - failing);
        let kind = condition.to_string().replace(&**name, "");
        groups.entry(kind).or_default().push((rank, one));
    }
    let is_group = |group: &Vec<(usize, &Candidate)>| {
        group.len() >= 3 && group.iter().filter(|(rank, _)| *rank < 1000).count() >= 2
    };
    let groups = groups.into_values().filter(is_group).map(|mut group| {
        group.sort_by_key(|(rank, one)| (*rank, &one.condition));
        group.truncate(MAX_TEXTS);
        group.into_iter().map(|(_, one)| one).collect()
    });
    groups.collect()
}

/// Whether conditions on a feature may be some of several that say the same of different names.
pub(super) fn may_vote(feature: &Feature) -> bool {
    let (mut names, mut are_values) = (0, true);
    feature.each_name(&mut |name| {
        names += 1;
        are_values &= is_value(name);
    });
    let is_text = matches!(feature, Feature::Count(_) | Feature::Parts(..));
    names == 1 && are_values && !is_text
}

/// Whether a name is of a value that is a word: `value of "fast" that is "true"`.
fn is_set(name: &str) -> bool {
    name.starts_with(VALUE_OF) && name.contains(IS_WORD)
}

/// Whether a name is of an item of a list that is a word: `items in "roles" that is "admin"`.
fn is_word_in_list(name: &str) -> bool {
    name.starts_with(ITEMS_IN) && name.contains(IS_WORD)
}

/// Keys of one place of which two are in more of the failing inputs, the most telling ones first: one of a few sources that a dependency has.
fn keys_of_one_place<'t>(rated: &[(i64, &'t Name)]) -> Vec<Vec<&'t Name>> {
    let mut places: BTreeMap<&str, Vec<(i64, &'t Name)>> = BTreeMap::new();
    for (rank, name) in rated {
        if let Some((_, place)) = key_of(name) {
            places.entry(place).or_default().push((*rank, name));
        }
    }
    groups_of(places)
}

/// Words that one list has, the most telling ones first, for lists of which at least three are known.
fn words_of_one_list<'t>(rated: &[(i64, &'t Name)]) -> Vec<Vec<&'t Name>> {
    let mut lists: BTreeMap<&str, Vec<&'t Name>> = BTreeMap::new();
    for (_, name) in rated.iter().filter(|(_, name)| is_word_in_list(name)) {
        let list = name.split_once(IS_WORD).map_or("", |(list, _)| list);
        lists.entry(list).or_default().push(name);
    }
    lists.into_values().filter(|words| words.len() >= 3).collect()
}

/// The rank of a text that as many of the failing inputs have as of the passing ones: a thousand, because shares are in
/// thousandths.
const NO_DIFFERENCE: i64 = 1000;

/// Texts by how much more of the failing inputs have them than of the passing ones, in thousandths, the most telling first.
fn rated(table: &Table) -> Vec<(i64, &Name)> {
    let failing = table.fails().iter().filter(|fails| **fails).count();
    let passing = table.fails().len() - failing;
    let mut rated: Vec<(i64, &Name)> = Vec::new();
    for (name, cells) in table.texts() {
        let is_text = name.starts_with('"') || is_set(name) || is_word_in_list(name);
        if !is_text && key_of(name).is_none() {
            continue;
        }
        let (mut in_failing, mut in_passing) = (0, 0);
        for (row, count) in cells {
            let is_there = i64::from(count > 0);
            match table.fails()[row] {
                true => in_failing += is_there,
                false => in_passing += is_there,
            }
        }
        let share = |there: i64, of: usize| there * 1000 / of.max(1) as i64;
        rated.push((NO_DIFFERENCE - share(in_failing, failing) + share(in_passing, passing), name));
    }
    rated.sort();
    rated
}

/// Values that are one and the same word, of at least three keys, if two of them are in more of the failing inputs. The
/// third may be in more passing ones: the inputs were made of one in which it is not needed.
fn values_of_one_word<'t>(rated: &[(i64, &'t Name)]) -> Vec<Vec<&'t Name>> {
    let mut groups: BTreeMap<&str, Vec<(i64, &'t Name)>> = BTreeMap::new();
    // A key inside another one is rarely one of several flags.
    let (inner, outer): (Vec<_>, Vec<_>) = rated
        .iter()
        .filter(|(_, name)| is_set(name))
        .partition(|(_, name)| name[VALUE_OF.len()..].contains(OF_KEY));
    for (rank, name) in outer.into_iter().chain(inner) {
        let word = name.split_once(IS_WORD).map_or("", |(_, word)| word);
        groups.entry(word).or_default().push((rank, name));
    }
    groups_of(groups)
}

/// The names of those groups of which there are three and two are in more of the failing inputs.
fn groups_of<'t>(groups: BTreeMap<&str, Vec<(i64, &'t Name)>>) -> Vec<Vec<&'t Name>> {
    let is_group = |group: &Vec<(i64, &Name)>| {
        group.len() >= 3 && group.iter().filter(|(rank, _)| *rank < NO_DIFFERENCE).count() >= 2
    };
    let groups = groups.into_values().filter(is_group);
    groups.map(|group| group.into_iter().map(|(_, name)| name).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::feature::Features;

    #[test]
    fn two_of_three_are_found() {
        let input = |names: &[&str]| -> Features {
            names.iter().map(|name| (Feature::Count(format!("{name:?}").into()), 1)).collect()
        };
        let failing = [input(&["a", "b"]), input(&["b", "c", "x"]), input(&["a", "c"])];
        let passing = [input(&["a", "x"]), input(&["b"]), input(&["c"]), input(&["x"])];
        let mut table = Table::default();
        failing.into_iter().for_each(|features| table.add(features, true));
        passing.into_iter().for_each(|features| table.add(features, false));
        let found = votes(&table, (&[], 3), 0).unwrap().to_string();
        assert_eq!(found, "at least 2 of these are there: \"a\", \"b\", \"c\"");
    }

    #[test]
    fn a_third_flag_is_found_that_is_on_in_few_failing_inputs() {
        let flags = |on: &[&str]| -> Features {
            let name =
                |key: &&str| Feature::Count(format!("value of \"{key}\" that is \"true\"").into());
            on.iter().map(|key| (name(key), 1)).collect()
        };
        let failing = [&["a", "b"][..], &["a", "b", "x"], &["a", "b"], &["a", "c"], &["c", "b"]];
        let passing = [&["c"][..], &["c", "x"], &["c"], &["a"], &["b", "x"]];
        let mut table = Table::default();
        failing.iter().for_each(|on| table.add(flags(on), true));
        passing.iter().for_each(|on| table.add(flags(on), false));
        let found = votes(&table, (&[], 5), 0).unwrap();
        let names: Vec<&Name> =
            found.conditions().iter().flat_map(|one| one.feature.names()).collect();
        assert!(matches!(found, Predicate::Some(2, _)), "{found}");
        assert!(names.iter().all(|name| !name.contains("\"x\"")) && names.len() == 3, "{found}");
    }

    #[test]
    fn as_many_may_be_missed_as_are_allowed() {
        let there = [true, true, true, false, false, false];
        let fails = [true, true, true, true, false, false];
        let name = |name: &str| Condition {
            feature: Feature::Count(name.into()),
            bound: Bound::AtLeast(1),
        };
        let all: Vec<(Condition, Vec<bool>)> =
            ["a", "b", "c"].iter().map(|one| (name(one), there.to_vec())).collect();
        assert_eq!(voted(&all, &fails, 0), None);
        assert!(voted(&all, &fails, 1).is_some());
    }
}
