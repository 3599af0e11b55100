//! The language's grammar as far as one input shows it, as grammar data.
//!
//! tree-sitter's published crates don't give their grammar away at run time, only tables. But a
//! tree shows productions: the children of each node, with its optional and repeated parts. From
//! these come rules with alternatives, tokens with the shortest text seen, and the rules that
//! `node-types.json` puts above others. That is enough for reducing and repairing (minimal strings,
//! which rules can replace which), and too little for producing new inputs.
//!
//! The lexer rules serve one question only: whether two texts may touch.

use super::super::node_types::NodeTypes;
use crate::digest::Digest;
use crate::grammar::charset::CharSet;
use crate::grammar::error::SourceLine;
use crate::grammar::model::{
    Alternative, Bounds, Command, Grammar, LexerAlternative, LexerRule, LexerRuleId, LexerTerm,
    Mode, Quantifier, QuantifierId, Rule, RuleId, Term, Token, TokenId,
};
use crate::structure::trees::tree::NodeKind;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A part of a production.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RulePart {
    /// A token, by number.
    Token(u32),
    /// A rule, by number.
    Rule(u32),
    /// The quantifier and the different things that were repeated.
    Repeat(u32, Vec<Vec<RulePart>>),
}

/// The key that distinguishes rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RuleKey {
    /// Nodes of this kind, or the supertype of that name.
    NodeType(String),
    /// The kinds allowed at a place that no single supertype describes.
    Slot(Vec<String>),
}

/// The key that distinguishes tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TokenKey {
    /// A kind, by name, and whether it is named.
    NodeType(String, bool),
    /// Bytes directly in a node of this kind, under no child.
    Text(String),
    /// Hidden: blanks, or a comment of this kind.
    Hidden(String),
}

/// A token that was met.
#[derive(Clone, Debug)]
struct SeenToken {
    /// The key that distinguishes it from others.
    key: TokenKey,
    /// The shortest text, of several the first in order.
    text: Vec<u8>,
    /// Where a text of this token was seen first.
    sample: u32,
}

/// A rule that was met.
#[derive(Clone, Debug, Default)]
struct SeenRule {
    /// The kind of node, or the place that it is for.
    name: String,
    /// The kinds that a place asks for, if it isn't the rule of one kind of node.
    stands_for: Vec<String>,
    /// The productions, in the order in which they were met.
    alternatives: Vec<Vec<RulePart>>,
    /// The number of each production.
    index: BTreeMap<Vec<RulePart>, u16>,
}

/// Rules, tokens and quantifiers by number, in the order in which they were met. Once it is frozen,
/// a new rule or token counts as [`OTHER_RULE`] or [`OTHER_TOKEN`].
#[derive(Clone, Debug)]
pub(super) struct Observed {
    /// Whether nothing new is noted any more.
    is_frozen: bool,
    /// The rules by number.
    rules: Vec<SeenRule>,
    /// The numbers of the rules.
    rule_numbers: BTreeMap<RuleKey, u32>,
    /// The tokens by number, which begins at 1: 0 is the end of the input.
    tokens: Vec<SeenToken>,
    /// The numbers of the tokens.
    token_numbers: BTreeMap<TokenKey, u32>,
    /// The rule and the bounds of each quantifier.
    quantifiers: Vec<(u32, Bounds)>,
    /// The quantifiers by rule, sign and the first symbol of the repeated part.
    quantifier_numbers: BTreeMap<(u32, u8, RulePart), u32>,
}

/// The rule for nodes of kinds that weren't met in time. It has no alternative.
pub(super) const OTHER_RULE: u32 = 0;

/// The token for texts of kinds that weren't met in time.
pub(super) const OTHER_TOKEN: u32 = 1;

impl Observed {
    /// Only [`OTHER_RULE`] and [`OTHER_TOKEN`] are there.
    pub(super) fn new() -> Self {
        let other = || "other".to_owned();
        let mut observed = Observed {
            is_frozen: false,
            rules: Vec::new(),
            rule_numbers: BTreeMap::new(),
            tokens: Vec::new(),
            token_numbers: BTreeMap::new(),
            quantifiers: Vec::new(),
            quantifier_numbers: BTreeMap::new(),
        };
        // A name that no language has.
        observed.rule_of(RuleKey::Slot(Vec::new()), other, &[]);
        observed.token(TokenKey::Hidden(String::new()), b"", 0);
        observed
    }

    /// Keeps the numbers as they are for the inputs to come.
    pub(super) fn freeze(&mut self) {
        self.is_frozen = true;
    }

    /// The rule for nodes of a kind.
    pub(super) fn rule(&mut self, kind: &str) -> u32 {
        self.rule_of(RuleKey::NodeType(kind.to_owned()), || kind.to_owned(), &[])
    }

    /// The rule for a place at which one of these kinds is asked for.
    pub(super) fn slot_rule(&mut self, parent: &str, field: &str, kinds: &[String]) -> u32 {
        if let [only] = kinds {
            return self.rule_of(RuleKey::NodeType(only.clone()), || only.clone(), kinds);
        }
        let field = if field.is_empty() { "children" } else { field };
        self.rule_of(RuleKey::Slot(kinds.to_vec()), || format!("{parent}.{field}"), kinds)
    }

