//! `repair`, from a plan to an exit code.
//!
//! Threads take input after input, each with a validator of its own; what they found is written
//! and told in the order of the inputs, so that nothing depends on their number.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Instant;

use super::by_catch::ByCatchFolder;
use super::exit::{Exit, OrExit, Trouble};
use super::input;
use super::interrupt::Interrupt;
use super::repair_one::{Done, repair_one};
use super::repair_plan::RepairPlan;
use super::repair_sink::Sink;
use super::repair_source::{self, Source, check_signal, look_first};
use super::repair_steady::{Waiting, unsteady};
use crate::corpus::{Listed, PassedOver};
use crate::oracle::Oracle;
use crate::oracle::budget::Budget;
use crate::repair::Options;
use crate::report::{RepairStatus, RepairTotals, Report};
use crate::signature::Signature;

/// Results that wait to be written, at most, besides those that wait for an earlier one.
const WAITING: usize = 64;

/// Runs `repair`. `linked` names the function that is part of this program, if there is one.
pub fn run(
    plan: &RepairPlan,
    linked: Option<&str>,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let started = Instant::now();
    let is_single = matches!(plan.inputs.as_slice(), [one] if !one.is_dir());
    let sink = Sink::new(plan, is_single)?;
    let gathered = input::gather(&plan.inputs, plan.output.as_deref(), report)?;
    for one in &gathered.passed_over {
        report.passed_over(&one.path, &one.why, Exit::Files as u8);
    }
    let inputs = gathered.inputs;
    let Some(first) = inputs.first() else {
        return Err(Trouble::new(Exit::Files, "none of the inputs can be read"));
    };
    let base = plan.base.as_deref().map(input::read).transpose()?;
    let mut options = plan.options(base)?;
    let source = repair_source::find(plan, linked, first, interrupt, report)?;
    let learnt = look_first(plan, &source, &inputs, options.base.as_deref(), interrupt)?;
    options.learnt = Arc::new(learnt);

    let mut told = Told {
        sink,
        totals: RepairTotals::default(),
        worst: None,
        doubtful: None,
        by_catch: None,
        caught: HashMap::new(),
    };
    let crew =
        Crew { plan, source: &source, options: &options, inputs: &inputs, interrupt, started };
    let mut passed_over = gathered.passed_over.len();
    crew.work(|answer| match answer {
        Ok(done) => told.take(plan, done, report),
        Err(one) => {
            passed_over += 1;
            report.passed_over(&one.path, &one.why, Exit::Files as u8);
            Ok(())
        }
    })?;

    let Told { sink, mut totals, worst, doubtful, by_catch, .. } = told;
    totals.written = sink.written();
    totals.elapsed = started.elapsed();
    if let Some(trouble) = by_catch.and_then(|folder| folder.finish(&[]).1) {
        return Err(trouble).or_exit(Exit::Files, || "failed to write the by-catch".to_owned());
    }
    sink.finish(&totals)?;
    report.repairs(&totals, is_single);
    if let Some(path) = doubtful.filter(|_| interrupt.exit().is_none()) {
        return Err(unsteady(&source.name(), &path));
    }
    if totals.valid == totals.inputs {
        check_signal(plan, &source, first)?;
    }
    let passed_over = (passed_over > 0).then_some(Exit::Files);
    Ok(interrupt.exit().or(worst).or(passed_over).unwrap_or(Exit::Done))
}

/// The threads and what they share.
struct Crew<'r> {
    plan: &'r RepairPlan,
    source: &'r Source,
    options: &'r Options,
    inputs: &'r [Listed],
    interrupt: &'r Interrupt,
    started: Instant,
}

/// What came of one input, by its number; an input that can't be read any more is passed over, as
/// it would have been a moment before.
type Answer = (usize, Result<Result<Done, PassedOver>, Trouble>);

