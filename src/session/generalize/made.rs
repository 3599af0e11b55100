//! Inputs that are made of a pattern, within what time the search has left over.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use seedsmith_engine::Stopped;
use seedsmith_engine::internal::Oracle;

use super::options::Options;
use crate::event::StopReason;
use crate::generalize::kit::KitInputs;
use crate::generalize::pattern::Pattern;
use crate::generalize::predicate::learn::Predicate;
use crate::generalize::produce::{Tested, example, produce_tested, produce_while};

/// Inputs that were made of a pattern.
#[derive(Debug, Default)]
pub(crate) struct Made {
    /// The inputs, and how many were left out because they pass.
    pub tested: Tested,
    /// For each slot an input in which only that is different, if wanted.
    pub examples: Vec<Option<Vec<u8>>>,
    /// Whether the inputs are known to fail.
    pub is_tested: bool,
    /// Inputs for a kit, if wanted.
    pub samples: KitInputs,
}

/// How long inputs are made that are not tested, after the search was stopped: the run has to end
/// within a second of its limit, and other files are still written.
const MAX_UNTESTED_TIME: Duration = Duration::from_millis(500);

/// Makes the inputs that are wanted. Where the search was stopped there is no time to test them.
pub(super) fn make(
    oracle: &mut Oracle<'_>,
    pattern: &mut Pattern,
    condition: Option<&Predicate>,
    options: &Options,
    stopped: Option<StopReason>,
) -> Result<Made, Stopped> {
    let (seed, count) = (options.pattern.seed, options.inputs);
    let is_tested = stopped.is_none();
    let (budget, started, now) = (oracle.budget().clone(), oracle.started(), Instant::now());
    let keep_going = || match is_tested {
        true => budget.check_time(started).is_ok(),
        false => now.elapsed() < MAX_UNTESTED_TIME && !budget.interrupt.load(Ordering::Relaxed),
    };
    let tested = if is_tested {
        produce_tested(oracle, pattern, condition, count, seed)?
    } else if options.wants_untested {
        Tested { inputs: produce_while(pattern, count, seed, &keep_going), ..Tested::default() }
    } else {
        Tested::default()
    };
    let mut examples = Vec::new();
    if options.wants_examples {
        for slot in 0..pattern.slots.len() {
            examples.push(example(
                pattern,
                slot,
                seed,
                is_tested.then_some(&mut *oracle),
                &keep_going,
            )?);
        }
    }
    Ok(Made { tested, examples, is_tested, samples: KitInputs::default() })
}
