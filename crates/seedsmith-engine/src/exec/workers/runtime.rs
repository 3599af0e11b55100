//! The runtime that is preloaded into an unmodified libFuzzer executable.
//!
//! Root of a separate crate: `build.rs` compiles it with the same compiler to a shared library
//! that is embedded into seedsmith. It steps in where the C library would call `main`, and serves
//! candidates instead of libFuzzer's loop. Without the zygote's variable it does nothing.

#![allow(dead_code, reason = "the library uses what this crate leaves out")]

#[path = "callbacks.rs"]
mod callbacks;
#[path = "chance.rs"]
mod chance;
#[path = "child.rs"]
mod child;
#[path = "../counters/compared.rs"]
mod compared;
#[path = "copy.rs"]
mod copy;
#[path = "../counters/feature_list.rs"]
mod feature_list;
#[path = "../counters/features.rs"]
mod features;
#[path = "leaks.rs"]
mod leaks;
#[path = "leftovers.rs"]
mod leftovers;
#[path = "load_bias.rs"]
mod load_bias;
#[path = "protocol.rs"]
mod protocol;
#[path = "seal.rs"]
mod seal;
#[path = "../os/sys.rs"]
mod sys;
#[path = "variation.rs"]
mod variation;
#[path = "worker.rs"]
mod worker;
#[path = "zygote.rs"]
mod zygote;

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::Ordering;

use chance::HashKeys;
use copy::Copy;
use features::{COMPARE_COUNTERS, Counters, FeatureKind, Runs};
use leaks::Leaks;
use load_bias::{load_bias, thread_block};
use variation::Variation;
use worker::{AnswerRoom, Body, Ending, RunEntry};
use zygote::Zygote;

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
type StartMain = unsafe extern "C" fn(
    Main,
    c_int,
    *mut *mut c_char,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    *mut c_void,
) -> c_int;
type TestOneInput = unsafe extern "C" fn(*const u8, usize) -> c_int;
type Initialize = unsafe extern "C" fn(*mut c_int, *mut *mut *mut c_char) -> c_int;

/// Stands in for the C library's function that calls `main`.
///
/// # Safety
/// Called by the executable's entry code only, with the C library's own contract.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __libc_start_main(
    main: Main,
    argc: c_int,
    argv: *mut *mut c_char,
    init: *mut c_void,
    fini: *mut c_void,
    rtld_fini: *mut c_void,
    stack_end: *mut c_void,
) -> c_int {
    // RTLD_NEXT: the C library's own.
    // SAFETY: the symbol has this type, and the arguments are passed on as they came.
    unsafe {
        let next = sys::dlsym(-1isize as *mut c_void, c"__libc_start_main".as_ptr());
        let real = std::mem::transmute::<*mut c_void, StartMain>(next);
        let main = if std::env::var_os(zygote::VARIABLE).is_some() { our_main } else { main };
        real(main, argc, argv, init, fini, rtld_fini, stack_end)
    }
}

unsafe extern "C" fn our_main(
    mut argc: c_int,
    mut argv: *mut *mut c_char,
    _environment: *mut *mut c_char,
) -> c_int {
    // Programs that the target starts must not be preloaded. SAFETY: the program has one thread
    // yet.
    unsafe {
        std::env::remove_var("LD_PRELOAD");
        if let Some(before) = std::env::var_os("SEEDSMITH_PRELOAD_BEFORE") {
            std::env::set_var("LD_PRELOAD", before);
            std::env::remove_var("SEEDSMITH_PRELOAD_BEFORE");
        }
    }
    let Some(zygote) = Zygote::from_environment() else { return 1 };
    let shared = zygote.shared();
    let driver = shared.driver();
    let bias = load_bias();
    let at = |word: &std::sync::atomic::AtomicU64| match word.load(Ordering::Relaxed) {
        0 => None,
        address => Some(bias.wrapping_add(address) as usize as *mut c_void),
    };
    let Some(test_one_input) = at(&driver.test_one_input) else { refuse(&zygote) };
    // SAFETY: the driver read these addresses from the symbol table too.
    let leaks = unsafe { Leaks::new(driver.leak_functions.each_ref().map(at)) };
    // SAFETY: the driver read these addresses from the executable's symbol table, where they are
    // functions of libFuzzer's interface.
    unsafe {
        if let Some(initialize) = at(&driver.initialize) {
            let initialize = std::mem::transmute::<*mut c_void, Initialize>(initialize);
            initialize(&mut argc, &mut argv);
        }
        let test_one_input = std::mem::transmute::<*mut c_void, TestOneInput>(test_one_input);
        let (watched, counted) = (watched(driver, bias), counted(driver, bias));
        zygote.serve(&mut Injected { test_one_input, leaks, watched, counted })
    }
}

/// Says that this executable can't be served, and ends.
fn refuse(zygote: &Zygote) -> ! {
    zygote.shared().zygote_page().state.store(protocol::STATE_REFUSED, Ordering::Release);
    zygote.notifier.notify();
    sys::exit_now(1)
}

struct Injected {
    test_one_input: TestOneInput,
    leaks: Option<Leaks>,
    /// Counters that decide whether an input is valid: first address and length.
    watched: Vec<(*mut u8, usize)>,
    /// What is needed where features are written down.
    counted: Option<Counted>,
}

/// Counters whose features are written down, and what makes runs alike.
struct Counted {
    counters: Counters,
    keys: HashKeys,
    /// Where instrumented functions note how far the stack has grown; null if they do not.
    lowest_stack: *mut usize,
}

impl Body for Injected {
    fn leaves_answers(&self) -> bool {
        self.counted.is_some()
    }

    fn forks(&self) -> bool {
        self.counted.is_some()
    }

