//! How long mutants may get: libFuzzer's own control of lengths, which it turns off where there is
//! a custom mutator. Ours is libFuzzer's own in the end and wants short inputs first, too.
//!
//! The rule is that of libFuzzer's `-len_control=100`: while nothing new is found, the limit grows
//! by its own logarithm at certain numbers of runs.

/// Runs without anything new, times the limit's logarithm, before the limit grows: 100, because
/// libFuzzer's `-len_control` has that default.
const RUNS_PER_LOGARITHM: u64 = 100;
/// The limit at the beginning, unless an input is longer. A guess: libFuzzer begins with 4 bytes, so
/// short that no piece of a format fits.
const MIN_LIMIT_BYTES: usize = 64;

/// The limit, and since when nothing was found.
#[derive(Debug)]
pub(super) struct Length {
    limit: usize,
    runs: u64,
}

impl Length {
    /// Begins short.
    pub(super) fn new() -> Self {
        Length { limit: MIN_LIMIT_BYTES, runs: 0 }
    }

    /// The longest mutant that may be made now of an input of `size` bytes; at most `max_size`.
    pub(super) fn limit(&mut self, size: usize, is_new: bool, max_size: usize) -> usize {
        self.runs = if is_new { 0 } else { self.runs + 1 };
        // A parent is as long as it is: the limit of its mutants is no shorter.
        self.limit = self.limit.max(size);
        let logarithm = u64::from(self.limit.ilog2()).max(1);
        if self.limit < max_size && self.runs > RUNS_PER_LOGARITHM * logarithm {
            self.limit += logarithm as usize;
            self.runs = 0;
        }
        self.limit.min(max_size)
    }
}

impl Length {
    /// Records this many runs elsewhere. libFuzzer gets their finds later.
    pub(super) fn ran(&mut self, runs: usize) {
        self.runs += runs as u64;
    }
}

/// How much longer than most of them a parent is: its mutants take as much longer to run.
#[derive(Debug)]
pub(super) struct Parents {
    /// About the median of the parents that libFuzzer picks.
    usual: f64,
}

/// By which part of the difference the median follows one parent, so that it is that of the last 32
/// parents or so. Not measured.
const MEDIAN_STEP: f64 = 1.0 / 32.0;

impl Parents {
    /// Nothing was seen.
    pub(super) fn new() -> Self {
        Parents { usual: MIN_LIMIT_BYTES as f64 }
    }

    /// About the median of their lengths.
    pub(super) fn usual(&self) -> usize {
        self.usual as usize
    }

    /// Whether it is the turn of a valid parent of `size` bytes, by a random number. One that is
    /// twice as long as usual has a quarter of the turns: the same time and no more, with half as
    /// many mutants in a lot.
    pub(super) fn is_its_turn(&mut self, size: usize, random: u32) -> bool {
        let size = size.max(1) as f64;
        self.usual *= if size > self.usual { 1.0 + MEDIAN_STEP } else { 1.0 - MEDIAN_STEP };
        self.usual = self.usual.max(1.0);
        let turns = (self.usual / size).powi(2);
        f64::from(random) < turns * f64::from(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedsmith_grammar::Random;

    #[test]
    fn the_limit_grows_only_while_nothing_is_found() {
        let mut length = Length::new();
        for _ in 0..10_000 {
            assert_eq!(length.limit(10, true, 1024), MIN_LIMIT_BYTES);
        }
        let limits: Vec<usize> = (0..100_000).map(|_| length.limit(10, false, 1024)).collect();
        assert!(limits.is_sorted() && *limits.last().unwrap() > 500, "{:?}", limits.last());
        assert!(limits.iter().all(|limit| *limit <= 1024));
        assert_eq!(Length::new().limit(700, false, 600), 600);
    }

    #[test]
    fn a_parent_that_is_longer_than_most_has_fewer_turns_and_a_short_one_all() {
        let (mut parents, mut random) = (Parents::new(), Random::new(1));
        let sizes = [100, 200, 400, 800];
        let mut turns = [0; 4];
        for number in 0..40_000 {
            let which = number % 4;
            let one = random.below(1 << 32) as u32;
            turns[which] += u32::from(parents.is_its_turn(sizes[which], one));
        }
        let [shortest, _, third, longest] = turns;
        assert!(shortest > 9_900 && third < 5_500 && longest * 3 < third, "{turns:?}");
        assert!(longest > 100, "{turns:?}");
    }
}
