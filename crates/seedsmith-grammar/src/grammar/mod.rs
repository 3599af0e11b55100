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
//! use seedsmith_grammar::Parser;
//! use seedsmith_grammar::internal::g4;
//! use std::sync::Arc;
//!
//! let text = "grammar List; list: '[' N (',' N)* ']' EOF; N: [0-9]+; WS: ' ' -> skip;";
//! let grammar = Arc::new(g4::load_texts(&[("List.g4", text)])?);
//! let mut parser = Parser::new(grammar);
//! let start = parser.start_rule(Some("list"))?;
//! let parsed = parser.parse(b"[1, 22 ]", start).expect("short and flat");
//! assert!(parsed.is_valid());
//! assert_eq!(parsed.tree.render(b"[1, 22 ]"), b"[1, 22 ]");
//! # Ok::<(), seedsmith_grammar::internal::GrammarError>(())
//! ```

pub(crate) mod analysis;
pub(crate) mod atn;
pub mod builtin;
pub(crate) mod charset;
pub(crate) mod earley;
pub(crate) mod endings;
pub(crate) mod error;
pub(crate) mod fuzzingbook;
pub mod g4;
pub(crate) mod generate;
mod hash;
pub(crate) mod islands;
pub(crate) mod language;
pub(crate) mod lexer;
mod lists;
pub(crate) mod model;
#[cfg(any(feature = "tree-sitter", feature = "self-fuzz"))]
pub(crate) mod node_types;
pub mod notation;
pub(crate) mod parser;
pub(crate) mod replacements;
pub(crate) mod source;
pub(crate) mod substitutes;
#[cfg(feature = "tree-sitter")]
pub(crate) mod tree_sitter;
mod trial;
pub(crate) mod unicode;
