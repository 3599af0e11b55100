//! The generator: walks a grammar's rules and lets dice choose the alternatives.
//!
//! A draw keeps within a depth: as long as there is room, each alternative whose lowest derivation
//! fits is as likely as the others; where there is none, one of the lowest is taken. The dice alone
//! choose, so equal dice give equal words.

use std::sync::Arc;

use super::dice::Dice;
use super::drawn::{Drawn, Word};
use super::join::{self, Joiner};
use super::spell::Speller;
use crate::grammar::analysis::heights::heights;
use crate::grammar::model::{
    Alternative, Bounds, Grammar, QuantifierId, RuleId, Term, TokenId, for_each_term,
};

/// A part of the grammar from which words can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A parser rule.
    Rule(RuleId),
    /// A token.
    Token(TokenId),
    /// A repeated or optional part, with any number of iterations that its quantifier allows.
    Repeated(QuantifierId),
    /// Further iterations of a repeated or optional part beside those that are there; there may be
    /// none.
    Further(QuantifierId),
}

/// Rule nodes of one draw, at most; after that only the lowest derivations are taken.
///
/// A guess, not measured: an input that people can read has fewer.
const MAX_NODES: usize = 200;
/// Choices of one draw, at most: rules that double each other ask for any number of words.
/// A guess, not measured.
const MAX_STEPS: usize = 20_000;
/// Repetitions of one part, at most.
///
/// Each further one is half as likely, so a longer list is one draw in 4,096.
const MAX_REPEATS: usize = 12;

/// Draws random derivations of one grammar.
#[derive(Clone, Debug)]
pub struct Generator {
    /// The grammar that is drawn from.
    grammar: Arc<Grammar>,
    /// By rule, the height of its lowest derivation; `None` if there is none.
    heights: Vec<Option<u32>>,
    /// By quantifier, the part that is repeated.
    bodies: Vec<Vec<Alternative>>,
    /// Spells tokens.
    speller: Speller,
}

impl Generator {
    /// A generator for `grammar`.
    ///
    /// Cost: the shortest texts of all tokens, and the heights of all rules.
    pub fn new(grammar: Arc<Grammar>) -> Self {
        let mut bodies = vec![Vec::new(); grammar.quantifiers.len()];
        for rule in &grammar.rules {
            for_each_term(&rule.alternatives, &mut |term| {
                if let Term::Repeat { id, body } = term {
                    bodies[id.index()].clone_from(body);
                }
            });
        }
        let speller = Speller::new(&grammar);
        let heights = heights(&grammar, &|token| speller.can_spell(token));
        Generator { heights, speller, bodies, grammar }
    }

    /// The grammar that is drawn from.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// Whether `symbol` has a finite derivation at all.
    pub fn is_finite(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Rule(rule) => self.heights[rule.index()].is_some(),
            Symbol::Token(token) => self.speller.can_spell(token),
            Symbol::Repeated(id) => {
                self.grammar.quantifier(id).bounds != Bounds::Plus
                    || lowest(self, &self.bodies[id.index()]).is_some()
            }
            Symbol::Further(id) => lowest(self, &self.bodies[id.index()]).is_some(),
        }
    }

    /// One random derivation of `symbol`, at most `depth` rules deeper than its lowest one, if
    /// heights are known. `None` if there is no finite one, if a token has no text, or if it is
    /// very large.
    ///
    /// `Symbol::Further` may be empty, `Symbol::Repeated` has at least the number of iterations
    /// that the quantifier requires.
    pub fn draw(&self, dice: &mut dyn Dice, symbol: Symbol, depth: usize) -> Option<Drawn> {
        let out = Drawn::default();
        let mut draw = Draw {
            generator: self,
            dice,
            out,
            left: MAX_NODES,
            steps: MAX_STEPS,
            has_ended: false,
        };
        match symbol {
            Symbol::Rule(rule) => {
                let height = self.heights[rule.index()]? as usize;
                draw.rule(rule, height + depth)?;
            }
            Symbol::Token(token) => draw.token(token)?,
            Symbol::Repeated(id) | Symbol::Further(id) => {
                let body = &self.bodies[id.index()];
                let height = lowest(self, body).unwrap_or(0);
                let bounds = self.grammar.quantifier(id).bounds;
                let least = if symbol == Symbol::Repeated(id) { bounds.min() as usize } else { 0 };
                draw.repeat(id, body, least, height + depth + 1)?;
            }
        }
        Some(draw.out)
    }

    /// A text of the rule, words joined so that the lexer reads them back; `None` if none was found
    /// in a few dozen draws. `depth` as for [`Generator::draw`].
    pub fn text(
        &self,
        dice: &mut dyn Dice,
        rule: RuleId,
        depth: usize,
        joiner: &mut Joiner,
    ) -> Option<Vec<u8>> {
        (0..32).find_map(|_| {
            let drawn = self.draw(dice, Symbol::Rule(rule), depth)?;
            joiner.join(drawn.words.iter().map(join::WordPiece::drawn))
        })
    }
}

