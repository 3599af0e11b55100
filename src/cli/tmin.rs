//! `tmin`, from a plan to an exit code.

use std::sync::Arc;

use super::choose;
use super::decoded::decoded;
use super::exit::{Exit, OrExit, Trouble};
use super::input::{self, Input};
use super::interrupt::Interrupt;
use super::keeper::Keeper;
use super::output::{self, Output};
use super::plan::{TargetSource, Task, TminPlan};
use super::probe::{self, Quarry, no_hunt, probe};
use super::target::{self, Opened};
use crate::event::{Counts, Event, Minimality, ReducerStats, StopReason};
use crate::oracle::judge::{Hunt, Judge};
use crate::oracle::{Oracle, Stopped};
use crate::outcome::Outcome;
use crate::reduce;
use crate::report::{Finished, Report, Subject};
use crate::search::Search;
use crate::signature::Signature;
use crate::target::Request;

/// Runs `tmin`. `linked` names the target that is part of this program, if there is one; the plan
/// may name another.
pub fn run(
    mut plan: TminPlan,
    linked: Option<&str>,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    plan.budget.interrupt = interrupt.flag();
    let input = input::find(&plan.input)?;
    let output = match plan.task {
        Task::Minimize(_) => Some(Output::of(&plan.output, &input.path, &input.bytes)?),
        Task::Isolate { .. } => None,
    };
    let mut opened = match linked {
        Some(name) if !plan.names_target => target::open_linked(name)?,
        _ => choose::open(&plan, &input, interrupt, report)?,
    };
    let sanitized = opened.sanitized.take();
    match attempt(&plan, &input, output.as_ref(), &opened, interrupt, report)? {
        Attempt::Ended(exit) => Ok(exit),
        Attempt::DoesNotFail(trouble) => {
            let Some(executable) = sanitized else { return Err(trouble) };
            report.say("it doesn't fail without a sanitizer: trying what cargo-fuzz built");
            let opened = Opened { name: opened.name, ..target::open_executable(&executable)? };
            match attempt(&plan, &input, output.as_ref(), &opened, interrupt, report)? {
                Attempt::Ended(exit) => Ok(exit),
                Attempt::DoesNotFail(trouble) => Err(trouble),
            }
        }
    }
}

enum Attempt {
    Ended(Exit),
    DoesNotFail(Trouble),
}

/// Tries the input on one executable and, if it fails there, does what is wanted.
fn attempt(
    plan: &TminPlan,
    input: &Input,
    output: Option<&Output>,
    opened: &Opened,
    interrupt: &Interrupt,
    report: &mut Report,
) -> Result<Attempt, Trouble> {
    report.begin(Subject { input: &input.path, target: &opened.name });
    if let Some(note) = &opened.note {
        report.hear(&Event::Note(note));
    }
    let doing = || format!("failed to run {}", opened.name);
    let mut oracle = Oracle::new(&*opened.target, no_hunt(), plan.jobs, plan.budget.clone())
        .or_exit(Exit::Target, doing)?;
    oracle.set_limits(plan.limits);
    let seen = match probe(&mut oracle, &input.bytes, &plan.sameness) {
        Ok(seen) => seen,
        Err(Stopped::Early(_)) => return Err(stopped_at_once(interrupt)),
        Err(stopped) => return Err(stopped).or_exit(Exit::Target, doing),
    };
    let Some(quarry) = seen.quarry(&plan.sameness) else {
        let does_not = if seen.seen.iter().any(|(seen, _)| seen.signature().is_some()) {
            "doesn't fail as --match says"
        } else {
            "doesn't fail"
        };
        let trouble = format!(
            "{} {does_not} on {}: run {} times, it {}; {}",
            input.path.display(),
            opened.name,
            seen.runs,
            seen.what_happened(),
            match plan.target {
                TargetSource::Command(_) =>
                    "the command has to exit with 0 where the failure shows",
                _ => "another target (--target) or build (--binary) may show it",
            }
        );
        return Ok(Attempt::DoesNotFail(Trouble::new(Exit::DoesNotFail, trouble)));
    };
    let hunt =
        Hunt { signature: Signature::clone(&quarry.signature), sameness: plan.sameness.clone() };
    oracle.set_judge(hunt.clone());
    oracle.set_repeats(quarry.repeats());
    if !quarry.is_steady() {
        report.hear(&Event::Note(&format!(
            "the failure is unsteady: it showed in {} of {} runs; each candidate is tried up to {} times",
            quarry.shown,
            quarry.runs,
            quarry.repeats()
        )));
    }
    let run = Run { plan, input, opened, hunt, quarry, interrupt };
    match (&plan.task, output) {
        (Task::Minimize(options), Some(output)) => {
            run.minimize(&mut oracle, options, output, report)
        }
        _ => unreachable!("minimizing has an output"),
    }
    .map(Attempt::Ended)
}

