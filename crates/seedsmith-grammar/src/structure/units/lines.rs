//! Lines: each ends with a line feed, or, if an input has none, with a carriage return.

use crate::structure::units::Units;

/// The lines of `bytes`, terminators included.
///
/// A line has its line feed at its end; the last line need not have one. Cost: once through the
/// bytes, and four bytes of memory a line.
pub fn lines(bytes: &[u8]) -> Units {
    let terminator = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    let mut starts = Vec::new();
    let mut is_start = true;
    for (offset, byte) in bytes.iter().enumerate() {
        if is_start {
            starts.push(offset as u32);
        }
        is_start = *byte == terminator;
    }
    Units::beginning_at(starts, bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_its_terminator() {
        let units = lines(b"a\r\n\nbc");
        let spans: Vec<_> = (0..units.len()).map(|i| units.span(i..i + 1)).collect();
        assert_eq!(spans, [0..3, 3..4, 4..6]);
        assert_eq!(lines(b"a\rb").len(), 2);
        assert!(lines(b"").is_empty());
    }
}