impl Crew<'_> {
    /// Repairs all inputs and hands the results over in order, in this thread.
    fn work(
        &self,
        mut take: impl FnMut(Result<Done, PassedOver>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let next = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let (sender, receiver) = sync_channel::<Answer>(WAITING);
        std::thread::scope(|scope| {
            for _ in 0..self.plan.jobs.min(self.inputs.len()) {
                let (sender, next, is_over) = (sender.clone(), &next, &is_over);
                scope.spawn(move || self.serve(next, is_over, &sender));
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut expected = 0;
            let mut result = Ok(());
            for (index, answer) in receiver {
                waiting.insert(index, answer);
                while let Some(answer) = waiting.remove(&expected) {
                    expected += 1;
                    if result.is_ok() {
                        result = answer.and_then(&mut take);
                        is_over.store(result.is_err(), Ordering::Relaxed);
                    }
                }
            }
            result
        })
    }

    /// One thread: takes inputs until there is none, or the time is over.
    fn serve(&self, next: &AtomicUsize, is_over: &AtomicBool, answers: &SyncSender<Answer>) {
        let take = || {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let may = !is_over.load(Ordering::Relaxed) && self.interrupt.exit().is_none();
            may.then(|| self.inputs.get(index)).flatten().map(|listed| (index, listed))
        };
        if self.source.serves_all() {
            let Some((mut index, mut listed)) = take() else { return };
            let served = self.with_oracle(listed, |oracle, is_slow| {
                let mut waiting = Waiting::default();
                loop {
                    match self.one(oracle, is_slow, listed) {
                        Ok(Ok(done)) => waiting.push(index, done),
                        other => drop(answers.send((index, other))),
                    }
                    let next = take();
                    if (next.is_none() || waiting.is_due())
                        && !self.confirm(oracle, is_slow, &mut waiting, answers)
                    {
                        return;
                    }
                    match next {
                        Some(taken) => (index, listed) = taken,
                        None => return,
                    }
                }
            });
            if let Err(trouble) = served {
                let _ = answers.send((index, Err(trouble)));
            }
            return;
        }
        while let Some((index, listed)) = take() {
            let served = self.with_oracle(listed, |oracle, is_slow| {
                let mut waiting = Waiting::default();
                match self.one(oracle, is_slow, listed) {
                    Ok(Ok(done)) => waiting.push(index, done),
                    other => return Ok(answers.send((index, other)).is_ok()),
                }
                Ok(self.confirm(oracle, is_slow, &mut waiting, answers))
            });
            let goes_on = match served.and_then(|served| served) {
                Ok(goes_on) => goes_on,
                Err(trouble) => answers.send((index, Err(trouble))).is_ok(),
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Confirms what waits and sends it off; says whether anybody still listens.
    fn confirm(
        &self,
        oracle: &mut Oracle<'_>,
        is_slow: bool,
        waiting: &mut Waiting,
        answers: &SyncSender<Answer>,
    ) -> bool {
        let mut confirmed = waiting.confirm(oracle, is_slow);
        confirmed.all(|(index, answer)| {
            let answer = answer.map(Ok).or_exit(Exit::Target, || self.doing());
            answers.send((index, answer)).is_ok()
        })
    }

    fn doing(&self) -> String {
        format!("failed to run {}", self.source.name())
    }

    fn with_oracle<R>(
        &self,
        listed: &Listed,
        body: impl FnOnce(&mut Oracle<'_>, bool) -> R,
    ) -> Result<R, Trouble> {
        let target = self.source.open(&listed.path)?;
        // One input alone may have all workers.
        let jobs = if self.inputs.len() == 1 { self.plan.jobs } else { 1 };
        let mut oracle = self.source.oracle(&*target, self.plan.target.limits, jobs)?;
        let is_slow = target.is_slow();
        Ok(body(&mut oracle, is_slow))
    }

    fn one(
        &self,
        oracle: &mut Oracle<'_>,
        is_slow: bool,
        listed: &Listed,
    ) -> Result<Result<Done, PassedOver>, Trouble> {
        let path = &listed.path;
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                return Ok(Err(PassedOver { path: path.clone(), why: error.to_string() }));
            }
        };
        let left =
            self.plan.max_total_time.map(|total| total.saturating_sub(self.started.elapsed()));
        let budget = Budget {
            max_time: self.plan.budget.max_time.into_iter().chain(left).min(),
            max_tests: self.plan.budget.max_tests,
            interrupt: self.interrupt.flag(),
        };
        repair_one(oracle, is_slow, path, bytes, self.options, budget)
            .map(Ok)
            .or_exit(Exit::Target, || self.doing())
    }
}

/// What was told and written so far.
struct Told {
    sink: Sink,
    totals: RepairTotals,
    worst: Option<Exit>,
    /// The first input of which the validator said both.
    doubtful: Option<PathBuf>,
    by_catch: Option<ByCatchFolder>,
    /// The file of each failure; a failure of many inputs is kept once.
    caught: HashMap<Arc<Signature>, PathBuf>,
}

impl Told {
    fn take(&mut self, plan: &RepairPlan, done: Done, report: &mut Report) -> Result<(), Trouble> {
        let Done { mut row, input, text, by_catch, is_unsteady } = done;
        if is_unsteady {
            self.doubtful.get_or_insert_with(|| row.input.clone());
        }
        if !by_catch.is_empty() {
            let beside = plan.output.clone().unwrap_or_else(|| row.input.clone());
            let folder = self.by_catch.get_or_insert_with(|| ByCatchFolder::beside(&beside));
            for caught in by_catch {
                let path = self.caught.entry(caught.signature.clone());
                let path = path.or_insert_with(|| folder.add(&caught.signature, &caught.input));
                row.by_catch.push(path.clone());
            }
        }
        if let Some(text) = &text {
            row.output = self.sink.write(text)?;
        }
        self.sink.show(&row, &input, text.as_deref())?;
        self.totals.add(&row);
        self.worst = match (row.stopped, row.status) {
            (Some(_), _) => Some(Exit::BudgetOver),
            (None, RepairStatus::NotRepaired) => self.worst.or(Some(Exit::DoesNotFail)),
            _ => self.worst,
        };
        report.repaired(&row);
        match &text {
            Some(text) if plan.diagnoses => report.diagnosis(&row, &input, text),
            Some(text) if self.sink.is_stdout() && !plan.tell.json => report.hand_over(text),
            _ => {}
        }
        Ok(())
    }
}
