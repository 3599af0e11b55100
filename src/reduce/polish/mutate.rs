//! Random changes, each capped at one byte less than the best.
//!
//! libFuzzer's `-minimize_crash` does the same, and so sometimes gets below the result of deletion;
//! here it comes last, from a seed, on the result of deletion.

use std::borrow::Cow;

use crate::reduce::algorithms::allowance::Allowance;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::polish::alphabet::Alphabet;
use crate::reduce::reducer::{Function, Reducer};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::Digest;
use seedsmith_grammar::Random;

/// Changes the best at random, to something shorter, within the budget for polishing.
///
/// The stream follows from the seed and the best alone. Each candidate is shorter than the best by
/// at least a byte. Cost: the rest of the allowance for polishing, and the quarter of it that is
/// kept for random changes.
pub(crate) static MUTATE: Reducer = Reducer {
    name: Cow::Borrowed("mutate"),
    description: Cow::Borrowed(
        "changes the best at random, to something shorter, within what polishing may cost",
    ),
    activity: "replacing bytes",
    needs: &[Need::Bytes],
    cost: Cost::Limited,
    source: "libFuzzer -minimize_crash",
    function: Function::Flat(|search, context| {
        context.polish(search, |search, polisher| {
            polisher.add_kept_for_luck();
            mutate(search, &polisher.alphabet, polisher.seed, &mut polisher.allowance)
        })
    }),
};

/// Bests longer than this would need too much luck: only one to three of the bytes are changed. A
/// guess; not measured.
const MAX_MUTATED_BYTES: usize = 512;

/// Tries random mutations of the best within the allowance; stops at the first success and says
/// whether there was one.
///
/// The stream follows from the seed and the best alone, so a second run on a result begins with the
/// candidates with which the first ended.
pub(crate) fn mutate(
    search: &mut Search<'_, '_>,
    alphabet: &Alphabet,
    seed: u64,
    allowance: &mut Allowance,
) -> Result<bool, Stopped> {
    let base = search.best().to_vec();
    if base.len() < 2 || base.len() > MAX_MUTATED_BYTES {
        return Ok(false);
    }
    let bytes = alphabet.wide(&base);
    let mut random = Random::new(seed ^ Digest::of(&base).0 as u64);
    allowance.first(search, |buffer| {
        buffer.extend_from_slice(&base);
        erase(buffer, &mut random);
        for _ in 0..1 + random.below(3) {
            change(buffer, base.len() - 1, &bytes, &mut random);
        }
        Some(())
    })
}

/// Erases one byte, or a few, so that the candidate is shorter than the best.
fn erase(input: &mut Vec<u8>, random: &mut Random) {
    let most = if random.below(2) == 0 { 1 } else { input.len().min(4) };
    let count = 1 + random.below(most);
    let at = random.below(input.len() + 1 - count);
    input.drain(at..at + count);
}

fn change(input: &mut Vec<u8>, longest: usize, bytes: &[u8], random: &mut Random) {
    let Some(byte) = random.choose(bytes).copied() else { return };
    if input.is_empty() {
        input.push(byte);
        return;
    }
    let at = random.below(input.len());
    let other = random.below(input.len());
    match random.below(8) {
        0..=2 => input[at] = byte,
        3 if input.len() < longest => input.insert(at, byte),
        4 => input.swap(at, other),
        5 => {
            let count = 1 + random.below(input.len() - at.max(other));
            input.copy_within(at..at + count, other);
        }
        6 => input[at] = input[at].wrapping_add(if random.below(2) == 0 { 1 } else { 255 }),
        7 => {
            let end = (at + 2 + random.below(4)).min(input.len());
            input[at..end].reverse();
        }
        _ => input[at] = random.below(256) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::reduce_by;

    #[test]
    fn luck_finds_what_deletion_does_not_and_the_seed_decides() {
        let fails = |bytes: &[u8]| {
            bytes == b"abcdef" || (bytes.len() == 5 && bytes.starts_with(b"ba") && bytes[2] > b'c')
        };
        let run = || {
            reduce_by(b"abcdef", fails, |search| {
                let alphabet = Alphabet::of(b"abcdef");
                mutate(search, &alphabet, 1, &mut Allowance::new(100_000))?;
                Ok(())
            })
        };
        let found = run();
        assert_eq!(found.best.len(), 5);
        assert_eq!(found, run());
    }
}
