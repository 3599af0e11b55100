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

/// Inputs at most that are queued, run, or done and waiting for the report of an earlier one, which comes first.
///
/// The features of those that wait are kept in any case, and the bytes of the queued ones have a limit of their own. With
/// 256, an input that took 0.9 s kept the second worker idle for as long: it had run the next 256 before.
const MAX_UNDER_WAY_INPUTS: usize = 1 << 14;

/// Inputs that are queued for one worker at once if each runs alone, so that the worker does not wait for the next one. A guess, not measured.
const MAX_ALONE_IN_A_ROW: usize = 16;
/// How long such a row takes at most, if a run is shorter: long beside the driver's wake-up, and short enough for workers that end together.
/// A guess, not measured.
const ROW_TIME: Duration = Duration::from_millis(4);
/// Bytes of such a row at most. The largest inputs come first and take longer than those before them: in one row, they would all
/// run in one worker. A guess, not measured.
const ROW_BYTES: usize = 32 << 10;

/// A batch ends with the input that makes it as large as this: half of what a slot takes at once. Until the last input of a batch is
/// taken, no other worker gets the next batch.
const BATCH_BYTES: usize = 512 << 10;

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
    pub bytes: Arc<Vec<u8>>,
    /// Whether a batch begins with it. An input that runs alone is a batch.
    pub begins: bool,
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

    /// Divides a sequence of inputs into these batches.
    pub(crate) fn division(self) -> Division {
        Division { batches: self, inputs: 0, bytes: 0 }
    }
}

/// Where one batch ends and the next one begins, for inputs in a row.
#[derive(Debug)]
pub(crate) struct Division {
    batches: Batches,
    /// Inputs of the batch until now, and their bytes.
    inputs: usize,
    bytes: usize,
}

impl Division {
    /// Whether the next input is the first one of a batch.
    pub(crate) fn begins(&self) -> bool {
        self.inputs == 0
    }

    /// Adds an input of `bytes` bytes. Returns whether its batch ends with it.
    pub(crate) fn add(&mut self, bytes: usize) -> bool {
        (self.inputs, self.bytes) = (self.inputs + 1, self.bytes + bytes);
        let ends = self.inputs >= self.batches.inputs || self.bytes >= BATCH_BYTES;
        if ends {
            (self.inputs, self.bytes) = (0, 0);
        }
        ends
    }
}

/// Inputs that are queued in one slot, one after the other: a batch, or some inputs that run alone.
#[derive(Debug, Default)]
struct Row {
    /// How many there are, and their bytes.
    inputs: usize,
    bytes: usize,
    /// Where they are; nothing before the first one.
    slot: Option<usize>,
    /// How many there should be at most, if each runs alone.
    most: usize,
}

impl Row {
    /// Whether another input that runs alone belongs to the next row.
    fn is_full(&self) -> bool {
        self.inputs >= self.most || self.bytes >= ROW_BYTES
    }

    /// Takes in an input that a slot has taken.
    fn add(&mut self, bytes: usize, slot: usize) {
        (self.inputs, self.bytes) = (self.inputs + 1, self.bytes + bytes);
        self.slot = Some(slot);
    }
}

/// The number of inputs in a row that run alone, if a run takes `pace`.
fn alone_in_a_row(pace: Duration) -> usize {
    let fitting = ROW_TIME.as_nanos() / pace.as_nanos().max(1);
    (fitting as usize).clamp(1, MAX_ALONE_IN_A_ROW)
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
        // Room for two batches in each worker, and one more.
        let max_under_way = MAX_UNDER_WAY_INPUTS.max(batches.inputs * (2 * self.jobs + 1));
        let mut row = Row::default();
        let mut inputs = inputs.into_iter();
        // Of few inputs, each worker gets some.
        let most_in_a_row = inputs.size_hint().1.unwrap_or(usize::MAX).div_ceil(self.jobs);
        let mut waiting: Option<ToRun<I>> = None;
        let mut under_way: VecDeque<UnderWay<I>> = VecDeque::new();
        loop {
            if interrupt.load(Ordering::Relaxed) {
                return Err(GatherError::Interrupted);
            }
            while under_way.len() < max_under_way {
                let Some(next) = waiting.take().or_else(|| inputs.next()) else { break };
                let is_new = if is_alone { row.is_full() } else { next.begins };
                if is_new {
                    let most = alone_in_a_row(crew.pace()).min(most_in_a_row);
                    row = Row { most, ..Row::default() };
                }
                // To the first one of a worker, `once` makes no difference: it only says that others follow.
                let once = batches.once || (next.begins && !is_alone);
                let (fresh, expected) = (next.begins, next.expected);
                let request = Request { fresh, frames: false, once, varied, expected };
                match crew.offer_in_row(row.slot, &next.bytes, request)? {
                    Some((ticket, taken_by)) => {
                        row.add(next.bytes.len(), taken_by);
                        under_way.push_back(UnderWay { input: next.input, ticket });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_ends_with_its_number_of_inputs_or_when_it_is_large_enough() {
        let mut division = Batches { inputs: 3, once: true }.division();
        let mut begins = |bytes: usize| {
            let begins = division.begins();
            division.add(bytes);
            begins
        };
        assert_eq!([1, 1, 1, 1].map(&mut begins), [true, false, false, true]);
        // The batch has an input of one byte.
        assert_eq!([BATCH_BYTES - 2, 1, 1].map(&mut begins), [false, false, true]);
        assert_eq!([BATCH_BYTES, BATCH_BYTES, 1].map(&mut begins), [false, true, true]);
    }
}
