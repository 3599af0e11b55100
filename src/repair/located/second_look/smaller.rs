//! A smaller edit in place of one change of a text that is valid.
//!
//! The search takes the likeliest edit that moves the report on. While other faults are there, that may be an edit of several
//! bytes beside which one of a single byte would have been enough. With the other faults mended, an edit is valid or it is not.

use super::{first_valid, undone};
use crate::repair::best::is_part;
use crate::repair::distance::changes::Change;
use crate::repair::located::edit::Edit;
use crate::repair::located::edits;
use crate::repair::located::fault::{Look, look};
use crate::repair::located::model::Model;
use crate::repair::validate::Validate;
use seedsmith_engine::Stopped;

/// Likely edits that are tried in place of a change, in tests: with the deletions some 70 for a change, so that three changes can use
/// the second look's tests.
const MAX_EDITS: usize = 32;
/// Bytes around the fault and around the change that are deleted, one at a time, because a byte too much is reported some bytes after it.
const BYTES_AROUND: usize = 8;

/// A valid text with a smaller edit in place of a change. The likely edits come first, then deletions of single bytes. A change that
/// only adds bytes is replaced by one that only adds bytes.
///
/// Costs at most some 70 tests, and none for a change of one byte.
pub(super) fn smaller(
    validator: &mut dyn Validate,
    (input, text): (&[u8], &[u8]),
    change: &Change,
    model: &Model,
) -> Result<Option<Vec<u8>>, Stopped> {
    if change.cost() < 2 {
        return Ok(None);
    }
    let undone = undone(input, text, std::slice::from_ref(change));
    let mut fault = match look(validator, &undone, 0)? {
        Look::Valid => return Ok(Some(undone)),
        Look::Unresolved => return Ok(None),
        Look::Faulty(fault) => *fault,
    };
    let place = change.new.start;
    // Where all of the input is kept, a smaller edit has to keep it too: `&amp;` is more than `&` and better than nothing.
    let keeps_all = is_part(&input[change.old.clone()], &text[change.new.clone()]);
    let mut deletions = deletions(&undone, [fault.at, place + change.old.len()], place);
    deletions.retain(|_| !keeps_all);
    fault.said.others.push(place);
    let mut edits = edits::collect(&undone, model, &fault, 4 * MAX_EDITS);
    edits.retain(|edit| edit.size() < change.cost() && (!keeps_all || edit.at == edit.end));
    edits.truncate(MAX_EDITS);
    first_valid(validator, &undone, &mut edits.iter().chain(&deletions))
}

/// Deletions of single bytes around two places and from `start` to the second, the nearest first. Of equal bytes side by side the first
/// is enough.
fn deletions(text: &[u8], places: [usize; 2], start: usize) -> Vec<Edit> {
    let [at, end] = places.map(|place| place.min(text.len()));
    let spans = [at..at, start.min(end)..end];
    let mut bytes: Vec<usize> = spans
        .into_iter()
        .flat_map(|span| {
            span.start.saturating_sub(BYTES_AROUND)..text.len().min(span.end + BYTES_AROUND)
        })
        .filter(|at| *at == 0 || text[at - 1] != text[*at])
        .collect();
    bytes.sort_by_key(|byte| (byte.abs_diff(at).min(byte.abs_diff(start)), *byte));
    bytes.dedup();
    bytes.into_iter().map(|byte| Edit::delete(byte..byte + 1)).collect()
}
