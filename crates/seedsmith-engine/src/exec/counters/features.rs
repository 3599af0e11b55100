//! Which code a run reached: the coverage counters of a libFuzzer executable, as features.
//!
//! The instrumentation gives each block of code a byte that counts. A worker clears these bytes
//! before a run, and afterwards writes down which of them are not 0. A *feature* is a counter, or a
//! counter together with the range that its value is in: libFuzzer's ranges are 1, 2, 3, 4 to 7, 8
//! to 15, 16 to 31, 32 to 127 and 128 to 255.
//!
//! A step that a program takes only once (filling a table at the first use, say) would be a feature
//! of the input that happens to come first. So an input with a feature that its worker has not seen
//! before is run again, and the features of its last run count.
//!
//! Compiled twice: also into the library that is preloaded into an executable.

/// Ranges of a counter's value.
pub const BUCKETS: u32 = 8;

/// The kind of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeatureKind {
    /// A counter that is not 0.
    Edges,
    /// A counter and the range of its value, as libFuzzer has it.
    Counts,
    /// The same, and for each place that compares two values, how many of their bits differ: libFuzzer's value
    /// profile. It takes an executable that was built with traced compares, on x86-64.
    Compares,
}

/// Counters of compares, which follow those of blocks: 64 KB, as many as libFuzzer's table has bits. Places that
/// share one count as one place.
pub(crate) const COMPARE_COUNTERS: usize = 1 << 16;

/// The counter of a compare at a place, of two values that differ in the bits of `difference`.
///
/// Fibonacci hashing of the place and the number of bits (Knuth, The Art of Computer Programming, 6.4).
pub(crate) fn compare_counter(place: u64, difference: u64) -> usize {
    let key = (place << 7) | u64::from(difference.count_ones());
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize
}

/// The counters of this process.
pub(crate) struct Counters {
    /// First address and length of those of blocks, and of those of compares.
    regions: [(*mut u8, usize); 2],
    kind: FeatureKind,
    /// A bit for each range of each counter that this process has seen.
    seen: Vec<u8>,
    /// The list of features, kept so that a run allocates nothing.
    text: Vec<u8>,
}

/// Runs of one input at most: the first one does whatever is done once in a process.
///
/// A worker that has run nothing else has seen no feature, so that each of its inputs costs that many runs. With
/// 4, most inputs of quick-xml ran three times: the first run chooses a function for the processor, and the second
/// one is the first to call that (2026-11-23).
const MAX_RUNS_OF_ONE_INPUT: u32 = 2;

impl Counters {
    /// The `length` counters from `start`, and those of `compares`, if these are features too.
    ///
    /// # Safety
    /// They are mapped, readable and writable, for as long as this value exists.
    pub(crate) unsafe fn new(
        start: *mut u8,
        length: usize,
        compares: Option<(*mut u8, usize)>,
        kind: FeatureKind,
    ) -> Self {
        let regions = [(start, length), compares.unwrap_or((start, 0))];
        let count = regions[0].1 + regions[1].1;
        let text = Vec::with_capacity(room_for(count));
        Counters { regions, kind, seen: vec![0; count], text }
    }

    /// Calls `run`, and again if it had a feature that is new in this process and not `is_once`, and gives its
    /// last answer. [`Counters::text`] is of the last run.
    pub(crate) fn watch<R>(&mut self, is_once: bool, mut run: impl FnMut() -> R) -> R {
        let max_runs = if is_once { 1 } else { MAX_RUNS_OF_ONE_INPUT };
        let mut runs = 0;
        loop {
            self.clear();
            let answer = run();
            runs += 1;
            if !self.read() || runs == max_runs {
                return answer;
            }
        }
    }

    /// The features of the last run, as [`FeatureText::new`] takes them.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Sets all of them to 0.
    fn clear(&self) {
        for (start, length) in self.regions {
            // SAFETY: by `new`.
            unsafe { start.write_bytes(0, length) };
        }
    }

