//! The state of one walk through the ATN: the configurations found, those seen and those still to
//! visit.

use super::configs::{Config, ConfigSet};
use super::stacks::{AT_END, EMPTY, Stacks};
use crate::grammar::atn::StateId;
use crate::grammar::hash::ScratchMap;

/// The configurations that a walk through the ATN has found, has seen and has still to visit. It is
/// kept from walk to walk to reuse its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosureWalk {
    /// The configurations found.
    pub set: ConfigSet,
    /// Configurations that were looked at, each with its depth.
    visited: ScratchMap<(Config, i32), ()>,
    /// Configurations to look at, the last first, each with its depth: how many rules were entered
    /// since the walk began, below 0 where it has left the rule that it began in.
    pub todo: Vec<(Config, i32)>,
    /// A left-recursive loop that was not entered: whether it is entered depends on the unknown
    /// stack below.
    pub passed_loop: Option<StateId>,
}

impl ClosureWalk {
    /// Makes ready for another walk.
    pub(super) fn clear(&mut self) {
        self.set.clear();
        self.visited.clear();
        self.passed_loop = None;
    }

    /// Notes that the walk has come here; returns whether it had before.
    #[inline]
    pub(super) fn has_seen(&mut self, config: Config, depth: i32) -> bool {
        self.visited.get_or_put((config, depth), ()).is_some()
    }

    /// Continues after a rule's end where the stack of the configuration goes back to.
    #[inline]
    pub(super) fn go_back(&mut self, stacks: &Stacks, config: Config, depth: i32) {
        // Backwards, since the last one pushed is looked at first: configurations are found in the
        // order of the links.
        for &(back, below) in stacks.links(config.stack).iter().rev() {
            self.todo.push(if back == AT_END {
                (Config { stack: EMPTY, ..config }, depth)
            } else {
                (Config { state: back, stack: below, ..config }, depth - 1)
            });
        }
    }
}
