//! Which counts of which blocks were seen so far: what libFuzzer calls features.

/// Counters that are looked at in one go, because most counters of a large program are as they were in the run before: 0, or
/// those of a mutant of the same input. An array, so that the compiler knows the length: with a slice this file
/// took 22 % of all samples of a fuzzer of SQL with 12,562 counters (2026-11-23).
type Block = [u8; BLOCK_COUNTERS];

/// The length of a cache line.
const BLOCK_COUNTERS: usize = 64;

/// A class of counts of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Feature {
    block: usize,
    class: u8,
}

/// Whether a run with these counts has all these features.
pub(super) fn has_all(counts: &[u8], features: &[Feature]) -> bool {
    let has = |one: &Feature| counts.get(one.block).is_some_and(|count| class(*count) == one.class);
    features.iter().all(has)
}

/// The counts that were seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// A byte for each block of the target, and a bit for each class of counts.
    classes: Vec<Block>,
    /// The counts of the last run.
    last: Vec<Block>,
}

/// libFuzzer's classes of counts: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, and more. `bit` has no branch, so that
/// the compiler can look at many counts at once.
fn class(count: u8) -> u8 {
    let bit = |is_it: bool, number: u32| u8::from(is_it) << number;
    bit(count == 1, 0)
        | bit(count == 2, 1)
        | bit(count == 3, 2)
        | bit((4..8).contains(&count), 3)
        | bit((8..16).contains(&count), 4)
        | bit((16..32).contains(&count), 5)
        | bit((32..128).contains(&count), 6)
        | bit(count >= 128, 7)
}

impl Seen {
    /// Whether a block was reached.
    pub(super) fn has(&self, block: usize) -> bool {
        let blocks = self.classes.get(block / BLOCK_COUNTERS);
        blocks.is_some_and(|blocks| blocks[block % BLOCK_COUNTERS] != 0)
    }

    /// Adds the counts of one run, and returns whether one of them is new. New ones are left in `fresh`.
    ///
    /// Counts are put into eight classes of growing size, as libFuzzer does it, so a loop that runs
    /// once more is rarely new.
    pub(super) fn add(&mut self, counts: &[u8], fresh: &mut Vec<Feature>) -> bool {
        let (blocks, rest) = counts.as_chunks::<BLOCK_COUNTERS>();
        let length = blocks.len() + 1;
        self.classes.resize(length, [0; BLOCK_COUNTERS]);
        self.last.resize(length, [0; BLOCK_COUNTERS]);
        fresh.clear();
        blocks.iter().enumerate().for_each(|(number, counts)| self.block(number, counts, fresh));
        let mut end = [0; BLOCK_COUNTERS];
        end[..rest.len()].copy_from_slice(rest);
        self.block(blocks.len(), &end, fresh);
        !fresh.is_empty()
    }

    /// Adds the counts of one block.
    fn block(&mut self, number: usize, counts: &Block, fresh: &mut Vec<Feature>) {
        // Not a comparison of arrays, which is a call of `bcmp`, and that is libFuzzer's.
        let differs = |(count, last): (&u8, &u8)| count ^ last;
        let last = &mut self.last[number];
        if counts.iter().zip(&*last).map(differs).fold(0, |all, one| all | one) == 0 {
            return;
        }
        *last = *counts;
        let seen = &mut self.classes[number];
        let new = |(count, seen): (&u8, &u8)| class(*count) & !*seen;
        if counts.iter().zip(&*seen).map(new).fold(0, |all, one| all | one) == 0 {
            return;
        }
        for (offset, (count, seen)) in counts.iter().zip(seen).enumerate() {
            let class = class(*count);
            if class & !*seen != 0 {
                fresh.push(Feature { block: number * BLOCK_COUNTERS + offset, class });
                *seen |= class;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_divided_into_the_classes_of_libfuzzer() {
        let first_of_each = [1, 2, 3, 4, 8, 16, 32, 128];
        for (number, first) in first_of_each.iter().enumerate() {
            let last = first_of_each.get(number + 1).map_or(255, |next| next - 1);
            assert_eq!([class(*first), class(last)], [1 << number; 2]);
        }
        assert_eq!(class(0), 0);
    }

    #[test]
    fn a_block_or_another_class_of_its_count_is_new_once() {
        let (mut seen, mut fresh) = (Seen::default(), Vec::new());
        let mut counts = vec![0; 100];
        assert!(!seen.add(&counts, &mut fresh));
        for (block, count) in [(99, 1), (3, 1), (99, 2), (99, 200)] {
            counts[block] = count;
            assert!(seen.add(&counts, &mut fresh), "{block} {count}");
            assert_eq!(fresh, [Feature { block, class: class(count) }]);
            assert!(has_all(&counts, &fresh));
            assert!(!seen.add(&counts, &mut fresh), "{block} {count}");
        }
        counts[99] = 1;
        assert!(!seen.add(&counts, &mut fresh));
        assert!(!has_all(&counts, &[Feature { block: 99, class: class(200) }]));
    }
}
