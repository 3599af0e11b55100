//! What a driver, a zygote and its workers say to each other through shared memory.
//!
//! One mapping a slot: a [`Header`], a ring of [`Entry`]s and an arena of candidate bytes. The
//! driver posts entries by moving `head`; the worker runs them in order and moves `tail`. Words
//! that different processes write lie on different cache lines. Everything is reached through
//! atomics or raw pointers: a target can scribble over all of it, so nothing read here is trusted
//! to be in range.
//!
//! Compiled twice, see [`super::sys`].

use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use super::sys;

/// Tells a mapping of ours from anything else; ends with the version of this file.
pub const MAGIC: u32 = 0x5eed_0003;

/// Entries in the ring; a power of two.
pub const RING: u32 = 256;
/// Raw return addresses kept of a failure.
pub const MAX_FRAMES: usize = 64;
/// Bytes of a panic's place and message kept of a caught panic.
pub const MAX_TEXT: usize = 464;

/// Ranges of coverage counters that are watched at most.
pub const MAX_WATCHED: usize = 64;

/// Not run yet.
pub const RESULT_NONE: u32 = 0;
/// The target kept the candidate.
pub const RESULT_KEEP: u32 = 1;
/// The target rejected the candidate.
pub const RESULT_REJECT: u32 = 2;
/// The target panicked; `text` holds place, a line feed, and the message.
pub const RESULT_PANIC: u32 = 3;
/// Cancelled before it ran.
pub const RESULT_SKIPPED: u32 = 4;

/// Run in a worker that has run nothing else.
pub const FLAG_FRESH: u32 = 1;
/// Record the stack of a caught panic.
pub const FLAG_FRAMES: u32 = 2;

/// Exit status of a worker that ends because it is old, or because a fresh one is wanted.
pub const RETIRED: i32 = 119;

/// The zygote forks workers. Before, the word is 0.
pub const STATE_READY: u32 = 1;
/// The zygote found that it can't serve.
pub const STATE_REFUSED: u32 = 2;
/// Nothing below the zygote lives any more: it takes leave of the dead and ends.
pub const STATE_CLOSING: u32 = 3;

/// Signals of memory faults are left to the sanitizer's own handlers.
pub const MODE_SANITIZER: u32 = 1;

/// Exit status of a worker whose candidate leaked: that of every sanitizer's report.
pub const REPORTED: i32 = 86;

/// What a worker calls to find leaks, in the order of [`Header::leak_functions`].
pub const LEAK_FUNCTIONS: [&str; 4] = [
    "__lsan_do_recoverable_leak_check",
    "__lsan_enable",
    "__lsan_disable",
    "__sanitizer_install_malloc_and_free_hooks",
];

/// A value on cache lines of its own (two, since processors fetch them in pairs).
#[repr(C, align(128))]
pub struct Padded<T>(pub T);

/// What every process of a slot sees first.
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: AtomicU32,
    /// `MODE_*` bits, set by the driver before the zygote starts.
    pub mode: AtomicU32,
    /// Link-time address of `LLVMFuzzerTestOneInput` in an injected executable.
    pub test_one_input: AtomicU64,
    /// Link-time address of `LLVMFuzzerInitialize`, or 0.
    pub initialize: AtomicU64,
    /// Ranges of counters that are watched: if there are any, a candidate is kept if and only if it
    /// moves one of them.
    pub watched_count: AtomicU32,
    /// Link-time start and end of each.
    pub watched: [[AtomicU64; 2]; MAX_WATCHED],
    /// Link-time addresses of what finds leaks, see [`LEAK_FUNCTIONS`]; 0 where nobody looks.
    pub leak_functions: [AtomicU64; LEAK_FUNCTIONS.len()],
    /// Candidates that a worker runs before it retires.
    pub recycle_after: AtomicU32,
    /// How many times a worker looks for work before it sleeps.
    pub spin: AtomicU32,
    /// Bytes of data that a worker may map; 0 is no limit. Not for sanitizers, which map terabytes.
    pub memory_bytes: AtomicU64,
    /// `STATE_*`, set by the zygote.
    pub state: AtomicU32,
    /// Threads of the zygote when it was ready.
    pub threads: AtomicU32,

    /// Entries posted by the driver. The worker sleeps on it.
    pub head: Padded<AtomicU32>,
    /// Entries before this one are skipped.
    pub cancel: Padded<AtomicU32>,
    /// The bell rings when `tail` gets here.
    pub wake_at: Padded<AtomicU32>,
    /// Which worker may work; workers count from 1. The spare sleeps on it.
    pub go: Padded<AtomicU32>,

    /// Entries done.
    pub tail: Padded<AtomicU32>,
    /// Entries begun: `tail + 1` while a candidate is being run.
    pub started: AtomicU32,
    /// 1 while the worker sleeps on `head`.
    pub worker_sleeps: AtomicU32,
    /// Candidates that this worker has run.
    pub runs: AtomicU32,
    /// Process id of the worker that works.
    pub worker_pid: AtomicI32,
    /// Where the worker's stack was when it began.
    pub stack_base: AtomicU64,
    /// The worker whose signal handler has recorded everything and is about to end.
    pub dying: AtomicU32,

    /// Workers that the zygote has seen die.
    pub dead: Padded<AtomicU32>,
    /// How: `CLD_EXITED` or a signal.
    pub dead_code: AtomicI32,
    /// Exit status or signal.
    pub dead_status: AtomicI32,
}

