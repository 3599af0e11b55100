//! A grammar's files, merged, to the grammar as data: parser rules, vocabulary, notices.
//!
//! Lowering runs after all imports are merged ([`sources`](super::sources)). Names become numbers
//! here, so every name that is not defined is an error or a notice from here. Tokens get their
//! numbers in this order: the end of the input, declared tokens (`tokens {…}`, `.tokens` files),
//! lexer rules as written, then literals of parser rules that no lexer rule spells.

use super::ast::{AltText, Atom, Element, File, FileKind, RuleText, is_token_name};
use super::left_recursion;
use super::lower_lexer::{self, LoweredLexer};
use super::vocabulary::{Vocabulary, literals_of};
use crate::digest::Digest;
use crate::grammar::atn::lexer::LexerAtn;
use crate::grammar::error::{GrammarError, Notice};
use crate::grammar::model::{
    Alternative, Grammar, Mode, Quantifier, QuantifierId, Rule, RuleId, Term, TokenId,
};
use std::collections::BTreeMap;

/// Makes the grammar from its halves; a combined grammar comes as the parser half alone.
///
/// Fails at rules that are defined twice or not at all, at sets of characters in parser rules, at
/// left recursion that cannot be rewritten, and at more tokens or characters than a lexer can have
/// tables for ([`GrammarError::TooManySymbols`]). The grammar's notices list the constructs that
/// are ignored.
pub(super) fn lower(parser: Option<File>, lexer: Option<File>) -> Result<Grammar, GrammarError> {
    let main = parser.as_ref().or(lexer.as_ref());
    let Some(main) = main else {
        return Err(GrammarError::NoGrammar);
    };
    let name = main.name.clone();
    let halves = [&parser, &lexer].into_iter().flatten();
    let source = Digest::of_digests(halves.map(|file| file.source));
    let is_combined = parser.as_ref().is_some_and(|file| file.kind == FileKind::Combined);
    let lexer_file = if is_combined { parser.as_ref() } else { lexer.as_ref() };
    let mut vocabulary = Vocabulary::new();
    let declared = [lexer.as_ref(), parser.as_ref()].into_iter().flatten();
    for token in declared.clone().flat_map(|file| &file.tokens) {
        vocabulary.declare(token);
    }
    let mut notices = Vec::new();
    let mut lowered = LoweredLexer {
        rules: Vec::new(),
        modes: vec![Mode { name: "DEFAULT_MODE".into(), rules: Vec::new() }],
        channels: vec!["DEFAULT_TOKEN_CHANNEL".into(), "HIDDEN".into()],
        notices: Vec::new(),
    };
    if let Some(file) = lexer_file {
        for rule in file.rules.iter().filter(|rule| rule.is_lexer_rule() && !rule.is_fragment) {
            vocabulary.declare(&rule.name);
        }
        vocabulary.alias_literals(file, is_combined);
        let mut implicit = if is_combined { literals_of(&file.rules) } else { Vec::new() };
        implicit.retain(|text| vocabulary.of_literal(text).is_none());
        lowered = lower_lexer::lower(file, &implicit, &mut vocabulary)?;
    }
    notices.append(&mut lowered.notices);
    for file in declared {
        notices.extend(code_notices(file));
    }
    let mut rules = Vec::new();
    let mut quantifiers = Vec::new();
    if let Some(file) = &parser {
        let texts: Vec<_> = file.rules.iter().filter(|rule| !rule.is_lexer_rule()).collect();
        let mut names: BTreeMap<&str, RuleId> = BTreeMap::new();
        for (at, rule) in texts.iter().enumerate() {
            if let Some(first) = names.insert(&rule.name, RuleId(at as u32)) {
                let first = texts[first.index()].place.clone();
                let (place, name) = (rule.place.clone(), rule.name.clone());
                return Err(GrammarError::Duplicate { place, first, name });
            }
        }
        let mut lowering = Lowering {
            names,
            vocabulary: &mut vocabulary,
            quantifiers: &mut quantifiers,
            notices: &mut notices,
            rule: RuleId(0),
        };
        for (at, text) in texts.iter().enumerate() {
            lowering.rule = RuleId(at as u32);
            let alternatives = lowering.alternatives(text, &text.alternatives)?;
            let (name, place) = (text.name.clone(), text.place.clone());
            rules.push(Rule { name, place, alternatives, recursion: None });
        }
    }
    let mut grammar = Grammar {
        name,
        source,
        tokens: vocabulary.tokens,
        rules,
        quantifiers,
        lexer_rules: lowered.rules,
        modes: lowered.modes,
        channels: lowered.channels,
        notices,
    };
    if !LexerAtn::has_room_for(&grammar) {
        return Err(GrammarError::TooManySymbols { grammar: grammar.name });
    }
    left_recursion::eliminate(&mut grammar)?;
    Ok(grammar)
}

