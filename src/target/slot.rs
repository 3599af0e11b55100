//! The driver's side of a slot that has a zygote: queue, reports, deaths.
//!
//! Nothing here blocks but the start of the zygote. All that the worker writes is read as
//! untrusted: a target may scribble over the shared memory.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use memmap2::{MmapOptions, MmapRaw};

use super::arena::Arena;
use super::death::{ProcessEnd, Record, classify};
use super::executable::Functions;
use super::launch::{Inheritance, start};
use super::memory::anonymous_file;
use super::modules::Modules;
use super::protocol::{
    ARENA_BYTES, Entry, FLAG_FRAMES, FLAG_FRESH, MAGIC, MAPPING_BYTES, MAX_FRAMES, MAX_TEXT,
    RESULT_KEEP, RESULT_PANIC, RESULT_REJECT, RESULT_SKIPPED, RETIRED, RING, STATE_READY,
    STATE_REFUSED, Shared, is_before,
};
use super::watch::{Alarm, Watch};
use super::{Bell, Limits, Report, Request, Slot, TargetError, sys};
use crate::observation::{Observation, Verdict};
use crate::signature::{Kind, Signature, normalise};

/// What a slot has to know to start its zygote.
pub(crate) struct Plan {
    /// The program and its arguments.
    pub command: Box<dyn Fn() -> Command>,
    /// The runtime to preload, for an injected target.
    pub runtime: Option<Arc<OwnedFd>>,
    /// `MODE_*` bits.
    pub mode: u32,
    /// Link-time addresses of libFuzzer's interface; 0 where there is none.
    pub test_one_input: u64,
    /// See [`Plan::test_one_input`].
    pub initialize: u64,
    /// Whether the executable is linked to one address.
    pub has_fixed_address: bool,
    /// Names of the executable's functions.
    pub functions: Arc<Functions>,
}

/// How long a zygote may take to initialise.
const START_LIMIT: Duration = Duration::from_secs(60);
/// Candidates that a worker runs before it makes room for a new one.
const RECYCLE_AFTER: u32 = 20_000;
/// Deaths from outside that one candidate may meet before it is given up.
const MAX_LOST: u32 = 3;
/// Stderr that is looked at after a death: its end.
const MAX_STDERR: u64 = 128 * 1024;
/// Stderr of candidates that passed is thrown away when there is more than this.
const STDERR_KEPT: u64 = 4 << 20;

struct Queued {
    sequence: u32,
    /// `None` once it is cancelled.
    ticket: Option<u64>,
    /// Where its bytes begin in the arena.
    offset: usize,
    wants_frames: bool,
}

/// A slot whose worker is forked by a zygote.
pub(crate) struct ZygoteSlot {
    plan: Arc<Plan>,
    variation: Option<u32>,
    bell: Bell,
    mapping: MmapRaw,
    shared_file: OwnedFd,
    stderr: File,
    zygote: Child,
    queue: VecDeque<Queued>,
    posted: u32,
    arena: Arena,
    generation: u32,
    limits: Limits,
    watch: Watch,
    killed_for: Option<ProcessEnd>,
    lost: u32,
    modules: Option<Modules>,
    /// Signatures by place and message, so that a panic seen before is the same allocation.
    panics: HashMap<(String, String), Arc<Signature>>,
}

impl ZygoteSlot {
    /// Starts the zygote and waits until it can fork.
    ///
    /// `variation` is that of [`Target::open_elsewhere`](super::Target::open_elsewhere).
    pub fn start(
        plan: Arc<Plan>,
        bell: &Bell,
        variation: Option<u32>,
    ) -> Result<Self, TargetError> {
        let shared_file = anonymous_file(c"seedsmith-slot", MAPPING_BYTES as u64)?;
        let mapping = MmapOptions::new()
            .len(MAPPING_BYTES)
            .no_reserve_swap()
            .map_raw(&shared_file)
            .map_err(|error| TargetError::system("map a slot", error))?;
        let stderr = anonymous_file(c"seedsmith-stderr", 0)?;
        nix::fcntl::fcntl(&stderr, nix::fcntl::F_SETFL(nix::fcntl::OFlag::O_APPEND))
            .map_err(|errno| TargetError::system("prepare a worker's stderr", errno))?;
        prepare(&shared_of(&mapping), &plan);
        let zygote = launch(&plan, &shared_file, bell, &stderr, variation)?;
        let mut slot = ZygoteSlot {
            plan,
            variation,
            bell: bell.clone(),
            mapping,
            shared_file,
            stderr: File::from(stderr),
            zygote,
            queue: VecDeque::new(),
            posted: 0,
            arena: Arena::new(ARENA_BYTES),
            generation: 1,
            limits: Limits::default(),
            watch: Watch::default(),
            killed_for: None,
            lost: 0,
            modules: None,
            panics: HashMap::new(),
        };
        slot.await_zygote(1)?;
        Ok(slot)
    }