    /// The number of a rule, which is added unless everything is frozen.
    fn rule_of(&mut self, key: RuleKey, name: impl Fn() -> String, stands_for: &[String]) -> u32 {
        let next = self.rules.len() as u32;
        if self.is_frozen {
            return self.rule_numbers.get(&key).copied().unwrap_or(OTHER_RULE);
        }
        let rules = &mut self.rules;
        *self.rule_numbers.entry(key).or_insert_with(|| {
            let stands_for = stands_for.to_vec();
            rules.push(SeenRule { name: name(), stands_for, ..SeenRule::default() });
            next
        })
    }

    /// A token and a text that it has; `sample` says where.
    pub(super) fn token(&mut self, key: TokenKey, text: &[u8], sample: u32) -> u32 {
        if self.is_frozen {
            return self.token_numbers.get(&key).copied().unwrap_or(OTHER_TOKEN);
        }
        let next = self.tokens.len() as u32 + 1;
        let number = *self.token_numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.tokens.push(SeenToken { key, text: text.to_vec(), sample });
        }
        let seen = &mut self.tokens[number as usize - 1];
        // Blanks only would be lost among other blanks.
        let rank = |text: &[u8]| (text.trim_ascii().is_empty(), text.len(), text.to_vec());
        if rank(text) < rank(&seen.text) {
            (seen.text, seen.sample) = (text.to_vec(), sample);
        }
        number
    }

    /// The quantifier of a rule in which something starts with this piece; `None` if it is new and
    /// they are frozen.
    pub(super) fn quantifier(&mut self, rule: u32, bounds: Bounds, first: RulePart) -> Option<u32> {
        let key = (rule, bounds.sign() as u8, first);
        if self.is_frozen {
            return self.quantifier_numbers.get(&key).copied();
        }
        let next = self.quantifiers.len() as u32;
        let number = *self.quantifier_numbers.entry(key).or_insert(next);
        if number == next {
            self.quantifiers.push((rule, bounds));
        }
        Some(number)
    }

    /// The number of this production among the rule's alternatives; none if it is new and they
    /// are frozen.
    pub(super) fn alternative(&mut self, rule: u32, pieces: Vec<RulePart>) -> u16 {
        if self.is_frozen {
            let rule = &self.rules[rule as usize];
            return rule.index.get(&pieces).copied().unwrap_or(NodeKind::NO_ALTERNATIVE);
        }
        let rule = &mut self.rules[rule as usize];
        let next = rule.alternatives.len().min(usize::from(u16::MAX) - 1) as u16;
        *rule.index.entry(pieces).or_insert_with_key(|pieces| {
            rule.alternatives.push(pieces.clone());
            next
        })
    }

    /// Tokens whose text is free and could be shorter: number, sample, text.
    pub(super) fn shortenable(&self) -> Vec<(u32, u32, Vec<u8>)> {
        let open = |seen: &SeenToken| {
            matches!(&seen.key, TokenKey::NodeType(_, true)) && seen.text.len() > 1
        };
        let numbered = self.tokens.iter().zip(1..);
        numbered
            .filter(|(seen, _)| open(seen))
            .map(|(s, n)| (n, s.sample, s.text.clone()))
            .collect()
    }

    /// Takes another text as a token's shortest.
    pub(super) fn shorten(&mut self, token: u32, text: &[u8]) {
        self.tokens[token as usize - 1].text = text.to_vec();
    }

    /// The grammar; `literals` are all tokens with a fixed text that the language knows, and
    /// `source` is the digest of the parser and the input.
    ///
    /// Tokens that were met have no lexer rule; the lexer only has rules for literals, words and
    /// blanks.
    pub(super) fn grammar(
        &mut self,
        name: &str,
        source: Digest,
        types: &NodeTypes,
        literals: &[&str],
    ) -> Grammar {
        self.add_unit_alternatives(types);
        let place = SourceLine { file: Arc::from(name), line: 1 };
        let mut lexer = LexerRules { place: place.clone(), rules: Vec::new() };
        let mut tokens = vec![Token { name: Some("EOF".into()), literal: None, rule: None }];
        for seen in &self.tokens {
            let text = String::from_utf8_lossy(&seen.text).into_owned();
            tokens.push(match &seen.key {
                TokenKey::NodeType(kind, false) if *kind == text => {
                    Token { name: None, literal: Some(text), rule: None }
                }
                TokenKey::NodeType(kind, _) => {
                    Token { name: Some(kind.clone()), literal: Some(text), rule: None }
                }
                TokenKey::Text(kind) => {
                    Token { name: Some(format!("{kind} text")), literal: Some(text), rule: None }
                }
                TokenKey::Hidden(kind) => {
                    Token { name: Some(kind.clone()), literal: None, rule: None }
                }
            });
        }
        for literal in literals {
            lexer.literal(literal, &mut tokens);
        }
        lexer.words_and_blanks(&mut tokens);
        let quantifier = |&(rule, bounds): &(u32, Bounds)| Quantifier {
            rule: RuleId(rule),
            bounds,
            greedy: true,
        };
        let rules = self.rules.iter().map(|rule| Rule {
            name: rule.name.clone(),
            place: place.clone(),
            alternatives: rule.alternatives.iter().map(|pieces| alternative(pieces)).collect(),
            recursion: None,
        });
        Grammar {
            name: name.to_owned(),
            source,
            tokens,
            rules: rules.collect(),
            quantifiers: self.quantifiers.iter().map(quantifier).collect(),
            modes: vec![Mode {
                name: "DEFAULT_MODE".into(),
                rules: (0..lexer.rules.len() as u32).map(LexerRuleId).collect(),
            }],
            lexer_rules: lexer.rules,
            channels: vec!["DEFAULT_TOKEN_CHANNEL".into(), "HIDDEN".into()],
            notices: Vec::new(),
        }
    }

    /// Adds to the rule of each place an alternative for every kind of node in the input that fits
    /// there, and for every place that allows fewer kinds.
    fn add_unit_alternatives(&mut self, types: &NodeTypes) {
        let fits = |one: &SeenRule, place: &SeenRule| {
            let fits = |kind: &str| place.stands_for.iter().any(|wanted| types.fits(kind, wanted));
            if one.stands_for.is_empty() {
                fits(&one.name)
            } else {
                one.stands_for.iter().all(|kind| fits(kind))
            }
        };
        let pairs: Vec<(u32, Vec<u32>)> = (0..self.rules.len())
            .filter(|&at| !self.rules[at].stands_for.is_empty())
            .map(|at| {
                let others = (0..self.rules.len())
                    .filter(|&other| other != at && fits(&self.rules[other], &self.rules[at]));
                (at as u32, others.map(|other| other as u32).collect())
            })
            .collect();
        for (rule, others) in pairs {
            for other in others {
                self.alternative(rule, vec![RulePart::Rule(other)]);
            }
        }
    }
}