/// One candidate, and what came of it.
#[repr(C)]
pub struct Entry {
    /// Where the candidate lies in the arena.
    pub offset: AtomicU32,
    /// How long it is.
    pub length: AtomicU32,
    /// `FLAG_*` bits.
    pub flags: AtomicU32,
    /// `RESULT_*`.
    pub result: AtomicU32,
    /// Candidates that the worker had run before this one.
    pub runs_before: AtomicU32,
    /// Signal that the worker's handler caught.
    pub signal: AtomicI32,
    /// `si_code` of that signal.
    pub signal_code: AtomicI32,
    /// Number of valid `frames`.
    pub frame_count: AtomicU32,
    /// Bytes that the worker has left over those of the candidate.
    pub said_length: AtomicU32,
    /// `si_addr` of that signal.
    pub address: AtomicU64,
    /// Stack pointer when the signal came.
    pub stack_pointer: AtomicU64,
    /// Raw return addresses, innermost first.
    pub frames: [AtomicU64; MAX_FRAMES],
    /// Valid bytes of `text`.
    pub text_length: AtomicU32,
    /// A caught panic's place, a line feed, and its message.
    pub text: std::cell::UnsafeCell<[u8; MAX_TEXT]>,
}

/// Offset of the ring in the mapping.
pub const RING_OFFSET: usize = 4096;
/// Offset of the arena in the mapping.
pub const ARENA_OFFSET: usize =
    (RING_OFFSET + RING as usize * std::mem::size_of::<Entry>()).next_multiple_of(4096);
/// Bytes of the arena: address space only, memory is taken when it is touched.
pub const ARENA_BYTES: usize = 1 << 30;
/// Bytes of the whole mapping.
pub const MAPPING_BYTES: usize = ARENA_OFFSET + ARENA_BYTES;

const _: () = assert!(std::mem::size_of::<Header>() <= RING_OFFSET);

/// A slot's mapping, as any of its processes sees it.
#[derive(Clone, Copy)]
pub struct Shared {
    base: *mut u8,
}

// SAFETY: everything behind the pointer is reached through atomics, or through raw pointers under
// the protocol that this file describes.
unsafe impl Send for Shared {}

impl Shared {
    /// Takes a mapping of [`MAPPING_BYTES`].
    ///
    /// # Safety
    /// `base` is page-aligned, mapped readable and writable, and stays so as long as any copy of
    /// the result is used.
    pub unsafe fn new(base: *mut u8) -> Self {
        Shared { base }
    }

    /// The header.
    pub fn header(&self) -> &Header {
        // SAFETY: the mapping begins with a header (all-zero bytes are a valid one), by `new`.
        unsafe { &*self.base.cast::<Header>() }
    }

    /// The entry with that number.
    pub fn entry(&self, sequence: u32) -> &Entry {
        let index = (sequence % RING) as usize;
        // SAFETY: the index is within the ring, which lies within the mapping, by `new`.
        unsafe {
            &*self.base.add(RING_OFFSET + index * std::mem::size_of::<Entry>()).cast::<Entry>()
        }
    }

    /// The candidate that an entry names; empty where the entry is out of range.
    pub fn candidate(&self, entry: &Entry) -> (*mut u8, usize) {
        let offset = entry.offset.load(Ordering::Relaxed) as usize;
        let length = entry.length.load(Ordering::Relaxed) as usize;
        let fits = offset.checked_add(length).is_some_and(|end| end <= ARENA_BYTES);
        let (offset, length) = if fits { (offset, length) } else { (0, 0) };
        // SAFETY: the offset is within the arena, which lies within the mapping, by `new`.
        (unsafe { self.base.add(ARENA_OFFSET + offset) }, length)
    }
}

/// The bell's page: how often it rang, and whether anybody sleeps on it.
#[repr(C)]
pub struct BellPage {
    /// Rings, modulo 2^32.
    pub rings: AtomicU32,
    /// 1 while the driver sleeps.
    pub sleeps: AtomicU32,
}

impl BellPage {
    /// Rings: wakes the driver if it sleeps. Costs a few nanoseconds otherwise.
    pub fn ring(&self) {
        self.rings.fetch_add(1, Ordering::SeqCst);
        if self.sleeps.load(Ordering::SeqCst) != 0 {
            sys::futex_wake(&self.rings);
        }
    }

    /// Sleeps until it has rung more often than `seen`, at most for `limit`.
    pub fn wait(&self, seen: u32, limit: Duration) {
        self.sleeps.store(1, Ordering::SeqCst);
        sys::futex_wait(&self.rings, seen, Some(limit));
        self.sleeps.store(0, Ordering::SeqCst);
    }
}

/// Whether entry `left` was posted before entry `right`, modulo 2^32.
pub fn is_before(left: u32, right: u32) -> bool {
    (left.wrapping_sub(right) as i32) < 0
}
