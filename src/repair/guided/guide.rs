//! What a repair by guidance knows, and how it finds the place up to which a text is right.

use super::allowance::Allowance;
use crate::repair::guided::partial_repair::PartialRepair;
use crate::repair::likelihood::Likelihood;
use crate::repair::validate::Validate;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::Layout;
use seedsmith_grammar::internal::{CutOffsets, CutPoint};

/// Cuts that are tried at once where a test is cheap, because asking takes longer than a test: 27
/// questions a file became 16 (docs/notes/2026-11-21-repair.md).
const CUTS_PER_QUESTION: usize = 7;

/// What a repair by guidance knows and may do.
pub(crate) struct Guide<'g> {
    /// What texts of this kind look like.
    pub likelihood: &'g Likelihood,
    /// How the text is laid out.
    pub layout: Layout,
    /// Whether nothing may be added.
    pub only_delete: bool,
    /// How hard to try.
    pub allowance: Allowance,
}

/// What came of looking at a text.
///
/// Either the whole text is valid, or it is viable up to a place.
pub(super) enum Explored {
    Valid,
    Until(PartialRepair),
}

impl Guide<'_> {
    /// Whether only deletions are tried.
    ///
    /// A hasty repair drops too, whatever the caller allows.
    pub(super) fn drops(&self) -> bool {
        self.only_delete || self.allowance.drops
    }

    /// How much of `input` is right, up to its first fault.
    ///
    /// In bytes. Costs what exploring costs, and no edit is tried.
    pub(crate) fn reach(
        &self,
        validator: &mut dyn Validate,
        input: &[u8],
    ) -> Result<usize, Stopped> {
        let start = CutPoint::start(self.layout);
        Ok(match self.explore(validator, input.to_vec(), &start, &mut |_| {})? {
            Explored::Valid => input.len(),
            Explored::Until(partial) => partial.viable.at,
        })
    }

    /// Writes `text` up to a cut, completed, into an empty buffer.
    ///
    /// The buffer is longer than the prefix by the closers of the brackets that are open there.
    pub(super) fn complete(&self, text: &[u8], place: &CutPoint, out: &mut Vec<u8>) {
        out.extend_from_slice(&text[..place.at]);
        place.outline.close(out);
    }

    /// Finds the longest viable prefix of `text`, which is assumed to be viable up to `from`.
    ///
    /// Costs one test for the text and about `2 log n` for its first fault, by doubling steps and
    /// bisection. `best` gets each completed prefix that is valid. Where a cut fails, cuts further
    /// on are probed before the failure is believed.
    pub(super) fn explore(
        &self,
        validator: &mut dyn Validate,
        text: Vec<u8>,
        from: &CutPoint,
        best: &mut dyn FnMut(&[u8]),
    ) -> Result<Explored, Stopped> {
        if validator.is_valid(&text)? {
            best(&text);
            return Ok(Explored::Valid);
        }
        let mut cuts = CutOffsets::behind(from, &text);
        let mut viable = from.clone();
        let width = if validator.is_slow() { 1 } else { CUTS_PER_QUESTION };
        // CutOffsets up to `low` (exclusive) are viable, the one at `high` is not, once there is one.
        let (mut low, mut high, mut step) = (0, usize::MAX, 1);
        let mut completed_by = None;
        while low < high {
            let mut samples: Vec<(usize, CutPoint)> = Vec::new();
            for number in 0..width {
                let index = match high {
                    usize::MAX => cuts.last_within(low + (step << number) - 1),
                    _ => Some(low + (high - low) * (number + 1) / (width + 1)),
                };
                let last = samples.last();
                let is_new = |index: &usize| last.map_or(low, |(last, _)| last + 1) <= *index;
                let Some(index) = index.filter(is_new) else { continue };
                let Some(cut) = cuts.get(index) else { break };
                let place = last.map_or(&viable, |(_, place)| place).moved(&text, cut);
                samples.push((index, place));
            }
            let Some((lowest, _)) = samples.first() else { break };
            let lowest = *lowest;
            // The furthest first: all that are tested in vain are one question.
            let mut tried = Vec::with_capacity(samples.len());
            let answer = validator.first_valid(&mut |buffer| {
                while let Some((index, place)) = samples.pop() {
                    self.complete(&text, &place, buffer);
                    let is_whole = buffer.len() == text.len();
                    tried.push((index, place, is_whole));
                    if !is_whole {
                        return true;
                    }
                    buffer.clear();
                }
                false
            })?;
            if let Some((number, completed)) = answer {
                let number = number + usize::from(tried[0].2);
                let above = number.checked_sub(1).map(|above| tried[above].0);
                let (index, place, _) = tried.swap_remove(number);
                let is_allowed = !self.only_delete || completed.len() == place.at;
                if is_allowed {
                    best(&completed);
                }
                if place.at == text.len() {
                    completed_by = is_allowed.then_some(completed.len() - text.len());
                    // Something is wrong all the same, before the end.
                    high = index;
                    continue;
                }
                viable = place;
                low = index + 1;
                match above {
                    Some(above) => high = above,
                    None => step <<= width,
                }
            } else {
                high = lowest;
            }
            if low == high
                && let Some((place, next)) =
                    self.beyond(validator, &text, &viable, &mut |step| cuts.get(low + step))?
            {
                // The cut was none: the text is not viable there, and it is further on.
                viable = place;
                (low, high, step) = (low + next, usize::MAX, 1);
            }
        }
        let mut behind = |index: usize| text.len() - cuts.get(index).unwrap_or(text.len());
        let (rest, beyond_rest) = (behind(low), behind(low + 1));
        Ok(Explored::Until(PartialRepair {
            text,
            viable,
            rest,
            beyond_rest,
            completed_by,
            gain: 0.0,
        }))
    }

    /// Looks for a viable prefix that ends further on than the cut 0 of `cuts`, at which there is
    /// none: the place, and how many of the cuts it leaves after.
    fn beyond(
        &self,
        validator: &mut dyn Validate,
        text: &[u8],
        viable: &CutPoint,
        cuts: &mut dyn FnMut(usize) -> Option<usize>,
    ) -> Result<Option<(CutPoint, usize)>, Stopped> {
        let steps = (0..self.allowance.probes.min(usize::BITS - 1)).map(|power| 1usize << power);
        let mut untried = steps.map_while(|step| cuts(step).filter(|at| *at < text.len()));
        let mut tried = Vec::new();
        let answer = validator.first_valid(&mut |buffer| {
            let Some(at) = untried.next() else { return false };
            let place = viable.moved(text, at);
            self.complete(text, &place, buffer);
            tried.push(place);
            true
        })?;
        Ok(answer.map(|(index, _)| (tried.swap_remove(index), (1 << index) + 1)))
    }
}
