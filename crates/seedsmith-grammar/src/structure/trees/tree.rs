//! The parse tree as a compact arena, every byte of the input inside it.
//!
//! Nodes lie in preorder, so a subtree is a contiguous range of them, and each node knows its
//! children, its parent and its byte span. Rules, tokens and quantifiers are plain numbers here:
//! the tree doesn't know the grammar that gave it. White space, comments, skipped tokens and
//! bytes that no lexer rule took are leaves like all others, so that writing the leaves one
//! after the other gives the input back, byte for byte.

use std::ops::Range;

/// A node of one [`Tree`]: its index in preorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The index as the arena counts it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node. The numbers are those of the grammar that made the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The whole input. Its children: the start rule's node, the hidden text around it, and the
    /// tokens that the start rule left unread (in an [`NodeKind::Error`] node).
    Root,
    /// A rule of the grammar, with the alternative that matched, counted from 0 as written in
    /// the grammar; [`NodeKind::NO_ALTERNATIVE`] where recovery gave up before one was chosen.
    Rule {
        /// The rule's number.
        rule: u32,
        /// The alternative's index.
        alternative: u16,
    },
    /// A token that the parser took. `EOF` is a token of length 0. It is a leaf, unless parts of
    /// its text were parsed by another grammar.
    Token(u32),
    /// A token that the lexer skipped or sent to a hidden channel.
    Trivia(u32),
    /// A run of tokens that recovery skipped (with children) or bytes that no lexer rule
    /// matched (a leaf).
    Error,
    /// A token that recovery conjured up: it has no bytes.
    Missing(u32),
    /// An optional or repeated part. Its children are [`NodeKind::Iteration`] nodes and the hidden
    /// text between them. A part that was left out has no node.
    Quantifier(u32),
    /// One repetition of the quantified part around it.
    Iteration,
    /// Bytes of a token beside the islands in it: they stay as long as the token does.
    Fixed,
}

impl NodeKind {
    /// The alternative of a rule node for which none was chosen.
    pub const NO_ALTERNATIVE: u16 = u16::MAX;
}

/// One node: its kind, the bytes that it covers, and its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The kind of the node.
    pub kind: NodeKind,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
    /// The node around this one; the root is its own parent.
    pub parent: NodeId,
    /// After the last node of this subtree, in preorder.
    pub subtree_end: u32,
    pub(super) first_child: u32,
    pub(super) child_count: u32,
}

/// A parse tree over an input that it doesn't hold.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    children: Vec<NodeId>,
}

impl Tree {
    /// How many nodes there are; never 0 for a tree that a
    /// [`TreeBuilder`](crate::structure::trees::builder::TreeBuilder) finished.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True only for a tree made by `default`.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node itself. Panics if `id` is not of this tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes in preorder.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The direct children, left to right.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        let node = self.node(id);
        &self.children[node.first_child as usize..][..node.child_count as usize]
    }

    /// The nodes of the subtree under `id`, itself first, in preorder.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).subtree_end).map(NodeId)
    }

    /// The bytes of the input that the node covers.
    pub fn span(&self, id: NodeId) -> Range<usize> {
        let node = self.node(id);
        node.start as usize..node.end as usize
    }

    /// The parent, or nothing for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::ROOT).then(|| self.node(id).parent)
    }

    /// The quantified part that the node is in *directly*: the nearest
    /// [`NodeKind::Iteration`] around it (or itself) with no rule node in between, and the
    /// [`NodeKind::Quantifier`] around that.
    pub fn quantified(&self, id: NodeId) -> Option<(NodeId, NodeId)> {
        let mut at = id;
        loop {
            match self.node(at).kind {
                NodeKind::Iteration => return Some((at, self.node(at).parent)),
                NodeKind::Rule { .. } if at != id => return None,
                NodeKind::Root => return None,
                _ => at = self.node(at).parent,
            }
        }
    }

    /// How many iterations the quantifier node has.
    pub fn iterations(&self, quantifier: NodeId) -> usize {
        let is_iteration = |id: &&NodeId| self.node(**id).kind == NodeKind::Iteration;
        self.children(quantifier).iter().filter(is_iteration).count()
    }

    /// The nearest node around `id` that is of the same rule as `id`, if any.
    pub fn same_rule_ancestor(&self, id: NodeId) -> Option<NodeId> {
        let rule = self.rule(id)?;
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            if self.rule(parent) == Some(rule) {
                return Some(parent);
            }
            at = parent;
        }
        None
    }

    /// The rule of a rule node.
    pub fn rule(&self, id: NodeId) -> Option<u32> {
        match self.node(id).kind {
            NodeKind::Rule { rule, .. } => Some(rule),
            _ => None,
        }
    }

    /// The leaves in order: every byte of the input is in exactly one of them.
    pub fn leaves(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.ids().filter(|&id| self.node(id).child_count == 0)
    }

    /// Writes the tree out unchanged: gives `input` back, whatever it is.
    pub fn render(&self, input: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(input.len());
        for leaf in self.leaves() {
            out.extend_from_slice(&input[self.span(leaf)]);
        }
        out
    }

    /// How many bytes lie in [`NodeKind::Error`] nodes.
    pub fn error_bytes(&self) -> usize {
        let mut counted = 0;
        let mut behind = 0;
        for node in self.nodes.iter().filter(|node| node.kind == NodeKind::Error) {
            // Of errors inside each other, the outermost comes first.
            if node.end as usize > behind {
                counted += node.end as usize - behind.max(node.start as usize);
                behind = node.end as usize;
            }
        }
        counted
    }

    /// Longest way from the root to a leaf, counted in edges.
    pub fn height(&self) -> usize {
        let mut depth = vec![0_usize; self.nodes.len()];
        for id in 1..self.nodes.len() {
            depth[id] = depth[self.nodes[id].parent.index()] + 1;
        }
        depth.into_iter().max().unwrap_or(0)
    }
}

impl Tree {
    /// Fills in subtree ends and child lists of nodes in preorder.
    pub(super) fn linked(mut nodes: Vec<Node>) -> Tree {
        for id in (1..nodes.len()).rev() {
            let (parent, end) = (nodes[id].parent.index(), nodes[id].subtree_end);
            nodes[parent].subtree_end = nodes[parent].subtree_end.max(end);
            nodes[parent].child_count += 1;
        }
        let mut next = 0;
        for node in &mut nodes {
            node.first_child = next;
            next += node.child_count;
            node.child_count = 0;
        }
        let mut children = vec![NodeId::ROOT; next as usize];
        for id in 1..nodes.len() {
            let parent = nodes[id].parent.index();
            let parent = &mut nodes[parent];
            children[(parent.first_child + parent.child_count) as usize] = NodeId(id as u32);
            parent.child_count += 1;
        }
        Tree { nodes, children }
    }
}
