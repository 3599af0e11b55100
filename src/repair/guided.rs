//! Repair fault by fault from the left: find where a text stops being right, and mend it there.
//!
//! A prefix is *viable* if some completion of it is valid; it is tried with the closers of what
//! is open ([`structure::outline`](seedsmith_grammar::structure::outline)). The longest viable prefix is found
//! by bisection. The fault lies between it and the next place where the text can be cut, or a
//! little in front. There, edits are tried by how much likelier they make the text
//! ([`super::likelihood`]); one that makes a longer prefix viable is kept. Where several do,
//! the one that gets furthest is followed and the others are come back to.
//!
//! 'Debugging Inputs', section 9, names input synthesis, learned structure and the *incomplete or
//! incorrect* signal; this is all three, without a grammar.

use super::capped::Capped;
use super::fault::{Fault, Mended};
use super::likelihood::Likelihood;
use super::validate::Validate;
use seedsmith_engine::oracle::Stopped;
use seedsmith_grammar::structure::layout::Layout;
use seedsmith_grammar::structure::outline::{Cuts, Place};

/// How hard each stage tries, in candidates.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Edits tried by each stage.
    pub edits: usize,
    /// Pairs of edits.
    pub pairs: usize,
    /// Ways past one fault that each stage looks at before the best is followed.
    pub ways: usize,
    /// Cuts, further and further on, at which a prefix is tried once it is not viable at one.
    pub probes: u32,
    /// Faults that are mended, those of abandoned ways included.
    pub faults: usize,
    /// Whether items are rather dropped than mended.
    pub drops: bool,
}

impl Allowance {
    /// For validators that cost microseconds a test.
    pub const QUICK: Allowance =
        Allowance { edits: 1500, pairs: 3000, ways: 8, probes: 20, faults: 100, drops: false };
    /// When time is short: what lies between right and right is rather dropped than mended.
    pub const HASTY: Allowance =
        Allowance { edits: 60, pairs: 0, ways: 2, probes: 4, faults: 100, drops: true };
    /// For deletions alone: what they can't mend early is rather dropped.
    pub const DELETIONS: Allowance =
        Allowance { edits: 200, pairs: 0, ways: 4, probes: 20, faults: 30, drops: true };
    /// For validators that cost a process a test.
    pub const SLOW: Allowance =
        Allowance { edits: 200, pairs: 40, ways: 2, probes: 4, faults: 40, drops: false };
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
pub(super) struct Way {
    pub text: Vec<u8>,
    /// The end of the longest viable prefix.
    pub viable: Place,
    /// How much of the text lies behind the first cut at which it is not viable.
    pub rest: usize,
    /// The same of the cut behind that one.
    pub beyond_rest: usize,
    /// How many closers at its end make the whole text valid, if they do. That is a repair, but
    /// where several are needed, or a quotation swallows what was none, rarely the closest.
    pub completed_by: Option<usize>,
    /// How likely the edits up to here are (a sum of logarithms).
    pub gain: f32,
}

/// From this share of the budget on a repair is hasty.
const HASTY_FROM: f64 = 0.5;
/// From this share on a repair that still has so many bytes in front of it leaves them to lots of lines,
/// which take a few tests a fault.
pub(super) const LATE: f64 = 0.75;
const LONG: usize = 1024;
/// Cuts that are tried at once where a test is cheap: asking takes longer than a test.
const SAMPLES: usize = 7;
/// How many bytes of text that is right outweigh an edit that is e times less likely.
pub(super) const BYTES_PER_NAT: f32 = 10.0;

impl Way {
    /// How much lies behind what is right.
    pub fn behind(&self) -> usize {
        self.text.len() - self.viable.at
    }

    /// The higher, the better the way: how far it got, by which edits.
    pub fn worth(&self) -> f32 {
        self.gain - self.behind() as f32 / BYTES_PER_NAT
    }
}

impl Guide<'_> {
    /// Whether only deletions are tried.
    pub(super) fn drops(&self) -> bool {
        self.only_delete || self.allowance.drops
    }

    /// How much of `input` is right, up to its first fault.
    pub fn reach(&self, validator: &mut dyn Validate, input: &[u8]) -> Result<usize, Stopped> {
        let start = Place::start(self.layout);
        Ok(match self.explore(validator, input.to_vec(), &start, &mut |_| {})? {
            Explored::Valid => input.len(),
            Explored::Until(way) => way.viable.at,
        })
    }

    /// Mends `input`. Where that isn't done in time, what became of it until then: right up to some
    /// place, and as it was behind. `best` gets every valid text on the way, the repair too.
    pub fn repair(
        &self,
        validator: &mut dyn Validate,
        input: &[u8],
        best: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<Vec<u8>>, Stopped> {
        let start = Place::start(self.layout);
        let mut way = match self.explore(validator, input.to_vec(), &start, best)? {
            Explored::Valid => return Ok(None),
            Explored::Until(way) => way,
        };
        if way.completed_by == Some(1) {
            return Ok(None);
        }
        let mut others = Vec::new();
        for _ in 0..self.allowance.faults {
            let ends_at = if way.behind() > LONG { LATE } else { 1.0 };
            let mut capped = Capped::until(validator, ends_at);
            if capped.spent() >= 1.0 {
                break;
            }
            let hasty = Guide { allowance: Allowance::HASTY, ..*self };
            let guide = if capped.spent() < HASTY_FROM { self } else { &hasty };
            match Fault::new(guide, &way, &mut capped, best).mend()? {
                Mended::Valid => return Ok(None),
                Mended::Ways(mut found) => {
                    found.append(&mut others);
                    others = found;
                }
            }
            // Of equals the one found first.
            others.sort_by(|left, right| right.worth().total_cmp(&left.worth()));
            if others.is_empty() {
                break;
            }
            way = others.remove(0);
        }
        Ok(Some(way.text))
    }

    /// Writes `text` up to a cut, completed, into an empty buffer.
    pub(super) fn complete(&self, text: &[u8], place: &Place, out: &mut Vec<u8>) {
        out.extend_from_slice(&text[..place.at]);
        place.outline.close(out);
    }

    /// Finds the longest viable prefix of `text`, which is taken to be viable up to `from`.
    pub(super) fn explore(
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
        let mut cuts = Cuts::behind(from, &text);
        let mut viable = from.clone();
        let width = if validator.is_slow() { 1 } else { SAMPLES };
        // Cuts up to `low` (exclusive) are viable, the one at `high` is not, once there is one.
        let (mut low, mut high, mut step) = (0, usize::MAX, 1);
        let mut completed_by = None;
        while low < high {
            let mut samples: Vec<(usize, Place)> = Vec::new();
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
                    // Something is wrong all the same, in front of the end.
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
        Ok(Explored::Until(Way { text, viable, rest, beyond_rest, completed_by, gain: 0.0 }))
    }

    /// Looks for a viable prefix that ends further on than the cut 0 of `cuts`, at which there is
    /// none: the place, and how many of the cuts it leaves behind.
    fn beyond(
        &self,
        validator: &mut dyn Validate,
        text: &[u8],
        viable: &Place,
        cuts: &mut dyn FnMut(usize) -> Option<usize>,
    ) -> Result<Option<(Place, usize)>, Stopped> {
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

/// What came of looking at a text.
pub(super) enum Explored {
    Valid,
    Until(Way),
}
