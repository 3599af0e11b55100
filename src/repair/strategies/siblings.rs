//! Which valid texts of other inputs are most like an input: starting points for one of which no valid
//! text is known.
//!
//! The files of a corpus that a fuzzer made are often mutants of one another, so a valid neighbour has much of
//! what an invalid file has. Texts are compared by the runs of four bytes that both have. No test is made.

use std::collections::HashSet;

/// Texts that are compared, so that choosing takes milliseconds; as many as a run keeps.
const MAX_COMPARED_TEXTS: usize = 512;
/// Starting points for one input, because each costs one ddmax. Not measured.
const MAX_STARTS: usize = 2;
/// Bytes that are compared at once: four, because shorter runs are in every text and longer ones are lost
/// by a single edit. Not measured.
const RUN_BYTES: usize = 4;
/// Bytes of a text that are compared, so that large texts take no longer.
const MAX_COMPARED_BYTES: usize = 16 << 10;

/// At most two of `texts`, the one most like `input` first; of texts that are as much like it, the earlier.
///
/// Empty texts are left out. Cost: one pass over each of the first `MAX_COMPARED_TEXTS`.
pub(super) fn nearest<'t>(texts: &'t [Vec<u8>], input: &[u8]) -> Vec<&'t [u8]> {
    let wanted = runs(input);
    let mut likest: Vec<(f64, usize)> = texts
        .iter()
        .take(MAX_COMPARED_TEXTS)
        .enumerate()
        .filter(|(_, text)| !text.is_empty())
        .map(|(index, text)| (likeness(&wanted, &runs(text)), index))
        .collect();
    likest.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    likest.into_iter().take(MAX_STARTS).map(|(_, index)| texts[index].as_slice()).collect()
}

/// The runs of bytes of a text, and where it begins: the first bytes count more than others, because
/// they often say what a text is.
fn runs(text: &[u8]) -> HashSet<(bool, [u8; RUN_BYTES])> {
    let text = &text[..text.len().min(MAX_COMPARED_BYTES)];
    let run = |part: &[u8]| <[u8; RUN_BYTES]>::try_from(part).expect("it has that many bytes");
    let mut found: HashSet<_> = text.windows(RUN_BYTES).map(|part| (false, run(part))).collect();
    found.extend(text.chunks_exact(RUN_BYTES).take(2).map(|part| (true, run(part))));
    found
}

/// The share of what either has that both have, from 0 to 1.
///
/// Two texts without any run give 0.
fn likeness(
    left: &HashSet<(bool, [u8; RUN_BYTES])>,
    right: &HashSet<(bool, [u8; RUN_BYTES])>,
) -> f64 {
    let common = left.intersection(right).count();
    common as f64 / (left.len() + right.len() - common).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_alike_comes_first_and_the_empty_text_never() {
        let texts: Vec<Vec<u8>> =
            ["", "digraph a { b -> c }", "graph { }", "digraph a { b -> d }", "other"]
                .map(|text| text.as_bytes().to_vec())
                .to_vec();
        let found = nearest(&texts, b"digraph a { b -> d");
        assert_eq!(found, [&texts[3], &texts[1]]);
        // Where nothing is alike, any is better than none.
        assert_eq!(nearest(&texts, b"")[0], texts[1]);
    }
}
