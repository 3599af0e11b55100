//! Edits that the message itself asks for.

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, trimmed_end};
use seedsmith_grammar::internal::is_word;

/// How much likelier an edit is that the message asks for (a logarithm), because the validator knows its
/// grammar and the model only counts bytes. Not more, because what is missed is often the consequence of
/// a fault before. Not measured.
const ASKED_GAIN: f32 = 4.0;

/// Adds what the message says is missing: at the fault, at the end of the token before it, at the
/// ends of its line and of the one before, and in place of the token at the fault.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    for wish in &proposals.fault.said.wishes {
        for place in proposals.places() {
            let line = proposals.line(place);
            let before = text[..place].trim_ascii_end().len();
            let line_end = trimmed_end(text, &line);
            let above = text[..line.start].trim_ascii_end().len();
            for at in [place, before, line_end, above, text.trim_ascii_end().len()] {
                proposals.add(Edit::insert(at, wish.clone()), EditKind::Separator, ASKED_GAIN);
                if is_word(wish[0]) {
                    let spaced = [b" ", wish.as_slice()].concat();
                    proposals.add(Edit::insert(at, spaced), EditKind::Separator, ASKED_GAIN);
                }
            }
            // Columns may be one off.
            for at in place.saturating_sub(1)..(place + 2).min(text.len()) {
                proposals.add(Edit::new(at..at + 1, wish.clone()), EditKind::Separator, ASKED_GAIN);
            }
            let start = place - text[..place].iter().rev().take_while(|b| is_word(**b)).count();
            let end = place + text[place..].iter().take_while(|b| is_word(**b)).count();
            if start < end {
                let kind = if is_word(wish[0]) { EditKind::Copy } else { EditKind::Separator };
                proposals.add(Edit::new(start..end, wish.clone()), kind, ASKED_GAIN);
            }
        }
    }
}
