//! A grammar's rules and tokens, and how a file was parsed.

use std::fmt;
use std::path::Path;

/// A grammar that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinGrammar<'a> {
    /// Its name.
    pub name: &'a str,
    /// Other names it goes by.
    pub aliases: &'a [&'a str],
    /// The format that it describes.
    pub about: &'a str,
}

/// One rule of a grammar.
#[derive(Clone, Debug)]
pub struct GrammarRule {
    /// Its name.
    pub name: String,
    /// Its definition, in the notation of the grammar.
    pub definition: String,
    /// Its shortest text, if it has one.
    pub minimal: Option<String>,
    /// Whether the start rule leads to it.
    pub is_reachable: bool,
}

/// One token of a grammar.
#[derive(Clone, Debug)]
pub struct GrammarToken {
    /// Its name.
    pub name: String,
    /// Its shortest text, if there is one.
    pub minimal: Option<String>,
}

/// The description of a grammar.
#[derive(Clone, Debug)]
pub struct GrammarDescription {
    /// Its own name.
    pub name: String,
    /// The rule to start with.
    pub start: String,
    /// Its parser rules.
    pub rules: Vec<GrammarRule>,
    /// Its tokens that have a name and no fixed text.
    pub tokens: Vec<GrammarToken>,
    /// Fragments that no lexer rule uses.
    pub unused_fragments: Vec<String>,
    /// Parts of the grammar that are not supported, and other remarks.
    pub notices: Vec<String>,
    /// Whether that is all; else tokens between the parts, and shortest texts, are not known.
    pub is_complete: bool,
}

/// The kind of a node of a parse tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// The whole input.
    Root,
    /// A rule.
    Rule,
    /// A token.
    Token,
    /// White space, comments and the like.
    Hidden,
    /// Input that does not fit the grammar.
    Error,
    /// A token that should be there.
    Missing,
    /// A quantified part.
    Quantifier,
    /// One of its repetitions.
    Iteration,
}

/// A node of a parse tree.
#[derive(Clone, Debug)]
pub struct ParsedNode<'a> {
    /// Its kind.
    pub kind: NodeKind,
    /// The rule's or the token's name.
    pub name: Option<&'a str>,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
    /// The place of its parent among the nodes; the root is its own.
    pub parent: usize,
}

/// An error of a parse.
#[derive(Clone, Debug)]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The error in words.
    pub message: String,
}

/// A file that was parsed.
#[derive(Clone, Debug)]
pub struct ParsedFile<'a> {
    /// The file.
    pub input: &'a Path,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The first errors, in order of place.
    pub errors: Vec<SyntaxError>,
    /// The number of further errors.
    pub errors_left_out: usize,
    /// The tree in preorder.
    pub nodes: Vec<ParsedNode<'a>>,
    /// Asked now and then while the tree is written: a large tree takes seconds.
    pub keep_going: KeepGoing<'a>,
}

/// A question whether to continue.
#[derive(Clone, Copy)]
pub struct KeepGoing<'a>(pub &'a dyn Fn() -> bool);

impl KeepGoing<'_> {
    /// Whether to continue.
    pub fn ask(self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for KeepGoing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeepGoing").field(&self.ask()).finish()
    }
}
