//! The syntax tree of a `.g4` file: its parser makes it and the lowering reads it.

use crate::digest::Digest;
use crate::grammar::charset::CharSet;
use crate::grammar::error::SourceLine;
use crate::grammar::model::Bounds;

/// Which rules a file may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    /// `grammar X;`
    Combined,
    /// `lexer grammar X;`
    Lexer,
    /// `parser grammar X;`
    Parser,
}

/// One file.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// Which halves of a grammar are in it.
    pub kind: FileKind,
    /// The name after `grammar`.
    pub name: String,
    /// The digest of its text and of those that it imports.
    pub source: Digest,
    /// Where the grammar's name is.
    pub place: SourceLine,
    /// The options with their values, in their order; the first of two with one name holds.
    pub options: Vec<(String, String)>,
    /// The names of the imported grammars, and where each is named.
    pub imports: Vec<(String, SourceLine)>,
    /// Names in `tokens {…}`.
    pub tokens: Vec<String>,
    /// Names in `channels {…}`.
    pub channels: Vec<String>,
    /// All rules, of the parser and of the lexer, in their order.
    pub rules: Vec<RuleText>,
    /// Modes besides the default one, in the order they are opened.
    pub modes: Vec<String>,
}

impl File {
    /// The value of an option of the whole file.
    pub(super) fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().rev().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// One rule, of the parser or the lexer.
#[derive(Clone, Debug)]
pub(super) struct RuleText {
    pub name: String,
    pub place: SourceLine,
    /// Whether `fragment` is before it.
    pub is_fragment: bool,
    /// The mode it is in; nothing for the default mode.
    pub mode: Option<String>,
    /// The rule's own option `caseInsensitive`, if it has one.
    pub case_insensitive: Option<bool>,
    /// The alternatives between `:` and `;`.
    pub alternatives: Vec<AltText>,
}

impl RuleText {
    /// Names that start with a capital are the lexer's.
    pub(super) fn is_lexer_rule(&self) -> bool {
        is_token_name(&self.name)
    }
}

/// Whether a name is a token's (or lexer rule's) rather than a parser rule's.
pub(super) fn is_token_name(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// One alternative.
#[derive(Clone, Debug, Default)]
pub(super) struct AltText {
    /// Its parts, code included.
    pub elements: Vec<Element>,
    /// The name after `#`.
    pub label: Option<String>,
    /// Whether `<assoc=right>` is before it.
    pub right_associative: bool,
    /// The commands after `->`.
    pub commands: Vec<CommandText>,
}

/// A lexer command with its argument, not looked up yet.
#[derive(Clone, Debug)]
pub(super) struct CommandText {
    pub name: String,
    /// The text in its brackets.
    pub argument: Option<String>,
    pub place: SourceLine,
}

/// An atom with its quantifier.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// The part without label and suffix.
    pub atom: Atom,
    pub place: SourceLine,
    /// How often it may be, and whether as often as possible.
    pub suffix: Option<(Bounds, bool)>,
}

/// A part of a rule's sequence.
#[derive(Clone, Debug)]
pub(super) enum Atom {
    Name(String),
    Literal(String),
    Range(u32, u32),
    Chars(CharSet),
    Not(Box<Atom>),
    Any,
    Block(Vec<AltText>),
    Predicate,
    Action,
}
