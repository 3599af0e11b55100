//! The shortest text of every rule, token and quantified part.
//!
//! Misherghi's minimal-length strings (thesis 2007, chapter 5), but computed in the order of
//! length, each rule once (Knuth, "A Generalization of Dijkstra's Algorithm", 1977): of equally
//! long texts the one that sorts first is taken, so the result depends on nothing else. Lengths are
//! in bytes of UTF-8, without the separators between tokens that would run together;
//! [`MinimalStrings::text`] adds these.

use super::tokens::{TokenTexts, token_texts};
use crate::grammar::lexer::{LexemeKind, Lexer};
use crate::grammar::model::{
    Alternative, Bounds, Grammar, QuantifierId, RuleId, Term, TokenId, for_each_term,
};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Texts longer than this (in bytes) are taken as not to exist; rules that double each other
/// could ask for any length.
///
/// 64 KiB is a guess, not measured.
pub(crate) const MAX_TEXT_BYTES: usize = 1 << 16;

/// Texts of more tokens aren't read again from their beginning at each of them.
///
/// Reading again costs the square of the number of tokens; longer texts are read pair by pair. A
/// guess, not measured.
const MAX_REREAD_TOKENS: usize = 256;

/// A shortest text, as tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Minimal {
    /// Sum of the tokens' lengths.
    pub length: usize,
    /// The tokens' texts, one after the other.
    pub bytes: Vec<u8>,
    /// The tokens.
    pub tokens: Vec<TokenId>,
}

impl Minimal {
    /// The text of nothing.
    fn empty() -> Self {
        Minimal { length: 0, bytes: Vec::new(), tokens: Vec::new() }
    }
}

/// The shortest texts of a grammar.
#[derive(Clone, Debug)]
pub struct MinimalStrings {
    /// The texts of the tokens, and of rules whose text was given: each of these is a token too.
    tokens: TokenTexts,
    /// By rule; `None` if no finite text derives from it.
    rules: Vec<Option<Minimal>>,
    /// By quantifier, the text of one iteration.
    bodies: Vec<Option<Minimal>>,
    /// The rules with a text that wasn't given, in the order in which they got it: each after
    /// those in it.
    settled: Vec<usize>,
}

/// Texts that are given instead of worked out. Where a part is named twice, the last text holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenTexts {
    /// Texts of tokens.
    pub tokens: Vec<(TokenId, Vec<u8>)>,
    /// Texts of rules.
    pub rules: Vec<(RuleId, Vec<u8>)>,
}

impl MinimalStrings {
    /// Works them all out; `lexer` is asked which token a text becomes.
    pub fn new(grammar: &Grammar, lexer: &mut Lexer) -> Self {
        MinimalStrings::with_given(grammar, lexer, &GivenTexts::default())
    }

