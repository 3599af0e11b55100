//! The instrumentation's callbacks in an executable whose coverage is read: what compares call, and calls through
//! pointers.
//!
//! libFuzzer's callbacks fill tables for its mutations, which no worker reads, and take up to two thirds of a run
//! (68 % with quick-xml on 120 inputs, perf, 2026-11-23). So the zygote overwrites their first bytes before it forks:
//! a callback returns at once, or notes the compare where compares are features. Only on x86-64; elsewhere the
//! callbacks stay as they are. Part of the preloaded runtime only.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

use super::features::COMPARE_COUNTERS;
use super::protocol::COMPARE_CALLBACKS;
use super::sys;

/// Counters of compares. A compare sets the one that its place and the number of its differing bits lead to.
static mut COMPARES: [u8; COMPARE_COUNTERS] = [0; COMPARE_COUNTERS];
/// Where the executable was loaded, minus where it was linked to be: places count from there, so that they are
/// the same in each process.
static BIAS: AtomicU64 = AtomicU64::new(0);

/// Protection of code: a page may be run.
#[cfg(target_arch = "x86_64")]
const PROT_EXEC: c_int = 4;
/// `ret`.
#[cfg(target_arch = "x86_64")]
const RETURN: [u8; 1] = [0xc3];

/// The counters of compares in this process.
pub fn compares() -> *mut u8 {
    (&raw mut COMPARES).cast()
}

/// Overwrites callbacks, which are at `addresses` in the order of [`COMPARE_CALLBACKS`] and then of those that
/// compare nothing; 0 where there is none. With `notes_compares`, the former note the values that they get.
///
/// A page that the system does not let be written leaves its callbacks as they are.
///
/// # Safety
/// The addresses are those of the callbacks in this process, which has one thread.
#[cfg(target_arch = "x86_64")]
pub unsafe fn replace(addresses: &[u64], bias: u64, notes_compares: bool) {
    BIAS.store(bias, Ordering::Relaxed);
    for (index, address) in addresses.iter().enumerate().filter(|(_, address)| **address != 0) {
        let place = bias.wrapping_add(*address) as usize as *mut u8;
        let mut jump = [0u8; 12];
        let code: &[u8] = if notes_compares && index < COMPARE_CALLBACKS.len() {
            // mov rax, handler; jmp rax
            jump[..2].copy_from_slice(&[0x48, 0xb8]);
            let handler = HANDLERS[index % HANDLERS.len()] as *const () as u64;
            jump[2..10].copy_from_slice(&handler.to_le_bytes());
            jump[10..].copy_from_slice(&[0xff, 0xe0]);
            &jump
        } else {
            &RETURN
        };
        // SAFETY: by this function's contract; the driver has checked the length of the function.
        unsafe { overwrite(place, code) };
    }
}

/// Code of more bytes keeps its calls of callbacks that do nothing: each page that is written takes memory, and time
/// with each fork. A guess, not measured.
#[cfg(target_arch = "x86_64")]
const MAX_CODE_BYTES: usize = 32 << 20;
/// A call with a distance of 32 bits, and what replaces it: an instruction of the same length that does nothing.
#[cfg(target_arch = "x86_64")]
const CALL: u8 = 0xe8;
#[cfg(target_arch = "x86_64")]
const CALL_BYTES: usize = 5;

