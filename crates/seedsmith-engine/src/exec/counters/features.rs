//! Which code a run reached: the coverage counters of a libFuzzer executable, as features.
//!
//! The instrumentation gives each block of code a byte that counts. A worker clears these bytes
//! before a run, and afterwards writes down which of them are not 0. A *feature* is a counter, or a
//! counter together with the range that its value is in: libFuzzer's ranges are 1, 2, 3, 4 to 7, 8
//! to 15, 16 to 31, 32 to 127 and 128 to 255.
//!
//! How far the stack grew is a feature too, as it is for libFuzzer, where an executable notes it.
//!
//! A step that a program takes only once (filling a table at the first use, say) would be a feature
//! of the input that happens to come first. So an input with a feature that its worker has not seen
//! before is run again, and the features of its last run count. Where runs vary in what is chance, an input that runs
//! alone has another run with other chance, and a feature that this one lacked is there *by chance*.
//!
//! Compiled twice: also into the library that is preloaded into an executable.

use super::compared::Compared;
use super::feature_list::{BUCKETS, STEPS, append};

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

/// Counters of the stack's depth, of which a run has at most one: enough for 2^24 words of eight bytes.
pub(crate) const DEPTH_COUNTERS: usize = 24;

/// The feature of a stack that grew by so many bytes, counted from the first one: libFuzzer's steps, eight for each power of
/// two of words. 0 is no feature.
fn depth_step(bytes: usize) -> u32 {
    let words = bytes / size_of::<u64>();
    match words.checked_ilog2() {
        None => 0,
        Some(power) if power < 3 => words as u32,
        Some(power) => ((power - 2) * 8) + ((words >> (power - 3)) & 7) as u32,
    }
}

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
    /// The last two runs that were compared.
    compared: Compared,
}

/// How often an input runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// Once.
    One,
    /// Again, if it had a feature that is new in this process.
    UntilKnown,
    /// Twice or three times, and its features are marked which the run with other chance did not have.
    ///
    /// The second run has other chance. A third one is like the first one, and its features count; it is left out where [`Compared`]
    /// knows the answer. An input that has run once before has an estimate, whose digest is `expected` (0 is none).
    Compared { expected: u64 },
}

/// The run after which counters are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is not compared with another one.
    Only,
    /// Its features count.
    Own,
    /// The one with other chance.
    Other,
}

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
        let count = regions[0].1 + regions[1].1 + DEPTH_COUNTERS;
        let text = Vec::with_capacity(room_for(count));
        // Made before any process is forked: they share what is known of blocks.
        let compared = Compared::new(count, length);
        Counters { regions, kind, seen: vec![0; count], text, compared }
    }

    /// Calls `run` as often as `runs` says, and gives the answer of the run whose features count. [`Counters::text`] is of that one.
    ///
    /// `run` gets whether it is the run with other chance, and says by how many bytes the stack grew.
    pub(crate) fn watch<R>(&mut self, runs: Runs, mut run: impl FnMut(bool) -> (R, usize)) -> R {
        let mut read = |counters: &mut Self, is_other: bool, role: Role| {
            counters.clear();
            let (answer, depth) = run(is_other);
            let is_new = counters.read(depth, role);
            (answer, is_new)
        };
        match runs {
            Runs::One => read(self, false, Role::Only).0,
            Runs::UntilKnown => match read(self, false, Role::Only) {
                (answer, false) => answer,
                (_, true) => read(self, false, Role::Only).0,
            },
            Runs::Compared { expected } => {
                let (answer, _) = read(self, false, Role::Own);
                read(self, true, Role::Other);
                let answer = if self.compared.is_known(expected) {
                    answer
                } else {
                    self.compared.begin_again();
                    let (answer, _) = read(self, false, Role::Own);
                    self.compared.has_run_again();
                    answer
                };
                self.compared.write(&mut self.text);
                answer
            }
        }
    }

    /// The features that count, as [`FeatureText::new`] takes them.
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

    /// Writes down the features since [`Counters::clear`], and how far the stack grew. Whether one of them is new.
    fn read(&mut self, depth: usize, role: Role) -> bool {
        let Counters { regions, kind, seen, text, compared } = self;
        let ranges = (role != Role::Only).then(|| compared.room(role == Role::Other));
        text.clear();
        let mut notes = Notes { text, seen, ranges, next: 0, is_new: false };
        let range_of = if *kind == FeatureKind::Edges { &[0; 256] } else { &RANGES };
        let mut first = 0;
        for (region, length) in *regions {
            let whole = length - length % BLOCK;
            for at in (0..whole).step_by(BLOCK) {
                // SAFETY: these bytes are within the counters, by `new`.
                let words =
                    unsafe { region.add(at).cast::<[u64; BLOCK / WORD]>().read_unaligned() };
                // Most are 0.
                if words.iter().fold(0, |all, word| all | word) != 0 {
                    for (number, word) in words.into_iter().enumerate() {
                        notes.add_word(first + at + number * WORD, u64::from_le(word), range_of);
                    }
                }
            }
            for at in whole..length {
                // SAFETY: as above.
                let count = unsafe { region.add(at).read_volatile() };
                notes.add_word(first + at, count.into(), range_of);
            }
            first += length;
        }
        let depth = depth_step(depth);
        if depth > 0 && *kind != FeatureKind::Edges {
            let index = (depth / BUCKETS) as usize;
            notes.add(first + index.min(DEPTH_COUNTERS - 1), (depth % BUCKETS) as u8);
        }
        notes.is_new
    }
}