    /// Writes down the features since [`Counters::clear`]. Whether one of them is new.
    fn read(&mut self) -> bool {
        const WORD: usize = size_of::<u64>();
        self.text.clear();
        let mut is_new = false;
        let mut next = 0;
        let mut first = 0;
        for (region, length) in self.regions {
            let mut at = 0;
            while at < length {
                let start = region.wrapping_add(at);
                let bytes = (length - at).min(WORD);
                // SAFETY: these bytes are within the counters, by `new`. Threads of the target may still write, so
                // each is read once.
                let mut counts = unsafe {
                    match bytes {
                        WORD => u64::from_le(start.cast::<u64>().read_unaligned()),
                        _ => (0..bytes).fold(0, |counts, byte| {
                            counts | u64::from(start.add(byte).read_volatile()) << (8 * byte)
                        }),
                    }
                };
                // Most are 0.
                while counts != 0 {
                    let shift = counts.trailing_zeros() & !7;
                    let count = (counts >> shift) as u8;
                    counts &= !(0xff << shift);
                    let index = first + at + shift as usize / 8;
                    let bucket = match self.kind {
                        FeatureKind::Edges => 0,
                        FeatureKind::Counts | FeatureKind::Compares => bucket(count),
                    };
                    is_new |= self.seen[index] & (1 << bucket) == 0;
                    self.seen[index] |= 1 << bucket;
                    append(&mut self.text, ((index - next) as u32) * BUCKETS + bucket);
                    next = index + 1;
                }
                at += bytes;
            }
            first += length;
        }
        is_new
    }
}

/// The number of the range that a counter's value is in.
fn bucket(count: u8) -> u32 {
    match count {
        0..=1 => 0,
        2 => 1,
        3 => 2,
        4..=7 => 3,
        8..=15 => 4,
        16..=31 => 5,
        32..=127 => 6,
        128.. => 7,
    }
}

/// No executable has as many counters: with 16 bytes of table for each, its tables alone would have
/// 4 GB.
const MAX_COUNTERS: u32 = 1 << 28;

/// The most bytes that the features of this number of counters take: a byte each if none is 0,
/// and two bytes for each 16 counters if the others are.
pub(crate) fn room_for(counters: usize) -> usize {
    counters + 8
}

/// Appends a number, seven bits a byte, the last byte below 128.
fn append(text: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        text.push(number as u8 | 0x80);
        number >>= 7;
    }
    text.push(number as u8);
}

/// The features of one run, in a byte or two each: a corpus of 100,000 inputs fits into memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FeatureText(Box<[u8]>);

impl FeatureText {
    /// Reads the text that a worker has written down. Bytes that no worker can have written end the
    /// list.
    pub fn new(text: Vec<u8>) -> Self {
        FeatureText(text.into())
    }

    /// The features in `ascending` order, one of each counter.
    pub fn of(ascending: &[u32]) -> Self {
        let mut text = Vec::new();
        let mut next = 0;
        for feature in ascending {
            let index = feature / BUCKETS;
            append(&mut text, (index - next) * BUCKETS + feature % BUCKETS);
            next = index + 1;
        }
        FeatureText(text.into())
    }

    /// The bytes that [`FeatureText::new`] makes the same list of.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The features in a list: the counter's index times [`BUCKETS`], plus the number of its range.
pub fn features(list: &FeatureText) -> impl Iterator<Item = u32> + '_ {
    Features { text: list.0.iter(), next: 0 }
}

struct Features<'t> {
    text: std::slice::Iter<'t, u8>,
    next: u32,
}

