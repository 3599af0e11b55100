//! Escapes foreign text for display: every character that a terminal, an editor or a compiler would
//! obey.
//!
//! A target's messages, file names and the bytes of an input may hold anything. A control character
//! moves the cursor or changes the terminal's state; a bidirectional control shows text in another
//! order than it has, and rustc refuses it in comments and literals. Every place where text leaves
//! this program uses this file, so that all escape the same characters in the same way.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character changes how other text is shown: the control characters (C0, DEL, C1), line
/// feed and tab too, and the bidirectional controls.
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{200e}' | '\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `text` with each control character escaped, as Rust writes it in a literal, but for those in
/// `kept`.
pub fn escape_control_chars<'t>(text: &'t str, kept: &[char]) -> Cow<'t, str> {
    let is_escaped = |c: char| is_control(c) && !kept.contains(&c);
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !is_escaped(c) => out.push(c),
            '\n' | '\r' | '\t' => out.extend(c.escape_default()),
            c if c.is_ascii() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c => out.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_other_text_stays_as_it_is() {
        let text = "\x1b[2Jé\u{301} \u{9b}1m\u{202e}\\\"\n\t\x7f";
        assert_eq!(
            escape_control_chars(text, &['\n']),
            "\\x1b[2Jé\u{301} \\u{9b}1m\\u{202e}\\\"\n\\t\\x7f"
        );
        assert!(matches!(escape_control_chars("plain \\x1b text", &[]), Cow::Borrowed(_)));
    }

    #[test]
    fn every_control_character_is_escaped_unless_it_is_kept() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| is_control(*c)) {
            let text = format!("a{c}b");
            assert!(!escape_control_chars(&text, &[]).contains(is_control), "{c:?}");
            assert_eq!(escape_control_chars(&text, &[c]), text);
        }
        let count = (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| is_control(*c)).count();
        assert_eq!(count, 65 + 12);
    }
}
