//! Graph-structured stacks of return states, shared by number and merged.
//!
//! A stack is a sorted list of ways on: a return state and the stack below it. Number 0 is the
//! empty stack; it can also be one of several ways (then it stands last). Merging joins what is
//! common below, so that sets of stacks stay small. T. Parr, S. Harwell, K. Fisher, "Adaptive
//! LL(*) Parsing" (OOPSLA 2014), section 5.3 and figure 8.

use crate::grammar::hash::Table;

/// The empty stack.
pub const EMPTY: u32 = 0;

/// The return state that stands for the empty stack as one way of several.
pub const AT_END: u32 = u32::MAX;

/// Ways kept at hand.
const RECENT: usize = 4096;

/// No way, as a key: the state of a rule's end is never pushed.
const NO_WAY: u64 = u64::MAX;

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// A way on: the return state, then the stack below.
pub type Way = (u32, u32);

/// All stacks made so far.
#[derive(Clone, Debug)]
pub struct Stacks {
    spans: Vec<(u32, u32)>,
    ways: Vec<Way>,
    singles: Table<u64, u32>,
    /// Some of `singles`, to be found without leaving the processor's cache: the same few are
    /// pushed again and again, a quarter of all time without this.
    recent: Box<[(u64, u32)]>,
    several: Table<Vec<Way>, u32>,
    merged: Table<(u32, u32, bool), u32>,
}

impl Default for Stacks {
    fn default() -> Self {
        Stacks {
            spans: vec![(0, 1)],
            ways: vec![(AT_END, EMPTY)],
            singles: Table::default(),
            recent: vec![(NO_WAY, EMPTY); RECENT].into(),
            several: Table::default(),
            merged: Table::default(),
        }
    }
}

struct Merge {
    left: u32,
    right: u32,
    left_at: usize,
    right_at: usize,
    ways: Vec<Way>,
}

impl Stacks {
    /// A measure of the memory held.
    pub fn size(&self) -> usize {
        self.ways.len() + self.merged.len()
    }

    /// The ways on, by ascending return state; the empty stack has the one way [`AT_END`].
    pub fn ways(&self, stack: u32) -> &[Way] {
        let (start, length) = self.spans[stack as usize];
        &self.ways[start as usize..][..length as usize]
    }

    /// Whether the empty stack is one of the ways.
    pub fn can_be_empty(&self, stack: u32) -> bool {
        self.ways(stack).last().is_some_and(|&(state, _)| state == AT_END)
    }

    /// `below` with `state` on top.
    pub fn push(&mut self, below: u32, state: u32) -> u32 {
        let key = u64::from(state) << 32 | u64::from(below);
        let place = (key.wrapping_mul(FACTOR) >> 48) as usize % RECENT;
        if self.recent[place].0 == key {
            return self.recent[place].1;
        }
        let number = match self.singles.get(&key) {
            Some(&known) => known,
            None => {
                let number = self.add(&[(state, below)]);
                self.singles.insert(key, number);
                number
            }
        };
        self.recent[place] = (key, number);
        number
    }

    /// What is one or the other. With `end_is_any`, the empty stack stands for all stacks, as
    /// in predictions that don't know the caller.
    ///
    /// Takes no stack of the machine's: stacks can be as deep as the input nests.
    pub fn merge(&mut self, left: u32, right: u32, end_is_any: bool) -> u32 {
        if let Some(known) = self.merged_before(left, right, end_is_any) {
            return known;
        }
        let start = |left, right| Merge { left, right, left_at: 0, right_at: 0, ways: Vec::new() };
        let mut todo = vec![start(left, right)];
        loop {
            let Some(merge) = todo.last_mut() else {
                return EMPTY;
            };
            let (left, right) = (merge.left, merge.right);
            let own = self.spans[left as usize];
            let other = self.spans[right as usize];
            let left_way =
                (merge.left_at < own.1 as usize).then(|| self.ways[own.0 as usize + merge.left_at]);
            let right_way = (merge.right_at < other.1 as usize)
                .then(|| self.ways[other.0 as usize + merge.right_at]);
            match (left_way, right_way) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    let Some(below) = self.merged_before(a.1, b.1, end_is_any) else {
                        todo.push(start(a.1, b.1));
                        continue;
                    };
                    merge.ways.push((a.0, below));
                    merge.left_at += 1;
                    merge.right_at += 1;
                }
                (Some(a), Some(b)) if a.0 < b.0 => {
                    merge.ways.push(a);
                    merge.left_at += 1;
                }
                (Some(a), None) => {
                    merge.ways.push(a);
                    merge.left_at += 1;
                }
                (_, Some(b)) => {
                    merge.ways.push(b);
                    merge.right_at += 1;
                }
                (None, None) => {
                    let ways = std::mem::take(&mut merge.ways);
                    let result = self.number_of(ways);
                    self.merged.insert((left.min(right), left.max(right), end_is_any), result);
                    todo.pop();
                    if todo.is_empty() {
                        return result;
                    }
                }
            }
        }
    }

    fn merged_before(&self, left: u32, right: u32, end_is_any: bool) -> Option<u32> {
        if left == right {
            return Some(left);
        }
        if end_is_any && (left == EMPTY || right == EMPTY) {
            return Some(EMPTY);
        }
        self.merged.get(&(left.min(right), left.max(right), end_is_any)).copied()
    }

    fn number_of(&mut self, ways: Vec<Way>) -> u32 {
        match ways.as_slice() {
            [(AT_END, _)] => EMPTY,
            &[(state, below)] => self.push(below, state),
            _ => {
                if let Some(&known) = self.several.get(&ways) {
                    return known;
                }
                let number = self.add(&ways);
                self.several.insert(ways, number);
                number
            }
        }
    }

    fn add(&mut self, ways: &[Way]) -> u32 {
        let number = self.spans.len() as u32;
        self.spans.push((self.ways.len() as u32, ways.len() as u32));
        self.ways.extend_from_slice(ways);
        number
    }
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
        assert_eq!(stacks.ways(both), [(5, low), (7, low)]);
        assert_eq!(stacks.merge(both, a, false), both);
        let other = stacks.push(EMPTY, 2);
        let c = stacks.push(other, 5);
        let joined = stacks.merge(a, c, false);
        let below = stacks.ways(joined)[0].1;
        assert_eq!(stacks.ways(below), [(1, EMPTY), (2, EMPTY)]);
    }

    #[test]
    fn the_empty_stack_is_one_way_or_swallows_all() {
        let mut stacks = Stacks::default();
        let a = stacks.push(EMPTY, 5);
        assert_eq!(stacks.merge(a, EMPTY, true), EMPTY);
        let both = stacks.merge(a, EMPTY, false);
        assert_eq!(stacks.ways(both), [(5, EMPTY), (AT_END, EMPTY)]);
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
        assert_eq!(stacks.ways(both).len(), 1);
    }
}
