//! Words of a text and of its siblings: what a damaged keyword may have been.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::repair::distance::distance;
use seedsmith_grammar::internal::is_word;

/// Shorter words are not remembered, because they are nearly the same as too many others.
const MIN_WORD_BYTES: usize = 3;
/// Longer runs are not remembered, because they are data and no words.
const MAX_WORD_BYTES: usize = 40;
/// Words that are remembered, at most, because each is compared with a damaged one.
const MAX_WORDS: usize = 4096;
/// Edits between a word and a damaged form of it: two, because with three short words would
/// be near to everything.
const MAX_EDITS: usize = 2;

/// Words, and how often each was seen.
#[derive(Clone, Default)]
pub(crate) struct Vocabulary {
    words: BTreeMap<Box<[u8]>, u32>,
}

impl Vocabulary {
    /// Learns the words of a text.
    ///
    /// Words are remembered until there are `MAX_WORDS` of them; later ones only count if they
    /// are known.
    pub(crate) fn learn(&mut self, text: &[u8]) {
        for word in text.split(|byte| !is_word(*byte)) {
            if !(MIN_WORD_BYTES..=MAX_WORD_BYTES).contains(&word.len()) || word[0].is_ascii_digit()
            {
                continue;
            }
            if let Some(count) = self.words.get_mut(word) {
                *count += 1;
            } else if self.words.len() < MAX_WORDS {
                self.words.insert(word.into(), 1);
            }
        }
    }

    /// Known words that differ from a text in one or two bytes, the commonest first, at most
    /// `most`.
    pub(crate) fn near(&self, text: &[u8], most: usize) -> Vec<&[u8]> {
        let bytes = bytes_of(text);
        let mut found: Vec<(&[u8], u32)> = self
            .words
            .iter()
            .filter(|(word, _)| word.len().abs_diff(text.len()) <= MAX_EDITS && ***word != *text)
            .filter(|(word, _)| (bytes_of(word) ^ bytes).count_ones() as usize <= 2 * MAX_EDITS)
            .filter(|(word, _)| {
                distance(word, text, MAX_EDITS + 1) <= MAX_EDITS.min(word.len() / 2)
            })
            .map(|(word, count)| (&**word, *count))
            .collect();
        found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        found.truncate(most);
        found.into_iter().map(|(word, _)| word).collect()
    }
}

/// Which bytes a text has, folded to 64 kinds: an edit changes two of them at most.
///
/// Two words can be compared by it before their distance is measured, which takes far longer.
fn bytes_of(text: &[u8]) -> u64 {
    text.iter().fold(0, |bytes, byte| bytes | 1 << (byte % 64))
}

/// What of `region` may be a damaged word: runs of word bytes that touch it, each alone and with
/// the run after it where a single byte parts the two.
pub(crate) fn runs(text: &[u8], region: Range<usize>) -> Vec<Range<usize>> {
    let region = region.start..region.end.min(text.len());
    let back = text[..region.start].iter().rev().take(MAX_WORD_BYTES);
    let start = region.start - back.take_while(|byte| is_word(**byte)).count();
    let ahead = text[region.end..].iter().take(MAX_WORD_BYTES);
    let end = region.end + ahead.take_while(|byte| is_word(**byte)).count();
    let mut alone: Vec<Range<usize>> = Vec::new();
    for (at, byte) in text.iter().enumerate().take(end).skip(start) {
        match alone.last_mut().filter(|last| last.end == at) {
            _ if !is_word(*byte) => {}
            Some(last) => last.end += 1,
            None => alone.push(at..at + 1),
        }
    }
    let mut runs = Vec::new();
    for (index, run) in alone.iter().enumerate() {
        runs.push(run.clone());
        if let Some(next) = alone.get(index + 1).filter(|next| next.start == run.end + 1) {
            runs.push(run.start..next.end);
        }
        // A foreign byte at one of its ends.
        if run.start > start && !is_word(text[run.start - 1]) {
            runs.push(run.start - 1..run.end);
        }
        if run.end < end {
            runs.push(run.start..run.end + 1);
        }
    }
    runs.retain(|run| (2..=MAX_WORD_BYTES).contains(&run.len()));
    runs
}

#[cfg(test)]
mod tests {
    use crate::repair::likelihood::vocabulary::*;

    #[test]
    fn a_damaged_word_is_near_to_what_it_was() {
        let mut vocabulary = Vocabulary::default();
        vocabulary.learn(b"digraph G { subgraph S { node_1 -> node_2 } } digraph");
        assert_eq!(vocabulary.near(b"dgraph", 8), [b"digraph"]);
        assert_eq!(vocabulary.near(b"dig\xffaph", 8), [b"digraph"]);
        assert!(vocabulary.near(b"G", 8).is_empty());
    }

    #[test]
    fn a_byte_in_a_word_parts_it_into_runs_that_are_tried_together() {
        assert_eq!(runs(b"a dig!aph G", 2..9), [2..5, 2..9, 2..6, 6..9, 5..9]);
    }
}
