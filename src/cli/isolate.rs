//! `tmin --isolate`: the smallest difference between a passing and a failing input.

use super::exit::{Exit, Trouble};
use super::hunt::Hunting;
use super::input;
use super::plan::IsolatePlan;
use crate::event::{Event, StopReason};
use crate::reduce::Format;
use crate::reduce::difference::{Delta, Difference, isolate_difference};
use crate::report::{Isolated, Part, Report};
use crate::search::Search;
use seedsmith_engine::exec::Request;
use seedsmith_engine::oracle::Oracle;
use seedsmith_engine::oracle::judge::Judge;
use seedsmith_engine::outcome::Outcome;
use seedsmith_engine::signature::Signature;

/// Isolates and tells what it found.
pub fn run(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    plan: &IsolatePlan,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let input = &hunting.input.bytes;
    let passing = match &plan.passing {
        Some(path) => input::read(path)?,
        None => Vec::new(),
    };
    check_that_it_passes(hunting, oracle, plan, &passing)?;
    report.hear(&Event::Started { bytes: input.len(), signature: &hunting.hunt.signature });
    let found = isolate_units(hunting, oracle, report, plan.format, &passing, input.clone())?;
    let mut counts = oracle.counts();
    let (signature, is_sure) = if found.stopped == Some(StopReason::Interrupted) {
        // Whoever interrupts wants an end; each step was confirmed on its own.
        (hunting.quarry.signature.clone(), true)
    } else {
        let confirmed = hunting.confirm(&found.failing)?;
        counts.executions += u64::from(confirmed.runs);
        let is_sure = confirmed.holds(hunting.repeats);
        (confirmed.signature.unwrap_or(hunting.quarry.signature.clone()), is_sure)
    };
    let exit = hunting.exit(found.stopped, is_sure);
    report.isolated(&Isolated {
        input: hunting.input.path.clone(),
        difference: parts(found.deltas),
        passing: found.passing,
        failing: found.failing,
        counts,
        elapsed: oracle.started().elapsed(),
        stack: hunting.stacks.of(&signature),
        signature: Signature::clone(&signature),
        stopped: found.stopped,
    });
    Ok(exit)
}

fn check_that_it_passes(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    plan: &IsolatePlan,
    passing: &[u8],
) -> Result<(), Trouble> {
    let request = Request { frames: hunting.hunt.needs_frames(), fresh: true };
    let seen = oracle.observe(passing, request).map_err(|stopped| hunting.trouble(stopped))?;
    if hunting.hunt.outcome(&seen) == Outcome::Pass {
        return Ok(());
    }
    let name = match &plan.passing {
        Some(path) => path.display().to_string(),
        None => "the empty input".to_owned(),
    };
    Err(Trouble::new(
        Exit::Usage,
        format!("{name} doesn't pass; name an input that does with --passing"),
    ))
}

fn isolate_units(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    report: &mut Report,
    format: Format,
    passing: &[u8],
    failing: Vec<u8>,
) -> Result<Difference, Trouble> {
    let mut listener = |event: &Event<'_>| {
        // The best of an isolation is no result: only the difference is.
        if !matches!(event, Event::Reduced { .. }) {
            report.hear(event);
        }
    };
    let mut search = Search::new(oracle, failing, &mut listener);
    isolate_difference(&mut search, passing, format).map_err(|stopped| hunting.trouble(stopped))
}

/// The deltas, with neighbours joined.
fn parts(deltas: Vec<Delta>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for Delta { at, removed, added } in deltas {
        match parts.last_mut() {
            Some(part) if part.offset + part.inserted.len() == at => {
                part.removed.extend(removed);
                part.inserted.extend(added);
            }
            _ => parts.push(Part { offset: at, removed, inserted: added }),
        }
    }
    parts
}
