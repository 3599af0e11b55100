//! The sentence about parts that meet several bounds, each of them alone.
//!
//! If all bounds are about the part itself, the part is the subject: `some <rule> has "deny" and has "tcp"`. Otherwise the
//! sentences of the bounds follow the name of the part: `in some <rule> the first <PORT> is at most 1023`.

use super::bound::Bound;
use super::feature::{CHAIN, Feature, RECORD, Term};
use super::name::Name;
use super::phrases::{every, joined, single, size, some};
use super::term::{IS_WORD, VALUE_OF, WITH};
use crate::generalize::domain::number as written;

/// In which parts the bounds hold.
///
/// One part has to meet all of them. How many parts do is a bound of its own: some, none, or a number.
///
/// `sentence` writes a condition about what is inside a part. A token is described by its properties: `some <NUMBER> is negative and has "."`.
pub(super) fn parts(
    name: &str,
    bounds: &[(Feature, Bound)],
    bound: Bound,
    sentence: &dyn Fn(&Feature, Bound) -> String,
) -> String {
    let bounds = &exact(bounds)[..];
    let own: Option<Vec<String>> =
        bounds.iter().map(|(feature, bound)| of_itself(name, feature, *bound)).collect();
    let is_itself = own.is_some();
    let mut told = own.unwrap_or_else(|| {
        bounds.iter().map(|(feature, bound)| sentence(feature, *bound)).collect()
    });
    // What a part is comes before what is in it.
    told.sort_by_key(|one| !one.starts_with("is <"));
    let told = told.join(" and ");
    let many = |bound: Bound| size(bound).trim_start_matches("is ").to_owned();
    match (bound, is_itself) {
        (Bound::AtLeast(1), true) => format!("{} {told}", some(name)),
        (Bound::AtMost(0), true) => format!("no {} {told}", single(name)),
        (bound, true) => format!("of {} {name} each {told}", many(bound)),
        (Bound::AtLeast(1), false) => format!("in {} {told}", some(name)),
        (Bound::AtMost(0), false) => match bounds {
            [(feature, Bound::AtMost(0))] if feature.is_question() => {
                format!("in {} {}", every(name), sentence(feature, Bound::AtLeast(1)))
            }
            _ => format!("in no {} {told}", single(name)),
        },
        (bound, false) => format!("in {} {name} {told}", many(bound)),
    }
}

/// The bounds with one number in place of the same number as the least and the greatest one: an address has four numbers,
/// and not at least four and at most four.
///
/// Bounds of one feature come one after the other.
fn exact(bounds: &[(Feature, Bound)]) -> Vec<(Feature, Bound)> {
    let mut found: Vec<(Feature, Bound)> = Vec::new();
    for (feature, bound) in bounds {
        if let Some((known, Bound::AtLeast(least))) = found.last()
            && (known, *bound) == (feature, Bound::AtMost(*least))
        {
            let least = *least;
            found.pop();
            found.push((feature.clone(), Bound::Is(least)));
            continue;
        }
        found.push((feature.clone(), *bound));
    }
    found
}

