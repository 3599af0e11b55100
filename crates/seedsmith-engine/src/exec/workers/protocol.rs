//! The messages between a driver, a zygote and its workers in shared memory.
//!
//! One mapping a slot: a page for each kind of process ([`DriverPage`], [`ZygotePage`], [`WorkerPage`]), an
//! [`Order`] and an [`Entry`] for each candidate under way, and an arena of candidate bytes. The
//! driver posts orders by moving `head`; the worker runs them in order and seals the outcome of
//! each ([`super::seal`]). The driver's page is mapped read-only into the other processes, and the
//! zygote's page read-only into the workers: a stray write of a target ends its worker there.
//! Everything else a target can scribble over, so nothing read here is trusted to be in range, and
//! the driver decides nothing by a counter of a worker.
//!
//! Compiled twice, see [`super::sys`].

use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use super::sys;

/// Tells a mapping of ours from anything else; ends with the version of this file.
pub(crate) const MAGIC: u32 = 0x5eed_0009;

/// Entries in the ring; a power of two. As many as a slot's queue is deep at most, twice over, so that
/// cancelled ones find room; a guess, not measured.
pub(crate) const RING: u32 = 256;
/// Raw return addresses kept of a failure: far more than the frames that are compared by
/// default, and enough to show the recurring functions in most recursions. A guess; not measured.
pub(crate) const MAX_FRAMES: usize = 64;
/// Bytes of a panic's place and message kept of a caught panic: an entry is 1024 bytes
/// with them.
pub(crate) const MAX_TEXT: usize = 464;

/// Ranges of coverage counters that are watched at most: copies of a function that was inlined. A guess;
/// not measured.
pub(crate) const MAX_WATCHED: usize = 64;

/// Run in a worker that has run nothing else.
pub(crate) const FLAG_FRESH: u32 = 1;
/// Record the stack of a caught panic.
pub(crate) const FLAG_FRAMES: u32 = 2;
/// Run once, also where the run has features that are new in this process.
pub(crate) const FLAG_ONCE: u32 = 4;
/// Where features are read: chance depends on the candidate, and is another one in the run that the last one is compared with.
pub(crate) const FLAG_VARIED: u32 = 8;

/// Exit status of a worker that ends because it is old, or because a fresh one is wanted.
pub(crate) const RETIRED: i32 = 119;

/// The zygote forks workers. Before, the word is 0.
pub(crate) const STATE_READY: u32 = 1;
/// The zygote found that it can't serve.
pub(crate) const STATE_REFUSED: u32 = 2;
/// The zygote could not fork a worker, again and again; [`ZygotePage::trouble`] is the system's word.
pub(crate) const STATE_NO_FORK: u32 = 3;

/// Signals of memory faults are left to the sanitizer's own handlers.
pub(crate) const MODE_SANITIZER: u32 = 1;

/// Exit status of a worker whose candidate leaked: that of every sanitizer's report.
pub(crate) const REPORTED: i32 = 86;

/// The functions that a worker calls to find leaks, in the order of [`Header::leak_functions`].
pub(crate) const LEAK_FUNCTIONS: [&str; 4] = [
    "__lsan_do_recoverable_leak_check",
    "__lsan_enable",
    "__lsan_disable",
    "__sanitizer_install_malloc_and_free_hooks",
];

/// The instrumentation's callbacks of compares.
pub(crate) const COMPARE_CALLBACKS: [&str; 8] = [
    "__sanitizer_cov_trace_cmp1",
    "__sanitizer_cov_trace_cmp2",
    "__sanitizer_cov_trace_cmp4",
    "__sanitizer_cov_trace_cmp8",
    "__sanitizer_cov_trace_const_cmp1",
    "__sanitizer_cov_trace_const_cmp2",
    "__sanitizer_cov_trace_const_cmp4",
    "__sanitizer_cov_trace_const_cmp8",
];

