//! The valid text closest to the input that a repair has met: what a strategy ends with, however it
//! ends. It knows no strategy and asks no validator.

use std::sync::Arc;

use super::distance::alignment::Alignment;
use super::distance::bounded;
use seedsmith_engine::internal::Complaint;

/// The valid text closest to the input, so far.
pub(super) struct Best<'i> {
    input: &'i [u8],
    text: Option<Vec<u8>>,
    /// Its distance; the one of the text that is offered is not looked for far beyond it.
    distance: usize,
    /// The input with its first faults mended, where a search got that far.
    mended: Option<Vec<u8>>,
    /// Whether nothing but parts of the input is taken.
    takes_parts_only: bool,
    /// Steps that measuring may still take.
    work: u64,
    is_cut_short: bool,
    /// What the validator printed about the input.
    message: Option<Arc<Complaint>>,
    /// What the validator printed about the nearest text that it rejected.
    rejected: Option<Arc<Complaint>>,
}

/// Steps that measuring one text may take: some 10 ms, so that 2,000 edits of most texts are found.
const MAX_STEPS_PER_TEXT: u64 = 1 << 22;
/// Steps that measuring all texts of a repair may take: half a second, because in large texts measuring
/// would take longer than all tests. Then each text may take `MIN_STEPS_PER_TEXT`.
const MAX_STEPS_IN_ALL: u64 = 1 << 27;
/// Steps that each text has in any case, so that some 200 edits are found and a close repair is known to
/// be close.
const MIN_STEPS_PER_TEXT: u64 = 1 << 16;

/// Differences in length beyond this count as the distance itself, because a valid prefix of a large
/// input would cost more to measure than all tests together.
const MAX_LENGTH_DIFFERENCE: usize = 64;

impl<'i> Best<'i> {
    /// None yet.
    pub(super) fn new(input: &'i [u8]) -> Self {
        Best {
            input,
            text: None,
            distance: usize::MAX,
            mended: None,
            takes_parts_only: false,
            work: MAX_STEPS_IN_ALL,
            is_cut_short: false,
            message: None,
            rejected: None,
        }
    }

    /// The text, if there is one.
    pub(super) fn text(&self) -> Option<&[u8]> {
        self.text.as_deref()
    }

    /// Remembers that a step ended because of the budget, before it had done all it does.
    pub(super) fn cut_short(&mut self) {
        self.is_cut_short = true;
    }

    /// Whether a step ended because of the budget.
    pub(super) fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// How far it is from the input; the largest number if there is none. Where that takes too long
    /// to find, how far it is at most.
    pub(super) fn distance(&self) -> usize {
        self.distance
    }

    /// How many bytes of the input the text does not have; all of them if there is no text.
    ///
    /// Compares the two texts, so it is for close ones.
    pub(super) fn lost_bytes(&self) -> usize {
        let kept = self.text.as_ref().map_or(0, |text| Alignment::of(self.input, text).kept());
        self.input.len() - kept
    }

    /// Takes nothing but parts of the input from now on.
    ///
    /// For searches that may only drop, because bringing back terminals of a part could add bytes.
    pub(super) fn take_parts_only(&mut self) {
        self.takes_parts_only = true;
    }

    /// Remembers the input with its first faults mended, which is not valid yet. The last one stays.
    pub(super) fn mend(&mut self, text: &[u8]) {
        self.mended = Some(text.to_vec());
    }

    /// The input with its first faults mended, if a search got that far.
    pub(super) fn mended(&self) -> Option<&[u8]> {
        self.mended.as_deref()
    }

    /// Remembers what the validator printed about the input.
    pub(super) fn reject_input(&mut self, complaint: Arc<Complaint>) {
        self.message = Some(complaint);
    }

    /// What the validator printed about the input, if it was asked.
    pub(super) fn message(&self) -> Option<Arc<Complaint>> {
        self.message.clone()
    }

    /// Remembers what the validator printed about the nearest text that it rejected.
    pub(super) fn reject(&mut self, complaint: Arc<Complaint>) {
        self.rejected = Some(complaint);
    }

    /// What the validator printed about the nearest text that it rejected, if a search knows one other than
    /// the input.
    pub(super) fn rejected(&self) -> Option<Arc<Complaint>> {
        self.rejected.clone()
    }

