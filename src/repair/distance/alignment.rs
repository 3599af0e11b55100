//! Which bytes of one text are which of another: one alignment, from which the number of edits, the bytes
//! that are kept, and the changes are all read, so that the three agree.
//!
//! It is separate from `distance.rs`, which counts edits only: a repair measures many texts and aligns one.
//!
//! It is not the diff of `similar`: that one has no replacements, which a repair counts as one edit
//! and not as two.

use seedsmith_grammar::internal::lines;
use seedsmith_grammar::internal::{DiffStep, diff};

use super::{Distance, rounds};

/// Edits that are traced, at most, because memory grows with their square: 4,096 take 64 MB.
const MAX_TRACED_EDITS: usize = 4096;
/// Steps of the search for them: some 50 ms, so that 4,000 edits of most texts are found.
const MAX_STEPS: u64 = 1 << 24;

/// Bytes that two texts have in the same order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Alignment {
    /// Runs of them: the offsets in both texts and the length, in order. No run is empty.
    pub runs: Vec<(usize, usize, usize)>,
    /// Insertions, deletions and replacements of single bytes between the two.
    pub edits: usize,
    /// Whether no fewer edits do.
    pub is_exact: bool,
}

impl Alignment {
    /// The alignment with the fewest edits. Where these are too many to find, texts are aligned by their
    /// lines first, and the number of edits is no longer the smallest.
    ///
    /// Cost: at most `MAX_STEPS` steps, then one diff by lines and as many steps for each gap
    /// between equal lines.
    pub(crate) fn of(left: &[u8], right: &[u8]) -> Self {
        if let Some(found) = Alignment::by_bytes(left, right) {
            return found;
        }
        let mut found = Alignment::default();
        // Where the gap begins in either text that no line of both has ended yet, and where it ends.
        let (mut from, mut until) = ((0, 0), (0, 0));
        for step in diff((left, &lines(left)), (right, &lines(right))) {
            match step {
                DiffStep::Delete(span) => until.0 = span.end,
                DiffStep::Insert(span) => until.1 = span.end,
                DiffStep::Common(span) => {
                    found.gap(left, right, from, until);
                    found.push(until.0, until.1, span.len());
                    from = (span.end, until.1 + span.len());
                    until = from;
                }
            }
        }
        found.gap(left, right, from, (left.len(), right.len()));
        found
    }

    /// Bytes that both texts have.
    ///
    /// The sum of the lengths of the runs.
    pub(crate) fn kept(&self) -> usize {
        self.runs.iter().map(|(_, _, length)| length).sum()
    }

    /// Adds a run after the last one; two that touch in both texts become one.
    fn push(&mut self, left: usize, right: usize, length: usize) {
        if length == 0 {
            return;
        }
        match self.runs.last_mut() {
            Some((l, r, n)) if *l + *n == left && *r + *n == right => *n += length,
            _ => self.runs.push((left, right, length)),
        }
    }

    /// Adds the bytes between two lines that both texts have.
    ///
    /// `from` and `until` are the offsets in both texts. A part with too many edits is aligned byte by
    /// byte from its start.
    fn gap(&mut self, left: &[u8], right: &[u8], from: (usize, usize), until: (usize, usize)) {
        let (old, new) = (&left[from.0..until.0], &right[from.1..until.1]);
        match Alignment::by_bytes(old, new) {
            Some(found) => {
                self.edits += found.edits;
                for (l, r, length) in found.runs {
                    self.push(from.0 + l, from.1 + r, length);
                }
            }
            // Byte by byte from the start: a replaced part has the same length.
            None => {
                let mut matched = 0;
                for (at, _) in old.iter().zip(new).enumerate().filter(|(_, (a, b))| a == b) {
                    matched += 1;
                    self.push(from.0 + at, from.1 + at, 1);
                }
                self.edits += old.len().max(new.len()) - matched;
            }
        }
    }

