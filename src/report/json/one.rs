//! What came of one input that was run, and of one folder that was reduced.

use super::{Json, milliseconds, plain, with_stack};
use crate::report::events::{JsonEvent, JsonJudgedInput};
use crate::report::folder::FolderFinished;
use crate::report::summary::judged::JudgedKit;
use crate::report::summary::ran::Ran;
use crate::session::kit::{Became, JudgedInput};

impl Json {
    /// Writes what came of running one input.
    pub fn ran(&mut self, ran: &Ran<'_>) {
        self.write(JsonEvent::Ran {
            input: &ran.input.to_string_lossy(),
            target: ran.target,
            bytes: ran.bytes.len(),
            fails: ran.failure.is_some(),
            shown: ran.failure.as_ref().map_or(0, |(_, shown)| *shown),
            runs: ran.runs.runs,
            slowest_ms: milliseconds(ran.runs.slowest),
            signature: ran.failure.as_ref().map(|(signature, _)| with_stack(signature, &ran.stack)),
            outcome: &ran.runs.what_happened(),
            decoded: ran.decoded.as_deref(),
        });
    }

    /// Writes what a fix is worth.
    pub fn judged(&mut self, kit: &JudgedKit<'_>) {
        let judged = kit.judged;
        self.write(JsonEvent::Judged {
            kit: &kit.kit.to_string_lossy(),
            target: kit.target,
            verdict: judged.verdict.name(),
            given: inputs(&judged.given),
            failing: inputs(&judged.failing),
            fresh: inputs(&judged.fresh),
            passing: inputs(&judged.passing),
            executions: judged.executions,
        });
    }

    /// Writes the last line of a folder.
    pub fn folder_finished(&mut self, finished: &FolderFinished) {
        self.write(JsonEvent::Folder {
            input: &finished.input.to_string_lossy(),
            output: &finished.output.to_string_lossy(),
            input_files: finished.files_before,
            output_files: finished.files,
            input_bytes: finished.bytes_before,
            output_bytes: finished.bytes,
            tests: finished.counts.tests,
            executions: finished.counts.executions,
            elapsed_ms: milliseconds(finished.elapsed),
            signature: plain(&finished.signature),
        });
    }
}

fn inputs(inputs: &[JudgedInput]) -> Vec<JsonJudgedInput<'_>> {
    let inputs = inputs.iter().map(|JudgedInput { name, input, became }| {
        let is_told = name.is_none() && !became.is_handled();
        JsonJudgedInput {
            file: name.as_deref(),
            became: became.name(),
            signature: match became {
                Became::FailsOtherwise(signature) => Some(plain(signature)),
                _ => None,
            },
            hex: is_told.then(|| input.iter().map(|byte| format!("{byte:02x}")).collect()),
        }
    });
    inputs.collect()
}
