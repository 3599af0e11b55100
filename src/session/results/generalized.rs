//! A generalization as its event.
//!
//! The task `generalize` makes these. Nothing is run or read here.

use std::path::Path;

use super::tree_rows::tree_rows;
use crate::event::{GeneralizedInput, MeasuredCondition};
use crate::generalize::file::PatternFile;
use crate::generalize::predicate::Measured;
use crate::session::generalize::Generalization;
use crate::session::saved::pattern::Written;
use seedsmith_engine::Signature;

/// Inputs of the pattern that a page shows. A guess: enough to see which parts vary, and they fit
/// on a screen; not measured.
pub(crate) const MAX_EXAMPLES: usize = 5;

impl GeneralizedInput {
    /// The generalization of an input of `input_bytes` bytes, with the first inputs of the pattern as examples. The
    /// pattern's file has the pattern as text; `written` has the files that were written.
    /// `grammar` is none if no grammar was used. The first tested input is the minimized one, which is no
    /// example. A first remark says that the failure is unsteady in new processes, if it is; those of
    /// `written` follow.
    pub fn of(
        (input, input_bytes): (&Path, usize),
        signature: Signature,
        done: &Generalization,
        pattern: &PatternFile,
        written: Written,
    ) -> Self {
        let found = &done.found;
        let mut remarks = Vec::new();
        if !done.is_sure {
            remarks.push("the minimized input doesn't fail steadily in new processes".to_owned());
        }
        remarks.extend(written.remarks);
        GeneralizedInput {
            input: input.to_owned(),
            input_bytes,
            minimized: done.reduced.clone(),
            grammar: (!done.source.is_empty()).then(|| done.source.join(",")),
            pattern: pattern.pattern.clone(),
            parts: found.pattern.parts(),
            room: found.pattern.room(),
            claim: found.claim,
            claimed_limit: done.claimed_limit,
            condition: found.condition.as_ref().map(MeasuredCondition::of),
            not_varied: found.pattern.not_varied(),
            is_guessed: done.is_guessed,
            reasons: found.reasons.clone(),
            reduction: done.reduction,
            generalization: found.counts,
            reasoning: found.reason_counts,
            production: done.production,
            counts: done.counts,
            elapsed: done.elapsed,
            stack: done.stack.clone(),
            signature,
            written: written.paths,
            remarks,
            examples: done.made.tested.inputs.iter().skip(1).take(MAX_EXAMPLES).cloned().collect(),
            tree: tree_rows(&found.pattern),
            stopped: done.stopped,
        }
    }
}

impl MeasuredCondition {
    /// A condition and its figures, without the code that evaluates it. `precision` and `recall`
    /// are between 0 and 1. Figures come from inputs that the condition was not learnt from.
    fn of(measured: &Measured) -> Self {
        MeasuredCondition {
            text: measured.predicate.to_string(),
            inputs: measured.draws(),
            agreeing: measured.agreeing(),
            precision: measured.precision(),
            recall: measured.recall(),
            is_exact: measured.is_exact(),
        }
    }
}
