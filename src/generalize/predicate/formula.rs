//! A predicate: a few conditions that hold together, of which one holds, or of which some do.

use std::borrow::Cow;
use std::sync::Arc;

use super::condition::{Bound, Condition, SECOND_CONDITION_WEIGHT};
use super::feature::{Feature, Features, Name, OR, Words};
use super::plain::left_out::LeftOut;
use super::term::key_of;

/// A few conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Each of them holds.
    All(Vec<Condition>),
    /// One of them holds.
    Any(Vec<Condition>),
    /// This many of them hold.
    Some(usize, Vec<Condition>),
}

impl Predicate {
    /// Whether an input meets it.
    pub fn holds(&self, features: &Features) -> bool {
        match self {
            Predicate::All(all) => all.iter().all(|one| one.holds(features)),
            Predicate::Any(any) => any.iter().any(|one| one.holds(features)),
            Predicate::Some(least, of) => {
                of.iter().filter(|one| one.holds(features)).count() >= *least
            }
        }
    }

    /// The words in its names.
    pub fn words(&self) -> Words {
        let has_fields = self.conditions().iter().any(|one| one.feature.has_fields());
        let names = self.conditions().iter().flat_map(|one| one.feature.names());
        Words::in_names(names).with_fields(has_fields)
    }

    /// The conditions.
    pub fn conditions(&self) -> &[Condition] {
        match self {
            Predicate::All(all) | Predicate::Any(all) | Predicate::Some(_, all) => all,
        }
    }

    /// The same of inputs without the texts that say nothing.
    pub(super) fn without(self, left_out: &LeftOut) -> Self {
        left_out.0.iter().fold(self, |of, ignored| {
            of.map(|feature| Feature::Without(ignored.name(), Arc::new(feature)))
        })
    }

    /// The name of the texts that all of it leaves out, and the predicate about the rest.
    fn within_text(&self) -> Option<(Name, Predicate)> {
        let names = self.conditions().iter().map(|one| match &one.feature {
            Feature::Without(name, _) => Some(name),
            _ => None,
        });
        let mut names = names.collect::<Option<Vec<_>>>()?.into_iter();
        let first = names.next()?;
        let inner = self.clone().map(|feature| match feature {
            Feature::Without(_, inner) => (*inner).clone(),
            other => other,
        });
        names.all(|other| other == first).then(|| (first.clone(), inner))
    }

    /// The same with other features.
    fn map(self, to: impl Fn(Feature) -> Feature) -> Self {
        let all = |conditions: Vec<Condition>| {
            let conditions = conditions.into_iter();
            conditions.map(|one| Condition { feature: to(one.feature), ..one }).collect()
        };
        match self {
            Predicate::All(of) => Predicate::All(all(of)),
            Predicate::Any(of) => Predicate::Any(all(of)),
            Predicate::Some(least, of) => Predicate::Some(least, all(of)),
        }
    }

    /// The same with one of its conditions less, or with one bound less of the same part.
    ///
    /// Only of conditions that hold together: without one of several of which some hold, fewer inputs are meant.
    pub(super) fn shorter(&self) -> Vec<Predicate> {
        let Predicate::All(all) = self else { return Vec::new() };
        let mut found = Vec::new();
        for (at, condition) in all.iter().enumerate() {
            let mut rest = all.clone();
            rest.remove(at);
            if !rest.is_empty() {
                found.push(Predicate::All(rest));
            }
            let Feature::Parts(name, bounds) = &condition.feature else { continue };
            for number in 0..if bounds.len() > 1 { bounds.len() } else { 0 } {
                let mut bounds = bounds.clone();
                bounds.remove(number);
                let mut rest = all.clone();
                rest[at].feature = Feature::Parts(name.clone(), bounds);
                found.push(Predicate::All(rest));
            }
        }
        found
    }

    /// Each of several conditions alone of which one is enough, or of which one names several texts.
    pub(super) fn alternatives(&self) -> Vec<Predicate> {
        match self {
            Predicate::Any(any) | Predicate::Some(1, any) => {
                any.iter().map(|one| Predicate::All(vec![one.clone()])).collect()
            }
            Predicate::All(all) => alone(all),
            Predicate::Some(..) => Vec::new(),
        }
    }

    /// How much it asks a reader to take in.
    pub(super) fn weight(&self) -> u32 {
        let conditions = self.conditions();
        let parts: u32 = conditions.iter().map(Condition::weight).sum();
        parts + SECOND_CONDITION_WEIGHT * (conditions.len() as u32 - 1)
    }
}

impl std::fmt::Display for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut left_out: Vec<Name> = Vec::new();
        let mut inner = Cow::Borrowed(self);
        while let Some((name, of_text)) = inner.within_text() {
            left_out.push(name);
            inner = Cow::Owned(of_text);
        }
        if let Some((first, others)) = left_out.split_first() {
            let others: Vec<&str> = others.iter().rev().map(|name| &**name).collect();
            return match &others[..] {
                [] => write!(f, "{inner} ({first} are left out)"),
                others => write!(f, "{inner} ({} and {first} are left out)", others.join(", ")),
            };
        }
        let (conditions, word) = match self {
            Predicate::All(all) => (all, " and "),
            Predicate::Any(any) => (any, " or "),
            Predicate::Some(least, of) if !of.iter().all(is_there) => {
                let texts: Vec<String> = of.iter().map(ToString::to_string).collect();
                let texts = texts.join("; ");
                return write!(f, "at least {least} of these are true: {texts}");
            }
            Predicate::Some(least, of) => {
                let names: Vec<&str> =
                    of.iter().flat_map(|one| one.feature.names()).map(|name| &**name).collect();
                if let Some(keys) = keys_of_one_place(&names).filter(|_| *least == 1) {
                    return write!(f, "there is a key {keys}");
                }
                let names = names.join(", ");
                return match *least {
                    1 => write!(f, "one of these is there: {names}"),
                    all if all == of.len() => write!(f, "all of these are there: {names}"),
                    least => write!(f, "at least {least} of these are there: {names}"),
                };
            }
        };
        let texts: Vec<String> = conditions.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join(word))
    }
}

