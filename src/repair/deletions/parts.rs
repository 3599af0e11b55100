//! Which bytes of an input are a part of it: what a repair kept that only drops.
//!
//! A shortest script between the two would do, but costs the square of the dropped bytes, and gives up
//! where that is much.

use std::ops::Range;

use seedsmith_grammar::internal::lines;
use seedsmith_grammar::internal::{DiffStep, diff};

/// Which bytes of `input` are `text`, by lines first; none if it is no part of it.
pub(in crate::repair) fn kept(input: &[u8], text: &[u8]) -> Option<Vec<bool>> {
    by_lines(input, text).or_else(|| leftmost(input, text))
}

/// Lines that are the same are kept as a whole; the bytes between them are a part by themselves.
///
/// `None` where lines have changed places, or where the bytes between equal lines are no part; then
/// the caller tries without lines.
fn by_lines(input: &[u8], text: &[u8]) -> Option<Vec<bool>> {
    let mut kept = vec![false; input.len()];
    let mut pair = |old: Range<usize>, new: Range<usize>| {
        let (old, part) = (&text[old], &mut kept[new.clone()]);
        let new = &input[new];
        let head = old.iter().zip(new).take_while(|(left, right)| left == right).count();
        let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
        let tail = tails.take_while(|(left, right)| left == right).count();
        part[..head].fill(true);
        part[new.len() - tail..].fill(true);
        let middle = leftmost(&new[head..new.len() - tail], &old[head..old.len() - tail])?;
        part[head..new.len() - tail].copy_from_slice(&middle);
        Some(())
    };
    let steps = diff((text, &lines(text)), (input, &lines(input)));
    // Up to where both are paired, and up to where the input is passed over.
    let (mut old, mut new, mut to) = (0, 0, 0);
    for step in steps {
        match step {
            DiffStep::Delete(_) => {}
            DiffStep::Insert(span) => to = span.end,
            DiffStep::Common(span) => {
                let common = to..to + span.len();
                pair(old..span.start, new..common.start)?;
                pair(span.clone(), common.clone())?;
                (old, new, to) = (span.end, common.end, common.end);
            }
        }
    }
    pair(old..text.len(), new..input.len())?;
    Some(kept)
}

/// Each byte where it can be first.
///
/// `None` if `text` is no part of `input`. Cost: one pass over both.
fn leftmost(input: &[u8], text: &[u8]) -> Option<Vec<bool>> {
    let mut kept = vec![false; input.len()];
    let mut at = 0;
    for byte in text {
        at += input[at..].iter().position(|other| other == byte)?;
        kept[at] = true;
        at += 1;
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_kept_is_known_by_lines_first() {
        let kept = |input: &str, text: &str| {
            let kept = crate::repair::deletions::parts::kept(input.as_bytes(), text.as_bytes())?;
            Some(kept.iter().map(|is_kept| if *is_kept { '+' } else { '-' }).collect::<String>())
        };
        assert_eq!(kept("ab\nac\nad\n", "ac\nd\n").unwrap(), "---+++-++");
        assert_eq!(kept("12,,1", "1,").unwrap(), "+-+--");
        assert_eq!(kept("abc", "acb"), None);
    }
}
