//! Repair fault by fault from the left: find where a text stops being right, and mend it there.
//!
//! A prefix is *viable* if some completion of it is valid; it is tried with the closers of what
//! is open ([`structure::outline`](crate::structure::outline)). The longest viable prefix is found
//! by bisection. The fault lies between it and the next place where the text can be cut, or a
//! little in front. There, edits are tried by how much likelier they make the text
//! ([`super::likelihood`]); one that makes a longer prefix viable is kept. Where several do,
//! the one that gets furthest is followed and the others are come back to.
//!
//! 'Debugging Inputs', section 9, names input synthesis, learned structure and the *incomplete or
//! incorrect* signal; this is all three, without a grammar.

use std::ops::Range;

use super::edits::{self, Edit};
use super::likelihood::Likelihood;
use super::validate::Validate;
use crate::oracle::Stopped;
use crate::structure::outline::{Layout, Place};

/// How hard each stage tries, in candidates.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Edits tried in the region of a fault, and as many in front of it.
    pub edits: usize,
    /// Pairs of edits.
    pub pairs: usize,
    /// Ways to mend one fault that are looked at before the best is followed.
    pub ways: usize,
    /// Cuts, further and further on, at which a prefix is tried once it is not viable at one.
    pub probes: u32,
    /// Faults that are mended, those of abandoned ways included.
    pub faults: usize,
}

impl Allowance {
    /// For validators that cost microseconds a test.
    pub const QUICK: Allowance =
        Allowance { edits: 1500, pairs: 3000, ways: 4, probes: 20, faults: 100 };
    /// For validators that cost a process a test.
    pub const SLOW: Allowance = Allowance { edits: 200, pairs: 40, ways: 2, probes: 4, faults: 40 };
}

/// What a repair by guidance knows and may do.
pub struct Guide<'g> {
    /// What texts of this kind look like.
    pub likelihood: &'g Likelihood,
    /// How the text is laid out.
    pub layout: Layout,
    /// Whether nothing may be added.
    pub only_delete: bool,
    /// How hard to try.
    pub allowance: Allowance,
}

/// A text that is right up to a place.
#[derive(Clone)]
struct Way {
    text: Vec<u8>,
    /// The end of the longest viable prefix.
    viable: Place,
    /// How much of the text lies behind the first cut at which it is not viable.
    rest: usize,
    /// How many closers at its end make the whole text valid, if they do. That is a repair, but
    /// where several are needed, or a quotation swallows what was none, rarely the closest.
    completed_by: Option<usize>,
}

impl Way {
    /// How much lies behind what is right.
    fn behind(&self) -> usize {
        self.text.len() - self.viable.at
    }
}

/// How far a text has to be right for an edit to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Up to the cut at which it was not.
    Cut,
    /// Up to the next cut behind the edit: where quotes or brackets are out of step the cut may lie
    /// behind the next fault.
    Edit,
}

/// An edit that gets this much further has mended the fault.
const CLEARLY_FURTHER: usize = 48;
/// How far in front of the region of a fault its cause is looked for, step by step.
const IN_FRONT: [usize; 3] = [24, 160, 1200];
/// In a region no longer than this every byte that can be typed is tried.
const EVERY_BYTE: usize = 64;
/// Regions longer than this are not searched byte by byte.
const LONGEST_REGION: usize = 600;