/// The conditions with one name in place of several of which one is enough, for each of these.
///
/// Each name is a claim of its own, so inputs are made against each. Otherwise those of the name that the minimized input
/// has would be most of them.
fn alone(all: &[Condition]) -> Vec<Predicate> {
    let mut found = Vec::new();
    for (at, condition) in all.iter().enumerate() {
        let mut put = |feature: Feature| {
            let mut all = all.to_vec();
            all[at].feature = feature;
            found.push(Predicate::All(all));
        };
        match &condition.feature {
            Feature::AnyOf(names) if condition.bound == Bound::AtLeast(1) => {
                names.iter().for_each(|name| put(Feature::Count(name.clone())));
            }
            Feature::Parts(part, bounds) => {
                for (number, (feature, _)) in bounds.iter().enumerate() {
                    let Feature::AnyOf(names) = feature else { continue };
                    for name in names {
                        let mut bounds = bounds.clone();
                        bounds[number].0 = Feature::Count(name.clone());
                        put(Feature::Parts(part.clone(), bounds));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Keys that are under the same key, as one text: `"git" or "hg" of one of "libs"`.
fn keys_of_one_place(names: &[&str]) -> Option<String> {
    let keys: Vec<(&str, &str)> = names.iter().map(|name| key_of(name)).collect::<Option<_>>()?;
    let (_, place) = keys.first()?;
    let is_same = keys.iter().all(|(_, other)| other == place);
    let names: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
    is_same.then(|| format!("{}{place}", names.join(OR)))
}

/// Whether a condition says that something is there.
///
/// Several of these are written as a list of names.
fn is_there(condition: &Condition) -> bool {
    matches!(condition.feature, Feature::Count(_)) && condition.bound == Bound::AtLeast(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::predicate::plain::left_out::Ignored;

    #[test]
    fn each_part_of_a_condition_is_left_out_once() {
        let there = |name: &str| (Feature::Count(name.into()), Bound::AtLeast(1));
        let of_parts = Feature::Parts("<row>".into(), vec![there("a"), there("b")]);
        let all = vec![
            Condition { feature: there("x").0, bound: Bound::AtLeast(1) },
            Condition { feature: of_parts, bound: Bound::AtLeast(1) },
        ];
        let shorter = Predicate::All(all.clone()).shorter();
        let told: Vec<String> = shorter.iter().map(ToString::to_string).collect();
        let some = "some <row> has";
        let expected = [
            format!("{some} a and has b"),
            "there is x".to_owned(),
            format!("there is x and {some} b"),
            format!("there is x and {some} a"),
        ];
        assert_eq!(told, expected);
        assert!(Predicate::Any(all).shorter().is_empty());
    }

    #[test]
    fn what_is_left_out_is_said_once() {
        let there = |name: &str| Condition {
            feature: Feature::Count(name.into()),
            bound: Bound::AtLeast(1),
        };
        let left_out = LeftOut(vec![Ignored::Line("#".to_owned()), Ignored::Blanks]);
        let predicate = Predicate::All(vec![there("\"a\""), there("\"b\"")]).without(&left_out);
        let told = "there is \"a\" and there is \"b\" (lines that begin with \"#\" and blanks at the \
            beginnings of lines are left out)";
        assert_eq!(predicate.to_string(), told);
        assert_eq!(predicate.words().left_out, left_out);
        let features =
            Features::from_iter([(there("\"a\"").feature, 1), (there("\"b\"").feature, 1)]);
        assert!(predicate.holds(&features));
    }

    #[test]
    fn one_of_several_keys_is_there() {
        let there = |key: &str, place: &str| Condition {
            feature: Feature::Count(format!("value of \"{key}\"{place}").into()),
            bound: Bound::AtLeast(1),
        };
        let some = |place: &str| {
            let keys =
                ["git", "hg", "svn"].map(|key| there(key, if key == "hg" { place } else { "" }));
            Predicate::Some(1, keys.into()).to_string()
        };
        assert_eq!(some(""), "there is a key \"git\" or \"hg\" or \"svn\"");
        assert!(some(" of \"libs\"").starts_with("one of these is there: "));
    }

    #[test]
    fn a_value_is_one_of_several_texts() {
        let value = "value of \"paper\"";
        let texts = ["A3", "B4"].map(|text| format!("{value} that is {text:?}").into());
        let bounds = vec![(Feature::AnyOf(texts.to_vec()), Bound::AtLeast(1))];
        let feature = Feature::Parts(value.into(), bounds);
        let predicate = Predicate::All(vec![Condition { feature, bound: Bound::AtLeast(1) }]);
        assert_eq!(predicate.to_string(), "the value of \"paper\" is \"A3\" or \"B4\"");
    }
}
