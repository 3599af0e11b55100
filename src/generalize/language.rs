//! A grammar put to use: its parser, whichever fits, its generator and its way of joining words.

use std::sync::Arc;

use crate::digest::Digest;
use crate::grammar::earley::EarleyParser;
use crate::grammar::error::GrammarError;
use crate::grammar::generate::join::Joiner;
use crate::grammar::generate::{Generator, Symbol};
use crate::grammar::model::{Grammar, QuantifierId, RuleId, TokenId};
use crate::grammar::parser::Parser;
use crate::structure::tree::{Kind, Node, Tree};

/// Why a grammar can't be used on an input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// The input isn't in the language.
    #[error("the input doesn't fit grammar {grammar} from byte {offset} on")]
    Syntax {
        /// The grammar.
        grammar: String,
        /// Where it was noticed.
        offset: u32,
    },
    /// It is too long, too deep or too ambiguous to be parsed.
    #[error("grammar {grammar} can't parse the input: {why}")]
    Effort {
        /// The grammar.
        grammar: String,
        /// What was too much.
        why: String,
    },
}

#[derive(Clone, Debug)]
enum Way {
    Lexed(Box<Parser>),
    Flat(EarleyParser),
}

/// A grammar, a start rule, and what is needed to parse and to draw.
#[derive(Clone, Debug)]
pub struct Language {
    grammar: Arc<Grammar>,
    start: RuleId,
    way: Way,
    generator: Generator,
    joiner: Joiner,
}

impl Language {
    /// Puts `grammar` to use; without `start` from its likeliest start rule. It is an error if
    /// the start rule has no finite derivation.
    pub fn new(grammar: Arc<Grammar>, start: Option<RuleId>) -> Result<Self, GrammarError> {
        let Some(start) = start.or_else(|| grammar.default_start()) else {
            let (grammar, rule) = (grammar.name.clone(), "at all".to_owned());
            return Err(GrammarError::NoSuchStart { grammar, rule });
        };
        let generator = Generator::new(grammar.clone());
        if !generator.is_finite(Symbol::Rule(start)) {
            return Err(GrammarError::Unusable(format!(
                "rule {} of grammar {} has no finite derivation: nothing can be drawn from it",
                grammar.rule(start).name,
                grammar.name
            )));
        }
        let flat =
            if grammar.lexer_rules.is_empty() { EarleyParser::new(grammar.clone()) } else { None };
        let way = match flat {
            Some(flat) => Way::Flat(flat),
            None => Way::Lexed(Box::new(Parser::new(grammar.clone()))),
        };
        Ok(Language { joiner: Joiner::new(&grammar), generator, way, start, grammar })
    }

    /// The grammar.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// The rule that whole inputs derive from.
    pub fn start(&self) -> RuleId {
        self.start
    }

    /// Draws.
    pub fn generator(&self) -> &Generator {
        &self.generator
    }

    /// Joins what was drawn.
    pub fn joiner(&mut self) -> &mut Joiner {
        &mut self.joiner
    }

    /// Whether there is no lexer, so that tokens are just pieces of text.
    pub fn is_flat(&self) -> bool {
        matches!(self.way, Way::Flat(_))
    }

    /// The tree of an input that is in the language.
    pub fn parse(&mut self, input: &[u8]) -> Result<Tree, Misfit> {
        let parsed = match &mut self.way {
            Way::Lexed(parser) => parser.parse(input, self.start),
            Way::Flat(parser) => parser.parse(input, self.start),
        };
        let grammar = || self.grammar.name.clone();
        match parsed {
            Ok(parsed) if parsed.is_valid() && parsed.unread_tokens == 0 => Ok(parsed.tree),
            Ok(parsed) => {
                let offset = parsed.errors.first().map(|error| error.offset);
                let unread = parsed.tree.ids().find(|&id| parsed.tree.node(id).kind == Kind::Error);
                let unread = unread.map(|id| parsed.tree.node(id).start);
                let offset = offset.or(unread).unwrap_or(0);
                Err(Misfit::Syntax { grammar: grammar(), offset })
            }
            Err(error) => Err(Misfit::Effort { grammar: grammar(), why: error.to_string() }),
        }
    }

    /// What would be drawn instead of a node, if anything can be.
    pub fn symbol(&self, node: &Node) -> Option<Symbol> {
        let symbol = match node.kind {
            Kind::Rule { rule, .. } => Symbol::Rule(RuleId(rule)),
            Kind::Token(token) if token != TokenId::EOF.0 && !self.is_flat() => {
                Symbol::Token(TokenId(token))
            }
            Kind::Quantifier(id) => Symbol::Repeated(QuantifierId(id)),
            _ => return None,
        };
        self.generator.is_finite(symbol).then_some(symbol)
    }

    /// What a symbol is called between `<` and `>`.
    pub fn name(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Rule(rule) => self.grammar.rule(rule).name.trim_matches(['<', '>']).to_owned(),
            Symbol::Token(token) => self.grammar.token_name(token),
            Symbol::Repeated(id) => {
                let quantifier = self.grammar.quantifier(id);
                let rule = &self.grammar.rule(quantifier.rule).name;
                // Which of the rule's repeated parts, where it has several.
                let same_rule = self.grammar.quantifiers[..id.index()]
                    .iter()
                    .filter(|other| other.rule == quantifier.rule)
                    .count();
                let sign = quantifier.bounds.sign();
                match same_rule {
                    0 => format!("{rule}{sign}"),
                    earlier => format!("{rule}{sign}{}", earlier + 1),
                }
            }
        }
    }

    /// Tells versions of a grammar apart: names, rules and tokens, but not files and lines.
    pub fn digest(&self) -> Digest {
        let rules: Vec<_> =
            self.grammar.rules.iter().map(|rule| (&rule.name, &rule.alternatives)).collect();
        let lexer_rules: Vec<_> = self
            .grammar
            .lexer_rules
            .iter()
            .map(|rule| (&rule.name, rule.token, &rule.alternatives))
            .collect();
        let whole = (rules, lexer_rules, &self.grammar.tokens, &self.grammar.quantifiers);
        Digest::of(format!("{whole:?}{:?}", self.start).as_bytes())
    }
}
