//! A language to draw from: its parser, its generator and its way of joining words.

use std::fmt;
use std::sync::Arc;

use seedsmith_grammar::Digest;
use seedsmith_grammar::Generator;
use seedsmith_grammar::Language;
use seedsmith_grammar::internal::GrammarError;
use seedsmith_grammar::internal::Joiner;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::Symbol;
use seedsmith_grammar::internal::notation;
use seedsmith_grammar::internal::{Grammar, QuantifierId, RuleId, TokenId};
use seedsmith_grammar::{Node, NodeId, NodeKind, Tree};
use seedsmith_grammar::{ParseError, Parsed};

use crate::generalize::draws::gaps::with_gaps;

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
        /// The limit that was exceeded.
        why: String,
    },
}

/// Repeated parts are named by their content up to this length, else by their rule, so that a pattern
/// fits on a line. Not measured.
const MAX_NAME_CHARACTERS: usize = 24;

/// A language that can be spoken as well as read.
#[derive(Clone, Debug)]
pub struct Sampler {
    substitutes: Arc<Substitutes>,
    language: Language,
    generator: Generator,
    joiner: Joiner,
    keep_going: KeepGoing,
}

/// Says whether there is time left to read.
///
/// Parsing a large ambiguous input can take longer than a run has, so the parser asks between
/// steps.
#[derive(Clone)]
struct KeepGoing(Arc<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for KeepGoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeepGoing")
    }
}

impl Sampler {
    /// Makes ready to draw from a language. It is an error if its start rule has no finite
    /// derivation.
    pub fn new(substitutes: Arc<Substitutes>) -> Result<Self, GrammarError> {
        let language = substitutes.parser();
        let grammar = language.grammar();
        let generator = Generator::new(grammar.clone());
        if !generator.is_finite(Symbol::Rule(language.start())) {
            return Err(GrammarError::NoFiniteText {
                grammar: grammar.name.clone(),
                rule: grammar.rule(language.start()).name.clone(),
            });
        }
        let keep_going = KeepGoing(Arc::new(|| true));
        Ok(Sampler { joiner: Joiner::new(grammar), generator, language, substitutes, keep_going })
    }

    /// Reads only as long as `keep_going` says yes, from here on.
    ///
    /// An input that is given up is reported as too much effort to parse.
    pub fn read_while(&mut self, keep_going: impl Fn() -> bool + Send + Sync + 'static) {
        self.keep_going = KeepGoing(Arc::new(keep_going));
    }

    /// Parses with substitutes, which are remembered, so that an input that was parsed once is
    /// cheap.
    fn parse(&mut self, input: &[u8]) -> Result<Parsed, ParseError> {
        self.substitutes.parse_while(&mut self.language, input, &*self.keep_going.0)
    }

    /// What can be drawn in place of what.
    ///
    /// They are shared with the reductions that keep an input in the language.
    pub fn substitutes(&self) -> &Arc<Substitutes> {
        &self.substitutes
    }

    /// The grammar.
    pub fn grammar(&self) -> &Arc<Grammar> {
        self.language.grammar()
    }

    /// Whether a token is none of the grammar's own texts. Only such a token has other texts.
    pub(in crate::generalize) fn is_open(&self, token: u32) -> bool {
        let token = self.grammar().tokens.get(token as usize);
        token.is_some_and(|token| token.literal.is_none())
    }

    /// The rule that whole inputs derive from.
    pub fn start(&self) -> RuleId {
        self.language.start()
    }

    /// Draws.
    pub fn generator(&self) -> &Generator {
        &self.generator
    }

    /// Joins the drawn words.
    pub fn joiner(&mut self) -> &mut Joiner {
        &mut self.joiner
    }

    /// Whether there is no lexer, so that tokens are just pieces of text.
    pub fn is_flat(&self) -> bool {
        !self.language.has_lexer()
    }

