//! Counts what a fuzz target was given, for `scripts/mutator`: how many inputs, and how many of them were valid.
//!
//! Written to the file that `SEEDSMITH_TALLY` names, as two numbers of 8 bytes in the machine's order; without that
//! variable nothing is written. Counting costs nothing that could be measured.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

static EXECUTED: AtomicU64 = AtomicU64::new(0);
static VALID: AtomicU64 = AtomicU64::new(0);
static FILE: OnceLock<Option<File>> = OnceLock::new();

/// Inputs between two writes of the file: at most this number is lost when the fuzzer ends.
const EVERY: u64 = 256;

/// Counts one input that the fuzzer ran.
pub fn count(is_valid: bool) {
    let executed = EXECUTED.fetch_add(1, Ordering::Relaxed) + 1;
    let valid = VALID.fetch_add(u64::from(is_valid), Ordering::Relaxed) + u64::from(is_valid);
    if executed % EVERY != 0 {
        return;
    }
    let file = FILE.get_or_init(|| {
        let path = std::env::var_os("SEEDSMITH_TALLY")?;
        Some(File::create(path).expect("the file of SEEDSMITH_TALLY can be written"))
    });
    if let Some(file) = file {
        let mut bytes = executed.to_ne_bytes().to_vec();
        bytes.extend_from_slice(&valid.to_ne_bytes());
        file.write_all_at(&bytes, 0).expect("the file of SEEDSMITH_TALLY can be written");
    }
}
