//! The threads of a run. Each thread opens one validator and repairs one input after another, in two
//! rounds where there are several inputs and a limit ([`super::rounds`]).
//! Results are handed over in the order of the inputs, so the number of threads changes only speed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::error::RepairError;
use super::input::RepairInput;
use super::one::{Plan, repair_one};
use super::options::RunOptions;
use super::result::{Progress, RepairResult};
use super::rounds::{FirstResult, FirstRound, MAX_FIRST_TESTS, SecondRound, Siblings, ValidText};
use super::steady::Waiting;
use super::validator::{Validator, Validators, run_error, with_validator};
use crate::corpus::PassedOver;
use crate::event::{RepairStatus, StopReason};
use crate::repair::{Options, Strategy};
use seedsmith_engine::internal::Budget;

/// Results that wait to be received, besides those that wait for an earlier one: a bound on memory, since
/// results hold texts.
const MAX_QUEUED_RESULTS: usize = 64;

/// A slow validator's turn is not shorter while time is left, because in less a program that takes half a second has
/// answered nothing: with shorter turns 212 of 300 files were repaired, with 2 s 300
/// (docs/notes/2026-11-22-repair-in-rounds.md).
const SHORTEST_TURN: Duration = Duration::from_secs(2);
/// A turn in which a quick validator runs that many tests is long enough. A guess, not measured: it is as many as an input
/// has in the first round.
const TESTS_OF_SHORTEST_TURN: u32 = MAX_FIRST_TESTS as u32;

/// How often the progress of a run is reported: rarely enough for a log, because a person who waits has
/// the console's own line.
const STILL_RUNNING: Duration = Duration::from_secs(10);

/// What the threads share.
pub(super) struct Threads<'r> {
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

/// An input that a thread has taken.
#[derive(Clone, Copy)]
struct Turn<'r> {
    index: usize,
    input: &'r RepairInput,
    round: Round,
    /// Turns that begin with this one, in its round.
    turns_left: usize,
}

/// Which turn of an input it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// The only one.
    Only,
    First,
    Second,
}

/// Tells the board that the first round of an input has ended, however it has.
struct FinishOnDrop<'b>(&'b FirstRound);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        self.0.finish_one();
    }
}

/// How one input ended, and its number. An input that cannot be read any more is passed over, as
/// it would have been when the inputs were listed.
type Answer = (usize, Result<Result<RepairResult, PassedOver>, RepairError>);

/// Which input is next, and where answers go.
struct Queue<'q> {
    next: &'q AtomicUsize,
    is_over: &'q AtomicBool,
    answers: SyncSender<Answer>,
    first_round: &'q FirstRound,
}

/// What runs over the other inputs of a folder have to know.
#[derive(Debug, Default)]
pub(crate) struct ForOthers {
    /// Whether this run ended early because it has to know the same of them.
    pub is_waiting: bool,
    /// Valid texts of the first round, with the numbers of their inputs.
    pub texts: Vec<ValidText>,
}

/// What came of an input's turn.
enum TurnEnd {
    /// A result, which is confirmed with others.
    Done(Box<RepairResult>),
    /// An answer that needs no more.
    Answer(Box<Result<Result<RepairResult, PassedOver>, RepairError>>),
    /// Nothing to hand over now: the input has another turn.
    Later,
}

