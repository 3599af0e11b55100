//! Ways past one fault: edits around it, the likely ones first, that make a longer prefix viable.
//!
//! Each stage tries edits that are less likely or cost more than those before, until an edit gets clearly further.
//! An edit that gets a little further is kept: where two faults are neighbours, or nothing better comes, it
//! is the way to continue.

use super::edits;
use super::fault::{BYTES_BEFORE, Fault, NEAR_BYTES_BEFORE, ProbeEnd};
use super::guide::Explored;
use super::together::{alone, pairs};
use crate::repair::guided::partial_repair::PartialRepair;
use seedsmith_engine::Stopped;

/// In a region no longer than this every byte that can be typed is tried, because it costs 95 edits for
/// each place. Not measured.
const MAX_BYTES_FOR_EVERY_BYTE: usize = 64;
/// Regions longer than this are not searched byte by byte, so that one stage stays within its allowance.
/// Not measured.
const MAX_REGION_BYTES: usize = 600;

/// The likeliest edits, which are tried up to each end before any others are, because after a lost quote
/// the likely edits used to wait after 700 others (docs/notes/2026-11-21-repair.md).
pub(super) const FIRST_ROUND_EDITS: usize = 32;
/// How many times as many edits each next round has: 66 tests a file with rounds, 154 without, on 300
/// generated JSON files (docs/notes/2026-11-21-repair.md).
const ROUND_GROWTH: usize = 4;

/// Of this many of the likeliest edits all pairs are tried early, because two faults may be so close that
/// neither edit alone gets any further: 276 pairs.
const PAIRED_EDITS: usize = 24;

/// What became of a fault.
pub(super) enum Mended {
    /// The text is valid, or there is nothing left to mend.
    Valid,
    /// It is right for longer in each of these.
    Ways(Vec<PartialRepair>),
}

impl Fault<'_, '_> {
    /// Looks for ways past it.
    ///
    /// Costs at most the allowance: this many edits for each stage and end of a probe, and the pairs.
    pub(super) fn mend(mut self) -> Result<Mended, Stopped> {
        self.stages()?;
        let is_over = self.is_valid || (self.found.is_empty() && self.is_completed);
        Ok(if is_over { Mended::Valid } else { Mended::Ways(self.found) })
    }

    /// Runs the stages in their order until one has mended the fault. The first tries what is
    /// likely near the fault, the last drops items.
    fn stages(&mut self) -> Result<(), Stopped> {
        let most = self.guide.allowance.edits;
        let (reaches, first_reaches): (&[ProbeEnd], &[ProbeEnd]) = match self.partial.completed_by {
            Some(_) => (&[ProbeEnd::Cut], &[ProbeEnd::Cut]),
            None => (
                &[ProbeEnd::Cut, ProbeEnd::Edit, ProbeEnd::NextCut],
                &[ProbeEnd::Cut, ProbeEnd::Edit],
            ),
        };
        let start = self.partial.viable.at;
        // The separator at a cut belongs to the region: it may be the fault.
        let end_at = |rest: usize| {
            let cut = self.partial.text.len() - rest;
            (cut + 1).min(self.partial.text.len()).min(start + MAX_REGION_BYTES)
        };
        let region = start..end_at(self.partial.rest);
        let wide = start.saturating_sub(BYTES_BEFORE)..end_at(self.partial.beyond_rest);

        let near =
            self.singles(start.saturating_sub(NEAR_BYTES_BEFORE)..region.end, FIRST_ROUND_EDITS);
        let likely = near.partition_point(|edit| edit.gain > 0.0);
        if self.try_each(first_reaches, alone(&near[..likely]))? {
            return Ok(());
        }
        if self.guide.drops() {
            return self.deletions(region, wide, reaches, first_reaches);
        }
        let every = region.start..region.end.min(region.start + MAX_BYTES_FOR_EVERY_BYTE);
        let nearly = start.saturating_sub(NEAR_BYTES_BEFORE)..every.end;
        let singles = self.singles(wide.clone(), most);
        let sets = alone(&singles);
        // Which reach decides is not known: where quotes are out of step the likeliest edits would wait
        // after all unlikely ones that can't help up to the cut. So all take turns.
        let mut done = 0;
        while done < sets.len() {
            let round = done..sets.len().min(FIRST_ROUND_EDITS.max(done * ROUND_GROWTH));
            if self.try_each(reaches, &sets[round.clone()])? {
                return Ok(());
            }
            if done == 0 {
                // A keyword that lacks a byte is known, and the missing byte is likely nowhere.
                let words = edits::words(&self.partial.text, nearly.clone(), self.guide.likelihood);
                if self.try_each(first_reaches, alone(&words))? {
                    return Ok(());
                }
            }
            done = round.end;
            if self.gets_to_the_next_fault()? {
                return Ok(());
            }
            if done == sets.len().min(FIRST_ROUND_EDITS * ROUND_GROWTH) && self.found.is_empty() {
                // Two faults may be so close that only both edits at once get any further.
                let likely = &singles[..singles.len().min(PAIRED_EDITS)];
                let pairs = pairs(likely, self.guide.allowance.pairs);
                if self.try_each(first_reaches, &pairs)? {
                    return Ok(());
                }
            }
        }
        if !self.is_completed {
            let (text, likelihood) = (&self.partial.text, self.guide.likelihood);
            let known = edits::any_byte(text, every, likelihood, most);
            self.try_each(first_reaches, alone(&known))?;
        }
        // Closers at the end are no better than a deletion.
        if self.is_over() || !self.found.is_empty() {
            return Ok(());
        }
        self.try_unlikely(region, wide.start)?;
        if !self.has_any() {
            let pairs = pairs(&singles, self.guide.allowance.pairs);
            self.try_edits(ProbeEnd::Cut, &pairs)?;
        }
        if !self.has_any() {
            self.drop_items(usize::MAX, Self::has_any)?;
        }
        Ok(())
    }

    /// Whether an edit was found that gets as far as the text does without the faulty item: up to the
    /// next fault, then, and no other edit of this one gets past that.
    fn gets_to_the_next_fault(&mut self) -> Result<bool, Stopped> {
        let Some(least) = self.found.iter().map(PartialRepair::behind).min() else {
            return Ok(false);
        };
        let behind = match self.next_fault {
            Some(behind) => behind,
            None => self.without_item()?,
        };
        self.next_fault = Some(behind);
        Ok(least <= behind)
    }

    /// How many bytes follow the right part without the faulty item, with or without a separator.
    ///
    /// With it and without it the rest is explored, which costs about the logarithm of its cuts
    /// twice.
    fn without_item(&mut self) -> Result<usize, Stopped> {
        let partial = self.partial;
        let cut = partial.text.len() - partial.rest;
        let mut least = partial.rest;
        for end in cut..=(cut + 1).min(partial.text.len()) {
            let without = [&partial.text[..partial.viable.at], &partial.text[end..]].concat();
            match self.guide.explore(self.validator, without, &partial.viable, self.best)? {
                Explored::Valid => return Ok(0),
                Explored::Until(without) => least = least.min(without.behind()),
            }
        }
        Ok(least)
    }
}
