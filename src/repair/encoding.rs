//! Bytes that no text has: sequences that are not UTF-8, and control characters.
//!
//! Parsers refuse such bytes one by one, often not where they are but at the end of the string
//! that holds them; several in one string can't be mended fault by fault. They need no validator
//! to be seen, so they are mended at once, and bytes that were valid all the same are brought back later.

use super::likelihood::Likelihood;

/// A text in which more than one byte in this many is foreign is in another encoding, so its bytes are no
/// damage. A guess, not measured.
const BYTES_PER_FOREIGN_BYTE: usize = 10;

/// `text` with each such byte dropped or, where that is likelier, without its highest bit.
///
/// None if there is none, or if there are this many that it is no text. Where `only_delete` is set
/// all are dropped.
pub(super) fn as_text(text: &[u8], likelihood: &Likelihood, only_delete: bool) -> Option<Vec<u8>> {
    let mut is_foreign = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        is_foreign.extend(chunk.valid().bytes().map(is_control));
        is_foreign.extend(chunk.invalid().iter().map(|_| true));
    }
    let count = is_foreign.iter().filter(|is_foreign| **is_foreign).count();
    if count == 0 || count * BYTES_PER_FOREIGN_BYTE > text.len() {
        return None;
    }
    let mut mended = Vec::with_capacity(text.len());
    for (at, byte) in text.iter().copied().enumerate() {
        if !is_foreign[at] {
            mended.push(byte);
            continue;
        }
        let flipped = byte & 0x7f;
        let is_flip = !only_delete
            && byte != flipped
            && !is_control(flipped)
            && likelihood.gain(text, at, at + 1, &[flipped])
                > likelihood.gain(text, at, at + 1, b"");
        if is_flip {
            mended.push(flipped);
        }
    }
    Some(mended)
}

fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_dropped_and_what_is_stays() {
        let mut likelihood = Likelihood::default();
        let text = "{\"name\": \"Grüße\", \"names\": [1, 2, 3]}".as_bytes();
        assert_eq!(as_text(text, &likelihood, false), None);
        let mut damaged = text.to_vec();
        damaged.insert(4, 0xdd);
        damaged.insert(20, 0x01);
        likelihood.learn(&damaged);
        assert_eq!(as_text(&damaged, &likelihood, true).as_deref(), Some(text));
        assert_eq!(as_text(b"\x80\x81\x82abc", &likelihood, false), None);
    }
}
