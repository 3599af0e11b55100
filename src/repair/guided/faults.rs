//! One fault after the other: the way that got furthest is followed, the others are come back to.

use super::allowance::Allowance;
use super::fault::Fault;
use super::first_fault::TESTS_BEFORE_SECOND_LOOK;
use super::guide::{Explored, Guide};
use super::stages::Mended;
use crate::repair::validate::Validate;
use crate::repair::validate::capped::Capped;
use seedsmith_engine::Stopped;
use seedsmith_grammar::internal::CutPoint;

/// From this share of the budget on stages are short, because a whole text with an item less is better
/// than a prefix (docs/notes/2026-11-21-repair.md).
const HASTY_SHARE: f64 = 0.5;
/// From this share on a repair that still has `LATE_BYTES` before it leaves them to lots of lines,
/// which take a few tests a fault. Before, one stage took the last half second of an OBJ file of 73 KB,
/// and 14,217 bytes were lost where 14 are now (docs/notes/2026-11-21-repair.md).
pub(crate) const LATE_SHARE: f64 = 0.75;
/// Bytes after the viable prefix for that: a shorter rest is mended fault by fault, because it has few
/// faults.
const LATE_BYTES: usize = 1024;

/// What became of a text that is not valid yet.
pub(crate) struct Unfinished {
    /// It is right up to some place, and as it was after.
    pub text: Vec<u8>,
    /// Whether the budget is why it is not finished.
    pub is_cut_short: bool,
    /// The furthest offset up to which a text on the way was right.
    pub furthest: usize,
}

impl Guide<'_> {
    /// Mends `input`. Where that isn't done, what became of it until then. `best` gets every valid text on the way, the repair too.
    pub(crate) fn repair(
        &self,
        validator: &mut dyn Validate,
        input: &[u8],
        mut furthest: usize,
        best: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<Unfinished>, Stopped> {
        let start = CutPoint::start(self.layout);
        let mut partial = match self.explore(validator, input.to_vec(), &start, best)? {
            Explored::Valid => return Ok(None),
            Explored::Until(partial) => partial,
        };
        if partial.completed_by == Some(1) {
            return Ok(None);
        }
        let first = partial.clone();
        let begun = validator.counts().tests;
        let mut has_looked_again = false;
        let mut others = Vec::new();
        let mut is_cut_short = false;
        let mut moved_at = validator.counts().tests;
        let mut is_stalled = false;
        for _ in 0..self.allowance.faults {
            let tests = validator.counts().tests;
            if !has_looked_again && tests - begun >= TESTS_BEFORE_SECOND_LOOK && !self.drops() {
                has_looked_again = true;
                if Fault::new(self, &first, validator, best).mend_whole()? {
                    return Ok(None);
                }
            }
            if partial.viable.at > furthest {
                (furthest, moved_at) = (partial.viable.at, tests);
            }
            if tests - moved_at >= self.allowance.stalled_tests {
                if is_stalled {
                    break;
                }
                // Items are dropped from here on, before deletions alone get the rest.
                (is_stalled, moved_at) = (true, tests);
            }
            let ends_at = if partial.behind() > LATE_BYTES { LATE_SHARE } else { 1.0 };
            let mut capped = Capped::until(validator, ends_at);
            if capped.spent() >= 1.0 {
                is_cut_short |= !capped.is_used_up();
                break;
            }
            let hasty = Guide { allowance: Allowance::HASTY, ..*self };
            let is_hasty = is_stalled || capped.spent() >= HASTY_SHARE;
            let guide = if is_hasty { &hasty } else { self };
            let mended = Fault::new(guide, &partial, &mut capped, best).mend()?;
            is_cut_short |= capped.is_cut_short();
            match mended {
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
            partial = others.remove(0);
        }
        Ok(Some(Unfinished { text: partial.text, is_cut_short, furthest }))
    }
}
