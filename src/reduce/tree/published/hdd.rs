//! Hierarchical delta debugging: HDD, HDD+, HDD* and HDDr.
//!
//! G. Misherghi, "Hierarchical Delta Debugging" (thesis, 2007), chapter 3: algorithm 1 (level by
//! level, a ddmin each), HDD+ (then single nodes in breadth-first order), HDD* (to the fixpoint);
//! chapter 5: a pruned node is written as its shortest text. A. Kiss, R. Hodován, T. Gyimóthy,
//! "HDDr: A Recursive Variant of the Hierarchical Delta Debugging Algorithm" (A-TEST 2018).

use std::borrow::Cow;

use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, Reducer};
use crate::reduce::tree::lists::{keep_needed, moved};
use crate::reduce::tree::shape::Shape;
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;

/// Ddmin on each level of the tree, from the top (--strategy hdd).
///
/// One ddmin a level; a node that goes is written as the shortest text of its rule. Need not be 1-tree-
/// minimal. Cost: at most `n² + 3n` tests for a level of `n` nodes.
pub(crate) static HDD: Reducer = Reducer {
    name: Cow::Borrowed("hdd"),
    description: Cow::Borrowed("ddmin on each level of the tree, from the top (--strategy hdd)"),
    activity: "deleting along the syntax tree",
    needs: &[Need::Tree],
    cost: Cost::Quadratic,
    source: "Misherghi 2007, algorithm 1",
    function: Function::Tree(|search, tree| hdd(search, tree.shape, &Everything).map(|_| ())),
};

/// HDD, then single nodes until none can go (--strategy hdd+).
///
/// The result is 1-tree-minimal: no single node can go. Cost: that of [`HDD`], and a test for each node
/// and round.
pub(crate) static HDD_PLUS: Reducer = Reducer {
    name: Cow::Borrowed("hdd+"),
    description: Cow::Borrowed("HDD, then single nodes until none can go (--strategy hdd+)"),
    activity: "deleting along the syntax tree",
    needs: &[Need::Tree],
    cost: Cost::Quadratic,
    source: "Misherghi 2007, chapter 3",
    function: Function::Tree(|search, tree| hdd_plus(search, tree.shape, &Everything)),
};

/// HDD until nothing goes (--strategy hdd*).
///
/// The result is 1-tree-minimal. Cost: that of [`HDD`], as often as something went and once more.
pub(crate) static HDD_STAR: Reducer = Reducer {
    name: Cow::Borrowed("hdd*"),
    description: Cow::Borrowed("HDD until nothing goes (--strategy hdd*)"),
    activity: "deleting along the syntax tree",
    needs: &[Need::Tree],
    cost: Cost::Quadratic,
    source: "Misherghi 2007, chapter 3",
    function: Function::Tree(|search, tree| hdd_star(search, tree.shape, &Everything)),
};

/// Ddmin on the children of a node, then into each (--strategy hddr).
///
/// Depth first and in order, to the fixpoint. Cost: as [`HDD_STAR`], with lists that are as short as a
/// node has children.
pub(crate) static HDDR: Reducer = Reducer {
    name: Cow::Borrowed("hddr"),
    description: Cow::Borrowed("ddmin on the children of a node, then into each (--strategy hddr)"),
    activity: "deleting along the syntax tree",
    needs: &[Need::Tree],
    cost: Cost::Quadratic,
    source: "Kiss et al., HDDr, A-TEST 2018",
    function: Function::Tree(|search, tree| hddr(search, tree.shape, &Everything)),
};

