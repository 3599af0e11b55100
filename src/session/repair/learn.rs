//! The look at the inputs before the first repair: is the validator deterministic, is the base
//! valid, and how do valid inputs of this kind look?

use std::sync::Arc;

use super::error::RepairError;
use super::input::RepairInput;
use super::one::MAX_REPAIRED_BYTES;
use super::options::RunOptions;
use super::validator::{SameAnswer, Validator, Validators, run_error, with_validator};
use crate::repair::likelihood::Likelihood;
use crate::repair::names_place;
use seedsmith_engine::Outcome;
use seedsmith_engine::Stopped;
use seedsmith_engine::Verdict;
use seedsmith_engine::internal::Complaint;

/// Valid inputs that are learnt from, because more change the counts little. Not measured.
const MAX_LEARNT_INPUTS: usize = 64;
/// Inputs that are tested to find them, so that a folder without valid files costs a bounded number of
/// tests.
const MAX_TRIED_INPUTS: usize = 256;
/// The same where a test costs a process: 16, so that it takes less than a second with most programs.
const MAX_TRIED_INPUTS_SLOWLY: usize = 16;
/// The same where the validator has rejected everything with one message or none, so that a run reports that
/// within 20 tests.
const MAX_TRIED_INPUTS_IF_ALL_REJECTED: usize = 5;
/// Longer inputs are not learnt from, because they add little to what shorter ones show.
const MAX_LEARNT_BYTES: usize = 64 << 10;

/// What the look at the inputs has shown.
#[derive(Default)]
pub(crate) struct FirstLook {
    /// How valid inputs look; `None` if there is only one input, which has no siblings.
    pub(super) learnt: Option<Likelihood>,
    /// What the validator prints if it rejected every text so far with one message or none, those included of
    /// which nearly every format allows one: it may not read its input. The text is empty if it prints nothing.
    pub rejects_all: Option<String>,
    /// Whether a grammar could know more than the validator: it has rejected the first input and named no
    /// place, or other inputs may be rejected so.
    pub wants_grammar: bool,
}

/// Checks the validator and the base, and learns how valid inputs look.
///
/// Costs about ten runs of the first input, one test of the base, and one test of each input that
/// is looked at.
pub(crate) fn look_first(
    validators: &dyn Validators,
    inputs: &[RepairInput],
    options: &RunOptions,
) -> Result<FirstLook, RepairError> {
    let Some(first) = inputs.first() else { return Ok(FirstLook::default()) };
    with_validator(validators, first.path(), options, 1, |validator| {
        let mut answer = None;
        // An input that cannot be read is passed over when its turn comes.
        if let Ok(text) = first.read()
            && text.len() <= MAX_REPAIRED_BYTES
        {
            answer =
                validator.steady_answer(&text).map_err(|stopped| run_error(validators, stopped))?;
            if answer.is_none() {
                let (name, input) = (validators.name(), first.path().to_owned());
                return Err(RepairError::Unsteady { name, input });
            }
        }
        let mut rejects_all = None;
        let mut wants_grammar = inputs.len() > 1;
        if let Some(answer) = &answer {
            let named = |said: &Arc<Complaint>| {
                first.read().is_ok_and(|text| names_place(said.text(), &text))
            };
            let is_rejected = answer.verdict() == Some(Verdict::Reject);
            wants_grammar = match answer.complaint() {
                Some(said) => !named(said),
                None => is_rejected || wants_grammar,
            };
        }
        if let Some(answer) = answer
            && !options.only_check
            && !options.is_interrupted()
        {
            let alike = validator.takes_all_alike(&answer, options.limits);
            let name = validators.name();
            match alike.map_err(|stopped| run_error(validators, stopped))? {
                Some(SameAnswer::Accepts) => return Err(RepairError::AcceptsAnything { name }),
                Some(SameAnswer::Hangs) => return Err(RepairError::AlwaysHangs { name }),
                // A base that it accepts shows that it reads its input.
                Some(_) if options.repair.base.is_some() => {}
                Some(SameAnswer::IsCalledWrongly(reason)) => {
                    return Err(RepairError::AcceptsNothing { name, reason });
                }
                Some(SameAnswer::Rejects { reason }) => rejects_all = Some(reason),
                None => {}
            }
        }
        if let Some(base) = &options.repair.base {
            let outcome = validator.oracle.outcome(base);
            if outcome.map_err(|stopped| run_error(validators, stopped))? != Outcome::Pass {
                return Err(RepairError::InvalidBase);
            }
        }
        if inputs.len() == 1 {
            return Ok(FirstLook { learnt: None, rejects_all, wants_grammar });
        }
        let tried = if validator.is_slow { MAX_TRIED_INPUTS_SLOWLY } else { MAX_TRIED_INPUTS };
        let mut learn = |tried| {
            let inputs = inputs.iter().take(tried).take_while(|_| !options.is_interrupted());
            siblings(validator, inputs).map_err(|stopped| run_error(validators, stopped))
        };
        if rejects_all.is_some() {
            let (learnt, accepted) = learn(MAX_TRIED_INPUTS_IF_ALL_REJECTED)?;
            if accepted == 0 {
                return Ok(FirstLook { learnt: Some(learnt), rejects_all, wants_grammar });
            }
        }
        let (learnt, _) = learn(tried)?;
        Ok(FirstLook { learnt: Some(learnt), rejects_all: None, wants_grammar })
    })
}

/// Learns how valid inputs look from those of `inputs` that are valid. A repair prefers edits that
/// make a text more like them. Returns how many there were, too.
fn siblings<'i>(
    validator: &mut Validator<'_>,
    inputs: impl Iterator<Item = &'i RepairInput>,
) -> Result<(Likelihood, usize), Stopped> {
    let mut learnt = Likelihood::default();
    let mut left = MAX_LEARNT_INPUTS;
    for input in inputs {
        let Ok(text) = input.read() else { continue };
        if (1..=MAX_LEARNT_BYTES).contains(&text.len())
            && validator.oracle.outcome(&text)? == Outcome::Pass
        {
            learnt.learn(&text);
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    Ok((learnt, MAX_LEARNT_INPUTS - left))
}
