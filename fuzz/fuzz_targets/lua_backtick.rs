//! Lua: `full_moon` 2.2.0 reads a backtick as a quote, for which plain Lua has no kind of string.
//!
//! Fails by a panic at `full_moon-2.2.0/src/tokenizer/lexer.rs:1210`.
//! Report: Kampfkarren/full-moon#359.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = full_moon::parse(text);
    }
});
