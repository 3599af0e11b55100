//! Stand-ins for libFuzzer's coverage callbacks, in builds of cargo-fuzz only.
//!
//! `cargo fuzz build` instruments every program of a fuzz package, a `tmin` among them, and the
//! callbacks come with libFuzzer, which such a program does not link. Without these it would not
//! link at all. They are weak: where libFuzzer or a sanitizer is linked, theirs are used.
//!
//! This file can also switch libFuzzer's own callbacks off in a worker, where their records are not
//! read.

macro_rules! weak_functions {
    ($($name:literal)*) => {
        $(core::arch::global_asm!(
            concat!(".weak ", $name),
            concat!(".type ", $name, ", @function"),
            concat!($name, ":"),
            "ret",
        );)*
    };
}

weak_functions! {
    "__sanitizer_cov_8bit_counters_init"
    "__sanitizer_cov_pcs_init"
    "__sanitizer_cov_trace_cmp1"
    "__sanitizer_cov_trace_cmp2"
    "__sanitizer_cov_trace_cmp4"
    "__sanitizer_cov_trace_cmp8"
    "__sanitizer_cov_trace_const_cmp1"
    "__sanitizer_cov_trace_const_cmp2"
    "__sanitizer_cov_trace_const_cmp4"
    "__sanitizer_cov_trace_const_cmp8"
    "__sanitizer_cov_trace_switch"
    "__sanitizer_cov_trace_div4"
    "__sanitizer_cov_trace_div8"
    "__sanitizer_cov_trace_gep"
    "__sanitizer_cov_trace_pc_guard"
    "__sanitizer_cov_trace_pc_guard_init"
    "__sanitizer_cov_trace_pc_indir"
}

// The stack depth that instrumented functions keep: a thread-local word.
core::arch::global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    ".weak __sancov_lowest_stack",
    ".type __sancov_lowest_stack, @object",
    ".size __sancov_lowest_stack, 8",
    ".p2align 3",
    "__sancov_lowest_stack:",
    ".zero 8",
    ".popsection",
);

/// Ends libFuzzer's recording of compared values in this process.
///
/// The records of a worker are never read, and they cost half of its time: 45 % of all samples of a
/// repairing JSON fuzzer, 2026-11-21. Their functions become a single return. If the system forbids
/// that, nothing is changed.
#[cfg(target_arch = "x86_64")]
pub fn silence_compares() {
    use std::ffi::{c_int, c_void};

    use crate::exec::os::sys::{PROT_READ, PROT_WRITE};

    const PROT_EXEC: c_int = 4;
    unsafe extern "C" {
        fn mprotect(address: *mut c_void, length: usize, protection: c_int) -> c_int;
        fn __sanitizer_cov_trace_cmp1();
        fn __sanitizer_cov_trace_cmp2();
        fn __sanitizer_cov_trace_cmp4();
        fn __sanitizer_cov_trace_cmp8();
        fn __sanitizer_cov_trace_const_cmp1();
        fn __sanitizer_cov_trace_const_cmp2();
        fn __sanitizer_cov_trace_const_cmp4();
        fn __sanitizer_cov_trace_const_cmp8();
        fn __sanitizer_cov_trace_switch();
        fn __sanitizer_cov_trace_pc_indir();
    }
    const PAGE: usize = 4096;
    const RETURN: u8 = 0xc3;
    let functions: [unsafe extern "C" fn(); 10] = [
        __sanitizer_cov_trace_cmp1,
        __sanitizer_cov_trace_cmp2,
        __sanitizer_cov_trace_cmp4,
        __sanitizer_cov_trace_cmp8,
        __sanitizer_cov_trace_const_cmp1,
        __sanitizer_cov_trace_const_cmp2,
        __sanitizer_cov_trace_const_cmp4,
        __sanitizer_cov_trace_const_cmp8,
        __sanitizer_cov_trace_switch,
        __sanitizer_cov_trace_pc_indir,
    ];
    for function in functions {
        let first = function as *mut u8;
        let page = (first as usize & !(PAGE - 1)) as *mut c_void;
        let protect = |bits: c_int| {
            // SAFETY: the page holds this function's first byte; it stays readable and executable.
            unsafe { mprotect(page, PAGE, PROT_READ | PROT_EXEC | bits) == 0 }
        };
        if protect(PROT_WRITE) {
            // SAFETY: the functions return nothing, keep all registers that a caller relies on and
            // find their return address on top of the stack, so a return is a whole body. One byte
            // is written at once, also for a thread that runs here now.
            unsafe { first.write_volatile(RETURN) };
            protect(0);
        }
    }
}
