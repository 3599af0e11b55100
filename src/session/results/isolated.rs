//! An isolation as its event.

use std::path::Path;

use crate::event::IsolatedInput;
use crate::session::isolate::Isolation;

impl IsolatedInput {
    /// The isolation of the input at `input`. Nothing is run or read.
    /// Counts and time are those of the whole session. `passing` and `failing` are the inputs that the search
    /// found; `difference` has the parts that the two do not share.
    pub fn of(input: &Path, isolated: Isolation) -> Self {
        IsolatedInput {
            input: input.to_owned(),
            passing: isolated.passing,
            failing: isolated.failing,
            difference: isolated.difference,
            counts: isolated.counts,
            elapsed: isolated.elapsed,
            signature: isolated.signature,
            stack: isolated.stack,
            stopped: isolated.stopped,
        }
    }
}
