//! Grows a [`Tree`] while an input is read.
//!
//! Nodes are opened and closed as a parser enters and leaves rules; hidden text at the end of a
//! node is moved after the node, so that a node's span does not end with hidden text. Children are
//! linked lists while the tree grows, since a node's children are not known together; the finished
//! [`Tree`] has them side by side.

use crate::structure::trees::tree::{Node, NodeId, NodeKind, Tree};
use std::fmt;

/// No node.
const NONE: u32 = u32::MAX;

/// A node of the tree that is being built.
#[derive(Clone, Copy)]
struct Draft {
    /// Its kind.
    kind: NodeKind,
    /// Offset of its first byte.
    start: u32,
    /// Offset after its last byte, once it is closed.
    end: u32,
    /// Its first child, or [`NONE`].
    first_child: u32,
    /// Its last child, or [`NONE`].
    last_child: u32,
    /// The child of its parent that comes after it, or [`NONE`].
    next_sibling: u32,
}

/// Grows a tree from the left; nodes are opened, filled and closed like brackets.
///
/// A left-recursive rule puts a new node around the children of the open node
/// ([`TreeBuilder::wrap`]), in constant time.
pub struct TreeBuilder {
    /// All nodes, in the order in which they were opened.
    drafts: Vec<Draft>,
    /// The nodes that are open, the root first.
    open: Vec<u32>,
}

impl fmt::Debug for TreeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TreeBuilder({} nodes, {} open)", self.drafts.len(), self.open.len())
    }
}

impl Default for TreeBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl TreeBuilder {
    /// A builder in which only the root is open.
    pub fn new() -> Self {
        let mut builder = TreeBuilder { drafts: Vec::new(), open: Vec::new() };
        builder.open(NodeKind::Root, 0);
        builder
    }

    /// How many nodes are open, the root included.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The kind of the innermost open node.
    pub fn top(&self) -> NodeKind {
        self.drafts[self.top_index()].kind
    }

    /// Opens a node at byte `start`.
    pub fn open(&mut self, kind: NodeKind, start: u32) {
        let id = self.attach(kind, start, start);
        self.open.push(id);
    }

    /// Closes the innermost open node after its last child. Hidden leaves at its end, with at most
    /// empty nodes between and after them, move out of it. The root stays open.
    pub fn close(&mut self) {
        if self.open.len() < 2 {
            return;
        }
        let id = self.top_index();
        let hidden = self.trim(id);
        self.open.pop();
        let parent = self.top_index();
        for leaf in hidden {
            self.append(parent, leaf);
        }
    }

    /// Takes the hidden leaves at a node's end out of it and sets where it ends.
    fn trim(&mut self, id: usize) -> Vec<u32> {
        let mut solid = NONE;
        let mut child = self.drafts[id].first_child;
        while child != NONE {
            let draft = &self.drafts[child as usize];
            let is_token = matches!(draft.kind, NodeKind::Token(_));
            if is_token || (draft.start != draft.end && !self.is_hidden(child)) {
                solid = child;
            }
            child = draft.next_sibling;
        }
        if solid == NONE {
            let last = self.drafts[id].last_child;
            let start = self.drafts[id].start;
            let end = if last == NONE { start } else { self.drafts[last as usize].end };
            self.drafts[id].end = end.max(start);
            return Vec::new();
        }
        let end = self.drafts[solid as usize].end;
        let mut child = std::mem::replace(&mut self.drafts[solid as usize].next_sibling, NONE);
        self.drafts[id].last_child = solid;
        self.drafts[id].end = end;
        let mut hidden = Vec::new();
        while child != NONE {
            let next = self.drafts[child as usize].next_sibling;
            if self.is_hidden(child) {
                hidden.push(child);
            } else {
                self.append(id, child);
                self.move_empty(child, end);
            }
            child = next;
        }
        hidden
    }

    /// Whether a node is hidden text, or bytes that no lexer rule took.
    fn is_hidden(&self, id: u32) -> bool {
        let draft = &self.drafts[id as usize];
        match draft.kind {
            NodeKind::Trivia(_) => true,
            NodeKind::Error => draft.first_child == NONE,
            _ => false,
        }
    }

