//! TOML: `toml_edit` 0.24.0 takes a table header for granted that isn't there.
//!
//! Fails by a panic at `src/parser/document.rs:491`.
//! Report: toml-rs/toml#1100.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toml_edit::DocumentMut;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = text.parse::<DocumentMut>();
    }
});
