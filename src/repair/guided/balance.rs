//! Whether brackets and quotes come in pairs, and what an edit does to that.
//!
//! Brackets are counted over the whole text, double quotes line by line: few formats have strings
//! that continue in the next line. Both are only a hint, which makes an edit likelier or less likely.

use std::ops::Range;

/// The gain of pairing a bracket or a quote that had no partner (a logarithm): as much as a byte
/// that is e⁴ = 55 times likelier. Tuned on the public corpus; no table was kept.
const PAIRING_GAIN: f32 = 4.0;

/// The brackets of a text, and the quotes of some of its lines.
pub(super) struct Balance {
    /// Opening minus closing ones, of each kind.
    brackets: [i32; 3],
    /// Where the looked-at lines begin and whether each has an odd number of quotes.
    lines: Vec<(usize, bool)>,
}

/// Which kind of bracket a byte is, and +1 if it opens.
fn bracket(byte: u8) -> Option<(usize, i32)> {
    Some(match byte {
        b'{' => (0, 1),
        b'}' => (0, -1),
        b'[' => (1, 1),
        b']' => (1, -1),
        b'(' => (2, 1),
        b')' => (2, -1),
        _ => return None,
    })
}

impl Balance {
    /// Counts in `text`; the lines are those that `region` touches.
    pub(super) fn of(text: &[u8], region: Range<usize>) -> Self {
        let mut brackets = [0; 3];
        for (kind, step) in text.iter().filter_map(|byte| bracket(*byte)) {
            brackets[kind] += step;
        }
        let line_feed = |byte: &u8| *byte == b'\n';
        let mut start = text[..region.start].iter().rposition(line_feed).map_or(0, |at| at + 1);
        let mut lines = Vec::new();
        while start <= region.end {
            let end = text[start..].iter().position(line_feed).map_or(text.len(), |n| start + n);
            let quotes = text[start..end].iter().filter(|byte| **byte == b'"').count();
            lines.push((start, quotes % 2 == 1));
            start = end + 1;
        }
        Balance { brackets, lines }
    }

    /// The gain of `new` in place of `old` at `at`.
    pub(super) fn gain(&self, at: usize, old: &[u8], new: &[u8]) -> f32 {
        let mut brackets = [0; 3];
        let mut quotes = 0;
        for (bytes, sign) in [(old, -1), (new, 1)] {
            for byte in bytes {
                if let Some((kind, step)) = bracket(*byte) {
                    brackets[kind] += sign * step;
                }
                quotes += usize::from(*byte == b'"');
            }
        }
        let mut paired = 0;
        for (before, change) in self.brackets.iter().zip(brackets) {
            paired += before.abs() - (before + change).abs();
        }
        if quotes % 2 == 1 {
            let line = self.lines.partition_point(|(start, _)| *start <= at);
            let is_odd = line > 0 && self.lines[line - 1].1;
            paired += if is_odd { 1 } else { -1 };
        }
        paired as f32 * PAIRING_GAIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_that_pairs_what_was_alone_is_worth_as_much_as_one_that_parts_costs() {
        let text = b"[\"a\", \"b]\n[\"c\"}";
        let balance = Balance::of(text, 0..text.len());
        assert_eq!(balance.gain(8, b"", b"\""), PAIRING_GAIN);
        assert_eq!(balance.gain(11, b"\"", b""), -PAIRING_GAIN);
        assert_eq!(balance.gain(14, b"}", b"]"), 2.0 * PAIRING_GAIN);
        assert_eq!(balance.gain(1, b"\"", b"x"), PAIRING_GAIN);
        assert_eq!(balance.gain(2, b"a", b"x"), 0.0);
    }
}