    /// Puts an empty subtree at another place.
    fn move_empty(&mut self, id: u32, to: u32) {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let draft = &mut self.drafts[id as usize];
            if draft.start == to {
                continue;
            }
            (draft.start, draft.end) = (to, to);
            let mut child = draft.first_child;
            while child != NONE {
                todo.push(child);
                child = self.drafts[child as usize].next_sibling;
            }
        }
    }

    /// Makes a node the last child of another.
    fn append(&mut self, parent: usize, id: u32) {
        self.drafts[id as usize].next_sibling = NONE;
        let last = std::mem::replace(&mut self.drafts[parent].last_child, id);
        if last == NONE {
            self.drafts[parent].first_child = id;
        } else {
            self.drafts[last as usize].next_sibling = id;
        }
    }

    /// Closes nodes until `depth` are open.
    pub fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth.max(1) {
            self.close();
        }
    }

    /// Adds a leaf to the innermost open node.
    pub fn leaf(&mut self, kind: NodeKind, start: u32, end: u32) {
        self.attach(kind, start, end);
    }

    /// Gives the innermost open node another kind.
    pub fn set_top(&mut self, kind: NodeKind) {
        let id = self.top_index();
        self.drafts[id].kind = kind;
    }

    /// Moves the children of the innermost open node (except hidden leaves at the end) into a new
    /// node of the same kind, which becomes its first child.
    pub fn wrap(&mut self) {
        let id = self.top_index();
        let hidden = self.trim(id);
        let inner = self.drafts.len() as u32;
        let outer = self.drafts[id];
        self.drafts.push(Draft { next_sibling: NONE, ..outer });
        self.drafts[id].first_child = inner;
        self.drafts[id].last_child = inner;
        for leaf in hidden {
            self.append(id, leaf);
        }
    }

    /// Closes everything and lays the nodes out in preorder; the input has `length` bytes.
    ///
    /// An explicit list is used instead of recursion. Cost: once through all nodes.
    pub fn finish(mut self, length: u32) -> Tree {
        self.close_to(1);
        self.drafts[0].end = length;
        let count = self.drafts.len();
        let mut nodes: Vec<Node> = Vec::with_capacity(count);
        // Each entry: a draft that has no place yet and the node above it.
        let mut todo: Vec<(u32, NodeId)> = vec![(0, NodeId::ROOT)];
        while let Some((draft_id, parent)) = todo.pop() {
            let draft = self.drafts[draft_id as usize];
            let id = NodeId(nodes.len() as u32);
            nodes.push(Node {
                kind: draft.kind,
                start: draft.start,
                end: draft.end,
                parent,
                subtree_end: id.0 + 1,
                first_child: 0,
                child_count: 0,
            });
            if draft.next_sibling != NONE {
                todo.push((draft.next_sibling, parent));
            }
            if draft.first_child != NONE {
                todo.push((draft.first_child, id));
            }
        }
        // They hold half of the memory, and linking takes more.
        drop(self);
        Tree::linked(nodes)
    }

    /// The innermost open node.
    fn top_index(&self) -> usize {
        self.open[self.open.len() - 1] as usize
    }

    /// Adds a node as the last child of the innermost open one, and returns its number.
    fn attach(&mut self, kind: NodeKind, start: u32, end: u32) -> u32 {
        let id = self.drafts.len() as u32;
        let draft =
            Draft { kind, start, end, first_child: NONE, last_child: NONE, next_sibling: NONE };
        self.drafts.push(draft);
        if let Some(&parent) = self.open.last() {
            let last = self.drafts[parent as usize].last_child;
            if last == NONE {
                self.drafts[parent as usize].first_child = id;
            } else {
                self.drafts[last as usize].next_sibling = id;
            }
            self.drafts[parent as usize].last_child = id;
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_puts_what_was_read_one_level_down() {
        let rule = |alternative| NodeKind::Rule { rule: 0, alternative };
        let mut builder = TreeBuilder::new();
        builder.open(rule(0), 0);
        builder.leaf(NodeKind::Token(1), 0, 1);
        builder.wrap();
        builder.set_top(rule(1));
        builder.leaf(NodeKind::Token(2), 1, 2);
        builder.close();
        let tree = builder.finish(2);
        let outer = tree.children(NodeId::ROOT)[0];
        assert_eq!(tree.node(outer).kind, rule(1));
        let inner = tree.children(outer)[0];
        assert_eq!((tree.node(inner).kind, tree.span(inner)), (rule(0), 0..1));
        assert_eq!(tree.render(b"a!"), b"a!");
        assert_eq!(tree.same_rule_ancestor(inner), Some(outer));
    }

    #[test]
    fn a_node_knows_the_iteration_it_stands_in() {
        let mut builder = TreeBuilder::new();
        builder.open(NodeKind::Rule { rule: 0, alternative: 0 }, 0);
        builder.open(NodeKind::Quantifier(7), 0);
        for at in 0..3 {
            builder.open(NodeKind::Iteration, at);
            builder.leaf(NodeKind::Token(1), at, at + 1);
            builder.close();
        }
        let tree = builder.finish(3);
        let leaf = tree.leaves().nth(1).unwrap();
        let (iteration, quantifier) = tree.quantified(leaf).unwrap();
        assert_eq!(tree.span(iteration), 1..2);
        assert_eq!(tree.iterations(quantifier), 3);
        assert_eq!(tree.height(), 4);
    }
}
