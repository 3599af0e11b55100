//! Running a candidate in processes that are newly started for it.
//!
//! A forked worker shares its zygote's address layout, environment and hash keys; a process that a
//! user starts does not. So the end result of a run is first confirmed in new processes.

use std::time::Duration;

use crate::counts::StopReason;
use crate::exec::{Limits, Notifier, Request, Slot, Target, TargetError};
use crate::observation::Observation;
use crate::oracle::Stopped;

/// How often a run is repeated that was ended from outside, which says nothing of the candidate. A
/// guess; not measured.
const MAX_REPEATED: u32 = 3;
/// How long a report is waited for before the caller is asked again whether to continue: a small
/// part of a delay that a person notices.
const CHECK_EVERY: Duration = Duration::from_millis(5);

/// Runs `candidate` once in each of `runs` newly executed processes, side by side as far as the
/// system has room and the target allows, and returns the observation of each. Costs a process
/// start each.
///
/// `is_over` is asked every few milliseconds whether the caller's time is over.
pub fn observe_in_new_processes(
    target: &dyn Target,
    candidate: &[u8],
    limits: Limits,
    runs: u32,
    is_over: &dyn Fn() -> Result<(), StopReason>,
) -> Result<Vec<Observation>, Stopped> {
    let mut place = NewProcesses { target, candidate, limits, is_over, opened: 0, repeated: 0 };
    let mut seen = Vec::new();
    while seen.len() < runs as usize {
        let wanted = (runs as usize - seen.len()).min(target.max_slots().max(1));
        place.observe(wanted, &mut seen)?;
    }
    Ok(seen)
}

struct NewProcesses<'e> {
    target: &'e dyn Target,
    candidate: &'e [u8],
    limits: Limits,
    is_over: &'e dyn Fn() -> Result<(), StopReason>,
    /// Tells the environments of processes apart.
    opened: u32,
    repeated: u32,
}

impl<'e> NewProcesses<'e> {
    /// Runs the candidate in as many processes as are wanted and there is room for, at least one.
    fn observe(&mut self, wanted: usize, seen: &mut Vec<Observation>) -> Result<(), Stopped> {
        let notifier = Notifier::new()?;
        let mut slots: Vec<Box<dyn Slot + 'e>> = Vec::new();
        for _ in 0..wanted {
            match self.open(&notifier) {
                Ok(slot) => slots.push(slot),
                Err(error) if slots.is_empty() => return Err(error.into()),
                // One after the other, then.
                Err(_) => break,
            }
        }
        while !slots.is_empty() {
            (self.is_over)().map_err(Stopped::Early)?;
            let seen_count = notifier.count();
            let mut came = 0;
            let mut trouble = None;
            slots.retain_mut(|slot| {
                slot.request_notification();
                match slot.take() {
                    Ok(None) => true,
                    Ok(Some(report)) => {
                        came += 1;
                        if report.observation != Observation::Lost || self.repeated >= MAX_REPEATED
                        {
                            seen.push(report.observation);
                        } else {
                            self.repeated += 1;
                        }
                        false
                    }
                    Err(error) => {
                        trouble = Some(error);
                        true
                    }
                }
            });
            if came == 0 && trouble.is_none() {
                notifier.wait(seen_count, CHECK_EVERY);
                trouble = slots.iter_mut().find_map(|slot| slot.tend().err());
            }
            if let Some(error) = trouble {
                return Err(error.into());
            }
        }
        Ok(())
    }

    fn open(&mut self, notifier: &Notifier) -> Result<Box<dyn Slot + 'e>, TargetError> {
        let mut slot = self.target.open_varied(notifier, self.opened)?;
        self.opened += 1;
        slot.set_limits(self.limits);
        if !slot.push(
            0,
            self.candidate,
            Request { fresh: true, frames: true, once: false, varied: false, expected: None },
        )? {
            return Err(TargetError::NoRoomForInput);
        }
        Ok(slot)
    }
}
