//! The state of a slot with a zygote, and how it starts.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use memmap2::{MmapOptions, MmapRaw};
use nix::sys::resource::{Resource, getrlimit};

use super::plan::{LaunchPlan, launch, prepare};
use crate::exec::executable::modules::Modules;
use crate::exec::os::memory::anonymous_file;
use crate::exec::os::sys;
use crate::exec::os::watch::Watch;
use crate::exec::slot::arena::Arena;
use crate::exec::workers::protocol::{ARENA_BYTES, MAPPING_BYTES, Order, RING, Shared, is_before};
use crate::exec::workers::seal;
use crate::exec::workers::seal::Stage;
use crate::exec::{Limits, Notifier, TargetError};
use crate::observation::Observation;
use crate::signature::Signature;

/// Deaths from outside that one candidate may meet before it is given up. A guess; not
/// measured.
pub(super) const MAX_LOST: u32 = 3;
/// Zygotes that a slot starts in the place of others before the target counts as one that cannot be
/// run: each costs milliseconds, and a target that ends all its zygotes is known as one by then.
pub(super) const MAX_REPLACED: u32 = 100;

/// A candidate that was pushed and whose report was not taken yet.
pub(super) struct Queued {
    /// Its number, modulo 2^32.
    pub sequence: u32,
    /// `None` once it is cancelled.
    pub ticket: Option<u64>,
    /// The number with which the worker's words for it are sealed.
    pub nonce: u32,
    /// Where its bytes begin in the arena.
    pub offset: usize,
    /// Its length in bytes.
    pub length: usize,
    /// Bytes after the candidate for the target's answer.
    pub room: usize,
    /// `FLAG_*` bits.
    pub flags: u32,
    /// The digest of the features that are expected; 0 if none are.
    pub expected: u64,
}

impl Queued {
    /// Writes it down for the worker.
    pub(super) fn post(&self, order: &Order) {
        order.offset.store(self.offset as u32, Ordering::Relaxed);
        order.length.store(self.length as u32, Ordering::Relaxed);
        order.room.store(self.room as u32, Ordering::Relaxed);
        order.flags.store(self.flags, Ordering::Relaxed);
        order.expected.store(self.expected, Ordering::Relaxed);
        order.nonce.store(self.nonce, Ordering::Release);
    }
}

/// Since when a slot has been waiting, and the steps that it has taken (see `deadlines`).
#[derive(Default)]
pub(super) struct Waiting {
    /// The oldest candidate without a result, and since when it is.
    pub oldest: Option<(u32, Instant)>,
    /// When the zygote's state was last read, to see whether it was stopped.
    pub looked: Option<Instant>,
    /// Steps taken since the worker was ended.
    pub steps: u32,
}

/// Why the driver has ended a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KillReason {
    /// Its candidate had used up its time.
    TimedOut,
    /// Its candidate had used up its memory.
    OutOfMemory,
    /// No one waits for its answer any more.
    Unwanted,
}

