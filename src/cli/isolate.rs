//! `tmin --isolate`: the smallest difference between a passing and a failing input.

use super::changes::{Change, apply, changes};
use super::exit::{Exit, Trouble};
use super::hunt::Hunting;
use super::input;
use super::plan::IsolatePlan;
use crate::event::{Event, StopReason};
use crate::oracle::judge::Judge;
use crate::oracle::{Oracle, Stopped};
use crate::outcome::Outcome;
use crate::reduce::Format;
use crate::reduce::isolate::{Isolation, isolate};
use crate::report::{Isolated, Part, Report};
use crate::search::Search;
use crate::signature::Signature;
use crate::target::Request;

/// Isolates and tells what it found.
pub fn run(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    plan: &IsolatePlan,
    report: &mut Report,
) -> Result<Exit, Trouble> {
    let mut failing = hunting.input.bytes.clone();
    let mut passing = match &plan.passing {
        Some(path) => input::read(path)?,
        None => Vec::new(),
    };
    check_that_it_passes(hunting, oracle, plan, &passing)?;
    report.hear(&Event::Started { bytes: failing.len(), signature: &hunting.hunt.signature });
    // Lines first: an input of many has a difference of few, found in few tests.
    let formats = match plan.format {
        Format::Auto => vec![Format::Lines, Format::Bytes],
        one => vec![one],
    };
    let mut difference = Vec::new();
    for format in formats {
        let found = isolate_units(hunting, oracle, report, format, &passing, &failing)?;
        (passing, failing, difference) = (found.passing, found.failing, found.difference);
    }
    let confirmed = hunting.confirm(&failing)?;
    let signature = confirmed.signature.clone().unwrap_or(hunting.quarry.signature.clone());
    let mut counts = oracle.counts();
    counts.executions += u64::from(confirmed.runs);
    report.isolated(&Isolated {
        input: hunting.input.path.clone(),
        passing,
        failing,
        difference,
        counts,
        elapsed: oracle.started().elapsed(),
        stack: hunting.opened.stack(&signature),
        signature: Signature::clone(&signature),
    });
    Ok(if confirmed.holds(&hunting.quarry) { Exit::Done } else { Exit::Unsteady })
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

struct Found {
    passing: Vec<u8>,
    failing: Vec<u8>,
    difference: Vec<Part>,
}

fn isolate_units(
    hunting: &Hunting<'_>,
    oracle: &mut Oracle<'_>,
    report: &mut Report,
    format: Format,
    passing: &[u8],
    failing: &[u8],
) -> Result<Found, Trouble> {
    let changes = changes(passing, failing, format);
    let start = Isolation { passing: Vec::new(), failing: (0..changes.len()).collect() };
    let render = |kept: &[usize], out: &mut Vec<u8>| apply(passing, failing, &changes, kept, out);
    let mut listener = |event: &Event<'_>| {
        // The best of an isolation is no result: only the difference is.
        if !matches!(event, Event::Reduced { .. }) {
            report.hear(event);
        }
    };
    let mut search = Search::new(oracle, failing.to_vec(), &mut listener);
    let isolated = search
        .run(&format!("dd({format})"), |search| isolate(search, start, render))
        .map_err(|stopped| match stopped {
            Stopped::Early(reason) => stopped_early(hunting, reason),
            other => hunting.trouble(other),
        })?;
    let rendered = |kept: &[usize]| {
        let mut out = Vec::new();
        render(kept, &mut out);
        out
    };
    Ok(Found {
        passing: rendered(&isolated.passing),
        failing: rendered(&isolated.failing),
        difference: parts(passing, failing, &changes, &isolated),
    })
}

fn stopped_early(hunting: &Hunting<'_>, reason: StopReason) -> Trouble {
    let exit = match reason {
        StopReason::Interrupted => hunting.interrupt.exit().unwrap_or(Exit::Interrupted),
        _ => Exit::BudgetOver,
    };
    Trouble::new(exit, "stopped before the difference was isolated")
}

/// What tells the two configurations apart, neighbours joined, by offset in the failing one.
fn parts(old: &[u8], new: &[u8], changes: &[Change], isolated: &Isolation) -> Vec<Part> {
    let difference = isolated.difference();
    let mut parts: Vec<Part> = Vec::new();
    // Where the end of the last difference lies, in the old input and in the failing one.
    let (mut last_old, mut last_failing) = (None, 0);
    let mut shift = 0isize;
    for index in &isolated.failing {
        let Change { old: gone, new: come } = &changes[*index];
        let offset = gone.start.saturating_add_signed(shift);
        shift += come.len() as isize - gone.len() as isize;
        if difference.binary_search(index).is_err() {
            continue;
        }
        match parts.last_mut() {
            Some(part) if last_old == Some(gone.start) && last_failing == offset => {
                part.removed.extend_from_slice(&old[gone.clone()]);
                part.inserted.extend_from_slice(&new[come.clone()]);
            }
            _ => parts.push(Part {
                offset,
                removed: old[gone.clone()].to_vec(),
                inserted: new[come.clone()].to_vec(),
            }),
        }
        (last_old, last_failing) = (Some(gone.end), offset + come.len());
    }
    parts
}
