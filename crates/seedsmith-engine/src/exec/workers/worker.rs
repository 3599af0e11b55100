//! The process that runs candidates, one after the other, until it dies or retires.
//!
//! It copies a candidate into an allocation of exactly its size (so that a sanitizer sees reads
//! past the end), runs it, and reports the outcome. Its signal handlers write down where it died
//! and notify the driver before the process is torn down. It judges nothing.
//!
//! Compiled twice, see [`super::sys`].

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use super::child::Children;
use super::copy::Copy;
use super::leftovers::Leftovers;
use super::protocol::{
    DriverPage, Entry, FLAG_FRAMES, FLAG_FRESH, FLAG_ONCE, FLAG_VARIED, MAX_FRAMES, MODE_SANITIZER,
    NotifierPage, Order, PAGE_BYTES, RETIRED, Shared, ZYGOTE_PAGE_OFFSET, is_before,
};
use super::seal::{Stage, open, seal};
use super::sys;
use super::variation::Variation;

/// The code that gets each candidate.
pub(crate) trait Body {
    /// Whether it writes into the room. If not, no one can write over candidates.
    fn leaves_answers(&self) -> bool {
        false
    }

    /// Whether a candidate that has to run alone runs in a process that the worker forks.
    fn forks(&self) -> bool {
        false
    }

    /// Runs the target on one candidate. The bytes that it writes into the room go to the driver.
    fn run(&mut self, candidate: &[u8], place: &RunEntry<'_>, room: &AnswerRoom<'_>) -> Ending;
}

/// Where a run is written down.
pub(crate) struct RunEntry<'e> {
    /// Its outcome.
    pub entry: &'e Entry,
    /// Whether a caught panic has to come with its stack.
    pub wants_frames: bool,
    /// Whether one run is enough, also where it has features that are new in this process.
    #[allow(dead_code, reason = "the preloaded runtime, a crate of its own, reads it")]
    pub is_once: bool,
    /// How the run differs from others, if each candidate has a variation of its own.
    #[allow(dead_code, reason = "the preloaded runtime, a crate of its own, reads it")]
    pub variation: Option<Variation>,
    /// The digest of the features that are expected; 0 if none are.
    #[allow(dead_code, reason = "the preloaded runtime, a crate of its own, reads it")]
    pub expected: u64,
}

/// Where a target may leave bytes for its driver: after its candidate, which stays as it is, so
/// that it can be run again. They stay there if the worker dies.
pub struct AnswerRoom<'e> {
    place: *mut u8,
    size: usize,
    entry: &'e Entry,
}

impl AnswerRoom<'_> {
    /// Leaves `bytes` in the place of those that were left before. None are left if there are more
    /// than the room holds.
    pub fn write(&self, bytes: &[u8]) {
        self.entry.answer_length.store(0, Ordering::Relaxed);
        if bytes.len() <= self.size {
            // SAFETY: `run_one` took place and size from the entry under way, whose bytes no one
            // else reads or writes until it is done.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.place, bytes.len()) };
            self.entry.answer_length.store(bytes.len() as u32, Ordering::Release);
        }
    }
}

/// How a run ended that did not end the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The target returned 0.
    Keep,
    /// The target returned -1.
    Reject,
    /// The target panicked, and the entry's text says where.
    Panicked,
}

/// The memory that the signal handlers of this process write to.
static SHARED: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static NOTIFIER: AtomicPtr<NotifierPage> = AtomicPtr::new(std::ptr::null_mut());
/// The candidate that is being run: [`IS_RUNNING`], its number, and in the upper half the runs
/// before.
static RUNNING: AtomicU64 = AtomicU64::new(0);
const IS_RUNNING: u64 = 1 << 63;

