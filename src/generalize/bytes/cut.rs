//! A text as a tree of leaves that are cut anywhere: the shape of a subject without a grammar.

use std::ops::Range;

use seedsmith_grammar::internal::TreeBuilder;
use seedsmith_grammar::{NodeKind, Tree};

use crate::generalize::pattern::Subject;

/// A subject with one leaf for each span, in order. The spans hold all of the input and may be
/// empty.
///
/// A span of no bytes is a leaf too: a place where something may be inserted.
pub(crate) fn subject(input: Vec<u8>, spans: &[Range<usize>]) -> Subject {
    let end = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut builder = TreeBuilder::new();
    for span in spans {
        builder.leaf(NodeKind::Error, end(span.start), end(span.end));
    }
    let tree: Tree = builder.finish(end(input.len()));
    Subject { input, tree, language: None, shared: Default::default() }
}

/// The characters of a stretch, and its bytes where these are none.
///
/// In order; together they are the stretch.
pub(crate) fn characters(text: &[u8], span: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = span.start;
    for chunk in text[span].utf8_chunks() {
        for character in chunk.valid().chars() {
            found.push(at..at + character.len_utf8());
            at += character.len_utf8();
        }
        for _ in chunk.invalid() {
            found.push(at..at + 1);
            at += 1;
        }
    }
    found
}

/// The longest stretches of which every character is one that `belongs`.
///
/// In order, none empty; two never touch.
pub(crate) fn stretches(text: &[u8], belongs: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| belongs(**byte)) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// The spans and the gaps between them, in order.
///
/// Together they are `0..length`. With no spans the result is that one span, also if it is empty.
pub(crate) fn filled(spans: &[Range<usize>], length: usize) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut at = 0;
    for span in spans {
        if at < span.start {
            all.push(at..span.start);
        }
        all.push(span.clone());
        at = span.end;
    }
    if at < length || all.is_empty() {
        all.push(at..length);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_cut_as_they_are_asked_for() {
        let subject = subject(b"a=12".to_vec(), &[0..2, 2..2, 2..4]);
        let texts: Vec<&[u8]> = subject.tree.ids().skip(1).map(|id| subject.text(id)).collect();
        assert_eq!(texts, [&b"a="[..], b"", b"12"]);
        assert_eq!(subject.tree.render(&subject.input), b"a=12");
    }

    #[test]
    fn characters_are_whole_and_what_is_none_is_bytes() {
        let text = "a\u{e9}".bytes().chain([0x80, 0x81]).collect::<Vec<u8>>();
        assert_eq!(characters(&text, 0..5), [0..1, 1..3, 3..4, 4..5]);
        assert_eq!(characters(&text, 1..4), [1..3, 3..4]);
    }

    #[test]
    fn stretches_and_what_lies_between_make_the_whole() {
        let numbers = stretches(b"a12b3", |byte| byte.is_ascii_digit());
        assert_eq!(numbers, [1..3, 4..5]);
        assert_eq!(filled(&numbers, 5), [0..1, 1..3, 3..4, 4..5]);
        assert_eq!(filled(&[], 0).len(), 1);
    }
}
