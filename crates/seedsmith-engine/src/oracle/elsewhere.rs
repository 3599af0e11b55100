//! Running a candidate in processes that are newly started for it.
//!
//! A forked worker shares its zygote's address layout, environment and hash keys; what a user
//! starts does not. So the end result of a run is tried elsewhere before it is called one.

use std::ops::Range;
use std::time::Duration;

use crate::exec::{Bell, Limits, Request, Target, TargetError};
use crate::observation::Observation;

/// Runs `candidate` once in each of `runs` newly executed processes, side by side, and says what
/// happened in each. Costs a process start each. No more run side by side than the target allows.
pub fn observe_elsewhere(
    target: &dyn Target,
    candidate: &[u8],
    limits: Limits,
    runs: u32,
) -> Result<Vec<Observation>, TargetError> {
    let at_once = u32::try_from(target.max_slots().max(1)).unwrap_or(u32::MAX).min(runs.max(1));
    let mut seen = Vec::new();
    for first in (0..runs).step_by(at_once as usize) {
        let variations = first..runs.min(first + at_once);
        seen.extend(observe_side_by_side(target, candidate, limits, variations)?);
    }
    Ok(seen)
}

fn observe_side_by_side(
    target: &dyn Target,
    candidate: &[u8],
    limits: Limits,
    variations: Range<u32>,
) -> Result<Vec<Observation>, TargetError> {
    let bell = Bell::new()?;
    let request = Request { fresh: true, frames: true };
    let mut slots = Vec::new();
    for variation in variations {
        let mut slot = target.open_elsewhere(&bell, variation)?;
        slot.set_limits(limits);
        if !slot.push(0, candidate, request)? {
            return Err(TargetError::Unusable("a new process has no room for the input".into()));
        }
        slots.push((slot, None));
    }
    while slots.iter().any(|(_, observation)| observation.is_none()) {
        let rings = bell.rings();
        let mut came = 0;
        for (slot, observation) in slots.iter_mut().filter(|(_, seen)| seen.is_none()) {
            slot.arm();
            if let Some(report) = slot.take()? {
                *observation = Some(report.observation);
                came += 1;
            }
        }
        if came == 0 {
            bell.wait(rings, Duration::from_millis(5));
            for (slot, _) in slots.iter_mut().filter(|(_, seen)| seen.is_none()) {
                slot.tend()?;
            }
        }
    }
    Ok(slots.into_iter().filter_map(|(_, observation)| observation).collect())
}
