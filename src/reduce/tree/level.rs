//! Nodes of which a reducer drops any set, made ready so that writing a candidate copies a few
//! long stretches.
//!
//! ddmin drops neighbours together, and the text for a run of dropped neighbours is a part of the
//! text that remains if all are dropped. So all nodes are dropped once, into a buffer; a candidate
//! alternates parts of that buffer with parts of the source, and only the seams where two of them
//! meet have to be checked. On 10 KB with some 600 nodes on a level that took a candidate from 20
//! µs to about 5. The bytes are those of [`Shape::drop_nodes`] and [`Shape::render`], which a test
//! holds it to.

use std::ops::Range;

use super::shape::Shape;
use seedsmith_grammar::{NodeId, NodeKind};

/// A level's nodes and the text that remains if they are dropped.
pub(super) struct Level<'s, 'l> {
    shape: &'s Shape<'l>,
    nodes: &'s [NodeId],
    /// For each node the neighbours (as indices, both included) that are all repetitions of a part
    /// of which one has to stay; the node alone where there is no such part.
    groups: Vec<(usize, usize)>,
    /// Everything dropped, where of each group something else stays.
    apart: Gone,
    /// Everything dropped, where each group goes as a whole.
    together: Gone,
}

/// The text between two nodes, or the text of a dropped node.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    end: usize,
    /// Bytes of the token that begins it, or 0 if white space does.
    first: usize,
    /// Bytes of the token that ends it.
    last: usize,
}

/// All nodes dropped. Piece `2 i` is before node `i`, piece `2 i + 1` is the node's.
#[derive(Debug, Default)]
struct Gone {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
    /// The next piece that isn't empty, from each on.
    next: Vec<usize>,
    /// The last piece that isn't empty, up to each.
    previous: Vec<usize>,
}

/// The index of no piece, because a list of plain numbers takes half the memory of options.
const NONE: usize = usize::MAX;

impl<'s, 'l> Level<'s, 'l> {
    /// Prepares nodes (in preorder, none inside another). `None` if the text of a node depends on
    /// more than its neighbours.
    ///
    /// Cost: about that of writing one candidate.
    pub(super) fn new(shape: &'s Shape<'l>, nodes: &'s [NodeId]) -> Option<Self> {
        if shape.takes_gaps_along() {
            return None;
        }
        let mut texts: Vec<&'l [u8]> = nodes.iter().map(|&node| shape.replacement(node)).collect();
        let apart = Gone::new(shape, nodes, &texts);
        let tree = shape.tree();
        let mut groups: Vec<(usize, usize)> = (0..nodes.len()).map(|at| (at, at)).collect();
        let mut has_groups = false;
        let mut at = 0;
        for siblings in
            nodes.chunk_by(|&one, &next| tree.node(one).parent == tree.node(next).parent)
        {
            let (first, behind) = (at, at + siblings.len());
            at = behind;
            let parent = tree.node(siblings[0]).parent;
            let NodeKind::Quantifier(id) = tree.node(parent).kind else { continue };
            if !shape.substitutes().needs_one(id) {
                continue;
            }
            if siblings.iter().any(|&node| tree.node(node).kind != NodeKind::Iteration) {
                return None;
            }
            if siblings.len() == tree.iterations(parent) {
                groups[first..behind].fill((first, behind - 1));
                texts[first] = shape.substitutes().iteration_text(id);
                has_groups = true;
            }
        }
        let together = if has_groups { Gone::new(shape, nodes, &texts) } else { Gone::default() };
        Some(Level { shape, nodes, groups, apart, together })
    }

    /// Writes the source with all nodes dropped but those of the indices in `kept` (ascending).
    pub(super) fn render(&self, kept: &[u32], out: &mut Vec<u8>) {
        let mut writer = Writer { level: self, out, last: &[], at: 0, edited: None };
        let mut dropped = 0;
        for &index in kept {
            let index = index as usize;
            if dropped < index {
                writer.drop_run(dropped..index);
            }
            dropped = index + 1;
        }
        if dropped < self.nodes.len() {
            writer.drop_run(dropped..self.nodes.len());
        }
        writer.keep_to(self.shape.source().len());
    }
}

