//! ddmax, exactly as 'Debugging Inputs' defines it.
//!
//! Works on any list of elements that can be rendered: bytes, characters, terminals of a tree,
//! mutations. It is the one ddmax of this package.
//!
//! Source: L. Kirschner, E. Soremekun, A. Zeller, ICSE 2020, figure 5.

use super::validate::Validate;
use crate::reduce::algorithms::ddmin::split;
use seedsmith_engine::Stopped;

/// What one test of ddmax would do to the dropped elements.
#[derive(Clone, Copy)]
struct Motion {
    /// Which part of them, of how many.
    part: usize,
    n: usize,
    /// Whether everything but the part comes back, or only the part.
    is_complement: bool,
}

/// All tests that ddmax would make from granularity `n` on if none of them passed: `dropped`
/// elements of `all` are split.
fn motions(all: usize, dropped: usize, n: usize) -> impl Iterator<Item = Motion> {
    let next = move |n: &usize| (*n < dropped).then(|| all.min(2 * n).min(dropped));
    std::iter::successors(Some(n), next).flat_map(move |n| {
        [true, false].into_iter().flat_map(move |is_complement| {
            (0..n).map(move |part| Motion { part, n, is_complement })
        })
    })
}

/// Brings back as many dropped elements as stay valid together.
///
/// `kept` says for each element whether the base keeps it; the base is assumed to be valid and all
/// elements together to be invalid. `render` writes the elements that are marked into an empty
/// buffer. `told` receives each larger valid configuration, so that an early stop loses nothing.
/// The result, left in `kept`, is 1-maximal: no single dropped element can be added back. Cost: at
/// most `n² + 3n` tests for `n` dropped elements, `2·log2 n` at best.
pub(crate) fn ddmax(
    validator: &mut dyn Validate,
    kept: &mut [bool],
    render: &dyn Fn(&[bool], &mut Vec<u8>),
    told: &mut dyn FnMut(&[bool]),
) -> Result<(), Stopped> {
    let mut n = 2;
    let mut marked = Vec::with_capacity(kept.len());
    loop {
        let dropped: Vec<usize> = (0..kept.len()).filter(|index| !kept[*index]).collect();
        if dropped.len() < 2 {
            return Ok(());
        }
        n = n.min(dropped.len());
        let mut stream = motions(kept.len(), dropped.len(), n);
        let mut tried = Vec::new();
        let mark = |motion: Motion, kept: &[bool], marked: &mut Vec<bool>| {
            let part = split(dropped.len(), motion.n).nth(motion.part);
            let part = part.expect("a motion's part is below its number of parts");
            marked.clear();
            marked.extend_from_slice(kept);
            for (number, index) in dropped.iter().enumerate() {
                marked[*index] = part.contains(&number) != motion.is_complement;
            }
        };
        let answer = validator.first_valid(&mut |buffer| {
            let Some(motion) = stream.next() else { return false };
            tried.push(motion);
            mark(motion, kept, &mut marked);
            render(&marked, buffer);
            true
        })?;
        let Some((index, _)) = answer else { return Ok(()) };
        let motion = tried[index];
        mark(motion, kept, &mut marked);
        kept.copy_from_slice(&marked);
        told(kept);
        n = if motion.is_complement { 2 } else { (motion.n - 1).max(2) };
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::HashSet;

    use super::*;
    use crate::repair::validate::InPlace;
    use seedsmith_engine::internal::Budget;

    /// Result, calls and distinct configurations of ddmax over pieces of a text, from the empty
    /// base. Two configurations can have the same bytes, so these are no tests.
    fn repair(pieces: &[&str], is_valid: impl Fn(&str) -> bool) -> (String, u64, usize) {
        let configurations = RefCell::new(HashSet::new());
        let check = |bytes: &[u8]| is_valid(std::str::from_utf8(bytes).unwrap());
        let mut validator = InPlace::new(check, Budget::default());
        let mut kept = vec![false; pieces.len()];
        let render = |marked: &[bool], out: &mut Vec<u8>| {
            configurations.borrow_mut().insert(marked.to_vec());
            let chosen = pieces.iter().zip(marked).filter(|(_, is_kept)| **is_kept);
            chosen.for_each(|(piece, _)| out.extend_from_slice(piece.as_bytes()));
        };
        ddmax(&mut validator, &mut kept, &render, &mut |_| {}).unwrap();
        let distinct = configurations.borrow().len();
        let mut text = Vec::new();
        render(&kept, &mut text);
        (String::from_utf8(text).unwrap(), validator.counts().calls, distinct)
    }

    fn characters(text: &str) -> Vec<&str> {
        (0..text.len()).map(|at| &text[at..at + 1]).collect()
    }

    fn any(text: &str) -> bool {
        text.is_empty() || serde_json::from_str::<serde_json::Value>(text).is_ok()
    }

    fn object(text: &str) -> bool {
        text.is_empty()
            || serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| value.is_object())
    }

    #[track_caller]
    fn assert_row(pieces: &[&str], with_any: (&str, u64, usize), with_object: (&str, u64, usize)) {
        let (result, calls, distinct) = repair(pieces, any);
        assert_eq!((result.as_str(), calls, distinct), with_any);
        let (result, calls, distinct) = repair(pieces, object);
        assert_eq!((result.as_str(), calls, distinct), with_object);
    }

    #[test]
    fn the_examples_take_the_tests_that_figure_5_takes() {
        let repaired = r#"{ "item": "Apple", "price": 3.45 }"#;
        let row = (repaired, 48, 44);
        assert_row(&characters(r#"{ "item": "Apple", "price": **3.45 }"#), row, row);
        let input = r#"{"item":"Apple","price":**3.45}"#;
        assert_row(&characters(input), ("3.45", 341, 222), ("", 122, 118));
        let input = r#"{ "item": "Apple", "price" 3.45 }"#;
        assert_row(&characters(input), (r#"  ", "  "#, 331, 168), ("", 190, 126));
        let input = r#"{"item":"Apple","price"3.45}"#;
        assert_row(&characters(input), (r#"":""#, 115, 100), ("", 116, 106));
        let terminals = ["{", r#""item""#, ":", r#""Apple""#, ",", r#""price""#, "3.45", "}"];
        assert_row(&terminals, (r#""item""#, 36, 26), ("", 28, 26));
    }

    #[test]
    fn no_single_dropped_element_can_be_added_back() {
        // Validators with holes: every subset of a few bits, by a fixed scramble of its number.
        for seed in 0..200u32 {
            let is_valid = |text: &str| {
                let mask = text.bytes().fold(0u32, |mask, byte| mask | 1 << (byte - b'a'));
                mask == 0 || (mask != 0x7f && mask.wrapping_mul(2_654_435_761 ^ seed) >> 30 == 0)
            };
            let (result, ..) = repair(&characters("abcdefg"), is_valid);
            assert!(is_valid(&result));
            for byte in "abcdefg".chars().filter(|byte| !result.contains(*byte)) {
                let larger: String =
                    "abcdefg".chars().filter(|c| result.contains(*c) || *c == byte).collect();
                // What lacks nothing is the input itself, which is invalid.
                assert!(!is_valid(&larger), "{result:?} could have had {byte:?}");
            }
        }
    }
}
