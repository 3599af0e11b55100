//! How long mutants may get: libFuzzer's own control of lengths, which it turns off where there is
//! a custom mutator. Ours is libFuzzer's own in the end and wants short inputs first, too.
//!
//! The rule is that of libFuzzer's `-len_control=100`: while nothing new is found, the limit grows
//! by its own logarithm every so many runs.

/// Runs without anything new, times the limit's logarithm, before it grows.
const PATIENCE: u64 = 100;
/// The limit at the beginning, unless an input is longer.
const SHORTEST: usize = 64;

/// The limit, and since when nothing was found.
#[derive(Debug)]
pub struct Length {
    limit: usize,
    runs: u64,
}

impl Length {
    /// Begins short.
    pub fn new() -> Self {
        Length { limit: SHORTEST, runs: 0 }
    }

    /// The longest mutant that may be made now of an input of `size` bytes; at most `max_size`.
    pub fn limit(&mut self, size: usize, is_new: bool, max_size: usize) -> usize {
        self.runs = if is_new { 0 } else { self.runs + 1 };
        // A parent is as long as it is: the limit of its mutants is no shorter.
        self.limit = self.limit.max(size);
        let logarithm = u64::from(self.limit.ilog2()).max(1);
        if self.limit < max_size && self.runs > PATIENCE * logarithm {
            self.limit += logarithm as usize;
            self.runs = 0;
        }
        self.limit.min(max_size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_grows_only_while_nothing_is_found() {
        let mut length = Length::new();
        for _ in 0..10_000 {
            assert_eq!(length.limit(10, true, 1024), SHORTEST);
        }
        let limits: Vec<usize> = (0..100_000).map(|_| length.limit(10, false, 1024)).collect();
        assert!(limits.is_sorted() && *limits.last().unwrap() > 500, "{:?}", limits.last());
        assert!(limits.iter().all(|limit| *limit <= 1024));
        assert_eq!(Length::new().limit(700, false, 600), 600);
    }
}
