//! Small edits of an input, the smallest first: one byte, one word, or a stretch is deleted, changed,
//! repeated, or inserted.

use seedsmith_grammar::Random;

/// Bytes that are inserted or replace others, besides bytes of the input.
const USUAL: &[u8] = b"a0 \n;x1,-.(\"A";

/// Edits of one input, in an order that follows from the seed.
pub(super) struct Edits<'i> {
    input: &'i [u8],
    /// Bytes of it come in where something is inserted.
    other: &'i [u8],
    dice: Random,
    number: usize,
}

impl<'i> Edits<'i> {
    /// Edits of `input`; bytes of `other` come in where something is inserted.
    pub(super) fn new(input: &'i [u8], other: &'i [u8], seed: u64) -> Self {
        Edits { input, other, dice: Random::new(seed ^ 0x65_6469_7473), number: 0 }
    }

    /// A byte to insert: in one of three cases one of `other`, so that what matters in the
    /// minimized input comes in.
    fn byte(&mut self) -> u8 {
        match self.other.len() {
            0 => USUAL[self.dice.below(USUAL.len())],
            length if self.dice.below(3) == 0 => self.other[self.dice.below(length)],
            _ => USUAL[self.dice.below(USUAL.len())],
        }
    }

    /// The run of bytes of one sort around a place: a word, a number, white space, or one mark.
    fn word(&self, at: usize) -> std::ops::Range<usize> {
        let sort = |byte: u8| match byte {
            byte if byte.is_ascii_alphanumeric() || byte >= 0x80 => 0,
            byte if byte.is_ascii_whitespace() => 1,
            byte => u32::from(byte) + 2,
        };
        let own = sort(self.input[at]);
        let before = self.input[..at].iter().rev().take_while(|byte| sort(**byte) == own).count();
        let after = self.input[at..].iter().take_while(|byte| sort(**byte) == own).count();
        at - before..at + after
    }
}

impl Iterator for Edits<'_> {
    type Item = Vec<u8>;

    /// There is always another one; some come again.
    ///
    /// Six kinds of edits take turns: a byte is removed, replaced or inserted, a word is removed or
    /// doubled, a stretch is removed. At the end of the input a byte is added.
    fn next(&mut self) -> Option<Vec<u8>> {
        let number = self.number;
        self.number += 1;
        let length = self.input.len();
        let mut out = self.input.to_vec();
        let at = self.dice.below(length + 1);
        if length == 0 || at == length {
            let byte = self.byte();
            out.push(byte);
            return Some(out);
        }
        match number % 6 {
            0 => {
                out.remove(at);
            }
            1 => out[at] = self.byte(),
            2 => out.insert(at, self.byte()),
            3 => {
                let word = self.word(at);
                out.drain(word);
            }
            4 => {
                let copied = self.input[self.word(at)].to_vec();
                out.splice(at..at, copied);
            }
            _ => {
                let end = at + 1 + self.dice.below(length - at);
                out.drain(at..end);
            }
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_follow_from_the_seed_and_most_are_different() {
        let take = |seed| Edits::new(b"[1, last]", b"[", seed).take(100).collect::<Vec<_>>();
        assert_eq!(take(1), take(1));
        assert_ne!(take(1), take(2));
        let mut distinct = take(1);
        distinct.sort();
        distinct.dedup();
        assert!(distinct.len() >= 50, "{}", distinct.len());
    }

    #[test]
    fn the_empty_input_is_edited_by_insertion_alone() {
        assert!(Edits::new(b"", b"", 0).take(20).all(|edit| edit.len() == 1));
    }

    #[test]
    fn a_word_is_taken_as_a_whole() {
        let edits = Edits::new(b"ab12 (x)", b"", 0);
        assert_eq!([edits.word(2), edits.word(4), edits.word(5)], [0..4, 4..5, 5..6]);
    }
}
