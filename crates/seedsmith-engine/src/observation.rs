//! What happened when a candidate was run, before anybody judges it.
//!
//! The cache keeps observations, not outcomes: changing what counts as the same failure reruns
//! nothing.

use std::sync::Arc;

use crate::signature::Signature;

/// What a target said of a candidate that it processed to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// `LLVMFuzzerTestOneInput` returned 0, `Corpus::Keep`, or a function simply returned.
    Keep,
    /// -1, `Corpus::Reject`: the input is not valid for the target.
    Reject,
}

/// A fuzz target that returns nothing keeps its input.
impl From<()> for Verdict {
    fn from((): ()) -> Self {
        Verdict::Keep
    }
}

/// What happened in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// The target returned.
    Returned(Verdict),
    /// The target failed; who the failure is.
    Failed(Arc<Signature>),
    /// The target says that it cannot tell (a command's exit status 125).
    Unresolved,
    /// Nothing can be said: the worker was ended from outside, again and again.
    Lost,
}

impl Observation {
    /// The failure's signature, if there was a failure.
    pub fn signature(&self) -> Option<&Arc<Signature>> {
        match self {
            Observation::Failed(signature) => Some(signature),
            _ => None,
        }
    }
}
