//! The driver's duties in a slot: candidates go in, reports come out.

use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use super::plan::LaunchPlan;
use super::state::{Queued, ZygoteSlot};
use crate::exec::os::sys;
use crate::exec::os::watch::end_below;
use crate::exec::workers::protocol::{
    ARENA_BYTES, FLAG_FRAMES, FLAG_FRESH, FLAG_ONCE, FLAG_VARIED, RING, is_before,
};
use crate::exec::workers::seal::Stage;
use crate::exec::{Limits, Notifier, Request, RunReport, Slot, TargetError};
use crate::observation::{Observation, Verdict};

/// The longest candidate. A linked target may answer with as many bytes as its candidate has, and both have to
/// fit into the arena.
const MAX_CANDIDATE_BYTES: usize = ARENA_BYTES / 2;
/// Stderr of candidates that passed is thrown away when there is more than this: it takes memory. It is
/// looked at once in [`RING`] candidates.
const MAX_PASSED_STDERR_BYTES: u64 = 4 << 20;

/// How long a worker spins for work while the driver prepares it: not at all where every core is
/// wanted, as by two drivers with a worker each on two cores.
fn spin() -> u32 {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    if *cores >= 2 * Notifier::drivers() { 2000 } else { 0 }
}

impl LaunchPlan {
    /// A slot, as [`Target::open`](crate::exec::Target::open) gives it or, with a variation, as
    /// [`Target::open_varied`](crate::exec::Target::open_varied) does.
    pub(crate) fn open(
        self: &Rc<Self>,
        notifier: &Notifier,
        variation: Option<u32>,
    ) -> Result<Box<dyn Slot>, TargetError> {
        Ok(Box::new(ZygoteSlot::start(self.clone(), notifier, variation)?))
    }
}

impl ZygoteSlot {
    /// The answer that the worker has written into an entry that is done.
    ///
    /// Copies the bytes, at most as many as the order gave room for, whatever the worker says their
    /// number is.
    fn answer(&self, sequence: u32) -> Vec<u8> {
        let shared = self.shared();
        let entry = shared.entry(sequence);
        let (place, size) = shared.room(shared.order(sequence));
        let length = (entry.answer_length.load(Ordering::Acquire) as usize).min(size);
        let mut answer = vec![0; length];
        // SAFETY: the bytes are within the arena, by `Shared::candidate`; the worker is past them,
        // and a target that scribbles over them can only change the answer.
        unsafe { std::ptr::copy_nonoverlapping(place, answer.as_mut_ptr(), length) };
        answer
    }

    /// Drops queued candidates that the worker has passed over.
    ///
    /// A cancelled candidate keeps its place in the arena until the worker is past it: it may be
    /// reading it.
    fn drop_skipped(&mut self) {
        while self.queue.front().is_some_and(|one| one.ticket.is_none() && self.is_done(one)) {
            self.queue.pop_front();
        }
        match self.queue.front() {
            Some(oldest) => self.arena.free_before(oldest.offset),
            None => self.arena.clear(),
        }
    }
}

impl Slot for ZygoteSlot {
    fn push(
        &mut self,
        ticket: u64,
        candidate: &[u8],
        request: Request,
    ) -> Result<bool, TargetError> {
        self.drop_skipped();
        if self.queue.len() >= RING as usize {
            return Ok(false);
        }
        if candidate.len() > MAX_CANDIDATE_BYTES {
            return Err(TargetError::InputTooLarge { max_bytes: MAX_CANDIDATE_BYTES });
        }
        let room = self.plan.room_for(candidate);
        let Some(offset) = self.arena.allocate(candidate.len() + room) else { return Ok(false) };
        let shared = self.shared();
        let (driver, order) = (shared.driver(), shared.order(self.posted));
        if self.queue.is_empty() {
            driver.spin.store(spin(), Ordering::Relaxed);
        }
        let flags = if request.frames { FLAG_FRAMES } else { 0 }
            | if request.fresh { FLAG_FRESH } else { 0 }
            | if request.once { FLAG_ONCE } else { 0 }
            | if request.varied { FLAG_VARIED } else { 0 };
        let queued = Queued {
            sequence: self.posted,
            ticket: Some(ticket),
            nonce: self.nonces.draw(),
            offset,
            length: candidate.len(),
            room,
            flags,
            expected: request.expected.unwrap_or(0),
        };
        queued.post(order);
        let (place, length) = shared.candidate(order);
        debug_assert_eq!(length, candidate.len());
        // SAFETY: the arena gave out this range, which no entry under way uses.
        unsafe { std::ptr::copy_nonoverlapping(candidate.as_ptr(), place, length) };
        self.queue.push_back(queued);
        self.posted = self.posted.wrapping_add(1);
        if self.posted.is_multiple_of(RING)
            && self.stderr.metadata().is_ok_and(|metadata| metadata.len() > MAX_PASSED_STDERR_BYTES)
        {
            self.stderr.set_len(0).ok();
        }
        driver.head.0.store(self.posted, Ordering::SeqCst);
        if shared.worker().sleeps.load(Ordering::SeqCst) != 0 {
            sys::futex_wake(&driver.head.0);
        }
        Ok(true)
    }

