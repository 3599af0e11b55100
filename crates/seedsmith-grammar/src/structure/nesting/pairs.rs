//! Openers with their closers: brackets, words such as `begin` and `end`, quotation marks.
//!
//! Pairs of one family are nested or apart, never interleaved. Openers and closers without a
//! partner are in no pair.
//!
//! Every function reads the input once from the left. An opener without a closer is dropped, or
//! closed at the end of the input by the functions named `open_…`: inputs that nest deep are often
//! cut off.

use std::ops::Range;

use crate::structure::units::tokens::tokens;

/// An opener and its closer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Bytes of the opener.
    pub open: Range<u32>,
    /// Bytes of the closer.
    pub close: Range<u32>,
    /// How many pairs of the family are around it.
    pub depth: u32,
}

impl Pair {
    /// Opener, content and closer.
    pub fn whole(&self) -> Range<usize> {
        self.open.start as usize..self.close.end as usize
    }

    /// The bytes between opener and closer.
    pub fn content(&self) -> Range<usize> {
        self.open.end as usize..self.close.start as usize
    }
}

/// Collects the pairs of a family from its openers and closers in order.
pub(super) struct Nesting<K> {
    /// Openers without a closer so far, the innermost last.
    open: Vec<(K, Range<u32>)>,
    /// Pairs that are closed, in the order of their closers.
    pairs: Vec<Pair>,
}

impl<K: PartialEq> Nesting<K> {
    /// No opener yet.
    pub(super) fn new() -> Self {
        Nesting { open: Vec::new(), pairs: Vec::new() }
    }

    /// Adds an opener.
    pub(super) fn open(&mut self, kind: K, at: Range<u32>) {
        self.open.push((kind, at));
    }

    /// Closes the innermost opener of this kind, not farther out than 64 openers without closer.
    pub(super) fn close(&mut self, kind: &K, at: Range<u32>) {
        let from = self.open.len().saturating_sub(64);
        let Some(found) = self.open[from..].iter().rposition(|(open, _)| open == kind) else {
            return;
        };
        self.open.truncate(from + found + 1);
        if let Some((_, open)) = self.open.pop() {
            self.pairs.push(Pair { open, close: at, depth: 0 });
        }
    }

    /// The pairs by where they open; openers that were never closed are closed at the end of the
    /// input, which has `length` bytes.
    pub(super) fn finish_open(mut self, length: usize) -> Vec<Pair> {
        let end = length as u32..length as u32;
        let open = self.open.drain(..);
        self.pairs.extend(open.map(|(_, open)| Pair { open, close: end.clone(), depth: 0 }));
        self.finish()
    }

    /// The pairs by where they open.
    pub(super) fn finish(mut self) -> Vec<Pair> {
        self.pairs.sort_unstable_by_key(|pair| pair.open.start);
        let mut ends: Vec<u32> = Vec::new();
        for pair in &mut self.pairs {
            while ends.last().is_some_and(|end| *end <= pair.open.start) {
                ends.pop();
            }
            pair.depth = ends.len() as u32;
            ends.push(pair.close.end);
        }
        self.pairs
    }
}

/// `(…)`, `[…]`, `{…}` and `<…>`, by where they open. Quotation marks are not looked at.
pub fn brackets(bytes: &[u8]) -> Vec<Pair> {
    nested_brackets(bytes).finish()
}

/// [`brackets`], and those that are never closed.
pub fn open_brackets(bytes: &[u8]) -> Vec<Pair> {
    nested_brackets(bytes).finish_open(bytes.len())
}

/// Brackets by kind. Of `([)` only the round pair is one: a closer passes over openers of other
/// kinds.
fn nested_brackets(bytes: &[u8]) -> Nesting<u8> {
    let mut nesting = Nesting::new();
    for (offset, byte) in bytes.iter().enumerate() {
        let at = offset as u32..offset as u32 + 1;
        match byte {
            b'(' | b'[' | b'{' | b'<' => nesting.open(*byte, at),
            b')' => nesting.close(&b'(', at),
            b']' => nesting.close(&b'[', at),
            b'}' => nesting.close(&b'{', at),
            b'>' => nesting.close(&b'<', at),
            _ => {}
        }
    }
    nesting
}

/// Words that open a block in one of the usual languages, and the one that closes it.
pub fn words(bytes: &[u8]) -> Vec<Pair> {
    nested_words(bytes).finish()
}

/// [`words`], and those that are never closed.
pub fn open_words(bytes: &[u8]) -> Vec<Pair> {
    nested_words(bytes).finish_open(bytes.len())
}

/// Words with the words that close them, in any case of letters, as in SQL and Pascal.
fn nested_words(bytes: &[u8]) -> Nesting<&'static str> {
    let mut nesting = Nesting::new();
    let units = tokens(bytes);
    for index in 0..units.len() {
        let span = units.span(index..index + 1);
        let at = span.start as u32..span.end as u32;
        let is = |words: &[&str]| {
            words.iter().any(|word| bytes[span.clone()].eq_ignore_ascii_case(word.as_bytes()))
        };
        if is(&["begin", "do", "then", "function", "case"]) {
            nesting.open("end", at);
        } else if is(&["end"]) {
            nesting.close(&"end", at);
        } else if is(&["repeat"]) {
            nesting.open("until", at);
        } else if is(&["until"]) {
            nesting.close(&"until", at);
        }
    }
    nesting
}

/// `"…"`, `'…'` and `` `…` ``, each within a line.
pub fn quotes(bytes: &[u8]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut opener: Option<usize> = None;
    let mut is_escaped = false;
    for (offset, byte) in bytes.iter().enumerate() {
        match (opener, byte) {
            (_, b'\n') => opener = None,
            (None, b'"' | b'\'' | b'`') => opener = Some(offset),
            (Some(open), byte) if *byte == bytes[open] && !is_escaped => {
                let open = open as u32;
                let close = offset as u32;
                pairs.push(Pair { open: open..open + 1, close: close..close + 1, depth: 0 });
                opener = None;
            }
            _ => {}
        }
        is_escaped = *byte == b'\\' && !is_escaped;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, pairs: &[Pair]) -> Vec<(u32, String)> {
        pairs.iter().map(|pair| (pair.depth, text[pair.whole()].to_owned())).collect()
    }

    #[test]
    fn brackets_nest_and_strays_are_passed_over() {
        let text = "(a[b)]{<>}";
        let found = texts(text, &brackets(text.as_bytes()));
        assert_eq!(found, [(0, "(a[b)".into()), (0, "{<>}".into()), (1, "<>".into())]);
    }

    #[test]
    fn an_escaped_quotation_mark_closes_nothing() {
        let text = r#"x "a\"b" 'c"#;
        assert_eq!(texts(text, &quotes(text.as_bytes())), [(0, r#""a\"b""#.into())]);
    }

    #[test]
    fn words_open_and_close_blocks() {
        let text = "while x do if y then z end end";
        let found = texts(text, &words(text.as_bytes()));
        assert_eq!(found, [(0, text[8..].into()), (1, text[16..26].into())]);
    }
}
