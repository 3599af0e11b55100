//! Repairs that start from what the validator says.
//!
//! ```text
//! text -> validator -> message: place, wishes, words -+
//!             |   (silent: bisection over closed      +-> candidates -> search -> mended text
//!             |    prefixes)                          |      (bytes, brackets, quotes, tags,
//!             +--- the next message: further on? <----+       indents, words, tokens)
//! ```
//!
//! The other ways of repair build on prefixes: a prefix is good if some completion is valid. Here
//! the whole text is given to the validator each time, and an edit is taken if the text is valid, or
//! if the next fault is reported further on. So a second fault in the same element does no harm.
//!
//! - `places`, `wishes`, `message`: what a message says, for any validator;
//! - `definition`: where a name may be lost that a message misses;
//! - `fault`: where a text is faulty, also where the validator prints nothing;
//! - `edits`: who proposes edits of a fault: for bytes, brackets, indentation, quotation marks, tags,
//!   tokens, words, and what the message asks for; `proposals` puts them in the order of their likelihood;
//! - `loose`: JSON as people write it, each habit mended at all places at once;
//! - `search`: fault after fault, with steps back; `progress`: how far an edit got;
//! - `dropping`: a valid text in few tests, where the search is stuck;
//! - `second_look`: fewer edits, once the text is valid.

mod by_grammar;
mod definition;
mod dropping;
mod edit;
mod edits;
mod expectations;
mod fault;
mod loose_json;
mod message;
mod model;
mod places;
mod progress;
mod proposals;
mod search;
mod second_look;
#[cfg(test)]
mod tests;

use super::best::Best;
use super::recovery::Reads;
use super::restore::lost_lines::lost_lines;
use super::validate::Validate;
use crate::repair::validate::capped::Capped;
use dropping::{Dropped, Drops};
use loose_json::{Habits, strict};
use model::Model;
use search::Found;
use seedsmith_engine::Stopped;

/// The share of the budget that the careful search may use; dropping faults gets the rest. 0.7 and not
/// 0.5 since 2026-11-22, because SQL with five damaged places continues carefully after each dropped
/// fault; no table was kept.
const CAREFUL_SHARE: f64 = 0.7;

/// Faults that are dropped because no edit mends them, and after which the careful search continues: a
/// bound on the tests. Not measured.
const MAX_DROPPED_FAULTS: usize = 24;

/// Larger inputs are left to the other ways, because a model of them takes too long.
const MAX_INPUT_BYTES: usize = 1 << 20;

/// Whether what a validator printed about `text` names a place in it.
pub(crate) fn names_place(message: &[u8], text: &[u8]) -> bool {
    message::read(message, text).at.is_some()
}

/// Whether a text is one for which this works where the validator is silent.
pub(super) fn is_nested(input: &[u8]) -> bool {
    edits::tags::has_tags(input)
}

/// Mends what people write in JSON that it does not have, where that makes `input` valid. Returns whether it does.
///
/// Costs one test for a text with such habits, and one more for each habit if the mended text is
/// valid: a validator that allows comments, for example, keeps them.
pub(super) fn mend_loose_json(
    validator: &mut dyn Validate,
    input: &[u8],
    best: &mut Best<'_>,
) -> Result<bool, Stopped> {
    if input.len() > MAX_INPUT_BYTES {
        return Ok(false);
    }
    let Some((text, mut habits)) = loose_json::mended(input) else { return Ok(false) };
    if !validator.is_valid(&text)? {
        return Ok(false);
    }
    best.offer(&text);
    for one in habits.each() {
        let (closer, _) = strict(input, habits.without(one));
        if validator.is_valid(&closer)? {
            best.offer(&closer);
            habits = habits.without(one);
        }
    }
    Ok(true)
}

/// Mends the faults that a grammar finds in `input`, for validators that name no place. A valid text
/// is offered to `best`.
pub(super) fn mend_by_grammar(
    validator: &mut dyn Validate,
    grammar: &dyn Reads,
    input: &[u8],
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    if input.len() > MAX_INPUT_BYTES {
        return Ok(());
    }
    by_grammar::mend(validator, grammar, input, best)
}