    fn take(&mut self) -> Result<Option<RunReport>, TargetError> {
        loop {
            self.drop_skipped();
            let Some(front) = self.queue.front() else {
                // No one waits for it, but a dead worker has to make room for the spare.
                if let Some(end) = self.death() {
                    self.reap(end);
                }
                return Ok(None);
            };
            let sequence = front.sequence;
            let (observation, runs_before) = match self.stage(front) {
                Some((stage, runs_before)) if stage.is_done() => {
                    let given_up = self.given_up.take_if(|(of, _)| *of == sequence);
                    let observation = match (stage, given_up) {
                        (_, Some((_, observation))) => observation,
                        (Stage::Kept, _) => Observation::Returned(Verdict::Keep),
                        (Stage::Rejected, _) => Observation::Returned(Verdict::Reject),
                        (Stage::Panicked, _) => match self.caught_panic(sequence) {
                            Some(signature) => Observation::Failed(signature),
                            None => {
                                // Its zygote has ended, and with it the mappings needed to read the
                                // stack.
                                self.run_again();
                                return Ok(None);
                            }
                        },
                        // A report was promised while it ran; then its worker was lost, and the
                        // next one passed it over.
                        _ => Observation::Lost,
                    };
                    (observation, runs_before)
                }
                _ => match self.death() {
                    Some(end) => match self.reap(end) {
                        Some(reaped) => reaped,
                        None => continue,
                    },
                    None => return Ok(None),
                },
            };
            self.lost = 0;
            let ticket = self.queue.pop_front().and_then(|queued| queued.ticket);
            if let Some(ticket) = ticket {
                let answer = self.answer(sequence);
                return Ok(Some(RunReport {
                    ticket,
                    observation,
                    was_fresh: runs_before == 0,
                    answer,
                }));
            }
        }
    }

    fn request_notification(&mut self) {
        let shared = self.shared();
        let (driver, worker) = (shared.driver(), shared.worker());
        // The worker continues meanwhile; more rounds than candidates only a target can cause that
        // scribbles over the number of those that are done.
        for _ in 0..=self.queue.len() {
            let tail = worker.tail.0.load(Ordering::SeqCst);
            let done = self.queue.partition_point(|queued| is_before(queued.sequence, tail));
            // One more than half of the rest: then there is room for more while the others are run.
            let middle = self.queue.get(done + (self.queue.len() - done) / 2);
            let Some(middle) = middle else { return };
            let wake_at = middle.sequence.wrapping_add(1);
            driver.wake_at.0.store(wake_at, Ordering::SeqCst);
            if is_before(worker.tail.0.load(Ordering::SeqCst), wake_at) {
                return;
            }
            // It was done before the worker could see that it is waited for: no notification comes.
        }
    }

    fn cancel(&mut self) -> Vec<u64> {
        self.shared().driver().cancel.0.store(self.posted, Ordering::SeqCst);
        self.cancelled = self.posted;
        // The worker may be passing over them already.
        let is_passed_over = |stage| matches!(stage, None | Some((Stage::Skipped, _)));
        let begun = self.queue.iter().position(|queued| is_passed_over(self.stage(queued)));
        let begun = begun.unwrap_or(self.queue.len());
        let still = self.queue.iter().take(begun).filter_map(|queued| queued.ticket).collect();
        for queued in self.queue.iter_mut().skip(begun) {
            queued.ticket = None;
        }
        still
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.shared().driver().memory_bytes.store(limits.memory_mb << 20, Ordering::SeqCst);
    }

    fn tend(&mut self) -> Result<(), TargetError> {
        self.look_after_zygote()?;
        self.bound_stderr();
        self.look_after_worker()
    }
}

impl Drop for ZygoteSlot {
    fn drop(&mut self) {
        // The zygote is our child and not reaped, so its number is still its own.
        if let Ok(None) = self.zygote.try_wait() {
            end_below(self.zygote.id());
            self.close_zygote();
        }
    }
}