    /// Takes over what another search of the same input has found, if it is closer.
    pub(super) fn take_over(&mut self, other: Best<'_>) {
        self.is_cut_short |= other.is_cut_short;
        if self.rejected.is_none() {
            self.rejected = other.rejected;
        }
        if let Some(text) = other.text {
            self.offer(&text);
        }
        self.mended = self.mended.take().or(other.mended);
    }

    /// The text, for good.
    pub(super) fn take(self) -> Option<Vec<u8>> {
        self.text
    }

    /// Takes a valid text if it is closer, or as close and has a byte back that was replaced.
    /// Distances are expensive: a text that is obviously worse is passed over first, and of one
    /// that lacks much the missing bytes are the measure.
    pub(super) fn offer(&mut self, text: &[u8]) {
        if self.takes_parts_only && !is_part(text, self.input) {
            return;
        }
        let missing = self.input.len().abs_diff(text.len());
        let has_back = || self.text.as_ref().is_some_and(|best| has_replaced_byte_back(text, best));
        if missing > self.distance || (missing == self.distance && !has_back()) {
            return;
        }
        let is_far = missing > MAX_LENGTH_DIFFERENCE;
        let most = self.distance.saturating_add(1);
        let distance =
            if is_far { missing } else { measure(self.input, text, most, &mut self.work) };
        let is_closer = distance < self.distance || (distance == self.distance && has_back());
        if is_closer || self.text.is_none() {
            self.distance = distance;
            self.text = Some(text.to_vec());
        }
    }
}

/// The distance of a text, or `most` if it is at least that. Where it takes too long to find, what
/// it is at most stands for it: a text with fewer faults gets further in the same steps.
fn measure(input: &[u8], text: &[u8], most: usize, work_left: &mut u64) -> usize {
    let work = MAX_STEPS_PER_TEXT.min((*work_left).max(MIN_STEPS_PER_TEXT));
    let found = bounded(input, text, most, work);
    // The steps are about the square of the number of edits that were looked for.
    let edits = found.at_least as u64;
    *work_left = work_left.saturating_sub(edits.saturating_mul(edits).min(work));
    found.at_most.min(most)
}

/// Whether dropping bytes of `whole` gives `text`.
pub(super) fn is_part(text: &[u8], whole: &[u8]) -> bool {
    let mut whole = whole.iter();
    text.iter().all(|byte| whole.any(|other| other == byte))
}

/// Whether `text` is `best` with a byte more, one that isn't a single bit away from its neighbours:
/// where a bit was flipped, replacing it is the repair.
fn has_replaced_byte_back(text: &[u8], best: &[u8]) -> bool {
    if text.len() != best.len() + 1 {
        return false;
    }
    let at = text.iter().zip(best).take_while(|(new, old)| new == old).count();
    let is_flip = |other: &u8| (text[at] ^ other).count_ones() == 1;
    text[at + 1..] == best[at..]
        && !best[at.saturating_sub(1)..best.len().min(at + 1)].iter().any(is_flip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_texts_too_far_away_to_measure_the_closer_one_is_taken() {
        let input: Vec<u8> = (0..60_000u32).map(|at| b'a' + (at * 7919 % 23) as u8).collect();
        let damaged = |from: usize| {
            let mut text = input.clone();
            text[from..].iter_mut().for_each(|byte| *byte = b'#');
            text
        };
        let mut best = Best::new(&input);
        best.work = 0;
        best.offer(&damaged(10));
        let first = best.distance();
        best.offer(&damaged(30_000));
        assert!(best.distance() < first, "{} {first}", best.distance());
        best.offer(&damaged(20_000));
        assert_eq!(best.take().unwrap(), damaged(30_000));
    }

    #[test]
    fn a_text_further_away_is_not_taken_for_the_byte_that_it_has_back() {
        let input = b"abcdefgh";
        let mut best = Best::new(input);
        best.offer(b"abcdfgh");
        assert_eq!(best.distance, 1);
        // One byte longer than the best, but two edits away.
        best.offer(b"abcdfgXh");
        assert_eq!(best.take().unwrap(), b"abcdfgh");
    }
}
