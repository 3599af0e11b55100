//! Who does the jobs: a worker process, or a workshop in this one.

use std::cell::RefCell;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

use super::job::{Job, Text, Word, WorkerState};
use crate::mutator::repairer::Repairer;
use seedsmith_engine::Kind;
use seedsmith_engine::Observation;
use seedsmith_engine::Verdict;
use seedsmith_engine::internal::Crew;
use seedsmith_engine::internal::linked;
use seedsmith_engine::{IntoVerdict, LinkedTarget};
use seedsmith_engine::{Limits, Request, TargetError};

/// A validator that takes longer hangs. A job ends after some milliseconds, or with the test that is being made then, so
/// that a test of less than this is never ended. A guess, not measured.
const MAX_TEST_TIME: Duration = Duration::from_secs(1);

/// Where LeakSanitizer finds the target when libFuzzer ends: what only a session knew that is gone by
/// then would be a leak to it, and the fuzzer's end a crash.
static KEPT: AtomicPtr<LinkedTarget> = AtomicPtr::new(std::ptr::null_mut());

/// Who validates.
#[derive(Clone, Copy)]
pub(super) enum Validator {
    /// A worker: this program once more.
    Worker,
    /// A function of this process.
    InPlace(fn(&[u8]) -> bool),
}

/// What came of a job.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum JobResult {
    /// The job is done.
    Texts(Vec<Text>),
    /// The validator fails on this, or the target: a finding.
    Finding {
        /// The input.
        input: Vec<u8>,
        /// Whether it is the target that failed, and not the validator.
        is_of_target: bool,
        /// Whether it took too long. If it did not, it crashed.
        is_hang: bool,
    },
    /// The validator or the target hangs on an input that libFuzzer does not get.
    Hang,
}

/// The answer to a job.
#[derive(Debug)]
pub(super) struct Answer {
    /// The result.
    pub result: JobResult,
    /// The processor time that another process used for it.
    pub took: Duration,
    /// Who did it; `None` where that failed.
    pub worker: Option<WorkerState>,
}

impl Answer {
    /// The answer that the worker's last word gives.
    ///
    /// A target that catches its panic counts as failed, and the job is done all the same. The answer has the input if it
    /// reaches something new, and libFuzzer then runs it.
    ///
    /// A hang counts with the time after which it was ended, at least.
    fn of(word: Option<Word>, failure: Option<&Kind>) -> Self {
        let is_hang = failure == Some(&Kind::Timeout);
        let failed = |input, is_of_target| Answer {
            result: JobResult::Finding { input, is_of_target, is_hang },
            took: if is_hang { MAX_TEST_TIME } else { Duration::ZERO },
            worker: None,
        };
        match word {
            Some(Word::Done { texts, took, worker }) => {
                Answer { result: JobResult::Texts(texts), took, worker: Some(worker) }
            }
            Some(Word::Tests(input)) if failure.is_some() => failed(input, false),
            Some(Word::Runs(input)) if failure.is_some() => failed(input, true),
            _ => JobResult::Texts(Vec::new()).into(),
        }
    }

    /// The texts, or the input that the validator or the target fails on.
    pub(super) fn texts(self) -> Result<Vec<Text>, Vec<u8>> {
        match self.result {
            JobResult::Texts(texts) => Ok(texts),
            JobResult::Finding { input, .. } => Err(input),
            JobResult::Hang => Ok(Vec::new()),
        }
    }
}

impl From<JobResult> for Answer {
    fn from(result: JobResult) -> Self {
        Answer { result, took: Duration::ZERO, worker: None }
    }
}

