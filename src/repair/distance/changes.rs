//! What a repair has changed, place by place.
//!
//! It is separate from `alignment.rs`, whose runs may be a byte between two bytes that were changed: here that is one change.

use std::ops::Range;

use super::alignment::Alignment;

/// Bytes in common between two changes that count as one, because words that have nothing to do with each other
/// have that many in common.
const MAX_COMMON_BYTES: usize = 3;

/// What a repair has changed at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::repair) struct Change {
    /// The span of the input.
    pub old: Range<usize>,
    /// The span of the repaired text.
    pub new: Range<usize>,
}

impl Change {
    /// How many edits of single bytes it is, at most.
    pub(in crate::repair) fn cost(&self) -> usize {
        self.old.len().max(self.new.len())
    }
}

/// The changes from `input` to `text`, in their order.
///
/// Cost: that of one alignment.
pub(in crate::repair) fn changes(input: &[u8], text: &[u8]) -> Vec<Change> {
    let mut found: Vec<Change> = Vec::new();
    let (mut old, mut new) = (0, 0);
    let end = (input.len(), text.len(), 0);
    for (left, right, length) in Alignment::of(input, text).runs.into_iter().chain([end]) {
        if left > old || right > new {
            match found.last_mut() {
                Some(last) if old - last.old.end <= MAX_COMMON_BYTES => {
                    (last.old.end, last.new.end) = (left, right);
                }
                _ => found.push(Change { old: old..left, new: new..right }),
            }
        }
        (old, new) = (left + length, right + length);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_the_gaps_of_the_alignment_and_close_ones_are_one() {
        let found = changes(b"one two three four five six", b"one 2 three four five, si");
        let spans: Vec<_> = found.iter().map(|one| (one.old.clone(), one.new.clone())).collect();
        assert_eq!(spans, [(4..7, 4..5), (23..27, 21..25)]);
        assert!(changes(b"same", b"same").is_empty());
    }
}
