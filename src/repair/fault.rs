//! Ways past one fault: edits around it, the likely ones first, that make a longer prefix viable.
//!
//! Stage after stage tries what is less likely or costs more, until an edit gets clearly further.
//! What gets a little further is kept: where two faults are neighbours, or nothing better comes, it
//! is the way to go on.

use std::ops::Range;

use super::clues::Clues;
use super::edits::{self, Edit};
use super::guided::{Explored, Guide, Way};
use super::together::{alone, apply_all, content_behind, end_of, pairs};
use super::validate::Validate;
use seedsmith_engine::oracle::Stopped;
use seedsmith_grammar::structure::outline::{Place, Trail};

/// How far a text has to be right for an edit to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Up to the cut at which it was not.
    Cut,
    /// Up to the cut behind that one, which may have been none.
    NextCut,
    /// Up to the next cut behind the edit: where quotes or brackets are out of step, both other cuts
    /// may lie behind the next fault.
    Edit,
}

/// What became of a fault.
pub(super) enum Mended {
    /// The text is valid, or there is nothing left to mend.
    Valid,
    /// It is right for longer in each of these.
    Ways(Vec<Way>),
}

/// An edit that gets this much further has mended the fault.
const CLEARLY_FURTHER: usize = 48;
/// So has one that is this likely and gets this much further.
const CONVINCING: f32 = 6.0;
const FURTHER: usize = 8;
/// How far in front of the viable prefix's end the cause of a fault is looked for: at once, and with
/// the less likely edits.
pub(super) const JUST_IN_FRONT: usize = 24;
const IN_FRONT: usize = 160;
/// And if nothing else helps.
const FAR_IN_FRONT: usize = 1200;
/// In a region no longer than this every byte that can be typed is tried.
const EVERY_BYTE: usize = 64;
/// Regions longer than this are not searched byte by byte.
const LONGEST_REGION: usize = 600;

/// The likeliest edits, which are tried with each reach before any others are, and how many times as
/// many are after each round.
const FIRST_ROUND: usize = 32;
const ROUND_GROWS: usize = 4;

/// Of so many of the likeliest edits all pairs are tried early.
const PAIRED: usize = 24;

/// One fault, and what was found against it.
pub(super) struct Fault<'f, 'b> {
    pub(super) guide: &'f Guide<'f>,
    pub(super) way: &'f Way,
    pub(super) validator: &'f mut dyn Validate,
    pub(super) best: &'f mut (dyn FnMut(&[u8]) + 'b),
    pub(super) found: Vec<Way>,
    /// Whether the fault is mended for certain.
    pub(super) is_mended: bool,
    /// What [`Self::without_item`] said, once it was asked.
    next_fault: Option<usize>,
    /// Whether closers made something valid.
    is_completed: bool,
    /// Whether an edit made the text valid.
    pub(super) is_valid: bool,
}

