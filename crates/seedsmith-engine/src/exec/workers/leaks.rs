//! Looks for memory that a candidate leaks, with LeakSanitizer's own check after the run.
//!
//! Only memory that is allocated while the target runs counts, as with libFuzzer; and the check, which
//! stops the process and walks its memory, is made only after runs that freed less often than they
//! allocated. Part of the preloaded runtime only.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::leftovers::wipe_stack;
use super::protocol::{LEAK_FUNCTIONS, REPORTED};
use super::sys;

/// LeakSanitizer's functions in this executable.
pub struct Leaks {
    check: unsafe extern "C" fn() -> c_int,
    enable: unsafe extern "C" fn(),
    disable: unsafe extern "C" fn(),
}

type OnMalloc = unsafe extern "C" fn(*const c_void, usize);
type OnFree = unsafe extern "C" fn(*const c_void);
type InstallHooks = unsafe extern "C" fn(OnMalloc, OnFree) -> c_int;

static ALLOCATED: AtomicU64 = AtomicU64::new(0);
static FREED: AtomicU64 = AtomicU64::new(0);
/// Whether this worker has run anything.
static HAS_SETTLED: AtomicBool = AtomicBool::new(false);

unsafe extern "C" fn on_malloc(_place: *const c_void, _size: usize) {
    ALLOCATED.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn on_free(_place: *const c_void) {
    FREED.fetch_add(1, Ordering::Relaxed);
}

impl Leaks {
    /// Begins to count; `None` where a function is missing, which is how the driver says that
    /// no one looks for leaks.
    ///
    /// # Safety
    /// The functions are those that [`LEAK_FUNCTIONS`] names, in that order.
    pub unsafe fn new(functions: [Option<*mut c_void>; LEAK_FUNCTIONS.len()]) -> Option<Self> {
        let [Some(check), Some(enable), Some(disable), Some(install)] = functions else {
            return None;
        };
        // SAFETY: by this function's own contract; the types are those of the sanitizer's headers.
        unsafe {
            let install = std::mem::transmute::<*mut c_void, InstallHooks>(install);
            install(on_malloc, on_free);
            let leaks = Leaks {
                check: std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> c_int>(check),
                enable: std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(enable),
                disable: std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(disable),
            };
            (leaks.disable)();
            Some(leaks)
        }
    }

    /// Runs `test`; where it leaks, the report is printed and the process ends.
    pub fn watch(&self, test: impl FnOnce() -> c_int) -> c_int {
        let balance =
            || ALLOCATED.load(Ordering::Relaxed).wrapping_sub(FREED.load(Ordering::Relaxed));
        if !HAS_SETTLED.swap(true, Ordering::Relaxed) {
            use_up_freed_blocks();
        }
        let before = balance();
        // SAFETY: the sanitizer's functions, called in pairs.
        unsafe {
            (self.enable)();
            let answer = test();
            (self.disable)();
            if balance() != before {
                // The check's own frames come to lie where the target's were.
                wipe_stack();
                if (self.check)() != 0 {
                    sys::exit_now(REPORTED);
                }
            }
            answer
        }
    }
}

/// Allocates, without freeing them, the blocks that were freed before the target runs. Old pointers
/// to them are in the frames of the zygote, and one of them would hide a leak of a block that the
/// target got there (seen with clang 14's `-fsanitize=leak`, which gives freed blocks out again at
/// once).
fn use_up_freed_blocks() {
    let small = (1..=32).map(|size| (size * 16, 16));
    let large = (10..=16).map(|power| (1 << power, 2));
    for (size, blocks) in small.chain(large) {
        for _ in 0..blocks {
            // SAFETY: a block that no one uses; black_box keeps the call.
            std::hint::black_box(unsafe { sys::malloc(size) });
        }
    }
}
