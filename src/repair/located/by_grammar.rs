//! Edits that a grammar finds, for validators that name no place: its parser says where the text does not
//! fit, and the validator is asked about texts that fit.
//!
//! The grammar takes the part of the validator's messages. An edit after which the text still does not fit
//! costs a parse and no test. A grammar that is not quite the validator's makes this search end without a
//! result, and then the others begin as if it had not been there.

use super::model::Model;
use super::search;
use crate::event::{Counts, StopReason};
use crate::repair::best::Best;
use crate::repair::recovery::{Misfit, Reads};
use crate::repair::validate::{Answer, Validate};
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Complaint;
use std::sync::Arc;

/// Bytes that are parsed for one input, at most, so that the search takes seconds whatever the input is.
/// A count and no time, so that the result is the same on every machine.
const MAX_PARSED_BYTES: usize = 1 << 20;

/// Mends the faults of `input` that `grammar` finds, and offers a text that is valid then to `best`.
///
/// Costs a test for each text that fits the grammar, and none if `input` does.
pub(super) fn mend(
    validator: &mut dyn Validate,
    grammar: &dyn Reads,
    input: &[u8],
    best: &mut Best<'_>,
) -> Result<(), Stopped> {
    let mut explained = Explained { validator, grammar, parsed_bytes: 0 };
    if !explained.misfit(input).is_some_and(|misfit| misfit.is_sound(input.len())) {
        return Ok(());
    }
    let model = Model::of(input);
    let ended = search::search(&mut explained, input, &model, usize::MAX, &mut |_| ())?;
    if let Some(text) = ended.text {
        best.offer(&text);
    }
    Ok(())
}

/// A validator that is asked only about texts that fit a grammar. For the others the answer names the place
/// that does not fit.
struct Explained<'v> {
    validator: &'v mut dyn Validate,
    grammar: &'v dyn Reads,
    parsed_bytes: usize,
}

impl Explained<'_> {
    /// Where `text` does not fit; `None` too if the parser gives up.
    fn misfit(&mut self, text: &[u8]) -> Option<Misfit> {
        self.parsed_bytes += text.len();
        self.grammar.first_misfit(text).flatten()
    }

    fn is_over(&self) -> bool {
        self.parsed_bytes > MAX_PARSED_BYTES
    }
}

/// The message of a misfit, as `message.rs` reads it.
fn message(misfit: &Misfit) -> Arc<Complaint> {
    let mut text = format!("offset {}: error", misfit.at).into_bytes();
    for wanted in &misfit.wanted {
        let quote = if wanted.contains(&b'\'') { b'"' } else { b'\'' };
        text.extend_from_slice(b": expected ");
        text.push(quote);
        text.extend_from_slice(wanted);
        text.push(quote);
    }
    Arc::new(Complaint::new(text))
}

impl Validate for Explained<'_> {
    /// One candidate after the other, because most of them are not tested. A text that fits and is rejected
    /// counts as unresolved: nothing is known of its place.
    fn first_that(
        &mut self,
        next: &mut dyn FnMut(&mut Vec<u8>) -> bool,
        is_wanted: &mut dyn FnMut(&Answer) -> bool,
    ) -> Result<Option<(usize, Vec<u8>)>, Stopped> {
        let mut candidate = Vec::new();
        let mut index = 0;
        while !self.is_over() && next(&mut candidate) {
            let answer = match self.misfit(&candidate) {
                Some(misfit) => Answer::Invalid(Some(message(&misfit))),
                None if self.validator.is_valid(&candidate)? => Answer::Valid,
                None => Answer::Unresolved,
            };
            if is_wanted(&answer) {
                return Ok(Some((index, candidate)));
            }
            index += 1;
            candidate.clear();
        }
        Ok(None)
    }

    fn counts(&self) -> Counts {
        self.validator.counts()
    }

    fn is_slow(&self) -> bool {
        self.validator.is_slow()
    }

    fn spent(&self) -> f64 {
        if self.is_over() { 1.0 } else { self.validator.spent() }
    }

    fn is_used_up(&self) -> bool {
        self.is_over() || self.validator.is_used_up()
    }

    fn tests_left(&self) -> Option<u64> {
        self.validator.tests_left()
    }

    fn closest_limit(&self) -> Option<StopReason> {
        self.validator.closest_limit()
    }
}
