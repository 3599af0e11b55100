//! Levenshtein distance: the fewest insertions, deletions and replacements of single bytes.
//!
//! The code is the project's own. The crate `similar` counts insertions and deletions only and
//! bounds its work by a deadline; here a replaced byte is one edit, and the bound is a number of
//! steps, so that results are the same on every machine.

pub(crate) mod alignment;
pub(crate) mod changes;

/// Bounds of the distance of two texts; the two numbers are the same where it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distance {
    /// It is this or more.
    pub at_least: usize,
    /// It is this or less.
    pub at_most: usize,
}

impl Distance {
    /// The distance, where it was found.
    ///
    /// `None` if the work was over before the two bounds met.
    #[cfg(test)]
    pub fn exact(self) -> Option<usize> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

/// The distance of two texts, or `most` if it is at least that.
///
/// Cost: time `O(n·d)` for a distance `d`, `O(n + d²)` for most texts; memory `O(d)`.
pub fn distance(left: &[u8], right: &[u8], most: usize) -> usize {
    bounded(left, right, most, u64::MAX).at_least
}

/// The distance of two texts as far as it can be found: distances from `most` on are not looked
/// for, nor is anything after `work` steps, each of which compares a byte or extends a diagonal.
///
/// The bound counts steps and not time, so the answer is the same on every machine. Of each number
/// of edits it is known how far along each diagonal they get (E. Ukkonen, 1985; E. Myers, 1986).
pub(crate) fn bounded(left: &[u8], right: &[u8], most: usize, work: u64) -> Distance {
    rounds(left, right, most, work, &mut |_, _| true)
}

/// As [`bounded`]; `visit` gets, for each number of edits, the first diagonal and how far along each they
/// get, and says whether to continue. It gets the texts without their common head and tail.
pub(super) fn rounds(
    left: &[u8],
    right: &[u8],
    most: usize,
    work: u64,
    visit: &mut dyn FnMut(isize, &[isize]) -> bool,
) -> Distance {
    let head = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[head..], &right[head..]);
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - tail], &right[..right.len() - tail]);
    let (n, m) = (left.len() as isize, right.len() as isize);
    // No more edits than that are needed: each byte of the longer text is replaced or inserted.
    let all = left.len().max(right.len());
    let at_least = |edits: usize| edits.max(left.len().abs_diff(right.len()));
    // Diagonal `k` has the pairs of places `(x, x + k)`; `reached` has those from `low` to `high`,
    // and two more at either end, so that each of the next ones finds its neighbours.
    let mut reached: Vec<isize> = vec![NOWHERE; 5];
    let (mut low, mut high) = (0, 0);
    let mut steps = 0;
    let mut at_most = all;
    for edits in 0..=all {
        if at_least(edits) >= most {
            return Distance { at_least: most, at_most: at_most.max(most) };
        }
        if edits == 0 {
            reached[2] = 0;
        } else {
            let wider = ((low - 1).max(-n), (high + 1).min(m));
            let mut next = vec![NOWHERE; (wider.1 - wider.0 + 5) as usize];
            for k in wider.0..=wider.1 {
                let before = (k - low + 2) as usize;
                let replaced = reached[before] + 1;
                let inserted = reached[before - 1];
                let deleted = reached[before + 1] + 1;
                let furthest = replaced.max(inserted).max(deleted);
                next[(k - wider.0 + 2) as usize] = furthest.min(n).min(m - k);
            }
            (low, high) = wider;
            reached = next;
        }
        for k in low..=high {
            let mut x = reached[(k - low + 2) as usize];
            let from = x;
            if x < 0 || x + k < 0 {
                steps += 1;
                continue;
            }
            while x < n && x + k < m && left[x as usize] == right[(x + k) as usize] {
                x += 1;
            }
            reached[(k - low + 2) as usize] = x;
            steps += 1 + (x - from) as u64;
            let left_over = (n - x).max(m - x - k) as usize;
            at_most = at_most.min(edits + left_over);
            if left_over == 0 {
                // Diagonals after this one are of no use.
                visit(low, &reached[2..=(k - low + 2) as usize]);
                return Distance { at_least: edits, at_most: edits };
            }
        }
        if !visit(low, &reached[2..=(high - low + 2) as usize]) || steps > work {
            return Distance { at_least: at_least(edits + 1).min(at_most), at_most };
        }
    }
    Distance { at_least: all, at_most: all }
}

/// Of a diagonal that no number of edits has reached yet: half of the least number, so that adding to it
/// never overflows.
const NOWHERE: isize = isize::MIN / 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_full_table() {
        assert_eq!(distance(b"kitten", b"sitting", usize::MAX), 3);
        assert_eq!(distance(b"", b"abc", usize::MAX), 3);
        assert_eq!(distance(b"abc", b"abc", usize::MAX), 0);
        assert_eq!(distance(b"abcdefghij", b"bcdefghijk", usize::MAX), 2);
        assert_eq!(distance(b"abcdefghij", b"0123456789", usize::MAX), 10);
        assert_eq!(distance(b"abcdefghij", b"0123456789", 6), 6);
        // Against the plain recursion, over all short texts of two letters.
        let texts: Vec<Vec<u8>> = (0..5usize)
            .flat_map(|n| {
                (0..1 << n).map(move |bits: usize| {
                    (0..n).map(|i| if bits >> i & 1 == 1 { b'a' } else { b'b' }).collect()
                })
            })
            .collect();
        for left in &texts {
            for right in &texts {
                assert_eq!(distance(left, right, usize::MAX), plain(left, right));
            }
        }
    }

    #[test]
    fn a_distance_that_takes_too_many_steps_is_told_by_its_bounds() {
        // No byte of one is a byte of the other: the distance is the length.
        let (left, right) = (vec![b'a'; 300_000], vec![b'b'; 300_000]);
        let found = bounded(&left, &right, usize::MAX, 10_000);
        assert_eq!(found, Distance { at_least: 101, at_most: 300_000 });
        assert_eq!(found.exact(), None);
        // All the same but for one byte in a thousand, which is replaced.
        let replaced: Vec<u8> = (0..300_000).map(|at| b'a' + u8::from(at % 1000 == 1)).collect();
        let found = bounded(&left, &replaced, usize::MAX, 1 << 22);
        assert!(found.at_least <= 300 && 300 <= found.at_most, "{found:?}");
        assert_eq!(bounded(&left, &replaced, usize::MAX, u64::MAX).exact(), Some(300));
        assert_eq!(bounded(b"kitten", b"sitting", 2, u64::MAX).at_least, 2);
    }

    fn plain(left: &[u8], right: &[u8]) -> usize {
        match (left, right) {
            ([], rest) | (rest, []) => rest.len(),
            ([a, left_rest @ ..], [b, right_rest @ ..]) => {
                let replaced = plain(left_rest, right_rest) + usize::from(a != b);
                replaced.min(plain(left_rest, right) + 1).min(plain(left, right_rest) + 1)
            }
        }
    }
}
