//! Features of a parsed input: what conditions are made of.
//!
//! A feature is a number that is read off the tree (`read.rs`): how many parts of a name there are,
//! how deep they are nested, how long and how great they are, how two of them compare. Yes is 1 and
//! no is 0. A part that isn't there has no length and no value.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use super::read::features;

/// A property of an input. A name in quotes is a text of the input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    /// How many parts of that name there are.
    Count(String),
    /// How many parts of the second name the part of the first has that has most.
    Children(String, String),
    /// Whether a part of the first name is somewhere inside one of the second.
    Inside(String, String),
    /// Whether two parts have the same text.
    Twins(String),
    /// Whether a part of the first name has the same letters and digits as one of the second.
    Shared(String, String),
    /// How the first part's number compares to the second's: -1, 0 or 1.
    Compared(String),
    /// How the number of the first part of the first name compares to that of the second name.
    ComparedWith(String, String),
    /// Whether some number is less than one before it; of parts that are no numbers, some text.
    Unsorted(String),
    /// Whether the first part's number is the number of parts of the second name.
    IsCount(String, String),
    /// Whether the first part's number is the length of the first part of the second name.
    IsLength(String, String),
    /// The same for the text between the quotes of that part.
    IsInnerLength(String, String),
    /// Whether the first part's number is the sum of all numbers of the second name.
    IsSum(String, String),
    /// Whether some part of the first name has more parts of the second than another.
    Unequal(String, String),
    /// Whether a part begins with a minus sign.
    Negative(String),
    /// Whether a part is empty.
    Empty(String),
    /// Whether a part has a character that is not ASCII.
    NonAscii(String),
    /// Whether a part of the first name is before one of the second.
    Before(String, String),
    /// How many parts of that name come one after the other at most.
    Run(String),
    /// How many brackets of that name are not closed at the end.
    Unclosed(String),
    /// The greatest number.
    Greatest(String),
    /// The least number.
    Least(String),
    /// The sum of all numbers.
    Sum(String),
    /// The product of the first two numbers.
    Product(String),
    /// How deep brackets are nested.
    Brackets,
    /// How deep parts of one name are nested in each other.
    Depth(String),
    /// How many characters the longest part has.
    Length(String),
    /// Whether the number of parts is odd.
    OddCount(String),
    /// Whether the length of the first part is odd.
    OddLength(String),
    /// How many bytes the input has.
    Bytes,
    /// Whether the number of bytes is odd.
    OddBytes,
}

/// The features of one input; what is not in it has no value.
pub type Features = BTreeMap<Feature, i128>;

impl Feature {
    /// Its value for an input. What isn't there is counted as none and is in no order, and has no
    /// size.
    pub fn value(&self, features: &Features) -> Option<i128> {
        features.get(self).copied().or_else(|| self.absent(features))
    }

    /// Its value for an input that has none of it.
    pub(super) fn absent(&self, features: &Features) -> Option<i128> {
        match self {
            Feature::Count(_)
            | Feature::Children(..)
            | Feature::Inside(..)
            | Feature::Depth(_)
            | Feature::Before(..)
            | Feature::Run(_)
            | Feature::Unclosed(_)
            | Feature::Twins(_)
            | Feature::Shared(..)
            | Feature::Unsorted(_)
            | Feature::Negative(_)
            | Feature::Empty(_)
            | Feature::NonAscii(_)
            | Feature::Unequal(..) => Some(0),
            // Where none of the counted parts is there, their name isn't either.
            Feature::IsCount(number, _) => {
                let is_zero = |bound: Feature| features.get(&bound) == Some(&0);
                let zero = is_zero(Feature::Greatest(number.clone()))
                    && is_zero(Feature::Least(number.clone()));
                zero.then_some(1)
            }
            _ => None,
        }
    }

    /// Whether it is a question with yes and no for answers.
    pub fn is_question(&self) -> bool {
        matches!(
            self,
            Feature::Inside(..)
                | Feature::Twins(_)
                | Feature::Shared(..)
                | Feature::Unsorted(_)
                | Feature::IsCount(..)
                | Feature::IsLength(..)
                | Feature::IsInnerLength(..)
                | Feature::IsSum(..)
                | Feature::Unequal(..)
                | Feature::Negative(_)
                | Feature::Empty(_)
                | Feature::NonAscii(_)
                | Feature::Before(..)
                | Feature::OddCount(_)
                | Feature::OddLength(_)
                | Feature::OddBytes
        )
    }

    /// Whether it has a value for each of many numbers, so that a bound may be between two that were
    /// seen.
    pub fn is_size(&self) -> bool {
        matches!(
            self,
            Feature::Greatest(_)
                | Feature::Least(_)
                | Feature::Sum(_)
                | Feature::Product(_)
                | Feature::Length(_)
                | Feature::Bytes
        )
    }

    /// How much it asks a reader to take in, beside its bound: what there is comes first, then how
    /// parts compare, then sizes.
    pub(super) fn weight(&self) -> u32 {
        match self {
            Feature::Count(_) => 0,
            Feature::Children(..) => 1,
            Feature::Twins(_)
            | Feature::Compared(_)
            | Feature::Negative(_)
            | Feature::Empty(_)
            | Feature::NonAscii(_)
            | Feature::Shared(..) => 2,
            Feature::Unsorted(_)
            | Feature::Before(..)
            | Feature::Unequal(..)
            | Feature::Inside(..) => 3,
            Feature::IsCount(..)
            | Feature::IsLength(..)
            | Feature::IsInnerLength(..)
            | Feature::IsSum(..)
            | Feature::ComparedWith(..)
            | Feature::Unclosed(_)
            | Feature::OddLength(_) => 4,
            Feature::Greatest(_) | Feature::Least(_) | Feature::Brackets | Feature::Bytes => 5,
            Feature::Depth(_)
            | Feature::Length(_)
            | Feature::Run(_)
            | Feature::OddCount(_)
            | Feature::Product(_) => 6,
            Feature::Sum(_) | Feature::OddBytes => 7,
        }
    }

    /// The names in it.
    pub fn names(&self) -> Vec<&String> {
        match self {
            Feature::Children(one, other)
            | Feature::Inside(one, other)
            | Feature::Shared(one, other)
            | Feature::ComparedWith(one, other)
            | Feature::IsCount(one, other)
            | Feature::IsLength(one, other)
            | Feature::IsInnerLength(one, other)
            | Feature::IsSum(one, other)
            | Feature::Unequal(one, other)
            | Feature::Before(one, other) => vec![one, other],
            Feature::Count(name)
            | Feature::Twins(name)
            | Feature::Compared(name)
            | Feature::Unsorted(name)
            | Feature::Negative(name)
            | Feature::Empty(name)
            | Feature::NonAscii(name)
            | Feature::Run(name)
            | Feature::Unclosed(name)
            | Feature::Greatest(name)
            | Feature::Least(name)
            | Feature::Sum(name)
            | Feature::Product(name)
            | Feature::Depth(name)
            | Feature::Length(name)
            | Feature::OddCount(name)
            | Feature::OddLength(name) => vec![name],
            Feature::Brackets | Feature::Bytes | Feature::OddBytes => Vec::new(),
        }
    }
}
