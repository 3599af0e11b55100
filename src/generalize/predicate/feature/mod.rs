//! Features of a parsed input: what conditions are made of.
//!
//! A feature is a number that is read off the tree (`read/`): how many parts of a name there are, how
//! deep they are nested, how long and how great they are, how two of them compare. Yes is 1 and
//! no is 0. A part that isn't there has no length and no value.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

mod absence;

use super::bound::Bound;
pub use super::features::{Features, Part};
pub use super::name::Name;
pub use super::read::{Words, features};
use super::term::BELOW;
pub use super::term::{Field, Term};
pub(super) use absence::Absent;

/// What the name of a rule begins with of which the least value of a feature counts.
pub(super) const EACH: &str = "each ";

/// What the name of a rule begins with that is the first of its name.
pub(super) const FIRST: &str = "first ";

/// What the name of a rule begins with that is the last of its name.
pub(super) const LAST: &str = "last ";

/// What lines have more or fewer of: rows that are pictures or tables without separators.
pub(super) const CHARACTER: &str = "<character>";

/// The same of rows of words.
pub(super) const WORD: &str = "<word>";

/// The word between two names of elements whose depth is counted together.
pub(super) const OR: &str = " or ";

/// What the name of numbers with marks between them begins with.
pub(super) const CHAIN: &str = "<numbers> around ";

/// What the name of a record of a binary input begins with.
pub(super) const RECORD: &str = "<record of ";

/// What the name of the records of one type begins with, whatever their layout.
pub(super) const OF_TYPE: &str = "record of ";

/// A property of an input. A name in quotes is a text of the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    /// How many parts of that name there are.
    Count(Name),
    /// How many parts of any of these names there are.
    AnyOf(Vec<Name>),
    /// How many parts of the second name the part of the first has that has most.
    Children(Name, Name),
    /// How many parts of the second name a part of the first is inside of at most.
    Level(Name, Name),
    /// Whether two parts have the same text.
    Twins(Name),
    /// Whether two parts that follow each other have the same text.
    Repeated(Name),
    /// How many parts of that name have the same text at most.
    Alike(Name),
    /// How many parts of that name that follow each other have the same text at most.
    AlikeInRow(Name),
    /// Whether a part of that name is inside another one that begins with the same word.
    InOwn(Name),
    /// The same with no further part of the name between the two.
    RightInOwn(Name),
    /// Whether the first and the last of several parts have the same text.
    Ends(Name),
    /// Whether a part of the first name has the same letters and digits as one of the second.
    Shared(Name, Name),
    /// Whether some part of the second name has as many characters as some number of the first says.
    Measures(Name, Name),
    /// Whether some part of the first name has the letters and digits of none of the second.
    Missing(Name, Name),
    /// Whether some part of the first name has the letters and digits of none of the second that is before it.
    MissingBefore(Name, Name),
    /// Whether some part of the first name, which is a text, has none of the second after it.
    MissingAfter(Name, Name),
    /// Whether there are two parts of the first name with none of the second between them.
    Unseparated(Name, Name),
    /// Whether the text of a part begins with the whole text of another one and goes on.
    Begins(Name),
    /// Whether the text of a part of the first name begins with the whole text of one of the second beside it.
    BeginsWith(Name, Name),
    /// Whether a bit of the byte at a place is set, counted from the least one.
    Bit(Field, u8),
    /// Whether some part of the first name, which is of a rule, has no part of the second.
    Lacks(Name, Name),
    /// Whether some part of the first name has more parts of the second than the first one has.
    Longer(Name, Name),
    /// Whether some part of the first name has fewer parts of the second than the first one has.
    Shorter(Name, Name),
    /// Whether two keys in a part of that name are equal.
    TwinKeys(Name),
    /// Whether there are both keys, in one and the same part (with `Within`).
    BothKeys(Name, Name),
    /// By how much the first number is greater than the second.
    Difference(Term, Term),
    /// A number.
    Value(Term),
    /// Whether a number is a multiple of another one.
    Multiple(Term, i128),
    /// The same for the part of that name that has the greatest value of the feature.
    Within(Name, Arc<Feature>),
    /// Whether some number is less than one before it; of parts that are no numbers, some text.
    Unsorted(Name),
    /// By how much a number is greater than the one before it at most; of texts of one repeated character, their lengths.
    Rise(Name),
    /// Whether some part of the first name has more parts of the second than another.
    Unequal(Name, Name),
    /// Whether a part begins with a minus sign.
    Negative(Name),
    /// Whether a part is empty.
    Empty(Name),
    /// Whether a part has a character that is not ASCII.
    NonAscii(Name),
    /// Whether a part of the first name is before one of the second.
    Before(Name, Name),
    /// Whether a part of the first name is before one of the second that is before one of the third.
    InOrder(Name, Name, Name),
    /// Whether a part of the first name comes right before one of the second.
    Adjacent(Name, Name),
    /// How many parts of that name come one after the other at most.
    Run(Name),
    /// How many more parts of the first name there are than of the second.
    More(Name, Name),
    /// The same from the beginning to where it is most.
    Excess(Name, Name),
    /// How deep brackets are nested.
    Brackets,
    /// How deep brackets are nested where those of two kinds are open.
    MixedBrackets,
    /// How deep parts of one name are nested in each other.
    Depth(Name),
    /// How many parts of that name meet all of the bounds, each of them alone.
    Parts(Name, Vec<(Feature, Bound)>),
    /// The same of an input without the texts of that name, which say nothing. It is read without them then.
    Without(Name, Arc<Feature>),
}

