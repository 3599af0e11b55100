//! What came of one input that was run, and of one folder that was reduced.

use super::{Json, milliseconds, plain, with_stack};
use crate::report::events::JsonEvent;
use crate::report::folder::FolderFinished;
use crate::report::folder::corpus::CorpusFinished;
use crate::report::summary::ran::Ran;

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

    /// Writes the last line of a corpus.
    pub fn corpus_finished(&mut self, finished: &CorpusFinished<'_>) {
        self.write(JsonEvent::Corpus {
            target: finished.target,
            output: &finished.output.to_string_lossy(),
            inputs: finished.inputs,
            input_bytes: finished.input_bytes,
            kept: finished.kept,
            kept_bytes: finished.kept_bytes,
            features: finished.features,
            rejected: finished.rejected,
            failing: finished.failing,
            failures: finished.failures,
            elapsed_ms: milliseconds(finished.elapsed),
        });
    }
}
