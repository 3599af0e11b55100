//! A predicate: a few conditions that hold together, of which one holds, or of which some do.

use super::condition::Condition;
use super::feature::{Features, Words};

/// The weight of a second condition besides its own, because among so many conditions there often is one
/// that happens to explain the few inputs that the first one is wrong about. Tuned on the planted causes
/// of tests/generalize; no table was kept.
pub(super) const SECOND_CONDITION_WEIGHT: u32 = 12;
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
        Words::in_names(self.conditions().iter().flat_map(|one| one.feature.names()))
    }

    /// The conditions.
    pub fn conditions(&self) -> &[Condition] {
        match self {
            Predicate::All(all) | Predicate::Any(all) | Predicate::Some(_, all) => all,
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
        let (conditions, word) = match self {
            Predicate::All(all) => (all, " and "),
            Predicate::Any(any) => (any, " or "),
            Predicate::Some(least, of) => {
                let names: Vec<&str> =
                    of.iter().flat_map(|one| one.feature.names()).map(String::as_str).collect();
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
