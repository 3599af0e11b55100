//! Edits of bytes that are no character, in a text that is UTF-8 otherwise.

use crate::repair::located::edit::{Edit, EditKind};
use crate::repair::located::proposals::Proposals;

/// Wrong sequences that are mended: those closest to the fault, because each gives several edits.
const MAX_SEQUENCES: usize = 4;
/// A text with more than one of them in this many bytes is in another encoding, so they are no damage. A
/// guess, not measured.
const BYTES_PER_SEQUENCE: usize = 100;
/// What such an edit costs besides its distance (a logarithm, negative because it is likelier than any
/// other edit): no text has these bytes.
const BROKEN_CHARACTER_COST: f32 = -12.0;

/// Adds edits that make whole characters of bytes that are none: two bytes swapped, or the bytes dropped.
///
/// Costs no test. Nothing is proposed for a text that is in another encoding as a whole.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let mut broken = broken(text);
    if broken.is_empty() || broken.len() > 4 + text.len() / BYTES_PER_SEQUENCE {
        return;
    }
    let place = proposals.fault.at;
    broken.sort_by_key(|(at, _)| at.abs_diff(place));
    broken.truncate(MAX_SEQUENCES);
    for (at, length) in broken {
        for first in at.saturating_sub(2)..=at + length {
            let Some([left, right]) = text.get(first..first + 2) else { continue };
            let swapped = Edit::new(first..first + 2, [*right, *left]);
            let around = first.saturating_sub(8)..text.len().min(first + 10);
            let moved = Edit::new(first - around.start..first + 2 - around.start, [*right, *left]);
            let before = self::broken(&text[around.clone()]).len();
            if self::broken(&moved.apply(&text[around])).len() < before {
                proposals.add_by_rule(swapped, EditKind::Transposition, BROKEN_CHARACTER_COST);
            }
        }
        proposals.add_by_rule(
            Edit::delete(at..at + length),
            EditKind::BadByte,
            BROKEN_CHARACTER_COST,
        );
        proposals.add_by_rule(
            Edit::new(at..at + length, *b"?"),
            EditKind::BadByte,
            BROKEN_CHARACTER_COST + 1.0,
        );
    }
}

/// Where the bytes begin that are no character, and how many they are.
///
/// Offsets and lengths, from the left. A character that is cut short at the end of the text counts
/// too.
fn broken(text: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Err(error) = std::str::from_utf8(&text[at..]) {
        at += error.valid_up_to();
        let length = error.error_len().unwrap_or(text.len() - at);
        found.push((at, length));
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::located::message::Message;
    use crate::repair::located::model::Model;
    use crate::repair::located::proposals::Fault;

    #[test]
    fn swapped_bytes_become_characters_again_and_a_lone_one_is_dropped() {
        let edited = |text: &[u8]| -> Vec<Vec<u8>> {
            let fault = Fault { at: 0, from: 0, said: Message::default(), is_silent: false };
            let model = Model::of(text);
            let mut proposals = Proposals::new(text, &model, &fault);
            propose(&mut proposals);
            proposals.into_order(20).iter().map(|edit| edit.apply(text)).collect()
        };
        let found = edited(b"<a>Zo\xc5i\xa1t</a>");
        assert!(found.contains(&"<a>Zo\u{161}it</a>".as_bytes().to_vec()));
        assert_eq!(edited(b"<a>x\x90y</a>")[0], b"<a>xy</a>");
        assert!(edited("<a>Zo\u{161}it</a>".as_bytes()).is_empty());
    }
}
