//! The repair of one input, by a validator that may serve many.

use std::path::Path;
use std::time::Instant;

use crate::repair::distance::distance;
use crate::repair::validate::ByOracle;
use crate::repair::{self, Options};
use crate::session::repair::{RepairRow, RepairStatus, changes};
use seedsmith_engine::oracle::budget::Budget;
use seedsmith_engine::oracle::by_catch::ByCatch;
use seedsmith_engine::oracle::{Oracle, Stopped};
use seedsmith_engine::outcome::Outcome;

/// Inputs above this are tested and not repaired: their differences could not be told in time.
pub const LARGEST: usize = 16 << 20;
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
    /// Whether the validator said both of the same text.
    pub is_unsteady: bool,
}

impl Done {
    /// Takes the text away: the validator said both of it.
    pub fn doubt(&mut self) {
        self.text = None;
        self.is_unsteady = true;
        self.row = RepairRow {
            status: RepairStatus::NotRepaired,
            output_bytes: 0,
            kept_bytes: 0,
            distance: None,
            note: Some("the validator doesn't say the same each time".to_owned()),
            ..self.row.clone()
        };
    }
}

/// Repairs one input within `budget`. That the text is valid each time is not confirmed yet.
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
        is_unsteady: false,
    })
}
