//! Grammars as data, their front ends, the lexer and the parser that run them.

pub mod analysis;
pub mod charset;
pub mod earley;
pub mod error;
pub mod fuzzingbook;
pub mod g4;
mod hash;
pub mod lexer;
pub mod model;
pub mod network;
pub mod parser;
pub mod unicode;
