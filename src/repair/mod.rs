//! Makes invalid inputs valid and keeps as much of them as it can.
//!
//! ```text
//! damaged input -> located (by messages) ----+
//!               -> guided (fault by fault) --+
//!               -> ddmax (figure 5) ---------+-> restore -> repaired input
//!                         |                           |
//!                         +--> Validate: oracle or function in place
//! ```
//!
//! - [`ddmax`]: the paper's algorithm; lexical over bytes or characters, syntactic over terminals;
//! - `located`: what the default does first: mend where the validator says that the fault is;
//! - [`guided`]: the alternative: localise the first fault by bisection, mend it by a small
//!   edit, continue to the next;
//! - `deletions`: the same by deletions alone; bytes that were dropped without need come back, gap by gap;
//! - [`likelihood`]: how likely a byte is where it is, by the text itself and its siblings;
//! - [`recovery`]: what a grammar's parser makes of a damaged input;
//! - [`restore`]: ddmax over the dropped bytes, and between a parent and its mutant;
//! - [`validate`]: which texts are valid.
//!
//! Source: L. Kirschner, E. Soremekun, A. Zeller, 'Debugging Inputs', ICSE 2020.

mod best;
pub(crate) mod ddmax;
mod deletions;
pub(crate) mod distance;
mod encoding;
pub(crate) mod guided;
pub(crate) mod likelihood;
mod located;
pub(crate) mod options;
pub(crate) mod recovery;
pub(crate) mod restore;
mod strategies;
pub(crate) mod validate;

use std::sync::Arc;

use crate::event::{Counts, StopReason};
use seedsmith_engine::Stopped;
use seedsmith_engine::TargetError;
use seedsmith_engine::internal::Complaint;

pub(crate) use located::names_place;
pub use options::{Options, Strategy};
use validate::Validate;

/// How a repair ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The valid text, if one was found; the input itself where that is valid.
    pub text: Option<Vec<u8>>,
    /// Whether the input was valid as it was.
    pub was_valid: bool,
    /// Why the search ended early or left something out, if it did. The best text until then is kept.
    pub stopped: Option<StopReason>,
    /// The numbers of tests and runs.
    pub counts: Counts,
    /// What the validator printed about the input, if it is invalid and the validator printed something.
    pub message: Option<Arc<Complaint>>,
    /// What the validator printed about the nearest text that it rejected: the last one before the valid text,
    /// or where none was found the one that got furthest. `None` if that is the input.
    pub rejected: Option<Arc<Complaint>>,
}

/// Finds a valid text close to `input`.
///
/// Costs one test where the input is valid; else what the strategy costs, within the validator's
/// budget. Fails only where the validator can't be run.
pub fn repair(
    validator: &mut dyn Validate,
    input: &[u8],
    options: &Options,
) -> Result<Repair, TargetError> {
    let mut best = best::Best::new(input);
    if let Some(known) = &options.known {
        best.offer(known);
    }
    let ended = strategies::run(validator, input, options, &mut best);
    let stopped = match ended {
        // A limit that a step has come close to is a reason too: the step left out the rest.
        Ok(()) if best.is_cut_short() => validator.closest_limit(),
        Ok(()) => None,
        Err(Stopped::Early(reason)) => Some(reason),
        Err(Stopped::Target(error)) => return Err(error),
    };
    let (message, rejected) = (best.message(), best.rejected());
    let text = best.take();
    let was_valid = text.as_deref() == Some(input);
    Ok(Repair { text, was_valid, stopped, counts: validator.counts(), message, rejected })
}
