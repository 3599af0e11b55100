//! Minimizing a hang or a blow-up: the smallest input that takes more time or memory than the limit.
//!
//! Waiting for the whole limit with every candidate would take too long. So the search uses a short
//! limit (a time limit is derived from runs that end), and its result is confirmed with the long
//! one. If the confirmation shows that the result merely takes a while, the short limit is raised
//! and the search continues from the last best that exceeds the long limit. Only confirmed inputs
//! reach the disk.

mod limit;
pub(super) mod short_limit;

use std::time::{Duration, Instant};

use super::ended::Remark;
use super::error::SessionError;
use super::failing::{FailingInput, Unconfirmed};
use super::saved::on_disk::OnDisk;
use super::searched::{Options, Searched, keep, searched};
use crate::event::{Event, Minimality, NoteKind, Reporter, StopReason};
use crate::search::Search;
use limit::Limit;
use seedsmith_engine::Judge;
use seedsmith_engine::Outcome;
use seedsmith_engine::internal::Budget;
use seedsmith_engine::internal::Oracle;
use seedsmith_engine::{Limits, Request};

/// The time for all searches together, in halves of the long limit; after that the inputs found are
/// confirmed. With a limit of seconds each step takes seconds.
const SEARCH_HALF_LIMITS: u32 = 3;

/// The time for starting processes for a confirmation, besides the limit that they exceed. Starts
/// take milliseconds; the rest is for a sanitizer on a busy machine. Not measured.
const CONFIRMATION_START_TIME: Duration = Duration::from_millis(500);

/// Searches for the smallest input that hangs; it is confirmed and on disk when this returns.
///
/// 1. A search with the short limit gives a trail of ever smaller inputs that exceed it.
/// 2. The last of them is run with the long limit. If it exceeds that too, it is the result.
/// 3. Otherwise the short limit is raised, and the search starts again from the last input of the trail that exceeds the long one.
/// 4. After some long limits of searching, the smallest input of the trail that exceeds the long limit is the result.
pub(super) fn search(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    start: Vec<u8>,
    options: &Options,
    on_disk: &mut OnDisk,
    reporter: &mut dyn Reporter,
) -> Result<Searched, SessionError> {
    keep(&mut on_disk.keeper, &start)?;
    let interrupt = failing.interrupt.clone();
    let mut limit = Limit::short(failing, oracle, &start)?;
    let searching = failing.limits.cpu.max(Limits::default().cpu) * SEARCH_HALF_LIMITS / 2;
    let enough = oracle.started().elapsed() + searching;
    // A result is of use only if there is time left to confirm it.
    let to_confirm = failing.limits.cpu * 5 / 4 + CONFIRMATION_START_TIME;
    let mut trail = Trail { bests: vec![start] };
    let mut stats = Vec::new();
    let mut confirmer = Confirmer::new(failing);
    let (mut found, is_out_of_time) = loop {
        reporter
            .report(&Event::Note(NoteKind::Limit, &format!("searching with a limit of {limit}")));
        oracle.set_limits(limit.on(failing.limits));
        let options = Options { reduction: limit.patient(&options.reduction), ..options.clone() };
        let from = trail.last().to_vec();
        let mut thinning = |event: &Event<'_>| match event {
            // Not announced: it is not known to hang, and not on disk.
            Event::Reduced { best, .. } => trail.add(best),
            _ => on_disk.hear(event, &interrupt, reporter),
        };
        let (mut found, is_out_of_time) =
            round(failing, oracle, from, &options, &mut thinning, (enough, to_confirm))?;
        stats.append(&mut found.stats);
        if is_out_of_time || found.stopped.is_some() || trail.bests.len() == 1 {
            break (found, is_out_of_time);
        }
        let took = match confirmer.confirm(trail.last(), reporter)? {
            Answer::Exceeds => {
                trail.bests.drain(..trail.bests.len() - 1);
                break (found, false);
            }
            Answer::EndsAfter(took) => took,
            // The confirmation below is tried once more, with the same result.
            Answer::Unknown => break (found, true),
        };
        let Some(higher) = limit.raised(failing.limits, took) else { break (found, true) };
        limit = higher;
        oracle.set_limits(limit.on(failing.limits));
        if matches!(limit, Limit::Memory(_)) {
            // An input that exceeded the lower limit need not exceed this one.
            oracle.forget_memory();
        }
        match trail.go_back(|best| still_hangs(failing, oracle, best)) {
            Ok(()) => {}
            Err(SessionError::Stopped(reason)) => {
                found.stopped = Some(reason);
                break (found, true);
            }
            Err(error) => return Err(error),
        }
    };
    let smallest = trail.bests.len() - 1;
    let chosen = smallest_confirmed(&trail, &mut confirmer, reporter)?;
    if is_out_of_time || chosen < smallest {
        found.minimality = Minimality::None;
        found.remarks.push(Remark::SmallerMayExceed);
    }
    if let Some(unconfirmed) = confirmer.unconfirmed {
        found.stopped = found.stopped.or(Some(unconfirmed.reason));
        found.remarks.push(unconfirmed.remark());
    }
    found.best = trail.bests.swap_remove(chosen);
    keep(&mut on_disk.keeper, &found.best)?;
    let elapsed = oracle.started().elapsed();
    let reduced = Event::Reduced { best: &found.best, counts: found.counts, elapsed };
    on_disk.record.report(&reduced);
    reporter.report(&reduced);
    found.counts.executions += confirmer.runs;
    found.stats = stats;
    Ok(found)
}

