//! Reducers for text without a grammar: they see bytes, lines, tokens and pairs of brackets.

pub mod combinations;
pub mod ends;
pub mod pairs;
pub mod placeholders;
pub mod simplify;
pub mod units;
pub mod windows;