/// One draw: the words drawn so far, and how many may still be drawn.
struct Draw<'g> {
    /// The generator, which does not change.
    generator: &'g Generator,
    /// The dice that make every choice.
    dice: &'g mut dyn Dice,
    /// The words and the choices so far.
    out: Drawn,
    /// Rule nodes that may still be made.
    left: usize,
    /// Choices that may still be made.
    steps: usize,
    /// Whether the end of the input was drawn: nothing can come after it.
    has_ended: bool,
}

impl Draw<'_> {
    /// A node of the rule, not higher than `depth` if that can be.
    fn rule(&mut self, rule: RuleId, depth: usize) -> Option<()> {
        self.left = self.left.saturating_sub(1);
        let generator = self.generator;
        let body = &generator.grammar.rules[rule.index()].alternatives;
        self.alternatives(body, depth.saturating_sub(1), rule.0 << 8)
    }

    /// One of the alternatives whose lowest derivation has room in `depth`, else of the lowest.
    fn alternatives(&mut self, body: &[Alternative], depth: usize, name: u32) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        let room = if self.left == 0 { 0 } else { depth };
        let heights: Vec<Option<usize>> =
            body.iter().map(|alternative| sequence_height(self.generator, alternative)).collect();
        let least = heights.iter().flatten().copied().min()?;
        let fits: Vec<usize> = (0..body.len())
            .filter(|&at| heights[at].is_some_and(|height| height <= room.max(least)))
            .collect();
        let at = fits[self.dice.below(fits.len())];
        if body.len() > 1 {
            self.out.choices.push(name.wrapping_add(at as u32));
        }
        body[at].terms.iter().try_for_each(|term| self.term(term, depth))
    }

    /// Draws a derivation of one term. From a set, it draws one of its tokens that have a text.
    fn term(&mut self, term: &Term, depth: usize) -> Option<()> {
        match term {
            Term::Token(token) => self.token(*token),
            Term::Set { tokens, negated: false } => {
                let tokens: Vec<TokenId> = self.spellable(tokens.iter().copied());
                self.one_of(&tokens)
            }
            Term::Set { tokens, negated: true } => {
                let all = (1..self.generator.grammar.tokens.len() as u32).map(TokenId);
                let tokens = self.spellable(all.filter(|token| !tokens.contains(token)));
                self.one_of(&tokens)
            }
            Term::Any => {
                let all = (1..self.generator.grammar.tokens.len() as u32).map(TokenId);
                let tokens = self.spellable(all);
                self.one_of(&tokens)
            }
            Term::Rule { rule, .. } => self.rule(*rule, depth),
            Term::Group(body) => self.alternatives(body, depth, u32::MAX << 16),
            Term::Repeat { id, body } => {
                let least = self.generator.grammar.quantifier(*id).bounds.min() as usize;
                self.repeat(*id, body, least, depth)
            }
        }
    }

    /// At least `least` iterations of a quantified part, more if there is room.
    fn repeat(
        &mut self,
        id: QuantifierId,
        body: &[Alternative],
        least: usize,
        depth: usize,
    ) -> Option<()> {
        let bounds = self.generator.grammar.quantifier(id).bounds;
        let most = bounds.max().map_or(MAX_REPEATS, |most| most as usize);
        let has_room = depth > 0
            && self.left > 0
            && lowest(self.generator, body).is_some_and(|height| height <= depth);
        let mut count = least;
        if has_room {
            // Each further one is as likely as its absence, so that most lists are short.
            while count < most && self.dice.below(2) == 1 {
                count += 1;
            }
        }
        self.out.choices.push((u32::MAX << 20) ^ (id.0 << 2) ^ (count.min(3) as u32));
        (0..count).try_for_each(|_| self.alternatives(body, depth, (u32::MAX << 18) ^ (id.0 << 4)))
    }

    /// Those of the tokens that have a text.
    fn spellable(&self, tokens: impl Iterator<Item = TokenId>) -> Vec<TokenId> {
        tokens.filter(|&token| self.generator.speller.can_spell(token)).collect()
    }

    /// One of the tokens; `None` if there is none.
    fn one_of(&mut self, tokens: &[TokenId]) -> Option<()> {
        let token = *tokens.get(self.dice.below(tokens.len()))?;
        self.out.choices.push((u32::MAX << 22) ^ token.0);
        self.token(token)
    }

    /// A word of the token. The end of the input is no word, but nothing may come after it.
    fn token(&mut self, token: TokenId) -> Option<()> {
        if token == TokenId::EOF {
            self.has_ended = true;
        } else if self.has_ended {
            return None;
        } else {
            let choices = &mut self.out.choices;
            let text = self.generator.speller.spell(self.dice, token, choices)?;
            self.out.words.push(Word { token, text });
        }
        Some(())
    }
}

