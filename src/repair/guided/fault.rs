//! One fault: trying edits around it, and keeping those that make a longer prefix viable.

use std::ops::Range;

use super::clues::Clues;
use super::edit::Edit;
use super::edits;
use super::guide::{Explored, Guide};
use super::together::{alone, apply_all, content_behind, end_of};
use crate::repair::guided::partial_repair::PartialRepair;
use crate::repair::validate::Validate;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::{Checkpoints, CutPoint};

/// How far a text has to be right for an edit to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProbeEnd {
    /// Up to the cut at which it was not.
    Cut,
    /// Up to the cut after that one, which may have been none.
    NextCut,
    /// Up to the next cut after the edit: where quotes or brackets are out of step, both other cuts
    /// may are after the next fault.
    Edit,
}

/// An edit that gets this much further has mended the fault. Following every edit that gained a few bytes
/// was the worst mistake: it made junk the way to continue (docs/notes/2026-11-21-repair.md).
const CLEARLY_FURTHER_BYTES: usize = 48;
/// An edit this likely (a logarithm) has mended the fault if it gets `FURTHER_BYTES` further, because
/// it hardly gets there by chance.
const CONVINCING_GAIN: f32 = 6.0;
/// How much further that is: more than the closers and blanks that any edit could bring along would be. A
/// guess, not measured.
const FURTHER_BYTES: usize = 8;
/// How far before the viable prefix's end the cause of a fault is looked for at once, because most faults
/// show within a token or two.
pub(super) const NEAR_BYTES_BEFORE: usize = 24;
/// How far before with the less likely edits: some lines, because a missing separator shows at the end of
/// the next item. Not measured.
pub(super) const BYTES_BEFORE: usize = 160;
/// How far before if nothing else helps, because a lost quote shows at the next quote. Not measured.
const FAR_BYTES_BEFORE: usize = 1200;

/// One fault, and the edits found against it.
pub(super) struct Fault<'f, 'b> {
    pub(super) guide: &'f Guide<'f>,
    pub(super) partial: &'f PartialRepair,
    pub(super) validator: &'f mut dyn Validate,
    pub(super) best: &'f mut (dyn FnMut(&[u8]) + 'b),
    pub(super) found: Vec<PartialRepair>,
    /// Whether the fault is mended for certain.
    pub(super) is_mended: bool,
    /// How many bytes follow the right part without the faulty item, once that was asked.
    pub(super) next_fault: Option<usize>,
    /// Whether closers made something valid.
    pub(super) is_completed: bool,
    /// Whether an edit made the text valid.
    pub(super) is_valid: bool,
}

