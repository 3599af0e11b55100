//! Grammars and the structure of inputs: a run-time interpreter of ANTLR v4 grammars that keeps
//! every byte, errors and all.
//!
//! - [`grammar`]: grammars as data; front ends for `.g4` files, the Fuzzing Book's JSON and
//!   tree-sitter's parsers; the lexer, the parsers (adaptive LL(\*) with error recovery, Earley),
//!   shortest texts, and generators. Grammars of common languages are built in.
//! - [`structure`]: how an input falls into parts without a grammar (lines, tokens, brackets,
//!   records, length fields), and the trees that parsers make. Rendering a structure unchanged gives
//!   the input, byte for byte.
//! - [`digest`]: what identifies bytes, such as those of a grammar's files.
//! - [`control_chars`]: text of others with its control characters escaped, to be shown.
//! - [`order`]: which of two texts of one size is the plainer one to show to a person.
//! - [`random`]: the seeded numbers that generators draw by.
//!
//! This crate starts no process and knows no test: it is the lowest layer of
//! [seedsmith](https://docs.rs/seedsmith), which shrinks inputs along such trees, and is of use alone.
//!
//! ```
//! use seedsmith_grammar::grammar::language::Language;
//!
//! let mut json = Language::open("json", None)?;
//! let text = br#"{"item": [1, 2,, 3]}"#;
//! let parsed = json.parse_while(text, &|| true)?;
//! assert_eq!(parsed.errors.len(), 1);
//! assert_eq!(parsed.tree.render(text), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod control_chars;
pub mod digest;
#[cfg(feature = "self-fuzz")]
#[doc(hidden)]
pub mod fuzzed;
pub mod grammar;
pub mod order;
pub mod random;
pub mod structure;
