//! The tokens of a grammar: those of lexer rules, those declared, and literals.

use super::ast::{AltText, Atom, Element, File, RuleText};
use crate::grammar::model::{Token, TokenId};
use std::collections::{BTreeMap, BTreeSet};

/// Tokens by number, by name and by literal text.
pub(super) struct Vocabulary {
    /// The tokens by number; the first is the end of the input.
    pub tokens: Vec<Token>,
    /// The numbers by name.
    by_name: BTreeMap<String, TokenId>,
    /// The numbers by text.
    by_literal: BTreeMap<String, TokenId>,
}

impl Vocabulary {
    /// Only the end of the input.
    pub(super) fn new() -> Self {
        let eof = Token { name: Some("EOF".into()), literal: None, rule: None };
        let by_name = BTreeMap::from([("EOF".to_owned(), TokenId::EOF)]);
        Vocabulary { tokens: vec![eof], by_name, by_literal: BTreeMap::new() }
    }

    /// The token of that name, if it was declared.
    pub(super) fn named(&self, name: &str) -> Option<TokenId> {
        self.by_name.get(name).copied()
    }

    /// The token that always has this text, if there is one.
    pub(super) fn of_literal(&self, text: &str) -> Option<TokenId> {
        self.by_literal.get(text).copied()
    }

    /// The token of that name, made if it isn't there.
    pub(super) fn declare(&mut self, name: &str) -> TokenId {
        if let Some(id) = self.named(name) {
            return id;
        }
        let id = self.push(Token { name: Some(name.to_owned()), literal: None, rule: None });
        self.by_name.insert(name.to_owned(), id);
        id
    }

    /// A token without a name that always is `text`.
    pub(super) fn declare_literal(&mut self, text: &str) -> TokenId {
        if let Some(id) = self.of_literal(text) {
            return id;
        }
        let id = self.push(Token { name: None, literal: Some(text.to_owned()), rule: None });
        self.by_literal.insert(text.to_owned(), id);
        id
    }

    /// Gives the literals that are whole lexer rules the tokens of those rules. A literal that two
    /// rules have means the first of them in a combined grammar and neither otherwise, as in ANTLR.
    pub(super) fn alias_literals(&mut self, lexer: &File, keep_doubled: bool) {
        let mut doubled = Vec::new();
        for rule in lexer.rules.iter().filter(|rule| rule.is_lexer_rule() && !rule.is_fragment) {
            let (Some(text), Some(id)) = (whole_literal(rule), self.named(&rule.name)) else {
                continue;
            };
            if self.by_literal.contains_key(text) {
                doubled.push(text.to_owned());
                continue;
            }
            self.by_literal.insert(text.to_owned(), id);
            self.tokens[id.index()].literal = Some(text.to_owned());
        }
        if !keep_doubled {
            for text in doubled {
                if let Some(id) = self.by_literal.remove(&text) {
                    self.tokens[id.index()].literal = None;
                }
            }
        }
    }

    /// Adds a token; its number is the next one.
    fn push(&mut self, token: Token) -> TokenId {
        self.tokens.push(token);
        TokenId(self.tokens.len() as u32 - 1)
    }
}

/// The text of a rule that is nothing but one literal, with at most one action or predicate
/// after it and at most one command: ANTLR lets a parser rule write such a token as a literal.
fn whole_literal(rule: &RuleText) -> Option<&str> {
    let [AltText { elements, commands, .. }] = rule.alternatives.as_slice() else {
        return None;
    };
    let behind_is_code = match elements.get(1..).unwrap_or_default() {
        [] => true,
        [element] => matches!(element.atom, Atom::Predicate | Atom::Action),
        _ => false,
    };
    match elements.first() {
        Some(Element { atom: Atom::Literal(text), suffix: None, .. })
            if behind_is_code && commands.len() <= 1 =>
        {
            Some(text)
        }
        _ => None,
    }
}

/// The literals in parser rules, in the order in which they are there.
///
/// Each text is there once.
pub(super) fn literals_of(rules: &[RuleText]) -> Vec<String> {
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    for rule in rules.iter().filter(|rule| !rule.is_lexer_rule()) {
        collect_literals(&rule.alternatives, &mut found, &mut known);
    }
    found
}

/// Adds the literals of the alternatives in their order, at any depth.
fn collect_literals<'t>(
    alternatives: &'t [AltText],
    found: &mut Vec<String>,
    known: &mut BTreeSet<&'t str>,
) {
    for element in alternatives.iter().flat_map(|alternative| &alternative.elements) {
        let mut atom = &element.atom;
        while let Atom::Not(inner) = atom {
            atom = inner;
        }
        match atom {
            Atom::Literal(text) if known.insert(text) => found.push(text.clone()),
            Atom::Block(body) => collect_literals(body, found, known),
            _ => {}
        }
    }
}
