//! Inputs of the corpus: whether they are valid, and what they were repaired to.

/// An input that is not mended in so many visits is not tried again.
pub const VISITS: u8 = 3;

/// What is known of an input of the corpus.
pub struct Known {
    /// What mutants can be made of.
    pub parent: Parent,
    /// Whether it would not be there without us.
    pub is_ours: bool,
}

/// What an input of the corpus is good for.
pub enum Parent {
    /// It is valid.
    Valid,
    /// It was not, and this is what became of it.
    Repaired(Vec<u8>),
    /// Visited that often, and not valid yet.
    Broken(u8),
}
