//! How long a slot waits for its worker and its zygote, by the driver's own clock.
//!
//! The clock starts when a candidate becomes the oldest one without a result, whatever worker,
//! zygote and shared memory say. Processes that prevent a result are ended in three steps: the worker, then
//! everything below the zygote, then the zygote itself, which is replaced. A zygote that a target
//! has stopped is continued, and one that a target traces is freed by ending the tracer.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::exec::os::sys;
use crate::exec::os::watch::{
    Alarm, Standstill, end_below, end_worker, is_below, standstill, with_children, workers,
};
use crate::exec::slot::state::{KillReason, Waiting, ZygoteSlot};
use crate::exec::workers::protocol::is_before;
use crate::exec::workers::seal::Stage;
use crate::exec::{Limits, TargetError, ZygoteLoss};
use crate::observation::Observation;
use crate::signature::{Kind, Signature};

/// A cancelled candidate may take its limit of time divided by this: one that hangs is not waited for,
/// and one that ends does so earlier. A guess; not measured.
const CANCELLED_TIME_DIVISOR: u32 = 4;

/// How long a worker that was ended may take to die before the next step. A worker with gigabytes
/// takes a fraction of that.
const MAX_TIME_TO_DIE: Duration = Duration::from_secs(2);

/// Times that everything below the zygote is ended before the zygote is replaced. The second one is
/// for processes that were forked while the first one was under way.
const MAX_STEPS: u32 = 2;

/// The time that a worker may take to begin, on top of the wall-clock limit: its fork may have to
/// wait for processes, memory or a busy machine.
const MAX_TIME_TO_BEGIN: Duration = Duration::from_secs(3);

/// How often the zygote's state is read, to see whether it was stopped. A guess, short beside the
/// limits that a stopped zygote would use up; not measured.
const CHECK_ZYGOTE_EVERY: Duration = Duration::from_millis(50);

impl ZygoteSlot {
    /// Ends the worker if its candidate has used up its limits, and ends processes that keep its
    /// death from being reported.
    pub(super) fn look_after_worker(&mut self) -> Result<(), TargetError> {
        if !self.is_ready {
            return Ok(());
        }
        let Some(oldest) = self.oldest_unfinished() else {
            self.waiting = Waiting::default();
            return Ok(());
        };
        let sequence = oldest.sequence;
        let has_begun = self.stage(oldest).is_some();
        if self.death().is_some() {
            return Ok(());
        }
        let since = match self.waiting.oldest {
            Some((of, since)) if of == sequence => since,
            _ => {
                let now = Instant::now();
                self.waiting = Waiting { oldest: Some((sequence, now)), ..Waiting::default() };
                now
            }
        };
        self.free_zygote();
        if let Some(reason) = self.killed_for {
            return self.escalate(reason);
        }
        let is_unwanted = is_before(sequence, self.cancelled);
        let limits = if is_unwanted {
            self.limits.with_time(self.limits.cpu / CANCELLED_TIME_DIVISOR)
        } else {
            self.limits
        };
        let reason = if has_begun {
            self.reason_to_end(sequence, limits, is_unwanted)
        } else {
            // Should it have missed that there is work.
            sys::futex_wake(&self.shared().driver().head.0);
            // It never ran: nothing can be said of it.
            (since.elapsed() > limits.wall + MAX_TIME_TO_BEGIN).then_some(KillReason::Unwanted)
        };
        if let Some(reason) = reason
            && self.end_the_worker(sequence)
        {
            self.killed_for = Some(reason);
            self.killed_at = Instant::now();
        }
        Ok(())
    }

    /// Why the worker at candidate `sequence` has to be ended, if it has to: by its processor time,
    /// the wall clock, or memory. Reads one or two files below `/proc`.
    fn reason_to_end(
        &mut self,
        sequence: u32,
        limits: Limits,
        is_unwanted: bool,
    ) -> Option<KillReason> {
        let named = self.shared().worker().pid.load(Ordering::Acquire);
        let mut workers = workers(named, self.zygote.id());
        if self.plan.counters.is_some() {
            // It runs some candidates in children.
            workers = with_children(workers);
        }
        match self.watch.look(&workers, sequence, limits) {
            Alarm::None => None,
            Alarm::Time if is_unwanted => Some(KillReason::Unwanted),
            Alarm::Time => Some(KillReason::TimedOut),
            Alarm::Memory => Some(KillReason::OutOfMemory),
        }
    }

