//! `tmin`'s main task: the smallest input with the same failure, kept on disk all the while.

use std::sync::Arc;

use super::exit::{Exit, Trouble};
use super::hang;
use super::hunt::Hunting;
use super::keeper::Keeper;
use super::on_disk::OnDisk;
use super::output::{self, Output};
use super::resume::Record;
use super::sanitized;
use crate::cargo_fuzz::{decoded, reproduce};
use crate::event::{Counts, Event, Minimality, ReducerStats, StopReason};
use crate::journal::Ended;
use crate::reduce;
use crate::report::{Finished, Rate, Report};
use crate::search::Search;
use crate::session::target::Origin;
use seedsmith_engine::oracle::store::Store;
use seedsmith_engine::oracle::{Oracle, Stopped};
use seedsmith_engine::signature::Signature;

/// How a minimization goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// How to reduce.
    pub reduction: reduce::Options,
    /// Whether to go on where an earlier run stood.
    pub resumes: bool,
    /// Of many inputs: whether to minimize each of those that fail alike.
    pub all: bool,
}

impl Options {
    /// What decides which way the search goes, in words.
    pub fn in_words(&self) -> String {
        format!("{:?}", self.reduction)
    }
}

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
    /// How often the result failed in new processes, if that was tried.
    confirmed: Option<Rate>,
    /// The same failure as a sanitizer names it, if one was asked and says so.
    sanitized: Option<Signature>,
}

impl Settled {
    /// By what each step was confirmed with, nothing else.
    fn by_steps(signature: &Arc<Signature>) -> Self {
        let signature = signature.clone();
        Settled { signature, is_sure: true, confirmed: None, sanitized: None }
    }
}

/// Minimizes, keeps the result and tells of it.
pub fn run(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    options: &Options,
    output: &Output,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    report.hear(&Event::Started {
        bytes: hunting.input.bytes.len(),
        signature: &hunting.hunt.signature,
    });
    let (record, store) = Record::open(hunting, output, options, report)?;
    let known = store.as_ref().map_or(0, Store::left);
    if let Some(store) = store {
        oracle.set_store(store);
    }
    let mut on_disk = OnDisk::new(&output.path, record);
    let start = start(hunting, oracle, options, output, &mut on_disk, report)?;
    let (mut searched, settled);
    if hunting.quarry.uses_up() {
        searched = hang::search(hunting, oracle, start, options, &mut on_disk, report)?;
        settled = Settled::by_steps(&hunting.quarry.signature);
    } else {
        searched = search(hunting, oracle, start, options, &mut on_disk, report)?;
        settled = settle(hunting, &mut searched, &mut on_disk.keeper, report)?;
    }
    let OnDisk { by_catch, record, .. } = on_disk;
    let elapsed = oracle.started().elapsed();
    let recalled = known - oracle.store().map_or(0, Store::left);
    if searched.stopped.is_some() {
        let force = if output.can_go_on { "" } else { " with --force" };
        let how = "with --resume it repeats no test";
        searched.remarks.push(format!("the same command{force} goes on from here; {how}"));
    }
    if searched.stopped.is_some() && oracle.store().is_some_and(Store::is_full) {
        searched.remarks.push("not every answer could be kept: --resume repeats some".to_owned());
    }
    if recalled > 0 {
        let executed = "which counts as tests and not as executions";
        searched.remarks.push(format!("{recalled} answers are the earlier run's, {executed}"));
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
    let executable = match hunting.opened.origin {
        Origin::Linked(_) => None,
        _ => hunting.opened.executable.as_deref(),
    };
    let ended = Ended {
        bytes: searched.best.len(),
        tests: searched.counts.tests,
        stopped: searched.stopped,
    };
    if let Some(error) = record.end(ended) {
        searched.remarks.push(format!("the journal is not complete: {error}"));
    }
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
        confirmed: settled.confirmed,
        sanitized: settled.sanitized,
        reproduce: reproduce::commands(&hunting.opened.origin, &output.path),
        decoded: executable.and_then(|executable| decoded(executable, &searched.best)),
        by_catch,
        recalled,
        stats: searched.stats,
        remarks: searched.remarks,
        best: searched.best,
    });
    Ok(exit)
}