    /// The same where the texts of some tokens and rules are given: they are in the texts of all
    /// rules and quantified parts that hold them.
    ///
    /// Cost: each rule is looked at again when one that it uses is settled, so in proportion to the
    /// grammar's size times its longest text.
    pub fn with_given(grammar: &Grammar, lexer: &mut Lexer, given: &GivenTexts) -> Self {
        let mut tokens = token_texts(grammar, lexer);
        for (token, text) in &given.tokens {
            tokens.texts[token.index()] = Some(text.clone());
        }
        let mut rules: Vec<Option<Minimal>> = vec![None; grammar.rules.len()];
        for (rule, text) in &given.rules {
            // The text becomes a token that no grammar has, so that it is written as it was given.
            let token = TokenId(tokens.texts.len() as u32);
            tokens.texts.push(Some(text.clone()));
            rules[rule.index()] =
                Some(Minimal { length: text.len(), bytes: text.clone(), tokens: vec![token] });
        }
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); grammar.rules.len()];
        for (at, rule) in grammar.rules.iter().enumerate() {
            for_each_term(&rule.alternatives, &mut |term| {
                if let Term::Rule { rule, .. } = term {
                    users[rule.index()].push(at);
                }
            });
        }
        let mut queue: BinaryHeap<Reverse<(Minimal, usize)>> = BinaryHeap::new();
        let offer = |at: usize, rules: &[Option<Minimal>], queue: &mut BinaryHeap<_>| {
            let alternatives = &grammar.rules[at].alternatives;
            let found = MinimalSearch::new(grammar, &tokens, rules).alternatives(alternatives);
            queue.extend(found.map(|found| Reverse((found, at))));
        };
        for at in (0..rules.len()).filter(|&at| rules[at].is_none()) {
            offer(at, &rules, &mut queue);
        }
        let mut settled = Vec::new();
        while let Some(Reverse((found, at))) = queue.pop() {
            if rules[at].is_some() {
                continue;
            }
            rules[at] = Some(found);
            settled.push(at);
            for &user in users[at].iter().filter(|&&user| user != at) {
                if rules[user].is_none() {
                    offer(user, &rules, &mut queue);
                }
            }
        }
        let bodies = MinimalSearch::new(grammar, &tokens, &rules).bodies();
        MinimalStrings { tokens, rules, bodies, settled }
    }

    /// The same, where of equally long texts that of the alternative that is written first is taken,
    /// as picireny does: with `'->' | '--'` an arrow stays an arrow.
    pub fn in_written_order(mut self, grammar: &Grammar) -> Self {
        for &at in &self.settled {
            let search = MinimalSearch::new(grammar, &self.tokens, &self.rules).in_written_order();
            self.rules[at] = search.alternatives(&grammar.rules[at].alternatives);
        }
        self.bodies =
            MinimalSearch::new(grammar, &self.tokens, &self.rules).in_written_order().bodies();
        self
    }

    /// A token's shortest text; `None` if no text becomes this token.
    pub fn of_token(&self, token: TokenId) -> Option<&[u8]> {
        self.tokens.texts.get(token.index())?.as_deref()
    }

    /// A rule's shortest text; `None` if it has none.
    pub fn of_rule(&self, rule: RuleId) -> Option<&Minimal> {
        self.rules.get(rule.index())?.as_ref()
    }

    /// The shortest text of one iteration of a quantified part.
    pub fn of_iteration(&self, quantifier: QuantifierId) -> Option<&Minimal> {
        self.bodies.get(quantifier.index())?.as_ref()
    }

    /// The shortest hidden token, which is put between two tokens that must not touch.
    pub fn separator(&self) -> Option<&[u8]> {
        self.tokens.separator.as_deref()
    }

    /// The tokens' shortest texts written so that they are read as these tokens: nothing
    /// between two of them if that reads as the same two, else the separator.
    ///
    /// In a grammar with several modes the text is for the first mode in which such a text is
    /// found; [`MinimalStrings::text_and_mode`] says which.
    pub fn text(&self, minimal: &Minimal, lexer: &mut Lexer) -> Vec<u8> {
        self.text_and_mode(minimal, lexer).0
    }

    /// The text and the mode in which it is read as these tokens; 0 if there is none.
    pub fn text_and_mode(&self, minimal: &Minimal, lexer: &mut Lexer) -> (Vec<u8>, u32) {
        let modes = self.tokens.separators.len() as u32;
        let is_short = minimal.tokens.len() <= MAX_REREAD_TOKENS;
        let read = (0..modes)
            .filter(|_| modes > 1 && is_short)
            .find_map(|mode| Some((self.text_read_in(mode, minimal, lexer)?, mode)));
        read.unwrap_or_else(|| (self.text_by_pairs(minimal, lexer), 0))
    }

    /// The text with each separator that the lexer, coming from the mode, needs.
    fn text_read_in(&self, mode: u32, minimal: &Minimal, lexer: &mut Lexer) -> Option<Vec<u8>> {
        let mut text = Vec::with_capacity(minimal.length);
        let mut expected = Vec::new();
        for &token in &minimal.tokens {
            let next = self.of_token(token).filter(|next| !next.is_empty());
            let Some(next) = next else { continue };
            expected.push(token.0);
            let separators = self.tokens.separators.iter().flatten().map(Vec::as_slice);
            text = std::iter::once(&[][..])
                .chain(separators)
                .map(|separator| [&text, separator, next].concat())
                .find(|longer| {
                    let lexemes = lexer.lex_in(mode, longer);
                    let seen = lexemes.iter().filter(|lexeme| lexeme.kind != LexemeKind::Hidden);
                    seen.map(|lexeme| lexeme.token).eq(expected.iter().copied())
                })?;
        }
        Some(text)
    }

    /// The text where each token is looked at with its neighbour only.
    fn text_by_pairs(&self, minimal: &Minimal, lexer: &mut Lexer) -> Vec<u8> {
        let mut text = Vec::with_capacity(minimal.length);
        let mut before: &[u8] = &[];
        for &token in &minimal.tokens {
            let next = self.of_token(token).unwrap_or_default();
            if next.is_empty() {
                continue;
            }
            if !before.is_empty() && !reads_apart(lexer, before, next) {
                text.extend_from_slice(self.separator().unwrap_or_default());
            }
            text.extend_from_slice(next);
            before = next;
        }
        text
    }
}