    fn shared(&self) -> Shared {
        shared_of(&self.mapping)
    }

    /// Waits until the zygote can fork, and lets its worker number `generation` work.
    fn await_zygote(&mut self, generation: u32) -> Result<(), TargetError> {
        let begun = Instant::now();
        loop {
            let rings = self.bell.rings();
            match self.shared().header().state.load(Ordering::Acquire) {
                STATE_READY => break,
                STATE_REFUSED => {
                    return Err(TargetError::Unusable("the runtime can't serve it".into()));
                }
                _ => {}
            }
            if let Ok(Some(status)) = self.zygote.try_wait() {
                return Err(TargetError::ZygoteLost(format!(
                    "it ended with {status} while it was starting{}",
                    self.last_words()
                )));
            }
            if begun.elapsed() > START_LIMIT {
                return Err(TargetError::ZygoteLost(format!(
                    "it was not ready after {} s{}",
                    START_LIMIT.as_secs(),
                    self.last_words()
                )));
            }
            self.bell.wait(rings, Duration::from_millis(20));
        }
        self.stderr.set_len(0).ok();
        self.activate(generation);
        Ok(())
    }

    /// The last line of stderr, to go with an error.
    fn last_words(&self) -> String {
        let text = self.read_stderr();
        let text = String::from_utf8_lossy(&text);
        match text.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => format!(": {}", line.trim()),
            None => String::new(),
        }
    }

    fn read_stderr(&self) -> Vec<u8> {
        let end = self.stderr.metadata().map_or(0, |metadata| metadata.len());
        let start = end.saturating_sub(MAX_STDERR);
        let mut buffer = vec![0; (end - start) as usize];
        let mut length = 0;
        while length < buffer.len() {
            match self.stderr.read_at(&mut buffer[length..], start + length as u64) {
                Ok(count) if count > 0 => length += count,
                _ => break,
            }
        }
        buffer.truncate(length);
        buffer
    }

    /// Lets worker number `generation` work.
    fn activate(&mut self, generation: u32) {
        self.generation = generation;
        self.watch = Watch::default();
        self.killed_for = None;
        let shared = self.shared();
        let header = shared.header();
        header.worker_pid.store(0, Ordering::Relaxed);
        header.go.0.store(generation, Ordering::SeqCst);
        sys::futex_wake(&header.go.0);
    }

    /// What became of the worker at work, if it is dead or dying.
    fn death(&self) -> Option<ProcessEnd> {
        let shared = self.shared();
        let header = shared.header();
        if header.dying.load(Ordering::SeqCst) == self.generation {
            return Some(ProcessEnd::Exited(0));
        }
        if is_before(header.dead.0.load(Ordering::SeqCst), self.generation) {
            return None;
        }
        let status = header.dead_status.load(Ordering::Relaxed);
        Some(if header.dead_code.load(Ordering::Relaxed) == sys::CLD_EXITED {
            ProcessEnd::Exited(status)
        } else {
            ProcessEnd::Signalled(status)
        })
    }

    /// Deals with a dead worker: the observation of the candidate that it died of, if it died of
    /// one, and lets the spare work.
    fn bury(&mut self, end: ProcessEnd) -> Option<(Observation, u32)> {
        let shared = self.shared();
        let header = shared.header();
        let tail = header.tail.0.load(Ordering::SeqCst);
        let was_running = header.started.load(Ordering::SeqCst) != tail;
        let killed_for = self.killed_for.take();
        let mut buried = None;
        if was_running {
            let entry = shared.entry(tail);
            let runs_before = entry.runs_before.load(Ordering::Relaxed);
            let is_from_outside =
                killed_for.is_none() && end == ProcessEnd::Signalled(sys::SIGKILL);
            if is_from_outside && self.lost + 1 < MAX_LOST {
                self.lost += 1;
            } else {
                let observation = if is_from_outside {
                    Observation::Lost
                } else {
                    let end = match end {
                        ProcessEnd::Exited(RETIRED) => ProcessEnd::OutOfMemory,
                        end => killed_for.unwrap_or(end),
                    };
                    Observation::Failed(self.autopsy(end, entry))
                };
                // An abort without a word, in a worker that has run others: one of those may have
                // closed stderr. A new worker runs it again, and its word is final.
                let is_mute = runs_before > 0 && is_mute_abort(&observation, &self.stderr);
                if !is_mute {
                    self.lost = 0;
                    header.tail.0.store(tail.wrapping_add(1), Ordering::SeqCst);
                    buried = Some((observation, runs_before));
                }
            }
        }
        let tail = header.tail.0.load(Ordering::SeqCst);
        header.started.store(tail, Ordering::SeqCst);
        self.stderr.set_len(0).ok();
        self.activate(self.generation.wrapping_add(1));
        buried
    }

    fn autopsy(&mut self, end: ProcessEnd, entry: &Entry) -> Arc<Signature> {
        let shared = self.shared();
        let record = Record {
            signal: entry.signal.load(Ordering::Acquire),
            code: entry.signal_code.load(Ordering::Relaxed),
            address: entry.address.load(Ordering::Relaxed),
            stack_pointer: entry.stack_pointer.load(Ordering::Relaxed),
            stack_base: shared.header().stack_base.load(Ordering::Relaxed),
        };
        let stderr = self.read_stderr();
        let wants_frames = self.queue.front().is_some_and(|queued| queued.wants_frames);
        let (mut signature, reported) = classify(end, record, &stderr);
        let (place, message) = panic_text(entry);
        if signature.kind == Kind::Abort && !place.is_empty() {
            // A linked target's panic that could not be caught.
            signature.kind = Kind::Panic;
            signature.place = Some(place);
            signature.message = Some(normalise(&message));
        }
        if signature.kind != Kind::Panic || wants_frames {
            let pid = self.zygote.id();
            let plan = self.plan.clone();
            let modules =
                self.modules.get_or_insert_with(|| Modules::of(pid, plan.has_fixed_address));
            signature.frames = if reported.is_empty() {
                raw_frames(entry)
                    .into_iter()
                    .map(|address| modules.frame(address, &plan.functions))
                    .collect()
            } else {
                reported
                    .iter()
                    .map(|frame| {
                        modules.reported_frame(&frame.module, frame.offset, &plan.functions)
                    })
                    .collect()
            };
        }
        Arc::new(signature)
    }

    /// The signature of a caught panic, from what the hook wrote into the entry.
    fn caught_panic(&mut self, entry: &Entry) -> Arc<Signature> {
        let (place, message) = panic_text(entry);
        let addresses = raw_frames(entry);
        if addresses.is_empty()
            && let Some(known) = self.panics.get(&(place.clone(), message.clone()))
        {
            return known.clone();
        }
        let mut signature = Signature {
            kind: Kind::Panic,
            place: Some(place.clone()),
            message: Some(normalise(&message)),
            frames: Vec::new(),
        };
        if addresses.is_empty() {
            let signature = Arc::new(signature);
            if self.panics.len() < 4096 {
                self.panics.insert((place, message), signature.clone());
            }
            return signature;
        }
        let pid = self.zygote.id();
        let plan = self.plan.clone();
        let modules = self.modules.get_or_insert_with(|| Modules::of(pid, plan.has_fixed_address));
        signature.frames =
            addresses.into_iter().map(|address| modules.frame(address, &plan.functions)).collect();
        Arc::new(signature)
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

fn shared_of(mapping: &MmapRaw) -> Shared {
    // SAFETY: the mapping is MAPPING_BYTES long and page-aligned; `Shared` values are made for
    // one call each and never outlive the slot.
    unsafe { Shared::new(mapping.as_mut_ptr()) }
}

fn prepare(shared: &Shared, plan: &Plan) {
    let header = shared.header();
    header.mode.store(plan.mode, Ordering::Relaxed);
    header.test_one_input.store(plan.test_one_input, Ordering::Relaxed);
    header.initialize.store(plan.initialize, Ordering::Relaxed);
    header.recycle_after.store(RECYCLE_AFTER, Ordering::Relaxed);
    header.spin.store(if has_free_core() { 2000 } else { 0 }, Ordering::Relaxed);
    header.magic.store(MAGIC, Ordering::Release);
}

/// Whether a worker may spin for work while the driver prepares it.
fn has_free_core() -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1)
}

