//! A grammar's rules, flat: each alternative is a sequence of rules and texts.

use crate::grammar::model::{Grammar, Term};
use std::sync::Arc;

/// A symbol of a flat rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FlatSymbol {
    /// A rule.
    Rule(u32),
    /// A token and its text.
    Text(u32, Vec<u8>),
}

/// An alternative of a rule, by the rule's number.
#[derive(Clone, Debug)]
pub(super) struct Production {
    pub rule: u32,
    pub alternative: u16,
    pub symbols: Vec<FlatSymbol>,
}

/// All productions of a grammar.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub productions: Arc<[Production]>,
    /// For each rule the numbers of its productions.
    pub of_rule: Arc<[Vec<u32>]>,
}

impl Rules {
    /// The productions of a grammar whose tokens all have a literal text and whose rules have
    /// neither groups nor quantifiers; nothing for others.
    pub(super) fn of(grammar: &Grammar) -> Option<Self> {
        let mut productions = Vec::new();
        let mut of_rule = vec![Vec::new(); grammar.rules.len()];
        for (rule, of_rule) in grammar.rules.iter().zip(&mut of_rule) {
            for (alternative, body) in rule.alternatives.iter().enumerate() {
                let symbols = body.terms.iter().map(|term| match term {
                    Term::Rule { rule, .. } => Some(FlatSymbol::Rule(rule.0)),
                    Term::Token(token) => {
                        let text = grammar.tokens.get(token.index())?.literal.clone()?;
                        Some(FlatSymbol::Text(token.0, text.into_bytes()))
                    }
                    _ => None,
                });
                of_rule.push(productions.len() as u32);
                productions.push(Production {
                    rule: 0,
                    alternative: alternative as u16,
                    symbols: symbols.collect::<Option<_>>()?,
                });
            }
        }
        for (rule, own) in of_rule.iter().enumerate() {
            own.iter().for_each(|&at| productions[at as usize].rule = rule as u32);
        }
        Some(Rules { productions: productions.into(), of_rule: of_rule.into() })
    }
}
