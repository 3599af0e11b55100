//! How one input becomes another: an edit script over units.
//!
//! Source: Myers, 'An O(ND) difference algorithm and its variations', 1986, the greedy one.
//!
//! Units are compared as numbers: equal units have the same one. The common head and tail are left
//! out of the search, so that a change in one place of a large file costs little.
//!
//! It is separate from the crate `similar` (looked at on 2026-11-23) because that ends the search of two different inputs by
//! a deadline only. Here the bounds are numbers of edits and comparisons, so that the script does not depend
//! on the machine.

use std::collections::HashMap;
use std::ops::Range;

use crate::structure::units::Units;

/// A step of an edit script, in order of place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiffStep {
    /// Bytes of the old input that the new one has too.
    Common(Range<usize>),
    /// A unit of the old input that the new one lacks.
    Delete(Range<usize>),
    /// A unit of the new input that the old one lacks.
    Insert(Range<usize>),
}

/// Edits beyond this many are not looked for; then everything between the common head and the
/// common tail is deleted and inserted again. Bounds memory to some 64 MB.
const MAX_EDITS: usize = 4096;
/// Comparisons beyond this many are not made either, with the same result: in repetitive inputs
/// each of the edits may look at the whole input. About a second; for most inputs
/// [`MAX_EDITS`] takes a tenth of it. It counts steps, so that the result is the same everywhere.
const MAX_COMPARISONS: usize = 1 << 28;

/// The shortest script of single-unit edits that makes `new` of `old`.
///
/// Cost: time `O((n + m)·d)`, at most some 2²⁸ comparisons, and memory `O(d²)` for `d` edits.
///
/// Deletions come before insertions where both are at one place. The script is the same on every
/// machine: it is bounded by steps, not by time.
pub fn diff<'b>(old: (&'b [u8], &Units), new: (&'b [u8], &Units)) -> Vec<DiffStep> {
    // Most texts that are compared differ in few places: only the units between the common head and
    // tail are numbered.
    let unit = |of: (&'b [u8], &Units), index| &of.0[of.1.span(index..index + 1)];
    let (left, right) = (old.1.len(), new.1.len());
    let shorter = left.min(right);
    let head = (0..shorter).take_while(|at| unit(old, *at) == unit(new, *at)).count();
    let tail = (1..=shorter - head)
        .take_while(|back| unit(old, left - back) == unit(new, right - back))
        .count();
    let mut names: HashMap<&[u8], u32> = HashMap::new();
    let middle_left = name_units(old.0, old.1, head..left - tail, &mut names);
    let middle_right = name_units(new.0, new.1, head..right - tail, &mut names);

    let mut steps = Vec::new();
    let common = |units: Range<usize>, steps: &mut Vec<DiffStep>| {
        if !units.is_empty() {
            steps.push(DiffStep::Common(old.1.span(units)));
        }
    };
    common(0..head, &mut steps);
    let (mut x, mut y) = (head, head);
    for keeps in kept(&middle_left, &middle_right) {
        let (to_x, to_y) = (head + keeps.0, head + keeps.1);
        steps.extend((x..to_x).map(|unit| DiffStep::Delete(old.1.span(unit..unit + 1))));
        steps.extend((y..to_y).map(|unit| DiffStep::Insert(new.1.span(unit..unit + 1))));
        common(to_x..to_x + 1, &mut steps);
        (x, y) = (to_x + 1, to_y + 1);
    }
    let end = left - tail;
    steps.extend((x..end).map(|unit| DiffStep::Delete(old.1.span(unit..unit + 1))));
    let end = right - tail;
    steps.extend((y..end).map(|unit| DiffStep::Insert(new.1.span(unit..unit + 1))));
    common(left - tail..left, &mut steps);
    steps
}

/// Numbers units so that equal ones have the same number.
fn name_units<'b>(
    bytes: &'b [u8],
    units: &Units,
    which: Range<usize>,
    names: &mut HashMap<&'b [u8], u32>,
) -> Vec<u32> {
    let mut named = Vec::with_capacity(which.len());
    for index in which {
        let next = names.len() as u32;
        named.push(*names.entry(&bytes[units.span(index..index + 1)]).or_insert(next));
    }
    named
}

