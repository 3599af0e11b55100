//! The reducers of the default strategy along a parse tree. [`sequence`] has their order.

pub(crate) mod descent;
pub(crate) mod exchange;
pub(crate) mod rewrite;
pub(crate) mod sequence;
pub(crate) mod tokens;
