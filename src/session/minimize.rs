//! The main task: the smallest input with the same failure, kept on disk all the while.

use std::sync::Arc;
use std::time::Duration;

use seedsmith_engine::internal::Oracle;
use seedsmith_engine::internal::Store;
use seedsmith_engine::{Kind, Signature};

use super::ended::{End, Remark};
use super::error::{SessionError, with_causes};
use super::failing::{FailingInput, Unconfirmed};
use super::saved::keeper::Keeper;
use super::saved::on_disk::OnDisk;
use super::saved::output::Output;
use super::saved::record::{FirstPart, Record, kept_as, set_aside};
use super::searched::{Searched, keep, keep_if_gone, searched};
use super::{OpenSession, hang, sanitized};
use crate::event::{
    Caught, Counts, Event, Minimality, NoteKind, Rate, ReducerStats, Reporter, Sanitized,
    StackLine, StopReason,
};
use crate::journal::Ended;
use crate::reduce::Cause;
use crate::search::Search;
use seedsmith_grammar::Digest;

pub(crate) use super::searched::Options;

/// How a minimization ended.
#[derive(Debug)]
pub struct Minimized {
    /// The smallest input found, which is saved.
    pub(crate) best: Vec<u8>,
    /// How the task ended.
    pub(crate) end: End,
    /// Counts of the whole session, confirmations included.
    pub(crate) counts: Counts,
    /// Time since the session was opened.
    pub(crate) elapsed: Duration,
    /// The failure of the result.
    pub(crate) signature: Signature,
    /// Its stack, for people.
    pub(crate) stack: Vec<StackLine>,
    /// The claim about how small the result is.
    pub(crate) minimality: Minimality,
    /// Why the search ended early, if it did.
    pub(crate) stopped: Option<StopReason>,
    /// How often the result failed in newly started processes; none were started after an
    /// interrupt, or for a hang, whose every step was confirmed that way.
    pub(crate) confirmed: Option<Rate>,
    /// The same failure as a sanitizer names it; `None` if there was no build with one.
    pub(crate) sanitized: Option<Sanitized>,
    /// Other failures that were met, with the files that show them; empty without an output (see
    /// [`OpenSession::other_failures`]).
    pub(crate) other_failures: Vec<Caught>,
    /// How many tests were answered by observations of an earlier run.
    pub(crate) recalled: usize,
    /// The statistics of every reducer.
    pub(crate) stats: Vec<ReducerStats>,
    /// Remarks about the quality of the result.
    pub(crate) remarks: Vec<Remark>,
}

/// The failure of a result, and whether it may be relied on.
struct Settled {
    signature: Arc<Signature>,
    is_sure: bool,
    /// How often the result failed in new processes, if that was tried.
    confirmed: Option<Rate>,
    /// The same failure as a sanitizer names it, if a build with one was run and shows it.
    sanitized: Option<Sanitized>,
}

impl Settled {
    /// A result that is confirmed by its steps only.
    fn by_steps(signature: &Arc<Signature>) -> Self {
        let signature = signature.clone();
        Settled { signature, is_sure: true, confirmed: None, sanitized: None }
    }
}

