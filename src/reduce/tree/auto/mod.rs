//! What the default strategy does along a parse tree. [`sequence`] says in which order.

pub mod descent;
pub mod exchange;
pub mod rewrite;
pub mod sequence;
pub mod tokens;
