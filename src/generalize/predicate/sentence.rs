//! The sentence that a condition is.

use std::fmt;

use super::condition::{Bound, Condition};
use super::feature::Feature;
use crate::generalize::domain::number as written;

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bound, number) = match self.bound {
            Bound::AtLeast(least) => ("at least", least),
            Bound::AtMost(most) => ("at most", most),
        };
        let size = written(number);
        let is_yes = matches!(self.bound, Bound::AtLeast(1));
        let either = |yes: String, no: String| if is_yes { yes } else { no };
        let parity = if is_yes { "odd" } else { "even" };
        let compared = || match self.bound {
            Bound::AtLeast(1) => "greater than",
            Bound::AtLeast(_) => "at least as great as",
            Bound::AtMost(-1) => "less than",
            Bound::AtMost(_) => "at most as great as",
        };
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
            Feature::Inside(inner, outer) => either(
                format!("some {inner} is inside a {outer}"),
                format!("no {inner} is inside a {outer}"),
            ),
            Feature::Twins(name) => {
                either(format!("two {name} are equal"), format!("no two {name} are equal"))
            }
            Feature::Shared(one, other) => either(
                format!("some {one} and some {other} have the same text"),
                format!("no {one} and {other} have the same text"),
            ),
            Feature::Compared(name) => {
                format!("the first {name} is {} the second {name}", compared())
            }
            Feature::ComparedWith(one, other) => {
                format!("the number of {one} is {} the number of {other}", compared())
            }
            Feature::Unsorted(name) => either(
                format!("the {name} are not in ascending order"),
                format!("the {name} are in ascending order"),
            ),
            Feature::IsCount(number, counted) => either(
                format!("{number} equals the number of {counted}"),
                format!("{number} differs from the number of {counted}"),
            ),
            Feature::IsLength(number, measured) => either(
                format!("{number} equals the length of {measured}"),
                format!("{number} differs from the length of {measured}"),
            ),
            Feature::IsInnerLength(number, measured) => either(
                format!("{number} equals the length of {measured} without its quotes"),
                format!("{number} differs from the length of {measured} without its quotes"),
            ),
            Feature::IsSum(number, summed) => either(
                format!("{number} equals the sum of {summed}"),
                format!("{number} differs from the sum of {summed}"),
            ),
            Feature::Unequal(parent, child) => either(
                format!("some {parent} has more {child} than another"),
                format!("all {parent} have the same number of {child}"),
            ),
            Feature::Negative(name) => {
                either(format!("some {name} is negative"), format!("no {name} is negative"))
            }
            Feature::Empty(name) => {
                either(format!("some {name} is empty"), format!("no {name} is empty"))
            }
            Feature::NonAscii(name) => either(
                format!("some {name} has a character that is not ASCII"),
                format!("all {name} are ASCII"),
            ),
            Feature::Before(first, second) => either(
                format!("{first} is before {second}"),
                format!("no {first} is before {second}"),
            ),
            Feature::Run(name) => match self.bound {
                Bound::AtLeast(_) => format!("at least {number} {name} follow each other"),
                Bound::AtMost(_) => format!("no more than {number} {name} follow each other"),
            },
            Feature::Unclosed(name) => format!("{bound} {number} {name} are not closed"),
            Feature::Greatest(name) => match self.bound {
                Bound::AtMost(_) => format!("no {name} is greater than {size}"),
                Bound::AtLeast(_) => format!("some {name} is {bound} {size}"),
            },
            Feature::Least(name) => match self.bound {
                Bound::AtMost(_) => format!("some {name} is {bound} {size}"),
                Bound::AtLeast(_) => format!("no {name} is less than {size}"),
            },
            Feature::Sum(name) => format!("the sum of the {name} is {bound} {size}"),
            Feature::Product(name) => {
                format!("the product of the first two {name} is {bound} {size}")
            }
            Feature::Brackets => format!("brackets are nested {bound} {number} deep"),
            Feature::Depth(name) => format!("{name} is nested {bound} {number} deep"),
            Feature::Length(name) => match self.bound {
                Bound::AtMost(_) => format!("no {name} is longer than {number} characters"),
                Bound::AtLeast(_) => format!("some {name} is at least {number} characters long"),
            },
            Feature::OddCount(name) => format!("the number of {name} is {parity}"),
            Feature::OddLength(name) => format!("the length of {name} is {parity}"),
            Feature::Bytes => format!("the input is {bound} {number} bytes long"),
            Feature::OddBytes => format!("the input has an {parity} number of bytes"),
        };
        f.write_str(&text)
    }
}
