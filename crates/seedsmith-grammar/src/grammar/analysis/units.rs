//! Unit derivations: the rules that a rule can derive alone, without adding any text.
//!
//! With `a: b | '(' a ')'` and `b: c? d`, where `d` can be empty, `a` derives `b` and `c`. A
//! reducer may put a node of such a rule where the grammar requires an `a`.

use super::nullable::{is_nullable, nullable_rules};
use crate::grammar::model::{Alternative, Grammar, RuleId, Term};

/// For each rule the rules (itself included, ascending) that it derives with nothing around.
///
/// Cost: a walk over the unit derivations for each rule, at most the square of the number of rules.
pub(crate) fn unit_derivations(grammar: &Grammar) -> Vec<Vec<RuleId>> {
    let nullable = nullable_rules(grammar);
    let direct: Vec<Vec<RuleId>> = grammar
        .rules
        .iter()
        .map(|rule| {
            let mut found = Vec::new();
            collect(grammar, &rule.alternatives, &nullable, &mut found);
            found
        })
        .collect();
    (0..grammar.rules.len())
        .map(|rule| {
            let mut reached = vec![false; direct.len()];
            let mut todo = vec![RuleId(rule as u32)];
            while let Some(next) = todo.pop() {
                if !std::mem::replace(&mut reached[next.index()], true) {
                    todo.extend(&direct[next.index()]);
                }
            }
            (0..direct.len() as u32).map(RuleId).filter(|rule| reached[rule.index()]).collect()
        })
        .collect()
}

/// Adds the rules that one of the alternatives can derive alone: those of a term all of whose
/// neighbours can be empty. Groups and repeated parts are looked into.
fn collect(
    grammar: &Grammar,
    alternatives: &[Alternative],
    nullable: &[bool],
    found: &mut Vec<RuleId>,
) {
    for alternative in alternatives {
        let terms = &alternative.terms;
        let solid = terms.iter().filter(|term| !is_nullable(grammar, term, nullable)).count();
        for term in terms {
            let is_solid = !is_nullable(grammar, term, nullable);
            if solid > usize::from(is_solid) {
                continue;
            }
            match term {
                Term::Rule { rule, .. } => found.push(*rule),
                Term::Group(body) | Term::Repeat { body, .. } => {
                    collect(grammar, body, nullable, found);
                }
                Term::Token(_) | Term::Set { .. } | Term::Any => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::g4;

    #[test]
    fn empty_neighbours_do_not_count() {
        let text = "grammar T; a: b | '(' a ')'; b: c? d; c: 'c'; d: ; e: 'x' c;";
        let grammar = g4::load_texts(&[("t.g4", text)]).unwrap();
        let names = |rule: &str| -> Vec<&str> {
            let id = grammar.rule_named(rule).unwrap();
            let units = &unit_derivations(&grammar)[id.index()];
            units.iter().map(|&id| grammar.rule(id).name.as_str()).collect()
        };
        assert_eq!(names("a"), ["a", "b", "c", "d"]);
        assert_eq!(names("e"), ["e"]);
    }
}
