//! Which changes of which kinds of pieces come to something: those that do not come up less often.
//!
//! A change counts by the share of its mutants that are valid and by the share of these that libFuzzer keeps.

use seedsmith_grammar::Random;

/// Mutants after which the past counts less, because what brings something new changes as the corpus
/// grows. Not measured.
const MUTANTS_PER_FADE: u32 = 16_384;
/// What the past counts then: half, so that two periods ago counts a quarter. Not measured.
const PAST_WEIGHT: f32 = 0.5;
/// Mutants after which the best change is looked for, so that comparing 120 changes is not done for each
/// mutant.
const MUTANTS_BETWEEN_LOOKS: u32 = 64;
/// A change that hardly ever brings anything is still tried in this share of its turns, because it may
/// bring something in another part of the corpus. Not measured.
const MIN_SHARE_OF_TURNS: f32 = 0.08;
/// Kept inputs at the usual rate that every change is assumed to have brought already, so that one find
/// does not decide. Not measured.
const PRIOR_KEPT_INPUTS: f32 = 4.0;

/// Mutants of one change, valid ones of these, and how many of these libFuzzer has kept.
///
/// Fractions, because the past counts less.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    made: f32,
    valid: f32,
    kept: f32,
}

/// Counts by change.
#[derive(Debug)]
pub(super) struct Success {
    counts: Vec<Count>,
    /// The share of valid mutants that libFuzzer keeps, over all changes.
    usual: f32,
    best: f32,
    told: u32,
}

impl Success {
    /// Nothing is known of this many changes.
    ///
    /// At first all changes are equally good, so each gets its turns.
    pub(super) fn new(changes: usize) -> Self {
        Success { counts: vec![Count::default(); changes], usual: 0.01, best: 0.01, told: 0 }
    }

    /// The share of valid mutants times the share of these that libFuzzer keeps. Both begin with a
    /// few imagined mutants, so that one find does not decide.
    fn rate(&self, count: &Count) -> f32 {
        let valid = (count.valid + 1.0) / (count.made + 2.0);
        let kept =
            (count.kept + PRIOR_KEPT_INPUTS) / (count.valid + PRIOR_KEPT_INPUTS / self.usual);
        valid * kept
    }

    /// Whether it is the turn of a change: the less it brings, the fewer turns it has.
    ///
    /// The best change always has its turn, one that brings nothing `MIN_SHARE_OF_TURNS` of them.
    pub(super) fn is_worth(&self, change: usize, random: &mut Random) -> bool {
        let part = (self.rate(&self.counts[change]) / self.best).max(MIN_SHARE_OF_TURNS);
        (random.below(1 << 16) as f32) < part * 65_536.0
    }

    /// Records what came of a change.
    ///
    /// Every `MUTANTS_BETWEEN_LOOKS` mutants the best rate is computed again, every
    /// `MUTANTS_PER_FADE` the past is halved.
    pub(super) fn tell(&mut self, change: usize, is_valid: bool) {
        let count = &mut self.counts[change];
        count.made += 1.0;
        count.valid += f32::from(u8::from(is_valid));
        self.told = self.told.wrapping_add(1);
        if self.told.is_multiple_of(MUTANTS_PER_FADE) {
            for Count { made, valid, kept } in &mut self.counts {
                for count in [made, valid, kept] {
                    *count *= PAST_WEIGHT;
                }
            }
        }
        if self.told.is_multiple_of(MUTANTS_BETWEEN_LOOKS) {
            let (valid, kept) = self
                .counts
                .iter()
                .fold((0.0, 0.0), |sum, one| (sum.0 + one.valid, sum.1 + one.kept));
            self.usual = (kept + 1.0) / (valid + 100.0);
            let tried = self.counts.iter().filter(|count| count.made > 8.0);
            self.best = tried.map(|count| self.rate(count)).fold(self.usual / 4.0, f32::max);
        }
    }

    /// Records that libFuzzer has kept a mutant of a change; numbers of no change are ignored.
    pub(super) fn record_kept(&mut self, change: usize) {
        if let Some(count) = self.counts.get_mut(change) {
            count.kept += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(success: &Success, change: usize) -> usize {
        let mut random = Random::new(1);
        (0..10_000).filter(|_| success.is_worth(change, &mut random)).count()
    }

    #[test]
    fn what_is_never_valid_has_few_turns_and_not_none() {
        let mut success = Success::new(2);
        for _ in 0..1000 {
            success.tell(0, true);
            success.tell(1, false);
        }
        assert!(turns(&success, 0) > 9_000);
        let few = turns(&success, 1);
        assert!((500..1_500).contains(&few), "{few}");
    }

    #[test]
    fn of_changes_that_are_valid_the_one_whose_mutants_are_kept_has_the_most_turns() {
        let mut success = Success::new(2);
        for number in 0..5_000 {
            success.tell(0, true);
            success.tell(1, true);
            if number % 50 == 0 {
                success.record_kept(1);
            }
        }
        success.record_kept(usize::from(u16::MAX));
        assert!(turns(&success, 1) > 9_000);
        assert!(turns(&success, 0) < 5_000);
    }
}
