//! Which alternative to take: adaptive LL(*) prediction with a cache.
//!
//! First without looking at the caller (SLL), in an automaton that is made on demand and kept;
//! where that ends in a conflict, with the caller known (full LL, in [`full`](crate::grammar::parser::prediction::full)).
//!
//! ANTLR's states hold all configurations that are open after a token. Ours hold only those that
//! can take the token after that one as well: the others would be dropped a step later, and with
//! many callers or under fifty open rules they are hundreds to one. The choices are the same: the
//! alternative that is first in each conflict of the kept configurations is first in all that can
//! follow from them. Most decisions end in their first state that way, without a step. Effort is
//! limited, and counted in a way that doesn't depend on the cache that earlier parses filled:
//! beyond the limit the SLL answer is used. T. Parr, S. Harwell, K. Fisher, "Adaptive LL(*)
//! Parsing" (OOPSLA 2014), figures 5 to 8.

use crate::grammar::atn::parser::{NONE, ParserAtn};
use crate::grammar::hash::FixedMap;
use crate::grammar::lists::ListInterner;
use crate::grammar::parser::prediction::closure::{Closure, ClosureOptions, Workspace};
use crate::grammar::parser::prediction::configs::{Config, least_alternative};
use crate::grammar::parser::prediction::conflict::{
    NoViable, PredictionInput, Resolution, filter_precedence, finished_alternative,
};
use crate::grammar::parser::prediction::full::{CONFIG_COST, DEAD, FullCache, StateMaker};
use crate::grammar::parser::prediction::stacks::{EMPTY, Stacks};
use crate::grammar::parser::stop_check::StopCheck;

/// An edge or start that was not looked for yet.
const UNKNOWN: u32 = u32::MAX;

/// How much a parse may spend on predictions; see [`crate::grammar::parser::ParseLimits`].
#[derive(Clone, Copy)]
pub(crate) struct Fuel<'a> {
    /// Configurations passed in predictions without the caller.
    pub sll: u64,
    /// Configurations looked at in predictions with the caller known.
    pub full: u64,
    /// The same for one prediction.
    pub full_each: u64,
    /// Predictions that ended early.
    pub shortened: u64,
    /// The cost of all predictions so far, in configurations.
    pub spent: u64,
    /// Once it has ended, a prediction's result is not used any more.
    pub stop_check: StopCheck<'a>,
}

/// Tokens looked at in a prediction once the fuel for them is used up.
/// A guess, not measured.
const MIN_LOOKAHEAD_TOKENS: usize = 16;

/// The limit for a prediction that knows the caller, once the fuel for them is used up: most end
/// within it. Without a bound, sets as large as the stack was deep were made for each of them, 60 s
/// for 70 KB of SQL (2026-11-21).
const MIN_FULL_CONFIGS: u64 = 256;

/// Memory measure from which on the cache is started again.
/// A guess, not measured.
const MAX_CACHE_ENTRIES: usize = 24 << 20;

/// The configurations that are open before a token.
#[derive(Clone, Debug)]
struct DfaState {
    token: u32,
    /// The configurations, as a numbered list.
    configs: u32,
    /// How many they are.
    size: u32,
    resolution: Resolution,
    /// By the token after that one.
    edges: Box<[u32]>,
}

/// The decisions' automata, as far as made.
#[derive(Clone, Debug)]
pub(crate) struct Predictor {
    pub stacks: Stacks,
    states: Vec<DfaState>,
    configs: ListInterner<Config>,
    /// By token, list of configurations and whether one is to look further.
    numbers: FixedMap<(u32, u32, bool), u32>,
    /// By decision and token.
    starts: Vec<Box<[u32]>>,
    full: FullCache,
    /// By decision, precedence and token.
    precedence_starts: FixedMap<(u32, u16, u32), u32>,
    size: usize,
    workspace: Workspace,
}

impl Predictor {
    /// Nothing is cached yet.
    pub(crate) fn new(atn: &ParserAtn) -> Self {
        Predictor {
            stacks: Stacks::default(),
            states: Vec::new(),
            configs: ListInterner::default(),
            numbers: FixedMap::default(),
            starts: vec![Box::default(); atn.decisions.len()],
            full: FullCache::default(),
            precedence_starts: FixedMap::default(),
            size: 0,
            workspace: Workspace::default(),
        }
    }

