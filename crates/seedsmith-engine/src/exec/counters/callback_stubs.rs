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

// What libFuzzer calls after each `memcmp`. There is room behind the return for the jump that `silence_compares` writes.
core::arch::global_asm!(
    ".weak __sanitizer_weak_hook_memcmp",
    ".type __sanitizer_weak_hook_memcmp, @function",
    "__sanitizer_weak_hook_memcmp:",
    "ret",
    ".zero 15",
);

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
/// that, nothing is changed. What `memcmp` compares is recorded in another way, see `in_process::operands`.
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
        #[cfg(feature = "mutator")]
        fn __sanitizer_weak_hook_memcmp();
    }
    const PAGE: usize = 4096;
    const RETURN: u8 = 0xc3;
    /// Writes code over the beginning of a function, if the system allows that.
    fn write(function: unsafe extern "C" fn(), code: &[u8]) {
        let first = function as *mut u8;
        let page = (first as usize & !(PAGE - 1)) as *mut c_void;
        let length = first as usize + code.len() - page as usize;
        let protect = |bits: c_int| {
            // SAFETY: the pages hold this function's first bytes; they stay readable and executable.
            unsafe { mprotect(page, length, PROT_READ | PROT_EXEC | bits) == 0 }
        };
        if protect(PROT_WRITE) {
            for (at, byte) in code.iter().enumerate() {
                // SAFETY: the pages are writable now. The functions return nothing, keep all registers that a caller
                // relies on and find their return address on top of the stack, so a return is a whole body, and a jump
                // to a function of the same type is one too. This process has one thread when it is called.
                unsafe { first.add(at).write_volatile(*byte) };
            }
            protect(0);
        }
    }
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
        write(function, &[RETURN]);
    }
    #[cfg(feature = "mutator")]
    if crate::exec::counters::in_process::InProcessTarget::find().is_some() {
        let record = crate::exec::counters::in_process::operands::record as *const () as usize;
        // movabs rax, record; jmp rax
        let jump = [&[0x48, 0xb8][..], &record.to_le_bytes(), &[0xff, 0xe0]].concat();
        write(__sanitizer_weak_hook_memcmp, &jump);
    }
}
