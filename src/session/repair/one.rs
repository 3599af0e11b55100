//! The repair of one input, with a validator that may serve many.

use std::path::Path;
use std::time::Instant;

use super::options::RunOptions;
use super::result::RepairResult;
use super::rounds::FirstResult;
use super::validator::Validator;
use crate::event::{RepairRow, RepairStatus, StopReason};
use crate::repair::distance::alignment::Alignment;
use crate::repair::validate::{ByOracle, Validate};
use crate::repair::{self, Options, Repair};
use crate::session::error::with_causes;
use seedsmith_engine::OtherFailure;
use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Budget;

/// Larger inputs are tested and not repaired, because finding the differences of two such texts takes too
/// long.
pub(super) const MAX_REPAIRED_BYTES: usize = 16 << 20;
/// A valid text that shares less than this with the input is refused by default, because it has little to
/// do with the input. A choice, not measured.
const MIN_SHARED: f64 = 0.5;

/// How one input is repaired.
pub(super) struct Plan<'p> {
    /// By what.
    pub repair: &'p Options,
    /// The options of the whole run.
    pub options: &'p RunOptions,
    /// Its limits.
    pub budget: Budget,
    /// What an earlier turn has found.
    pub first: Option<Box<FirstResult>>,
}

/// Repairs one input within its budget. The text was valid once; it is not confirmed yet.
pub(super) fn repair_one(
    validator: &mut Validator<'_>,
    path: &Path,
    input: Vec<u8>,
    plan: Plan<'_>,
) -> Result<RepairResult, Stopped> {
    let started = Instant::now();
    let Plan { repair, options, budget, mut first } = plan;
    let Validator { oracle, is_slow } = validator;
    match first.as_mut().and_then(|first| first.cache.take()) {
        Some(cache) => oracle.begin_task_with(budget, cache),
        None => oracle.begin_task(budget),
    }
    let mut note = None;
    let found = if options.only_check {
        test_only(validator, &input)?
    } else if input.len() > MAX_REPAIRED_BYTES {
        let found = test_only(validator, &input)?;
        if !found.was_valid {
            note = Some(format!("more than {} MB are not repaired", MAX_REPAIRED_BYTES >> 20));
        }
        found
    } else {
        repair::repair(&mut ByOracle::new(oracle, *is_slow), &input, repair)?
    };
    let mut text = found.text;
    if found.stopped == Some(StopReason::Target)
        && let Some(error) = validator.oracle.take_trouble()
    {
        if text.is_none() {
            return Err(Stopped::Target(error));
        }
        note = Some(format!("the validator cannot be run any more: {}", with_causes(&error)));
    }
    // The empty text is valid in many formats, and of no use as a seed.
    if !found.was_valid && text.as_ref().is_some_and(Vec::is_empty) {
        note = Some("only the empty input is valid".to_owned());
        text = None;
    }
    let mut refused = None;
    let mut alignment = text.as_ref().map(|text| Alignment::of(&input, text));
    let kept_bytes = alignment.as_ref().map_or(0, Alignment::kept);
    let least = (input.len() as f64 * options.keep_at_least).ceil() as usize;
    if text.is_some() && kept_bytes < least {
        note = Some(format!("a valid text was found and refused: it keeps {kept_bytes} bytes"));
        (refused, text, alignment) = (text, None, None);
    }
    let status = match &text {
        Some(_) if found.was_valid => RepairStatus::Valid,
        Some(_) => RepairStatus::Repaired,
        None if options.only_check => RepairStatus::Invalid,
        None => RepairStatus::NotRepaired,
    };
    if let Some(Alignment { edits, is_exact, .. }) = alignment {
        let shared = (input.len().max(1) as f64) * MIN_SHARED;
        if (kept_bytes as f64) < shared || (is_exact && edits as f64 > shared) {
            note = Some("the two are hardly alike".to_owned());
        } else if !is_exact {
            note = Some(format!("at most {edits} edits; counting them takes too long"));
        }
    }
    let message = match status {
        RepairStatus::Valid => None,
        // A budget that is used up has no answer any more.
        _ => match &found.message {
            Some(complaint) => Some(complaint.text().to_vec()),
            None => message_about(validator, &input),
        },
    };
    let rejected = found.rejected.map(|complaint| complaint.text().to_vec());
    let rejected = rejected.filter(|said| message.as_ref() != Some(said));
    let oracle = &validator.oracle;
    let mut other_failures = oracle.other_failures().to_vec();
    let (mut tests, mut executions) = (found.counts.tests, oracle.counts().executions);
    let mut elapsed = started.elapsed();
    if let Some(first) = first {
        let RepairResult { row, other_failures: before, .. } = first.result;
        tests += row.tests;
        executions += row.executions;
        elapsed += row.elapsed;
        let is_new =
            |one: &OtherFailure| before.iter().all(|other| other.signature != one.signature);
        other_failures.retain(is_new);
        other_failures.splice(0..0, before);
    }
    Ok(RepairResult {
        row: RepairRow {
            input: path.to_owned(),
            output: None,
            status,
            input_bytes: input.len(),
            output_bytes: text.as_ref().map_or(0, Vec::len),
            kept_bytes: alignment.as_ref().map_or(0, Alignment::kept),
            distance: alignment.as_ref().filter(|one| one.is_exact).map(|one| one.edits),
            tests,
            executions,
            elapsed,
            stopped: found.stopped,
            message,
            rejected,
            note,
            failures: other_failures.len(),
            other_failures: Vec::new(),
        },
        other_failures,
        input,
        text,
        refused,
        is_unsteady: false,
    })
}

/// What the validator printed about `input`, which it has rejected. The answer is in the cache,
/// so it costs no run. `None` if the budget is used up.
fn message_about(validator: &mut Validator<'_>, input: &[u8]) -> Option<Vec<u8>> {
    let mut asked = ByOracle::new(&mut validator.oracle, validator.is_slow);
    let answer = asked.is_valid_or_says(input).ok()?;
    answer.complaint().map(|complaint| complaint.text().to_vec())
}

/// Tests whether `input` is valid, and proposes nothing else.
fn test_only(validator: &mut Validator<'_>, input: &[u8]) -> Result<Repair, Stopped> {
    let (was_valid, stopped) = match validator.oracle.outcome(input) {
        Ok(outcome) => (outcome == Outcome::Pass, None),
        Err(Stopped::Early(reason)) => (false, Some(reason)),
        Err(stopped) => return Err(stopped),
    };
    let text = was_valid.then(|| input.to_owned());
    let counts = validator.oracle.counts();
    Ok(Repair { text, was_valid, stopped, counts, message: None, rejected: None })
}
