//! The parts that all targets share: `target!` makes a fuzz target of a function that parses and
//! then uses the parsed value. A target whose language has a built-in grammar names it.

#[path = "../../../../fuzz/fuzz_targets/mutate/tally.rs"]
pub mod tally;

#[cfg(feature = "generation")]
pub mod generation;
pub mod replay;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Parses `data` and, where `goes_on`, uses the result; says whether it was parsed.
pub type Process = fn(data: &[u8], goes_on: bool) -> bool;

/// Whether it was parsed. A panic is a bug of the parser, and such bugs are not measured: the input
/// counts as rejected.
pub fn process(data: &[u8], goes_on: bool, process: Process) -> bool {
    catch_unwind(AssertUnwindSafe(|| process(data, goes_on))).unwrap_or(false)
}

/// Runs the code after the parser. If it were inlined into the function that parses, its edges
/// would count as the parser's.
#[inline(never)]
pub fn after<T>(run: impl FnOnce() -> T) -> T {
    run()
}

/// Comes after libfuzzer-sys has set a hook that ends the program at the first panic.
pub fn start(target: Process) {
    std::panic::set_hook(Box::new(|_| {}));
    replay::if_asked(target);
}

#[cfg(feature = "repairing")]
macro_rules! target {
    ($process:path $(, $grammar:literal)?) => {
        fn is_valid(data: &[u8]) -> bool {
            harness::process(data, false, $process)
        }

        libfuzzer_sys::fuzz_target!(
            init: {
                harness::start($process);
                seedsmith::mutator::validator(is_valid);
            },
            |data: &[u8]| harness::tally::count(harness::process(data, true, $process))
        );

        seedsmith::repairing_mutator!();
    };
}

#[cfg(feature = "generation")]
macro_rules! target {
    ($process:path) => {
        compile_error!("seedsmith has no grammar for this target's language");
    };
    ($process:path, $grammar:literal) => {
        libfuzzer_sys::fuzz_target!(
            init: {
                harness::start($process);
                harness::generation::if_asked($grammar);
            },
            |data: &[u8]| harness::tally::count(harness::process(data, true, $process))
        );

        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], _size: usize, max_size: usize, seed: u32| {
            let text = harness::generation::draw($grammar, max_size, seed.into());
            let size = text.len().min(max_size);
            data[..size].copy_from_slice(&text[..size]);
            size
        });
    };
}

#[cfg(not(any(feature = "repairing", feature = "generation")))]
macro_rules! target {
    ($process:path $(, $grammar:literal)?) => {
        libfuzzer_sys::fuzz_target!(
            init: harness::start($process),
            |data: &[u8]| harness::tally::count(harness::process(data, true, $process))
        );
    };
}
