//! Which pieces a text has: tokens, quoted and bracketed text, items, lines, elements, pairs and calls.
//!
//! Nothing is known of the format, so a kind of piece takes the place of a grammar's rule, and the bytes on both sides
//! of a piece that of the position in the rule: a piece fits best where it has the same neighbours.

use std::ops::Range;

use super::blocks::blocks;
use seedsmith_grammar::internal::pairs::{brackets, quotes};
use seedsmith_grammar::internal::tags::tags;
use seedsmith_grammar::internal::{Separator, items};
use seedsmith_grammar::internal::{is_word, tokens};

/// The kinds of pieces: a piece is exchanged for one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// Digits and what follows them in the same word.
    Number,
    /// Another word.
    Word,
    /// Text with its quotes.
    Quoted,
    /// `(…)`
    Round,
    /// `[…]`
    Square,
    /// `{…}`
    Curly,
    /// The text between two separators, or between one and the bracket's end.
    Item,
    /// A line without its end.
    Line,
    /// `<a>…</a>`
    Element,
    /// A word, `=` or `:`, and a value.
    Pair,
    /// A word and the bracket that follows at once.
    Call,
    /// A line and the lines below it that are indented more.
    Block,
}

impl PieceKind {
    /// All of them.
    pub(super) const ALL: [PieceKind; 12] = [
        PieceKind::Number,
        PieceKind::Word,
        PieceKind::Quoted,
        PieceKind::Round,
        PieceKind::Square,
        PieceKind::Curly,
        PieceKind::Item,
        PieceKind::Line,
        PieceKind::Element,
        PieceKind::Pair,
        PieceKind::Call,
        PieceKind::Block,
    ];
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its kind.
    pub kind: PieceKind,
    /// Where it is.
    pub span: Range<usize>,
}

/// Texts that are longer have no pieces, because cutting takes time by the length and libFuzzer prefers
/// short inputs. Not measured.
const MAX_TEXT_BYTES: usize = 16 << 10;

/// The class of the neighbours of a piece: the first byte on each side that is no space, and all letters and digits
/// alike.
///
/// Zero where the text begins or ends.
pub(super) type Context = [u8; 2];

/// The bytes on both sides of `span`.
///
/// Blanks and tabs are passed over, line feeds are not, so that a line's first and last pieces are
/// known as such.
pub(super) fn context(text: &[u8], span: &Range<usize>) -> Context {
    let class = |byte: Option<&u8>| match byte {
        Some(byte) if is_word(*byte) => b'a',
        Some(byte) => *byte,
        None => 0,
    };
    let is_black = |byte: &&u8| !matches!(byte, b' ' | b'\t');
    [
        class(text[..span.start].iter().rev().find(is_black)),
        class(text[span.end..].iter().find(is_black)),
    ]
}

