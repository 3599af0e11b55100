//! Which nodes may replace another: the one index for hoisting, Perses and patterns.
//!
//! A node may be replaced by a node of its subtree that the place derives: a node of the same rule,
//! of a rule that the required rule derives, or another occurrence of the same quantified part. (C.
//! Sun et al., "Perses", ICSE 2018, section 4; R. Hodován and Á. Kiss' hoisting takes the same rule
//! only.)

use std::collections::BTreeMap;

use super::shape::Shape;
use seedsmith_grammar::{NodeId, NodeKind, Tree};

/// The nodes of a tree, grouped by the rule or quantifier that they can replace. After an edit a
/// new index is needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compatible {
    rules: BTreeMap<u32, Vec<NodeId>>,
    quantifiers: BTreeMap<u32, Vec<NodeId>>,
    iterations: BTreeMap<u32, Vec<NodeId>>,
}

impl Compatible {
    /// The index of a tree; one look at each node.
    pub(crate) fn new(tree: &Tree) -> Self {
        let mut index = Compatible::default();
        for id in tree.ids() {
            match tree.node(id).kind {
                NodeKind::Rule { rule, .. } => index.rules.entry(rule).or_default().push(id),
                NodeKind::Quantifier(part) => index.quantifiers.entry(part).or_default().push(id),
                NodeKind::Iteration => {
                    if let NodeKind::Quantifier(part) = tree.node(tree.node(id).parent).kind {
                        index.iterations.entry(part).or_default().push(id);
                    }
                }
                _ => {}
            }
        }
        index
    }

    /// The nodes inside `node` that may replace it, in preorder.
    pub(crate) fn inside(&self, shape: &Shape<'_>, node: NodeId) -> Vec<NodeId> {
        let behind = shape.tree().node(node).subtree_end;
        let within = |nodes: &'_ [NodeId]| {
            let first = nodes.partition_point(|id| *id <= node);
            nodes[first..].iter().copied().take_while(|id| id.0 < behind).collect::<Vec<_>>()
        };
        let mut found: Vec<NodeId> = self.lists(shape, node).into_iter().flat_map(within).collect();
        found.sort_unstable();
        found
    }

    /// The nodes of the whole tree that may replace `node`, itself among them.
    pub(crate) fn anywhere(&self, shape: &Shape<'_>, node: NodeId) -> Vec<NodeId> {
        self.lists(shape, node).concat()
    }

    /// The nodes that may replace a node, by its kind; each list is in preorder.
    fn lists(&self, shape: &Shape<'_>, node: NodeId) -> Vec<&[NodeId]> {
        let tree = shape.tree();
        let (lists, wanted): (_, Vec<u32>) = match tree.node(node).kind {
            NodeKind::Rule { .. } => {
                let slot = shape.slot(node).into_iter();
                let rules = slot.flat_map(|slot| shape.substitutes().derives(slot));
                (&self.rules, rules.map(|rule| rule.0).collect())
            }
            NodeKind::Quantifier(part) => (&self.quantifiers, vec![part]),
            NodeKind::Iteration => match tree.node(tree.node(node).parent).kind {
                NodeKind::Quantifier(part) => (&self.iterations, vec![part]),
                _ => (&self.iterations, Vec::new()),
            },
            _ => (&self.rules, Vec::new()),
        };
        wanted.iter().filter_map(|key| lists.get(key)).map(Vec::as_slice).collect()
    }
}
