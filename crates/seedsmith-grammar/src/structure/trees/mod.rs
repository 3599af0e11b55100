//! Trees over the bytes of an input: [`tree`] is the tree, [`builder`] makes one while an input is
//! read, and [`edit`] makes the tree of a changed input without parsing it.

pub(crate) mod builder;
pub(crate) mod edit;
pub(crate) mod tree;
