//! Edits of bytes that are no character, in a text that is UTF-8 otherwise.

use std::collections::HashMap;
use std::ops::Range;

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

/// Characters of the text that are tried in place of one that lacks a byte, because all are valid and the first one is taken.
const MAX_COMPLETIONS: usize = 3;

/// Longer bytes between the two parts of a character are no token.
const MAX_TOKEN_BYTES: usize = 24;

/// Adds edits that make whole characters of bytes that are none: two bytes swapped, or the bytes dropped.
///
/// Costs no test. Nothing is proposed for a text that is in another encoding as a whole.
pub(super) fn propose(proposals: &mut Proposals<'_>) {
    let text = proposals.text;
    let mut broken = broken(text);
    let runs = runs(&broken);
    if broken.is_empty() || broken.len() > 4 + text.len() / BYTES_PER_SEQUENCE {
        return;
    }
    let place = proposals.fault.at;
    torn(proposals, &runs);
    completed(proposals, &runs);
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

/// The sequences that are side by side as one: the rest of a character without its first byte is several.
///
/// Offsets and lengths, from the left, as those of `broken`.
fn runs(broken: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, length) in broken {
        match runs.last_mut().filter(|(start, before)| start + before == *at) {
            Some((_, before)) => *before += length,
            None => runs.push((*at, *length)),
        }
    }
    runs
}

/// Puts a character of the text in place of what lacks one byte of it. A token may be in the place of that byte.
///
/// Costs no test, and one pass over the text if it has such bytes. The most frequent of the characters that have all other bytes comes
/// first. If one byte is all that is left, nothing is proposed unless a single character of the text has it.
fn completed(proposals: &mut Proposals<'_>, runs: &[(usize, usize)]) {
    let text = proposals.text;
    let mut found: Vec<Range<usize>> = runs.iter().map(|(at, length)| *at..at + length).collect();
    for pair in runs.windows(2) {
        let (first, second) = (pair[0].0 + pair[0].1, pair[1].0);
        if second - first <= MAX_TOKEN_BYTES && text[first..second].is_ascii() {
            found.push(pair[0].0..second + pair[1].1);
        }
    }
    let place = proposals.fault.at;
    found.sort_by_key(|span| span.start.abs_diff(place));
    let mut known: HashMap<char, u32> = HashMap::new();
    for c in text.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter(|c| !c.is_ascii()) {
        *known.entry(c).or_default() += 1;
    }
    for span in found.into_iter().take(MAX_SEQUENCES) {
        let kept: Vec<u8> =
            text[span.clone()].iter().copied().filter(|byte| !byte.is_ascii()).collect();
        let lacks_one = |whole: &[u8]| {
            let head = whole.iter().zip(&kept).take_while(|(a, b)| a == b).count();
            whole.len() == kept.len() + 1 && whole[head + 1..] == kept[head..]
        };
        let mut likely: Vec<(u32, char)> = known
            .iter()
            .filter(|(c, _)| lacks_one(c.encode_utf8(&mut [0; 4]).as_bytes()))
            .map(|(c, times)| (*times, *c))
            .collect();
        // One byte is left of many characters.
        if kept.len() == 1 && likely.len() > 1 {
            continue;
        }
        likely.sort_by_key(|(times, c)| (std::cmp::Reverse(*times), *c));
        for (rank, (_, c)) in likely.into_iter().take(MAX_COMPLETIONS).enumerate() {
            let edit = Edit::new(span.clone(), c.to_string());
            let cost = BROKEN_CHARACTER_COST - 1.0 + rank as f32;
            proposals.add_by_rule(edit, EditKind::Copy, cost);
        }
    }
}

/// Puts the two parts of a character together that a token parts: without the token, or with the token before or after
/// the character.
fn torn(proposals: &mut Proposals<'_>, runs: &[(usize, usize)]) {
    let text = proposals.text;
    let place = proposals.fault.at;
    let parts = |pair: &[(usize, usize)]| {
        let (first, second) = (pair[0].0..pair[0].0 + pair[0].1, pair[1].0..pair[1].0 + pair[1].1);
        let whole = [&text[first.clone()], &text[second.clone()]].concat();
        let between = &text[first.end..second.start];
        let is_token = between.len() <= MAX_TOKEN_BYTES && between.is_ascii();
        let is_one = std::str::from_utf8(&whole).is_ok_and(|text| text.chars().count() == 1);
        (is_token && is_one).then_some((first.start..second.end, whole, between))
    };
    let mut found: Vec<_> = runs.windows(2).filter_map(parts).collect();
    found.sort_by_key(|(span, ..)| span.start.abs_diff(place));
    for (span, whole, token) in found.into_iter().take(MAX_SEQUENCES) {
        for (new, cost) in [
            (whole.clone(), 0.0),
            ([token, &whole].concat(), 0.5),
            ([whole.as_slice(), token].concat(), 1.0),
        ] {
            let edit = Edit::new(span.clone(), new);
            proposals.add_by_rule(edit, EditKind::BadByte, BROKEN_CHARACTER_COST - 2.0 + cost);
        }
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
        let found = edited(b"<a>Z\xc5token\xa1t</a>");
        assert_eq!(found[0], "<a>Z\u{161}t</a>".as_bytes());
        assert!(found.contains(&"<a>Ztoken\u{161}t</a>".as_bytes().to_vec()));
        // A token within one of three bytes, and a sign in place of the second of them.
        let found = edited(b"<a>\xe7token\xa0\x81</a>");
        assert_eq!(found[0], b"<a>\xe7\xa0\x81</a>");
        let found = edited(b"<a>\xe3\x83\x89-\xe3>\x89</a>");
        assert_eq!(found[0], b"<a>\xe3\x83\x89-\xe3\x83\x89</a>");
        assert_eq!(edited(b"<a>x\x90y</a>")[0], b"<a>xy</a>");
        assert!(edited("<a>Zo\u{161}it</a>".as_bytes()).is_empty());
    }
}