/// The height of the lowest derivation of a sequence; `None` if it has none.
fn sequence_height(generator: &Generator, alternative: &Alternative) -> Option<usize> {
    let mut highest = 0;
    for term in &alternative.terms {
        highest = highest.max(term_height(generator, term)?);
    }
    Some(highest)
}

/// The least height of some alternatives.
fn lowest(generator: &Generator, body: &[Alternative]) -> Option<usize> {
    body.iter().filter_map(|alternative| sequence_height(generator, alternative)).min()
}

/// The height of one term: 0 for tokens and for terms that can be left out.
fn term_height(generator: &Generator, term: &Term) -> Option<usize> {
    match term {
        Term::Token(token) => generator.speller.can_spell(*token).then_some(0),
        Term::Set { .. } | Term::Any => Some(0),
        Term::Rule { rule, .. } => generator.heights[rule.index()].map(|height| height as usize),
        Term::Group(body) => lowest(generator, body),
        Term::Repeat { id, .. } if generator.grammar.quantifier(*id).bounds != Bounds::Plus => {
            Some(0)
        }
        Term::Repeat { body, .. } => lowest(generator, body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::generate::random_depth;
    use crate::grammar::parser::Parser;
    use crate::grammar::{fuzzingbook, g4};
    use crate::random::Random;
    use std::collections::BTreeSet;

    fn draw_all(text: &str, count: u64) -> BTreeSet<String> {
        let grammar = Arc::new(g4::load_texts(&[("t.g4", text)]).unwrap());
        let generator = Generator::new(grammar.clone());
        let mut joiner = Joiner::new(&grammar);
        let mut parser = Parser::new(grammar);
        let mut texts = BTreeSet::new();
        for seed in 0..count {
            let mut dice = Random::new(seed);
            let depth = random_depth(&mut dice);
            let text = generator.text(&mut dice, RuleId(0), depth, &mut joiner).unwrap();
            let parsed = parser.parse(&text, RuleId(0)).unwrap();
            let shown = String::from_utf8(text).unwrap();
            assert!(parsed.is_valid() && parsed.unread_tokens == 0, "{shown:?}");
            texts.insert(shown);
        }
        texts
    }

    #[test]
    fn what_is_drawn_is_in_the_language() {
        let json = r#"grammar J; json: value EOF;
            value: object | list | STRING | NUMBER | 'true' | 'null';
            object: '{' (STRING ':' value (',' STRING ':' value)*)? '}';
            list: '[' (value (',' value)*)? ']';
            STRING: '"' (~["\\] | '\\' ["\\/n])* '"'; NUMBER: '-'? [0-9]+ ('.' [0-9]+)?;
            WS: [ \n] -> skip;"#;
        let texts = draw_all(json, 400);
        assert!(texts.len() > 150, "{} texts", texts.len());
        assert!(texts.iter().any(|text| text.len() > 40));
    }

    #[test]
    fn nothing_is_drawn_behind_the_end_of_the_input() {
        let text = "grammar T; s: (line (NL | EOF))*; line: ID | ID EOF '!'; ID: [a-z]; NL: '\\n';";
        let texts = draw_all(text, 100);
        assert!(texts.len() > 10, "{} texts", texts.len());
    }

    #[test]
    fn keywords_and_names_are_kept_apart() {
        let text = "grammar T; a: 'let' ID+ 'in' ID EOF; ID: [a-z]+; WS: [ ]+ -> skip;";
        assert!(draw_all(text, 100).len() > 20);
    }

    #[test]
    fn endless_rules_give_nothing_and_do_not_hang() {
        let grammar = g4::load_texts(&[("t.g4", "grammar T; a: '(' a ')'; b: 'x' | a;")]);
        let generator = Generator::new(Arc::new(grammar.unwrap()));
        let mut dice = Random::new(1);
        assert_eq!(generator.draw(&mut dice, Symbol::Rule(RuleId(0)), 5), None);
        assert!(!generator.is_finite(Symbol::Rule(RuleId(0))));
        let drawn = generator.draw(&mut dice, Symbol::Rule(RuleId(1)), 5).unwrap();
        assert_eq!(drawn.plain_text(), b"x");
    }

    #[test]
    fn a_rule_whose_only_way_out_is_a_token_without_a_text_gives_nothing() {
        let text = "grammar T; s: '(' s ')' | X | Y | a; a: X | '<' s; X: '[' X; Y: Y;";
        let generator = Generator::new(Arc::new(g4::load_texts(&[("t.g4", text)]).unwrap()));
        for rule in [RuleId(0), RuleId(1)] {
            assert!(!generator.is_finite(Symbol::Rule(rule)));
            assert_eq!(generator.draw(&mut Random::new(1), Symbol::Rule(rule), 5), None);
        }
    }

    #[test]
    fn rules_and_tokens_that_double_each_other_end_a_draw() {
        let doubling = |first: &str, name: &str| -> String {
            let rules =
                (0..40).map(|at| format!("{first}{name}{at}: {name}{0} {name}{0};", at + 1));
            rules.collect::<Vec<_>>().join(" ")
        };
        let (rules, tokens) = (doubling("", "r"), doubling("fragment ", "F"));
        let text =
            format!("grammar T; s: r0 | A; {rules} r40: 'x'; A: F0; {tokens} fragment F40: 'x';");
        let generator = Generator::new(Arc::new(g4::load_texts(&[("t.g4", &text)]).unwrap()));
        for seed in 0..8 {
            assert_eq!(generator.draw(&mut Random::new(seed), Symbol::Rule(RuleId(0)), 5), None);
        }
    }

    #[test]
    fn grammars_without_a_lexer_are_drawn_from_too() {
        let text = r#"{"<start>": ["<e>"], "<e>": ["<e>+<e>", "(<e>)", "<d>"], "<d>": ["1", "2"]}"#;
        let (grammar, start) = fuzzingbook::load_text("g", text).unwrap();
        let generator = Generator::new(Arc::new(grammar));
        let texts: BTreeSet<Vec<u8>> = (0..200)
            .map(|seed| {
                let mut dice = Random::new(seed);
                let depth = random_depth(&mut dice);
                generator.draw(&mut dice, Symbol::Rule(start), depth).unwrap().plain_text()
            })
            .collect();
        assert!(texts.len() > 30);
        assert!(texts.contains(&b"1"[..]) && texts.contains(&b"2"[..]));
    }
}
