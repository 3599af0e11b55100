//! Asks the parser whether a piece of the input can be deleted.
//!
//! A piece can be deleted if the bytes that remain still parse: the node around it is still there,
//! of the same kind, and there is no new error. Results are kept by the context of the piece (its
//! kinds, its neighbours' kinds, the kind of the node around it): a refusal holds for all pieces in
//! the same context; an approval is checked for each as long as the allowance lasts, and then holds
//! for the others too.

use super::excerpt::{Excerpt, ParsedText};
use super::skeleton::{Skeleton, SkeletonNode};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tree_sitter::{Language, Node, Tree};

/// The total cost of the trials of one input, at most, in the units of [`cost`].
///
/// A guess, not measured. It bounds the cost of a large input; a small one tries everything.
const MAX_TRIAL_COST: u64 = 60_000_000;

/// The cost of trying pieces again, at most, whose context is that of a piece that can be deleted.
/// A guess, not measured.
const MAX_REPEATED_TRIAL_COST: u64 = 4_000_000;

/// The limit of one repeated parse, in hundreds of steps.
///
/// A guess, not measured: a parse again takes few steps unless the piece was needed.
const REPARSE_EFFORT: u64 = 2_000;

/// How far a node's new place is looked for outwards: nodes around it that cover the same bytes.
///
/// A guess, not measured: nodes with the same bytes as their parent are few in a row.
const MAX_ANCESTORS: usize = 16;

/// No neighbour on this side.
const EDGE: u16 = u16::MAX - 1;

/// The results of the trials, by context.
pub(super) type TrialResults = BTreeMap<PieceContext, bool>;

/// The context of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PieceContext {
    /// The kind of the node around it.
    parent: u16,
    /// The kind of the node before it, or [`EDGE`].
    before: u16,
    /// The kind of the node after it, or [`EDGE`].
    after: u16,
    /// The field of its first node.
    field: u16,
    /// The kind of its first node.
    first: u16,
    /// The kind of its last node.
    last: u16,
    /// How many nodes, up to three: more of a list look alike.
    count: u16,
}

/// Questions about one input.
pub(super) struct Trials<'a> {
    language: &'a Language,
    /// The whole input.
    whole: ParsedText<'a>,
    /// The piece of the input that was looked at last on its own.
    excerpt: Option<Excerpt<'a>>,
    /// Kinds of nodes whose text is no whole input.
    dependent: BTreeSet<u16>,
    /// The answers so far.
    known: TrialResults,
    /// The cost that trials may still have.
    left: u64,
    /// The cost that repeated trials may still have, of pieces whose context is that of a piece
    /// that can be deleted.
    left_again: u64,
}

/// A list of a thousand nodes is visited one by one, and all nodes around it are built again.
///
/// `length` in bytes, `depth` in nodes around.
fn cost(length: usize, depth: u32) -> u64 {
    1_000 + length as u64 + 200 * u64::from(depth)
}

impl<'a> Trials<'a> {
    /// Questions to the parser; `known` are answers from another input, which aren't asked for
    /// again.
    pub(super) fn new(
        language: &'a Language,
        whole: ParsedText<'a>,
        known: Option<TrialResults>,
    ) -> Self {
        Trials {
            language,
            whole,
            excerpt: None,
            dependent: BTreeSet::new(),
            left: MAX_TRIAL_COST,
            left_again: if known.is_some() { 0 } else { MAX_REPEATED_TRIAL_COST },
            known: known.unwrap_or_default(),
        }
    }

    /// The results of the trials.
    pub(super) fn into_known(self) -> TrialResults {
        self.known
    }

    /// The nodes of the whole input.
    pub(super) fn skeleton(&self) -> &Skeleton {
        &self.whole.skeleton
    }