/// A longest common subsequence, as pairs of indices; empty if it takes too many edits.
///
/// The inner loops are those of Myers' figure 2: `farthest` has, for each diagonal `k = x - y`, the
/// greatest `x` that can be reached with `d` edits. All rounds are kept (`reached`), since the path
/// is followed back from the end.
fn kept(left: &[u32], right: &[u32]) -> Vec<(usize, usize)> {
    if left.is_empty() || right.is_empty() {
        return Vec::new();
    }
    let (n, m) = (left.len() as i64, right.len() as i64);
    let most = (left.len() + right.len()).min(MAX_EDITS) as i64;
    // Of each number of edits, how far each diagonal was reached before it.
    let mut reached: Vec<Vec<i64>> = Vec::new();
    let mut farthest = vec![0i64; 2 * most as usize + 3];
    let slot = |k: i64| (k + most + 1) as usize;
    let mut found = None;
    let mut comparisons = 0;
    'search: for d in 0..=most {
        if comparisons > MAX_COMPARISONS {
            break;
        }
        reached.push(farthest[slot(-d - 1)..=slot(d + 1)].to_vec());
        for k in (-d..=d).step_by(2) {
            let down = k == -d || (k != d && farthest[slot(k - 1)] < farthest[slot(k + 1)]);
            let mut x = if down { farthest[slot(k + 1)] } else { farthest[slot(k - 1)] + 1 };
            let from = x;
            while x < n && x - k < m && x - k >= 0 && left[x as usize] == right[(x - k) as usize] {
                x += 1;
            }
            comparisons += 1 + (x - from) as usize;
            farthest[slot(k)] = x;
            if x >= n && x - k >= m {
                found = Some(d);
                break 'search;
            }
        }
    }
    let mut pairs = Vec::new();
    let Some(edits) = found else { return pairs };
    let (mut x, mut y) = (n, m);
    for d in (0..=edits).rev() {
        let before = &reached[d as usize];
        let at = |k: i64| before[(k + d + 1) as usize];
        let k = x - y;
        let down = k == -d || (k != d && at(k - 1) < at(k + 1));
        let from_k = if down { k + 1 } else { k - 1 };
        let (from_x, from_y) = if d == 0 { (0, 0) } else { (at(from_k), at(from_k) - from_k) };
        while x > from_x
            && y > from_y
            && x > 0
            && y > 0
            && left[x as usize - 1] == right[y as usize - 1]
        {
            pairs.push((x as usize - 1, y as usize - 1));
            x -= 1;
            y -= 1;
        }
        (x, y) = (from_x, from_y);
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(old: &str, new: &str) -> String {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let steps = diff((old, &Units::bytes(old.len())), (new, &Units::bytes(new.len())));
        let mut out = Vec::new();
        let mut rebuilt = Vec::new();
        for step in steps {
            match step {
                DiffStep::Common(span) => {
                    out.extend_from_slice(&old[span.clone()]);
                    rebuilt.extend_from_slice(&old[span]);
                }
                DiffStep::Delete(span) => {
                    out.push(b'-');
                    out.extend_from_slice(&old[span]);
                }
                DiffStep::Insert(span) => {
                    out.push(b'+');
                    out.extend_from_slice(&new[span.clone()]);
                    rebuilt.extend_from_slice(&new[span]);
                }
            }
        }
        assert_eq!(rebuilt, new);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn scripts_are_short_and_make_the_new_of_the_old() {
        assert_eq!(script("abc", "abc"), "abc");
        assert_eq!(script("", "ab"), "+a+b");
        assert_eq!(script("ab", ""), "-a-b");
        assert_eq!(script("abxcd", "abycd"), "ab-x+ycd");
        let edits = script("abcabba", "cbabac");
        assert_eq!(edits.matches(['-', '+']).count(), 5);
    }
}
