//! The grammar as data: a two-level extended context-free grammar.
//!
//! Parser rules are made of tokens, lexer rules of code points. Alternatives are ordered, each
//! quantifier is a part with a number, and left recursion is kept twice: as written (for code that
//! works with the rules) and as primaries and operators with precedences (for the parser). Front
//! ends build this model; nothing here knows a notation.

use super::charset::CharSet;
use super::error::{Notice, SourceLine};
use crate::digest::Digest;

/// A token's number. 0 is the end of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(pub u32);

impl TokenId {
    /// The end of the input, written `EOF`.
    pub const EOF: TokenId = TokenId(0);

    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A parser rule's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u32);

impl RuleId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A lexer rule's number, fragments included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LexerRuleId(pub u32);

impl LexerRuleId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A quantified part of a parser rule; the number indexes [`Grammar::quantifiers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuantifierId(pub u32);

impl QuantifierId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How often a part may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// `?`
    Optional,
    /// `*`
    Star,
    /// `+`
    Plus,
}

impl Bounds {
    /// The least number of iterations.
    pub fn min(self) -> u32 {
        u32::from(self == Bounds::Plus)
    }

    /// The greatest number of iterations, if there is one.
    pub fn max(self) -> Option<u32> {
        (self == Bounds::Optional).then_some(1)
    }

    /// The sign it is written with.
    pub fn sign(self) -> char {
        match self {
            Bounds::Optional => '?',
            Bounds::Star => '*',
            Bounds::Plus => '+',
        }
    }
}

/// A part of a parser rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// One token.
    Token(TokenId),
    /// Any of these tokens (sorted), or any token but these and the end of the input.
    Set {
        /// The tokens, ascending.
        tokens: Vec<TokenId>,
        /// Whether all others are meant.
        negated: bool,
    },
    /// Any token but the end of the input.
    Any,
    /// A rule; `precedence` is the least an operator has to have inside (0: all of them).
    Rule {
        /// The rule.
        rule: RuleId,
        /// The least precedence.
        precedence: u32,
    },
    /// One of several alternatives.
    Group(Vec<Alternative>),
    /// An optional or repeated part.
    Repeat {
        /// Its identity.
        id: QuantifierId,
        /// Its ordered alternatives.
        body: Vec<Alternative>,
    },
}

/// One of a rule's or a group's ordered alternatives: a sequence of parts, possibly empty.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Alternative {
    /// The parts.
    pub terms: Vec<Term>,
    /// The name given after `#`.
    pub label: Option<String>,
    /// `<assoc=right>`.
    pub right_associative: bool,
}

/// An alternative that continues after an operand, in a left-recursive rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// Index of the alternative as written.
    pub alternative: usize,
    /// The higher, the tighter it binds.
    pub precedence: u32,
    /// The terms after the left operand; references to the rule carry precedences.
    pub terms: Vec<Term>,
}

/// A left-recursive rule as primaries followed by operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftRecursion {
    /// Index as written and parts of each alternative that doesn't start with the rule itself.
    pub primaries: Vec<(usize, Vec<Term>)>,
    /// The others, in the order in which they are tried.
    pub operators: Vec<Operator>,
}

/// A parser rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub place: SourceLine,
    /// Its alternatives as written, left recursion included.
    pub alternatives: Vec<Alternative>,
    /// The same for the parser, if it is left-recursive.
    pub recursion: Option<LeftRecursion>,
}

/// A quantified part of a parser rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantifier {
    /// The rule it is in.
    pub rule: RuleId,
    /// How often the part may occur.
    pub bounds: Bounds,
    /// Whether as many as possible are taken.
    pub greedy: bool,
}

/// A token of the vocabulary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The text it always has, if it has one.
    pub literal: Option<String>,
    /// The lexer rule of that name, if there is one.
    pub rule: Option<LexerRuleId>,
}

/// A part of a lexer rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexerTerm {
    /// One code point of a set.
    Chars(CharSet),
    /// The end of the input.
    Eof,
    /// Another lexer rule.
    Rule(LexerRuleId),
    /// One of several alternatives.
    Group(Vec<LexerAlternative>),
    /// An optional or repeated part.
    Repeat {
        /// How often.
        bounds: Bounds,
        /// Whether as many as possible are taken.
        greedy: bool,
        /// The ordered alternatives.
        body: Vec<LexerAlternative>,
    },
}

/// One of the ordered alternatives of a lexer rule or of a group in one.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LexerAlternative {
    /// The parts.
    pub terms: Vec<LexerTerm>,
    /// The commands to run when it matched as a token; only on a rule's own alternatives.
    pub commands: Vec<Command>,
}

