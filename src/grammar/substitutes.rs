//! What may stand in place of what: the shortest texts of a language's parts, as bytes to put
//! into an input, and which rules can stand for which.
//!
//! Reducers see this and no front end.

use super::analysis::minimal::Minimal;
use super::analysis::units::unit_derivations;
use super::language::Language;
use super::lexer::Lexer;
use super::model::{Bounds, Grammar, QuantifierId, RuleId, TokenId};
use super::parser::{ParseError, Parsed};
use super::replacements::Replacements;
use crate::structure::tree::Kind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A language with the texts that stand for its parts.
#[derive(Clone, Debug)]
pub struct Substitutes {
    language: Language,
    units: Vec<Vec<RuleId>>,
    rules: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
    iterations: Vec<Vec<u8>>,
    separator: Vec<u8>,
    max_parse_time: Duration,
}

impl Substitutes {
    /// Works out the texts of all rules, tokens and quantified parts.
    pub fn new(language: Language) -> Self {
        let grammar = language.grammar().clone();
        let mut lexer = Lexer::new(&grammar);
        let minimal = language.minimal_strings();
        let mut write = |text: Option<&Minimal>| {
            text.map(|text| minimal.text(text, &mut lexer)).unwrap_or_default()
        };
        let rules = (0..grammar.rules.len() as u32).map(RuleId);
        let rules = rules.map(|rule| write(minimal.of_rule(rule))).collect();
        let iterations = (0..grammar.quantifiers.len() as u32).map(QuantifierId);
        let iterations = iterations.map(|id| write(minimal.of_iteration(id))).collect();
        let tokens = (0..grammar.tokens.len() as u32).map(TokenId);
        let tokens = tokens.map(|id| minimal.of_token(id).unwrap_or_default().to_vec()).collect();
        Substitutes {
            units: unit_derivations(&grammar),
            separator: minimal.separator().unwrap_or_default().to_vec(),
            language,
            rules,
            tokens,
            iterations,
            max_parse_time: Duration::from_secs(5),
        }
    }

    /// The same with another limit on the time of a parse.
    pub fn with_max_parse_time(mut self, limit: Duration) -> Self {
        self.max_parse_time = limit;
        self
    }

    /// Parses with one of the language's parsers, within the limit.
    pub fn parse(&self, parser: &mut Language, input: &[u8]) -> Result<Parsed, ParseError> {
        let started = Instant::now();
        parser.parse_while(input, &|| started.elapsed() < self.max_parse_time)
    }

    /// The same with other texts for some rules and tokens.
    pub fn with_replacements(mut self, replacements: &Replacements) -> Self {
        let grammar = self.language.grammar().clone();
        for (name, text) in replacements.iter() {
            if let Some(rule) = grammar.rule_named(name) {
                self.rules[rule.index()] = text.as_bytes().to_vec();
            } else if let Some(token) = grammar.token_named(name) {
                self.tokens[token.index()] = text.as_bytes().to_vec();
            }
        }
        self
    }

    /// The grammar.
    pub fn grammar(&self) -> &Arc<Grammar> {
        self.language.grammar()
    }

    /// A parser of one's own for the language.
    pub fn parser(&self) -> Language {
        self.language.clone()
    }

    /// The least text that a node of this kind can be replaced by: minimal strings of rules and
    /// tokens, nothing for what can be left out, for errors and for hidden text.
    pub fn text_of(&self, kind: Kind) -> &[u8] {
        match kind {
            Kind::Rule { rule, .. } => &self.rules[rule as usize],
            Kind::Token(token) | Kind::Missing(token) => &self.tokens[token as usize],
            Kind::Quantifier(id) if self.needs_one(id) => self.iteration_text(id),
            _ => &[],
        }
    }

    /// The least text of one iteration of a quantified part.
    pub fn iteration_text(&self, quantifier: u32) -> &[u8] {
        &self.iterations[quantifier as usize]
    }

    /// Whether the quantified part has to stand at least once.
    pub fn needs_one(&self, quantifier: u32) -> bool {
        self.language.grammar().quantifier(QuantifierId(quantifier)).bounds == Bounds::Plus
    }

    /// The rules (ascending) whose nodes may stand where a node of `rule` is wanted.
    pub fn derives(&self, rule: u32) -> &[RuleId] {
        &self.units[rule as usize]
    }

    /// The shortest text that the parser doesn't see.
    pub fn separator(&self) -> &[u8] {
        &self.separator
    }
}
