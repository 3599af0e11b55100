//! Decimal numbers in a text that say where a line begins, as a PDF's table of objects does.
//!
//! A number is accepted because of the place it points to: it is alone on its line and names the
//! beginning of a line, or it is among several lines that begin with numbers of one width, most of
//! which name the beginning of a line.

use std::ops::Range;

/// Inputs longer than this are not looked at.
const MAX_INPUT_BYTES: usize = 1 << 18;
/// Digits of a number, at most.
const MAX_DIGITS: usize = 10;
/// Lines of one width that are a table although other text is on them.
const MIN_TABLE_LINES: usize = 3;

/// A number and the place that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LineOffset {
    /// Where the number is written.
    digits: Range<usize>,
    /// The offset that it names.
    target: usize,
}

/// The numbers of an input that say where a line begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineOffsets {
    found: Vec<LineOffset>,
}

/// A line that begins with a number.
struct NumberedLine {
    digits: Range<usize>,
    number: usize,
    is_alone: bool,
}

impl LineOffsets {
    /// The numbers of `bytes`. Cost: a reading of the input.
    pub fn of(bytes: &[u8]) -> Self {
        let mut found = Vec::new();
        if bytes.len() > MAX_INPUT_BYTES {
            return LineOffsets { found };
        }
        let mut table: Vec<NumberedLine> = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let start = line.as_ptr() as usize - bytes.as_ptr() as usize;
            let next = numbered(line, start);
            let goes_on = match (table.last(), &next) {
                (Some(last), Some(next)) => last.digits.len() == next.digits.len(),
                _ => false,
            };
            if !goes_on {
                found.extend(believed(&table, bytes));
                table.clear();
            }
            table.extend(next);
        }
        found.extend(believed(&table, bytes));
        LineOffsets { found }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// `source` with every number changed to where its place is afterwards, which `moved` gives for
    /// each place; `None` if no place that a number names moves.
    pub fn following(&self, source: &[u8], moved: impl Fn(usize) -> usize) -> Option<Vec<u8>> {
        let mut out: Option<Vec<u8>> = None;
        for place in &self.found {
            let target = moved(place.target);
            if target == place.target {
                continue;
            }
            let text = format!("{target:0width$}", width = place.digits.len());
            // A number that grew has no room.
            if text.len() == place.digits.len() {
                let out = out.get_or_insert_with(|| source.to_vec());
                out[place.digits.clone()].copy_from_slice(text.as_bytes());
            }
        }
        out
    }

    /// Where the byte at `place` comes to lie without `cuts` (ascending, disjoint).
    pub fn after(cuts: &[Range<usize>], place: usize) -> usize {
        let gone = |cut: &Range<usize>| place.min(cut.end).saturating_sub(cut.start);
        place - cuts.iter().map(gone).sum::<usize>()
    }
}

/// The number that a line begins with, if it begins with one. `start` is the line's offset.
fn numbered(line: &[u8], start: usize) -> Option<NumberedLine> {
    let width = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = std::str::from_utf8(&line[..width]).ok()?;
    let number = digits.parse().ok().filter(|_| width <= MAX_DIGITS)?;
    let is_alone = line[width..].iter().all(|byte| matches!(byte, b'\r' | b'\n'));
    Some(NumberedLine { digits: start..start + width, number, is_alone })
}

/// The numbers of neighbouring lines that are accepted as offsets.
fn believed(table: &[NumberedLine], bytes: &[u8]) -> Vec<LineOffset> {
    let is_line = |at: usize| at < bytes.len() && matches!(bytes[at - 1], b'\n' | b'\r');
    let numbers = || table.iter().filter(|line| line.number > 0);
    let hits: Vec<LineOffset> = numbers()
        .filter(|line| is_line(line.number))
        .map(|line| LineOffset { digits: line.digits.clone(), target: line.number })
        .collect();
    let is_table = table.len() >= MIN_TABLE_LINES || table.iter().all(|line| line.is_alone);
    if is_table && hits.len() * 4 >= numbers().count() * 3 { hits } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] =
        b"head\none\ntwo\nthree\ntable\n000 x\n005 n\n009 n\n013 n\nstart\n19\nend\n";

    #[test]
    fn numbers_that_name_lines_follow_them() {
        let places = LineOffsets::of(TEXT);
        assert_eq!(
            places.found.iter().map(|place| place.target).collect::<Vec<_>>(),
            [5, 9, 13, 19]
        );
        let cuts = [5..9, 13..14];
        let moved = places.following(TEXT, |place| LineOffsets::after(&cuts, place)).unwrap();
        let moved = String::from_utf8(moved).unwrap();
        assert!(moved.ends_with("000 x\n005 n\n005 n\n009 n\nstart\n14\nend\n"), "{moved}");
        assert_eq!(places.following(TEXT, |place| place), None);
    }

    #[test]
    fn numbers_that_name_no_line_are_left_alone() {
        assert!(LineOffsets::of(b"a\n1 apple\n2 pears\nb\n17\n").is_empty());
        assert!(LineOffsets::of(b"10\n20\n30\n40\n50\n61\n").is_empty());
    }
}