/// Its other callbacks that only fill tables.
pub(crate) const OTHER_CALLBACKS: [&str; 5] = [
    "__sanitizer_cov_trace_switch",
    "__sanitizer_cov_trace_div4",
    "__sanitizer_cov_trace_div8",
    "__sanitizer_cov_trace_gep",
    "__sanitizer_cov_trace_pc_indir",
];

/// Callbacks that may be overwritten: those of compares, and the others.
pub(crate) const CALLBACKS: usize = COMPARE_CALLBACKS.len() + OTHER_CALLBACKS.len();

/// What counts as a feature, in [`DriverPage::feature_kind`].
pub(crate) const FEATURES_EDGES: u32 = 0;
pub(crate) const FEATURES_COUNTS: u32 = 1;
pub(crate) const FEATURES_COMPARES: u32 = 2;

/// A value that shares its cache lines with no other (two, since processors fetch them in pairs).
#[repr(C, align(128))]
pub(crate) struct Padded<T>(pub T);

/// The page that the driver writes.
#[repr(C)]
pub(crate) struct DriverPage {
    /// [`MAGIC`].
    pub magic: AtomicU32,
    /// `MODE_*` bits, set before the zygote starts.
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
    /// Link-time start and end of the counters that a run's features are read from; 0 where no one
    /// asks for them.
    pub counters: [AtomicU64; 2],
    /// What counts as a feature: `FEATURES_*`.
    pub feature_kind: AtomicU32,
    /// Link-time addresses of [`COMPARE_CALLBACKS`] and [`OTHER_CALLBACKS`], where counters are read; 0 for those
    /// that stay as they are.
    pub callbacks: [AtomicU64; CALLBACKS],
    /// Offset in the executable's thread-local data, and length, of what Rust's `HashMap` keeps its seed in.
    pub hash_keys: [AtomicU64; 2],
    /// Offset in the executable's thread-local data, and length, of the lowest place of the stack that
    /// instrumented functions note; a length of 0 where they do not.
    pub lowest_stack: [AtomicU64; 2],
    /// Link-time start and end of the code that calls the callbacks.
    pub code: [AtomicU64; 2],
    /// Link-time addresses of the functions that find leaks, see [`LEAK_FUNCTIONS`]; 0 if leaks are
    /// not looked for.
    pub leak_functions: [AtomicU64; LEAK_FUNCTIONS.len()],
    /// Candidates that a worker runs before it retires.
    pub recycle_after: AtomicU32,
    /// How many times a worker looks for work before it sleeps.
    pub spin: AtomicU32,
    /// Bytes of data that a worker may map; 0 is no limit. Not for sanitizers, which map terabytes.
    pub memory_bytes: AtomicU64,
    /// 1 when nothing below the zygote lives any more: it takes leave of the dead and ends.
    pub closing: AtomicU32,
    /// The first candidate of the worker that may work.
    pub begin: AtomicU32,
    /// The worker before the first one that the zygote forks.
    pub last_dead: AtomicU32,
    /// The processor that a worker moves to before its first candidate, plus 1; 0 for none.
    pub processor: AtomicU32,

    /// Orders posted. The worker sleeps on it.
    pub head: Padded<AtomicU32>,
    /// Orders before this one are skipped.
    pub cancel: Padded<AtomicU32>,
    /// The driver is notified when this many candidates are done.
    pub wake_at: Padded<AtomicU32>,
    /// Which worker may work; workers count from 1. The spare sleeps on it.
    pub go: Padded<AtomicU32>,
}

/// The page that the zygote writes.
#[repr(C)]
pub(crate) struct ZygotePage {
    /// `STATE_*`.
    pub state: AtomicU32,
    /// The system's error if no worker could be forked.
    pub trouble: AtomicI32,
    /// Threads of the zygote when it was ready.
    pub threads: AtomicU32,
    /// Workers that the zygote has seen die.
    pub dead: Padded<AtomicU32>,
    /// How: `CLD_EXITED` or a signal.
    pub dead_code: AtomicI32,
    /// Exit status or signal.
    pub dead_status: AtomicI32,
}

