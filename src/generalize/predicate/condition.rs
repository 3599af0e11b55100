//! Conditions: bounds of features, and how much each asks a reader to take in.

use super::feature::{Feature, Features};

/// A bound of one feature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    /// The feature.
    pub feature: Feature,
    /// Its bound.
    pub bound: Bound,
}

/// How a feature is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// It is that or more.
    AtLeast(i128),
    /// It is that or less.
    AtMost(i128),
}

impl Bound {
    /// Whether a value meets it.
    pub fn holds(self, value: i128) -> bool {
        match self {
            Bound::AtLeast(least) => value >= least,
            Bound::AtMost(most) => value <= most,
        }
    }
}

impl Condition {
    /// Whether an input meets it.
    pub fn holds(&self, features: &Features) -> bool {
        self.feature.value(features).is_some_and(|value| self.bound.holds(value))
    }

    /// How much it asks a reader to take in: what there is comes first, then its size.
    pub fn weight(&self) -> u32 {
        let of_bound = match (&self.feature, self.bound) {
            (_, Bound::AtLeast(0 | 1)) | (Feature::Count(_), Bound::AtMost(0)) => 0,
            (_, Bound::AtLeast(_)) => 1,
            (_, Bound::AtMost(_)) => 3,
        };
        // A comma or a bracket stands for the parts around it.
        let is_mark = |name: &String| {
            name.starts_with('"') && !name.contains(|c: char| c.is_ascii_alphanumeric())
        };
        let names = self.feature.names();
        let of_names = match &self.feature {
            Feature::Count(name) => is_mark(name),
            Feature::Run(_) | Feature::Unclosed(_) => false,
            Feature::Before(first, second) => is_mark(first) || is_mark(second),
            _ => names.last().is_some_and(|name| is_mark(name)),
        };
        self.feature.weight() * 4 + of_bound + 6 * u32::from(of_names)
    }

    /// Whether the bound says anything: a count of 0 and more is none.
    pub(super) fn bound_is_told(&self) -> bool {
        match (&self.feature, self.bound) {
            (feature, Bound::AtLeast(least)) if feature.is_question() => least == 1,
            (feature, Bound::AtMost(most)) if feature.is_question() => most == 0,
            (Feature::Compared(_) | Feature::ComparedWith(..), Bound::AtLeast(least)) => {
                (0..=1).contains(&least)
            }
            (Feature::Compared(_) | Feature::ComparedWith(..), Bound::AtMost(most)) => {
                (-1..=0).contains(&most)
            }
            (
                Feature::Greatest(_) | Feature::Least(_) | Feature::Sum(_) | Feature::Product(_),
                _,
            ) => true,
            (_, Bound::AtLeast(least)) => least > 0,
            (_, Bound::AtMost(most)) => most >= 0,
        }
    }
}