    /// Ends the worker that is at a candidate, unless it is past it by now.
    ///
    /// The number in shared memory is the target's word, so it is used only if it is a child of the
    /// zygote; otherwise all of them are ended. Says whether anything was ended.
    fn end_the_worker(&mut self, sequence: u32) -> bool {
        let zygote = self.zygote.id();
        let is_still_it = || {
            self.death().is_none()
                && self.oldest_unfinished().is_some_and(|oldest| oldest.sequence == sequence)
        };
        let named = self.shared().worker().pid.load(Ordering::Acquire);
        match workers(named, zygote)[..] {
            [pid] if pid == named => end_worker(pid, zygote, is_still_it),
            _ => is_still_it() && self.end_all_workers(),
        }
    }

    /// The worker was ended, and no death was reported: takes the next step when its time has come.
    ///
    /// The steps are 2 seconds apart: twice everything below the zygote, then the zygote, whose
    /// candidate gets the timeout or the lack of memory as its observation, or [`Observation::Lost`].
    fn escalate(&mut self, reason: KillReason) -> Result<(), TargetError> {
        if self.killed_at.elapsed() <= MAX_TIME_TO_DIE {
            return Ok(());
        }
        if self.waiting.steps < MAX_STEPS {
            self.waiting.steps += 1;
            self.end_all_workers();
            return Ok(());
        }
        let has_begun = self.oldest_unfinished().is_some_and(|oldest| self.stage(oldest).is_some());
        let observation = match reason {
            KillReason::TimedOut if has_begun => Some(Kind::Timeout),
            KillReason::OutOfMemory if has_begun => Some(Kind::OutOfMemory),
            _ => None,
        }
        .map_or(Observation::Lost, |kind| Observation::Failed(Arc::new(Signature::of_kind(kind))));
        self.give_up(observation);
        self.replace_zygote(ZygoteLoss::KeepsHanging)
    }

    /// Ends all processes below the zygote, which then posts the worker's death and forks new ones.
    /// For a worker that does not say which process it is, or that named another one.
    ///
    /// Costs a walk through the zygote's descendants. Says whether the zygote is there.
    pub(super) fn end_all_workers(&mut self) -> bool {
        let zygote = self.zygote.id();
        end_below(zygote);
        self.killed_at = Instant::now();
        // The zygote is our child and not reaped, so its number is still its own.
        kill(Pid::from_raw(zygote as i32), Signal::SIGCONT).is_ok()
    }

    /// Lets a stopped zygote continue, and ends descendants of it that trace it.
    pub(super) fn free_zygote(&mut self) {
        if self.waiting.looked.is_some_and(|looked| looked.elapsed() < CHECK_ZYGOTE_EVERY) {
            return;
        }
        self.waiting.looked = Some(Instant::now());
        let zygote = self.zygote.id();
        match standstill(zygote) {
            Standstill::None => {}
            Standstill::Stopped => {
                // The zygote is our child and not reaped, so its number is still its own.
                kill(Pid::from_raw(zygote as i32), Signal::SIGCONT).ok();
            }
            // A debugger of the user's is left alone.
            Standstill::Traced(tracer) => {
                if is_below(tracer, zygote) {
                    self.end_all_workers();
                }
            }
        }
    }

    /// Answers the oldest candidate without a result by the driver's own word.
    ///
    /// The worker's own word for it, should one come, no longer counts.
    pub(super) fn give_up(&mut self, observation: Observation) {
        let Some(oldest) = self.oldest_unfinished() else { return };
        let sequence = oldest.sequence;
        self.finish(oldest, Stage::Skipped);
        self.given_up = Some((sequence, observation));
    }
}