/// Whether two pieces of text, one right after the other, are read as they are alone.
///
/// Cost: three runs of the lexer over the two pieces.
pub(crate) fn reads_apart(lexer: &mut Lexer, before: &[u8], next: &[u8]) -> bool {
    let both = [before, next].concat();
    let whole = lexer.lex(&both);
    let cut = before.len() as u32;
    let mut apart = lexer.lex(before);
    apart.extend(lexer.lex(next).into_iter().map(|mut lexeme| {
        lexeme.start += cut;
        lexeme.end += cut;
        lexeme
    }));
    whole == apart
}

/// Puts shortest texts together from those that are settled.
struct MinimalSearch<'a> {
    /// The grammar whose rules are looked at.
    grammar: &'a Grammar,
    /// The texts of its tokens.
    tokens: &'a TokenTexts,
    /// The texts of the rules that are settled; the others count as having none.
    rules: &'a [Option<Minimal>],
    /// Of equally long texts the first as written is taken, else the one that sorts first.
    is_in_written_order: bool,
}

impl<'a> MinimalSearch<'a> {
    /// A search that uses the rules' texts found so far.
    fn new(grammar: &'a Grammar, tokens: &'a TokenTexts, rules: &'a [Option<Minimal>]) -> Self {
        MinimalSearch { grammar, tokens, rules, is_in_written_order: false }
    }

    /// The same with the other way to choose between equally long texts.
    fn in_written_order(self) -> Self {
        MinimalSearch { is_in_written_order: true, ..self }
    }

    /// The texts of all quantified parts, by number.
    fn bodies(&self) -> Vec<Option<Minimal>> {
        let mut bodies = vec![None; self.grammar.quantifiers.len()];
        for rule in &self.grammar.rules {
            for_each_term(&rule.alternatives, &mut |term| {
                if let Term::Repeat { id, body } = term {
                    bodies[id.index()] = self.alternatives(body);
                }
            });
        }
        bodies
    }

    /// The shortest of some texts.
    fn least(&self, texts: impl Iterator<Item = Minimal>) -> Option<Minimal> {
        // Of equal keys the first.
        if self.is_in_written_order { texts.min_by_key(|text| text.length) } else { texts.min() }
    }

    /// The shortest text of one of the alternatives.
    fn alternatives(&self, alternatives: &[Alternative]) -> Option<Minimal> {
        self.least(alternatives.iter().filter_map(|one| self.sequence(&one.terms)))
    }

