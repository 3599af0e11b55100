//! What a feature is for an input that has none of it.
//!
//! Features are read off what is there, so that most are not stored for most inputs. Some of them have a value all the
//! same: there are none, there is no order, everything is without a partner.

use super::{EACH, Feature, Features, OR, Term};
use crate::generalize::predicate::name::Name;
use crate::generalize::predicate::term::{ITEMS_IN, PAIRS_OF, is_value};

/// What a feature is for an input that has none of it.
pub(in crate::generalize::predicate) enum Absent<'f> {
    /// It has no value.
    Unknown,
    /// Always that.
    Is(i128),
    /// Yes if there is a part of that name.
    IfThere(&'f Name),
    /// The greatest depth of some names: there are none of one of them.
    Deepest(Vec<Feature>),
    /// Yes if there are two parts of that name.
    IfTwo(&'f Name),
    /// How many more parts there are of the first name than of the second.
    More(&'f Name, &'f Name),
    /// How many parts of that name there are.
    Count(&'f Name),
    /// The number, if there is no part of that name.
    ValueIfNone(&'f Term, &'f Name),
}

impl Feature {
    /// Its value for an input that has none of it.
    pub(super) fn absent(&self, features: &Features) -> Option<i128> {
        let count =
            |name: &Name| features.get(&Feature::Count(name.clone())).copied().unwrap_or_default();
        match self.absence() {
            Absent::Unknown => None,
            Absent::Is(value) => Some(value),
            Absent::IfThere(one) => Some(i128::from(count(one) > 0)),
            Absent::IfTwo(one) => Some(i128::from(count(one) > 1)),
            Absent::Deepest(each) => {
                Some(each.iter().filter_map(|one| features.get(one)).copied().max().unwrap_or(0))
            }
            Absent::More(one, other) => Some(count(one) - count(other)),
            Absent::Count(one) => Some(count(one)),
            Absent::ValueIfNone(term, counted) => match count(counted) {
                0 => features.get(&Feature::Value(term.clone())).copied(),
                _ => None,
            },
        }
    }

    /// Its value for inputs that have none of it.
    pub(in crate::generalize::predicate) fn absence(&self) -> Absent<'_> {
        match self {
            Feature::Within(name, inner) if inner.is_question() => {
                Absent::Is(i128::from(name.starts_with(EACH)))
            }
            Feature::Within(name, inner) => match **inner {
                Feature::Count(_) if !name.starts_with(EACH) => Absent::Is(0),
                _ => Absent::Unknown,
            },
            Feature::Missing(one, _)
            | Feature::MissingBefore(one, _)
            | Feature::MissingAfter(one, _)
            | Feature::Lacks(one, _) => Absent::IfThere(one),
            Feature::Unseparated(one, _) => Absent::IfTwo(one),
            Feature::Depth(name) => depths(name).map_or(Absent::Is(0), Absent::Deepest),
            Feature::More(one, other) => Absent::More(one, other),
            // One of the two isn't there.
            Feature::Excess(one, _) => Absent::Count(one),
            // A list has a count even if nothing is in it.
            Feature::Difference(term, Term::Count(counted))
                if !(counted.starts_with(ITEMS_IN) || counted.starts_with(PAIRS_OF)) =>
            {
                Absent::ValueIfNone(term, counted)
            }
            // Nothing has no length.
            Feature::Difference(
                term,
                Term::Length(measured) | Term::InnerLength(measured) | Term::Longest(measured),
            ) if !is_value(measured) => Absent::ValueIfNone(term, measured),
            Feature::Count(_)
            | Feature::AnyOf(_)
            | Feature::Children(..)
            | Feature::Level(..)
            | Feature::Alike(_)
            | Feature::AlikeInRow(_)
            | Feature::Parts(..)
            | Feature::Run(_) => Absent::Is(0),
            Feature::Multiple(..) | Feature::Bit(..) => Absent::Unknown,
            question if question.is_question() => Absent::Is(0),
            _ => Absent::Unknown,
        }
    }
}

/// The depths of each of some names whose depth is counted together, and of each two of three.
fn depths(name: &str) -> Option<Vec<Feature>> {
    let (one, words) = name.split_once(OR)?;
    let kind = &one[..one.rfind(" \"")?];
    let words: Vec<&str> = words.split(OR).collect();
    let others = words.iter().map(|word| format!("{kind} {word}"));
    let names: Vec<String> = std::iter::once(one.to_owned()).chain(others).collect();
    let mut found = names.clone();
    if words.len() > 1 {
        let words = std::iter::once(one[kind.len()..].trim_start()).chain(words);
        let words: Vec<&str> = words.collect();
        let pairs =
            (0..names.len()).flat_map(|at| (at + 1..names.len()).map(move |other| (at, other)));
        found.extend(pairs.map(|(at, other)| format!("{}{OR}{}", names[at], words[other])));
    }
    Some(found.into_iter().map(|name| Feature::Depth(name.into())).collect())
}