    /// Whether the children `cut` of `parent` (places in `solid`, which lists its children that
    /// aren't comments) can vanish together. If errors prevent a trial, the result for pieces in
    /// the same context counts, else `otherwise`.
    pub(super) fn may_vanish(
        &mut self,
        parent: u32,
        solid: &[u32],
        cut: Range<usize>,
        otherwise: bool,
    ) -> bool {
        let skeleton = &self.whole.skeleton;
        let kind_at = |at: Option<usize>| {
            at.and_then(|at| solid.get(at)).map_or(EDGE, |&child| skeleton.item(child).kind)
        };
        let (first, last) = (skeleton.item(solid[cut.start]), skeleton.item(solid[cut.end - 1]));
        let around = *skeleton.item(parent);
        let look = PieceContext {
            parent: around.kind,
            before: kind_at(cut.start.checked_sub(1)),
            after: kind_at(Some(cut.end)),
            field: first.field,
            first: first.kind,
            last: last.kind,
            count: cut.len().min(3) as u16,
        };
        let known = self.known.get(&look).copied();
        if around.has_error {
            return known.unwrap_or(otherwise);
        }
        if known == Some(false) {
            return false;
        }
        // This check comes before an excerpt is made, which would be of no use without an allowance
        // for another trial.
        if known == Some(true) && self.left_again < cost(0, 0) {
            return true;
        }
        let bytes = first.start as usize..last.end as usize;
        let kept = solid[..cut.start].first().or(solid.get(cut.end)).map(|&child| {
            let last = solid[cut.end..].last().or(solid[..cut.start].last());
            let end = last.map_or(child, |&last| last);
            skeleton.item(child).start..skeleton.item(end).end
        });
        let cut = TrialCut { node: parent, bytes, kept };
        self.find_ground(parent);
        let (ground, cut) = match &mut self.excerpt {
            Some(excerpt) if excerpt.holds(parent) => {
                let moved = cut.moved(excerpt.node_shift, excerpt.byte_shift);
                (&mut excerpt.ground, moved)
            }
            _ => (&mut self.whole, cut),
        };
        if ground.skeleton.item(0).has_error && ground.source.input().len() > Excerpt::MAX_BYTES {
            // Every attempt would recover from all the errors once more.
            return known.unwrap_or(otherwise);
        }
        let depth = ground.skeleton.item(cut.node).depth;
        let purse = if known.is_some() { &mut self.left_again } else { &mut self.left };
        let Some(left) = purse.checked_sub(cost(ground.source.input().len(), depth)) else {
            return known.unwrap_or(false);
        };
        *purse = left;
        let may = cut.holds(ground);
        self.known.insert(look, may);
        may
    }

    /// Makes an excerpt with the node, if there is one and that is worth while.
    fn find_ground(&mut self, node: u32) {
        if self.whole.source.input().len() <= Excerpt::MAX_BYTES
            || self.excerpt.as_ref().is_some_and(|excerpt| excerpt.holds(node))
        {
            return;
        }
        self.excerpt = None;
        let skeleton = &self.whole.skeleton;
        // From the outermost node that is short enough inwards.
        let mut around = vec![node];
        let mut at = node;
        while skeleton.item(at).parent != at {
            at = skeleton.item(at).parent;
            let item = skeleton.item(at);
            if (item.end - item.start) as usize > Excerpt::MAX_BYTES {
                break;
            }
            around.push(at);
        }
        for &at in around.iter().rev() {
            let item = skeleton.item(at);
            let is_long = (item.end - item.start) as usize > Excerpt::MAX_BYTES;
            if is_long || self.dependent.contains(&item.kind) {
                continue;
            }
            let Some(left) = self.left.checked_sub(u64::from(item.end - item.start)) else {
                return;
            };
            self.left = left;
            self.excerpt = Excerpt::new(self.language, &self.whole, at);
            if self.excerpt.is_some() {
                return;
            }
            self.dependent.insert(item.kind);
        }
    }

    /// Whether a leaf with this text would still be of the same kind.
    ///
    /// Costs a parse of the input, or of an excerpt of it.
    pub(super) fn may_read(&mut self, leaf: u32, text: &[u8]) -> bool {
        self.find_ground(leaf);
        let (ground, leaf) = match &mut self.excerpt {
            Some(excerpt) if excerpt.holds(leaf) => {
                let leaf = (i64::from(leaf) - excerpt.node_shift) as u32;
                (&mut excerpt.ground, leaf)
            }
            _ => (&mut self.whole, leaf),
        };
        let item = *ground.skeleton.item(leaf);
        let cost = cost(ground.source.input().len(), item.depth);
        let Some(left) = self.left.checked_sub(cost) else { return false };
        self.left = left;
        let root = ground.skeleton.item(0);
        let is_hard = root.has_error && ground.source.input().len() > Excerpt::MAX_BYTES;
        if item.has_error || is_hard {
            return false;
        }
        let bytes = item.start as usize..item.end as usize;
        let Some(tree) =
            ground.source.parse_without(&ground.tree, bytes.clone(), text, REPARSE_EFFORT)
        else {
            return false;
        };
        let place = bytes.start..bytes.start + text.len();
        let same = |node: Node<'_>| node.kind_id() == item.kind && node.byte_range() == place;
        chain(&tree, place.clone()).into_iter().any(same)
            && is_sound(&ground.skeleton, &tree, &item, &bytes, text.len(), None)
    }
}

