//! Sets of parser configurations: the ways that a prediction still considers at one token.

use crate::grammar::atn::StateId;
use crate::grammar::hash::ScratchMap;
use crate::grammar::parser::prediction::stacks::Stacks;
use std::hash::{Hash, Hasher};

/// The gate of a configuration that went through none.
pub(super) const OPEN: u16 = u16::MAX;

/// One way in which the parser could have got here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Config {
    /// Where in the ATN.
    pub state: StateId,
    /// The alternative that it started with, counted from 1.
    pub alternative: u32,
    /// The rules to go back to.
    pub stack: u32,
    /// It holds only if the rule was called with at most this precedence.
    pub gate: u16,
    /// Whether it left the rule in which the decision is.
    pub has_left: bool,
    /// Whether the filter for left-recursive loops must let it pass.
    pub unfiltered: bool,
}

/// In two words instead of six: sets of these are looked up all the time.
impl Hash for Config {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(u64::from(self.state) << 32 | u64::from(self.stack));
        let flags = u64::from(self.has_left) << 1 | u64::from(self.unfiltered);
        hasher.write_u64(u64::from(self.alternative) << 32 | u64::from(self.gate) << 2 | flags);
    }
}

/// Configurations in the order in which they were added; those that differ only in their
/// stacks are one.
#[derive(Clone, Debug, Default)]
pub(super) struct ConfigSet {
    /// The configurations.
    pub list: Vec<Config>,
    index: ScratchMap<(StateId, u32, u16), u32>,
}

impl ConfigSet {
    /// Forgets all configurations.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.index.clear();
    }

    /// Adds a configuration, merging stacks.
    pub(super) fn add(&mut self, config: Config, stacks: &mut Stacks, in_full_context: bool) {
        let next = self.list.len() as u32;
        let key = (config.state, config.alternative, config.gate);
        let known = self.index.get_or_put(key, next).and_then(|at| self.list.get_mut(at as usize));
        match known {
            Some(known) => {
                known.stack = stacks.merge(known.stack, config.stack, !in_full_context);
                known.has_left |= config.has_left;
                known.unfiltered |= config.unfiltered;
            }
            None => self.list.push(config),
        }
    }
}

/// The alternative that all configurations share.
pub(super) fn only_alternative(configs: &[Config]) -> Option<u32> {
    let first = configs.first()?.alternative;
    configs.iter().all(|config| config.alternative == first).then_some(first)
}

/// The least alternative of all.
pub(super) fn least_alternative(configs: &[Config]) -> Option<u32> {
    configs.iter().map(|config| config.alternative).min()
}

/// (State, stack, alternative) of all configurations, sorted, each once.
fn triples(configs: &[Config]) -> Vec<(StateId, u32, u32)> {
    let triple = |config: &Config| (config.state, config.stack, config.alternative);
    let mut triples: Vec<_> = configs.iter().map(triple).collect();
    triples.sort_unstable();
    triples.dedup();
    triples
}

/// Whether looking further without the caller is pointless: some state and stack are reached
/// by several alternatives, and no state by one alone. (OOPSLA 2014, section 3.5.)
pub(super) fn is_sll_conflict(configs: &[Config]) -> bool {
    let triples = triples(configs);
    let mut has_conflict = false;
    for group in triples.chunk_by(|a, b| a.0 == b.0) {
        let first = group[0].2;
        if group.iter().all(|triple| triple.2 == first) {
            return false;
        }
        has_conflict |= group.windows(2).any(|pair| pair[0].1 == pair[1].1);
    }
    has_conflict
}

/// With the caller known: the alternative that wins in every conflict, if it is the same one.
pub(super) fn resolved_alternative(configs: &[Config]) -> Option<u32> {
    let triples = triples(configs);
    let mut groups = triples.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    let winner = groups.next()?[0].2;
    groups.all(|group| group[0].2 == winner).then_some(winner)
}
