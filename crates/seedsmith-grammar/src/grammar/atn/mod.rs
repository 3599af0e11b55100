//! Rules as networks of states, which the lexer and the parser walk through.
//!
//! An augmented transition ATN has, for each rule, a start, a stop and between them states
//! joined by edges that take a token (or a code point), call a rule or take nothing. The shapes
//! are those of ANTLR (T. Parr, S. Harwell, K. Fisher, OOPSLA 2014, figure 9), because where
//! recovery sets in depends on them.

mod builder;
mod construct;
pub(crate) mod lexer;
pub(crate) mod parser;
pub(crate) mod tokens;

/// A state's number.
pub(crate) type StateId = u32;