impl<'f, 'b> Fault<'f, 'b> {
    /// The first fault of `way`.
    pub fn new(
        guide: &'f Guide<'f>,
        way: &'f Way,
        validator: &'f mut dyn Validate,
        best: &'f mut (dyn FnMut(&[u8]) + 'b),
    ) -> Self {
        Fault {
            guide,
            way,
            validator,
            best,
            found: Vec::new(),
            is_mended: false,
            next_fault: None,
            is_completed: way.completed_by.is_some(),
            is_valid: false,
        }
    }

    /// Looks for ways past it.
    pub fn mend(mut self) -> Result<Mended, Stopped> {
        self.stages()?;
        let is_over = self.is_valid || (self.found.is_empty() && self.is_completed);
        Ok(if is_over { Mended::Valid } else { Mended::Ways(self.found) })
    }

    /// Whether no further stage is needed.
    pub(super) fn is_over(&self) -> bool {
        self.is_valid || self.is_mended
    }

    /// Whether there is a way to go on, so that what is unlikely need not be tried.
    pub(super) fn has_any(&self) -> bool {
        self.is_over() || self.is_completed || !self.found.is_empty()
    }

    fn stages(&mut self) -> Result<(), Stopped> {
        let most = self.guide.allowance.edits;
        let (reaches, first_reaches): (&[Reach], &[Reach]) = match self.way.completed_by {
            Some(_) => (&[Reach::Cut], &[Reach::Cut]),
            None => (&[Reach::Cut, Reach::Edit, Reach::NextCut], &[Reach::Cut, Reach::Edit]),
        };
        let start = self.way.viable.at;
        // The separator at a cut belongs to the region: it may be the fault.
        let end_at = |rest: usize| {
            let cut = self.way.text.len() - rest;
            (cut + 1).min(self.way.text.len()).min(start + LONGEST_REGION)
        };
        let region = start..end_at(self.way.rest);
        let wide = start.saturating_sub(IN_FRONT)..end_at(self.way.beyond_rest);

        let near = self.singles(start.saturating_sub(JUST_IN_FRONT)..region.end, FIRST_ROUND);
        let likely = near.partition_point(|edit| edit.gain > 0.0);
        if self.try_each(first_reaches, alone(&near[..likely]))? {
            return Ok(());
        }
        if self.guide.drops() {
            return self.deletions(region, wide, reaches, first_reaches);
        }
        let every = region.start..region.end.min(region.start + EVERY_BYTE);
        let nearly = start.saturating_sub(JUST_IN_FRONT)..every.end;
        let singles = self.singles(wide.clone(), most);
        let sets = alone(&singles);
        // Which reach tells is not known: where quotes are out of step the likeliest edits would wait
        // behind all unlikely ones that can't help up to the cut. So all take turns.
        let mut done = 0;
        while done < sets.len() {
            let round = done..sets.len().min(FIRST_ROUND.max(done * ROUND_GROWS));
            if self.try_each(reaches, &sets[round.clone()])? {
                return Ok(());
            }
            if done == 0 {
                // A keyword that lacks a byte is known, and what it lacks is likely nowhere.
                let words = edits::words(&self.way.text, nearly.clone(), self.guide.likelihood);
                if self.try_each(first_reaches, alone(&words))? {
                    return Ok(());
                }
            }
            done = round.end;
            if self.gets_to_the_next_fault()? {
                return Ok(());
            }
            if done == sets.len().min(FIRST_ROUND * ROUND_GROWS) && self.found.is_empty() {
                // Two faults may be so close that only both edits at once get any further.
                let likely = &singles[..singles.len().min(PAIRED)];
                let pairs = pairs(likely, self.guide.allowance.pairs);
                if self.try_each(first_reaches, &pairs)? {
                    return Ok(());
                }
            }
        }
        if !self.is_completed {
            let (text, likelihood) = (&self.way.text, self.guide.likelihood);
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
            self.try_edits(Reach::Cut, &pairs)?;
        }
        if !self.has_any() {
            self.drop_items(usize::MAX, Self::has_any)?;
        }
        Ok(())
    }

    /// Whether an edit was found that gets as far as the text does without the faulty item: up to the
    /// next fault, then, and no other edit of this one gets past that.
    fn gets_to_the_next_fault(&mut self) -> Result<bool, Stopped> {
        let Some(least) = self.found.iter().map(Way::behind).min() else { return Ok(false) };
        let behind = match self.next_fault {
            Some(behind) => behind,
            None => self.without_item()?,
        };
        self.next_fault = Some(behind);
        Ok(least <= behind)
    }

    /// How much lies behind what is right once the faulty item is gone, with or without a separator.
    fn without_item(&mut self) -> Result<usize, Stopped> {
        let way = self.way;
        let cut = way.text.len() - way.rest;
        let mut least = way.rest;
        for end in cut..=(cut + 1).min(way.text.len()) {
            let without = [&way.text[..way.viable.at], &way.text[end..]].concat();
            match self.guide.explore(self.validator, without, &way.viable, self.best)? {
                Explored::Valid => return Ok(0),
                Explored::Until(without) => least = least.min(without.behind()),
            }
        }
        Ok(least)
    }

    /// Longer deletions in the region, then edits of one byte far in front of what was tried.
    pub(super) fn try_unlikely(
        &mut self,
        region: Range<usize>,
        tried_from: usize,
    ) -> Result<(), Stopped> {
        let (text, most) = (&self.way.text, self.guide.allowance.edits);
        let longer = edits::longer_deletions(text, region, self.guide.likelihood, most);
        self.try_edits(Reach::Cut, alone(&longer))?;
        if self.has_any() {
            return Ok(());
        }
        let far_in_front = self.way.viable.at.saturating_sub(FAR_IN_FRONT);
        let far = self.singles(far_in_front..tried_from, most);
        self.try_edits(Reach::Cut, alone(&far))
    }

    /// The likeliest edits of one byte.
    pub(super) fn singles(&self, region: Range<usize>, most: usize) -> Vec<Edit<'static>> {
        let Way { text, viable, .. } = self.way;
        let region = region.start..region.end.min(text.len());
        let clues = Clues::of(self.way, self.guide.layout, region.clone());
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
        reaches: &[Reach],
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

    /// Tries sets of edits; those that make a longer prefix viable are ways to go on. Ends when
    /// one makes the text valid or has clearly mended the fault.
    pub(super) fn try_edits<const N: usize>(
        &mut self,
        reach: Reach,
        candidates: &[[Edit<'_>; N]],
    ) -> Result<(), Stopped> {
        self.try_until(self.way.rest, reach, candidates)
    }

    /// The same with another measure than the way's own of how much may lie behind the cut.
    pub(super) fn try_until<const N: usize>(
        &mut self,
        rest: usize,
        reach: Reach,
        candidates: &[[Edit<'_>; N]],
    ) -> Result<(), Stopped> {
        let way = self.way;
        let starts = candidates.iter().filter_map(|edits| edits.first());
        let Some(first) = starts.map(|edit| edit.at).min() else { return Ok(()) };
        let anchor = if first < way.viable.at {
            Place::start(self.guide.layout).moved(&way.text, first)
        } else {
            way.viable.clone()
        };
        // A cut that is looked for may lie in front of the edit.
        let last = way.text.len() - rest.max(way.beyond_rest);
        let trail = Trail::new(anchor, &way.text, last);
        let mut edited = Vec::new();
        let is_telling = |edits: &&[Edit<'_>; N]| {
            // What lies in front of the fault is right up to the next cut whatever it is replaced by.
            let is_behind = reach != Reach::Edit || end_of(*edits) > way.viable.at;
            let Some(closers) = way.completed_by.filter(|_| is_behind) else { return is_behind };
            // And what is valid once it is closed is so with most edits: only one that leaves less to
            // close may have mended it.
            edits.iter().any(|edit| edit.has_mark(&way.text)) && {
                apply_all(*edits, &way.text, &mut edited);
                let end = trail.in_front_of(edits[0].at).next(&edited, |_| false);
                end.outline.closers() < closers
            }
        };
        let candidates: Vec<&[Edit<'_>; N]> = candidates.iter().filter(is_telling).collect();
        let (mut from, mut looked_at) = (0, 0);
        while looked_at < self.guide.allowance.ways {
            let mut untried = candidates[from..].iter();
            let answer = self.validator.first_valid(&mut |buffer| {
                let Some(&edits) = untried.next() else { return false };
                apply_all(edits, &way.text, &mut edited);
                let place = trail.in_front_of(edits[0].at);
                let place = match reach {
                    Reach::Cut => place.next(&edited, |at| edited.len() - at <= rest),
                    Reach::NextCut => {
                        place.next(&edited, |at| edited.len() - at <= way.beyond_rest)
                    }
                    Reach::Edit => {
                        let content = content_behind(edits, &way.text, &edited);
                        place.next(&edited, |at| at > content)
                    }
                };
                self.guide.complete(&edited, &place, buffer);
                true
            })?;
            let Some((index, _)) = answer else { return Ok(()) };
            let edits = candidates[from + index];
            let mut text = Vec::new();
            apply_all(edits, &way.text, &mut text);
            from += index + 1;
            looked_at += 1;
            let origin = trail.in_front_of(edits[0].at.min(way.viable.at + 1));
            match self.guide.explore(self.validator, text, origin, self.best)? {
                Explored::Valid => {
                    self.is_valid = true;
                    return Ok(());
                }
                Explored::Until(mut further) => {
                    let gained = way.behind().saturating_sub(further.behind());
                    let gain = edits.iter().map(|edit| edit.gain).sum::<f32>();
                    further.gain = way.gain + gain;
                    self.is_valid |= further.completed_by == Some(1);
                    self.is_completed |= further.completed_by.is_some();
                    let has_closed = further.completed_by.is_some() && way.completed_by.is_some();
                    if (gained > 0 || has_closed)
                        && self.found.iter().all(|it| it.text != further.text)
                    {
                        self.found.push(further);
                    }
                    // What was dropped behind the prefix is not right.
                    let dropped = |edit: &Edit<'_>| {
                        let lost = edit.end.saturating_sub(edit.at.max(way.viable.at));
                        lost.saturating_sub(edit.new.len())
                    };
                    let gained = gained.saturating_sub(edits.iter().map(dropped).sum());
                    self.is_mended |= has_closed
                        || gained >= CLEARLY_FURTHER
                        || (gained >= FURTHER && gain >= CONVINCING);
                    if self.is_over() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}
