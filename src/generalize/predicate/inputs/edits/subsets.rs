//! Inputs with some of the items that another one has: what single edits come to only by several steps.
//!
//! A condition may hold for all that the search has made because most of it has one failing item and little else. Some of the items of
//! a given input are an input as users write it, often a passing one.

use seedsmith_grammar::{NodeId, NodeKind, Random};

use super::{of_kind, repetitions, shuffle};
use crate::generalize::pattern::Subject;
use crate::generalize::predicate::read::lists_below;

/// Of this many lists one keeps all its items, because a list may matter as a whole.
const LISTS_PER_WHOLE_ONE: usize = 3;
/// An item stays in one to three of this many cases, because one item is as telling as all but one: the list decides in how many.
const CHANCES: usize = 4;
/// Inputs with a split item that are made of one, the innermost lists first. A guess: each that is tested decides about some conditions.
const MAX_SPLIT_ITEMS: usize = 16;
/// Of this many lists one gets another order: few, because in most formats the order matters.
const LISTS_PER_SHUFFLED_ONE: usize = 4;

/// The input with some of the items of each of its lists, some of these in another order. Whether the result is in the language is the
/// caller's to ask.
pub(in crate::generalize::predicate::inputs) fn with_some_items(
    base: &Subject,
    dice: &mut Random,
) -> Vec<u8> {
    Subset { lists: Lists { base }, dice }.text(NodeId(0))
}

/// Inputs with an item of a list twice, each time with some of the items of a list in it: they show whether the parts of a cause have to be in one
/// item.
pub(in crate::generalize::predicate::inputs) fn with_split_items(base: &Subject) -> Vec<Vec<u8>> {
    let lists = Lists { base };
    let all = lists.all();
    let span = |node: NodeId| base.tree.span(node);
    let text = |from: usize, to: usize| &base.input[from..to];
    let separator = |list: &[NodeId]| text(span(list[0]).end, span(list[1]).start);
    // The only item of a list has the separator of another list of its rule.
    let singles = lists.singles().into_iter().filter_map(|item| {
        let alike =
            all.iter().find(|list| lists.rule_around(list[0]) == lists.rule_around(item))?;
        Some((vec![item], separator(alike)))
    });
    let mut outer: Vec<(Vec<NodeId>, &[u8])> =
        all.iter().map(|list| (list.clone(), separator(list))).chain(singles).collect();
    // Inner items come before outer ones, because most causes are in one of these.
    outer.sort_by_key(|(list, _)| std::cmp::Reverse(list[0]));
    // A key is there once.
    outer.retain(|(list, _)| !list.iter().any(|item| lists.is_pair(*item)));
    let (mut made, mut further): (Vec<Vec<u8>>, Vec<Vec<u8>>) = Default::default();
    for (outer, separator) in outer {
        for item in outer.iter().map(|item| span(*item)) {
            let is_inside = |inner: &&Vec<NodeId>| {
                span(inner[0]).start >= item.start
                    && span(*inner.last().expect("two")).end <= item.end
            };
            for inner in all.iter().filter(is_inside) {
                let (first, last) = (span(inner[0]).start, span(*inner.last().expect("two")).end);
                for place in 1..inner.len() {
                    let (end, start) = (span(inner[place - 1]).end, span(inner[place]).start);
                    let parts = [
                        text(0, end),
                        text(last, item.end),
                        separator,
                        text(item.start, first),
                        text(start, base.input.len()),
                    ];
                    let is_at_end = place == 1 || place + 1 == inner.len();
                    if is_at_end { &mut made } else { &mut further }.push(parts.concat());
                }
            }
        }
    }
    made.extend(further);
    let mut made = [with_moved_items(&base.input), made].concat();
    made.truncate(MAX_SPLIT_ITEMS);
    made
}

/// Inputs with the first or the last item of a list below a key in another list of that key: two equal ones may have to be in one list.
fn with_moved_items(input: &[u8]) -> Vec<Vec<u8>> {
    let lists = lists_below(input);
    let mut made = Vec::new();
    for (number, (key, items)) in lists.iter().enumerate().filter(|(_, (_, all))| all.len() > 1) {
        let others =
            lists.iter().enumerate().filter(|(at, (other, _))| *at != number && other == key);
        for last in others.filter_map(|(_, (_, others))| others.last()) {
            for item in [items.first(), items.last()].into_iter().flatten() {
                let (text, to) = (&input[item.clone()], last.end);
                made.push(match to <= item.start {
                    true => [&input[..to], text, &input[to..item.start], &input[item.end..]],
                    false => [&input[..item.start], &input[item.end..to], text, &input[to..]],
                });
            }
        }
    }
    let made = made.into_iter().map(|parts| parts.concat());
    made.take(MAX_SPLIT_ITEMS / 2).collect()
}

/// The lists of a tree.
struct Lists<'b> {
    base: &'b Subject,
}

/// One walk over a tree.
struct Subset<'b> {
    lists: Lists<'b>,
    dice: &'b mut Random,
}

