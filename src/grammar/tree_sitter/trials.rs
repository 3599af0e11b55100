//! Asks the parser itself whether a piece of the input can go.
//!
//! A piece may vanish if what is left still parses: the node around it is still there, of the
//! same kind, and no error came up. tree-sitter parses again only what changed, so an answer
//! takes some tens of microseconds. Answers are kept by what the piece looks like from outside
//! (its kinds, its neighbours' kinds, the kind of the node around it): a refusal holds for all
//! pieces that look alike; an approval is checked for each as long as the allowance lasts, and
//! then holds for the others too.

use super::skeleton::{Item, Skeleton};
use super::source::Source;
use std::collections::BTreeMap;
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// What all questions of one input may cost, in the units of [`cost`].
const ALLOWANCE: u64 = 4_000_000;

/// What one parse again may take, in hundreds of steps.
const EFFORT: u64 = 2_000;

/// How far a node's new place is looked for outwards: nodes around it that cover the same bytes.
const MAX_CHAIN: usize = 16;

/// No neighbour on this side.
const EDGE: u16 = u16::MAX - 1;

/// How a piece looks from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Look {
    parent: u16,
    before: u16,
    after: u16,
    field: u16,
    first: u16,
    last: u16,
    /// How many nodes, up to three: more of a list look alike.
    count: u16,
}

/// Questions about one input.
pub struct Trials<'a, 's> {
    source: &'a mut Source<'s>,
    tree: &'a Tree,
    skeleton: &'a Skeleton,
    known: BTreeMap<Look, bool>,
    left: u64,
}

/// Some steps for going there, and all nodes around have to be put together anew.
fn cost(depth: u32) -> u64 {
    1_000 + 20 * u64::from(depth)
}

impl<'a, 's> Trials<'a, 's> {
    pub fn new(source: &'a mut Source<'s>, tree: &'a Tree, skeleton: &'a Skeleton) -> Self {
        Trials { source, tree, skeleton, known: BTreeMap::new(), left: ALLOWANCE }
    }

    /// Whether the children `cut` of `parent` (places in `solid`, which lists its children that
    /// aren't comments) can vanish together. Where errors are in the way of trying it out, what
    /// is known of pieces that look alike counts, else `otherwise`.
    pub fn may_vanish(
        &mut self,
        parent: u32,
        solid: &[u32],
        cut: Range<usize>,
        otherwise: bool,
    ) -> bool {
        let skeleton = self.skeleton;
        let kind_at = |at: Option<usize>| {
            at.and_then(|at| solid.get(at)).map_or(EDGE, |&child| skeleton.item(child).kind)
        };
        let (first, last) =
            (skeleton.item(solid[cut.start]), skeleton.item(solid[cut.end - 1]));
        let around = skeleton.item(parent);
        let look = Look {
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
        let Some(left) = self.left.checked_sub(cost(around.depth)) else {
            return known.unwrap_or(false);
        };
        self.left = left;
        let bytes = first.start as usize..last.end as usize;
        let kept = solid[..cut.start].first().or(solid.get(cut.end)).map(|&child| {
            let last = solid[cut.end..].last().or(solid[..cut.start].last());
            let end = last.map_or(child, |&last| last);
            skeleton.item(child).start..skeleton.item(end).end
        });
        let may = self.holds(parent, kept, bytes, b"", EFFORT);
        // One that may not go is rule enough; one that may is only a likelihood.
        self.known.insert(look, may);
        may
    }

    /// Whether a leaf can have another text and stay what it is.
    pub fn may_read(&mut self, leaf: u32, text: &[u8]) -> bool {
        let item = self.skeleton.item(leaf);
        let Some(left) = self.left.checked_sub(cost(item.depth)) else { return false };
        self.left = left;
        if item.has_error || text.is_empty() {
            return false;
        }
        let bytes = item.start as usize..item.end as usize;
        let Some(tree) = self.source.parse_without(self.tree, bytes.clone(), text, EFFORT) else {
            return false;
        };
        let place = bytes.start..bytes.start + text.len();
        let same = |node: Node<'_>| node.kind_id() == item.kind && node.byte_range() == place;
        chain(&tree, place.clone()).into_iter().any(same)
            && self.is_sound(&tree, item, &bytes, text.len(), None)
    }

    /// Whether, with `put` for the bytes `cut`, the node `at` is still there and no error came
    /// up. `kept` is what of its children's bytes stays, in the old counting.
    fn holds(
        &mut self,
        at: u32,
        kept: Option<Range<u32>>,
        cut: Range<usize>,
        put: &[u8],
        effort: u64,
    ) -> bool {
        let skeleton = self.skeleton;
        let item = skeleton.item(at);
        if kept.is_none() && item.depth > 0 {
            return false;
        }
        let Some(tree) = self.source.parse_without(self.tree, cut.clone(), put, effort) else {
            return false;
        };
        if !self.is_sound(&tree, item, &cut, put.len(), kept.as_ref()) {
            return false;
        }
        let Some(kept) = kept else { return true };
        if item.depth == 0 {
            return tree.root_node().kind_id() == item.kind;
        }
        let moved = |offset: u32| moved(offset as usize, &cut, put.len());
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

    /// Whether the outermost sound node around `item` is still one without an error.
    fn is_sound(
        &self,
        tree: &Tree,
        item: &Item,
        cut: &Range<usize>,
        put: usize,
        kept: Option<&Range<u32>>,
    ) -> bool {
        let anchor = self.skeleton.item(item.anchor);
        if anchor.depth == 0 {
            return !tree.root_node().has_error();
        }
        // Where the piece stood at the anchor's own edge, the edge is what stays of the node.
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
}

/// Where an offset comes to lie when `put` bytes stand in the place of `cut`.
fn moved(offset: usize, cut: &Range<usize>, put: usize) -> usize {
    if offset >= cut.end { offset - cut.len() + put } else { offset }
}

/// The smallest node over these bytes and those around it, innermost first.
fn chain(tree: &Tree, bytes: Range<usize>) -> Vec<Node<'_>> {
    let smallest = tree.root_node().descendant_for_byte_range(bytes.start, bytes.end);
    std::iter::successors(smallest, |node| node.parent()).take(MAX_CHAIN).collect()
}
