//! Graph-structured stacks of return states, shared by number and merged.
//!
//! A stack is a sorted list of ways on: a return state and the stack below it. Number 0 is the
//! empty stack; it can also be one of several ways (then it is last). Merging joins the common
//! stacks below, so that sets of stacks stay small. T. Parr, S. Harwell, K. Fisher, "Adaptive LL(*)
//! Parsing" (OOPSLA 2014), section 5.3 and figure 8.

use crate::grammar::hash::FixedMap;
use crate::grammar::lists::ListInterner;

/// The empty stack.
pub(crate) const EMPTY: u32 = 0;

/// The return state that marks the empty stack as one way of several.
pub(crate) const AT_END: u32 = u32::MAX;

/// Recent pushes that are cached.
const RECENT_PUSHES: usize = 4096;

/// No way, as a key: the state of a rule's end is never pushed.
const NO_LINK: u64 = u64::MAX;

/// 2^64 divided by the golden ratio (Knuth, TAOCP 3, section 6.4): it spreads keys that differ in
/// their low bits.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// A way on: the return state, then the stack below.
pub(crate) type StackLink = (u32, u32);

/// All stacks made so far.
#[derive(Clone, Debug)]
pub(crate) struct Stacks {
    /// Each stack's ways on, by its number.
    links: ListInterner<StackLink>,
    /// Some stacks with one way, to be found without leaving the processor's cache: the same few
    /// are pushed again and again, a quarter of all time without this.
    recent: Box<[(u64, u32)]>,
    /// The results of merging two stacks: with the empty stack as itself, and as any.
    merged: [FixedMap<u64, u32>; 2],
    /// Memory that one merge leaves to the next.
    todo: Vec<Merge>,
    joined: Vec<StackLink>,
}

impl Default for Stacks {
    fn default() -> Self {
        let mut links = ListInterner::default();
        let first = links.number_of(&[(AT_END, EMPTY)]);
        debug_assert_eq!(first, EMPTY, "the first list's number is 0");
        Stacks {
            links,
            recent: vec![(NO_LINK, EMPTY); RECENT_PUSHES].into(),
            merged: Default::default(),
            todo: Vec::new(),
            joined: Vec::new(),
        }
    }
}

/// One merge on the way: two stacks, and how far each was read.
#[derive(Clone, Copy, Debug)]
struct Merge {
    left: u32,
    right: u32,
    left_at: usize,
    right_at: usize,
    /// Where its ways begin among those joined.
    from: usize,
}

impl Stacks {
    /// A measure of the memory held.
    pub(crate) fn size(&self) -> usize {
        self.links.item_count() + self.merged[0].len() + self.merged[1].len()
    }

    /// The ways on, by ascending return state; the empty stack has the one way [`AT_END`].
    #[inline]
    pub(crate) fn links(&self, stack: u32) -> &[StackLink] {
        self.links.get(stack)
    }

    /// Whether the empty stack is one of the ways.
    pub(crate) fn can_be_empty(&self, stack: u32) -> bool {
        self.links(stack).last().is_some_and(|&(state, _)| state == AT_END)
    }

    /// `below` with `state` on top.
    #[inline]
    pub(crate) fn push(&mut self, below: u32, state: u32) -> u32 {
        let key = u64::from(state) << 32 | u64::from(below);
        let place = (key.wrapping_mul(FACTOR) >> 48) as usize % RECENT_PUSHES;
        if self.recent[place].0 != key {
            self.recent[place] = (key, self.links.number_of(&[(state, below)]));
        }
        self.recent[place].1
    }

    /// The stack with these ways, of which there is at least one, by ascending return state.
    pub(crate) fn with_links(&mut self, links: &[StackLink]) -> u32 {
        self.links.number_of(links)
    }

