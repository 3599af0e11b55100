//! The end of every task: does the result fail in processes that have run nothing before?

use std::sync::Arc;

use seedsmith_engine::Outcome;
use seedsmith_engine::StopReason;
use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Repeats;
use seedsmith_engine::internal::observe_in_new_processes;
use seedsmith_engine::{Judge, SameFailure};
use seedsmith_engine::{Kind, Signature};
use seedsmith_engine::{Limits, Target};

use super::first_runs::{Baseline, HANG_RUNS, RATE_RUNS, STEADY_RUNS};

/// The outcome of the runs of a result in new processes.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// How many runs showed the failure.
    pub shown: u32,
    /// How many runs there were.
    pub runs: u32,
    /// The failure with its stack, if it showed.
    pub signature: Option<Arc<Signature>>,
}

/// Runs `candidate` in newly opened slots: processes that have run nothing before.
pub(crate) fn confirm(
    target: &dyn Target,
    judge: &SameFailure,
    limits: Limits,
    (baseline, repeats): (&Baseline, Repeats),
    candidate: &[u8],
    is_over: &dyn Fn() -> Result<(), StopReason>,
) -> Result<Confirmation, Stopped> {
    let is_hang = baseline.is_hang() && repeats.is_steady();
    // A little more than the limit: an input that only a busy machine slowed down does not hang
    // elsewhere.
    let limits = if is_hang { limits.with_time(limits.cpu * 5 / 4) } else { limits };
    let wanted = match () {
        () if baseline.uses_up() && repeats.is_steady() => HANG_RUNS,
        () if repeats.is_steady() => STEADY_RUNS,
        () => repeats.within.max(RATE_RUNS),
    };
    let mut confirmation = Confirmation { shown: 0, runs: 0, signature: None };
    while confirmation.runs < wanted {
        // Not side by side where each takes all the memory that one may take.
        let at_once = if baseline.signature.kind == Kind::OutOfMemory { 1 } else { STEADY_RUNS };
        let runs = at_once.min(wanted - confirmation.runs);
        for observation in observe_in_new_processes(target, candidate, limits, runs, is_over)? {
            confirmation.runs += 1;
            if judge.outcome(&observation) == Outcome::Fail {
                confirmation.shown += 1;
                confirmation.signature =
                    confirmation.signature.or_else(|| observation.signature().cloned());
            }
        }
        // An unsteady one is run on: its rate is wanted.
        if repeats.is_steady() && confirmation.shown < confirmation.runs {
            break;
        }
    }
    Ok(confirmation)
}

impl Confirmation {
    /// Whether the result may be relied on as much as the input.
    pub fn holds(&self, repeats: Repeats) -> bool {
        if repeats.is_steady() { self.shown == self.runs } else { self.shown >= repeats.shows }
    }
}