/// Works as worker number `generation`: sleeps until its turn comes, then runs candidates.
///
/// # Safety
/// `base` is a mapping as [`Shared::new`] wants it, `notifier` a mapped notifier; both stay mapped.
pub(crate) unsafe fn work(
    base: *mut u8,
    notifier: &NotifierPage,
    body: &mut impl Body,
    generation: u32,
) -> ! {
    // SAFETY: by this function's own contract. The target has no need to write the zygote's page.
    let shared = unsafe {
        sys::mprotect(base.add(ZYGOTE_PAGE_OFFSET).cast(), PAGE_BYTES, sys::PROT_READ);
        Shared::new(base)
    };
    let (driver, worker) = (shared.driver(), shared.worker());
    loop {
        let go = driver.go.0.load(Ordering::Acquire);
        if go == generation {
            break;
        }
        if !is_before(go, generation) {
            // Its turn is over before it began: two workers must never work at once.
            sys::exit_now(RETIRED);
        }
        sys::futex_wait(&driver.go.0, go, None);
    }
    SHARED.store(base, Ordering::Relaxed);
    NOTIFIER.store(std::ptr::from_ref(notifier).cast_mut(), Ordering::Relaxed);
    let marker = 0u8;
    worker.stack_base.store(std::ptr::from_ref(&marker) as u64, Ordering::Relaxed);
    // SAFETY: plain system calls.
    worker.pid.store(unsafe { sys::getpid() }, Ordering::Release);
    limit_memory(driver);
    if let Some(processor) = driver.processor.load(Ordering::Relaxed).checked_sub(1) {
        sys::move_to_processor(processor);
    }
    let recycle_after = driver.recycle_after.load(Ordering::Relaxed).max(1);
    let mut runs = 0u32;
    let is_sanitized = driver.mode.load(Ordering::Relaxed) & MODE_SANITIZER != 0;
    let mut leftovers = Leftovers::new(is_sanitized && recycle_after == u32::MAX);
    let mut children = Children::new();
    let mut sequence = driver.begin.load(Ordering::Acquire);
    loop {
        await_work(&shared, sequence);
        let (order, entry) = (shared.order(sequence), shared.entry(sequence));
        let nonce = order.nonce.load(Ordering::Relaxed);
        let stage = if is_before(sequence, driver.cancel.0.load(Ordering::Acquire)) {
            entry.stage.store(seal(nonce, Stage::Skipped, runs), Ordering::Release);
            Stage::Skipped
        } else {
            let flags = order.flags.load(Ordering::Relaxed);
            if runs >= recycle_after
                || (runs > 0 && flags & FLAG_FRESH != 0)
                || children.are_too_many()
                || leftovers.are_too_many_after(runs)
            {
                sys::exit_now(RETIRED);
            }
            let stage = || Some(open(nonce, entry.stage.load(Ordering::Acquire))?.0);
            // The first of several candidates has `FLAG_ONCE` too: the others run where it has run.
            let is_alone = body.forks() && flags & (FLAG_FRESH | FLAG_ONCE) == FLAG_FRESH;
            let by_child = match is_alone && runs == 0 {
                true => children.run(|| _ = run_at(&shared, sequence, runs, body), stage),
                false => None,
            };
            by_child.unwrap_or_else(|| {
                let stage = run_at(&shared, sequence, runs, body);
                runs += 1;
                stage
            })
        };
        sequence = sequence.wrapping_add(1);
        // Sequentially consistent, as is the driver's store to `wake_at`: one of the two sees
        // the other's.
        worker.tail.0.store(sequence, Ordering::SeqCst);
        if driver.wake_at.0.load(Ordering::SeqCst) == sequence || stage == Stage::Panicked {
            notifier.notify();
        }
    }
}

/// Runs the candidate with this number, and leaves its stage. `runs` is the number of those that this process has run
/// before.
fn run_at(shared: &Shared, sequence: u32, runs: u32, body: &mut impl Body) -> Stage {
    let (order, entry) = (shared.order(sequence), shared.entry(sequence));
    let nonce = order.nonce.load(Ordering::Relaxed);
    let running = IS_RUNNING | (u64::from(runs) << 32) | u64::from(sequence);
    RUNNING.store(running, Ordering::Relaxed);
    entry.stage.store(seal(nonce, Stage::Running, runs), Ordering::Release);
    let ending = run_one(shared, (order, entry), runs, body);
    RUNNING.store(0, Ordering::Relaxed);
    let stage = match ending {
        Ending::Keep => Stage::Kept,
        Ending::Reject => Stage::Rejected,
        Ending::Panicked => Stage::Panicked,
    };
    entry.stage.store(seal(nonce, stage, runs), Ordering::Release);
    stage
}

/// One allocation beyond the limit fails at once; growth is also watched by the driver.
fn limit_memory(driver: &DriverPage) {
    let bytes = driver.memory_bytes.load(Ordering::SeqCst);
    if bytes > 0 && driver.mode.load(Ordering::Relaxed) & MODE_SANITIZER == 0 {
        let limit = sys::Rlimit { current: bytes, maximum: bytes };
        // SAFETY: a plain system call.
        unsafe { sys::setrlimit(sys::RLIMIT_DATA, &limit) };
    }
}