/// Which of a trail's inputs is the smallest that exceeds the long limit, as far as a few runs find out:
/// from the last one back, in growing steps or as many as the growth of time suggests.
///
/// Each input that is tried costs a run with the long limit, which is why the steps grow.
fn smallest_confirmed(
    trail: &Trail,
    confirmer: &mut Confirmer<'_>,
    reporter: &mut dyn Reporter,
) -> Result<usize, SessionError> {
    let long = confirmer.failing.limits.cpu;
    let mut chosen = trail.bests.len() - 1;
    let mut step = 1;
    let mut ended: Vec<(usize, Duration)> = Vec::new();
    while chosen > 0 {
        let best = &trail.bests[chosen];
        let took = match confirmer.confirm(best, reporter)? {
            Answer::Exceeds => break,
            Answer::EndsAfter(took) => took,
            Answer::Unknown => return Ok(0),
        };
        ended.push((best.len(), took));
        let enough = size_that_hangs(&ended, long);
        let mut sizes = trail.bests.iter().take(chosen);
        let guessed = enough.and_then(|size| sizes.rposition(|best| best.len() >= size));
        chosen = chosen.saturating_sub(step).min(guessed.unwrap_or(chosen));
        step *= 2;
    }
    Ok(chosen)
}

/// How large an input has to be to take twice as long as `long`, if time grows with the size as it
/// did between the last two that ended; not more than twice as large as the last.
fn size_that_hangs(ended: &[(usize, Duration)], long: Duration) -> Option<usize> {
    let [.., (before, took_before), (size, took)] = ended else { return None };
    let growth = (took.as_secs_f64() / took_before.as_secs_f64()).ln();
    let more = (2.0 * long.as_secs_f64() / took.as_secs_f64()).ln();
    let bytes = more / growth * (size - before) as f64;
    (growth > 0.0 && more > 0.0).then(|| size + bytes.min(*size as f64) as usize)
}

/// Runs the inputs found with the long limit, in new processes.
///
/// It counts its runs, which are added to those of the oracle, and remembers which inputs ended
/// after all.
struct Confirmer<'h> {
    failing: &'h FailingInput<'h>,
    runs: u64,
    /// The inputs that ended after all, and after how long.
    refuted: Vec<(Vec<u8>, Duration)>,
    /// Why nothing can be confirmed any more.
    unconfirmed: Option<Unconfirmed>,
}

/// The outcome of a run with the long limit.
enum Answer {
    Exceeds,
    EndsAfter(Duration),
    /// Time is over, or the target can no longer be run.
    Unknown,
}

impl<'h> Confirmer<'h> {
    /// Nothing was run yet.
    fn new(failing: &'h FailingInput<'h>) -> Self {
        Confirmer { failing, runs: 0, refuted: Vec::new(), unconfirmed: None }
    }

    /// Whether `best` exceeds the long limit. The first of a trail is known to.
    fn confirm(
        &mut self,
        best: &[u8],
        reporter: &mut dyn Reporter,
    ) -> Result<Answer, SessionError> {
        if let Some((_, took)) = self.refuted.iter().find(|(other, _)| other == best) {
            return Ok(Answer::EndsAfter(*took));
        }
        if self.unconfirmed.is_some() {
            return Ok(Answer::Unknown);
        }
        let limit = Limit::long(self.failing);
        reporter.report(&Event::Note(
            NoteKind::Confirmation,
            &format!("running {} bytes with {limit}", best.len()),
        ));
        let began = Instant::now();
        let confirmed = match self.failing.or_unconfirmed(self.failing.confirm(best))? {
            Ok(confirmed) => confirmed,
            Err(unconfirmed) => {
                self.unconfirmed = Some(unconfirmed);
                return Ok(Answer::Unknown);
            }
        };
        self.runs += u64::from(confirmed.runs);
        if confirmed.holds(self.failing.repeats) {
            return Ok(Answer::Exceeds);
        }
        let took = began.elapsed();
        reporter.report(&Event::Note(
            NoteKind::Confirmation,
            &format!("{} bytes end after {took:.1?}", best.len()),
        ));
        self.refuted.push((best.to_vec(), took));
        Ok(Answer::EndsAfter(took))
    }
}

