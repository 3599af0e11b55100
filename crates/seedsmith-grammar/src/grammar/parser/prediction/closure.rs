//! All configurations that can be reached without a token, and those reached by one.
//!
//! Follows ANTLR's `ParserATNSimulator.closure` and `computeReachSet`, with an explicit stack
//! and a set of what was visited instead of recursion.

use crate::grammar::atn::StateId;
use crate::grammar::atn::parser::{Label, NONE, ParserAtn, Role};
use crate::grammar::hash::ScratchMap;
use crate::grammar::parser::prediction::cached_closure::CachedClosures;
use crate::grammar::parser::prediction::configs::{Config, ConfigSet, OPEN, only_alternative};
use crate::grammar::parser::prediction::stacks::{AT_END, EMPTY, Stacks};

/// Configurations looked at in one step before the rest is given up.
pub const MAX_STEP: u64 = 1 << 20;

/// What a closure is made for.
#[derive(Clone, Copy, Debug)]
pub struct ClosureOptions {
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
    /// The token behind: configurations that can't take it are left out. (They wouldn't outlive
    /// the next step; with the caller known they are most of all.)
    pub before: Option<u32>,
    /// The empty stack is the bottom of a stack that isn't known.
    pub is_relative: bool,
}

impl Default for ClosureOptions {
    /// Behind a token, without the caller.
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
pub struct Closure<'a> {
    pub atn: &'a ParserAtn,
    pub stacks: &'a mut Stacks,
    pub workspace: &'a mut Workspace,
    /// Configurations looked at so far.
    pub steps: u64,
    /// How many may be; beyond that the rest is left out, and the set is good for nothing.
    pub most: u64,
}

/// Memory that one step leaves to the next, and what the steps have in common.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    moved: ConfigSet,
    pub search: ClosureWalk,
    pub closures: CachedClosures,
}

/// What a walk through the ATN has found, has seen and has still to look at.
#[derive(Clone, Debug, Default)]
pub struct ClosureWalk {
    pub set: ConfigSet,
    visited: ScratchMap<(Config, i32), ()>,
    pub todo: Vec<(Config, i32)>,
    /// A left-recursive loop that was passed by: whether it is entered depends on the stack
    /// below that isn't known.
    pub passed_loop: Option<StateId>,
}

impl ClosureWalk {
    /// Makes ready for another walk.
    pub fn clear(&mut self) {
        self.set.clear();
        self.visited.clear();
        self.passed_loop = None;
    }

    /// Notes that the walk has come here; tells whether it had before.
    #[inline]
    pub fn has_seen(&mut self, config: Config, depth: i32) -> bool {
        self.visited.get_or_put((config, depth), ()).is_some()
    }

    /// Goes on, behind a rule's end, where the stack of the configuration goes back to.
    #[inline]
    pub fn go_back(&mut self, stacks: &Stacks, config: Config, depth: i32) {
        for &(back, below) in stacks.ways(config.stack).iter().rev() {
            self.todo.push(if back == AT_END {
                (Config { stack: EMPTY, ..config }, depth)
            } else {
                (Config { state: back, stack: below, ..config }, depth - 1)
            });
        }
    }
}

impl<'a> Closure<'a> {
    /// Looks at `most` configurations at most.
    pub fn new(
        atn: &'a ParserAtn,
        stacks: &'a mut Stacks,
        workspace: &'a mut Workspace,
        most: u64,
    ) -> Self {
        Closure { atn, stacks, workspace, steps: 0, most }
    }

    /// The configurations with which a decision starts, under the stack `outer`, and whether any
    /// of them takes the token in front of which they are.
    pub fn start(
        &mut self,
        decision: StateId,
        outer: u32,
        purpose: ClosureOptions,
    ) -> (Vec<Config>, bool) {
        self.workspace.search.clear();
        let atn = self.atn;
        for (at, edge) in atn.states[decision as usize].edges.iter().enumerate() {
            let config = Config {
                state: edge.target,
                alternative: at as u32 + 1,
                stack: outer,
                gate: OPEN,
                has_left: false,
                unfiltered: false,
            };
            self.close(config, purpose);
        }
        if purpose.before.is_some_and(|token| !self.is_hopeful(token)) {
            let all = ClosureOptions { before: None, ..purpose };
            return (self.start(decision, outer, all).0, false);
        }
        (self.workspace.search.set.list.clone(), true)
    }

