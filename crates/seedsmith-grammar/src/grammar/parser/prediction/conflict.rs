//! The input of a prediction, the choice that a set of configurations allows when the caller isn't
//! known, and the filters of a set by precedence and after an error.
//!
//! T. Parr, S. Harwell, K. Fisher, "Adaptive LL(*) Parsing" (OOPSLA 2014), section 3; the treatment
//! of precedences is that of ANTLR's runtime.

use crate::grammar::atn::parser::{ParserAtn, Role};
use crate::grammar::hash::FixedMap;
use crate::grammar::parser::prediction::configs::{
    Config, ConfigSet, OPEN, is_sll_conflict, least_alternative, only_alternative,
};
use crate::grammar::parser::prediction::stacks::Stacks;

/// The decision to make and the tokens at that place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PredictionInput<'a> {
    /// The decision's number.
    pub decision: u32,
    /// The tokens from the present one on; the last is the end of the input.
    pub tokens: &'a [u32],
    /// The precedence that the rule was called with.
    pub precedence: u16,
}

/// No alternative fits the tokens: the input has a syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoViable;

/// The result of a prediction in a state.
#[derive(Clone, Debug)]
pub(crate) enum Resolution {
    /// Look at one more token.
    Open,
    /// This alternative.
    Alternative(u32),
    /// The first whose gate is open.
    Gated(Vec<(u32, u16)>),
    /// Ask again with the caller known; else the least alternative.
    Conflict { least: u32, gates: Option<Vec<(u32, u16)>> },
}

impl Resolution {
    /// The result that these configurations allow.
    pub(crate) fn of(atn: &ParserAtn, configs: &[Config]) -> Resolution {
        let gates = || {
            let has_gates = configs.iter().any(|config| config.gate != OPEN);
            has_gates.then(|| gates_of(configs)).filter(|gates| gates.iter().any(|g| g.1 != OPEN))
        };
        if let Some(only) = only_alternative(configs) {
            return match gates() {
                Some(gates) => Resolution::Gated(gates),
                None => Resolution::Alternative(only),
            };
        }
        let is_stop = |config: &Config| atn.states[config.state as usize].role == Role::RuleStop;
        if configs.iter().all(is_stop) || is_sll_conflict(configs) {
            let least = least_alternative(configs).unwrap_or(1);
            return Resolution::Conflict { least, gates: gates() };
        }
        Resolution::Open
    }
}

/// For each alternative, ascending, the gate that the easiest of its configurations has.
fn gates_of(configs: &[Config]) -> Vec<(u32, u16)> {
    let mut gates: Vec<(u32, u16)> = configs.iter().map(|c| (c.alternative, c.gate)).collect();
    gates.sort_unstable_by_key(|&(alternative, gate)| (alternative, std::cmp::Reverse(gate)));
    gates.dedup_by_key(|&mut (alternative, _)| alternative);
    gates
}

/// Drops the configurations that a left-recursive loop must not follow under this precedence:
/// operators that bind too loosely, and leaving the loop where continuing leads to the same place.
/// (ANTLR's `applyPrecedenceFilter`.)
pub(crate) fn filter_precedence(
    configs: Vec<Config>,
    precedence: u16,
    stacks: &mut Stacks,
) -> Vec<Config> {
    let mut kept = ConfigSet::default();
    let mut going_on: FixedMap<u32, u32> = FixedMap::default();
    for config in configs.iter().filter(|config| config.alternative == 1) {
        if config.gate >= precedence {
            going_on.insert(config.state, config.stack);
            kept.add(Config { gate: OPEN, ..*config }, stacks, false);
        }
    }
    for config in configs.iter().filter(|config| config.alternative != 1) {
        let is_doubled = going_on.get(&config.state) == Some(&config.stack);
        if config.unfiltered || !is_doubled {
            kept.add(*config, stacks, false);
        }
    }
    kept.list
}

/// Where no token fits: the least alternative that had got through the decision's rule.
pub(crate) fn finished_alternative(
    atn: &ParserAtn,
    stacks: &Stacks,
    configs: &[Config],
    precedence: u16,
) -> Result<u32, NoViable> {
    let is_through = |config: &&Config| {
        config.has_left
            || (atn.states[config.state as usize].role == Role::RuleStop
                && stacks.can_be_empty(config.stack))
    };
    let least = |is_allowed: bool| {
        let fits = |config: &&Config| (config.gate >= precedence) == is_allowed;
        configs.iter().filter(fits).filter(is_through).map(|config| config.alternative).min()
    };
    least(true).or_else(|| least(false)).ok_or(NoViable)
}