impl Feature {
    /// Its value for an input. What isn't there is counted as none and is in no order, and has no
    /// size.
    pub fn value(&self, features: &Features) -> Option<i128> {
        if let Feature::Parts(name, bounds) = self {
            return Some(
                features.parts(name).iter().filter(|part| part.meets(bounds)).count() as i128
            );
        }
        if let Feature::Without(_, inner) = self {
            return inner.value(features);
        }
        if let Feature::AnyOf(names) = self {
            return Some(sum_of_counts(names, |count| features.get(count).copied()));
        }
        features.get(self).copied().or_else(|| self.absent(features))
    }

    /// Whether it is a question with yes and no for answers.
    pub fn is_question(&self) -> bool {
        match self {
            Feature::Within(_, inner) | Feature::Without(_, inner) => inner.is_question(),
            Feature::Twins(_)
            | Feature::TwinKeys(_)
            | Feature::BothKeys(..)
            | Feature::Repeated(_)
            | Feature::Ends(_)
            | Feature::InOwn(_)
            | Feature::RightInOwn(_)
            | Feature::Shared(..)
            | Feature::Measures(..)
            | Feature::Missing(..)
            | Feature::MissingBefore(..)
            | Feature::MissingAfter(..)
            | Feature::Unseparated(..)
            | Feature::Begins(_)
            | Feature::BeginsWith(..)
            | Feature::Bit(..)
            | Feature::Lacks(..)
            | Feature::Longer(..)
            | Feature::Shorter(..)
            | Feature::Unsorted(_)
            | Feature::Multiple(..)
            | Feature::Unequal(..)
            | Feature::Negative(_)
            | Feature::Empty(_)
            | Feature::NonAscii(_)
            | Feature::Adjacent(..)
            | Feature::InOrder(..)
            | Feature::Before(..) => true,
            _ => false,
        }
    }

    /// Whether it has a value for each of many numbers, so that a bound may be between two that were
    /// seen.
    pub fn is_size(&self) -> bool {
        match self {
            Feature::Within(_, inner) | Feature::Without(_, inner) => inner.is_size(),
            Feature::Value(_) | Feature::Difference(..) => true,
            _ => false,
        }
    }

    /// Whether it is by how much one number is greater than another.
    pub(super) fn is_difference(&self) -> bool {
        match self {
            Feature::Within(_, inner) | Feature::Without(_, inner) => inner.is_difference(),
            feature => matches!(feature, Feature::Difference(..)),
        }
    }