/// A candidate on its way.
struct Writer<'w, 's, 'l> {
    level: &'w Level<'s, 'l>,
    out: &'w mut Vec<u8>,
    /// The last token that was written.
    last: &'w [u8],
    /// The offset up to which the source has been copied or dropped.
    at: usize,
    /// The last node that was dropped.
    edited: Option<NodeId>,
}

impl<'w> Writer<'w, '_, '_> {
    /// Copies the source up to an offset.
    fn keep_to(&mut self, end: usize) {
        let shape = self.level.shape;
        if self.at < end {
            if let Some(node) = self.edited {
                self.part(node, shape.first_token(self.at, end));
            }
            self.out.extend_from_slice(&shape.source()[self.at..end]);
            self.last = shape.last_token(self.at, end);
        }
        self.at = end;
    }

    /// Puts a separator before a token where one is needed beside an edited node.
    fn part(&mut self, node: NodeId, first: &[u8]) {
        if self.level.shape.need_separator(node, self.last, first) {
            self.out.extend_from_slice(self.level.shape.separator_at(node));
        }
    }

    /// Drops nodes side by side.
    fn drop_run(&mut self, run: Range<usize>) {
        let level = self.level;
        self.keep_to(level.shape.tree().span(level.nodes[run.start]).start);
        let last = run.end - 1;
        if level.together.pieces.is_empty() {
            self.drop_pieces(&level.apart, 2 * run.start + 1, 2 * last + 1);
        } else {
            // Of the groups at the two ends something may stay.
            let (first_group, last_group) = (level.groups[run.start], level.groups[last]);
            let whole_from = match first_group.0 < run.start {
                true => (first_group.1 + 1).min(run.end),
                false => run.start,
            };
            let whole_to = match last_group.1 > last {
                true => last_group.0.max(whole_from),
                false => run.end,
            };
            let cuts = [run.start, whole_from, whole_to, run.end];
            let gone = [&level.apart, &level.together, &level.apart];
            for (part, gone) in cuts.windows(2).zip(gone) {
                if part[0] < part[1] {
                    let is_first = usize::from(part[0] == run.start);
                    self.drop_pieces(gone, 2 * part[0] + is_first, 2 * part[1] - 1);
                }
            }
        }
        self.at = level.shape.tree().span(level.nodes[last]).end;
        self.edited = Some(level.nodes[last]);
    }

    /// Copies pieces of the buffer in which all nodes are dropped, both ends included.
    fn drop_pieces(&mut self, gone: &'w Gone, from: usize, to: usize) {
        let Some((from, to)) = gone.filled(from, to) else { return };
        let (first, last) = (gone.pieces[from], gone.pieces[to]);
        self.part(owner(self.level.nodes, from), &gone.bytes[first.start..][..first.first]);
        self.out.extend_from_slice(&gone.bytes[first.start..last.end]);
        self.last = &gone.bytes[last.end - last.last..last.end];
    }
}

/// The node at which a separator before a piece would be put in.
fn owner(nodes: &[NodeId], piece: usize) -> NodeId {
    nodes[piece.saturating_sub(1) / 2]
}

