//! Names of which one is enough: the value of a key is one word or another, a statement is of one kind or another.
//!
//! A condition of which one part holds is found as a pair of conditions. Beside another condition it is a feature of its
//! own, because a pair of conditions cannot be joined with a third one that has to hold too.

use crate::generalize::predicate::name::Name;
use std::borrow::Cow;
use std::collections::BTreeSet;

use super::table::{Table, places};
use super::values::Ranks;
use crate::generalize::predicate::bound::Bound;
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::term::{BEGINS_WITH, ENDS_WITH, IS_WORD, OF_TEXT};

/// Names that are compared, those of most failing inputs first: 780 pairs. Not measured.
const MAX_NAMES: usize = 40;
/// Of these the names that come first for their number alone. A guess, because names of both kinds have been right.
const MAX_OFTEN: usize = 24;
/// Names that most failing inputs have, and names that are added for the failing inputs without one of these. A guess,
/// because most values have at most four words.
const MAX_LEADING: usize = 2;
const MAX_RESTS: usize = 8;
/// Such a name is in this number of failing inputs for each passing one. A guess.
const FAILING_FOR_A_PASSING: usize = 8;
/// Names of one alternative at most, because more say little to a reader.
const MAX_ALTERNATIVES: usize = 4;
/// Failing inputs for which one of the names alone decides: four, because a name that decides for fewer explains odd
/// inputs.
const MIN_DECIDED: usize = 4;
/// Alternatives that are kept, a bound on the time because each is joined with all conditions. Those whose names decide for
/// most come first.
const MAX_KEPT: usize = 12;

/// Further ones that are kept, those of fewest passing inputs: a set of three that is the cause comes after a dozen of two that all inputs have.
const MAX_FURTHER: usize = 6;

/// Of this number of parts that have one of some names one may have two: kinds that exclude each other are in one part together only where it
/// has an odd text.
const PARTS_PER_HELD_TWICE: usize = 8;

/// A name, and where it is there.
pub(super) struct Presence<'t> {
    /// Its name.
    pub name: &'t Name,
    /// For each place whether it is there.
    pub there: Vec<bool>,
}

/// Names of which one is in each failing input and none is in all of them, as features, each with its values by places.
pub(super) fn of_inputs(table: &Table, failing: usize) -> Vec<(Feature, Ranks)> {
    let places = places(table);
    let names = table.texts().filter(|(name, _)| is_told(name)).map(|(name, cells)| {
        let mut there = vec![false; places.len()];
        cells.for_each(|(row, count)| there[places[row]] = count > 0);
        Presence { name, there }
    });
    let names: Vec<Presence<'_>> = names.collect();
    let wanted: Vec<usize> = (0..failing).collect();
    alternatives(&names, &wanted).into_iter().map(|set| feature(&names, &set)).collect()
}

