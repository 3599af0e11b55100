//! What an input is made of: the parts that reducers drop, swap and put back.

pub mod tree;
pub mod tree_builder;
