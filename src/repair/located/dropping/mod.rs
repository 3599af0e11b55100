//! A valid text in few tests: where no likely edit helps at once, the damaged part is dropped, in spans
//! that grow until the next report is further on.
//!
//! It is the valid text to fall back on where the careful search of `search.rs` is stuck or has used its
//! share of the budget. Bytes that it drops without need come back afterwards, by the restoring that follows.
//!
//! It knows the search by its parts alone: the edits of a fault, the look at a text, and how far a
//! report moved.

mod spans;

use super::edit::Edit;
use super::edits;
use super::fault::{Look, bisect, closed, look, probe, said};
use super::model::Model;
use super::progress::{Progress, progress};
use super::search::closed_after;
use crate::repair::located::proposals::Fault;
use crate::repair::validate::{Answer, Validate};
use seedsmith_engine::Stopped;

/// Faults that are passed one after another: a bound on the tests, because each takes up to 48. Not
/// measured.
const MAX_FAULTS: usize = 96;
/// Likely edits that are tried before anything is dropped, in tests, because one of the first is often
/// right and a drop loses more (docs/notes/2026-11-22-repair-by-messages.md). Twelve was not measured.
const LIKELY_EDITS: usize = 12;

/// The edits that are tried at a fault.
#[derive(Clone, Copy)]
pub(super) enum Drops<'m> {
    /// The likeliest edits by a model of the text, then drops, the smallest first.
    Smallest(&'m Model),
    /// Drops of whole lines and elements alone, which pass a fault in few tests and lose more.
    Lines,
}

/// Passes the faults of `text` one after another, each by an edit or by dropping the text around it.
/// `valid` gets each valid text on the way. Costs at most some 50 tests for each of `MAX_FAULTS`,
/// and a bisection where the place of a fault is not known.
///
/// It ends with the first text that is valid, or with a fault that no drop passes.
pub(super) fn drop_faults(
    validator: &mut dyn Validate,
    text: &[u8],
    drops: Drops<'_>,
    valid: &mut dyn FnMut(&[u8]),
) -> Result<(), Stopped> {
    let mut text = text.to_vec();
    let mut from = 0;
    for _ in 0..MAX_FAULTS {
        match drop_fault(validator, &text, drops, from, valid)? {
            Dropped::Further(next, next_from) => (text, from) = (next, next_from),
            Dropped::Valid | Dropped::Stuck => return Ok(()),
        }
    }
    Ok(())
}

/// What became of the first fault of a text.
///
/// A text from which a fault was dropped may have others.
pub(super) enum Dropped {
    /// The text has none.
    Valid,
    /// The text without it, and an offset up to which that is known to be right.
    Further(Vec<u8>, usize),
    /// No drop passes it.
    Stuck,
}

/// Drops the text around the first fault of a text that is right up to `from`. `valid` gets each
/// valid text on the way. If the validator names a place and no edit there helps, or names the end,
/// prefixes show by bisection where the fault begins.
pub(super) fn drop_fault(
    validator: &mut dyn Validate,
    text: &[u8],
    drops: Drops<'_>,
    from: usize,
    valid: &mut dyn FnMut(&[u8]),
) -> Result<Dropped, Stopped> {
    let mut fault = match look(validator, text, from)? {
        Look::Valid => {
            valid(text);
            return Ok(Dropped::Valid);
        }
        Look::Unresolved => return Ok(Dropped::Stuck),
        Look::Faulty(fault) => *fault,
    };
    let mut next = if fault.is_silent || fault.said.is_end {
        None
    } else {
        step(validator, text, candidates(text, drops, &fault), &fault)?
    };
    if next.is_none() {
        // The fault shows at the end, or too far from where it is: prefixes show where it begins.
        let (good, bad) = bisect(validator, text, 0)?;
        let prefix = closed(text, good);
        if good > 0 && validator.is_valid(&prefix)? {
            valid(&prefix);
        }
        (fault.from, fault.at, fault.is_silent) = (good, bad.max(good), true);
        let (edits, _) = candidates(text, drops, &fault);
        next = step_in_silence(validator, text, &edits, bad)?;
    }
    let Some(next) = next else { return Ok(Dropped::Stuck) };
    let from = if fault.is_silent { fault.from.min(next.len()) } else { 0 };
    Ok(Dropped::Further(next, from))
}

