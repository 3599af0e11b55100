//! The functions of this crate that the project's own fuzz targets run: each parser of bytes from
//! outside.
//!
//! A function here takes any bytes. It panics where the code under test is wrong, and is bounded in
//! steps and memory where that code is right. Not part of the public interface.

use crate::exec::fuzzed as exec;
use crate::oracle::store;

/// The output of a dead process: reports of sanitizers, of libFuzzer, and of Rust's panic handler.
pub fn reports(data: &[u8]) {
    exec::reports(data);
}

/// An executable: its kind, its functions and its table of instrumented blocks.
pub fn elf(data: &[u8]) {
    exec::elf(data);
}

/// Observations on disk, with whatever checksums, and with the right ones.
pub fn observations(data: &[u8]) {
    store::fuzzed::observations(data);
}
