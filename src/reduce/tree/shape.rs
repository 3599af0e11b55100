//! The state of a reduction along a tree: the bytes, their tree, and the nodes replaced already.
//!
//! An unchanged shape is the input, byte for byte: white space and comments are kept until a
//! separate step shrinks them. A candidate is the shape with some nodes replaced; writing it copies
//! spans. Accepting one makes the new tree from the old, without parsing.

use std::cell::RefCell;

use super::joints::Joints;
use seedsmith_grammar::Language;
use seedsmith_grammar::internal::Substitutes;
use seedsmith_grammar::internal::order;
use seedsmith_grammar::internal::{NO_NODE, Replacement, TreeEdit};
use seedsmith_grammar::{NodeId, NodeKind, Tree};

/// The replacement of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum With<'l> {
    /// A text; the node isn't tried again.
    Text(&'l [u8]),
    /// A node of the replaced node's subtree.
    Node(NodeId),
}

/// A node and the text that replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edit<'l> {
    /// The node.
    pub node: NodeId,
    /// The replacement of the node.
    pub with: With<'l>,
}

/// A leaf with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Offset of its first byte.
    pub start: u32,
    /// The node.
    pub id: NodeId,
    /// Whether the parser sees it.
    pub is_seen: bool,
    /// Whether a lexer could read it otherwise beside other text.
    is_token: bool,
}

/// Bytes and their tree, on the way down.
#[derive(Debug)]
pub(crate) struct Shape<'l> {
    substitutes: &'l Substitutes,
    source: Vec<u8>,
    tree: Tree,
    is_settled: Vec<bool>,
    /// For each rule node, the rule that its place requires.
    slots: Vec<u32>,
    leaves: Vec<Leaf>,
    /// For each byte its leaf: every seam of every candidate asks for two.
    leaf_of: Vec<u32>,
    /// Whether a dropped node takes the hidden text before it along.
    drops_gaps: bool,
    /// Of each of the tree's languages.
    joints: RefCell<Vec<Joints>>,
    /// The shortest hidden text of each.
    separators: Vec<&'l [u8]>,
}

/// A part of a rendering.
enum Part<'p> {
    Bytes(&'p [u8]),
    /// White space after the edit of that index.
    SeparatorBehind(usize),
    /// White space before the edit of that index.
    SeparatorBefore(usize),
}

impl<'l> Shape<'l> {
    /// The shape of bytes and the tree that the language's parser gave for them.
    pub(crate) fn new(
        substitutes: &'l Substitutes,
        parser: Language,
        source: Vec<u8>,
        tree: Tree,
    ) -> Self {
        let slots = tree.ids().map(|id| tree.rule(id).unwrap_or(NO_NODE)).collect();
        let mut shape = Shape {
            substitutes,
            is_settled: vec![false; tree.len()],
            slots,
            leaves: Vec::new(),
            leaf_of: Vec::new(),
            drops_gaps: false,
            joints: RefCell::new(
                std::iter::once(parser)
                    .chain(substitutes.languages().skip(1).map(Substitutes::parser))
                    .map(Joints::new)
                    .collect(),
            ),
            separators: substitutes.languages().map(Substitutes::separator).collect(),
            source,
            tree,
        };
        shape.find_leaves();
        shape
    }

    /// From now on a dropped node takes the hidden text before it along.
    pub(crate) fn drop_gaps_too(&mut self) {
        self.drops_gaps = true;
    }

    /// Whether it does so.
    pub(super) fn takes_gaps_along(&self) -> bool {
        self.drops_gaps
    }

