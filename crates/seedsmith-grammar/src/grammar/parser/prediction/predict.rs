//! Which alternative to take: adaptive LL(*) prediction with a cache.
//!
//! First without looking at the caller (SLL), in an automaton that is made on demand and kept;
//! where that ends in a conflict, with the caller known (full LL, in [`full`](crate::grammar::parser::prediction::full)).
//!
//! ANTLR's states hold all that is open behind a token. Ours hold only what can take the token
//! behind that one as well: the rest would be dropped a step later, and with many callers or
//! under fifty open rules it is hundreds of configurations to one. Nothing changes in what is
//! chosen: who is first in each conflict of those kept is first in all that can follow from them.
//! Most decisions end in their first state that way, without a step. Effort is counted in a way
//! that doesn't depend on what earlier parses left in the cache, and limited: beyond the limit the
//! SLL answer stands. T. Parr, S. Harwell, K. Fisher, "Adaptive LL(*) Parsing" (OOPSLA 2014),
//! figures 5 to 8.

use crate::grammar::atn::parser::{NONE, ParserNetwork};
use crate::grammar::hash::Table;
use crate::grammar::lists::Lists;
use crate::grammar::parser::prediction::closure::{Closure, Purpose, Workspace};
use crate::grammar::parser::prediction::configs::{Config, least_alternative};
use crate::grammar::parser::prediction::conflict::{
    NoViable, Question, Verdict, filter_precedence, finished_alternative,
};
use crate::grammar::parser::prediction::full::{COST, DEAD, FullCache, Maker};
use crate::grammar::parser::prediction::stacks::{EMPTY, Stacks};
use crate::grammar::parser::stop_check::Patience;

const UNKNOWN: u32 = u32::MAX;

/// How much a parse may spend on predictions; see [`crate::grammar::parser::Limits`].
#[derive(Clone, Copy)]
pub struct Fuel<'a> {
    /// Configurations passed in predictions without the caller.
    pub sll: u64,
    /// Configurations looked at in predictions with the caller known.
    pub full: u64,
    /// The same for one prediction.
    pub full_each: u64,
    /// Predictions that ended early.
    pub shortened: u64,
    /// What all predictions have taken so far, in configurations.
    pub spent: u64,
    /// Where it has ended, a prediction's answer no longer matters.
    pub patience: Patience<'a>,
}

/// Tokens looked at in a prediction once the fuel for them is used up.
const POOR_LOOKAHEAD: usize = 16;

/// What a prediction that knows the caller may take once the fuel for them is used up: most are
/// settled within it. Without a bound, sets as large as the stack was deep were made for each of
/// them, 60 s for 70 KB of SQL (2026-11-21).
const POOR_EFFORT: u64 = 256;

/// Memory measure from which on the cache is started anew.
const MAX_CACHE: usize = 24 << 20;

/// What is open in front of a token.
#[derive(Clone, Debug)]
struct DfaState {
    token: u32,
    /// The configurations, as a numbered list.
    configs: u32,
    /// How many they are.
    size: u32,
    verdict: Verdict,
    /// By the token behind that one.
    edges: Box<[u32]>,
}

/// The decisions' automata, as far as made.
#[derive(Clone, Debug)]
pub struct Predictor {
    pub stacks: Stacks,
    states: Vec<DfaState>,
    configs: Lists<Config>,
    /// By token, list of configurations and whether one is to look further.
    numbers: Table<(u32, u32, bool), u32>,
    /// By decision and token.
    starts: Vec<Box<[u32]>>,
    full: FullCache,
    /// By decision, precedence and token.
    precedence_starts: Table<(u32, u16, u32), u32>,
    size: usize,
    workspace: Workspace,
}

impl Predictor {
    pub fn new(network: &ParserNetwork) -> Self {
        Predictor {
            stacks: Stacks::default(),
            states: Vec::new(),
            configs: Lists::default(),
            numbers: Table::default(),
            starts: vec![Box::default(); network.decisions.len()],
            full: FullCache::default(),
            precedence_starts: Table::default(),
            size: 0,
            workspace: Workspace::default(),
        }
    }

