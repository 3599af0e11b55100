//! Grammars as data: front ends, lexer, parsers and generators, and the structure of inputs.

pub mod digest;
pub mod grammar;
pub mod random;
pub mod structure;
