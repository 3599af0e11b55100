//! Literals and character classes: from their spelling to code points.
//!
//! The escapes are those of ANTLR 4 (T. Parr, "The Definitive ANTLR 4 Reference", section 15.5):
//! `\n`, `\r`, `\t`, `\b`, `\f`, `\uXXXX`, `\u{X…}`, `\p{NAME}` and `\P{NAME}`. Errors are
//! sentences about the spelling; the caller adds the file, the line and the rule.

use crate::grammar::charset::CharSet;
use crate::grammar::unicode;
use std::iter::Peekable;
use std::str::Chars;

/// A literal's text. A lone surrogate can't be matched by any input and gives U+FFFD.
///
/// Fails at an escape that is no code point, and at a property, which means more than one
/// character.
pub(super) fn literal(spelling: &str) -> Result<String, String> {
    let mut text = String::with_capacity(spelling.len());
    let mut chars = spelling.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match escape(&mut chars)? {
            Escaped::One(code_point) => {
                text.push(char::from_u32(code_point).unwrap_or('\u{FFFD}'));
            }
            Escaped::Set(_) => return Err("a literal can't hold a property".into()),
        }
    }
    Ok(text)
}

/// The set of characters that is written between `[` and `]`.
///
/// `spelling` is the text between the brackets. A `-` at the end, or after a property, means
/// itself. Fails at an empty range such as `z-a`, at an escape that is no code point, and at a
/// property that regex-syntax does not know.
pub(super) fn class(spelling: &str) -> Result<CharSet, String> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut chars = spelling.chars().peekable();
    while let Some(c) = chars.next() {
        let low = match c {
            '\\' => match escape(&mut chars)? {
                Escaped::One(code_point) => code_point,
                Escaped::Set(set) => {
                    ranges.extend(set.ranges());
                    continue;
                }
            },
            _ => c as u32,
        };
        let mut ahead = chars.clone();
        if ahead.next() != Some('-') || ahead.peek().is_none() {
            ranges.push((low, low));
            continue;
        }
        chars.next();
        let high = match chars.next() {
            Some('\\') => match escape(&mut chars)? {
                Escaped::One(code_point) => code_point,
                Escaped::Set(_) => return Err("a property can't end a range".into()),
            },
            Some(c) => c as u32,
            None => low,
        };
        if high < low {
            return Err(format!("the range U+{low:04X} to U+{high:04X} is empty"));
        }
        ranges.push((low, high));
    }
    Ok(CharSet::from_ranges(ranges))
}

/// The meaning of an escape: a code point, or all code points with a property.
enum Escaped {
    One(u32),
    Set(CharSet),
}

/// Reads after a backslash. A backslash before a character without meaning is dropped.
///
/// Leaves `chars` after the escape. Fails at the end of the text and at an escape that is not
/// complete.
fn escape(chars: &mut Peekable<Chars<'_>>) -> Result<Escaped, String> {
    let Some(c) = chars.next() else {
        return Err("a backslash ends it".into());
    };
    let one = |c: char| Ok(Escaped::One(c as u32));
    match c {
        'n' => one('\n'),
        'r' => one('\r'),
        't' => one('\t'),
        'b' => one('\u{8}'),
        'f' => one('\u{C}'),
        'u' if chars.peek() == Some(&'{') => {
            let digits = braced(chars)?;
            code_point(&digits).map(Escaped::One)
        }
        'u' => {
            let digits: String = chars.by_ref().take(4).collect();
            if digits.len() != 4 {
                return Err("\\u needs four hexadecimal digits".into());
            }
            code_point(&digits).map(Escaped::One)
        }
        'p' | 'P' if chars.peek() == Some(&'{') => {
            let name = braced(chars)?;
            let set = unicode::property(&name)
                .ok_or_else(|| format!("the Unicode property {name} is not known"))?;
            Ok(Escaped::Set(if c == 'P' { set.complement() } else { set }))
        }
        _ => one(c),
    }
}

/// The text between `{`, which comes next, and the first `}` after it. Fails if there is no `}`.
fn braced(chars: &mut Peekable<Chars<'_>>) -> Result<String, String> {
    chars.next();
    let mut inside = String::new();
    for c in chars.by_ref() {
        if c == '}' {
            return Ok(inside);
        }
        inside.push(c);
    }
    Err("a '{' isn't closed".into())
}

/// A code point from its hexadecimal digits, of which there may be any number; surrogates included.
/// Fails above U+10FFFF.
fn code_point(digits: &str) -> Result<u32, String> {
    // `from_str_radix` takes a sign too.
    let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let value = u32::from_str_radix(digits, 16).ok().filter(|&value| value <= 0x10_FFFF);
    let value = value.filter(|_| is_number);
    value.ok_or_else(|| format!("{digits} is not a code point"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_ranges_escapes_and_properties() {
        assert_eq!(class(r"a-c\-x").unwrap().to_string(), r"[\-a-cx]");
        assert_eq!(class(r"\]\\-").unwrap().to_string(), r"[\-\\-\]]");
        assert_eq!(class(r"+-").unwrap().to_string(), r"[+\-]");
        assert!(class(r"\p{Lu}0-9").unwrap().contains('Ä' as u32));
        assert!(class(r"\P{Lu}").unwrap().contains('a' as u32));
        assert!(class("z-a").is_err());
        assert!(class(r"\p{Nothing}").is_err());
    }

    #[test]
    fn literals_hold_escapes() {
        assert_eq!(literal(r"a\n\'\u0041\u{1F600}\\").unwrap(), "a\n'A😀\\");
        assert!(literal(r"\u00").is_err());
    }
}
