//! A language at hand: something that parses bytes to a tree and, where it is a grammar of ours,
//! knows what may stand in place of what.
//!
//! Reducers see this and no front end. A language without grammar facts still gives trees.

use super::analysis::minimal::{Minimal, MinimalStrings, reads_apart};
use super::analysis::units::unit_derivations;
use super::builtin::{self, Builtin};
use super::earley::EarleyParser;
use super::error::GrammarError;
use super::lexer::Lexer;
use super::model::{Bounds, Grammar, QuantifierId, RuleId, TokenId};
use super::parser::{ParseError, Parsed, Parser};
use super::replacements::Replacements;
use super::{fuzzingbook, g4};
use crate::structure::tree::Kind;
use std::path::Path;
use std::sync::Arc;

/// What parses.
#[derive(Clone, Debug)]
enum Engine {
    Adaptive(Box<Parser>),
    Earley(Box<EarleyParser>),
}

/// Parses one language; what it learns makes the next parse quicker. A clone for each thread.
#[derive(Clone, Debug)]
pub struct Reader {
    engine: Engine,
    start: RuleId,
}

impl Reader {
    /// The tree of the bytes.
    pub fn parse(&mut self, input: &[u8]) -> Result<Parsed, ParseError> {
        match &mut self.engine {
            Engine::Adaptive(parser) => parser.parse(input, self.start),
            Engine::Earley(parser) => parser.parse(input, self.start),
        }
    }

    /// Whether two pieces of text read, one right behind the other, as they do alone. In a
    /// grammar of several modes, where a piece alone can't be read, and in one without a lexer
    /// the question is whether two words would become one.
    pub fn reads_apart(&mut self, before: &[u8], next: &[u8]) -> bool {
        match &mut self.engine {
            Engine::Adaptive(parser) if parser.grammar().modes.len() == 1 => {
                reads_apart(parser.lexer(), before, next)
            }
            Engine::Adaptive(_) => {
                let is_word =
                    |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
                !(before.last().is_some_and(is_word) && next.first().is_some_and(is_word))
            }
            Engine::Earley(_) => true,
        }
    }

    /// The lexer, if there is one that reads pieces of text on their own.
    pub fn lexer(&mut self) -> Option<&mut Lexer> {
        match &mut self.engine {
            Engine::Adaptive(parser) if parser.grammar().modes.len() == 1 => Some(parser.lexer()),
            _ => None,
        }
    }
}

/// A grammar made ready to parse with, and the texts that stand for its parts.
#[derive(Clone, Debug)]
pub struct Language {
    grammar: Arc<Grammar>,
    reader: Reader,
    units: Vec<Vec<RuleId>>,
    rules: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
    iterations: Vec<Vec<u8>>,
    separator: Vec<u8>,
}

impl Language {
    /// Loads grammar files (`.g4`, or one `.json` in the fuzzingbook's format) or the built-in
    /// grammar of that name; `start` is the rule of a whole input (else the likeliest).
    pub fn load(files: &[&str], start: Option<&str>) -> Result<Self, GrammarError> {
        if let [name] = files
            && let Some(found) = builtin::find(name)
        {
            return Self::of_parser(found.parser(), start);
        }
        if let [file] = files
            && file.ends_with(".json")
        {
            let path = Path::new(file);
            let text = std::fs::read_to_string(path)
                .map_err(|source| GrammarError::Read { path: path.to_owned(), source })?;
            let (grammar, default) = fuzzingbook::load_text(file, &text)?;
            let start = start.map_or(Ok(default), |name| {
                let bracketed = format!("<{name}>");
                let found = grammar.rule_named(name).or_else(|| grammar.rule_named(&bracketed));
                found.ok_or_else(|| GrammarError::NoSuchStart {
                    grammar: file.to_string(),
                    rule: name.to_owned(),
                })
            })?;
            let grammar = Arc::new(grammar);
            let parser = EarleyParser::new(grammar.clone())
                .expect("the front end makes flat rules of literal tokens");
            return Ok(Self::new(grammar, Engine::Earley(Box::new(parser)), start));
        }
        Self::of_parser(Parser::new(Arc::new(g4::load(files)?)), start)
    }

    /// One of the grammars that come along.
    pub fn of_builtin(found: &Builtin) -> Self {
        Self::new(found.grammar(), Engine::Adaptive(Box::new(found.parser())), found.start())
    }

    /// A grammar with its parser.
    pub fn of_parser(parser: Parser, start: Option<&str>) -> Result<Self, GrammarError> {
        let start = parser.start_rule(start)?;
        Ok(Self::new(parser.grammar().clone(), Engine::Adaptive(Box::new(parser)), start))
    }

    fn new(grammar: Arc<Grammar>, engine: Engine, start: RuleId) -> Self {
        let mut lexer = Lexer::new(&grammar);
        let minimal = MinimalStrings::new(&grammar, &mut lexer);
        let mut write = |text: Option<&Minimal>| {
            text.map(|text| minimal.text(text, &mut lexer)).unwrap_or_default()
        };
        let rules = (0..grammar.rules.len() as u32).map(RuleId);
        let rules = rules.map(|rule| write(minimal.of_rule(rule))).collect();
        let iterations = (0..grammar.quantifiers.len() as u32).map(QuantifierId);
        let iterations = iterations.map(|id| write(minimal.of_iteration(id))).collect();
        let tokens = (0..grammar.tokens.len() as u32).map(TokenId);
        let tokens = tokens.map(|id| minimal.of_token(id).unwrap_or_default().to_vec()).collect();
        Language {
            units: unit_derivations(&grammar),
            separator: minimal.separator().unwrap_or_default().to_vec(),
            reader: Reader { engine, start },
            grammar,
            rules,
            tokens,
            iterations,
        }
    }

    /// The same language with other texts for some rules and tokens.
    pub fn with_replacements(mut self, replacements: &Replacements) -> Self {
        for (name, text) in replacements.iter() {
            if let Some(rule) = self.grammar.rule_named(name) {
                self.rules[rule.index()] = text.as_bytes().to_vec();
            } else if let Some(token) = self.grammar.token_named(name) {
                self.tokens[token.index()] = text.as_bytes().to_vec();
            }
        }
        self
    }

    /// The grammar.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// A reader of one's own.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
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
        self.grammar.quantifier(QuantifierId(quantifier)).bounds == Bounds::Plus
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
