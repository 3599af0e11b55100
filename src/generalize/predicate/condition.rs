//! Conditions over features, and the sentence that a condition is.

use std::fmt;

use super::feature::{Feature, Features};

/// A bound of one feature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    /// What is bounded.
    pub feature: Feature,
    /// By what.
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

impl Feature {
    /// Its value for an input. What isn't there is counted as none and is in no order, and has no
    /// size.
    pub fn value(&self, features: &Features) -> Option<i128> {
        let known = features.get(self).copied();
        match self {
            Feature::Count(_) | Feature::Children(..) | Feature::Depth(_) | Feature::Before(..) => {
                Some(known.unwrap_or(0))
            }
            Feature::Twins(_) | Feature::Negative(_) | Feature::Unequal(..) => {
                Some(known.unwrap_or(0))
            }
            // Where none of the counted parts is there, their name isn't either.
            Feature::IsCount(number, _) => known.or_else(|| {
                let is_zero = |bound: Feature| features.get(&bound) == Some(&0);
                let zero = is_zero(Feature::Greatest(number.clone()))
                    && is_zero(Feature::Least(number.clone()));
                zero.then_some(1)
            }),
            _ => known,
        }
    }

    /// Whether it is a question with yes and no for answers.
    pub fn is_question(&self) -> bool {
        matches!(
            self,
            Feature::Twins(_)
                | Feature::IsCount(..)
                | Feature::IsLength(..)
                | Feature::Unequal(..)
                | Feature::Negative(_)
                | Feature::Before(..)
        )
    }
}

impl Condition {
    /// Whether an input meets it.
    pub fn holds(&self, features: &Features) -> bool {
        self.feature.value(features).is_some_and(|value| match self.bound {
            Bound::AtLeast(least) => value >= least,
            Bound::AtMost(most) => value <= most,
        })
    }

    /// How much it asks a reader to take in: what there is comes first, then its size.
    pub fn weight(&self) -> u32 {
        let of_bound = match (&self.feature, self.bound) {
            (_, Bound::AtLeast(0 | 1)) | (Feature::Count(_), Bound::AtMost(0)) => 0,
            (_, Bound::AtLeast(_)) => 1,
            (_, Bound::AtMost(_)) => 3,
        };
        let of_feature = match &self.feature {
            Feature::Count(_) => 0,
            Feature::Children(..) => 1,
            Feature::Twins(_) | Feature::Compared(_) | Feature::Negative(_) => 2,
            Feature::Before(..) | Feature::Unequal(..) => 3,
            Feature::IsCount(..) | Feature::IsLength(..) => 4,
            Feature::Greatest(_) | Feature::Least(_) | Feature::Brackets => 5,
            Feature::Depth(_) | Feature::Length(_) | Feature::Bytes => 6,
        };
        // A comma or a bracket stands for the parts around it.
        let is_mark = |name: &String| {
            name.starts_with('"') && !name.contains(|c: char| c.is_ascii_alphanumeric())
        };
        let of_names = match &self.feature {
            Feature::Count(name) => is_mark(name),
            Feature::Children(_, child) | Feature::Unequal(_, child) => is_mark(child),
            Feature::IsCount(_, counted) => is_mark(counted),
            Feature::Before(first, second) => is_mark(first) || is_mark(second),
            _ => false,
        };
        of_feature * 4 + of_bound + 6 * u32::from(of_names)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bound, number) = match self.bound {
            Bound::AtLeast(least) => ("at least", least),
            Bound::AtMost(most) => ("at most", most),
        };
        let is_yes = matches!(self.bound, Bound::AtLeast(1));
        let either = |yes: String, no: String| if is_yes { yes } else { no };
        let text = match &self.feature {
            Feature::Count(name) => match self.bound {
                Bound::AtLeast(1) => format!("there is {name}"),
                Bound::AtMost(0) => format!("there is no {name}"),
                _ => format!("there are {bound} {number} {name}"),
            },
            Feature::Children(parent, child) => match self.bound {
                Bound::AtMost(_) => format!("no {parent} has more than {number} {child}"),
                Bound::AtLeast(_) => format!("some {parent} has at least {number} {child}"),
            },
            Feature::Twins(name) => {
                either(format!("two {name} are equal"), format!("no two {name} are equal"))
            }
            Feature::Compared(name) => {
                let how = match self.bound {
                    Bound::AtLeast(1) => "greater than",
                    Bound::AtLeast(_) => "at least as great as",
                    Bound::AtMost(-1) => "less than",
                    Bound::AtMost(_) => "at most as great as",
                };
                format!("the first {name} is {how} the second {name}")
            }
            Feature::IsCount(number, counted) => either(
                format!("{number} equals the number of {counted}"),
                format!("{number} differs from the number of {counted}"),
            ),
            Feature::IsLength(number, measured) => either(
                format!("{number} equals the length of {measured}"),
                format!("{number} differs from the length of {measured}"),
            ),
            Feature::Unequal(parent, child) => either(
                format!("some {parent} has more {child} than another"),
                format!("all {parent} have the same number of {child}"),
            ),
            Feature::Negative(name) => {
                either(format!("some {name} is negative"), format!("no {name} is negative"))
            }
            Feature::Before(first, second) => either(
                format!("{first} is before {second}"),
                format!("no {first} is before {second}"),
            ),
            Feature::Greatest(name) => match self.bound {
                Bound::AtMost(_) => format!("no {name} is greater than {number}"),
                Bound::AtLeast(_) => format!("some {name} is {bound} {number}"),
            },
            Feature::Least(name) => match self.bound {
                Bound::AtMost(_) => format!("some {name} is {bound} {number}"),
                Bound::AtLeast(_) => format!("no {name} is less than {number}"),
            },
            Feature::Brackets => format!("brackets are nested {bound} {number} deep"),
            Feature::Depth(name) => format!("{name} is nested {bound} {number} deep"),
            Feature::Length(name) => match self.bound {
                Bound::AtMost(_) => format!("no {name} is longer than {number} characters"),
                Bound::AtLeast(_) => format!("some {name} is at least {number} characters long"),
            },
            Feature::Bytes => format!("the input is {bound} {number} bytes long"),
        };
        f.write_str(&text)
    }
}
