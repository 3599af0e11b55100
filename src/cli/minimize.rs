//! `tmin`'s main task: the smallest input with the same failure, kept on disk all the while.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::by_catch::ByCatchFolder;
use super::decoded::decoded;
use super::exit::{Exit, Trouble};
use super::hang;
use super::hunt::Hunting;
use super::keeper::Keeper;
use super::output::{self, Output};
use super::reproduce::Reproduction;
use crate::event::{Counts, Event, Minimality, ReducerStats, StopReason};
use crate::oracle::judge::Judge;
use crate::oracle::{Oracle, Stopped};
use crate::outcome::Outcome;
use crate::reduce;
use crate::report::{Finished, Report};
use crate::search::Search;
use crate::signature::Signature;
use crate::target::Request;

/// How a search ended.
pub(super) struct Searched {
    pub best: Vec<u8>,
    pub minimality: Minimality,
    pub stats: Vec<ReducerStats>,
    pub counts: Counts,
    pub stopped: Option<StopReason>,
    pub remarks: Vec<String>,
}

/// The failure of a result, with its stack, and whether it may be relied on.
struct Settled {
    signature: Arc<Signature>,
    is_sure: bool,
}

/// Minimizes, keeps the result and tells of it.
pub fn run(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    options: &reduce::Options,
    output: &Output,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    report.hear(&Event::Started {
        bytes: hunting.input.bytes.len(),
        signature: &hunting.hunt.signature,
    });
    let mut keeper = Keeper::new(&output.path);
    let mut by_catch = ByCatchFolder::beside(&output.path);
    let start = start(hunting, oracle, output, report)?;
    let (mut searched, settled);
    if hunting.quarry.is_hang() {
        searched =
            hang::search(hunting, oracle, start, options, &mut keeper, &mut by_catch, report)?;
        settled = Settled { signature: hunting.quarry.signature.clone(), is_sure: true };
    } else {
        searched = search(hunting, oracle, start, options, &mut keeper, &mut by_catch, report)?;
        settled = settle(hunting, &mut searched, &mut keeper, report)?;
    }
    let elapsed = oracle.started().elapsed();
    if searched.stopped.is_some() {
        let force = if output.can_go_on { "" } else { " with --force" };
        searched.remarks.push(format!("the same command{force} goes on from here"));
    }
    let (by_catch, trouble) = by_catch.finish(oracle.by_catch());
    if let Some(error) = trouble {
        searched.remarks.push(format!("the other failures could not be written: {error}"));
    }
    if oracle.by_catch_left_out() > 0 {
        let count = oracle.by_catch_left_out();
        searched.remarks.push(format!("{count} more signatures of other failures were not kept"));
    }
    let exit = hunting.exit(searched.stopped, settled.is_sure);
    // Not a program that has its target linked in: it is no libFuzzer executable, and would only
    // minimize once more.
    let executable = match hunting.opened.reproduction {
        Reproduction::Linked(_) => None,
        _ => hunting.opened.executable.as_deref(),
    };
    report.finished(&Finished {
        input: hunting.input.path.clone(),
        output: output.path.clone(),
        input_bytes: hunting.input.bytes.len(),
        counts: searched.counts,
        elapsed,
        stack: hunting.stacks.of(&settled.signature),
        signature: Signature::clone(&settled.signature),
        minimality: searched.minimality,
        stopped: searched.stopped,
        reproduce: hunting.opened.reproduction.commands(&output.path),
        decoded: executable.and_then(|executable| decoded(executable, &searched.best)),
        by_catch,
        stats: searched.stats,
        remarks: searched.remarks,
        best: searched.best,
    });
    Ok(exit)
}

/// What the search starts from: the input, or a result that is there, isn't larger and still
/// fails.
fn start(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    output: &Output,
    report: &mut Report,
) -> Result<Vec<u8>, Trouble> {
    let input = &hunting.input.bytes;
    let existing = output.existing.as_ref();
    let Some(existing) = existing.filter(|one| !one.is_empty() && one.len() <= input.len()) else {
        return Ok(input.clone());
    };
    let request = Request { frames: hunting.hunt.needs_frames(), fresh: true };
    for _ in 0..hunting.quarry.repeats() {
        let seen = oracle.observe(existing, request).map_err(|stopped| hunting.trouble(stopped))?;
        if hunting.hunt.outcome(&seen) == Outcome::Fail {
            report.say(&format!("going on from {}", output.path.display()));
            return Ok(existing.clone());
        }
    }
    Ok(input.clone())
}