    /// The union of two stacks. With `end_is_any`, the empty stack means all stacks, as in
    /// predictions that don't know the caller.
    ///
    /// Does not recurse: stacks can be as deep as the input nests.
    pub(crate) fn merge(&mut self, left: u32, right: u32, end_is_any: bool) -> u32 {
        if let Some(known) = self.merged_before(left, right, end_is_any) {
            return known;
        }
        self.joined.clear();
        self.todo.clear();
        self.todo.push(Merge { left, right, left_at: 0, right_at: 0, from: 0 });
        let mut result = EMPTY;
        while let Some(merge) = self.todo.last_mut() {
            let (left, right) = (merge.left, merge.right);
            let left_link = self.links.get(left).get(merge.left_at).copied();
            let right_link = self.links.get(right).get(merge.right_at).copied();
            match (left_link, right_link) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    // Both have a link to this return state: the stacks below are merged first, and
                    // this pair is looked at again when that result is known.
                    let Some(below) = self.merged_before(a.1, b.1, end_is_any) else {
                        let from = self.joined.len();
                        let (left, right) = (a.1, b.1);
                        self.todo.push(Merge { left, right, left_at: 0, right_at: 0, from });
                        continue;
                    };
                    self.joined.push((a.0, below));
                    if let Some(merge) = self.todo.last_mut() {
                        merge.left_at += 1;
                        merge.right_at += 1;
                    }
                }
                (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                    self.joined.push(a);
                    merge.left_at += 1;
                }
                (_, Some(b)) => {
                    self.joined.push(b);
                    merge.right_at += 1;
                }
                (_, None) => {
                    result = self.links.number_of(&self.joined[merge.from..]);
                    self.joined.truncate(merge.from);
                    self.merged[usize::from(end_is_any)].insert(pair(left, right), result);
                    self.todo.pop();
                }
            }
        }
        result
    }

    /// The result of a merge that needs no work: of equal stacks, with the empty stack, or one that
    /// was made before.
    #[inline]
    fn merged_before(&self, left: u32, right: u32, end_is_any: bool) -> Option<u32> {
        if left == right {
            return Some(left);
        }
        if end_is_any && (left == EMPTY || right == EMPTY) {
            return Some(EMPTY);
        }
        self.merged[usize::from(end_is_any)].get(&pair(left, right)).copied()
    }
}

/// Two stacks, whichever comes first.
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left.min(right)) << 32 | u64::from(left.max(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_joins_what_is_common_below() {
        let mut stacks = Stacks::default();
        let low = stacks.push(EMPTY, 1);
        let (a, b) = (stacks.push(low, 5), stacks.push(low, 7));
        let both = stacks.merge(a, b, false);
        assert_eq!(stacks.links(both), [(5, low), (7, low)]);
        assert_eq!(stacks.merge(both, a, false), both);
        let other = stacks.push(EMPTY, 2);
        let c = stacks.push(other, 5);
        let joined = stacks.merge(a, c, false);
        let below = stacks.links(joined)[0].1;
        assert_eq!(stacks.links(below), [(1, EMPTY), (2, EMPTY)]);
    }

    #[test]
    fn the_empty_stack_is_one_way_or_swallows_all() {
        let mut stacks = Stacks::default();
        let a = stacks.push(EMPTY, 5);
        assert_eq!(stacks.merge(a, EMPTY, true), EMPTY);
        let both = stacks.merge(a, EMPTY, false);
        assert_eq!(stacks.links(both), [(5, EMPTY), (AT_END, EMPTY)]);
        assert!(stacks.can_be_empty(both) && !stacks.can_be_empty(a));
    }

    #[test]
    fn deep_stacks_merge_without_recursion() {
        let mut stacks = Stacks::default();
        let (mut a, mut b) = (stacks.push(EMPTY, 1), stacks.push(EMPTY, 2));
        for _ in 0..200_000 {
            (a, b) = (stacks.push(a, 3), stacks.push(b, 3));
        }
        let both = stacks.merge(a, b, false);
        assert_eq!(stacks.links(both).len(), 1);
    }
}
