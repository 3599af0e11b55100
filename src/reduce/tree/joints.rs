//! Whether two pieces of text may touch.
//!
//! Asked for every seam of every candidate, so answers are kept, by the hashes of the two texts.

use seedsmith_grammar::Language;
use seedsmith_grammar::internal::NumberMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The seams seen so far. They are kept because most candidates of one tree have the same ones.
#[derive(Debug)]
pub(crate) struct Joints {
    language: Language,
    known: NumberMap<u64, bool>,
}

/// Tokens longer than this are compared by their ends only: whether a comment or a string runs
/// together with the text beside it does not depend on its length. A guess; not measured.
const MAX_COMPARED_BYTES: usize = 256;

impl Joints {
    /// Joints as the language's lexer sees them.
    pub(crate) fn new(language: Language) -> Self {
        Joints { language, known: NumberMap::default() }
    }

    /// Whether something has to be put between the two, which would else be read otherwise.
    pub(crate) fn need_separator(&mut self, before: &[u8], next: &[u8]) -> bool {
        let before = &before[before.len().saturating_sub(MAX_COMPARED_BYTES)..];
        let next = &next[..next.len().min(MAX_COMPARED_BYTES)];
        if before.is_empty() || next.is_empty() {
            return false;
        }
        let key = xxh3_64_with_seed(next, xxh3_64_with_seed(before, 1));
        let language = &mut self.language;
        *self.known.entry(key).or_insert_with(|| !language.reads_apart(before, next))
    }
}
