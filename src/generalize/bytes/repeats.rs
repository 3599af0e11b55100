//! Long runs of the same bytes in a text, and how long they have to be to fail in every process.

use std::ops::Range;

/// Repetitions of the same bytes from which on a run is one piece with a least count, because bisecting
/// the count takes 3 tests where single characters would take 8. Not measured.
const MIN_RUN_REPETITIONS: usize = 8;
/// Length of the unit of a run. A guess: repeated brackets, tags and operators with their operands fit,
/// and a search for longer units takes longer.
const MAX_UNIT_BYTES: usize = 16;
/// Runs with at least this many repetitions are enlarged, because shorter ones have nothing to do with
/// the size of a stack: a frame would need 8 KiB.
const MIN_ENLARGED_REPETITIONS: usize = 1024;
/// A run is enlarged by its length divided by this, because the place where a stack begins differs by
/// some kilobytes of eight megabytes from process to process.
pub(in crate::generalize) const ENLARGED_DIVISOR: usize = 16;

/// A count that fails in every process, where one that is minimal may depend on the process.
///
/// Counts below `MIN_ENLARGED_REPETITIONS` are returned as they are.
pub(in crate::generalize) fn enlarged_count(count: usize) -> usize {
    if count >= MIN_ENLARGED_REPETITIONS { count + count / ENLARGED_DIVISOR } else { count }
}

/// The long runs of a text, with the length of the repeated text, and with 0 the stretches between.
///
/// In order, and together they are the text.
pub(in crate::generalize) fn runs(text: &[u8]) -> Vec<(Range<usize>, usize)> {
    let mut found: Vec<(Range<usize>, usize)> = Vec::new();
    let (mut at, mut plain) = (0, 0);
    while at < text.len() {
        let run = (1..=MAX_UNIT_BYTES).find_map(|unit| {
            let rest = &text[at..];
            let same = rest.iter().zip(rest.get(unit..)?).take_while(|(a, b)| a == b).count();
            let times = same / unit + 1;
            (times >= MIN_RUN_REPETITIONS).then_some((unit, times * unit))
        });
        let Some((unit, length)) = run else {
            at += 1;
            continue;
        };
        if plain < at {
            found.push((plain..at, 0));
        }
        found.push((at..at + length, unit));
        at += length;
        plain = at;
    }
    if plain < text.len() {
        found.push((plain..text.len(), 0));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_with_what_they_repeat() {
        let text = [b"a".as_slice(), &b"[".repeat(9), b"bc", &b"{\n".repeat(8), b"x"].concat();
        assert_eq!(runs(&text), [(0..1, 0), (1..10, 1), (10..12, 0), (12..28, 2), (28..29, 0)]);
        assert_eq!(runs(b"abcabc"), [(0..6, 0)]);
    }
}