/// A slot whose worker is forked by a zygote.
pub(super) struct ZygoteSlot {
    /// How its zygote is started.
    pub plan: Rc<LaunchPlan>,
    /// How its environment differs from that of other slots, for a slot that confirms.
    pub variation: Option<u32>,
    /// The worker calls it when reports are ready.
    pub notifier: Notifier,
    /// The mapping that is shared with the zygote and its workers.
    pub mapping: MmapRaw,
    /// Its number among the slots of the notifier's driver.
    pub number: usize,
    /// The file behind the mapping, for a zygote that replaces this one.
    pub shared_file: OwnedFd,
    /// A file in memory that the target's stderr goes to.
    pub stderr: File,
    /// The zygote. It is reaped only when the slot is dropped or the zygote replaced, so its number
    /// stays its own.
    pub zygote: Child,
    /// Whether this zygote was seen to be ready. The word in shared memory is not read again: a target
    /// may have written over it.
    pub is_ready: bool,
    /// When the zygote was started.
    pub started: Instant,
    /// Candidates that were pushed and not taken, the oldest first.
    pub queue: VecDeque<Queued>,
    /// The number of the next candidate.
    pub posted: u32,
    /// Where the numbers come from that a worker seals its words with.
    pub nonces: Nonces,
    /// Where in the mapping candidates lie.
    pub arena: Arena,
    /// The number of the worker that may work.
    pub generation: u32,
    /// The limits of a candidate.
    pub limits: Limits,
    /// Since when the worker is at its candidate.
    pub watch: Watch,
    /// Why the worker was ended, from then until its death is dealt with.
    pub killed_for: Option<KillReason>,
    /// When the worker was last ended; of use only while `killed_for` says why.
    pub killed_at: Instant,
    /// Candidates with a lower number are no longer waited for.
    pub cancelled: u32,
    /// How often the oldest candidate was lost to a death that was not its own.
    pub lost: u32,
    /// How often this slot's zygote was replaced.
    pub replaced: u32,
    /// For how long the oldest candidate has had no result.
    pub waiting: Waiting,
    /// A candidate that is answered by the driver's own word.
    pub given_up: Option<(u32, Observation)>,
    /// The zygote's memory map, read at the first death.
    pub modules: Option<Modules>,
    /// Signatures by place and message, so that a panic seen before is the same allocation.
    pub panics: HashMap<(String, String), Arc<Signature>>,
}

impl ZygoteSlot {
    /// Starts the zygote. [`Slot::tend`] reports errors of its start.
    ///
    /// `variation` is that of [`Target::open_varied`](super::Target::open_varied).
    pub(super) fn start(
        plan: Rc<LaunchPlan>,
        notifier: &Notifier,
        variation: Option<u32>,
    ) -> Result<Self, TargetError> {
        has_room_for(MAPPING_BYTES as u64)?;
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
        let zygote = launch(&plan, &shared_file, notifier, &stderr, variation)?;
        let arena = Arena::new(ARENA_BYTES, RING as usize * plan.room.unwrap_or(0));
        let mut slot = ZygoteSlot {
            plan,
            variation,
            notifier: notifier.clone(),
            number: notifier.number_slot(),
            mapping,
            shared_file,
            stderr: File::from(stderr),
            zygote,
            is_ready: false,
            started: Instant::now(),
            queue: VecDeque::new(),
            posted: 0,
            nonces: Nonces::new(),
            arena,
            generation: 1,
            limits: Limits::default(),
            watch: Watch::default(),
            killed_for: None,
            killed_at: Instant::now(),
            cancelled: 0,
            lost: 0,
            replaced: 0,
            waiting: Waiting::default(),
            given_up: None,
            modules: None,
            panics: HashMap::new(),
        };
        slot.activate(1);
        Ok(slot)
    }

    /// The processor for this slot's workers, if others work beside them: one for each slot, as far as there are so many.
    ///
    /// A system places a process that wakes on the processor of the one that woke it or on its last one, and looks for an idle one
    /// only later. Where the driver wakes two workers in turn, both were on one processor for a fifth of the time.
    fn processor(&self) -> Option<u32> {
        static ALLOWED: OnceLock<Vec<u32>> = OnceLock::new();
        if self.notifier.slots() < 2 {
            return None;
        }
        let allowed = ALLOWED.get_or_init(|| {
            let allowed = sys::allowed_processors();
            (0..64 * allowed.len() as u32)
                .filter(|number| allowed[*number as usize / 64] >> (number % 64) & 1 != 0)
                .collect()
        });
        allowed.get(self.number % allowed.len().max(1)).copied()
    }

    pub(super) fn shared(&self) -> Shared {
        shared_of(&self.mapping)
    }

    /// Lets worker number `generation` work, from the oldest candidate on that is not done.
    ///
    /// All that the driver has to say is said again: a target may have made these pages writable.
    pub(super) fn activate(&mut self, generation: u32) {
        self.generation = generation;
        self.watch = Watch::default();
        self.waiting = Waiting::default();
        self.killed_for = None;
        let begin = self.oldest_unfinished().map_or(self.posted, |oldest| oldest.sequence);
        self.order_again(begin);
        let shared = self.shared();
        shared.worker().pid.store(0, Ordering::Relaxed);
        let driver = shared.driver();
        driver.head.0.store(self.posted, Ordering::SeqCst);
        driver.cancel.0.store(self.cancelled, Ordering::SeqCst);
        driver.begin.store(begin, Ordering::SeqCst);
        driver.processor.store(self.processor().map_or(0, |number| number + 1), Ordering::Relaxed);
        driver.go.0.store(generation, Ordering::SeqCst);
        sys::futex_wake(&driver.go.0);
    }

