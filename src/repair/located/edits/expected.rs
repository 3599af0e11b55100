//! Edits that the message itself asks for.

use crate::repair::located::edit::{Edit, Kind};
use crate::repair::located::proposals::{Pool, trimmed_end};
use seedsmith_grammar::structure::units::tokens::is_word;

/// How much likelier an edit is that the message asks for.
const ASKED: f32 = 4.0;

/// Adds what the message says is missing: at the fault, at the end of the token before it, at the
/// ends of its line and of the one before, and in place of the token at the fault.
pub fn propose(pool: &mut Pool<'_>) {
    let text = pool.text;
    for wish in &pool.fault.said.wishes {
        for place in pool.places() {
            let line = pool.line(place);
            let before = text[..place].trim_ascii_end().len();
            let line_end = trimmed_end(text, &line);
            let above = text[..line.start].trim_ascii_end().len();
            for at in [place, before, line_end, above, text.trim_ascii_end().len()] {
                pool.add(Edit::insert(at, wish.clone()), Kind::Separator, ASKED);
                if is_word(wish[0]) {
                    let spaced = [b" ", wish.as_slice()].concat();
                    pool.add(Edit::insert(at, spaced), Kind::Separator, ASKED);
                }
            }
            // Columns may be one off.
            for at in place.saturating_sub(1)..(place + 2).min(text.len()) {
                pool.add(Edit::new(at..at + 1, wish.clone()), Kind::Separator, ASKED);
            }
            let start = place - text[..place].iter().rev().take_while(|b| is_word(**b)).count();
            let end = place + text[place..].iter().take_while(|b| is_word(**b)).count();
            if start < end {
                let kind = if is_word(wish[0]) { Kind::Copy } else { Kind::Separator };
                pool.add(Edit::new(start..end, wish.clone()), kind, ASKED);
            }
        }
    }
}
