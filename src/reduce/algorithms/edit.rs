//! Renders candidates: an input with some spans cut out, or replaced.
//!
//! A candidate of a few cuts is a few `memcpy`s, whatever its size.

use std::ops::Range;

/// Writes `source` without `cuts` (ascending, disjoint) to the end of `out`. One `memcpy` for each
/// stretch that is kept.
pub(crate) fn without(source: &[u8], cuts: &[Range<usize>], out: &mut Vec<u8>) {
    let mut at = 0;
    for cut in cuts {
        out.extend_from_slice(&source[at..cut.start]);
        at = cut.end;
    }
    out.extend_from_slice(&source[at..]);
}

/// Whether two lists of cuts leave the same bytes for a reason that is easy to see: each cut of one
/// is beside a cut of the other with the same text, as in a run of equal brackets.
pub(crate) fn are_alike(source: &[u8], left: &[Range<usize>], right: &[Range<usize>]) -> bool {
    let beside = |left: &Range<usize>, right: &Range<usize>| {
        (left.start == right.end || left.end == right.start)
            && source[left.clone()] == source[right.clone()]
    };
    !left.is_empty()
        && left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| beside(left, right))
}

/// Writes `source` with `span` replaced by `text` to the end of `out`.
pub(crate) fn replaced(source: &[u8], span: Range<usize>, text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&source[..span.start]);
    out.extend_from_slice(text);
    out.extend_from_slice(&source[span.end..]);
}

/// Sorts spans and joins those that touch or overlap; empty ones go.
pub(crate) fn join(spans: &mut Vec<Range<usize>>) {
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    let mut kept = 0;
    for index in 0..spans.len() {
        let span = spans[index].clone();
        if span.is_empty() {
            continue;
        }
        if kept > 0 && spans[kept - 1].end >= span.start {
            spans[kept - 1].end = spans[kept - 1].end.max(span.end);
        } else {
            spans[kept] = span;
            kept += 1;
        }
    }
    spans.truncate(kept);
}

/// Whether cutting before `offset` would cut a UTF-8 character in two.
pub(crate) fn splits_character(source: &[u8], offset: usize) -> bool {
    source.get(offset).is_some_and(|byte| (0x80..0xc0).contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_and_replacements_leave_the_rest_as_it_is() {
        let mut out = Vec::new();
        without(b"0123456789", &[1..3, 5..6], &mut out);
        assert_eq!(out, b"0346789");
        out.clear();
        replaced(b"0123", 1..3, b"x", &mut out);
        assert_eq!(out, b"0x3");
    }

    #[test]
    fn equal_neighbours_leave_the_same() {
        let source = b"(((x)))";
        assert!(are_alike(source, &[2..3, 4..5], &[1..2, 5..6]));
        assert!(!are_alike(source, &[2..3, 4..5], &[0..1, 6..7]));
        assert!(!are_alike(source, &[2..3, 4..5], &[3..4, 5..6]));
        assert!(!are_alike(source, &[], &[]));
    }

    #[test]
    fn joined_spans_are_sorted_disjoint_and_not_empty() {
        let mut spans = vec![5..6, 0..2, 2..3, 4..4, 5..8];
        join(&mut spans);
        assert_eq!(spans, [0..3, 5..8]);
    }
}
