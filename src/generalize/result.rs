//! What a generalization returns. It knows no target and starts no test.

use super::draws::sampler::Misfit;
use super::pattern::Pattern;
use super::predicate::Measured;
use crate::event::Claim;
use crate::event::Reason;
use crate::event::{Counts, StopReason};

/// What came of it.
///
/// It can be written down with `file`, and further inputs are drawn from its
/// pattern.
#[derive(Clone, Debug)]
pub struct Generalized {
    /// The pattern.
    pub pattern: Pattern,
    /// The claim about it.
    pub claim: Claim,
    /// The condition under which inputs fail, or one that is near to it; see [`Measured::is_exact`].
    pub condition: Option<Measured>,
    /// Why parts are required.
    pub reasons: Vec<Reason>,
    /// What finding the pattern took.
    pub counts: Counts,
    /// What the reasons and the condition took.
    pub reason_counts: Counts,
    /// Why the grammar was of no use, where one was given.
    pub misfit: Option<Misfit>,
    /// Why it was stopped early: the pattern has the findings up to then.
    pub stopped: Option<StopReason>,
    /// Candidates that were tested, and whether they failed; only some of them are kept.
    pub tested: Vec<(Vec<u8>, bool)>,
}

impl Generalized {
    /// The same with the costs of an attempt before it.
    ///
    /// The pattern and the claim stay those of this attempt.
    #[must_use]
    pub fn after(mut self, earlier: &Generalized) -> Self {
        self.counts += earlier.counts;
        self.reason_counts += earlier.reason_counts;
        self.tested.extend(earlier.tested.iter().cloned());
        self
    }
}
