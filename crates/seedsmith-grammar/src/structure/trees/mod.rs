//! Trees over the bytes of an input: [`tree`] is the tree, [`builder`] makes one while an input is
//! read, and [`edit`] makes the tree of a changed input without parsing it.

pub mod builder;
pub mod edit;
pub mod tree;
