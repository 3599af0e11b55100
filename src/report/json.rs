//! JSON Lines on stdout: from events to [`events`](super::events), written at once.

mod corpora;
mod failure;
mod one;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::abstracted::Abstracted;
use super::console::trouble;
use super::events::{
    JsonClaim, JsonClaimedLimit, JsonCondition, JsonPatternPart, JsonReason, JsonRoom,
};
use super::events::{
    JsonEvent, JsonNode, JsonPart, JsonRule, JsonSyntaxError, JsonToken, Line, VERSION,
};
use super::finished::{Finished, Isolated};
use super::grammar::{GrammarListed, GrammarShown, ParseShown};
use super::groups::{Groups, Triaged};
use super::names::Names;
use super::tell::Subject;
use crate::event::Event;
use crate::generalize::claim::Claim;
use crate::generalize::pattern::Part;
use crate::generalize::reasons::Reason;
use crate::session::generalize::ClaimedLimit;
use crate::session::repair::{RepairRow, RepairTotals};
use crate::session::stack::{StackLine, named};
use failure::{caught, with_stack};
use seedsmith_grammar::harmless::is_control;

/// Writes JSON Lines.
pub struct Json {
    /// `None` when nobody reads any more.
    out: Option<Box<dyn Write>>,
    lost: Option<io::Error>,
    input: String,
    target: String,
    names: Names,
}

impl Json {
    /// Writes to stdout.
    pub fn to_stdout() -> Self {
        Json::to(Box::new(io::stdout()))
    }

    /// Writes to `out`.
    pub(super) fn to(out: Box<dyn Write>) -> Self {
        Json {
            out: Some(out),
            lost: None,
            input: String::new(),
            target: String::new(),
            names: Names::default(),
        }
    }

    /// Takes note of whose events follow.
    pub fn begin(&mut self, subject: Subject<'_>) {
        self.input = subject.input.to_string_lossy().into_owned();
        subject.target.clone_into(&mut self.target);
    }

