//! Replacements for parts of an input: the shortest texts of a language's parts, as bytes, and
//! which rules can replace which.
//!
//! Reducers use this and no front end.

use super::analysis::minimal::{GivenTexts, Minimal, MinimalStrings};
use super::analysis::units::unit_derivations;
use super::error::SyntaxFault;
use super::islands::plug::{IslandTokens, NumberOffsets};
use super::language::Language;
use super::lexer::Lexer;
use super::model::{Bounds, Grammar, QuantifierId, RuleId, TokenId};
use super::parser::{ParseError, Parsed};
use super::replacements::Replacements;
use crate::digest::Digest;
use crate::structure::trees::edit::SEPARATOR;
use crate::structure::trees::tree::NodeKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A grammar of islands, with its place among the numbers of all grammars.
#[derive(Clone, Debug)]
pub(crate) struct IslandLanguage {
    /// The offsets of its numbers, after the languages before it.
    pub base: NumberOffsets,
    /// Its texts.
    pub substitutes: Substitutes,
}

/// The islands of a language.
#[derive(Clone, Debug)]
struct IslandData {
    /// The digest of the files that they were read from.
    source: Digest,
    languages: Vec<IslandLanguage>,
    tokens: IslandTokens,
}

/// A language with the texts that can replace its parts.
#[derive(Clone, Debug)]
pub struct Substitutes {
    language: Language,
    units: Vec<Vec<RuleId>>,
    rules: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
    iterations: Vec<Vec<u8>>,
    /// Whether a quantified part has to be there at least once.
    needed: Vec<bool>,
    separator: Vec<u8>,
    islands: Option<Arc<IslandData>>,
    /// PartTexts that were given, not worked out.
    given: GivenTexts,
    is_in_written_order: bool,
    max_parse_time: Duration,
}

