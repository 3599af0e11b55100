//! A second look at a text that several edits have made valid: edits that turn out to be needless are undone, and
//! edits that one smaller edit can replace are replaced.
//!
//! The search mends one fault after the other, and each edit has to move the report on. So it may take two edits
//! where one would have done, and it drops a fault that it cannot mend while other faults are there. Once the text is
//! valid, each part of it can be looked at with all other faults mended.
//!
//! It knows no strategy. A result of one edit has no second look: it is the likeliest edit, and a smaller one
//! is mostly a less likely one.

mod smaller;

use super::edit::Edit;
use super::edits;
use super::fault::{Look, look};
use super::model::Model;
use super::search;
use crate::repair::best::Best;
use crate::repair::distance::changes::{Change, changes};
use crate::repair::validate::Validate;
use crate::repair::validate::capped::Capped;
use seedsmith_engine::Stopped;

/// Tests of one second look. Not measured.
const MAX_TESTS: usize = 200;
/// The share of the budget that may be used when it ends, if nothing was dropped: less than half, so that a
/// search which ended early still counts as complete.
const SHARE_AFTER_EDITS: f64 = 0.45;
/// The same where faults were dropped: they may be mended now, and other searches drop as much.
const SHARE_AFTER_DROPS: f64 = 0.85;
/// Changes of a text that gets a second look: more are a text of which much was dropped, and other searches
/// bring that back.
const MAX_CHANGES: usize = 24;
/// Bytes between two changes that one edit may replace. Not measured.
const MAX_BYTES_BETWEEN: usize = 2_000;
/// Edits that are tried in place of two, in tests. Not measured.
const MAX_EDITS: usize = 60;
/// A change of more bytes than this was a line or a block that no edit mended, so it is searched again.
pub(super) const MIN_SEARCHED_BYTES: usize = 9;
/// Tests of such a search. Not measured.
const MAX_SEARCH_TESTS: usize = 80;
/// The same where the text has no other change: as many as a fault gets in the search, because a drop may have ended that early.
const MAX_LONE_SEARCH_TESTS: usize = 240;

/// Looks again at the text of `best`, and offers closer valid ones to it.
///
/// Costs at most `MAX_TESTS` tests, and none where the share of the budget is used.
pub(super) fn look_again(
    validator: &mut dyn Validate,
    input: &[u8],
    model: &Model,
    has_dropped: bool,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let share = if has_dropped { SHARE_AFTER_DROPS } else { SHARE_AFTER_EDITS };
    let mut capped = Capped::until(validator, share);
    let mut capped = Capped::new(&mut capped, MAX_TESTS);
    undo_needless(&mut capped, input, best)?;
    let mut index = 0;
    while let Some(text) = best.text().map(<[u8]>::to_vec) {
        let changes = changes(input, &text);
        if changes.len() > MAX_CHANGES || index >= changes.len() {
            break;
        }
        let before = best.distance();
        let groups = [changes.get(index..index + 2), changes.get(index..index + 1)];
        for group in groups.into_iter().flatten() {
            if let Some(closer) = closer(&mut capped, (input, &text), group, model)? {
                best.offer(&closer);
                break;
            }
        }
        if best.distance() >= before {
            index += 1;
        }
    }
    take_smaller(&mut capped, input, model, best)
}

/// Puts smaller edits in place of changes, from the end of the text.
fn take_smaller(
    validator: &mut dyn Validate,
    input: &[u8],
    model: &Model,
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let Some(mut text) = best.text().map(<[u8]>::to_vec) else { return Ok(()) };
    let found = changes(input, &text);
    if found.len() > MAX_CHANGES {
        return Ok(());
    }
    for change in found.iter().rev() {
        if let Some(closer) = smaller::smaller(validator, (input, &text), change, model)? {
            let before = best.distance();
            best.offer(&closer);
            if best.distance() < before {
                text = closer;
            }
        }
    }
    Ok(())
}

/// Undoes changes that the text does not need, one at a time, and two neighbours together: the second may have
/// been made for the sake of the first.
fn undo_needless(
    validator: &mut dyn Validate,
    input: &[u8],
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    for together in [1, 2] {
        let Some(text) = best.text().map(<[u8]>::to_vec) else { return Ok(()) };
        let mut found = changes(input, &text);
        if found.len() < 2 || found.len() > MAX_CHANGES {
            return Ok(());
        }
        let mut text = text;
        // From the end, so that the changes before one keep their places.
        while let Some(first) = found.len().checked_sub(together) {
            let candidate = undone(input, &text, &found[first..first + together]);
            found.pop();
            if candidate != input && validator.is_valid(&candidate)? {
                best.offer(&candidate);
                text = candidate;
                found.truncate(first);
            }
        }
    }
    Ok(())
}

