//! The driver's duties in a slot: candidates go in, reports come out.

use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::plan::Plan;
use super::state::{Queued, ZygoteSlot};
use crate::exec::death::ProcessEnd;
use crate::exec::protocol::{
    ARENA_BYTES, FLAG_FRAMES, FLAG_FRESH, RESULT_KEEP, RESULT_PANIC, RESULT_REJECT, RESULT_SKIPPED,
    RING, is_before,
};
use crate::exec::watch::{Alarm, end_below, end_worker, workers};
use crate::exec::{Bell, Limits, Report, Request, Slot, TargetError, sys};
use crate::observation::{Observation, Verdict};

/// Stderr of candidates that passed is thrown away when there is more than this.
const STDERR_KEPT: u64 = 4 << 20;

/// What part of its limit a cancelled candidate may take: one that hangs is not waited for, and
/// one that ends does so earlier.
const UNWANTED: u32 = 4;

/// How long a worker that was ended may take to die before all below the zygote is ended: it may have
/// named another child of the zygote as itself. A worker with gigabytes takes a fraction of that.
const DEATH_LIMIT: Duration = Duration::from_secs(2);

/// How long a worker spins for work while the driver prepares it: not at all where every core is
/// wanted, as by two drivers with a worker each on two cores.
fn spin() -> u32 {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    if *cores >= 2 * Bell::drivers() { 2000 } else { 0 }
}

impl Plan {
    /// A slot, as [`Target::open`](crate::exec::Target::open) gives it or, with a variation, as
    /// [`Target::open_elsewhere`](crate::exec::Target::open_elsewhere) does.
    pub fn open(
        self: &Rc<Self>,
        bell: &Bell,
        variation: Option<u32>,
    ) -> Result<Box<dyn Slot>, TargetError> {
        Ok(Box::new(ZygoteSlot::start(self.clone(), bell, variation)?))
    }
}

impl ZygoteSlot {
    /// What the worker has left in an entry that is done.
    fn said(&self, sequence: u32) -> Vec<u8> {
        let shared = self.shared();
        let entry = shared.entry(sequence);
        let (place, size) = shared.candidate(entry);
        let length = (entry.said_length.load(Ordering::Acquire) as usize).min(size);
        let mut said = vec![0; length];
        // SAFETY: the bytes lie within the arena, by `Shared::candidate`; the worker is past them,
        // and a target that scribbles over them can only change what is read.
        unsafe { std::ptr::copy_nonoverlapping(place, said.as_mut_ptr(), length) };
        said
    }

