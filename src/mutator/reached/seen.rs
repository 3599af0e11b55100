//! Which counts of which blocks were seen so far: what libFuzzer calls features.

/// Counters that are compared with zero in one go, because most of a large program are not reached by one
/// input.
const COUNTERS_PER_COMPARISON: usize = 64;

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
    /// Adds the counts of one run, and tells whether one of them is new. What is new is left in `fresh`.
    ///
    /// Counts are put into eight classes of growing size, as libFuzzer does it, so a loop that runs
    /// once more is rarely new.
    pub(super) fn add(&mut self, counts: &[u8], fresh: &mut Vec<Feature>) -> bool {
        self.0.resize(counts.len(), 0);
        fresh.clear();
        let blocks = counts.chunks(COUNTERS_PER_COMPARISON);
        let seen = self.0.chunks_mut(COUNTERS_PER_COMPARISON);
        for (number, (counts, seen)) in blocks.zip(seen).enumerate() {
            // Not a comparison of slices, which is a call.
            if counts.iter().fold(0, |all, count| all | count) == 0 {
                continue;
            }
            let new = |(count, seen): (&u8, &u8)| class(*count) & !*seen;
            if counts.iter().zip(&*seen).map(new).fold(0, |all, one| all | one) == 0 {
                continue;
            }
            for (offset, (count, seen)) in counts.iter().zip(seen).enumerate() {
                let class = class(*count);
                if class & !*seen != 0 {
                    fresh.push(Feature { block: number * COUNTERS_PER_COMPARISON + offset, class });
                    *seen |= class;
                }
            }
        }
        !fresh.is_empty()
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
