//! Who proposes edits at a fault: one file for each kind of reason. None of them asks a validator.

pub(super) mod brackets;
mod bytes;
mod encoding;
mod escapes;
mod expected;
mod indents;
pub(super) mod lines;
mod quotes;
mod similar_places;
mod tag_names;
pub(super) mod tags;
mod tokens;
mod torn;
pub(super) mod words;

use super::edit::Edit;
use super::model::Model;
use crate::repair::located::proposals::{Fault, Proposals};

/// The edits of a fault, the likeliest first, at most `most`.
///
/// Costs no test: all of it is computed from the text, its model and the message. Two proposals of
/// the same edit count once, with the better of the two costs.
pub(super) fn collect(text: &[u8], model: &Model, fault: &Fault, most: usize) -> Vec<Edit> {
    let mut proposals = Proposals::new(text, model, fault);
    expected::propose(&mut proposals);
    if tags::has_tags(text) {
        tags::propose(&mut proposals);
        tag_names::propose(&mut proposals);
        escapes::propose(&mut proposals);
    } else {
        brackets::propose(&mut proposals);
        indents::propose(&mut proposals);
        lines::propose(&mut proposals);
    }
    quotes::propose(&mut proposals);
    words::propose(&mut proposals);
    torn::propose(&mut proposals);
    similar_places::propose(&mut proposals);
    encoding::propose(&mut proposals);
    tokens::propose(&mut proposals);
    bytes::propose(&mut proposals);
    proposals.into_order(most)
}

#[cfg(test)]
mod testing {
    use super::*;
    use crate::repair::located::message::Message;

    /// The texts that the first `most` edits of one proposer make of a text with its fault at that place. The validator
    /// has said nothing.
    pub(super) fn edited(
        text: &str,
        at: usize,
        propose: fn(&mut Proposals<'_>),
        most: usize,
    ) -> Vec<String> {
        let fault = Fault { at, from: 0, said: Message::default(), is_silent: false };
        let model = Model::of(text.as_bytes());
        let mut proposals = Proposals::new(text.as_bytes(), &model, &fault);
        propose(&mut proposals);
        let edits = proposals.into_order(most);
        let edited = |edit: &Edit| String::from_utf8(edit.apply(text.as_bytes())).unwrap();
        edits.iter().map(edited).collect()
    }
}
