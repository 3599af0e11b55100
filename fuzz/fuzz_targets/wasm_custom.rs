//! WebAssembly: `parity-wasm` 0.20.0 subtracts the length of a custom section's name from a section length that is smaller.
//!
//! Fails by a panic at `parity-wasm-0.20.0/src/elements/section.rs:221`.
//! Report: paritytech/parity-wasm#159.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parity_wasm::elements::{Module, deserialize_buffer};

fuzz_target!(|data: &[u8]| {
    let _ = deserialize_buffer::<Module>(data);
});
