//! One edit of a text.

use seedsmith_grammar::internal::is_mark as is_structural;

/// One edit: `at..end` gives way to a byte, a word, or nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edit<'w> {
    /// Where it begins.
    pub at: usize,
    /// After what goes.
    pub end: usize,
    /// What comes.
    pub new: &'w [u8],
    /// How much likelier the text becomes (a logarithm).
    pub gain: f32,
}

impl Edit<'_> {
    /// Whether a byte that comes or goes may open or close something.
    pub(super) fn has_mark(&self, text: &[u8]) -> bool {
        let is_mark = |byte: &u8| !byte.is_ascii_whitespace() && is_structural(*byte);
        text[self.at..self.end].iter().any(is_mark) || self.new.iter().any(is_mark)
    }
}
