//! Stand-ins for libFuzzer's coverage callbacks, in builds of cargo-fuzz only.
//!
//! `cargo fuzz build` instruments every program of a fuzz package, a `tmin` among them, and the
//! callbacks come with libFuzzer, which such a program does not link. Without these it would not
//! link at all. They are weak: where libFuzzer or a sanitizer is linked, theirs are used.

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