impl Iterator for Features<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0u32, 0u32);
        loop {
            let byte = *self.text.next()?;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let index =
            self.next.checked_add(number / BUCKETS).filter(|index| *index < MAX_COUNTERS)?;
        self.next = index + 1;
        Some(index * BUCKETS + number % BUCKETS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(counts: &mut [u8], kind: FeatureKind) -> Vec<u32> {
        // SAFETY: the bytes outlive the counters.
        let mut counters = unsafe { Counters::new(counts.as_mut_ptr(), counts.len(), None, kind) };
        counters.read();
        let text = counters.text();
        assert!(text.len() <= room_for(counts.len()), "{} of {}", text.len(), counts.len());
        features(&FeatureText::new(text.to_vec())).collect()
    }

    #[test]
    fn features_are_the_counters_that_moved_and_the_ranges_of_their_values() {
        let mut counts = vec![0; 5000];
        for (at, count) in [(0, 1), (1, 2), (7, 3), (8, 200), (17, 31), (4998, 4), (4999, 127)] {
            counts[at] = count;
        }
        let at = |list: &[(u32, u32)]| list.iter().map(|(at, b)| at * 8 + b).collect::<Vec<_>>();
        let places = [(0, 0), (1, 1), (7, 2), (8, 7), (17, 5), (4998, 3), (4999, 6)];
        assert_eq!(written(&mut counts, FeatureKind::Counts), at(&places));
        let edges = places.map(|(at, _)| (at, 0));
        assert_eq!(written(&mut counts, FeatureKind::Edges), at(&edges));
    }

    #[test]
    fn counters_of_compares_follow_those_of_blocks() {
        let (mut blocks, mut compares) = (vec![0, 1, 0, 0, 9], vec![0, 0, 1]);
        let region = Some((compares.as_mut_ptr(), compares.len()));
        let start = blocks.as_mut_ptr();
        // SAFETY: the bytes outlive the counters.
        let mut counters = unsafe { Counters::new(start, 5, region, FeatureKind::Compares) };
        assert!(counters.read());
        let list = FeatureText::new(counters.text().to_vec());
        assert_eq!(features(&list).collect::<Vec<_>>(), [8, 4 * 8 + 4, 7 * 8]);
        assert!(!counters.read());
        counters.clear();
        assert!(blocks.iter().chain(&compares).all(|count| *count == 0));
    }

    #[test]
    fn a_compare_has_a_counter_for_each_number_of_differing_bits() {
        let of = |place, difference| compare_counter(place, difference);
        assert_eq!(of(0x1234, 0b101), of(0x1234, 0b11));
        assert_ne!(of(0x1234, 0b101), of(0x1234, 0b1));
        assert_ne!(of(0x1234, 0b101), of(0x1239, 0b101));
        assert!((0..2000).all(|place| of(place * 31, u64::MAX) < COMPARE_COUNTERS));
    }

    #[test]
    fn the_room_is_enough_for_any_counters() {
        for step in 1..300 {
            let mut counts: Vec<u8> =
                (0..3001).map(|at| if at % step == 0 { 255 } else { 0 }).collect();
            assert_eq!(written(&mut counts, FeatureKind::Counts).len(), 3000 / step + 1);
        }
    }

    #[test]
    fn what_happens_only_once_in_a_process_is_no_feature() {
        let mut counts = vec![0; 100];
        let place = counts.as_mut_ptr();
        // SAFETY: the bytes outlive the counters.
        let mut counters = unsafe { Counters::new(place, 100, None, FeatureKind::Counts) };
        let mut runs = 0;
        let mut run = |counters: &mut Counters, is_once: bool, always: usize| {
            counters.watch(is_once, || {
                runs += 1;
                // SAFETY: as above.
                unsafe {
                    place.add(always).write(1);
                    if runs == 1 {
                        place.add(50).write(1);
                    }
                }
            });
            let list = FeatureText::new(counters.text().to_vec());
            (features(&list).collect::<Vec<_>>(), runs)
        };
        assert_eq!(run(&mut counters, false, 3), (vec![24], 2));
        assert_eq!(run(&mut counters, false, 3), (vec![24], 3));
        assert_eq!(run(&mut counters, false, 4), (vec![32], 5));
        assert_eq!(run(&mut counters, true, 5), (vec![40], 6));
    }

    #[test]
    fn bytes_that_no_worker_wrote_end_the_list() {
        let read = |text: &[u8]| features(&FeatureText::new(text.to_vec())).collect::<Vec<_>>();
        assert_eq!(read(&[8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]), [8]);
        assert_eq!(read(&[0xff, 0xff, 0xff, 0x7f].repeat(20)).len(), 8);
        assert!(read(&[]).is_empty());
    }

    #[test]
    fn a_list_that_is_made_of_numbers_has_these() {
        for list in [vec![], vec![0], vec![5, 16, 17 * 8, 40_000]] {
            assert_eq!(features(&FeatureText::of(&list)).collect::<Vec<_>>(), list);
        }
    }
}
