//! Closures that were worked out on an unknown stack, kept by state and token.
//!
//! A closure on an unknown stack is independent of the decision and of the rules to go back to, so
//! that every later prediction at the same state and token can build its configurations from it.

use crate::grammar::atn::StateId;
use crate::grammar::atn::parser::{ParserAtn, Role};
use crate::grammar::hash::FixedMap;
use crate::grammar::parser::prediction::stacks::{AT_END, EMPTY, StackLink, Stacks};
use crate::grammar::parser::prediction::walk::ClosureWalk;
use std::ops::Range;

/// The unknown stack among the stacks of one [`CachedClosure`]; the stacks that it lists are
/// numbered from 1.
const BOTTOM: u32 = 0;

/// The closure of one state before one token.
#[derive(Clone, Debug)]
pub(super) struct CachedClosure {
    /// The stacks (indices into the cache's spans), each after those that it is built on.
    pub stacks: Range<u32>,
    /// The states at which the token can be taken (indices into the cache's places).
    pub places: Range<u32>,
    /// Whether the end of the state's rule is reached too.
    pub ends: bool,
    /// A left-recursive loop of the state's own rule that may be entered: that depends on the
    /// stack.
    pub entry: Option<StateId>,
    /// Whether the state is the end of its rule, so that everything found has left the rule.
    pub is_behind: bool,
}

/// The closures found so far, by state and token.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosureCache {
    /// The number of each closure, by its state (high half of the key) and token (low half).
    pub numbers: FixedMap<u64, u32>,
    /// The closures by number.
    pub list: Vec<CachedClosure>,
    /// For each stack the range of its links.
    spans: Vec<Range<u32>>,
    /// Return states and the stacks below, numbered as in their [`CachedClosure`].
    links: Vec<StackLink>,
    /// States, and their stacks, numbered as in their [`CachedClosure`].
    pub places: Vec<(StateId, u32)>,
    /// The memory of the walk that makes a closure: it runs inside another walk.
    pub walk: ClosureWalk,
    /// The stacks of the closure that was built last, on the current stack.
    pub built: Vec<u32>,
    /// Links of the stack that is being built.
    joined: Vec<StackLink>,
}

impl ClosureCache {
    /// A measure of the memory held, in entries.
    pub(super) fn size(&self) -> usize {
        self.places.len() + self.links.len() + 8 * self.list.len()
    }

    /// Keeps the configurations that the walk has found on the empty stack, which is a placeholder
    /// for the unknown one.
    pub(super) fn add(&mut self, atn: &ParserAtn, is_behind: bool, stacks: &Stacks) {
        let (first_stack, first_place) = (self.spans.len() as u32, self.places.len() as u32);
        let mut numbers: FixedMap<u32, u32> = FixedMap::default();
        numbers.insert(EMPTY, BOTTOM);
        let mut ends = false;
        let mut todo = Vec::new();
        for config in &self.walk.set.list {
            let is_stop = atn.states[config.state as usize].role == Role::RuleStop;
            if is_stop && !is_behind {
                ends = true;
                continue;
            }
            // Depth first with an explicit stack: a stack is listed after all stacks below it, so
            // that `build` goes through the list once. Stacks can be as deep as rules nest.
            todo.push(config.stack);
            while let Some(&stack) = todo.last() {
                let missing = |below: &u32| !numbers.contains_key(below);
                let links = stacks.links(stack);
                let before = todo.len();
                todo.extend(links.iter().map(|link| link.1).filter(missing));
                if todo.len() > before {
                    continue;
                }
                todo.pop();
                // Two links can lead to one stack, which was then pushed twice.
                if numbers.contains_key(&stack) {
                    continue;
                }
                let start = self.links.len() as u32;
                self.links.extend(links.iter().map(|&(state, below)| (state, numbers[&below])));
                self.spans.push(start..self.links.len() as u32);
                numbers.insert(stack, self.spans.len() as u32 - first_stack);
            }
            self.places.push((config.state, numbers[&config.stack]));
        }
        self.list.push(CachedClosure {
            stacks: first_stack..self.spans.len() as u32,
            places: first_place..self.places.len() as u32,
            ends,
            entry: self.walk.passed_loop,
            is_behind,
        });
    }

    /// Builds the stacks of a [`CachedClosure`] on `bottom`, into [`ClosureCache::built`].
    pub(super) fn build(
        &mut self,
        spans: Range<u32>,
        bottom: u32,
        end_is_any: bool,
        stacks: &mut Stacks,
    ) {
        self.built.clear();
        self.built.push(bottom);
        for span in &self.spans[spans.start as usize..spans.end as usize] {
            let links = &self.links[span.start as usize..span.end as usize];
            let stack = if let [(state, below)] = *links {
                stacks.push(self.built[below as usize], state)
            } else {
                // A link to the unknown stack itself is the whole of `bottom`, which can have
                // several links: it is merged after the others.
                let own = links.iter().filter(|link| link.0 != AT_END);
                self.joined.clear();
                self.joined.extend(own.map(|&(state, below)| (state, self.built[below as usize])));
                let stack = stacks.with_links(&self.joined);
                if self.joined.len() < links.len() {
                    stacks.merge(stack, bottom, end_is_any)
                } else {
                    stack
                }
            };
            self.built.push(stack);
        }
    }
}
