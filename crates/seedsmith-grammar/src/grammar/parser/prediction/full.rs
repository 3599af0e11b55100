//! Predictions with the caller known (full LL), in an automaton like that of SLL.
//!
//! Its states hold the stacks of one caller, so it helps where a decision recurs under the same
//! open rules: in lists. It is kept for one parse only: the allowed cost of a prediction depends on
//! the steps of that parse alone, so that earlier parses change nothing.

use crate::grammar::atn::parser::ParserAtn;
use crate::grammar::hash::FixedMap;
use crate::grammar::lists::ListInterner;
use crate::grammar::parser::prediction::closure::{Closure, ClosureOptions, Workspace};
use crate::grammar::parser::prediction::configs::{Config, only_alternative, resolved_alternative};
use crate::grammar::parser::prediction::conflict::PredictionInput;
use crate::grammar::parser::prediction::stacks::Stacks;

/// The state that an edge leads to if no token fits.
pub(super) const DEAD: u32 = u32::MAX - 1;

/// Configurations held from which on the automaton is started again.
const MAX_CACHE_CONFIGS: usize = 4 << 20;

/// A state; its edges are computed when a token is first seen there. Its configurations are the
/// list of its number.
#[derive(Clone, Debug)]
struct FullState {
    winner: Option<u32>,
    /// A token, the one after, and the state that they lead to. Most states have one or two edges,
    /// so a linear search suffices.
    edges: Vec<((u32, u32), u32)>,
}

/// The cost of looking at one configuration, if following a known edge costs one. With 8, pages of
/// HTML took 14 s of processor time until the fuel was used up (2026-11-21, unoptimized build).
pub(super) const CONFIG_COST: u64 = 3;

/// The automaton, as far as made in this parse.
#[derive(Clone, Debug, Default)]
pub(super) struct FullCache {
    states: Vec<FullState>,
    configs: ListInterner<Config>,
    /// By decision, precedence, stack and next token.
    starts: FixedMap<(u32, u16, u32, u32), u32>,
}

/// The data needed to make a state, and the steps that this has cost.
pub(super) struct StateMaker<'a> {
    pub atn: &'a ParserAtn,
    pub stacks: &'a mut Stacks,
    pub workspace: &'a mut Workspace,
    /// [`CONFIG_COST`] for each configuration looked at to make a state, one for each known edge.
    pub spent: u64,
    /// How much may be spent.
    pub limit: u64,
}

impl StateMaker<'_> {
    /// `None` if it takes more than the rest of the limit: under deep stacks one state alone can be
    /// as large as the input is long.
    fn make(&mut self, of: impl FnOnce(&mut Closure<'_>) -> Vec<Config>) -> Option<Vec<Config>> {
        let most = self.limit.saturating_sub(self.spent) / CONFIG_COST;
        let StateMaker { atn, stacks, workspace, .. } = self;
        let mut closure = Closure::new(atn, stacks, workspace, most);
        let configs = of(&mut closure);
        let is_whole = closure.steps <= most;
        self.spent += CONFIG_COST * (closure.steps + configs.len() as u64);
        is_whole.then_some(configs)
    }
}

impl FullCache {
    /// Forgets the states of another parse.
    pub(super) fn clear(&mut self) {
        *self = FullCache::default();
    }

    /// Forgets everything if it is too much. To be called between predictions: the numbers of
    /// states become invalid.
    pub(super) fn trim(&mut self) {
        if self.configs.item_count() + 8 * self.states.len() > MAX_CACHE_CONFIGS {
            self.clear();
        }
    }

    /// The state in which the prediction for an input begins, under the stack `outer`; `None` if
    /// that takes too much.
    pub(super) fn start(
        &mut self,
        input: PredictionInput<'_>,
        outer: u32,
        maker: &mut StateMaker<'_>,
    ) -> Option<u32> {
        let next = input.tokens.first().copied().unwrap_or(0);
        let key = (input.decision, input.precedence, outer, next);
        if let Some(&known) = self.starts.get(&key) {
            maker.spent += 1;
            return Some(known);
        }
        let purpose = ClosureOptions {
            full_context: true,
            gates: true,
            precedence: input.precedence,
            before: Some(next),
            ..ClosureOptions::default()
        };
        let place = maker.atn.decisions[input.decision as usize];
        let configs = maker.make(|closure| closure.start(place, outer, purpose).0)?;
        let state = self.number(&configs);
        self.starts.insert(key, state);
        Some(state)
    }

    /// The state after a token and before another, or [`DEAD`]; `None` if it takes too much.
    pub(super) fn step(
        &mut self,
        from: u32,
        token: u32,
        before: u32,
        maker: &mut StateMaker<'_>,
    ) -> Option<u32> {
        let state = &self.states[from as usize];
        if let Some(&(_, known)) = state.edges.iter().find(|edge| edge.0 == (token, before)) {
            maker.spent += 1;
            return Some(known);
        }
        let configs = self.configs.get(from);
        let reached = maker.make(|closure| closure.reach(configs, token, before, true))?;
        let next = if reached.is_empty() { DEAD } else { self.number(&reached) };
        self.states[from as usize].edges.push(((token, before), next));
        Some(next)
    }

    /// The configurations of a state.
    pub(super) fn configs(&self, state: u32) -> &[Config] {
        self.configs.get(state)
    }

    /// The alternative that is sure to be taken in a state, if it is.
    pub(super) fn winner(&self, state: u32) -> Option<u32> {
        self.states[state as usize].winner
    }

    /// The number of the state with these configurations, made where there is none.
    fn number(&mut self, configs: &[Config]) -> u32 {
        let number = self.configs.number_of(configs);
        if number as usize == self.states.len() {
            let winner = only_alternative(configs).or_else(|| resolved_alternative(configs));
            self.states.push(FullState { winner, edges: Vec::new() });
        }
        number
    }
}