    /// The alignment with the fewest edits, if there are not too many.
    ///
    /// `None` if they are more than `MAX_TRACED_EDITS`, or if finding them takes more than
    /// `MAX_STEPS`. Memory grows with the square of the edits.
    fn by_bytes(left: &[u8], right: &[u8]) -> Option<Self> {
        let head = left.iter().zip(right).take_while(|(a, b)| a == b).count();
        let (old, new) = (&left[head..], &right[head..]);
        let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
        // Of each number of edits, the first diagonal and how far each is reached.
        let mut reached: Vec<(isize, Vec<isize>)> = Vec::new();
        let mut record = |low: isize, row: &[isize]| {
            reached.push((low, row.to_vec()));
            reached.len() <= MAX_TRACED_EDITS
        };
        let Distance { at_least, at_most } = rounds(old, new, usize::MAX, MAX_STEPS, &mut record);
        if at_least != at_most || reached.len() != at_least + 1 {
            return None;
        }
        let mut found = Alignment { runs: Vec::new(), edits: at_least, is_exact: true };
        found.push(0, 0, head);
        for (l, r, length) in traced(&reached, old.len() as isize, new.len() as isize) {
            found.push(head + l, head + r, length);
        }
        found.push(left.len() - tail, right.len() - tail, tail);
        Some(found)
    }
}

/// The runs of an alignment, read from the end.
///
/// `reached` has, for each number of edits, the first diagonal and how far each diagonal gets. Of
/// several shortest ways one that inserts is preferred, then one that deletes, then one that
/// replaces, because a replaced byte is not kept.
fn traced(reached: &[(isize, Vec<isize>)], n: isize, m: isize) -> Vec<(usize, usize, usize)> {
    let at = |edits: usize, k: isize| {
        let (low, row) = &reached[edits];
        usize::try_from(k - low).ok().and_then(|index| row.get(index)).copied().unwrap_or(-1)
    };
    let mut runs = Vec::new();
    let (mut x, mut k) = (n, m - n);
    for edits in (0..reached.len()).rev() {
        let (mut start, mut from) = (0, None);
        if edits > 0 {
            // Inserted, deleted, replaced, in this order because a replaced byte is not kept: the last
            // place before the edit, and where the edit leads. None is possible at the end of a text that
            // it reads from.
            let ways = [
                (at(edits - 1, k - 1), k - 1, 0),
                (at(edits - 1, k + 1), k + 1, 1),
                (at(edits - 1, k), k, 1),
            ];
            start = -1;
            for (before, diagonal, step) in ways {
                let is_possible = before >= 0
                    && before + diagonal >= 0
                    && before + step <= n
                    && before + step + k <= m
                    && before + step <= x;
                if is_possible && before + step > start {
                    (start, from) = (before + step, Some((before, diagonal)));
                }
            }
        }
        if x > start {
            runs.push((start as usize, (start + k) as usize, (x - start) as usize));
        }
        if let Some(before) = from {
            (x, k) = before;
        }
    }
    runs.reverse();
    runs
}

#[cfg(test)]
mod tests {
    use super::super::distance;
    use super::*;

    /// Checks what an alignment promises and gives its number of edits.
    fn checked(left: &[u8], right: &[u8]) -> Alignment {
        let found = Alignment::of(left, right);
        let (mut l, mut r, mut edits) = (0, 0, 0);
        for (a, b, length) in found.runs.iter().copied().chain([(left.len(), right.len(), 0)]) {
            assert!(a >= l && b >= r, "{found:?}");
            edits += (a - l).max(b - r);
            assert_eq!(left[a..a + length], right[b..b + length]);
            (l, r) = (a + length, b + length);
        }
        assert_eq!(edits, found.edits, "{left:?} {right:?} {found:?}");
        assert!(found.kept() + found.edits >= left.len());
        found
    }

    #[test]
    fn an_alignment_has_as_many_edits_as_the_distance() {
        let texts: Vec<Vec<u8>> = (0..6usize)
            .flat_map(|n| {
                (0..1 << n).map(move |bits: usize| {
                    (0..n).map(|i| if bits >> i & 1 == 1 { b'a' } else { b'b' }).collect()
                })
            })
            .collect();
        for left in &texts {
            for right in &texts {
                let found = checked(left, right);
                assert_eq!(found.edits, distance(left, right, usize::MAX));
                assert!(found.is_exact);
            }
        }
        let found = checked(b"the kitten is here", b"their sitting is here");
        assert_eq!(found.edits, distance(b"the kitten is here", b"their sitting is here", 99));
    }

    #[test]
    fn texts_with_too_many_edits_are_aligned_by_lines() {
        let line = |n: usize, word: &str| format!("{n} {word} of a text with many lines\n");
        let left: String = (0..2000).map(|n| line(n, "one")).collect();
        let right: String =
            (0..2000).map(|n| line(n, if n % 2 == 0 { "one" } else { "two and more" })).collect();
        let found = checked(left.as_bytes(), right.as_bytes());
        assert!(!found.is_exact);
        assert!(left.len() - found.kept() <= 3 * 1000, "{}", found.kept());
    }
}