/// A valid text with one edit in place of the changes of `group`, of fewer bytes.
///
/// A single change is searched again if it is large.
fn closer(
    validator: &mut dyn Validate,
    (input, text): (&[u8], &[u8]),
    group: &[Change],
    model: &Model,
) -> Result<Option<Vec<u8>>, Stopped> {
    let [first, .., last] = group else {
        if group.iter().all(|change| change.cost() < MIN_SEARCHED_BYTES) {
            return Ok(None);
        }
        let undone = undone(input, text, group);
        let most = if undone == input { MAX_LONE_SEARCH_TESTS } else { MAX_SEARCH_TESTS };
        let mut capped = Capped::new(validator, most);
        let cost = group.iter().map(Change::cost).sum();
        return Ok(search::search(&mut capped, &undone, model, cost, &mut |_| ())?.text);
    };
    if last.new.start - first.new.end > MAX_BYTES_BETWEEN {
        return Ok(None);
    }
    let undone = undone(input, text, group);
    let mut fault = match look(validator, &undone, 0)? {
        Look::Valid => return Ok(Some(undone)),
        Look::Unresolved => return Ok(None),
        Look::Faulty(fault) => *fault,
    };
    // The edit may be at either place, wherever the fault shows.
    let second = first.new.start + (last.old.start - first.old.start);
    fault.said.others.extend([first.new.start, second]);
    let cost: usize = group.iter().map(Change::cost).sum();
    let mut edits = edits::collect(&undone, model, &fault, 4 * MAX_EDITS);
    edits.retain(|edit| edit.size() < cost);
    first_valid(validator, &undone, &mut edits.iter().take(MAX_EDITS))
}

/// The first valid text among those that one of `edits` makes of `text`. Costs a test an edit.
fn first_valid(
    validator: &mut dyn Validate,
    text: &[u8],
    edits: &mut dyn Iterator<Item = &Edit>,
) -> Result<Option<Vec<u8>>, Stopped> {
    let found = validator.first_valid(&mut |buffer| {
        let Some(edit) = edits.next() else { return false };
        edit.append(text, buffer);
        true
    })?;
    Ok(found.map(|(_, text)| text))
}

/// `text` with what `input` has in place of neighbouring changes.
fn undone(input: &[u8], text: &[u8], group: &[Change]) -> Vec<u8> {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return text.to_vec() };
    let old = &input[first.old.start..last.old.end];
    [&text[..first.new.start], old, &text[last.new.end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;

    /// Lines of `name = "value"`; an error names the line.
    fn lines(text: &[u8]) -> Result<(), String> {
        for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
            let line = String::from_utf8_lossy(line);
            let is_good = line.is_empty()
                || line.split_once(" = ").is_some_and(|(name, value)| {
                    let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
                    name.bytes().all(|byte| byte.is_ascii_lowercase())
                        && inner.is_some_and(|inner| !inner.contains('"'))
                });
            if !is_good {
                return Err(format!("line {}: bad", number + 1));
            }
        }
        Ok(())
    }

    const WHOLE: &str = "first = \"one\"\nsecond = \"two\"\nthird = \"three\"\nfourth = \"four\"\n";

    /// What a second look makes of a valid `text` for `input`, and its tests.
    fn looked(input: &str, text: &str) -> (String, u64) {
        assert!(lines(text.as_bytes()).is_ok());
        let mut validator = InPlace::new(lines, Budget::default());
        let mut best = Best::new(input.as_bytes());
        best.offer(text.as_bytes());
        look_again(&mut validator, input.as_bytes(), &Model::of(input.as_bytes()), true, &mut best)
            .unwrap();
        (String::from_utf8(best.take().unwrap()).unwrap(), validator.counts().tests)
    }

    #[test]
    fn an_edit_that_the_text_does_not_need_is_undone() {
        let input = WHOLE.replacen("\"two\"", "\"two", 1);
        let text = WHOLE.replacen("fourth", "furth", 1);
        assert_eq!(looked(&input, &text).0, WHOLE);
    }

    #[test]
    fn two_edits_are_replaced_by_one_that_is_smaller() {
        // A line feed became a blank; without two of the quotation marks it is one line.
        let input = WHOLE.replacen("\"two\"\nthird", "\"two\" third", 1);
        let text = WHOLE.replacen("two\"\nthird = \"three", "two third = three", 1);
        let (found, tests) = looked(&input, &text);
        assert_eq!(found, WHOLE);
        assert!(tests <= MAX_TESTS as u64, "{tests}");
    }

    #[test]
    fn a_line_that_was_dropped_is_mended_once_the_others_are() {
        let input = WHOLE
            .replacen("second = \"two\"", "second = two\"", 1)
            .replacen("\"four\"", "\"four", 1);
        let text = WHOLE.replacen("second = \"two\"\n", "", 1);
        assert_eq!(looked(&input, &text).0, WHOLE);
    }
}
