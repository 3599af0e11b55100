//! Blocks: a line and the lines after it that are indented more deeply, as in YAML or Python.
//!
//! In such a format a block is what a pair of brackets is in others. A block takes the place of another one at another
//! column, so its lines after the first are moved.

use std::borrow::Cow;
use std::ops::Range;

/// The column of a place: bytes since the line began.
pub(super) fn column(text: &[u8], at: usize) -> usize {
    at - text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

/// The blocks of a text, each from its first byte that is no blank; none where no line is indented.
///
/// After `- `, the sign of an item, another block begins. A block may have a single line.
pub(super) fn blocks(text: &[u8]) -> Vec<Range<usize>> {
    let mut lines: Vec<(usize, Range<usize>)> = Vec::new();
    let mut start = 0;
    for line in text.split(|byte| *byte == b'\n') {
        let indentation = line.iter().take_while(|byte| **byte == b' ').count();
        if indentation < line.len() {
            lines.push((indentation, start..start + line.len()));
        }
        start += line.len() + 1;
    }
    if lines.iter().all(|(indentation, _)| *indentation == 0) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (number, (indentation, line)) in lines.iter().enumerate() {
        let inner = lines[number + 1..].iter().take_while(|(other, _)| other > indentation);
        let end = inner.last().map_or(line.end, |(_, last)| last.end);
        let mut from = line.start + indentation;
        found.push(from..end);
        while text[from..line.end].starts_with(b"- ") {
            from += 2;
            found.push(from..end);
        }
    }
    found.retain(|block| !block.is_empty());
    found
}

/// A block whose lines after the first were at column `from`, for column `to`.
pub(super) fn moved(block: &[u8], from: usize, to: usize) -> Cow<'_, [u8]> {
    if from == to || !block.contains(&b'\n') {
        return Cow::Borrowed(block);
    }
    let mut new = Vec::with_capacity(block.len());
    for (number, line) in block.split(|byte| *byte == b'\n').enumerate() {
        if number == 0 {
            new.extend_from_slice(line);
            continue;
        }
        new.push(b'\n');
        let indentation = line.iter().take_while(|byte| **byte == b' ').count();
        if indentation < line.len() {
            new.resize(new.len() + (indentation + to).saturating_sub(from), b' ');
            new.extend_from_slice(&line[indentation..]);
        }
    }
    Cow::Owned(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_lines_below_it_that_are_indented_more() {
        let text = "a:\n  b: 1\n\n  c:\n    - d: 2\n      e: 3\nf: 4\n";
        let found: Vec<&str> = blocks(text.as_bytes()).into_iter().map(|one| &text[one]).collect();
        assert_eq!(
            found,
            [
                "a:\n  b: 1\n\n  c:\n    - d: 2\n      e: 3",
                "b: 1",
                "c:\n    - d: 2\n      e: 3",
                "- d: 2\n      e: 3",
                "d: 2\n      e: 3",
                "e: 3",
                "f: 4",
            ]
        );
        assert!(blocks(b"a\nb\n").is_empty());
    }

    #[test]
    fn a_block_keeps_its_form_at_another_column() {
        assert_eq!(&*moved(b"c:\n    d: 1\n\n      e", 2, 4), b"c:\n      d: 1\n\n        e");
        assert_eq!(&*moved(b"c:\n    d: 1", 2, 0), b"c:\n  d: 1");
        assert_eq!(column(b"a\n  b", 4), 2);
    }
}
