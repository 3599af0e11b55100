//! The error for a language that can't be used.

use std::path::PathBuf;

/// Why a language can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeSitterError {
    /// The shared library can't be loaded or has no such function.
    #[error("load the tree-sitter library {}: {message}", path.display())]
    Library {
        /// The library.
        path: PathBuf,
        /// The loader's message.
        message: String,
    },
    /// The parser was generated for another version of tree-sitter.
    #[error("use the tree-sitter parser for {language}: {source}")]
    Version {
        /// The language.
        language: String,
        /// Which versions would do.
        source: ::tree_sitter::LanguageError,
    },
    /// The description of the nodes is not one.
    #[error("read the node types of {language}: {message}")]
    NodeTypes {
        /// The language.
        language: String,
        /// The problem.
        message: String,
    },
}
