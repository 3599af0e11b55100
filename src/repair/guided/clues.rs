//! Knowledge about a fault before any edit is tried: where it probably is, and which bytes are only content.
//!
//! Counts of a few bytes know that a byte is odd, but not that it is wrong. Without clues a byte that is
//! there once comes first with all that could be for it, wherever it is: the right edit was number
//! 1,241 of a text of 700 bytes in which a comma was missing.

use std::ops::Range;

use super::edit::Edit;
use crate::repair::guided::partial_repair::PartialRepair;
use seedsmith_grammar::internal::CutPoint;
use seedsmith_grammar::internal::Layout;

/// What an edit outside the region of the fault costs (a logarithm), because few faults show elsewhere
/// than where they are, and the rest of the text is longer. Without clues the right edit was number 1,241
/// of a text of 700 bytes (docs/notes/2026-11-21-repair.md).
const OUTSIDE_COST: f32 = 4.0;
/// The cost of an edit between quotes if it is no quote (a logarithm), because quoted text can be
/// anything without being a fault. The same measurement.
const QUOTED_COST: f32 = 4.0;
/// The most that an edit is worth (a logarithm), because a `<` that is in the text once would put
/// everything that could replace it first. The same measurement.
const MAX_GAIN: f32 = 12.0;
/// How much less the next edit of the same place is worth (a logarithm), so that edits of several places
/// take turns. The same measurement.
const NEXT_EDIT_COST: f32 = 0.5;

/// Knowledge about a fault.
pub(super) struct Clues {
    /// Where it probably is.
    fault: Range<usize>,
    /// The offset from which it is known of each byte whether it is within quotes.
    start: usize,
    is_quoted: Vec<bool>,
}

impl Clues {
    /// Of the first fault of `partial`, as far as edits in `region` go.
    pub(super) fn of(partial: &PartialRepair, layout: Layout, region: Range<usize>) -> Self {
        let text = &partial.text;
        // Where an item ends, its last byte, and the byte that should be after it, may be wrong.
        let content = text[..partial.viable.at].trim_ascii_end().len().saturating_sub(1);
        let mut outline = CutPoint::start(layout).moved(text, region.start).outline;
        let is_quoted = text[region.clone()].iter().map(|byte| {
            let is_quoted = outline.is_quoted();
            outline.feed(*byte);
            is_quoted
        });
        let is_quoted = is_quoted.collect();
        Clues { fault: content..text.len() - partial.rest + 1, start: region.start, is_quoted }
    }

    /// Gives edits of `text`, which are in order of place, the gain that these clues give them.
    pub(super) fn weigh<'w>(&self, mut edits: Vec<Edit<'w>>, text: &[u8]) -> Vec<Edit<'w>> {
        for edits in edits.chunk_by_mut(|left, right| left.at == right.at) {
            edits.sort_by(|left, right| right.gain.total_cmp(&left.gain));
            for (rank, edit) in edits.iter_mut().enumerate() {
                let discount = self.discount(edit, text) + NEXT_EDIT_COST * rank as f32;
                edit.gain = edit.gain.min(MAX_GAIN) - discount;
            }
        }
        edits
    }

    fn discount(&self, edit: &Edit<'_>, text: &[u8]) -> f32 {
        let within = edit.at.checked_sub(self.start).and_then(|at| self.is_quoted.get(at));
        let is_content = within == Some(&true) && !edit.has_mark(text);
        let is_elsewhere = !self.fault.contains(&edit.at);
        f32::from(u8::from(is_elsewhere)) * OUTSIDE_COST
            + f32::from(u8::from(is_content)) * QUOTED_COST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_byte_elsewhere_comes_behind_what_is_missing_where_the_fault_is() {
        let text = br#"{"a":"<x","b":1"c":2}"#.to_vec();
        let viable = CutPoint::start(Layout::Brackets).moved(&text, 9);
        let partial = PartialRepair {
            rest: text.len() - 20,
            beyond_rest: 0,
            completed_by: None,
            gain: 0.0,
            viable,
            text,
        };
        let edit = |at, end, new, gain| Edit { at, end, new, gain };
        let edits = vec![edit(6, 7, b"M", 34.0), edit(6, 7, b"p", 33.0), edit(15, 15, b",", 5.0)];
        let weighed = Clues::of(&partial, Layout::Brackets, 0..partial.text.len())
            .weigh(edits, &partial.text);
        let gains: Vec<f32> = weighed.iter().map(|edit| edit.gain).collect();
        assert_eq!(gains, [4.0, 3.5, 5.0]);
    }
}