const WORD: usize = size_of::<u64>();
/// Bytes of counters that are looked at together: most of them are 0.
const BLOCK: usize = 4 * WORD;

/// The features of one run while they are written down.
struct Notes<'c> {
    text: &'c mut Vec<u8>,
    seen: &'c mut [u8],
    /// For each counter its range and 1 more, if the run is compared with another one.
    ranges: Option<&'c mut [u8]>,
    /// 1 more than the counter of the last feature.
    next: usize,
    /// Whether a feature is new in this process.
    is_new: bool,
}

impl Notes<'_> {
    /// Adds eight counters, of which the first one has this index. Threads of the target may still write, so that they were
    /// read once.
    #[inline(always)]
    fn add_word(&mut self, index: usize, mut counts: u64, ranges: &[u8; 256]) {
        while counts != 0 {
            let shift = counts.trailing_zeros() & !7;
            let count = (counts >> shift) as u8;
            counts &= !(0xff << shift);
            self.add(index + shift as usize / 8, ranges[usize::from(count)]);
        }
    }

    /// Adds the feature of a counter whose value is in this range.
    #[inline(always)]
    fn add(&mut self, index: usize, range: u8) {
        let seen = &mut self.seen[index];
        self.is_new |= *seen & (1 << range) == 0;
        *seen |= 1 << range;
        if let Some(ranges) = &mut self.ranges {
            ranges[index] = range + 1;
        }
        append(self.text, (index - self.next) as u32 * STEPS + u32::from(range));
        self.next = index + 1;
    }
}

/// The range of each value of a counter; that of 0 is of no use. A table, since the values of counters that follow each other
/// are hard to predict.
const RANGES: [u8; 256] = {
    let mut ranges = [0; 256];
    let mut count = 0;
    while count < 256 {
        ranges[count] = bucket(count as u8);
        count += 1;
    }
    ranges
};

