//! Why a language cannot be used.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use seedsmith_grammar::internal::GrammarError;

/// Why a language cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LanguageError {
    /// A parser of tree-sitter's shows its language in an input only, and none is parsed here.
    #[error("{grammar} shows its language in inputs only; a built-in grammar or a file is needed")]
    ShownByInputs {
        /// The name that was given.
        grammar: String,
    },
    /// The grammar cannot be loaded.
    #[error("failed to load the grammar {grammar}")]
    Load {
        /// The name that was given.
        grammar: String,
        /// The cause.
        #[source]
        source: GrammarError,
    },
    /// A start rule was named for a parser of tree-sitter's.
    #[error("tree-sitter's parsers take no start rule")]
    NoStartRules,
    /// Islands were given for a parser of tree-sitter's.
    #[error("tree-sitter's parsers take no islands")]
    NoIslands,
    /// Islands were given, and no grammar for whole inputs.
    #[error("islands have no effect without a grammar for whole inputs")]
    IslandsWithoutGrammar,
    /// There is no parser of that name.
    #[error("no tree-sitter parser {name}; there are {known}")]
    NoParser {
        /// The name that was given.
        name: String,
        /// The names of those that there are.
        known: String,
    },
    /// The parser cannot be loaded.
    #[error("failed to load the grammar tree-sitter:{name}")]
    LoadParser {
        /// The name that was given.
        name: String,
        /// The cause.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// This build has no parsers of tree-sitter's.
    #[error("tree-sitter:{name} needs a build with --features languages")]
    NoTreeSitter {
        /// The name that was given.
        name: String,
    },
    /// The islands cannot be loaded.
    #[error("failed to load the islands")]
    Islands(#[source] Box<dyn Error + Send + Sync>),
    /// The file of given texts cannot be read.
    #[error("failed to read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The given texts cannot be used.
    #[error("failed to load the replacements")]
    Replacements(#[source] Box<dyn Error + Send + Sync>),
}