impl OpenSession<'_> {
    /// Searches for the smallest input with the same failure, confirms it in new processes, and
    /// saves it in `output`, if there is one; a better input is reported when it is saved.
    ///
    /// # Errors
    ///
    /// The target cannot be run any more, the result cannot be written, or another run is making
    /// the same result. A budget that ends is no error.
    pub fn minimize(
        &mut self,
        options: &Options,
        output: Option<&Output>,
        reporter: &mut dyn Reporter,
    ) -> Result<Minimized, SessionError> {
        self.minimize_after(None, options, output, reporter)
    }

    /// The same where a part of the run came before, on another executable.
    pub(super) fn minimize_after(
        &mut self,
        first: Option<&FirstPart>,
        options: &Options,
        output: Option<&Output>,
        reporter: &mut dyn Reporter,
    ) -> Result<Minimized, SessionError> {
        let minimized = self.search_and_settle(first, options, output, reporter);
        minimized.map_err(|error| self.explained(error))
    }

    /// The task itself: opens the files of an earlier run, searches, confirms, and writes the files
    /// beside the result.
    ///
    /// 1. The record decides where the search starts, and which observations the oracle has
    ///    already.
    /// 2. A hang is searched for with short limits, in which each step is confirmed. Any other failure is searched for at once and confirmed at the end.
    /// 3. A target that cannot be run any more is an error only if nothing was found.
    fn search_and_settle(
        &mut self,
        first: Option<&FirstPart>,
        options: &Options,
        output: Option<&Output>,
        reporter: &mut dyn Reporter,
    ) -> Result<Minimized, SessionError> {
        let are_tests_expensive = self.are_tests_expensive();
        let (failing, oracle) = (&self.failing, &mut self.oracle);
        let options = &fitted(options, &failing.judge.signature.kind, are_tests_expensive);
        let signature = &failing.judge.signature;
        reporter.report(&Event::Started { bytes: failing.bytes.len(), signature });
        let (record, store) = Record::open(failing, output, options, first, reporter)?;
        let known = store.as_ref().map_or(0, Store::left);
        if let Some(store) = store {
            oracle.set_store(store);
        }
        let mut on_disk = OnDisk::new(output, record, options.wishes.clone());
        let start = start(failing, oracle, options, output, &mut on_disk, reporter)?;
        if first.is_some_and(|first| first.best.is_some()) {
            on_disk.keeper.starts_from(&start);
        }
        let (mut searched, settled);
        if failing.baseline.uses_up() {
            searched = hang::search(failing, oracle, start, options, &mut on_disk, reporter)?;
            settled = Settled::by_steps(&failing.baseline.signature);
        } else {
            searched = search(failing, oracle, start, options, &mut on_disk, reporter)?;
            settled = settle(failing, &mut searched, &mut on_disk.keeper, reporter)?;
            keep_if_gone(&mut on_disk.keeper, &searched.best)?;
        }
        if let Some(error) = oracle.trouble().filter(|_| is_lost(&searched)) {
            if searched.best == failing.bytes {
                return Err(SessionError::Stopped(StopReason::Target));
            }
            searched.remarks.push(Remark::TargetLost(with_causes(error)));
        }
        let recalled = known - oracle.store().map_or(0, Store::left);
        let (mut other_failures, remarks) =
            close(oracle, on_disk, &searched, (recalled, &settled.signature));
        searched.remarks.extend(remarks);
        for caught in &mut other_failures {
            caught.stack = failing.stacks.of(&caught.signature);
        }
        Ok(Minimized {
            end: failing.end(searched.stopped, settled.is_sure),
            counts: searched.counts,
            elapsed: oracle.started().elapsed(),
            stack: failing.stacks.of(&settled.signature),
            signature: Signature::clone(&settled.signature),
            minimality: searched.minimality,
            stopped: searched.stopped,
            confirmed: settled.confirmed,
            sanitized: settled.sanitized,
            other_failures,
            recalled,
            stats: searched.stats,
            remarks: searched.remarks,
            best: searched.best,
        })
    }
}

/// Whether a search ended because its target could not be run any more.
fn is_lost(searched: &Searched) -> bool {
    searched.stopped == Some(StopReason::Target)
}

/// The options for a failure of that kind.
///
/// Sets the options that depend on the failure, so that a caller need not: whether its cause is an
/// amount, and the cost of a test.
fn fitted(options: &Options, kind: &Kind, are_tests_expensive: bool) -> Options {
    let mut options = options.clone();
    if cause(kind) == Cause::Amount {
        options.reduction.cause = Cause::Amount;
    }
    options.reduction.are_tests_expensive |= are_tests_expensive;
    options
}

