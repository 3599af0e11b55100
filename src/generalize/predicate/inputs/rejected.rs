//! Which inputs a target is likely to reject, so that few of them are tested.
//!
//! Half of the inputs that are made at random lack a key or have a text in place of a number, and the target says nothing
//! about them. What the rejected ones have in common is learnt while the search goes on.

use crate::generalize::predicate::condition::Condition;
use crate::generalize::predicate::feature::{Feature, Features};
use crate::generalize::predicate::learn::{Table, rejected};

/// Further rejected inputs after which it is learnt again, and of the known ones the share that comes to them, because learning takes
/// longer the more there are.
const INPUTS_PER_LESSON: usize = 8;
const SHARE_PER_LESSON: usize = 4;
/// Of this many inputs that are likely to be rejected one is tested all the same, because what was learnt may be wrong.
const SKIPPED_PER_TEST: usize = 8;

/// The rejected inputs and those that the target takes, and what tells them apart.
#[derive(Debug, Default)]
pub(in crate::generalize::predicate) struct Rejected {
    /// All inputs, of which the rejected ones count as failing.
    table: Table,
    /// How many were rejected, and after how many something is learnt.
    rejected: usize,
    next_lesson: usize,
    conditions: Vec<Condition>,
    skipped: usize,
}

impl Rejected {
    /// Takes in tested inputs, each with whether it was rejected. A condition that an input meets which the target takes is forgotten.
    pub(super) fn add<'f>(&mut self, inputs: impl IntoIterator<Item = (&'f Features, bool)>) {
        let mut rows: Vec<(Features, bool)> = Vec::new();
        for (features, is_rejected) in inputs {
            if is_rejected {
                self.rejected += 1;
            } else {
                self.conditions.retain(|one| !one.holds(features));
            }
            let told = features.iter().filter(|(feature, _)| is_told(feature));
            let told = told.map(|(feature, value)| (feature.clone(), *value)).collect();
            rows.push((told, is_rejected));
        }
        self.table.add_all(rows);
    }

    /// What inputs have that are likely to be rejected, each of the conditions alone.
    pub(super) fn conditions(&mut self) -> &[Condition] {
        if self.rejected >= self.next_lesson {
            self.conditions = rejected(&self.table);
            self.next_lesson =
                self.rejected + INPUTS_PER_LESSON.max(self.rejected / SHARE_PER_LESSON);
        }
        &self.conditions
    }

    /// Whether an input of these features is not worth a test. One of several is said to be, whatever it has.
    pub(super) fn is_unlikely(&mut self, features: &Features) -> bool {
        if !self.conditions().iter().any(|one| one.holds(features)) {
            return false;
        }
        self.skipped += 1;
        !self.skipped.is_multiple_of(SKIPPED_PER_TEST)
    }
}

/// Whether a target may reject an input for it: what is there, what is there twice or not at all, and whose texts are nowhere else.
///
/// Sizes have bounds that are to be tried, and most features are about the order of two parts.
fn is_told(feature: &Feature) -> bool {
    match feature {
        Feature::Within(_, inner) => is_told(inner),
        Feature::Count(_) | Feature::Lacks(..) | Feature::Missing(..) => true,
        Feature::Twins(_) | Feature::TwinKeys(_) | Feature::Unequal(..) => true,
        Feature::Empty(_) | Feature::NonAscii(_) | Feature::Negative(_) => true,
        _ => false,
    }
}