impl<'r> Threads<'r> {
    /// Repairs all inputs and hands the results over in order, in this thread, until `receive`
    /// breaks off or a validator cannot be used. Gives what other runs have to know, too.
    pub(super) fn work(
        &self,
        receive: &mut dyn FnMut(Result<RepairResult, PassedOver>) -> ControlFlow<()>,
        still_running: &mut dyn FnMut(Progress),
    ) -> Result<(ControlFlow<()>, ForOthers), RepairError> {
        let next = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let first_round = FirstRound::new(self.inputs.len(), self.options.siblings.clone());
        let (answers, receiver) = sync_channel::<Answer>(MAX_QUEUED_RESULTS);
        let flow = std::thread::scope(|scope| {
            for _ in 0..self.options.jobs.clamp(1, self.inputs.len().max(1)) {
                let answers = answers.clone();
                let queue =
                    Queue { next: &next, is_over: &is_over, answers, first_round: &first_round };
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
                    still_running(Progress { done: expected, had_first: first_round.had_first() });
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
        })?;
        let (is_waiting, texts) = first_round.into_waiting();
        Ok((flow, ForOthers { is_waiting, texts }))
    }

    /// Whether the inputs have two turns each. A single input and a run without a limit gain nothing by it.
    fn has_rounds(&self) -> bool {
        let Budget { max_tests, max_time, .. } = &self.options.budget;
        let is_limited =
            max_tests.is_some() || max_time.is_some() || self.options.max_total.is_some();
        (self.inputs.len() > 1 || self.options.siblings != Siblings::OfRun)
            && is_limited
            && !self.options.only_check
            && self.repair.strategy == Strategy::Auto
            && !self.repair.only_delete
            && self.repair.base.is_none()
    }

    /// One thread: repairs inputs until there is none left, or the run is over.
    fn serve(&self, queue: &Queue<'_>) {
        // A single input may have all workers.
        let jobs = if self.inputs.len() == 1 { self.options.jobs } else { 1 };
        let mut taken = self.take(queue);
        while let Some(turn) = taken {
            let (path, mut next) = (turn.input.path(), None);
            let served = with_validator(self.validators, path, self.options, jobs, |validator| {
                next = self.serve_with(validator, turn, queue);
                Ok(())
            });
            if let Err(error) = served {
                let is_heard = queue.answers.send((turn.index, Err(error))).is_ok();
                if turn.round == Round::First {
                    queue.first_round.finish_one();
                }
                next = self.take(queue).filter(|_| is_heard);
                // What could not be opened for this input can't be for another that it would serve.
                if next.is_some_and(|other| self.validators.serves(path, other.input.path())) {
                    if next.is_some_and(|other| other.round == Round::First) {
                        queue.first_round.finish_one();
                    }
                    return;
                }
            }
            taken = next;
        }
    }

    fn take(&self, queue: &Queue<'_>) -> Option<Turn<'r>> {
        let all = self.inputs.len();
        let is_over = || queue.is_over.load(Ordering::Relaxed);
        loop {
            let number = queue.next.fetch_add(1, Ordering::Relaxed);
            if number < all {
                let has_rounds = self.has_rounds();
                if is_over() || self.options.is_interrupted() {
                    if !has_rounds {
                        return None;
                    }
                    queue.first_round.finish_one();
                    continue;
                }
                let round = if has_rounds { Round::First } else { Round::Only };
                let input = &self.inputs[number];
                return Some(Turn { index: number, input, round, turns_left: all - number });
            }
            if !self.has_rounds() {
                return None;
            }
            let SecondRound { order, .. } =
                queue.first_round.second(self.options.max_total.is_some(), &is_over)?;
            let turn = number - all;
            let index = *order.get(turn).filter(|_| !is_over())?;
            return Some(Turn {
                index,
                input: &self.inputs[index],
                round: Round::Second,
                turns_left: order.len() - turn,
            });
        }
    }

    /// Repairs `taken` and those after it that the same validator serves; gives the first that it
    /// doesn't.
    fn serve_with<'t>(
        &'t self,
        validator: &mut Validator<'_>,
        mut taken: Turn<'t>,
        queue: &Queue<'_>,
    ) -> Option<Turn<'t>> {
        let opened = taken.input.path();
        let mut waiting = Waiting::default();
        validator.oracle.keep_results();
        loop {
            match self.turn(validator, taken, queue.first_round) {
                TurnEnd::Done(result) => waiting.push(taken.index, *result),
                TurnEnd::Answer(answer) => drop(queue.answers.send((taken.index, *answer))),
                TurnEnd::Later => {}
            }
            let next = self.take(queue);
            let serves = |one: Turn<'_>| self.validators.serves(opened, one.input.path());
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

    /// The time that a turn may take where all may take `total`: its share of the remaining time, so that the last
    /// ones get as much as the first. What the others left unused comes to it. Where that is too short for a
    /// few tests of a slow validator, the first ones get enough, and the last ones nothing. `pace` is the time of a test
    /// in the first round, if it has ended.
    fn share(&self, turns_left: usize, total: Duration, pace: Option<Duration>) -> Duration {
        let left = total.saturating_sub(self.started.elapsed());
        let at_once = self.options.jobs.clamp(1, turns_left.max(1));
        let share = left.mul_f64(at_once as f64 / turns_left.max(1) as f64);
        share.max(shortest_turn(pace)).min(left)
    }

    fn turn(
        &self,
        validator: &mut Validator<'_>,
        taken: Turn<'_>,
        first_round: &FirstRound,
    ) -> TurnEnd {
        let Turn { index, input, round, turns_left } = taken;
        let _finishing = (round == Round::First).then(|| FinishOnDrop(first_round));
        let first = if round == Round::Second { first_round.take(index) } else { None };
        let path = input.path();
        let text = match input.read() {
            Ok(text) => text.into_owned(),
            Err(error) => {
                let passed_over = PassedOver { path: path.to_owned(), why: error.to_string() };
                return TurnEnd::Answer(Box::new(Ok(Err(passed_over))));
            }
        };
        let mut repair = self.repair.clone();
        let limit = self.options.budget.max_tests;
        let mut max_tests = limit;
        if round == Round::First {
            repair.ends_with_half = true;
            max_tests = Some(limit.map_or(MAX_FIRST_TESTS, |limit| limit.min(MAX_FIRST_TESTS)));
        }
        if let Some(first) = &first {
            repair.known.clone_from(&first.result.text);
            if first.result.row.status != RepairStatus::Repaired
                && let Some(second) = first_round.second(false, &|| true)
            {
                repair.siblings = second.siblings;
            }
            max_tests = limit.map(|limit| limit.saturating_sub(first.result.row.tests));
        }
        let pace = (round == Round::Second).then(|| first_round.pace()).flatten();
        let left = self.options.max_total.map(|total| self.share(turns_left, total, pace));
        let budget = Budget {
            max_tests,
            max_time: self.options.budget.max_time.into_iter().chain(left).min(),
            ..self.options.budget.clone()
        };
        let began = Instant::now();
        let plan = Plan { repair: &repair, options: self.options, budget, first };
        let mut result = match repair_one(validator, path, text, plan) {
            Ok(result) => result,
            Err(stopped) => {
                return TurnEnd::Answer(Box::new(Err(run_error(self.validators, stopped))));
            }
        };
        if round != Round::First {
            return TurnEnd::Done(Box::new(result));
        }
        first_round.add_tests(result.row.tests, began.elapsed());
        if let Some(text) = &result.text {
            first_round.add_valid(index, text);
        }
        let may_go_on = result.row.stopped.is_some_and(|reason| {
            reason != StopReason::Target
                && (reason != StopReason::Tests
                    || limit.is_none_or(|limit| limit > MAX_FIRST_TESTS))
        });
        if !may_go_on {
            return TurnEnd::Done(Box::new(result));
        }
        // What keeps too little is a starting point all the same.
        result.text = result.text.take().or(result.refused.take());
        let cache = Some(validator.oracle.take_cache());
        first_round.keep(index, FirstResult { result, cache });
        TurnEnd::Later
    }
}

/// The time that a turn has at least where a test takes `pace`.
fn shortest_turn(pace: Option<Duration>) -> Duration {
    pace.map_or(SHORTEST_TURN, |pace| {
        pace.saturating_mul(TESTS_OF_SHORTEST_TURN).min(SHORTEST_TURN)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_validator_has_short_turns_and_a_slow_one_has_time_for_some_tests() {
        assert_eq!(shortest_turn(None), SHORTEST_TURN);
        assert_eq!(shortest_turn(Some(Duration::from_millis(500))), SHORTEST_TURN);
        let quick = Duration::from_millis(1);
        assert_eq!(shortest_turn(Some(quick)), quick * TESTS_OF_SHORTEST_TURN);
    }

    #[test]
    fn the_pace_is_the_mean_of_all_tests_of_the_first_round() {
        let round = FirstRound::new(2, Siblings::OfRun);
        assert_eq!(round.pace(), None);
        round.add_tests(10, Duration::from_millis(10));
        round.add_tests(30, Duration::from_millis(110));
        assert_eq!(round.pace(), Some(Duration::from_millis(3)));
    }
}
