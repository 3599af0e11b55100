//! The word by which a worker says how far it is with a candidate, and its check.
//!
//! A target that writes over its memory hits the words of the worker too. So a word counts only if
//! its upper half fits both its lower half and a number that was drawn for this candidate: the
//! result of a stray write counts as no word. A target that reads the number and means to forge a
//! word can (see `docs/src/trust.md`).
//!
//! Compiled twice, see [`super::sys`].

/// How far a worker is with a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It is being run.
    Running,
    /// The worker's signal handler has recorded everything, and the worker is about to end.
    Dying,
    /// The target kept the candidate.
    Kept,
    /// The target rejected the candidate.
    Rejected,
    /// The target panicked; the entry's text holds place, a line feed, and the message.
    Panicked,
    /// Cancelled before it ran.
    Skipped,
}

impl Stage {
    /// Whether the worker is past the candidate.
    pub(crate) fn is_done(self) -> bool {
        !matches!(self, Stage::Running | Stage::Dying)
    }
}

/// A stage has four bits of a word's lower half, and is never 0; the other 28 count runs.
const STAGE_BITS: u32 = 4;
/// More runs than a worker lives for.
const MAX_COUNTED_RUNS: u32 = (1 << (32 - STAGE_BITS)) - 1;

/// The word for `stage`, by a worker that has run `runs_before` other candidates, under the number
/// that was drawn for the candidate.
pub(crate) fn seal(nonce: u32, stage: Stage, runs_before: u32) -> u64 {
    let low = (runs_before.min(MAX_COUNTED_RUNS) << STAGE_BITS) | (stage as u32 + 1);
    (u64::from(check(nonce, low)) << 32) | u64::from(low)
}

/// The stage that a word has under a candidate's number, with the runs before; `None` if it is no
/// word for this candidate.
pub(crate) fn open(nonce: u32, word: u64) -> Option<(Stage, u32)> {
    let low = word as u32;
    if (word >> 32) as u32 != check(nonce, low) {
        return None;
    }
    let stage = match low & ((1 << STAGE_BITS) - 1) {
        1 => Stage::Running,
        2 => Stage::Dying,
        3 => Stage::Kept,
        4 => Stage::Rejected,
        5 => Stage::Panicked,
        6 => Stage::Skipped,
        _ => return None,
    };
    Some((stage, low >> STAGE_BITS))
}

/// Two multiplications' worth of mixing: a nanosecond, and no word of one candidate is one of the
/// next.
fn check(nonce: u32, low: u32) -> u32 {
    let mixed = (u64::from(nonce) << 32 | u64::from(low)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32 ^ nonce
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Stage; 6] = [
        Stage::Running,
        Stage::Dying,
        Stage::Kept,
        Stage::Rejected,
        Stage::Panicked,
        Stage::Skipped,
    ];

    #[test]
    fn a_word_says_its_stage_and_the_runs_before() {
        for stage in ALL {
            for runs in [0, 1, 20_000, MAX_COUNTED_RUNS] {
                assert_eq!(open(77, seal(77, stage, runs)), Some((stage, runs)));
            }
            assert_eq!(open(77, seal(77, stage, u32::MAX)), Some((stage, MAX_COUNTED_RUNS)));
        }
    }

    #[test]
    fn a_word_with_any_bit_changed_is_none() {
        for nonce in [0, 1, 0x5eed, u32::MAX] {
            for stage in ALL {
                let word = seal(nonce, stage, 3);
                for bit in 0..64 {
                    assert_eq!(open(nonce, word ^ (1 << bit)), None, "{stage:?}, bit {bit}");
                }
            }
        }
    }

    #[test]
    fn what_memory_is_filled_with_and_the_words_of_other_candidates_are_none() {
        for nonce in (1..1000u32).map(|number| number.wrapping_mul(0x9e37_79b9)) {
            for byte in 0..=255u8 {
                let word = u64::from_ne_bytes([byte; 8]);
                assert_eq!(open(nonce, word), None, "{nonce}, {byte}");
            }
            for stage in ALL {
                assert_eq!(open(nonce, seal(nonce ^ 1, stage, 0)), None);
                assert_eq!(open(nonce, seal(nonce.wrapping_add(0x9e37_79b9), stage, 0)), None);
            }
        }
    }
}