/// A lexer command, as after `->`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Command {
    /// Drop the token.
    Skip,
    /// Go on: the text belongs to the token that comes.
    More,
    /// Make it another token.
    Type(TokenId),
    /// Send it to a channel; only those of channel 0 reach the parser.
    Channel(u32),
    /// Go on in this mode.
    Mode(u32),
    /// Go on in this mode, remembering the present one.
    PushMode(u32),
    /// Go back to the mode remembered last.
    PopMode,
}

/// A lexer rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexerRule {
    /// Its name; for a literal of a parser rule, the literal in quotes.
    pub name: String,
    /// Where it is defined.
    pub place: SourceLine,
    /// Whether it only helps other rules.
    pub is_fragment: bool,
    /// The token it makes (for fragments: none).
    pub token: Option<TokenId>,
    /// Its alternatives.
    pub alternatives: Vec<LexerAlternative>,
}

/// A set of lexer rules that are tried together; the first of equally long matches wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Its name.
    pub name: String,
    /// Its rules, fragments left out.
    pub rules: Vec<LexerRuleId>,
}

/// A whole grammar: vocabulary, lexer and parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    /// Its name.
    pub name: String,
    /// The digest of all texts that it was read from.
    pub source: Digest,
    /// The vocabulary; the first is the end of the input.
    pub tokens: Vec<Token>,
    /// The parser rules.
    pub rules: Vec<Rule>,
    /// The quantified parts of the parser rules.
    pub quantifiers: Vec<Quantifier>,
    /// The lexer rules, fragments included.
    pub lexer_rules: Vec<LexerRule>,
    /// The modes; the lexer starts in the first.
    pub modes: Vec<Mode>,
    /// The channels' names; 0 is the parser's, 1 the hidden one.
    pub channels: Vec<String>,
    /// Notices about ignored constructs and other points worth knowing.
    pub notices: Vec<Notice>,
}

impl Grammar {
    /// The parser rule of that name.
    pub fn rule_named(&self, name: &str) -> Option<RuleId> {
        let at = self.rules.iter().position(|rule| rule.name == name)?;
        Some(RuleId(at as u32))
    }

    /// The rule itself.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    /// The quantified part's description.
    pub fn quantifier(&self, id: QuantifierId) -> &Quantifier {
        &self.quantifiers[id.index()]
    }

    /// The lexer rule itself.
    pub fn lexer_rule(&self, id: LexerRuleId) -> &LexerRule {
        &self.lexer_rules[id.index()]
    }

    /// The token of that name.
    pub fn token_named(&self, name: &str) -> Option<TokenId> {
        let at = self.tokens.iter().position(|token| token.name.as_deref() == Some(name))?;
        Some(TokenId(at as u32))
    }

    /// The name of a token for people: its name, else its text in quotes, else its number.
    pub fn token_name(&self, id: TokenId) -> String {
        match self.tokens.get(id.index()) {
            Some(Token { name: Some(name), .. }) => name.clone(),
            Some(Token { literal: Some(text), .. }) => format!("'{text}'"),
            _ => format!("<{}>", id.0),
        }
    }

    /// The rule a whole input should start with: the first that no other rule refers to and
    /// that ends with the end of the input, else the first that ends with it, else the first
    /// that no other refers to, else the first.
    pub fn default_start(&self) -> Option<RuleId> {
        let mut referred = vec![false; self.rules.len()];
        for (at, rule) in self.rules.iter().enumerate() {
            for_each_term(&rule.alternatives, &mut |term| {
                if let Term::Rule { rule, .. } = term {
                    referred[rule.index()] |= rule.index() != at;
                }
            });
        }
        let ends_with_eof = |rule: &Rule| {
            let last = |alternative: &Alternative| alternative.terms.last().cloned();
            rule.alternatives.iter().any(|a| last(a) == Some(Term::Token(TokenId::EOF)))
        };
        let find = |wanted: &dyn Fn(usize, &Rule) -> bool| {
            self.rules.iter().enumerate().find(|(at, rule)| wanted(*at, rule)).map(|(at, _)| at)
        };
        find(&|at, rule| !referred[at] && ends_with_eof(rule))
            .or_else(|| find(&|_, rule| ends_with_eof(rule)))
            .or_else(|| find(&|at, _| !referred[at]))
            .or_else(|| find(&|_, _| true))
            .map(|at| RuleId(at as u32))
    }
}

/// Visits every part of the alternatives, outer ones first. Nesting is bounded by the front
/// ends, so this may recurse.
pub(crate) fn for_each_term<'a>(alternatives: &'a [Alternative], visit: &mut dyn FnMut(&'a Term)) {
    for alternative in alternatives {
        for term in &alternative.terms {
            visit(term);
            if let Term::Group(body) | Term::Repeat { body, .. } = term {
                for_each_term(body, visit);
            }
        }
    }
}
