//! TOML: `toml_edit` 0.24.0 expects a span of a value that it made up itself, when a header meets that value again.
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
