//! Inputs with some of the items that another one has: what single edits come to only by several steps.
//!
//! A condition may hold for all that the search has made because most of it has one failing item and little else. Some of the items of
//! a given input are an input as users write it, often a passing one.

use seedsmith_grammar::{NodeId, NodeKind, Random};

use super::{of_kind, repetitions, shuffle};
use crate::generalize::pattern::Subject;

/// Of this many lists one keeps all its items, because a list may matter as a whole.
const LISTS_PER_WHOLE_ONE: usize = 3;
/// An item stays in one to three of this many cases, because one item is as telling as all but one: the list decides in how many.
const CHANCES: usize = 4;
/// Of this many lists one gets another order: few, because in most formats the order matters.
const LISTS_PER_SHUFFLED_ONE: usize = 4;

/// The input with some of the items of each of its lists, some of these in another order. Whether the result is in the language is the
/// caller's to ask.
pub(in crate::generalize::predicate::inputs) fn with_some_items(
    base: &Subject,
    dice: &mut Random,
) -> Vec<u8> {
    Subset { base, dice }.text(NodeId(0))
}

/// One walk over a tree.
struct Subset<'b> {
    base: &'b Subject,
    dice: &'b mut Random,
}

impl Subset<'_> {
    /// A node's text with some of the items of its lists.
    fn text(&mut self, node: NodeId) -> Vec<u8> {
        let (tree, input) = (&self.base.tree, &self.base.input);
        let children = tree.children(node);
        let span = tree.span(node);
        let (mut text, mut at, mut place) = (Vec::new(), span.start, 0);
        while let Some(&child) = children.get(place) {
            text.extend(&input[at..tree.span(child).start]);
            let (items, used) = match children.get(place + 1) {
                Some(&list) if self.continues(child, list) => (self.items(Some(child), list), 2),
                _ if is_list(tree.node(child).kind) => (self.items(None, child), 1),
                _ => (Vec::new(), 1),
            };
            // The words of a line are items of a list too, and without some of them it is no line as users write it.
            let is_list = items.len() > 1 && items.iter().all(|item| self.is_rule(*item));
            text.extend(if is_list { self.some(&items) } else { self.text(child) });
            place += if is_list { used } else { 1 };
            at = tree.span(children[place - 1]).end;
        }
        text.extend(&input[at..span.end]);
        text
    }

    /// Whether a node is a rule or has one.
    fn is_rule(&self, node: NodeId) -> bool {
        let is_rule = |id: &NodeId| matches!(self.base.tree.node(*id).kind, NodeKind::Rule { .. });
        is_rule(&node) || self.base.tree.children(node).iter().any(is_rule)
    }

    /// Whether a list has more of what the part before it is: each repetition ends with one.
    fn continues(&self, first: NodeId, list: NodeId) -> bool {
        let tree = &self.base.tree;
        let kind = tree.node(first).kind;
        let is_one = |id: &NodeId| of_kind(tree.node(*id).kind, kind);
        is_list(tree.node(list).kind)
            && repetitions(tree, list).next().is_some()
            && repetitions(tree, list).all(|one| tree.children(one).last().is_some_and(is_one))
    }

    /// The items of a list: its repetitions, or the part before it and the last one of each repetition.
    fn items(&self, first: Option<NodeId>, list: NodeId) -> Vec<NodeId> {
        let last = |one: NodeId| self.base.tree.children(one).last().copied();
        match first {
            None => repetitions(&self.base.tree, list).collect(),
            Some(first) => std::iter::once(first)
                .chain(repetitions(&self.base.tree, list).filter_map(last))
                .collect(),
        }
    }

    /// Some of these items, each but the first one with the text that separates it from the one before it in the input.
    fn some(&mut self, items: &[NodeId]) -> Vec<u8> {
        let chance = match self.dice.below(LISTS_PER_WHOLE_ONE) {
            0 => CHANCES,
            _ => 1 + self.dice.below(CHANCES - 1),
        };
        let mut kept: Vec<usize> =
            (0..items.len()).filter(|_| self.dice.below(CHANCES) < chance).collect();
        if self.dice.below(LISTS_PER_SHUFFLED_ONE) == 0 {
            shuffle(&mut kept, self.dice);
        }
        let mut text = Vec::new();
        for (place, &item) in kept.iter().enumerate() {
            if place > 0 {
                let second = item.max(1);
                let end = self.base.tree.span(items[second - 1]).end;
                text.extend(&self.base.input[end..self.base.tree.span(items[second]).start]);
            }
            text.extend(self.text(items[item]));
        }
        text
    }
}

/// Whether a node's children are repetitions.
fn is_list(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Quantifier(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::subjects::in_language;

    #[test]
    fn some_lines_stay_as_they_are_in_any_order() {
        let language = crate::generalize::predicate::plain::language().unwrap();
        let base = in_language(&language, b"a=1\nb=2\nc=3").unwrap();
        let mut dice = Random::new(1);
        let mut made: Vec<Vec<u8>> = (0..400).map(|_| with_some_items(&base, &mut dice)).collect();
        made.sort();
        made.dedup();
        let has = |text: &str| made.iter().any(|one| one == text.as_bytes());
        assert!(has("b=2\nc=3") && has("a=1\nc=3") && has("c=3\na=1") && has("b=2"), "{made:?}");
        // Nothing, and each number of lines in each order.
        assert_eq!(made.len(), 1 + 3 + 6 + 6);
    }
}
