//! A row of libFuzzer's mutants: the input that it begins with, and how many mutants a lot of it has.

use std::time::Duration;

/// Mutants of a lot at first: few, because a slow target may need milliseconds for each. A guess, not measured.
const FIRST_LOT_MUTANTS: f64 = 16.0;
/// Mutants of a lot at most, because libFuzzer's table of recent compares is of one run.
const MAX_LOT_MUTANTS: f64 = 64.0;
/// The time that a lot should take: some times what two switches between processes take, and a small part of the 4 ms
/// after which the worker leaves out the rest. A guess, not measured.
const LOT_TIME: Duration = Duration::from_micros(400);
/// By which part of the difference the size of a lot follows the time that the last one took. A guess, not measured.
const LOT_STEP: f64 = 1.0 / 8.0;

/// The input that libFuzzer mutates in this row, and the size of its lots.
pub(super) struct Row {
    /// The input of the corpus.
    pub input: Vec<u8>,
    /// Whether it would not be there without us.
    pub is_ours: bool,
    /// Mutants in a lot.
    pub lot: f64,
}

/// Mutants that the worker is to run.
pub(super) struct Lot {
    /// Their parent.
    pub parent: Vec<u8>,
    /// Whether the parent is the input of the row.
    pub is_of_row: bool,
    /// They.
    pub mutants: Vec<Vec<u8>>,
}

impl Row {
    /// No row has begun.
    pub(super) fn new() -> Self {
        Row { input: Vec::new(), is_ours: false, lot: FIRST_LOT_MUTANTS }
    }

    /// Begins with an input of the corpus.
    pub(super) fn begin(&mut self, input: &[u8], is_ours: bool) {
        self.input.clear();
        self.input.extend_from_slice(input);
        self.is_ours = is_ours;
    }

    /// About how many mutants the worker runs in some time.
    pub(super) fn mutants_in(&self, time: Duration) -> usize {
        (self.lot * time.as_secs_f64() / LOT_TIME.as_secs_f64()) as usize
    }

    /// Follows the time that a lot has taken.
    pub(super) fn follow(&mut self, mutants: usize, took: Duration) {
        let fitting = LOT_TIME.as_secs_f64() * mutants as f64 / took.as_secs_f64().max(1e-6);
        self.lot += (fitting.clamp(1.0, MAX_LOT_MUTANTS) - self.lot) * LOT_STEP;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lot_is_as_large_as_fits_into_its_time() {
        let mut row = Row::new();
        (0..100).for_each(|_| row.follow(row.lot as usize, LOT_TIME * 100));
        assert_eq!(row.lot as usize, 1);
        (0..100).for_each(|_| row.follow(row.lot as usize, Duration::from_nanos(1)));
        assert!(row.lot > 0.9 * MAX_LOT_MUTANTS, "{}", row.lot);
    }
}
