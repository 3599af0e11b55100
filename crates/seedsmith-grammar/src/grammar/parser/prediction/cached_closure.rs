//! The closure of a state before a token, for any stack: found once, then built on each stack.
//!
//! Until its rule ends, the states that a configuration reaches without a token don't depend on the
//! rules to return to. So they are searched for once, on a placeholder for the stack, and kept as
//! the pushes that lead to each state found. The walk through the ATN, where the token fits few
//! states, is not repeated for each alternative, stack and decision; ways that meet are joined once
//! as well. The closure after a rule's end is cached in the same way for the states to return to,
//! and, without a caller, for the end of the rule itself.

use crate::grammar::atn::StateId;
use crate::grammar::atn::parser::Role;
use crate::grammar::parser::prediction::closure::{
    Closure, ClosureOptions, MAX_STEP, Workspace, goes_back_to_loop,
};
use crate::grammar::parser::prediction::closure_cache::CachedClosure;
use crate::grammar::parser::prediction::configs::{Config, OPEN};
use crate::grammar::parser::prediction::stacks::EMPTY;

impl Closure<'_> {
    /// Adds all configurations that are reached from `from` without a token and take `token`, built
    /// from the cached closure of each state on the way.
    ///
    /// The result is that of [`Closure::close`] with the same token; a test compares the two on
    /// every state, token and some stacks.
    pub(super) fn close_before(&mut self, token: u32, from: Config, full_context: bool) {
        let atn = self.atn;
        let limit = self.most.min(self.steps + MAX_STEP);
        self.workspace.walk.todo.clear();
        self.workspace.walk.todo.push((from, 0));
        while let Some((config, _)) = self.workspace.walk.todo.pop() {
            if !atn.can_take(config.state, token) {
                continue;
            }
            let walk = &mut self.workspace.walk;
            let state = &atn.states[config.state as usize];
            if state.role != Role::Basic && walk.has_seen(config, 0) {
                continue;
            }
            self.steps += 1;
            if self.steps > limit {
                return;
            }
            if state.role == Role::RuleStop {
                if config.stack != EMPTY {
                    // How deep it is matters to gates alone, and there are none after a token.
                    walk.go_back(self.stacks, config, 0);
                    continue;
                }
                if full_context || !state.epsilon_only {
                    walk.set.add(config, self.stacks, full_context);
                    continue;
                }
            }
            let number = self.relative(config.state, token);
            let Workspace { walk, closures, .. } = &mut *self.workspace;
            let CachedClosure { stacks, places, ends, entry, is_behind } =
                closures.list[number as usize].clone();
            self.steps += u64::from(places.end - places.start);
            closures.build(stacks, config.stack, !full_context, self.stacks);
            let has_left = config.has_left || is_behind;
            for &(state, stack) in &closures.places[places.start as usize..places.end as usize] {
                let stack = closures.built[stack as usize];
                let reached = Config { state, stack, has_left, ..config };
                walk.set.add(reached, self.stacks, full_context);
            }
            if ends {
                let state = atn.stops[state.rule as usize];
                walk.todo.push((Config { state, ..config }, 0));
            }
            if let Some(entry) = entry {
                let at_entry = Config { state: entry, ..config };
                if !goes_back_to_loop(atn, self.stacks, &at_entry) {
                    let state = atn.states[entry as usize].edges[0].target;
                    walk.todo.push((Config { state, ..config }, 0));
                }
            }
        }
    }

    /// The number of a state's closure before a token, which is computed if it isn't cached. Its
    /// cost is not counted: it must not matter which parse comes first.
    fn relative(&mut self, state: StateId, token: u32) -> u32 {
        let key = u64::from(state) << 32 | u64::from(token);
        let next = self.workspace.closures.list.len() as u32;
        let known = *self.workspace.closures.numbers.entry(key).or_insert(next);
        if known != next {
            return known;
        }
        let Workspace { walk, closures, .. } = &mut *self.workspace;
        std::mem::swap(walk, &mut closures.walk);
        walk.clear();
        let is_behind = self.atn.states[state as usize].role == Role::RuleStop;
        let purpose = ClosureOptions {
            full_context: !is_behind,
            before: Some(token),
            is_relative: !is_behind,
            ..ClosureOptions::default()
        };
        let from = Config { state, alternative: 1, stack: EMPTY, gate: OPEN, ..Config::default() };
        let mut inner = Closure::new(self.atn, self.stacks, self.workspace, u64::MAX);
        inner.close(from, purpose);
        let Workspace { walk, closures, .. } = &mut *self.workspace;
        std::mem::swap(walk, &mut closures.walk);
        closures.add(self.atn, is_behind, self.stacks);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::atn::parser::{Label, ParserAtn};
    use crate::grammar::g4;
    use crate::grammar::parser::prediction::stacks::Stacks;

    const GRAMMAR: &str = "grammar T; s: (a | e ';')* EOF; a: 'x'? b c; b: | 'y' b; c: e? ('z' | '{' a)?; \
        e: '-' e | e '*' e | e '[' e ']' | e f? '!' | '(' a ')' | N; f: 'x' | e; N: [0-9]+;";

    /// The configurations reached, sorted.
    fn reached(workspace: &Workspace) -> Vec<(StateId, u32, bool)> {
        let list = workspace.walk.set.list.iter();
        let mut reached: Vec<_> = list.map(|c| (c.state, c.stack, c.has_left)).collect();
        reached.sort_unstable();
        reached
    }

    #[test]
    fn what_is_kept_and_built_is_what_a_walk_finds_on_any_stack() {
        let atn = ParserAtn::new(&g4::load_texts(&[("t.g4", GRAMMAR)]).unwrap());
        let (mut stacks, mut workspace) = (Stacks::default(), Workspace::default());
        let edges = atn.states.iter().flat_map(|state| &state.edges);
        let calls = edges.filter_map(|edge| match edge.label {
            Label::Rule { follow, .. } => Some(follow),
            _ => None,
        });
        let mut bottoms = vec![EMPTY];
        for (at, follow) in calls.enumerate() {
            bottoms.push(stacks.push(bottoms[at / 2], follow));
            bottoms.push(stacks.merge(bottoms[at], bottoms[at + 1], false));
        }
        let mut found = 0;
        for (state, token) in (0..atn.states.len() as u32)
            .flat_map(|state| (0..atn.token_count as u32).map(move |token| (state, token)))
        {
            for (&stack, full_context) in bottoms.iter().flat_map(|s| [(s, false), (s, true)]) {
                let from = Config { state, alternative: 1, stack, gate: OPEN, ..Config::default() };
                let mut closure = Closure::new(&atn, &mut stacks, &mut workspace, u64::MAX);
                closure.workspace.walk.clear();
                let before = Some(token);
                closure.close(
                    from,
                    ClosureOptions { full_context, before, ..ClosureOptions::default() },
                );
                let walked = reached(closure.workspace);
                closure.workspace.walk.clear();
                closure.close_before(token, from, full_context);
                assert_eq!(reached(closure.workspace), walked, "{state} {token} {stack}");
                found += walked.len();
            }
        }
        assert!(found > 10_000, "{found}");
    }
}
