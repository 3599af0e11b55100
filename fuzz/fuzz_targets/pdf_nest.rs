//! PDF: `lopdf` 0.26.0 follows nested arrays and dictionaries by recursion without a limit.
//!
//! Fails by stack overflow in `lopdf::parser`, from some ten thousand levels on.
//! Report: RUSTSEC-2026-0187.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lopdf::Document;

fuzz_target!(|data: &[u8]| {
    let _ = Document::load_mem(data);
});