/// The data that the lowering of parser rules reads and adds to.
struct Lowering<'a> {
    /// The numbers of the parser rules, by name.
    names: BTreeMap<&'a str, RuleId>,
    /// The tokens so far; a token without a lexer rule is added when it is met.
    vocabulary: &'a mut Vocabulary,
    /// The quantified parts so far, outer ones before inner ones.
    quantifiers: &'a mut Vec<Quantifier>,
    /// The notices so far.
    notices: &'a mut Vec<Notice>,
    /// The rule that is being lowered.
    rule: RuleId,
}

impl Lowering<'_> {
    /// The alternatives of a rule or of a group in it, in their order. Recursion is bounded by
    /// [`MAX_NESTING`](super::MAX_NESTING).
    ///
    /// Notices are added on the way. Fails at the first part that cannot be lowered.
    fn alternatives(
        &mut self,
        rule: &RuleText,
        texts: &[AltText],
    ) -> Result<Vec<Alternative>, GrammarError> {
        let mut alternatives = Vec::with_capacity(texts.len());
        for text in texts {
            let mut terms = Vec::with_capacity(text.elements.len());
            for element in &text.elements {
                terms.extend(self.element(rule, element)?);
            }
            let (label, right_associative) = (text.label.clone(), text.right_associative);
            alternatives.push(Alternative { terms, label, right_associative });
        }
        Ok(alternatives)
    }

    /// A part with its suffix; nothing for a predicate or an action.
    ///
    /// The quantifier gets its number before those inside it, also if the part turns out to be
    /// code; then the number is not used.
    fn element(
        &mut self,
        rule: &RuleText,
        element: &Element,
    ) -> Result<Option<Term>, GrammarError> {
        // Numbered before the parts inside, so that outer parts come first.
        let repeat = element.suffix.map(|(bounds, greedy)| {
            self.quantifiers.push(Quantifier { rule: self.rule, bounds, greedy });
            QuantifierId(self.quantifiers.len() as u32 - 1)
        });
        let Some(term) = self.atom(rule, element, &element.atom)? else {
            return Ok(None);
        };
        let Some(id) = repeat else {
            return Ok(Some(term));
        };
        let body = match term {
            Term::Group(body) => body,
            term => vec![Alternative { terms: vec![term], ..Alternative::default() }],
        };
        Ok(Some(Term::Repeat { id, body }))
    }

    /// A part without its suffix. A name in lower case is a rule, which has to exist; one in upper
    /// case is a token, which need not have a lexer rule.
    fn atom(
        &mut self,
        rule: &RuleText,
        element: &Element,
        atom: &Atom,
    ) -> Result<Option<Term>, GrammarError> {
        Ok(Some(match atom {
            Atom::Predicate | Atom::Action => return Ok(None),
            Atom::Any => Term::Any,
            Atom::Block(body) => Term::Group(self.alternatives(rule, body)?),
            Atom::Name(name) if !is_token_name(name) => match self.names.get(name.as_str()) {
                Some(&rule) => Term::Rule { rule, precedence: 0 },
                None => {
                    let (place, name) = (element.place.clone(), name.clone());
                    return Err(GrammarError::Undefined { place, rule: rule.name.clone(), name });
                }
            },
            Atom::Name(_) | Atom::Literal(_) => Term::Token(self.token(rule, element, atom)?),
            Atom::Not(inner) => {
                let mut tokens = Vec::new();
                self.tokens_of(rule, element, inner, &mut tokens)?;
                tokens.sort_unstable();
                tokens.dedup();
                Term::Set { tokens, negated: true }
            }
            Atom::Range(..) | Atom::Chars(_) => {
                let message = "a set of characters can't stand in a parser rule".into();
                return Err(syntax(rule, element, message));
            }
        }))
    }

    /// The number of a token that is written as a name or a literal. A name that no lexer rule has
    /// is declared, with a notice. Fails at a literal that no lexer rule spells, which can only
    /// occur in a separate parser grammar.
    fn token(
        &mut self,
        rule: &RuleText,
        element: &Element,
        atom: &Atom,
    ) -> Result<TokenId, GrammarError> {
        match atom {
            Atom::Name(name) => Ok(self.vocabulary.named(name).unwrap_or_else(|| {
                let place = element.place.clone();
                self.notices.push(Notice::TokenWithoutRule { place, name: name.clone() });
                self.vocabulary.declare(name)
            })),
            Atom::Literal(text) => self.vocabulary.of_literal(text).ok_or_else(|| {
                let message = format!("no lexer rule is just '{text}'");
                syntax(rule, element, message)
            }),
            _ => Err(syntax(rule, element, "only tokens can be negated".into())),
        }
    }

    /// Adds the tokens of an atom after `~`: one token, or a group of alternatives that are one
    /// token each. Fails at everything else.
    ///
    /// Groups may be nested.
    fn tokens_of(
        &mut self,
        rule: &RuleText,
        element: &Element,
        atom: &Atom,
        tokens: &mut Vec<TokenId>,
    ) -> Result<(), GrammarError> {
        let Atom::Block(body) = atom else {
            tokens.push(self.token(rule, element, atom)?);
            return Ok(());
        };
        for alternative in body {
            let [inner] = alternative.elements.as_slice() else {
                return Err(syntax(rule, element, "only tokens can be negated".into()));
            };
            self.tokens_of(rule, element, &inner.atom, tokens)?;
        }
        Ok(())
    }
}