fn await_work(shared: &Shared, sequence: u32) {
    let (driver, worker) = (shared.driver(), shared.worker());
    let has_work = || driver.head.0.load(Ordering::SeqCst) != sequence;
    if has_work() {
        return;
    }
    for _ in 0..driver.spin.load(Ordering::Relaxed) {
        std::hint::spin_loop();
        if has_work() {
            return;
        }
    }
    loop {
        worker.sleeps.store(1, Ordering::SeqCst);
        if has_work() {
            break;
        }
        sys::futex_wait(&driver.head.0, sequence, None);
        if has_work() {
            break;
        }
    }
    worker.sleeps.store(0, Ordering::SeqCst);
}

/// Runs one candidate. `runs` is the number of those that this worker has run before.
fn run_one(
    shared: &Shared,
    (order, entry): (&Order, &Entry),
    runs: u32,
    body: &mut impl Body,
) -> Ending {
    entry.frame_count.store(0, Ordering::Relaxed);
    entry.signal.store(0, Ordering::Relaxed);
    entry.text_length.store(0, Ordering::Relaxed);
    entry.answer_length.store(0, Ordering::Relaxed);
    let flags = order.flags.load(Ordering::Relaxed);
    let wants_frames = flags & FLAG_FRAMES != 0;
    // What a process does once, most targets do in their first run.
    let is_once = flags & FLAG_ONCE != 0 && runs > 0;
    let (candidate, length) = shared.candidate(order);
    // SAFETY: `malloc` gives room for `length` bytes (or null, which ends the worker: the driver
    // reports the death); the arena's bytes are not written while the entry is under way.
    unsafe {
        let varied = flags & FLAG_VARIED != 0;
        let variation =
            varied.then(|| Variation::of(std::slice::from_raw_parts(candidate, length)));
        let place = body.leaves_answers().then(|| variation.unwrap_or(Variation::FIXED).place());
        let Some(copy) = Copy::of(candidate, length, place) else { sys::exit_now(RETIRED) };
        let (place, size) = shared.room(order);
        let room = AnswerRoom { place, size, entry };
        let expected = order.expected.load(Ordering::Relaxed);
        let place = RunEntry { entry, wants_frames, is_once, variation, expected };
        body.run(copy.bytes(), &place, &room)
    }
}

/// Signals that the worker's handlers record.
const FATAL: [c_int; 7] =
    [sys::SIGABRT, sys::SIGSEGV, sys::SIGBUS, sys::SIGILL, sys::SIGFPE, sys::SIGTRAP, sys::SIGSYS];

/// Bytes of the stack on which signal handlers run: unwinding needs room. A guess; not measured.
const SIGNAL_STACK_BYTES: usize = 256 * 1024;

/// Installs the handlers; every worker forked afterwards has them.
///
/// With a sanitizer only the abort signal is ours: its reports say more than our record could.
pub(crate) fn install_handlers(mode: u32) {
    // SAFETY: a fresh private mapping serves as the signal stack and is never unmapped; the
    // handler only makes calls that are safe in a process that is about to end.
    unsafe {
        let base = sys::mmap(
            std::ptr::null_mut(),
            SIGNAL_STACK_BYTES,
            sys::PROT_READ | sys::PROT_WRITE,
            sys::MAP_PRIVATE | sys::MAP_ANONYMOUS | sys::MAP_NORESERVE,
            -1,
            0,
        );
        if base as isize != -1 && mode & MODE_SANITIZER == 0 {
            let stack = sys::SignalStack { base, flags: 0, size: SIGNAL_STACK_BYTES };
            sys::sigaltstack(&stack, std::ptr::null_mut());
        }
        let handler: unsafe extern "C" fn(c_int, *mut sys::SignalInfo, *mut c_void) = on_signal;
        let action = sys::SignalAction {
            handler: handler as usize,
            mask: [0; 16],
            flags: sys::SA_SIGINFO | sys::SA_ONSTACK | sys::SA_NODEFER,
            restorer: 0,
        };
        for signal in FATAL {
            if mode & MODE_SANITIZER == 0 || signal == sys::SIGABRT {
                sys::sigaction(signal, &action, std::ptr::null_mut());
            }
        }
    }
}

