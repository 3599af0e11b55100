//! What has to be changed in one input to get another: the elements that an isolation moves.
//!
//! Each [`Change`] stands alone: any subset of them, applied to the first input, gives an input
//! between the two. They come from the shortest script of insertions and deletions of units.

use std::ops::Range;

use crate::structure::{Format, Units, split};

/// Scripts longer than this are not looked for: everything that differs counts as exchanged.
const LONGEST_SCRIPT: usize = 2000;

/// Bytes of the old input that give way to bytes of the new one. One of them may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// In the old input.
    pub old: Range<usize>,
    /// In the new input.
    pub new: Range<usize>,
}

/// The changes that lead from `old` to `new`, in order, a unit of `format` at a time.
pub fn changes(old: &[u8], new: &[u8], format: Format) -> Vec<Change> {
    let (old_units, new_units) = (split(old, format), split(new, format));
    let old_parts: Vec<&[u8]> = parts(old, &old_units);
    let new_parts: Vec<&[u8]> = parts(new, &new_units);
    let mut changes = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    let end = (old_parts.len(), new_parts.len());
    for (old_next, new_next) in matches(&old_parts, &new_parts).into_iter().chain([end]) {
        // A unit for a unit, then what one side has more.
        let exchanged = (old_next - old_at).min(new_next - new_at);
        for _ in 0..exchanged {
            changes.push(Change {
                old: old_units.span(old_at..old_at + 1),
                new: new_units.span(new_at..new_at + 1),
            });
            (old_at, new_at) = (old_at + 1, new_at + 1);
        }
        for unit in old_at..old_next {
            let at = new_units.start(new_at);
            changes.push(Change { old: old_units.span(unit..unit + 1), new: at..at });
        }
        for unit in new_at..new_next {
            let at = old_units.start(old_next);
            changes.push(Change { old: at..at, new: new_units.span(unit..unit + 1) });
        }
        (old_at, new_at) = (old_next + 1, new_next + 1);
    }
    changes
}

/// Applies the changes with the indices `kept` (ascending) to `old`.
pub fn apply(old: &[u8], new: &[u8], changes: &[Change], kept: &[usize], out: &mut Vec<u8>) {
    let mut at = 0;
    for change in kept.iter().map(|index| &changes[*index]) {
        out.extend_from_slice(&old[at..change.old.start]);
        out.extend_from_slice(&new[change.new.clone()]);
        at = change.old.end;
    }
    out.extend_from_slice(&old[at..]);
}

fn parts<'b>(bytes: &'b [u8], units: &Units) -> Vec<&'b [u8]> {
    (0..units.len()).map(|unit| &bytes[units.span(unit..unit + 1)]).collect()
}

/// Pairs of equal elements, ascending in both: a longest common subsequence.
fn matches(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[front..], &new[front..]);
    let equal = |(old, new): &(&&[u8], &&[u8])| old == new;
    let back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(equal).count();
    let old_middle = &old_rest[..old_rest.len() - back];
    let new_middle = &new_rest[..new_rest.len() - back];
    let mut pairs: Vec<(usize, usize)> = (0..front).map(|i| (i, i)).collect();
    let middle = middle_matches(old_middle, new_middle);
    pairs.extend(middle.into_iter().map(|(i, j)| (front + i, front + j)));
    let (old_end, new_end) = (old.len() - back, new.len() - back);
    pairs.extend((0..back).map(|i| (old_end + i, new_end + i)));
    pairs
}

/// Myers 1986, "An O(ND) difference algorithm", figure 2, with its way back.
fn middle_matches(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let (n, m) = (old.len(), new.len());
    let limit = (n + m).min(LONGEST_SCRIPT);
    // Furthest points on diagonals -d..=d, shifted by d, for each length d of a script.
    let mut furthest: Vec<Vec<usize>> = Vec::new();
    let reach = |row: &[usize], d: usize, k: isize| row[(k + d as isize) as usize];
    let downward = |row: &[usize], d: usize, k: isize, last: isize| {
        k == -last || (k != last && reach(row, d, k - 1) < reach(row, d, k + 1))
    };
    for d in 0..=limit {
        let last = d as isize;
        let mut row = vec![0; 2 * d + 1];
        for k in (-last..=last).step_by(2) {
            let mut x = match furthest.last() {
                None => 0,
                Some(before) if downward(before, d - 1, k, last) => reach(before, d - 1, k + 1),
                Some(before) => reach(before, d - 1, k - 1) + 1,
            };
            // Beyond the edges a point matches nothing and is never the end.
            while x < n && (x as isize - k) < m as isize && x as isize >= k {
                if old[x] != new[(x as isize - k) as usize] {
                    break;
                }
                x += 1;
            }
            row[(k + last) as usize] = x;
            if x == n && x as isize - k == m as isize {
                furthest.push(row);
                return way_back(&furthest, n, m, downward);
            }
        }
        furthest.push(row);
    }
    Vec::new()
}

fn way_back(
    furthest: &[Vec<usize>],
    n: usize,
    m: usize,
    downward: impl Fn(&[usize], usize, isize, isize) -> bool,
) -> Vec<(usize, usize)> {
    let (mut x, mut y) = (n as isize, m as isize);
    let mut pairs = Vec::new();
    for d in (0..furthest.len()).rev() {
        let k = x - y;
        let (from_x, from_y) = match d.checked_sub(1) {
            None => (0, 0),
            Some(before) => {
                let row = &furthest[before];
                let k_before = if downward(row, before, k, d as isize) { k + 1 } else { k - 1 };
                let x = row[(k_before + before as isize) as usize] as isize;
                (x, x - k_before)
            }
        };
        while x > from_x && y > from_y {
            (x, y) = (x - 1, y - 1);
            pairs.push((x as usize, y as usize));
        }
        (x, y) = (from_x, from_y);
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(old: &str, new: &str, format: Format) -> Vec<String> {
        let changes = changes(old.as_bytes(), new.as_bytes(), format);
        let told = changes.iter().map(|change| {
            format!("-{:?}+{:?}", &old[change.old.clone()], &new[change.new.clone()])
        });
        told.collect()
    }

    #[test]
    fn from_nothing_every_unit_is_a_change() {
        assert_eq!(told("", "abc", Format::Bytes), [r#"-""+"a""#, r#"-""+"b""#, r#"-""+"c""#]);
        assert_eq!(told("", "a\nb\n", Format::Lines), [r#"-""+"a\n""#, r#"-""+"b\n""#]);
    }

    #[test]
    fn what_both_have_stays() {
        assert_eq!(told("abcdef", "abXdYef", Format::Bytes), [r#"-"c"+"X""#, r#"-""+"Y""#]);
        assert_eq!(told("abc", "abc", Format::Bytes), [""; 0]);
        assert_eq!(told("xabc", "abc", Format::Bytes), [r#"-"x"+"""#]);
    }

    #[test]
    fn all_changes_give_the_new_input_and_none_the_old() {
        let mut state = 7u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..500 {
            let mut text = || (0..random(12)).map(|_| b'a' + random(3) as u8).collect::<Vec<u8>>();
            let (old, new) = (text(), text());
            let changes = changes(&old, &new, Format::Bytes);
            let all: Vec<usize> = (0..changes.len()).collect();
            let (mut applied, mut untouched) = (Vec::new(), Vec::new());
            apply(&old, &new, &changes, &all, &mut applied);
            apply(&old, &new, &changes, &[], &mut untouched);
            assert_eq!((applied, untouched), (new, old));
        }
    }
}