/// A production as an alternative of a grammar. Parts nest three deep at most.
fn alternative(pieces: &[RulePart]) -> Alternative {
    let term = |piece: &RulePart| match piece {
        RulePart::Token(token) => Term::Token(TokenId(*token)),
        RulePart::Rule(rule) => Term::Rule { rule: RuleId(*rule), precedence: 0 },
        RulePart::Repeat(id, bodies) => Term::Repeat {
            id: QuantifierId(*id),
            body: bodies.iter().map(|body| alternative(body)).collect(),
        },
    };
    Alternative { terms: pieces.iter().map(term).collect(), ..Alternative::default() }
}

/// The lexer rules of the grammar, in the making.
struct LexerRules {
    /// The place that all of them have: the language's name.
    place: SourceLine,
    rules: Vec<LexerRule>,
}

impl LexerRules {
    /// Adds a lexer rule with a new token.
    fn add(&mut self, name: &str, tokens: &mut Vec<Token>, body: LexerAlternative) {
        let token = TokenId(tokens.len() as u32);
        let rule = LexerRuleId(self.rules.len() as u32);
        tokens.push(Token { name: Some(name.to_owned()), literal: None, rule: Some(rule) });
        self.rules.push(LexerRule {
            name: name.to_owned(),
            place: self.place.clone(),
            is_fragment: false,
            token: Some(token),
            alternatives: vec![body],
        });
    }

    /// A text that is one token wherever it occurs.
    fn literal(&mut self, text: &str, tokens: &mut Vec<Token>) {
        let chars = text.chars().map(|c| LexerTerm::Chars(CharSet::range(c as u32, c as u32)));
        let body = LexerAlternative { terms: chars.collect(), commands: Vec::new() };
        self.add(&format!("'{text}'"), tokens, body);
    }

    /// Rules for words and for white space: two words may not touch, and blanks keep them apart.
    fn words_and_blanks(&mut self, tokens: &mut Vec<Token>) {
        let repeat = |set: CharSet, commands: Vec<Command>| {
            let terms = vec![LexerTerm::Chars(set)];
            let body = vec![LexerAlternative { terms, commands: Vec::new() }];
            let repeat = LexerTerm::Repeat { bounds: Bounds::Plus, greedy: true, body };
            LexerAlternative { terms: vec![repeat], commands }
        };
        let ascii = |range: std::ops::RangeInclusive<char>| {
            (u32::from(*range.start()), u32::from(*range.end()))
        };
        let letters = [ascii('a'..='z'), ascii('A'..='Z'), ascii('0'..='9'), ascii('_'..='_')];
        let more = [ascii('$'..='$'), (0x80, crate::grammar::charset::MAX_CODE_POINT)];
        let words = CharSet::from_ranges(letters.into_iter().chain(more));
        self.add("word", tokens, repeat(words, Vec::new()));
        let blanks = CharSet::from_ranges([ascii(' '..=' '), ascii('\t'..='\r')]);
        self.add("blanks", tokens, repeat(blanks, vec![Command::Skip]));
    }
}