unsafe extern "C" fn on_signal(signal: c_int, info: *mut sys::SignalInfo, context: *mut c_void) {
    let base = SHARED.load(Ordering::Relaxed);
    if base.is_null() {
        sys::exit_now(128 + signal);
    }
    // A second signal, in the handler itself or in another thread: the first one's record is kept.
    static DYING: AtomicBool = AtomicBool::new(false);
    if DYING.swap(true, Ordering::SeqCst) {
        sys::exit_now(128 + signal);
    }
    // SAFETY: `work` stored a mapping that stays mapped; the kernel's pointers are valid in a
    // handler.
    let (shared, info, notifier) =
        unsafe { (Shared::new(base), &*info, &*NOTIFIER.load(Ordering::Relaxed)) };
    let running = RUNNING.load(Ordering::Relaxed);
    if running & IS_RUNNING != 0 {
        let sequence = running as u32;
        let runs_before = (running & !IS_RUNNING) >> 32;
        let (order, entry) = (shared.order(sequence), shared.entry(sequence));
        entry.signal_code.store(info.code, Ordering::Relaxed);
        entry.address.store(info.address, Ordering::Relaxed);
        let (instruction, stack_pointer) = registers(context);
        entry.stack_pointer.store(stack_pointer, Ordering::Relaxed);
        entry.signal.store(signal, Ordering::Release);
        record_frames(entry, instruction);
        let nonce = order.nonce.load(Ordering::Relaxed);
        let word = seal(nonce, Stage::Dying, runs_before as u32);
        entry.stage.store(word, Ordering::SeqCst);
        notifier.notify();
    }
    // The zygote sees this status and the driver has the signal from the record.
    sys::exit_now(128 + signal);
}

/// Where `ucontext_t` has the instruction and the stack pointer, from the kernel's headers.
#[cfg(target_arch = "x86_64")]
pub(crate) const REGISTER_OFFSETS: (usize, usize) = (40 + 16 * 8, 40 + 15 * 8);
#[cfg(target_arch = "aarch64")]
pub const REGISTER_OFFSETS: (usize, usize) = (176 + 8 + 32 * 8, 176 + 8 + 31 * 8);

/// Instruction and stack pointer at the time of the signal.
fn registers(context: *mut c_void) -> (u64, u64) {
    // SAFETY: the kernel passes a whole `ucontext_t`, which is longer than these offsets.
    unsafe {
        let context = context.cast::<u8>();
        (
            context.add(REGISTER_OFFSETS.0).cast::<u64>().read_unaligned(),
            context.add(REGISTER_OFFSETS.1).cast::<u64>().read_unaligned(),
        )
    }
}

/// Writes the stack down, from `instruction` outwards (0: from here).
pub(crate) fn record_frames(entry: &Entry, instruction: u64) {
    struct Walk<'e> {
        entry: &'e Entry,
        skip_to: u64,
        count: usize,
    }
    unsafe extern "C" fn visit(context: *mut c_void, walk: *mut c_void) -> c_int {
        // SAFETY: `record_frames` passes its own `Walk`, and the unwinder a live context.
        unsafe {
            let walk = &mut *walk.cast::<Walk<'_>>();
            let mut before_instruction = 0;
            let address = _Unwind_GetIPInfo(context, &mut before_instruction) as u64;
            if walk.skip_to != 0 && address != walk.skip_to {
                return 0;
            }
            walk.skip_to = 0;
            if walk.count >= MAX_FRAMES {
                return 5; // _URC_END_OF_STACK
            }
            // A return address points after the call: step back into it.
            let address = if before_instruction == 0 { address.wrapping_sub(1) } else { address };
            walk.entry.frames[walk.count].store(address, Ordering::Relaxed);
            walk.count += 1;
        }
        0
    }
    let mut walk = Walk { entry, skip_to: instruction, count: 0 };
    // SAFETY: the callback matches the unwinder's type, and `walk` outlives the call.
    unsafe {
        _Unwind_Backtrace(visit, std::ptr::from_mut(&mut walk).cast());
        if walk.count == 0 && instruction != 0 {
            // The unwinder never came by the faulting instruction (a wild jump): all of it.
            walk.skip_to = 0;
            walk.entry.frames[0].store(instruction, Ordering::Relaxed);
            walk.count = 1;
            _Unwind_Backtrace(visit, std::ptr::from_mut(&mut walk).cast());
        }
    }
    entry.frame_count.store(walk.count as u32, Ordering::Release);
}

unsafe extern "C" {
    fn _Unwind_Backtrace(
        visit: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIPInfo(context: *mut c_void, before_instruction: *mut c_int) -> usize;
}