    /// Makes ready for another parse, and forgets everything if much is held: stacks' numbers
    /// become invalid.
    pub(crate) fn begin(&mut self, atn: &ParserAtn) {
        self.full.clear();
        if self.size + self.stacks.size() + self.workspace.closures.size() > MAX_CACHE_ENTRIES {
            *self = Predictor::new(atn);
        }
    }

    /// The alternative to take, counted from 1. `outer` gives the caller's stack if needed.
    pub(crate) fn predict(
        &mut self,
        atn: &ParserAtn,
        input: PredictionInput<'_>,
        fuel: &mut Fuel<'_>,
        outer: impl FnOnce(&mut Stacks) -> u32,
    ) -> Result<u32, NoViable> {
        let token_at = |at: usize| input.tokens.get(at).copied().unwrap_or(0);
        let mut state = self.start(atn, input, token_at(0));
        for at in 0.. {
            let open = |gate: u16| gate >= input.precedence;
            match &self.states[state as usize].resolution {
                Resolution::Alternative(alternative) => return Ok(*alternative),
                Resolution::Gated(gates) => {
                    let first = gates.iter().find(|(_, gate)| open(*gate));
                    return first.map(|(alternative, _)| *alternative).ok_or(NoViable);
                }
                Resolution::Conflict { least, gates } => {
                    let least = *least;
                    if let Some(gates) = gates {
                        let mut passing = gates.iter().filter(|(_, gate)| open(*gate));
                        if let (Some((only, _)), None) = (passing.next(), passing.next()) {
                            return Ok(*only);
                        }
                    }
                    let outer = outer(&mut self.stacks);
                    return match self.full(atn, input, outer, fuel) {
                        Some(answer) => answer,
                        None => {
                            fuel.shortened += 1;
                            Ok(least)
                        }
                    };
                }
                Resolution::Open => {}
            }
            // The end of the input comes again and again until something is decided; it always is.
            if at == input.tokens.len() {
                break;
            }
            let cost = u64::from(self.states[state as usize].size);
            fuel.spent += cost;
            if fuel.stop_check.must_stop(1) {
                return Err(NoViable);
            }
            match fuel.sll.checked_sub(cost) {
                Some(rest) => fuel.sll = rest,
                None if at >= MIN_LOOKAHEAD_TOKENS => {
                    fuel.shortened += 1;
                    break;
                }
                None => {}
            }
            let behind = token_at(at + 1);
            let known = self.states[state as usize].edges.get(behind as usize).copied();
            let next = match known {
                Some(next) if next != UNKNOWN => next,
                _ => self.step(atn, state, behind),
            };
            if next == DEAD {
                let configs = self.configs.get(self.states[state as usize].configs);
                return finished_alternative(atn, &self.stacks, configs, input.precedence);
            }
            state = next;
        }
        let configs = self.configs.get(self.states[state as usize].configs);
        least_alternative(configs).ok_or(NoViable)
    }

    /// The state in which a decision begins, before a token.
    fn start(&mut self, atn: &ParserAtn, input: PredictionInput<'_>, token: u32) -> u32 {
        let decision = input.decision as usize;
        let place = atn.decisions[decision];
        let node = &atn.states[place as usize];
        let is_loop = node.is_precedence_loop;
        let key = (input.decision, input.precedence, token);
        let known = if is_loop {
            self.precedence_starts.get(&key).copied().unwrap_or(UNKNOWN)
        } else {
            self.starts[decision].get(token as usize).copied().unwrap_or(UNKNOWN)
        };
        if known != UNKNOWN {
            return known;
        }
        let purpose = ClosureOptions {
            gates: true,
            loop_rule: if is_loop { node.rule } else { NONE },
            before: Some(token),
            ..ClosureOptions::default()
        };
        let mut closure = Closure::new(atn, &mut self.stacks, &mut self.workspace, u64::MAX);
        let (mut configs, is_hopeful) = closure.start(place, EMPTY, purpose);
        if is_loop {
            configs = filter_precedence(configs, input.precedence, &mut self.stacks);
        }
        let resolution = if is_hopeful { Resolution::of(atn, &configs) } else { Resolution::Open };
        let state = self.add(token, &configs, resolution);
        if is_loop {
            self.precedence_starts.insert(key, state);
        } else {
            let starts = &mut self.starts[decision];
            if starts.is_empty() {
                *starts = vec![UNKNOWN; atn.token_count].into_boxed_slice();
                self.size += atn.token_count / 4;
            }
            if let Some(start) = starts.get_mut(token as usize) {
                *start = state;
            }
        }
        state
    }