/// Removes the calls of the callbacks at `addresses`, which do nothing any more, from the code between `start` and `end`: in
/// loops, the call and the return took half the time of a run (quick-xml, perf, 2026-11-23).
///
/// A call is a byte and the distance to a callback in four bytes. Five bytes that are another instruction, or parts of
/// two, are the same by chance in one of 2^40 cases for each callback.
///
/// # Safety
/// As [`replace`]; the code is the executable's own.
#[cfg(target_arch = "x86_64")]
pub unsafe fn remove_calls([start, end]: [u64; 2], addresses: &[u64], bias: u64) {
    let length = end.saturating_sub(start) as usize;
    let is_none = addresses.iter().all(|address| *address == 0);
    if !(CALL_BYTES..=MAX_CODE_BYTES).contains(&length) || is_none {
        return;
    }
    let place = bias.wrapping_add(start) as usize as *mut u8;
    // SAFETY: by this function's contract.
    unsafe {
        let Some(protect) = writable(place, length) else { return };
        let code = std::slice::from_raw_parts_mut(place, length);
        for at in 0..=length - CALL_BYTES {
            if code[at] != CALL {
                continue;
            }
            let distance =
                i32::from_le_bytes([code[at + 1], code[at + 2], code[at + 3], code[at + 4]]);
            let called = (start + (at + CALL_BYTES) as u64).wrapping_add_signed(distance.into());
            if called != 0 && addresses.contains(&called) {
                // nop dword ptr [rax + rax]
                code[at..at + CALL_BYTES].copy_from_slice(&[0x0f, 0x1f, 0x44, 0, 0]);
            }
        }
        protect();
    }
}

/// Calls stay on other processors.
///
/// # Safety
/// As above.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn remove_calls(_code: [u64; 2], _addresses: &[u64], _bias: u64) {}

/// Nothing is overwritten on other processors.
///
/// # Safety
/// As above.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn replace(_addresses: &[u64], bias: u64, _notes_compares: bool) {
    BIAS.store(bias, Ordering::Relaxed);
}

/// Writes `code` to `place`, where code is.
#[cfg(target_arch = "x86_64")]
unsafe fn overwrite(place: *mut u8, code: &[u8]) {
    // SAFETY: by the caller's contract, and no thread runs this code meanwhile.
    unsafe {
        if let Some(protect) = writable(place, code.len()) {
            std::ptr::copy_nonoverlapping(code.as_ptr(), place, code.len());
            protect();
        }
    }
}

/// Lets `length` bytes of code be written until the function is called; `None` if the system does not.
#[cfg(target_arch = "x86_64")]
unsafe fn writable(place: *mut u8, length: usize) -> Option<impl FnOnce()> {
    const PAGE: usize = 4096;
    let start = place as usize & !(PAGE - 1);
    let length = (place as usize + length).next_multiple_of(PAGE) - start;
    let protect = move |protection: c_int| {
        // SAFETY: pages of the executable's code, which stays readable and executable.
        unsafe { sys::mprotect(start as *mut c_void, length, protection) }
    };
    let is_writable = protect(sys::PROT_READ | sys::PROT_WRITE | PROT_EXEC) == 0;
    is_writable.then_some(move || _ = protect(sys::PROT_READ | PROT_EXEC))
}

/// What the callbacks of compares become, for values of 1, 2, 4 and 8 bytes.
#[cfg(target_arch = "x86_64")]
const HANDLERS: [unsafe extern "C" fn(); 4] =
    [on_compare_of_1, on_compare_of_2, on_compare_of_4, on_compare_of_8];

/// Defines the entry for values of one size. They are in the first two arguments, of which the upper bytes may hold
/// anything; the place of the compare is the address that the callback returns to.
#[cfg(target_arch = "x86_64")]
macro_rules! on_compare {
    ($name:ident, $($widen:literal),*) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            std::arch::naked_asm!($($widen,)* "mov rdx, [rsp]", "jmp {note}", note = sym note_compare);
        }
    };
}

#[cfg(target_arch = "x86_64")]
on_compare!(on_compare_of_1, "movzx edi, dil", "movzx esi, sil");
#[cfg(target_arch = "x86_64")]
on_compare!(on_compare_of_2, "movzx edi, di", "movzx esi, si");
#[cfg(target_arch = "x86_64")]
on_compare!(on_compare_of_4, "mov edi, edi", "mov esi, esi");
#[cfg(target_arch = "x86_64")]
on_compare!(on_compare_of_8,);

/// Notes a compare of two values at a place.
#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn note_compare(one: u64, other: u64, returns_to: u64) {
    let place = returns_to.wrapping_sub(BIAS.load(Ordering::Relaxed));
    let index = super::features::compare_counter(place, one ^ other);
    // SAFETY: the index is in range. Threads of the target may write the same value.
    unsafe { compares().add(index).write_volatile(1) };
}
