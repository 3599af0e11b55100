//! The judge of a generalization: what the target rejects says nothing about the failure.

use seedsmith_engine::Outcome;
use seedsmith_engine::{Judge, SameFailure};
use seedsmith_engine::{Observation, Verdict};

/// As the [`SameFailure`] it is made of, but an input that the target calls invalid is unresolved, as
/// DDSET has it.
#[derive(Clone, Debug)]
pub struct AmongValid(pub SameFailure);

impl Judge for AmongValid {
    fn outcome(&self, observation: &Observation) -> Outcome {
        match observation {
            Observation::Returned(Verdict::Reject) | Observation::Complained(_) => {
                Outcome::Unresolved
            }
            _ => self.0.outcome(observation),
        }
    }

    fn needs_frames(&self) -> bool {
        self.0.needs_frames()
    }
}
