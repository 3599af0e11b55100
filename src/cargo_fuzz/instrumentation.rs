//! The instrumentation that the compiler adds to a fuzz target, and the flags for it.

use std::ffi::OsString;

/// Flags that cargo-fuzz passes too.
const FLAGS: [&str; 4] = ["--cfg", "fuzzing", "-Cdebug-assertions", "-Coverflow-checks"];
/// libFuzzer's counters, one byte for each block, with a table of the places they belong to.
const COVERAGE: [&str; 4] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
];
/// Separates the flags in `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\x1f";

/// The instrumentation that the compiler adds to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instrumentation {
    /// Nothing.
    None,
    /// AddressSanitizer, which only nightly Rust has.
    Address,
    /// libFuzzer's coverage counters, and no sanitizer.
    Coverage,
}

impl Instrumentation {
    /// The compiler flags that the user has set in the environment, followed by ours.
    pub(super) fn flags(self) -> OsString {
        let users = match std::env::var("CARGO_ENCODED_RUSTFLAGS") {
            Ok(encoded) => encoded,
            Err(_) => {
                let plain = std::env::var("RUSTFLAGS").unwrap_or_default();
                plain.split_whitespace().collect::<Vec<_>>().join(SEPARATOR)
            }
        };
        let more: &[&str] = match self {
            Instrumentation::None => &[],
            Instrumentation::Address => &["-Zsanitizer=address"],
            Instrumentation::Coverage => &COVERAGE,
        };
        let ours = [&FLAGS, more].concat().join(SEPARATOR);
        if users.is_empty() { ours.into() } else { format!("{users}{SEPARATOR}{ours}").into() }
    }
}
