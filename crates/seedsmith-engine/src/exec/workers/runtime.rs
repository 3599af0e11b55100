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
#[path = "worker.rs"]
mod worker;
#[path = "zygote.rs"]
mod zygote;

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::Ordering;

use chance::HashKeys;
use features::{COMPARE_COUNTERS, Counters, FeatureKind};
use leaks::Leaks;
use load_bias::load_bias;
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
    /// Counters whose features are written down, if any are, and what makes runs alike.
    counted: Option<(Counters, HashKeys)>,
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
        // SAFETY: libFuzzer's interface: a pointer and the number of bytes after it.
        let test = || unsafe { (self.test_one_input)(candidate.as_ptr(), candidate.len()) };
        let test = || match &self.leaks {
            None => test(),
            Some(leaks) => leaks.watch(test),
        };
        let answer = match &mut self.counted {
            None => test(),
            Some((counters, keys)) => {
                let answer = counters.watch(place.is_once, || {
                    keys.restore();
                    test()
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
unsafe fn counted(driver: &protocol::DriverPage, bias: u64) -> Option<(Counters, HashKeys)> {
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
    let [offset, length] = driver.hash_keys.each_ref().map(|word| word.load(Ordering::Relaxed));
    let addresses = driver.callbacks.each_ref().map(|word| word.load(Ordering::Relaxed));
    // SAFETY: by this function's contract; a program's own data stays mapped.
    unsafe {
        callbacks::replace(&addresses, bias, kind == FeatureKind::Compares);
        let compares =
            (kind == FeatureKind::Compares).then(|| (callbacks::compares(), COMPARE_COUNTERS));
        let counters = Counters::new(place, (end - start) as usize, compares, kind);
        Some((counters, HashKeys::fix(offset, length)))
    }
}