/// A piece to be cut out of a node.
struct TrialCut {
    /// The node that the piece is cut out of.
    node: u32,
    /// The bytes that are cut.
    bytes: Range<usize>,
    /// The node's children that remain, in positions of the original.
    kept: Option<Range<u32>>,
}

impl TrialCut {
    /// The same in an excerpt.
    fn moved(self, nodes: i64, bytes: u32) -> TrialCut {
        let shift = bytes as usize;
        TrialCut {
            node: (i64::from(self.node) - nodes) as u32,
            bytes: self.bytes.start - shift..self.bytes.end - shift,
            kept: self.kept.map(|kept| kept.start - bytes..kept.end - bytes),
        }
    }

    /// Whether, without it, the node is still there and no error came up.
    fn holds(&self, ground: &mut ParsedText<'_>) -> bool {
        let item = *ground.skeleton.item(self.node);
        let cut = &self.bytes;
        if self.kept.is_none() && item.depth > 0 {
            return false;
        }
        let Some(tree) =
            ground.source.parse_without(&ground.tree, cut.clone(), b"", REPARSE_EFFORT)
        else {
            return false;
        };
        if !is_sound(&ground.skeleton, &tree, &item, cut, 0, self.kept.as_ref()) {
            return false;
        }
        let Some(kept) = &self.kept else { return true };
        if item.depth == 0 {
            return tree.root_node().kind_id() == item.kind;
        }
        let moved = |offset: u32| moved(offset as usize, cut, 0);
        let (start, end) = (item.start as usize, moved(item.end));
        chain(&tree, moved(kept.start)..moved(kept.end)).into_iter().any(|node| {
            let keeps_start = cut.start <= start || node.start_byte() == start;
            let keeps_end = cut.end >= item.end as usize || node.end_byte() == end;
            node.kind_id() == item.kind
                && keeps_start
                && keeps_end
                && node.start_byte() >= start
                && node.end_byte() <= end
        })
    }
}

/// Whether the outermost sound node around `item` is still one without an error.
fn is_sound(
    skeleton: &Skeleton,
    tree: &Tree,
    item: &SkeletonNode,
    cut: &Range<usize>,
    put: usize,
    kept: Option<&Range<u32>>,
) -> bool {
    let anchor = skeleton.item(item.anchor);
    if anchor.depth == 0 {
        return !tree.root_node().has_error();
    }
    // If the piece was at the anchor's edge, the edge of the remaining children counts instead.
    let start = match kept {
        Some(kept) if anchor.start as usize >= cut.start => kept.start,
        _ => anchor.start,
    };
    let end = match kept {
        Some(kept) if anchor.end as usize <= cut.end => kept.end,
        _ => anchor.end,
    };
    let place = moved(start as usize, cut, put)..moved(end as usize, cut, put);
    chain(tree, place).into_iter().any(|node| node.kind_id() == anchor.kind && !node.has_error())
}

/// Where an offset comes to lie when `put` bytes are in the place of `cut`.
fn moved(offset: usize, cut: &Range<usize>, put: usize) -> usize {
    if offset >= cut.end { offset - cut.len() + put } else { offset }
}

/// The smallest node over these bytes and those around it, innermost first.
fn chain(tree: &Tree, bytes: Range<usize>) -> Vec<Node<'_>> {
    let smallest = tree.root_node().descendant_for_byte_range(bytes.start, bytes.end);
    std::iter::successors(smallest, |node| node.parent()).take(MAX_ANCESTORS).collect()
}