/// The cause of a failure of a kind.
///
/// An input that overflows the stack, hangs or fills the memory repeats something, so reducers that
/// bisect a number of repetitions come first.
pub(super) fn cause(kind: &Kind) -> Cause {
    match kind {
        Kind::StackOverflow | Kind::Timeout | Kind::OutOfMemory => Cause::Amount,
        _ => Cause::Detail,
    }
}

/// Writes the files besides the result: other failures, and how the run ended.
///
/// Returns the other failures with their files, and remarks on the files that could not be written.
/// The result itself is on disk already.
fn close(
    oracle: &Oracle<'_>,
    on_disk: OnDisk,
    searched: &Searched,
    (recalled, signature): (usize, &Signature),
) -> (Vec<Caught>, Vec<Remark>) {
    let OnDisk { other_failures, record, .. } = on_disk;
    let mut remarks = Vec::new();
    if searched.stopped.is_some() && record.can_continue() {
        remarks.push(Remark::Continues);
        if oracle.store().is_some_and(Store::is_full) {
            remarks.push(Remark::ObservationsLost);
        }
    }
    if recalled > 0 {
        remarks.push(Remark::Recalled(recalled));
    }
    let (other_failures, trouble) = match other_failures {
        Some(folder) => folder.finish(oracle.other_failures()),
        None => (Vec::new(), None),
    };
    remarks.extend(trouble.map(Remark::OtherFailuresNotWritten));
    if oracle.other_failures_left_out() > 0 {
        remarks.push(Remark::OtherFailuresLeftOut(oracle.other_failures_left_out()));
    }
    let ended = Ended {
        bytes: searched.best.len(),
        xxh3: format!("{:?}", Digest::of(&searched.best)),
        tests: searched.counts.tests,
        stopped: searched.stopped,
        failure: Some(signature.to_string()),
    };
    remarks.extend(record.end(ended).map(Remark::JournalIncomplete));
    (other_failures, remarks)
}

/// The input from which the search starts: that of the resumed run; else an earlier result, if it
/// still fails, or the input.
fn start(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    options: &Options,
    output: Option<&Output>,
    on_disk: &mut OnDisk,
    reporter: &mut dyn Reporter,
) -> Result<Vec<u8>, SessionError> {
    let existing = on_disk.record.existing.take();
    let standing = standing(failing, oracle, existing.as_deref())?;
    if let (Some(existing), None, Some(output)) = (&existing, &standing, output) {
        let kept = set_aside(&output.path, existing)?;
        let text =
            format!("{} fails no more: {}", output.path.display(), kept_as(&output.path, &kept));
        reporter.report(&Event::Note(NoteKind::Resume, &text));
    }
    // If time limits decide, nothing can be replayed: the observations only save tests.
    let is_exact = !failing.baseline.is_hang();
    if (is_exact || standing.is_none())
        && let Some(start) = on_disk.record.start.take()
    {
        if let Some(standing) = standing {
            on_disk.keeper.stand_on(standing);
        }
        return Ok(start);
    }
    let Some(standing) = standing else { return Ok(failing.bytes.clone()) };
    if let Some(output) = output {
        reporter.report(&Event::Note(
            NoteKind::Resume,
            &format!("continuing from {}", output.path.display()),
        ));
        on_disk.record.starts_from(&standing, failing, output, options);
    }
    Ok(standing)
}

/// A result that is there, isn't larger than the input and still fails.
///
/// Costs the runs that a failure takes to be accepted.
fn standing(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    existing: Option<&[u8]>,
) -> Result<Option<Vec<u8>>, SessionError> {
    let may_be_used = |one: &&[u8]| !one.is_empty() && one.len() <= failing.bytes.len();
    let Some(existing) = existing.filter(may_be_used) else { return Ok(None) };
    let fails = oracle.shows(existing).map_err(|stopped| failing.error(stopped))?;
    Ok(fails.then(|| existing.to_vec()))
}

