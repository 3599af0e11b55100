//! Which counts of which blocks were seen so far: what libFuzzer calls features.

/// Counters that are compared with zero in one go, because most of a large program are not reached by one
/// input.
const COUNTERS_PER_COMPARISON: usize = 64;

/// The counts that were seen, a byte for each block and a bit for each class of counts.
#[derive(Debug, Default)]
pub(super) struct Seen(Vec<u8>);

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
    /// Adds the counts of one run, and tells whether one of them is new.
    ///
    /// Counts are put into eight classes of growing size, as libFuzzer does it, so a loop that runs
    /// once more is rarely new.
    pub(super) fn add(&mut self, counts: &[u8]) -> bool {
        self.0.resize(counts.len(), 0);
        let mut fresh = 0;
        for (counts, seen) in
            counts.chunks(COUNTERS_PER_COMPARISON).zip(self.0.chunks_mut(COUNTERS_PER_COMPARISON))
        {
            if counts == &[0; COUNTERS_PER_COMPARISON][..counts.len()] {
                continue;
            }
            for (count, seen) in counts.iter().zip(seen) {
                let class = class(*count);
                fresh |= class & !*seen;
                *seen |= class;
            }
        }
        fresh != 0
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
        let mut seen = Seen::default();
        let mut counts = vec![0; 100];
        assert!(!seen.add(&counts));
        for (block, count) in [(99, 1), (3, 1), (99, 2), (99, 200)] {
            counts[block] = count;
            assert!(seen.add(&counts), "{block} {count}");
            assert!(!seen.add(&counts), "{block} {count}");
        }
        counts[99] = 1;
        assert!(!seen.add(&counts));
    }
}
