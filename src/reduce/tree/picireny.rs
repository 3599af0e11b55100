//! Picireny: HDD* over a tree that was made ready for it.
//!
//! R. Hodován and Á. Kiss, "Modernizing Hierarchical Delta Debugging" (A-TEST 2016), "Coarse
//! Hierarchical Delta Debugging" (ICSME 2017), and with T. Gyimóthy and others on hoisting
//! (A-TEST 2021). Chains of single children are one node; nodes whose text is their replacement
//! aren't tried; quantified parts go to nothing; coarse looks only at what can vanish; hoisting
//! puts the nearest nodes of the same rule in a node's place.
//!
//! The published program also empties the only iteration of a `+`, which no longer parses; here
//! the least text of one iteration stays.

use super::compatible::Compatible;
use super::hdd::{Choice, hdd_star};
use super::perses::replace_by_first;
use super::shape::{Edit, Shape, With};
use crate::oracle::Stopped;
use crate::search::Search;
use crate::structure::tree::{Kind, NodeId, Tree};

/// What Picireny looks at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prepared {
    /// Only nodes that can vanish.
    pub is_coarse: bool,
}

impl Choice for Prepared {
    fn is_element(&self, shape: &Shape<'_>, node: NodeId) -> bool {
        shape.can_go(node) && (!self.is_coarse || shape.replacement(node).is_empty())
    }

    fn has_level(&self, shape: &Shape<'_>, node: NodeId) -> bool {
        // A single child with nothing beside it is squeezed into its parent.
        shape.tree().span(node) != shape.tree().span(shape.tree().node(node).parent)
    }
}

/// Which of Picireny's steps run besides pruning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Prune what can vanish before the rest.
    pub coarse: bool,
    /// Hoist before and between prunings.
    pub hoist: bool,
}

/// Picireny with the steps chosen.
pub fn picireny(
    search: &mut Search<'_, '_>,
    shape: &mut Shape<'_>,
    steps: Steps,
) -> Result<(), Stopped> {
    loop {
        let hoisted = steps.hoist && hoist(search, shape)?;
        if steps.coarse {
            hdd_star(search, shape, &Prepared { is_coarse: true })?;
        }
        let before = shape.source().len();
        hdd_star(search, shape, &Prepared { is_coarse: false })?;
        if !steps.hoist || (!hoisted && shape.source().len() == before) {
            return Ok(());
        }
    }
}

/// From the root down: each node by a nearest one of its own rule, as long as one fails.
/// Whether anything was hoisted.
pub fn hoist(search: &mut Search<'_, '_>, shape: &mut Shape<'_>) -> Result<bool, Stopped> {
    let mut has_changed = false;
    let mut at = 1;
    while at < shape.tree().len() as u32 {
        let index = Compatible::new(shape.tree());
        let edits = nearest(shape, &index, NodeId(at));
        if replace_by_first(search, shape, &edits)?.is_some() {
            has_changed = true;
        } else {
            at += 1;
        }
    }
    Ok(has_changed)
}

/// The compatible nodes inside a node that aren't inside another compatible one.
fn nearest<'l>(shape: &Shape<'l>, index: &Compatible, node: NodeId) -> Vec<Edit<'l>> {
    let tree: &Tree = shape.tree();
    if !matches!(tree.node(node).kind, Kind::Rule { .. }) {
        return Vec::new();
    }
    let length = shape.text(node).len();
    let mut outside = 0;
    let mut found = Vec::new();
    for id in index.inside(shape, node) {
        if shape.text(id).len() < length && id.0 >= outside {
            outside = tree.node(id).subtree_end;
            found.push(Edit { node, with: With::Node(id) });
        }
    }
    found
}