/// Searches, with the best on disk before anybody hears of it, and at the end for good.
fn search(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    start: Vec<u8>,
    options: &reduce::Options,
    keeper: &mut Keeper,
    by_catch: &mut ByCatchFolder,
    report: &mut Report,
) -> Result<Searched, Trouble> {
    let interrupt = hunting.interrupt.flag();
    let mut listener = |event: &Event<'_>| match event {
        Event::Reduced { best, .. } => {
            if keeper.take(best) {
                report.hear(event);
            } else if keeper.is_in_trouble() {
                // Searching on would find what can't be kept.
                interrupt.store(true, Ordering::Relaxed);
            }
        }
        Event::Progress { counts, elapsed, .. } => {
            if let Some(best) = keeper.catch_up() {
                let (counts, elapsed) = (*counts, *elapsed);
                report.hear(&Event::Reduced { best: &best, counts, elapsed });
            }
            report.hear(event);
        }
        Event::ByCatch { signature, input } => {
            by_catch.add(signature, input);
            report.hear(event);
        }
        _ => report.hear(event),
    };
    let search = Search::new(oracle, start, &mut listener);
    let (searched, ended) = searched(search, options);
    keep(keeper, &searched.best)?;
    ended.map_err(|stopped| hunting.trouble(stopped))?;
    Ok(searched)
}

/// Runs a search to its end. An error is one of the target; a budget that is over is not.
pub(super) fn searched(
    mut search: Search<'_, '_>,
    options: &reduce::Options,
) -> (Searched, Result<(), Stopped>) {
    let ended = reduce::minimize(&mut search, options);
    let mut searched = Searched {
        best: search.best().to_vec(),
        minimality: search.minimality(),
        stats: search.stats().to_vec(),
        counts: search.counts(),
        stopped: None,
        remarks: Vec::new(),
    };
    match ended {
        Err(Stopped::Early(reason)) => {
            searched.stopped = Some(reason);
            (searched, Ok(()))
        }
        ended => (searched, ended),
    }
}

pub(super) fn keep(keeper: &mut Keeper, best: &[u8]) -> Result<(), Trouble> {
    keeper.finish(best).map_err(|error| output::unwritable(keeper.path(), &error))
}

/// Confirms the result in new processes; where it doesn't hold, takes the last best that does.
fn settle(
    hunting: &Hunting<'_>,
    searched: &mut Searched,
    keeper: &mut Keeper,
    report: &mut Report,
) -> Result<Settled, Trouble> {
    let hunted = &hunting.quarry.signature;
    if searched.stopped == Some(StopReason::Interrupted) {
        // Whoever interrupts wants an end; each step was confirmed on its own.
        return Ok(Settled { signature: hunted.clone(), is_sure: true });
    }
    let mut confirmed = hunting.confirm(&searched.best)?;
    searched.counts.executions += u64::from(confirmed.runs);
    if !confirmed.holds(&hunting.quarry) {
        report.hear(&Event::Note(&format!(
            "the smallest input fails in {} of {} new processes only: taking an earlier one",
            confirmed.shown, confirmed.runs
        )));
        let earlier: Vec<Vec<u8>> =
            keeper.earlier().map(<[u8]>::to_vec).chain([hunting.input.bytes.clone()]).collect();
        for best in earlier {
            confirmed = hunting.confirm(&best)?;
            searched.counts.executions += u64::from(confirmed.runs);
            if confirmed.holds(&hunting.quarry) {
                keep(keeper, &best)?;
                searched.best = best;
                searched.minimality = Minimality::None;
                break;
            }
        }
    }
    let is_sure = confirmed.holds(&hunting.quarry);
    if !is_sure {
        searched.remarks.push("not even the input fails steadily in new processes".to_owned());
    }
    Ok(Settled { signature: confirmed.signature.unwrap_or_else(|| hunted.clone()), is_sure })
}