    /// The configurations behind `token` that can take `before`. If none can, an error is near, and
    /// all are given, because what could have been says which alternative has it; none if `token`
    /// fits nowhere.
    pub fn reach(
        &mut self,
        from: &[Config],
        token: u32,
        before: u32,
        full_context: bool,
    ) -> Vec<Config> {
        let atn = self.atn;
        let at_end = token == 0;
        self.workspace.moved.clear();
        let mut stopped = Vec::new();
        for config in from {
            let state = &atn.states[config.state as usize];
            if state.role == Role::RuleStop {
                if full_context || at_end {
                    stopped.push(*config);
                }
                continue;
            }
            for edge in &state.edges {
                let fits = match edge.label {
                    Label::Token(wanted) => wanted == token,
                    Label::Set(set) => atn.sets.get(set).contains(token),
                    _ => false,
                };
                if fits {
                    let config = Config { state: edge.target, ..*config };
                    self.workspace.moved.add(config, self.stacks, full_context);
                }
            }
        }
        let moved = &self.workspace.moved.list;
        let is_settled = stopped.is_empty() && !at_end && only_alternative(moved).is_some();
        if is_settled {
            return moved.clone();
        }
        let before = Some(before);
        let purpose = ClosureOptions { full_context, at_end, before, ..ClosureOptions::default() };
        self.close_moved(purpose);
        if before.is_some_and(|token| !self.is_hopeful(token)) {
            self.close_moved(ClosureOptions { before: None, ..purpose });
        }
        let is_stop = |config: &Config| atn.states[config.state as usize].role == Role::RuleStop;
        let set = &mut self.workspace.search.set;
        if at_end && !set.list.iter().all(is_stop) {
            let stops: Vec<_> = set.list.iter().copied().filter(is_stop).collect();
            set.clear();
            for config in stops {
                set.add(config, self.stacks, full_context);
            }
        }
        if !full_context || !set.list.iter().any(is_stop) {
            for config in stopped {
                set.add(config, self.stacks, full_context);
            }
        }
        set.list.clone()
    }

    fn close_moved(&mut self, purpose: ClosureOptions) {
        self.workspace.search.clear();
        for at in 0..self.workspace.moved.list.len() {
            let config = self.workspace.moved.list[at];
            match purpose.before {
                Some(token) if !purpose.at_end => {
                    self.close_before(token, config, purpose.full_context)
                }
                _ => self.close(config, purpose),
            }
        }
    }

    /// Whether the set, made for what can take the token, has something that does. A rule's last
    /// state is in it whatever comes, and takes only the end.
    fn is_hopeful(&self, token: u32) -> bool {
        let takes = |config: &Config| {
            token == 0 || self.atn.states[config.state as usize].role != Role::RuleStop
        };
        self.workspace.search.set.list.iter().any(takes)
    }

    /// Adds all that is reached from `from` without a token, walking through the ATN.
    pub fn close(&mut self, from: Config, purpose: ClosureOptions) {
        let atn = self.atn;
        let limit = self.most.min(self.steps + MAX_STEP);
        let search = &mut self.workspace.search;
        search.todo.clear();
        search.todo.push((from, 0));
        while let Some((config, depth)) = search.todo.pop() {
            if purpose.before.is_some_and(|token| !atn.can_take(config.state, token)) {
                continue;
            }
            let state = &atn.states[config.state as usize];
            // Ways that part meet again at other states than these, and so do all circles.
            if state.role != Role::Basic {
                let seen_as = if purpose.gates { depth.max(-1) } else { 0 };
                if search.has_seen(config, seen_as) {
                    continue;
                }
            }
            self.steps += 1;
            if self.steps > limit {
                return;
            }
            if state.role == Role::RuleStop {
                if config.stack != EMPTY {
                    search.go_back(self.stacks, config, depth);
                    continue;
                }
                if purpose.full_context || !state.epsilon_only {
                    search.set.add(config, self.stacks, purpose.full_context);
                    continue;
                }
                for caller in atn.callers[state.rule as usize].iter().rev() {
                    let is_own =
                        purpose.loop_rule != NONE && caller.outermost_return == purpose.loop_rule;
                    let config = Config {
                        state: caller.follow,
                        has_left: true,
                        unfiltered: config.unfiltered || is_own,
                        ..config
                    };
                    search.todo.push((config, depth - 1));
                }
                continue;
            }
            if !state.epsilon_only {
                search.set.add(config, self.stacks, purpose.full_context);
            }
            for (at, edge) in state.edges.iter().enumerate().rev() {
                if at == 0 && state.is_precedence_loop {
                    if purpose.is_relative && config.stack == EMPTY {
                        search.passed_loop = Some(config.state);
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
                search.todo.push((next, next_depth));
            }
        }
    }
}

/// Whether every way back leads to this very loop: then entering it here gives nothing that
/// entering it there doesn't. Without this, left-recursive rules make far larger sets.
/// (ANTLR's `canDropLoopEntryEdgeInLeftRecursiveRule`.)
pub fn goes_back_to_loop(atn: &ParserAtn, stacks: &Stacks, config: &Config) -> bool {
    if config.stack == EMPTY || stacks.can_be_empty(config.stack) {
        return false;
    }
    let states = &atn.states;
    let entry = &states[config.state as usize];
    let block_end = states[entry.edges[0].target as usize].block_end;
    stacks.ways(config.stack).iter().all(|&(back, _)| {
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
