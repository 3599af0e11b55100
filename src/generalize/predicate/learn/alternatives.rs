//! Names of which one is enough: the value of a key is one word or another, a statement is of one kind or another.
//!
//! A condition of which one part holds is found as a pair of conditions. Beside another condition it is a feature of its
//! own, because a pair of conditions cannot be joined with a third one that has to hold too.

use super::candidates::places;
use super::table::Table;
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::term::IS_WORD;

/// Names that are compared, those of most failing inputs first: 780 pairs. Not measured.
const MAX_NAMES: usize = 40;
/// Names of one alternative at most, because more say little to a reader.
const MAX_ALTERNATIVES: usize = 4;
/// Failing inputs or parts for which one of the names alone decides. A name that decides for fewer explains odd ones.
const MIN_DECIDED: usize = 4;
/// Alternatives that are kept, those whose names decide for most first. Not measured.
const MAX_KEPT: usize = 12;

/// A name, and where it is there.
pub(super) struct Presence<'t> {
    /// Its name.
    pub name: &'t String,
    /// For each place whether it is there.
    pub there: Vec<bool>,
}

/// Names of which one is in each failing input and none is in all of them, as features, each with its values by places.
pub(super) fn of_inputs(table: &Table, failing: usize) -> Vec<(Feature, Vec<Option<i128>>)> {
    let places = places(table);
    let names = table.texts().filter(|(name, _)| is_told(name)).map(|(name, cells)| {
        let mut there = vec![false; places.len()];
        cells.for_each(|(row, count)| there[places[row]] = count > 0);
        Presence { name, there }
    });
    let names: Vec<Presence<'_>> = names.collect();
    let wanted: Vec<usize> = (0..failing).collect();
    alternatives(&names, &wanted, false).into_iter().map(|set| feature(&names, &set)).collect()
}

/// Whether a name may be one of several: texts, and words that are values.
pub(super) fn is_told(name: &str) -> bool {
    name.contains(char::is_alphanumeric)
        && (name.starts_with('"') || name.contains(IS_WORD) || name.contains(" that begins with "))
        || name.starts_with('"') && name.chars().count() == 3
}

/// The feature that one of some names is there.
fn feature(names: &[Presence<'_>], set: &[usize]) -> (Feature, Vec<Option<i128>>) {
    let mut texts: Vec<String> = set.iter().map(|at| names[*at].name.clone()).collect();
    texts.sort();
    let places = names[set[0]].there.len();
    let value = |place: usize| set.iter().filter(|at| names[**at].there[place]).count() as i128;
    (Feature::AnyOf(texts), (0..places).map(|place| Some(value(place))).collect())
}

/// Sets of names of which one is at each of the wanted places, each of which decides for some of them alone.
///
/// `is_exclusive` asks for names of which no place has two: kinds of a part. The names of one key's values are such
/// by themselves.
pub(super) fn alternatives(
    names: &[Presence<'_>],
    wanted: &[usize],
    is_exclusive: bool,
) -> Vec<Vec<usize>> {
    let count = |at: usize| wanted.iter().filter(|place| names[at].there[**place]).count();
    let mut often: Vec<(usize, usize)> = (0..names.len()).map(|at| (count(at), at)).collect();
    often.retain(|(count, _)| (MIN_DECIDED..wanted.len()).contains(count));
    often.sort_by_key(|(count, at)| (std::cmp::Reverse(*count), *at));
    often.truncate(MAX_NAMES);
    let is_apart = |one: usize, other: usize| {
        !is_exclusive
            || !names[one].there.iter().zip(&names[other].there).any(|(one, other)| *one && *other)
    };
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    for (number, (_, first)) in often.iter().enumerate() {
        for (_, second) in &often[number + 1..] {
            if !is_apart(*first, *second) {
                continue;
            }
            // What is left over is covered by the names that are at most of it.
            let mut set = vec![*first, *second];
            let missing = |set: &[usize]| -> Vec<usize> {
                let is_missing = |place: &usize| !set.iter().any(|at| names[*at].there[*place]);
                wanted.iter().copied().filter(is_missing).collect()
            };
            let mut left = missing(&set);
            while !left.is_empty() && set.len() < MAX_ALTERNATIVES {
                let covers =
                    |at: usize| left.iter().filter(|place| names[at].there[**place]).count();
                let others = often.iter().map(|(_, at)| *at).filter(|at| {
                    !set.contains(at) && set.iter().all(|known| is_apart(*known, *at))
                });
                let Some(best) = others.max_by_key(|at| (covers(*at), std::cmp::Reverse(*at)))
                else {
                    break;
                };
                set.push(best);
                left = missing(&set);
            }
            if !left.is_empty() {
                continue;
            }
            let least = set.iter().map(|at| decided(names, wanted, &set, *at)).min().unwrap_or(0);
            set.sort_unstable();
            if least >= MIN_DECIDED && !found.iter().any(|(_, known)| *known == set) {
                found.push((least, set));
            }
        }
    }
    found.sort_by_key(|(least, set)| (set.len(), std::cmp::Reverse(*least), set.clone()));
    found.into_iter().take(MAX_KEPT).map(|(_, set)| set).collect()
}

/// For how many of the wanted places one name of a set is the only one.
fn decided(names: &[Presence<'_>], wanted: &[usize], set: &[usize], one: usize) -> usize {
    let is_decided = |place: &&usize| {
        names[one].there[**place]
            && !set.iter().any(|other| *other != one && names[*other].there[**place])
    };
    wanted.iter().filter(is_decided).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[String], inputs: &[&str]) -> Vec<Vec<usize>> {
        let names: Vec<Presence<'_>> = texts
            .iter()
            .map(|name| Presence {
                name,
                there: inputs.iter().map(|input| input.contains(&**name)).collect(),
            })
            .collect();
        let wanted: Vec<usize> = (0..inputs.len()).collect();
        alternatives(&names, &wanted, true)
    }

    #[test]
    fn two_names_that_cover_all_inputs_are_alternatives_and_a_rare_one_is_not() {
        let texts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(names(&texts, &["a", "b", "a", "b", "a", "b", "a", "b"]), [[0, 1]]);
        assert!(names(&texts, &["a", "b", "a", "b", "a", "b", "a", "c"]).is_empty());
        assert!(names(&texts, &["a", "b", "a", "b", "a", "b", "a", "b", "x"]).is_empty());
    }
}
