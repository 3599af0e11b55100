//! The configurations with which a decision starts, and those that one token leads to.
//!
//! Follows ANTLR's `ParserATNSimulator.computeReachSet`.

use super::closure::{Closure, ClosureOptions};
use super::configs::{Config, OPEN, only_alternative};
use crate::grammar::atn::StateId;
use crate::grammar::atn::parser::{Label, Role};

impl Closure<'_> {
    /// The configurations with which a decision starts, under the stack `outer`, and whether any
    /// of them takes the token before which they are.
    ///
    /// Cost: a closure for each alternative.
    pub(super) fn start(
        &mut self,
        decision: StateId,
        outer: u32,
        purpose: ClosureOptions,
    ) -> (Vec<Config>, bool) {
        self.workspace.walk.clear();
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
        (self.workspace.walk.set.list.clone(), true)
    }

    /// The configurations after `token` that can take `before`. If none can, an error is near, and
    /// all are returned, because they show which alternative leads to the error; none if `token`
    /// fits nowhere.
    pub(super) fn reach(
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
        let set = &mut self.workspace.walk.set;
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

    /// Closes over the configurations that took a token.
    fn close_moved(&mut self, purpose: ClosureOptions) {
        self.workspace.walk.clear();
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

    /// Whether the set, made for configurations that can take the token, has one that does. A
    /// rule's last state is in it for any token, and takes only the end.
    fn is_hopeful(&self, token: u32) -> bool {
        let takes = |config: &Config| {
            token == 0 || self.atn.states[config.state as usize].role != Role::RuleStop
        };
        self.workspace.walk.set.list.iter().any(takes)
    }
}
