//! The threads of a run. Each thread opens one validator and repairs one input after another.
//! Results are handed over in the order of the inputs, so the number of threads changes only speed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::error::RepairError;
use super::input::RepairInput;
use super::one::repair_one;
use super::options::RunOptions;
use super::result::RepairResult;
use super::steady::Waiting;
use super::validator::{Validator, Validators, run_error, with_validator};
use crate::corpus::PassedOver;
use crate::repair::Options;
use seedsmith_engine::oracle::budget::Budget;

/// Results that wait to be received, at most, besides those that wait for an earlier one.
const MAX_QUEUED_RESULTS: usize = 64;

/// How often a run that goes on is heard of.
const STILL_RUNNING: Duration = Duration::from_secs(10);

/// What the threads share.
pub struct Threads<'r> {
    /// Opens a validator for each thread.
    pub validators: &'r dyn Validators,
    /// All inputs.
    pub inputs: &'r [RepairInput],
    /// How each is repaired.
    pub repair: &'r Options,
    /// What the run may use.
    pub options: &'r RunOptions,
    /// When the run began.
    pub started: Instant,
}

/// An input that a thread has taken, and its number.
type Taken<'r> = (usize, &'r RepairInput);

/// How one input ended, and its number. An input that cannot be read any more is passed over, as
/// it would have been when the inputs were listed.
type Answer = (usize, Result<Result<RepairResult, PassedOver>, RepairError>);

/// Which input is next, and where answers go.
struct Queue<'q> {
    next: &'q AtomicUsize,
    is_over: &'q AtomicBool,
    answers: SyncSender<Answer>,
}

impl<'r> Threads<'r> {
    /// Repairs all inputs and hands the results over in order, in this thread, until `receive`
    /// breaks off or a validator cannot be used.
    pub fn work(
        &self,
        receive: &mut dyn FnMut(Result<RepairResult, PassedOver>) -> ControlFlow<()>,
        still_running: &mut dyn FnMut(usize),
    ) -> Result<ControlFlow<()>, RepairError> {
        let next = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let (answers, receiver) = sync_channel::<Answer>(MAX_QUEUED_RESULTS);
        std::thread::scope(|scope| {
            for _ in 0..self.options.jobs.clamp(1, self.inputs.len().max(1)) {
                let queue = Queue { next: &next, is_over: &is_over, answers: answers.clone() };
                scope.spawn(move || self.serve(&queue));
            }
            drop(answers);
            let mut waiting = BTreeMap::new();
            let mut expected = 0;
            let mut flow = Ok(ControlFlow::Continue(()));
            // Read to the end even when it is over: a thread must not wait for room.
            let mut told = Instant::now();
            loop {
                let received = receiver.recv_timeout(STILL_RUNNING.saturating_sub(told.elapsed()));
                if told.elapsed() >= STILL_RUNNING {
                    still_running(expected);
                    told = Instant::now();
                }
                match received {
                    Ok((index, answer)) => drop(waiting.insert(index, answer)),
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                while let Some(answer) = waiting.remove(&expected) {
                    expected += 1;
                    if matches!(flow, Ok(ControlFlow::Continue(()))) {
                        flow = answer.map(&mut *receive);
                        let goes_on = matches!(flow, Ok(ControlFlow::Continue(())));
                        is_over.store(!goes_on, Ordering::Relaxed);
                    }
                }
            }
            flow
        })
    }

    /// One thread: repairs inputs until there is none left, or the run is over.
    fn serve(&self, queue: &Queue<'_>) {
        // A single input may have all workers.
        let jobs = if self.inputs.len() == 1 { self.options.jobs } else { 1 };
        let mut taken = self.take(queue);
        while let Some((index, input)) = taken {
            let (path, mut next) = (input.path(), None);
            let served = with_validator(self.validators, path, self.options, jobs, |validator| {
                next = self.serve_with(validator, (index, input), queue);
                Ok(())
            });
            if let Err(error) = served {
                let is_heard = queue.answers.send((index, Err(error))).is_ok();
                next = self.take(queue).filter(|_| is_heard);
                // What could not be opened for this input can't be for another that it would serve.
                if next.is_some_and(|(_, other)| self.validators.serves(path, other.path())) {
                    return;
                }
            }
            taken = next;
        }
    }

    fn take(&self, queue: &Queue<'_>) -> Option<Taken<'r>> {
        let index = queue.next.fetch_add(1, Ordering::Relaxed);
        if queue.is_over.load(Ordering::Relaxed) || self.options.is_interrupted() {
            return None;
        }
        self.inputs.get(index).map(|input| (index, input))
    }

    /// Repairs `taken` and those after it that the same validator serves; gives the first that it
    /// doesn't.
    fn serve_with<'t>(
        &'t self,
        validator: &mut Validator<'_>,
        mut taken: Taken<'t>,
        queue: &Queue<'_>,
    ) -> Option<Taken<'t>> {
        let opened = taken.1.path();
        let mut waiting = Waiting::default();
        validator.oracle.keep_results();
        loop {
            let (index, _) = taken;
            match self.one(validator, taken) {
                Ok(Ok(result)) => waiting.push(index, result),
                other => drop(queue.answers.send((index, other))),
            }
            let next = self.take(queue);
            let serves = |(_, input): Taken<'_>| self.validators.serves(opened, input.path());
            let is_served = next.is_some_and(serves);
            if !is_served || waiting.is_due() {
                for (index, confirmed) in waiting.confirm(validator) {
                    let answer = confirmed.map(Ok);
                    let answer = answer.map_err(|stopped| run_error(self.validators, stopped));
                    if queue.answers.send((index, answer)).is_err() {
                        return None;
                    }
                }
            }
            match next {
                Some(next) if is_served => taken = next,
                other => return other,
            }
        }
    }

    /// The time that the input of that number may take where all may take `total`: its share of what is
    /// left, so that the last ones get as much as the first. What the others left unused comes to it.
    fn share(&self, index: usize, total: Duration) -> Duration {
        let left = total.saturating_sub(self.started.elapsed());
        let inputs = (self.inputs.len() - index).max(1);
        let at_once = self.options.jobs.clamp(1, inputs);
        left.mul_f64(at_once as f64 / inputs as f64)
    }

    fn one(
        &self,
        validator: &mut Validator<'_>,
        (index, input): Taken<'_>,
    ) -> Result<Result<RepairResult, PassedOver>, RepairError> {
        let path = input.path();
        let text = match input.read() {
            Ok(text) => text.into_owned(),
            Err(error) => {
                return Ok(Err(PassedOver { path: path.to_owned(), why: error.to_string() }));
            }
        };
        let left = self.options.max_total.map(|total| self.share(index, total));
        let budget = Budget {
            max_time: self.options.budget.max_time.into_iter().chain(left).min(),
            ..self.options.budget.clone()
        };
        let result = repair_one(validator, path, text, self.repair, self.options, budget);
        result.map(Ok).map_err(|stopped| run_error(self.validators, stopped))
    }
}
