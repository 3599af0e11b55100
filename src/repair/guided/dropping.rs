//! Ways past one fault by deletions alone: a byte, or a whole item.
//!
//! What an item takes with it besides the fault is brought back in the end ([`restore`](crate::repair::restore)), so
//! that items are cheap: a few tests, where one deleted byte after the other takes hundreds.

use std::ops::Range;

use super::balance::Balance;
use super::edit::Edit;
use super::fault::{Fault, NEAR_BYTES_BEFORE, ProbeEnd};
use super::guide::Explored;
use super::together::alone;
use crate::repair::guided::partial_repair::{BYTES_PER_NAT, PartialRepair};
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::CutPoint;

/// Places at which an item may end that are tried before bytes that are further away, because an item is
/// a few tests where one deleted byte after another takes hundreds (docs/notes/2026-11-21-repair.md).
const FIRST_ITEM_ENDS: usize = 24;
/// Places that are tried before the steps grow, so that a long text costs a logarithm of its items. Not
/// measured.
const ITEM_ENDS_ONE_BY_ONE: usize = 48;

impl Fault<'_, '_> {
    /// The stages where nothing may be added: a byte near the fault, an item, bytes further away.
    ///
    /// What an item more than the fault takes with it is brought back in the end, so items come early:
    /// a byte that gets a little further is rarely the way to continue.
    pub(super) fn deletions(
        &mut self,
        region: Range<usize>,
        wide: Range<usize>,
        reaches: &[ProbeEnd],
        first_reaches: &[ProbeEnd],
    ) -> Result<(), Stopped> {
        let most = self.guide.allowance.edits;
        let start = self.partial.viable.at;
        self.drop_openers()?;
        if self.is_over() {
            return Ok(());
        }
        let mut near =
            blanks(&self.partial.text, start.saturating_sub(NEAR_BYTES_BEFORE)..region.end);
        near.extend(self.singles(start.saturating_sub(NEAR_BYTES_BEFORE)..region.end, most));
        if self.try_each(first_reaches, alone(&near))? {
            return Ok(());
        }
        self.drop_items(FIRST_ITEM_ENDS, Self::is_over)?;
        if self.has_any() {
            return Ok(());
        }
        let singles = self.singles(wide.clone(), most);
        self.try_each(reaches, alone(&singles))?;
        if self.has_any() {
            return Ok(());
        }
        self.try_unlikely(region, wide.start)?;
        if !self.has_any() {
            self.drop_items(usize::MAX, Self::has_any)?;
        }
        Ok(())
    }

    /// Drops a bracket that nothing closes, where the text is right up to its end but for that: its
    /// place is anywhere before it, and it is the one without which less is open and all is right.
    fn drop_openers(&mut self) -> Result<(), Stopped> {
        let partial = self.partial;
        let text = &partial.text;
        let open = partial.viable.moved(text, text.len()).outline.closers();
        if partial.rest > 0 || open == 0 {
            return Ok(());
        }
        let balance = Balance::of(text, 0..0);
        let is_lone = |at: &usize| {
            matches!(text[*at], b'{' | b'[' | b'(')
                && balance.gain(*at, &text[*at..at + 1], b"") > 0.0
        };
        let mut lone = (0..text.len()).rev().filter(is_lone).take(self.guide.allowance.edits);
        let mut tried = Vec::new();
        let answer = self.validator.first_valid(&mut |buffer| {
            for at in lone.by_ref() {
                let edited = [&text[..at], &text[at + 1..]].concat();
                let start = CutPoint::start(self.guide.layout);
                let place = start.moved(&edited, edited.len());
                if place.outline.closers() < open {
                    self.guide.complete(&edited, &place, buffer);
                    tried.push(edited);
                    return true;
                }
            }
            false
        })?;
        let Some((index, _)) = answer else { return Ok(()) };
        let start = CutPoint::start(self.guide.layout);
        let text = tried.swap_remove(index);
        match self.guide.explore(self.validator, text, &start, self.best)? {
            Explored::Valid => self.is_valid = true,
            Explored::Until(further) => {
                self.found.push(PartialRepair { gain: partial.gain, ..further });
                self.is_mended = true;
            }
        }
        Ok(())
    }

    /// Drops the bytes between the viable prefix and one of the first `most` places at which something
    /// may end after it, until `is_enough`.
    pub(super) fn drop_items(
        &mut self,
        most: usize,
        is_enough: impl Fn(&Self) -> bool,
    ) -> Result<(), Stopped> {
        let text = &self.partial.text;
        let start = self.partial.viable.at;
        for end in self.ends().take(most) {
            if is_enough(self) {
                break;
            }
            // The prefix alone is viable: something after the gap has to be, too.
            let rest = (text.len() - end).saturating_sub(1);
            let gain = (end - start) as f32 / -BYTES_PER_NAT;
            self.try_until(rest, ProbeEnd::Cut, &[[Edit { at: start, end, new: b"", gain }]])?;
        }
        Ok(())
    }

    /// Where something may end after the viable prefix: at its cuts, and at separators, line feeds
    /// and closers whatever is open there, as the fault may be a quote or a bracket.
    fn ends(&self) -> impl Iterator<Item = usize> + use<> {
        let text = &self.partial.text;
        let start = self.partial.viable.at;
        let cuts = self.partial.viable.all(text);
        let behind = |cut: &usize| [*cut, (*cut + 1).min(text.len())];
        let mut ends: Vec<usize> = cuts.iter().flat_map(behind).collect();
        // A separator before the gap goes with it, or the one after.
        ends.extend((start..text.len()).flat_map(|at| match text[at] {
            b',' | b';' => at..at + 2,
            b'\n' => at + 1..at + 2,
            b'}' | b']' | b')' => at..at + 1,
            _ => at..at,
        }));
        ends.retain(|end| *end > start);
        ends.sort_unstable();
        ends.dedup();
        // One by one at first, then in growing steps, and the end of the text.
        let last = ends.last().copied();
        let (mut index, mut step) = (0, 1);
        let steps = std::iter::from_fn(move || {
            let end = ends.get(index).copied();
            step += usize::from(index >= ITEM_ENDS_ONE_BY_ONE);
            index += step;
            end.filter(|end| Some(*end) != last)
        });
        steps.chain(last)
    }
}

/// Deletions of each run of blanks in `region`.
///
/// Only runs of two bytes or more: single ones are among the edits of one byte.
fn blanks(text: &[u8], region: Range<usize>) -> Vec<Edit<'static>> {
    let mut edits: Vec<Edit<'static>> = Vec::new();
    for at in region.filter(|at| text[*at].is_ascii_whitespace()) {
        match edits.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end += 1,
            None => edits.push(Edit { at, end: at + 1, new: b"", gain: 0.0 }),
        }
    }
    edits.retain(|edit| edit.end - edit.at > 1);
    edits
}