impl Lists<'_> {
    /// All lists of several items, outer ones first.
    fn all(&self) -> Vec<Vec<NodeId>> {
        let tree = &self.base.tree;
        let mut found = Vec::new();
        for node in tree.ids() {
            let children = tree.children(node);
            let mut place = 0;
            while let Some(&child) = children.get(place) {
                let (items, used) = self.at(child, children.get(place + 1).copied());
                if self.are_rules(&items) {
                    found.push(items);
                }
                place += used;
            }
        }
        found
    }

    /// The only items of lists of one item, in the order of the tree.
    fn singles(&self) -> Vec<NodeId> {
        let tree = &self.base.tree;
        let pairs = tree.ids().flat_map(|node| tree.children(node).windows(2));
        let is_empty = |list: NodeId| {
            is_list(tree.node(list).kind) && repetitions(tree, list).next().is_none()
        };
        let is_rule = |node: NodeId| matches!(tree.node(node).kind, NodeKind::Rule { .. });
        let only = pairs.filter(|two| is_empty(two[1]) && is_rule(two[0]));
        only.map(|two| two[0]).collect()
    }

    /// The rule around a node.
    fn rule_around(&self, node: NodeId) -> Option<NodeKind> {
        let tree = &self.base.tree;
        let outer = std::iter::successors(tree.parent(node), |node| tree.parent(*node));
        let mut kinds = outer.map(|node| tree.node(node).kind);
        kinds.find(|kind| matches!(kind, NodeKind::Rule { .. }))
    }

    /// Whether a node is a key with its value.
    fn is_pair(&self, node: NodeId) -> bool {
        let children = self.base.tree.children(node);
        let is_mark = |child: &NodeId| matches!(self.base.text(*child), b":" | b"=");
        let is_inside = |child: &NodeId| self.base.tree.children(*child).iter().any(is_mark);
        children.iter().any(|child| is_mark(child) || is_inside(child))
    }

    /// The items of the list that a node begins, if it does, and how many nodes beside each other these are.
    fn at(&self, child: NodeId, next: Option<NodeId>) -> (Vec<NodeId>, usize) {
        match next {
            Some(list) if self.continues(child, list) => (self.items(Some(child), list), 2),
            _ if is_list(self.base.tree.node(child).kind) => (self.items(None, child), 1),
            _ => (Vec::new(), 1),
        }
    }

    /// Whether some items are several, and each is a rule or has one.
    fn are_rules(&self, items: &[NodeId]) -> bool {
        items.len() > 1 && items.iter().all(|item| self.is_rule(*item))
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
}

impl Subset<'_> {
    /// A node's text with some of the items of its lists.
    fn text(&mut self, node: NodeId) -> Vec<u8> {
        let (tree, input) = (&self.lists.base.tree, &self.lists.base.input);
        let children = tree.children(node);
        let span = tree.span(node);
        let (mut text, mut at, mut place) = (Vec::new(), span.start, 0);
        while let Some(&child) = children.get(place) {
            text.extend(&input[at..tree.span(child).start]);
            let (items, used) = self.lists.at(child, children.get(place + 1).copied());
            // The words of a line are items of a list too, and without some of them it is no line as users write it.
            let is_list = self.lists.are_rules(&items);
            text.extend(if is_list { self.some(&items) } else { self.text(child) });
            place += if is_list { used } else { 1 };
            at = tree.span(children[place - 1]).end;
        }
        text.extend(&input[at..span.end]);
        text
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
                let Subject { tree, input, .. } = self.lists.base;
                let end = tree.span(items[second - 1]).end;
                text.extend(&input[end..tree.span(items[second]).start]);
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

    #[test]
    fn an_item_moves_to_another_list_of_its_key() {
        let made = with_moved_items(b"a:\n- b\n- c\nd:\n- e\na:\n- f\n");
        let texts = ["a:\n- c\nd:\n- e\na:\n- f\n- b\n", "a:\n- b\nd:\n- e\na:\n- f\n- c\n"];
        assert_eq!(made, texts.map(str::as_bytes));
        let made = with_moved_items(b"a:\n- b\na:\n- c\n- d\n");
        assert_eq!(made[1], b"a:\n- b\n- d\na:\n- c\n");
    }

    #[test]
    fn an_item_is_there_twice_with_a_part_of_its_list() {
        let grammar =
            "grammar Lists; list: '[' item (',' item)* ']'; item: list | NAME; NAME: [a-z]+;";
        let grammar =
            seedsmith_grammar::internal::g4::load_texts(&[("lists.g4", grammar)]).unwrap();
        let parser = seedsmith_grammar::Parser::new(std::sync::Arc::new(grammar));
        let language = seedsmith_grammar::Language::of(parser, None).unwrap();
        let language = seedsmith_grammar::internal::Substitutes::new(language);
        let language =
            crate::generalize::draws::sampler::Sampler::new(std::sync::Arc::new(language));
        let language = language.unwrap();
        let base = in_language(&language, b"[x,[a,b,c]]").unwrap();
        let made = with_split_items(&base);
        let made: Vec<&str> = made.iter().map(|made| std::str::from_utf8(made).unwrap()).collect();
        assert_eq!(made, ["[x,[a],[b,c]]", "[x,[a,b],[c]]"]);
        let base = in_language(&language, b"[[a,b,c]]").unwrap();
        let made = with_split_items(&base);
        assert_eq!(made, [&b"[[a],[b,c]]"[..], b"[[a,b],[c]]"]);
    }
}