    /// Makes ready for another parse, and forgets everything if much is held: stacks' numbers
    /// become invalid.
    pub fn begin(&mut self, network: &ParserNetwork) {
        self.full.clear();
        if self.size + self.stacks.size() + self.workspace.relatives.size() > MAX_CACHE {
            *self = Predictor::new(network);
        }
    }

    /// The alternative to take, counted from 1. `outer` gives the caller's stack if needed.
    pub fn predict(
        &mut self,
        network: &ParserNetwork,
        question: Question<'_>,
        fuel: &mut Fuel<'_>,
        outer: impl FnOnce(&mut Stacks) -> u32,
    ) -> Result<u32, NoViable> {
        let token_at = |at: usize| question.tokens.get(at).copied().unwrap_or(0);
        let mut state = self.start(network, question, token_at(0));
        for at in 0.. {
            let open = |gate: u16| gate >= question.precedence;
            match &self.states[state as usize].verdict {
                Verdict::Alternative(alternative) => return Ok(*alternative),
                Verdict::Gated(gates) => {
                    let first = gates.iter().find(|(_, gate)| open(*gate));
                    return first.map(|(alternative, _)| *alternative).ok_or(NoViable);
                }
                Verdict::Conflict { least, gates } => {
                    let least = *least;
                    if let Some(gates) = gates {
                        let mut passing = gates.iter().filter(|(_, gate)| open(*gate));
                        if let (Some((only, _)), None) = (passing.next(), passing.next()) {
                            return Ok(*only);
                        }
                    }
                    let outer = outer(&mut self.stacks);
                    return match self.full(network, question, outer, fuel) {
                        Some(answer) => answer,
                        None => {
                            fuel.shortened += 1;
                            Ok(least)
                        }
                    };
                }
                Verdict::Open => {}
            }
            // The end of the input comes again and again until something is decided; it always is.
            if at == question.tokens.len() {
                break;
            }
            let cost = u64::from(self.states[state as usize].size);
            fuel.spent += cost;
            if fuel.patience.ends(1) {
                return Err(NoViable);
            }
            match fuel.sll.checked_sub(cost) {
                Some(rest) => fuel.sll = rest,
                None if at >= POOR_LOOKAHEAD => {
                    fuel.shortened += 1;
                    break;
                }
                None => {}
            }
            let behind = token_at(at + 1);
            let known = self.states[state as usize].edges.get(behind as usize).copied();
            let next = match known {
                Some(next) if next != UNKNOWN => next,
                _ => self.step(network, state, behind),
            };
            if next == DEAD {
                let configs = self.configs.get(self.states[state as usize].configs);
                return finished_alternative(network, &self.stacks, configs, question.precedence);
            }
            state = next;
        }
        let configs = self.configs.get(self.states[state as usize].configs);
        least_alternative(configs).ok_or(NoViable)
    }

    /// The state in which a decision begins, in front of a token.
    fn start(&mut self, network: &ParserNetwork, question: Question<'_>, token: u32) -> u32 {
        let decision = question.decision as usize;
        let place = network.decisions[decision];
        let node = &network.states[place as usize];
        let is_loop = node.is_precedence_loop;
        let key = (question.decision, question.precedence, token);
        let known = if is_loop {
            self.precedence_starts.get(&key).copied().unwrap_or(UNKNOWN)
        } else {
            self.starts[decision].get(token as usize).copied().unwrap_or(UNKNOWN)
        };
        if known != UNKNOWN {
            return known;
        }
        let purpose = Purpose {
            gates: true,
            loop_rule: if is_loop { node.rule } else { NONE },
            before: Some(token),
            ..Purpose::default()
        };
        let mut closure = Closure::new(network, &mut self.stacks, &mut self.workspace, u64::MAX);
        let (mut configs, is_hopeful) = closure.start(place, EMPTY, purpose);
        if is_loop {
            configs = filter_precedence(configs, question.precedence, &mut self.stacks);
        }
        let verdict = if is_hopeful { Verdict::of(network, &configs) } else { Verdict::Open };
        let state = self.add(token, &configs, verdict);
        if is_loop {
            self.precedence_starts.insert(key, state);
        } else {
            let starts = &mut self.starts[decision];
            if starts.is_empty() {
                *starts = vec![UNKNOWN; network.token_count].into_boxed_slice();
                self.size += network.token_count / 4;
            }
            if let Some(start) = starts.get_mut(token as usize) {
                *start = state;
            }
        }
        state
    }