    /// The texts of the terms, one after the other; `None` if one of them has none or all together
    /// are longer than [`MAX_TEXT_BYTES`].
    fn sequence(&self, terms: &[Term]) -> Option<Minimal> {
        let mut whole = Minimal::empty();
        for term in terms {
            let part = self.term(term)?;
            whole.length += part.length;
            if whole.length > MAX_TEXT_BYTES {
                return None;
            }
            whole.bytes.extend(part.bytes);
            whole.tokens.extend(part.tokens);
        }
        Some(whole)
    }

    /// The shortest text of one term. Optional terms are left out.
    fn term(&self, term: &Term) -> Option<Minimal> {
        match term {
            Term::Token(token) => self.token(*token),
            Term::Set { tokens, negated: false } => {
                self.least(tokens.iter().filter_map(|&token| self.token(token)))
            }
            Term::Set { tokens, negated: true } => self.token_except(tokens),
            Term::Any => self.token_except(&[]),
            Term::Rule { rule, .. } => self.rules[rule.index()].clone(),
            Term::Group(body) => self.alternatives(body),
            Term::Repeat { id, body } => match self.grammar.quantifier(*id).bounds {
                Bounds::Plus => self.alternatives(body),
                Bounds::Optional | Bounds::Star => Some(Minimal::empty()),
            },
        }
    }

    /// The shortest text of a token.
    fn token(&self, token: TokenId) -> Option<Minimal> {
        let bytes = self.tokens.texts.get(token.index())?.clone()?;
        Some(Minimal { length: bytes.len(), bytes, tokens: vec![token] })
    }

