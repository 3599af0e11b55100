//! A minimization as its event.
//!
//! A folder that was one input has an event of another type, which its command makes.

use std::path::Path;

use crate::event::MinimizedInput;
use crate::session::failing::FailingInput;
use crate::session::minimize::Minimized;

impl MinimizedInput {
    /// The minimization of `failing` to `output`. The caller gives the data that only it has: the
    /// commands that show the failure again, the result as a typed target decodes it, and remarks
    /// in the words of its options. The result is moved, not copied; nothing is run, read or
    /// written. `input_bytes` is the size before any step, and the stack has its names already.
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
