//! tree-sitter's tree as a flat list of its visible nodes, quick to look things up in.
//!
//! Made by walking with a cursor, so that no nesting is too deep. Comments and other nodes that may
//! occur anywhere ("extras") are kept as one node without children.

use crate::grammar::parser::StopCheck;
use tree_sitter::{Node, Tree};

/// Without a field name.
pub(super) const NO_FIELD: u16 = 0;

/// A visible node.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkeletonNode {
    /// tree-sitter's number of its kind.
    pub kind: u16,
    /// The number of its field name, or [`NO_FIELD`].
    pub field: u16,
    /// Whether it is a rule in the language's grammar, not a text in one.
    pub is_named: bool,
    /// Whether it may be anywhere, as a comment.
    pub is_extra: bool,
    /// Whether the parser found an error here.
    pub is_error: bool,
    /// Whether the parser made it up.
    pub is_missing: bool,
    /// Whether an error is in it or in its subtree.
    pub has_error: bool,
    /// Offset of its first byte.
    pub start: u32,
    /// Offset after its last byte.
    pub end: u32,
    /// The node around it; the root's is itself.
    pub parent: u32,
    /// The outermost node around it (or itself) without an error inside. Without meaning if
    /// `has_error` is set.
    pub anchor: u32,
    /// How many nodes are around it.
    pub depth: u32,
    /// After the last node of its subtree.
    pub subtree_end: u32,
    first_child: u32,
    child_count: u32,
}

impl SkeletonNode {
    /// Whether it becomes a rule's node: it can have children, and they have a meaning.
    pub(super) fn is_rule(&self) -> bool {
        self.is_named && !self.is_extra && !self.is_error && !self.is_missing
    }
}

/// The cost of one node here, in steps of a parser.
///
/// A guess, not measured.
const STEPS_PER_NODE: u32 = 8;

/// All nodes in preorder.
#[derive(Debug)]
pub(super) struct Skeleton {
    /// The nodes.
    items: Vec<SkeletonNode>,
    /// The children of all nodes, those of one node side by side.
    children: Vec<u32>,
}

impl Skeleton {
    /// Of a short text; see [`Skeleton::while_patient`].
    pub(super) fn new(tree: &Tree) -> Self {
        Self::with_stop_check(tree, &mut StopCheck::new(&|| true))
            .expect("that stop_check never ends")
    }

    /// All of the tree's nodes; `None` if the parse must stop.
    pub(super) fn with_stop_check(tree: &Tree, stop_check: &mut StopCheck<'_>) -> Option<Self> {
        let mut items: Vec<SkeletonNode> = Vec::new();
        let mut cursor = tree.walk();
        let mut open: Vec<u32> = Vec::new();
        loop {
            let node = cursor.node();
            let id = items.len() as u32;
            let parent = open.last().copied().unwrap_or(id);
            let field = cursor.field_id().map_or(NO_FIELD, |field| field.get());
            items.push(SkeletonNode { parent, depth: open.len() as u32, ..item(&node, field) });
            let has_error = items[id as usize].has_error;
            let above = items[parent as usize];
            if stop_check.must_stop(STEPS_PER_NODE) {
                return None;
            }
            items[id as usize].anchor =
                if id == parent || above.has_error || has_error { id } else { above.anchor };
            if !is_whole(&node) && cursor.goto_first_child() {
                open.push(id);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Some(Self::linked(items));
                }
                open.pop();
            }
        }
    }

    /// Fills in where subtrees end and which nodes are children of which.
    fn linked(mut items: Vec<SkeletonNode>) -> Self {
        for at in (0..items.len()).rev() {
            let (parent, end) =
                (items[at].parent as usize, items[at].subtree_end.max(at as u32 + 1));
            items[at].subtree_end = end;
            if at > 0 {
                items[parent].subtree_end = items[parent].subtree_end.max(end);
                items[parent].child_count += 1;
            }
        }
        let mut next = 0;
        for item in &mut items {
            item.first_child = next;
            next += std::mem::take(&mut item.child_count);
        }
        let mut children = vec![0; next as usize];
        for at in 1..items.len() {
            let parent = items[at].parent as usize;
            let parent = &mut items[parent];
            children[(parent.first_child + parent.child_count) as usize] = at as u32;
            parent.child_count += 1;
        }
        Skeleton { items, children }
    }

    /// How many nodes there are; at least the root.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// A node by number; 0 is the root.
    pub(super) fn item(&self, at: u32) -> &SkeletonNode {
        &self.items[at as usize]
    }

    /// Bytes that stand right in an error, and one for each error and each token that is missing.
    pub(super) fn misfits(&self, input: &[u8]) -> usize {
        let all = (0..self.len() as u32).map(|at| match self.item(at) {
            item if item.is_error => 1 + self.loose_bytes(at, input),
            item => usize::from(item.is_missing),
        });
        all.sum()
    }

    /// Bytes of a node, without white space, that are in none of its children that have a structure
    /// themselves.
    pub(super) fn loose_bytes(&self, at: u32, input: &[u8]) -> usize {
        let item = self.item(at);
        let seen = |from: u32, to: u32| {
            input[from as usize..to as usize].iter().filter(|b| !b.is_ascii_whitespace()).count()
        };
        let (mut loose, mut from) = (0, item.start);
        for &child in self.children(at) {
            let inner = self.item(child);
            if inner.is_error || inner.is_extra || !self.children(child).is_empty() {
                loose += seen(from, inner.start.max(from));
                from = inner.end;
            }
        }
        loose + seen(from, item.end.max(from))
    }

    /// The children, left to right.
    pub(super) fn children(&self, at: u32) -> &[u32] {
        let item = self.item(at);
        &self.children[item.first_child as usize..][..item.child_count as usize]
    }
}

/// Whether the nodes inside are ignored.
fn is_whole(node: &Node<'_>) -> bool {
    node.is_extra() && !node.is_error()
}

/// The skeleton's entry for a node; the fields about other nodes are filled in later.
fn item(node: &Node<'_>, field: u16) -> SkeletonNode {
    SkeletonNode {
        kind: node.kind_id(),
        field,
        is_named: node.is_named(),
        is_extra: is_whole(node),
        is_error: node.is_error(),
        is_missing: node.is_missing(),
        has_error: node.has_error(),
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
        parent: 0,
        anchor: 0,
        depth: 0,
        subtree_end: 0,
        first_child: 0,
        child_count: 0,
    }
}
