//! The given inputs with letters in the place of characters that are not ASCII.
//!
//! A word has several such characters as a rule, and no edit of one character takes all of them away. So nearly all inputs that are made of
//! one that fails for such a word fail too, and none shows which word it was.

use std::ops::Range;

use seedsmith_engine::Stopped;

use super::{distinct, edited, tested};
use crate::generalize::bytes::cut::stretches;
use crate::generalize::draws::prober::Prober;
use crate::generalize::pattern::Subject;

/// Tests at most, because the given input and the minimized one have few such words.
const MAX_TESTS: usize = 16;
/// Words of an input of which each is written in ASCII alone, and each is left as it is alone: five, so that two inputs have 22 of which the first are
/// tested.
const MAX_WORDS: usize = 5;
/// The letter in the place of each character, because a blank or a mark would divide the word.
const LETTER: u8 = b'o';

/// Such inputs, each with whether it fails; rejected ones are left out. Cost: at most `MAX_TESTS` tests, none if all inputs are ASCII.
pub(in crate::generalize::predicate) fn in_ascii(
    prober: &mut Prober<'_, '_>,
    bases: &[Subject],
) -> Result<Vec<(Vec<u8>, bool)>, Stopped> {
    let made = distinct(bases.iter().flat_map(|base| spelled(&base.input)));
    tested(prober, made.into_iter().take(MAX_TESTS))
}

/// An input with each of its words in ASCII, with all others in ASCII, and with all of them.
fn spelled(input: &[u8]) -> Vec<Vec<u8>> {
    if std::str::from_utf8(input).is_err() {
        return Vec::new();
    }
    let words = stretches(input, |byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let words = words.into_iter().filter(|span| !input[span.clone()].is_ascii());
    let words: Vec<Range<usize>> = words.collect();
    let in_letters = |span: &Range<usize>| {
        let text = String::from_utf8_lossy(&input[span.clone()]).into_owned();
        text.chars().map(|c| if c.is_ascii() { c as u8 } else { LETTER }).collect()
    };
    let with = |is_meant: &dyn Fn(usize) -> bool| {
        let meant = words.iter().enumerate().filter(|(number, _)| is_meant(*number));
        edited(input, meant.map(|(_, span)| (span.clone(), in_letters(span))).collect())
    };
    let each = (0..words.len().min(MAX_WORDS))
        .flat_map(|one| [with(&|number| number == one), with(&|number| number != one)]);
    let all = (!words.is_empty()).then(|| with(&|_| true));
    let mut found: Vec<Vec<u8>> = all.into_iter().chain(each).collect();
    found.retain(|made| made != input);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_and_each_but_one_is_written_in_ascii() {
        let made = |text: &str| -> Vec<String> {
            spelled(text.as_bytes())
                .into_iter()
                .map(|one| String::from_utf8(one).unwrap())
                .collect()
        };
        let wanted = ["A: Zoo Hill o", "A: Zoo Hill é", "A: Zoë Hill o"];
        let found = made("A: Zoë Hill é");
        assert!(wanted.iter().all(|one| found.contains(&(*one).to_owned())), "{found:?}");
        assert_eq!(made("Dvořák"), ["Dvoook"; 2]);
        assert_eq!(made("ascii"), [""; 0]);
    }
}
