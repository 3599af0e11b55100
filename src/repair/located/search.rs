//! The search: fault after fault, with steps back where a mend turns out to have been the wrong one.

mod state;

use std::collections::HashSet;
use std::sync::Arc;

use super::edit::Edit;
use super::fault::{Look, closed, look};
use super::model::Model;
use crate::repair::located::proposals::Fault;
use crate::repair::validate::Validate;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Complaint;
use seedsmith_grammar::Digest;
pub(super) use state::closed_after;
use state::{MAX_EDITS, State, Step};

/// Steps back in one search, because each costs up to 240 tests. Sixteen was not measured.
const MAX_STEPS_BACK: usize = 16;
/// Faults that are mended one after another: a bound on memory, since each keeps a copy of the text.
const MAX_FAULTS: usize = 64;

/// A text that a search meets on its way.
pub(super) enum Found<'t> {
    /// Its first fault is further on than those of all texts before.
    Furthest(&'t [u8]),
    /// It is valid, but not what the search looks for: the part before a fault.
    Valid(&'t [u8]),
}

/// How a search ended.
pub(super) struct SearchEnd {
    /// The valid text, if one was found.
    pub text: Option<Vec<u8>>,
    /// What the validator printed about the last text before the valid one, or about the furthest one. `None`
    /// if that is the text with which the search began.
    pub rejected: Option<Arc<Complaint>>,
    /// Edits that were made one after the other to get the valid text. 0 without one.
    pub mends: usize,
}

/// Mends the faults of `text` one after the other.
///
/// Depth first: the edits of a fault in their order, and back to the fault before where none helps.
/// Costs at most `MAX_EDITS` tests for each fault and step back. Texts that were seen before are
/// not followed again, so the search ends. Edits of `limit` bytes and more are left out.
///
/// `found` gets what the caller needs if the budget ends the search. That costs at most a test for each fault.
pub(super) fn search(
    validator: &mut dyn Validate,
    text: &[u8],
    model: &Model,
    limit: usize,
    found: &mut dyn FnMut(Found<'_>),
) -> Result<SearchEnd, Stopped> {
    let mut ended = SearchEnd { text: None, rejected: None, mends: 0 };
    let fault = match look(validator, text, 0)? {
        Look::Valid => {
            ended.text = Some(text.to_vec());
            return Ok(ended);
        }
        Look::Faulty(fault) => *fault,
        Look::Unresolved => return Ok(ended),
    };
    offer_prefix(validator, text, &fault, found)?;
    let mut seen = HashSet::from([Digest::of(text)]);
    let mut states = vec![State::new(text.to_vec(), fault, Vec::new(), (model, limit))];
    let mut least_left = usize::MAX;
    let mut steps_back = 0;
    while let Some(state) = states.last_mut() {
        let step = state.step(validator, (model, limit))?;
        match step {
            Step::Valid(text) => {
                return finished(validator, &states, text, ended);
            }
            // The edits that are left at the fault before: one of them may be valid at once.
            Step::Waiting => {
                state.most = MAX_EDITS;
                let before = states.len() - 1;
                let Some(parent) = before.checked_sub(1).map(|index| &mut states[index]) else {
                    continue;
                };
                if let Some(text) = parent.try_rest(validator)? {
                    states.truncate(before);
                    return finished(validator, &states, text, ended);
                }
            }
            Step::Next(next) => {
                if !seen.insert(Digest::of(&next.text)) || states.len() >= MAX_FAULTS {
                    continue;
                }
                let left = next.text.len() - next.fault.at.min(next.text.len());
                if left < least_left || next.is_back {
                    least_left = left;
                    found(Found::Furthest(&next.text));
                    offer_prefix(validator, &next.text, &next.fault, found)?;
                    ended.rejected.clone_from(&next.fault.said.complaint);
                }
                states.push(*next);
            }
            Step::Stuck => {
                states.pop();
                steps_back += 1;
                if steps_back > MAX_STEPS_BACK {
                    break;
                }
            }
        }
    }
    Ok(ended)
}

/// Says that the text up to a fault is valid once it is closed, where a bisection has found the fault.
fn offer_prefix(
    validator: &mut dyn Validate,
    text: &[u8],
    fault: &Fault,
    found: &mut dyn FnMut(Found<'_>),
) -> Result<(), Stopped> {
    if !fault.is_silent || fault.from == 0 {
        return Ok(());
    }
    // Known, and so free, unless an edit was made before its end.
    let prefix = closed(text, fault.from);
    if validator.is_valid(&prefix)? {
        found(Found::Valid(&prefix));
    }
    Ok(())
}

/// The end of a search that has found a valid text.
fn finished(
    validator: &mut dyn Validate,
    states: &[State],
    text: Vec<u8>,
    mut ended: SearchEnd,
) -> Result<SearchEnd, Stopped> {
    ended.mends = states.len();
    let last = states.last().filter(|_| states.len() > 1);
    ended.rejected = last.and_then(|state| state.fault.said.complaint.clone());
    ended.text = Some(without_needless(validator, states, text)?);
    Ok(ended)
}

/// The valid text without the mends that it does not need: of several edits one may have been a
/// detour. Costs one test for each mend.
fn without_needless(
    validator: &mut dyn Validate,
    states: &[State],
    text: Vec<u8>,
) -> Result<Vec<u8>, Stopped> {
    let mut texts: Vec<&[u8]> = states.iter().map(|state| state.text.as_slice()).collect();
    texts.push(&text);
    let mut best = text.clone();
    if texts.len() < 3 {
        return Ok(best);
    }
    for pair in texts.windows(2).rev() {
        let (before, after) = (pair[0], pair[1]);
        // The edit between the two, undone in the best text, if the changed bytes are there once.
        let whole = Edit::new(0..after.len(), before).trimmed(after);
        let Some(undo) = whole else { continue };
        let context = 12;
        let from = undo.at.saturating_sub(context);
        let until = after.len().min(undo.end + context);
        let mut found = memchr::memmem::find_iter(&best, &after[from..until]);
        if let (Some(at), None) = (found.next(), found.next()) {
            let start = at + undo.at - from;
            let edit = Edit::new(start..start + undo.end - undo.at, undo.new);
            let candidate = edit.apply(&best);
            if validator.is_valid(&candidate)? {
                best = candidate;
            }
        }
    }
    Ok(best)
}
