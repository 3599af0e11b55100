//! The valid text closest to the input that a repair has met: what a strategy ends with, however it
//! ends. It knows no strategy and asks no validator.

use super::distance::distance;

/// The valid text closest to the input, so far.
pub(super) struct Best<'i> {
    input: &'i [u8],
    text: Option<Vec<u8>>,
    /// Its distance; the one of the text that is offered is not looked for far beyond it.
    distance: usize,
    /// Whether nothing but parts of the input is taken.
    takes_parts_only: bool,
}

/// Differences in length beyond this stand for the distance itself: a valid prefix of a large
/// input would cost more to measure than all tests together.
const MEASURED: usize = 64;

impl<'i> Best<'i> {
    /// None yet.
    pub fn new(input: &'i [u8]) -> Self {
        Best { input, text: None, distance: usize::MAX, takes_parts_only: false }
    }

    /// The text, if there is one.
    pub fn text(&self) -> Option<&[u8]> {
        self.text.as_deref()
    }

    /// How far it is from the input; the largest number if there is none.
    pub fn distance(&self) -> usize {
        self.distance
    }

    /// Takes nothing but parts of the input from now on.
    pub fn take_parts_only(&mut self) {
        self.takes_parts_only = true;
    }

    /// The text, for good.
    pub fn take(self) -> Option<Vec<u8>> {
        self.text
    }

    /// Takes a valid text if it is closer, or as close and has a byte back that was replaced.
    /// Distances are expensive: a text that is obviously worse is passed over first, and of one
    /// that lacks much the missing bytes are the measure.
    pub fn offer(&mut self, text: &[u8]) {
        if self.takes_parts_only && !is_part(text, self.input) {
            return;
        }
        let missing = self.input.len().abs_diff(text.len());
        let has_back = || self.text.as_ref().is_some_and(|best| has_replaced_byte_back(text, best));
        if missing > self.distance || (missing == self.distance && !has_back()) {
            return;
        }
        let is_far = missing > MEASURED;
        let most = self.distance.saturating_add(1);
        let distance = if is_far { missing } else { distance(self.input, text, most) };
        let is_closer = distance < self.distance || (distance == self.distance && has_back());
        if is_closer || self.text.is_none() {
            self.distance = distance;
            self.text = Some(text.to_vec());
        }
    }
}

/// Whether dropping bytes of `whole` gives `text`.
fn is_part(text: &[u8], whole: &[u8]) -> bool {
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