/// Kinds of a part of which one is in every failing input: `"delete"` or `"update"`, of which hardly a part has two.
pub(super) fn of_parts(
    columns: &[(Cow<'_, Feature>, Ranks)],
    places: &[u32],
    (failing, inputs): (usize, usize),
) -> Vec<(Cow<'static, Feature>, Ranks)> {
    let named = columns.iter().filter_map(|(feature, ranks)| match &**feature {
        Feature::Count(name) if is_told(name) => Some((name, ranks)),
        _ => None,
    });
    let (mut names, mut by_part) = (Vec::new(), Vec::new());
    for (name, ranks) in named {
        let there: Vec<bool> = ranks.which(&ranks.meeting(Bound::AtLeast(1))).collect();
        by_part.push(there.clone());
        names.push(Presence { name, there });
    }
    // A part of a failing input may be another one than that which fails, so inputs are covered and not parts.
    let all = places.iter().map(|place| *place as usize);
    let wanted: BTreeSet<usize> = all.filter(|place| *place < failing).collect();
    for presence in &mut names {
        let parts = std::mem::take(&mut presence.there);
        presence.there = vec![false; inputs];
        let there = parts.iter().zip(places).filter(|(there, _)| **there);
        there.for_each(|(_, place)| presence.there[*place as usize] = true);
    }
    let wanted: Vec<usize> = wanted.into_iter().collect();
    let is_apart = |set: &[usize]| {
        let holding = |part: usize| set.iter().filter(|at| by_part[**at][part]).count();
        let held = |least: usize| (0..places.len()).filter(|part| holding(*part) >= least).count();
        held(2) * PARTS_PER_HELD_TWICE <= held(1)
    };
    let sets = alternatives_among(&names, &wanted, is_apart);
    let sets = sets.into_iter().map(|set| {
        let value = |part: usize| set.iter().filter(|at| by_part[**at][part]).count() as i128;
        let values = (0..places.len()).map(|part| Some(value(part))).collect();
        (Cow::Owned(any_of(&names, &set)), values)
    });
    sets.collect()
}

/// Whether a name may be one of several: texts, and words that are values.
///
/// Marks are such too; kinds of tokens are not, because they say what a text is like and not which it is.
pub(super) fn is_told(name: &str) -> bool {
    name.contains(char::is_alphanumeric)
        && (name.starts_with('"')
            || name.contains(IS_WORD)
            || name.contains(BEGINS_WITH)
            || name.contains(ENDS_WITH)
            || name.contains(OF_TEXT))
        || name.starts_with('"') && name.chars().count() == 3
}

/// The name of a value without its text: `value of "mode"`.
fn stem(name: &str) -> Option<&str> {
    name.split_once(IS_WORD).map(|(stem, _)| stem)
}

/// The feature that one of the names in `set` is there.
fn any_of(names: &[Presence<'_>], set: &[usize]) -> Feature {
    let mut texts: Vec<Name> = set.iter().map(|at| names[*at].name.clone()).collect();
    texts.sort();
    Feature::AnyOf(texts)
}

/// The same with its values: how many of the names are there, by places.
fn feature(names: &[Presence<'_>], set: &[usize]) -> (Feature, Ranks) {
    let places = names[set[0]].there.len();
    let value = |place: usize| set.iter().filter(|at| names[**at].there[place]).count() as i128;
    (any_of(names, set), (0..places).map(|place| Some(value(place))).collect())
}

/// Sets of names of which one is at each of the wanted places, each of which decides for some of them alone.
///
/// Every pair of names is completed by the names that cover most of what is left over, so that not all sets are tried.
/// Smaller sets come first, then those whose rarest name decides for most places.
///
/// Cost: for each pair at most two looks at each other name, each some words of bits.
pub(super) fn alternatives(names: &[Presence<'_>], wanted: &[usize]) -> Vec<Vec<usize>> {
    alternatives_among(names, wanted, |_| true)
}

/// The same of those sets that are taken.
fn alternatives_among(
    names: &[Presence<'_>],
    wanted: &[usize],
    is_taken: impl Fn(&[usize]) -> bool,
) -> Vec<Vec<usize>> {
    // One bit for each wanted place, because thousands of sets are looked at.
    let mask = |at: usize| -> Vec<u64> {
        let bits = |places: &[usize]| {
            let there = places.iter().enumerate().filter(|(_, place)| names[at].there[**place]);
            there.fold(0, |word, (bit, _)| word | 1u64 << bit)
        };
        wanted.chunks(64).map(bits).collect()
    };
    let count = |mask: &[u64]| mask.iter().map(|word| word.count_ones() as usize).sum::<usize>();
    let mut often: Vec<(usize, usize, Vec<u64>)> = (0..names.len())
        .map(|at| (at, mask(at)))
        .map(|(at, mask)| (count(&mask), at, mask))
        .filter(|(count, ..)| (MIN_DECIDED..wanted.len()).contains(count))
        .collect();
    often.sort_by_key(|(count, at, _)| (std::cmp::Reverse(*count), *at));
    // A word that is anywhere says less than one that is a key's value.
    let count_of = |name: usize| names[name].there.iter().filter(|there| **there).count();
    let mut others = often.split_off(often.len().min(MAX_OFTEN));
    // Of the others those that cover most of what one of the first leaves over, and are where no input fails least often: most failing inputs
    // are made of one, and have its word.
    let is_leading = |(count, at, _): &&(usize, usize, Vec<u64>)| {
        count * 2 > wanted.len() && (count_of(*at) - count) * FAILING_FOR_A_PASSING <= *count
    };
    let leading: Vec<Vec<u64>> = often.iter().filter(is_leading).map(|one| one.2.clone()).collect();
    for first in leading.iter().take(MAX_LEADING) {
        let rest = |mask: &[u64]| count_beyond(mask, first);
        others.sort_by_cached_key(|(count, at, mask)| {
            (count_of(*at) - count).saturating_sub(rest(mask)) + wanted.len() - rest(mask)
        });
        often.extend(others.drain(..others.len().min(MAX_RESTS)));
    }
    others.sort_by_key(|(count, at, _)| (std::cmp::Reverse(*count), *at));
    often.extend(others);
    often.truncate(MAX_NAMES);
    let covered = |set: &[usize]| -> Vec<u64> {
        let word = |number: usize| set.iter().fold(0, |word, at| word | often[*at].2[number]);
        (0..wanted.len().div_ceil(64)).map(word).collect()
    };
    let further: Vec<usize> = often.iter().map(|(count, at, _)| count_of(*at) - count).collect();
    // Places of one name that none of some others has.
    let alone = |one: usize, others: &[u64]| count_beyond(&often[one].2, others);
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    for first in 0..often.len() {
        for second in first + 1..often.len() {
            // What is left over is covered by the names that are at most of it.
            let mut set = vec![first, second];
            let mut known = covered(&set);
            while count(&known) < wanted.len() && set.len() < MAX_ALTERNATIVES {
                let others = (0..often.len()).filter(|at| !set.contains(at));
                // Of equals one of the same value, which is easier to read.
                let is_of_same = |at: usize| {
                    let of = |at: usize| stem(names[often[at].1].name);
                    of(at).is_some() && set.iter().any(|one| of(*one) == of(at))
                };
                let best = others.max_by_key(|at| {
                    let further = std::cmp::Reverse(further[*at]);
                    (alone(*at, &known), is_of_same(*at), further, std::cmp::Reverse(*at))
                });
                set.extend(best.filter(|at| alone(*at, &known) > 0));
                let more = covered(&set);
                if more == known {
                    break;
                }
                known = more;
            }
            if count(&known) < wanted.len() {
                continue;
            }
            let decided = set.iter().map(|at| {
                let others: Vec<usize> = set.iter().copied().filter(|other| other != at).collect();
                alone(*at, &covered(&others))
            });
            let least = decided.min().unwrap_or(0);
            let mut set: Vec<usize> = set.iter().map(|at| often[*at].1).collect();
            set.sort_unstable();
            let is_new = least >= MIN_DECIDED && !found.iter().any(|(_, known)| *known == set);
            if is_new && is_taken(&set) {
                found.push((least, set));
            }
        }
    }
    found.sort_by_key(|(least, set)| (set.len(), std::cmp::Reverse(*least), set.clone()));
    let mut found: Vec<Vec<usize>> = found.into_iter().map(|(_, set)| set).collect();
    let mut others = found.split_off(found.len().min(MAX_KEPT));
    // Of the others those that are at fewest further places, where no input fails.
    others.sort_by_cached_key(|set| {
        let places = 0..names[set[0]].there.len();
        places.filter(|place| set.iter().any(|at| names[*at].there[*place])).count()
    });
    others.truncate(MAX_FURTHER);
    found.extend(others);
    found
}

/// How many places are in a mask and not in another one.
fn count_beyond(mask: &[u64], others: &[u64]) -> usize {
    let words = mask.iter().zip(others);
    words.map(|(word, others)| (word & !others).count_ones() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[Name], inputs: &[&str]) -> Vec<Vec<usize>> {
        let names: Vec<Presence<'_>> = texts
            .iter()
            .map(|name| Presence {
                name,
                there: inputs.iter().map(|input| input.contains(&**name)).collect(),
            })
            .collect();
        let wanted: Vec<usize> = (0..inputs.len()).collect();
        alternatives(&names, &wanted)
    }

    #[test]
    fn two_names_that_cover_all_inputs_are_alternatives_and_a_rare_one_is_not() {
        let texts = ["a", "b", "c"].map(Name::from);
        assert_eq!(names(&texts, &["a", "b", "a", "b", "a", "b", "a", "b"]), [[0, 1]]);
        assert!(names(&texts, &["a", "b", "a", "b", "a", "b", "a", "c"]).is_empty());
        assert!(names(&texts, &["a", "b", "a", "b", "a", "b", "a", "b", "x"]).is_empty());
    }
}