    /// The leaves with bytes, in order.
    pub(super) fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The replacements for parts of the input.
    pub(crate) fn substitutes(&self) -> &'l Substitutes {
        self.substitutes
    }

    /// The bytes as they are now.
    pub(crate) fn source(&self) -> &[u8] {
        &self.source
    }

    /// Their tree.
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The bytes of a node.
    pub(crate) fn text(&self, id: NodeId) -> &[u8] {
        &self.source[self.tree.span(id)]
    }

    /// The rule that the node's place requires; it is the node's rule until the node is replaced.
    pub(crate) fn slot(&self, id: NodeId) -> Option<u32> {
        Some(self.slots[id.index()]).filter(|&slot| slot != NO_NODE)
    }

    /// The simplest text that may replace the node.
    pub(crate) fn replacement(&self, id: NodeId) -> &'l [u8] {
        match (self.slot(id), self.tree.node(id).kind) {
            (Some(rule), NodeKind::Rule { alternative, .. }) => {
                self.substitutes.text_of(NodeKind::Rule { rule, alternative })
            }
            (_, kind) => self.substitutes.text_of(kind),
        }
    }

    /// Whether the node was replaced by a text already.
    pub(crate) fn is_settled(&self, id: NodeId) -> bool {
        self.is_settled[id.index()]
    }

    /// Whether replacing the node by its least text could help: it has bytes that the parser
    /// sees, wasn't replaced before, and the text is simpler than it.
    pub(crate) fn can_go(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        !matches!(
            node.kind,
            NodeKind::Root | NodeKind::Trivia(_) | NodeKind::Missing(_) | NodeKind::Fixed
        ) && node.start < node.end
            && !self.is_settled(id)
            && order::is_simpler(self.replacement(id), self.text(id))
    }

    /// The edits that drop these nodes (in preorder, none inside another): each is replaced by
    /// its least text, iterations by nothing while enough of them stay.
    pub(crate) fn drop_nodes(&self, nodes: &[NodeId]) -> Vec<Edit<'l>> {
        let mut edits: Vec<Edit<'l>> = nodes
            .iter()
            .map(|&node| Edit { node, with: With::Text(self.replacement(node)) })
            .collect();
        let mut at = 0;
        while at < nodes.len() {
            let parent = self.tree.node(nodes[at]).parent;
            let needed = match self.tree.node(parent).kind {
                NodeKind::Quantifier(id) if self.substitutes.needs_one(id) => id,
                _ => {
                    at += 1;
                    continue;
                }
            };
            let is_sibling = |id: &&NodeId| self.tree.node(**id).parent == parent;
            let behind = at + nodes[at..].iter().take_while(is_sibling).count();
            // There is hidden text between the iterations.
            let is_iteration = |at: &usize| self.tree.node(nodes[*at]).kind == NodeKind::Iteration;
            let mut dropped = (at..behind).filter(is_iteration);
            if let Some(first) = dropped.next()
                && dropped.count() + 1 == self.tree.iterations(parent)
            {
                edits[first].with = With::Text(self.substitutes.iteration_text(needed));
            }
            at = behind;
        }
        if self.drops_gaps { self.with_gaps(edits) } else { edits }
    }

    /// Writes the bytes with `edits` (in preorder, none inside another) to `out`.
    pub(crate) fn render(&self, edits: &[Edit<'_>], out: &mut Vec<u8>) {
        self.compose(edits, |part| match part {
            Part::Bytes(bytes) => out.extend_from_slice(bytes),
            Part::SeparatorBefore(edit) | Part::SeparatorBehind(edit) => {
                out.extend_from_slice(self.separator_at(edits[edit].node));
            }
        });
    }

    /// Pieces of text of the input's language one after the other, with a separator where two
    /// would run together.
    pub(crate) fn joined(&self, pieces: &[&[u8]]) -> Vec<u8> {
        let mut joints = self.joints.borrow_mut();
        let mut text = Vec::new();
        let mut last: &[u8] = &[];
        for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
            if joints[0].need_separator(last, piece) {
                text.extend_from_slice(self.substitutes.separator());
            }
            text.extend_from_slice(piece);
            last = piece;
        }
        text
    }

    /// Makes `edits` the state. For each old node its index in the new tree, or [`NO_NODE`].
    pub(crate) fn accept(&mut self, edits: &[Edit<'_>]) -> Vec<u32> {
        let mut tree_edits: Vec<TreeEdit> = edits
            .iter()
            .map(|edit| {
                let instead = match edit.with {
                    With::Text(text) => Replacement::Text(text.len() as u32),
                    With::Node(inner) => Replacement::Descendant(inner),
                };
                TreeEdit { node: edit.node, instead, before: 0, behind: 0 }
            })
            .collect();
        let mut source = Vec::with_capacity(self.source.len());
        self.compose(edits, |part| match part {
            Part::Bytes(bytes) => source.extend_from_slice(bytes),
            Part::SeparatorBefore(edit) => {
                let separator = self.separator_at(edits[edit].node);
                source.extend_from_slice(separator);
                tree_edits[edit].before = separator.len() as u32;
            }
            Part::SeparatorBehind(edit) => {
                let separator = self.separator_at(edits[edit].node);
                source.extend_from_slice(separator);
                tree_edits[edit].behind = separator.len() as u32;
            }
        });
        let edited = self.tree.edited(&tree_edits);
        let mut is_settled = vec![false; edited.tree.len()];
        let mut slots = vec![NO_NODE; edited.tree.len()];
        for (old, &new) in edited.new_of_old.iter().enumerate() {
            if new != NO_NODE {
                slots[new as usize] = self.slots[old];
                is_settled[new as usize] =
                    self.is_settled[old] || edited.edit_of_new[new as usize] != NO_NODE;
            }
        }
        for edit in edits {
            if let With::Node(inner) = edit.with
                && self.slots[edit.node.index()] != NO_NODE
            {
                slots[edited.new_of_old[inner.index()] as usize] = self.slots[edit.node.index()];
            }
        }
        (self.source, self.tree) = (source, edited.tree);
        (self.is_settled, self.slots) = (is_settled, slots);
        self.find_leaves();
        edited.new_of_old
    }

    fn find_leaves(&mut self) {
        let tree = &self.tree;
        let with_bytes = tree.leaves().filter(|&id| !tree.span(id).is_empty());
        self.leaves = with_bytes
            .map(|id| {
                let node = tree.node(id);
                let is_seen = !matches!(node.kind, NodeKind::Trivia(_));
                Leaf {
                    start: node.start,
                    id,
                    is_seen,
                    is_token: is_seen && node.kind != NodeKind::Fixed,
                }
            })
            .collect();
        self.leaf_of.clear();
        for (index, leaf) in self.leaves.iter().enumerate() {
            self.leaf_of.resize(self.tree.span(leaf.id).end, index as u32);
        }
    }

    /// The leaf around a byte: where it starts and ends, and whether it is a token.
    fn leaf_at(&self, offset: usize) -> (usize, usize, bool) {
        let index = self.leaf_of[offset] as usize;
        let leaf = self.leaves[index];
        let end = self.leaves.get(index + 1).map_or(self.source.len(), |next| next.start as usize);
        (leaf.start as usize, end, leaf.is_token)
    }

    /// The token that ends a span of the source; empty if white space does.
    pub(super) fn last_token(&self, start: usize, end: usize) -> &[u8] {
        let (leaf, _, is_token) = self.leaf_at(end - 1);
        if is_token { &self.source[leaf.max(start)..end] } else { &[] }
    }

    /// The token that begins a span of the source; empty if white space does.
    pub(super) fn first_token(&self, start: usize, end: usize) -> &[u8] {
        let (_, leaf, is_token) = self.leaf_at(start);
        if is_token { &self.source[start..leaf.min(end)] } else { &[] }
    }

    /// Which of the tree's languages a node is in.
    fn language_at(&self, mut id: NodeId) -> usize {
        if self.separators.len() == 1 {
            return 0;
        }
        loop {
            match (self.substitutes.language_of(self.tree.node(id).kind), self.tree.parent(id)) {
                (Some(language), _) => return language,
                (None, Some(parent)) => id = parent,
                (None, None) => return 0,
            }
        }
    }

    /// The shortest hidden text of the language that a node is in.
    pub(super) fn separator_at(&self, id: NodeId) -> &'l [u8] {
        self.separators[self.language_at(id)]
    }

    /// Whether something has to be put between two pieces at an edited node.
    pub(super) fn need_separator(&self, id: NodeId, before: &[u8], next: &[u8]) -> bool {
        let language = self.language_at(id);
        !self.separators[language].is_empty()
            && self.joints.borrow_mut()[language].need_separator(before, next)
    }

    fn compose<'p>(&'p self, edits: &'p [Edit<'_>], mut emit: impl FnMut(Part<'p>)) {
        let mut last: &[u8] = &[];
        let mut at = 0;
        for (index, edit) in edits.iter().enumerate() {
            let span = self.tree.span(edit.node);
            if at < span.start {
                let first = self.first_token(at, span.start);
                if index > 0 && self.need_separator(edits[index - 1].node, last, first) {
                    emit(Part::SeparatorBehind(index - 1));
                }
                emit(Part::Bytes(&self.source[at..span.start]));
                last = self.last_token(at, span.start);
            }
            at = span.end;
            let (text, first, end) = match edit.with {
                With::Text(text) => (text, text, text),
                With::Node(inner) => {
                    let kept = self.tree.span(inner);
                    if kept.is_empty() {
                        continue;
                    }
                    let (start, end) = (kept.start, kept.end);
                    let ends = (self.first_token(start, end), self.last_token(start, end));
                    (&self.source[kept], ends.0, ends.1)
                }
            };
            if text.is_empty() {
                continue;
            }
            if self.need_separator(edit.node, last, first) {
                emit(Part::SeparatorBefore(index));
            }
            emit(Part::Bytes(text));
            last = end;
        }
        if at < self.source.len() {
            let end = self.source.len();
            if let Some(edit) = edits.last()
                && self.need_separator(edit.node, last, self.first_token(at, end))
            {
                emit(Part::SeparatorBehind(edits.len() - 1));
            }
            emit(Part::Bytes(&self.source[at..]));
        }
    }
}
