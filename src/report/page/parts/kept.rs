//! Which bytes of an input its minimized form still has.
//!
//! The alignment of a repair (`session::repair::changes`) counts replacements and gives up after some thousand edits.
//! A minimized input is the other extreme: nearly everything is deleted and nothing is replaced. So this one only
//! deletes and inserts, and prefers bytes that are next to each other.

use crate::session::repair::{Change, changes};

/// Cells of the table, each a byte: 32 MB. An optimized build fills them in about a tenth of a second. Larger
/// pairs are aligned by their lines.
const MAX_CELLS: usize = 1 << 25;
/// What a byte that both have is worth.
const MATCH: i32 = 8;
/// What it costs to begin a run of such bytes. Less than a match: a single byte counts as kept, too.
const BEGIN: i32 = 1;
/// No run ends here.
const NONE: i32 = i32::MIN / 2;

/// A step back in the table: over a byte of the input, of the result, or of both.
const OVER_INPUT: u8 = 0;
const OVER_RESULT: u8 = 1;
const OVER_BOTH: u8 = 2;
/// Set if the pair before is a match of the same run.
const CONTINUES: u8 = 4;

/// What changed from `input` to `result`, in the order of the places.
///
/// As many bytes as possible count as kept, in as few runs as possible. Of texts that are too large for that, the
/// common beginning and end are kept first.
pub(crate) fn deletions(input: &[u8], result: &[u8]) -> Vec<Change> {
    let cells = |old: usize, new: usize| (old + 1).saturating_mul(new + 1);
    let (mut head, mut tail) = (0, 0);
    if cells(input.len(), result.len()) > MAX_CELLS {
        head = input.iter().zip(result).take_while(|(a, b)| a == b).count();
        let rest = (&input[head..], &result[head..]);
        tail = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(a, b)| a == b).count();
    }
    let (old, new) = (&input[head..input.len() - tail], &result[head..result.len() - tail]);
    if cells(old.len(), new.len()) > MAX_CELLS {
        return changes(input, result);
    }
    let mut found = Vec::new();
    let (mut at, mut new_at) = (0, 0);
    for (start, new_start, length) in runs(old, new).into_iter().chain([(old.len(), new.len(), 0)])
    {
        if at < start || new_at < new_start {
            let (dropped, added) = (old[at..start].to_vec(), new[new_at..new_start].to_vec());
            found.push(Change { at: head + at, dropped, added });
        }
        (at, new_at) = (start + length, new_start + length);
    }
    found
}

/// Runs of equal bytes: the offsets in both texts and the length, in order.
///
/// It is the alignment of Needleman and Wunsch with a cost for each run, after Gotoh (1982). Time and memory are
/// the product of both lengths.
fn runs(old: &[u8], new: &[u8]) -> Vec<(usize, usize, usize)> {
    let width = new.len() + 1;
    let mut steps = vec![OVER_INPUT; (old.len() + 1) * width];
    steps[1..width].fill(OVER_RESULT);
    // For each beginning of `new`: the best value, and the best one that ends with a match.
    let (mut best, mut matched) = (vec![0; width], vec![NONE; width]);
    for (row, byte) in old.iter().enumerate() {
        let steps = &mut steps[(row + 1) * width..(row + 2) * width];
        let mut before = (best[0], matched[0]);
        for (column, other) in new.iter().enumerate() {
            let above = (best[column + 1], matched[column + 1]);
            let (mut value, mut step) = (above.0, OVER_INPUT);
            if best[column] > value {
                (value, step) = (best[column], OVER_RESULT);
            }
            let mut run = NONE;
            let mut flag = 0;
            if byte == other {
                let (begins, continues) = (before.0 + MATCH - BEGIN, before.1 + MATCH);
                run = begins.max(continues);
                flag = if continues >= begins { CONTINUES } else { 0 };
            }
            if run >= value {
                (value, step) = (run, OVER_BOTH);
            }
            steps[column + 1] = step | flag;
            (best[column + 1], matched[column + 1]) = (value, run);
            before = above;
        }
    }
    traced(&steps, old.len(), new.len())
}

/// The way back through the table, from its last cell to the first. Of several best ways it is the one whose matches
/// are nearest to the end.
fn traced(steps: &[u8], old: usize, new: usize) -> Vec<(usize, usize, usize)> {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    let (mut row, mut column, mut is_in_run) = (old, new, false);
    while row > 0 && column > 0 {
        let step = steps[row * (new + 1) + column];
        match if is_in_run { OVER_BOTH } else { step & !CONTINUES } {
            OVER_INPUT => row -= 1,
            OVER_RESULT => column -= 1,
            _ => {
                (row, column) = (row - 1, column - 1);
                is_in_run = step & CONTINUES != 0;
                match runs.last_mut() {
                    Some((start, other, length)) if *start == row + 1 && *other == column + 1 => {
                        (*start, *other, *length) = (row, column, *length + 1);
                    }
                    _ => runs.push((row, column, 1)),
                }
            }
        }
    }
    runs.reverse();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The input with `[deleted]` and `(added)` parts.
    fn told(input: &str, result: &str) -> String {
        let (mut out, mut at) = (String::new(), 0);
        for change in deletions(input.as_bytes(), result.as_bytes()) {
            let words = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
            out += &input[at..change.at];
            at = change.at + change.dropped.len();
            if !change.dropped.is_empty() {
                out += &format!("[{}]", words(&change.dropped));
            }
            if !change.added.is_empty() {
                out += &format!("({})", words(&change.added));
            }
        }
        out + &input[at..]
    }

    #[test]
    fn what_is_kept_is_in_as_few_runs_as_possible() {
        assert_eq!(told("same", "same"), "same");
        assert_eq!(told("{\"a\":1,\"b\":2}", "{}"), "{[\"a\":1,\"b\":2]}");
        assert_eq!(told("f1 o2 o3 foo! o", "foo!"), "[f1 o2 o3 ]foo![ o]");
        assert_eq!(told("x: 999", "x: 0"), "x: [999](0)");
        assert_eq!(told("", "a"), "(a)");
        assert_eq!(told("abc", ""), "[abc]");
    }

    #[test]
    fn a_result_that_is_a_part_of_a_large_input_is_found_in_it() {
        let input = "one line of many\n".repeat(40_000) + "the needle" + &" and more".repeat(9_000);
        let result = "he needl";
        let changes = deletions(input.as_bytes(), result.as_bytes());
        let kept = input.len() - changes.iter().map(|one| one.dropped.len()).sum::<usize>();
        assert!(changes.iter().all(|one| one.added.is_empty()), "{:?}", changes.len());
        assert_eq!((changes.len(), kept), (2, result.len()));
    }

    #[test]
    fn what_is_too_large_for_the_table_is_aligned_by_lines() {
        let line = |at: usize| format!("line {at} of a long text\n");
        let input: String = (0..4000).map(line).collect();
        let result: String = (0..4000).filter(|at| at % 2 == 0).map(line).collect();
        let changes = deletions(input.as_bytes(), result.as_bytes());
        let dropped: usize = changes.iter().map(|one| one.dropped.len()).sum();
        assert_eq!(
            input.len() - dropped + changes.iter().map(|one| one.added.len()).sum::<usize>(),
            result.len()
        );
    }
}
