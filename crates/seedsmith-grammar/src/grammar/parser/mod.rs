//! Runs a grammar's parser over bytes and gives a tree, whatever the bytes are.
//!
//! The grammar is interpreted: nothing is generated. Alternatives are chosen as ANTLR 4 chooses
//! them (in `prediction`), errors are recovered from as ANTLR's default strategy does
//! (in `recover`), and every byte of the input ends up in the tree.

mod frames;
mod message;
mod prediction;
mod recover;
mod recovery_sets;
mod run;
mod stop_check;
mod tree_writer;

pub(super) use message::Errors;
pub use message::Position;
pub(super) use stop_check::StopCheck;

use super::error::GrammarError;
use super::lexer::{LexemeKind, Lexer};
use super::model::{Grammar, RuleId};
use crate::grammar::atn::parser::ParserAtn;
use crate::structure::trees::tree::Tree;
use prediction::predict::{Fuel, Predictor};
use std::sync::Arc;

/// The kind of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxProblem {
    /// No lexer rule matches these bytes.
    NoToken,
    /// The token doesn't fit; one of these (by number, ascending) would have.
    Unexpected {
        /// The tokens that would have fitted.
        expected: Vec<u32>,
    },
    /// The token is one too many.
    Extraneous {
        /// The tokens that would have fitted.
        expected: Vec<u32>,
    },
    /// This token was missing here.
    MissingToken {
        /// The token that was made up.
        token: u32,
    },
    /// No alternative fits.
    NoAlternative,
}

/// A problem and where it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Offset of the offending bytes.
    pub offset: u32,
    /// The problem.
    pub problem: SyntaxProblem,
}

/// The result of a parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The tree over all bytes.
    pub tree: Tree,
    /// The errors reported, the lexer's first, each in order; at most 10,000.
    pub errors: Vec<SyntaxError>,
    /// How many more were reported.
    pub unrecorded_errors: usize,
    /// Tokens after the start rule's end that the parser did not read.
    pub unread_tokens: usize,
    /// Predictions cut short because the fuel was used up: there the alternative may differ
    /// from the one that ANTLR takes.
    pub shortened_predictions: u64,
    /// The cost of all predictions, in configurations: a measure of the work that doesn't depend on
    /// the machine.
    pub effort: u64,
}

impl Parsed {
    /// Whether neither lexer nor parser complained.
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }
}

/// Why there is no tree.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseError {
    /// The input is longer than offsets can express.
    #[error("the input has {bytes} bytes; at most {max} can be parsed", max = MAX_INPUT_BYTES)]
    TooLong {
        /// How many bytes it has.
        bytes: usize,
    },
    /// Rules nest deeper than `ParseLimits::max_depth`.
    #[error("rules nest deeper than {limit} at byte {offset}")]
    TooDeep {
        /// The limit.
        limit: usize,
        /// Where it was passed.
        offset: u32,
    },
    /// The caller stopped the parse, or the parser's own bound on steps did.
    #[error("the parse was stopped at byte {offset}: it takes too long")]
    Stopped {
        /// How far it had come.
        offset: u32,
    },
    /// There are more ways to parse it than can be kept.
    #[error("more than {limit} ways to parse it are open at byte {offset}")]
    TooAmbiguous {
        /// The limit.
        limit: usize,
        /// Where it was passed.
        offset: u32,
    },
}

/// The longest input that can be parsed.
pub(crate) const MAX_INPUT_BYTES: usize = u32::MAX as usize - 2;

/// A bound on effort that grows with the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffortBound {
    /// For any input.
    pub base: u64,
    /// More for each token.
    pub per_token: u64,
    /// But never more than this.
    pub most: u64,
}

impl EffortBound {
    /// The bound for an input of `tokens` tokens.
    fn over(self, tokens: u64) -> u64 {
        self.base.saturating_add(tokens.saturating_mul(self.per_token)).min(self.most)
    }
}

/// Bounds on the effort of a parse. They are counted, not timed, so that results don't depend on
/// the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLimits {
    /// Rules open at the same time.
    pub max_depth: usize,
    /// Effort of all predictions without the caller, in configurations.
    pub sll: EffortBound,
    /// Effort of all predictions that know the caller.
    pub full: EffortBound,
    /// Effort of one prediction that knows the caller.
    pub full_each: u64,
}

impl Default for ParseLimits {
    fn default() -> Self {
        ParseLimits {
            max_depth: 4 << 20,
            sll: EffortBound { base: 100 << 20, per_token: 20_000, most: 512 << 20 },
            full: EffortBound { base: 16 << 20, per_token: 5_000, most: 128 << 20 },
            full_each: 4 << 20,
        }
    }
}