    /// The shortest text of the tokens that are not excluded.
    fn token_except(&self, excluded: &[TokenId]) -> Option<Minimal> {
        let all = (1..self.grammar.tokens.len() as u32).map(TokenId);
        let others = all.filter(|token| !excluded.contains(token));
        self.least(others.filter_map(|token| self.token(token)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::g4;

    fn minimal(text: &str, rule: &str) -> Option<String> {
        let grammar = g4::load_texts(&[("t.g4", text)]).unwrap();
        let mut lexer = Lexer::new(&grammar);
        let strings = MinimalStrings::new(&grammar, &mut lexer);
        let minimal = strings.of_rule(grammar.rule_named(rule).unwrap())?;
        Some(String::from_utf8(strings.text(minimal, &mut lexer)).unwrap())
    }

    #[test]
    fn the_shortest_alternative_wins_and_then_the_first_in_order() {
        let text = "grammar T; a: 'begin' a 'end' | b | 'z'; b: 'y' | 'x'; ";
        assert_eq!(minimal(text, "a").unwrap(), "x");
    }

    #[test]
    fn of_equally_long_texts_the_first_that_is_written_can_be_asked_for() {
        let text = "grammar T; a: b c+; b: '->' | '--' | d '>'; c: X | Y; d: '+'; X: 'z'; Y: 'y';";
        let grammar = g4::load_texts(&[("t.g4", text)]).unwrap();
        let strings = MinimalStrings::new(&grammar, &mut Lexer::new(&grammar));
        assert_eq!(strings.of_rule(RuleId(0)).unwrap().bytes, b"+>y");
        let strings = strings.in_written_order(&grammar);
        assert_eq!(strings.of_rule(RuleId(0)).unwrap().bytes, b"->z");
        assert_eq!(strings.of_iteration(QuantifierId(0)).unwrap().bytes, b"z");
    }

    #[test]
    fn a_keyword_is_not_an_identifier() {
        let text = "grammar T; a: ID ; b: 'a' | 'b'; ID: [a-c]+ ; WS: ' ' -> skip;";
        assert_eq!(minimal(text, "a").unwrap(), "c");
        let text = "grammar T; a: ID ; b: 'a' | 'b'; ID: [ab]+ ; WS: ' ' -> skip;";
        assert_eq!(minimal(text, "a").unwrap(), "aa");
    }

    #[test]
    fn tokens_that_would_run_together_are_kept_apart() {
        let text = "grammar T; a: 'let' ID '=' ID; ID: [a-z]+ ; WS: [ \\t]+ -> skip;";
        assert_eq!(minimal(text, "a").unwrap(), "let a=a");
    }

    #[test]
    fn sets_of_characters_are_spelled_by_plain_ones() {
        assert_eq!(minimal("grammar T; a: S; S: '\"' ~[\"]+ '\"';", "a").unwrap(), "\"0\"");
        assert_eq!(minimal("grammar T; a: S; S: '<' ~[0] .+;", "a").unwrap(), "<a0");
        assert_eq!(minimal("grammar T; a: S; S: '#' ~[0-9a-zA-Z \\n];", "a").unwrap(), "#!");
    }

    #[test]
    fn given_texts_are_in_the_texts_of_all_that_holds_them() {
        let text = "grammar T; a: '(' b ')' c+; b: ID | c c; c: N; ID: [a-z]+; N: [0-9]+;
            WS: ' ' -> skip;";
        let grammar = g4::load_texts(&[("t.g4", text)]).unwrap();
        let mut lexer = Lexer::new(&grammar);
        let token = |name| grammar.token_named(name).unwrap();
        let rule = |name| grammar.rule_named(name).unwrap();
        let mut written = |given: &GivenTexts, name| {
            let strings = MinimalStrings::with_given(&grammar, &mut lexer, given);
            let strings = strings.in_written_order(&grammar);
            let text = strings.text(strings.of_rule(rule(name)).unwrap(), &mut lexer);
            String::from_utf8(text).unwrap()
        };
        assert_eq!(written(&GivenTexts::default(), "a"), "(a)0");
        let tokens = vec![(token("ID"), b"xyz".to_vec()), (token("N"), b"7".to_vec())];
        let mut given = GivenTexts { tokens, rules: Vec::new() };
        // Two numbers are shorter than the given name, and would run together.
        assert_eq!(written(&given, "b"), "7 7");
        assert_eq!(written(&given, "a"), "(7 7)7");
        given.rules.push((rule("b"), b"x y".to_vec()));
        assert_eq!(written(&given, "a"), "(x y)7");
    }

    #[test]
    fn endless_rules_have_no_text() {
        assert_eq!(minimal("grammar T; a: '(' a ')'; ", "a"), None);
        assert_eq!(minimal("grammar T; tokens { X } a: X; ", "a"), None);
    }

    #[test]
    fn texts_that_double_are_bounded() {
        let mut text = String::from("grammar T; r0: 'x';");
        for at in 1..60 {
            text += &format!("r{at}: r{} r{};", at - 1, at - 1);
        }
        assert_eq!(minimal(&text, "r10").unwrap().len(), 1024);
        assert_eq!(minimal(&text, "r59"), None);
    }

    #[test]
    fn tokens_made_of_several_rules_have_a_text() {
        let text = r#"lexer grammar L; tokens { STR } O: '"' -> more, pushMode(S); mode S;
            E: '"' -> popMode, type(STR); C: ~'"' -> more;"#;
        let parser = "parser grammar P; options { tokenVocab = L; } a: STR;";
        let grammar = g4::load_texts(&[("l.g4", text), ("p.g4", parser)]).unwrap();
        let mut lexer = Lexer::new(&grammar);
        let strings = MinimalStrings::new(&grammar, &mut lexer);
        assert_eq!(strings.of_rule(RuleId(0)).unwrap().bytes, b"\"\"");
    }

    #[test]
    fn a_blank_in_one_mode_separates_rather_than_a_longer_text_of_another() {
        let text = "lexer grammar L; D: '<!' .*? '>' -> skip; O: '<' -> pushMode(I); T: ~[<]+; \
            mode I; C: '>' -> popMode; N: [a-z]+; S: [ \\n] -> skip;";
        let parser = "parser grammar P; options { tokenVocab = L; } a: O N N C;";
        let grammar = g4::load_texts(&[("l.g4", text), ("p.g4", parser)]).unwrap();
        let strings = MinimalStrings::new(&grammar, &mut Lexer::new(&grammar));
        assert_eq!(strings.separator(), Some(&b" "[..]));
    }
}
