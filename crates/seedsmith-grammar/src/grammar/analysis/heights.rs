//! How high the lowest tree of each rule is.

use crate::grammar::model::{Alternative, Bounds, Grammar, Term};

/// For each parser rule the height of its lowest derivation tree: 1 if it can do without other
/// rules, else one more than what it needs; nothing if it has no finite derivation.
pub fn heights(grammar: &Grammar) -> Vec<Option<u32>> {
    let mut heights: Vec<Option<u32>> = vec![None; grammar.rules.len()];
    loop {
        // All of a round's new heights are the same number, so that the first is the least.
        let found: Vec<(usize, u32)> = (0..heights.len())
            .filter(|&rule| heights[rule].is_none())
            .filter_map(|rule| {
                let lowest = lowest(grammar, &grammar.rules[rule].alternatives, &heights)?;
                Some((rule, lowest + 1))
            })
            .collect();
        if found.is_empty() {
            return heights;
        }
        for (rule, height) in found {
            heights[rule] = Some(height);
        }
    }
}

fn lowest(grammar: &Grammar, alternatives: &[Alternative], known: &[Option<u32>]) -> Option<u32> {
    let height = |term: &Term| match term {
        Term::Token(_) | Term::Set { .. } | Term::Any => Some(0),
        Term::Rule { rule, .. } => known[rule.index()],
        Term::Group(body) => lowest(grammar, body, known),
        Term::Repeat { id, .. } if grammar.quantifier(*id).bounds != Bounds::Plus => Some(0),
        Term::Repeat { body, .. } => lowest(grammar, body, known),
    };
    let highest = |alternative: &Alternative| {
        alternative.terms.iter().try_fold(0, |highest, term| Some(height(term)?.max(highest)))
    };
    alternatives.iter().filter_map(highest).min()
}
