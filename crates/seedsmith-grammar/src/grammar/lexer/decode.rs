//! Code points of an input that may be no valid UTF-8.
//!
//! Bytes that are not UTF-8 are read one by one, so that a truncated character does not hide the
//! next one.

/// The code point at a position of valid or invalid UTF-8, and its length in bytes.
#[inline]
pub(super) fn decode(input: &[u8], at: usize) -> (u32, usize) {
    let first = input[at];
    if first < 0x80 {
        return (u32::from(first), 1);
    }
    let length = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return (0xFFFD, 1),
    };
    let text = input.get(at..at + length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    match text.and_then(|text| text.chars().next()) {
        Some(c) => (c as u32, length),
        None => (0xFFFD, 1),
    }
}