/// The page that the workers write, besides entries. Only speed depends on it, and which process is
/// checked for time and memory.
#[repr(C)]
pub(crate) struct WorkerPage {
    /// Candidates done.
    pub tail: Padded<AtomicU32>,
    /// 1 while the worker sleeps on `head`.
    pub sleeps: AtomicU32,
    /// Process id of the worker that works.
    pub pid: AtomicI32,
    /// Where the worker's stack was when it began.
    pub stack_base: AtomicU64,
}

/// One candidate, as the driver posts it.
#[repr(C)]
pub(crate) struct Order {
    /// Where the candidate is in the arena.
    pub offset: AtomicU32,
    /// How long it is.
    pub length: AtomicU32,
    /// Bytes after the candidate that the target may leave an answer in.
    pub room: AtomicU32,
    /// `FLAG_*` bits.
    pub flags: AtomicU32,
    /// The number that the worker's words for this candidate are sealed with.
    pub nonce: AtomicU32,
    /// The digest of the features that are expected; 0 if none are.
    pub expected: AtomicU64,
}

/// The outcome of one candidate. Only `stage` is sealed.
#[repr(C)]
pub(crate) struct Entry {
    /// How far the worker is, see [`super::seal`].
    pub stage: AtomicU64,
    /// Signal that the worker's handler caught.
    pub signal: AtomicI32,
    /// `si_code` of that signal.
    pub signal_code: AtomicI32,
    /// Number of valid `frames`.
    pub frame_count: AtomicU32,
    /// Bytes that the worker has left in the room after the candidate.
    pub answer_length: AtomicU32,
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

/// Protected ranges are multiples of this: the largest page of the systems that we run on.
pub(crate) const PAGE_BYTES: usize = 64 << 10;
/// Offset of the orders in the mapping, after [`DriverPage`] and with the same protection.
const ORDERS_OFFSET: usize = 4096;
/// Offset of [`ZygotePage`].
pub(crate) const ZYGOTE_PAGE_OFFSET: usize = PAGE_BYTES;
/// Offset of [`WorkerPage`].
const WORKER_PAGE_OFFSET: usize = 2 * PAGE_BYTES;
/// Offset of the entries in the mapping.
const ENTRIES_OFFSET: usize = WORKER_PAGE_OFFSET + 4096;
/// Offset of the arena in the mapping.
pub(crate) const ARENA_OFFSET: usize =
    (ENTRIES_OFFSET + RING as usize * std::mem::size_of::<Entry>()).next_multiple_of(PAGE_BYTES);
/// Bytes of the arena: address space only, memory is taken when it is touched.
pub(crate) const ARENA_BYTES: usize = 1 << 30;
/// Bytes of the whole mapping.
pub(crate) const MAPPING_BYTES: usize = ARENA_OFFSET + ARENA_BYTES;

const _: () = assert!(std::mem::size_of::<DriverPage>() <= ORDERS_OFFSET);
const _: () =
    assert!(ORDERS_OFFSET + RING as usize * std::mem::size_of::<Order>() <= ZYGOTE_PAGE_OFFSET);
const _: () = assert!(WORKER_PAGE_OFFSET + std::mem::size_of::<WorkerPage>() <= ENTRIES_OFFSET);

/// A slot's mapping, as any of its processes sees it.
#[derive(Clone, Copy)]
pub(crate) struct Shared {
    base: *mut u8,
}

// SAFETY: everything behind the pointer is reached through atomics, or through raw pointers under
// the protocol that this file describes.
unsafe impl Send for Shared {}

impl Shared {
    /// Takes a mapping of [`MAPPING_BYTES`].
    ///
    /// # Safety
    /// `base` is aligned to pages, mapped readable, and writable for the pages that the process may
    /// write; it stays so as long as any copy of the result is used.
    pub(crate) unsafe fn new(base: *mut u8) -> Self {
        Shared { base }
    }

