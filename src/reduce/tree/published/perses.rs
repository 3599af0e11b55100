//! Perses: the largest subtree first, replaced by a smaller compatible one.
//!
//! C. Sun, Y. Li, Q. Zhang, T. Gu, Z. Su: "Perses: Syntax-Guided Program Reduction" (ICSE 2018),
//! in the form of DDSET's algorithm 1 (ISSTA 2020), with its print mended: a candidate has to be
//! strictly smaller (or it would never end), nodes are looked up in the tree as it is now, and the
//! smallest failing input is returned, not the last subtree.

use std::borrow::Cow;

use crate::reduce::algorithms::ddmin::TestsLeft;
use crate::reduce::needs::{Cost, Need};
use crate::reduce::reducer::{Function, Reducer};
use crate::reduce::tree::compatible::Compatible;
use crate::reduce::tree::lists::{Way, keep_needed_within, moved};
use crate::reduce::tree::shape::{Edit, Shape, With};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::{NodeId, NodeKind, Tree};

/// The largest subtree first, replaced by a smaller compatible one.
///
/// The default strategy makes one run over the tree with a limit of tests; used as a strategy, it
/// runs to the fixpoint. Cost: a test for each smaller compatible node of each node, and a ddmin
/// for each list.
pub(crate) static PERSES: Reducer = Reducer {
    name: Cow::Borrowed("perses"),
    description: Cow::Borrowed("the largest subtree first, replaced by a smaller compatible one"),
    activity: "deleting along the syntax tree",
    needs: &[Need::Tree],
    cost: Cost::Quadratic,
    source: "Sun et al., Perses, ICSE 2018",
    function: Function::Tree(|search, tree| match tree.limit {
        Some(tests_left) => perses_within(search, tree.shape, tests_left).map(|_| ()),
        None => perses(search, tree.shape),
    }),
};

/// Runs Perses until a whole run changes nothing. Then no node can be replaced by a smaller
/// compatible one of its subtree or, where that is allowed, by nothing, and no single iteration
/// can go.
pub(crate) fn perses(search: &mut Search<'_, '_>, shape: &mut Shape<'_>) -> Result<(), Stopped> {
    while perses_within(search, shape, &|_| usize::MAX)? {}
    Ok(())
}

/// One run of Perses over the whole tree, which ends where no tests are left to it; whether
/// anything changed.
pub(crate) fn perses_within(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    tests_left: TestsLeft<'_>,
) -> Result<bool, Stopped> {
    let mut has_changed = false;
    let mut queue = parts_below(shape.tree(), NodeId::ROOT);
    let mut index = Compatible::new(shape.tree());
    while tests_left(search) > 0
        && let Some(node) = pop_largest(&mut queue, shape.tree())
    {
        // The nodes to look at after the edit, and the map from old to new nodes.
        let changed = match shape.tree().node(node).kind {
            NodeKind::Quantifier(_) => {
                let iterations = shape.tree().children(node).iter().copied();
                let iterations = iterations.filter(|&id| shape.can_go(id)).collect();
                keep_needed_within(search, shape, iterations, Way::Ddmin, tests_left)?
                    .map(|map| (Next::PartsBelow(node), map))
            }
            _ => {
                let mut edits = smaller_first(shape, &index, node);
                edits.truncate(tests_left(search));
                replace_by_first(search, shape, &edits)?.map(|(edit, map)| match edit.with {
                    With::Node(inner) => (Next::Itself(inner), map),
                    With::Text(_) => (Next::Nothing, map),
                })
            }
        };
        let Some((next, new_of_old)) = changed else {
            queue.extend(parts_below(shape.tree(), node));
            continue;
        };
        has_changed = true;
        queue = moved(&queue, &new_of_old);
        index = Compatible::new(shape.tree());
        match next {
            Next::Itself(inner) => queue.extend(moved(&[inner], &new_of_old)),
            Next::PartsBelow(list) => {
                let list = moved(&[list], &new_of_old);
                queue.extend(list.into_iter().flat_map(|list| parts_below(shape.tree(), list)));
            }
            Next::Nothing => {}
        }
    }
    Ok(has_changed)
}

/// The parts to visit after an accepted edit, named by nodes of the tree before the edit.
enum Next {
    /// The new node is looked at again, before the nodes inside it.
    Itself(NodeId),
    /// Its parts.
    PartsBelow(NodeId),
    /// The node was deleted.
    Nothing,
}

/// Puts the first edit that fails into effect; that edit and the map from old to new nodes.
pub(crate) fn replace_by_first<'e>(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    edits: &[Edit<'e>],
) -> Result<Option<(Edit<'e>, Vec<u32>)>, Stopped> {
    let base = &*shape;
    let mut ahead = edits.iter();
    let accepted = search.first(|buffer| {
        let edit = ahead.next()?;
        base.render(std::slice::from_ref(edit), buffer);
        Some(*edit)
    })?;
    Ok(accepted.map(|edit| (edit, shape.accept(&[edit]))))
}

/// The smaller texts that may replace a node, the smallest first: nothing, where the rule
/// can be empty, then compatible nodes.
pub(crate) fn smaller_first<'l>(
    shape: &Shape<'l>,
    index: &Compatible,
    node: NodeId,
) -> Vec<Edit<'l>> {
    let length = shape.text(node).len();
    let mut edits = Vec::new();
    // Whether an iteration can go depends on its neighbours: that is a list's business.
    let is_iteration = shape.tree().node(node).kind == NodeKind::Iteration;
    if length > 0 && !is_iteration && shape.replacement(node).is_empty() {
        edits.push(Edit { node, with: With::Text(&[]) });
    }
    let mut inner = index.inside(shape, node);
    inner.retain(|&id| shape.text(id).len() < length);
    // Stable, so that of equally long ones the one further up and to the left comes first.
    inner.sort_by_key(|&id| shape.text(id).len());
    edits.extend(inner.into_iter().map(|id| Edit { node, with: With::Node(id) }));
    edits
}

/// Takes the node with most bytes from the queue; of equally large ones the first in preorder.
fn pop_largest(queue: &mut Vec<NodeId>, tree: &Tree) -> Option<NodeId> {
    let size = |id: NodeId| (tree.span(id).len(), std::cmp::Reverse(id));
    let at = (0..queue.len()).max_by_key(|&at| size(queue[at]))?;
    Some(queue.swap_remove(at))
}

/// Whether Perses looks at nodes of that kind: rules and lists, not tokens.
fn is_part(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Rule { .. } | NodeKind::Quantifier(_))
}

/// The nearest rules and quantified parts below a node.
pub(crate) fn parts_below(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut todo: Vec<NodeId> = tree.children(node).iter().rev().copied().collect();
    while let Some(id) = todo.pop() {
        if is_part(tree.node(id).kind) {
            found.push(id);
        } else {
            todo.extend(tree.children(id).iter().rev());
        }
    }
    found
}
