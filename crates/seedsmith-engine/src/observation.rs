//! What happened when a candidate was run, before it is judged.
//!
//! The cache keeps observations, not outcomes: changing when two failures are the same reruns
//! nothing.

use std::fmt;
use std::sync::Arc;

use crate::signature::Signature;

/// The verdict of a target on a candidate that it processed to the end.
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

/// Bytes of a message that are kept of one run, at most.
pub(crate) const MAX_COMPLAINT_BYTES: usize = 4096;

/// The output of a target that rejected a candidate, with `{}` in place of the candidate's path.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Complaint {
    text: Vec<u8>,
}

impl Complaint {
    /// A complaint of at most [`MAX_COMPLAINT_BYTES`]; the rest is cut off.
    pub fn new(mut text: Vec<u8>) -> Self {
        text.truncate(MAX_COMPLAINT_BYTES);
        Complaint { text }
    }

    /// The message. It is data from a target: nothing in it is trusted.
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

impl fmt::Debug for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Complaint").field(&String::from_utf8_lossy(&self.text)).finish()
    }
}

/// What happened in one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// The target returned.
    Returned(Verdict),
    /// The target rejected its input, as [`Verdict::Reject`] says too, and printed why.
    Complained(Arc<Complaint>),
    /// The target failed; who the failure is.
    Failed(Arc<Signature>),
    /// The target says that it cannot decide (a command's exit status 125).
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

    /// The target's verdict, if it processed the candidate to the end.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Observation::Returned(verdict) => Some(*verdict),
            Observation::Complained(_) => Some(Verdict::Reject),
            _ => None,
        }
    }

    /// The target's output when it rejected the candidate, if it printed anything.
    pub fn complaint(&self) -> Option<&Arc<Complaint>> {
        match self {
            Observation::Complained(complaint) => Some(complaint),
            _ => None,
        }
    }
}
