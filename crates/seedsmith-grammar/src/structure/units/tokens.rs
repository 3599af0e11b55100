//! Tokens: words, numbers, runs of blanks, characters.
//!
//! This suits most languages: text that hardly any lexer would cut is one token. Each character
//! outside ASCII is a separate token, so that no deletion of tokens makes valid UTF-8 invalid.

use crate::structure::units::Units;

/// The class of a byte; adjacent bytes of one class are one token, except `Single` bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Blank,
    LineEnd,
    /// The rest of a character outside ASCII.
    Continuation,
    Single,
}

/// The class of a byte.
fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => Class::Word,
        b' ' | b'\t' => Class::Blank,
        b'\r' | b'\n' => Class::LineEnd,
        0x80..=0xbf => Class::Continuation,
        _ => Class::Single,
    }
}

/// Whether `byte` can be in a word or a number.
pub fn is_word(byte: u8) -> bool {
    class(byte) == Class::Word
}

/// The tokens of `bytes`.
///
/// Cost: once through the bytes, and four bytes of memory a token.
pub fn tokens(bytes: &[u8]) -> Units {
    let mut starts = Vec::new();
    let mut before = Class::Single;
    for (offset, byte) in bytes.iter().enumerate() {
        let here = class(*byte);
        let goes_on = match here {
            Class::Single => false,
            Class::Continuation => offset > 0 && bytes[offset - 1] >= 0x80,
            _ => offset > 0 && here == before,
        };
        if !goes_on {
            starts.push(offset as u32);
        }
        before = here;
    }
    Units::beginning_at(starts, bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_blanks_and_characters_are_tokens() {
        let text = "ab1  =\u{fc}\u{20ac}(\n\nx".as_bytes();
        let units = tokens(text);
        let found: Vec<&str> = (0..units.len())
            .map(|i| std::str::from_utf8(&text[units.span(i..i + 1)]).unwrap())
            .collect();
        assert_eq!(found, ["ab1", "  ", "=", "\u{fc}", "\u{20ac}", "(", "\n\n", "x"]);
    }
}