/// A grammar's lexer and parser, with the automata that they have built so far. Clone it for each
/// thread.
#[derive(Clone, Debug)]
pub struct Parser {
    grammar: Arc<Grammar>,
    lexer: Lexer,
    atn: Arc<ParserAtn>,
    predictor: Predictor,
    recovery: recovery_sets::RecoverySets,
    /// Bounds for the parses to come.
    pub limits: ParseLimits,
}

impl Parser {
    /// A parser for the grammar. Building it takes time in proportion to the grammar.
    pub fn new(grammar: Arc<Grammar>) -> Self {
        let atn = Arc::new(ParserAtn::new(&grammar));
        Parser {
            lexer: Lexer::new(&grammar),
            predictor: Predictor::new(&atn),
            recovery: recovery_sets::RecoverySets::default(),
            limits: ParseLimits::default(),
            atn,
            grammar,
        }
    }

    /// The grammar that is run.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// The lexer, to cut pieces of text on their own.
    pub fn lexer(&mut self) -> &mut Lexer {
        &mut self.lexer
    }

    /// The rule of that name, or the grammar's likeliest start if none is given.
    pub fn start_rule(&self, name: Option<&str>) -> Result<RuleId, GrammarError> {
        let found = match name {
            Some(name) => self.grammar.rule_named(name),
            None => self.grammar.default_start(),
        };
        let grammar = || self.grammar.name.clone();
        found.ok_or_else(|| match name {
            Some(rule) => GrammarError::NoSuchStart { grammar: grammar(), rule: rule.to_owned() },
            None => GrammarError::NoRules { grammar: grammar() },
        })
    }

    /// Parses the input from the rule `start` on. The result depends on nothing else.
    ///
    /// Panics if `start` is not a rule of the grammar.
    pub fn parse(&mut self, input: &[u8], start: RuleId) -> Result<Parsed, ParseError> {
        self.parse_in(0, input, start)
    }

    /// The same for a piece of text that the lexer reads in another of its modes, such as the
    /// inside of a tag. Panics also if there is no such mode.
    pub fn parse_in(
        &mut self,
        mode: u32,
        input: &[u8],
        start: RuleId,
    ) -> Result<Parsed, ParseError> {
        self.run(mode, input, start, &|| true)
    }

    /// Parses as long as `keep_going`, which is called every few thousand steps, returns true. If
    /// it always does, the result is that of [`Parser::parse`].
    pub fn parse_while(
        &mut self,
        input: &[u8],
        start: RuleId,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Parsed, ParseError> {
        self.run(0, input, start, keep_going)
    }

    /// Lexes and parses; all other functions that parse call this.
    fn run(
        &mut self,
        mode: u32,
        input: &[u8],
        start: RuleId,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Parsed, ParseError> {
        if input.len() > MAX_INPUT_BYTES {
            return Err(ParseError::TooLong { bytes: input.len() });
        }
        self.predictor.begin(&self.atn);
        let mut stop_check = StopCheck::new(keep_going);
        if stop_check.must_stop_now() {
            return Err(ParseError::Stopped { offset: 0 });
        }
        let lexemes = self
            .lexer
            .lex_while(mode, input, &mut stop_check)
            .map_err(|offset| ParseError::Stopped { offset })?;
        let mut errors = Errors::default();
        for lexeme in lexemes.iter().filter(|lexeme| lexeme.kind == LexemeKind::Error) {
            errors.push(SyntaxError { offset: lexeme.start, problem: SyntaxProblem::NoToken });
        }
        let tokens =
            lexemes.iter().filter(|lexeme| lexeme.kind == LexemeKind::Token).count() as u64;
        let mut fuel = Fuel {
            sll: self.limits.sll.over(tokens),
            full: self.limits.full.over(tokens),
            full_each: self.limits.full_each,
            shortened: 0,
            spent: 0,
            stop_check,
        };
        if fuel.stop_check.must_stop_now() {
            return Err(ParseError::Stopped { offset: 0 });
        }
        let writer = tree_writer::TreeWriter::new(lexemes, input.len() as u32);
        let mut run = run::ParseRun {
            atn: &self.atn,
            predictor: &mut self.predictor,
            recovery: &mut self.recovery,
            frames: frames::Frames::default(),
            writer,
            fuel,
            errors,
            is_recovering: false,
            last_error: None,
            entered_loops: Vec::new(),
            max_depth: self.limits.max_depth,
        };
        run.run(start.0)?;
        let (Errors { first: errors, more: unrecorded_errors }, shortened_predictions) =
            (run.errors, run.fuel.shortened);
        let effort = run.fuel.spent;
        let (tree, unread_tokens) = run.writer.finish();
        Ok(Parsed { tree, errors, unrecorded_errors, unread_tokens, shortened_predictions, effort })
    }
}

#[cfg(test)]
mod tests;
