//! Two runs of one input that differ in what is chance: which features are there by chance, and which because the
//! process did something once.
//!
//! What a process does once (filling a table, asking which instructions the processor has) takes a block that runs once in a
//! process; and perhaps another block runs in its place from then on. So a block that was in two runs of any process is
//! *regular*, and a run in which all blocks are regular is like every later one.
//!
//! Compiled twice: also into the library that is preloaded into an executable.

use std::ffi::c_int;

use super::feature_list::{BUCKETS, STEPS, append, digest_of_feature};
use super::sys;

/// Counters of which only one of two runs has something, if the features of a third one are found without it: two more double the
/// time that it takes to find them. A guess, not measured.
const MAX_OPEN: usize = 24;

/// What two runs of an input counted.
pub(super) struct Compared {
    /// By counter, of the run whose features count: its range and 1 more; 0 where it was 0.
    own: Vec<u8>,
    /// The same of the run with other chance.
    other: Vec<u8>,
    /// What `own` was before it ran again.
    first: Vec<u8>,
    /// By block, whether it is regular. All workers of a zygote share this, and their children.
    regular: SharedBytes,
}

/// A counter that one of two runs has and the other has not.
struct Open {
    counter: usize,
    digest: u64,
    /// Whether the run with other chance has it.
    is_other: bool,
    /// Whether it is regular, if it is a block.
    is_regular: bool,
}

impl Compared {
    /// Of so many `counters`, of which the first ones are those of `blocks`.
    pub(super) fn new(counters: usize, blocks: usize) -> Self {
        let none = || vec![0; counters];
        let regular = SharedBytes::new(blocks);
        Compared { own: none(), other: none(), first: none(), regular }
    }

    /// By counter, room for the ranges of the next run, with other chance or without.
    pub(super) fn room(&mut self, is_other: bool) -> &mut [u8] {
        let ranges = if is_other { &mut self.other } else { &mut self.own };
        ranges.fill(0);
        ranges
    }

    /// Whether the features of the run that counts are known: it was the first one, and the run with other chance the second one.
    ///
    /// They are if each of its blocks is regular. If not, the input's estimate may say them, which has the digest `expected`
    /// (0 is none): an estimate that agrees with both runs, and all blocks of which are regular. Then they become those of the estimate.
    pub(super) fn is_known(&mut self, expected: u64) -> bool {
        self.regular.mark(&self.own, &self.other);
        let counters = || (0..).zip(self.own.iter().zip(&self.other));
        let open = counters().filter(|(_, (own, other))| (**own == 0) != (**other == 0));
        let open = open.map(|(counter, (own, other))| Open {
            counter,
            digest: digest_of_range(counter, own | other),
            is_other: *own == 0,
            is_regular: self.regular.has(counter),
        });
        let open: Vec<Open> = open.collect();
        if open.iter().all(|one| one.is_other || one.is_regular) {
            return true;
        }
        if expected == 0 || open.len() > MAX_OPEN {
            return false;
        }
        let both = counters().filter(|(_, (own, other))| **own != 0 && **other != 0);
        let certain = both.fold(0u64, |sum, (counter, (own, _))| {
            sum.wrapping_add(digest_of_range(counter, *own))
        });
        let Some(set) = set_with_sum(&open, expected.wrapping_sub(certain)) else { return false };
        let is_in = |at: usize| set & (1 << at) != 0;
        // What the first run did once is what the estimate has not, and nothing else is.
        if open.iter().enumerate().any(|(at, one)| !one.is_other && is_in(at) != one.is_regular) {
            return false;
        }
        for (at, one) in open.iter().enumerate() {
            let own = &mut self.own[one.counter];
            *own = if is_in(at) { *own | self.other[one.counter] } else { 0 };
        }
        true
    }

    /// Before the run that counts is run again.
    pub(super) fn begin_again(&mut self) {
        self.first.copy_from_slice(&self.own);
    }

    /// After it was.
    pub(super) fn has_run_again(&mut self) {
        self.regular.mark(&self.first, &self.own);
    }

    /// Writes down the features of the run that counts, and which of them the other one did not have.
    pub(super) fn write(&self, text: &mut Vec<u8>) {
        text.clear();
        let mut next = 0;
        let counters = self.own.iter().zip(&self.other).enumerate();
        for (counter, (own, other)) in counters.filter(|(_, (own, _))| **own != 0) {
            let by_chance = u32::from(other != own) * BUCKETS;
            append(text, (counter - next) as u32 * STEPS + u32::from(*own - 1) + by_chance);
            next = counter + 1;
        }
    }
}

/// The digest of the feature of a counter in a range, of which `range` is 1 more.
fn digest_of_range(counter: usize, range: u8) -> u64 {
    digest_of_feature(counter as u32 * BUCKETS + u32::from(range - 1))
}

/// The set of counters whose digests have this sum: a bit for each.
///
/// Each set of one half of them is looked up among those of the other half, so that this costs a look at a few thousand sets. That
/// another set has the sum by chance happens in one of 2^40 cases.
fn set_with_sum(open: &[Open], sum: u64) -> Option<u32> {
    let (one, other) = open.split_at(open.len() / 2);
    let mut sums: Vec<(u64, u32)> = sums_of(one).zip(0..).collect();
    sums.sort_unstable();
    sums_of(other).zip(0..).find_map(|(part, set)| {
        let at = sums.binary_search_by_key(&sum.wrapping_sub(part), |(sum, _)| *sum).ok()?;
        Some(sums[at].1 | set << one.len())
    })
}

/// The sum of the digests of each set, in the order of the sets as numbers.
fn sums_of(open: &[Open]) -> impl Iterator<Item = u64> {
    let mut sums = vec![0u64];
    for one in open {
        let with: Vec<u64> = sums.iter().map(|sum| sum.wrapping_add(one.digest)).collect();
        sums.extend(with);
    }
    sums.into_iter()
}

/// A byte for each of some counters, in memory that forked processes share.
struct SharedBytes {
    /// Null if the system has no memory: nothing is marked then, and inputs run once more.
    place: *mut u8,
    count: usize,
}

impl SharedBytes {
    /// So many, all 0.
    fn new(count: usize) -> Self {
        const PROTECTION: c_int = sys::PROT_READ | sys::PROT_WRITE;
        let flags = sys::MAP_SHARED | sys::MAP_ANONYMOUS;
        // SAFETY: a fresh mapping, which is never unmapped.
        let place =
            unsafe { sys::mmap(std::ptr::null_mut(), count.max(1), PROTECTION, flags, -1, 0) };
        let place = if place as isize == -1 { std::ptr::null_mut() } else { place.cast() };
        SharedBytes { place, count }
    }

    /// Marks those that are not 0 in both. Other processes may do the same meanwhile.
    fn mark(&mut self, one: &[u8], other: &[u8]) {
        if self.place.is_null() {
            return;
        }
        for (at, (one, other)) in one.iter().zip(other).take(self.count).enumerate() {
            if *one != 0 && *other != 0 {
                // SAFETY: within the mapping.
                unsafe { self.place.add(at).write_volatile(1) };
            }
        }
    }

    /// Whether this one is marked. What is no block is never done once by itself, and counts as marked.
    fn has(&self, at: usize) -> bool {
        // SAFETY: within the mapping.
        let is_marked =
            || !self.place.is_null() && unsafe { self.place.add(at).read_volatile() } != 0;
        at >= self.count || is_marked()
    }
}