/// The edits of a fault: likely ones, then drops, the smallest first.
///
/// The second number is how many of them are likely edits, which come first. Costs no test.
///
/// Likely edits are those that the careful search would try first.
fn candidates(text: &[u8], drops: Drops<'_>, fault: &Fault) -> (Vec<Edit>, usize) {
    let Drops::Smallest(model) = drops else { return (spans::whole_lines(text, fault), 0) };
    let mut all = edits::collect(text, model, fault, LIKELY_EDITS);
    let likely = all.len();
    all.extend(spans::drops(text, fault));
    (all, likely)
}

/// The text after the first edit that makes it valid or moves the report on: a likely edit has to
/// move it some lines, a drop one line. `None` if none does. Costs a test for each edit that is
/// tried.
fn step(
    validator: &mut dyn Validate,
    text: &[u8],
    (edits, likely): (Vec<Edit>, usize),
    fault: &Fault,
) -> Result<Option<Vec<u8>>, Stopped> {
    let (mut given, mut heard) = (0, 0);
    let answer = validator.first_that(
        &mut |buffer| {
            let Some(edit) = edits.get(given) else { return false };
            given += 1;
            buffer.extend_from_slice(&edit.apply(text));
            true
        },
        &mut |answer| {
            let (edit, is_likely) = (&edits[heard], heard < likely);
            heard += 1;
            if *answer == Answer::Valid {
                return true;
            }
            let candidate = edit.apply(text);
            let said = said(answer, &candidate);
            let least = if is_likely { Progress::Back } else { Progress::Weak };
            progress(fault, edit, &candidate, &said).is_some_and(|progress| progress >= least)
        },
    )?;
    Ok(answer.map(|(_, text)| text))
}

/// As `step`, by prefixes that are closed: the first edit with which the text is valid up to some
/// way after the fault. `bad` is the first cut at which a prefix was not.
///
/// Costs a test for each edit that is tried; the whole text is not tested until the next fault is
/// looked for.
fn step_in_silence(
    validator: &mut dyn Validate,
    text: &[u8],
    edits: &[Edit],
    bad: usize,
) -> Result<Option<Vec<u8>>, Stopped> {
    let until = probe(text, bad);
    let mut given = 0;
    let answer = validator.first_valid(&mut |buffer| {
        let Some(edit) = edits.get(given) else { return false };
        given += 1;
        buffer.extend_from_slice(&closed_after(edit, text, until));
        true
    })?;
    Ok(answer.map(|(index, _)| edits[index].apply(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;

    /// Lines of `name = number`, in any order.
    fn lines(text: &[u8]) -> Result<(), String> {
        for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
            let line = String::from_utf8_lossy(line);
            let is_good = line.is_empty()
                || line.split_once(" = ").is_some_and(|(name, value)| {
                    name.starts_with("name") && value.parse::<u32>().is_ok()
                });
            if !is_good {
                return Err(format!("line {}: bad", number + 1));
            }
        }
        Ok(())
    }

    fn fallback<R: Into<Answer>>(text: &[u8], says: impl Fn(&[u8]) -> R) -> (String, u64) {
        let mut validator = InPlace::new(says, Budget::default());
        let mut last = Vec::new();
        let mut valid = |text: &[u8]| last = text.to_vec();
        drop_faults(&mut validator, text, Drops::Smallest(&Model::of(text)), &mut valid).unwrap();
        (String::from_utf8(last).unwrap(), validator.counts().tests)
    }

    #[test]
    fn lines_that_no_edit_mends_are_dropped_and_the_others_stay() {
        let line = |n: u32| format!("name{n} = {}\n", n * 37);
        let mut all: Vec<String> = (0..60).map(line).collect();
        for at in [3, 17, 18, 40, 59] {
            all[at] = "???? ((( nothing like it ))) ????\n".to_owned();
        }
        let rest: String = all.iter().filter(|line| !line.contains('?')).cloned().collect();
        let (text, tests) = fallback(all.concat().as_bytes(), lines);
        assert_eq!(text, rest);
        assert!(tests < 200, "{tests}");
        let (text, tests) = fallback(all.concat().as_bytes(), |text: &[u8]| lines(text).is_ok());
        assert_eq!(text, rest);
        assert!(tests < 400, "{tests}");
    }
}
