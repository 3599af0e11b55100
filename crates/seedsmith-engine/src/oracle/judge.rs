//! The outcome of an observation: whether the candidate passes, fails or is unresolved.

use crate::observation::{Observation, Verdict};
use crate::outcome::Outcome;
use crate::sameness::Sameness;
use crate::signature::Signature;

/// Turns observations into outcomes.
///
/// Duties of an implementation:
/// 1. The outcome depends on the observation alone.
/// 2. [`Outcome::Fail`] is the outcome of the wanted failure and of no other.
pub trait Judge {
    /// The outcome of `observation`.
    fn outcome(&self, observation: &Observation) -> Outcome;

    /// Whether two other failures are the same one, so that it is kept once.
    fn are_one(&self, left: &Signature, right: &Signature) -> bool {
        left == right
    }

    /// Whether failures have to come with their stacks for this judge to distinguish them.
    fn needs_frames(&self) -> bool {
        false
    }

    /// Whether a failure has to show in a fresh worker before it is believed. A repair builds on
    /// passing candidates and meets a failure at every other test, so it confirms its end result
    /// only.
    fn confirms_failures(&self) -> bool {
        true
    }
}

/// The judge of a reduction: a candidate fails if it shows *this* failure.
#[derive(Clone, Debug)]
pub struct SameFailure {
    /// The wanted failure.
    pub signature: Signature,
    /// When another failure is the same.
    pub sameness: Sameness,
}

impl Judge for SameFailure {
    fn outcome(&self, observation: &Observation) -> Outcome {
        match observation {
            Observation::Returned(_) | Observation::Complained(_) => Outcome::Pass,
            Observation::Failed(seen) if self.sameness.is_same(&self.signature, seen) => {
                Outcome::Fail
            }
            Observation::Failed(_) | Observation::Unresolved | Observation::Lost => {
                Outcome::Unresolved
            }
        }
    }

    fn are_one(&self, left: &Signature, right: &Signature) -> bool {
        // Compared without the pattern: a failure that the pattern excludes is another failure.
        Sameness { pattern: None, ..self.sameness.clone() }.is_same(left, right)
    }

    fn needs_frames(&self) -> bool {
        self.sameness.needs_frames(&self.signature)
    }
}

/// The judge of an oracle that only observes, before the failure is known: nothing fails.
#[derive(Clone, Copy, Debug)]
pub struct NoFailureYet;

impl Judge for NoFailureYet {
    fn outcome(&self, observation: &Observation) -> Outcome {
        match observation {
            Observation::Returned(_) | Observation::Complained(_) => Outcome::Pass,
            Observation::Failed(_) | Observation::Unresolved | Observation::Lost => {
                Outcome::Unresolved
            }
        }
    }

    fn are_one(&self, left: &Signature, right: &Signature) -> bool {
        Sameness::default().is_same(left, right)
    }
}

/// The judge of a repair: an input that the target keeps passes, one that it rejects fails, and
/// any other end is unresolved.
///
/// Its failures are the many inputs that are invalid, so none is confirmed by itself.
#[derive(Clone, Copy, Debug)]
pub struct Validity;

impl Judge for Validity {
    fn outcome(&self, observation: &Observation) -> Outcome {
        match observation {
            Observation::Returned(Verdict::Keep) => Outcome::Pass,
            Observation::Returned(Verdict::Reject) | Observation::Complained(_) => Outcome::Fail,
            Observation::Failed(_) | Observation::Unresolved | Observation::Lost => {
                Outcome::Unresolved
            }
        }
    }

    fn confirms_failures(&self) -> bool {
        false
    }
}
