//! The repair of one input, by a validator that may serve many.

use std::path::Path;
use std::time::Instant;

use crate::observation::{Observation, Verdict};
use crate::oracle::budget::Budget;
use crate::oracle::by_catch::ByCatch;
use crate::oracle::{Oracle, Stopped};
use crate::outcome::Outcome;
use crate::repair::distance::distance;
use crate::repair::validate::ByOracle;
use crate::repair::{self, Options};
use crate::report::{RepairRow, RepairStatus, changes};
use crate::target::Request;

/// Inputs above this are tested and not repaired: their differences could not be told in time.
const LARGEST: usize = 16 << 20;
/// Runs of a repaired text in workers that have run nothing else.
const CONFIRMATIONS: u32 = 2;
/// Below this share of the input a valid text has little to do with it.
const HARDLY_ALIKE: f64 = 0.5;

/// What came of one input.
pub struct Done {
    /// For the reports; nothing is written yet.
    pub row: RepairRow,
    /// The input.
    pub input: Vec<u8>,
    /// The valid text.
    pub text: Option<Vec<u8>>,
    /// Failures of the target on the way.
    pub by_catch: Vec<ByCatch>,
}

/// Repairs one input within `budget`.
pub fn repair_one(
    oracle: &mut Oracle<'_>,
    is_slow: bool,
    path: &Path,
    input: Vec<u8>,
    options: &Options,
    budget: Budget,
) -> Result<Done, Stopped> {
    let started = Instant::now();
    oracle.begin_anew(budget);
    let mut note = None;
    let found = if input.len() > LARGEST {
        let is_valid = oracle.outcome(&input).map(|outcome| outcome == Outcome::Pass);
        let (was_valid, stopped) = match is_valid {
            Ok(is_valid) => (is_valid, None),
            Err(Stopped::Early(reason)) => (false, Some(reason)),
            Err(stopped) => return Err(stopped),
        };
        if !was_valid {
            note = Some(format!("more than {} MB are not repaired", LARGEST >> 20));
        }
        let text = was_valid.then(|| input.clone());
        repair::Repair { text, was_valid, stopped, counts: oracle.counts() }
    } else {
        let mut validator = ByOracle::new(oracle, is_slow);
        repair::repair(&mut validator, &input, options)?
    };
    let mut text = found.text;
    if !found.was_valid
        && let Some(candidate) = &text
        && !is_confirmed(oracle, candidate)?
    {
        note = Some("the validator doesn't say the same each time".to_owned());
        text = None;
    }
    // Nothing at all is valid too, and of no use.
    if !found.was_valid && text.as_ref().is_some_and(Vec::is_empty) {
        note = Some("only the empty input is valid".to_owned());
        text = None;
    }
    let status = match &text {
        Some(_) if found.was_valid => RepairStatus::Valid,
        Some(_) => RepairStatus::Repaired,
        None => RepairStatus::NotRepaired,
    };
    let distance = text.as_ref().map(|text| distance(&input, text, usize::MAX));
    if distance.is_some_and(|edits| edits as f64 > input.len() as f64 * (1.0 - HARDLY_ALIKE)) {
        note = Some("the two are hardly alike".to_owned());
    }
    let dropped = |text: &Vec<u8>| -> usize {
        changes(&input, text).iter().map(|change| change.dropped.len()).sum()
    };
    let kept_bytes = match &text {
        _ if found.was_valid => input.len(),
        Some(text) => input.len() - dropped(text),
        None => 0,
    };
    let counts = oracle.counts();
    Ok(Done {
        row: RepairRow {
            input: path.to_owned(),
            output: None,
            status,
            input_bytes: input.len(),
            output_bytes: text.as_ref().map_or(0, Vec::len),
            kept_bytes,
            distance,
            tests: found.counts.tests,
            executions: counts.executions,
            elapsed: started.elapsed(),
            stopped: found.stopped,
            note,
            by_catch: Vec::new(),
        },
        by_catch: oracle.by_catch().to_vec(),
        input,
        text,
    })
}

/// Whether a text is valid in fresh workers, too.
fn is_confirmed(oracle: &mut Oracle<'_>, text: &[u8]) -> Result<bool, Stopped> {
    for _ in 0..CONFIRMATIONS {
        let seen = match oracle.observe(text, Request { fresh: true, frames: false }) {
            Ok(seen) => seen,
            // Interrupted: what was found stands, once tested.
            Err(Stopped::Early(_)) => return Ok(true),
            Err(stopped) => return Err(stopped),
        };
        if seen != Observation::Returned(Verdict::Keep) {
            return Ok(false);
        }
    }
    Ok(true)
}