    /// Draws new numbers for the candidates that are not done, so that the words of an earlier worker,
    /// or of processes that it left over, do not count.
    fn order_again(&mut self, begin: u32) {
        let shared = shared_of(&self.mapping);
        for queued in self.queue.iter_mut().rev() {
            if is_before(queued.sequence, begin) {
                break;
            }
            queued.nonce = self.nonces.draw();
            queued.post(shared.order(queued.sequence));
        }
    }

    /// How far the worker is with a candidate, and how many others it had run before; `None` if it
    /// has not begun.
    pub(super) fn stage(&self, queued: &Queued) -> Option<(Stage, u32)> {
        let word = self.shared().entry(queued.sequence).stage.load(Ordering::Acquire);
        seal::open(queued.nonce, word)
    }

    /// Whether the worker is past a candidate.
    pub(super) fn is_done(&self, queued: &Queued) -> bool {
        self.stage(queued).is_some_and(|(stage, _)| stage.is_done())
    }

    /// Passes over a candidate in a worker's stead.
    pub(super) fn finish(&self, queued: &Queued, stage: Stage) {
        let word = seal::seal(queued.nonce, stage, 0);
        self.shared().entry(queued.sequence).stage.store(word, Ordering::SeqCst);
    }

    /// Forgets the outcome of the oldest candidate: it is run again.
    pub(super) fn run_again(&mut self) {
        let shared = shared_of(&self.mapping);
        if let Some(front) = self.queue.front_mut() {
            front.nonce = self.nonces.draw();
            front.post(shared.order(front.sequence));
        }
    }

    /// The candidate that the worker is at.
    pub(super) fn oldest_unfinished(&self) -> Option<&Queued> {
        self.queue.iter().find(|queued| !self.is_done(queued))
    }
}

/// Numbers that no target can guess without looking.
pub(super) struct Nonces {
    key: u64,
    drawn: u64,
}

impl Nonces {
    fn new() -> Self {
        let key = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
        Nonces { key, drawn: 0 }
    }

    /// A new one.
    pub(super) fn draw(&mut self) -> u32 {
        self.drawn = self.drawn.wrapping_add(1);
        let mixed = (self.drawn ^ self.key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as u32
    }
}

/// The address space that this program keeps for itself: with less than this, no further slot is
/// mapped, because a failed allocation ends the program.
const MIN_FREE_ADDRESS_SPACE_BYTES: u64 = 768 << 20;

/// Refuses a mapping that would leave too little of a limited address space.
///
/// Asked for because an allocation that fails ends this program, and the error of `mmap` comes too
/// late for that.
fn has_room_for(bytes: u64) -> Result<(), TargetError> {
    let Ok((most, _)) = getrlimit(Resource::RLIMIT_AS) else { return Ok(()) };
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split(' ').next().and_then(|pages| pages.parse().ok()).unwrap_or(0);
    // SAFETY: a plain question to the C library.
    let mapped = pages * unsafe { sys::getauxval(sys::AT_PAGESZ) };
    let wanted = mapped.saturating_add(bytes).saturating_add(MIN_FREE_ADDRESS_SPACE_BYTES);
    if most >= wanted {
        return Ok(());
    }
    Err(TargetError::AddressSpaceLimit { limit_bytes: most, needed_bytes: wanted })
}

/// The mapping as the protocol sees it.
fn shared_of(mapping: &MmapRaw) -> Shared {
    // SAFETY: the mapping is MAPPING_BYTES long and page-aligned; `Shared` values are made for
    // one call each and never outlive the slot.
    unsafe { Shared::new(mapping.as_mut_ptr()) }
}
