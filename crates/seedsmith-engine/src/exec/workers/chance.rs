//! What random numbers a target gets while its coverage is read: the same ones in each run.
//!
//! A hash table with a random seed takes other paths in each process and for each input. So the C library's
//! functions for random bytes give a sequence here that begins again with each run, where its variation says, and the seed that Rust's
//! `HashMap` keeps for a thread gets back the value that it had before the first run. Part of the preloaded runtime
//! only; a target whose coverage no one reads gets the system's random numbers.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::feature_list::split_mix;
use super::load_bias::thread_block;
use super::sys;

/// The number of the system call that gives random bytes.
#[cfg(target_arch = "x86_64")]
const GETRANDOM: c_long = 318;
#[cfg(target_arch = "aarch64")]
const GETRANDOM: c_long = 278;

/// Whether the sequence is given.
static IS_FIXED: AtomicBool = AtomicBool::new(false);
/// The number that the next one is made of.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The seed of `HashMap` in the worker's thread, as it was before the first run.
pub struct HashKeys {
    place: *mut u8,
    before: Vec<u8>,
}

impl HashKeys {
    /// Gives the fixed sequence from now on, and notes the `length` bytes at `offset` of the executable's
    /// thread-local data; no bytes where the executable has no such seed.
    ///
    /// # Safety
    /// The bytes are plain data of this thread that its code reads before it writes only where they say so.
    pub unsafe fn fix(offset: u64, length: u64) -> Self {
        IS_FIXED.store(true, Ordering::Relaxed);
        let block = thread_block();
        if block.is_null() || length == 0 {
            return HashKeys { place: std::ptr::null_mut(), before: Vec::new() };
        }
        let place = block.wrapping_add(offset as usize);
        // SAFETY: by this function's contract.
        let before = unsafe { std::slice::from_raw_parts(place, length as usize) }.to_vec();
        HashKeys { place, before }
    }

    /// Puts everything back to the beginning, before a run whose random numbers begin with `seed`.
    pub fn restore(&self, seed: u64) {
        NEXT.store(seed, Ordering::Relaxed);
        // SAFETY: by `fix`; no run is under way.
        unsafe {
            std::ptr::copy_nonoverlapping(self.before.as_ptr(), self.place, self.before.len())
        };
    }
}

/// Fills `length` bytes with the sequence.
fn fill(bytes: *mut u8, length: usize) {
    for at in (0..length).step_by(8) {
        let number = NEXT.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        let word = split_mix(number).to_le_bytes();
        let count = (length - at).min(8);
        // SAFETY: the caller has passed room for `length` bytes.
        unsafe { std::ptr::copy_nonoverlapping(word.as_ptr(), bytes.add(at), count) };
    }
}

/// Stands in for the C library's function.
///
/// # Safety
/// `bytes` has room for `length` bytes, as the C library wants it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(bytes: *mut c_void, length: usize, flags: c_uint) -> isize {
    if !IS_FIXED.load(Ordering::Relaxed) {
        // SAFETY: the system call has the function's own contract.
        return unsafe { sys::syscall(GETRANDOM, bytes, length, flags) } as isize;
    }
    fill(bytes.cast(), length);
    length as isize
}

/// Stands in for the C library's function.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getentropy(bytes: *mut c_void, length: usize) -> c_int {
    if IS_FIXED.load(Ordering::Relaxed) && length <= 256 {
        fill(bytes.cast(), length);
        return 0;
    }
    type Function = unsafe extern "C" fn(*mut c_void, usize) -> c_int;
    const NAME: *const c_char = c"getentropy".as_ptr();
    // SAFETY: RTLD_NEXT is the C library's own, which has this type; it has had one since 2.25.
    unsafe {
        let next = sys::dlsym(-1isize as *mut c_void, NAME);
        if next.is_null() {
            return -1;
        }
        std::mem::transmute::<*mut c_void, Function>(next)(bytes, length)
    }
}