/// One search with one limit, from `from`. Whether it ended because the run is older than `enough`.
///
/// # Errors
///
/// The target cannot be run any more. A budget that ends is none.
fn round(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    from: Vec<u8>,
    options: &Options,
    reporter: &mut dyn FnMut(&Event<'_>),
    (enough, to_confirm): (Duration, Duration),
) -> Result<(Searched, bool), SessionError> {
    let users = oracle.budget().clone();
    let theirs = users.max_time.map(|theirs| theirs.saturating_sub(to_confirm).max(theirs / 2));
    let is_ours = theirs.is_none_or(|theirs| enough < theirs);
    let max_time = if is_ours { Some(enough) } else { theirs };
    oracle.set_budget(Budget { max_time, ..users.clone() });
    let mut reporter = |event: &Event<'_>| reporter.report(event);
    let (mut searched, ended) = searched(Search::new(oracle, from, &mut reporter), options);
    oracle.set_budget(users);
    ended.map_err(|stopped| failing.error(stopped))?;
    let is_out_of_time = is_ours && searched.stopped == Some(StopReason::Time);
    if is_out_of_time {
        searched.stopped = None;
    }
    Ok((searched, is_out_of_time))
}

/// Whether `best` exceeds the limit that the oracle has now. The limit may have been raised since
/// `best` was accepted.
fn still_hangs(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    best: &[u8],
) -> Result<bool, SessionError> {
    let request =
        Request { frames: false, fresh: true, once: false, varied: false, expected: None };
    let seen = oracle.observe(best, request).map_err(|stopped| failing.error(stopped))?;
    Ok(failing.judge.outcome(&seen) == Outcome::Fail)
}

/// The bests of a search, thinned out. The first is confirmed.
///
/// There are thousands of bests in a long search, and each step back costs a run with the long
/// limit, so neighbours of nearly one size are not kept.
struct Trail {
    bests: Vec<Vec<u8>>,
}

impl Trail {
    /// The smallest.
    fn last(&self) -> &[u8] {
        self.bests.last().expect("the first is never taken away")
    }

    /// Adds a best; the one before it goes where it is hardly larger than the one before that.
    fn add(&mut self, best: &[u8]) {
        if let [.., earlier, last] = self.bests.as_slice()
            && last.len() * 10 > earlier.len() * 9
        {
            self.bests.pop();
        }
        self.bests.push(best.to_vec());
    }

    /// Goes back to the last best that `hangs`, taking for granted that all before it do.
    fn go_back<E>(&mut self, mut hangs: impl FnMut(&[u8]) -> Result<bool, E>) -> Result<(), E> {
        let (mut hanging, mut ending) = (0, self.bests.len());
        while ending - hanging > 1 {
            let middle = hanging + (ending - hanging) / 2;
            if hangs(&self.bests[middle])? {
                hanging = middle;
            } else {
                ending = middle;
            }
        }
        self.bests.truncate(hanging + 1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_size_is_guessed_from_how_time_grew() {
        let seconds = Duration::from_secs;
        let long = seconds(10);
        assert_eq!(size_that_hangs(&[(100, seconds(2))], long), None);
        // Ten times as long takes three more doublings, and some.
        assert_eq!(size_that_hangs(&[(100, seconds(1)), (110, seconds(2))], long), Some(143));
        let hardly = Duration::from_millis(2001);
        assert_eq!(size_that_hangs(&[(100, seconds(2)), (110, hardly)], long), Some(220));
        assert_eq!(size_that_hangs(&[(100, seconds(2)), (110, seconds(1))], long), None);
    }

    #[test]
    fn a_trail_is_thinned_out_and_found_back_by_bisection() {
        let mut trail = Trail { bests: vec![vec![0; 10_000]] };
        for length in (1..10_000).rev() {
            trail.add(&vec![0; length]);
        }
        assert!(trail.bests.len() < 100, "{}", trail.bests.len());
        assert_eq!(trail.last().len(), 1);
        let mut asked = 0;
        let back = trail.go_back(|best| {
            asked += 1;
            Ok::<bool, ()>(best.len() >= 700)
        });
        assert_eq!(back, Ok(()));
        assert!((700..900).contains(&trail.last().len()), "{}", trail.last().len());
        assert!(asked <= 7);
        trail.go_back(|_| Ok::<bool, ()>(false)).unwrap();
        assert_eq!(trail.last().len(), 10_000);
    }
}
