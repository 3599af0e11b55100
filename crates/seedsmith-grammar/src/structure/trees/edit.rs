//! Edits a tree: makes the tree of the new bytes without parsing them.
//!
//! Nodes keep their order and their kind, so a caller with nodes of the old tree finds them in the
//! new one. Cost: once through the nodes.

use crate::structure::trees::tree::{Node, NodeId, NodeKind, Tree};

/// The number of a [`NodeKind::Trivia`] leaf that no grammar gave: white space put in by an edit.
pub const SEPARATOR: u32 = u32::MAX;

/// No node.
pub const NO_NODE: u32 = u32::MAX;

/// The replacement of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Text of this number of bytes; with 0 the node is deleted.
    Text(u32),
    /// A node of its subtree, unchanged.
    Descendant(NodeId),
}

/// One node, its replacement, and how many bytes of white space are put around that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeEdit {
    /// The node that is replaced.
    pub node: NodeId,
    /// Its replacement.
    pub instead: Replacement,
    /// Bytes of white space before it.
    pub before: u32,
    /// Bytes of white space after it.
    pub behind: u32,
}

/// A tree after edits.
#[derive(Clone, Debug)]
pub struct EditedTree {
    /// The tree of the new bytes.
    pub tree: Tree,
    /// For each node of the old tree its index in the new one, or [`NO_NODE`].
    pub new_of_old: Vec<u32>,
    /// For each node of the new tree the edit (by index) whose text it is, or [`NO_NODE`].
    pub edit_of_new: Vec<u32>,
}

impl Tree {
    /// The tree after `edits`, which are in preorder and none inside another's subtree.
    pub fn edited(&self, edits: &[TreeEdit]) -> EditedTree {
        let mut grown = NewNodes {
            nodes: Vec::with_capacity(self.len() + 2 * edits.len()),
            new_of_old: vec![NO_NODE; self.len()],
            edit_of_new: Vec::with_capacity(self.len()),
            shift: 0,
        };
        let mut next = 0;
        let mut at = 0;
        while at < self.len() as u32 {
            let id = NodeId(at);
            if next == edits.len() || edits[next].node != id {
                grown.copy(self, id, self.node(id).parent);
                at += 1;
                continue;
            }
            let edit = edits[next];
            let node = *self.node(id);
            let parent = NodeId(grown.new_of_old[node.parent.index()]);
            grown.insert(NodeKind::Trivia(SEPARATOR), node.start, edit.before, parent, NO_NODE);
            match edit.instead {
                Replacement::Text(length) => {
                    if length > 0 {
                        grown.new_of_old[id.index()] = grown.nodes.len() as u32;
                        grown.insert(node.kind, node.start, length, parent, next as u32);
                    }
                    grown.shift -= i64::from(node.end - node.start);
                }
                Replacement::Descendant(inner) => {
                    let kept = *self.node(inner);
                    grown.shift -= i64::from(kept.start - node.start);
                    for moved in self.subtree(inner) {
                        let above =
                            if moved == inner { node.parent } else { self.node(moved).parent };
                        grown.copy(self, moved, above);
                    }
                    grown.shift -= i64::from(node.end - kept.end);
                }
            }
            grown.insert(NodeKind::Trivia(SEPARATOR), node.end, edit.behind, parent, NO_NODE);
            at = node.subtree_end;
            next += 1;
        }
        // So far each end is shifted only by the changes before the node's start.
        let mut nodes = grown.nodes;
        for id in (0..nodes.len()).rev() {
            let (parent, end) = (nodes[id].parent.index(), nodes[id].end);
            if id > 0 {
                nodes[parent].end = nodes[parent].end.max(end);
            }
        }
        EditedTree {
            tree: Tree::linked(nodes),
            new_of_old: grown.new_of_old,
            edit_of_new: grown.edit_of_new,
        }
    }
}

/// The nodes of the new tree, in the making.
struct NewNodes {
    /// The nodes so far, in preorder.
    nodes: Vec<Node>,
    new_of_old: Vec<u32>,
    edit_of_new: Vec<u32>,
    /// By how many bytes a place is later than in the old input.
    shift: i64,
}

impl NewNodes {
    /// Copies one node below the (old) node `above`.
    fn copy(&mut self, tree: &Tree, id: NodeId, above: NodeId) {
        let node = tree.node(id);
        let new = self.nodes.len() as u32;
        let parent = NodeId(self.new_of_old[above.index()].min(new));
        self.new_of_old[id.index()] = new;
        let start = (i64::from(node.start) + self.shift) as u32;
        let length = if tree.children(id).is_empty() { node.end - node.start } else { 0 };
        self.push(node.kind, start, length, parent, NO_NODE);
    }

    /// Adds `length` bytes that weren't there, as a leaf.
    fn insert(&mut self, kind: NodeKind, at: u32, length: u32, parent: NodeId, edit: u32) {
        if length > 0 {
            let start = (i64::from(at) + self.shift) as u32;
            self.push(kind, start, length, parent, edit);
            self.shift += i64::from(length);
        }
    }

    /// Adds a node and notes which edit made it.
    fn push(&mut self, kind: NodeKind, start: u32, length: u32, parent: NodeId, edit: u32) {
        let subtree_end = self.nodes.len() as u32 + 1;
        let end = start + length;
        let (first_child, child_count) = (0, 0);
        self.nodes.push(Node { kind, start, end, parent, subtree_end, first_child, child_count });
        self.edit_of_new.push(edit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::trees::builder::TreeBuilder;

    /// `(a(b)c)` as rule 0 around tokens 1, with an inner rule 0.
    fn tree() -> Tree {
        let mut builder = TreeBuilder::new();
        builder.open(NodeKind::Rule { rule: 0, alternative: 0 }, 0);
        builder.leaf(NodeKind::Token(1), 0, 2);
        builder.open(NodeKind::Rule { rule: 0, alternative: 0 }, 2);
        builder.leaf(NodeKind::Token(1), 2, 5);
        builder.close();
        builder.leaf(NodeKind::Token(1), 5, 7);
        builder.close();
        builder.finish(7)
    }

    #[test]
    fn text_takes_a_nodes_place_and_moves_what_is_behind() {
        let edit = |instead| TreeEdit { node: NodeId(3), instead, before: 1, behind: 0 };
        let edited = tree().edited(&[edit(Replacement::Text(2))]);
        assert_eq!(edited.tree.render(b"(a xyc)"), b"(a xyc)");
        assert_eq!(edited.tree.span(NodeId::ROOT), 0..7);
        let inner = NodeId(edited.new_of_old[3]);
        assert_eq!((edited.tree.span(inner), edited.edit_of_new[inner.index()]), (3..5, 0));
        let edited = tree().edited(&[edit(Replacement::Text(0))]);
        assert_eq!((edited.new_of_old[3], edited.new_of_old[4]), (NO_NODE, NO_NODE));
        assert_eq!(edited.tree.render(b"(a c)"), b"(a c)");
    }

    #[test]
    fn a_descendant_takes_a_nodes_place() {
        let instead = Replacement::Descendant(NodeId(3));
        let edit = TreeEdit { node: NodeId(1), instead, before: 0, behind: 0 };
        let edited = tree().edited(&[edit]);
        assert_eq!(edited.tree.len(), 3);
        assert_eq!(edited.new_of_old, [0, NO_NODE, NO_NODE, 1, 2, NO_NODE]);
        assert_eq!(edited.tree.span(NodeId(1)), 0..3);
        assert_eq!(edited.tree.span(NodeId::ROOT), 0..3);
        assert_eq!(edited.tree.children(NodeId::ROOT), [NodeId(1)]);
    }
}