/// What the search starts from: what the resumed run started from; else a result that is there,
/// if it still fails, or the input.
fn start(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    options: &Options,
    output: &Output,
    on_disk: &mut OnDisk,
    report: &mut Report,
) -> Result<Vec<u8>, Trouble> {
    let standing = standing(hunting, oracle, output)?;
    // Where limits of time decide, nothing can be replayed: what is known only saves tests.
    let is_exact = !hunting.quarry.is_hang();
    if (is_exact || standing.is_none())
        && let Some(start) = on_disk.record.start.take()
    {
        if let Some(standing) = standing {
            on_disk.keeper.stand_on(standing);
        }
        return Ok(start);
    }
    let Some(standing) = standing else { return Ok(hunting.input.bytes.clone()) };
    report.say(&format!("going on from {}", output.path.display()));
    on_disk.record.starts_from(&standing, hunting, output, options);
    Ok(standing)
}

/// A result that is there, isn't larger than the input and still fails.
fn standing(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    output: &Output,
) -> Result<Option<Vec<u8>>, Trouble> {
    let input = &hunting.input.bytes;
    let existing = output.existing.as_ref();
    let Some(existing) = existing.filter(|one| !one.is_empty() && one.len() <= input.len()) else {
        return Ok(None);
    };
    if oracle.shows(existing).map_err(|stopped| hunting.trouble(stopped))? {
        return Ok(Some(existing.clone()));
    }
    Ok(None)
}

/// Searches, with the best on disk before anybody hears of it, and at the end for good.
fn search(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    start: Vec<u8>,
    options: &Options,
    on_disk: &mut OnDisk,
    report: &mut Report,
) -> Result<Searched, Trouble> {
    let interrupt = hunting.interrupt.flag();
    let mut listener = |event: &Event<'_>| on_disk.hear(event, &interrupt, report);
    let search = Search::new(oracle, start, &mut listener);
    let (mut searched, ended) = searched(search, &options.reduction);
    if let Some(standing) = on_disk.keeper.standing() {
        // Stopped before it came as far as the run that it resumes.
        searched.best = standing.to_vec();
        searched.minimality = Minimality::None;
    }
    keep(&mut on_disk.keeper, &searched.best)?;
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

/// Confirms the result in new processes, and with a sanitizer where one is at hand; where it doesn't hold, takes the last best that does.
fn settle(
    hunting: &Hunting<'_>,
    searched: &mut Searched,
    keeper: &mut Keeper,
    report: &mut Report,
) -> Result<Settled, Trouble> {
    let hunted = &hunting.quarry.signature;
    if searched.stopped == Some(StopReason::Interrupted) {
        // Whoever interrupts wants an end; each step was confirmed on its own.
        return Ok(Settled::by_steps(hunted));
    }
    let mut confirmed = hunting.confirm(&searched.best)?;
    searched.counts.executions += u64::from(confirmed.runs);
    if !confirmed.holds(hunting.repeats) {
        report.hear(&Event::Note(&format!(
            "the smallest input fails in {} of {} new processes only: taking an earlier one",
            confirmed.shown, confirmed.runs
        )));
        let earlier: Vec<Vec<u8>> =
            keeper.earlier().map(<[u8]>::to_vec).chain([hunting.input.bytes.clone()]).collect();
        for best in earlier {
            confirmed = hunting.confirm(&best)?;
            searched.counts.executions += u64::from(confirmed.runs);
            if confirmed.holds(hunting.repeats) {
                keep(keeper, &best)?;
                searched.best = best;
                searched.minimality = Minimality::None;
                break;
            }
        }
    }
    let is_sure = confirmed.holds(hunting.repeats);
    if !is_sure {
        searched.remarks.push(
            "not even the input fails often enough in new processes; --repeat N runs each \
             candidate more often"
                .to_owned(),
        );
    }
    let rate = Rate { shown: confirmed.shown, runs: confirmed.runs };
    let sanitized = if is_sure { sanitized::ask(hunting, searched, keeper)? } else { None };
    Ok(Settled {
        signature: confirmed.signature.unwrap_or_else(|| hunted.clone()),
        is_sure,
        confirmed: Some(rate),
        sanitized,
    })
}