    /// The page that the driver writes.
    pub(crate) fn driver(&self) -> &DriverPage {
        // SAFETY: the mapping begins with it (all-zero bytes are a valid one), by `new`.
        unsafe { &*self.base.cast::<DriverPage>() }
    }

    /// The page that the zygote writes.
    pub(crate) fn zygote_page(&self) -> &ZygotePage {
        // SAFETY: it is within the mapping at an aligned offset, by `new`.
        unsafe { &*self.base.add(ZYGOTE_PAGE_OFFSET).cast::<ZygotePage>() }
    }

    /// The page that the workers write.
    pub(crate) fn worker(&self) -> &WorkerPage {
        // SAFETY: it is within the mapping at an aligned offset, by `new`.
        unsafe { &*self.base.add(WORKER_PAGE_OFFSET).cast::<WorkerPage>() }
    }

    /// The order with that number.
    pub(crate) fn order(&self, sequence: u32) -> &Order {
        let index = (sequence % RING) as usize;
        // SAFETY: the index is within the ring, which is within the mapping, by `new`.
        unsafe { &*self.base.add(ORDERS_OFFSET).cast::<Order>().add(index) }
    }

    /// The entry with that number.
    pub(crate) fn entry(&self, sequence: u32) -> &Entry {
        let index = (sequence % RING) as usize;
        // SAFETY: the index is within the ring, which is within the mapping, by `new`.
        unsafe { &*self.base.add(ENTRIES_OFFSET).cast::<Entry>().add(index) }
    }

    /// The candidate that an order names; empty where the order is out of range.
    pub(crate) fn candidate(&self, order: &Order) -> (*mut u8, usize) {
        let offset = order.offset.load(Ordering::Relaxed) as usize;
        self.stretch(offset, order.length.load(Ordering::Relaxed) as usize)
    }

    /// The room after the candidate that an order names; empty where the order is out of range.
    pub(crate) fn room(&self, order: &Order) -> (*mut u8, usize) {
        let offset = order.offset.load(Ordering::Relaxed) as usize;
        let length = order.length.load(Ordering::Relaxed) as usize;
        self.stretch(offset.saturating_add(length), order.room.load(Ordering::Relaxed) as usize)
    }

    /// `length` bytes of the arena, empty where they are not all in it.
    fn stretch(&self, offset: usize, length: usize) -> (*mut u8, usize) {
        let fits = offset.checked_add(length).is_some_and(|end| end <= ARENA_BYTES);
        let (offset, length) = if fits { (offset, length) } else { (0, 0) };
        // SAFETY: the offset is within the arena, which is within the mapping, by `new`.
        (unsafe { self.base.add(ARENA_OFFSET + offset) }, length)
    }
}

/// The notifier's page: how many notifications there were, and whether the driver sleeps on it.
#[repr(C)]
pub(crate) struct NotifierPage {
    /// Notifications, modulo 2^32.
    pub count: AtomicU32,
    /// 1 while the driver sleeps.
    pub sleeps: AtomicU32,
}

impl NotifierPage {
    /// Counts a notification and wakes the driver if it sleeps. Costs a few nanoseconds otherwise.
    pub(crate) fn notify(&self) {
        self.count.fetch_add(1, Ordering::SeqCst);
        if self.sleeps.load(Ordering::SeqCst) != 0 {
            sys::futex_wake(&self.count);
        }
    }

    /// Sleeps until there have been more notifications than `seen`, at most for `limit`.
    pub(crate) fn wait(&self, seen: u32, limit: Duration) {
        self.sleeps.store(1, Ordering::SeqCst);
        sys::futex_wait(&self.count, seen, Some(limit));
        self.sleeps.store(0, Ordering::SeqCst);
    }
}

/// Whether entry `left` was posted before entry `right`, modulo 2^32.
pub(crate) fn is_before(left: u32, right: u32) -> bool {
    (left.wrapping_sub(right) as i32) < 0
}