fn launch(
    plan: &Plan,
    shared_file: &OwnedFd,
    bell: &Bell,
    stderr: &OwnedFd,
    variation: Option<u32>,
) -> Result<Child, TargetError> {
    start(
        (plan.command)(),
        variation,
        Inheritance {
            shared: shared_file.as_fd(),
            bell: bell.file(),
            stderr,
            runtime: plan.runtime.as_ref().map(|file| file.as_fd()),
        },
    )
}

fn is_mute_abort(observation: &Observation, stderr: &File) -> bool {
    observation.signature().is_some_and(|signature| signature.kind == Kind::Abort)
        && stderr.metadata().is_ok_and(|metadata| metadata.len() == 0)
}

/// Place and message that a panic hook wrote into the entry; empty if none did.
fn panic_text(entry: &Entry) -> (String, String) {
    let length = (entry.text_length.load(Ordering::Acquire) as usize).min(MAX_TEXT);
    let mut text = [0u8; MAX_TEXT];
    // SAFETY: the source is MAX_TEXT bytes of mapped memory; the worker is past this entry, and a
    // target that scribbles over it can only change what is read.
    unsafe {
        std::ptr::copy_nonoverlapping(entry.text.get().cast::<u8>(), text.as_mut_ptr(), length);
    }
    let text = String::from_utf8_lossy(&text[..length]);
    let (place, message) = text.split_once('\n').unwrap_or((&text, ""));
    (place.to_owned(), message.to_owned())
}

