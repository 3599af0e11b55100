//! Lines about a search and its result.
//!
//! Lines during a search have no debug information; the last line has.

use base16ct::lower::encode_string;

use super::failure::{caught, with_stack};
use super::lines::{JsonEvent, JsonPart};
use super::{Json, milliseconds};
use crate::event::{Event, IsolatedInput, MinimizedInput};
use crate::report::note;
use crate::session::stack::named;

impl Json {
    /// Writes `started`, `reducer`, `reduced`, `by_catch` or `note`. Frames without a name are left out here: the last
    /// line has the names, since reading debug information takes as long as a short search.
    /// `input` and `target` of `started` are those of the last `Event::Subject`. Other events write nothing.
    pub(super) fn searched(&mut self, event: &Event<'_>) {
        let (input, target) = (self.input.clone(), self.target.clone());
        // Reading debug information would take the search's time: frames without a name are in the
        // last line, which has the names.
        let mut stack = match event {
            Event::Started { signature, .. } => named(None, &signature.frames),
            Event::OtherFailure { signature, .. } => named(None, &signature.frames),
            _ => Vec::new(),
        };
        stack.retain(|line| line.has_name());
        let line = match event {
            Event::Started { bytes, signature } => JsonEvent::Started {
                input: &input,
                target: &target,
                bytes: *bytes,
                signature: with_stack(signature, &stack),
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
            Event::OtherFailure { signature, input } => JsonEvent::OtherFailure {
                bytes: input.len(),
                signature: with_stack(signature, &stack),
            },
            Event::Note(kind, text) => {
                let text = note::note_in_words(*kind, text);
                return self.write(JsonEvent::Note { kind: *kind, text: &text });
            }
            _ => return,
        };
        self.write(line);
    }

    /// Writes `finished`, the last line of an input. `stopped` is null after a whole search, `confirmed` if a signal
    /// ended it before the result was run again.
    /// `sanitized` is null unless a build with a sanitizer showed this failure. `recalled` counts the tests
    /// whose result an earlier run had recorded. The stack has names already: nothing is read here.
    pub(super) fn minimized(&mut self, finished: &MinimizedInput) {
        self.write(JsonEvent::Finished {
            input: &finished.input.to_string_lossy(),
            output: &finished.output.to_string_lossy(),
            input_bytes: finished.original.len(),
            output_bytes: finished.best.len(),
            tests: finished.counts.tests,
            executions: finished.counts.executions,
            cache_hits: finished.counts.cache_hits,
            recalled: finished.recalled,
            elapsed_ms: milliseconds(finished.elapsed),
            signature: with_stack(&finished.signature, &finished.stack),
            minimality: finished.minimality,
            stopped: finished.stopped,
            confirmed: finished.confirmed,
            sanitized: finished
                .sanitized
                .as_ref()
                .map(|one| with_stack(&one.signature, &one.stack)),
            reproduce: &finished.reproduce,
            decoded: finished.decoded.as_deref(),
            other_failures: finished.other_failures.iter().map(caught).collect(),
        });
    }

    /// Writes `isolated`, the last line. The bytes of the difference are in hexadecimal; offsets are in the failing
    /// input.
    /// `removed` and `inserted` of a part may be empty. `stopped` is null if the difference is
    /// minimal.
    pub(super) fn isolated(&mut self, isolated: &IsolatedInput) {
        self.write(JsonEvent::Isolated {
            input: &isolated.input.to_string_lossy(),
            passing_bytes: isolated.passing.len(),
            failing_bytes: isolated.failing.len(),
            difference: isolated
                .difference
                .iter()
                .map(|part| JsonPart {
                    offset: part.offset,
                    removed: encode_string(&part.removed),
                    inserted: encode_string(&part.inserted),
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
}
