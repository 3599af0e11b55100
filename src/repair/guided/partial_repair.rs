//! A way: a text on the way to a repair, and how far it is right.

use seedsmith_grammar::internal::CutPoint;

/// How many bytes of text that is right outweigh an edit that is e times less likely. Not measured: with
/// more, unlikely edits that get a little further would be followed.
pub(super) const BYTES_PER_NAT: f32 = 10.0;

/// A text that is right up to a place.
#[derive(Clone)]
pub(super) struct PartialRepair {
    pub text: Vec<u8>,
    /// The end of the longest viable prefix.
    pub viable: CutPoint,
    /// How much of the text is after the first cut at which it is not viable.
    pub rest: usize,
    /// The same of the cut after that one.
    pub beyond_rest: usize,
    /// How many closers at its end make the whole text valid, if they do. That is a repair, but
    /// where several are needed, or a quotation includes text that was not quoted, rarely the closest.
    pub completed_by: Option<usize>,
    /// How likely the edits up to here are (a sum of logarithms).
    pub gain: f32,
}

impl PartialRepair {
    /// How many bytes follow the right part.
    ///
    /// In bytes, to the end of the text. The closers that complete the prefix do not count.
    pub(super) fn behind(&self) -> usize {
        self.text.len() - self.viable.at
    }

    /// The higher, the better the way: how far it got, by which edits.
    pub(super) fn worth(&self) -> f32 {
        self.gain - self.behind() as f32 / BYTES_PER_NAT
    }
}
