//! What the default strategy does along a parse tree. [`sequence`] says in which order.

pub(crate) mod descent;
pub(crate) mod exchange;
pub(crate) mod rewrite;
pub(crate) mod sequence;
pub(crate) mod tokens;
