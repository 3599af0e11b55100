//! The line about a generalization.
//!
//! It has the pattern twice: as text, and as a list of parts of four kinds. Examples and the derivation
//! tree are not in it; the page has them.

use base16ct::lower::encode_string;

use super::failure::with_stack;
use super::lines::{
    JsonClaim, JsonClaimedLimit, JsonCondition, JsonEvent, JsonPatternPart, JsonReason, JsonRoom,
};
use super::{Json, milliseconds};
use crate::event::{Claim, ClaimedLimit, GeneralizedInput, PatternPart, Reason};

impl Json {
    /// Writes `generalized`, the last line. Bytes of inputs are in hexadecimal, since they may be no text; the pattern
    /// and the names of its parts are text. Unknown members are null, and lists may be empty.
    /// The four counts `tests_to_…` are of the steps in their order. `number` of a part is null unless its
    /// kind is `same`: parts with one number have equal texts. Offsets are in the minimized input.
    pub(super) fn generalized(&mut self, told: &GeneralizedInput) {
        let part =
            |(part, text): &'_ (PatternPart, String)| -> (&'static str, Option<u32>, String) {
                let (name, number) = match part {
                    PatternPart::Required => ("required", None),
                    PatternPart::Any => ("any", None),
                    PatternPart::Same(number) => ("same", Some(*number)),
                    PatternPart::Unknown => ("unknown", None),
                };
                (name, number, text.clone())
            };
        let parts: Vec<_> = told.parts.iter().map(part).collect();
        let not_varied: Vec<(usize, String)> =
            told.not_varied.iter().map(|(offset, text)| (*offset, encode_string(text))).collect();
        let reason = |reason: &Reason| JsonReason {
            offset: reason.offset,
            text: encode_string(&reason.text),
            passes: reason.passes.as_deref().map(encode_string),
            also_fails: reason.also_fails.iter().map(|text| encode_string(text)).collect(),
        };
        self.write(JsonEvent::Generalized {
            input: &told.input.to_string_lossy(),
            input_bytes: told.input_bytes,
            minimized: encode_string(&told.minimized),
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
                text: measured.text.clone(),
                inputs: measured.inputs,
                agreeing: measured.agreeing,
                precision: measured.precision,
                recall: measured.recall,
                exact: measured.is_exact,
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
}

/// A limit as JSON has it: one of two members is null, by the kind of the limit.
/// Milliseconds of processor time, or megabytes.
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

/// A claim as JSON has it: its kind in `snake_case`, and null for each figure that the kind does not have. Shares are
/// between 0 and 1.
/// `fails` is the number of inputs that were tested and failed; for `checks` it is how often each part was
/// replaced.
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
