//! Grammars as data, their front ends, the lexer and the parser that run them.

pub mod analysis;
pub mod charset;
pub mod error;
pub mod g4;
pub mod model;
pub mod unicode;
