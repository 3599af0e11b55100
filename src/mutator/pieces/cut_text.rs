//! A text that is cut into pieces once, for many mutants of it.

use std::ops::Range;

use super::cut::{self, Piece, PieceKind};

/// A text and its pieces.
///
/// Cutting takes longer than making a mutant, so a text is cut once for a whole lot.
pub(crate) struct CutText {
    pub(super) text: Vec<u8>,
    /// By kind, the kinds that there are.
    pub(super) alike: Vec<(PieceKind, Vec<Range<usize>>)>,
}

impl CutText {
    /// Cuts a text. One that is too long has no pieces.
    ///
    /// Kinds without a piece are left out, so that a kind can be drawn that has one.
    pub(crate) fn new(text: &[u8]) -> Self {
        let mut alike: Vec<(PieceKind, Vec<Range<usize>>)> =
            PieceKind::ALL.iter().map(|kind| (*kind, Vec::new())).collect();
        for Piece { kind, span } in cut::pieces(text) {
            alike[kind as usize].1.push(span);
        }
        alike.retain(|(_, spans)| !spans.is_empty());
        CutText { text: text.to_vec(), alike }
    }

    /// The text.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The text itself.
    pub(crate) fn into_text(self) -> Vec<u8> {
        self.text
    }

    /// The text with `parts` instead of the bytes at `span`.
    ///
    /// The order of the parts is that of the new text.
    pub(super) fn with(&self, span: Range<usize>, parts: &[&[u8]]) -> Vec<u8> {
        let length =
            self.text.len() - span.len() + parts.iter().map(|part| part.len()).sum::<usize>();
        let mut text = Vec::with_capacity(length);
        text.extend_from_slice(&self.text[..span.start]);
        parts.iter().for_each(|part| text.extend_from_slice(part));
        text.extend_from_slice(&self.text[span.end..]);
        text
    }
}
