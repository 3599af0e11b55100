//! Conditions: bounds of features, and how much each asks a reader to take in.

pub use super::bound::Bound;
use super::feature::{Feature, Features, Term};
use super::term::{
    ANY_NUMBER, BETWEEN, IS_WORD, is_of_token, is_typed_value, is_value, repeated_keys,
};
use crate::generalize::predicate::name::Name;

/// What a key weighs that is under one of its name: more than half a second condition, because two such paths, of which one is there, came before
/// the depth that they are of.
const REPEATED_KEY_WEIGHT: u32 = 7;

/// What it weighs that a value is not one number: as much as two further conditions, because hardly any cause is that.
const OTHER_NUMBER_WEIGHT: u32 = 24;

/// The weight of a second condition besides its own, because among so many conditions there often is one
/// that happens to explain the few inputs that the first one is wrong about. Tuned on the planted causes
/// of tests/generalize; no table was kept.
pub(super) const SECOND_CONDITION_WEIGHT: u32 = 12;

/// A bound of one feature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    /// The feature.
    pub feature: Feature,
    /// Its bound.
    pub bound: Bound,
}

impl Condition {
    /// Whether an input meets it.
    pub fn holds(&self, features: &Features) -> bool {
        self.feature.value(features).is_some_and(|value| self.bound.holds(value))
    }

    /// How much it asks a reader to take in; smaller is better. That something is there comes first, then its
    /// size. Marks, which represent the parts around them, and parts of one place weigh more.
    pub fn weight(&self) -> u32 {
        weight_of(&self.feature, self.bound)
    }

    /// Whether it may be one of several. By how much a number is greater than another says little alone, and less beside
    /// another condition: only that it is greater, as great or less.
    pub(super) fn may_be_joined(&self) -> bool {
        match self.bound {
            Bound::AtLeast(number) | Bound::AtMost(number) if self.feature.is_difference() => {
                (-1..=1).contains(&number)
            }
            _ => true,
        }
    }

    /// Whether the bound says anything: a count of 0 and more is none.
    pub(super) fn bound_is_told(&self) -> bool {
        let mut feature = &self.feature;
        while let Feature::Within(_, inner) = feature {
            feature = inner;
        }
        match (feature, self.bound) {
            (feature, Bound::AtLeast(least)) if feature.is_question() => least == 1,
            (feature, Bound::AtMost(most)) if feature.is_question() => most == 0,
            // By how much a number is greater than a count or a length is never a cause.
            (
                Feature::Difference(one, Term::First(_) | Term::Second(_) | Term::Field(_)),
                Bound::AtLeast(_) | Bound::AtMost(_),
            ) if !one.is_count_or_length() => true,
            (Feature::Difference(..), Bound::AtLeast(least)) => (0..=1).contains(&least),
            (Feature::Difference(..), Bound::AtMost(most)) => (-1..=0).contains(&most),
            (Feature::Difference(..), Bound::Is(number) | Bound::IsNot(number)) => number == 0,
            (Feature::Excess(..), bound) => matches!(bound, Bound::AtLeast(1) | Bound::AtMost(0)),
            // A bracket without its partner is counted, other texts are only compared.
            (Feature::More(one, other), bound) => {
                is_bracket_pair(one, other)
                    || matches!(bound, Bound::AtLeast(0 | 1) | Bound::AtMost(-1 | 0))
            }
            // Any byte is, so it would only say that the input is as long as that.
            (Feature::Value(Term::Field(_)), Bound::AtLeast(0)) => false,
            (Feature::Value(Term::Field(field)), Bound::AtMost(most)) => most < field.greatest(),
            (Feature::Value(_), _) => true,
            (Feature::Parts(..), Bound::AtLeast(least)) => least > 0,
            (Feature::Parts(..), Bound::AtMost(most)) => most >= 0,
            (Feature::Parts(..), _) => false,
            (_, Bound::AtLeast(least)) => least > 0,
            (_, Bound::AtMost(most)) => most >= 0,
            (_, Bound::Is(_) | Bound::IsNot(_)) => true,
        }
    }
}