/// A syntax error at an element of a rule.
fn syntax(rule: &RuleText, element: &Element, message: String) -> GrammarError {
    let (place, rule) = (element.place.clone(), Some(rule.name.clone()));
    GrammarError::Syntax { place, rule, message }
}

/// Notices about the parts of a file that are ignored: predicates, actions, a base class.
///
/// Each kind of code gives one notice with all rules that have it, so that a grammar with hundreds
/// of actions gives one line.
fn code_notices(file: &File) -> Vec<Notice> {
    let rules_with = |wanted: fn(&Atom) -> bool| -> Vec<String> {
        let has = |rule: &&RuleText| any_atom(&rule.alternatives, wanted);
        file.rules.iter().filter(has).map(|rule| rule.name.clone()).collect()
    };
    let mut notices = Vec::new();
    let rules = rules_with(|atom| matches!(atom, Atom::Predicate));
    if !rules.is_empty() {
        notices.push(Notice::PredicatesIgnored { rules });
    }
    let rules = rules_with(|atom| matches!(atom, Atom::Action));
    if !rules.is_empty() {
        notices.push(Notice::ActionsIgnored { rules });
    }
    if let Some(name) = file.option("superClass") {
        notices.push(Notice::SuperClass { name: name.to_owned() });
    }
    notices
}

/// Whether some atom in the alternatives is wanted, at any depth.
///
/// Blocks are looked into; negations are not, since no code can be in them.
fn any_atom(alternatives: &[AltText], wanted: fn(&Atom) -> bool) -> bool {
    let mut elements = alternatives.iter().flat_map(|alternative| &alternative.elements);
    elements.any(|element| match &element.atom {
        Atom::Block(body) => any_atom(body, wanted),
        atom => wanted(atom),
    })
}
