//! A whole run: check the validator, repair every input, and check at the end that the validator
//! rejects anything at all.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::error::RepairError;
use super::input::RepairInput;
use super::learn::{FirstLook, look_first};
use super::options::RunOptions;
use super::result::{Progress, RepairResult};
use super::threads::{ForOthers, Threads};
use super::validator::{Validators, run_error, with_validator};
use crate::corpus::PassedOver;
use crate::event::RepairTotals;

/// The end of a run in which the validator could be run.
#[derive(Debug, Default)]
pub(crate) struct RunEnd {
    /// The results that were handed over, added up.
    pub totals: RepairTotals,
    /// The reason why the results cannot be relied on, if there is one: the validator contradicted
    /// itself, or seems to accept anything. An interrupted run has none.
    pub doubt: Option<RepairError>,
    /// What runs over the other inputs of a folder have to know.
    pub for_others: ForOthers,
}

/// Repairs all `inputs` and hands each result to `receive`, in their order and in this thread; an
/// input that cannot be read is handed over as passed over.
///
/// `still_running` hears every ten seconds how far the run is, in this thread too.
///
/// With several inputs and a limit ([`RunOptions::budget`], [`RunOptions::max_total`]) there are two rounds. In the
/// first each input may use 60 tests. In the second the search continues where it has not ended by itself, and
/// the valid texts of all inputs are starting points for inputs without a result.
///
/// `receive` ends the run with [`ControlFlow::Break`]; it then gets no further result. Results that
/// were found out of order wait in memory. Fails where the validator cannot be opened or run, where
/// it contradicts itself on the first input, and where the base is invalid.
///
/// Costs about ten runs of the first input, one test for each input that is learnt from, and for
/// each input what [`repair`](crate::repair::repair) costs and up to nine runs of the valid text.
pub(crate) fn repair_all(
    validators: &dyn Validators,
    inputs: &[RepairInput],
    options: &RunOptions,
    receive: &mut dyn FnMut(Result<RepairResult, PassedOver>) -> ControlFlow<()>,
    still_running: &mut dyn FnMut(Progress),
) -> Result<RunEnd, RepairError> {
    let first_look = look_first(validators, inputs, options)?;
    repair_looked(validators, inputs, options, first_look, receive, still_running)
}

/// The second part of [`repair_all`], which begins with [`look_first`].
pub(crate) fn repair_looked(
    validators: &dyn Validators,
    inputs: &[RepairInput],
    options: &RunOptions,
    first_look: FirstLook,
    receive: &mut dyn FnMut(Result<RepairResult, PassedOver>) -> ControlFlow<()>,
    still_running: &mut dyn FnMut(Progress),
) -> Result<RunEnd, RepairError> {
    let started = Instant::now();
    let Some(first) = inputs.first() else { return Ok(RunEnd::default()) };
    let mut repair = options.repair.clone();
    if let Some(learnt) = first_look.learnt {
        repair.learnt = Arc::new(learnt);
    }
    let mut totals = RepairTotals::default();
    let mut unsteady = None;
    let threads = Threads { validators, inputs, repair: &repair, options, started };
    let (flow, for_others) = threads.work(
        &mut |answer| {
            if let Ok(result) = &answer {
                totals.add(&result.row);
                if result.is_unsteady && unsteady.is_none() {
                    unsteady = Some(result.row.input.clone());
                }
            }
            receive(answer)
        },
        still_running,
    )?;
    totals.elapsed = started.elapsed();
    let doubt = match unsteady {
        _ if flow.is_break() || options.is_interrupted() => None,
        Some(input) => Some(RepairError::Unsteady { name: validators.name(), input }),
        None if totals.valid == totals.inputs => {
            check_rejects(validators, first.path(), options).err()
        }
        None => None,
    };
    Ok(RunEnd { totals, doubt, for_others })
}

/// Repairs one text, with all that a run promises. Its result's row calls it `input`.
///
/// Fails as [`repair_all`] does, and where the result cannot be relied on.
pub(crate) fn repair_text(
    validators: &dyn Validators,
    text: &[u8],
    options: &RunOptions,
) -> Result<RepairResult, RepairError> {
    let input = RepairInput::Text { name: PathBuf::from("input"), bytes: text.to_vec() };
    let mut found = None;
    let mut receive = |answer: Result<RepairResult, PassedOver>| {
        found = answer.ok();
        ControlFlow::Continue(())
    };
    let end = repair_all(validators, &[input], options, &mut receive, &mut |_| {})?;
    match end.doubt {
        Some(doubt) => Err(doubt),
        None => found.ok_or(RepairError::Interrupted),
    }
}

/// Fails if a validator that has rejected no input accepts garbage too.
fn check_rejects(
    validators: &dyn Validators,
    first: &Path,
    options: &RunOptions,
) -> Result<(), RepairError> {
    with_validator(validators, first, options, 1, |validator| {
        let accepts = validator.accepts_anything();
        match accepts.map_err(|stopped| run_error(validators, stopped))? {
            true => Err(RepairError::AcceptsAnything { name: validators.name() }),
            false => Ok(()),
        }
    })
}
