//! Every reducer of this package, in one list, and the choice of some of them by name.
//!
//! `--stats`, `--only` and `--without` use the names in this list, and the properties of reducers
//! are tested on all of it. A new reducer is a file with a `static`, and a line here.

use super::algorithms::difference::DD;
use super::amount::nesting::NESTING;
use super::amount::repetitions::REPETITIONS;
use super::auto::schedule;
use super::binary::fillers::FILLERS;
use super::binary::known_formats::KNOWN_FORMATS;
use super::binary::offsets::OFFSETS;
use super::binary::records::{RECORDS, RECORDS_CLOSELY};
use super::choices::Strategy;
use super::flat::combinations::{
    EQUAL_BYTES, EQUAL_LINES, EQUAL_TOKENS, NAMES, NEARBY_TOKENS, TWO_LINES, TWO_TOKENS,
};
use super::flat::ends::ENDS;
use super::flat::pairs::{BRACKETS, ITEMS, QUOTES, TAGS, WORDS};
use super::flat::placeholders::{SHORTER_BRACKETS, VALUES};
use super::flat::simplify::{SIMPLIFY, SIMPLIFY_ROUGHLY};
use super::flat::units::{BYTES, CHUNKS, DDMIN, LINES, TOKENS};
use super::flat::windows::{HALVES, WINDOWS, WINDOWS_ANYWHERE};
use super::polish::exhaust::EXHAUST;
use super::polish::mutate::MUTATE;
use super::polish::shorten::SHORTEN;
use super::reducer::Reducer;
use super::selection::Selection;
use super::tree::auto::descent::LEVELS;
use super::tree::auto::exchange::EXCHANGE;
use super::tree::auto::tokens::TOKEN_INSIDES;
use super::tree::hidden::WHITE_SPACE;
use super::tree::published::hdd::{HDD, HDD_PLUS, HDD_STAR, HDDR};
use super::tree::published::perses::PERSES;
use super::tree::published::picireny::PICIRENY;

/// Every reducer: the published algorithms, then those that work along a tree, then the flat ones
/// about in the order in which the default strategy runs them.
pub(crate) static REDUCERS: [&Reducer; 46] = [
    &DDMIN,
    &DD,
    &HDD,
    &HDD_PLUS,
    &HDD_STAR,
    &HDDR,
    &PICIRENY,
    &PERSES,
    &WHITE_SPACE,
    &LEVELS,
    &TOKEN_INSIDES,
    &EXCHANGE,
    &KNOWN_FORMATS,
    &NESTING,
    &HALVES,
    &WINDOWS,
    &WINDOWS_ANYWHERE,
    &OFFSETS,
    &RECORDS,
    &RECORDS_CLOSELY,
    &ENDS,
    &CHUNKS,
    &REPETITIONS,
    &ITEMS,
    &TAGS,
    &BRACKETS,
    &WORDS,
    &QUOTES,
    &LINES,
    &EQUAL_LINES,
    &TOKENS,
    &EQUAL_TOKENS,
    &NAMES,
    &VALUES,
    &SHORTER_BRACKETS,
    &BYTES,
    &EQUAL_BYTES,
    &SIMPLIFY,
    &SIMPLIFY_ROUGHLY,
    &FILLERS,
    &EXHAUST,
    &TWO_LINES,
    &TWO_TOKENS,
    &NEARBY_TOKENS,
    &SHORTEN,
    &MUTATE,
];

/// The reducer of that name.
pub(crate) fn find(name: &str) -> Option<&'static Reducer> {
    REDUCERS.into_iter().find(|reducer| reducer.name == name)
}

/// The names of everything that runs a reducer by default: strategies, and `--isolate`.
pub(crate) fn used_by(reducer: &Reducer) -> Vec<String> {
    let mut found = Vec::new();
    if schedule::reducers().iter().any(|one| one.name == reducer.name) {
        found.push(Strategy::Auto.to_string());
    }
    let published = [Strategy::Ddmin].into_iter().chain(Strategy::ALONG_A_TREE);
    let is_white_space = reducer.name == WHITE_SPACE.name;
    for strategy in published {
        let name = strategy.to_string();
        if name == reducer.name || (is_white_space && strategy.needs_tree()) {
            found.push(name);
        }
    }
    if reducer.name == DD.name {
        found.push("--isolate".to_owned());
    }
    found
}

/// A name that is no reducer's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no reducer {name:?}{}", meant(.nearest))]
pub struct UnknownReducer {
    /// The name that was asked for.
    pub name: String,
    /// The name that is most like it, if one is.
    pub nearest: Option<&'static str>,
}

fn meant(nearest: &Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; did you mean {nearest}?"))
}

/// The choice of the reducers named in `only` (all, if there are none) but for those in `without`.
///
/// An error is the first name that is neither a built-in reducer's nor one of `own`.
pub(crate) fn select(
    only: &[String],
    without: &[String],
    own: &[Reducer],
) -> Result<Selection, UnknownReducer> {
    for name in only.iter().chain(without) {
        if !own.iter().any(|reducer| reducer.name == *name) {
            named(name)?;
        }
    }
    Ok(Selection { only: only.to_vec(), without: without.to_vec() })
}

/// The built-in reducer of that name; an error says which one may have been meant.
pub(crate) fn named(name: &str) -> Result<&'static Reducer, UnknownReducer> {
    find(name).ok_or_else(|| {
        let distance = |reducer: &&Reducer| strsim::damerau_levenshtein(name, &reducer.name);
        let nearest = REDUCERS.into_iter().min_by_key(distance);
        // Of a name that is as far away as it is long nothing is right.
        let nearest = nearest.filter(|reducer| distance(reducer) * 2 <= name.len().max(2));
        UnknownReducer { name: name.to_owned(), nearest: nearest.map(Reducer::name) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_single_words_and_each_is_one_reducer_s() {
        let names: BTreeSet<&str> = REDUCERS.iter().map(|reducer| reducer.name()).collect();
        assert_eq!(names.len(), REDUCERS.len());
        let is_allowed = |c: char| c.is_ascii_lowercase() || "-+*".contains(c);
        for reducer in REDUCERS {
            assert!(reducer.name().chars().all(is_allowed), "{}", reducer.name());
            assert!(!reducer.description().is_empty() && !reducer.source().is_empty());
            assert!(!used_by(reducer).is_empty(), "nothing runs {}", reducer.name());
        }
    }

    #[test]
    fn a_wrong_name_gets_the_nearest_one_and_nonsense_gets_none() {
        let nearest = |name| named(name).unwrap_err().nearest;
        assert_eq!(nearest("line"), Some("lines"));
        assert_eq!(nearest("simplfy"), Some("simplify"));
        assert_eq!(nearest("xyzxyzxyz"), None);
        let message = named("exhuast").unwrap_err().to_string();
        assert_eq!(message, "there is no reducer \"exhuast\"; did you mean exhaust?");
    }

    #[test]
    fn own_reducers_can_be_selected_by_name() {
        let own = [Reducer::new("own", |_| Ok(()))];
        let name = ["own".to_owned()];
        assert!(select(&name, &[], &own).unwrap().runs("own"));
        assert_eq!(select(&name, &[], &[]).unwrap_err().name, "own");
    }
}
