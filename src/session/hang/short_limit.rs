//! A task that minimizes and then asks many questions about a hang: with a short limit.
//!
//! Nearly every question of a generalization fails, and so each would take the long limit. The short
//! one is used for all of them, if the minimized input exceeds the long one too; else it is raised. If
//! no short limit leads to such an input, the smallest one is taken that was seen on the way and
//! exceeds the long limit.

use std::time::Duration;

use crate::event::{ClaimedLimit, Event, NoteKind, Reporter, StopReason};
use crate::generalize::limits;
use crate::generalize::reduction::Reduced;
use crate::session::error::SessionError;
use crate::session::failing::FailingInput;
use crate::session::hang::limit::Limit;
use crate::session::hang::{Answer, Confirmer, Trail, smallest_confirmed};
use seedsmith_engine::internal::Oracle;

/// The pattern has 28 s: with this limit those are 700 tests of one processor, of which a claim takes 106 at least.
const MAX_SHORT_LIMIT: Duration = Duration::from_millis(40);

/// An input near the limit may take a little less in another run, so a claim is about half of the
/// limit.
const CLAIM_DIVISOR: u32 = 2;

/// A minimized input, and the claim about inputs like it.
pub(in crate::session) struct Minimized {
    /// The input; it exceeds the long limit.
    pub reduced: Reduced,
    /// The limit that further inputs exceed by the claim, if that is less than the long limit.
    pub claimed: Option<ClaimedLimit>,
    /// Runs that confirmed inputs with the long limit.
    pub runs: u64,
    /// Whether the input was seen to exceed the long limit in new processes.
    pub is_confirmed: bool,
}

/// Runs `minimize` with the lowest limit under which its result is known to exceed the long one, and
/// leaves the oracle with that limit, or with a shorter one where a test would take too long.
pub(in crate::session) fn minimized(
    failing: &FailingInput<'_>,
    oracle: &mut Oracle<'_>,
    reporter: &mut dyn Reporter,
    minimize: &mut dyn FnMut(&mut Oracle<'_>, &mut dyn Reporter) -> Result<Reduced, SessionError>,
) -> Result<Minimized, SessionError> {
    let mut limit = Limit::short(failing, oracle, &failing.bytes)?;
    let mut confirmer = Confirmer::new(failing);
    let mut left = limits::to_minimize_a_hang();
    let (reduced, is_confirmed) = loop {
        reporter
            .report(&Event::Note(NoteKind::Limit, &format!("searching with a limit of {limit}")));
        oracle.set_limits(limit.on(failing.limits));
        let mut trail = Trail { bests: vec![failing.bytes.clone()] };
        let mut hear = |event: &Event<'_>| {
            if let Event::Reduced { best, .. } = event {
                trail.add(best);
            }
            reporter.report(event);
        };
        let began = oracle.started().elapsed();
        let (found, ending) = limits::within(oracle, left, |oracle| minimize(oracle, &mut hear));
        let mut found = found?;
        let is_out_of_time = found.stopped == Some(StopReason::Time);
        found.stopped = ending.of_task(found.stopped);
        left = left.after(oracle.started().elapsed() - began);
        let took = match confirmer.confirm(&found.input, reporter)? {
            Answer::Exceeds => break (found, true),
            // No time may be left to look for another one.
            Answer::Unknown => break (found, false),
            Answer::EndsAfter(took) => took,
        };
        if matches!(limit, Limit::Memory(_)) {
            oracle.forget_memory();
        }
        match limit.raised(failing.limits, took).filter(|_| !is_out_of_time) {
            Some(higher) => limit = higher,
            None => {
                let chosen = smallest_confirmed(&trail, &mut confirmer, reporter)?;
                let input = trail.bests.swap_remove(chosen);
                // The first is the original, which is not run again here.
                break (Reduced { input, ..found }, chosen > 0);
            }
        }
    };
    if let Limit::Time(time) = limit
        && time > MAX_SHORT_LIMIT
    {
        limit = Limit::Time(MAX_SHORT_LIMIT);
        reporter.report(&Event::Note(
            NoteKind::Limit,
            &format!("testing further inputs with a limit of {limit}"),
        ));
        oracle.set_limits(limit.on(failing.limits));
    }
    let claimed = match limit {
        Limit::Time(time) => Some(ClaimedLimit::Time(time / CLAIM_DIVISOR)),
        memory if memory == Limit::long(failing) => None,
        Limit::Memory(memory_mb) => Some(ClaimedLimit::Memory(memory_mb)),
    };
    Ok(Minimized { reduced, claimed, runs: confirmer.runs, is_confirmed })
}