impl<'f, 'b> Fault<'f, 'b> {
    /// The first fault of `partial`.
    pub(super) fn new(
        guide: &'f Guide<'f>,
        partial: &'f PartialRepair,
        validator: &'f mut dyn Validate,
        best: &'f mut (dyn FnMut(&[u8]) + 'b),
    ) -> Self {
        Fault {
            guide,
            partial,
            validator,
            best,
            found: Vec::new(),
            is_mended: false,
            next_fault: None,
            is_completed: partial.completed_by.is_some(),
            is_valid: false,
        }
    }

    /// Whether no further stage is needed.
    ///
    /// That is so once the text is valid, or an edit got so far that it has mended the fault for
    /// certain.
    pub(super) fn is_over(&self) -> bool {
        self.is_valid || self.is_mended
    }

    /// Whether there is a way to continue, so that unlikely edits need not be tried.
    ///
    /// Closers that make something valid count too: with them there is a whole text, though not a
    /// close one.
    pub(super) fn has_any(&self) -> bool {
        self.is_over() || self.is_completed || !self.found.is_empty()
    }

    /// Longer deletions in the region, then edits of one byte far before the edits that were tried.
    ///
    /// Only if nothing else has helped. Costs at most twice the edits of the allowance.
    pub(super) fn try_unlikely(
        &mut self,
        region: Range<usize>,
        tried_from: usize,
    ) -> Result<(), Stopped> {
        let (text, most) = (&self.partial.text, self.guide.allowance.edits);
        let longer = edits::longer_deletions(text, region, self.guide.likelihood, most);
        self.try_edits(ProbeEnd::Cut, alone(&longer))?;
        if self.has_any() {
            return Ok(());
        }
        let far_in_front = self.partial.viable.at.saturating_sub(FAR_BYTES_BEFORE);
        let far = self.singles(far_in_front..tried_from, most);
        self.try_edits(ProbeEnd::Cut, alone(&far))
    }

    /// The likeliest edits of one byte.
    ///
    /// Deletions only where nothing may be added. No test is made; the order is that of the gain.
    pub(super) fn singles(&self, region: Range<usize>, most: usize) -> Vec<Edit<'static>> {
        let PartialRepair { text, viable, .. } = self.partial;
        let region = region.start..region.end.min(text.len());
        let clues = Clues::of(self.partial, self.guide.layout, region.clone());
        if self.guide.drops() {
            edits::single_deletions(text, region, self.guide.likelihood, &clues, most)
        } else {
            let closer = viable.outline.innermost();
            edits::single(text, region, self.guide.likelihood, &clues, closer, most)
        }
    }

    /// Tries sets of edits with one reach after the other, until the fault is mended; says whether it is.
    pub(super) fn try_each<const N: usize>(
        &mut self,
        reaches: &[ProbeEnd],
        candidates: &[[Edit<'_>; N]],
    ) -> Result<bool, Stopped> {
        for reach in reaches {
            self.try_edits(*reach, candidates)?;
            if self.is_over() {
                break;
            }
        }
        Ok(self.is_over())
    }

    /// Tries sets of edits; those that make a longer prefix viable are ways to continue. Ends when
    /// one makes the text valid or has clearly mended the fault.
    pub(super) fn try_edits<const N: usize>(
        &mut self,
        reach: ProbeEnd,
        candidates: &[[Edit<'_>; N]],
    ) -> Result<(), Stopped> {
        self.try_until(self.partial.rest, reach, candidates)
    }

    /// The same with another measure than the way's own of how much may are after the cut.
    ///
    /// Each set is tested on a prefix that ends where `reach` says, completed by closers. Where it
    /// is viable the whole edited text is explored, which costs about the logarithm of its cuts. At
    /// most as many sets are explored as the allowance has partial repairs.
    pub(super) fn try_until<const N: usize>(
        &mut self,
        rest: usize,
        reach: ProbeEnd,
        candidates: &[[Edit<'_>; N]],
    ) -> Result<(), Stopped> {
        let partial = self.partial;
        let starts = candidates.iter().filter_map(|edits| edits.first());
        let Some(first) = starts.map(|edit| edit.at).min() else { return Ok(()) };
        let anchor = if first < partial.viable.at {
            CutPoint::start(self.guide.layout).moved(&partial.text, first)
        } else {
            partial.viable.clone()
        };
        // A cut that is looked for may lie before the edit.
        let last = partial.text.len() - rest.max(partial.beyond_rest);
        let trail = Checkpoints::new(anchor, &partial.text, last);
        let mut edited = Vec::new();
        let is_telling = |edits: &&[Edit<'_>; N]| {
            // The text before the fault is right up to the next cut, whatever replaces the fault.
            let is_behind = reach != ProbeEnd::Edit || end_of(*edits) > partial.viable.at;
            let Some(closers) = partial.completed_by.filter(|_| is_behind) else {
                return is_behind;
            };
            // And a prefix that is valid once it is closed is valid with most edits too: only one that leaves less to
            // close may have mended it.
            edits.iter().any(|edit| edit.has_mark(&partial.text)) && {
                apply_all(*edits, &partial.text, &mut edited);
                let end = trail.in_front_of(edits[0].at).next(&edited, |_| false);
                end.outline.closers() < closers
            }
        };
        let candidates: Vec<&[Edit<'_>; N]> = candidates.iter().filter(is_telling).collect();
        let (mut from, mut looked_at) = (0, 0);
        while looked_at < self.guide.allowance.partials {
            let mut untried = candidates[from..].iter();
            let answer = self.validator.first_valid(&mut |buffer| {
                let Some(&edits) = untried.next() else { return false };
                apply_all(edits, &partial.text, &mut edited);
                let place = trail.in_front_of(edits[0].at);
                let place = match reach {
                    ProbeEnd::Cut => place.next(&edited, |at| edited.len() - at <= rest),
                    ProbeEnd::NextCut => {
                        place.next(&edited, |at| edited.len() - at <= partial.beyond_rest)
                    }
                    ProbeEnd::Edit => {
                        let content = content_behind(edits, &partial.text, &edited);
                        place.next(&edited, |at| at > content)
                    }
                };
                self.guide.complete(&edited, &place, buffer);
                true
            })?;
            let Some((index, _)) = answer else { return Ok(()) };
            let edits = candidates[from + index];
            let mut text = Vec::new();
            apply_all(edits, &partial.text, &mut text);
            from += index + 1;
            looked_at += 1;
            let origin = trail.in_front_of(edits[0].at.min(partial.viable.at + 1));
            match self.guide.explore(self.validator, text, origin, self.best)? {
                Explored::Valid => {
                    self.is_valid = true;
                    return Ok(());
                }
                Explored::Until(mut further) => {
                    let gained = partial.behind().saturating_sub(further.behind());
                    let gain = edits.iter().map(|edit| edit.gain).sum::<f32>();
                    further.gain = partial.gain + gain;
                    self.is_valid |= further.completed_by == Some(1);
                    self.is_completed |= further.completed_by.is_some();
                    let has_closed =
                        further.completed_by.is_some() && partial.completed_by.is_some();
                    if (gained > 0 || has_closed)
                        && self.found.iter().all(|it| it.text != further.text)
                    {
                        self.found.push(further);
                    }
                    // The bytes dropped after the prefix are not right.
                    let dropped = |edit: &Edit<'_>| {
                        let lost = edit.end.saturating_sub(edit.at.max(partial.viable.at));
                        lost.saturating_sub(edit.new.len())
                    };
                    let gained = gained.saturating_sub(edits.iter().map(dropped).sum());
                    self.is_mended |= has_closed
                        || gained >= CLEARLY_FURTHER_BYTES
                        || (gained >= FURTHER_BYTES && gain >= CONVINCING_GAIN);
                    if self.is_over() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}
