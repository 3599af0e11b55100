//! Picireny's rule for white space: hidden text between two tokens becomes a newline if one was in
//! it, else a blank. It is kept as long as any part of the following node is kept.
//! (R. Hodován and Á. Kiss: "Modernizing Hierarchical Delta Debugging", A-TEST 2016, section 4.)

use super::shape::{Edit, Shape, With};
use seedsmith_grammar::{NodeId, NodeKind};

impl<'l> Shape<'l> {
    /// The edits that write each stretch of hidden text as a newline or a blank, and none at the
    /// ends.
    pub(crate) fn gaps_anew(&self) -> Vec<Edit<'l>> {
        let mut edits = Vec::new();
        let leaves = self.leaves();
        let mut at = 0;
        for stretch in leaves.chunk_by(|one, next| one.is_seen == next.is_seen) {
            let (first, behind) = (at, at + stretch.len());
            at = behind;
            if stretch[0].is_seen {
                continue;
            }
            let has_newline = stretch.iter().any(|leaf| self.text(leaf.id).contains(&b'\n'));
            let text: &[u8] = match has_newline {
                _ if first == 0 || behind == leaves.len() => b"",
                true => b"\n",
                false => b" ",
            };
            edits.push(Edit { node: stretch[0].id, with: With::Text(text) });
            let rest = stretch[1..].iter();
            edits.extend(rest.map(|leaf| Edit { node: leaf.id, with: With::Text(b"") }));
        }
        edits
    }

    /// The edits (in preorder, none inside another), and the gap before each node of which
    /// they leave nothing.
    pub(super) fn with_gaps(&self, edits: Vec<Edit<'l>>) -> Vec<Edit<'l>> {
        let mut all: Vec<Edit<'l>> = Vec::with_capacity(edits.len());
        for (index, edit) in edits.iter().enumerate() {
            let owner = self.outermost_from(edit.node);
            if self.nothing_stays(owner, &edits[index..]) {
                let behind = all.last().map_or(0, |last| self.tree().node(last.node).subtree_end);
                let gone = self.hidden_before(owner).filter(|id| id.0 >= behind);
                all.extend(gone.map(|node| Edit { node, with: With::Text(b"") }));
            }
            all.push(*edit);
        }
        all
    }

    /// The outermost node that begins where this one does: the gap in front is its own. Of
    /// quantified parts it is the first repetition that has it.
    fn outermost_from(&self, node: NodeId) -> NodeId {
        let tree = self.tree();
        let (mut owner, mut at) = (node, node);
        while let Some(parent) = tree.parent(at)
            && parent != NodeId::ROOT
            && tree.node(parent).start == tree.node(node).start
        {
            at = parent;
            if !matches!(tree.node(at).kind, NodeKind::Quantifier(_)) {
                owner = at;
            }
        }
        owner
    }

    /// Whether the edits, of which the first is in the node, cover it with nothing.
    fn nothing_stays(&self, node: NodeId, edits: &[Edit<'_>]) -> bool {
        let span = self.tree().span(node);
        let mut at = span.start;
        for edit in edits {
            let edited = self.tree().span(edit.node);
            if edit.with != With::Text(b"") || edited.start > self.seen_from(at) {
                return false;
            }
            at = edited.end;
            if self.seen_from(at) >= span.end {
                return true;
            }
        }
        false
    }

    /// Where the first leaf begins that the parser sees, at an offset or after it.
    fn seen_from(&self, offset: usize) -> usize {
        let leaves = self.leaves();
        let first = leaves.partition_point(|leaf| (leaf.start as usize) < offset);
        let seen = leaves[first..].iter().find(|leaf| leaf.is_seen);
        seen.map_or(self.source().len(), |leaf| leaf.start as usize)
    }

    /// The hidden leaves directly before a node, left to right.
    fn hidden_before(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let start = self.tree().node(node).start;
        let leaves = self.leaves();
        let behind = leaves.partition_point(|leaf| leaf.start < start);
        let first = leaves[..behind].iter().rposition(|leaf| leaf.is_seen).map_or(0, |at| at + 1);
        leaves[first..behind].iter().map(|leaf| leaf.id)
    }
}