fn raw_frames(entry: &Entry) -> Vec<u64> {
    let count = (entry.frame_count.load(Ordering::Acquire) as usize).min(MAX_FRAMES);
    entry.frames[..count].iter().map(|frame| frame.load(Ordering::Relaxed)).collect()
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
        if self.posted % RING == 0
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
                return Ok(Some(Report { ticket, observation, was_fresh: runs_before == 0 }));
            }
        }
    }

    fn arm(&mut self) {
        // Half of the queue: then there is room for more while the rest is run.
        let Some(middle) = self.queue.get(self.queue.len() / 2) else { return };
        let wake_at = middle.sequence.wrapping_add(1);
        self.shared().header().wake_at.0.store(wake_at, Ordering::SeqCst);
    }

    fn cancel(&mut self) -> Vec<u64> {
        let shared = self.shared();
        let header = shared.header();
        header.cancel.0.store(self.posted, Ordering::SeqCst);
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
        if let Ok(Some(status)) = self.zygote.try_wait() {
            return self.replace_zygote(&status.to_string());
        }
        let shared = self.shared();
        let header = shared.header();
        let tail = header.tail.0.load(Ordering::SeqCst);
        let is_running = header.started.load(Ordering::SeqCst) != tail;
        let pid = header.worker_pid.load(Ordering::Acquire);
        if !is_running || pid <= 0 || self.killed_for.is_some() || self.death().is_some() {
            return Ok(());
        }
        let alarm = self.watch.look(pid, tail, self.limits);
        let reason = match alarm {
            Alarm::None => return Ok(()),
            Alarm::Time => ProcessEnd::TimedOut,
            Alarm::Memory => ProcessEnd::OutOfMemory,
        };
        let generation = self.generation;
        let dead = || !is_before(header.dead.0.load(Ordering::SeqCst), generation);
        let still = || header.tail.0.load(Ordering::SeqCst) == tail;
        if super::watch::end_worker(pid, || !dead() && still()) {
            self.killed_for = Some(reason);
        }
        Ok(())
    }
}

impl ZygoteSlot {
    /// Starts a new zygote where the old one died, and lets its workers go on with the queue.
    fn replace_zygote(&mut self, status: &str) -> Result<(), TargetError> {
        self.lost += 1;
        if self.lost > MAX_LOST {
            return Err(TargetError::ZygoteLost(format!(
                "it ended with {status}, again and again"
            )));
        }
        let shared = self.shared();
        let header = shared.header();
        // The worker died with its zygote, or is about to: what it was running runs again.
        header.state.store(0, Ordering::SeqCst);
        let tail = header.tail.0.load(Ordering::SeqCst);
        header.started.store(tail, Ordering::SeqCst);
        let dead = header.dead.0.load(Ordering::SeqCst).max(self.generation);
        header.dead.0.store(dead, Ordering::SeqCst);
        header.go.0.store(dead, Ordering::SeqCst);
        self.modules = None;
        let stderr = self
            .stderr
            .try_clone()
            .map_err(|error| TargetError::system("duplicate a descriptor", error))?
            .into();
        self.zygote = launch(&self.plan, &self.shared_file, &self.bell, &stderr, self.variation)?;
        self.await_zygote(dead.wrapping_add(1))
    }
}

impl Drop for ZygoteSlot {
    fn drop(&mut self) {
        // The zygote is our child and not reaped, so its number is still its own. Its workers
        // have asked for the same signal when it dies.
        if let Ok(None) = self.zygote.try_wait() {
            self.zygote.kill().ok();
            self.zygote.wait().ok();
        }
    }
}