fn stopped_at_once(interrupt: &Interrupt) -> Trouble {
    let exit = interrupt.exit().unwrap_or(Exit::BudgetOver);
    Trouble::new(exit, "stopped before the input was known to fail; nothing was written")
}

/// A hunt that is on.
struct Run<'r> {
    plan: &'r TminPlan,
    input: &'r Input,
    opened: &'r Opened,
    hunt: Hunt,
    quarry: Quarry,
    interrupt: &'r Interrupt,
}

/// How a search ended.
struct Searched {
    best: Vec<u8>,
    minimality: Minimality,
    stats: Vec<ReducerStats>,
    counts: Counts,
    stopped: Option<StopReason>,
    remarks: Vec<String>,
}

impl Run<'_> {
    fn minimize(
        &self,
        oracle: &mut Oracle<'_>,
        options: &reduce::Options,
        output: &Output,
        report: &mut Report,
    ) -> Result<Exit, Trouble> {
        let mut keeper = Keeper::new(&output.path);
        report.hear(&Event::Started {
            bytes: self.input.bytes.len(),
            signature: &self.hunt.signature,
        });
        let start = self.start(oracle, output, report)?;
        let mut searched = self.search(oracle, start, options, &mut keeper, report)?;
        keeper.finish(&searched.best).map_err(|error| output::unwritable(&output.path, &error))?;
        let elapsed = oracle.started().elapsed();
        let (signature, is_sure) = self.settle(&mut searched, &mut keeper, output, report)?;
        let exit = match searched.stopped {
            _ if !is_sure => Exit::Unsteady,
            Some(StopReason::Interrupted) => self.interrupt.exit().unwrap_or(Exit::Interrupted),
            Some(_) => Exit::BudgetOver,
            None => Exit::Done,
        };
        if searched.stopped.is_some() {
            searched.remarks.push(how_to_go_on(output));
        }
        let finished = Finished {
            input: self.input.path.clone(),
            output: output.path.clone(),
            input_bytes: self.input.bytes.len(),
            counts: searched.counts,
            elapsed,
            stack: self.opened.stack(&signature),
            signature: Signature::clone(&signature),
            minimality: searched.minimality,
            stopped: searched.stopped,
            reproduce: self.opened.reproduction.commands(&output.path),
            decoded: self
                .opened
                .executable
                .as_deref()
                .and_then(|executable| decoded(executable, &searched.best)),
            by_catch: oracle.by_catch().iter().map(|one| one.signature.to_string()).collect(),
            stats: searched.stats,
            remarks: searched.remarks,
            best: searched.best,
        };
        report.finished(&finished);
        Ok(exit)
    }

    /// What the search starts from: the input, or a result that is there and still fails.
    fn start(
        &self,
        oracle: &mut Oracle<'_>,
        output: &Output,
        report: &mut Report,
    ) -> Result<Vec<u8>, Trouble> {
        let Some(existing) = &output.existing else { return Ok(self.input.bytes.clone()) };
        if existing.is_empty() || existing.len() > self.input.bytes.len() {
            return Ok(self.input.bytes.clone());
        }
        let request = Request { frames: self.hunt.needs_frames(), fresh: true };
        for _ in 0..self.quarry.repeats() {
            let seen = match oracle.observe(existing, request) {
                Ok(seen) => seen,
                Err(Stopped::Early(_)) => return Err(stopped_at_once(self.interrupt)),
                Err(stopped) => return Err(self.target_trouble(stopped)),
            };
            if self.hunt.outcome(&seen) == Outcome::Fail {
                report.say(&format!("going on from {}", output.path.display()));
                return Ok(existing.clone());
            }
        }
        Ok(self.input.bytes.clone())
    }

    fn search(
        &self,
        oracle: &mut Oracle<'_>,
        start: Vec<u8>,
        options: &reduce::Options,
        keeper: &mut Keeper,
        report: &mut Report,
    ) -> Result<Searched, Trouble> {
        let interrupt = self.interrupt.flag();
        let mut listener = |event: &Event<'_>| match event {
            Event::Reduced { best, .. } => {
                if keeper.take(best) {
                    report.hear(event);
                } else if keeper.is_in_trouble() {
                    interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
                }
            }
            Event::Progress { counts, elapsed, .. } => {
                if let Some(best) = keeper.catch_up() {
                    let (counts, elapsed) = (*counts, *elapsed);
                    report.hear(&Event::Reduced { best: &best, counts, elapsed });
                }
                report.hear(event);
            }
            _ => report.hear(event),
        };
        let mut search = Search::new(oracle, start, &mut listener);
        let stopped = match reduce::minimize(&mut search, options) {
            Ok(()) => None,
            Err(Stopped::Early(reason)) => Some(reason),
            Err(stopped) => return Err(self.target_trouble(stopped)),
        };
        Ok(Searched {
            best: search.best().to_vec(),
            minimality: search.minimality(),
            stats: search.stats().to_vec(),
            counts: search.counts(),
            stopped,
            remarks: Vec::new(),
        })
    }

    /// Confirms the result in new processes; where it doesn't hold, takes the last best that does.
    /// Returns the failure with its stack, and whether it may be relied on.
    fn settle(
        &self,
        searched: &mut Searched,
        keeper: &mut Keeper,
        output: &Output,
        report: &mut Report,
    ) -> Result<(Arc<Signature>, bool), Trouble> {
        let hunted = self.quarry.signature.clone();
        if searched.stopped == Some(StopReason::Interrupted) {
            // Whoever interrupts wants an end; each step was confirmed on its own.
            return Ok((hunted, true));
        }
        let confirmed = self.confirm(&searched.best, &mut searched.counts)?;
        if confirmed.holds(&self.quarry) {
            return Ok((confirmed.signature.unwrap_or(hunted), true));
        }
        report.hear(&Event::Note(&format!(
            "the smallest input fails in {} of {} new processes only: taking an earlier one",
            confirmed.shown, confirmed.runs
        )));
        let earlier: Vec<Vec<u8>> =
            keeper.earlier().map(<[u8]>::to_vec).chain([self.input.bytes.clone()]).collect();
        for best in earlier {
            let confirmed = self.confirm(&best, &mut searched.counts)?;
            if confirmed.holds(&self.quarry) {
                keeper.finish(&best).map_err(|error| output::unwritable(&output.path, &error))?;
                searched.best = best;
                searched.minimality = Minimality::None;
                return Ok((confirmed.signature.unwrap_or(hunted), true));
            }
        }
        searched.remarks.push("not even the input fails steadily in new processes".to_owned());
        Ok((hunted, false))
    }

    fn confirm(
        &self,
        candidate: &[u8],
        counts: &mut Counts,
    ) -> Result<probe::Confirmation, Trouble> {
        let limits = self.plan.limits;
        let confirmed =
            probe::confirm(&*self.opened.target, &self.hunt, limits, &self.quarry, candidate)
                .map_err(|stopped| self.target_trouble(stopped))?;
        counts.executions += u64::from(confirmed.runs);
        Ok(confirmed)
    }

    fn target_trouble(&self, stopped: Stopped) -> Trouble {
        let cause =
            anyhow::Error::from(stopped).context(format!("failed to run {}", self.opened.name));
        Trouble { exit: Exit::Target, cause }
    }
}

fn how_to_go_on(output: &Output) -> String {
    if output.can_go_on {
        "the same command goes on from here".to_owned()
    } else {
        "the same command with --force goes on from here".to_owned()
    }
}