/// Mends the faults of `input` one after the other, and says what became of it: the mended text,
/// valid or not.
pub(super) fn mend(
    validator: &mut dyn Validate,
    input: &[u8],
    best: &mut Best<'_>,
) -> Result<Vec<u8>, Stopped> {
    if input.len() > MAX_INPUT_BYTES {
        return Ok(input.to_vec());
    }
    // Habits have many places, so they are mended before the faults that are left.
    let mut text = with_habits_mended(validator, input)?.unwrap_or_else(|| input.to_vec());
    let model = Model::of(&text);
    for dropped in 0..MAX_DROPPED_FAULTS {
        let mut capped = Capped::until(validator, CAREFUL_SHARE);
        let mut furthest = text.clone();
        let mut take = |found: Found<'_>| match found {
            Found::Valid(text) => best.offer(text),
            Found::Furthest(text) => {
                furthest = text.to_vec();
                best.mend(text);
            }
        };
        let ended = search::search(&mut capped, &text, &model, usize::MAX, &mut take)?;
        let is_cut_short = capped.is_cut_short();
        if let Some(complaint) = ended.rejected {
            best.reject(complaint);
        }
        if let Some(text) = ended.text {
            best.offer(&text);
            if dropped > 0 {
                lost_lines(validator, input, best)?;
            }
            // The search drops a line where the likeliest edits do not help.
            let has_dropped = dropped > 0 || best.lost_bytes() >= second_look::MIN_SEARCHED_BYTES;
            if has_dropped || ended.mends > 1 {
                second_look::look_again(validator, input, &model, has_dropped, best)?;
            }
            return Ok(text);
        }
        text = furthest;
        if dropped == 0 {
            longest_prefix(validator, &text, best)?;
        }
        if is_cut_short {
            break;
        }
        // No edit mends this fault, so it is dropped, and the next one gets as careful a search.
        match dropping::drop_fault(validator, &text, Drops::Smallest(&model), 0, &mut |text| {
            best.offer(text)
        })? {
            Dropped::Further(next, _) => {
                text = next;
                best.mend(&text);
            }
            Dropped::Valid => {
                lost_lines(validator, input, best)?;
                second_look::look_again(validator, input, &model, true, best)?;
                return Ok(text);
            }
            Dropped::Stuck => break,
        }
    }
    dropping::drop_faults(validator, &text, Drops::Smallest(&model), &mut |text| best.offer(text))?;
    lost_lines(validator, input, best)?;
    second_look::look_again(validator, input, &model, true, best)?;
    Ok(text)
}

/// `input` with all habits mended, if it is JSON as people write it, and they are faults to the validator.
fn with_habits_mended(
    validator: &mut dyn Validate,
    input: &[u8],
) -> Result<Option<Vec<u8>>, Stopped> {
    let Some((text, habits)) = loose_json::mended(input) else { return Ok(None) };
    if habits.are_pythons() && validator.is_valid(loose_json::PYTHON_SAMPLE)?
        || is_fault_earlier(validator, input, &text)?
    {
        return Ok(None);
    }
    Ok(Some(text))
}

/// Whether the validator complains about an earlier place of `mended`, which is `input` with all habits mended, than of
/// `input`: then they are no faults, but part of another language. `false` if it names no places.
///
/// Costs two tests.
fn is_fault_earlier(
    validator: &mut dyn Validate,
    input: &[u8],
    mended: &[u8],
) -> Result<bool, Stopped> {
    let mut place = |text: &[u8]| {
        let answer = validator.is_valid_or_says(text)?;
        Ok::<_, Stopped>(fault::said(&answer, text).at)
    };
    let (Some(before), Some(after)) = (place(input)?, place(mended)?) else { return Ok(false) };
    // Of a token that begins before the place and ends after it, only the beginning is in the prefix.
    let known = strict(&input[..before.min(input.len())], Habits::ALL).0;
    Ok(after < known.len())
}

/// Drops the lines or elements with the faults of a text that a search could not mend to the end. Valid texts are
/// offered to `best`.
///
/// Mostly costs two tests for each fault, and a bisection where the validator names no place.
pub(super) fn drop_faults(
    validator: &mut dyn Validate,
    text: &[u8],
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    dropping::drop_faults(validator, text, Drops::Lines, &mut |text| best.offer(text))
}

/// Offers the longest prefix of lines or tags that is valid once it is closed, as far as a bisection finds it, so that
/// there is a valid text however the search ends. Costs the logarithm of the number of lines.
fn longest_prefix(
    validator: &mut dyn Validate,
    text: &[u8],
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let (good, _) = fault::bisect(validator, text, 0)?;
    let prefix = fault::closed(text, good);
    if good > 0 && validator.is_valid(&prefix)? {
        best.offer(&prefix);
    }
    Ok(())
}
