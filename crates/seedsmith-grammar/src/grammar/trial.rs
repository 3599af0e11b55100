//! Trial parses: which of several languages the beginning of an input fits best.
//!
//! The code that trials of the built-in grammars and of tree-sitter's parsers share. They define
//! misfits, and which languages are still possible after a look at the bytes.

/// The first lines of a long input.
pub(super) fn beginning(bytes: &[u8], most: usize) -> &[u8] {
    if bytes.len() <= most {
        return bytes;
    }
    let first = &bytes[..most];
    first.iter().rposition(|&byte| byte == b'\n').map_or(first, |at| &first[..=at])
}

/// The candidate with the least misfits in the sample, and how many bytes in a hundred that is
/// (rounded up); none where the least is more than `most_percent`. Of equals the earlier wins, so
/// those after one without misfits aren't tried. `misfits` gives nothing for a trial that didn't
/// come to an end.
pub(super) fn fewest_misfits<T>(
    sample: &[u8],
    most_percent: usize,
    candidates: impl IntoIterator<Item = T>,
    misfits: impl Fn(&T) -> Option<usize>,
) -> Option<(T, u8)> {
    let mut best: Option<(T, usize)> = None;
    for candidate in candidates {
        let Some(misfits) = misfits(&candidate) else { continue };
        if best.as_ref().is_none_or(|(_, least)| misfits < *least) {
            best = Some((candidate, misfits));
        }
        if misfits == 0 {
            break;
        }
    }
    let (found, misfits) = best?;
    let percent = (misfits * 100).div_ceil(sample.len().max(1));
    (percent <= most_percent).then_some((found, percent as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn of_equals_the_earlier_wins_and_nothing_is_tried_behind_a_perfect_one() {
        let tried = Cell::new(0);
        let find = |misfits: &[Option<usize>]| {
            tried.set(0);
            let found = fewest_misfits(&[b' '; 50], 20, 0..misfits.len(), |&at| {
                tried.set(tried.get() + 1);
                misfits[at]
            });
            (found, tried.get())
        };
        assert_eq!(find(&[Some(9), None, Some(3), Some(3)]), (Some((2, 6)), 4));
        assert_eq!(find(&[Some(1), Some(0), Some(0)]), (Some((1, 0)), 2));
        assert_eq!(find(&[Some(11), None]), (None, 2));
        assert_eq!(find(&[]), (None, 0));
    }

    #[test]
    fn a_beginning_ends_with_a_line_if_it_has_one() {
        assert_eq!(beginning(b"ab\ncd\nef", 7), b"ab\ncd\n");
        assert_eq!(beginning(b"abcdef", 3), b"abc");
        assert_eq!(beginning(b"abc", 3), b"abc");
    }
}
