//! All inputs that are one edit away from another one: what draws find by chance only.

use std::ops::Range;

use seedsmith_grammar::{NodeId, NodeKind, Random, Tree};

use super::edits;
use super::usual_texts::varied;

/// Rules that change places. A bound on the time, because pairs grow with the square.
const MAX_EXCHANGED_RULES: usize = 40;

/// All inputs with one part deleted, repeated, alone in its list, or with another text.
pub(super) fn single_edits(
    tree: &Tree,
    input: &[u8],
    is_open: &dyn Fn(u32) -> bool,
    dice: &mut Random,
) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    let mut put = |id: NodeId, text: &[u8]| {
        let span = tree.span(id);
        let edited = [&input[..span.start], text, &input[span.end..]].concat();
        if edited != input && !found.contains(&edited) {
            found.push(edited);
        }
    };
    for id in tree.ids().skip(1) {
        let text = &input[tree.span(id)];
        if text.is_empty() {
            continue;
        }
        match tree.node(id).kind {
            NodeKind::Rule { .. } | NodeKind::Quantifier(_) => put(id, b""),
            NodeKind::Iteration => {
                put(id, b"");
                put(id, &[text, text].concat());
                put(id, &[text, &edits::renamed(text, dice)].concat());
                if let Some(list) = tree.parent(id) {
                    put(list, text);
                }
            }
            NodeKind::Token(token) if is_open(token) => {
                put(id, &varied(text, dice));
                put(id, &varied(text, dice));
            }
            _ => {}
        }
    }
    found
}

/// All inputs with two rules of one kind in each other's places, as far as their texts differ and none is in the other.
pub(super) fn exchanges(tree: &Tree, input: &[u8]) -> Vec<Vec<u8>> {
    let rules: Vec<(u32, Range<usize>)> = tree
        .ids()
        .skip(1)
        .filter_map(|id| match tree.node(id).kind {
            NodeKind::Rule { rule, .. } => Some((rule, tree.span(id))),
            _ => None,
        })
        .take(MAX_EXCHANGED_RULES)
        .collect();
    let mut found: Vec<Vec<u8>> = Vec::new();
    for (at, (rule, one)) in rules.iter().enumerate() {
        let same = rules[at + 1..].iter().filter(|(other, _)| other == rule);
        for (_, other) in same.filter(|(_, other)| other.start >= one.end) {
            let (left, right) = (&input[one.clone()], &input[other.clone()]);
            if left != right {
                let before = &input[..one.start];
                let between = &input[one.end..other.start];
                found.push([before, right, between, left, &input[other.end..]].concat());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_one_kind_change_places() {
        let mut language = crate::generalize::predicate::plain::language().unwrap();
        let input = b"a\nb\na";
        let (tree, _) = language.read(input).unwrap();
        let mut found = exchanges(&tree, input);
        found.sort();
        assert_eq!(found, [b"a\na\nb".to_vec(), b"b\na\na".to_vec()]);
    }
}