/// Who is asked.
pub(super) enum JobRunner {
    /// The worker.
    Worker(Box<Crew<'static>>),
    /// The function itself.
    InPlace(Box<Repairer>, fn(&[u8]) -> bool),
    /// Gives answers that a test wants.
    #[cfg(test)]
    Scripted(Box<dyn FnMut(&Job<'_>) -> Answer>),
}

/// In the worker process, does jobs and never returns; in any other, returns at once.
pub(super) fn serve<R: IntoVerdict>(is_valid: impl Fn(&[u8]) -> R) {
    let repairer = RefCell::new(None);
    linked::serve_answering(|job, room| {
        let is_valid = |candidate: &[u8]| is_valid(candidate).into_verdict() == Verdict::Keep;
        let mut repairer = repairer.borrow_mut();
        let repairer = repairer.get_or_insert_with(Repairer::with_target);
        repairer.work(job, &is_valid, &|word| room.write(word)).is_some()
    });
}

impl JobRunner {
    /// Prepares the worker; it is started when the first job comes.
    pub(super) fn new(validator: Validator) -> Result<Self, TargetError> {
        Ok(match validator {
            Validator::Worker => {
                // For the life of the fuzzer: libFuzzer ends without dropping anything.
                let target = Box::leak(Box::new(LinkedTarget::nameless("validator")?));
                KEPT.store(std::ptr::from_mut(target), Ordering::Relaxed);
                let mut crew = Crew::new(target, 1)?;
                crew.set_limits(Limits {
                    cpu: MAX_TEST_TIME,
                    wall: MAX_TEST_TIME * 3,
                    ..Limits::default()
                });
                JobRunner::Worker(Box::new(crew))
            }
            Validator::InPlace(is_valid) => JobRunner::InPlace(Box::new(Repairer::new()), is_valid),
        })
    }

    /// Has a job done, and waits for it.
    pub(super) fn ask(&mut self, job: &Job<'_>) -> Result<Answer, TargetError> {
        #[cfg(test)]
        if let JobRunner::Scripted(answer) = self {
            return Ok(answer(job));
        }
        let job = job.write();
        let (word, failure) = match self {
            JobRunner::Worker(crew) => {
                let ticket = loop {
                    match crew.offer(&job, Request::default())? {
                        Some(ticket) => break ticket,
                        None => crew.wait()?,
                    }
                };
                let report = loop {
                    match crew.report(ticket) {
                        Some(report) => break report,
                        None => crew.wait()?,
                    }
                };
                let failure = match &report.observation {
                    Observation::Failed(signature) => Some(signature.kind.clone()),
                    _ => None,
                };
                (Word::read(&report.answer), failure)
            }
            JobRunner::InPlace(repairer, is_valid) => {
                let last = RefCell::new(None);
                repairer.work(&job, is_valid, &|word| *last.borrow_mut() = Word::read(word));
                (last.into_inner(), None)
            }
            #[cfg(test)]
            JobRunner::Scripted(_) => unreachable!("it has answered"),
        };
        let answer = Answer::of(word, failure.as_ref());
        let is_elsewhere = matches!(self, JobRunner::Worker(_));
        Ok(Answer { took: if is_elsewhere { answer.took } else { Duration::ZERO }, ..answer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_kept_where_the_target_has_caught_a_panic() {
        let text = Text { bytes: b"1".to_vec(), origin: 0, is_valid: true, is_new: true };
        let worker = WorkerState { jobs: 7, runs_target: true };
        let done = |texts| Some(Word::Done { texts, took: Duration::ZERO, worker });
        for failure in [None, Some(&Kind::Panic)] {
            let answer = Answer::of(done(vec![text.clone()]), failure);
            assert_eq!(answer.result, JobResult::Texts(vec![text.clone()]));
            assert_eq!(answer.worker, Some(worker));
        }
    }

    #[test]
    fn the_last_word_before_a_failure_is_the_finding() {
        let finding = |is_of_target, is_hang| JobResult::Finding {
            input: b"[".to_vec(),
            is_of_target,
            is_hang,
        };
        let of = |word, failure| Answer::of(Some(word), failure).result;
        let (tests, runs) = (Word::Tests(b"[".to_vec()), Word::Runs(b"[".to_vec()));
        assert_eq!(of(tests, Some(&Kind::Abort)), finding(false, false));
        assert_eq!(of(runs.clone(), Some(&Kind::Abort)), finding(true, false));
        assert_eq!(of(runs.clone(), Some(&Kind::Timeout)), finding(true, true));
        assert_eq!(of(runs, None), JobResult::Texts(Vec::new()));
    }

    #[test]
    fn a_hang_has_taken_the_time_after_which_it_was_ended() {
        let took = |kind| Answer::of(Some(Word::Runs(b"[".to_vec())), Some(&kind)).took;
        assert_eq!(took(Kind::Timeout), MAX_TEST_TIME);
        assert_eq!(took(Kind::Abort), Duration::ZERO);
    }
}
