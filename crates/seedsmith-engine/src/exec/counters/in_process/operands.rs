//! What `memcmp` compared in a run of the target: pairs of short texts that differ.
//!
//! libFuzzer replaces `memcmp` and `bcmp`, and calls a function of its own after each call. In a worker that function records
//! nothing, so its place is taken by `record`. Names in tables (`["left", "right"].contains(&name)`) and names that the
//! input defines itself are compared in this way, and are in no instruction.

use std::ffi::{c_int, c_void};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Lengths of texts that are recorded. A single byte is found without this, and longer ones are rarely names. A guess, not
/// measured.
const LENGTHS: RangeInclusive<usize> = 2..=32;
/// Bytes in a number.
const WORD: usize = 8;
/// Numbers that hold the longest pair.
const WORDS: usize = 2 * 32 / WORD;
/// Pairs at most. A later one takes the place of one with the same hash, and of itself, so a loop does not push out the others.
const SLOTS: usize = 512;

/// A pair of texts of the same length, 0 if there is none. Numbers and not bytes, so that a target with several
/// threads writes no pair that is half a number.
struct Slot {
    length: AtomicUsize,
    words: [AtomicU64; WORDS],
}

static PAIRS: [Slot; SLOTS] =
    [const { Slot { length: AtomicUsize::new(0), words: [const { AtomicU64::new(0) }; WORDS] } };
        SLOTS];
static IS_RECORDING: AtomicBool = AtomicBool::new(false);

/// Takes the arguments of libFuzzer's `__sanitizer_weak_hook_memcmp`.
pub(in crate::exec::counters) extern "C" fn record(
    _caller: *const c_void,
    first: *const u8,
    second: *const u8,
    length: usize,
    result: c_int,
) {
    if !IS_RECORDING.load(Ordering::Relaxed) || result == 0 || !LENGTHS.contains(&length) {
        return;
    }
    // SAFETY: they were just passed to `memcmp`, which demands that many readable bytes of both.
    let texts = unsafe {
        [std::slice::from_raw_parts(first, length), std::slice::from_raw_parts(second, length)]
    };
    let mut words = [0u64; WORDS];
    for (half, text) in texts.into_iter().enumerate() {
        for (at, byte) in text.iter().enumerate() {
            words[half * WORDS / 2 + at / WORD] |= u64::from(*byte) << (8 * (at % WORD));
        }
    }
    // Knuth's multiplier, the golden ratio: the highest bits depend on all numbers.
    let hash = words.iter().fold(length as u64, |hash, word| {
        (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    let slot = &PAIRS[hash as usize % SLOTS];
    slot.words.iter().zip(words).for_each(|(to, word)| to.store(word, Ordering::Relaxed));
    slot.length.store(length, Ordering::Relaxed);
}

/// The pairs of texts that were compared in `run`, each once.
pub(super) fn compared(run: impl FnOnce()) -> Vec<[Vec<u8>; 2]> {
    PAIRS.iter().for_each(|slot| slot.length.store(0, Ordering::Relaxed));
    IS_RECORDING.store(true, Ordering::Relaxed);
    run();
    IS_RECORDING.store(false, Ordering::Relaxed);
    let mut pairs = Vec::new();
    for slot in &PAIRS {
        let length = slot.length.load(Ordering::Relaxed);
        if length == 0 {
            continue;
        }
        let bytes: Vec<u8> =
            slot.words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).collect();
        let (first, second) = bytes.split_at(bytes.len() / 2);
        pairs.push([first[..length].to_vec(), second[..length].to_vec()]);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(first: &str, second: &str) {
        let result = c_int::from(first != second);
        record(std::ptr::null(), first.as_ptr(), second.as_ptr(), first.len(), result);
    }

    #[test]
    fn short_texts_that_differ_are_recorded_once_and_only_in_the_run() {
        compare("before", "behind");
        let mut pairs = compared(|| {
            for _ in 0..3 {
                compare("left", "righ");
            }
            compare("same", "same");
            compare("a", "b");
            compare(&"a".repeat(33), &"b".repeat(33));
            compare(&"c".repeat(32), &"d".repeat(32));
        });
        compare("before", "behind");
        pairs.sort();
        let text = |pair: &[Vec<u8>; 2]| {
            pair.each_ref().map(|one| String::from_utf8(one.clone()).unwrap())
        };
        let expected = [["c".repeat(32), "d".repeat(32)], ["left".to_owned(), "righ".to_owned()]];
        assert_eq!(pairs.iter().map(text).collect::<Vec<_>>(), expected);
        assert!(compared(|| ()).is_empty());
    }
}
