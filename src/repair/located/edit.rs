//! One edit of a text: bytes in place of a span, and how a person would call it.

use std::ops::Range;

/// What an edit does, in the documented order of preference between edits that are equally likely.
///
/// Between edits that are about as likely, the order of the kinds decides which is tried first;
/// `docs/src/repair.md` has it with examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum EditKind {
    /// Escapes a lone bad byte, or drops it.
    BadByte,
    /// Puts two neighbours back in order.
    Transposition,
    /// Adds or mends a separator, a bracket, a quotation mark, a tag.
    Separator,
    /// Takes over what another place of the text has: a word, a name, an indentation.
    Copy,
    /// Adds or changes any other byte.
    Letter,
    /// Drops a token, a line or a block.
    Deletion,
}

/// Puts `new` in place of a span.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Edit {
    /// Where it begins.
    pub at: usize,
    /// The end of the replaced span.
    pub end: usize,
    /// What comes in its place.
    pub new: Vec<u8>,
}

impl Edit {
    /// `new` in place of `span`.
    ///
    /// The span may be empty, then nothing is replaced.
    pub(super) fn new(span: Range<usize>, new: impl Into<Vec<u8>>) -> Self {
        Edit { at: span.start, end: span.end, new: new.into() }
    }

    /// `new` at `at`.
    pub(super) fn insert(at: usize, new: impl Into<Vec<u8>>) -> Self {
        Edit::new(at..at, new)
    }

    /// Nothing in place of `span`.
    pub(super) fn delete(span: Range<usize>) -> Self {
        Edit::new(span, [])
    }

    /// The edited text.
    ///
    /// The span has to lie within the text, so the edit has to have been made for it or for a text
    /// that begins with the same bytes.
    pub(super) fn apply(&self, text: &[u8]) -> Vec<u8> {
        let mut edited = Vec::with_capacity(text.len() + self.new.len());
        self.append(text, &mut edited);
        edited
    }

    /// Appends the edited text, which [`Edit::apply`] returns.
    pub(super) fn append(&self, text: &[u8], edited: &mut Vec<u8>) {
        edited.extend_from_slice(&text[..self.at]);
        edited.extend_from_slice(&self.new);
        edited.extend_from_slice(&text[self.end..]);
    }

    /// Where an offset after the edit's start is in the edited text. One within the replaced span
    /// comes out at the edit's start or after it.
    pub(super) fn moved(&self, offset: usize) -> usize {
        if offset <= self.at {
            offset
        } else {
            (offset + self.new.len()).saturating_sub(self.end - self.at).max(self.at)
        }
    }

    /// The same change without the bytes that it replaces by themselves; `None` if it changes
    /// nothing.
    pub(super) fn trimmed(mut self, text: &[u8]) -> Option<Self> {
        let old = &text[self.at..self.end];
        let head = old.iter().zip(&self.new).take_while(|(a, b)| a == b).count();
        let (old, new) = (&old[head..], &self.new[head..]);
        let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        (self.at, self.end) = (self.at + head, self.end - tail);
        self.new = new[..new.len() - tail].to_vec();
        (self.at < self.end || !self.new.is_empty()).then_some(self)
    }

    /// How many bytes it drops or adds, a replaced byte counted once.
    ///
    /// The measure is that of the distance that a repair is judged by.
    pub(super) fn size(&self) -> usize {
        (self.end - self.at).max(self.new.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_trimmed_to_what_it_changes() {
        let edit = Edit::new(2..6, *b"c-ef").trimmed(b"abcdefg").unwrap();
        assert_eq!(edit, Edit::new(3..4, *b"-"));
        assert_eq!(edit.apply(b"abcdefg"), b"abc-efg");
        assert_eq!(Edit::new(2..4, *b"cd").trimmed(b"abcdefg"), None);
    }
}
