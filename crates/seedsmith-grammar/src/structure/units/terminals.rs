//! Terminals as a lexer of most languages would cut them: quoted text whole, numbers with their
//! fraction, words, characters. Blanks belong to the terminal after them.
//!
//! Used where a lexer is needed and no grammar is known.

use crate::structure::units::Units;
use crate::structure::units::tokens::is_word;

/// The guessed terminals of `bytes`.
///
/// Cost: once through the bytes. No text is refused: a quotation mark without a partner is a
/// character.
pub fn terminals(bytes: &[u8]) -> Units {
    let mut starts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        starts.push(at as u32);
        while at < bytes.len() && matches!(bytes[at], b' ' | b'\t') {
            at += 1;
        }
        at = terminal_end(bytes, at);
    }
    Units::beginning_at(starts, bytes.len())
}

/// Where the terminal that begins at `at` ends.
fn terminal_end(bytes: &[u8], at: usize) -> usize {
    let Some(first) = bytes.get(at) else { return bytes.len() };
    let run = |from: usize, fits: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|byte| !fits(*byte)).map_or(bytes.len(), |n| from + n)
    };
    match first {
        b'"' => quoted_end(bytes, at).unwrap_or(at + 1),
        b'\r' | b'\n' => run(at, &|byte| matches!(byte, b'\r' | b'\n')),
        byte if byte.is_ascii_digit() => {
            let whole = run(at, &is_word);
            match bytes.get(whole..whole + 2) {
                Some([b'.', digit]) if digit.is_ascii_digit() => run(whole + 1, &is_word),
                _ => whole,
            }
        }
        byte if is_word(*byte) => run(at, &is_word),
        byte if *byte >= 0x80 => run(at + 1, &|byte| matches!(byte, 0x80..=0xbf)),
        _ => at + 1,
    }
}

/// After the mark that closes the quotation at `at`, on the same line.
fn quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut is_escaped = false;
    for (index, byte) in bytes.iter().enumerate().skip(at + 1) {
        match byte {
            b'\n' => return None,
            b'"' if !is_escaped => return Some(index + 1),
            _ => is_escaped = *byte == b'\\' && !is_escaped,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_and_fractions_are_one_terminal() {
        let text = br#"{"it\"em": -3.45 }"#;
        let units = terminals(text);
        let found: Vec<&str> = (0..units.len())
            .map(|i| std::str::from_utf8(&text[units.span(i..i + 1)]).unwrap())
            .collect();
        assert_eq!(found, ["{", r#""it\"em""#, ":", " -", "3.45", " }"]);
    }
}