impl Substitutes {
    /// Works out the texts of all rules, tokens and quantified parts.
    pub fn new(language: Language) -> Self {
        let grammar = language.grammar().clone();
        let minimal = language.minimal_strings();
        let PartTexts { rules, tokens, iterations } = PartTexts::of(&grammar, &minimal);
        Substitutes {
            units: unit_derivations(&grammar),
            separator: minimal.separator().unwrap_or_default().to_vec(),
            needed: grammar.quantifiers.iter().map(|part| part.bounds == Bounds::Plus).collect(),
            islands: None,
            given: GivenTexts::default(),
            is_in_written_order: false,
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

    /// The same for a language that only an input shows, as `input` shows it; as
    /// [`Language::shown_by`], within the limit of a parse.
    pub fn shown_by(&self, input: &[u8], keep_going: &dyn Fn() -> bool) -> Option<Option<Self>> {
        let started = Instant::now();
        let keep_going = || started.elapsed() < self.max_parse_time && keep_going();
        let shown = self.language.shown_by(input, &keep_going)?;
        Some(shown.map(|language| {
            let mut shown = Substitutes::new(language).with_max_parse_time(self.max_parse_time);
            shown.given = self.given_in(shown.grammar());
            shown.put_texts();
            shown
        }))
    }

    /// The given texts for the parts of another grammar that have the same names.
    fn given_in(&self, other: &Grammar) -> GivenTexts {
        let grammar = self.grammar();
        let rules = self.given.rules.iter().filter_map(|(rule, text)| {
            Some((other.rule_named(&grammar.rule(*rule).name)?, text.clone()))
        });
        let tokens = self.given.tokens.iter().filter_map(|(token, text)| {
            Some((other.token_named(&grammar.token_name(*token))?, text.clone()))
        });
        GivenTexts { rules: rules.collect(), tokens: tokens.collect() }
    }

    /// The same where some tokens hold text in other grammars; `source` is the digest of the files
    /// that these were read from.
    pub(super) fn with_island_languages(
        mut self,
        source: Digest,
        languages: Vec<IslandLanguage>,
        tokens: IslandTokens,
    ) -> Self {
        for part in &languages {
            let inner = &part.substitutes;
            let shifted = |rules: &Vec<RuleId>| {
                rules.iter().map(|rule| RuleId(rule.0 + part.base.rules)).collect()
            };
            self.units.extend(inner.units.iter().map(shifted));
            self.rules.extend_from_slice(&inner.rules);
            self.tokens.extend_from_slice(&inner.tokens);
            self.iterations.extend_from_slice(&inner.iterations);
            self.needed.extend_from_slice(&inner.needed);
        }
        self.islands = Some(Arc::new(IslandData { source, languages, tokens }));
        self
    }

    /// The languages in a tree: that of whole inputs, then those of islands.
    pub fn languages(&self) -> impl Iterator<Item = &Substitutes> {
        let parts = self.islands.iter().flat_map(|islands| &islands.languages);
        std::iter::once(self).chain(parts.map(|part| &part.substitutes))
    }

    /// Which of the languages gave a node of this kind; `None` if any could have.
    pub fn language_of(&self, kind: NodeKind) -> Option<usize> {
        let Some(islands) = &self.islands else { return Some(0) };
        let mut parts = islands.languages.iter().rev().map(|part| part.base.is_at_or_before(kind));
        let inner = parts.position(|is_it| is_it.is_none_or(|is_it| is_it));
        match inner {
            _ if matches!(kind, NodeKind::Trivia(SEPARATOR)) => None,
            None => Some(0),
            Some(from_behind) => {
                let part = &islands.languages[islands.languages.len() - 1 - from_behind];
                part.base.is_at_or_before(kind).map(|_| islands.languages.len() - from_behind)
            }
        }
    }

    /// Parses with one of the language's parsers, within the limit.
    pub fn parse(&self, parser: &mut Language, input: &[u8]) -> Result<Parsed, ParseError> {
        self.parse_while(parser, input, &|| true)
    }

    /// The same, as long as the caller's `keep_going` says yes, too.
    pub fn parse_while(
        &self,
        parser: &mut Language,
        input: &[u8],
        keep_going: &dyn Fn() -> bool,
    ) -> Result<Parsed, ParseError> {
        let started = Instant::now();
        let keep_going = || started.elapsed() < self.max_parse_time && keep_going();
        let mut parsed = parser.parse_while(input, &keep_going)?;
        if let Some(islands) = &self.islands {
            parsed.tree = islands.tokens.plugged(&parsed.tree, input, &keep_going);
        }
        Ok(parsed)
    }

    /// The first place at which `input` does not fit the grammar. `None` if all of it fits.
    ///
    /// Islands are not looked at. Where the parser is tree-sitter's this is much cheaper than
    /// [`Substitutes::parse`]. Fails where the parser gives up.
    pub fn first_fault(
        &self,
        parser: &mut Language,
        input: &[u8],
    ) -> Result<Option<SyntaxFault>, ParseError> {
        let started = Instant::now();
        let keep_going = || started.elapsed() < self.max_parse_time;
        parser.first_fault(input, &keep_going)
    }

    /// The same with other texts for some rules and tokens, and for all that holds these. Takes as
    /// long as making it.
    pub fn with_replacements(mut self, replacements: &Replacements) -> Self {
        let grammar = self.language.grammar().clone();
        for (name, text) in replacements.iter() {
            let text = text.as_bytes().to_vec();
            if let Some(rule) = grammar.rule_named(name) {
                self.given.rules.push((rule, text));
            } else if let Some(token) = grammar.token_named(name) {
                self.given.tokens.push((token, text));
            }
        }
        self.put_texts();
        self
    }

    /// The same with another shortest text of each rule: of equally long texts, that of the
    /// alternative that is written first, as in picireny. Costs as much as making the substitutes.
    pub fn in_written_order(&self) -> Self {
        let mut changed = Substitutes { is_in_written_order: true, ..self.clone() };
        changed.put_texts();
        for part in self.islands.iter().flat_map(|islands| &islands.languages) {
            let inner = part.substitutes.in_written_order();
            let (rule, iteration) = (part.base.rules as usize, part.base.quantifiers as usize);
            changed.rules.splice(rule..rule + inner.rules.len(), inner.rules);
            let iterations = iteration..iteration + inner.iterations.len();
            changed.iterations.splice(iterations, inner.iterations);
        }
        changed
    }

    /// Computes the texts again, from the given ones; those of islands are not changed.
    fn put_texts(&mut self) {
        let grammar = self.language.grammar();
        let minimal = self.language.minimal_strings_with(&self.given);
        let minimal = match self.is_in_written_order {
            true => minimal.in_written_order(grammar),
            false => minimal,
        };
        let PartTexts { rules, tokens, iterations } = PartTexts::of(grammar, &minimal);
        self.rules.splice(..rules.len(), rules);
        self.tokens.splice(..tokens.len(), tokens);
        self.iterations.splice(..iterations.len(), iterations);
    }

    /// The grammar.
    pub fn grammar(&self) -> &Arc<Grammar> {
        self.language.grammar()
    }

    /// The name of the rule that a whole input is.
    pub fn start_name(&self) -> &str {
        &self.grammar().rule(self.language.start()).name
    }

    /// The digest of the texts that were given in place of shortest ones, if any were.
    pub fn replacements_source(&self) -> Option<Digest> {
        let GivenTexts { tokens, rules } = &self.given;
        // The word names the kind of the part that a text is for, and the number the part.
        let number = |kind: &str, index: usize| format!("{kind} {index}").into_bytes();
        let tokens = tokens.iter().map(|(id, text)| [number("token", id.index()), text.clone()]);
        let rules = rules.iter().map(|(id, text)| [number("rule", id.index()), text.clone()]);
        let pieces: Vec<Vec<u8>> = tokens.chain(rules).flatten().collect();
        (!pieces.is_empty()).then(|| Digest::of_pieces(pieces.iter().map(Vec::as_slice)))
    }

    /// The digest of the files that the islands were read from, if there are any.
    pub fn islands_source(&self) -> Option<Digest> {
        self.islands.as_ref().map(|islands| islands.source)
    }

    /// The time limit of a parse.
    pub fn max_parse_time(&self) -> Duration {
        self.max_parse_time
    }

    /// A new copy of the language's parser, for the caller alone.
    pub fn parser(&self) -> Language {
        self.language.clone()
    }

    /// The least text that a node of this kind can be replaced by: minimal strings of rules and
    /// tokens, the empty text for optional parts, for errors and for hidden text.
    pub fn text_of(&self, kind: NodeKind) -> &[u8] {
        match kind {
            NodeKind::Rule { rule, .. } => &self.rules[rule as usize],
            NodeKind::Token(token) | NodeKind::Missing(token) => &self.tokens[token as usize],
            NodeKind::Quantifier(id) if self.needs_one(id) => self.iteration_text(id),
            _ => &[],
        }
    }

    /// The least text of one iteration of a quantified part.
    pub fn iteration_text(&self, quantifier: u32) -> &[u8] {
        &self.iterations[quantifier as usize]
    }

    /// Whether the quantified part has to be there at least once.
    pub fn needs_one(&self, quantifier: u32) -> bool {
        self.needed[quantifier as usize]
    }

    /// The rules (ascending) whose nodes may replace a node of `rule`.
    pub fn derives(&self, rule: u32) -> &[RuleId] {
        &self.units[rule as usize]
    }

    /// The shortest text that the parser doesn't see.
    pub fn separator(&self) -> &[u8] {
        &self.separator
    }
}

/// The texts of one grammar's parts, with separators between their tokens.
struct PartTexts {
    rules: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
    iterations: Vec<Vec<u8>>,
}

impl PartTexts {
    fn of(grammar: &Grammar, minimal: &MinimalStrings) -> Self {
        let mut lexer = Lexer::new(grammar);
        let mut write = |text: Option<&Minimal>| {
            text.map(|text| minimal.text(text, &mut lexer)).unwrap_or_default()
        };
        let rules = (0..grammar.rules.len() as u32).map(RuleId);
        let tokens = (0..grammar.tokens.len() as u32).map(TokenId);
        let iterations = (0..grammar.quantifiers.len() as u32).map(QuantifierId);
        PartTexts {
            rules: rules.map(|rule| write(minimal.of_rule(rule))).collect(),
            tokens: tokens.map(|id| minimal.of_token(id).unwrap_or_default().to_vec()).collect(),
            iterations: iterations.map(|id| write(minimal.of_iteration(id))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::g4;
    use crate::grammar::parser::Parser;
    use std::collections::BTreeSet;

    #[test]
    fn the_text_of_a_token_is_in_the_texts_of_the_rules_and_lists_that_hold_it() {
        let text = "grammar T; s: call+ EOF; call: ID '(' (ID (',' ID)+)? ')'; ID: [a-z]+;
            WS: ' ' -> skip;";
        let grammar = Arc::new(g4::load_texts(&[("t.g4", text)]).unwrap());
        let language = Language::of(Parser::new(grammar.clone()), Some("s")).unwrap();
        let replacements = Replacements::read("r.json", r#"{"ID": "foo"}"#, &grammar).unwrap();
        let plain = Substitutes::new(language);
        let replaced = plain.clone().with_replacements(&replacements);
        let text_of = |substitutes: &Substitutes, name: &str| {
            let rule = grammar.rule_named(name).unwrap().0;
            let kind = NodeKind::Rule { rule, alternative: NodeKind::NO_ALTERNATIVE };
            String::from_utf8(substitutes.text_of(kind).to_vec()).unwrap()
        };
        assert_eq!(text_of(&plain, "call"), "a()");
        assert_eq!(text_of(&replaced, "call"), "foo()");
        assert_eq!(text_of(&replaced, "s"), "foo()");
        assert_eq!(text_of(&replaced.in_written_order(), "s"), "foo()");
        let lists: BTreeSet<&[u8]> = (0..3).map(|list| replaced.iteration_text(list)).collect();
        assert_eq!(lists, BTreeSet::from([&b"foo()"[..], b"foo,foo", b",foo"]));
    }
}