/// Which nodes a hierarchical reducer looks at.
pub(crate) trait Choice {
    /// Whether the node is an element of its level.
    fn is_element(&self, shape: &Shape<'_>, node: NodeId) -> bool;

    /// Whether the node takes a level; else its children are on its level.
    fn has_level(&self, shape: &Shape<'_>, node: NodeId) -> bool;

    /// Reduces nodes none of which is inside another: those of a level, or the children of a node.
    /// The map from old to new nodes, if anything changed.
    fn reduce(
        &self,
        search: &mut Search<'_, '_>,
        shape: &mut Shape<'_>,
        mut nodes: Vec<NodeId>,
    ) -> Result<Option<Vec<u32>>, Stopped> {
        nodes.retain(|&node| self.is_element(shape, node));
        keep_needed(search, shape, nodes)
    }
}

/// Every node that could become simpler, each on its level.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Everything;

impl Choice for Everything {
    fn is_element(&self, shape: &Shape<'_>, node: NodeId) -> bool {
        shape.can_go(node)
    }

    fn has_level(&self, _: &Shape<'_>, _: NodeId) -> bool {
        true
    }
}

/// HDD, algorithm 1: one ddmin a level, from the top. Whether anything went.
pub(crate) fn hdd(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    choice: &impl Choice,
) -> Result<bool, Stopped> {
    let mut has_changed = false;
    let mut level = 0;
    while let Some(nodes) = nodes_on(shape, choice, level) {
        has_changed |= choice.reduce(search, shape, nodes)?.is_some();
        level += 1;
    }
    Ok(has_changed)
}

/// HDD+: HDD, then rounds over single nodes in breadth-first order until none can go.
/// Afterwards no single node can go (1-tree-minimal).
pub(crate) fn hdd_plus(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    choice: &impl Choice,
) -> Result<(), Stopped> {
    hdd(search, shape, choice)?;
    while drop_singles(search, shape, choice)? {}
    Ok(())
}

/// HDD*: HDD until a whole run removes nothing. Afterwards no single node can go.
pub(crate) fn hdd_star(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    choice: &impl Choice,
) -> Result<(), Stopped> {
    while hdd(search, shape, choice)? {}
    Ok(())
}

/// HDDr: one ddmin over a node's children, then into each that stays, before the next sibling;
/// to the fixpoint.
pub(crate) fn hddr(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    choice: &impl Choice,
) -> Result<(), Stopped> {
    while descend(search, shape, choice)? {}
    Ok(())
}

/// The nodes of a level that have one, in preorder; `None` if the tree isn't so deep. Levels count
/// from 0, the root.
fn nodes_on(shape: &Shape<'_>, choice: &impl Choice, level: u32) -> Option<Vec<NodeId>> {
    let tree = shape.tree();
    let levels = levels(shape, choice);
    let mut deepest = 0;
    let mut nodes = Vec::new();
    for id in tree.ids() {
        deepest = deepest.max(levels[id.index()]);
        if levels[id.index()] == level && choice.has_level(shape, id) {
            nodes.push(id);
        }
    }
    (level <= deepest).then_some(nodes)
}

/// The level of each node; a node that has no level has its parent's.
pub(crate) fn levels(shape: &Shape<'_>, choice: &impl Choice) -> Vec<u32> {
    let tree = shape.tree();
    let mut levels = vec![0_u32; tree.len()];
    for id in tree.ids().skip(1) {
        let above = levels[tree.node(id).parent.index()];
        levels[id.index()] = above + u32::from(choice.has_level(shape, id));
    }
    levels
}

/// One round over all nodes, level by level from the left, each tried on its own. Returns whether
/// one went. Cost: a test for each node, and after each success again for those after it.
fn drop_singles(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    choice: &impl Choice,
) -> Result<bool, Stopped> {
    let mut has_changed = false;
    let mut order = breadth_first(shape, choice);
    let mut next = 0;
    // After a success the nodes that were tried before stay tried: the next round looks at them again.
    while next < order.len() {
        let base = &*shape;
        let mut at = next;
        let accepted = search.first(|buffer| {
            let node = *order.get(at)?;
            at += 1;
            base.render(&base.drop_nodes(&[node]), buffer);
            Some(at)
        })?;
        let Some(at) = accepted else { break };
        let edits = shape.drop_nodes(&[order[at - 1]]);
        let new_of_old = shape.accept(&edits);
        has_changed = true;
        order = moved(&order[at..], &new_of_old);
        order.retain(|&node| choice.is_element(shape, node));
        next = 0;
    }
    Ok(has_changed)
}

/// The elements of a tree, level by level from the left.
fn breadth_first(shape: &Shape<'_>, choice: &impl Choice) -> Vec<NodeId> {
    let levels = levels(shape, choice);
    let mut order: Vec<NodeId> = shape.tree().ids().collect();
    order.retain(|&id| choice.is_element(shape, id));
    order.sort_by_key(|id| levels[id.index()]);
    order
}

/// One way down the tree, depth first: a ddmin over the children of each node that is left. Returns
/// whether a node went.
fn descend(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    choice: &impl Choice,
) -> Result<bool, Stopped> {
    let mut has_changed = false;
    let mut todo = vec![NodeId::ROOT];
    while let Some(node) = todo.pop() {
        let children = children(shape, choice, node);
        let mut left = children.clone();
        if let Some(new_of_old) = choice.reduce(search, shape, children)? {
            has_changed = true;
            todo = moved(&todo, &new_of_old);
            left = moved(&left, &new_of_old);
        }
        todo.extend(left.into_iter().rev().filter(|&id| !shape.is_settled(id)));
    }
    Ok(has_changed)
}

/// The nodes one level below a node, left to right. A child without a level is replaced by its
/// children.
fn children(shape: &Shape<'_>, choice: &impl Choice, node: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut todo: Vec<NodeId> = shape.tree().children(node).iter().rev().copied().collect();
    while let Some(child) = todo.pop() {
        if choice.has_level(shape, child) {
            found.push(child);
        } else {
            todo.extend(shape.tree().children(child).iter().rev());
        }
    }
    found
}
