//! Bounds of numbers. A bound knows nothing of what the number is of.
//!
//! Written down, the numbers are decimal text, since JSON's do not reach far enough.

use serde::{Deserialize, Serialize};

/// How a feature is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// It is that or more.
    AtLeast(#[serde(with = "decimal")] i128),
    /// It is that or less.
    AtMost(#[serde(with = "decimal")] i128),
    /// It is that.
    Is(#[serde(with = "decimal")] i128),
    /// It is something else.
    IsNot(#[serde(with = "decimal")] i128),
}

impl Bound {
    /// The number nearest to it for which it holds, or for which it does not.
    pub(super) fn nearest(self, holds: bool) -> i128 {
        match (self, holds) {
            (Bound::AtLeast(at) | Bound::AtMost(at) | Bound::Is(at), true)
            | (Bound::IsNot(at), false) => at,
            (Bound::AtLeast(at), false) => at.saturating_sub(1),
            (Bound::AtMost(at) | Bound::Is(at), false) | (Bound::IsNot(at), true) => {
                at.saturating_add(1)
            }
        }
    }

    /// Whether a value meets it.
    pub fn holds(self, value: i128) -> bool {
        match self {
            Bound::AtLeast(least) => value >= least,
            Bound::AtMost(most) => value <= most,
            Bound::Is(wanted) => value == wanted,
            Bound::IsNot(other) => value != other,
        }
    }
}

/// Numbers as decimal text.
///
/// For the derived implementations of the bounds.
mod decimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &i128, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<i128, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_number_is_on_the_side_that_was_asked_for() {
        let bounds = [Bound::AtLeast(3), Bound::AtMost(3), Bound::Is(3), Bound::IsNot(3)];
        for bound in bounds {
            for holds in [true, false] {
                let nearest = bound.nearest(holds);
                assert_eq!(bound.holds(nearest), holds, "{bound:?}");
                assert!((2..=4).contains(&nearest), "{bound:?}");
            }
        }
    }
}