    /// Writes an event, if it is one that programs are told of.
    pub fn hear(&mut self, event: &Event<'_>) {
        let (input, target) = (self.input.clone(), self.target.clone());
        // Reading debug information would take the search's time: frames without a name are in the
        // last line, which has the names.
        let mut stack = match event {
            Event::Started { signature, .. } => named(None, &signature.frames),
            Event::ByCatch { signature, .. } => named(None, &signature.frames),
            _ => Vec::new(),
        };
        stack.retain(StackLine::has_name);
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
            Event::ByCatch { signature, input } => {
                JsonEvent::ByCatch { bytes: input.len(), signature: with_stack(signature, &stack) }
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
            by_catch: finished.by_catch.iter().map(caught).collect(),
        });
    }

    /// Writes the last line of a generalization.
    pub fn abstracted(&mut self, told: &Abstracted) {
        let hex =
            |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
        let part = |(part, text): &'_ (Part, String)| -> (&'static str, Option<u32>, String) {
            let (name, number) = match part {
                Part::Required => ("required", None),
                Part::Any => ("any", None),
                Part::Same(number) => ("same", Some(*number)),
                Part::Unknown => ("unknown", None),
            };
            (name, number, text.clone())
        };
        let parts: Vec<_> = told.parts.iter().map(part).collect();
        let not_varied: Vec<(usize, String)> =
            told.not_varied.iter().map(|(offset, text)| (*offset, hex(text))).collect();
        let reason = |reason: &Reason| JsonReason {
            offset: reason.offset,
            text: hex(&reason.text),
            passes: reason.passes.as_deref().map(hex),
            also_fails: reason.also_fails.iter().map(|text| hex(text)).collect(),
        };
        self.write(JsonEvent::Generalized {
            input: &told.input.to_string_lossy(),
            input_bytes: told.input_bytes,
            minimized: hex(&told.minimized),
            grammar: told.grammar.as_deref(),
            grammar_is_guessed: told.is_guessed && told.grammar.is_some(),
            pattern: &told.pattern,
            parts: parts
                .iter()
                .map(|(part, number, text)| JsonPatternPart { part, number: *number, text })
                .collect(),
            room: told
                .room
                .iter()
                .map(|(offset, text)| JsonRoom { offset: *offset, text })
                .collect(),
            claim: claim(&told.claim),
            claimed_limit: told.claimed_limit.map(claimed_limit),
            condition: told.condition.as_ref().map(|measured| JsonCondition {
                text: measured.predicate.to_string(),
                inputs: measured.draws(),
                agreeing: measured.agreeing(),
                precision: measured.precision(),
                recall: measured.recall(),
            }),
            not_varied: not_varied
                .iter()
                .map(|(offset, text)| JsonRoom { offset: *offset, text })
                .collect(),
            reasons: told.reasons.iter().map(reason).collect(),
            tests_to_minimize: told.reduction.tests,
            tests_to_generalize: told.generalization.tests,
            tests_to_explain: told.reasoning.tests,
            tests_to_produce: told.production.tests,
            tests: told.counts.tests,
            executions: told.counts.executions,
            cache_hits: told.counts.cache_hits,
            elapsed_ms: milliseconds(told.elapsed),
            signature: with_stack(&told.signature, &told.stack),
            written: told.written.iter().map(|path| path.display().to_string()).collect(),
            stopped: told.stopped,
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

    /// Writes that one of many inputs was passed over.
    pub fn passed_over(&mut self, input: &Path, why: &str, exit: u8) {
        self.write(JsonEvent::PassedOver { input: &input.to_string_lossy(), why, exit });
    }

    /// Writes a line for each group, and the last line of all.
    pub fn groups(&mut self, groups: &Groups) {
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
            failures: row.failures,
            by_catch: texts(&row.by_catch),
        });
    }

    /// Writes the last line of a repair.
    pub fn repairs(&mut self, totals: &RepairTotals) {
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

    /// Writes a line for each grammar that comes with the program.
    pub fn grammars(&mut self, listed: &[GrammarListed<'_>]) {
        for one in listed {
            let GrammarListed { name, aliases, about } = *one;
            self.write(JsonEvent::Builtin { name, aliases, about });
        }
    }

    /// Writes what a grammar is made of.
    pub fn grammar(&mut self, shown: &GrammarShown) {
        let rules = shown.rules.iter().map(|rule| JsonRule {
            name: &rule.name,
            definition: &rule.definition,
            minimal: rule.minimal.as_deref(),
            reachable: rule.is_reachable,
        });
        let tokens = shown
            .tokens
            .iter()
            .map(|token| JsonToken { name: &token.name, minimal: token.minimal.as_deref() });
        self.write(JsonEvent::Grammar {
            name: &shown.name,
            start: &shown.start,
            rules: rules.collect(),
            tokens: tokens.collect(),
            unused_fragments: &shown.unused_fragments,
            notices: &shown.notices,
            complete: shown.is_complete,
        });
    }

    /// Writes how a file was read.
    pub fn parsed(&mut self, parsed: &ParseShown<'_>) {
        let errors = parsed.errors.iter().map(|error| JsonSyntaxError {
            line: error.line,
            column: error.column,
            message: &error.message,
        });
        let nodes = parsed.nodes.iter().map(|node| JsonNode {
            kind: node.kind,
            name: node.name,
            start: node.start,
            end: node.end,
            parent: node.parent,
        });
        self.write(JsonEvent::Parsed {
            input: &parsed.input.to_string_lossy(),
            bytes: parsed.bytes.len(),
            valid: parsed.errors.is_empty(),
            errors: errors.collect(),
            errors_left_out: parsed.errors_left_out,
            nodes: nodes.collect(),
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
        line = ascii_controls(&line);
        line.push('\n');
        let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        if written.is_err() {
            self.out = None;
            self.lost = trouble(written);
        }
    }

    /// Why lines were lost on their way to stdout, if they were.
    pub fn take_lost(&mut self) -> Option<io::Error> {
        self.lost.take()
    }
}

/// JSON with every control character escaped, as JSON writes it: serde_json escapes only those below
/// U+0020. Outside of strings there is none, so the value stays the same.
fn ascii_controls(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_control(c) {
            // Every one of them is one UTF-16 unit.
            out += &format!("\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

fn claimed_limit(limit: ClaimedLimit) -> JsonClaimedLimit {
    match limit {
        ClaimedLimit::Time(time) => {
            JsonClaimedLimit { time_ms: Some(milliseconds(time)), memory_mb: None }
        }
        ClaimedLimit::Memory(memory_mb) => {
            JsonClaimedLimit { time_ms: None, memory_mb: Some(memory_mb) }
        }
    }
}

fn claim(claim: &Claim) -> JsonClaim {
    let nothing =
        JsonClaim { kind: "concrete", rate: None, confidence: None, fails: None, unresolved: None };
    match *claim {
        Claim::Concrete => nothing,
        Claim::All { inputs } => JsonClaim { kind: "all", fails: Some(inputs), ..nothing },
        Claim::Rate { rate, confidence, draws, unresolved } => JsonClaim {
            kind: "rate",
            rate: Some(rate),
            confidence: Some(confidence),
            fails: Some(draws),
            unresolved: Some(unresolved),
        },
        Claim::Nothing { unresolved } => {
            JsonClaim { kind: "nothing", unresolved: Some(unresolved), ..nothing }
        }
        Claim::Checks { checks } => JsonClaim { kind: "checks", fails: Some(checks), ..nothing },
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