impl Gone {
    /// Drops all nodes, each written as its text.
    fn new(shape: &Shape<'_>, nodes: &[NodeId], texts: &[&[u8]]) -> Self {
        let mut gone = Gone::default();
        let mut last: Range<usize> = 0..0;
        let mut at = 0;
        for (index, (&node, text)) in nodes.iter().zip(texts).enumerate() {
            let span = shape.tree().span(node);
            let between = match index {
                0 => &[],
                _ => &shape.source()[at..span.start],
            };
            let ends = match between.is_empty() {
                true => (0, 0),
                false => (
                    shape.first_token(at, span.start).len(),
                    shape.last_token(at, span.start).len(),
                ),
            };
            at = span.end;
            for (bytes, ends) in [(between, ends), (*text, (text.len(), text.len()))] {
                let first = &bytes[..ends.0];
                let node = owner(nodes, gone.pieces.len());
                if !bytes.is_empty() && shape.need_separator(node, &gone.bytes[last.clone()], first)
                {
                    gone.bytes.extend_from_slice(shape.separator_at(node));
                }
                let start = gone.bytes.len();
                gone.bytes.extend_from_slice(bytes);
                let end = gone.bytes.len();
                if start < end {
                    last = end - ends.1..end;
                }
                gone.pieces.push(Piece { start, end, first: ends.0, last: ends.1 });
            }
        }
        let is_filled = |piece: &Piece| piece.start < piece.end;
        let mut seen = NONE;
        gone.previous.extend(gone.pieces.iter().enumerate().map(|(index, piece)| {
            seen = if is_filled(piece) { index } else { seen };
            seen
        }));
        seen = NONE;
        gone.next.extend(gone.pieces.iter().enumerate().rev().map(|(index, piece)| {
            seen = if is_filled(piece) { index } else { seen };
            seen
        }));
        gone.next.reverse();
        gone
    }

    /// The first and the last piece that aren't empty, of those between two (both included).
    fn filled(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let (first, last) = (self.next[from], self.previous[to]);
        (first != NONE && last != NONE && first <= last).then_some((first, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::tree::tests::{EXPRESSION, LISTS, language, rendered, shape};
    use seedsmith_grammar::Random;

    /// All candidates of a level against [`Shape::drop_nodes`].
    fn hold_to_edits(grammar: &str, input: &str, random: &mut Random) -> usize {
        let language = language(grammar);
        let shape = shape(&language, input.as_bytes());
        let tree = shape.tree();
        let depth = |mut id| {
            let mut depth = 0;
            while let Some(parent) = tree.parent(id) {
                (id, depth) = (parent, depth + 1);
            }
            depth
        };
        let mut compared = 0;
        for level in 1..=tree.height() {
            let nodes: Vec<NodeId> =
                tree.ids().filter(|&id| depth(id) == level && !shape.text(id).is_empty()).collect();
            let Some(ready) = Level::new(&shape, &nodes) else { continue };
            for _ in 0..40 {
                let odds = 1 + random.below(8);
                let kept: Vec<u32> =
                    (0..nodes.len() as u32).filter(|_| random.below(9) >= odds).collect();
                let mut dropped = nodes.clone();
                for index in kept.iter().rev() {
                    dropped.remove(*index as usize);
                }
                let mut written = Vec::new();
                ready.render(&kept, &mut written);
                let by_edits = rendered(&shape, &shape.drop_nodes(&dropped));
                assert_eq!(
                    String::from_utf8_lossy(&written),
                    String::from_utf8_lossy(&by_edits),
                    "level {level} of {input:?} with {kept:?}"
                );
                compared += 1;
            }
        }
        compared
    }

    #[test]
    fn a_level_writes_what_edits_write() {
        const PLUS: &str = "grammar P; s: row+ EOF; row: (ID | N)+ ';'? ; ID: [a-z]+; N: [0-9]+;
            WS: [ \\n]+ -> skip;";
        let mut random = Random::new(7);
        let mut compared = 0;
        for (grammar, input) in [
            (EXPRESSION, "((1+(2*3))/(2-2))+(3*5) - 17*(4+3)"),
            (
                LISTS,
                "[1, 2,[x,y]] let a=[b,(c)]; {[k]{let d=4;}} # c\n let e = f; {let g=h;let i=8;}",
            ),
            (PLUS, "a1b2;c3d;;4e 5\nf;6g"),
            (PLUS, "a b;c1 d2"),
        ] {
            compared += hold_to_edits(grammar, input, &mut random);
        }
        assert!(compared > 500, "{compared}");
    }
}