    fn run(&mut self, candidate: &[u8], place: &RunEntry<'_>, room: &AnswerRoom<'_>) -> Ending {
        for (start, length) in &self.watched {
            // SAFETY: `watched` is in the executable's own data.
            unsafe { start.write_bytes(0, *length) };
        }
        let call = |candidate: &[u8]| {
            // SAFETY: libFuzzer's interface: a pointer and the number of bytes after it.
            unsafe { (self.test_one_input)(candidate.as_ptr(), candidate.len()) }
        };
        let test = |candidate: &[u8]| match &self.leaks {
            None => call(candidate),
            Some(leaks) => leaks.watch(|| call(candidate)),
        };
        let answer = match &mut self.counted {
            None => test(candidate),
            Some(Counted { counters, keys, lowest_stack }) => {
                let runs = match place.variation {
                    _ if place.is_once => Runs::One,
                    None => Runs::UntilKnown,
                    Some(_) => Runs::Compared { expected: place.expected },
                };
                let own = place.variation.unwrap_or(Variation::FIXED);
                let answer = counters.watch(runs, |is_other| {
                    if !is_other {
                        keys.restore(own.seed());
                        return with_depth(*lowest_stack, || test(candidate));
                    }
                    let other = own.other();
                    keys.restore(other.seed());
                    // SAFETY: the candidate is a whole slice. Without room for another one, it runs where it is.
                    let copy = unsafe {
                        Copy::of(candidate.as_ptr(), candidate.len(), Some(other.place()))
                    };
                    let candidate = copy.as_ref().map_or(candidate, Copy::bytes);
                    with_depth(*lowest_stack, || test(candidate))
                });
                room.write(counters.text());
                answer
            }
        };
        if self.watched.is_empty() {
            return if answer == -1 { Ending::Reject } else { Ending::Keep };
        }
        let has_moved = self.watched.iter().any(|(start, length)| {
            // SAFETY: as above; the target's threads may still write, so each byte is read once.
            (0..*length).any(|at| unsafe { start.add(at).read_volatile() } != 0)
        });
        if has_moved { Ending::Keep } else { Ending::Reject }
    }
}

/// Calls `test`, and gives its answer and how many bytes the stack grew, which is 0 where that is not known.
///
/// The bytes are counted from a place that is as far from the target's first function as libFuzzer's own.
#[inline(never)]
fn with_depth(lowest_stack: *mut usize, test: impl FnOnce() -> c_int) -> (c_int, usize) {
    #[inline(never)]
    fn below() -> usize {
        let marker = 0u8;
        std::ptr::from_ref(std::hint::black_box(&marker)) as usize
    }
    /// A frame with such a value begins at a multiple of its alignment, and so do the frames after it, whatever was called before.
    #[repr(align(64))]
    struct Aligned([u8; 64]);
    if lowest_stack.is_null() {
        return (test(), 0);
    }
    let aligned = Aligned([0; 64]);
    std::hint::black_box(&aligned.0);
    let start = below();
    // SAFETY: the executable's own word in this thread, which the instrumentation reads and writes.
    unsafe {
        lowest_stack.write_volatile(start);
        let answer = test();
        (answer, start.saturating_sub(lowest_stack.read_volatile()))
    }
}

/// The counters that the driver read from the executable, where they are in this process.
fn watched(driver: &protocol::DriverPage, bias: u64) -> Vec<(*mut u8, usize)> {
    let count = driver.watched_count.load(Ordering::Relaxed) as usize;
    let ranges = driver.watched.iter().take(count).map(|[start, end]| {
        let (start, end) = (start.load(Ordering::Relaxed), end.load(Ordering::Relaxed));
        (bias.wrapping_add(start) as usize as *mut u8, end.saturating_sub(start) as usize)
    });
    ranges.collect()
}

/// The counters whose features are asked for. If there are any, runs are made alike, and the callbacks of the
/// instrumentation do no more than they are needed for.
///
/// # Safety
/// The driver read the addresses from this executable, and the process has one thread.
unsafe fn counted(driver: &protocol::DriverPage, bias: u64) -> Option<Counted> {
    let [start, end] = driver.counters.each_ref().map(|word| word.load(Ordering::Relaxed));
    if end <= start {
        return None;
    }
    let kind = match driver.feature_kind.load(Ordering::Relaxed) {
        protocol::FEATURES_EDGES => FeatureKind::Edges,
        protocol::FEATURES_COMPARES => FeatureKind::Compares,
        _ => FeatureKind::Counts,
    };
    let place = bias.wrapping_add(start) as usize as *mut u8;
    let two = |words: &[std::sync::atomic::AtomicU64; 2]| {
        words.each_ref().map(|word| word.load(Ordering::Relaxed))
    };
    let [offset, length] = two(&driver.hash_keys);
    let lowest_stack = match (two(&driver.lowest_stack), thread_block()) {
        ([_, 0], _) => std::ptr::null_mut(),
        (_, block) if block.is_null() => std::ptr::null_mut(),
        ([offset, _], block) => block.wrapping_add(offset as usize).cast(),
    };
    let addresses = driver.callbacks.each_ref().map(|word| word.load(Ordering::Relaxed));
    // SAFETY: by this function's contract; a program's own data stays mapped.
    unsafe {
        let notes_compares = kind == FeatureKind::Compares;
        callbacks::replace(&addresses, bias, notes_compares);
        let first = if notes_compares { protocol::COMPARE_CALLBACKS.len() } else { 0 };
        callbacks::remove_calls(two(&driver.code), &addresses[first..], bias);
        let compares =
            (kind == FeatureKind::Compares).then(|| (callbacks::compares(), COMPARE_COUNTERS));
        let counters = Counters::new(place, (end - start) as usize, compares, kind);
        Some(Counted { counters, keys: HashKeys::fix(offset, length), lowest_stack })
    }
}