    /// Drops queued candidates that the worker has passed over.
    fn drop_skipped(&mut self) {
        let shared = self.shared();
        let tail = shared.header().tail.0.load(Ordering::SeqCst);
        while self
            .queue
            .front()
            .is_some_and(|queued| queued.ticket.is_none() && is_before(queued.sequence, tail))
        {
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
        if candidate.len() > ARENA_BYTES / 2 {
            return Err(TargetError::Unusable(format!(
                "inputs of more than {} MB are not supported",
                ARENA_BYTES >> 21
            )));
        }
        let Some(offset) = self.arena.allocate(candidate.len()) else { return Ok(false) };
        let shared = self.shared();
        let header = shared.header();
        let entry = shared.entry(self.posted);
        if self.queue.is_empty() {
            header.spin.store(spin(), Ordering::Relaxed);
        }
        entry.offset.store(offset as u32, Ordering::Relaxed);
        entry.length.store(candidate.len() as u32, Ordering::Relaxed);
        let flags = if request.frames { FLAG_FRAMES } else { 0 }
            | if request.fresh { FLAG_FRESH } else { 0 };
        entry.flags.store(flags, Ordering::Relaxed);
        entry.result.store(0, Ordering::Relaxed);
        let (place, length) = shared.candidate(entry);
        debug_assert_eq!(length, candidate.len());
        // SAFETY: the arena gave out this range, which no entry under way uses.
        unsafe { std::ptr::copy_nonoverlapping(candidate.as_ptr(), place, length) };
        self.queue.push_back(Queued {
            sequence: self.posted,
            ticket: Some(ticket),
            offset,
            wants_frames: request.frames,
        });
        self.posted = self.posted.wrapping_add(1);
        if self.posted.is_multiple_of(RING)
            && self.stderr.metadata().is_ok_and(|metadata| metadata.len() > STDERR_KEPT)
        {
            self.stderr.set_len(0).ok();
        }
        header.head.0.store(self.posted, Ordering::SeqCst);
        if header.worker_sleeps.load(Ordering::SeqCst) != 0 {
            sys::futex_wake(&header.head.0);
        }
        Ok(true)
    }

    fn take(&mut self) -> Result<Option<Report>, TargetError> {
        loop {
            self.drop_skipped();
            let Some(front) = self.queue.front() else {
                // Nobody waits for it, but a dead worker has to make room for the spare.
                if let Some(end) = self.death() {
                    self.bury(end);
                }
                return Ok(None);
            };
            let sequence = front.sequence;
            let shared = self.shared();
            let header = shared.header();
            let (observation, runs_before) =
                if is_before(sequence, header.tail.0.load(Ordering::SeqCst)) {
                    let entry = shared.entry(sequence);
                    let observation = match entry.result.load(Ordering::Relaxed) {
                        RESULT_KEEP => Observation::Returned(Verdict::Keep),
                        RESULT_REJECT => Observation::Returned(Verdict::Reject),
                        RESULT_PANIC => Observation::Failed(self.caught_panic(entry)),
                        // A report was promised while it ran; then its worker was lost, and the
                        // next one passed it over.
                        RESULT_SKIPPED if front.ticket.is_some() => Observation::Lost,
                        RESULT_SKIPPED => {
                            self.queue.pop_front();
                            continue;
                        }
                        _ => Observation::Lost,
                    };
                    (observation, entry.runs_before.load(Ordering::Relaxed))
                } else if let Some(end) = self.death() {
                    match self.bury(end) {
                        Some(buried) => buried,
                        None => continue,
                    }
                } else {
                    return Ok(None);
                };
            let ticket = self.queue.pop_front().and_then(|queued| queued.ticket);
            if let Some(ticket) = ticket {
                let said = self.said(sequence);
                return Ok(Some(Report { ticket, observation, was_fresh: runs_before == 0, said }));
            }
        }
    }

    fn arm(&mut self) {
        let shared = self.shared();
        let header = shared.header();
        // The worker goes on meanwhile; more rounds than candidates only a target can cause that
        // scribbles over the number of those that are done.
        for _ in 0..=self.queue.len() {
            let tail = header.tail.0.load(Ordering::SeqCst);
            let done = self.queue.partition_point(|queued| is_before(queued.sequence, tail));
            // One more than half of the rest: then there is room for more while the others are run.
            let middle = self.queue.get(done + (self.queue.len() - done) / 2);
            let Some(middle) = middle else { return };
            let wake_at = middle.sequence.wrapping_add(1);
            header.wake_at.0.store(wake_at, Ordering::SeqCst);
            if is_before(header.tail.0.load(Ordering::SeqCst), wake_at) {
                return;
            }
            // It was done before the worker could see that it is waited for: no ring comes.
        }
    }

    fn cancel(&mut self) -> Vec<u64> {
        let shared = self.shared();
        let header = shared.header();
        header.cancel.0.store(self.posted, Ordering::SeqCst);
        self.cancelled = self.posted;
        let begun = header.started.load(Ordering::SeqCst);
        let mut still = Vec::new();
        for queued in &mut self.queue {
            if is_before(queued.sequence, begun) {
                still.extend(queued.ticket);
            } else {
                queued.ticket = None;
            }
        }
        still
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        let shared = self.shared();
        shared.header().memory_bytes.store(limits.memory_mb << 20, Ordering::SeqCst);
    }

    fn tend(&mut self) -> Result<(), TargetError> {
        self.look_after_zygote()?;
        self.bound_stderr();
        let shared = self.shared();
        let header = shared.header();
        let tail = header.tail.0.load(Ordering::SeqCst);
        let is_running = header.started.load(Ordering::SeqCst) != tail;
        if !is_running || self.death().is_some() {
            return Ok(());
        }
        if self.killed_for.is_some() {
            if self.killed_at.elapsed() > DEATH_LIMIT {
                self.end_all_workers();
            }
            return Ok(());
        }
        let zygote = self.zygote.id();
        let named = header.worker_pid.load(Ordering::Acquire);
        let workers = workers(named, zygote);
        let is_unwanted = is_before(tail, self.cancelled);
        let limits = if is_unwanted {
            self.limits.with_time(self.limits.cpu / UNWANTED)
        } else {
            self.limits
        };
        let alarm = self.watch.look(&workers, tail, limits);
        let reason = match alarm {
            Alarm::None => return Ok(()),
            Alarm::Time if is_unwanted => ProcessEnd::Unwanted,
            Alarm::Time => ProcessEnd::TimedOut,
            Alarm::Memory => ProcessEnd::OutOfMemory,
        };
        let generation = self.generation;
        let dead = || !is_before(header.dead.0.load(Ordering::SeqCst), generation);
        let still = || header.tail.0.load(Ordering::SeqCst) == tail;
        let is_ended = match workers[..] {
            [pid] if pid == named => end_worker(pid, zygote, || !dead() && still()),
            _ => !dead() && still() && self.end_all_workers(),
        };
        if is_ended {
            self.killed_for = Some(reason);
            self.killed_at = Instant::now();
        }
        Ok(())
    }
}

impl ZygoteSlot {
    /// Ends the worker together with all other processes below the zygote, which then posts the
    /// worker's death and forks new ones. For a worker that does not say which process it is, or
    /// that named another one.
    fn end_all_workers(&mut self) -> bool {
        let zygote = self.zygote.id();
        end_below(zygote);
        self.killed_at = Instant::now();
        // The zygote is our child and not reaped, so its number is still its own.
        kill(Pid::from_raw(zygote as i32), Signal::SIGCONT).is_ok()
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