    /// The state after the token before which `from` is, and before another; or
    /// [`DEAD`].
    fn step(&mut self, atn: &ParserAtn, from: u32, behind: u32) -> u32 {
        let DfaState { token, configs, .. } = self.states[from as usize];
        let mut closure = Closure::new(atn, &mut self.stacks, &mut self.workspace, u64::MAX);
        let reached = closure.reach(self.configs.get(configs), token, behind, false);
        let next = if reached.is_empty() {
            DEAD
        } else {
            let resolution = Resolution::of(atn, &reached);
            self.add(behind, &reached, resolution)
        };
        let width = atn.token_count;
        let edges = &mut self.states[from as usize].edges;
        if edges.is_empty() {
            *edges = vec![UNKNOWN; width].into_boxed_slice();
            self.size += width / 4;
        }
        if let Some(edge) = edges.get_mut(behind as usize) {
            *edge = next;
        }
        next
    }

    /// The number of the state with these configurations, made where there is none.
    fn add(&mut self, token: u32, configs: &[Config], resolution: Resolution) -> u32 {
        let number = self.states.len() as u32;
        let list = self.configs.number_of(configs);
        let is_open = matches!(resolution, Resolution::Open);
        let state = *self.numbers.entry((token, list, is_open)).or_insert(number);
        if state == number {
            self.size += configs.len() + 8;
            let (size, edges) = (configs.len() as u32, Box::default());
            self.states.push(DfaState { token, configs: list, size, resolution, edges });
        }
        state
    }

    /// Predicts with the caller known; `None` if the fuel doesn't suffice.
    fn full(
        &mut self,
        atn: &ParserAtn,
        input: PredictionInput<'_>,
        outer: u32,
        fuel: &mut Fuel<'_>,
    ) -> Option<Result<u32, NoViable>> {
        let limit = CONFIG_COST * fuel.full.min(fuel.full_each).max(MIN_FULL_CONFIGS);
        self.full.trim();
        let Predictor { full, stacks, workspace, .. } = self;
        let mut maker = StateMaker { atn, stacks, workspace, spent: 0, limit };
        let answer = full_answer(full, &mut maker, input, outer, &mut fuel.stop_check);
        fuel.spent += maker.spent / CONFIG_COST;
        fuel.full = fuel.full.saturating_sub(maker.spent / CONFIG_COST);
        answer
    }
}

/// The result of full LL, within the maker's limit.
fn full_answer(
    full: &mut FullCache,
    maker: &mut StateMaker<'_>,
    input: PredictionInput<'_>,
    outer: u32,
    stop_check: &mut StopCheck<'_>,
) -> Option<Result<u32, NoViable>> {
    let mut state = full.start(input, outer, maker)?;
    let last = input.tokens.len().saturating_sub(1);
    let token_at = |at: usize| input.tokens.get(at).copied().unwrap_or(0);
    let mut at = 0;
    loop {
        let next = full.step(state, token_at(at), token_at(at + 1), maker)?;
        if next == DEAD {
            let configs = full.configs(state);
            let precedence = input.precedence;
            return Some(finished_alternative(maker.atn, maker.stacks, configs, precedence));
        }
        if let Some(winner) = full.winner(next) {
            return Some(Ok(winner));
        }
        // After the end nothing changes any more: the least alternative wins there.
        if at >= last && next == state {
            return Some(least_alternative(full.configs(next)).ok_or(NoViable));
        }
        if maker.spent > maker.limit || stop_check.must_stop(1) {
            return None;
        }
        state = next;
        at = (at + 1).min(last);
    }
}