    /// Whether it is the length of a text, or of the whole input.
    pub(super) fn is_length(&self) -> bool {
        match self {
            Feature::Within(_, inner) | Feature::Without(_, inner) => inner.is_length(),
            Feature::Value(term) => matches!(
                term,
                Term::Length(_) | Term::InnerLength(_) | Term::Longest(_) | Term::Bytes
            ),
            _ => false,
        }
    }

    /// Whether it is about a number at a place of a binary input.
    pub(super) fn has_fields(&self) -> bool {
        let is_field =
            |term: &Term| matches!(term, Term::Field(_) | Term::Rest(_) | Term::FieldProduct(..));
        match self {
            Feature::Bit(..) => true,
            Feature::Without(_, inner) => inner.has_fields(),
            Feature::Parts(name, _) => name.starts_with(RECORD),
            Feature::Count(name) => name.starts_with(RECORD) || name.starts_with(OF_TYPE),
            Feature::Before(name, _)
            | Feature::MissingBefore(name, _)
            | Feature::MissingAfter(name, _)
            | Feature::Unseparated(name, _)
            | Feature::Excess(name, _)
            | Feature::More(name, _) => name.starts_with(OF_TYPE),
            Feature::Value(term) | Feature::Multiple(term, _) => is_field(term),
            Feature::Difference(one, other) => is_field(one) || is_field(other),
            _ => false,
        }
    }

    /// Whether it may be one number and no other.
    pub(super) fn may_be_one(&self) -> bool {
        match self {
            Feature::Value(Term::First(_) | Term::Second(_) | Term::Field(_)) => true,
            Feature::Value(Term::Length(_) | Term::InnerLength(_)) => true,
            // Of several differences the greatest counts, which says nothing of the others.
            Feature::Within(_, inner) => inner.may_be_one() && !inner.is_difference(),
            Feature::Difference(..) => true,
            _ => false,
        }
    }

    /// How much it asks a reader to take in, beside its bound: what there is comes first, then how
    /// parts compare, then sizes.
    pub(super) fn weight(&self) -> u32 {
        match self {
            // A record's type belongs into one sentence with its length.
            Feature::Count(name) if name.starts_with(OF_TYPE) => 2,
            // That a part is all of a text, or has a mark, comes before how it begins.
            Feature::Count(name) if super::term::is_affixed(name) => 1,
            Feature::Count(_) => 0,
            // As much as two conditions of which one holds.
            Feature::AnyOf(names) => 1 + names.len() as u32,
            Feature::Children(..) => 1,
            Feature::TwinKeys(_) | Feature::BothKeys(..) => 1,
            Feature::Twins(_)
            | Feature::Negative(_)
            | Feature::Empty(_)
            | Feature::NonAscii(_)
            | Feature::Shared(..) => 2,
            Feature::BeginsWith(..) => 4,
            Feature::MissingBefore(..) | Feature::Begins(_) | Feature::Bit(..) => 5,
            Feature::Lacks(name, _) if is_of_one_place(name) => 4,
            // A rule without any part lacks all tokens, too, but not the other way round.
            Feature::Lacks(_, name) if super::term::is_of_token(name) => 4,
            Feature::Repeated(_)
            | Feature::Alike(_)
            | Feature::InOwn(_)
            | Feature::Measures(..)
            | Feature::Missing(..)
            | Feature::Lacks(..)
            | Feature::Longer(..)
            | Feature::Shorter(..)
            | Feature::Unsorted(_)
            | Feature::Before(..)
            | Feature::Adjacent(..)
            | Feature::Unequal(..)
            | Feature::Level(..) => 3,
            Feature::Difference(Term::First(one), Term::Second(_))
                if !super::term::is_value(one) =>
            {
                2
            }
            Feature::Difference(one, other) => {
                2 + one.weight_in_difference() + other.weight_in_difference()
            }
            Feature::More(..) | Feature::Ends(_) | Feature::InOrder(..) => 4,
            Feature::MissingAfter(..) => 4,
            Feature::Unseparated(..) => 5,
            Feature::AlikeInRow(_) | Feature::RightInOwn(_) => 4,
            Feature::Brackets | Feature::MixedBrackets | Feature::Excess(..) | Feature::Rise(_) => {
                5
            }
            Feature::Value(term) => 4 + term.weight(),
            Feature::Multiple(term, of) => 4 + term.weight() + u32::from(*of != 2),
            // The depth of an element of a name says more than that of a rule.
            // Two names say more than three.
            Feature::Depth(name) if name.contains('"') => {
                3 + 2 * name.matches(OR).count() as u32 + u32::from(name.starts_with(BELOW))
            }
            Feature::Depth(_) | Feature::Run(_) => 6,
            Feature::Parts(_, bounds) => {
                bounds.iter().map(|(feature, _)| 1 + feature.weight()).sum()
            }
            Feature::Without(_, inner) => inner.weight(),
            // That something is there is said of the whole input first.
            Feature::Within(name, inner) => {
                let of_count = 2 * u32::from(matches!(**inner, Feature::Count(_)));
                1 + inner.weight() + of_count + u32::from(is_of_one_place(name))
            }
        }
    }

