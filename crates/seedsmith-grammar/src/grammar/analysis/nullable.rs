//! Which rules can be empty.

use crate::grammar::model::{Alternative, Bounds, Grammar, Term};

/// For each parser rule whether it derives the empty sequence of tokens.
pub(crate) fn nullable_rules(grammar: &Grammar) -> Vec<bool> {
    let mut nullable = vec![false; grammar.rules.len()];
    loop {
        let mut changed = false;
        for (at, rule) in grammar.rules.iter().enumerate() {
            if !nullable[at] && any_nullable(grammar, &rule.alternatives, &nullable) {
                nullable[at] = true;
                changed = true;
            }
        }
        if !changed {
            return nullable;
        }
    }
}

/// Whether one of the alternatives can be empty, given which rules can.
pub(crate) fn any_nullable(
    grammar: &Grammar,
    alternatives: &[Alternative],
    rules: &[bool],
) -> bool {
    alternatives.iter().any(|a| a.terms.iter().all(|term| is_nullable(grammar, term, rules)))
}

/// Whether a part can be empty, given which rules can.
pub(crate) fn is_nullable(grammar: &Grammar, term: &Term, rules: &[bool]) -> bool {
    match term {
        Term::Token(_) | Term::Set { .. } | Term::Any => false,
        Term::Rule { rule, .. } => rules[rule.index()],
        Term::Group(body) => any_nullable(grammar, body, rules),
        Term::Repeat { id, body } => {
            grammar.quantifier(*id).bounds != Bounds::Plus || any_nullable(grammar, body, rules)
        }
    }
}
