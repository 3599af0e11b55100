//! Sets of edits that are tried at once: one alone, or two whose faults are too close to be distinguished.

use super::edit::Edit;

/// Each edit alone.
pub(super) fn alone<'e, 'w>(edits: &'e [Edit<'w>]) -> &'e [[Edit<'w>; 1]] {
    edits.as_chunks().0
}

/// Two edits at once, the likeliest together first.
pub(super) fn pairs<'w>(singles: &[Edit<'w>], most: usize) -> Vec<[Edit<'w>; 2]> {
    let mut pairs = Vec::new();
    // Pairs by the sum of their ranks.
    for sum in 1..singles.len() * 2 {
        for low in 0..=(sum - 1) / 2 {
            let high = sum - low;
            let Some(right) = singles.get(high) else { continue };
            let (first, second) = if singles[low].at < right.at {
                (singles[low], *right)
            } else {
                (*right, singles[low])
            };
            if first.end <= second.at && first.at != second.at {
                pairs.push([first, second]);
            }
            if pairs.len() >= most {
                return pairs;
            }
        }
    }
    pairs
}

/// Where the last of some edits ends.
pub(super) fn end_of(edits: &[Edit<'_>]) -> usize {
    edits.last().map_or(0, |edit| edit.end)
}

/// Where in `edited` the first byte after the edits is that is not blank.
pub(super) fn content_behind(edits: &[Edit<'_>], text: &[u8], edited: &[u8]) -> usize {
    let end = edited.len() - (text.len() - end_of(edits));
    let content = edited[end..].iter().position(|byte| !byte.is_ascii_whitespace());
    content.map_or(edited.len(), |blanks| end + blanks)
}

/// Writes `text` with edits, which are in order of place, into `out`.
pub(super) fn apply_all(edits: &[Edit<'_>], text: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut done = 0;
    for edit in edits {
        out.extend_from_slice(&text[done..edit.at]);
        out.extend_from_slice(edit.new);
        done = edit.end;
    }
    out.extend_from_slice(&text[done..]);
}