    /// The names in it.
    pub fn names(&self) -> Vec<&Name> {
        let mut names = Vec::new();
        self.each_name(&mut |name| names.push(name));
        names
    }

    /// Calls a function with each name in it, which takes less time than a list of them.
    pub(super) fn each_name<'f>(&'f self, to: &mut dyn FnMut(&'f Name)) {
        match self {
            Feature::Children(one, other)
            | Feature::Level(one, other)
            | Feature::Shared(one, other)
            | Feature::Measures(one, other)
            | Feature::BeginsWith(one, other)
            | Feature::Missing(one, other)
            | Feature::MissingBefore(one, other)
            | Feature::MissingAfter(one, other)
            | Feature::Unseparated(one, other)
            | Feature::Lacks(one, other)
            | Feature::Longer(one, other)
            | Feature::Shorter(one, other)
            | Feature::Unequal(one, other)
            | Feature::More(one, other)
            | Feature::Excess(one, other)
            | Feature::Adjacent(one, other)
            | Feature::BothKeys(one, other)
            | Feature::Before(one, other) => [one, other].into_iter().for_each(to),
            Feature::InOrder(one, other, third) => [one, other, third].into_iter().for_each(to),
            Feature::AnyOf(names) => names.iter().for_each(to),
            Feature::Count(name)
            | Feature::Twins(name)
            | Feature::TwinKeys(name)
            | Feature::Repeated(name)
            | Feature::Alike(name)
            | Feature::AlikeInRow(name)
            | Feature::InOwn(name)
            | Feature::RightInOwn(name)
            | Feature::Ends(name)
            | Feature::Rise(name)
            | Feature::Unsorted(name)
            | Feature::Begins(name)
            | Feature::Negative(name)
            | Feature::Empty(name)
            | Feature::NonAscii(name)
            | Feature::Run(name)
            | Feature::Depth(name) => to(name),
            Feature::Difference(one, other) => {
                one.name().into_iter().chain(other.name()).for_each(to);
            }
            Feature::Value(term) | Feature::Multiple(term, _) => {
                term.name().into_iter().for_each(to)
            }
            Feature::Within(name, inner) | Feature::Without(name, inner) => {
                to(name);
                inner.each_name(to);
            }
            Feature::Parts(name, bounds) => {
                to(name);
                bounds.iter().for_each(|(feature, _)| feature.each_name(to));
            }
            Feature::Brackets | Feature::MixedBrackets | Feature::Bit(..) => {}
        }
    }
}

/// How many parts of some names there are, given how many there are of one.
pub(super) fn sum_of_counts(names: &[Name], count: impl Fn(&Feature) -> Option<i128>) -> i128 {
    names.iter().filter_map(|name| count(&Feature::Count(name.clone()))).sum()
}

/// Whether a rule's name is that of the first or the last of its name.
pub(super) fn is_of_one_place(name: &str) -> bool {
    name.starts_with(FIRST) || name.starts_with(LAST)
}
