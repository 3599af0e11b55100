//! Lines about one input that was run, one folder that was minimized, the contents of a package, a judged
//! fix, and settings that apply.

use std::time::UNIX_EPOCH;

use super::failure::with_stack;
use super::{Json, milliseconds};
use crate::event::{
    AppliedSettings, Artifact, ArtifactResult, Became, JudgedInput, JudgedKit, Listing,
    MinimizedFolder, RanInput, StackLine,
};
use crate::report::json::lines::{
    JsonArtifact, JsonEvent, JsonJudgedInput, JsonMinimized, JsonTarget,
};

impl Json {
    /// Writes `ran`: how often one input failed, and how. `signature` is null if it never did; `outcome` says in words
    /// how each run ended.
    /// The input is not in the line, only its size; `decoded` is null unless the target takes a typed value.
    pub(super) fn ran(&mut self, ran: &RanInput<'_>) {
        self.write(JsonEvent::Ran {
            input: &ran.input.to_string_lossy(),
            target: ran.target,
            bytes: ran.bytes.len(),
            fails: ran.failure.is_some(),
            shown: ran.failure.as_ref().map_or(0, |(_, shown)| *shown),
            runs: ran.runs,
            slowest_ms: milliseconds(ran.slowest),
            signature: ran.failure.as_ref().map(|(signature, _)| with_stack(signature, &ran.stack)),
            outcome: &ran.outcome,
            decoded: ran.decoded.as_deref(),
        });
    }

    /// Writes `settings`: the options that a file of settings gave, by name without dashes.
    /// All values are texts, those of numbers and switches too.
    pub(super) fn settings(&mut self, applied: &AppliedSettings) {
        self.write(JsonEvent::Settings {
            file: &applied.file.to_string_lossy(),
            target: applied.target.as_deref(),
            values: applied.values.iter().map(|(name, value)| (&**name, &**value)).collect(),
        });
    }

    /// Writes `listed`: every target with its artifacts, the newest first. `modified` is in seconds since 1970; the
    /// members of `minimized` are null where the journal of the result cannot be read.
    /// Targets are in the order of their names; one without artifacts has an empty list.
    pub(super) fn listed(&mut self, listing: &Listing) {
        let minimized = |minimized: &ArtifactResult| JsonMinimized {
            output: minimized.path.to_string_lossy().into_owned(),
            bytes: minimized.bytes,
            complete: minimized.is_complete,
            failure: minimized.failure.clone(),
        };
        let artifact = |artifact: &Artifact| JsonArtifact {
            input: artifact.path.to_string_lossy().into_owned(),
            bytes: artifact.bytes,
            kind: artifact.kind,
            modified: artifact
                .modified
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_secs()),
            minimized: artifact.minimized.as_ref().map(minimized),
        };
        let targets = listing.targets.iter().map(|target| JsonTarget {
            name: &target.name,
            artifacts: target.artifacts.iter().map(artifact).collect(),
        });
        self.write(JsonEvent::Listed {
            folder: &listing.folder.to_string_lossy(),
            targets: targets.collect(),
        });
    }

    /// Writes `judged`: the verdict and what each input does now. An input that is in no file of the kit is there in
    /// hexadecimal if the fix does not handle it. Costs tens of milliseconds if a stack is named.
    /// Four lists: the inputs that the kit was made of, its other failing inputs, new inputs of the pattern,
    /// and inputs that passed before the fix.
    pub(super) fn judged(&mut self, kit: &JudgedKit<'_>) {
        let judged = kit.judged;
        let names = &mut self.names;
        let mut stacks = |inputs: &[JudgedInput]| -> Vec<Vec<StackLine>> {
            let stack = |one: &JudgedInput| match &one.became {
                Became::FailsOtherwise(signature) => names.stack(kit.code, signature),
                _ => Vec::new(),
            };
            inputs.iter().map(stack).collect()
        };
        let (given, failing) = (stacks(&judged.given), stacks(&judged.failing));
        let (fresh, passing) = (stacks(&judged.fresh), stacks(&judged.passing));
        self.write(JsonEvent::Judged {
            kit: &kit.kit.to_string_lossy(),
            target: kit.target,
            verdict: judged.verdict.name(),
            given: inputs(&judged.given, &given),
            failing: inputs(&judged.failing, &failing),
            fresh: inputs(&judged.fresh, &fresh),
            passing: inputs(&judged.passing, &passing),
            executions: judged.executions,
        });
    }

    /// Writes `folder`, the last line of a folder that was one input: files and bytes before and after.
    /// `tests` and `executions` are the sums of all steps. Reads debug information for the stack.
    pub(super) fn folder_minimized(&mut self, finished: &MinimizedFolder) {
        let stack = self.names.stack(finished.code.as_deref(), &finished.signature);
        self.write(JsonEvent::Folder {
            input: &finished.input.to_string_lossy(),
            output: &finished.output.to_string_lossy(),
            input_files: finished.original.files.len(),
            output_files: finished.best.files.len(),
            input_bytes: finished.original.bytes(),
            output_bytes: finished.best.bytes(),
            tests: finished.counts.tests,
            executions: finished.counts.executions,
            elapsed_ms: milliseconds(finished.elapsed),
            signature: with_stack(&finished.signature, &stack),
        });
    }
}

/// The inputs and, of each, the stack of the failure if it is another one. Both lists have the same order and
/// length.
/// `hex` is null for every input that has a file or is handled.
fn inputs<'i>(inputs: &'i [JudgedInput], stacks: &'i [Vec<StackLine>]) -> Vec<JsonJudgedInput<'i>> {
    let inputs = inputs.iter().zip(stacks).map(|(JudgedInput { name, input, became }, stack)| {
        let is_told = name.is_none() && !became.is_handled();
        JsonJudgedInput {
            file: name.as_deref(),
            became: became.name(),
            signature: match became {
                Became::FailsOtherwise(signature) => Some(with_stack(signature, stack)),
                _ => None,
            },
            hex: is_told.then(|| base16ct::lower::encode_string(input)),
        }
    });
    inputs.collect()
}
