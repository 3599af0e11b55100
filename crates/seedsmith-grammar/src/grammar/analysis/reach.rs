//! Rules that are of no use: never reached from the start, or without any finite text.
//!
//! The field calls both useless symbols (Hopcroft, Motwani, Ullman, "Introduction to Automata
//! Theory", section 7.1.1).

use super::minimal::MinimalStrings;
use crate::grammar::model::{
    Grammar, LexerAlternative, LexerTerm, RuleId, Term, TokenId, for_each_term,
};
use std::collections::BTreeSet;

/// Parser rules that no way from `start` leads to, in the order of definition.
///
/// Cost: one walk over the grammar.
pub fn unreachable_rules(grammar: &Grammar, start: RuleId) -> Vec<RuleId> {
    let mut reached = vec![false; grammar.rules.len()];
    let mut todo = vec![start];
    while let Some(rule) = todo.pop() {
        if std::mem::replace(&mut reached[rule.index()], true) {
            continue;
        }
        for_each_term(&grammar.rule(rule).alternatives, &mut |term| {
            if let Term::Rule { rule, .. } = term {
                todo.push(*rule);
            }
        });
    }
    let ids = (0..grammar.rules.len() as u32).map(RuleId);
    ids.filter(|rule| !reached[rule.index()]).collect()
}

/// Tokens that some parser rule names, in order; the members of a negated set are not named.
pub fn named_tokens(grammar: &Grammar) -> Vec<TokenId> {
    let mut named = BTreeSet::new();
    for rule in &grammar.rules {
        for_each_term(&rule.alternatives, &mut |term| match term {
            Term::Token(token) => {
                named.insert(*token);
            }
            Term::Set { tokens, negated: false } => named.extend(tokens),
            _ => {}
        });
    }
    named.into_iter().collect()
}

/// Fragments that no other lexer rule uses, by name, in the order of definition.
///
/// A fragment that is used only by another unused fragment counts as used.
pub fn unused_fragments(grammar: &Grammar) -> Vec<&str> {
    fn collect(alternatives: &[LexerAlternative], used: &mut [bool]) {
        for term in alternatives.iter().flat_map(|alternative| &alternative.terms) {
            match term {
                LexerTerm::Rule(rule) => used[rule.index()] = true,
                LexerTerm::Group(body) | LexerTerm::Repeat { body, .. } => collect(body, used),
                LexerTerm::Chars(_) | LexerTerm::Eof => {}
            }
        }
    }
    let mut used = vec![false; grammar.lexer_rules.len()];
    for rule in &grammar.lexer_rules {
        collect(&rule.alternatives, &mut used);
    }
    let rules = grammar.lexer_rules.iter().zip(used);
    rules.filter(|(rule, used)| rule.is_fragment && !used).map(|(rule, _)| &*rule.name).collect()
}

/// Parser rules from which no finite text derives.
///
/// The search for minimal texts has a bound (`MAX_TEXT_BYTES`): a
/// rule whose shortest text is longer is in the list too.
pub fn unproductive_rules(grammar: &Grammar, minimal: &MinimalStrings) -> Vec<RuleId> {
    let ids = (0..grammar.rules.len() as u32).map(RuleId);
    ids.filter(|&rule| minimal.of_rule(rule).is_none()).collect()
}
