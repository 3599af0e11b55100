//! Grammars and the structure of inputs: a run-time interpreter of ANTLR v4 grammars that keeps
//! every byte, errors and all.
//!
//! - `grammar`: grammars as data; front ends for `.g4` files, the Fuzzing Book's JSON and
//!   tree-sitter's parsers; the lexer, the parsers (adaptive LL(\*) with error recovery, Earley),
//!   shortest texts, and generators. Grammars of common languages are built in.
//! - `structure`: how an input falls into parts without a grammar (lines, tokens, brackets,
//!   records, length fields), and the trees that parsers make. Rendering a structure unchanged gives
//!   the input, byte for byte.
//! - `digest`: identifies bytes, such as those of a grammar's files.
//! - `control_chars`: text of others with its control characters escaped, to be shown.
//! - `order`: which of two texts of one size is the plainer one to show to a person.
//! - `random`: the seeded numbers that generators draw by.
//!
//! This crate starts no process and knows no test: it is the lowest layer of
//! [seedsmith](https://docs.rs/seedsmith), which shrinks inputs along such trees, and is of use alone.
//!
//! ```
//! use seedsmith_grammar::Language;
//!
//! let mut json = Language::open("json", None)?;
//! let text = br#"{"item": [1, 2,, 3]}"#;
//! let parsed = json.parse_while(text, &|| true)?;
//! assert_eq!(parsed.errors.len(), 1);
//! assert_eq!(parsed.tree.render(text), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    all(not(test), feature = "arbitrary", feature = "self-fuzz", feature = "tree-sitter"),
    warn(unreachable_pub)
)]
#![cfg_attr(
    not(all(feature = "arbitrary", feature = "self-fuzz", feature = "tree-sitter")),
    allow(dead_code, unused_imports, reason = "a build with all features uses it")
)]

mod control_chars;
mod digest;
#[cfg(feature = "self-fuzz")]
#[doc(hidden)]
pub mod fuzzed;
mod grammar;
mod order;
mod random;
mod structure;

pub use control_chars::escape_control_chars;
pub use digest::Digest;
#[cfg(feature = "arbitrary")]
pub use grammar::generate::arbitrary::Texts;
pub use grammar::generate::{Dice, Generator, Word};

pub use grammar::language::Language;
pub use grammar::parser::{ParseError, Parsed, Parser, Position};

#[cfg(feature = "tree-sitter")]
pub use grammar::tree_sitter::TreeSitter;
pub use random::Random;
pub use structure::binary::structured::{Structure, StructurePart};

pub use structure::trees::tree::{Node, NodeId, NodeKind, Tree};

/// Items that the other crates of the workspace use. They are no part of the public interface and
/// may change in any version.
#[doc(hidden)]
pub mod internal {
    pub use crate::control_chars::is_control;
    pub use crate::digest::NumberMap;
    pub use crate::grammar::analysis::minimal::MinimalStrings;
    pub use crate::grammar::analysis::reach::{
        named_tokens, unproductive_rules, unreachable_rules, unused_fragments,
    };
    pub use crate::grammar::endings::parser_of;
    pub use crate::grammar::error::GrammarError;
    pub use crate::grammar::generate::join::{Joiner, Reading, WordPiece};
    pub use crate::grammar::generate::{Drawn, Symbol, random_depth};
    pub use crate::grammar::islands::{Islands, IslandsFile};
    pub use crate::grammar::lexer::{LexemeKind, Lexer};
    pub use crate::grammar::model::{
        Alternative, Bounds, Grammar, LexerRuleId, QuantifierId, RuleId, Term, TokenId,
    };
    pub use crate::grammar::replacements::Replacements;
    pub use crate::grammar::substitutes::Substitutes;
    #[cfg(feature = "tree-sitter")]
    pub use crate::grammar::tree_sitter::{languages, recognise};
    pub use crate::grammar::{builtin, g4, notation};
    pub use crate::structure::binary::field::{Encoding, Field};
    pub use crate::structure::binary::formats;
    pub use crate::structure::binary::line_offsets::LineOffsets;
    pub use crate::structure::binary::offsets::{OffsetTables, Pointer, offset_tables};
    pub use crate::structure::binary::records::{BinaryRecord, RecordChain, record_chains};
    pub use crate::structure::binary::structured::{FieldEdit, rebuild};
    pub use crate::structure::nesting::chain::{LevelBytes, NestingChain, NewLevels};
    pub use crate::structure::nesting::find_chains::nesting_chains;
    pub use crate::structure::nesting::items::{Separator, items};
    pub use crate::structure::nesting::layout::Layout;
    pub use crate::structure::nesting::open_brackets::{
        Checkpoints, CutOffsets, CutPoint, is_mark,
    };
    pub use crate::structure::nesting::{pairs, tags};
    pub use crate::structure::trees::builder::TreeBuilder;
    pub use crate::structure::trees::edit::{NO_NODE, Replacement, SEPARATOR, TreeEdit};
    pub use crate::structure::units::diff::{DiffStep, diff};
    pub use crate::structure::units::lines::lines;
    pub use crate::structure::units::tokens::{is_word, tokens};
    pub use crate::structure::units::{UnitKind, Units};
    pub use crate::structure::units::{split, terminals};
    /// Which of two texts of one size is the plainer one.
    pub mod order {
        pub use crate::order::{compare, is_simpler, plainness};
    }
}