    /// Whether an input is in the language.
    ///
    /// An input that cannot be parsed in time is not in the language, as far as is known. Costs no
    /// test.
    pub fn accepts(&mut self, input: &[u8]) -> bool {
        self.parse(input).is_ok_and(|parsed| misfit_at(&parsed).is_none())
    }

    /// The tree of an input, as far as there is one, with an empty node at each place where
    /// something more may be; and where it isn't in the language, if it isn't.
    pub fn read(&mut self, input: &[u8]) -> Result<(Tree, Option<Misfit>), Misfit> {
        let grammar = self.language.grammar().clone();
        let name = || grammar.name.clone();
        let parsed = self.parse(input);
        let parsed =
            parsed.map_err(|error| Misfit::Effort { grammar: name(), why: error.to_string() })?;
        let misfit = misfit_at(&parsed).map(|offset| Misfit::Syntax { grammar: name(), offset });
        Ok((with_gaps(&parsed.tree, &grammar), misfit))
    }

    /// What would be drawn instead of a node, if anything can be.
    ///
    /// `None` too for what no finite text can be drawn from, and for tokens of grammars without a
    /// lexer.
    pub fn symbol(&self, node: &Node) -> Option<Symbol> {
        let symbol = match node.kind {
            NodeKind::Rule { rule, .. } => Symbol::Rule(RuleId(rule)),
            NodeKind::Token(token) if token != TokenId::EOF.0 && !self.is_flat() => {
                Symbol::Token(TokenId(token))
            }
            NodeKind::Quantifier(id) if node.start == node.end => Symbol::Further(QuantifierId(id)),
            NodeKind::Quantifier(id) => Symbol::Repeated(QuantifierId(id)),
            _ => return None,
        };
        self.generator.is_finite(symbol).then_some(symbol)
    }

    /// What a symbol is called between `<` and `>`.
    ///
    /// A rule and a token have their own names; a repeated part has its content, or its rule and a
    /// number if the rule repeats several parts.
    pub fn name(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Rule(rule) => {
                self.grammar().rule(rule).name.trim_matches(['<', '>']).to_owned()
            }
            Symbol::Token(token) => self.grammar().token_name(token),
            Symbol::Repeated(id) | Symbol::Further(id) => {
                let shown = notation::quantified(self.grammar(), id);
                if shown.len() <= MAX_NAME_CHARACTERS && !shown.contains(['<', '>']) {
                    return shown;
                }
                let quantifier = self.grammar().quantifier(id);
                let rule = &self.grammar().rule(quantifier.rule).name;
                // Which of the rule's repeated parts, where it has several.
                let same_rule = self.grammar().quantifiers[..id.index()]
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
    ///
    /// Two grammars with the same digest give the same numbers to the nodes of an input, so a
    /// pattern file can be read with either.
    pub fn digest(&self) -> Digest {
        let rules: Vec<_> =
            self.grammar().rules.iter().map(|rule| (&rule.name, &rule.alternatives)).collect();
        let lexer_rules: Vec<_> = self
            .grammar()
            .lexer_rules
            .iter()
            .map(|rule| (&rule.name, rule.token, &rule.alternatives))
            .collect();
        let whole = (rules, lexer_rules, &self.grammar().tokens, &self.grammar().quantifiers);
        Digest::of(format!("{whole:?}{:?}", self.start()).as_bytes())
    }
}

/// Where it was noticed that an input isn't in the language, if it isn't.
///
/// The offset of the first error, else of the first text that was not read.
fn misfit_at(parsed: &Parsed) -> Option<u32> {
    if parsed.is_valid() && parsed.unread_tokens == 0 {
        return None;
    }
    let offset = parsed.errors.first().map(|error| error.offset);
    let is_unread = |id: &NodeId| parsed.tree.node(*id).kind == NodeKind::Error;
    let unread = || parsed.tree.ids().find(is_unread).map(|id| parsed.tree.node(id).start);
    Some(offset.or_else(unread).unwrap_or(0))
}