/// A bound of the part itself, as what follows its name; nothing if it is about parts inside it.
///
/// That something is inside it counts as a property of it.
fn of_itself(name: &str, feature: &Feature, bound: Bound) -> Option<String> {
    if let Feature::Count(other) = feature
        && !is_kind_of(name, other)
        && !name.starts_with(CHAIN)
    {
        let other = other.strip_prefix(VALUE_OF).unwrap_or(other);
        return match bound {
            _ if other.contains(IS_WORD) => None,
            Bound::AtLeast(1) => Some(format!("has {other}")),
            Bound::AtMost(0) => Some(format!("has no {other}")),
            bound => Some(format!("has {} {other}", size(bound).trim_start_matches("is "))),
        };
    }
    // Of the part itself: it is one of several texts.
    if let (Feature::AnyOf(names), Bound::AtLeast(1)) = (feature, bound) {
        let text = |other: &Name| other.strip_prefix(name)?.strip_prefix(IS_WORD).map(Name::from);
        if let Some(texts) = names.iter().map(text).collect::<Option<Vec<Name>>>() {
            return Some(format!("is {}", joined(&texts, " or ")));
        }
    }
    if let Feature::AnyOf(names) = feature
        && !names.iter().any(|other| is_kind_of(name, other) || other.contains(IS_WORD))
    {
        return match bound {
            Bound::AtLeast(1) => Some(format!("has {}", joined(names, " or "))),
            Bound::AtMost(0) => Some(format!("has neither {}", joined(names, " nor "))),
            _ => None,
        };
    }
    if let (true, Feature::Value(Term::First(what))) = (name.starts_with(RECORD), feature) {
        return Some(format!("has a {what} that {}", size(bound)));
    }
    if let Feature::Level(_, outer) = feature {
        return match bound {
            Bound::AtLeast(1) => Some(format!("is inside a {outer}")),
            Bound::AtMost(0) => Some(format!("is inside no {outer}")),
            bound => {
                let size = size(bound).trim_start_matches("is ").to_owned();
                Some(format!("is inside {size} nested {outer}"))
            }
        };
    }
    if name.starts_with(CHAIN) {
        return of_chain(feature, bound);
    }
    if feature.names().iter().any(|other| *other != name && !is_kind_of(name, other)) {
        return None;
    }
    let is_yes = bound == Bound::AtLeast(1);
    let either = |yes: &str, no: &str| if is_yes { yes } else { no }.to_owned();
    Some(match feature {
        Feature::Negative(_) => either("is negative", "is not negative"),
        Feature::Empty(_) => either("is empty", "is not empty"),
        Feature::NonAscii(_) => either("has a character that is not ASCII", "is ASCII"),
        Feature::Count(kind) if is_kind_of(name, kind) => {
            let kind = kind[name.len()..].trim_start();
            if let Some(verb) = kind.strip_prefix("that ") {
                return match (verb.strip_prefix("is "), is_yes) {
                    (_, true) => Some(verb.to_owned()),
                    (Some(what), false) => Some(format!("is not {what}")),
                    (None, false) => {
                        let (verb, rest) = verb.split_once(' ')?;
                        Some(format!("does not {} {rest}", verb.trim_end_matches('s')))
                    }
                };
            }
            match (kind.strip_prefix(WITH.trim_start()), is_yes) {
                (Some(mark), true) => format!("has {mark}"),
                (Some(mark), false) => format!("has no {mark}"),
                (None, true) => format!("is {kind}"),
                (None, false) => format!("is not {kind}"),
            }
        }
        Feature::Value(Term::First(_)) => size(bound),
        Feature::Value(Term::Longest(_)) => format!("{} characters long", size(bound)),
        Feature::Multiple(Term::Longest(_), 2) => {
            either("has an even number of characters", "has an odd number of characters")
        }
        Feature::Multiple(Term::First(_), 2) => either("is even", "is odd"),
        Feature::Value(Term::Decimals(_)) => {
            format!("has {} decimals", size(bound).trim_start_matches("is "))
        }
        Feature::Value(Term::Precision(_)) => {
            let many = size(bound);
            format!("has {} decimals as a floating-point number", many.trim_start_matches("is "))
        }
        _ => return None,
    })
}

/// A bound of numbers with marks between them, such as an address or a date.
///
/// The greatest of them is one of them: that it is large says that one of the numbers is, and that it is small says that none is
/// large. Nothing for what compares two of the numbers, which is told of the whole chain.
fn of_chain(feature: &Feature, bound: Bound) -> Option<String> {
    let size = size(bound);
    Some(match (feature, bound) {
        (Feature::Count(_), _) => format!("has {} numbers", size.trim_start_matches("is ")),
        (Feature::Value(Term::Greatest(_)), Bound::AtMost(most)) => {
            format!("has no number above {}", written(most))
        }
        (Feature::Value(Term::Least(_)), Bound::AtLeast(least)) => {
            format!("has no number below {}", written(least))
        }
        (Feature::Value(Term::Greatest(_) | Term::Least(_)), _) => {
            format!("has a number that {size}")
        }
        (Feature::Value(Term::First(_)), _) => format!("has a first number that {size}"),
        (Feature::Value(Term::Second(_)), _) => format!("has a second number that {size}"),
        (Feature::Value(Term::Last(_)), _) => format!("has a last number that {size}"),
        _ => return None,
    })
}

/// Whether a name is that of a kind of the parts: `<NUMBER> with "."`.
fn is_kind_of(name: &str, kind: &str) -> bool {
    kind.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '))
}
