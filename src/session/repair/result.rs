//! How a repair ended, as data: the texts and a row for each input, and the totals.
//!
//! It is separate from the run because reporters need nothing else of it.

use crate::event::{RepairRow, RepairStatus};

use seedsmith_engine::OtherFailure;

/// How the repair of one input ended, with the texts.
#[derive(Clone, Debug)]
pub struct RepairResult {
    /// What a report says of it.
    pub row: RepairRow,
    /// The input.
    pub input: Vec<u8>,
    /// The valid text, if one was found; the input itself where that is valid.
    pub text: Option<Vec<u8>>,
    /// The closest valid text that was found, where it keeps too little of the input to be a result.
    pub(super) refused: Option<Vec<u8>>,
    /// Failures of the validator on the way, each once.
    pub other_failures: Vec<OtherFailure>,
    /// Whether the validator both accepted and rejected the text that was found, which is
    /// therefore not in `text`.
    pub is_unsteady: bool,
}

impl RepairResult {
    /// Takes the text away, because the validator both accepted and rejected it.
    pub(super) fn doubt(&mut self) {
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

/// How far a run over several inputs is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Inputs whose results were handed over.
    pub done: usize,
    /// Inputs that have had their turn in the first round. 0 where there is only one round.
    pub had_first: usize,
}
