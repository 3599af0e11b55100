//! A condition as data that can be written down and loaded again.

use serde::{Deserialize, Serialize};

use crate::generalize::predicate::condition::{Bound, Condition};
use crate::generalize::predicate::feature::Feature;
use crate::generalize::predicate::learn::Predicate;

/// A condition, written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionFile {
    /// The condition in words.
    pub text: String,
    /// How many of the parts have to hold.
    pub needs: usize,
    /// Its parts.
    pub parts: Vec<PartFile>,
}

/// A bound of a feature, written down; the numbers are decimal text, since JSON's don't reach far
/// enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartFile {
    /// The feature of an input.
    pub feature: Feature,
    /// It is at least this.
    pub at_least: Option<String>,
    /// It is at most this.
    pub at_most: Option<String>,
    /// It is this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<String>,
    /// It is anything but this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_not: Option<String>,
}

impl ConditionFile {
    /// Writes a condition down.
    ///
    /// The sentence comes with it, so that a reader of the file needs no program.
    pub fn of(predicate: &Predicate) -> Self {
        let conditions = predicate.conditions();
        let needs = match predicate {
            Predicate::All(all) => all.len(),
            Predicate::Any(_) => 1,
            Predicate::Some(least, _) => *least,
        };
        let parts = conditions.iter().map(|condition| {
            let feature = condition.feature.clone();
            let mut part =
                PartFile { feature, at_least: None, at_most: None, is: None, is_not: None };
            let (bound, number) = match condition.bound {
                Bound::AtLeast(least) => (&mut part.at_least, least),
                Bound::AtMost(most) => (&mut part.at_most, most),
                Bound::Is(number) => (&mut part.is, number),
                Bound::IsNot(number) => (&mut part.is_not, number),
            };
            *bound = Some(number.to_string());
            part
        });
        ConditionFile { text: predicate.to_string(), needs, parts: parts.collect() }
    }

    /// The condition again; nothing where a part has no bound, or two, or one that is no number, or where
    /// more parts have to hold than there are.
    pub fn predicate(&self) -> Option<Predicate> {
        let parts = self.parts.iter().map(|part| {
            let bound = match (&part.at_least, &part.at_most, &part.is, &part.is_not) {
                (Some(least), None, None, None) => Bound::AtLeast(least.parse().ok()?),
                (None, Some(most), None, None) => Bound::AtMost(most.parse().ok()?),
                (None, None, Some(number), None) => Bound::Is(number.parse().ok()?),
                (None, None, None, Some(number)) => Bound::IsNot(number.parse().ok()?),
                _ => return None,
            };
            Some(Condition { feature: part.feature.clone(), bound })
        });
        let parts = parts.collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty())?;
        match self.needs {
            needs if needs == parts.len() => Some(Predicate::All(parts)),
            1 => Some(Predicate::Any(parts)),
            needs if (2..parts.len()).contains(&needs) => Some(Predicate::Some(needs, parts)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::generalize::predicate::feature::Term;

    #[test]
    fn a_condition_that_was_written_down_is_the_same_again() {
        let greatest = Feature::Value(Term::Greatest("<N>".into()));
        let count = Feature::Children("<array>".into(), "<value>".into());
        let predicate = Predicate::Any(vec![
            Condition { feature: greatest, bound: Bound::AtLeast(i128::MAX) },
            Condition { feature: count.clone(), bound: Bound::AtMost(-3) },
            Condition { feature: count.clone(), bound: Bound::Is(2) },
            Condition { feature: count.clone(), bound: Bound::IsNot(4) },
            Condition {
                feature: Feature::Without(
                    "lines that begin with \"#\"".into(),
                    Arc::new(count.clone()),
                ),
                bound: Bound::AtMost(0),
            },
            Condition {
                feature: Feature::Parts("<row>".into(), vec![(count, Bound::AtMost(1 << 100))]),
                bound: Bound::AtLeast(1),
            },
        ]);
        let text = serde_json::to_string(&ConditionFile::of(&predicate)).unwrap();
        let read: ConditionFile = serde_json::from_str(&text).unwrap();
        assert_eq!(read.predicate(), Some(predicate));
        let damaged = ConditionFile { needs: 7, ..read.clone() };
        assert_eq!(damaged.predicate(), None);
        let damaged = ConditionFile { parts: Vec::new(), ..read };
        assert_eq!(damaged.predicate(), None);
    }
}
