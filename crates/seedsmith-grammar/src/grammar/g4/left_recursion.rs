//! Left recursion: direct left recursion becomes primaries and operators, other is refused.
//!
//! The rewriting is that of Parr, Harwell and Fisher, "Adaptive LL(*) Parsing" (OOPSLA 2014),
//! section 3 and appendix C: of n alternatives number i (from 1) has precedence n - i + 1; the
//! right operand of a binary operator asks for one more unless it is right-associative, that of
//! a prefix operator for its own. Binary operators are tried before suffixes.

use crate::grammar::analysis::nullable::nullable_rules;
use crate::grammar::error::GrammarError;
use crate::grammar::model::{Alternative, Bounds, Grammar, LeftRecursion, Operator, RuleId, Term};

/// Fills in [`crate::grammar::model::Rule::recursion`] where rules start with themselves, and
/// makes sure that no other way leads from a rule to itself without taking a token.
///
/// Fails with [`GrammarError::NoPrimary`] for a rule that has only left-recursive alternatives, and
/// with [`GrammarError::LeftRecursion`] for one that reaches itself through other rules or after a
/// part that can be empty: the parser would enter such a rule for ever. ANTLR refuses both too.
pub(super) fn eliminate(grammar: &mut Grammar) -> Result<(), GrammarError> {
    for at in 0..grammar.rules.len() {
        let id = RuleId(at as u32);
        let rule = &grammar.rules[at];
        if let Some(recursion) = split(id, &rule.alternatives) {
            if recursion.primaries.is_empty() {
                let (place, rule) = (rule.place.clone(), rule.name.clone());
                return Err(GrammarError::NoPrimary { place, rule });
            }
            grammar.rules[at].recursion = Some(recursion);
        }
    }
    match find_cycle(grammar) {
        None => Ok(()),
        Some(cycle) => {
            let rule = grammar.rule(cycle[0]);
            let names = cycle.iter().map(|&id| grammar.rule(id).name.clone()).collect();
            let (place, name) = (rule.place.clone(), rule.name.clone());
            Err(GrammarError::LeftRecursion { place, rule: name, cycle: names })
        }
    }
}

/// The primaries and operators of a rule; `None` if no alternative starts with the rule itself. An
/// alternative that starts and ends with the rule is a binary operator, one that only starts with
/// it a suffix, one that only ends with it a prefix operator (a primary whose last operand has a
/// least precedence). The rule alone, without anything else, is no operator: it derives nothing
/// new.
fn split(id: RuleId, alternatives: &[Alternative]) -> Option<LeftRecursion> {
    let is_self =
        |term: Option<&Term>| matches!(term, Some(Term::Rule { rule, .. }) if *rule == id);
    let count = alternatives.len() as u32;
    let mut primaries = Vec::new();
    let (mut binaries, mut suffixes) = (Vec::new(), Vec::new());
    for (at, alternative) in alternatives.iter().enumerate() {
        let precedence = count - at as u32;
        let terms = &alternative.terms;
        let has_operand = terms.len() >= 2 && is_self(terms.last());
        let mut rewritten = terms.clone();
        let mut ask = |least: u32| {
            if let Some(Term::Rule { precedence, .. }) = rewritten.last_mut() {
                *precedence = least;
            }
        };
        if terms.len() >= 2 && is_self(terms.first()) {
            if has_operand {
                ask(precedence + u32::from(!alternative.right_associative));
            }
            rewritten.remove(0);
            let operator = Operator { alternative: at, precedence, terms: rewritten };
            if has_operand { binaries.push(operator) } else { suffixes.push(operator) }
        } else {
            if has_operand {
                ask(precedence);
            }
            primaries.push((at, rewritten));
        }
    }
    if binaries.is_empty() && suffixes.is_empty() {
        return None;
    }
    binaries.append(&mut suffixes);
    Some(LeftRecursion { primaries, operators: binaries })
}

/// A way from a rule to itself that takes no token, if there is one.
///
/// Depth-first search over the rules that can be first in a rule. The path is kept in a list,
/// since grammars have up to 20,000 rules and a chain of them would need as many frames. Cost: in
/// proportion to the grammar's size.
fn find_cycle(grammar: &Grammar) -> Option<Vec<RuleId>> {
    let nullable = nullable_rules(grammar);
    let starts: Vec<Vec<RuleId>> = grammar
        .rules
        .iter()
        .map(|rule| {
            let mut first = Vec::new();
            match &rule.recursion {
                None => collect_starts(grammar, &rule.alternatives, &nullable, &mut first),
                Some(recursion) => {
                    let mut empties = false;
                    for (_, terms) in &recursion.primaries {
                        empties |= sequence_starts(grammar, terms, &nullable, &mut first);
                    }
                    // An operator starts the rule only after an empty primary.
                    for operator in recursion.operators.iter().filter(|_| empties) {
                        sequence_starts(grammar, &operator.terms, &nullable, &mut first);
                    }
                    empties
                }
            };
            first
        })
        .collect();
    /// The colours of depth-first search (Cormen et al., "Introduction to Algorithms", section
    /// 20.3): a rule is not looked at yet, on the path, or done with.
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        White,
        Grey,
        Black,
    }
    let mut colours = vec![Colour::White; starts.len()];
    for root in 0..starts.len() {
        if colours[root] != Colour::White {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        colours[root] = Colour::Grey;
        while let Some((rule, next)) = path.last_mut() {
            let Some(&callee) = starts[*rule].get(*next) else {
                colours[*rule] = Colour::Black;
                path.pop();
                continue;
            };
            *next += 1;
            match colours[callee.index()] {
                Colour::White => {
                    colours[callee.index()] = Colour::Grey;
                    path.push((callee.index(), 0));
                }
                Colour::Grey => {
                    let from = path.iter().position(|&(rule, _)| rule == callee.index())?;
                    let mut cycle: Vec<_> =
                        path[from..].iter().map(|&(rule, _)| RuleId(rule as u32)).collect();
                    cycle.push(callee);
                    return Some(cycle);
                }
                Colour::Black => {}
            }
        }
    }
    None
}

/// Adds the rules that can be first; returns whether all of it can be empty.
fn collect_starts(
    grammar: &Grammar,
    alternatives: &[Alternative],
    nullable: &[bool],
    first: &mut Vec<RuleId>,
) -> bool {
    let mut empties = false;
    for alternative in alternatives {
        empties |= sequence_starts(grammar, &alternative.terms, nullable, first);
    }
    empties
}

/// The same for one sequence: the parts up to and including the first that cannot be empty.
fn sequence_starts(
    grammar: &Grammar,
    terms: &[Term],
    nullable: &[bool],
    first: &mut Vec<RuleId>,
) -> bool {
    terms.iter().all(|term| match term {
        Term::Token(_) | Term::Set { .. } | Term::Any => false,
        Term::Rule { rule, .. } => {
            first.push(*rule);
            nullable[rule.index()]
        }
        Term::Group(body) => collect_starts(grammar, body, nullable, first),
        Term::Repeat { id, body } => {
            let empties = collect_starts(grammar, body, nullable, first);
            empties || grammar.quantifier(*id).bounds != Bounds::Plus
        }
    })
}