/// All pieces of a text.
///
/// A place may be in many pieces: a word, the pair that it begins, the item, the brackets around.
/// Texts of more than `MAX_TEXT_BYTES` have none. Cost: one pass for each sort of piece.
pub(super) fn pieces(text: &[u8]) -> Vec<Piece> {
    let mut found = Vec::new();
    if text.len() > MAX_TEXT_BYTES {
        return found;
    }
    let mut push = |kind, span: Range<usize>| {
        if !span.is_empty() {
            found.push(Piece { kind, span });
        }
    };
    let quotes: Vec<Range<usize>> = quotes(text).iter().map(|pair| pair.whole()).collect();
    let brackets: Vec<Range<usize>> = brackets(text).iter().map(|pair| pair.whole()).collect();
    // What begins at a place and is one value.
    let value_at = |at: usize| {
        quotes.iter().chain(&brackets).find(|span| span.start == at).map(|span| span.end)
    };
    let units = tokens(text);
    for index in 0..units.len() {
        let span = units.span(index..index + 1);
        if !is_word(text[span.start]) {
            continue;
        }
        let is_number = text[span.start].is_ascii_digit();
        push(if is_number { PieceKind::Number } else { PieceKind::Word }, span.clone());
        for (kind, part) in parts(text, &span) {
            push(kind, part);
        }
        if let Some(end) = brackets.iter().find(|one| one.start == span.end).map(|one| one.end) {
            push(PieceKind::Call, span.start..end);
        }
        let skip = |from: usize| from + spaces(&text[from..]);
        let sign = skip(span.end);
        if let Some(b'=' | b':') = text.get(sign) {
            let from = skip(sign + 1);
            let end = value_at(from).or_else(|| {
                let length = text[from..].iter().take_while(|byte| is_value(**byte)).count();
                let end = from + length;
                (length > 0).then(|| {
                    brackets.iter().find(|one| one.start == end).map_or(end, |one| one.end)
                })
            });
            if let Some(end) = end {
                push(PieceKind::Pair, span.start..end);
            }
        }
    }
    for span in &quotes {
        push(PieceKind::Quoted, span.clone());
    }
    for span in &brackets {
        match text[span.start] {
            b'(' => push(PieceKind::Round, span.clone()),
            b'[' => push(PieceKind::Square, span.clone()),
            b'{' => push(PieceKind::Curly, span.clone()),
            _ => {}
        }
    }
    for item in items(text, Separator::Behind) {
        push(PieceKind::Item, without_separator(text, item.span));
    }
    if text.contains(&b'<') {
        tags(text).iter().for_each(|pair| push(PieceKind::Element, pair.whole()));
    }
    if text.contains(&b'\n') {
        let mut start = 0;
        for line in text.split(|byte| *byte == b'\n') {
            push(PieceKind::Line, start..start + line.len());
            start += line.len() + 1;
        }
        blocks(text).into_iter().for_each(|span| push(PieceKind::Block, span));
    }
    found
}

/// The parts of a word of digits and letters, such as `10px` or `M10`; none where it has more than
/// `MAX_PARTS` of them, as a digest in hexadecimal digits has.
fn parts(text: &[u8], span: &Range<usize>) -> Vec<(PieceKind, Range<usize>)> {
    const MAX_PARTS: usize = 3;
    let mut found: Vec<(PieceKind, Range<usize>)> = Vec::new();
    for part in text[span.clone()].chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()) {
        let start = found.last().map_or(span.start, |(_, last)| last.end);
        let kind = if part[0].is_ascii_digit() { PieceKind::Number } else { PieceKind::Word };
        found.push((kind, start..start + part.len()));
    }
    if !(2..=MAX_PARTS).contains(&found.len()) {
        found.clear();
    }
    found
}

/// How many blanks and tabs a text begins with.
fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Whether a byte is one of a value without quotes.
///
/// As in `10%`, `#fff`, `-1.5`.
fn is_value(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'.' | b'-' | b'+' | b'%' | b'#' | b'$')
}

/// Whether a byte separates items.
///
/// Colons and `=` are parts of pairs and separate no items.
pub(super) fn is_separator(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|')
}

/// The span without a separator at its end.
fn without_separator(text: &[u8], span: Range<usize>) -> Range<usize> {
    let ends_so = text[span.clone()].last().is_some_and(|byte| is_separator(*byte));
    span.start..span.end - usize::from(ends_so)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, kind: PieceKind) -> Vec<&str> {
        let found = pieces(text.as_bytes()).into_iter().filter(|piece| piece.kind == kind);
        found.map(|piece| &text[piece.span]).collect()
    }

    #[test]
    fn pairs_and_calls_are_found_with_their_values() {
        let text = "rect(x=1, y = \"b\") fill:#0f0 {a: [1, 2]} path: P(3)";
        assert_eq!(
            all(text, PieceKind::Pair),
            ["x=1", "y = \"b\"", "fill:#0f0", "a: [1, 2]", "path: P(3)"]
        );
        assert_eq!(all(text, PieceKind::Call), ["rect(x=1, y = \"b\")", "P(3)"]);
    }

    #[test]
    fn lines_and_elements_are_pieces() {
        assert_eq!(all("a b\n\n  c", PieceKind::Line), ["a b", "  c"]);
        assert_eq!(all("<r><a>x</a><b></b></r>", PieceKind::Element).len(), 3);
    }

    #[test]
    fn neighbours_make_the_context_of_a_piece() {
        let text = b"f( ab, 7)";
        assert_eq!(context(text, &(3..5)), *b"(,");
        assert_eq!(context(text, &(7..8)), *b",)");
        assert_eq!(context(text, &(0..1)), [0, b'(']);
    }
}
