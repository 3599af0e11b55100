//! Lines about repairs.
//!
//! The texts are not in these lines: a valid text is in the file `output`.

use super::lines::JsonEvent;
use super::{Json, milliseconds, texts};
use crate::event::{RepairRow, RepairTotals};

impl Json {
    /// Writes `repaired`, one line for each input when its repair ends: `output` is null if nothing was written,
    /// `distance` if there is no valid text or it is too far to count.
    /// `kept_bytes` counts the bytes of the input that the valid text has in the same order. `tests` is the
    /// same for any `-j`, `executions` is not. `stopped` is null unless the repair ended early.
    pub(super) fn repaired(&mut self, row: &RepairRow) {
        self.write(JsonEvent::Repaired {
            input: &row.input.to_string_lossy(),
            output: row.output.as_ref().map(|path| path.to_string_lossy().into_owned()),
            status: row.status.name(),
            input_bytes: row.input_bytes,
            output_bytes: row.output_bytes,
            kept_bytes: row.kept_bytes,
            distance: row.distance,
            tests: row.tests,
            executions: row.executions,
            elapsed_ms: milliseconds(row.elapsed),
            stopped: row.stopped,
            note: row.note.as_deref(),
            failures: row.failures,
            other_failures: texts(&row.other_failures),
        });
    }

    /// Writes `repairs`, the last line: inputs by status, and the tests of all.
    /// `not_repaired` includes the inputs that a check found invalid, for which no repair was tried.
    pub(super) fn repairs_ended(&mut self, totals: &RepairTotals) {
        self.write(JsonEvent::Repairs {
            inputs: totals.inputs,
            valid: totals.valid,
            repaired: totals.repaired,
            not_repaired: totals.not_repaired + totals.invalid,
            written: totals.written,
            tests: totals.tests,
            elapsed_ms: milliseconds(totals.elapsed),
        });
    }
}