    /// The state behind the token in front of which `from` is, and in front of another; or
    /// [`DEAD`].
    fn step(&mut self, network: &ParserNetwork, from: u32, behind: u32) -> u32 {
        let DfaState { token, configs, .. } = self.states[from as usize];
        let mut closure = Closure::new(network, &mut self.stacks, &mut self.workspace, u64::MAX);
        let reached = closure.reach(self.configs.get(configs), token, behind, false);
        let next = if reached.is_empty() {
            DEAD
        } else {
            let verdict = Verdict::of(network, &reached);
            self.add(behind, &reached, verdict)
        };
        let width = network.token_count;
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

    fn add(&mut self, token: u32, configs: &[Config], verdict: Verdict) -> u32 {
        let number = self.states.len() as u32;
        let list = self.configs.number_of(configs);
        let is_open = matches!(verdict, Verdict::Open);
        let state = *self.numbers.entry((token, list, is_open)).or_insert(number);
        if state == number {
            self.size += configs.len() + 8;
            let (size, edges) = (configs.len() as u32, Box::default());
            self.states.push(DfaState { token, configs: list, size, verdict, edges });
        }
        state
    }

    /// Predicts with the caller known; nothing if the fuel doesn't suffice.
    fn full(
        &mut self,
        network: &ParserNetwork,
        question: Question<'_>,
        outer: u32,
        fuel: &mut Fuel<'_>,
    ) -> Option<Result<u32, NoViable>> {
        let limit = COST * fuel.full.min(fuel.full_each).max(POOR_EFFORT);
        self.full.trim();
        let Predictor { full, stacks, workspace, .. } = self;
        let mut maker = Maker { network, stacks, workspace, spent: 0, limit };
        let answer = full_answer(full, &mut maker, question, outer, &mut fuel.patience);
        fuel.spent += maker.spent / COST;
        fuel.full = fuel.full.saturating_sub(maker.spent / COST);
        answer
    }
}

/// What full LL answers, within the maker's limit.
fn full_answer(
    full: &mut FullCache,
    maker: &mut Maker<'_>,
    question: Question<'_>,
    outer: u32,
    patience: &mut Patience<'_>,
) -> Option<Result<u32, NoViable>> {
    let mut state = full.start(question, outer, maker)?;
    let last = question.tokens.len().saturating_sub(1);
    let token_at = |at: usize| question.tokens.get(at).copied().unwrap_or(0);
    let mut at = 0;
    loop {
        let next = full.step(state, token_at(at), token_at(at + 1), maker)?;
        if next == DEAD {
            let configs = full.configs(state);
            let precedence = question.precedence;
            return Some(finished_alternative(maker.network, maker.stacks, configs, precedence));
        }
        if let Some(winner) = full.winner(next) {
            return Some(Ok(winner));
        }
        // Behind the end nothing changes any more: the least alternative wins there.
        if at >= last && next == state {
            return Some(least_alternative(full.configs(next)).ok_or(NoViable));
        }
        if maker.spent > maker.limit || patience.ends(1) {
            return None;
        }
        state = next;
        at = (at + 1).min(last);
    }
}
