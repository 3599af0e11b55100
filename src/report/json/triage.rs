//! Lines about many inputs: each input, each group, and all of them.
//!
//! `triage` and `tmin` with several inputs write them. Lines of inputs come as they are run, those of groups
//! at the end.

use std::path::{Path, PathBuf};

use super::failure::with_stack;
use super::lines::JsonEvent;
use super::{Json, texts};
use crate::event::{FailureGroups, TriagedInput};

impl Json {
    /// Writes `triaged`: one of many inputs, how often it failed, and its copies. Names the stack, which costs tens of
    /// milliseconds for the first failure of an executable.
    /// `copies` are further files with the same bytes, which are not run. `signature` is null if the input
    /// passes; `shown` of `runs` is 0 then.
    pub(super) fn triaged(&mut self, triaged: &TriagedInput<'_>) {
        let stack = triaged.signature.map(|one| self.names.stack(triaged.code.as_deref(), one));
        let stack = stack.unwrap_or_default();
        self.write(JsonEvent::Triaged {
            input: &triaged.input.to_string_lossy(),
            copies: texts(triaged.copies),
            target: triaged.target,
            bytes: triaged.bytes,
            fails: triaged.signature.is_some(),
            shown: triaged.shown,
            runs: triaged.runs,
            signature: triaged.signature.map(|one| with_stack(one, &stack)),
        });
    }

    /// Writes `passed_over`: one of many inputs that could not be run, with the exit code that it would give alone.
    /// The other inputs are still run.
    pub(super) fn passed_over(&mut self, input: &Path, why: &str, exit: u8) {
        self.write(JsonEvent::PassedOver { input: &input.to_string_lossy(), why, exit });
    }

    /// Writes `group` for each failure and `summary` as the last line. `state` and `fixed` are null if no earlier run
    /// was named.
    /// `id` stays the same over runs and builds, so that a later run can be compared by it. `outputs` are the
    /// files of the minimized inputs; `triage` makes none. `steady` is false if one input did not fail in
    /// every run.
    pub(super) fn groups(&mut self, groups: &FailureGroups) {
        for row in &groups.rows {
            let outputs: Vec<PathBuf> = row.results.iter().map(|one| one.output.clone()).collect();
            self.write(JsonEvent::Group {
                state: groups.joined.as_ref().map(|joined| joined.state(&row.id).name()),
                id: &row.id,
                target: &row.target,
                signature: with_stack(&row.signature, &row.stack),
                inputs: texts(&row.inputs),
                smallest: row.smallest.to_string_lossy().into_owned(),
                smallest_bytes: row.smallest_bytes,
                steady: row.is_steady,
                outputs: texts(&outputs),
            });
        }
        let failing: usize = groups.rows.iter().map(|row| row.inputs.len()).sum();
        self.write(JsonEvent::Summary {
            inputs: failing + groups.passing.len() + groups.troubled,
            failing,
            passing: texts(&groups.passing),
            passed_over: groups.troubled,
            groups: groups.rows.len(),
            fixed: groups.joined.as_ref().map(|joined| &*joined.fixed),
        });
    }
}
