//! All configurations that can be reached without a token, and those reached by one.
//!
//! Follows ANTLR's `ParserATNSimulator.closure` and `computeReachSet`, with an explicit stack and a
//! set of visited configurations instead of recursion.

use super::closure_cache::ClosureCache;
use super::configs::{Config, ConfigSet};
use super::stacks::{EMPTY, Stacks};
use super::walk::ClosureWalk;
use crate::grammar::atn::parser::{Label, NONE, ParserAtn, Role};

/// Configurations looked at in one step before the rest is given up.
///
/// A guess, not measured: it ends closures that a grammar makes exponential.
pub(super) const MAX_STEP: u64 = 1 << 20;

/// The kind of closure that is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosureOptions {
    /// The caller is known.
    pub full_context: bool,
    /// Gates of the decision's own rule are noted (or, in full context, tested).
    pub gates: bool,
    /// The precedence that gates are tested against.
    pub precedence: u16,
    /// The rule of a left-recursive loop's decision, or [`NONE`].
    pub loop_rule: u32,
    /// The end of the input was taken: it can be taken again.
    pub at_end: bool,
    /// The next token: configurations that can't take it are left out. (They wouldn't outlive
    /// the next step; with the caller known they are most of all.)
    pub before: Option<u32>,
    /// The empty stack is the bottom of a stack that isn't known.
    pub is_relative: bool,
}

impl Default for ClosureOptions {
    /// After a token, without the caller.
    fn default() -> Self {
        ClosureOptions {
            full_context: false,
            gates: false,
            precedence: 0,
            loop_rule: NONE,
            at_end: false,
            before: None,
            is_relative: false,
        }
    }
}

/// Makes closures over one ATN.
pub(super) struct Closure<'a> {
    /// The ATN that is walked.
    pub atn: &'a ParserAtn,
    /// All stacks.
    pub stacks: &'a mut Stacks,
    /// Memory that is reused.
    pub workspace: &'a mut Workspace,
    /// Configurations looked at so far.
    pub steps: u64,
    /// How many may be; beyond that the rest is left out, and the set is good for nothing.
    pub most: u64,
}

/// Memory that one step passes on to the next, and data that the steps share.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    /// The configurations that took a token, before their closure.
    pub moved: ConfigSet,
    /// The walk of the current closure.
    pub walk: ClosureWalk,
    /// The closures kept so far.
    pub closures: ClosureCache,
}

impl<'a> Closure<'a> {
    /// Looks at `most` configurations at most.
    pub(super) fn new(
        atn: &'a ParserAtn,
        stacks: &'a mut Stacks,
        workspace: &'a mut Workspace,
        most: u64,
    ) -> Self {
        Closure { atn, stacks, workspace, steps: 0, most }
    }

    /// Adds all that is reached from `from` without a token, walking through the ATN.
    ///
    /// Configurations are found in the order of a depth-first walk along the edges, since the first
    /// of two alternatives has to come first in every set.
    pub(super) fn close(&mut self, from: Config, purpose: ClosureOptions) {
        let atn = self.atn;
        let limit = self.most.min(self.steps + MAX_STEP);
        let walk = &mut self.workspace.walk;
        walk.todo.clear();
        walk.todo.push((from, 0));
        while let Some((config, depth)) = walk.todo.pop() {
            if purpose.before.is_some_and(|token| !atn.can_take(config.state, token)) {
                continue;
            }
            let state = &atn.states[config.state as usize];
            // Ways that part meet again at other states than these, and so do all circles.
            if state.role != Role::Basic {
                let seen_as = if purpose.gates { depth.max(-1) } else { 0 };
                if walk.has_seen(config, seen_as) {
                    continue;
                }
            }
            self.steps += 1;
            if self.steps > limit {
                return;
            }
            if state.role == Role::RuleStop {
                if config.stack != EMPTY {
                    walk.go_back(self.stacks, config, depth);
                    continue;
                }
                if purpose.full_context || !state.epsilon_only {
                    walk.set.add(config, self.stacks, purpose.full_context);
                    continue;
                }
                // The caller is not known, so the rule may return to any. Such ways carry
                // `has_left`, by which recovery after a failed prediction recognises finished
                // alternatives.
                for caller in atn.callers[state.rule as usize].iter().rev() {
                    let is_own =
                        purpose.loop_rule != NONE && caller.outermost_return == purpose.loop_rule;
                    let config = Config {
                        state: caller.follow,
                        has_left: true,
                        unfiltered: config.unfiltered || is_own,
                        ..config
                    };
                    walk.todo.push((config, depth - 1));
                }
                continue;
            }
            if !state.epsilon_only {
                walk.set.add(config, self.stacks, purpose.full_context);
            }
            // Backwards: the last one pushed is looked at first, so that edges are followed in
            // their order.
            for (at, edge) in state.edges.iter().enumerate().rev() {
                if at == 0 && state.is_precedence_loop {
                    if purpose.is_relative && config.stack == EMPTY {
                        walk.passed_loop = Some(config.state);
                        continue;
                    }
                    if goes_back_to_loop(atn, self.stacks, &config) {
                        continue;
                    }
                }
                let mut next = Config { state: edge.target, ..config };
                let mut next_depth = depth;
                match edge.label {
                    Label::Epsilon => {}
                    Label::Token(0) if purpose.at_end => {}
                    Label::Token(_) | Label::Set(_) => continue,
                    Label::Rule { follow, .. } => {
                        if purpose.before.is_some_and(|token| !atn.can_take(edge.target, token)) {
                            continue;
                        }
                        next.stack = self.stacks.push(config.stack, follow);
                        // Once the walk has left the decision's rule it never counts as inside it
                        // again.
                        next_depth += i32::from(depth >= 0);
                    }
                    Label::Precedence(least) if purpose.gates && depth == 0 => {
                        if !purpose.full_context {
                            next.gate = config.gate.min(least);
                        } else if least < purpose.precedence {
                            continue;
                        }
                    }
                    Label::Precedence(_) => {}
                }
                walk.todo.push((next, next_depth));
            }
        }
    }
}

/// Whether every way back leads to this very loop: then entering it here gives nothing that
/// entering it there doesn't. Without this, left-recursive rules make far larger sets.
/// (ANTLR's `canDropLoopEntryEdgeInLeftRecursiveRule`.)
pub(super) fn goes_back_to_loop(atn: &ParserAtn, stacks: &Stacks, config: &Config) -> bool {
    if config.stack == EMPTY || stacks.can_be_empty(config.stack) {
        return false;
    }
    let states = &atn.states;
    let entry = &states[config.state as usize];
    let block_end = states[entry.edges[0].target as usize].block_end;
    stacks.links(config.stack).iter().all(|&(back, _)| {
        let state = &states[back as usize];
        let [edge] = state.edges.as_slice() else {
            return false;
        };
        if state.rule != entry.rule || edge.label != Label::Epsilon {
            return false;
        }
        let target = &states[edge.target as usize];
        (state.role == Role::BlockEnd && edge.target == config.state)
            || back == block_end
            || edge.target == block_end
            || (target.role == Role::BlockEnd
                && matches!(target.edges.as_slice(),
                    [on] if on.label == Label::Epsilon && on.target == config.state))
    })
}
