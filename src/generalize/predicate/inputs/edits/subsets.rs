//! Inputs with some of the items that another one has: what single edits come to only by several steps.
//!
//! A condition may hold for all that the search has made because most of it has one failing item and little else. Some of the items of
//! a given input are an input as users write it, often a passing one.

use seedsmith_grammar::{NodeId, NodeKind, Random};

use super::of_kind;
use crate::generalize::pattern::Subject;

/// Of this many lists one keeps all its items.
const LISTS_PER_WHOLE_ONE: usize = 3;
/// An item stays in one to three of this many cases: the list decides in how many.
const CHANCES: usize = 4;
/// Of this many lists one gets another order.
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
            text.extend(if items.len() > 1 { self.some(&items) } else { self.text(child) });
            let used = if items.len() > 1 { used } else { 1 };
            place += used;
            at = tree.span(children[place - 1]).end;
        }
        text.extend(&input[at..span.end]);
        text
    }

    /// Whether a list has more of what the part before it is: each repetition ends with one.
    fn continues(&self, first: NodeId, list: NodeId) -> bool {
        let tree = &self.base.tree;
        let kind = tree.node(first).kind;
        let is_one = |id: &NodeId| of_kind(tree.node(*id).kind, kind);
        let mut repetitions = tree.children(list).iter();
        is_list(tree.node(list).kind)
            && !tree.children(list).is_empty()
            && repetitions.all(|one| tree.children(*one).last().is_some_and(is_one))
    }

    /// The items of a list: its repetitions, or the part before it and the last one of each repetition.
    fn items(&self, first: Option<NodeId>, list: NodeId) -> Vec<NodeId> {
        let repetitions = self.base.tree.children(list).iter().copied();
        match first {
            None => repetitions.collect(),
            Some(first) => {
                let last = |one: NodeId| self.base.tree.children(one).last().copied();
                std::iter::once(first).chain(repetitions.filter_map(last)).collect()
            }
        }
    }

    /// Some of these items, with what is before each of them in the input.
    fn some(&mut self, items: &[NodeId]) -> Vec<u8> {
        let chance = match self.dice.below(LISTS_PER_WHOLE_ONE) {
            0 => CHANCES,
            _ => 1 + self.dice.below(CHANCES - 1),
        };
        let mut kept: Vec<usize> =
            (0..items.len()).filter(|_| self.dice.below(CHANCES) < chance).collect();
        if self.dice.below(LISTS_PER_SHUFFLED_ONE) == 0 {
            for last in (1..kept.len()).rev() {
                kept.swap(last, self.dice.below(last + 1));
            }
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
        let ends = made.iter().filter(|one| one.ends_with(b"\n") || one.starts_with(b"\n")).count();
        assert!(ends * 10 < made.len(), "{made:?}");
    }
}
