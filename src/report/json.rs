//! JSON Lines on stdout: from events to [`events`](super::events), written at once.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Subject;
use super::events::{JsonCaught, JsonEvent, JsonPart, JsonSignature, Line, VERSION};
use super::finished::{Caught, Finished, Isolated, StackLine};
use super::groups::{Groups, Triaged};
use super::repairs::{RepairRow, RepairTotals};
use crate::event::Event;
use crate::signature::Signature;

/// Writes JSON Lines.
pub struct Json {
    /// `None` when nobody reads any more.
    out: Option<Box<dyn Write>>,
    input: String,
    target: String,
}

impl Json {
    /// Writes to stdout.
    pub fn to_stdout() -> Self {
        Json { out: Some(Box::new(std::io::stdout())), input: String::new(), target: String::new() }
    }

    /// Takes note of whose events follow.
    pub fn begin(&mut self, subject: Subject<'_>) {
        self.input = subject.input.to_string_lossy().into_owned();
        subject.target.clone_into(&mut self.target);
    }

    /// Writes an event, if it is one that programs are told of.
    pub fn hear(&mut self, event: &Event<'_>) {
        let (input, target) = (self.input.clone(), self.target.clone());
        let line = match event {
            Event::Started { bytes, signature } => JsonEvent::Started {
                input: &input,
                target: &target,
                bytes: *bytes,
                signature: plain(signature),
            },
            Event::ReducerEnded(stats) => JsonEvent::Reducer {
                reducer: &stats.reducer,
                calls: stats.counts.calls,
                tests: stats.counts.tests,
                cache_hits: stats.counts.cache_hits,
                executions: stats.counts.executions,
                bytes_before: stats.bytes_before,
                bytes_after: stats.bytes_after,
                elapsed_ms: milliseconds(stats.elapsed),
            },
            Event::Reduced { best, counts, elapsed } => JsonEvent::Reduced {
                bytes: best.len(),
                tests: counts.tests,
                elapsed_ms: milliseconds(*elapsed),
            },
            Event::ByCatch { signature, input } => {
                JsonEvent::ByCatch { bytes: input.len(), signature: plain(signature) }
            }
            Event::Note(text) => JsonEvent::Note { text },
            _ => return,
        };
        self.write(line);
    }

    /// Writes the last line of an input.
    pub fn finished(&mut self, finished: &Finished) {
        self.write(JsonEvent::Finished {
            input: &finished.input.to_string_lossy(),
            output: &finished.output.to_string_lossy(),
            input_bytes: finished.input_bytes,
            output_bytes: finished.best.len(),
            tests: finished.counts.tests,
            executions: finished.counts.executions,
            cache_hits: finished.counts.cache_hits,
            elapsed_ms: milliseconds(finished.elapsed),
            signature: with_stack(&finished.signature, &finished.stack),
            minimality: finished.minimality,
            stopped: finished.stopped,
            reproduce: &finished.reproduce,
            decoded: finished.decoded.as_deref(),
            by_catch: finished.by_catch.iter().map(caught).collect(),
        });
    }

    /// Writes the last line of an isolation.
    pub fn isolated(&mut self, isolated: &Isolated) {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        self.write(JsonEvent::Isolated {
            input: &isolated.input.to_string_lossy(),
            passing_bytes: isolated.passing.len(),
            failing_bytes: isolated.failing.len(),
            difference: isolated
                .difference
                .iter()
                .map(|part| JsonPart {
                    offset: part.offset,
                    removed: hex(&part.removed),
                    inserted: hex(&part.inserted),
                })
                .collect(),
            tests: isolated.counts.tests,
            executions: isolated.counts.executions,
            cache_hits: isolated.counts.cache_hits,
            elapsed_ms: milliseconds(isolated.elapsed),
            signature: with_stack(&isolated.signature, &isolated.stack),
            stopped: isolated.stopped,
        });
    }

    /// Writes what is known of one of many inputs.
    pub fn triaged(&mut self, triaged: &Triaged<'_>) {
        self.write(JsonEvent::Triaged {
            input: &triaged.input.to_string_lossy(),
            copies: texts(triaged.copies),
            target: triaged.target,
            bytes: triaged.bytes,
            fails: triaged.signature.is_some(),
            shown: triaged.shown,
            runs: triaged.runs,
            signature: triaged.signature.map(plain),
        });
    }

    /// Writes that one of many inputs was passed over.
    pub fn passed_over(&mut self, input: &Path, why: &str, exit: u8) {
        self.write(JsonEvent::PassedOver { input: &input.to_string_lossy(), why, exit });
    }

    /// Writes a line for each group, and the last line of all.
    pub fn groups(&mut self, groups: &Groups) {
        for row in &groups.rows {
            let outputs: Vec<PathBuf> = row.results.iter().map(|one| one.output.clone()).collect();
            self.write(JsonEvent::Group {
                target: &row.target,
                signature: plain(&row.signature),
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
        });
    }

    /// Writes what became of one input of a repair.
    pub fn repaired(&mut self, row: &RepairRow) {
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
            by_catch: texts(&row.by_catch),
        });
    }

    /// Writes the last line of a repair.
    pub fn repairs(&mut self, totals: &RepairTotals) {
        self.write(JsonEvent::Repairs {
            inputs: totals.inputs,
            valid: totals.valid,
            repaired: totals.repaired,
            not_repaired: totals.not_repaired,
            written: totals.written,
            tests: totals.tests,
            elapsed_ms: milliseconds(totals.elapsed),
        });
    }

    /// Writes why nothing came of it.
    pub fn failed(&mut self, message: &str, exit: u8) {
        self.write(JsonEvent::Error { message, exit });
    }

    fn write(&mut self, event: JsonEvent<'_>) {
        let Some(out) = &mut self.out else { return };
        let mut line = serde_json::to_string(&Line { event, version: VERSION })
            .expect("the shapes hold nothing that JSON can't");
        line.push('\n');
        if out.write_all(line.as_bytes()).and_then(|()| out.flush()).is_err() {
            self.out = None;
        }
    }
}

fn caught(caught: &Caught) -> JsonCaught<'_> {
    JsonCaught {
        signature: plain(&caught.signature),
        path: caught.path.to_string_lossy().into_owned(),
        bytes: caught.bytes,
    }
}

fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn plain(signature: &Signature) -> JsonSignature<'_> {
    let frames = signature.own_frames(usize::MAX).iter().map(ToString::to_string).collect();
    JsonSignature {
        kind: &signature.kind,
        place: signature.place.as_deref(),
        message: signature.message.as_deref(),
        frames,
    }
}

fn with_stack<'s>(signature: &'s Signature, stack: &[StackLine]) -> JsonSignature<'s> {
    JsonSignature { frames: stack.iter().map(ToString::to_string).collect(), ..plain(signature) }
}