impl Guide<'_> {
    /// Mends `input`, and tells whether it was. `best` gets every valid text on the way, the
    /// repair too.
    pub fn repair(
        &self,
        validator: &mut dyn Validate,
        input: &[u8],
        best: &mut dyn FnMut(&[u8]),
    ) -> Result<bool, Stopped> {
        let start = Place::start(self.layout);
        let mut ways = match self.explore(validator, input.to_vec(), &start, best)? {
            Explored::Valid => return Ok(true),
            Explored::Until(way) => vec![way],
        };
        if ways[0].completed_by == Some(1) {
            return Ok(true);
        }
        for _ in 0..self.allowance.faults {
            // The one that got furthest; of equals the one found first.
            let Some(index) = (0..ways.len()).min_by_key(|index| ways[*index].behind()) else {
                return Ok(false);
            };
            let way = ways.remove(index);
            match self.mend(validator, &way, best)? {
                Mended::Valid => return Ok(true),
                Mended::Ways(found) => ways.splice(0..0, found),
            };
        }
        Ok(false)
    }

    /// Writes `text` up to a cut, completed, into an empty buffer.
    fn complete(&self, text: &[u8], place: &Place, out: &mut Vec<u8>) {
        out.extend_from_slice(&text[..place.at]);
        place.outline.close(out);
    }

    /// Finds the longest viable prefix of `text`, which is taken to be viable up to `from`.
    fn explore(
        &self,
        validator: &mut dyn Validate,
        text: Vec<u8>,
        from: &Place,
        best: &mut dyn FnMut(&[u8]),
    ) -> Result<Explored, Stopped> {
        if validator.is_valid(&text)? {
            best(&text);
            return Ok(Explored::Valid);
        }
        let cuts = from.all(&text);
        let mut viable = from.clone();
        // Cuts up to `low` (exclusive) are viable, the one at `high` is not.
        let (mut low, mut high, mut step) = (0, cuts.len(), 1);
        let mut completed = Vec::new();
        let mut completed_by = None;
        while low < high {
            let at =
                if high == cuts.len() { (low + step - 1).min(high - 1) } else { (low + high) / 2 };
            let place = viable.moved(&text, cuts[at]);
            completed.clear();
            self.complete(&text, &place, &mut completed);
            let is_whole = completed.len() == text.len();
            if !is_whole && validator.is_valid(&completed)? {
                let is_allowed = !self.only_delete || completed.len() == place.at;
                if is_allowed {
                    best(&completed);
                }
                if place.at == text.len() {
                    completed_by = is_allowed.then_some(completed.len() - text.len());
                    // Something is wrong all the same, in front of the end.
                    high = at;
                    continue;
                }
                viable = place;
                low = at + 1;
                step *= 2;
            } else {
                high = at;
            }
            if low == high
                && let Some((place, next)) = self.beyond(validator, &text, &viable, &cuts[low..])?
            {
                // The cut was none: the text is not viable there, and it is further on.
                viable = place;
                (low, high, step) = (low + next, cuts.len(), 1);
            }
        }
        let rest = text.len() - cuts.get(low).copied().unwrap_or(text.len());
        Ok(Explored::Until(Way { text, viable, rest, completed_by }))
    }

    /// Looks for a viable prefix that ends further on than the first of `cuts`, at which there is
    /// none: the place, and how many of the cuts it leaves behind.
    fn beyond(
        &self,
        validator: &mut dyn Validate,
        text: &[u8],
        viable: &Place,
        cuts: &[usize],
    ) -> Result<Option<(Place, usize)>, Stopped> {
        let steps = (0..self.allowance.probes.min(usize::BITS - 1)).map(|power| 1usize << power);
        let mut untried = steps.map_while(|step| cuts.get(step).filter(|at| **at < text.len()));
        let mut tried = Vec::new();
        let answer = validator.first_valid(&mut |buffer| {
            let Some(at) = untried.next() else { return false };
            let place = viable.moved(text, *at);
            self.complete(text, &place, buffer);
            tried.push(place);
            true
        })?;
        Ok(answer.map(|(index, _)| (tried.swap_remove(index), (1 << index) + 1)))
    }

    /// Looks for ways past the first fault.
    fn mend(
        &self,
        validator: &mut dyn Validate,
        way: &Way,
        best: &mut dyn FnMut(&[u8]),
    ) -> Result<Mended, Stopped> {
        let text = &way.text;
        let cut = text.len() - way.rest;
        // The separator at the cut belongs to the region: it may be the fault.
        let mut region = way.viable.at..(cut + 1).min(text.len());
        region.end = region.end.min(region.start + LONGEST_REGION);
        let most = self.allowance.edits;
        let is_completed = way.completed_by.is_some();
        let mut trial = Trial { validator, best, found: Vec::new(), is_completed };
        let sets = |edits: &[Edit<'static>]| -> Vec<Vec<Edit<'static>>> {
            edits.iter().take(most).map(|edit| vec![*edit]).collect()
        };
        let singles = self.singles(way, region.clone());
        if self.try_edits(&mut trial, way, (&way.viable, Reach::Cut), &sets(&singles))? {
            return Ok(Mended::Valid);
        }
        if !trial.is_over() && !self.only_delete {
            let mut known = edits::words(text, region.clone(), self.likelihood);
            let near = region.start..region.end.min(region.start + EVERY_BYTE);
            known.extend(edits::any_byte(text, near, self.likelihood, most));
            let sets: Vec<_> = known.into_iter().map(|edit| vec![edit]).collect();
            if self.try_edits(&mut trial, way, (&way.viable, Reach::Cut), &sets)? {
                return Ok(Mended::Valid);
            }
        }
        if !trial.is_over() {
            let sets = sets(&singles);
            if self.try_edits(&mut trial, way, (&way.viable, Reach::Edit), &sets)? {
                return Ok(Mended::Valid);
            }
        }
        if trial.found.is_empty() {
            let longer = edits::longer_deletions(text, region.clone(), self.likelihood, most);
            if self.try_edits(&mut trial, way, (&way.viable, Reach::Cut), &sets(&longer))? {
                return Ok(Mended::Valid);
            }
        }
        // The cause may lie in front of where it shows.
        let mut right = region.start;
        for reach in IN_FRONT {
            if trial.is_over() || right == 0 {
                break;
            }
            let window = region.start.saturating_sub(reach)..right;
            right = window.start;
            let anchor = Place::start(self.layout).moved(text, window.start);
            let edits = self.singles(way, window);
            if self.try_edits(&mut trial, way, (&anchor, Reach::Cut), &sets(&edits))? {
                return Ok(Mended::Valid);
            }
        }
        if !trial.is_over() && !self.only_delete {
            let pairs = pairs(&singles, self.allowance.pairs);
            if self.try_edits(&mut trial, way, (&way.viable, Reach::Cut), &pairs)? {
                return Ok(Mended::Valid);
            }
        }
        if !trial.is_over() && self.drop_items(&mut trial, way)? {
            return Ok(Mended::Valid);
        }
        let is_over = trial.found.is_empty() && trial.is_completed;
        Ok(if is_over { Mended::Valid } else { Mended::Ways(trial.found) })
    }

    fn singles(&self, way: &Way, region: Range<usize>) -> Vec<Edit<'static>> {
        if self.only_delete {
            edits::single_deletions(&way.text, region, self.likelihood)
        } else {
            edits::single(&way.text, region, self.likelihood, way.viable.outline.innermost())
        }
    }

    /// Tries sets of edits; those that make a longer prefix viable are ways to go on. Ends and
    /// returns true when one makes the text valid.
    fn try_edits(
        &self,
        trial: &mut Trial<'_, '_>,
        way: &Way,
        (anchor, reach): (&Place, Reach),
        candidates: &[Vec<Edit<'_>>],
    ) -> Result<bool, Stopped> {
        let mut edited = Vec::new();
        let (mut from, mut looked_at) = (0, 0);
        loop {
            let mut untried = candidates[from..].iter();
            let answer = trial.validator.first_valid(&mut |buffer| {
                let Some(edits) = untried.next() else { return false };
                apply_all(edits, &way.text, &mut edited);
                let place = match reach {
                    Reach::Cut => anchor.next(&edited, |at| edited.len() - at <= way.rest),
                    Reach::Edit => {
                        let end = edited.len() - (way.text.len() - last_end(edits));
                        let is_blank = u8::is_ascii_whitespace;
                        let content = edited[end..].iter().position(|byte| !is_blank(byte));
                        let content = content.map_or(edited.len(), |skipped| end + skipped);
                        anchor.next(&edited, |at| at > content)
                    }
                };
                self.complete(&edited, &place, buffer);
                true
            })?;
            let Some((index, _)) = answer else { return Ok(false) };
            let mut text = Vec::new();
            apply_all(&candidates[from + index], &way.text, &mut text);
            from += index + 1;
            match self.explore(trial.validator, text, anchor, trial.best)? {
                Explored::Valid => return Ok(true),
                Explored::Until(further) => {
                    let gained = way.behind().saturating_sub(further.behind());
                    looked_at += 1;
                    if further.completed_by.is_some() {
                        trial.is_completed = true;
                    } else if gained > 0 {
                        trial.found.push(further);
                        if gained >= CLEARLY_FURTHER {
                            return Ok(false);
                        }
                    }
                    if looked_at >= self.allowance.ways {
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Drops what lies between the viable prefix and one of the cuts behind it.
    fn drop_items(&self, trial: &mut Trial<'_, '_>, way: &Way) -> Result<bool, Stopped> {
        let text = &way.text;
        let cuts = way.viable.all(text);
        let start = way.viable.at;
        let mut ends: Vec<usize> = Vec::new();
        let (mut index, mut step) = (0, 1);
        while let Some(cut) = cuts.get(index) {
            ends.extend([*cut, (*cut + 1).min(text.len())]);
            // One by one at first, then in growing steps.
            step += usize::from(index >= 16);
            index += step;
        }
        ends.push(text.len());
        ends.dedup();
        for end in ends.into_iter().filter(|end| *end > start) {
            // The prefix alone is viable: something behind the gap has to be, too.
            let beyond = Way { rest: (text.len() - end).saturating_sub(1), ..way.clone() };
            let gap = Edit { at: start, end, new: b"", gain: 0.0 };
            if self.try_edits(trial, &beyond, (&way.viable, Reach::Cut), &[vec![gap]])? {
                return Ok(true);
            }
            if trial.is_over() {
                break;
            }
        }
        Ok(false)
    }
}

/// What is tried, and what came of it.
struct Trial<'t, 'b> {
    validator: &'t mut dyn Validate,
    best: &'t mut (dyn FnMut(&[u8]) + 'b),
    found: Vec<Way>,
    /// Whether closers made something valid.
    is_completed: bool,
}

impl Trial<'_, '_> {
    fn is_over(&self) -> bool {
        self.is_completed || !self.found.is_empty()
    }
}

enum Explored {
    Valid,
    Until(Way),
}

enum Mended {
    Valid,
    Ways(Vec<Way>),
}

/// Two edits at once, the likeliest together first.
fn pairs<'w>(singles: &[Edit<'w>], most: usize) -> Vec<Vec<Edit<'w>>> {
    let mut pairs = Vec::new();
    // Pairs by the sum of their ranks.
    for sum in 1..singles.len() * 2 {
        for low in 0..=(sum - 1) / 2 {
            let high = sum - low;
            let Some(right) = singles.get(high) else { continue };
            let (first, second) = if singles[low].at < right.at {
                (singles[low], *right)
            } else {
                (*right, singles[low])
            };
            if first.end <= second.at && first.at != second.at {
                pairs.push(vec![first, second]);
            }
            if pairs.len() >= most {
                return pairs;
            }
        }
    }
    pairs
}

/// Where the last of some edits, which are in order of place, ends in the text before them.
fn last_end(edits: &[Edit<'_>]) -> usize {
    edits.last().map_or(0, |edit| edit.end)
}

/// Writes `text` with edits, which are in order of place, into `out`.
fn apply_all(edits: &[Edit<'_>], text: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut done = 0;
    for edit in edits {
        out.extend_from_slice(&text[done..edit.at]);
        out.extend_from_slice(edit.new);
        done = edit.end;
    }
    out.extend_from_slice(&text[done..]);
}
