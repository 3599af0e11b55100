//! Runs inputs on an instrumented executable, and reports what each reached.
//!
//! Inputs are taken as workers have room for them; reports come in the order of the inputs. A crash, a hang and
//! memory that runs out are observations like any other: the next input runs in the next worker.
//!
//! Inputs run in batches: a batch begins in a worker that has run nothing, forked from the same state, and its inputs
//! run there one after the other. So what an input reaches depends on its batch only, and not on the number of
//! workers. With batches of one input it depends on nothing but the input.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use seedsmith_engine::Signature;
use seedsmith_engine::internal::Crew;
use seedsmith_engine::internal::FeatureText;
use seedsmith_engine::{Limits, Request, RunReport, Target, TargetError};
use seedsmith_engine::{Observation, Verdict};
use std::sync::Arc;

/// What an input did.
#[derive(Clone, Debug)]
pub(crate) enum Reached {
    /// It ran to the end, and the target kept it.
    Kept(FeatureText),
    /// The target says that it is invalid.
    Rejected(FeatureText),
    /// It fails.
    Failed(Arc<Signature>),
    /// Nothing is known: its worker was ended from outside again and again.
    Lost,
}

/// Inputs under way at most, if their batches are small: their bytes are in memory.
///
/// A guess, not measured: enough for the queues of all workers.
const MAX_UNDER_WAY_INPUTS: usize = 256;

/// Inputs that are queued for one worker at once if each runs alone, so that the worker does not wait for the next one. A guess, not measured.
const MAX_ALONE_IN_A_ROW: usize = 16;
/// How long such a row takes at most, if a run is shorter: long beside the driver's wake-up, and short enough for workers that end together.
/// A guess, not measured.
const ROW_TIME: Duration = Duration::from_millis(4);
/// Bytes of such a row at most. The largest inputs come first and take longer than those before them: in one row, they would all
/// run in one worker. A guess, not measured.
const ROW_BYTES: usize = 32 << 10;

/// Why inputs were not all run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum GatherError {
    /// The target cannot be run any more.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The run was interrupted.
    #[error("interrupted before every input was run")]
    Interrupted,
}

/// An input that is to be run.
pub(crate) struct ToRun<I> {
    /// What its report is given with.
    pub input: I,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// The digest of its estimate, if it has one and runs alone now: see [`Request::expected`].
    pub expected: Option<u64>,
}

/// An input under way, and its ticket once it is queued.
struct UnderWay<I> {
    input: I,
    ticket: u64,
}

/// How inputs are distributed over workers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batches {
    /// Inputs that run one after the other in one worker, at least 1.
    pub inputs: usize,
    /// Whether each input but the first of its worker runs only once.
    ///
    /// The report is an estimate then: work that the process did once counts too.
    pub once: bool,
}

impl Batches {
    /// Each input in a new process: its features depend on nothing else.
    pub(crate) const ALONE: Batches = Batches { inputs: 1, once: false };
}

/// The workers that run inputs. They are started when they are first needed.
pub(crate) struct Gatherer<'t> {
    crew: Crew<'t>,
    jobs: usize,
    varied: bool,
}

impl<'t> Gatherer<'t> {
    /// At most `jobs` workers at once, each run of which may use `limits`. The answers are the same for any
    /// number of jobs.
    pub(crate) fn new(
        target: &'t dyn Target,
        jobs: usize,
        limits: Limits,
    ) -> Result<Self, GatherError> {
        let mut crew = Crew::new(target, jobs)?;
        crew.set_limits(limits);
        Ok(Gatherer { crew, jobs, varied: false })
    }

    /// The same, where what the target gets by chance depends on each input's content.
    ///
    /// Without that all inputs get the same, so that two inputs which differ little reach the same.
    pub(crate) fn varied(self) -> Self {
        Gatherer { varied: true, ..self }
    }

    /// Runs each of `inputs`, and passes its features to `hear`, in order.
    ///
    /// Costs one run an input, and two for those with features that are new to their worker.
    ///
    /// Fails with [`GatherError::Interrupted`] when `interrupt` is set, and with
    /// [`GatherError::Target`] if no worker can be started. Earlier reports stay valid; this value is
    /// of no more use then.
    pub(crate) fn run<I>(
        &mut self,
        batches: Batches,
        inputs: impl IntoIterator<Item = ToRun<I>>,
        hear: &mut dyn FnMut(I, Reached),
        interrupt: &AtomicBool,
    ) -> Result<(), GatherError> {
        let (crew, varied) = (&mut self.crew, self.varied);
        let is_alone = batches.inputs == 1;
        let mut row = batches.inputs;
        // Room for two rows in each worker, and for reports that wait for an earlier one.
        let max_under_way = MAX_UNDER_WAY_INPUTS.max(row * (2 * self.jobs + 1));
        // Inputs of the batch or row under way that were queued, their bytes, and the slot that they are in.
        let (mut queued, mut queued_bytes, mut slot) = (0, 0, None);
        let mut inputs = inputs.into_iter();
        let mut waiting: Option<ToRun<I>> = None;
        let mut under_way: VecDeque<UnderWay<I>> = VecDeque::new();
        loop {
            if interrupt.load(Ordering::Relaxed) {
                return Err(GatherError::Interrupted);
            }
            while under_way.len() < max_under_way {
                let Some(next) = waiting.take().or_else(|| inputs.next()) else { break };
                if is_alone && queued == 0 {
                    let fitting = ROW_TIME.as_nanos() / crew.pace().as_nanos().max(1);
                    row = (fitting as usize).clamp(1, MAX_ALONE_IN_A_ROW);
                }
                // To the first one of a worker, `once` makes no difference: it only says that others follow.
                let once = batches.once || (queued == 0 && !is_alone);
                let (fresh, expected) = (is_alone || queued == 0, next.expected);
                let request = Request { fresh, frames: false, once, varied, expected };
                match crew.offer_in_row(slot, &next.bytes, request)? {
                    Some((ticket, taken_by)) => {
                        under_way.push_back(UnderWay { input: next.input, ticket });
                        (queued, queued_bytes) = (queued + 1, queued_bytes + next.bytes.len());
                        slot = Some(taken_by);
                        if queued >= row || (is_alone && queued_bytes >= ROW_BYTES) {
                            (queued, queued_bytes, slot) = (0, 0, None);
                        }
                    }
                    None => {
                        waiting = Some(next);
                        break;
                    }
                }
            }
            let Some(oldest) = under_way.front() else {
                // Who gives the inputs may have ended early for it.
                return match interrupt.load(Ordering::Relaxed) {
                    true => Err(GatherError::Interrupted),
                    false => Ok(()),
                };
            };
            match crew.report(oldest.ticket) {
                Some(report) => {
                    let UnderWay { input, .. } = under_way.pop_front().expect("it is the front");
                    hear(input, reached(report));
                }
                None => crew.wait()?,
            }
        }
    }
}

/// What a report says of an input. A target without features, or a worker that was ended from
/// outside, says nothing.
fn reached(report: RunReport) -> Reached {
    match report.observation {
        Observation::Returned(Verdict::Keep) => Reached::Kept(FeatureText::new(report.answer)),
        Observation::Returned(Verdict::Reject) => {
            Reached::Rejected(FeatureText::new(report.answer))
        }
        Observation::Failed(signature) => Reached::Failed(signature),
        _ => Reached::Lost,
    }
}
