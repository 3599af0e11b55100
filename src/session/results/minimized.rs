//! A minimization as its event.

use std::path::Path;

use crate::event::MinimizedInput;
use crate::session::failing::FailingInput;
use crate::session::minimize::Minimized;

impl MinimizedInput {
    /// How the minimization of an input ended whose result is `output`, in words that are given.
    pub fn of(
        failing: &FailingInput<'_>,
        output: &Path,
        minimized: Minimized,
        reproduce: Vec<String>,
        decoded: Option<String>,
        remarks: Vec<String>,
    ) -> Self {
        MinimizedInput {
            input: failing.path.clone(),
            output: output.to_owned(),
            input_bytes: failing.bytes.len(),
            best: minimized.best,
            counts: minimized.counts,
            elapsed: minimized.elapsed,
            signature: minimized.signature,
            stack: minimized.stack,
            minimality: minimized.minimality,
            stopped: minimized.stopped,
            confirmed: minimized.confirmed,
            sanitized: minimized.sanitized,
            reproduce,
            decoded,
            other_failures: minimized.other_failures,
            recalled: minimized.recalled,
            stats: minimized.stats,
            remarks,
        }
    }
}