/// The weight of a condition: see [`Condition::weight`].
///
/// The weight of its feature counts four times, so that a bound decides only between conditions on features that ask the same
/// of a reader; names of marks, of places and of kinds of numbers come to it.
pub(super) fn weight_of(feature: &Feature, bound: Bound) -> u32 {
    if let Feature::Parts(_, bounds) = feature {
        return weight_of_parts(bounds, bound);
    }
    let is_difference = Feature::is_difference;
    let of_bound = match (feature, bound) {
        (feature, Bound::AtLeast(1) | Bound::AtMost(-1)) if is_difference(feature) => 0,
        (feature, Bound::AtLeast(0) | Bound::AtMost(0)) if is_difference(feature) => 1,
        (feature, Bound::Is(0)) if is_difference(feature) => 1,
        (feature, Bound::IsNot(0)) if is_difference(feature) => 2,
        (feature, _) if is_difference(feature) => 8,
        // A rule without any part lacks all tokens, too, but not the other way round.
        (Feature::Count(name), Bound::AtMost(0)) => u32::from(is_of_token(name)),
        // That a number has three decimals says more than that the one with most of them has three.
        (feature, Bound::Is(_)) if is_most_decimals(feature) => 8,
        (_, Bound::AtLeast(0 | 1)) => 0,
        (_, Bound::AtLeast(_)) => 1,
        (_, Bound::Is(_)) => 2,
        (_, Bound::AtMost(_)) => 3,
        (_, Bound::IsNot(_)) => 12,
    };
    // A comma or a bracket represents the parts around it.
    let is_mark =
        |name: &Name| name.starts_with('"') && !name.contains(|c: char| c.is_ascii_alphanumeric());
    let names = feature.names();
    let of_marks = match feature {
        Feature::Count(name) => is_mark(name),
        Feature::Run(_) | Feature::More(..) | Feature::Excess(..) => false,
        Feature::Before(first, second) => is_mark(first) || is_mark(second),
        _ => names.last().is_some_and(|name| is_mark(name)),
    };
    // A part of one place is harder to take in than any part of that name.
    let of_places = names.iter().filter(|name| name.contains(" in ")).count() as u32;
    // That something is between others is told, and not how often.
    let is_between =
        bound != Bound::AtLeast(1) && names.last().is_some_and(|name| name.ends_with(BETWEEN));
    // The kind of a value is named only if it matters.
    let of_kinds = names.iter().filter(|name| is_typed_value(name)).count() as u32;
    // How deep a bracket is inside something is said of the brackets.
    let of_level = 10 * u32::from(matches!(feature, Feature::Level(inner, _) if is_mark(inner)));
    // A rule by a number in it is a bound of this number in other words: `<value> that begins with "0"`.
    let of_numbers = 10 * names.iter().filter(|name| is_kind_of_number(name)).count() as u32;
    let of_marks = 6 * u32::from(of_marks || is_between);
    // The token that a number is of says more, where only one is meant.
    let of_any = 2 * names.iter().filter(|name| name.starts_with(ANY_NUMBER)).count() as u32;
    // A key under one of its name is a depth in other words.
    let of_repeats =
        REPEATED_KEY_WEIGHT * names.iter().map(|name| repeated_keys(name)).sum::<u32>();
    // That a number is not just this one is rarely a cause.
    let of_other = OTHER_NUMBER_WEIGHT * u32::from(is_other_number(feature, bound));
    let of_names = of_other
        + of_marks
        + 3 * of_places
        + of_kinds
        + of_level
        + of_numbers
        + of_any
        + of_repeats;
    feature.weight() * 4 + of_bound + of_names
}

/// Whether a name is of the rules that have a certain number in them.
fn is_kind_of_number(name: &str) -> bool {
    let digits = name.strip_suffix('"').and_then(|name| name.rsplit_once('"'));
    digits.is_some_and(|(kind, digits)| {
        kind.starts_with('<')
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a condition says that a value is another number than one: that no value is `7`.
fn is_other_number(feature: &Feature, bound: Bound) -> bool {
    match feature {
        Feature::Within(_, inner) => is_other_number(inner, bound),
        Feature::Count(name) => {
            let text = name.split_once(IS_WORD).map(|(_, text)| text.trim_matches('"'));
            let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            matches!(bound, Bound::AtMost(0) | Bound::Is(0)) && text.is_some_and(is_number)
        }
        _ => false,
    }
}

/// Whether a feature is the greatest number of decimals of several numbers.
fn is_most_decimals(feature: &Feature) -> bool {
    match feature {
        Feature::Within(_, inner) => is_most_decimals(inner),
        Feature::Value(Term::Decimals(name)) => !is_value(name),
        _ => false,
    }
}

/// How much bounds of one part ask a reader to take in: each its own weight.
///
/// That a part meets them comes before that no part does, and before a number of parts.
fn weight_of_parts(bounds: &[(Feature, Bound)], bound: Bound) -> u32 {
    // A least and a greatest number are one range.
    let is_range = |at: usize| at > 0 && bounds[at].0 == bounds[at - 1].0;
    let weight = |at: usize| match is_range(at) {
        true => OF_RANGE_WEIGHT,
        false => {
            weight_of(&bounds[at].0, bounds[at].1) + SECOND_CONDITION_WEIGHT * u32::from(at > 0)
        }
    };
    let of_bound = match bound {
        Bound::AtLeast(1) => 0,
        Bound::AtMost(0) => 3,
        _ => 6,
    };
    (0..bounds.len()).map(weight).sum::<u32>() + OF_PART_WEIGHT + of_bound
}

/// What it weighs that conditions are about one and the same part: less than a second condition, because one part is
/// easy to imagine. A guess.
const OF_PART_WEIGHT: u32 = 4;

/// What the other end of a range weighs: as much as a condition about something that is there, because two bounds of one number are
/// taken in at once. Without it a range was rather taken for a bound of one part and another one of all parts.
const OF_RANGE_WEIGHT: u32 = 8;

/// Whether the second of two texts closes the first.
///
/// Both come with their quotation marks, as names of texts do.
pub(super) fn is_bracket_pair(one: &str, other: &str) -> bool {
    matches!((one, other), ("\"(\"", "\")\"") | ("\"[\"", "\"]\"") | ("\"{\"", "\"}\""))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn another_number_and_a_key_under_its_like_weigh_more_than_a_depth() {
        let weight = |feature: Feature, bound| weight_of(&feature, bound);
        let count = |name: &str| Feature::Count(name.into());
        let depth = weight(Feature::Depth("value of \"a\" or \"b\"".into()), Bound::AtLeast(5));
        for bound in [Bound::AtMost(0), Bound::Is(0)] {
            let inner = Arc::new(count("value of \"n\" that is \"7\""));
            let within = weight(Feature::Within("<array>".into(), inner), bound);
            assert!(within > depth, "{bound:?}: {within}, {depth}");
        }
        let path = count("value of \"a\" of \"b\" of one of \"a\" of \"b\" of one of \"a\"");
        assert!(weight(path, Bound::AtLeast(1)) >= depth);
        assert!(weight(count("value of \"n\" that is \"x\""), Bound::AtMost(0)) < depth);
    }
}
