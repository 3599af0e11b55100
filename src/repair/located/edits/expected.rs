//! Edits that the message itself asks for.

use super::tags::has_tags;
use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::{Proposals, trimmed_end};
use seedsmith_grammar::internal::is_word;

/// How much likelier an edit is that the message asks for (a logarithm), because the validator knows its
/// grammar and the model only counts bytes. Not more, because the missed sign is often the consequence of
/// a fault before. Not measured.
const ASKED_GAIN: f32 = 4.0;

/// How much likelier it is directly after a token than after blanks (a logarithm), because compilers report a lost
/// sign at the next token, which may be two lines further on; three was less than that distance. Not measured.
const AFTER_TOKEN_GAIN: f32 = 5.0;
/// How much likelier it is between two blanks where the text has it so elsewhere (a logarithm). Not measured.
const SPACED_GAIN: f32 = 2.0;
/// What parts two tokens in most languages: tried before the token at the fault, whatever the model says.
const SEPARATORS: &[u8] = b",;:=";
/// The cost of that (a logarithm): less than that of an edit of the token itself, so that all of the text is kept.
/// Not measured.
const SEPARATOR_COST: f32 = -3.0;
/// The same in a definition that has the word which is missed there (a logarithm): less than that of any other edit,
/// because nothing else is wrong with the word. Not measured.
const DEFINED_COST: f32 = -25.0;

/// Adds what the message says is missing: at the fault, at the end of the token before it, at the
/// ends of its line and of the one before, and in place of the token at the fault.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let fault = proposals.fault;
    // The definition has the word that is missed there: a separator before it is lost.
    let is_named = |at: &usize| fault.said.words.iter().any(|word| text[*at..].starts_with(word));
    let defined = fault.said.lost_at.iter().copied().filter(is_named);
    let places = std::iter::once((fault.at.min(text.len()), SEPARATOR_COST));
    for (place, cost) in places.chain(defined.map(|at| (at, DEFINED_COST))) {
        let before = text[..place].trim_ascii_end().len();
        if before > 0 && !has_tags(text) {
            for separator in SEPARATORS {
                let edit = Edit::insert(before, [*separator]);
                proposals.add_by_rule(edit, EditKind::Separator, cost);
            }
        }
    }
    for wish in &proposals.fault.said.wishes {
        for place in proposals.places() {
            let line = proposals.line(place);
            let before = text[..place].trim_ascii_end().len();
            let line_end = trimmed_end(text, &line);
            let above = text[..line.start].trim_ascii_end().len();
            // A separator is rather before blanks than after them.
            let after_token = Edit::insert(before, wish.clone());
            proposals.add_closing(after_token, ASKED_GAIN + AFTER_TOKEN_GAIN);
            if is_mostly_spaced(text, wish) {
                let next = before + text[before..].len() - text[before..].trim_ascii_start().len();
                if !text[before..next].contains(&b'\n') {
                    let spaced = Edit::new(before..next, [b" ", wish.as_slice(), b" "].concat());
                    let bonus = ASKED_GAIN + AFTER_TOKEN_GAIN + SPACED_GAIN;
                    proposals.add_closing(spaced, bonus);
                }
            }
            for at in [place, line_end, above, text.trim_ascii_end().len()] {
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

/// Whether more than half of the places where a text has `wish` are between two blanks, as `=` in `a = 1`.
fn is_mostly_spaced(text: &[u8], wish: &[u8]) -> bool {
    let spaced = [b" ", wish, b" "].concat();
    let count = |part: &[u8]| memchr::memmem::find_iter(text, part).count();
    count(&spaced) * 2 > count(wish)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_spaced_if_most_of_its_places_are() {
        assert!(is_mostly_spaced(b"a = 1\nb = 2\nc=3\n", b"="));
        assert!(!is_mostly_spaced(b"a=1\nb = 2\n", b"="));
        assert!(!is_mostly_spaced(b"a 1\n", b"="));
    }
}
