//! Grammars as data, their front ends, the lexer and the parsers that run them.
//!
//! ```text
//! .g4 files -> g4 ----------+-> model::Grammar -> ATN -> lexer, parser -> structure::tree
//! JSON      -> fuzzingbook -+         |                      earley --------->
//!                                     +-> analysis: minimal strings, heights, units, reach
//! ```
//!
//! With the feature `tree-sitter`, its parsers give trees and as much of a grammar as the input
//! shows (`tree_sitter`).
//!
//! [`builtin`] holds the grammars that come with the program and recognises their languages.
//!
//! ```
//! use seedsmith_grammar::grammar::{g4, parser::Parser};
//! use std::sync::Arc;
//!
//! let text = "grammar List; list: '[' N (',' N)* ']' EOF; N: [0-9]+; WS: ' ' -> skip;";
//! let grammar = Arc::new(g4::load_texts(&[("List.g4", text)])?);
//! let mut parser = Parser::new(grammar);
//! let start = parser.start_rule(Some("list"))?;
//! let parsed = parser.parse(b"[1, 22 ]", start).expect("short and flat");
//! assert!(parsed.is_valid());
//! assert_eq!(parsed.tree.render(b"[1, 22 ]"), b"[1, 22 ]");
//! # Ok::<(), crate::internal::GrammarError>(())
//! ```

pub mod analysis;
pub mod atn;
pub mod builtin;
pub mod charset;
pub mod earley;
pub mod endings;
pub mod error;
pub mod fuzzingbook;
pub mod g4;
pub mod generate;
mod hash;
pub mod islands;
pub mod language;
pub mod lexer;
mod lists;
pub mod model;
#[cfg(any(feature = "tree-sitter", feature = "self-fuzz"))]
pub mod node_types;
pub mod notation;
pub mod parser;
pub mod replacements;
pub(crate) mod source;
pub mod substitutes;
#[cfg(feature = "tree-sitter")]
pub mod tree_sitter;
mod trial;
pub mod unicode;
