//! Reducers for text without a grammar: they see bytes, lines, tokens and pairs of brackets.

pub(crate) mod combinations;
pub(crate) mod ends;
pub(crate) mod pairs;
pub(crate) mod placeholders;
pub(crate) mod simplify;
pub(crate) mod units;
pub(crate) mod windows;
