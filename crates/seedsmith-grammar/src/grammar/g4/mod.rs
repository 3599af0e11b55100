//! ANTLR v4's `.g4` notation, read at run time, unmodified.
//!
//! Combined and split grammars, imports, vocabularies, modes and commands, sets and properties,
//! left recursion. What belongs to a target language (actions, predicates, arguments, base
//! classes) is passed over and named in the grammar's notices. Terence Parr, "The Definitive
//! ANTLR 4 Reference", chapter 15, describes the notation.

mod ast;
mod cursor;
mod escape;
mod left_recursion;
mod lower;
mod lower_lexer;
mod read;
mod read_alternatives;
mod sources;
mod vocabulary;

pub use read::MAX_NESTING;

use super::error::GrammarError;
use super::model::Grammar;
use sources::Sources;
#[cfg(feature = "self-fuzz")]
pub(crate) use sources::text_of;
use std::path::Path;

/// Loads a grammar from files: a combined one, a parser and its lexer in any order, or a parser
/// alone, whose lexer is then looked for beside it.
pub fn load<P: AsRef<Path>>(paths: &[P]) -> Result<Grammar, GrammarError> {
    let mut sources = Sources::default();
    for path in paths {
        sources.add_path(path.as_ref())?;
    }
    let (parser, lexer) = sources.halves()?;
    lower::lower(parser, lexer)
}

/// Loads a grammar from texts, each with a name for messages.
pub fn load_texts(texts: &[(&str, &str)]) -> Result<Grammar, GrammarError> {
    let mut sources = Sources::default();
    for (name, text) in texts {
        sources.add_text(name, text)?;
    }
    let (parser, lexer) = sources.halves()?;
    lower::lower(parser, lexer)
}
