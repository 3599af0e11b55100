//! Long runs of the same bytes in a text, and how long they have to be to fail in every process.

use std::ops::Range;

/// Runs of the same bytes this often are looked at as a whole.
const LONG_RUN: usize = 8;
/// The longest unit of such a run.
const LONGEST_UNIT: usize = 16;
/// Runs of the same bytes this often are enlarged: shorter ones have nothing to do with the size of a
/// stack.
const LONG_COUNT: usize = 1024;
/// By which part of it a run is enlarged. Where the stack begins differs by some kilobytes from process to
/// process, of eight megabytes.
pub(in crate::generalize) const ENLARGED: usize = 16;

/// A count that fails in every process, where one that is minimal may depend on the process.
pub(in crate::generalize) fn enlarged_count(count: usize) -> usize {
    if count >= LONG_COUNT { count + count / ENLARGED } else { count }
}

/// The long runs of a text, with the length of what they repeat, and with 0 the stretches between.
pub(in crate::generalize) fn runs(text: &[u8]) -> Vec<(Range<usize>, usize)> {
    let mut found: Vec<(Range<usize>, usize)> = Vec::new();
    let (mut at, mut plain) = (0, 0);
    while at < text.len() {
        let run = (1..=LONGEST_UNIT).find_map(|unit| {
            let rest = &text[at..];
            let same = rest.iter().zip(rest.get(unit..)?).take_while(|(a, b)| a == b).count();
            let times = same / unit + 1;
            (times >= LONG_RUN).then_some((unit, times * unit))
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
