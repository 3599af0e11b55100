//! Which changes of which kinds of pieces are valid how often: those that hardly ever are come up less often.

use seedsmith_grammar::random::Random;

/// How often the past counts less, in mutants, and by how much.
const FADES_EVERY: u32 = 4096;
const FADES_TO: f32 = 0.5;
/// A change that is hardly ever valid is still tried in so many of its turns.
const LEAST: f32 = 0.08;

/// Mutants of one change, and valid ones of these.
#[derive(Clone, Copy, Debug)]
struct Count {
    made: f32,
    valid: f32,
}

impl Count {
    fn rate(self) -> f32 {
        (self.valid + 1.0) / (self.made + 2.0)
    }
}

/// Counts by change.
#[derive(Debug)]
pub struct Success {
    counts: Vec<Count>,
    best: f32,
    told: u32,
}

impl Success {
    /// Nothing is known of so many changes.
    pub fn new(changes: usize) -> Self {
        Success { counts: vec![Count { made: 0.0, valid: 0.0 }; changes], best: 1.0, told: 0 }
    }

    /// Whether it is the turn of a change: the less often it is valid, the fewer turns it has.
    pub fn is_worth(&self, change: usize, random: &mut Random) -> bool {
        let part = (self.counts[change].rate() / self.best).max(LEAST);
        (random.below(1 << 16) as f32) < part * 65_536.0
    }

    /// Takes note of what came of a change.
    pub fn tell(&mut self, change: usize, is_valid: bool) {
        let count = &mut self.counts[change];
        count.made += 1.0;
        count.valid += f32::from(u8::from(is_valid));
        self.told = self.told.wrapping_add(1);
        if self.told.is_multiple_of(FADES_EVERY) {
            for count in &mut self.counts {
                count.made *= FADES_TO;
                count.valid *= FADES_TO;
            }
        }
        if self.told.is_multiple_of(64) {
            let rates =
                self.counts.iter().filter(|count| count.made > 8.0).map(|count| count.rate());
            self.best = rates.fold(LEAST, f32::max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_never_valid_has_few_turns_and_not_none() {
        let (mut success, mut random) = (Success::new(2), Random::new(1));
        for _ in 0..1000 {
            success.tell(0, true);
            success.tell(1, false);
        }
        let turns = |change, random: &mut Random| {
            (0..10_000).filter(|_| success.is_worth(change, random)).count()
        };
        assert!(turns(0, &mut random) > 9_000);
        let few = turns(1, &mut random);
        assert!((500..1_500).contains(&few), "{few}");
    }
}