/// The number of the range that a counter's value is in.
const fn bucket(count: u8) -> u8 {
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

/// The most bytes that the features of this number of counters take: a byte each if none is 0,
/// and two bytes for each 8 counters if the others are.
pub(crate) fn room_for(counters: usize) -> usize {
    counters + 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::counters::feature_list::{FeatureText, features};

    fn written(counts: &mut [u8], kind: FeatureKind) -> Vec<u32> {
        // SAFETY: the bytes outlive the counters.
        let mut counters = unsafe { Counters::new(counts.as_mut_ptr(), counts.len(), None, kind) };
        counters.read(0, Role::Only);
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
        assert!(counters.read(0, Role::Only));
        let list = FeatureText::new(counters.text().to_vec());
        assert_eq!(features(&list).collect::<Vec<_>>(), [8, 4 * 8 + 4, 7 * 8]);
        assert!(!counters.read(0, Role::Only));
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
        let mut run = |counters: &mut Counters, times: Runs, always: usize| {
            counters.watch(times, |_| {
                runs += 1;
                // SAFETY: as above.
                unsafe {
                    place.add(always).write(1);
                    if runs == 1 {
                        place.add(50).write(1);
                    }
                }
                ((), 0)
            });
            let list = FeatureText::new(counters.text().to_vec());
            (features(&list).collect::<Vec<_>>(), runs)
        };
        assert_eq!(run(&mut counters, Runs::UntilKnown, 3), (vec![24], 2));
        assert_eq!(run(&mut counters, Runs::UntilKnown, 3), (vec![24], 3));
        assert_eq!(run(&mut counters, Runs::UntilKnown, 4), (vec![32], 5));
        assert_eq!(run(&mut counters, Runs::One, 5), (vec![40], 6));
    }

    #[test]
    fn what_the_run_with_other_chance_lacks_is_there_by_chance() {
        let mut counts = vec![0; 40];
        let place = counts.as_mut_ptr();
        // SAFETY: the bytes outlive the counters.
        let mut counters = unsafe { Counters::new(place, 40, None, FeatureKind::Counts) };
        let mut run = |other: [u8; 3], own: [u8; 3], depths: (usize, usize)| {
            let expected = 0;
            counters.watch(Runs::Compared { expected }, |is_other| {
                let (counts, depth) = if is_other { (other, depths.0) } else { (own, depths.1) };
                // SAFETY: as above.
                unsafe { std::ptr::copy_nonoverlapping(counts.as_ptr(), place.add(10), 3) };
                ((), depth)
            });
            let list = FeatureText::new(counters.text().to_vec());
            list.into_iter().collect::<Vec<_>>()
        };
        let always = (10 * 8, false);
        assert_eq!(run([1, 0, 1], [1, 0, 0], (0, 0)), [always]);
        assert_eq!(
            run([1, 0, 1], [1, 3, 1], (0, 0)),
            [always, (11 * 8 + 2, true), (12 * 8, false)]
        );
        assert_eq!(
            run([1, 1, 5], [1, 2, 7], (0, 0)),
            [always, (11 * 8 + 1, true), (12 * 8 + 3, false)]
        );
        // Another depth is another feature; the one before is forgotten.
        assert_eq!(run([1, 0, 0], [1, 0, 0], (64, 72)), [always, (41 * 8 + 1, true)]);
        assert_eq!(run([1, 0, 0], [1, 0, 0], (72, 72)), [always, (41 * 8 + 1, false)]);
    }

    #[test]
    fn an_input_runs_a_third_time_if_it_may_have_done_what_a_process_does_once() {
        // By the number of the run: 3 always, 9 once and 5 from then on, 7 with other chance and 8 without.
        let runs_of = |expected: &[u32], has_chance: bool, before: &[u32]| {
            let mut counts = vec![0; 40];
            let place = counts.as_mut_ptr();
            // SAFETY: the bytes outlive the counters.
            let mut counters = unsafe { Counters::new(place, 40, None, FeatureKind::Counts) };
            let mut runs = 0;
            let mut is_first = true;
            let mut run = |expected: u64, always: &[u32], has_chance: bool| {
                runs = 0;
                counters.watch(Runs::Compared { expected }, |is_other| {
                    runs += 1;
                    // SAFETY: as above.
                    let count = |at: u32| unsafe { place.add(at as usize).write(1) };
                    always.iter().for_each(|at| count(*at));
                    count(if std::mem::take(&mut is_first) { 9 } else { 5 });
                    if has_chance {
                        count(if is_other { 7 } else { 8 });
                    }
                    ((), 0)
                });
                let list = FeatureText::new(counters.text().to_vec());
                (list.into_iter().map(|(one, mark)| (one / 8, mark)).collect::<Vec<_>>(), runs)
            };
            if !before.is_empty() {
                run(0, before, false);
            }
            let list: Vec<u32> = expected.iter().map(|at| at * 8).collect();
            run(FeatureText::of(&list).digest(), &[3], has_chance)
        };
        let plain = vec![(3, false), (5, false)];
        let by_chance = vec![(3, false), (5, false), (8, true)];
        assert_eq!(runs_of(&[], false, &[]), (plain.clone(), 3));
        assert_eq!(runs_of(&[3, 5], false, &[]), (plain.clone(), 2));
        assert_eq!(runs_of(&[3, 9], false, &[]), (plain.clone(), 3));
        assert_eq!(runs_of(&[3, 4], false, &[]), (plain.clone(), 3));
        // Without a process that knows better, 8 may have run once.
        assert_eq!(runs_of(&[3, 5, 8], true, &[]), (by_chance.clone(), 3));
        // After an input that has it always, nothing is done once any more.
        assert_eq!(runs_of(&[3, 5, 8], true, &[8]), (by_chance.clone(), 2));
        assert_eq!(runs_of(&[], true, &[8]), (by_chance, 2));
    }

    #[test]
    fn the_steps_of_the_depth_are_those_of_libfuzzer() {
        // From the assertions in its FuzzerTracePC.h.
        let steps = [(1024, 64), (1024 * 4, 80), (1024 * 1024, 144), (7, 7), (8, 8), (0, 0)];
        for (words, step) in steps {
            assert_eq!(depth_step(words * 8), step, "{words}");
        }
    }
}
