//! What one call costs: the memory that its thread holds at most, and the processor time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// The system's allocator, with an account for each thread.
pub struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn account(change: isize) {
    // A thread that ends frees memory after its account is gone.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: all calls go to the system's allocator with the arguments passed, so its duties are kept;
// the accounts are thread-local cells that allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        account(layout.size() as isize);
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        account(layout.size() as isize);
        // SAFETY: as promised by the caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        account(-(layout.size() as isize));
        // SAFETY: as promised by the caller; the pointer came from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may exist while one is copied.
        account(size as isize);
        account(-(layout.size() as isize));
        // SAFETY: as promised by the caller; the pointer came from the system's allocator.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// What a call took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Bytes held at most, beyond those held before.
    pub memory: usize,
    /// Processor time of this thread.
    pub time: Duration,
}

/// Runs `call` and measures its cost.
pub fn measure(call: impl FnOnce()) -> Cost {
    let before = HELD.get();
    PEAK.set(before);
    let start = processor_time();
    call();
    let time = processor_time().saturating_sub(start);
    Cost { memory: usize::try_from(PEAK.get() - before).unwrap_or(0), time }
}

fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("Linux has the clock").into()
}
