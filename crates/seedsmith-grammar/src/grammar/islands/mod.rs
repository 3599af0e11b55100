//! Islands: tokens whose text, or parts of it, is in another grammar: JSON inside a string of an
//! INI file. (R. Hodován and Á. Kiss, "Modernizing Hierarchical Delta Debugging", A-TEST 2016.)
//!
//! The parts that a regular expression's named groups match are parsed separately, and their trees
//! are put below the token's node with shifted spans; the rest of the token stays as it is. Rules, tokens
//! and quantifiers of the islands' grammars are numbered after those of the outer grammar
//! (`NumberOffsets` in `plug`), so that a tree of several grammars is a tree like any
//! other. Where an island can't be parsed the plain token stays. Which grammar is inside which is a
//! hierarchy: a circle is refused when the file is loaded.
//!
//! `format` reads the file that describes islands, `load` loads the grammars that it names, and `plug`
//! puts the islands into trees. [`Substitutes`](super::substitutes::Substitutes) uses `plug` alone.

mod format;
mod load;
pub(super) mod plug;

pub use format::IslandsFile;
pub use load::Islands;
