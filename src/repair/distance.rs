//! Levenshtein distance: the fewest insertions, deletions and replacements of single bytes.

/// The distance of two texts, or `most` if it is at least that.
///
/// Cost: time `O(n·d)` for a distance `d`, memory `O(n)`; only a band around the diagonal is
/// looked at, which is widened until it holds the answer (E. Ukkonen, 1985).
pub fn distance(left: &[u8], right: &[u8], most: usize) -> usize {
    let head = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[head..], &right[head..]);
    let tail = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - tail], &right[..right.len() - tail]);
    let mut band = 4.max(left.len().abs_diff(right.len()));
    loop {
        let found = within(left, right, band);
        if found <= band || band >= left.len().max(right.len()) {
            return found.min(most);
        }
        if band >= most {
            return most;
        }
        band *= 2;
    }
}

/// How much of `input` a text keeps: 1 minus their distance as a share of the input.
pub fn similarity(input: &[u8], text: &[u8]) -> f64 {
    if input.is_empty() {
        return if text.is_empty() { 1.0 } else { 0.0 };
    }
    1.0 - distance(input, text, input.len()) as f64 / input.len() as f64
}

/// The distance if it is at most `band`; otherwise something larger.
fn within(left: &[u8], right: &[u8], band: usize) -> usize {
    const FAR: usize = usize::MAX / 2;
    if left.len().abs_diff(right.len()) > band {
        return FAR;
    }
    let mut row: Vec<usize> =
        (0..=right.len()).map(|at| if at <= band { at } else { FAR }).collect();
    for (index, byte) in left.iter().enumerate() {
        let from = (index + 1).saturating_sub(band);
        let to = (index + 1 + band).min(right.len());
        let mut diagonal = if from == 0 { row[0] } else { row[from - 1] };
        if from == 0 {
            row[0] = index + 1;
        } else {
            row[from - 1] = FAR;
        }
        for at in from.max(1)..=to {
            let above = row[at];
            let replaced = diagonal + usize::from(right[at - 1] != *byte);
            row[at] = replaced.min(above + 1).min(row[at - 1] + 1);
            diagonal = above;
        }
        if to < right.len() {
            row[to + 1] = FAR;
        }
    }
    row[right.len()]
}

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
