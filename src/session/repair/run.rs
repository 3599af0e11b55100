//! A whole run: check the validator, repair every input, and check at the end that the validator
//! rejects anything at all.

use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::error::RepairError;
use super::learn::look_first;
use super::result::{RepairResult, RepairTotals};
use super::threads::Threads;
use super::validator::{Validators, run_error, with_validator};
use crate::corpus::{Listed, PassedOver};
use crate::repair::Options;
use seedsmith_engine::exec::Limits;
use seedsmith_engine::oracle::budget::Budget;

/// An input to repair.
#[derive(Clone, Debug)]
pub enum RepairInput {
    /// A file, which is read when its turn comes.
    File(PathBuf),
    /// A text in memory.
    Text {
        /// Its name in results. A program that validates it is given a file of this name.
        name: PathBuf,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

impl From<&Listed> for RepairInput {
    fn from(listed: &Listed) -> Self {
        RepairInput::File(listed.path.clone())
    }
}

impl RepairInput {
    /// The file's path, or the text's name.
    pub fn path(&self) -> &Path {
        match self {
            RepairInput::File(path) => path,
            RepairInput::Text { name, .. } => name,
        }
    }

    /// Its bytes. Fails only where a file cannot be read.
    pub fn read(&self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            RepairInput::File(path) => std::fs::read(path).map(Cow::Owned),
            RepairInput::Text { bytes, .. } => Ok(Cow::Borrowed(bytes)),
        }
    }
}

/// Options of a run: how it repairs, and how much it may use.
#[derive(Clone)]
pub struct RunOptions {
    /// How each input is repaired. If there are several inputs, the run learns from the valid ones,
    /// and [`Options::learnt`] is replaced by that.
    pub repair: Options,
    /// The number of inputs that are repaired side by side, at most; of workers, if there is one
    /// input.
    pub jobs: usize,
    /// What one test may use.
    pub limits: Limits,
    /// What the repair of one input may use. Its interrupt flag ends the whole run: repairs under
    /// way end early and are handed over, inputs that no thread has taken are not.
    pub budget: Budget,
    /// How long the whole run may take. Inputs whose turn comes later are handed over untested.
    pub max_total: Option<Duration>,
}

impl Default for RunOptions {
    /// One input at a time, without a limit on tests or time.
    fn default() -> Self {
        RunOptions {
            repair: Options::default(),
            jobs: 1,
            limits: Limits::default(),
            budget: Budget::default(),
            max_total: None,
        }
    }
}

impl RunOptions {
    /// Whether someone asked for an end of the run.
    pub fn is_interrupted(&self) -> bool {
        self.budget.interrupt.load(Ordering::Relaxed)
    }
}

/// The end of a run in which the validator could be run.
#[derive(Debug, Default)]
pub struct RunEnd {
    /// The results that were handed over, added up.
    pub totals: RepairTotals,
    /// The reason why the results cannot be relied on, if there is one: the validator contradicted
    /// itself, or seems to accept anything. An interrupted run has none.
    pub doubt: Option<RepairError>,
}

/// Repairs all `inputs` and hands each result to `receive`, in their order and in this thread; an
/// input that cannot be read is handed over as passed over.
///
/// `receive` ends the run with [`ControlFlow::Break`]; it then gets no further result. Results that
/// were found out of order wait in memory. Fails where the validator cannot be opened or run, where
/// it contradicts itself on the first input, and where the base is invalid.
///
/// Costs about ten runs of the first input, one test for each input that is learnt from, and for
/// each input what [`repair`](crate::repair::repair) costs and up to nine runs of the valid text.
pub fn repair_all(
    validators: &dyn Validators,
    inputs: &[RepairInput],
    options: &RunOptions,
    receive: &mut dyn FnMut(Result<RepairResult, PassedOver>) -> ControlFlow<()>,
) -> Result<RunEnd, RepairError> {
    let started = Instant::now();
    let Some(first) = inputs.first() else { return Ok(RunEnd::default()) };
    let mut repair = options.repair.clone();
    if let Some(learnt) = look_first(validators, inputs, options)? {
        repair.learnt = Arc::new(learnt);
    }
    let mut totals = RepairTotals::default();
    let mut unsteady = None;
    let threads = Threads { validators, inputs, repair: &repair, options, started };
    let flow = threads.work(&mut |answer| {
        if let Ok(result) = &answer {
            totals.add(&result.row);
            if result.is_unsteady && unsteady.is_none() {
                unsteady = Some(result.row.input.clone());
            }
        }
        receive(answer)
    })?;
    totals.elapsed = started.elapsed();
    let doubt = match unsteady {
        _ if flow.is_break() || options.is_interrupted() => None,
        Some(input) => Some(RepairError::Unsteady { name: validators.name(), input }),
        None if totals.valid == totals.inputs => {
            check_rejects(validators, first.path(), options).err()
        }
        None => None,
    };
    Ok(RunEnd { totals, doubt })
}

/// Repairs one text, with all that a run promises. Its result's row calls it `input`.
///
/// Fails as [`repair_all`] does, and where the result cannot be relied on.
pub fn repair_text(
    validators: &dyn Validators,
    text: &[u8],
    options: &RunOptions,
) -> Result<RepairResult, RepairError> {
    let input = RepairInput::Text { name: PathBuf::from("input"), bytes: text.to_vec() };
    let mut found = None;
    let end = repair_all(validators, &[input], options, &mut |answer| {
        found = answer.ok();
        ControlFlow::Continue(())
    })?;
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
