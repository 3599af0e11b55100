//! The errors of grammars, each with the file, the line and the rule it is about.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Where something is in a grammar's sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// The file as it was named when loading.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub line: u32,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why a grammar is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrammarError {
    /// A file could not be read.
    #[error("read grammar {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The text is not in the notation.
    #[error("{place}: {message}{}", in_rule(rule))]
    Syntax {
        /// Where.
        place: SourceLine,
        /// The rule being read, if any.
        rule: Option<String>,
        /// The text that was found and the text that was expected.
        message: String,
    },
    /// The name is neither that of a file nor that of a built-in grammar.
    #[error("{name} is neither a file nor one of {}", known.join(", "))]
    NoSuchGrammar {
        /// The name.
        name: String,
        /// The names of the built-in grammars.
        known: Vec<&'static str>,
    },
    /// A rule refers to a rule that doesn't exist.
    #[error("{place}: rule {rule} refers to {name}, which is not defined")]
    Undefined {
        /// Where the reference is.
        place: SourceLine,
        /// The rule that refers.
        rule: String,
        /// The name that it refers to.
        name: String,
    },
    /// A name is defined twice.
    #[error("{place}: {name} is already defined at {first}")]
    Duplicate {
        /// The second definition.
        place: SourceLine,
        /// The first one.
        first: SourceLine,
        /// The name.
        name: String,
    },
    /// Left recursion that can't be turned into a loop: through other rules, or after a part
    /// that can be empty.
    #[error("{place}: rule {rule} is left-recursive through {}", cycle.join(" -> "))]
    LeftRecursion {
        /// Where the rule is.
        place: SourceLine,
        /// The rule.
        rule: String,
        /// The rules on the way back to it.
        cycle: Vec<String>,
    },
    /// Every alternative of a rule starts with the rule itself.
    #[error("{place}: rule {rule} has only left-recursive alternatives")]
    NoPrimary {
        /// Where the rule is.
        place: SourceLine,
        /// The rule.
        rule: String,
    },
    /// An imported grammar or a token vocabulary is not to be found.
    #[error("{place}: {what} {name} is missing")]
    Missing {
        /// Where it is asked for.
        place: SourceLine,
        /// Which kind of file it is.
        what: MissingFile,
        /// Its name.
        name: String,
    },
    /// Imports nest deeper than is sensible.
    #[error("{place}: the import of {name} is nested too deep")]
    ImportsTooDeep {
        /// Where.
        place: SourceLine,
        /// The grammar.
        name: String,
    },
    /// The rule to start with doesn't exist.
    #[error("grammar {grammar} has no rule {rule} to start with")]
    NoSuchStart {
        /// The grammar.
        grammar: String,
        /// The rule asked for.
        rule: String,
    },
    /// The grammar has no parser rule, as a lexer grammar alone.
    #[error("grammar {grammar} has no rule at all to start with")]
    NoRules {
        /// The grammar.
        grammar: String,
    },
    /// No file and no text was given.
    #[error("no grammar was given")]
    NoGrammar,
    /// A file, or a text in place of one, is too large.
    #[error("{name} is larger than {} MB", limit_bytes >> 20)]
    TooLarge {
        /// The file as it was named, or the name of the text.
        name: String,
        /// The most bytes that one may have.
        limit_bytes: usize,
    },
    /// The lexer's tables for this grammar would be too large.
    #[error(
        "grammar {grammar} has more different tokens or sets of characters than can be told apart"
    )]
    TooManySymbols {
        /// The grammar.
        grammar: String,
    },
    /// No finite text derives from the rule, so that none can be drawn.
    #[error(
        "rule {rule} of grammar {grammar} has no finite derivation: nothing can be drawn from it"
    )]
    NoFiniteText {
        /// The grammar.
        grammar: String,
        /// The rule.
        rule: String,
    },
}

/// A file that a grammar asks for by name, without its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingFile {
    /// A grammar after `import`.
    ImportedGrammar,
    /// A `.tokens` file, or the lexer grammar that would make it (option `tokenVocab`).
    TokenVocabulary,
}

impl fmt::Display for MissingFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MissingFile::ImportedGrammar => "imported grammar",
            MissingFile::TokenVocabulary => "token vocabulary",
        })
    }
}

fn in_rule(rule: &Option<String>) -> String {
    rule.as_ref().map(|name| format!(" (in rule {name})")).unwrap_or_default()
}

/// Something in a grammar that is not honoured, or worth knowing, without being an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// Predicates, taken as true.
    PredicatesIgnored {
        /// The rules they are in, in the order of definition.
        rules: Vec<String>,
    },
    /// Actions, taken as empty.
    ActionsIgnored {
        /// The rules they are in.
        rules: Vec<String>,
    },
    /// The grammar names a base class, whose code can't be run.
    SuperClass {
        /// The class.
        name: String,
    },
    /// A token that no lexer rule makes.
    TokenWithoutRule {
        /// Where it is used first.
        place: SourceLine,
        /// The token.
        name: String,
    },
    /// Anything else, in words.
    Other {
        /// Where.
        place: SourceLine,
        /// The problem.
        message: String,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::PredicatesIgnored { rules } => {
                write!(f, "predicates are taken as true in {}", rules.join(", "))
            }
            Notice::ActionsIgnored { rules } => {
                write!(f, "actions are not run in {}", rules.join(", "))
            }
            Notice::SuperClass { name } => {
                write!(f, "the base class {name} is not run; the grammar may rely on it")
            }
            Notice::TokenWithoutRule { place, name } => {
                write!(f, "{place}: no lexer rule makes the token {name}")
            }
            Notice::Other { place, message } => write!(f, "{place}: {message}"),
        }
    }
}

/// A place at which an input does not fit a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFault {
    /// The offset of the bytes that do not fit.
    pub offset: usize,
    /// Tokens that would have fitted there, of those that always have the same text.
    pub missing: Vec<Vec<u8>>,
    /// Bytes of the whole input that do not fit, and one more for each place.
    pub misfits: usize,
}
