//! ddmin over nodes of a tree: the step that all hierarchical reducers share.
//!
//! ddmin doesn't try to drop the only element of a list; a list that comes down to one is
//! therefore tried without it, or HDD* would not be 1-tree-minimal on chains.

use super::level::Level;
use super::shape::Shape;
use crate::reduce::algorithms::chunks::keep_chunks;
use crate::reduce::algorithms::ddmin::{TestsLeft, ddmin_within};
use crate::search::Search;
use seedsmith_engine::Stopped;
use seedsmith_grammar::NodeId;
use seedsmith_grammar::internal::NO_NODE;

/// Where nodes of the tree before an accepted edit are now; those that went are left out.
pub(crate) fn moved(nodes: &[NodeId], new_of_old: &[u32]) -> Vec<NodeId> {
    let new = nodes.iter().map(|node| new_of_old[node.index()]);
    new.filter(|&new| new != NO_NODE).map(NodeId).collect()
}

/// How a list is reduced: published strategies by ddmin, the default one by fewer tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// [`ddmin_within`], as the papers have it.
    Ddmin,
    /// [`keep_chunks`].
    Chunks,
}

/// [`keep_needed_within`] by ddmin without a limit.
pub(crate) fn keep_needed(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    nodes: Vec<NodeId>,
) -> Result<Option<Vec<u32>>, Stopped> {
    keep_needed_within(search, shape, nodes, Way::Ddmin, &|_| usize::MAX)
}

/// Reduces nodes none of which is inside another to those that are needed. The others are deleted
/// from the shape; returns the map from old to new nodes, if any was deleted.
pub(crate) fn keep_needed_within(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    nodes: Vec<NodeId>,
    way: Way,
    tests_left: TestsLeft<'_>,
) -> Result<Option<Vec<u32>>, Stopped> {
    if nodes.is_empty() {
        return Ok(None);
    }
    let without = |kept: &[u32]| {
        let mut stays = kept.iter().copied().peekable();
        let mut dropped = Vec::with_capacity(nodes.len() - kept.len());
        for (index, &node) in (0..).zip(&nodes) {
            if stays.next_if_eq(&index).is_none() {
                dropped.push(node);
            }
        }
        shape.drop_nodes(&dropped)
    };
    let level = Level::new(shape, &nodes);
    let render = |kept: &[u32], out: &mut Vec<u8>| match &level {
        Some(level) => level.render(kept, out),
        None => shape.render(&without(kept), out),
    };
    let all = (0..nodes.len() as u32).collect();
    let mut kept = match way {
        Way::Ddmin => ddmin_within(search, all, render, tests_left)?,
        Way::Chunks => keep_chunks(search, all, render, tests_left)?,
    };
    if kept.len() == 1 {
        let mut candidate = Vec::new();
        render(&[], &mut candidate);
        if search.fails(&candidate)? {
            kept.clear();
        }
    }
    if kept.len() == nodes.len() {
        return Ok(None);
    }
    let edits = without(&kept);
    Ok(Some(shape.accept(&edits)))
}