/// Searches. Each best is on disk before it is reported, and the last one is written with `fsync`
/// at the end.
///
/// Each event goes first to `on_disk`, which writes the best, and then to `reporter`: an
/// interrupted run never announces a best that is not on disk.
fn search(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    start: Vec<u8>,
    options: &Options,
    on_disk: &mut OnDisk,
    reporter: &mut dyn Reporter,
) -> Result<Searched, SessionError> {
    let interrupt = failing.interrupt.clone();
    let mut keeping = |event: &Event<'_>| on_disk.hear(event, &interrupt, reporter);
    let search = Search::new(oracle, start, &mut keeping);
    let (mut searched, ended) = searched(search, options);
    if let Some(standing) = on_disk.keeper.standing() {
        // Stopped before it came as far as the run that it resumes.
        searched.best = standing.to_vec();
        searched.minimality = Minimality::None;
    }
    keep(&mut on_disk.keeper, &searched.best)?;
    ended.map_err(|stopped| failing.error(stopped))?;
    Ok(searched)
}

/// The outcome for a result that could not be run in new processes: each of its steps was
/// confirmed.
fn unsettled(
    hunted: &Arc<Signature>,
    searched: &mut Searched,
    unconfirmed: &Unconfirmed,
) -> Settled {
    searched.stopped = searched.stopped.or(Some(unconfirmed.reason));
    searched.remarks.push(unconfirmed.remark());
    Settled::by_steps(hunted)
}

/// Confirms the result in new processes, and with a sanitizer if there is a build with one; if it
/// is not confirmed, takes the last best that is.
///
/// Costs five runs in new processes if the failure is steady, as many as its rate asks for if it is
/// not, and as many again for each earlier best that has to be tried.
fn settle(
    failing: &FailingInput<'_>,
    searched: &mut Searched,
    keeper: &mut Keeper,
    reporter: &mut dyn Reporter,
) -> Result<Settled, SessionError> {
    let hunted = &failing.baseline.signature;
    if searched.stopped == Some(StopReason::Interrupted) {
        // After an interrupt nothing more is run; each step was confirmed already.
        return Ok(Settled::by_steps(hunted));
    }
    let mut confirmed = match failing.or_unconfirmed(failing.confirm(&searched.best))? {
        Ok(confirmed) => confirmed,
        Err(unconfirmed) => return Ok(unsettled(hunted, searched, &unconfirmed)),
    };
    searched.counts.executions += u64::from(confirmed.runs);
    if !confirmed.holds(failing.repeats) {
        reporter.report(&Event::Note(
            NoteKind::Confirmation,
            &format!(
                "the smallest input fails in {} of {} new processes only: taking an earlier one",
                confirmed.shown, confirmed.runs
            ),
        ));
        let earlier: Vec<Vec<u8>> =
            keeper.earlier().map(<[u8]>::to_vec).chain([failing.bytes.clone()]).collect();
        for best in earlier {
            confirmed = match failing.or_unconfirmed(failing.confirm(&best))? {
                Ok(confirmed) => confirmed,
                Err(unconfirmed) => return Ok(unsettled(hunted, searched, &unconfirmed)),
            };
            searched.counts.executions += u64::from(confirmed.runs);
            if confirmed.holds(failing.repeats) {
                keep(keeper, &best)?;
                searched.best = best;
                searched.minimality = Minimality::None;
                break;
            }
        }
    }
    let is_sure = confirmed.holds(failing.repeats);
    if !is_sure {
        searched.remarks.push(Remark::Unsteady);
    }
    let rate = Rate { shown: confirmed.shown, runs: confirmed.runs };
    let has_time = failing.is_over().is_ok();
    let asked =
        if is_sure && has_time { sanitized::ask(failing, searched, keeper) } else { Ok(None) };
    let sanitized = match asked {
        Ok(sanitized) => sanitized,
        // The sanitizer's report is useful but not needed.
        Err(SessionError::Stopped(_) | SessionError::Target { .. }) => None,
        Err(error) => return Err(error),
    };
    Ok(Settled {
        signature: confirmed.signature.unwrap_or_else(|| hunted.clone()),
        is_sure,
        confirmed: Some(rate),
        sanitized,
    })
}
