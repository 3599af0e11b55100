//! This program's own fuzz target, called outside libFuzzer, and the coverage of that call.
//!
//! A program that `cargo fuzz` builds has the target under a name that libFuzzer expects, and a counter for each
//! instrumented block. So a worker process of such a program can run the target and see which
//! blocks it reaches, as libFuzzer does, without libFuzzer. Everything here is absent where the
//! target or the counters are: in a program that was not built for fuzzing, and on other systems
//! than 64-bit Linux.

#[cfg(any(all(fuzzing, target_arch = "x86_64"), test))]
pub(crate) mod operands;
#[cfg(any(fuzzing, test))]
pub(crate) mod texts;
#[cfg(any(fuzzing, test))]
pub(crate) mod words;

use std::ops::Range;

/// The target of a program that was built for fuzzing.
#[derive(Debug)]
pub struct InProcessTarget {
    /// Addresses of the counters that libFuzzer looks at.
    #[cfg_attr(
        not(fuzzing),
        expect(dead_code, reason = "only a program for fuzzing has counters")
    )]
    ranges: Vec<Range<usize>>,
    /// The target's function, by libFuzzer's interface.
    run: extern "C" fn(*const u8, usize) -> i32,
}

impl InProcessTarget {
    /// This program's target. `None` where there is none, or no counters.
    pub fn find() -> Option<Self> {
        #[cfg(all(fuzzing, target_os = "linux", target_pointer_width = "64"))]
        return symbols::find();
        #[cfg(not(all(fuzzing, target_os = "linux", target_pointer_width = "64")))]
        None
    }

    /// Words that the instrumented code compares with, as far as they are found in its instructions.
    ///
    /// They are looked for once, when the program is loaded.
    pub fn words(&self) -> &[Vec<u8>] {
        #[cfg(all(fuzzing, target_os = "linux", target_pointer_width = "64"))]
        return crate::exec::counters::hidden::words_of_others();
        #[cfg(not(all(fuzzing, target_os = "linux", target_pointer_width = "64")))]
        &[]
    }

    /// Runs the target on an input. Returns whether libFuzzer would keep the input if it reached something new: the
    /// target has not returned [`Corpus::Reject`](crate::observation::Verdict::Reject).
    ///
    /// A crash of the target is a crash of this process.
    pub fn run(&self, input: &[u8]) -> bool {
        (self.run)(input.as_ptr(), input.len()) != -1
    }

    /// Runs the target on an input, and returns pairs of short texts that it compared and that differ. On other processors
    /// than x86-64 there are none.
    pub fn compared(&self, input: &[u8]) -> Vec<[Vec<u8>; 2]> {
        #[cfg(all(fuzzing, target_arch = "x86_64"))]
        return operands::compared(|| {
            self.run(input);
        });
        #[cfg(not(all(fuzzing, target_arch = "x86_64")))]
        {
            self.run(input);
            Vec::new()
        }
    }

    /// Sets all counters to 0.
    ///
    /// To be called before a run whose coverage is wanted.
    pub fn clear(&self) {
        #[cfg(fuzzing)]
        for range in &self.ranges {
            // SAFETY: the range is within this program's counters, which live as long as it does, and any
            // byte is a count. The instrumentation adds to them by address and knows nothing of threads either.
            unsafe { std::ptr::write_bytes(range.start as *mut u8, 0, range.len()) };
        }
    }

    /// Copies all counters to `counts`, one range after the other.
    ///
    /// A count is a byte, which wraps around after 255.
    pub fn read(&self, counts: &mut Vec<u8>) {
        counts.clear();
        #[cfg(fuzzing)]
        for range in &self.ranges {
            counts.reserve(range.len());
            // SAFETY: the range is within this program's counters; room for it was just reserved, and is
            // filled before the length says so.
            unsafe {
                let end = counts.as_mut_ptr().add(counts.len());
                std::ptr::copy_nonoverlapping(range.start as *const u8, end, range.len());
                counts.set_len(counts.len() + range.len());
            }
        }
    }
}

#[cfg(all(fuzzing, target_os = "linux", target_pointer_width = "64"))]
mod symbols {
    use super::InProcessTarget;

    // The address of the target: null in a program without.
    core::arch::global_asm!(
        ".pushsection .data.rel.ro,\"aw\",@progbits",
        ".p2align 3",
        ".weak seedsmith_own_target",
        ".hidden seedsmith_own_target",
        ".type seedsmith_own_target, @object",
        ".size seedsmith_own_target, 8",
        "seedsmith_own_target:",
        ".quad LLVMFuzzerTestOneInput",
        ".weak LLVMFuzzerTestOneInput",
        ".popsection",
    );

    unsafe extern "C" {
        static seedsmith_own_target: Option<extern "C" fn(*const u8, usize) -> i32>;
    }

    /// The target of this program, by the symbol that libFuzzer expects.
    pub fn find() -> Option<InProcessTarget> {
        // SAFETY: a word that the linker has filled in, and no one writes.
        let run = unsafe { seedsmith_own_target }?;
        let ranges = crate::exec::counters::hidden::counters_of_others();
        (!ranges.is_empty()).then_some(InProcessTarget { ranges, run })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_built_for_fuzzing_has_no_target() {
        assert!(InProcessTarget::find().is_none());
    }
}
